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

/* ---- the text -------------------------------------------------------------------------------- */

/* Text that grows.  Tables have some hundred rows of constant words, of which jansson would make
 * some thousand values before it writes the first. */
struct head_text {
    char *bytes;
    size_t used, room;
    bool failed; /* memory is short, or a value could not be made */
};

static void put_bytes(struct head_text *text, const char *bytes, size_t count)
{
    if (text->failed)
        return;
    if (text->used + count + 1 > text->room) {
        const size_t room = 2 * (text->used + count + 1);
        char *grown = realloc(text->bytes, room);

        if (!grown) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
}

static void put(struct head_text *text, const char *piece)
{
    put_bytes(text, piece, strlen(piece));
}

static void put_number(struct head_text *text, uint64_t value)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    put(text, digits);
}

/* Writes a value and releases it; none is a failure. */
static void put_json(struct head_text *text, json_t *json)
{
    char *piece = json_text(json, JSON_COMPACT | JSON_ENCODE_ANY);

    if (piece)
        put(text, piece);
    else
        text->failed = true;
    free(piece);
    json_decref(json);
}

/* Words that stand in JSON as they are; jansson writes all others. */
static void put_string(struct head_text *text, const char *words)
{
    size_t count = 0;

    while (words[count] >= ' ' && words[count] <= '~' && words[count] != '"' &&
           words[count] != '\\')
        count++;
    if (words[count] != '\0') {
        put_json(text, json_string(words));
        return;
    }
    put(text, "\"");
    put_bytes(text, words, count);
    put(text, "\"");
}

static void put_member(struct head_text *text, const char *key, const char *words)
{
    put(text, ",\"");
    put(text, key);
    put(text, "\":");
    put_string(text, words);
}

/* Begins a row, of which `first` is the first of its table. */
static void put_row(struct head_text *text, uint32_t number, bool *first)
{
    put(text, *first ? "{\"id\":" : ",{\"id\":");
    put_number(text, number);
    *first = false;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_seen(struct head_text *text, const struct event_log_head *head, const char *seen_on)
{
    if (!seen_on)
        return;
    put_member(text, "seen_on", seen_on);
    if (!rule_is_seen_on(seen_on, head->chip, head->gpu))
        put(text, ",\"carried_over\":true");
}

static void put_rules(struct head_text *text, const struct event_log_head *head,
                      const struct table_set *set, bool *first)
{
    for (uint32_t i = 0; i < set->rule_count; i++) {
        const struct rule *rule = &set->rules[i];

        if (!rule->label)
            continue;
        put_row(text, set->base + i, first);
        put_member(text, "label", rule->label);
        put_member(text, "basis", rule_basis_name(rule->basis));
        put_member(text, "enforcer", rule_enforcer_name(rule->enforcer));
        put_member(text, "source", rule->source);
        put_member(text, "text", rule->text);
        put_seen(text, head, rule->seen_on);
        put(text, "}");
    }
}

static void put_kinds(struct head_text *text, const struct event_log_head *head,
                      const struct table_set *set, bool *first)
{
    (void)head;
    for (uint32_t i = 0; i < set->event_count; i++) {
        const struct event_kind_row *row = &set->events[i];
        const uint32_t argument_count = event_kind_argument_count(row);

        put_row(text, set->base + i, first);
        put_member(text, "name", row->name);
        put(text, ",\"arguments\":[");
        for (uint32_t n = 0; n < argument_count; n++) {
            put(text, n > 0 ? "," : "");
            put_string(text, row->arguments[n]);
        }
        put(text, "]}");
    }
}

/* JSON has no larger integers for who reads it: larger values are strings. */
static void put_value(struct head_text *text, uint64_t value)
{
    const char *quote = value <= INT64_MAX ? "" : "\"";

    put(text, ",\"value\":");
    put(text, quote);
    put_number(text, value);
    put(text, quote);
}

static void put_parameters(struct head_text *text, const struct event_log_head *head,
                           const struct table_set *set, bool *first)
{
    for (uint32_t i = 0; i < set->parameter_count; i++) {
        const uint32_t number = set->base + i;
        const struct parameter *parameter = &set->parameters[i];

        if (!parameter->id)
            continue;
        put_row(text, number, first);
        put_member(text, "name", parameter->id);
        put_member(text, "unit", parameter->unit);
        put_value(text, head->parameter_values ? head->parameter_values[number] : parameter->value);
        put_member(text, "basis", rule_basis_name(parameter->basis));
        put_seen(text, head, parameter->seen_on);
        put(text, "}");
    }
}

static void put_choices(struct head_text *text, const struct event_log_head *head,
                        const struct table_set *set, bool *first)
{
    for (uint32_t i = 0; i < set->choice_count; i++) {
        const uint32_t number = set->base + i;
        const struct choice_point *choice = &set->choices[i];
        const uint32_t taken =
            head->choice_values ? head->choice_values[number] : choice->default_index;

        if (!choice->id)
            continue;
        put_row(text, number, first);
        put_member(text, "name", choice->id);
        put_member(text, "alternative", choice->alternatives[taken]);
        put(text, "}");
    }
}

/* A list of the rows of all sets. */
static void put_table(struct head_text *text, const struct event_log_head *head, const char *key,
                      void (*put_rows)(struct head_text *, const struct event_log_head *,
                                       const struct table_set *, bool *first))
{
    bool first = true;

    put(text, ",\"");
    put(text, key);
    put(text, "\":[");
    for (uint32_t i = 0; i < head->set_count; i++)
        put_rows(text, head, head->sets[i], &first);
    put(text, "]");
}

/* ---- names from outside ---------------------------------------------------------------------- */

/* A list of texts, of which NULL is an empty one. */
static json_t *texts_json(const char *const *texts, uint32_t count)
{
    json_t *list = json_array();

    for (uint32_t i = 0; list && i < count; i++)
        list = json_text_append(list, text_json(texts[i] ? texts[i] : ""));
    return list;
}

static json_t *run_json(const struct event_log_head *head)
{
    json_t *run = json_object();

    for (uint32_t i = 0; run && i < head->run_count; i++)
        run = json_text_set(run, head->run[i].key, text_json(head->run[i].value));
    return run;
}

/* An object that is there already; NULL puts nothing. */
static void put_object(struct head_text *text, const char *key, const char *json)
{
    if (!json)
        return;
    put(text, ",\"");
    put(text, key);
    put(text, "\":");
    put_json(text, json_text_loads(json));
}

char *event_log_head_build(const struct event_log_head *head)
{
    struct head_text text = {0};

    put(&text, "{\"format\":");
    put_number(&text, EVENT_LOG_FORMAT);
    put(&text, ",\"run\":");
    put_json(&text, run_json(head));
    put(&text, ",\"units\":");
    put_json(&text, texts_json(head->units, head->unit_count));
    put(&text, ",\"engines\":");
    put_json(&text, texts_json(head->engines, head->engine_count));
    put_table(&text, head, "rules", put_rules);
    put_table(&text, head, "kinds", put_kinds);
    put_table(&text, head, "parameters", put_parameters);
    put_table(&text, head, "choices", put_choices);
    if (head->poke_count > 0) {
        put(&text, ",\"pokes\":");
        put_json(&text, texts_json(head->pokes, head->poke_count));
    }
    put_object(&text, "gpu", head->gpu_json);
    put_object(&text, "program", head->program_json);
    put(&text, "}");
    if (!text.failed)
        return text.bytes;
    free(text.bytes);
    return NULL;
}
