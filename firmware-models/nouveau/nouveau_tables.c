/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/nouveau/nouveau_tables.h"

static const struct event_kind_row nouveau_events[] = {NOUVEAU_EVENTS(EVENT_ROW)};
static const struct rule nouveau_rules[] = {NOUVEAU_RULES(RULE_ROW)};
static const struct parameter nouveau_parameters[] = {NOUVEAU_PARAMETERS(PARAMETER_ROW)};
static const struct choice_point nouveau_choices[] = {NOUVEAU_CHOICES(CHOICE_ROW)};

const struct table_set nouveau_tables = {
    .name = "nouveau",
    .base = TABLE_FIRMWARE_NVIDIA,
    .rules = nouveau_rules,
    .rule_count = sizeof nouveau_rules / sizeof nouveau_rules[0],
    .parameters = nouveau_parameters,
    .parameter_count = sizeof nouveau_parameters / sizeof nouveau_parameters[0],
    .choices = nouveau_choices,
    .choice_count = sizeof nouveau_choices / sizeof nouveau_choices[0],
    .events = nouveau_events,
    .event_count = sizeof nouveau_events / sizeof nouveau_events[0],
};
