/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/hash.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "emu/log/chunk.h"
#include "emu/base/digest.h"
#include "traces/format/hash_trace.h"
#include "traces/format/trace_codec.h"

/* ---- event logs ------------------------------------------------------------------------------ */

static void run_end(struct hash_log *log)
{
    uint8_t digest[DIGEST_BYTES];
    const uint8_t kind[2] = {(uint8_t)log->kind, (uint8_t)(log->kind >> 8)};

    if (log->kind == CHUNK_KIND_END)
        return;
    digest_end(&log->run, digest);
    digest_add(&log->whole, kind, sizeof kind);
    digest_add(&log->whole, digest, sizeof digest);
}

void hash_log_start(struct hash_log *log, bool events_only)
{
    log->kind = CHUNK_KIND_END;
    log->events_only = events_only;
    digest_start(&log->whole);
}

void hash_log_add(struct hash_log *log, const struct chunk *chunk)
{
    if (chunk->kind == CHUNK_INDEX || chunk->kind == CHUNK_LOG_HOST ||
        (log->events_only && chunk->kind == CHUNK_LOG_HEAD))
        return;
    if (chunk->kind != log->kind) {
        run_end(log);
        digest_start(&log->run);
        log->kind = chunk->kind;
    }
    digest_add(&log->run, chunk->raw, chunk->raw_bytes);
}

void hash_log_end(struct hash_log *log, char hex[HASH_HEX_BYTES])
{
    run_end(log);
    digest_end_hex(&log->whole, hex);
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

static bool log_hash(struct chunk_reader *chunks, struct chunk chunk, bool events_only,
                     char hex[HASH_HEX_BYTES], struct gfe_error *error)
{
    enum chunk_kind last = chunk.kind;
    enum chunk_result result = CHUNK_GOT;
    struct hash_log log;

    hash_log_start(&log, events_only);
    for (; result == CHUNK_GOT; result = chunk_read(chunks, &chunk, error)) {
        if (chunk.kind == CHUNK_TRACE || chunk_is_snapshot(chunk.kind))
            return error_set(error, ERROR_INPUT, "%s: offset %llu: a chunk of %s in an event log",
                             chunk_reader_name(chunks), (unsigned long long)chunk.file_offset,
                             chunk_file_kind(chunk.kind));
        hash_log_add(&log, &chunk);
        last = chunk.kind == CHUNK_LOG_HOST ? last : chunk.kind;
    }
    hash_log_end(&log, hex);
    return result != CHUNK_FAILED && log_is_whole(chunks, last, error);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static bool trace_hash(struct trace_reader *reader, char hex[HASH_HEX_BYTES],
                       struct gfe_error *error)
{
    struct hash_trace *hash = hash_trace_new();
    struct trace_record record;
    enum trace_result result = TRACE_FAILED;

    while (hash && (result = trace_read(reader, &record, error)) == TRACE_GOT)
        if (!hash_trace_add(hash, &record))
            break;
    if (!hash || result == TRACE_GOT)
        error_set_errno(error, ENOMEM, "%s: cannot hash", trace_reader_name(reader));
    if (result == TRACE_AT_END)
        hash_trace_end(hash, hex);
    hash_trace_free(hash);
    return hash && result == TRACE_AT_END;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool first_is_missing(const struct chunk_reader *chunks, struct gfe_error *error)
{
    return error_set(error, ERROR_INPUT, "%s: %s: a trace or an event log was expected",
                     chunk_reader_name(chunks),
                     chunk_reader_saw_index(chunks) ? "the file holds only an index"
                                                    : "the file is empty");
}

static bool file_hash(const char *path, uint64_t unpacked_bytes, bool events_only,
                      char hex[HASH_HEX_BYTES], struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(path, error);
    struct chunk first;
    bool done = false;

    if (!chunks)
        return false;
    chunk_reader_read_ahead(chunks);
    chunk_reader_limit(chunks, unpacked_bytes);
    const enum chunk_result result = chunk_read(chunks, &first, error);
    if (result == CHUNK_GOT && first.kind == CHUNK_TRACE && !events_only) {
        struct trace_reader *reader = trace_reader_adopt(chunks, &first, error);
        done = reader && trace_hash(reader, hex, error);
        trace_reader_free(reader);
        return done;
    }
    if (result == CHUNK_AT_END)
        (void)first_is_missing(chunks, error);
    if (result == CHUNK_GOT && (first.kind == CHUNK_TRACE || chunk_is_snapshot(first.kind)))
        (void)error_set(error, ERROR_INPUT, "%s: this is %s: %s was expected",
                        chunk_reader_name(chunks), chunk_file_kind(first.kind),
                        events_only ? "an event log" : "a trace or an event log");
    else if (result == CHUNK_GOT)
        done = log_hash(chunks, first, events_only, hex, error);
    chunk_reader_free(chunks);
    return done;
}

bool hash_file_within(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error)
{
    return file_hash(path, unpacked_bytes, false, hex, error);
}

bool hash_file_events(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error)
{
    return file_hash(path, unpacked_bytes, true, hex, error);
}
