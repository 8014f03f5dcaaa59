/* SPDX-License-Identifier: MIT */
/* What a trace's address spaces hold when a submission comes. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "traces/format/trace_space.h"
#include "tests/suites.h"

static void map(struct trace_spaces *spaces, uint32_t as_id, uint32_t handle, uint64_t va)
{
    const struct trace_record record = {
        .head = {.kind = TRACE_AS_MAP},
        .as_map = {.as_id = as_id, .va = va, .size_bytes = 0x2000, .handle = handle}};

    ck_assert(trace_spaces_record(spaces, &record, NULL));
}

static void unmap(struct trace_spaces *spaces, uint32_t as_id, uint64_t va)
{
    const struct trace_record record = {
        .head = {.kind = TRACE_AS_UNMAP},
        .as_unmap = {.as_id = as_id, .va = va, .size_bytes = 0x2000}};

    ck_assert(trace_spaces_record(spaces, &record, NULL));
}

static bool mem(struct trace_spaces *spaces, uint32_t as_id, uint64_t va, const char *text,
                struct gfe_error *error)
{
    const struct trace_record record = {
        .head = {.kind = TRACE_MEM},
        .mem = {.as_id = as_id,
                .address = va,
                .data = {(const uint8_t *)text, (uint32_t)strlen(text)}}};

    return trace_spaces_record(spaces, &record, error);
}

static bool push_va(const struct trace_spaces *spaces, uint32_t as_id, uint32_t handle,
                    uint64_t offset, uint64_t *va)
{
    const struct trace_push push = {.handle = handle, .offset = offset};

    return trace_spaces_push_va(spaces, as_id, &push, va);
}

START_TEST(a_push_is_found_where_its_buffer_is_mapped)
{
    struct trace_spaces spaces = {0};
    uint64_t va = 0;

    map(&spaces, 0, 7, 0x100000);
    map(&spaces, 1, 7, 0x900000);
    ck_assert(push_va(&spaces, 0, 7, 0x10, &va));
    ck_assert_uint_eq(va, 0x100010);
    ck_assert(push_va(&spaces, 1, 7, 0x1fff, &va));
    ck_assert_uint_eq(va, 0x901fff);
    ck_assert(!push_va(&spaces, 1, 7, 0x2000, &va));
    ck_assert(!push_va(&spaces, 0, 8, 0, &va));
    ck_assert(push_va(&spaces, 0, TRACE_ANY, 0x1234, &va));
    ck_assert_uint_eq(va, 0x1234);
    trace_spaces_fini(&spaces);
}
END_TEST

/* A window into a buffer: object_offset is what stands at its start. */
START_TEST(a_part_of_a_buffer_may_be_mapped)
{
    const struct trace_record record = {
        .head = {.kind = TRACE_AS_MAP},
        .as_map = {.va = 0x5000, .size_bytes = 0x1000, .handle = 3, .object_offset = 0x8000}};
    struct trace_spaces spaces = {0};
    uint64_t va = 0;

    ck_assert(trace_spaces_record(&spaces, &record, NULL));
    ck_assert(push_va(&spaces, 0, 3, 0x8004, &va));
    ck_assert_uint_eq(va, 0x5004);
    ck_assert(!push_va(&spaces, 0, 3, 4, &va));
    trace_spaces_fini(&spaces);
}
END_TEST

START_TEST(what_is_unmapped_is_gone_and_may_come_elsewhere)
{
    struct trace_spaces spaces = {0};
    uint64_t va = 0;

    for (uint32_t handle = 0; handle < 100; handle++)
        map(&spaces, 0, handle, 0x10000 * (handle + 1));
    for (uint32_t handle = 0; handle < 100; handle += 2)
        unmap(&spaces, 0, 0x10000 * (handle + 1));
    unmap(&spaces, 1, 0x20000); /* of another space */
    for (uint32_t handle = 0; handle < 100; handle++)
        ck_assert_int_eq(push_va(&spaces, 0, handle, 0, &va), handle % 2 == 1);
    map(&spaces, 0, 4, 0x70000000);
    ck_assert(push_va(&spaces, 0, 4, 0, &va));
    ck_assert_uint_eq(va, 0x70000000);
    trace_spaces_fini(&spaces);
}
END_TEST

START_TEST(memory_is_kept_by_space_and_address)
{
    struct trace_spaces spaces = {0};
    char text[8] = "";

    ck_assert(mem(&spaces, 0, 0xffe, "left", NULL)); /* over a page's end */
    ck_assert(mem(&spaces, 1, 0xffe, "right", NULL));
    ck_assert(mem(&spaces, TRACE_AS_PHYSICAL, 0xffe, "other", NULL)); /* no space's */
    ck_assert(trace_space_read(trace_space(&spaces, 0, NULL), 0xffe, text, 5));
    ck_assert_str_eq(text, "left");
    ck_assert(trace_space_read(trace_space(&spaces, 1, NULL), 0xffe, text, 6));
    ck_assert_str_eq(text, "right");
    ck_assert(trace_space_read(trace_space(&spaces, 2, NULL), 0xffe, text, 6));
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(spaces.space_count, 3);
    trace_spaces_fini(&spaces);
}
END_TEST

START_TEST(memory_outside_the_address_space_is_an_error)
{
    struct trace_spaces spaces = {0};
    struct gfe_error error = {0};
    char byte;

    ck_assert(!mem(&spaces, 0, TRACE_SPACE_VA_BYTES - 2, "abc", &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert(!trace_space_read(trace_space(&spaces, 0, NULL), TRACE_SPACE_VA_BYTES, &byte, 1));
    trace_spaces_fini(&spaces);
}
END_TEST

START_TEST(too_many_spaces_are_an_error)
{
    struct trace_spaces spaces = {0};
    struct gfe_error error = {0};

    for (uint32_t as_id = 0; as_id < TRACE_SPACES_MAX; as_id++)
        ck_assert_ptr_nonnull(trace_space(&spaces, as_id, &error));
    ck_assert_int_eq(error.kind, ERROR_NONE);
    ck_assert_ptr_null(trace_space(&spaces, TRACE_SPACES_MAX, &error));
    ck_assert_int_eq(error.kind, ERROR_LIMIT);
    trace_spaces_fini(&spaces);
}
END_TEST

Suite *trace_space_suite(void)
{
    Suite *suite = suite_create("trace_space");
    TCase *tcase = tcase_create("spaces");

    tcase_add_test(tcase, a_push_is_found_where_its_buffer_is_mapped);
    tcase_add_test(tcase, a_part_of_a_buffer_may_be_mapped);
    tcase_add_test(tcase, what_is_unmapped_is_gone_and_may_come_elsewhere);
    tcase_add_test(tcase, memory_is_kept_by_space_and_address);
    tcase_add_test(tcase, memory_outside_the_address_space_is_an_error);
    tcase_add_test(tcase, too_many_spaces_are_an_error);
    suite_add_tcase(suite, tcase);
    return suite;
}
