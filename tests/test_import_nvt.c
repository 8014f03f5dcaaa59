/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_nvt.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/import_nvt.h"

/* ---- a recording in memory ------------------------------------------------------------------ */

enum nvt_type {
    DEVICE = 1,
    BO_NEW,
    BO_CLOSE,
    CHAN,
    OBJ,
    SUBMIT,
    PAGES,
    PUSHDATA,
    GPUWRITE,
    NVIF = 11,
    VMBIND,
    EXEC
};

struct recording {
    uint8_t bytes[1 << 16];
    size_t used;
    size_t payload; /* where that of the last record begins */
    uint64_t time_ns;
};

static void add32(struct recording *recording, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        recording->bytes[recording->used++] = (uint8_t)(value >> (8 * i));
}

static void add64(struct recording *recording, uint64_t value)
{
    add32(recording, (uint32_t)value);
    add32(recording, (uint32_t)(value >> 32));
}

static void add_data(struct recording *recording, const void *data, size_t bytes)
{
    memcpy(recording->bytes + recording->used, data, bytes);
    recording->used += bytes;
}

static void begin(struct recording *recording, enum nvt_type type)
{
    memcpy(recording->bytes + recording->used, "NVTR", 4);
    recording->used += 4;
    add32(recording, type);
    add64(recording, recording->time_ns += 10);
    add64(recording, 0);
    recording->payload = recording->used;
}

static void end(struct recording *recording)
{
    const size_t used = recording->used;

    recording->used = recording->payload - 8;
    add64(recording, used - recording->payload);
    recording->used = used;
}

static void add_words(struct recording *recording, enum nvt_type type, const uint32_t *words,
                      uint32_t count)
{
    begin(recording, type);
    for (uint32_t i = 0; i < count; i++)
        add32(recording, words[i]);
    end(recording);
}
#define ADD(recording, type, ...)                                                                  \
    add_words(recording, type, (const uint32_t[]){__VA_ARGS__},                                    \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* BO_NEW: handle, domain, size (2 words), address (2 words), tile mode and flags, align, 0. */
static void add_bo(struct recording *recording, uint32_t handle, uint32_t domain, uint32_t size,
                   uint32_t va)
{
    ADD(recording, BO_NEW, handle, domain, size, 0, va, 1, 0, 8, 0, 0);
}

static void add_pages(struct recording *recording, uint32_t handle, uint64_t offset, uint32_t bo_va,
                      const void *data, uint32_t length)
{
    begin(recording, PAGES);
    add32(recording, handle);
    add32(recording, length);
    add64(recording, offset);
    add64(recording, (1ull << 32) + bo_va + offset);
    add_data(recording, data, length);
    end(recording);
}

/* One buffer in the list, one push entry in it. */
static void add_submit(struct recording *recording, uint32_t handle, uint32_t bo_index,
                       uint64_t offset, uint64_t length)
{
    begin(recording, SUBMIT);
    add32(recording, 0); /* channel */
    add32(recording, 1); /* buffers */
    add64(recording, 0);
    add32(recording, 0); /* relocations */
    add32(recording, 1); /* pushes */
    for (int i = 0; i < 10; i++)
        add32(recording, 0);
    add64(recording, 0); /* the buffer: user_priv, handle, domains, presumed */
    add32(recording, handle);
    for (int i = 0; i < 7; i++)
        add32(recording, 0);
    add32(recording, bo_index);
    add32(recording, 0);
    add64(recording, offset);
    add64(recording, length);
    end(recording);
}

static void add_pushdata(struct recording *recording, uint32_t handle, uint64_t offset,
                         uint64_t length, const void *data, uint32_t bytes)
{
    begin(recording, PUSHDATA);
    add32(recording, 0);
    add32(recording, handle);
    add64(recording, offset);
    add64(recording, 0);
    add64(recording, length);
    add_data(recording, data, bytes);
    end(recording);
}

static const uint8_t push_bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static struct recording *recording_begin(void)
{
    struct recording *recording = calloc(1, sizeof *recording);

    recording->time_ns = 5000;
    ADD(recording, DEVICE, 0x136, 0x1c03, 0xa02, 6);
    ADD(recording, OBJ, 0, 0, 0x80, 1); /* the device itself */
    add_bo(recording, 1, 4, 0x1000, 0x1000);
    ADD(recording, CHAN, 0, 0, 1, 1);
    ADD(recording, OBJ, 0, 0xbeef00c0, 0xc1c0, 1);
    add_bo(recording, 2, 2, 0x4000, 0x10000);
    return recording;
}

static struct recording *small_recording(void)
{
    struct recording *recording = recording_begin();

    add_pages(recording, 2, 0x100, 0x10000, push_bytes, sizeof push_bytes);
    add_submit(recording, 2, 0, 0x100, sizeof push_bytes);
    add_pushdata(recording, 2, 0x100, sizeof push_bytes, push_bytes, sizeof push_bytes);
    ADD(recording, GPUWRITE, 0x1010, 1, 4, 2, 77); /* in buffer 1 */
    ADD(recording, NVIF, 1, 2, 3);
    add_submit(recording, 2, 0, 0x100, 16 | 1 << 23); /* no prefetch */
    add_pushdata(recording, 2, 0x100, 16 | 1 << 23, push_bytes, 16);
    ADD(recording, BO_CLOSE, 2, 0);
    return recording;
}

/* ---- importing ------------------------------------------------------------------------------ */

static bool import(const struct recording *recording, struct memory_file *trace,
                   struct gfe_error *error)
{
    FILE *file = fmemopen((void *)(uintptr_t)recording->bytes, recording->used, "rb");

    *trace = memory_file_new("", 0);
    const bool done = import_nvt(file, "F.nvt", trace->fd, "F.gft", error);
    fclose(file);
    return done;
}

static struct trace_reader *must_import(const struct recording *recording)
{
    struct memory_file trace;
    struct gfe_error error = {0};

    ck_assert_msg(import(recording, &trace, &error), "%s", error.text);
    struct trace_reader *reader = trace_reader_open(trace.path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    memory_file_free(&trace);
    return reader;
}

static struct trace_record next(struct trace_reader *reader, enum trace_kind kind)
{
    struct trace_record record;
    struct gfe_error error = {0};

    ck_assert_msg(trace_read(reader, &record, &error) == TRACE_GOT, "%s", error.text);
    ck_assert_msg(record.head.kind == kind, "%s", trace_record_row(record.head.kind)->name);
    return record;
}

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

/* ---- bad recordings ------------------------------------------------------------------------- */

static void bad_pushdata(struct recording *recording)
{
    uint8_t other[sizeof push_bytes];

    memcpy(other, push_bytes, sizeof other);
    other[20] ^= 1;
    add_pages(recording, 2, 0x100, 0x10000, push_bytes, sizeof push_bytes);
    add_submit(recording, 2, 0, 0x100, sizeof push_bytes);
    add_pushdata(recording, 2, 0x100, sizeof other, other, sizeof other);
}

static void pushdata_of_nothing(struct recording *recording)
{
    add_pushdata(recording, 2, 0x100, 4, push_bytes, 4);
}

static void unwritten_pushdata(struct recording *recording)
{
    add_submit(recording, 2, 0, 0x2000, 8);
    add_pushdata(recording, 2, 0x2000, 8, push_bytes, 8);
}

static void bad_bo_index(struct recording *recording)
{
    add_submit(recording, 2, 1, 0, 4);
}

static void push_past_the_buffer(struct recording *recording)
{
    add_submit(recording, 2, 0, 0x3ffd, 4);
}

static void push_in_no_buffer(struct recording *recording)
{
    add_submit(recording, 3, 0, 0, 4);
}

static void relocations(struct recording *recording)
{
    static const uint8_t relocation[28];
    const size_t submit = recording->used;

    add_submit(recording, 2, 0, 0, 4);
    recording->bytes[submit + 24 + 16] = 1;
    recording->used = recording->used - 24;
    add_data(recording, relocation, 28);
    recording->used += 24;
    end(recording);
}

static void too_many_pushes(struct recording *recording)
{
    const size_t submit = recording->used;

    add_submit(recording, 2, 0, 0, 4);
    memset(recording->bytes + submit + 24 + 20, 0xff, 4);
}

static void same_handle(struct recording *recording)
{
    add_bo(recording, 2, 4, 0x1000, 0x80000);
}

static void no_domain(struct recording *recording)
{
    add_bo(recording, 3, 1, 0x1000, 0x80000);
}

static void close_twice(struct recording *recording)
{
    ADD(recording, BO_CLOSE, 2, 0);
    ADD(recording, BO_CLOSE, 2, 0);
}

static void pages_past_the_end(struct recording *recording)
{
    add_pages(recording, 2, 0x3ff0, 0x10000, push_bytes, 17);
}

static void pages_elsewhere(struct recording *recording)
{
    add_pages(recording, 2, 0, 0x20000, push_bytes, 17);
}

static void gpu_write_nowhere(struct recording *recording)
{
    ADD(recording, GPUWRITE, 0, 0, 4, 2, 1);
}

static void gpu_write_for_nothing(struct recording *recording)
{
    ADD(recording, GPUWRITE, 0x1000, 1, 4, 9, 1);
}

static void bind_without_init(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void bind_of_nothing(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0x80, 0, 0x80);
    ADD(recording, VMBIND, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 77, 0, 0, 0, 0, 0, 4096, 0);
}

static void bind_operation(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0x80, 0, 0x80);
    ADD(recording, VMBIND, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4096, 0);
}

static void bind_length(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0x80, 0, 0x80);
    ADD(recording, VMBIND, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void exec_without_init(struct recording *recording)
{
    ADD(recording, EXEC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void exec_short(struct recording *recording)
{
    ADD(recording, EXEC, 0, 0, 0, 0);
}

static void exec_pushes(struct recording *recording)
{
    ADD(recording, EXEC, 0, 513, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void gpu_write_of_a_vm(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0x80, 0, 0x80);
    ADD(recording, GPUWRITE, 0x1000, 1, 4, 1, 1);
}

static void unknown_type(struct recording *recording)
{
    ADD(recording, 99, 0);
}

static void second_device(struct recording *recording)
{
    ADD(recording, DEVICE, 0x136, 0x1c03, 0xa02, 6);
}

static void back_in_time(struct recording *recording)
{
    recording->time_ns -= 20;
    ADD(recording, NVIF, 0);
}

static void huge(struct recording *recording)
{
    ADD(recording, NVIF, 0);
    memset(recording->bytes + recording->payload - 4, 0xff, 4);
}

struct bad_row {
    const char *message;
    void (*add)(struct recording *recording);
};
static const struct bad_row bad_rows[] = {
    {"PUSHDATA differs from the memory that PAGES gave", bad_pushdata},
    {"PUSHDATA differs from the memory that PAGES gave", unwritten_pushdata},
    {"a PUSHDATA that is no push entry", pushdata_of_nothing},
    {"names a buffer that is not in the list", bad_bo_index},
    {"reaches past the end of its buffer", push_past_the_buffer},
    {"a push entry in a buffer that is not there", push_in_no_buffer},
    {"relocations; these are not imported", relocations},
    {"more buffers or pushes than nouveau allows", too_many_pushes},
    {"a buffer whose handle is in use", same_handle},
    {"neither VRAM nor GART", no_domain},
    {"BO_CLOSE of a buffer that is not there", close_twice},
    {"PAGES reach past the end of their buffer", pages_past_the_end},
    {"PAGES whose address is not that of their buffer", pages_elsewhere},
    {"a GPUWRITE outside all buffers", gpu_write_nowhere},
    {"a GPUWRITE of unknown cause", gpu_write_for_nothing},
    {"a VM_BIND before any VM_INIT", bind_without_init},
    {"a VM_BIND of a buffer that is not there", bind_of_nothing},
    {"an unknown operation of VM_BIND", bind_operation},
    {"this record has a wrong length", bind_length},
    {"an EXEC before any VM_INIT", exec_without_init},
    {"an EXEC shorter than its fixed part", exec_short},
    {"an EXEC of more pushes than nouveau allows", exec_pushes},
    {"a GPUWRITE in a recording of VM_BIND", gpu_write_of_a_vm},
    {"a record of unknown type", unknown_type},
    {"a second DEVICE", second_device},
    {"a record earlier than the one before it", back_in_time},
    {"a record claims more than 16 MiB", huge},
};

START_TEST(a_bad_record_is_named_by_its_offset)
{
    const struct bad_row *row = &bad_rows[_i];
    struct recording *recording = recording_begin();
    struct memory_file trace;
    struct gfe_error error = {0};
    unsigned long long offset;

    row->add(recording);
    ck_assert(!import(recording, &trace, &error));
    ck_assert_msg(strstr(error.text, row->message) != NULL, "%s", error.text);
    ck_assert_int_eq(sscanf(error.text, "F.nvt: offset %llu: ", &offset), 1);
    ck_assert(memcmp(recording->bytes + offset, "NVTR", 4) == 0);
    memory_file_free(&trace);
    free(recording);
}
END_TEST

START_TEST(a_recording_cut_at_any_byte_is_refused_or_ends_between_two_records)
{
    struct recording *recording = small_recording();
    const size_t bytes = recording->used;
    size_t accepted = 0;

    for (recording->used = 1; recording->used <= bytes; recording->used++) {
        struct memory_file trace;
        struct gfe_error error = {0};
        uint64_t count;
        if (import(recording, &trace, &error)) {
            ck_assert_int_eq(sample_read(trace.path, false, &count, &error), TRACE_AT_END);
            accepted++;
        } else {
            ck_assert_msg(strstr(error.text, "F.nvt: offset ") == error.text, "%s", error.text);
        }
        memory_file_free(&trace);
    }
    ck_assert_uint_eq(accepted, 14); /* the records of the small recording */
    free(recording);
}
END_TEST

START_TEST(any_flipped_bit_gives_a_message_or_a_trace)
{
    struct recording *recording = small_recording();

    for (size_t bit = 0; bit < 8 * recording->used; bit++) {
        recording->bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        ck_assert_int_eq(fuzz_nvt(recording->bytes, recording->used), 0);
        recording->bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    free(recording);
}
END_TEST

START_TEST(foreign_and_empty_files_are_refused_in_words)
{
    static struct recording foreign = {.bytes = "gfeC is something else", .used = 22};
    struct memory_file trace;
    struct gfe_error error = {0};
    FILE *empty = fopen("/dev/null", "rb");

    ck_assert(!import(&foreign, &trace, &error));
    ck_assert_str_eq(error.text, "F.nvt: offset 0: this is no .nvt recording (\"NVTR\" expected)");
    error = (struct gfe_error){0};
    ck_assert(!import_nvt(empty, "F.nvt", trace.fd, "F.gft", &error));
    ck_assert_str_eq(error.text,
                     "F.nvt: offset 0: the file is empty: a .nvt recording was expected");
    fclose(empty);
    memory_file_free(&trace);
}
END_TEST

/* ---- recordings of real drivers, where there are any ---------------------------------------- */

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
    tcase_add_loop_test(tcase, a_bad_record_is_named_by_its_offset, 0,
                        (int)(sizeof bad_rows / sizeof bad_rows[0]));
    tcase_add_test(tcase, a_recording_cut_at_any_byte_is_refused_or_ends_between_two_records);
    tcase_add_test(tcase, any_flipped_bit_gives_a_message_or_a_trace);
    tcase_add_test(tcase, foreign_and_empty_files_are_refused_in_words);
    tcase_add_loop_test(tcase,
                        recordings_of_the_real_driver_are_imported_with_all_their_submissions, 0,
                        (int)(sizeof shared_rows / sizeof shared_rows[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
