/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/amdgpu_tables.h"

static const struct event_kind_row amdgpu_events[] = {AMDGPU_EVENTS(EVENT_ROW)};
static const struct rule amdgpu_rules[] = {AMDGPU_RULES(RULE_ROW)};
static const struct parameter amdgpu_parameters[] = {AMDGPU_PARAMETERS(PARAMETER_ROW)};

const struct table_set amdgpu_tables = {
    .name = "amdgpu",
    .base = TABLE_FIRMWARE_AMDGPU,
    .rules = amdgpu_rules,
    .rule_count = sizeof amdgpu_rules / sizeof amdgpu_rules[0],
    .parameters = amdgpu_parameters,
    .parameter_count = sizeof amdgpu_parameters / sizeof amdgpu_parameters[0],
    .events = amdgpu_events,
    .event_count = sizeof amdgpu_events / sizeof amdgpu_events[0],
};
