/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/chunk.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/chunk_private.h"
#include "emu/base/deflate.h"
#include "emu/base/handoff.h"
#include "emu/base/visible.h"

enum {
    INDEX_ENTRIES_MAX = (CHUNK_RAW_MAX_BYTES - CHUNK_INDEX_COUNT_BYTES) / CHUNK_INDEX_ENTRY_BYTES
};

/* On its way to the second thread: a chunk, or what somebody makes chunks of. */
struct chunk_job {
    enum chunk_kind kind;
    struct chunk_maker maker; /* make NULL: a chunk */
    const void *raw;
    size_t raw_bytes;
};

/* Its copy, in one of the slots. */
struct chunk_slot {
    struct chunk_job job;
    struct chunk_buffer buffer;
};

struct chunk_writer {
    char name[CHUNK_NAME_BYTES];
    uint64_t count; /* chunks that were given */
    uint64_t raw_bytes;
    void (*observe)(void *context, const struct chunk *chunk);
    void *observer;

    /* Belongs to the second thread while there is one. */
    int fd;
    bool broken; /* a write failed: the file ends in the middle of a chunk */
    struct deflate_packer *packer;
    uint8_t *buffer; /* head and zlib data of one chunk, so that one write(2) carries it */
    size_t buffer_bytes;
    uint64_t file_offset, indexed;
    uint8_t *index; /* CHUNK_INDEX_ENTRY_BYTES for each chunk: the only thing that grows */
    size_t index_capacity;
    struct gfe_error failure; /* of the thread */

    bool may_use_thread;
    struct handoff *handoff; /* NULL: no second thread */
    struct chunk_slot slots[HANDOFF_SLOTS];
};

void chunk_name_copy(char to[CHUNK_NAME_BYTES], const char *name)
{
    const size_t bytes = strlen(name);

    if (bytes < CHUNK_NAME_BYTES) {
        memcpy(to, name, bytes + 1);
    } else {
        memcpy(to, "...", 3);
        memcpy(to + 3, name + bytes - (CHUNK_NAME_BYTES - 4), CHUNK_NAME_BYTES - 3);
    }
    visible_mark(to);
}

const char *chunk_file_kind(enum chunk_kind kind)
{
    switch (kind) {
    case CHUNK_TRACE:
        return "a trace";
    case CHUNK_LOG_HEAD:
    case CHUNK_LOG_EVENTS:
    case CHUNK_LOG_END:
    case CHUNK_LOG_HOST:
        return "an event log";
    case CHUNK_SNAPSHOT_HEAD:
    case CHUNK_SNAPSHOT_ARENA:
    case CHUNK_SNAPSHOT_MEMORY:
    case CHUNK_SNAPSHOT_LOG:
        return "a snapshot";
    default:
        return "an index";
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

struct chunk_writer *chunk_writer_new(int fd, const char *name, struct gfe_error *error)
{
    struct chunk_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        error_set_errno(error, ENOMEM, "%s", name);
        return NULL;
    }
    writer->fd = fd;
    chunk_name_copy(writer->name, name);
    writer->packer = deflate_packer_new();
    if (!writer->packer) {
        error_set_errno(error, ENOMEM, "%s", writer->name);
        free(writer);
        return NULL;
    }
    return writer;
}

static bool write_all(struct chunk_writer *writer, const uint8_t *data, size_t bytes,
                      struct gfe_error *error)
{
    while (bytes > 0) {
        const ssize_t done = write(writer->fd, data, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            writer->broken = true;
            return error_set_errno(error, done < 0 ? errno : EIO, "%s: cannot write", writer->name);
        }
        data += done;
        bytes -= (size_t)done;
    }
    return true;
}

static bool buffer_reserve(struct chunk_writer *writer, size_t bytes, struct gfe_error *error)
{
    if (bytes <= writer->buffer_bytes)
        return true;
    free(writer->buffer);
    writer->buffer_bytes = 0;
    writer->buffer = malloc(bytes);
    if (!writer->buffer)
        return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
    writer->buffer_bytes = bytes;
    return true;
}

static bool index_add(struct chunk_writer *writer, enum chunk_kind kind, struct gfe_error *error)
{
    if (writer->indexed == writer->index_capacity) {
        const size_t capacity = writer->index_capacity ? 2 * writer->index_capacity : 64;
        uint8_t *index = realloc(writer->index, capacity * CHUNK_INDEX_ENTRY_BYTES);
        if (!index)
            return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
        writer->index = index;
        writer->index_capacity = capacity;
    }
    uint8_t *entry = writer->index + writer->indexed * CHUNK_INDEX_ENTRY_BYTES;
    chunk_put64(entry, writer->file_offset);
    chunk_put32(entry + 8, kind);
    return true;
}

static void head_encode(uint8_t to[CHUNK_HEAD_BYTES], const struct chunk_head *head)
{
    memcpy(to, CHUNK_MAGIC, CHUNK_MAGIC_BYTES);
    chunk_put32(to + 4, head->version | (uint32_t)head->kind << 16);
    chunk_put32(to + 8, head->raw_bytes);
    chunk_put32(to + 12, head->stored_bytes);
    chunk_put32(to + 16, head->raw_crc);
    chunk_put32(to + 20, deflate_crc(0, to, CHUNK_HEAD_BYTES - 4));
}

/* Compresses and writes a chunk; the index is the caller's business. */
static bool chunk_put(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                      size_t raw_bytes, struct gfe_error *error)
{
    if (writer->broken)
        return error_set(error, ERROR_SYSTEM, "%s: an earlier write failed", writer->name);
    if (writer->fd < 0)
        return true;
    if (!buffer_reserve(writer, CHUNK_HEAD_BYTES + deflate_bound(writer->packer, raw_bytes), error))
        return false;
    const size_t stored_bytes =
        deflate_pack(writer->packer, writer->buffer + CHUNK_HEAD_BYTES, raw, raw_bytes);
    head_encode(writer->buffer, &(struct chunk_head){.version = CHUNK_VERSION,
                                                     .kind = (uint16_t)kind,
                                                     .raw_bytes = (uint32_t)raw_bytes,
                                                     .stored_bytes = (uint32_t)stored_bytes,
                                                     .raw_crc = deflate_crc(0, raw, raw_bytes)});
    if (!write_all(writer, writer->buffer, CHUNK_HEAD_BYTES + stored_bytes, error))
        return false;
    writer->file_offset += CHUNK_HEAD_BYTES + stored_bytes;
    return true;
}

static bool chunk_put_indexed(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                              size_t raw_bytes, struct gfe_error *error)
{
    const struct chunk chunk = {.kind = kind,
                                .raw_bytes = (uint32_t)raw_bytes,
                                .raw = raw,
                                .file_offset = writer->file_offset,
                                .number = writer->indexed};

    if (writer->observe)
        writer->observe(writer->observer, &chunk);
    if (!index_add(writer, kind, error) || !chunk_put(writer, kind, raw, raw_bytes, error))
        return false;
    writer->indexed++;
    return true;
}

/* ---- the second thread ----------------------------------------------------------------------- */

void chunk_writer_set_fd(struct chunk_writer *writer, int fd)
{
    assert(!writer->handoff);
    writer->fd = fd;
}

void chunk_writer_use_thread(struct chunk_writer *writer)
{
    writer->may_use_thread = true;
}

static bool job_do(struct chunk_writer *writer, const struct chunk_job *job,
                   struct gfe_error *error)
{
    if (job->maker.make)
        return job->maker.make(job->maker.context, writer, job->raw, job->raw_bytes, error);
    return chunk_put_indexed(writer, job->kind, job->raw, job->raw_bytes, error);
}

static void jobs_do(struct handoff *handoff, void *context)
{
    struct chunk_writer *writer = context;
    uint32_t number;

    while ((number = handoff_take(handoff)) != HANDOFF_NONE) {
        if (!job_do(writer, &writer->slots[number].job, &writer->failure)) {
            handoff_stop(handoff);
            return;
        }
        handoff_taken(handoff);
    }
}

/* Waits until all is written.  False when that failed. */
static bool thread_end(struct chunk_writer *writer, struct gfe_error *error)
{
    if (!writer->handoff)
        return true;
    handoff_stop(writer->handoff);
    handoff_end(writer->handoff);
    writer->handoff = NULL;
    if (writer->failure.kind == ERROR_NONE)
        return true;
    writer->broken = true;
    return error_set(error, writer->failure.kind, "%s", writer->failure.text);
}

/* Returns a free slot with room for that many bytes.  Returns NULL without memory, or if the thread
 * has stopped. */
static struct chunk_slot *slot_get(struct chunk_writer *writer, size_t bytes,
                                   struct gfe_error *error)
{
    const uint32_t number = handoff_fill(writer->handoff);
    struct chunk_slot *slot = &writer->slots[number % HANDOFF_SLOTS];

    if (number == HANDOFF_NONE) {
        (void)thread_end(writer, error);
        return NULL;
    }
    if (bytes > slot->buffer.capacity) {
        free(slot->buffer.data);
        slot->buffer.data = malloc(bytes);
        slot->buffer.capacity = slot->buffer.data ? bytes : 0;
    }
    if (bytes > slot->buffer.capacity) {
        error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
        return NULL;
    }
    return slot;
}

static void slot_put(struct chunk_writer *writer, struct chunk_slot *slot,
                     const struct chunk_job *job)
{
    slot->job = *job;
    slot->job.raw = slot->buffer.data;
    handoff_filled(writer->handoff);
}

static void thread_begin(struct chunk_writer *writer)
{
    if (writer->handoff || !writer->may_use_thread || writer->raw_bytes < CHUNK_THREAD_FROM_BYTES)
        return;
    writer->may_use_thread = false; /* asked for once, whatever comes of it */
    writer->handoff = handoff_start(jobs_do, writer);
}

/* ---- whole chunks ---------------------------------------------------------------------------- */

void chunk_writer_observe(struct chunk_writer *writer,
                          void (*observe)(void *context, const struct chunk *chunk), void *context)
{
    writer->observe = observe;
    writer->observer = context;
}

bool chunk_writer_is_heard(const struct chunk_writer *writer)
{
    return writer->fd >= 0 || writer->observe;
}

bool chunk_write(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                 size_t raw_bytes, struct gfe_error *error)
{
    const struct chunk_job job = {.kind = kind, .raw = raw, .raw_bytes = raw_bytes};
    struct chunk_slot *slot;

    assert(kind != CHUNK_INDEX && raw_bytes <= CHUNK_RAW_MAX_BYTES);
    thread_begin(writer);
    if (writer->handoff) {
        slot = slot_get(writer, raw_bytes, error);
        if (!slot)
            return false;
        if (raw_bytes > 0)
            memcpy(slot->buffer.data, raw, raw_bytes);
        slot_put(writer, slot, &job);
    } else if (!job_do(writer, &job, error)) {
        return false;
    }
    writer->raw_bytes += raw_bytes;
    writer->count++;
    return true;
}

bool chunk_write_made(struct chunk_writer *writer, const struct chunk_maker *maker,
                      struct chunk_buffer *buffer, size_t raw_bytes, struct gfe_error *error)
{
    const struct chunk_job job = {.maker = *maker, .raw = buffer->data, .raw_bytes = raw_bytes};
    const struct chunk_buffer mine = *buffer;
    struct chunk_slot *slot;

    assert(raw_bytes <= buffer->capacity);
    if (!writer->handoff)
        return job_do(writer, &job, error);
    slot = slot_get(writer, buffer->capacity, error);
    if (!slot)
        return false;
    *buffer = slot->buffer;
    slot->buffer = mine;
    slot_put(writer, slot, &job);
    return true;
}

bool chunk_made(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                size_t raw_bytes, struct gfe_error *error)
{
    assert(kind != CHUNK_INDEX && raw_bytes <= CHUNK_RAW_MAX_BYTES);
    return chunk_put_indexed(writer, kind, raw, raw_bytes, error);
}

bool chunk_writer_has_thread(const struct chunk_writer *writer)
{
    return writer->handoff != NULL;
}

/* An index too large for one chunk goes on in the next: each begins with its own count. */
bool chunk_writer_finish(struct chunk_writer *writer, struct gfe_error *error)
{
    uint64_t first = 0;

    if (!thread_end(writer, error))
        return false;
    writer->count = writer->indexed;
    do {
        const uint64_t left = writer->indexed - first;
        const uint32_t part = left < INDEX_ENTRIES_MAX ? (uint32_t)left : INDEX_ENTRIES_MAX;
        const size_t bytes = CHUNK_INDEX_COUNT_BYTES + (size_t)part * CHUNK_INDEX_ENTRY_BYTES;
        uint8_t *raw = malloc(bytes);

        if (!raw)
            return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
        chunk_put32(raw, part);
        if (part > 0)
            memcpy(raw + CHUNK_INDEX_COUNT_BYTES, writer->index + first * CHUNK_INDEX_ENTRY_BYTES,
                   bytes - CHUNK_INDEX_COUNT_BYTES);
        const bool done = chunk_put(writer, CHUNK_INDEX, raw, bytes, error);
        free(raw);
        if (!done)
            return false;
        first += part;
    } while (first < writer->indexed);
    return true;
}

void chunk_writer_settle(struct chunk_writer *writer)
{
    (void)thread_end(writer, NULL);
}

uint64_t chunk_writer_count(const struct chunk_writer *writer)
{
    return writer->count;
}

const char *chunk_writer_name(const struct chunk_writer *writer)
{
    return writer->name;
}

void chunk_writer_free(struct chunk_writer *writer)
{
    if (!writer)
        return;
    (void)thread_end(writer, NULL);
    for (uint32_t i = 0; i < HANDOFF_SLOTS; i++)
        free(writer->slots[i].buffer.data);
    deflate_packer_free(writer->packer);
    free(writer->buffer);
    free(writer->index);
    free(writer);
}
