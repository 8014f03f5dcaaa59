/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/nvt_recording.h"
#include "tests/suites.h"

/* ---- importing ------------------------------------------------------------------------------- */

START_TEST(a_recording_becomes_a_trace_of_the_driver_layer)
{
    struct recording *recording = small_recording();
    struct trace_reader *reader = must_import(recording);

    const struct trace_meta meta = next(reader, TRACE_META).meta;
    ck_assert_str_eq(meta.gpu.text, "gtx1060");
    ck_assert_uint_eq(meta.chipset, 0x136);
    ck_assert_uint_eq(meta.pci_id, 0x10de1c03);
    ck_assert_uint_eq(meta.completions, TRACE_COMPLETIONS_STAND_IN);
    ck_assert_uint_eq(next(reader, TRACE_CLIENT).client.layer, TRACE_LAYER_UAPI);
    (void)next(reader, TRACE_AS_CREATE);

    struct trace_record record = next(reader, TRACE_AS_MAP);
    ck_assert_uint_eq(record.head.time_ns, 20);
    ck_assert_uint_eq(record.as_map.aperture, TRACE_APERTURE_SYSMEM);
    ck_assert_uint_eq(record.as_map.va, 0x100001000);
    ck_assert_uint_eq(next(reader, TRACE_CHANNEL).channel.engine, 1);
    ck_assert_uint_eq(next(reader, TRACE_OBJECT).object.class_id, 0xc1c0);
    record = next(reader, TRACE_AS_MAP);
    ck_assert_uint_eq(record.as_map.handle, 2);
    ck_assert_uint_eq(record.as_map.aperture, TRACE_APERTURE_VRAM);
    ck_assert_uint_eq(record.as_map.size_bytes, 0x4000);
    ck_assert_uint_eq(record.as_map.tile_flags, 8);

    record = next(reader, TRACE_MEM);
    ck_assert_uint_eq(record.mem.address, 0x100010100);
    ck_assert_uint_eq(record.mem.data.length, sizeof push_bytes);
    ck_assert(memcmp(record.mem.data.data, push_bytes, sizeof push_bytes) == 0);
    record = next(reader, TRACE_SUBMIT);
    ck_assert_uint_eq(record.submit.submission_id, 1);
    ck_assert_uint_eq(record.submit.seen_address, 0);
    ck_assert_uint_eq(record.submit.pushes.count, 1);
    ck_assert_uint_eq(record.submit.pushes.push[0].handle, 2);
    ck_assert_uint_eq(record.submit.pushes.push[0].offset, 0x100);
    ck_assert_uint_eq(record.submit.pushes.push[0].flags, 0);
    record = next(reader, TRACE_GPU_WRITE);
    ck_assert_uint_eq(record.gpu_write.why, TRACE_WHY_SHORT_REPORT);
    ck_assert_uint_eq(record.gpu_write.address, 0x100001010);
    record = next(reader, TRACE_SUBMIT);
    ck_assert_uint_eq(record.submit.submission_id, 2);
    ck_assert_uint_eq(record.submit.seen_address, 0x100001010);
    ck_assert_uint_eq(record.submit.seen_value, 77);
    ck_assert_uint_eq(record.submit.pushes.push[0].length_bytes, 16);
    ck_assert_uint_eq(record.submit.pushes.push[0].flags, TRACE_PUSH_NO_PREFETCH);
    ck_assert_uint_eq(next(reader, TRACE_AS_UNMAP).as_unmap.size_bytes, 0x4000);
    ck_assert_uint_eq(next(reader, TRACE_END).end.how, TRACE_END_EXIT);
    trace_reader_free(reader);
    free(recording);
}
END_TEST

/* The recorder saves whole pages: the fence that it wrote itself stands among the program's bytes,
 * and must not reach the replayed memory. */
START_TEST(what_was_written_for_the_gpu_is_left_out_of_memory)
{
    struct recording *recording = recording_begin();
    uint8_t page[32] = {1, 1, 1, 1, 77, 0, 0, 0, 2, 2, 2, 2};

    ADD(recording, GPUWRITE, 0x10004, 1, 4, 2, 77); /* in buffer 2 */
    add_pages(recording, 2, 0, 0x10000, page, sizeof page);
    page[0] = 9;
    page[5] = 8; /* now the CPU has written to the fence */
    add_pages(recording, 2, 0, 0x10000, page, sizeof page);
    struct trace_reader *reader = must_import(recording);
    (void)next(reader, TRACE_META);
    (void)next(reader, TRACE_CLIENT);
    (void)next(reader, TRACE_AS_CREATE);
    (void)next(reader, TRACE_AS_MAP);
    (void)next(reader, TRACE_CHANNEL);
    (void)next(reader, TRACE_OBJECT);
    (void)next(reader, TRACE_AS_MAP);
    (void)next(reader, TRACE_GPU_WRITE);

    struct trace_mem mem = next(reader, TRACE_MEM).mem;
    ck_assert_uint_eq(mem.address, 0x100010000);
    ck_assert_uint_eq(mem.data.length, 4);
    mem = next(reader, TRACE_MEM).mem;
    ck_assert_uint_eq(mem.address, 0x100010008);
    ck_assert_uint_eq(mem.data.length, 24);
    /* Bytes 4, 6 and 7 still hold what the GPU wrote. */
    ck_assert_uint_eq(next(reader, TRACE_MEM).mem.data.length, 4);
    mem = next(reader, TRACE_MEM).mem;
    ck_assert_uint_eq(mem.address, 0x100010005);
    ck_assert_uint_eq(mem.data.length, 1);
    ck_assert_uint_eq(next(reader, TRACE_MEM).mem.data.length, 24);
    (void)next(reader, TRACE_END);
    trace_reader_free(reader);
    free(recording);
}
END_TEST
/* ---- recordings of real drivers, where there are any ----------------------------------------- */

struct shared_row {
    const char *name;
    uint32_t submits, writes; /* from the README beside the recordings */
};
static const struct shared_row shared_rows[] = {
    {"clear.136", 6, 2}, {"triangle.136", 7, 2}, {"compute.136", 9, 5},   {"upload.136", 16, 4},
    {"all.136", 26, 19}, {"compute.166", 9, 5},  {"vkcompute.136", 7, 0}, {"vkcompute.166", 7, 0}};

static FILE *shared_open(const char *name)
{
    const char *shared = getenv("GFE_SHARED"), *srcdir = getenv("top_srcdir");
    char path[4096];

    if (shared)
        snprintf(path, sizeof path, "%s/traces/nouveau/%s.nvt", shared, name);
    else
        snprintf(path, sizeof path, "%s/../shared/traces/nouveau/%s.nvt", srcdir ? srcdir : ".",
                 name);
    return fopen(path, "rb");
}

START_TEST(recordings_of_the_real_driver_are_imported_with_all_their_submissions)
{
    const struct shared_row *row = &shared_rows[_i];
    FILE *file = shared_open(row->name);
    struct memory_file trace = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_record record;
    uint32_t submits = 0, writes = 0;

    if (!file) /* the recordings are not part of the project */
        return;
    ck_assert_msg(import_nvt(file, row->name, trace.fd, "F.gft", &error), "%s", error.text);
    struct trace_reader *reader = trace_reader_open(trace.path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        submits += record.head.kind == TRACE_SUBMIT || record.head.kind == TRACE_EXEC;
        writes += record.head.kind == TRACE_GPU_WRITE;
    }
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    ck_assert_uint_eq(submits, row->submits);
    ck_assert_uint_eq(writes, row->writes);
    trace_reader_free(reader);
    memory_file_free(&trace);
    fclose(file);
}
END_TEST
Suite *import_nvt_suite(void)
{
    Suite *suite = suite_create("import_nvt");
    TCase *tcase = tcase_create("import_nvt");

    tcase_add_test(tcase, a_recording_becomes_a_trace_of_the_driver_layer);
    tcase_add_test(tcase, what_was_written_for_the_gpu_is_left_out_of_memory);
    tcase_add_loop_test(tcase,
                        recordings_of_the_real_driver_are_imported_with_all_their_submissions, 0,
                        (int)(sizeof shared_rows / sizeof shared_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
