/* SPDX-License-Identifier: MIT */
/* The copy engine: every byte that it moves, what it refuses, what it tells, and when. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_ce_regs.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "emu/random.h"
#include "tests/check_machine.h"
#include "tests/suites.h"
#include "tests/tile_reference.h"

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum { SOURCE = 0x0, TARGET = 0x100000, BACK = 0x200000, SEMAPHORE = 0x300000 };
enum { INTR_0 = 0x2100, INTR_0_MMU_FAULT = 1 << 28, PMC_INTR = 0x100, LCE0 = 0x104400 };
/* LAUNCH_DMA: not pipelined, several lines, of pitch or block-linear layout. */
enum { PITCH_TO_PITCH = 0x382, PITCH_TO_TILED = 0x282, TILED_TO_PITCH = 0x302, TILED = 0x202 };
enum { ONE_WORD = 1 << 3, FOUR_WORDS = 2 << 3, REMAP = 1 << 10, REDUCTION = 1 << 19 };

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void setup_with_nouveau(void)
{
    check_machine_begin_channel(&check, true);
}

static void teardown(void)
{
    check_machine_end(&check);
}

#define COPY(from, to, pitch_from, pitch_to, length, lines)                                        \
    PB_INC(4, 0x400, 8), 0, DATA(from), 0, DATA(to), (uint32_t)(pitch_from), (uint32_t)(pitch_to), \
        (length), (lines)
#define LAUNCH(word)            PB_INC(4, 0x300, 1), (uint32_t)(word)
#define SEMAPHORE_AT(offset, n) PB_INC(4, 0x240, 3), 0, DATA(offset), (uint32_t)(n)
/* SET_DST_BLOCK_SIZE (0x70c) or SET_SRC_BLOCK_SIZE (0x728) and what follows it, with an origin. */
#define SURFACE(at, block, width, height, depth, layer, x, y)                                      \
    PB_INC(4, at, 6), (block) | 0x1000, (width), (height), (depth), (layer), (x) | (y) << 16

/* Bytes that differ from their neighbours near and far. */
static void fill_with_pattern(uint64_t va, uint32_t bytes, uint32_t seed)
{
    uint8_t *data = malloc(bytes);

    ck_assert_ptr_nonnull(data);
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + (i >> 16) + seed);
    check_machine_fill(&check, va, data, bytes);
    free(data);
}

static uint8_t *fetched(uint64_t va, uint32_t bytes)
{
    uint8_t *data = malloc(bytes);

    ck_assert_ptr_nonnull(data);
    check_machine_fetch(&check, va, data, bytes);
    return data;
}

/* The first wait by a rule. */
static const struct log_event *wait_by(uint32_t rule)
{
    for (uint32_t i = 0; check_machine_event(&check, EVENT_WAIT, i); i++)
        if (check_machine_event(&check, EVENT_WAIT, i)->rule == rule)
            return check_machine_event(&check, EVENT_WAIT, i);
    ck_abort_msg("no wait by rule %u", rule);
}

static uint32_t lce(uint32_t offset)
{
    return machine_read32(check.machine, LCE0 + offset);
}

/* ---- lines in pitch layout ------------------------------------------------------------------ */

/* T.C2, and a semaphore of four words at the end. */
START_TEST(a_copy_moves_lines_and_releases_its_semaphore)
{
    for (uint32_t i = 0; i < 64; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, i + 1);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 64, 20, 3), SEMAPHORE_AT(SEMAPHORE, 9),
                 LAUNCH(PITCH_TO_PITCH | FOUR_WORDS));
    check_machine_run(&check);
    for (uint32_t line = 0; line < 3; line++)
        for (uint32_t i = 0; i < 8; i++)
            ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 64 * line + 4 * i),
                              i < 5 ? 8 * line + i + 1 : 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 9);
    ck_assert_uint_ne(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 8), 0);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[3], 16);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[3], 60);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_COPY_START, RULE_T_C2), 1);
    ck_assert_uint_ge(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps,
                      check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
}
END_TEST

START_TEST(without_multi_line_there_is_one_line)
{
    check_machine_poke(&check, CHECK_DATA, 0x11223344);
    check_machine_poke(&check, CHECK_DATA + 16, 0x55667788);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 16, 16, 4, 2), LAUNCH(0x182));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 0x11223344);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 16), 0);
}
END_TEST

/* A hundred of them: going through all their lines would outlast the test's time limit. */
START_TEST(copies_of_empty_lines_end_at_once)
{
    uint32_t dwords[213] = {COPY(0, TARGET, 32, 64, 0, UINT32_MAX), SEMAPHORE_AT(SEMAPHORE, 9)};

    for (uint32_t i = 13; i < 213; i += 2) {
        dwords[i] = PB_INC(4, 0x300, 1);
        dwords[i + 1] = PITCH_TO_PITCH | ONE_WORD;
    }
    check_machine_submit(&check, 0, dwords, 213);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 9);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[3], 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 100);
}
END_TEST

/* Lines of the source from the last to the first. */
START_TEST(a_pitch_may_be_negative)
{
    for (uint32_t i = 0; i < 3; i++)
        check_machine_poke(&check, CHECK_DATA + 32 * i, i + 1);
    CHECK_SUBMIT(&check, 0, COPY(64, TARGET, -32, 32, 4, 3), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 32 * i), 3 - i);
}
END_TEST

/* nv.pitch_sign: then the second line lies 4 GiB on, where nothing is. */
START_TEST(or_a_pitch_is_never_negative)
{
    ck_assert(machine_set_choice(check.machine, "nv.pitch_sign", "unsigned"));
    CHECK_SUBMIT(&check, 0, COPY(64, TARGET, -32, 32, 4, 3), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1],
                      CHECK_DATA + 64 + (uint32_t)-32);
}
END_TEST

/* Pieces of 4096 bytes are read whole before they are written, one after another. */
START_TEST(overlapping_lines_are_copied_piece_by_piece)
{
    enum { BYTES = 10000, SHIFT = 100 };
    uint8_t expected[BYTES + SHIFT], *found;

    fill_with_pattern(CHECK_DATA, sizeof expected, 3);
    check_machine_fetch(&check, CHECK_DATA, expected, sizeof expected);
    for (uint32_t at = 0; at < BYTES; at += 4096)
        memmove(expected + SHIFT + at, expected + at, BYTES - at < 4096 ? BYTES - at : 4096);
    CHECK_SUBMIT(&check, 0, COPY(0, SHIFT, 0, 0, BYTES, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    found = fetched(CHECK_DATA, sizeof expected);
    ck_assert_mem_eq(found, expected, sizeof expected);
    free(found);
}
END_TEST

/* ---- tiled surfaces ------------------------------------------------------------------------- */

struct geometry {
    struct tile_reference surface;
    uint32_t high_log2, deep_log2, depth, layer, x, y, width, rows;
};

static uint32_t draw(struct random_state *random, uint32_t from, uint32_t to)
{
    return from + random_below(random, to - from + 1);
}

static struct geometry random_geometry(struct random_state *random)
{
    struct geometry g = {
        .high_log2 = draw(random, 0, 5),
        .deep_log2 = draw(random, 0, 3),
        .depth = draw(random, 1, 8),
    };

    g.surface = (struct tile_reference){
        .width_bytes = draw(random, 1, 300),
        .height = draw(random, 1, 90),
        .gobs_high = 1u << g.high_log2,
        .slices_deep = 1u << g.deep_log2,
    };
    g.layer = draw(random, 0, g.depth - 1);
    g.x = draw(random, 0, g.surface.width_bytes - 1);
    g.y = draw(random, 0, g.surface.height - 1);
    g.width = draw(random, 1, g.surface.width_bytes - g.x);
    g.rows = draw(random, 1, g.surface.height - g.y);
    return g;
}

#define GEOMETRY(at, g)                                                                            \
    SURFACE(at, (g).high_log2 << 4 | (g).deep_log2 << 8, (g).surface.width_bytes,                  \
            (g).surface.height, (g).depth, (g).layer, (g).x, (g).y)

/* Every byte of the rectangle is where the reference says, and no other byte has changed. */
START_TEST(lines_go_where_the_layout_says_and_nowhere_else)
{
    enum { BYTES = 0x100000 };
    struct random_state random;
    struct geometry g;
    uint8_t *found, *expected = calloc(1, BYTES), *source;

    ck_assert_ptr_nonnull(expected);
    random_seed(&random, (uint64_t)_i, 1);
    g = random_geometry(&random);
    fill_with_pattern(CHECK_DATA, 800 * 90, (uint32_t)_i);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 800, 0, g.width, g.rows), GEOMETRY(0x70c, g),
                 LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    source = fetched(CHECK_DATA, 800 * 90);
    for (uint32_t y = 0; y < g.rows; y++)
        for (uint32_t x = 0; x < g.width; x++) {
            const uint64_t at = tile_reference_offset(&g.surface, g.x + x, g.y + y, g.layer);

            ck_assert_uint_lt(at, BYTES);
            expected[at] = source[800 * y + x];
        }
    found = fetched(CHECK_DATA + TARGET, BYTES);
    ck_assert_mem_eq(found, expected, BYTES);
    free(found);
    free(source);
    free(expected);
}
END_TEST

/* Out of one random surface into another, and out of that in lines. */
START_TEST(tiled_copies_come_back_as_they_went)
{
    struct random_state random;
    struct geometry a, b;
    uint8_t *sent, *got;

    random_seed(&random, (uint64_t)_i, 2);
    a = random_geometry(&random);
    do
        b = random_geometry(&random);
    while (b.surface.width_bytes < a.width || b.surface.height < a.rows);
    b.x = draw(&random, 0, b.surface.width_bytes - a.width);
    b.y = draw(&random, 0, b.surface.height - a.rows);
    fill_with_pattern(CHECK_DATA, a.width * a.rows, (uint32_t)_i);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, a.width, 0, a.width, a.rows), GEOMETRY(0x70c, a),
                 LAUNCH(PITCH_TO_TILED), COPY(TARGET, BACK, 0, 0, a.width, a.rows),
                 GEOMETRY(0x728, a), GEOMETRY(0x70c, b), LAUNCH(TILED),
                 COPY(BACK, 0x80000, 0, a.width, a.width, a.rows), GEOMETRY(0x728, b),
                 LAUNCH(TILED_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
    sent = fetched(CHECK_DATA, a.width * a.rows);
    got = fetched(CHECK_DATA + 0x80000, a.width * a.rows);
    ck_assert_mem_eq(got, sent, a.width * a.rows);
    free(got);
    free(sent);
}
END_TEST

/* SET_SRC_ORIGIN and SRC_ORIGIN_X, Y: the last one written counts. */
START_TEST(origins_can_be_given_in_two_ways)
{
    const struct tile_reference surface = {128, 16, 2, 1};

    for (uint32_t i = 0; i < 32; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x100 + i);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 128, 0, 4, 1),
                 SURFACE(0x70c, 0x10, 128, 16, 1, 0, 0, 0), PB_INC(4, 0x74c, 2), 68, 9,
                 LAUNCH(PITCH_TO_TILED), COPY(4, TARGET, 128, 0, 4, 1), PB_INC(4, 0x720, 1),
                 16 | 3 << 16, LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    ck_assert_uint_eq(
        check_machine_peek(&check, CHECK_DATA + TARGET + tile_reference_offset(&surface, 68, 9, 0)),
        0x100);
    ck_assert_uint_eq(
        check_machine_peek(&check, CHECK_DATA + TARGET + tile_reference_offset(&surface, 16, 3, 0)),
        0x101);
}
END_TEST

/* nv.block_shrink: 8 rows need one GOB, so the second block lies behind 512 bytes, not 8192. */
START_TEST(blocks_of_small_surfaces_may_shrink)
{
    if (_i)
        ck_assert(machine_set_choice(check.machine, "nv.block_shrink", "shrunk"));
    check_machine_poke(&check, CHECK_DATA, 0xabcdef01);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 16, 0, 4, 1), SURFACE(0x70c, 0x40, 128, 8, 1, 0, 64, 0),
                 LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + (_i ? 512 : 8192)),
                      0xabcdef01);
}
END_TEST

/* ---- components ----------------------------------------------------------------------------- */

/* Four components of one byte: lengths count elements. */
START_TEST(remapped_copies_count_elements)
{
    for (uint32_t i = 0; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x01010101 * (i + 1));
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 5, 1), PB_INC(4, 0x708, 1), 0x3303210,
                 LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[3], 20);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 16), 0x05050505);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 20), 0);
}
END_TEST

struct remap {
    uint32_t size, from, to, what[4], constants[2];
};

static struct remap random_remap(struct random_state *random)
{
    struct remap r = {.size = draw(random, 1, 4),
                      .from = draw(random, 1, 4),
                      .to = draw(random, 1, 4),
                      .constants = {draw(random, 0, UINT32_MAX - 1), draw(random, 0, 0xffffff)}};

    for (uint32_t i = 0; i < r.to; i++) {
        r.what[i] = draw(random, 0, 6);
        if (r.what[i] < 4)
            r.what[i] %= r.from;
    }
    return r;
}

static uint32_t remap_word(const struct remap *r)
{
    return r->what[0] | r->what[1] << 4 | r->what[2] << 8 | r->what[3] << 12 | (r->size - 1) << 16 |
           (r->from - 1) << 20 | (r->to - 1) << 24;
}

/* Byte `at` of an element of the destination, which holds `old`. */
static uint8_t remapped(const struct remap *r, const uint8_t *element, uint32_t at, uint8_t old)
{
    const uint32_t what = r->what[at / r->size];

    if (what == 6)
        return old;
    return what >= 4 ? (uint8_t)(r->constants[what - 4] >> 8 * (at % r->size))
                     : element[what * r->size + at % r->size];
}

/* From pitch into pitch (even runs) or tiled (odd ones), over a destination that is not empty. */
START_TEST(components_are_remapped_as_asked)
{
    enum { ELEMENTS = 300, LINES = 7, PITCH = ELEMENTS * 16 + 5, BYTES = 0x20000 };
    const bool tiled = _i % 2;
    struct random_state random;
    struct remap r;
    struct tile_reference surface;
    uint8_t *source, *expected, *found;

    random_seed(&random, (uint64_t)_i, 3);
    r = random_remap(&random);
    surface = (struct tile_reference){ELEMENTS * r.size * r.to, 16, 2, 1};
    fill_with_pattern(CHECK_DATA, PITCH * LINES, 5);
    fill_with_pattern(CHECK_DATA + TARGET, BYTES, 77);
    source = fetched(CHECK_DATA, PITCH * LINES);
    expected = fetched(CHECK_DATA + TARGET, BYTES);
    for (uint32_t i = 0; i < LINES * ELEMENTS * r.size * r.to; i++) {
        const uint32_t line = i / (ELEMENTS * r.size * r.to), x = i % (ELEMENTS * r.size * r.to);
        const uint8_t *element = source + PITCH * line + x / (r.size * r.to) * (r.size * r.from);
        uint8_t *to = expected + (tiled ? tile_reference_offset(&surface, x, line + 3, 0)
                                        : (uint64_t)PITCH * line + x);

        *to = remapped(&r, element, x % (r.size * r.to), *to);
    }
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, PITCH, PITCH, ELEMENTS, LINES),
                 SURFACE(0x70c, 0x10, ELEMENTS, 16, 1, 0, 0, 3), PB_INC(4, 0x700, 3),
                 r.constants[0], r.constants[1], remap_word(&r),
                 LAUNCH((tiled ? PITCH_TO_TILED : PITCH_TO_PITCH) | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    found = fetched(CHECK_DATA + TARGET, BYTES);
    ck_assert_mem_eq(found, expected, BYTES);
    free(found);
    free(expected);
    free(source);
}
END_TEST

/* The source's address is nowhere: drivers do not set one. */
START_TEST(a_fill_with_constants_reads_no_source)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, 0x7000000, 0, DATA(TARGET), 0, 64, 3, 2,
                 PB_INC(4, 0x700, 3), 0x11223344, 0xabcd, 0x04 | 3 << 16,
                 LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 0);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 64 + 4 * i),
                          i < 3 ? 0x11223344 : 0);
}
END_TEST

/* ---- faults, physical addresses ------------------------------------------------------------- */

/* The last mapped page and the first byte behind it. */
#define END_OF_MEMORY (CHECK_VA + CHECK_MEMORY_BYTES)

START_TEST(what_lies_in_front_of_a_fault_is_copied)
{
    enum { BEFORE = 5000, BYTES = 9000 };
    const bool write = _i == 1;
    const uint32_t near_end = (uint32_t)(END_OF_MEMORY - CHECK_DATA) - BEFORE;
    uint8_t *from, *to;

    fill_with_pattern(CHECK_DATA + (write ? 0 : near_end), BEFORE, 9);
    CHECK_SUBMIT(&check, 0,
                 COPY(write ? 0 : near_end, write ? near_end : 0, BYTES, BYTES, BYTES, 2),
                 SEMAPHORE_AT(SEMAPHORE, 9), LAUNCH(PITCH_TO_PITCH | ONE_WORD));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1],
                      END_OF_MEMORY);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[3], write);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[4], NV_FAULT_CE);
    from = fetched(CHECK_DATA, BEFORE);
    to = fetched(CHECK_DATA + near_end, BEFORE);
    ck_assert_mem_eq(from, to, BEFORE);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + (write ? near_end - 4 : BEFORE)), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    ck_assert_uint_ne(machine_read32(check.machine, INTR_0) & INTR_0_MMU_FAULT, 0);
    free(from);
    free(to);
}
END_TEST

/* Elements of 12 bytes: of the one that straddles the end, what can be written is. */
START_TEST(a_fault_may_cut_an_element_of_the_destination)
{
    const uint32_t near_end = (uint32_t)(END_OF_MEMORY - CHECK_DATA) - 16;

    for (uint32_t i = 0; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x100 + i);
    CHECK_SUBMIT(&check, 0, COPY(0, near_end, 0, 0, 2, 1), PB_INC(4, 0x708, 1),
                 0x012 | 3 << 16 | 2 << 20 | 2 << 24, LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1],
                      END_OF_MEMORY);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + near_end), 0x102);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + near_end + 8), 0x100);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + near_end + 12), 0x105);
}
END_TEST

/* Of the source whole elements count: of the one that straddles the end nothing is written. */
START_TEST(a_fault_of_the_source_leaves_whole_elements)
{
    const uint32_t near_end = (uint32_t)(END_OF_MEMORY - CHECK_DATA) - 22;
    uint8_t *from, *to;

    fill_with_pattern(CHECK_DATA + near_end, 22, 1);
    CHECK_SUBMIT(&check, 0, COPY(near_end, TARGET, 0, 0, 4, 1), PB_INC(4, 0x708, 1),
                 0x102 | 1 << 16 | 2 << 20 | 2 << 24, LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1],
                      END_OF_MEMORY);
    from = fetched(CHECK_DATA + near_end, 22);
    to = fetched(CHECK_DATA + TARGET, 24);
    for (uint32_t i = 0; i < 24; i++) {
        static const uint32_t component[] = {2, 0, 1};

        ck_assert_uint_eq(to[i], i < 18 ? from[i / 6 * 6 + component[i % 6 / 2] * 2 + i % 2] : 0);
    }
    free(from);
    free(to);
}
END_TEST

/* What the channel had queued behind is dropped: the second copy never starts. */
START_TEST(a_fault_drops_what_the_channel_has_queued)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, 0x7000000, 0, DATA(TARGET), 32, 32, 16, 1,
                 LAUNCH(PITCH_TO_PITCH), COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1], 0x7000000);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 1);
}
END_TEST

enum { SOURCE_PHYSICAL = 1 << 12, DESTINATION_PHYSICAL = 1 << 13 };

static void give_privilege(void)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + NV_PPBDMA_HCE_CTRL, 1 << 5);
}

START_TEST(physical_addresses_need_privilege)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1),
                 LAUNCH(PITCH_TO_PITCH | (_i ? SOURCE_PHYSICAL : DESTINATION_PHYSICAL)));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->argument[2], 32 + 2);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40150), 0x300);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40154),
                      PITCH_TO_PITCH | (_i ? SOURCE_PHYSICAL : DESTINATION_PHYSICAL));
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 0);
}
END_TEST

/* Out of video memory into system memory, and from there on by virtual addresses. */
START_TEST(physical_addresses_name_their_memory)
{
    const uint32_t words[4] = {1, 2, 3, 4};
    uint32_t found[4];

    give_privilege();
    check_machine_fill(&check, CHECK_DATA, words, sizeof words);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x260, 2), 0, 1 + (uint32_t)_i, PB_INC(4, 0x400, 8), 0,
                 CHECK_MEMORY + (uint32_t)(CHECK_DATA - CHECK_VA), 0, 0x5000, 0, 0, 16, 1,
                 LAUNCH(PITCH_TO_PITCH | SOURCE_PHYSICAL | DESTINATION_PHYSICAL),
                 PB_INC(4, 0x260, 1), 1, PB_INC(4, 0x400, 4), 0, 0x5004, 0, DATA(TARGET),
                 LAUNCH(PITCH_TO_PITCH | SOURCE_PHYSICAL));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert(machine_read(check.machine, MEMORY_SYSMEM, 0x5000, found, sizeof found));
    ck_assert_mem_eq(found, words, sizeof words);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 2);
}
END_TEST

START_TEST(physical_addresses_end_where_memory_ends)
{
    const uint64_t end = check.machine->memory.size_bytes[MEMORY_VRAM];

    give_privilege();
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x264, 1), 0, PB_INC(4, 0x400, 8), 0, DATA(0),
                 (uint32_t)(end >> 32), (uint32_t)end - 8, 0, 0, 16, 1,
                 LAUNCH(PITCH_TO_PITCH | DESTINATION_PHYSICAL));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1], end);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[2], 13);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------ */

#define TILE_IN(block, width, height, depth, layer, x, y)                                          \
    {                                                                                              \
        SURFACE(0x70c, block, width, height, depth, layer, x, y)                                   \
    }

/* A copy of two lines of 100 bytes, pitch 128, into a surface of 256 x 64, except for ... */
static const struct {
    uint32_t code, launch, dwords[8];
} bad_launches[] = {
    {NV_CE_LCE_LAUNCHERR_REPORT_2D_LAYER_EXCEEDS_DEPTH, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 2, 2, 0, 0)},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     PITCH_TO_TILED,
     {PB_INC(4, 0x40c, 1), DATA(TARGET + 256)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     PITCH_TO_TILED | ONE_WORD,
     {PB_INC(4, 0x244, 1), DATA(SEMAPHORE + 2)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_ALIGNMENT,
     FOUR_WORDS,
     {PB_INC(4, 0x244, 1), DATA(SEMAPHORE + 8)}},
    {NV_CE_LCE_LAUNCHERR_REPORT_MEM2MEM_RECT_OUT_OF_BOUNDS, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 1, 0, 157, 0)},
    {NV_CE_LCE_LAUNCHERR_REPORT_MEM2MEM_RECT_OUT_OF_BOUNDS, PITCH_TO_TILED,
     TILE_IN(0, 256, 64, 1, 0, 0, 63)},
    {NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 99, 128}},
    {NV_CE_LCE_LAUNCHERR_REPORT_SRC_LINE_EXCEEDS_NEG_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), (uint32_t)-99, 128}},
    {NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 128, 0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_DST_LINE_EXCEEDS_NEG_PITCH,
     PITCH_TO_PITCH,
     {PB_INC(4, 0x410, 2), 128, (uint32_t)-1}},
    {NV_CE_LCE_LAUNCHERR_REPORT_BAD_SRC_PIXEL_COMP_REF,
     PITCH_TO_PITCH | REMAP,
     {PB_INC(4, 0x708, 1), 0x20 | 1 << 20 | 1 << 24}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE,
     PITCH_TO_PITCH | REMAP,
     {PB_INC(4, 0x708, 1), 0x70 | 1 << 20 | 1 << 24}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 1, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 3 << 3, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_PITCH | 3 << 5, {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE,
     PITCH_TO_PITCH | ONE_WORD | REDUCTION | 8 << 14,
     {0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1060}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1600}},
    {NV_CE_LCE_LAUNCHERR_REPORT_INVALID_VALUE, PITCH_TO_TILED, {PB_INC(4, 0x70c, 1), 0x1001}},
};

static void submit_bad_launch(int index)
{
    uint32_t dwords[32] = {COPY(0, TARGET, 128, 128, 100, 2)};
    const uint32_t surface[] = {SURFACE(0x70c, 0, 256, 64, 1, 0, 0, 0)};
    const uint32_t semaphore[] = {SEMAPHORE_AT(SEMAPHORE, 9)};

    memcpy(dwords + 9, surface, sizeof surface);
    memcpy(dwords + 16, semaphore, sizeof semaphore);
    memcpy(dwords + 20, bad_launches[index].dwords, sizeof bad_launches[index].dwords);
    dwords[28] = PB_INC(4, 0x300, 1);
    dwords[29] = bad_launches[index].launch;
    check_machine_submit(&check, 0, dwords, 30);
}

START_TEST(a_launch_that_cannot_be_raises_launcherr)
{
    submit_bad_launch(_i);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 0);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_CE_LAUNCHERR, 0)->argument[3],
                      bad_launches[_i].code);
    ck_assert_uint_eq(lce(NV_CE_LCE_LAUNCHERR), bad_launches[_i].code);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 1 << NV_CE_LCE_INTR_STATUS_LAUNCHERR_LO);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
}
END_TEST

/* nv.ce.launch_checks: whatever it is, it does not stop the machine. */
START_TEST(or_the_engine_does_what_it_can)
{
    ck_assert(machine_set_choice(check.machine, "nv.ce.launch_checks", "ignore"));
    submit_bad_launch(_i);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CE_LAUNCHERR), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 1);
}
END_TEST

/* NV.CE_INTR: the good copy behind the bad one waits until the error is cleared. */
START_TEST(a_launch_error_holds_the_engine_until_it_is_cleared)
{
    submit_bad_launch(0);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 0);
    ck_assert_uint_eq(lce(NV_CE_LCE_STATUS), 1);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_NV_CE_INTR), 1);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_STATUS, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
    ck_assert_uint_eq(lce(NV_CE_LCE_STATUS), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
}
END_TEST

START_TEST(an_engine_without_a_pce_can_do_nothing)
{
    machine_write32(check.machine, NV_CE_BASE + NV_CE_PCE2LCE_CONFIG, 0x7777);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_LAUNCHERR), NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 1 << 2 | 1 << 3);
}
END_TEST

/* The 32-bit origins came with c1b5. */
START_TEST(gp100s_class_has_fewer_methods)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), 0xc0b5, PB_INC(4, 0x720, 1), 0, PB_INC(4, 0x74c, 1),
                 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->argument[2], 32 + 3);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40150), 0x74c);
}
END_TEST

START_TEST(fields_without_a_model_are_reported)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1),
                 LAUNCH(PITCH_TO_PITCH | 1 << (22 + _i)));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
}
END_TEST

/* ---- semaphores, interrupts ----------------------------------------------------------------- */

static const struct {
    uint32_t reduction, old, payload, is_unsigned, expected;
} reductions[] = {
    {0, 5, 0xfffffffe, 0, 0xfffffffe},
    {0, 5, 0xfffffffe, 1, 5},
    {1, 5, 0xfffffffe, 0, 5},
    {1, 5, 0xfffffffe, 1, 0xfffffffe},
    {2, 0xff, 0x0f, 1, 0xf0},
    {3, 0xff, 0x0f, 1, 0x0f},
    {4, 0xf0, 0x0f, 1, 0xff},
    {5, 0xffffffff, 3, 1, 2},
    {6, 4, 9, 1, 5},
    {6, 9, 9, 1, 0},
    {7, 4, 9, 1, 3},
    {7, 0, 9, 1, 9},
    {10, 0x3fc00000, 0x40200000, 0, 0x40800000}, /* 1.5 + 2.5 */
};

START_TEST(a_semaphore_can_be_reduced)
{
    const uint32_t kind = _i % 2 ? FOUR_WORDS : ONE_WORD;
    const uint32_t launch = kind | REDUCTION | reductions[_i / 2].reduction << 14 |
                            reductions[_i / 2].is_unsigned << 18;

    check_machine_poke(&check, CHECK_DATA + SEMAPHORE, reductions[_i / 2].old);
    CHECK_SUBMIT(&check, 0, SEMAPHORE_AT(SEMAPHORE, reductions[_i / 2].payload), LAUNCH(launch));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE),
                      reductions[_i / 2].expected);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_REDUCTION), 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_RELEASE, 0)->argument[2],
                      reductions[_i / 2].expected);
    ck_assert_int_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 8) != 0, _i % 2);
}
END_TEST

START_TEST(a_semaphore_without_a_page_faults_behind_its_copy)
{
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), PB_INC(4, 0x240, 3), 0, 0x7000000, 9,
                 LAUNCH(PITCH_TO_PITCH | ONE_WORD | (_i ? REDUCTION | 10 << 14 : 0)));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1], 0x7000000);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[3], 1);
}
END_TEST

/* Blocking ones hold what comes behind, the others do not. */
START_TEST(a_copy_can_raise_an_interrupt)
{
    const bool blocking = _i == 0;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1),
                 LAUNCH(PITCH_TO_PITCH | (blocking ? 1 : 2) << 5), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), blocking ? 1 : 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), blocking ? 1 : 2);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_STATUS, blocking ? 1 : 2);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
}
END_TEST

START_TEST(an_interrupt_that_is_not_enabled_does_not_reach_pmc)
{
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_EN, 0);
    CHECK_SUBMIT(&check, 0, LAUNCH(2 << 5));
    check_machine_run(&check);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 2);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
    machine_write32(check.machine, LCE0 + NV_CE_LCE_INTR_EN, 0xf);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 1 << 5);
}
END_TEST

/* gp100_ce_intr: it is reported and cleared, and the engine goes on. */
START_TEST(nouveau_answers_the_copy_engines_interrupts)
{
    submit_bad_launch(0);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH | 1 << 5),
                 LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_DRIVER_CE_INTERRUPT), 2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 0)->argument[1], 4);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 0)->argument[2],
                      NV_CE_LCE_LAUNCHERR_REPORT_2D_LAYER_EXCEEDS_DEPTH);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_DRIVER_CE_INTERRUPT, 1)->argument[1], 1);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CE_INTR), 1);
    ck_assert_uint_eq(lce(NV_CE_LCE_INTR_STATUS), 0);
}
END_TEST

/* ---- conditions ----------------------------------------------------------------------------- */

static const struct {
    uint32_t mode, first[2], second[2], copies;
} conditions[] = {
    {0, {1, 1}, {1, 1}, 0}, {1, {0, 0}, {1, 1}, 1}, {2, {0, 0}, {1, 1}, 0}, {2, {0, 8}, {0, 0}, 1},
    {3, {7, 8}, {7, 8}, 1}, {3, {7, 8}, {7, 9}, 0}, {4, {7, 8}, {7, 8}, 0}, {4, {7, 8}, {7, 9}, 1},
};

static void submit_conditional(uint32_t mode)
{
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 16, 1), SEMAPHORE_AT(SEMAPHORE, 9),
                 PB_INC(4, 0x254, 3), 0, DATA(0x40), mode, LAUNCH(PITCH_TO_PITCH | ONE_WORD));
}

START_TEST(memory_can_switch_copies_off)
{
    for (uint32_t i = 0; i < 2; i++) {
        check_machine_poke(&check, CHECK_DATA + 0x40 + 4 * i, conditions[_i].first[i]);
        check_machine_poke(&check, CHECK_DATA + 0x50 + 4 * i, conditions[_i].second[i]);
    }
    submit_conditional(conditions[_i].mode);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET),
                      conditions[_i].copies ? 77 : 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 9);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_CE_CONDITION, 0)->argument[3],
                      conditions[_i].copies);
}
END_TEST

START_TEST(a_launch_that_is_switched_off_may_leave_its_semaphore_out_too)
{
    ck_assert(machine_set_choice(check.machine, "nv.ce.render_disabled", "launch"));
    submit_conditional(0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_QUEUE), 0);
}
END_TEST

/* The answer belongs to the channel: it goes into RAMFC with it. */
START_TEST(a_condition_follows_its_channel)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x25c, 1), 0);
    check_machine_run(&check);
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 1, COPY(0, TARGET, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    CHECK_SUBMIT(&check, 0, COPY(0, BACK, 32, 32, 16, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + BACK), 0);
}
END_TEST

/* And so does what it has written to the copy class. */
START_TEST(class_state_follows_its_channel)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    check_machine_poke(&check, CHECK_DATA, 77);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), 0xc0b5, COPY(0, TARGET, 32, 32, 16, 1));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, COPY(0, BACK, 32, 32, 16, 1), PB_INC(4, 0x74c, 1), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    CHECK_SUBMIT(&check, 0, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET), 77);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + BACK), 0);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x74c, 1), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

static const struct {
    uint32_t mode, address, intr_1_bit;
} bad_conditions[] = {{5, DATA(0x40), 0}, {7, DATA(0x40), 0}, {2, DATA(0x44), 1}, {3, DATA(1), 1}};

START_TEST(host_refuses_a_condition_that_cannot_be)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x254, 3), 0, bad_conditions[_i].address,
                 bad_conditions[_i].mode);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->argument[2],
                      32 + bad_conditions[_i].intr_1_bit);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40150), 0x25c);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40154), bad_conditions[_i].mode);
}
END_TEST

START_TEST(a_condition_without_a_page_faults)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x254, 3), 0, (uint32_t)END_OF_MEMORY - (_i ? 16 : 0),
                 _i ? 3 : 2);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)->argument[1],
                      END_OF_MEMORY);
}
END_TEST

/* ---- time ----------------------------------------------------------------------------------- */

static gfe_ps length_of(uint32_t copy)
{
    return check_machine_event(&check, EVENT_COPY_END, copy)->time_ps -
           check_machine_event(&check, EVENT_COPY_START, copy)->time_ps;
}

static gfe_ps cycles(uint64_t count)
{
    return count * GFE_PS_PER_S / 1506000000;
}

/* 48,192 bytes on an engine of 48.192 GB/s, then set-up and flush. */
START_TEST(a_copy_takes_its_set_up_and_its_bytes_at_the_engines_rate)
{
    const uint32_t flush = (uint32_t)_i;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH | flush << 2));
    check_machine_run(&check);
    ck_assert_uint_le(length_of(0), GFE_PS_PER_US + cycles(753 + 200 * flush + 2));
    ck_assert_uint_ge(length_of(0), GFE_PS_PER_US + cycles(753 + 200 * flush) - 2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[4], 2 * 48192);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[5],
                      COPY_LIMIT_ENGINE);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[6], 1);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_END, 0)->argument[4],
                      COPY_LIMIT_ENGINE);
}
END_TEST

/* 12 GB/s over the link, each way. */
START_TEST(system_memory_is_slower)
{
    const struct address_space_range range = {.va = 0x20000000,
                                              .size_bytes = 0x10000,
                                              .physical = 0x10000,
                                              .space_id = check.space_id,
                                              .aperture = MEMORY_SYSMEM};
    const uint32_t system = 0x20000000, local = DATA(0);

    ck_assert_int_eq(address_space_map(&check.machine->spaces, &range), ADDRESS_SPACE_OK);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, _i ? local : system, 0, _i ? system : local, 0,
                 0, 48000, 1, LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[5],
                      _i ? COPY_LIMIT_SYSTEM_WRITE : COPY_LIMIT_SYSTEM_READ);
    ck_assert_uint_ge(length_of(0), 4 * GFE_PS_PER_US + cycles(753) - 2);
    ck_assert_uint_le(length_of(0), 4 * GFE_PS_PER_US + cycles(755));
}
END_TEST

/* Two PCEs for one LCE: then the memory is what binds, at 192 GB/s for reading and writing. */
START_TEST(more_pces_make_an_engine_faster)
{
    machine_write32(check.machine, NV_CE_BASE + NV_CE_PCE2LCE_CONFIG, 0x3200);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_le(length_of(0), 2 * GFE_PS_PER_US * 48192 / 192000 + cycles(755));
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[5],
                      COPY_LIMIT_LOCAL);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[6], 3);
}
END_TEST

/* 1,000 lines of one byte move 1,000 sectors on each side. */
START_TEST(short_lines_cost_whole_sectors)
{
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 64, 96, 1, 1000), LAUNCH(PITCH_TO_PITCH),
                 SURFACE(0x70c, 0, 64, 1000, 1, 0, 20, 0), LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[3], 1000);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 0)->argument[4], 64000);
    /* A sector of a tiled surface has two rows. */
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 1)->argument[4], 32000 + 16000);
}
END_TEST

/* T.C2: the second waits for the first; a pipelined one is set up meanwhile. */
START_TEST(pipelined_copies_are_set_up_while_others_run)
{
    const uint32_t launch = (PITCH_TO_PITCH & ~3u) | (_i ? 1 : 2);
    const struct log_event *wait;

    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH),
                 LAUNCH(launch));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_COPY_START, 1)->time_ps,
                      check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    ck_assert_uint_le(length_of(1), GFE_PS_PER_US + (_i ? 1000 : cycles(755)));
    ck_assert_uint_ge(length_of(1), GFE_PS_PER_US + (_i ? 0 : cycles(752)));
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_C2), 1);
    wait = wait_by(RULE_T_C2);
    ck_assert_uint_eq(wait->argument[0], check_machine_event(&check, EVENT_COPY_QUEUE, 1)->time_ps);
    ck_assert_uint_eq(wait->time_ps, check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    ck_assert_uint_eq(wait->argument[1], SUBJECT_COPY);
    ck_assert_uint_eq(wait->argument[2], 2);
    ck_assert_uint_eq(wait->argument[3], SUBJECT_COPY);
    ck_assert_uint_eq(wait->argument[4], 1);
}
END_TEST

/* nv.ce.credits: two by default, so the third launch waits at Host. */
START_TEST(host_keeps_a_launch_back_until_the_engine_has_room)
{
    if (_i)
        ck_assert(machine_set_parameter(check.machine, "nv.ce.credits", 3));
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 0, 0, 48192, 1), LAUNCH(PITCH_TO_PITCH),
                 LAUNCH(PITCH_TO_PITCH), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
    if (_i)
        ck_assert_uint_lt(check_machine_event(&check, EVENT_COPY_QUEUE, 2)->time_ps,
                          check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
    else
        ck_assert_uint_ge(check_machine_event(&check, EVENT_COPY_QUEUE, 2)->time_ps,
                          check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
}
END_TEST

/* The engine has room for eight, whatever the parameter says. */
START_TEST(an_engine_holds_no_more_than_it_has_room_for)
{
    uint32_t dwords[9 + 2 * 20] = {COPY(0, TARGET, 0, 0, 48192, 1)};

    ck_assert(machine_set_parameter(check.machine, "nv.ce.credits", _i ? 1000 : 0));
    for (uint32_t i = 0; i < 20; i++) {
        dwords[9 + 2 * i] = PB_INC(4, 0x300, 1);
        dwords[10 + 2 * i] = PITCH_TO_PITCH;
    }
    check_machine_submit(&check, 0, dwords, 49);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 20);
}
END_TEST

/* ---- suite ---------------------------------------------------------------------------------- */

static void add_bytes(Suite *suite)
{
    TCase *tcase = tcase_create("bytes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_copy_moves_lines_and_releases_its_semaphore);
    tcase_add_test(tcase, without_multi_line_there_is_one_line);
    tcase_add_test(tcase, copies_of_empty_lines_end_at_once);
    tcase_add_test(tcase, a_pitch_may_be_negative);
    tcase_add_test(tcase, or_a_pitch_is_never_negative);
    tcase_add_test(tcase, overlapping_lines_are_copied_piece_by_piece);
    tcase_add_loop_test(tcase, lines_go_where_the_layout_says_and_nowhere_else, 0, 40);
    tcase_add_loop_test(tcase, tiled_copies_come_back_as_they_went, 0, 20);
    tcase_add_test(tcase, origins_can_be_given_in_two_ways);
    tcase_add_loop_test(tcase, blocks_of_small_surfaces_may_shrink, 0, 2);
    tcase_add_test(tcase, remapped_copies_count_elements);
    tcase_add_loop_test(tcase, components_are_remapped_as_asked, 0, 40);
    tcase_add_test(tcase, a_fill_with_constants_reads_no_source);
    tcase_add_loop_test(tcase, what_lies_in_front_of_a_fault_is_copied, 0, 2);
    tcase_add_test(tcase, a_fault_may_cut_an_element_of_the_destination);
    tcase_add_test(tcase, a_fault_of_the_source_leaves_whole_elements);
    tcase_add_test(tcase, a_fault_drops_what_the_channel_has_queued);
    tcase_add_loop_test(tcase, physical_addresses_need_privilege, 0, 2);
    tcase_add_loop_test(tcase, physical_addresses_name_their_memory, 0, 2);
    tcase_add_test(tcase, physical_addresses_end_where_memory_ends);
    suite_add_tcase(suite, tcase);
}

static void add_refusals(Suite *suite)
{
    TCase *tcase = tcase_create("refusals");
    const int bad = sizeof bad_launches / sizeof bad_launches[0];

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_launch_that_cannot_be_raises_launcherr, 0, bad);
    tcase_add_loop_test(tcase, or_the_engine_does_what_it_can, 0, bad);
    tcase_add_test(tcase, a_launch_error_holds_the_engine_until_it_is_cleared);
    tcase_add_test(tcase, an_engine_without_a_pce_can_do_nothing);
    tcase_add_test(tcase, gp100s_class_has_fewer_methods);
    tcase_add_loop_test(tcase, fields_without_a_model_are_reported, 0, 3);
    suite_add_tcase(suite, tcase);
}

static void add_signals(Suite *suite)
{
    TCase *tcase = tcase_create("signals"), *driver = tcase_create("driver");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_checked_fixture(driver, setup_with_nouveau, teardown);
    tcase_add_loop_test(tcase, a_semaphore_can_be_reduced, 0,
                        2 * sizeof reductions / sizeof reductions[0]);
    tcase_add_loop_test(tcase, a_semaphore_without_a_page_faults_behind_its_copy, 0, 2);
    tcase_add_loop_test(tcase, a_copy_can_raise_an_interrupt, 0, 2);
    tcase_add_test(tcase, an_interrupt_that_is_not_enabled_does_not_reach_pmc);
    tcase_add_test(driver, nouveau_answers_the_copy_engines_interrupts);
    tcase_add_loop_test(tcase, memory_can_switch_copies_off, 0,
                        sizeof conditions / sizeof conditions[0]);
    tcase_add_test(tcase, a_launch_that_is_switched_off_may_leave_its_semaphore_out_too);
    tcase_add_test(tcase, a_condition_follows_its_channel);
    tcase_add_test(tcase, class_state_follows_its_channel);
    tcase_add_loop_test(tcase, host_refuses_a_condition_that_cannot_be, 0,
                        sizeof bad_conditions / sizeof bad_conditions[0]);
    tcase_add_loop_test(tcase, a_condition_without_a_page_faults, 0, 2);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, driver);
}

Suite *nv_ce_suite(void)
{
    Suite *suite = suite_create("nv_ce");
    TCase *tcase = tcase_create("time");

    add_bytes(suite);
    add_refusals(suite);
    add_signals(suite);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_copy_takes_its_set_up_and_its_bytes_at_the_engines_rate, 0, 2);
    tcase_add_loop_test(tcase, system_memory_is_slower, 0, 2);
    tcase_add_test(tcase, more_pces_make_an_engine_faster);
    tcase_add_test(tcase, short_lines_cost_whole_sectors);
    tcase_add_loop_test(tcase, pipelined_copies_are_set_up_while_others_run, 0, 2);
    tcase_add_loop_test(tcase, host_keeps_a_launch_back_until_the_engine_has_room, 0, 2);
    tcase_add_loop_test(tcase, an_engine_holds_no_more_than_it_has_room_for, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
