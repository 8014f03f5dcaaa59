/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <signal.h>
#include <string.h>

#include "emu/arena.h"
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
    return suite;
}
