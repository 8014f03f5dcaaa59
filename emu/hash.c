/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/hash.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "emu/chunk.h"
#include "emu/digest.h"
#include "emu/hash_trace.h"
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
            return error_set(error, ERROR_INPUT, "%s: offset %llu: a chunk of %s in an event log",
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
    return hash_file_within(path, CHUNK_UNPACKED_MAX_BYTES, hex, error);
}

bool hash_file_within(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_open(path, error);
    struct chunk first;
    bool done = false;

    if (!chunks)
        return false;
    chunk_reader_read_ahead(chunks);
    chunk_reader_limit(chunks, unpacked_bytes);
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
        (void)error_set(error, ERROR_INPUT, "%s: this is %s: a trace or an event log was expected",
                        chunk_reader_name(chunks), chunk_file_kind(first.kind));
    else if (result == CHUNK_GOT)
        done = log_hash(chunks, first, hex, error);
    chunk_reader_free(chunks);
    return done;
}
