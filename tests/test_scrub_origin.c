/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/suites.h"
#include "traces/format/scrub_origin.h"

enum { AS = 3, REASON = 1, OTHER_REASON = 2, PHYSICAL = 5 };
#define PAGE UINT64_C(0x100000000)

static struct scrub_origin origin;

static void setup(void)
{
    scrub_origin_init(&origin, 0);
}

static void teardown(void)
{
    scrub_origin_fini(&origin);
}

static void put_in(uint32_t as_id, uint64_t va, const char *text)
{
    const struct trace_record record = {
        .head.kind = TRACE_MEM,
        .mem = {.as_id = as_id,
                .address = va,
                .data = {(const uint8_t *)text, (uint32_t)strlen(text)}}};

    ck_assert_msg(scrub_origin_record(&origin, &record, PHYSICAL), "%s", origin.error.text);
}

static void put(uint64_t va, const char *text)
{
    put_in(AS, va, text);
}

static void needs(uint64_t va, uint64_t bytes)
{
    scrub_origin_needs(&origin, AS, va, bytes, REASON, false);
}

/* "x" for a byte that is needed, "=" for one that repeats, "." for neither. */
static void expect(const char *marks)
{
    ck_assert_uint_eq(origin.byte_count, strlen(marks));
    for (uint64_t i = 0; i < origin.byte_count; i++) {
        const char mark = scrub_origin_is_needed(&origin, i)     ? 'x'
                          : scrub_origin_is_repeated(&origin, i) ? '='
                                                                 : '.';

        ck_assert_msg(mark == marks[i], "byte %d is '%c', not '%c'", (int)i, mark, marks[i]);
    }
}

START_TEST(what_is_read_is_needed)
{
    put(PAGE, "abcdefgh");
    needs(PAGE + 2, 3);
    expect("..xxx...");
    ck_assert_uint_eq(origin.needed_count[REASON], 3);
    scrub_origin_needs(&origin, AS, PAGE + 4, 2, OTHER_REASON, false);
    ck_assert_uint_eq(origin.needed_count[OTHER_REASON], 1); /* the first reason counts */
}
END_TEST

START_TEST(what_was_there_before_is_not)
{
    put(PAGE, "abcd");
    put(PAGE, "ABCD");
    needs(PAGE, 4);
    expect("....xxxx");
}
END_TEST

START_TEST(what_is_read_before_it_is_overwritten_is)
{
    put(PAGE, "abcd");
    needs(PAGE, 2);
    put(PAGE, "ABCD");
    expect("xx......");
}
END_TEST

START_TEST(bytes_that_stay_keep_their_number)
{
    put(PAGE, "abcd");
    put(PAGE, "aXcY");
    needs(PAGE, 2);
    expect("x...=x=.");
}
END_TEST

START_TEST(address_spaces_are_apart)
{
    put(PAGE, "abcd");
    put_in(AS + 1, PAGE, "abcd");
    needs(PAGE, 4);
    expect("xxxx....");
}
END_TEST

START_TEST(moved_bytes_are_needed_where_they_came_from)
{
    put(PAGE, "abcdefgh");
    scrub_origin_moves(&origin, AS, PAGE + 0x5000, PAGE + 2, 4);
    scrub_origin_moves(&origin, AS, PAGE + 0x9000, PAGE + 0x5001, 2);
    needs(PAGE + 0x9000, 2);
    expect("...xx...");
    uint8_t found[4];
    ck_assert(scrub_origin_read(&origin, AS, PAGE + 0x5000, found, 4));
    ck_assert_mem_eq(found, "cdef", 4);
}
END_TEST

/* The CPU's bytes are other bytes than those that a copy left there, though they look the same. */
START_TEST(a_moved_byte_is_not_repeated)
{
    put(PAGE, "abcd");
    scrub_origin_moves(&origin, AS, PAGE + 0x5000, PAGE, 4);
    put(PAGE + 0x5000, "abcd");
    needs(PAGE + 0x5000, 4);
    expect("....xxxx");
}
END_TEST

START_TEST(a_watched_place_needs_what_comes)
{
    scrub_origin_needs(&origin, AS, PAGE + 4, 4, REASON, true);
    put(PAGE, "abcdefghijkl");
    expect("....xxxx....");
    put(PAGE + 0x5000, "wxyz");
    scrub_origin_moves(&origin, AS, PAGE + 6, PAGE + 0x5000, 4);
    expect("....xxxx....xx..");
}
END_TEST

START_TEST(a_move_over_a_page_is_whole)
{
    put(PAGE + 0xffe, "ab");
    put(PAGE + 0x1000, "cd");
    scrub_origin_moves(&origin, AS, PAGE + 0x2fff, PAGE + 0xffe, 4);
    needs(PAGE + 0x2fff, 1);
    needs(PAGE + 0x3002, 1);
    expect("x..x");
}
END_TEST

START_TEST(physical_memory_is_needed)
{
    put_in(TRACE_AS_PHYSICAL, 0, "ab");
    expect("xx");
    ck_assert_uint_eq(origin.needed_count[PHYSICAL], 2);
}
END_TEST

START_TEST(what_lies_outside_is_nobodys)
{
    uint8_t byte;

    put(PAGE, "abcd");
    needs(TRACE_SPACE_VA_BYTES - 2, 100);
    needs(UINT64_MAX, 4);
    scrub_origin_moves(&origin, AS, TRACE_SPACE_VA_BYTES - 1, PAGE, 4);
    scrub_origin_moves(&origin, AS, PAGE, UINT64_MAX - 2, 4);
    ck_assert(!scrub_origin_read(&origin, AS, TRACE_SPACE_VA_BYTES, &byte, 1));
    expect("....");
    ck_assert_int_eq(origin.error.kind, ERROR_NONE);
}
END_TEST

START_TEST(memory_outside_is_an_error)
{
    const struct trace_record record = {.head.kind = TRACE_MEM,
                                        .mem = {.as_id = AS,
                                                .address = TRACE_SPACE_VA_BYTES - 1,
                                                .data = {(const uint8_t *)"ab", 2}}};

    ck_assert(!scrub_origin_record(&origin, &record, PHYSICAL));
    ck_assert_int_eq(origin.error.kind, ERROR_INPUT);
}
END_TEST

START_TEST(a_limit_is_kept)
{
    scrub_origin_fini(&origin);
    scrub_origin_init(&origin, 3 * MEMORY_PAGE_BYTES);
    for (uint64_t page = 0; page < 3; page++)
        put(PAGE + page * MEMORY_PAGE_BYTES, "abcd");
    const struct trace_record record = {.head.kind = TRACE_MEM,
                                        .mem = {.as_id = AS,
                                                .address = PAGE + 3 * MEMORY_PAGE_BYTES,
                                                .data = {(const uint8_t *)"ab", 2}}};
    ck_assert(!scrub_origin_record(&origin, &record, PHYSICAL));
    ck_assert_int_eq(origin.error.kind, ERROR_LIMIT);
}
END_TEST

Suite *scrub_origin_suite(void)
{
    Suite *suite = suite_create("scrub_origin");
    TCase *tests = tcase_create("scrub_origin");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_is_read_is_needed);
    tcase_add_test(tests, what_was_there_before_is_not);
    tcase_add_test(tests, what_is_read_before_it_is_overwritten_is);
    tcase_add_test(tests, bytes_that_stay_keep_their_number);
    tcase_add_test(tests, address_spaces_are_apart);
    tcase_add_test(tests, moved_bytes_are_needed_where_they_came_from);
    tcase_add_test(tests, a_moved_byte_is_not_repeated);
    tcase_add_test(tests, a_watched_place_needs_what_comes);
    tcase_add_test(tests, a_move_over_a_page_is_whole);
    tcase_add_test(tests, physical_memory_is_needed);
    tcase_add_test(tests, what_lies_outside_is_nobodys);
    tcase_add_test(tests, memory_outside_is_an_error);
    tcase_add_test(tests, a_limit_is_kept);
    suite_add_tcase(suite, tests);
    return suite;
}
