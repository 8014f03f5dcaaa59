/* SPDX-License-Identifier: MIT */
/* Files of chunks for tests.  Each chunk is a pattern, which reading compares.  Uses Check. */
#ifndef TESTS_CHUNK_SAMPLES_H
#define TESTS_CHUNK_SAMPLES_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/chunk.h"
#include "tests/trace_samples.h"

enum { BIG = CHUNK_RAW_MAX_BYTES };

static inline uint8_t *pattern(size_t bytes, uint32_t seed)
{
    uint8_t *data = malloc(bytes + 1);

    for (size_t i = 0; i < bytes; i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = (uint8_t)(seed >> 24);
    }
    return data;
}

static inline void write_chunks(int fd, const size_t *sizes, size_t count, bool finish)
{
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(fd, "test", &error);

    for (size_t i = 0; i < count; i++) {
        uint8_t *data = pattern(sizes[i], (uint32_t)i);
        ck_assert_uint_eq(chunk_writer_count(writer), i);
        ck_assert_msg(chunk_write(writer, CHUNK_LOG_EVENTS, data, sizes[i], &error), "%s",
                      error.text);
        free(data);
    }
    if (finish)
        ck_assert_msg(chunk_writer_finish(writer, &error), "%s", error.text);
    chunk_writer_free(writer);
}

/* Reads chunks and checks each against its pattern.  Returns the result that ended the reading. */
static inline enum chunk_result read_chunks(const char *path, const size_t *sizes, size_t *count,
                                            bool *was_cut, struct gfe_error *error)
{
    struct chunk_reader *reader = chunk_reader_open(path, error);
    struct chunk chunk;
    enum chunk_result result;

    ck_assert_msg(reader != NULL, "%s", error->text);
    for (*count = 0; (result = chunk_read(reader, &chunk, error)) == CHUNK_GOT; ++*count) {
        uint8_t *data = pattern(sizes[*count], (uint32_t)*count);
        ck_assert_uint_eq(chunk.number, *count);
        ck_assert_uint_eq(chunk.raw_bytes, sizes[*count]);
        ck_assert(memcmp(chunk.raw, data, chunk.raw_bytes) == 0);
        free(data);
    }
    *was_cut = chunk_reader_was_cut(reader);
    if (result == CHUNK_AT_END)
        *was_cut = !chunk_reader_saw_index(reader);
    chunk_reader_free(reader);
    return result;
}

static const size_t some_sizes[] = {1, 100, 0, 5000};
enum { SOME = sizeof some_sizes / sizeof some_sizes[0] };

static inline struct memory_file some_chunks(bool finish)
{
    struct memory_file file = memory_file_new("", 0);

    write_chunks(file.fd, some_sizes, SOME, finish);
    return file;
}

#endif
