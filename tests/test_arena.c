/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <signal.h>
#include <string.h>

#include "emu/engine/arena_watch.h"
#include "tests/suites.h"

static struct arena arena;

static void set_up(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(arena_init(&arena, &error), "%s", error.text);
}

static void tear_down(void)
{
    arena_fini(&arena);
}

START_TEST(blocks_are_zeroed_aligned_and_apart)
{
    static const uint8_t zeroes[1000];
    uint8_t *end = arena.base;

    for (size_t bytes = 0; bytes < sizeof zeroes; bytes += 7) {
        uint8_t *block = arena_alloc(&arena, bytes);

        ck_assert_uint_eq((uintptr_t)block % ARENA_ALIGN_BYTES, 0);
        ck_assert(block >= end);
        ck_assert_int_eq(memcmp(block, zeroes, bytes), 0);
        memset(block, 0xff, bytes);
        end = block + bytes;
        ck_assert(end <= arena.base + arena.used_bytes);
    }
}
END_TEST

/* The same wiring gives the same places: references between two machines are offsets. */
START_TEST(the_same_requests_give_the_same_offsets)
{
    static const size_t requests[] = {1, 16, 17, 4096, 5};
    struct gfe_error error = {0};
    struct arena second;

    ck_assert(arena_init(&second, &error));
    for (unsigned i = 0; i < sizeof requests / sizeof requests[0]; i++)
        ck_assert_int_eq((uint8_t *)arena_alloc(&arena, requests[i]) - arena.base,
                         (uint8_t *)arena_alloc(&second, requests[i]) - second.base);
    ck_assert_uint_eq(arena.used_bytes, second.used_bytes);
    arena_fini(&second);
    arena_fini(&second);
}
END_TEST

START_TEST(all_of_the_arena_can_be_given_out_and_no_more)
{
    uint8_t *block = arena_alloc(&arena, ARENA_CAPACITY_BYTES - ARENA_ALIGN_BYTES);

    block[0] = 1;
    block[ARENA_CAPACITY_BYTES - ARENA_ALIGN_BYTES - 1] = 1;
    (void)arena_alloc(&arena, 0);
    (void)arena_alloc(&arena, 1); /* asserts */
}
END_TEST

START_TEST(a_request_that_would_wrap_around_is_refused)
{
    (void)arena_alloc(&arena, 100);
    (void)arena_alloc(&arena, SIZE_MAX - 50);
}
END_TEST

START_TEST(a_sealed_arena_gives_nothing)
{
    arena_seal(&arena);
    (void)arena_alloc(&arena, 1);
}
END_TEST

/* ---- watching -------------------------------------------------------------------------------- */

enum { WATCHED_PAGES = 20 };

static uint8_t *watched(void)
{
    uint8_t *block = arena_alloc(&arena, (size_t)WATCHED_PAGES * ARENA_PAGE_BYTES);
    struct gfe_error error = {0};

    block[5] = 5;
    arena_seal(&arena);
    ck_assert_msg(arena_watch(&arena, &error), "%s", error.text);
    return block;
}

START_TEST(a_watched_page_is_noted_when_it_is_first_written)
{
    uint8_t *block = watched();

    ck_assert_uint_eq(arena.watch->count, 0);
    block[3 * ARENA_PAGE_BYTES] = 1;
    block[3 * ARENA_PAGE_BYTES + 1] = 1;
    ck_assert_uint_eq(arena.watch->count, 1);
    ck_assert_uint_eq(arena.watch->pages[0], 3);
    memset(block + 5 * ARENA_PAGE_BYTES - 8, 7, 16); /* over the edge of two */
    ck_assert_uint_eq(arena.watch->count, 3);
    arena_unwatch(&arena);
    block[0] = 1;
    ck_assert_ptr_null(arena.watch);
}
END_TEST

/* Images of a watched arena hold all of it, written or not, and restore what has changed. */
/* PROMISE (engine): Images of a watched arena are whole. */
START_TEST(images_of_a_watched_arena_are_whole)
{
    uint8_t *block = watched();
    struct arena_image *first = arena_take(&arena), *second;
    size_t hint = 0;

    block[3 * ARENA_PAGE_BYTES] = 1;
    ck_assert(!arena_equals(&arena, first, NULL, 0, &hint));
    ck_assert_uint_eq(hint, 3 * ARENA_PAGE_BYTES);
    second = arena_take(&arena);
    ck_assert_uint_eq(second->pages[0]->data[5], 5);
    ck_assert(arena_equals(&arena, second, NULL, 0, &hint));
    block[7 * ARENA_PAGE_BYTES] = 1;
    block[5] = 6;
    arena_restore(&arena, first);
    ck_assert(arena_equals(&arena, first, NULL, 0, &hint));
    ck_assert_uint_eq(block[5], 5);
    ck_assert_uint_eq(block[3 * ARENA_PAGE_BYTES], 0);
    ck_assert_uint_eq(block[7 * ARENA_PAGE_BYTES], 0);
    arena_restore(&arena, second);
    ck_assert_uint_eq(block[3 * ARENA_PAGE_BYTES], 1);
    arena_image_free(first);
    arena_image_free(second);
}
END_TEST

START_TEST(ranges_are_left_out_of_a_comparison_to_the_byte)
{
    static const struct arena_range range[] = {{100, 104},
                                               {ARENA_PAGE_BYTES - 2, 2 * ARENA_PAGE_BYTES + 3}};
    static const size_t inside[] = {100, 103, ARENA_PAGE_BYTES - 2, ARENA_PAGE_BYTES + 9,
                                    2 * ARENA_PAGE_BYTES + 2};
    static const size_t outside[] = {99, 104, ARENA_PAGE_BYTES - 3, 2 * ARENA_PAGE_BYTES + 3};
    uint8_t *block = watched();
    struct arena_image *image = arena_take(&arena);
    size_t hint = 0;

    for (unsigned i = 0; i < sizeof inside / sizeof inside[0]; i++)
        block[inside[i]]++;
    ck_assert(arena_equals(&arena, image, range, 2, &hint));
    for (unsigned i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        block[outside[i]]++;
        ck_assert(!arena_equals(&arena, image, range, 2, &hint));
        block[outside[i]]--;
    }
    arena_image_free(image);
}
END_TEST

START_TEST(a_fault_that_is_not_the_arenas_is_one)
{
    static const char constant[] = "constant";
    char *volatile text = (char *)(uintptr_t)constant;

    (void)signal(SIGSEGV, SIG_DFL); /* a sanitizer's own report is none */
    (void)watched();
    text[0] = 'C';
}
END_TEST

Suite *arena_suite(void)
{
    Suite *suite = suite_create("arena");
    TCase *tcase = tcase_create("blocks");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, blocks_are_zeroed_aligned_and_apart);
    tcase_add_test(tcase, the_same_requests_give_the_same_offsets);
    tcase_add_test_raise_signal(tcase, all_of_the_arena_can_be_given_out_and_no_more, SIGABRT);
    tcase_add_test_raise_signal(tcase, a_request_that_would_wrap_around_is_refused, SIGABRT);
    tcase_add_test_raise_signal(tcase, a_sealed_arena_gives_nothing, SIGABRT);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("watch");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_watched_page_is_noted_when_it_is_first_written);
    tcase_add_test(tcase, images_of_a_watched_arena_are_whole);
    tcase_add_test(tcase, ranges_are_left_out_of_a_comparison_to_the_byte);
    tcase_add_test_raise_signal(tcase, a_fault_that_is_not_the_arenas_is_one, SIGSEGV);
    suite_add_tcase(suite, tcase);
    return suite;
}
