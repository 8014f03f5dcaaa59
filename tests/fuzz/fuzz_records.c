/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_records.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "traces/format/trace_codec.h"

enum { FUZZ_BYTES_MAX = 1 << 18 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* Heads as a reader wants them: lengths inside the input, growing sequence numbers, no second META
 * and nothing behind END. Returns the bytes used. */
static size_t records_mend(uint8_t *records, size_t bytes)
{
    uint64_t sequence = 0;
    size_t at = 0;

    while (bytes - at >= TRACE_HEAD_BYTES) {
        const size_t left = bytes - at - TRACE_HEAD_BYTES;
        struct trace_head head;

        trace_decode_head(&head, records + at);
        if (sequence == 0)
            head.kind = TRACE_META;
        else if (head.kind == TRACE_META || head.kind == TRACE_END)
            break;
        if (head.length_bytes > left)
            head.length_bytes = (uint32_t)left;
        head.reserved = 0;
        head.sequence = ++sequence;
        trace_encode_head(records + at, &head);
        at += TRACE_HEAD_BYTES + head.length_bytes;
    }
    return at;
}

static uint64_t records_count(const uint8_t *records, size_t bytes)
{
    uint64_t count = 0;
    struct trace_head head;

    for (size_t at = 0; at < bytes; at += TRACE_HEAD_BYTES + head.length_bytes, count++)
        trace_decode_head(&head, records + at);
    return count;
}

static size_t end_put(uint8_t *to, uint64_t record_count)
{
    struct trace_record end = {
        .head = {.kind = TRACE_END, .sequence = record_count + 1, .process_id = 1, .thread_id = 1},
        .end = {.record_count = record_count, .how = TRACE_END_EXIT},
    };

    end.head.length_bytes = (uint32_t)trace_fields_bytes(&end);
    trace_encode_head(to, &end.head);
    return TRACE_HEAD_BYTES + trace_encode_fields(to + TRACE_HEAD_BYTES, &end, TRACE_ALL_FIELDS);
}

static void records_write(int fd, const uint8_t *data, size_t bytes)
{
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", NULL);
    uint8_t *records = malloc(bytes + 256);

    must(writer && records);
    memcpy(records, data, bytes);
    bytes = records_mend(records, bytes);
    bytes += end_put(records + bytes, records_count(records, bytes));
    must(chunk_write(writer, CHUNK_TRACE, records, bytes, NULL) &&
         chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    free(records);
}

int fuzz_records(const uint8_t *data, size_t bytes)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    must(fd >= 0);
    if (bytes > FUZZ_BYTES_MAX)
        bytes = FUZZ_BYTES_MAX;
    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0)
        must(write(fd, data, bytes) == (ssize_t)bytes);
    else
        records_write(fd, data, bytes);
    return fd;
}
