/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/rule.h"

#include <string.h>

#include "emu/base/clock.h"

const char *rule_basis_name(enum basis basis)
{
    static const char *const names[] = {
        [DOCUMENTED] = "DOCUMENTED",
        [MEASURED] = "MEASURED",
        [INFERRED] = "INFERRED",
        [ASSUMED] = "ASSUMED",
    };

    return names[basis];
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
