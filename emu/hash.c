/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/hash.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/chunk.h"
#include "emu/digest.h"
#include "traces/trace_codec.h"

/* ---- event logs ----------------------------------------------------------------------------- */

/* Chunks of one kind in a row are one run, whose digest goes into the whole: so kinds are told
 * apart, and the places where the writer cut are not. */
struct log_hash {
    struct digest whole, run;
    enum chunk_kind kind; /* of the run */
};

static void run_end(struct log_hash *log)
{
    uint8_t digest[DIGEST_BYTES];
    const uint8_t kind[2] = {(uint8_t)log->kind, (uint8_t)(log->kind >> 8)};

    digest_end(&log->run, digest);
    digest_add(&log->whole, kind, sizeof kind);
    digest_add(&log->whole, digest, sizeof digest);
}

static bool log_is_whole(const struct chunk_reader *chunks, enum chunk_kind last,
                         struct gfe_error *error)
{
    if (last == CHUNK_LOG_END && chunk_reader_saw_index(chunks))
        return true;
    return error_set(error, ERROR_INPUT, "%s: cut off at offset %llu: the event log has no %s",
                     chunk_reader_name(chunks), (unsigned long long)chunk_reader_offset(chunks),
                     last == CHUNK_LOG_END ? "index" : "end");
}

static bool log_hash(struct chunk_reader *chunks, struct chunk chunk, char hex[HASH_HEX_BYTES],
                     struct gfe_error *error)
{
    struct log_hash log = {.kind = chunk.kind};
    enum chunk_result result = CHUNK_GOT;

    digest_start(&log.whole);
    digest_start(&log.run);
    for (; result == CHUNK_GOT; result = chunk_read(chunks, &chunk, error)) {
        if (chunk.kind == CHUNK_TRACE || chunk.kind >= CHUNK_SNAPSHOT_HEAD)
            return error_set(error, ERROR_INPUT,
                             "%s: offset %llu: a chunk of %s in an event log",
                             chunk_reader_name(chunks), (unsigned long long)chunk.file_offset,
                             chunk_file_kind(chunk.kind));
        if (chunk.kind != log.kind) {
            run_end(&log);
            digest_start(&log.run);
            log.kind = chunk.kind;
        }
        digest_add(&log.run, chunk.raw, chunk.raw_bytes);
    }
    run_end(&log);
    if (result == CHUNK_FAILED || !log_is_whole(chunks, log.kind, error))
        return false;
    digest_end_hex(&log.whole, hex);
    return true;
}

/* ---- traces --------------------------------------------------------------------------------- */

/* Running numbers for process or thread ids: an open hash table, at most half full. */
struct numbering {
    struct {
        uint32_t id, number; /* number 0: empty slot */
    } * slots;
    uint32_t slot_count, used; /* slot_count is a power of two */
};

static uint32_t *number_find(struct numbering *numbering, uint32_t id)
{
    uint32_t i = (id * 2654435761u) & (numbering->slot_count - 1);

    while (numbering->slots[i].number != 0 && numbering->slots[i].id != id)
        i = (i + 1) & (numbering->slot_count - 1);
    numbering->slots[i].id = id;
    return &numbering->slots[i].number;
}

static bool numbering_grow(struct numbering *numbering)
{
    struct numbering larger = {.slot_count = numbering->slot_count ? 2 * numbering->slot_count : 64,
                               .used = numbering->used};

    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (uint32_t i = 0; i < numbering->slot_count; i++)
        if (numbering->slots[i].number != 0)
            *number_find(&larger, numbering->slots[i].id) = numbering->slots[i].number;
    free(numbering->slots);
    *numbering = larger;
    return true;
}

/* Replaces an id by its number, from 1 on.  False when memory is short. */
static bool numbering_apply(struct numbering *numbering, uint32_t *id)
{
    if (2 * (uint64_t)numbering->used >= numbering->slot_count && !numbering_grow(numbering))
        return false;
    uint32_t *number = number_find(numbering, *id);
    if (*number == 0)
        *number = ++numbering->used;
    *id = *number;
    return true;
}

struct trace_hash {
    struct digest digest;
    struct numbering processes, threads;
    uint8_t *bytes; /* one record */
    size_t capacity;
};

static bool record_hash(struct trace_hash *hash, const struct trace_record *record)
{
    struct trace_head head = record->head;
    const size_t room = TRACE_HEAD_BYTES + (size_t)trace_fields_bytes(record);

    if (room > hash->capacity) {
        free(hash->bytes);
        hash->bytes = malloc(2 * room);
        hash->capacity = hash->bytes ? 2 * room : 0;
        if (!hash->bytes)
            return false;
    }
    if (!numbering_apply(&hash->processes, &head.process_id) ||
        !numbering_apply(&hash->threads, &head.thread_id))
        return false;
    head.sequence = 0;
    head.length_bytes = (uint32_t)trace_encode_fields(hash->bytes + TRACE_HEAD_BYTES, record,
                                                      TRACE_WITHOUT_HOST_FIELDS);
    trace_encode_head(hash->bytes, &head);
    digest_add(&hash->digest, hash->bytes, TRACE_HEAD_BYTES + (size_t)head.length_bytes);
    return true;
}

static bool trace_hash(struct trace_reader *reader, char hex[HASH_HEX_BYTES],
                       struct gfe_error *error)
{
    struct trace_hash hash = {0};
    struct trace_record record;
    enum trace_result result;

    digest_start(&hash.digest);
    while ((result = trace_read(reader, &record, error)) == TRACE_GOT) {
        if (!record_hash(&hash, &record)) {
            error_set_errno(error, ENOMEM, "%s: cannot hash", trace_reader_name(reader));
            break;
        }
    }
    if (result == TRACE_AT_END)
        digest_end_hex(&hash.digest, hex);
    free(hash.bytes);
    free(hash.processes.slots);
    free(hash.threads.slots);
    return result == TRACE_AT_END;
}

/* ---- both ----------------------------------------------------------------------------------- */

static bool first_is_missing(const struct chunk_reader *chunks, struct gfe_error *error)
{
    return error_set(error, ERROR_INPUT, "%s: %s: a trace or an event log was expected",
                     chunk_reader_name(chunks),
                     chunk_reader_saw_index(chunks) ? "the file holds only an index"
                                                    : "the file is empty");
}

bool hash_file(const char *path, char hex[HASH_HEX_BYTES], struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(path, error);
    struct chunk first;
    bool done = false;

    if (!chunks)
        return false;
    chunk_reader_read_ahead(chunks);
    const enum chunk_result result = chunk_read(chunks, &first, error);
    if (result == CHUNK_GOT && first.kind == CHUNK_TRACE) {
        struct trace_reader *reader = trace_reader_adopt(chunks, &first, error);
        done = reader && trace_hash(reader, hex, error);
        trace_reader_free(reader);
        return done;
    }
    if (result == CHUNK_AT_END)
        (void)first_is_missing(chunks, error);
    if (result == CHUNK_GOT && first.kind >= CHUNK_SNAPSHOT_HEAD)
        (void)error_set(error, ERROR_INPUT,
                        "%s: this is %s: a trace or an event log was expected",
                        chunk_reader_name(chunks), chunk_file_kind(first.kind));
    else if (result == CHUNK_GOT)
        done = log_hash(chunks, first, hex, error);
    chunk_reader_free(chunks);
    return done;
}
