/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "firmware-models/extent.h"
#include "tests/suites.h"

enum { PAGES = 512, PAGE = 4096, HELD = 64 };

static struct extents *extents;

static void setup(void)
{
    extents = calloc(1, sizeof *extents);
    ck_assert_ptr_nonnull(extents);
    extents_init(extents, 0, PAGES * PAGE);
}

static void teardown(void)
{
    free(extents);
}

START_TEST(the_first_range_that_fits_is_taken)
{
    ck_assert_uint_eq(extent_take(extents, PAGE, PAGE), 0);
    ck_assert_uint_eq(extent_take(extents, 4 * PAGE, 4 * PAGE), 4 * PAGE);
    ck_assert_uint_eq(extent_take(extents, PAGE, PAGE), PAGE);
    ck_assert(extent_give(extents, 0, PAGE));
    ck_assert_uint_eq(extent_take(extents, PAGE, PAGE), 0);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    ck_assert_uint_eq(extent_take(extents, (PAGES + 1) * PAGE, PAGE), EXTENT_NONE);
    ck_assert_uint_eq(extent_take(extents, UINT64_MAX, PAGE), EXTENT_NONE);
    ck_assert_uint_eq(extent_take(extents, PAGES * PAGE, PAGE), 0);
    ck_assert_uint_eq(extent_take(extents, PAGE, PAGE), EXTENT_NONE);
}
END_TEST

/* Against a map of pages: never twice the same, aligned, all there again at the end. */
START_TEST(any_order_of_taking_and_giving_keeps_the_books)
{
    bool used[PAGES] = {false};
    struct {
        uint64_t address, pages;
    } held[HELD] = {{0, 0}};
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 0);
    for (uint32_t round = 0; round < 4000; round++) {
        const uint32_t i = random_below(&random, HELD);

        if (held[i].pages) {
            ck_assert(extent_give(extents, held[i].address, held[i].pages * PAGE));
            memset(&used[held[i].address / PAGE], 0, held[i].pages);
            held[i].pages = 0;
        } else {
            const uint64_t pages = 1 + random_below(&random, 16);
            const uint64_t align = (uint64_t)PAGE << random_below(&random, 4);
            const uint64_t address = extent_take(extents, pages * PAGE, align);

            if (address == EXTENT_NONE)
                continue;
            ck_assert_uint_eq(address % align, 0);
            ck_assert_uint_le(address / PAGE + pages, PAGES);
            for (uint64_t page = 0; page < pages; page++) {
                ck_assert(!used[address / PAGE + page]);
                used[address / PAGE + page] = true;
            }
            held[i].address = address;
            held[i].pages = pages;
        }
    }
    for (uint32_t i = 0; i < HELD; i++)
        if (held[i].pages)
            ck_assert(extent_give(extents, held[i].address, held[i].pages * PAGE));
    ck_assert_uint_eq(extents->count, 1);
    ck_assert_uint_eq(extents->free[0].size_bytes, PAGES * PAGE);
}
END_TEST

Suite *extent_suite(void)
{
    Suite *suite = suite_create("extent");
    TCase *tcase = tcase_create("ranges");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_first_range_that_fits_is_taken);
    tcase_add_test(tcase, what_does_not_fit_is_refused);
    tcase_add_loop_test(tcase, any_order_of_taking_and_giving_keeps_the_books, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
