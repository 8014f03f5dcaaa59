/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/core_events.h"

static const struct event_kind_row core_events[] = {CORE_EVENTS(EVENT_ROW)};
static const struct rule core_rules[] = {CORE_RULES(RULE_ROW)};
static const struct parameter core_parameters[] = {CORE_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point core_choices[] = {CORE_CHOICES(CHOICE_ROW)};

const struct table_set core_tables = {
    .name = "core",
    .base = TABLE_CORE,
    .rules = core_rules,
    .rule_count = sizeof core_rules / sizeof core_rules[0],
    .parameters = core_parameters,
    .parameter_count = sizeof core_parameters / sizeof core_parameters[0],
    .choices = core_choices,
    .choice_count = sizeof core_choices / sizeof core_choices[0],
    .events = core_events,
    .event_count = sizeof core_events / sizeof core_events[0],
};
