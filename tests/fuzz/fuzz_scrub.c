/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_scrub.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/explore/scrub.h"
#include "tests/fuzz/fuzz_pool.h"
#include "tests/fuzz/fuzz_records.h"

/* Who needs more is refused, and that is no finding. */
enum {
    FUZZ_MEMORY_BYTES = 4 << 20,
    FUZZ_UNPACKED_BYTES = 16 << 20,
    FUZZ_EVENTS = 5000,
    FUZZ_TIME_S = 3600,
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* Where the bytes lie and how many they are stays; each is as it was or 0. */
static void mem_compare(const struct trace_mem *old, const struct trace_mem *new)
{
    must(old->address == new->address && old->as_id == new->as_id);
    must(old->data.length == new->data.length);
    for (uint32_t i = 0; i < old->data.length; i++)
        must(new->data.data[i] == old->data.data[i] || new->data.data[i] == 0);
}

static void records_compare(const char *old_path, const char *new_path)
{
    struct trace_reader *old_reader = trace_reader_open(old_path, NULL);
    struct trace_reader *new_reader = trace_reader_open(new_path, NULL);
    struct trace_record old, new;
    enum trace_result result;

    must(old_reader && new_reader);
    while ((result = trace_read(old_reader, &old, NULL)) == TRACE_GOT) {
        must(trace_read(new_reader, &new, NULL) == TRACE_GOT && new.head.kind == old.head.kind);
        if (old.head.kind == TRACE_MEM)
            mem_compare(&old.mem, &new.mem);
    }
    must(result == TRACE_AT_END && trace_read(new_reader, &new, NULL) == TRACE_AT_END);
    trace_reader_free(old_reader);
    trace_reader_free(new_reader);
}

static void logs_compare(const char *old_path, const char *new_path,
                         const struct scrub_options *options)
{
    char old[HASH_HEX_BYTES], new[HASH_HEX_BYTES];

    must(scrub_log_hash(old_path, options, old, NULL));
    must(scrub_log_hash(new_path, options, new, NULL));
    must(strcmp(old, new) == 0);
}

static void scrub_try(const char *path, const struct limits *limits, bool unverified)
{
    const struct scrub_options options = {
        .limits = limits, .unverified = unverified, .pool = fuzz_pool()};
    const int fd = memfd_create("scrubbed", MFD_CLOEXEC);
    struct scrub_plan plan;
    struct scrub_report report;
    struct gfe_error error = {0};
    char new_path[40];

    must(fd >= 0);
    (void)snprintf(new_path, sizeof new_path, "/proc/self/fd/%d", fd);
    if (scrub_plan_make(&plan, path, limits, &error) &&
        scrub_apply(&plan, path, &options, fd, "scrubbed", &report, &error)) {
        records_compare(path, new_path);
        must(report.totals.zero_bytes + report.totals.removed_bytes + report.totals.kept_bytes ==
             report.totals.mem_bytes);
        if (!unverified)
            logs_compare(path, new_path, &options);
    } else {
        must(error.kind != ERROR_NONE && error.text[0] != 0);
    }
    must(!strchr(error.text, '\n'));
    scrub_plan_fini(&plan);
    close(fd);
}

int fuzz_scrub(const uint8_t *data, size_t bytes)
{
    const struct limits limits = {.events = FUZZ_EVENTS,
                                  .time_ps = FUZZ_TIME_S * GFE_PS_PER_S,
                                  .memory_bytes = FUZZ_MEMORY_BYTES,
                                  .expansion_bytes = FUZZ_UNPACKED_BYTES};
    const int fd = fuzz_records(data, bytes);
    char path[40];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    scrub_try(path, &limits, true);
    if (bytes > 0 && data[bytes - 1] & 2)
        scrub_try(path, &limits, false);
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
