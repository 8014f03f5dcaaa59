/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_log.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_log_batch.h"
#include "emu/log/event_log_encode.h"

void event_log_init(struct event_log *log, struct event_log_cursor *cursor,
                    struct chunk_writer *writer)
{
    *log = (struct event_log){.cursor = cursor, .writer = writer};
}

void event_log_fini(struct event_log *log)
{
    event_log_batch_free(log->batch);
    free(log->bytes);
    free(log->chunk_ends);
    *log = (struct event_log){0};
}

static bool json_put(struct event_log *log, enum chunk_kind kind, const char *json,
                     struct gfe_error *error)
{
    const size_t bytes = strlen(json);

    if (!log->writer)
        return true;
    if (bytes > CHUNK_RAW_MAX_BYTES)
        return error_set(error, ERROR_LIMIT,
                         "%s: the tables of the event log take %zu bytes, "
                         "more than a chunk holds",
                         chunk_writer_name(log->writer), bytes);
    return chunk_write(log->writer, kind, json, bytes, error);
}

bool event_log_head(struct event_log *log, const char *json, struct gfe_error *error)
{
    log->is_unheard = log->writer && !chunk_writer_is_heard(log->writer);
    log->is_quiet = log->is_unheard && !log->is_overheard;
    return json_put(log, CHUNK_LOG_HEAD, json, error);
}

void event_log_overhear(struct event_log *log)
{
    assert(!log->batch);
    log->is_overheard = true;
    log->is_quiet = false;
}

bool event_log_host_write(struct event_log *log, const char *json, struct gfe_error *error)
{
    return json_put(log, CHUNK_LOG_HOST, json, error);
}

/* ---- appending ------------------------------------------------------------------------------- */

/* Takes the list of complete chunks back to where the cursor stands: it may have been restored. */
static void chunk_ends_rewind(struct event_log *log)
{
    while (log->chunk_end_count > 0 &&
           log->chunk_ends[log->chunk_end_count - 1] > log->cursor->chunk_start)
        log->chunk_end_count--;
}

static bool chunk_end_keep(struct event_log *log)
{
    chunk_ends_rewind(log);
    if (log->chunk_end_count == log->chunk_end_capacity) {
        const uint32_t capacity = log->chunk_end_capacity ? 2 * log->chunk_end_capacity : 64;
        uint64_t *ends = realloc(log->chunk_ends, capacity * sizeof *ends);
        if (!ends)
            return error_set_errno(&log->error, ENOMEM, "event log");
        log->chunk_ends = ends;
        log->chunk_end_capacity = capacity;
    }
    log->chunk_ends[log->chunk_end_count++] = log->cursor->byte_count;
    return true;
}

/* Closes the open chunk: puts it out, or remembers where it ends. */
static bool chunk_close(struct event_log *log)
{
    const struct event_log_cursor *cursor = log->cursor;

    if (!log->writer)
        return chunk_end_keep(log);
    if (!chunk_write(log->writer, CHUNK_LOG_EVENTS, log->bytes,
                     (size_t)(cursor->byte_count - log->bytes_from), &log->error))
        return false;
    log->bytes_from = cursor->byte_count;
    return true;
}

static bool reserve(struct event_log *log, uint64_t needed)
{
    uint64_t capacity =
        log->capacity ? log->capacity : EVENT_LOG_CHUNK_BYTES + EVENT_LOG_EVENT_BYTES_MAX;

    while (capacity < needed)
        capacity *= 2;
    if (capacity == log->capacity)
        return true;
    uint8_t *bytes = realloc(log->bytes, capacity);
    if (!bytes)
        return error_set_errno(&log->error, ENOMEM, "event log: %llu bytes of events",
                               (unsigned long long)log->cursor->byte_count);
    log->bytes = bytes;
    log->capacity = capacity;
    return true;
}

/* Room for one more event behind the bytes so far; NULL when there is none. */
static inline uint8_t *room_make(struct event_log *log)
{
    const uint64_t at = log->cursor->byte_count - log->bytes_from;

    /* What was put out cannot be taken back: such a log is not rewound past the open chunk. */
    assert(log->cursor->byte_count >= log->bytes_from);
    if (log->error.kind != ERROR_NONE || (at + EVENT_LOG_EVENT_BYTES_MAX > log->capacity &&
                                          !reserve(log, at + EVENT_LOG_EVENT_BYTES_MAX)))
        return NULL;
    return log->bytes + at;
}

/* Ends a chunk.  Once the writer has a thread, that thread encodes the events after the chunk. */
static void chunk_end(struct event_log *log)
{
    if (log->error.kind == ERROR_NONE)
        (void)chunk_close(log);
    event_log_chunk_ends(log->cursor);
    if (log->error.kind == ERROR_NONE && log->writer && chunk_writer_has_thread(log->writer))
        log->batch = event_log_batch_new(log->writer, log->is_overheard ? NULL : &log->notes);
}

/* The cursor moves in the same way whether or not the bytes could be kept: it is the machine's
 * state, and that must not depend on a full disk. */
static void event_log_keep(struct event_log *log, struct event_log_source event,
                           const uint64_t *arguments)
{
    struct event_log_cursor *cursor = log->cursor;
    uint8_t nowhere[EVENT_LOG_EVENT_BYTES_MAX];
    uint8_t *to = room_make(log);

    assert(event.origin <= 3 && event.time_ps >= cursor->last_ps);
    if (!to)
        to = nowhere;
    cursor->byte_count += (uint64_t)(event_log_encode(to, event, arguments, cursor) - to);
    if (cursor->byte_count - cursor->chunk_start >= EVENT_LOG_CHUNK_BYTES)
        chunk_end(log);
}

bool event_log_put_rest(struct event_log *log, struct event_log_source event,
                        const uint64_t arguments[EVENT_ARGUMENTS_MAX])
{
    if (!log->batch)
        event_log_keep(log, event, arguments);
    else if (event_log_batch_pass(log->batch, &log->error))
        event_log_note(log->batch->notes, event, arguments);
    return log->error.kind == ERROR_NONE;
}

void event_log_flush(struct event_log *log)
{
    assert(log->writer && !log->batch);
    if (log->cursor->byte_count > log->cursor->chunk_start)
        chunk_end(log);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A log that was kept in memory and then given a writer comes out here, chunk by chunk. */
static bool kept_put(struct event_log *log, struct gfe_error *error)
{
    uint64_t from = log->bytes_from;

    chunk_ends_rewind(log);
    for (uint32_t i = 0; i <= log->chunk_end_count; i++) {
        const uint64_t to = i < log->chunk_end_count ? log->chunk_ends[i] : log->cursor->byte_count;
        if (to == from)
            continue;
        if (!chunk_write(log->writer, CHUNK_LOG_EVENTS, log->bytes + (from - log->bytes_from),
                         (size_t)(to - from), error))
            return false;
        from = to;
    }
    log->bytes_from = from;
    log->chunk_end_count = 0;
    return true;
}

/* The index chunk is left to the owner of the writer. */
bool event_log_finish(struct event_log *log, const char *end_json, struct gfe_error *error)
{
    if (log->error.kind != ERROR_NONE)
        return error_set(error, log->error.kind, "%s", log->error.text);
    if (!log->writer)
        return true;
    if (!(log->batch ? event_log_batch_end(log->batch, error) : kept_put(log, error)))
        return false;
    return json_put(log, CHUNK_LOG_END, end_json, error);
}

const uint8_t *event_log_bytes(const struct event_log *log, uint64_t *byte_count)
{
    assert(!log->writer);
    *byte_count = log->error.kind == ERROR_NONE ? log->cursor->byte_count : 0;
    return log->bytes;
}

/* ---- snapshots ------------------------------------------------------------------------------- */

struct event_log_image {
    uint64_t bytes_from, byte_count; /* of the events in `bytes` */
    uint64_t capacity;
    uint8_t *bytes;
    uint64_t *chunk_ends;
    uint32_t chunk_end_count, chunk_end_capacity;
};

static struct event_log_image *image_alloc(uint64_t byte_count, uint32_t chunk_end_count)
{
    struct event_log_image *image = calloc(1, sizeof *image);

    if (!image)
        return NULL;
    image->capacity = byte_count + 1;
    image->chunk_end_capacity = chunk_end_count + 1;
    image->bytes = malloc(image->capacity);
    image->chunk_ends = malloc(image->chunk_end_capacity * sizeof *image->chunk_ends);
    if (image->bytes && image->chunk_ends)
        return image;
    event_log_image_free(image);
    return NULL;
}

struct event_log_image *event_log_take(const struct event_log *log)
{
    const uint64_t byte_count =
        log->error.kind == ERROR_NONE ? log->cursor->byte_count - log->bytes_from : 0;
    struct event_log_image *image = image_alloc(byte_count, log->chunk_end_count);

    assert(!log->batch);
    if (!image)
        return NULL;
    image->bytes_from = log->bytes_from;
    image->byte_count = byte_count;
    image->chunk_end_count = log->chunk_end_count;
    if (byte_count > 0)
        memcpy(image->bytes, log->bytes, byte_count);
    if (log->chunk_end_count > 0)
        memcpy(image->chunk_ends, log->chunk_ends,
               log->chunk_end_count * sizeof *image->chunk_ends);
    return image;
}

bool event_log_restore(struct event_log *log, const struct event_log_image *image)
{
    uint64_t *chunk_ends;

    assert(!log->batch);
    log->error = (struct gfe_error){0};
    if (!reserve(log, image->byte_count))
        return false;
    if (log->chunk_end_capacity < image->chunk_end_count) {
        chunk_ends = realloc(log->chunk_ends, image->chunk_end_count * sizeof *chunk_ends);
        if (!chunk_ends)
            return error_set_errno(&log->error, ENOMEM, "event log");
        log->chunk_ends = chunk_ends;
        log->chunk_end_capacity = image->chunk_end_count;
    }
    log->bytes_from = image->bytes_from;
    memcpy(log->bytes, image->bytes, image->byte_count);
    if (image->chunk_end_count > 0)
        memcpy(log->chunk_ends, image->chunk_ends, image->chunk_end_count * sizeof *chunk_ends);
    log->chunk_end_count = image->chunk_end_count;
    return true;
}

void event_log_image_free(struct event_log_image *image)
{
    if (!image)
        return;
    free(image->chunk_ends);
    free(image->bytes);
    free(image);
}

/* ---- images in files ------------------------------------------------------------------------- */

uint32_t event_log_image_part_count(const struct event_log_image *image)
{
    return image->chunk_end_count + 1;
}

const uint8_t *event_log_image_part(const struct event_log_image *image, uint32_t part,
                                    size_t *bytes)
{
    const uint64_t from = part > 0 ? image->chunk_ends[part - 1] : 0;
    const uint64_t to = part < image->chunk_end_count ? image->chunk_ends[part] : image->byte_count;

    assert(image->bytes_from == 0 && part <= image->chunk_end_count);
    *bytes = (size_t)(to - from);
    return image->bytes + from;
}

struct event_log_image *event_log_image_new(void)
{
    struct event_log_image *image =
        image_alloc(EVENT_LOG_CHUNK_BYTES + EVENT_LOG_EVENT_BYTES_MAX, 64);

    if (image)
        image->chunk_end_count = UINT32_MAX; /* no part yet: one less than the parts */
    return image;
}

/* The part that was the last is a complete chunk now. */
static bool image_part_close(struct event_log_image *image)
{
    if (image->chunk_end_count == UINT32_MAX)
        return true;
    if (image->chunk_end_count == image->chunk_end_capacity) {
        const uint32_t capacity = 2 * image->chunk_end_capacity;
        uint64_t *ends = realloc(image->chunk_ends, capacity * sizeof *ends);

        if (!ends)
            return false;
        image->chunk_ends = ends;
        image->chunk_end_capacity = capacity;
    }
    image->chunk_ends[image->chunk_end_count] = image->byte_count;
    return true;
}

bool event_log_image_add(struct event_log_image *image, const uint8_t *data, size_t bytes)
{
    if (image->capacity - image->byte_count < bytes) {
        const uint64_t capacity = 2 * image->capacity + bytes;
        uint8_t *moved = realloc(image->bytes, capacity);

        if (!moved)
            return false;
        image->bytes = moved;
        image->capacity = capacity;
    }
    if (!image_part_close(image))
        return false;
    image->chunk_end_count++;
    if (bytes > 0)
        memcpy(image->bytes + image->byte_count, data, bytes);
    image->byte_count += bytes;
    return true;
}

bool event_log_image_fits(const struct event_log_image *image,
                          const struct event_log_cursor *cursor)
{
    const uint64_t last_end =
        image->chunk_end_count > 0 ? image->chunk_ends[image->chunk_end_count - 1] : 0;

    return image->bytes_from == 0 && image->byte_count == cursor->byte_count &&
           last_end == cursor->chunk_start;
}
