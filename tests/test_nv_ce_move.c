/* SPDX-License-Identifier: MIT */
/* Every byte that the copy engine moves. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "emu/engine/random.h"
#include "tests/copy_methods.h"
#include "tests/suites.h"
#include "tests/tile_reference.h"

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* ---- lines in pitch layout ------------------------------------------------------------------- */

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
    ck_assert_uint_eq(
        event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).byte_count, 16);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).byte_count, 60);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_COPY_START, RULE_T_C3), 1);
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
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).byte_count, 0);
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
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        CHECK_DATA + 64 + (uint32_t)-32);
}
END_TEST

/* Pieces of 4096 bytes are read whole before they are written, one after another. */
START_TEST(overlapping_lines_are_copied_piece_by_piece)
{
    enum { BYTES = 10000, SHIFT = 100 };
    uint8_t expected[BYTES + SHIFT], *found;

    copy_fill(&check, CHECK_DATA, sizeof expected, 3);
    check_machine_fetch(&check, CHECK_DATA, expected, sizeof expected);
    for (uint32_t at = 0; at < BYTES; at += 4096)
        memmove(expected + SHIFT + at, expected + at, BYTES - at < 4096 ? BYTES - at : 4096);
    CHECK_SUBMIT(&check, 0, COPY(0, SHIFT, 0, 0, BYTES, 1), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    found = copy_fetch(&check, CHECK_DATA, sizeof expected);
    ck_assert_mem_eq(found, expected, sizeof expected);
    free(found);
}
END_TEST

/* ---- tiled surfaces -------------------------------------------------------------------------- */

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
/* PROMISE (nvidia): Copies write where the layout says and nowhere else. */
START_TEST(lines_go_where_the_layout_says_and_nowhere_else)
{
    enum { BYTES = 0x100000 };
    struct random_state random;
    struct geometry g;
    uint8_t *found, *expected = calloc(1, BYTES), *source;

    ck_assert_ptr_nonnull(expected);
    random_seed(&random, (uint64_t)_i, 1);
    g = random_geometry(&random);
    copy_fill(&check, CHECK_DATA, 800 * 90, (uint32_t)_i);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 800, 0, g.width, g.rows), GEOMETRY(0x70c, g),
                 LAUNCH(PITCH_TO_TILED));
    check_machine_run(&check);
    source = copy_fetch(&check, CHECK_DATA, 800 * 90);
    for (uint32_t y = 0; y < g.rows; y++)
        for (uint32_t x = 0; x < g.width; x++) {
            const uint64_t at = tile_reference_offset(&g.surface, g.x + x, g.y + y, g.layer);

            ck_assert_uint_lt(at, BYTES);
            expected[at] = source[800 * y + x];
        }
    found = copy_fetch(&check, CHECK_DATA + TARGET, BYTES);
    ck_assert_mem_eq(found, expected, BYTES);
    free(found);
    free(source);
    free(expected);
}
END_TEST

/* Out of one random surface into another, and out of that in lines. */
/* PROMISE (nvidia): Block-linear copies come back as they went. */
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
    copy_fill(&check, CHECK_DATA, a.width * a.rows, (uint32_t)_i);
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, a.width, 0, a.width, a.rows), GEOMETRY(0x70c, a),
                 LAUNCH(PITCH_TO_TILED), COPY(TARGET, BACK, 0, 0, a.width, a.rows),
                 GEOMETRY(0x728, a), GEOMETRY(0x70c, b), LAUNCH(TILED),
                 COPY(BACK, 0x80000, 0, a.width, a.width, a.rows), GEOMETRY(0x728, b),
                 LAUNCH(TILED_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
    sent = copy_fetch(&check, CHECK_DATA, a.width * a.rows);
    got = copy_fetch(&check, CHECK_DATA + 0x80000, a.width * a.rows);
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

/* ---- components ------------------------------------------------------------------------------ */

/* Four components of one byte: lengths count elements. */
START_TEST(remapped_copies_count_elements)
{
    for (uint32_t i = 0; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x01010101 * (i + 1));
    CHECK_SUBMIT(&check, 0, COPY(0, TARGET, 32, 32, 5, 1), PB_INC(4, 0x708, 1), 0x3303210,
                 LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).byte_count, 20);
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
    if (what >= 4)
        return (uint8_t)(r->constants[what - 4] >> 8 * (at % r->size));
    return element[what * r->size + at % r->size];
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
    copy_fill(&check, CHECK_DATA, PITCH * LINES, 5);
    copy_fill(&check, CHECK_DATA + TARGET, BYTES, 77);
    source = copy_fetch(&check, CHECK_DATA, PITCH * LINES);
    expected = copy_fetch(&check, CHECK_DATA + TARGET, BYTES);
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
    found = copy_fetch(&check, CHECK_DATA + TARGET, BYTES);
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

/* ---- faults, physical addresses -------------------------------------------------------------- */

START_TEST(what_lies_in_front_of_a_fault_is_copied)
{
    enum { BEFORE = 5000, BYTES = 9000 };
    const bool write = _i == 1;
    const uint32_t near_end = (uint32_t)(END_OF_MEMORY - CHECK_DATA) - BEFORE;
    uint8_t *from, *to;

    copy_fill(&check, CHECK_DATA + (write ? 0 : near_end), BEFORE, 9);
    CHECK_SUBMIT(&check, 0,
                 COPY(write ? 0 : near_end, write ? near_end : 0, BYTES, BYTES, BYTES, 2),
                 SEMAPHORE_AT(SEMAPHORE, 9), LAUNCH(PITCH_TO_PITCH | ONE_WORD));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        END_OF_MEMORY);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).is_write, write);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).unit_kind,
        NV_FAULT_CE);
    from = copy_fetch(&check, CHECK_DATA, BEFORE);
    to = copy_fetch(&check, CHECK_DATA + near_end, BEFORE);
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

/* A destination that may not be written, a source that may not be read. */
START_TEST(a_page_that_forbids_the_access_is_a_fault)
{
    enum { PAGE = 0x100000, BYTES = 0x1000 };
    const bool write = _i == 1;
    const uint64_t va = CHECK_DATA + PAGE;
    struct address_spaces *spaces = &check.machine->spaces;
    struct address_space_range range;
    const struct log_event *fault;
    uint64_t contiguous;

    ck_assert(address_space_translate(spaces, check.space_id, va, &range, &contiguous));
    ck_assert(address_space_unmap(spaces, check.space_id, va, BYTES));
    range.size_bytes = BYTES;
    range.access = write ? ADDRESS_SPACE_READ_ONLY : ADDRESS_SPACE_WRITE_ONLY;
    ck_assert_int_eq(address_space_map(spaces, &range), ADDRESS_SPACE_OK);
    CHECK_SUBMIT(&check, 0, COPY(write ? 0 : PAGE, write ? PAGE : 0, BYTES, BYTES, BYTES, 1),
                 LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    fault = check_machine_event(&check, EVENT_NV_MMU_FAULT, 0);
    ck_assert_ptr_nonnull(fault);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).address, va);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).fault_type,
                      write ? NV_PFAULT_FAULT_TYPE_RO_VIOLATION
                            : NV_PFAULT_FAULT_TYPE_WO_VIOLATION);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).is_write, write);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 0);
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
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
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

    copy_fill(&check, CHECK_DATA + near_end, 22, 1);
    CHECK_SUBMIT(&check, 0, COPY(near_end, TARGET, 0, 0, 4, 1), PB_INC(4, 0x708, 1),
                 0x102 | 1 << 16 | 2 << 20 | 2 << 24, LAUNCH(PITCH_TO_PITCH | REMAP));
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        END_OF_MEMORY);
    from = copy_fetch(&check, CHECK_DATA + near_end, 22);
    to = copy_fetch(&check, CHECK_DATA + TARGET, 24);
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
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        0x7000000);
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
    ck_assert_uint_eq(
        event_nv_pbdma_intr_of(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)).intr_bit,
        32 + 2);
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
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address, end);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).fault_type, 13);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_ce_move_suite(void)
{
    Suite *suite = suite_create("nv_ce_move");
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
    tcase_add_loop_test(tcase, a_page_that_forbids_the_access_is_a_fault, 0, 2);
    tcase_add_test(tcase, a_fault_may_cut_an_element_of_the_destination);
    tcase_add_test(tcase, a_fault_of_the_source_leaves_whole_elements);
    tcase_add_test(tcase, a_fault_drops_what_the_channel_has_queued);
    tcase_add_loop_test(tcase, physical_addresses_need_privilege, 0, 2);
    tcase_add_loop_test(tcase, physical_addresses_name_their_memory, 0, 2);
    tcase_add_test(tcase, physical_addresses_end_where_memory_ends);
    suite_add_tcase(suite, tcase);
    return suite;
}
