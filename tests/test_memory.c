/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/memory.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

enum { PAGE = MEMORY_PAGE_BYTES, NO_LIMIT = 1 << 20 };

static struct memory new_memory(uint64_t vram_pages, uint64_t sysmem_pages, uint64_t page_limit)
{
    struct gfe_error error = {0};
    struct memory memory;

    ck_assert(memory_init(&memory, vram_pages * PAGE, sysmem_pages * PAGE, page_limit, &error));
    return memory;
}

static uint8_t byte_at(const struct memory *memory, enum memory_aperture aperture, uint64_t address)
{
    uint8_t byte = 0xee;

    ck_assert(memory_read(memory, aperture, address, &byte, 1));
    return byte;
}

static enum memory_result put_byte(struct memory *memory, uint64_t address, uint8_t byte)
{
    return memory_write(memory, MEMORY_VRAM, address, &byte, 1);
}

/* ---- reading and writing --------------------------------------------------------------------- */

START_TEST(untouched_memory_reads_as_zero_and_takes_no_page)
{
    struct memory memory = new_memory(UINT64_C(1) << 40, 4, NO_LIMIT);
    uint8_t data[3 * PAGE];

    memset(data, 0xff, sizeof data);
    ck_assert(
        memory_read(&memory, MEMORY_VRAM, (UINT64_C(1) << 52) - sizeof data, data, sizeof data));
    for (unsigned i = 0; i < sizeof data; i++)
        ck_assert_uint_eq(data[i], 0);
    ck_assert_uint_eq(memory.journal_count, 0);
    memory_fini(&memory);
}
END_TEST

START_TEST(zeros_take_no_page_where_there_is_none_and_erase_what_is_there)
{
    static const uint8_t zeros[2 * PAGE] = {0};
    struct memory memory = new_memory(8, 4, 1); /* room for one page */
    struct memory_image *image;

    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 0x10, zeros, sizeof zeros), MEMORY_OK);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 0x10, zeros, 4), MEMORY_OK);
    ck_assert_uint_eq(memory.journal_count, 0);
    ck_assert_int_eq(put_byte(&memory, 0x1001, 7), MEMORY_OK);
    image = memory_take(&memory);
    ck_assert_ptr_nonnull(image);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 0xff0, zeros, 0x40), MEMORY_OK);
    ck_assert_uint_eq(memory.journal_count, 1);
    ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, 0x1001), 0);
    ck_assert(memory_restore(&memory, image));
    ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, 0x1001), 7);
    ck_assert_int_eq(put_byte(&memory, 0x2fff, 1), MEMORY_EXHAUSTED);
    memory_image_free(image);
    memory_fini(&memory);
}
END_TEST

START_TEST(the_apertures_are_apart)
{
    struct memory memory = new_memory(4, 4, NO_LIMIT);

    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 0x123, "v", 1), MEMORY_OK);
    ck_assert_int_eq(memory_write(&memory, MEMORY_SYSMEM, 0x123, "s", 1), MEMORY_OK);
    ck_assert_int_eq(byte_at(&memory, MEMORY_VRAM, 0x123), 'v');
    ck_assert_int_eq(byte_at(&memory, MEMORY_SYSMEM, 0x123), 's');
    memory_fini(&memory);
}
END_TEST

START_TEST(what_lies_outside_is_refused_whole)
{
    struct memory memory = new_memory(2, 0, NO_LIMIT);
    uint8_t data[16] = {1};

    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 2 * PAGE - 15, data, 16), MEMORY_OUTSIDE);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, UINT64_MAX - 7, data, 16), MEMORY_OUTSIDE);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 0, data, SIZE_MAX), MEMORY_OUTSIDE);
    ck_assert_int_eq(memory_write(&memory, MEMORY_SYSMEM, 0, data, 1), MEMORY_OUTSIDE);
    ck_assert(!memory_read(&memory, MEMORY_VRAM, 2 * PAGE, data, 1));
    ck_assert(!memory_read(&memory, MEMORY_VRAM, UINT64_MAX, data, 16));
    ck_assert_uint_eq(memory.journal_count, 0);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 2 * PAGE - 16, data, 16), MEMORY_OK);
    ck_assert(memory_read(&memory, MEMORY_VRAM, 2 * PAGE, data, 0));
    memory_fini(&memory);
}
END_TEST

/* Enough pages for the page table to grow several times. */
START_TEST(many_pages_keep_their_contents_while_the_table_grows)
{
    struct memory memory = new_memory(UINT64_C(1) << 40, 4, NO_LIMIT);

    for (uint64_t i = 0; i < 10000; i++)
        ck_assert_int_eq(
            memory_write(&memory, MEMORY_VRAM, i * i * 977 * PAGE + i % 4000, &i, sizeof i),
            MEMORY_OK);
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t value = 0;

        ck_assert(
            memory_read(&memory, MEMORY_VRAM, i * i * 977 * PAGE + i % 4000, &value, sizeof value));
        ck_assert_uint_eq(value, i);
    }
    memory_fini(&memory);
}
END_TEST

/* ---- the page limit -------------------------------------------------------------------------- */

START_TEST(the_page_limit_is_exact)
{
    struct memory memory = new_memory(100, 0, 3);

    for (uint64_t page = 0; page < 3; page++)
        ck_assert_int_eq(put_byte(&memory, page * 7 * PAGE, 1), MEMORY_OK);
    ck_assert_int_eq(put_byte(&memory, PAGE, 1), MEMORY_EXHAUSTED);
    ck_assert_int_eq(put_byte(&memory, 7 * PAGE, 2), MEMORY_OK);
    memory_fini(&memory);
}
END_TEST

/* A restored memory may go another way than the first time, with the same limit. */
START_TEST(pages_undone_do_not_count_against_the_limit)
{
    struct memory memory = new_memory(1000, 0, 3);
    struct memory_image *image;

    ck_assert_int_eq(put_byte(&memory, 0, 1), MEMORY_OK);
    image = memory_take(&memory);
    for (uint64_t i = 0; i < 400; i++) {
        ck_assert_int_eq(put_byte(&memory, (1 + 2 * i) * PAGE, 1), MEMORY_OK);
        ck_assert_int_eq(put_byte(&memory, (2 + 2 * i) * PAGE, 1), MEMORY_OK);
        ck_assert_int_eq(put_byte(&memory, 999 * PAGE, 1), MEMORY_EXHAUSTED);
        ck_assert(memory_restore(&memory, image));
        ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, (1 + 2 * i) * PAGE), 0);
    }
    memory_image_free(image);
    memory_fini(&memory);
}
END_TEST

/* The image is larger than the second memory's limit: the failure must not pass for a success
 * later. */
START_TEST(a_restore_that_fails_leaves_no_half_restored_memory)
{
    struct memory large = new_memory(10, 0, 10), small = new_memory(10, 0, 2);
    struct memory_image *five, *one;

    ck_assert_int_eq(put_byte(&small, 9 * PAGE, 9), MEMORY_OK);
    one = memory_take(&small);
    for (uint64_t page = 0; page < 5; page++)
        ck_assert_int_eq(put_byte(&large, page * PAGE, 5), MEMORY_OK);
    five = memory_take(&large);

    ck_assert(!memory_restore(&small, five));
    ck_assert(memory_restore(&small, one));
    ck_assert_uint_eq(byte_at(&small, MEMORY_VRAM, 9 * PAGE), 9);
    for (uint64_t page = 0; page < 5; page++)
        ck_assert_uint_eq(byte_at(&small, MEMORY_VRAM, page * PAGE), 0);
    memory_image_free(one);
    memory_image_free(five);
    memory_fini(&large);
    memory_fini(&small);
}
END_TEST

/* ---- snapshots ------------------------------------------------------------------------------- */

START_TEST(restoring_the_last_image_touches_only_what_was_written_since)
{
    struct memory memory = new_memory(100, 0, NO_LIMIT);
    struct memory_image *image;

    for (uint64_t page = 0; page < 50; page++)
        ck_assert_int_eq(put_byte(&memory, page * PAGE, 1), MEMORY_OK);
    ck_assert_uint_eq(memory.journal_count, 50);
    image = memory_take(&memory);
    ck_assert_uint_eq(memory.journal_count, 0);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(put_byte(&memory, 7 * PAGE, 2), MEMORY_OK);
        ck_assert_int_eq(put_byte(&memory, 7 * PAGE + 1, 2), MEMORY_OK);
        ck_assert_int_eq(put_byte(&memory, 70 * PAGE, 2), MEMORY_OK);
        ck_assert_uint_eq(memory.journal_count, 2);
        ck_assert(memory_restore(&memory, image));
        ck_assert_uint_eq(memory.journal_count, 0);
        ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, 7 * PAGE), 1);
        ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, 7 * PAGE + 1), 0);
        ck_assert_uint_eq(byte_at(&memory, MEMORY_VRAM, 70 * PAGE), 0);
    }
    memory_image_free(image);
    memory_fini(&memory);
}
END_TEST

START_TEST(an_image_outlives_the_memory_that_it_was_taken_of)
{
    struct memory first = new_memory(4, 0, NO_LIMIT), second = new_memory(4, 0, NO_LIMIT);
    struct memory_image *image;

    ck_assert_int_eq(put_byte(&first, PAGE, 7), MEMORY_OK);
    image = memory_take(&first);
    memory_fini(&first);
    ck_assert(memory_restore(&second, image));
    memory_image_free(image);
    ck_assert_uint_eq(byte_at(&second, MEMORY_VRAM, PAGE), 7);
    memory_fini(&second);
}
END_TEST

/* The differential test: two memories and their images against flat arrays. */
enum { FLAT_PAGES = 24, FLAT_BYTES = FLAT_PAGES * PAGE, IMAGES = 6, MEMORIES = 2 };

struct flat {
    uint8_t bytes[MEMORY_APERTURE_COUNT][FLAT_BYTES];
};

struct flat_world {
    struct memory memory[MEMORIES];
    struct flat flat[MEMORIES];
    struct memory_image *image[IMAGES]; /* NULL = none */
    struct flat image_flat[IMAGES];
};

static void world_write(struct flat_world *world, struct random_state *random)
{
    uint8_t data[3 * PAGE];
    const uint32_t m = random_below(random, MEMORIES);
    const uint32_t aperture = random_below(random, MEMORY_APERTURE_COUNT);
    const uint32_t bytes = random_below(random, random_below(random, 4) ? 64 : sizeof data);
    const uint32_t at = random_below(random, FLAT_BYTES + 1 - bytes);

    /* Zeroes too, which must not be taken for "never written". */
    memset(data, (int)random_below(random, 4), sizeof data);
    ck_assert_int_eq(
        memory_write(&world->memory[m], (enum memory_aperture)aperture, at, data, bytes),
        MEMORY_OK);
    memcpy(world->flat[m].bytes[aperture] + at, data, bytes);
}

static void world_compare(const struct flat_world *world)
{
    static uint8_t read[FLAT_BYTES];

    for (uint32_t m = 0; m < MEMORIES; m++)
        for (uint32_t aperture = 0; aperture < MEMORY_APERTURE_COUNT; aperture++) {
            ck_assert(memory_read(&world->memory[m], (enum memory_aperture)aperture, 0, read,
                                  sizeof read));
            ck_assert_int_eq(memcmp(read, world->flat[m].bytes[aperture], sizeof read), 0);
        }
}

static void world_step(struct flat_world *world, struct random_state *random)
{
    const uint32_t m = random_below(random, MEMORIES), i = random_below(random, IMAGES);

    switch (random_below(random, 16)) {
    case 0: /* take */
        memory_image_free(world->image[i]);
        world->image[i] = memory_take(&world->memory[m]);
        ck_assert_ptr_nonnull(world->image[i]);
        world->image_flat[i] = world->flat[m];
        break;
    case 1: /* let go of an image, perhaps one that a memory still counts from */
        memory_image_free(world->image[i]);
        world->image[i] = NULL;
        break;
    case 2:
    case 3: /* restore, into either memory */
        if (!world->image[i])
            break;
        ck_assert(memory_restore(&world->memory[m], world->image[i]));
        world->flat[m] = world->image_flat[i];
        world_compare(world);
        break;
    default:
        world_write(world, random);
    }
}

/* PROMISE (engine): Sparse memory and its images agree with flat arrays. */
START_TEST(memories_and_images_agree_with_flat_arrays)
{
    struct flat_world *world = calloc(1, sizeof *world);
    struct random_state random;

    ck_assert_ptr_nonnull(world);
    random_seed(&random, (uint64_t)_i, 0);
    for (uint32_t m = 0; m < MEMORIES; m++)
        world->memory[m] = new_memory(FLAT_PAGES, FLAT_PAGES, 2 * FLAT_PAGES);
    for (unsigned step = 0; step < 3000; step++) {
        world_step(world, &random);
        if (step % 20 == 0)
            world_compare(world);
    }
    for (uint32_t i = 0; i < IMAGES; i++)
        memory_image_free(world->image[i]);
    world_compare(world);
    for (uint32_t m = 0; m < MEMORIES; m++)
        memory_fini(&world->memory[m]);
    free(world);
}
END_TEST

/* ---- visiting -------------------------------------------------------------------------------- */

struct visited {
    uint32_t count;
    uint64_t place[8]; /* aperture << 32 | page */
    uint8_t first[8];
};

static void visit(void *context, enum memory_aperture aperture, uint64_t address,
                  const uint8_t *page)
{
    struct visited *visited = context;

    ck_assert_uint_lt(visited->count, 8);
    visited->place[visited->count] = (uint64_t)aperture << 32 | address / PAGE;
    visited->first[visited->count++] = page[0];
}

START_TEST(pages_are_visited_in_order_and_zeroes_passed_over)
{
    struct memory memory = new_memory(100, 100, NO_LIMIT);
    struct visited visited = {0};
    struct memory_image *image = memory_take(&memory);

    ck_assert_int_eq(memory_write(&memory, MEMORY_SYSMEM, 0, "d", 1), MEMORY_OK);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 90 * PAGE, "c", 1), MEMORY_OK);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 3 * PAGE, "a", 1), MEMORY_OK);
    ck_assert_int_eq(memory_write(&memory, MEMORY_VRAM, 4 * PAGE, "", 1), MEMORY_OK);
    ck_assert(memory_visit(&memory, visit, &visited));
    ck_assert_uint_eq(visited.count, 3);
    ck_assert_uint_eq(visited.place[0], 3);
    ck_assert_uint_eq(visited.place[1], 90);
    ck_assert_uint_eq(visited.place[2], UINT64_C(1) << 32);
    ck_assert_int_eq(memcmp(visited.first, "acd", 3), 0);

    ck_assert(memory_restore(&memory, image));
    visited.count = 0;
    ck_assert(memory_visit(&memory, visit, &visited));
    ck_assert_uint_eq(visited.count, 0);
    memory_image_free(image);
    memory_fini(&memory);
}
END_TEST

static bool differ(void *context, enum memory_aperture aperture, uint64_t address,
                   const uint8_t *here, const uint8_t *there)
{
    struct visited *visited = context;

    ck_assert_int_ne(memcmp(here, there, PAGE), 0);
    visited->first[visited->count] = here[0];
    visited->place[visited->count++] = address | (uint64_t)aperture << 32;
    return visited->count < 4;
}

/* Written here, there, in both with other or the same contents, or with zeroes. */
START_TEST(memory_and_an_image_differ_in_what_was_written_in_one_of_them)
{
    struct memory memory = new_memory(16, 4, NO_LIMIT);
    struct memory other = new_memory(16, 4, NO_LIMIT);
    struct visited visited = {0};
    struct memory_image *image;

    ck_assert_int_eq(put_byte(&other, 1 * PAGE, 'x'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&other, 2 * PAGE, 'y'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&other, 3 * PAGE, 'z'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&other, 4 * PAGE, 0), MEMORY_OK);
    image = memory_take(&other);
    ck_assert_int_eq(put_byte(&memory, 2 * PAGE, 'Y'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&memory, 3 * PAGE, 'z'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&memory, 5 * PAGE, 'w'), MEMORY_OK);
    ck_assert_int_eq(put_byte(&memory, 6 * PAGE, 0), MEMORY_OK);
    ck_assert(memory_differ(&memory, image, differ, &visited));
    ck_assert_uint_eq(visited.count, 3);
    ck_assert_uint_eq(visited.place[0] + visited.place[1] + visited.place[2], 8 * PAGE);
    ck_assert_int_eq(memcmp(visited.first, "\0Yw", 3), 0);
    ck_assert(memory_restore(&memory, image));
    ck_assert(memory_differ(&memory, image, differ, &visited));
    ck_assert_uint_eq(visited.count, 3);
    memory_image_free(image);
    memory_fini(&memory);
    memory_fini(&other);
}
END_TEST

Suite *memory_suite(void)
{
    Suite *suite = suite_create("memory");
    TCase *access = tcase_create("access");
    TCase *limit = tcase_create("page limit");
    TCase *snapshots = tcase_create("snapshots");

    tcase_add_test(access, untouched_memory_reads_as_zero_and_takes_no_page);
    tcase_add_test(access, zeros_take_no_page_where_there_is_none_and_erase_what_is_there);
    tcase_add_test(access, the_apertures_are_apart);
    tcase_add_test(access, what_lies_outside_is_refused_whole);
    tcase_add_test(access, many_pages_keep_their_contents_while_the_table_grows);
    suite_add_tcase(suite, access);
    tcase_add_test(limit, the_page_limit_is_exact);
    tcase_add_test(limit, pages_undone_do_not_count_against_the_limit);
    tcase_add_test(limit, a_restore_that_fails_leaves_no_half_restored_memory);
    suite_add_tcase(suite, limit);
    tcase_add_test(snapshots, restoring_the_last_image_touches_only_what_was_written_since);
    tcase_add_test(snapshots, an_image_outlives_the_memory_that_it_was_taken_of);
    tcase_add_loop_test(snapshots, memories_and_images_agree_with_flat_arrays, 0, 8);
    tcase_add_test(snapshots, pages_are_visited_in_order_and_zeroes_passed_over);
    tcase_add_test(snapshots, memory_and_an_image_differ_in_what_was_written_in_one_of_them);
    suite_add_tcase(suite, snapshots);
    return suite;
}
