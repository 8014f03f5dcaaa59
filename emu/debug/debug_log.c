/* SPDX-License-Identifier: MIT */
/* A session's event log, which grows and shrinks with the run: read as it comes, by a cursor of its
 * own, or as a whole. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/debug/debug_private.h"
#include "emu/log/event_log_encode.h"
#include "emu/views/show_events.h"

/* ---- events ---------------------------------------------------------------------------------- */

static uint64_t log_varint(const uint8_t *bytes, uint64_t *at)
{
    uint64_t value = 0;
    uint32_t shift = 0;

    while (bytes[*at] & 0x80) {
        value |= (uint64_t)(bytes[(*at)++] & 0x7f) << shift;
        shift += 7;
    }
    return value | (uint64_t)bytes[(*at)++] << shift;
}

/* The form that event_log_encode() writes. */
bool debug_log_next(const struct debug *debug, struct event_log_cursor *at, struct log_event *event)
{
    const struct event_log_cursor *end = debug->machine->log.cursor;
    struct event_log_last *last;
    const uint8_t *bytes;
    uint64_t total, head;

    if (at->byte_count >= end->byte_count)
        return false;
    bytes = event_log_bytes(&debug->machine->log, &total);
    head = log_varint(bytes, &at->byte_count);
    at->last_ps += log_varint(bytes, &at->byte_count);
    last = &at->last[head >> 1];
    if (!(head & 1)) {
        last->source = (uint32_t)log_varint(bytes, &at->byte_count);
        last->rule = (uint32_t)log_varint(bytes, &at->byte_count);
    }
    *event = (struct log_event){.time_ps = at->last_ps,
                                .kind = (uint16_t)(head >> 1),
                                .unit = (uint16_t)(last->source >> 2),
                                .rule = (uint16_t)last->rule,
                                .origin = last->source & 3};
    event->argument_count = debug->machine->argument_counts[event->kind];
    for (uint32_t i = 0; i < event->argument_count; i++) {
        const uint64_t folded = log_varint(bytes, &at->byte_count);

        last->argument[i] += folded & 1 ? ~(folded >> 1) : folded >> 1;
        event->argument[i] = last->argument[i];
    }
    at->event_count++;
    if (at->byte_count - at->chunk_start >= EVENT_LOG_CHUNK_BYTES)
        event_log_chunk_ends(at);
    return true;
}

/* The start of a chunk from which the end is not far: the one before the open one. */
static uint64_t late_chunk(const struct event_log *log)
{
    uint64_t start = 0;

    for (uint32_t i = 0; i < log->chunk_end_count; i++)
        if (log->chunk_ends[i] < log->cursor->chunk_start)
            start = log->chunk_ends[i];
    return start;
}

/* The last `count` events from a chunk's start on, as a ring; how many events there were. */
static uint64_t ring_fill(const struct debug *debug, struct event_log_cursor *at, uint64_t start,
                          struct log_event *events, uint32_t count)
{
    uint64_t got = 0;

    memset(at, 0, sizeof *at);
    at->byte_count = at->chunk_start = start;
    while (debug_log_next(debug, at, &events[got % count]))
        got++;
    return got;
}

static void ring_reverse(struct log_event *events, uint32_t from, uint32_t to)
{
    while (from + 1 < to) {
        const struct log_event first = events[from];

        events[from++] = events[--to];
        events[to] = first;
    }
}

/* Element `first` comes to the front. */
static void ring_turn(struct log_event *events, uint32_t count, uint32_t first)
{
    ring_reverse(events, 0, first);
    ring_reverse(events, first, count);
    ring_reverse(events, 0, count);
}

uint32_t debug_log_last(const struct debug *debug, struct log_event *events, uint32_t count)
{
    struct event_log_cursor *at = malloc(sizeof *at);
    const uint64_t start = late_chunk(&debug->machine->log);
    uint64_t got;

    if (!at)
        return UINT32_MAX;
    got = ring_fill(debug, at, start, events, count);
    if (got < count && start > 0)
        got = ring_fill(debug, at, 0, events, count);
    free(at);
    if (got <= count)
        return (uint32_t)got;
    ring_turn(events, count, (uint32_t)(got % count));
    return count;
}

void debug_log_print(const struct debug *debug, FILE *file, const struct log_event *event)
{
    fprintf(file, "%" PRIu64 ".%06" PRIu64 " %s ", event->time_ps / GFE_PS_PER_US,
            event->time_ps % GFE_PS_PER_US, event_log_unit(debug->words, event->unit));
    show_events_text(file, debug->words, event);
    fputc('\n', file);
}

void debug_log_words(const struct debug *debug, const struct log_event *event, char *text,
                     size_t bytes)
{
    const int wrote =
        snprintf(text, bytes, "%" PRIu64 ".%06" PRIu64 " %s ", event->time_ps / GFE_PS_PER_US,
                 event->time_ps % GFE_PS_PER_US, event_log_unit(debug->words, event->unit));

    if ((size_t)wrote < bytes)
        show_events_words(text + wrote, bytes - (size_t)wrote, debug->words, event);
}

/* ---- names ----------------------------------------------------------------------------------- */

uint32_t debug_kind(const struct debug *debug, const char *name)
{
    return event_log_kind_by_name(debug->words, name);
}

uint32_t debug_rule(const struct debug *debug, const char *label)
{
    for (uint32_t i = RULE_NONE + 1; i < TABLE_END; i++) {
        const struct event_log_rule *rule = event_log_rule(debug->words, i);

        if (rule && rule->label && strcmp(rule->label, label) == 0)
            return i;
    }
    return UINT32_MAX;
}

uint32_t debug_argument(const struct debug *debug, uint32_t kind, const char *name)
{
    const struct event_log_kind *row = event_log_kind(debug->words, kind);

    for (uint32_t i = 0; row && i < row->argument_count; i++)
        if (strcmp(row->arguments[i], name) == 0)
            return i;
    return EVENT_ARGUMENTS_MAX;
}

/* ---- as a whole ------------------------------------------------------------------------------ */

/* The log so far in a file without a name; -1 with a message. */
static int log_file(struct debug *debug, struct gfe_error *error)
{
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct chunk_writer *writer = fd < 0 ? NULL : chunk_writer_new(fd, "the log so far", error);
    const bool done = writer && any_simulation_log_write(&debug->simulation, writer, error) &&
                      lseek(fd, 0, SEEK_SET) == 0;

    chunk_writer_free(writer);
    if (done)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    error_set(error, ERROR_SYSTEM, "no memory for the log so far");
    return -1;
}

struct event_log_reader *debug_log_open(struct debug *debug, struct gfe_error *error)
{
    const int fd = log_file(debug, error);

    return fd < 0 ? NULL : event_log_open_fd_like(fd, "the run so far", debug->words, error);
}

bool debug_words_load(struct debug *debug, struct gfe_error *error)
{
    debug->words = debug_log_open(debug, error);
    return debug->words != NULL;
}
