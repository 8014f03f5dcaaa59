/* SPDX-License-Identifier: MIT */
/* Inline-to-memory, in the three classes that have it: every byte, every way to end a transfer. */
/* PROMISE (nvidia): Inline-to-memory transfers work in all modes. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"
#include "tests/check_machine.h"
#include "tests/suites.h"
#include "tests/tile_reference.h"

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum { TARGET = 0x20000, SEMAPHORE = 0x30000, OTHER = 0x40000 };
enum { INTR_0 = 0x2100, INTR_0_MMU_FAULT = 1 << 28 };
/* LAUNCH_DMA: pitch, release of one word or four. */
enum { PITCH = 1, RELEASE = 2 << 4, ONE_WORD = 1 << 12, REDUCTION = 1 << 1, SIGNED = 1 << 2 };
#define END_OF_MEMORY (CHECK_VA + CHECK_MEMORY_BYTES)

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

#define LINES(s, bytes, count, to, pitch)                                                          \
    PB_INC(s, 0x180, 5), (bytes), (count), 0, DATA(to), (uint32_t)(pitch)
#define SURFACE(s, block, width, height, depth, layer, x, y)                                       \
    PB_INC(s, 0x194, 7), (block), (width), (height), (depth), (layer), (x), (y)
#define SEMAPHORE_AT(s, offset, payload) PB_INC(s, 0x1dc, 3), 0, DATA(offset), (payload)
#define LAUNCH(s, word)                  PB_INC(s, 0x1b0, 1), (uint32_t)(word)
#define WORDS(s, count)                  PB_NON_INC(s, 0x1b4, count)

static uint32_t target(uint32_t offset)
{
    return check_machine_peek(&check, CHECK_DATA + TARGET + offset);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* 3D, compute and the class of its own. */
START_TEST(data_goes_to_memory_from_every_class)
{
    const uint32_t s = (uint32_t)_i;

    CHECK_SUBMIT(&check, 0, LINES(s, 12, 1, TARGET, 0), LAUNCH(s, PITCH), WORDS(s, 3), 1, 2, 3);
    check_machine_run(&check);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(target(4 * i), i < 3 ? i + 1 : 0);
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).byte_count,
        12);
}
END_TEST

/* Lines of 5 bytes, 8 bytes apart, each padded to whole dwords in the stream; one-word semaphore.
 */
START_TEST(lines_of_odd_length_are_padded_in_the_stream_only)
{
    uint8_t found[24];

    CHECK_SUBMIT(&check, 0, LINES(2, 5, 3, TARGET, 8), SEMAPHORE_AT(2, SEMAPHORE, 77),
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD), WORDS(2, 6), 0x03020100, 0xeeeeee04,
                 0x13121110, 0xeeeeee14, 0x23222120, 0xeeeeee24);
    check_machine_run(&check);
    check_machine_fetch(&check, CHECK_DATA + TARGET, found, sizeof found);
    for (uint32_t line = 0; line < 3; line++) {
        for (uint32_t x = 0; x < 5; x++)
            ck_assert_uint_eq(found[8 * line + x], 16 * line + x);
        for (uint32_t x = 5; x < 8; x++)
            ck_assert_uint_eq(found[8 * line + x], 0);
    }
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 77);
    ck_assert_uint_eq(
        event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).byte_count, 4);
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).byte_count,
        15);
}
END_TEST

/* nv.inline.line_padding: words run on from line to line. */
START_TEST(or_lines_are_packed)
{
    uint8_t found[24];

    ck_assert(machine_set_choice(check.machine, "nv.inline.line_padding", "packed"));
    CHECK_SUBMIT(&check, 0, LINES(2, 5, 3, TARGET, 8), LAUNCH(2, PITCH), WORDS(2, 4), 0x03020100,
                 0x07060504, 0x0b0a0908, 0xee0e0d0c);
    check_machine_run(&check);
    check_machine_fetch(&check, CHECK_DATA + TARGET, found, sizeof found);
    for (uint32_t i = 0; i < 24; i++)
        ck_assert_uint_eq(found[i], i % 8 < 5 ? i / 8 * 5 + i % 8 : 0);
}
END_TEST

START_TEST(a_pitch_may_be_negative)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 3, TARGET + 64, -32), LAUNCH(2, PITCH), WORDS(2, 3), 1, 2,
                 3);
    check_machine_run(&check);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(target(64 - 32 * i), i + 1);
}
END_TEST

/* Every byte of a rectangle of a random surface, and no other; lines padded. */
START_TEST(tiled_data_goes_where_the_layout_says_and_nowhere_else)
{
    enum { BYTES = 0x100000, MAX_WORDS = 2000 };
    struct random_state random;
    struct tile_reference surface;
    uint32_t high, deep, depth, layer, x0, y0, width, rows, count = 0;
    uint32_t *dwords = calloc(MAX_WORDS + 64, sizeof *dwords);
    uint8_t *expected = calloc(1, BYTES), *found = malloc(BYTES);

    ck_assert(dwords && expected && found);
    random_seed(&random, (uint64_t)_i, 9);
    high = random_below(&random, 6);
    deep = random_below(&random, 4);
    depth = 1 + random_below(&random, 8);
    layer = random_below(&random, depth);
    surface = (struct tile_reference){1 + random_below(&random, 200), 1 + random_below(&random, 60),
                                      1u << high, 1u << deep};
    x0 = random_below(&random, surface.width_bytes);
    y0 = random_below(&random, surface.height);
    width = 1 + random_below(&random, surface.width_bytes - x0);
    rows = 1 + random_below(&random, surface.height - y0);
    while ((width + 3) / 4 * rows > MAX_WORDS)
        rows /= 2;
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < (width + 3) / 4 * 4; x++) {
            const uint8_t byte = (uint8_t)(x * 3 + y * 41 + (uint32_t)_i);

            if (x < width)
                expected[tile_reference_offset(&surface, x0 + x, y0 + y, layer)] = byte;
            dwords[count / 4] |= (uint32_t)byte << 8 * (count % 4);
            count++;
        }
    CHECK_SUBMIT(&check, 0, LINES(2, width, rows, TARGET + 0x100000, 0),
                 SURFACE(2, high << 4 | deep << 8, surface.width_bytes, surface.height, depth,
                         layer, x0, y0),
                 LAUNCH(2, 0), WORDS(2, count / 4));
    check_machine_submit(&check, 0, dwords, count / 4);
    check_machine_run(&check);
    check_machine_fetch(&check, CHECK_DATA + TARGET + 0x100000, found, BYTES);
    ck_assert_mem_eq(found, expected, BYTES);
    free(found);
    free(expected);
    free(dwords);
}
END_TEST

START_TEST(long_transfers_go_out_in_pieces)
{
    enum { DWORDS = 2500 };
    uint32_t dwords[DWORDS + 9] = {LINES(1, 4 * DWORDS, 1, TARGET, 0), LAUNCH(1, PITCH),
                                   WORDS(1, DWORDS)};

    for (uint32_t i = 0; i < DWORDS; i++)
        dwords[9 + i] = i + 1;
    check_machine_submit(&check, 0, dwords, DWORDS + 9);
    check_machine_run(&check);
    for (uint32_t i = 0; i < DWORDS; i++)
        ck_assert_uint_eq(target(4 * i), i + 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_INLINE_WRITE), 3);
}
END_TEST

/* The header in one GP entry, data in three more. */
START_TEST(data_may_come_in_several_entries)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 6, 3, TARGET, 8), LAUNCH(2, PITCH), WORDS(2, 6));
    CHECK_SUBMIT(&check, 0, 0x11111111, 0x2222);
    CHECK_SUBMIT(&check, 0, 0x33333333);
    CHECK_SUBMIT(&check, 0, 0x4444, 0x55555555, 0x6666);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0), 0x11111111);
    ck_assert_uint_eq(target(4), 0x2222);
    ck_assert_uint_eq(target(8), 0x33333333);
    ck_assert_uint_eq(target(12), 0x4444);
    ck_assert_uint_eq(target(16), 0x55555555);
    ck_assert_uint_eq(target(20), 0x6666);
}
END_TEST

/* Methods behind LAUNCH_DMA are for the next one. */
START_TEST(where_data_goes_is_settled_at_the_launch)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 2, TARGET, 16), SEMAPHORE_AT(2, SEMAPHORE, 77),
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD), WORDS(2, 1), 1, LINES(2, 8, 9, OTHER, 99),
                 SEMAPHORE_AT(2, OTHER, 88), SURFACE(2, 0x11, 1, 2, 3, 4, 5, 6), WORDS(2, 1), 2);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0), 1);
    ck_assert_uint_eq(target(16), 2);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 77);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + OTHER), 0);
}
END_TEST

/* The class of its own has 25 upper bits, compute 17, 3D eight. */
START_TEST(addresses_have_the_upper_bits_of_their_class)
{
    static const uint64_t upper[] = {0xff, 0x1ffff, 0x1ffffff};
    const uint32_t s = (uint32_t)_i;

    CHECK_SUBMIT(&check, 0, PB_INC(s, 0x180, 4), 4, 1, UINT32_MAX, 0x1000, LAUNCH(s, PITCH),
                 WORDS(s, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        upper[s] << 32 | 0x1000);
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

START_TEST(a_completion_may_release_one_word_or_four_or_none)
{
    static const uint32_t launches[] = {PITCH | RELEASE | ONE_WORD, PITCH | RELEASE, PITCH | 1 << 4,
                                        PITCH};

    CHECK_SUBMIT(&check, 0, LINES(2, 4, 1, TARGET, 0), SEMAPHORE_AT(2, SEMAPHORE, 77),
                 LAUNCH(2, launches[_i]), WORDS(2, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), _i < 2 ? 77 : 0);
    ck_assert_int_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 8) != 0, _i == 1);
    ck_assert_uint_eq(target(0), 1);
}
END_TEST

/* ADD MIN MAX INC DEC AND OR XOR, of unsigned and of signed numbers. */
static const struct {
    uint32_t op, format, old, payload, expected;
} reductions[] = {
    {0, 0, 5, 7, 12},
    {1, 0, 5, 0xfffffffe, 5},
    {1, SIGNED, 5, 0xfffffffe, 0xfffffffe},
    {2, 0, 5, 0xfffffffe, 0xfffffffe},
    {2, SIGNED, 5, 0xfffffffe, 5},
    {3, 0, 4, 9, 5},
    {3, 0, 9, 9, 0},
    {4, 0, 4, 9, 3},
    {4, 0, 0, 9, 9},
    {5, 0, 0xff, 0x0f, 0x0f},
    {6, 0, 0xf0, 0x0f, 0xff},
    {7, 0, 0xff, 0x0f, 0xf0},
};

START_TEST(a_completion_may_reduce_its_semaphore)
{
    check_machine_poke(&check, CHECK_DATA + SEMAPHORE, reductions[_i].old);
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 1, TARGET, 0),
                 SEMAPHORE_AT(2, SEMAPHORE, reductions[_i].payload),
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD | REDUCTION | reductions[_i].format |
                               reductions[_i].op << 13),
                 WORDS(2, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), reductions[_i].expected);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_REDUCTION), 1);
    ck_assert_uint_eq(target(0), 1);
}
END_TEST

START_TEST(a_completion_may_raise_an_interrupt)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 1, TARGET, 0), SEMAPHORE_AT(2, SEMAPHORE, 77),
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD | 1 << 8));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GR_INTR), 0);
    CHECK_SUBMIT(&check, 0, WORDS(2, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GR_INTR), 1);
    ck_assert_uint_eq(machine_read32(check.machine, 0x400100), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 77);
}
END_TEST

/* SET_RENDER_ENABLE with memory to look at: reported, and done all the same. */
START_TEST(a_condition_for_a_transfer_is_reported)
{
    CHECK_SUBMIT(&check, 0, PB_INC(2, 0x1550, 3), 0, DATA(0), 2 + (uint32_t)_i,
                 LINES(2, 4, 1, TARGET, 0), LAUNCH(2, PITCH), WORDS(2, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(target(0), 1);
}
END_TEST

START_TEST(a_transfer_of_no_bytes_releases_its_semaphore)
{
    CHECK_SUBMIT(&check, 0, SEMAPHORE_AT(2, SEMAPHORE, 77), LAUNCH(2, 0x1021));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 77);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_INLINE_WRITE), 0);
}
END_TEST

START_TEST(data_without_a_transfer_goes_nowhere)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 1, TARGET, 0), LAUNCH(2, PITCH), WORDS(2, 3), 1, 2, 3);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0), 1);
    ck_assert_uint_eq(target(4), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2);
    ck_assert_uint_eq(event_unmodelled_of(check_machine_event(&check, EVENT_UNMODELLED, 0)).what,
                      UNMODELLED_METHOD);
}
END_TEST

/* What has come is written, what has not is given up, and so is the semaphore. */
START_TEST(another_launch_gives_the_rest_up)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 16, 1, TARGET, 0), SEMAPHORE_AT(2, SEMAPHORE, 77),
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD), WORDS(2, 2), 1, 2, LINES(2, 4, 1, OTHER, 0),
                 LAUNCH(2, PITCH), WORDS(2, 1), 3);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0), 1);
    ck_assert_uint_eq(target(4), 2);
    ck_assert_uint_eq(target(8), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + OTHER), 3);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
}
END_TEST

/* After a fault the transfer is over: what another channel sends must not end up behind it. */
START_TEST(a_fault_ends_a_transfer)
{
    enum { DWORDS = 1100, BEFORE = 1000 };
    uint32_t dwords[DWORDS + 13] = {PB_INC(1, 0x180, 5),
                                    4 * DWORDS,
                                    1,
                                    0,
                                    (uint32_t)END_OF_MEMORY - BEFORE,
                                    0,
                                    SEMAPHORE_AT(1, SEMAPHORE, 77),
                                    LAUNCH(1, PITCH | RELEASE | ONE_WORD),
                                    WORDS(1, DWORDS)};
    const struct nv_inline *transfer = &nv_fe_pipe(&check.gpu->fe)->inlines[1];

    for (uint32_t i = 0; i < DWORDS; i++)
        dwords[13 + i] = i + 1;
    check_machine_submit(&check, 0, dwords, DWORDS + 13);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        END_OF_MEMORY);
    for (uint32_t i = 0; i < BEFORE / 4; i++)
        ck_assert_uint_eq(check_machine_peek(&check, END_OF_MEMORY - BEFORE + 4 * i), i + 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
    ck_assert_uint_eq(transfer->bytes_left, 0);
    ck_assert_uint_eq(transfer->buffered_bytes, 0);
    ck_assert_uint_ne(machine_read32(check.machine, INTR_0) & INTR_0_MMU_FAULT, 0);
}
END_TEST

START_TEST(a_semaphore_without_a_page_faults_behind_the_data)
{
    CHECK_SUBMIT(&check, 0, LINES(2, 4, 1, TARGET, 0), PB_INC(2, 0x1dc, 3), 0, 0x7000000, 77,
                 LAUNCH(2, PITCH | RELEASE | ONE_WORD), WORDS(2, 1), 1);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0), 1);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        0x7000000);
}
END_TEST

/* ---- contexts -------------------------------------------------------------------------------- */

/* Two channels in the middle of transfers of the same subchannel. */
START_TEST(a_transfer_goes_on_when_its_channel_comes_back)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    for (uint32_t channel = 0; channel < 2; channel++) {
        CHECK_SUBMIT(&check, channel, LINES(2, 12, 1, TARGET + 0x100 * channel, 0),
                     SEMAPHORE_AT(2, SEMAPHORE + 16 * channel, 7 + channel),
                     LAUNCH(2, PITCH | RELEASE | ONE_WORD), WORDS(2, 1), 1 + 10 * channel);
        check_machine_run(&check);
    }
    for (uint32_t channel = 0; channel < 2; channel++) {
        CHECK_SUBMIT(&check, channel, WORDS(2, 2), 2 + 10 * channel, 3 + 10 * channel);
        check_machine_run(&check);
    }
    for (uint32_t channel = 0; channel < 2; channel++) {
        for (uint32_t i = 0; i < 3; i++)
            ck_assert_uint_eq(target(0x100 * channel + 4 * i), i + 1 + 10 * channel);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 16 * channel),
                          7 + channel);
    }
}
END_TEST

/* The image lies in memory that the program can write: nothing that stands in it may do harm. */
START_TEST(a_spoiled_context_image_does_no_harm)
{
    struct random_state random;

    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, LINES(2, 12, 1, TARGET, 0), LAUNCH(2, PITCH), WORDS(2, 1), 1);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, 0);
    check_machine_run(&check);
    random_seed(&random, (uint64_t)_i, 1);
    for (uint32_t at = 16; at < 0x10c00; at += 4)
        check_machine_poke(&check, CHECK_CONTEXT(0) + at, _i ? random_next(&random) : UINT32_MAX);
    CHECK_SUBMIT(&check, 0, WORDS(2, 4), 2, 3, 4, 5, PB_INC(4, 0x300, 1), 0x182);
    while (machine_step(check.machine))
        continue;
    ck_assert(check.machine->error.kind == ERROR_NONE || check.machine->error.kind == ERROR_LIMIT);
}
END_TEST

/* ---- constant buffers ------------------------------------------------------------------------ */

/* Words of one buffer from two entries; the offset has 16 bits. */
START_TEST(constants_run_on_within_their_sixteen_bits)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x2380, 4), 0x10000, 0, DATA(TARGET), 0xfff8,
                 PB_NON_INC(0, 0x2390, 1), 1);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x2390, 2), 2, 3);
    check_machine_run(&check);
    ck_assert_uint_eq(target(0xfff8), 1);
    ck_assert_uint_eq(target(0xfffc), 2);
    ck_assert_uint_eq(target(0), 3);
    ck_assert_uint_eq(target(0x10000), 0);
}
END_TEST

START_TEST(constants_without_a_page_fault)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x2380, 4), 0x10000, 0, (uint32_t)END_OF_MEMORY - 8, 0,
                 PB_NON_INC(0, 0x2390, 4), 1, 2, 3, 4);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, END_OF_MEMORY - 4), 2);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        END_OF_MEMORY);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_inline_suite(void)
{
    Suite *suite = suite_create("nv_inline");
    TCase *bytes = tcase_create("bytes"), *ends = tcase_create("ends");

    tcase_add_checked_fixture(bytes, setup, teardown);
    tcase_add_loop_test(bytes, data_goes_to_memory_from_every_class, 0, 3);
    tcase_add_test(bytes, lines_of_odd_length_are_padded_in_the_stream_only);
    tcase_add_test(bytes, or_lines_are_packed);
    tcase_add_test(bytes, a_pitch_may_be_negative);
    tcase_add_loop_test(bytes, tiled_data_goes_where_the_layout_says_and_nowhere_else, 0, 30);
    tcase_add_test(bytes, long_transfers_go_out_in_pieces);
    tcase_add_test(bytes, data_may_come_in_several_entries);
    tcase_add_test(bytes, where_data_goes_is_settled_at_the_launch);
    tcase_add_loop_test(bytes, addresses_have_the_upper_bits_of_their_class, 0, 3);
    tcase_add_test(bytes, constants_run_on_within_their_sixteen_bits);
    tcase_add_test(bytes, constants_without_a_page_fault);
    suite_add_tcase(suite, bytes);
    tcase_add_checked_fixture(ends, setup, teardown);
    tcase_add_loop_test(ends, a_completion_may_release_one_word_or_four_or_none, 0, 4);
    tcase_add_loop_test(ends, a_completion_may_reduce_its_semaphore, 0,
                        sizeof reductions / sizeof reductions[0]);
    tcase_add_test(ends, a_completion_may_raise_an_interrupt);
    tcase_add_loop_test(ends, a_condition_for_a_transfer_is_reported, 0, 3);
    tcase_add_test(ends, a_transfer_of_no_bytes_releases_its_semaphore);
    tcase_add_test(ends, data_without_a_transfer_goes_nowhere);
    tcase_add_test(ends, another_launch_gives_the_rest_up);
    tcase_add_test(ends, a_fault_ends_a_transfer);
    tcase_add_test(ends, a_semaphore_without_a_page_faults_behind_the_data);
    tcase_add_test(ends, a_transfer_goes_on_when_its_channel_comes_back);
    tcase_add_loop_test(ends, a_spoiled_context_image_does_no_harm, 0, 6);
    suite_add_tcase(suite, ends);
    return suite;
}
