/* SPDX-License-Identifier: MIT */
/* .nvt recordings that no recorder makes: each is refused in words. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_nvt.h"
#include "tests/nvt_recording.h"
#include "tests/suites.h"

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

/* A word more than its operations take. */
static void bind_too_long(struct recording *recording)
{
    ADD(recording, VMBIND, 0, 0x80, 0, 0x80);
    ADD(recording, VMBIND, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void close_too_long(struct recording *recording)
{
    ADD(recording, BO_CLOSE, 2, 0, 0);
}

static void close_too_short(struct recording *recording)
{
    ADD(recording, BO_CLOSE, 2);
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
    {"this record has a wrong length", bind_too_long},
    {"this record has a wrong length", close_too_long},
    {"this record has a wrong length", close_too_short},
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

Suite *import_nvt_bad_suite(void)
{
    Suite *suite = suite_create("import_nvt_bad");
    TCase *tcase = tcase_create("all");

    tcase_add_loop_test(tcase, a_bad_record_is_named_by_its_offset, 0,
                        (int)(sizeof bad_rows / sizeof bad_rows[0]));
    tcase_add_test(tcase, a_recording_cut_at_any_byte_is_refused_or_ends_between_two_records);
    tcase_add_test(tcase, any_flipped_bit_gives_a_message_or_a_trace);
    tcase_add_test(tcase, foreign_and_empty_files_are_refused_in_words);
    suite_add_tcase(suite, tcase);
    return suite;
}
