/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/hip/hip_tables.h"

static const struct event_kind_row hip_events[] = {HIP_EVENTS(EVENT_ROW)};
static const struct rule hip_rules[] = {HIP_RULES(RULE_ROW)};
static const struct parameter hip_parameters[] = {HIP_PARAMETERS(PARAMETER_ROW)};

const struct table_set hip_tables = {
    .name = "hip",
    .base = TABLE_HIP,
    .rules = hip_rules,
    .rule_count = sizeof hip_rules / sizeof hip_rules[0],
    .parameters = hip_parameters,
    .parameter_count = sizeof hip_parameters / sizeof hip_parameters[0],
    .events = hip_events,
    .event_count = sizeof hip_events / sizeof hip_events[0],
};
