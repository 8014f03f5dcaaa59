/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_log_head.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"

/* A file name need not be UTF-8, JSON must. */
static json_t *text_json(const char *text)
{
    json_t *json = json_text_string(text);
    char *copy;

    if (!json_is_null(json))
        return json;
    copy = strdup(text);
    if (!copy)
        return NULL;
    for (char *c = copy; *c; c++)
        if (*c & 0x80)
            *c = '?';
    json = json_string(copy);
    free(copy);
    return json;
}

static json_t *value_json(uint64_t value)
{
    char digits[24];

    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    return json_string(digits);
}

/* Adds where a row was seen.  Releases the row and returns NULL if memory is short. */
static json_t *seen_add(const struct event_log_head *head, const char *seen_on, json_t *row)
{
    if (!seen_on)
        return row;
    row = json_text_set(row, "seen_on", json_string(seen_on));
    return rule_is_seen_on(seen_on, head->chip, head->gpu)
               ? row
               : json_text_set(row, "carried_over", json_true());
}

static json_t *rule_json(const struct event_log_head *head, uint32_t number,
                         const struct rule *rule)
{
    return seen_add(head, rule->seen_on,
                    json_pack("{s:i, s:s, s:s, s:s, s:s, s:s}", "id", (int)number, "label",
                              rule->label, "basis", rule_basis_name(rule->basis), "enforcer",
                              rule_enforcer_name(rule->enforcer), "source", rule->source, "text",
                              rule->text));
}

static json_t *parameter_json(const struct event_log_head *head, uint32_t number,
                              const struct parameter *parameter, uint64_t value)
{
    return seen_add(head, parameter->seen_on,
                    json_pack("{s:i, s:s, s:s, s:o, s:s}", "id", (int)number, "name", parameter->id,
                              "unit", parameter->unit, "value", value_json(value), "basis",
                              rule_basis_name(parameter->basis)));
}

static json_t *choice_json(uint32_t number, const struct choice_point *choice, uint32_t taken)
{
    return json_pack("{s:i, s:s, s:s}", "id", (int)number, "name", choice->id, "alternative",
                     choice->alternatives[taken]);
}

static json_t *kind_json(uint32_t number, const struct event_kind_row *row)
{
    const uint32_t argument_count = event_kind_argument_count(row);
    json_t *arguments = json_array();

    for (uint32_t i = 0; i < argument_count; i++)
        if (json_array_append_new(arguments, json_string(row->arguments[i])) != 0) {
            json_decref(arguments);
            return NULL;
        }
    return json_pack("{s:i, s:s, s:o}", "id", (int)number, "name", row->name, "arguments",
                     arguments);
}

/* json_array_append_new() refuses a NULL value, so a failed allocation shows here. */
static bool choices_add(const struct event_log_head *head, const struct table_set *set,
                        json_t *choices)
{
    bool good = true;

    for (uint32_t i = 0; i < set->choice_count; i++) {
        const uint32_t number = set->base + i;
        const struct choice_point *choice = &set->choices[i];
        const uint32_t taken =
            head->choice_values ? head->choice_values[number] : choice->default_index;

        if (choice->id)
            good &= json_array_append_new(choices, choice_json(number, choice, taken)) == 0;
    }
    return good;
}

static bool pokes_add(const struct event_log_head *head, json_t *root)
{
    json_t *pokes = head->poke_count > 0 ? json_array() : NULL;
    bool good = true;

    for (uint32_t i = 0; i < head->poke_count; i++)
        good &= json_array_append_new(pokes, text_json(head->pokes[i])) == 0;
    return head->poke_count == 0 || (json_object_set_new(root, "pokes", pokes) == 0 && good);
}

static bool set_add(const struct event_log_head *head, const struct table_set *set, json_t *rules,
                    json_t *kinds, json_t *parameters)
{
    bool good = true;

    for (uint32_t i = 0; i < set->rule_count; i++)
        if (set->rules[i].label)
            good &=
                json_array_append_new(rules, rule_json(head, set->base + i, &set->rules[i])) == 0;
    for (uint32_t i = 0; i < set->event_count; i++)
        good &= json_array_append_new(kinds, kind_json(set->base + i, &set->events[i])) == 0;
    for (uint32_t i = 0; i < set->parameter_count; i++) {
        const uint32_t number = set->base + i;
        const struct parameter *parameter = &set->parameters[i];
        const uint64_t value =
            head->parameter_values ? head->parameter_values[number] : parameter->value;
        if (parameter->id)
            good &= json_array_append_new(parameters,
                                          parameter_json(head, number, parameter, value)) == 0;
    }
    return good;
}

static bool object_add(json_t *root, const char *key, const char *json)
{
    return !json || json_object_set_new(root, key, json_text_loads(json)) == 0;
}

static bool head_fill(const struct event_log_head *head, json_t *root)
{
    json_t *run = json_object_get(root, "run");
    json_t *units = json_object_get(root, "units");
    bool good = true;

    for (uint32_t i = 0; i < head->run_count; i++)
        good &= json_object_set_new(run, head->run[i].key, text_json(head->run[i].value)) == 0;
    for (uint32_t i = 0; i < head->unit_count; i++)
        good &= json_array_append_new(units, text_json(head->units[i])) == 0;
    for (uint32_t i = 0; i < head->engine_count; i++)
        good &= json_array_append_new(json_object_get(root, "engines"),
                                      text_json(head->engines[i] ? head->engines[i] : "")) == 0;
    for (uint32_t i = 0; i < head->set_count; i++) {
        good &= set_add(head, head->sets[i], json_object_get(root, "rules"),
                        json_object_get(root, "kinds"), json_object_get(root, "parameters"));
        good &= choices_add(head, head->sets[i], json_object_get(root, "choices"));
    }
    return pokes_add(head, root) && object_add(root, "gpu", head->gpu_json) &&
           object_add(root, "program", head->program_json) && good;
}

char *event_log_head_build(const struct event_log_head *head)
{
    json_t *root =
        json_pack("{s:i, s:{}, s:[], s:[], s:[], s:[], s:[], s:[]}", "format", EVENT_LOG_FORMAT,
                  "run", "units", "engines", "rules", "kinds", "parameters", "choices");
    char *text = NULL;

    if (root && head_fill(head, root))
        text = json_text(root, JSON_COMPACT);
    json_decref(root);
    return text;
}
