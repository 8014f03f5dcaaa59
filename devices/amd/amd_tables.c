/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_tables.h"

static const struct event_kind_row amd_events[] = {AMD_EVENTS(EVENT_ROW)};
static const struct rule amd_rules[] = {AMD_RULES(RULE_ROW)};
static const struct parameter amd_parameters[] = {AMD_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point amd_choices[] = {AMD_CHOICES(CHOICE_ROW)};

const struct table_set amd_tables = {
    .name = "amd",
    .base = TABLE_AMD,
    .rules = amd_rules,
    .rule_count = sizeof amd_rules / sizeof amd_rules[0],
    .parameters = amd_parameters,
    .parameter_count = sizeof amd_parameters / sizeof amd_parameters[0],
    .choices = amd_choices,
    .choice_count = sizeof amd_choices / sizeof amd_choices[0],
    .events = amd_events,
    .event_count = sizeof amd_events / sizeof amd_events[0],
};
