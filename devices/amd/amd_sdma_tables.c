/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_sdma_tables.h"

static const struct event_kind_row events[] = {AMD_SDMA_EVENTS(EVENT_ROW)};
static const struct rule rules[] = {AMD_SDMA_RULES(RULE_ROW)};
static const struct parameter parameters[] = {AMD_SDMA_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point choices[] = {AMD_SDMA_CHOICES(CHOICE_ROW)};

const struct table_set amd_sdma_tables = {
    .name = "amd_sdma",
    .base = TABLE_AMD_SDMA,
    .rules = rules,
    .rule_count = sizeof rules / sizeof rules[0],
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .choices = choices,
    .choice_count = sizeof choices / sizeof choices[0],
    .events = events,
    .event_count = sizeof events / sizeof events[0],
};
