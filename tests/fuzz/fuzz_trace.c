/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "traces/format/trace.h"
#include "traces/format/trace_dump.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static void file_fill(int fd, const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};

    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0) {
        must(write(fd, data, bytes) == (ssize_t)bytes);
        return;
    }
    if (bytes > CHUNK_RAW_MAX_BYTES)
        bytes = CHUNK_RAW_MAX_BYTES;
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", &error);
    must(writer && chunk_write(writer, CHUNK_TRACE, data, bytes, &error) &&
         chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
}

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool failed)
{
    must(failed == (error->kind != ERROR_NONE));
    must(failed == (error->text[0] != 0));
    must(!strchr(error->text, '\n'));
}

static void read_all(const char *path, FILE *sink)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(path, &error);
    struct trace_record record;
    enum trace_result result = TRACE_FAILED;

    while (reader && (result = trace_read(reader, &record, &error)) == TRACE_GOT)
        trace_dump(sink, &record);
    error_check(&error, result == TRACE_FAILED);
    trace_reader_free(reader);
}

int fuzz_trace(const uint8_t *data, size_t bytes)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    FILE *sink = fopen("/dev/null", "we");
    char path[40];

    must(fd >= 0 && sink);
    file_fill(fd, data, bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_all(path, sink);
    fclose(sink);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_trace(data, bytes);
}
#endif
