/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/rm/rm_tables.h"

static const struct event_kind_row rm_events[] = {RM_EVENTS(EVENT_ROW)};
static const struct rule rm_rules[] = {RM_RULES(RULE_ROW)};
static const struct parameter rm_parameters[] = {RM_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point rm_choices[] = {RM_CHOICES(CHOICE_ROW)};

const struct table_set rm_tables = {
    .name = "rm",
    .base = TABLE_FIRMWARE_NVIDIA_RM,
    .rules = rm_rules,
    .rule_count = sizeof rm_rules / sizeof rm_rules[0],
    .parameters = rm_parameters,
    .parameter_count = sizeof rm_parameters / sizeof rm_parameters[0],
    .choices = rm_choices,
    .choice_count = sizeof rm_choices / sizeof rm_choices[0],
    .events = rm_events,
    .event_count = sizeof rm_events / sizeof rm_events[0],
};
