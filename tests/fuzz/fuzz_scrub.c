/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_scrub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/scrub.h"
#include "tests/fuzz/fuzz_records.h"

enum { FUZZ_MEMORY_BYTES = 4 << 20, FUZZ_UNPACKED_BYTES = 16 << 20 };

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

static void scrub_try(const char *path, const struct limits *limits)
{
    const struct scrub_options options = {.limits = limits, .unverified = true};
    const int fd = memfd_create("scrubbed", MFD_CLOEXEC);
    struct scrub_plan plan;
    struct scrub_report report;
    struct gfe_error error = {0};

    must(fd >= 0);
    if (scrub_plan_make(&plan, path, limits, &error) &&
        scrub_apply(&plan, path, &options, fd, "scrubbed", &report, &error)) {
        trace_must_be_whole(fd);
        must(report.totals.zero_bytes + report.totals.removed_bytes + report.totals.kept_bytes ==
             report.totals.mem_bytes);
    } else {
        must(error.kind != ERROR_NONE && error.text[0] != 0);
    }
    must(!strchr(error.text, '\n'));
    scrub_plan_fini(&plan);
    close(fd);
}

int fuzz_scrub(const uint8_t *data, size_t bytes)
{
    const struct limits limits = {.memory_bytes = FUZZ_MEMORY_BYTES,
                                  .expansion_bytes = FUZZ_UNPACKED_BYTES};
    const int fd = fuzz_records(data, bytes);
    char path[40];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    scrub_try(path, &limits);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_scrub(data, bytes);
}
#endif
