/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/rule.h"

#include <stdio.h>
#include <string.h>

#include "emu/base/clock.h"

const char *rule_basis_name(enum basis basis)
{
    static const char *const names[] = {
        [DOCUMENTED] = "DOCUMENTED", [PUBLISHED] = "PUBLISHED", [MEASURED] = "MEASURED",
        [INFERRED] = "INFERRED",     [ASSUMED] = "ASSUMED",
    };

    return names[basis];
}

/* Returns true if the list's item, which ends at a comma or its end, is that name, with or without
 * more in parentheses. */
static bool item_is(const char *item, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(item, name, length) == 0 &&
           (item[length] == '\0' || item[length] == ',' || strncmp(item + length, " (", 2) == 0);
}

bool rule_is_seen_on(const char *seen_on, const char *chip, const char *gpu)
{
    for (const char *item = seen_on; item; item = strstr(item, ", ")) {
        if (item != seen_on)
            item += 2;
        if ((chip && item_is(item, chip)) || (gpu && item_is(item, gpu)))
            return true;
    }
    return false;
}

size_t rule_basis_words(char *to, size_t bytes, const char *basis, const char *seen_on,
                        bool carried_over)
{
    const char *const how = carried_over ? ", carried over from " : ", seen on ";

    return (size_t)snprintf(to, bytes, "%s%s%s", basis, seen_on ? how : "", seen_on ? seen_on : "");
}

const char *rule_enforcer_name(enum enforcer enforcer)
{
    static const char *const names[] = {
        [HARDWARE] = "hardware",
        [FIRMWARE] = "firmware",
        [KERNEL_DRIVER] = "kernel driver",
        [RUNTIME] = "runtime",
    };

    return names[enforcer];
}

uint32_t event_kind_argument_count(const struct event_kind_row *row)
{
    uint32_t count = 0;

    while (count < EVENT_ARGUMENTS_MAX && row->arguments[count])
        count++;
    return count;
}

uint64_t parameter_highest(const struct parameter *parameter)
{
    if (strcmp(parameter->unit, "ps") == 0)
        return 1000000 * GFE_PS_PER_S;
    if (strcmp(parameter->unit, "bytes") == 0)
        return UINT64_C(1) << 44;
    return strstr(parameter->unit, "cycles") ? UINT64_C(1) << 40 : UINT64_C(1) << 32;
}

bool choice_is_open(const struct choice_point *choice)
{
    return choice->basis == ASSUMED || choice->is_left_open;
}
