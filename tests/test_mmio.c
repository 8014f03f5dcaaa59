/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <signal.h>

#include "emu/engine/mmio.h"
#include "tests/suites.h"

/* clang-format off */
#define TRY_REGS(REG, FIELD, VALUE)                      \
    REG(TRY_RO, 0x00, 1, 4, RO, 0x11, "")                \
    REG(TRY_RW, 0x04, 1, 4, RW, 0x22, "")                \
    REG(TRY_WO, 0x08, 1, 4, WO, 0x00, "")                \
    REG(TRY_W1C, 0x0c, 1, 4, W1C, 0xff, "")              \
    REG(TRY_HOOK, 0x10, 1, 4, HOOK, 0x44, "")            \
      FIELD(TRY_HOOK_LOW, 3, 0, "")                      \
    REG(TRY_ARRAY, 0x20, 3, 8, RW, 0x55, "")
/* clang-format on */
enum { TRY_REGS(REG_CONST, FIELD_CONST, VALUE_CONST) };
static const struct reg_row try_rows[] = {TRY_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};
static const struct reg_list try_list = {
    .name = "try",
    .source = "",
    .rows = try_rows,
    .row_count = sizeof try_rows / sizeof try_rows[0],
};

static struct arena arena;
static struct mmio mmio;

static void set_up(void)
{
    struct gfe_error error = {0};

    ck_assert(arena_init(&arena, &error));
    mmio_init(&mmio, &arena);
}

static void tear_down(void)
{
    mmio_fini(&mmio);
    arena_fini(&arena);
}

static struct mmio_window *place(uint32_t base, uint32_t size_bytes, uint32_t instance)
{
    struct gfe_error error = {0};
    const struct mmio_window window = {.name = "try",
                                       .list = &try_list,
                                       .base = base,
                                       .size_bytes = size_bytes,
                                       .instance = instance};

    return mmio_add(&mmio, &arena, window, &error);
}

static uint32_t stored(uint32_t offset, uint32_t old, uint32_t value)
{
    uint32_t index;
    const struct reg_row *row = reg_find(&try_list, REG_ALL_VARIANTS, offset, &index);
    const struct reg_masks masks = reg_masks(&try_list, REG_ALL_VARIANTS, row);

    return mmio_stored_by_write(&masks, old, value);
}

START_TEST(each_access_kind_stores_what_it_should)
{
    ck_assert_uint_eq(stored(TRY_RO, 0x11, 0xff), 0x11);
    ck_assert_uint_eq(stored(TRY_RW, 0x11, 0xf0), 0xf0);
    ck_assert_uint_eq(stored(TRY_WO, 0, 0xf0), 0);
    ck_assert_uint_eq(stored(TRY_W1C, 0x3f, 0x18), 0x27);
    ck_assert_uint_eq(stored(TRY_W1C, 0x3f, 0xc0), 0x3f);
    ck_assert_uint_eq(stored(TRY_HOOK, 0x11, 0xf0), 0xf0);
}
END_TEST

START_TEST(registers_begin_with_their_reset_values)
{
    const struct mmio_window *window = place(0x1000, 0x100, 0);

    ck_assert_ptr_nonnull(window);
    ck_assert_uint_eq(window->storage[TRY_RO / 4], 0x11);
    ck_assert_uint_eq(window->storage[TRY_W1C / 4], 0xff);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(window->storage[(TRY_ARRAY + 8 * i) / 4], 0x55);
        ck_assert_str_eq(window->row_of_word[(TRY_ARRAY + 8 * i) / 4]->name, "TRY_ARRAY");
        ck_assert_ptr_null(window->row_of_word[(TRY_ARRAY + 8 * i) / 4 + 1]);
        ck_assert_uint_eq(window->storage[(TRY_ARRAY + 8 * i) / 4 + 1], 0);
    }
}
END_TEST

/* Two units of one kind: neither sees the other's registers. */
START_TEST(windows_are_found_to_the_byte_and_have_storage_of_their_own)
{
    struct mmio_window *low = place(0x1000, 0x100, 0), *high = place(0x1100, 0x100, 1);

    low->storage[TRY_RW / 4] = 1;
    high->storage[TRY_RW / 4] = 2;
    ck_assert_uint_eq(low->storage[TRY_RW / 4], 1);
    ck_assert_ptr_null(mmio_find(&mmio, 0xfff));
    ck_assert_ptr_eq(mmio_find(&mmio, 0x1000), low);
    ck_assert_ptr_eq(mmio_find(&mmio, 0x10ff), low);
    ck_assert_ptr_eq(mmio_find(&mmio, 0x1100), high);
    ck_assert_ptr_eq(mmio_find(&mmio, 0x11ff), high);
    ck_assert_ptr_null(mmio_find(&mmio, 0x1200));
    ck_assert_ptr_null(mmio_find(&mmio, UINT32_MAX));
    ck_assert_uint_eq(mmio_find(&mmio, 0x1180)->instance, 1);
}
END_TEST

START_TEST(a_window_may_end_with_the_last_address)
{
    struct mmio_window *last = place(UINT32_MAX - 0xff, 0x100, 0);

    ck_assert_ptr_eq(mmio_find(&mmio, UINT32_MAX), last);
    ck_assert_ptr_null(mmio_find(&mmio, UINT32_MAX - 0x100));
    ck_assert_ptr_nonnull(place(0x1000, 0x100, 1));
}
END_TEST

START_TEST(windows_that_overlap_are_a_programmers_error)
{
    (void)place(0x1000, 0x100, 0);
    (void)place(0x10fc, 0x100, 1);
}
END_TEST

START_TEST(windows_that_overlap_at_the_last_address_are_one_too)
{
    (void)place(UINT32_MAX - 0xff, 0x100, 0);
    (void)place(UINT32_MAX - 0x17f, 0x100, 1);
}
END_TEST

START_TEST(a_register_outside_its_window_is_a_programmers_error)
{
    (void)place(0x1000, 0x30, 0);
}
END_TEST

/* PROMISE (engine): An access to a register that no list has is reported once for each
 * direction. */
START_TEST(an_unmodelled_access_is_reported_once_for_each_direction)
{
    ck_assert(mmio_report_once(&mmio, 0x2000, false));
    ck_assert(!mmio_report_once(&mmio, 0x2000, false));
    ck_assert(!mmio_report_once(&mmio, 0x2003, false)); /* the same word */
    ck_assert(mmio_report_once(&mmio, 0x2000, true));
    ck_assert(!mmio_report_once(&mmio, 0x2000, true));
    ck_assert(mmio_report_once(&mmio, 0x2004, false));
    ck_assert(mmio_report_once(&mmio, 0, false));
    ck_assert(!mmio_report_once(&mmio, 0, false));
}
END_TEST

/* The list of what was reported is bounded; what no longer fits is counted. */
START_TEST(reports_beyond_the_bound_are_counted)
{
    for (uint32_t i = 0; i < MMIO_REPORTED_MAX; i++)
        ck_assert(mmio_report_once(&mmio, 4 * i, false));
    ck_assert_uint_eq(mmio.state->unreported_count, 0);
    ck_assert(!mmio_report_once(&mmio, 0x100000, false));
    ck_assert(!mmio_report_once(&mmio, 0x100004, true));
    ck_assert(!mmio_report_once(&mmio, 0, false));
    ck_assert_uint_eq(mmio.state->unreported_count, 2);
}
END_TEST

Suite *mmio_suite(void)
{
    Suite *suite = suite_create("mmio");
    TCase *tcase = tcase_create("windows");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, each_access_kind_stores_what_it_should);
    tcase_add_test(tcase, registers_begin_with_their_reset_values);
    tcase_add_test(tcase, windows_are_found_to_the_byte_and_have_storage_of_their_own);
    tcase_add_test(tcase, a_window_may_end_with_the_last_address);
    tcase_add_test_raise_signal(tcase, windows_that_overlap_are_a_programmers_error, SIGABRT);
    tcase_add_test_raise_signal(tcase, windows_that_overlap_at_the_last_address_are_one_too,
                                SIGABRT);
    tcase_add_test_raise_signal(tcase, a_register_outside_its_window_is_a_programmers_error,
                                SIGABRT);
    tcase_add_test(tcase, an_unmodelled_access_is_reported_once_for_each_direction);
    tcase_add_test(tcase, reports_beyond_the_bound_are_counted);
    suite_add_tcase(suite, tcase);
    return suite;
}
