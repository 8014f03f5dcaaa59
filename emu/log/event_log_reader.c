/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_log_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening and closing --------------------------------------------------------------------- */

static bool head_take(struct event_log_reader *reader, const struct chunk *chunk)
{
    if (chunk->kind != CHUNK_LOG_HEAD)
        return event_log_bad(reader, chunk, "an event log begins with its head");
    reader->has_head = true;
    return reader->like && event_log_tables_are(reader->like, chunk)
               ? event_log_tables_share(reader)
               : event_log_tables_load(reader, chunk);
}

static bool head_read(struct event_log_reader *reader)
{
    struct chunk chunk;

    switch (chunk_read(reader->chunks, &chunk, &reader->failure)) {
    case CHUNK_FAILED:
        return false;
    case CHUNK_AT_END:
        return error_set(&reader->failure, ERROR_INPUT,
                         "%s: the file is empty: an event log is expected", reader->name);
    case CHUNK_GOT:
        break;
    }
    if (chunk.kind == CHUNK_TRACE)
        return error_set(&reader->failure, ERROR_INPUT,
                         "%s: this is a trace, not an event log; `gfe run` makes a log of it",
                         reader->name);
    if (chunk_is_snapshot(chunk.kind))
        return error_set(&reader->failure, ERROR_INPUT, "%s: this is %s, not an event log",
                         reader->name, chunk_file_kind(chunk.kind));
    return head_take(reader, &chunk);
}

struct event_log_reader *event_log_reader_new(const char *name, struct gfe_error *error)
{
    struct event_log_reader *reader = calloc(1, sizeof *reader);

    if (reader)
        reader->name = strdup(name);
    if (reader && reader->name)
        return reader;
    free(reader);
    (void)error_set_errno(error, ENOMEM, "cannot read an event log");
    return NULL;
}

static struct event_log_reader *reader_open(struct chunk_reader *chunks,
                                            const struct event_log_reader *like,
                                            struct gfe_error *error)
{
    struct event_log_reader *reader =
        chunks ? event_log_reader_new(chunk_reader_name(chunks), error) : NULL;

    if (!reader) {
        chunk_reader_free(chunks);
        return NULL;
    }
    reader->chunks = chunks;
    reader->like = like;
    chunk_reader_read_ahead(chunks);
    if (head_read(reader))
        return reader;
    (void)error_set(error, reader->failure.kind, "%s", reader->failure.text);
    event_log_close(reader);
    return NULL;
}

struct event_log_reader *event_log_open(const char *path, struct gfe_error *error)
{
    return reader_open(chunk_reader_open(path, error), NULL, error);
}

struct event_log_reader *event_log_open_fd(int fd, const char *name, struct gfe_error *error)
{
    return event_log_open_fd_like(fd, name, NULL, error);
}

struct event_log_reader *event_log_open_fd_like(int fd, const char *name,
                                                const struct event_log_reader *like,
                                                struct gfe_error *error)
{
    return reader_open(chunk_reader_new(fd, true, name, error), like, error);
}

void event_log_close(struct event_log_reader *reader)
{
    if (!reader)
        return;
    event_log_tables_free(reader);
    free(reader->name);
    free(reader->end_json);
    json_decref(reader->host);
    chunk_reader_free(reader->chunks);
    free(reader);
}

bool event_log_is_regular(const struct event_log_reader *reader)
{
    return reader->chunks && chunk_reader_is_regular(reader->chunks);
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool bad_event(struct event_log_reader *reader, const char *what)
{
    return error_set(&reader->failure, ERROR_INPUT,
                     "%s: offset %llu: damaged: event %llu, byte %u of the chunk's data: %s",
                     reader->name, (unsigned long long)reader->chunk.file_offset,
                     (unsigned long long)reader->event_count, reader->at, what);
}

/* A number at `at`.  Returns where it ends; NULL after bad_event(). */
static const uint8_t *long_varint_take(struct event_log_reader *reader, const uint8_t *at,
                                       uint64_t *value)
{
    const uint8_t *end = reader->chunk.raw + reader->chunk.raw_bytes;
    const char *what = "a number does not fit 64 bits";

    *value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        uint8_t byte;

        if (at == end) {
            what = "it goes beyond the end of its chunk";
            break;
        }
        byte = *at++;
        if (shift == 63 && byte > 1)
            break;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return at;
    }
    reader->at = (uint32_t)(at - reader->chunk.raw);
    (void)bad_event(reader, what);
    return NULL;
}

/* Up to three bytes, as nearly all have, are taken without a loop. */
static inline const uint8_t *varint_take(struct event_log_reader *reader, const uint8_t *at,
                                         const uint8_t *end, uint64_t *value)
{
    if (end - at < 3)
        return long_varint_take(reader, at, value);
    if (at[0] < 0x80) {
        *value = at[0];
        return at + 1;
    }
    if (at[1] < 0x80) {
        *value = (at[0] & 0x7fu) | (uint32_t)at[1] << 7;
        return at + 2;
    }
    if (at[2] < 0x80) {
        *value = (at[0] & 0x7fu) | (at[1] & 0x7fu) << 7 | (uint32_t)at[2] << 14;
        return at + 3;
    }
    return long_varint_take(reader, at, value);
}

/* Reports an error at the byte behind the numbers taken so far. */
static const uint8_t *bad_number(struct event_log_reader *reader, const uint8_t *at,
                                 const char *what)
{
    reader->at = (uint32_t)(at - reader->chunk.raw);
    (void)bad_event(reader, what);
    return NULL;
}

static inline const uint8_t *time_take(struct event_log_reader *reader, const uint8_t *at,
                                       const uint8_t *end, struct log_event *event)
{
    uint64_t difference;

    at = varint_take(reader, at, end, &difference);
    if (!at)
        return NULL;
    if (difference > GFE_PS_NEVER - 1 - reader->chunk_ps)
        return bad_number(reader, at, "its time does not fit 64 bits");
    event->time_ps = reader->chunk_ps + difference;
    return event->time_ps < reader->last_ps
               ? bad_number(reader, at, "it lies before the event before it")
               : at;
}

/* Unit, origin and rule, unless they are as before. */
static const uint8_t *source_take(struct event_log_reader *reader, const uint8_t *at,
                                  const uint8_t *end, struct event_log_last *last)
{
    uint64_t source, rule;

    at = varint_take(reader, at, end, &source);
    if (!at)
        return NULL;
    if (source >> 2 >= reader->unit_count)
        return bad_number(reader, at, "no such unit in the log's tables");
    at = varint_take(reader, at, end, &rule);
    if (!at)
        return NULL;
    if (rule != RULE_NONE && (rule >= reader->rule_count || !reader->rules[rule].label))
        return bad_number(reader, at, "no such rule in the log's tables");
    last->source = (uint32_t)source;
    last->rule = (uint32_t)rule;
    return at;
}

static inline const uint8_t *arguments_take(struct event_log_reader *reader, const uint8_t *at,
                                            const uint8_t *end, struct event_log_last *last,
                                            struct log_event *event)
{
    const uint32_t count = event->argument_count;
    uint64_t folded;

    memset(event->argument, 0, sizeof event->argument);
    for (uint32_t i = 0; i < count; i++) {
        at = varint_take(reader, at, end, &folded);
        if (!at)
            return NULL;
        last->argument[i] += folded >> 1 ^ (0 - (folded & 1));
        event->argument[i] = last->argument[i];
    }
    return at;
}

static bool event_take(struct event_log_reader *reader, struct log_event *event)
{
    const uint8_t *at = reader->chunk.raw + reader->at;
    const uint8_t *const end = reader->chunk.raw + reader->chunk.raw_bytes;
    struct event_log_last *last;
    uint64_t mixed;

    at = varint_take(reader, at, end, &mixed);
    if (!at)
        return false;
    if (mixed >> 1 >= reader->kind_count || !reader->kinds[mixed >> 1].name)
        return bad_number(reader, at, "no such kind of event in the log's tables");
    last = &reader->last[mixed >> 1];
    at = time_take(reader, at, end, event);
    if (at && !(mixed & 1))
        at = source_take(reader, at, end, last);
    if (!at)
        return false;
    if (last->source >> 2 >= reader->unit_count)
        return bad_number(reader, at, "no such unit in the log's tables");
    event->kind = (uint16_t)(mixed >> 1);
    event->unit = (uint16_t)(last->source >> 2);
    event->origin = last->source & 3;
    event->rule = (uint16_t)last->rule;
    event->argument_count = (uint8_t)reader->kinds[event->kind].argument_count;
    at = arguments_take(reader, at, end, last, event);
    if (!at)
        return false;
    reader->at = (uint32_t)(at - reader->chunk.raw);
    reader->chunk_ps = reader->last_ps = event->time_ps;
    reader->event_count++;
    return true;
}

static bool end_load(struct event_log_reader *reader, const struct chunk *chunk)
{
    json_t *end = event_log_object(reader, chunk, &reader->end_json);
    const json_t *count;

    if (!end)
        return false;
    count = json_object_get(end, "event_count");
    const bool agrees =
        !json_is_integer(count) || (uint64_t)json_integer_value(count) == reader->event_count;
    json_decref(end);
    return agrees ? true
                  : event_log_bad(reader, chunk, "the log's end counts another number of events");
}

/* What was noted of the machine that ran it, once. */
static bool host_load(struct event_log_reader *reader, const struct chunk *chunk)
{
    char *text = NULL;

    if (reader->host)
        return event_log_bad(reader, chunk, "a second note of the machine that ran it");
    reader->host = event_log_object(reader, chunk, &text);
    free(text);
    return reader->host != NULL;
}

const char *event_log_host(const struct event_log_reader *reader, const char *key)
{
    const char *text = json_string_value(json_object_get(reader->host, key));

    return text ? text : "";
}

/* A chunk behind the head. */
static bool chunk_take(struct event_log_reader *reader, const struct chunk *chunk)
{
    if (reader->end_json)
        return event_log_bad(reader, chunk, "a chunk follows the end of the log");
    if (chunk->kind == CHUNK_LOG_END)
        return end_load(reader, chunk);
    if (chunk->kind == CHUNK_LOG_HOST)
        return host_load(reader, chunk);
    if (chunk->kind != CHUNK_LOG_EVENTS)
        return event_log_bad(reader, chunk, "a chunk that does not belong into an event log");
    reader->chunk = *chunk;
    reader->at = 0;
    reader->chunk_ps = 0;
    memset(reader->last, 0, reader->kind_count * sizeof *reader->last);
    return true;
}

/* The next chunk; true when it holds events or the log is complete. */
static bool chunk_next(struct event_log_reader *reader, bool *at_end)
{
    struct chunk chunk;

    switch (chunk_read(reader->chunks, &chunk, &reader->failure)) {
    case CHUNK_FAILED:
        return false;
    case CHUNK_AT_END:
        *at_end = true;
        return reader->end_json ? true
                                : error_set(&reader->failure, ERROR_INPUT,
                                            "%s: the log was cut off after %llu events",
                                            reader->name, (unsigned long long)reader->event_count);
    case CHUNK_GOT:
        break;
    }
    return chunk_take(reader, &chunk);
}

bool event_log_feed(struct event_log_reader *reader, const struct chunk *chunk,
                    struct gfe_error *error)
{
    if (reader->failure.kind == ERROR_NONE &&
        (reader->has_head ? chunk_take(reader, chunk) : head_take(reader, chunk)))
        return true;
    return error_set(error, reader->failure.kind, "%s", reader->failure.text);
}

enum event_log_result event_log_read(struct event_log_reader *reader, struct log_event *event,
                                     struct gfe_error *error)
{
    bool at_end = false;
    bool good = reader->failure.kind == ERROR_NONE;

    while (good && !at_end && reader->at == reader->chunk.raw_bytes) {
        at_end = !reader->chunks;
        good = at_end || chunk_next(reader, &at_end);
    }
    if (good && at_end)
        return EVENT_LOG_AT_END;
    if (good && event_take(reader, event))
        return EVENT_LOG_GOT;
    (void)error_set(error, reader->failure.kind, "%s", reader->failure.text);
    return EVENT_LOG_FAILED;
}
