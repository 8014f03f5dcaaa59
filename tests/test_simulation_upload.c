/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a recorded upload: what the program gave to OpenGL lies where the emulated copies
 * have put it.  tests/golden/upload.gft is a recording of a program that does what
 * tests/clients/gl_upload.c does, by Mesa's nouveau driver on a stand-in; the words of
 * LOAD_CONSTANT_BUFFER are zeroed in it, because they were memory of the process.
 *
 * The program: a texture of 256 x 256 texels of four bytes, then 100 x 60 texels at (16, 16) of it
 * from the same data; making mip levels moves level 0 into another texture.  A buffer of 65,536
 * bytes, of which 32,768 are copied to byte 4,096 of a second buffer.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check_trace.h"
#include "tests/suites.h"
#include "tests/tile_reference.h"

enum { SIZE = 256, TEXEL_BYTES = 4, TEXTURE_BYTES = SIZE * SIZE * TEXEL_BYTES };
enum { SUB_X = 16, SUB_Y = 16, SUB_WIDTH = 100, SUB_HEIGHT = 60 };
enum { BUFFER_BYTES = 65536, COPIED_BYTES = 32768, COPIED_TO = 4096 };

/* The copies in the order of the program. */
enum { TO_TEXTURE, TO_RECTANGLE, TO_LEVEL_0, TO_BUFFER, TO_SECOND_BUFFER, COPY_COUNT };

static struct replay_input *input;
static struct check_simulation whole; /* the run to its end, for its events */

static void setup(void)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/upload.gft", folder ? folder : ".");
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    check_simulation_run(&whole, input, NULL);
}

static void teardown(void)
{
    check_simulation_end(&whole);
    replay_input_free(input);
}

/* What the program has in its array. */
static uint8_t programs_byte(uint32_t i)
{
    return (uint8_t)(i * 7 + (i >> 9));
}

/* What belongs into byte (x, y) of the texture when both of its uploads are done. */
static uint8_t texture_byte(uint32_t x, uint32_t y)
{
    const uint32_t sub_x = x - SUB_X * TEXEL_BYTES, sub_y = y - SUB_Y;

    if (sub_x < SUB_WIDTH * TEXEL_BYTES && sub_y < SUB_HEIGHT)
        return programs_byte(SUB_WIDTH * TEXEL_BYTES * sub_y + sub_x);
    return programs_byte(SIZE * TEXEL_BYTES * y + x);
}

/* The memory behind a copy's destination at the moment when it is complete. */
static uint8_t *behind_copy(uint32_t n, int64_t offset, uint32_t bytes)
{
    const uint64_t at =
        event_copy_queue_of(check_simulation_event(&whole, EVENT_COPY_QUEUE, n)).destination;
    const gfe_ps end = check_simulation_event(&whole, EVENT_COPY_END, n)->time_ps;
    struct simulation *simulation = check_simulation_new(input, NULL);
    uint8_t *data = calloc(1, bytes);
    struct gfe_error error = {0};
    uint64_t fault;

    ck_assert_ptr_nonnull(data);
    ck_assert_msg(simulation_run(simulation, end + 1, &error), "%s", error.text);
    ck_assert(machine_vm_read(simulation->machine, simulation->nouveau->state->channels[0].space_id,
                              at + (uint64_t)offset, data, bytes, &fault));
    simulation_free(simulation);
    return data;
}

START_TEST(the_program_makes_five_copies)
{
    static const uint64_t bytes[COPY_COUNT] = {TEXTURE_BYTES, SUB_WIDTH * SUB_HEIGHT * TEXEL_BYTES,
                                               TEXTURE_BYTES, BUFFER_BYTES, COPIED_BYTES};

    ck_assert_uint_eq(check_simulation_count(&whole, EVENT_COPY_QUEUE, CHECK_ANY_RULE), COPY_COUNT);
    ck_assert_uint_eq(check_simulation_count(&whole, EVENT_COPY_END, CHECK_ANY_RULE), COPY_COUNT);
    for (uint32_t i = 0; i < COPY_COUNT; i++) {
        ck_assert_uint_eq(
            event_copy_queue_of(check_simulation_event(&whole, EVENT_COPY_QUEUE, i)).byte_count,
            bytes[i]);
        ck_assert_uint_eq(
            event_copy_end_of(check_simulation_event(&whole, EVENT_COPY_END, i)).byte_count,
            bytes[i]);
    }
    ck_assert_uint_eq(whole.simulation->replay->state->fences_reached,
                      whole.simulation->replay->state->fences_checked);
    ck_assert_uint_eq(check_simulation_count(&whole, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&whole, EVENT_NV_CE_LAUNCHERR, CHECK_ANY_RULE), 0);
}
END_TEST

/* Blocks of 16 GOBs in y, as the driver has made the texture.  Behind the first copy without,
 * behind the third with the rectangle. */
/* PROMISE (sim): Level 0 of the textures of the upload recording is in memory byte for byte,
 * detiled by a formula of the test's own. */
START_TEST(level_0_of_a_texture_is_what_the_program_gave)
{
    const struct tile_reference surface = {SIZE * TEXEL_BYTES, SIZE, 16, 1};
    const uint32_t copy = _i == 0 ? TO_TEXTURE : TO_LEVEL_0;
    uint8_t *found = behind_copy(copy, 0, TEXTURE_BYTES);

    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE * TEXEL_BYTES; x++) {
            const uint64_t at = tile_reference_offset(&surface, x, y, 0);
            const uint8_t expected =
                _i == 0 ? programs_byte(SIZE * TEXEL_BYTES * y + x) : texture_byte(x, y);

            ck_assert_uint_lt(at, TEXTURE_BYTES);
            ck_assert_msg(found[at] == expected, "byte %u of row %u is %02x, not %02x", x, y,
                          found[at], expected);
        }
    free(found);
}
END_TEST

START_TEST(a_buffer_is_what_the_program_gave)
{
    uint8_t *found = behind_copy(TO_BUFFER, 0, BUFFER_BYTES);

    for (uint32_t i = 0; i < BUFFER_BYTES; i++)
        ck_assert_msg(found[i] == programs_byte(i), "byte %u is %02x", i, found[i]);
    free(found);
}
END_TEST

/* Of the second buffer nothing else is written. */
START_TEST(the_copy_of_a_buffer_is_exact)
{
    uint8_t *found = behind_copy(TO_SECOND_BUFFER, -COPIED_TO, BUFFER_BYTES);

    for (uint32_t i = 0; i < BUFFER_BYTES; i++) {
        const bool copied = i - COPIED_TO < COPIED_BYTES;

        ck_assert_msg(found[i] == (copied ? programs_byte(i - COPIED_TO) : 0), "byte %u is %02x", i,
                      found[i]);
    }
    free(found);
}
END_TEST

/* The program's uploads come out of system memory, its copies stay in video memory. */
START_TEST(what_bounds_a_copy_is_where_its_bytes_lie)
{
    static const uint64_t limits[COPY_COUNT] = {COPY_LIMIT_SYSTEM_READ, COPY_LIMIT_SYSTEM_READ,
                                                COPY_LIMIT_ENGINE, COPY_LIMIT_SYSTEM_READ,
                                                COPY_LIMIT_ENGINE};

    for (uint32_t i = 0; i < COPY_COUNT; i++)
        ck_assert_uint_eq(
            event_copy_end_of(check_simulation_event(&whole, EVENT_COPY_END, i)).limited_by,
            limits[i]);
}
END_TEST

Suite *simulation_upload_suite(void)
{
    Suite *suite = suite_create("simulation_upload");
    TCase *tcase = tcase_create("bytes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, the_program_makes_five_copies);
    tcase_add_loop_test(tcase, level_0_of_a_texture_is_what_the_program_gave, 0, 2);
    tcase_add_test(tcase, a_buffer_is_what_the_program_gave);
    tcase_add_test(tcase, the_copy_of_a_buffer_is_exact);
    tcase_add_test(tcase, what_bounds_a_copy_is_where_its_bytes_lie);
    suite_add_tcase(suite, tcase);
    return suite;
}
