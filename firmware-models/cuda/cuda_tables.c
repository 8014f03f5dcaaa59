/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/cuda/cuda_tables.h"

static const struct event_kind_row cuda_events[] = {CUDA_EVENTS(EVENT_ROW)};
static const struct rule cuda_rules[] = {CUDA_RULES(RULE_ROW)};
static const struct parameter cuda_parameters[] = {CUDA_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point cuda_choices[] = {CUDA_CHOICES(CHOICE_ROW)};

const struct table_set cuda_tables = {
    .name = "cuda",
    .base = TABLE_FIRMWARE_NVIDIA_CUDA,
    .rules = cuda_rules,
    .rule_count = sizeof cuda_rules / sizeof cuda_rules[0],
    .parameters = cuda_parameters,
    .parameter_count = sizeof cuda_parameters / sizeof cuda_parameters[0],
    .choices = cuda_choices,
    .choice_count = sizeof cuda_choices / sizeof cuda_choices[0],
    .events = cuda_events,
    .event_count = sizeof cuda_events / sizeof cuda_events[0],
};
