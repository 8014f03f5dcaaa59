/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_recover.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "tests/fuzz/fuzz_file.h"
#include "traces/record/record_finish.h"

enum { PARTS_MAX = 8, PIECE_BYTES = 512 };
enum { PART_CUT = 1, PART_FLIPPED = 2, PART_RAW = 4 };

/* A file of chunks of some hundred bytes, as a recorder leaves it. */
static void part_write(int fd, const uint8_t *data, size_t bytes, bool is_cut)
{
    struct chunk_writer *writer = chunk_writer_new(fd, "part", NULL);

    fuzz_must(writer != NULL);
    while (bytes > 0) {
        const size_t piece = bytes < PIECE_BYTES ? bytes : PIECE_BYTES;

        fuzz_must(chunk_write(writer, CHUNK_TRACE, data, piece, NULL));
        data += piece;
        bytes -= piece;
    }
    fuzz_must(is_cut || chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
}

/* Damage: the byte that the length chooses, and half of the end. */
static void part_damage(int fd, uint8_t flags, size_t where)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    uint8_t byte;

    if (size <= 0)
        return;
    if (flags & PART_FLIPPED) {
        const off_t at = (off_t)(where * 7 % (size_t)size);

        fuzz_must(pread(fd, &byte, 1, at) == 1);
        byte ^= (uint8_t)(1u << where % 8);
        fuzz_must(pwrite(fd, &byte, 1, at) == 1);
    }
    if (flags & PART_CUT)
        fuzz_must(ftruncate(fd, size - (off_t)(where % 64 < (size_t)size ? where % 64 : 0)) == 0);
}

static void trace_must_be_whole(const char *path)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(path, &error);
    enum trace_result result = TRACE_FAILED;
    struct trace_record record;

    fuzz_must(reader != NULL);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        ;
    fuzz_must(result == TRACE_AT_END);
    trace_reader_free(reader);
}

/* Makes one part of the input's beginning; returns the bytes used. */
static size_t part_make(int fd, const uint8_t *data, size_t bytes)
{
    size_t length = data[1] | (size_t)data[2] << 8;

    length = length < bytes - 3 ? length : bytes - 3;
    if (data[0] & PART_RAW)
        fuzz_must(write(fd, data + 3, length) == (ssize_t)length);
    else
        part_write(fd, data + 3, length, data[0] & PART_CUT);
    part_damage(fd, data[0], length);
    return 3 + length;
}

int fuzz_recover(const uint8_t *data, size_t bytes)
{
    const struct trace_end end = {.how = TRACE_END_RECOVERED};
    char paths[PARTS_MAX][FUZZ_PATH_BYTES], path[FUZZ_PATH_BYTES], *parts[PARTS_MAX];
    int fds[PARTS_MAX], fd = fuzz_file_new(path);
    struct record_totals totals = {0};
    struct gfe_error error = {0};
    uint32_t count = 0;

    for (size_t used; bytes > 3 && count < PARTS_MAX; data += used, bytes -= used) {
        parts[count] = paths[count];
        fds[count] = fuzz_file_new(paths[count]);
        used = part_make(fds[count++], data, bytes);
    }
    if (count > 0) {
        const bool done =
            record_finish(&(struct record_parts){.names = parts, .count = count, .salvage = true},
                          fd, "the trace", &end, &totals, &error);

        fuzz_error_check(&error, done);
        if (done)
            trace_must_be_whole(path);
    }
    while (count > 0)
        close(fds[--count]);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_recover(data, bytes);
}
#endif
