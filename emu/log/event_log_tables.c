/* SPDX-License-Identifier: MIT */
/* The head of an event log: JSON with the tables that the events' numbers refer to. */
#include <config.h>

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_log_head.h"
#include "emu/log/event_log_reader.h"
#include "emu/base/json_text.h"
#include "emu/base/visible.h"

enum {
    NUMBERS_MAX = 4096, /* of rules, of kinds: a log that needs more is not one of ours */
    UNITS_MAX = UINT16_MAX,
    JSON_DEPTH_MAX = 16,
};

/* ---- JSON ------------------------------------------------------------------------------------ */

bool event_log_bad(struct event_log_reader *reader, const struct chunk *chunk, const char *what)
{
    return error_set(&reader->failure, ERROR_INPUT, "%s: offset %llu: damaged: %s", reader->name,
                     (unsigned long long)chunk->file_offset, what);
}

bool event_log_no_memory(struct event_log_reader *reader)
{
    return error_set_errno(&reader->failure, ENOMEM, "%s: cannot read", reader->name);
}

/* The parser recurses; a text that is nested deeper than ours ever are is not given to it. */
static bool too_deep(const char *text, size_t bytes)
{
    bool in_string = false;
    uint32_t depth = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (in_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && (text[i] == '{' || text[i] == '['))
            depth++;
        else if (!in_string && (text[i] == '}' || text[i] == ']') && depth > 0)
            depth--;
        if (depth > JSON_DEPTH_MAX)
            return true;
    }
    return false;
}

/* The chunk's JSON object, and a copy of its text. */
json_t *event_log_object(struct event_log_reader *reader, const struct chunk *chunk, char **copy)
{
    const char *text = (const char *)chunk->raw;
    json_error_t cause;
    json_t *object;

    if (too_deep(text, chunk->raw_bytes)) {
        (void)event_log_bad(reader, chunk, "its JSON is nested too deeply");
        return NULL;
    }
    object = json_text_load(text, chunk->raw_bytes, JSON_REJECT_DUPLICATES, &cause);
    if (!object && json_error_code(&cause) == json_error_out_of_memory) {
        (void)event_log_no_memory(reader);
        return NULL;
    }
    if (!object || !json_is_object(object)) {
        visible_mark(cause.text);
        (void)error_set(&reader->failure, ERROR_INPUT, "%s: offset %llu: damaged: not JSON: %s",
                        reader->name, (unsigned long long)chunk->file_offset,
                        object ? "an object is expected" : cause.text);
        json_decref(object);
        return NULL;
    }
    *copy = strndup(text, chunk->raw_bytes);
    if (!*copy) {
        json_decref(object);
        (void)event_log_no_memory(reader);
        return NULL;
    }
    return object;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The head's own text has room for each of its strings once: where a string has its quotes, the
 * copy has its end. */
static bool texts_init(struct event_log_reader *reader, const struct chunk *chunk)
{
    reader->texts_bytes = (size_t)chunk->raw_bytes + 1;
    reader->texts = malloc(reader->texts_bytes);
    return reader->texts || event_log_no_memory(reader);
}

/* Copies a string to the texts. */
static bool text_take(struct event_log_reader *reader, const json_t *value, char **to)
{
    const size_t bytes = json_string_length(value) + 1;

    if (!json_is_string(value))
        return false;
    assert(bytes <= reader->texts_bytes - reader->texts_used);
    *to = reader->texts + reader->texts_used;
    memcpy(*to, json_string_value(value), bytes);
    reader->texts_used += bytes;
    visible_mark(*to);
    return true;
}

/* Number of a row; false when it is none, or taken already, or beyond the bound. */
static bool id_take(const json_t *row, uint32_t *id)
{
    const json_t *value = json_object_get(row, "id");
    const json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < 0 || number >= NUMBERS_MAX)
        return false;
    *id = (uint32_t)number;
    return true;
}

/* Highest number + 1 of a table's rows, or UINT32_MAX when one has none. */
static uint32_t id_bound(const json_t *rows)
{
    uint32_t bound = 0;
    uint32_t id;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        if (!id_take(json_array_get(rows, i), &id))
            return UINT32_MAX;
        if (id >= bound)
            bound = id + 1;
    }
    return json_is_array(rows) ? bound : UINT32_MAX;
}

/* Takes where a rule was seen, which only some rows have, and makes the words of its basis. */
static bool seen_take(struct event_log_reader *reader, const json_t *row,
                      struct event_log_rule *rule)
{
    const json_t *seen_on = json_object_get(row, "seen_on");
    size_t bytes;

    if (seen_on && !text_take(reader, seen_on, &rule->seen_on))
        return false;
    rule->carried_over = json_is_true(json_object_get(row, "carried_over"));
    bytes = 1 + rule_basis_words(NULL, 0, rule->basis, rule->seen_on, rule->carried_over);
    rule->basis_words = malloc(bytes);
    if (!rule->basis_words)
        return event_log_no_memory(reader);
    (void)rule_basis_words(rule->basis_words, bytes, rule->basis, rule->seen_on,
                           rule->carried_over);
    return true;
}

static bool rule_take(struct event_log_reader *reader, const json_t *row)
{
    uint32_t id;
    struct event_log_rule *rule;

    if (!id_take(row, &id) || reader->rules[id].label)
        return false;
    rule = &reader->rules[id];
    return text_take(reader, json_object_get(row, "label"), &rule->label) &&
           text_take(reader, json_object_get(row, "source"), &rule->source) &&
           text_take(reader, json_object_get(row, "text"), &rule->text) &&
           text_take(reader, json_object_get(row, "basis"), &rule->basis) &&
           text_take(reader, json_object_get(row, "enforcer"), &rule->enforcer) &&
           seen_take(reader, row, rule);
}

static bool kind_take(struct event_log_reader *reader, const json_t *row)
{
    const json_t *arguments = json_object_get(row, "arguments");
    uint32_t id;
    struct event_log_kind *kind;

    if (!id_take(row, &id) || reader->kinds[id].name || !json_is_array(arguments) ||
        json_array_size(arguments) > EVENT_ARGUMENTS_MAX)
        return false;
    kind = &reader->kinds[id];
    for (size_t i = 0; i < json_array_size(arguments); i++)
        if (!text_take(reader, json_array_get(arguments, i), &kind->arguments[i]))
            return false;
    kind->argument_count = (uint32_t)json_array_size(arguments);
    return text_take(reader, json_object_get(row, "name"), &kind->name);
}

static bool rules_take(struct event_log_reader *reader, const struct chunk *chunk)
{
    const json_t *rows = json_object_get(reader->head, "rules");
    const uint32_t bound = id_bound(rows);

    if (bound == UINT32_MAX)
        return event_log_bad(reader, chunk, "its table of rules lacks numbers");
    reader->rules = calloc(bound + 1, sizeof *reader->rules);
    if (!reader->rules)
        return event_log_no_memory(reader);
    reader->rule_count = bound;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!rule_take(reader, json_array_get(rows, i)))
            return event_log_bad(reader, chunk, "a row of its table of rules");
    return true;
}

/* ---- kinds by name --------------------------------------------------------------------------- */

/* FNV-1a. */
static uint32_t name_hash(const char *name)
{
    uint32_t hash = UINT32_C(0x811c9dc5);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT32_C(0x01000193);
    return hash;
}

/* Returns the slot of the first kind with that name, or the free slot where the search ends. */
static uint16_t *kind_slot(const struct event_log_reader *reader, const char *name)
{
    uint32_t slot = name_hash(name) % reader->kind_slot_count;

    while (reader->kind_slots[slot] != 0 &&
           strcmp(reader->kinds[reader->kind_slots[slot] - 1].name, name) != 0)
        slot = (slot + 1) % reader->kind_slot_count;
    return &reader->kind_slots[slot];
}

/* Readers ask for some hundred names each. */
static bool kinds_index(struct event_log_reader *reader)
{
    reader->kind_slot_count = 2 * reader->kind_count + 1;
    reader->kind_slots = calloc(reader->kind_slot_count, sizeof *reader->kind_slots);
    if (!reader->kind_slots)
        return event_log_no_memory(reader);
    for (uint32_t i = 0; i < reader->kind_count; i++)
        if (reader->kinds[i].name) {
            uint16_t *slot = kind_slot(reader, reader->kinds[i].name);

            if (*slot == 0)
                *slot = (uint16_t)(i + 1);
        }
    return true;
}

/* ---- tables from the head -------------------------------------------------------------------- */

static bool kinds_take(struct event_log_reader *reader, const struct chunk *chunk)
{
    const json_t *rows = json_object_get(reader->head, "kinds");
    const uint32_t bound = id_bound(rows);

    if (bound == UINT32_MAX)
        return event_log_bad(reader, chunk, "its table of event kinds lacks numbers");
    reader->kinds = calloc(bound + 1, sizeof *reader->kinds);
    if (!reader->kinds)
        return event_log_no_memory(reader);
    reader->kind_count = bound;
    reader->last = calloc(bound + 1, sizeof *reader->last);
    if (!reader->last)
        return event_log_no_memory(reader);
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!kind_take(reader, json_array_get(rows, i)))
            return event_log_bad(reader, chunk, "a row of its table of event kinds");
    return kinds_index(reader);
}

/* A list of names by number. */
static bool names_take(struct event_log_reader *reader, const json_t *names, char ***to,
                       uint32_t *name_count)
{
    const size_t count = json_array_size(names);

    if (!json_is_array(names) || count > UNITS_MAX)
        return false;
    *to = calloc(count + 1, sizeof **to);
    if (!*to)
        return event_log_no_memory(reader);
    *name_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        if (!text_take(reader, json_array_get(names, i), &(*to)[i]))
            return false;
    return true;
}

static bool units_take(struct event_log_reader *reader, const struct chunk *chunk)
{
    const json_t *engines = json_object_get(reader->head, "engines");

    if (!names_take(reader, json_object_get(reader->head, "units"), &reader->units,
                    &reader->unit_count))
        return event_log_bad(reader, chunk, "its list of units");
    if (engines && !names_take(reader, engines, &reader->engines, &reader->engine_count))
        return event_log_bad(reader, chunk, "its list of engines");
    return true;
}

/* What was run: strings, cleaned in place.  Other values, of a later gfe, are left alone. */
static bool run_take(struct event_log_reader *reader)
{
    json_t *run = json_object_get(reader->head, "run");
    const char *key;
    json_t *value;

    json_object_foreach(run, key, value)
    {
        char *text;

        if (!json_is_string(value))
            continue;
        if (!text_take(reader, value, &text))
            return false;
        if (json_string_set(value, text) != 0)
            return event_log_no_memory(reader);
    }
    return true;
}

bool event_log_tables_load(struct event_log_reader *reader, const struct chunk *chunk)
{
    const json_t *format;

    reader->head = event_log_object(reader, chunk, &reader->head_json);
    if (!reader->head)
        return false;
    format = json_object_get(reader->head, "format");
    if (!json_is_integer(format))
        return event_log_bad(reader, chunk, "it does not state its format");
    if (json_integer_value(format) != EVENT_LOG_FORMAT)
        return error_set(&reader->failure, ERROR_INPUT,
                         "%s: event log of format %lld, but this gfe reads format %d", reader->name,
                         (long long)json_integer_value(format), EVENT_LOG_FORMAT);
    return texts_init(reader, chunk) && rules_take(reader, chunk) && kinds_take(reader, chunk) &&
           units_take(reader, chunk) && run_take(reader);
}

bool event_log_tables_are(const struct event_log_reader *reader, const struct chunk *chunk)
{
    return reader->head_json && strlen(reader->head_json) == chunk->raw_bytes &&
           memcmp(reader->head_json, chunk->raw, chunk->raw_bytes) == 0;
}

bool event_log_tables_share(struct event_log_reader *reader)
{
    const struct event_log_reader *like = reader->like;

    reader->last = calloc(like->kind_count + 1, sizeof *reader->last);
    if (!reader->last)
        return event_log_no_memory(reader);
    reader->shares = true;
    reader->head = json_incref(like->head);
    reader->head_json = like->head_json;
    reader->rules = like->rules;
    reader->rule_count = like->rule_count;
    reader->kinds = like->kinds;
    reader->kind_count = like->kind_count;
    reader->kind_slots = like->kind_slots;
    reader->kind_slot_count = like->kind_slot_count;
    reader->units = like->units;
    reader->unit_count = like->unit_count;
    reader->engines = like->engines;
    reader->engine_count = like->engine_count;
    return true;
}

void event_log_tables_free(struct event_log_reader *reader)
{
    json_decref(reader->head);
    free(reader->last);
    if (reader->shares)
        return;
    for (uint32_t i = 0; i < reader->rule_count; i++)
        free(reader->rules[i].basis_words);
    free(reader->texts);
    free(reader->kind_slots);
    free(reader->engines);
    free(reader->rules);
    free(reader->kinds);
    free(reader->units);
    free(reader->head_json);
}

/* ---- tables, for the readers of a log -------------------------------------------------------- */

const struct event_log_kind *event_log_kind(const struct event_log_reader *reader, uint32_t kind)
{
    return kind < reader->kind_count && reader->kinds[kind].name ? &reader->kinds[kind] : NULL;
}

const struct event_log_rule *event_log_rule(const struct event_log_reader *reader, uint32_t rule)
{
    return rule < reader->rule_count && reader->rules[rule].label ? &reader->rules[rule] : NULL;
}

const char *event_log_unit(const struct event_log_reader *reader, uint32_t unit)
{
    return unit < reader->unit_count ? reader->units[unit] : NULL;
}

const char *event_log_engine(const struct event_log_reader *reader, uint64_t engine)
{
    return engine < reader->engine_count && *reader->engines[engine] ? reader->engines[engine]
                                                                     : NULL;
}

bool event_log_parameter(const struct event_log_reader *reader, const char *name, uint64_t *value)
{
    const json_t *rows = json_object_get(reader->head, "parameters");

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *row_name = json_string_value(json_object_get(row, "name"));
        const json_int_t number = json_integer_value(json_object_get(row, "value"));

        if (row_name && strcmp(row_name, name) == 0 && number >= 0) {
            *value = (uint64_t)number;
            return json_is_integer(json_object_get(row, "value"));
        }
    }
    return false;
}

uint32_t event_log_unit_count(const struct event_log_reader *reader)
{
    return reader->unit_count;
}

uint32_t event_log_kind_by_name(const struct event_log_reader *reader, const char *name)
{
    const uint16_t slot = reader->kind_slots ? *kind_slot(reader, name) : 0;

    return slot == 0 ? UINT32_MAX : slot - 1u;
}

const char *event_log_run(const struct event_log_reader *reader, const char *key)
{
    return json_string_value(json_object_get(json_object_get(reader->head, "run"), key));
}

const char *event_log_head_json(const struct event_log_reader *reader)
{
    return reader->head_json;
}

json_t *event_log_head_take(const struct event_log_reader *reader)
{
    return json_incref(reader->head);
}

void event_log_limit(struct event_log_reader *reader, uint64_t unpacked_bytes)
{
    if (reader->chunks)
        chunk_reader_limit(reader->chunks, unpacked_bytes);
}

const char *event_log_name(const struct event_log_reader *reader)
{
    return reader->name;
}
