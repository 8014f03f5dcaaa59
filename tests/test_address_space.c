/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/address_space.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

enum { PAGE = MEMORY_PAGE_BYTES, SPACES = 3, RANGES = 40, PAGES = 64 };

static struct arena arena;
static struct address_spaces spaces;

static void set_up(void)
{
    struct gfe_error error = {0};

    ck_assert(arena_init(&arena, &error));
    address_spaces_init(&spaces, &arena, SPACES, RANGES);
    for (uint32_t id = 0; id < SPACES; id++)
        ck_assert_uint_eq(address_space_new(&spaces, MEMORY_VRAM, id * UINT64_C(0x10000)), id);
}

static void tear_down(void)
{
    arena_fini(&arena);
}

static enum address_space_result map(uint32_t space_id, uint64_t va, uint64_t size_bytes,
                                     uint64_t physical)
{
    const struct address_space_range range = {.va = va,
                                              .size_bytes = size_bytes,
                                              .physical = physical,
                                              .space_id = space_id,
                                              .aperture = MEMORY_SYSMEM,
                                              .page_kind = 6};

    return address_space_map(&spaces, &range);
}

/* Physical address of va; UINT64_MAX when it is not mapped. */
static uint64_t physical(uint32_t space_id, uint64_t va)
{
    struct address_space_range where;
    uint64_t contiguous;

    return address_space_translate(&spaces, space_id, va, &where, &contiguous) ? where.physical
                                                                               : UINT64_MAX;
}

START_TEST(a_space_is_found_by_its_root_and_no_other)
{
    ck_assert_uint_eq(address_space_by_root(&spaces, MEMORY_VRAM, 0x10000), 1);
    ck_assert_uint_eq(address_space_by_root(&spaces, MEMORY_SYSMEM, 0x10000), ADDRESS_SPACE_NONE);
    ck_assert_uint_eq(address_space_by_root(&spaces, MEMORY_VRAM, 0x11000), ADDRESS_SPACE_NONE);
    ck_assert_uint_eq(address_space_new(&spaces, MEMORY_VRAM, 0x99000), ADDRESS_SPACE_NONE);
}
END_TEST

START_TEST(a_translation_keeps_offset_kind_and_aperture)
{
    struct address_space_range where;
    uint64_t contiguous;

    ck_assert_int_eq(map(1, 0x5000, 3 * PAGE, 0x90000), ADDRESS_SPACE_OK);
    ck_assert(address_space_translate(&spaces, 1, 0x6123, &where, &contiguous));
    ck_assert_uint_eq(where.physical, 0x91123);
    ck_assert_uint_eq(where.aperture, MEMORY_SYSMEM);
    ck_assert_uint_eq(where.page_kind, 6);
    ck_assert_uint_eq(contiguous, 2 * PAGE - 0x123);
    ck_assert(!address_space_translate(&spaces, 1, 0x4fff, &where, &contiguous));
    ck_assert(!address_space_translate(&spaces, 1, 0x8000, &where, &contiguous));
    ck_assert(!address_space_translate(&spaces, 0, 0x6123, &where, &contiguous));
    ck_assert(!address_space_translate(&spaces, 2, 0x6123, &where, &contiguous));
    ck_assert(!address_space_translate(&spaces, ADDRESS_SPACE_NONE, 0x6123, &where, &contiguous));
}
END_TEST

START_TEST(ranges_that_are_not_whole_pages_are_refused)
{
    ck_assert_int_eq(map(0, 1, PAGE, 0), ADDRESS_SPACE_MISALIGNED);
    ck_assert_int_eq(map(0, 0, PAGE - 1, 0), ADDRESS_SPACE_MISALIGNED);
    ck_assert_int_eq(map(0, 0, PAGE, 8), ADDRESS_SPACE_MISALIGNED);
    ck_assert_int_eq(map(0, 0, 0, 0), ADDRESS_SPACE_MISALIGNED);
    ck_assert_int_eq(map(0, UINT64_MAX - PAGE + 1, PAGE, 0), ADDRESS_SPACE_MISALIGNED);
    ck_assert_int_eq(map(0, PAGE, UINT64_MAX - PAGE + 1, 0), ADDRESS_SPACE_MISALIGNED);
    ck_assert_uint_eq(spaces.state->range_count, 0);

    ck_assert_int_eq(map(0, 0, 4 * PAGE, 0x100000), ADDRESS_SPACE_OK);
    ck_assert(!address_space_unmap(&spaces, 0, PAGE + 1, PAGE));
    ck_assert(!address_space_unmap(&spaces, 0, PAGE, PAGE - 1));
    ck_assert_uint_eq(physical(0, 2 * PAGE - 1), 0x102000 - 1);
}
END_TEST

START_TEST(an_unmap_may_reach_beyond_the_end_of_all_addresses)
{
    ck_assert_int_eq(map(0, UINT64_MAX - 4 * PAGE + 1, 2 * PAGE, 0), ADDRESS_SPACE_OK);
    ck_assert_int_eq(map(1, 0, 2 * PAGE, 0), ADDRESS_SPACE_OK);
    ck_assert(address_space_unmap(&spaces, 0, UINT64_MAX - 3 * PAGE + 1, 100 * PAGE));
    ck_assert_uint_eq(physical(0, UINT64_MAX - 4 * PAGE + 1), 0);
    ck_assert_uint_eq(physical(0, UINT64_MAX - 3 * PAGE + 1), UINT64_MAX);
    ck_assert(address_space_unmap(&spaces, 0, 0, UINT64_MAX - PAGE + 1));
    ck_assert_uint_eq(physical(0, UINT64_MAX - 4 * PAGE + 1), UINT64_MAX);
    ck_assert_uint_eq(physical(1, 0), 0);
}
END_TEST

START_TEST(an_empty_unmap_changes_nothing)
{
    ck_assert_int_eq(map(0, 0, 4 * PAGE, 0), ADDRESS_SPACE_OK);
    ck_assert(address_space_unmap(&spaces, 0, 2 * PAGE, 0));
    ck_assert_uint_eq(spaces.state->range_count, 1);
}
END_TEST

/* Cutting a hole needs one more range; when there is none the old range must stay whole. */
START_TEST(a_full_table_refuses_a_hole_and_changes_nothing)
{
    for (uint64_t i = 0; i < RANGES; i++)
        ck_assert_int_eq(map(0, i * 4 * PAGE, 3 * PAGE, i * PAGE), ADDRESS_SPACE_OK);
    ck_assert_int_eq(map(1, 0, PAGE, 0), ADDRESS_SPACE_FULL);
    ck_assert(!address_space_unmap(&spaces, 0, PAGE, PAGE));
    ck_assert_uint_eq(physical(0, 0), 0);
    ck_assert_uint_eq(physical(0, PAGE), PAGE);
    ck_assert_uint_eq(physical(0, 2 * PAGE), 2 * PAGE);
    /* Cutting at an end needs none. */
    ck_assert(address_space_unmap(&spaces, 0, 2 * PAGE, PAGE));
    ck_assert_uint_eq(physical(0, 2 * PAGE), UINT64_MAX);
}
END_TEST

/* ---- against a page map -----------------------------------------------------------------------
 */

/* Physical page + 1 of each page, 0 = not mapped. */
static uint32_t page_map[SPACES][PAGES];

/* Does the translation of a page agree with the map?  Check's assertions are too slow for so many.
 */
static bool page_agrees(uint32_t id, uint32_t page)
{
    const uint64_t va = (uint64_t)page * PAGE + 5;
    struct address_space_range where;
    uint64_t contiguous = 0;

    if (!address_space_translate(&spaces, id, va, &where, &contiguous))
        return page_map[id][page] == 0;
    if (page_map[id][page] == 0 || (contiguous + 5) % PAGE != 0 ||
        where.physical != (page_map[id][page] - 1) * UINT64_C(4096) + 5)
        return false;
    for (uint32_t i = 1; i < (contiguous + 5) / PAGE; i++)
        if (page_map[id][page + i] != page_map[id][page] + i)
            return false;
    return true;
}

static void compare(void)
{
    for (uint32_t id = 0; id < SPACES; id++)
        for (uint32_t page = 0; page < PAGES; page++)
            if (!page_agrees(id, page))
                ck_abort_msg("space %u, page %u", id, page);
}

static void step(struct random_state *random)
{
    const uint32_t id = random_below(random, SPACES), from = random_below(random, PAGES);
    const uint32_t count = 1 + random_below(random, PAGES - from < 12 ? PAGES - from : 12);
    const uint32_t to = random_below(random, 1000000);
    const bool full = spaces.state->range_count == RANGES;
    bool overlaps = false;

    if (random_below(random, 2)) {
        for (uint32_t i = 0; i < count; i++)
            overlaps = overlaps || page_map[id][from + i] != 0;
        ck_assert_int_eq(
            map(id, (uint64_t)from * PAGE, (uint64_t)count * PAGE, (uint64_t)to * PAGE),
            overlaps ? ADDRESS_SPACE_OVERLAP
            : full   ? ADDRESS_SPACE_FULL
                     : ADDRESS_SPACE_OK);
        for (uint32_t i = 0; !overlaps && !full && i < count; i++)
            page_map[id][from + i] = to + i + 1;
    } else if (address_space_unmap(&spaces, id, (uint64_t)from * PAGE, (uint64_t)count * PAGE)) {
        memset(&page_map[id][from], 0, count * sizeof page_map[id][0]);
    } else {
        ck_assert(full);
    }
}

START_TEST(maps_and_unmaps_agree_with_a_page_map)
{
    struct random_state random;

    memset(page_map, 0, sizeof page_map);
    random_seed(&random, (uint64_t)_i, 0);
    for (unsigned i = 0; i < 3000; i++) {
        step(&random);
        compare();
        ck_assert_uint_le(spaces.state->range_count, RANGES);
    }
    for (uint32_t id = 0; id < SPACES; id++)
        ck_assert(address_space_unmap(&spaces, id, 0, PAGES * PAGE));
    ck_assert_uint_eq(spaces.state->range_count, 0);
}
END_TEST

Suite *address_space_suite(void)
{
    Suite *suite = suite_create("address_space");
    TCase *tcase = tcase_create("ranges");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_space_is_found_by_its_root_and_no_other);
    tcase_add_test(tcase, a_translation_keeps_offset_kind_and_aperture);
    tcase_add_test(tcase, ranges_that_are_not_whole_pages_are_refused);
    tcase_add_test(tcase, an_unmap_may_reach_beyond_the_end_of_all_addresses);
    tcase_add_test(tcase, an_empty_unmap_changes_nothing);
    tcase_add_test(tcase, a_full_table_refuses_a_hole_and_changes_nothing);
    tcase_add_loop_test(tcase, maps_and_unmaps_agree_with_a_page_map, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite;
}
