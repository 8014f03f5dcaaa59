/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_mec_tables.h"

static const struct event_kind_row events[] = {AMD_MEC_EVENTS(EVENT_ROW)};
static const struct rule rules[] = {AMD_MEC_RULES(RULE_ROW)};
static const struct parameter parameters[] = {AMD_MEC_PARAMETERS(PARAMETER_ROW)};

const struct table_set amd_mec_tables = {
    .name = "amd_mec",
    .base = TABLE_AMD_MEC,
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .events = events,
    .event_count = sizeof events / sizeof events[0],
};
