/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces/format/trace.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static void trace_must_be_whole(int fd)
{
    struct gfe_error error = {0};
    struct trace_record record;
    enum trace_result result;
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct trace_reader *reader = trace_reader_open(path, &error);
    must(reader != NULL);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        ;
    must(result == TRACE_AT_END);
    trace_reader_free(reader);
}

int fuzz_import(fuzz_importer *import, const uint8_t *data, size_t bytes)
{
    static const uint8_t nothing;
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct gfe_error error = {0};
    /* fmemopen() wants a place also for no bytes, and takes no const. */
    FILE *file = bytes > 0 ? fmemopen((void *)(uintptr_t)data, bytes, "rb")
                           : fmemopen((void *)(uintptr_t)&nothing, 0, "rb");

    must(fd >= 0 && file);
    if (import(file, "fuzz", fd, "trace", &error))
        trace_must_be_whole(fd);
    else
        must(error.kind != ERROR_NONE && error.text[0] != 0);
    must(!strchr(error.text, '\n'));
    fclose(file);
    close(fd);
    return 0;
}
