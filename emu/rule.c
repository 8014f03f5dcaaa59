/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/rule.h"

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
