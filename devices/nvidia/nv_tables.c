/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_tables.h"

#include "devices/nvidia/nv_events.h"

static const struct event_kind_row nv_events[] = {NV_EVENTS(EVENT_ROW)};
static const struct rule nv_rules[] = {NV_RULES(RULE_ROW)};
static const struct parameter nv_parameters[] = {NV_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point nv_choices[] = {NV_CHOICES(CHOICE_ROW)};

const struct table_set nv_tables = {
    .name = "nvidia",
    .base = TABLE_NVIDIA,
    .rules = nv_rules,
    .rule_count = sizeof nv_rules / sizeof nv_rules[0],
    .parameters = nv_parameters,
    .parameter_count = sizeof nv_parameters / sizeof nv_parameters[0],
    .choices = nv_choices,
    .choice_count = sizeof nv_choices / sizeof nv_choices[0],
    .events = nv_events,
    .event_count = sizeof nv_events / sizeof nv_events[0],
};
