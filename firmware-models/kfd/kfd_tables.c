/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/kfd_tables.h"

static const struct event_kind_row kfd_events[] = {KFD_EVENTS(EVENT_ROW)};
static const struct rule kfd_rules[] = {KFD_RULES(RULE_ROW)};
static const struct parameter kfd_parameters[] = {KFD_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point kfd_choices[] = {KFD_CHOICES(CHOICE_ROW)};

const struct table_set kfd_tables = {
    .name = "kfd",
    .base = TABLE_FIRMWARE_AMD,
    .rules = kfd_rules,
    .rule_count = sizeof kfd_rules / sizeof kfd_rules[0],
    .parameters = kfd_parameters,
    .parameter_count = sizeof kfd_parameters / sizeof kfd_parameters[0],
    .choices = kfd_choices,
    .choice_count = sizeof kfd_choices / sizeof kfd_choices[0],
    .events = kfd_events,
    .event_count = sizeof kfd_events / sizeof kfd_events[0],
};
