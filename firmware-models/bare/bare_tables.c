/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/bare/bare_tables.h"

static const struct event_kind_row bare_events[] = {BARE_EVENTS(EVENT_ROW)};
static const struct rule bare_rules[] = {BARE_RULES(RULE_ROW)};
static const struct parameter bare_parameters[] = {BARE_PARAMETERS(PARAMETER_ROW)};

const struct table_set bare_tables = {
    .name = "bare",
    .base = TABLE_BARE,
    .rules = bare_rules,
    .rule_count = sizeof bare_rules / sizeof bare_rules[0],
    .parameters = bare_parameters,
    .parameter_count = sizeof bare_parameters / sizeof bare_parameters[0],
    .events = bare_events,
    .event_count = sizeof bare_events / sizeof bare_events[0],
};
