/* SPDX-License-Identifier: MIT */
/* What nv_scrub tells of streams written by hand: what is needed, what moves, what is neither. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_scrub.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum { MEMORY_BYTES = 0x10000, STREAM = 0x1000, FINDINGS_MAX = 64, COPY = 4 };
enum { S_3D = 0, S_COMPUTE = 1, S_INLINE = 2, S_2D = 3 };

struct finding {
    bool moves;
    uint64_t va, from, bytes;
    enum nv_scrub_reason reason;
};

static uint8_t memory[MEMORY_BYTES];
static struct finding findings[FINDINGS_MAX];
static uint32_t finding_count;
static struct nv_scrub scrub;

static bool read_memory(void *context, uint64_t va, void *data, size_t bytes)
{
    (void)context;
    if (va > MEMORY_BYTES || bytes > MEMORY_BYTES - va)
        return false;
    memcpy(data, memory + va, bytes);
    return true;
}

static void found(struct finding finding)
{
    ck_assert_uint_lt(finding_count, FINDINGS_MAX);
    findings[finding_count++] = finding;
}

static void found_need(void *context, uint64_t va, uint64_t bytes, enum nv_scrub_reason reason)
{
    (void)context;
    found((struct finding){.va = va, .bytes = bytes, .reason = reason});
}

static void found_move(void *context, uint64_t to_va, uint64_t from_va, uint64_t bytes)
{
    (void)context;
    for (uint64_t i = 0; i < bytes; i++)
        if (to_va + i < MEMORY_BYTES && from_va + i < MEMORY_BYTES)
            memory[to_va + i] = memory[from_va + i];
    found((struct finding){.moves = true, .va = to_va, .from = from_va, .bytes = bytes});
}

static void setup(void)
{
    static const struct nv_scrub_ops ops = {read_memory, found_need, found_move};

    memset(memory, 0, sizeof memory);
    finding_count = 0;
    nv_scrub_init(&scrub, &ops, NULL, nv_decode_chip(0x136));
}

static void walk(const uint32_t *dwords, uint32_t count)
{
    memcpy(memory + STREAM, dwords, 4ull * count);
    finding_count = 0;
    nv_scrub_segment(&scrub, STREAM, count);
}
#define WALK(...)                                                                                  \
    walk((const uint32_t[]){__VA_ARGS__},                                                          \
         (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))

/* Is the byte needed (for that reason)? */
static bool is_needed(uint64_t va, enum nv_scrub_reason reason)
{
    for (uint32_t i = 0; i < finding_count; i++)
        if (!findings[i].moves && findings[i].reason == reason && va >= findings[i].va &&
            va - findings[i].va < findings[i].bytes)
            return true;
    return false;
}

static bool is_needed_at_all(uint64_t va)
{
    for (uint32_t reason = 0; reason < NV_SCRUB_REASONS; reason++)
        if (is_needed(va, reason))
            return true;
    return false;
}

/* Address that the byte at `va` went to; 0: nowhere. */
static uint64_t moved_to(uint64_t va)
{
    for (uint32_t i = 0; i < finding_count; i++)
        if (findings[i].moves && va >= findings[i].from &&
            va - findings[i].from < findings[i].bytes)
            return findings[i].va + (va - findings[i].from);
    return 0;
}

static uint64_t dword(uint32_t index)
{
    return STREAM + 4 * (uint64_t)index;
}

START_TEST(headers_and_data_are_needed)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA097_SET_VIEWPORT_CLIP_HORIZONTAL, 2), 1, 2);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert(is_needed(dword(i), i == 0 || i == 2 ? NV_SCRUB_HEADER : NV_SCRUB_METHOD));
    ck_assert(!is_needed_at_all(dword(5)));
    ck_assert(!is_needed_at_all(dword(0) - 1));
}
END_TEST

START_TEST(constants_of_shaders_and_colours_are_not)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 4), 1, 2, 3, 4,
         PB_INC(S_3D, NVA097_SET_BLEND_CONST_RED, 5), 5, 6, 7, 8, 9);
    ck_assert(is_needed(dword(2), NV_SCRUB_HEADER));
    for (uint32_t i = 3; i < 7; i++)
        ck_assert(!is_needed_at_all(dword(i)));
    for (uint32_t i = 8; i < 12; i++)
        ck_assert(!is_needed_at_all(dword(i)));
    ck_assert(is_needed(dword(12), NV_SCRUB_METHOD)); /* the fifth is another method */
}
END_TEST

START_TEST(data_of_a_class_without_a_kind_is_needed)
{
    WALK(PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 1), 1, PB_INC(6, 0, 1), PASCAL_B,
         PB_INC(6, NVA097_SET_COLOR_CLEAR_VALUE, 1), 1);
    ck_assert(is_needed(dword(1), NV_SCRUB_METHOD)); /* nothing is bound */
    ck_assert(is_needed(dword(5), NV_SCRUB_METHOD)); /* a subchannel of software's */
}
END_TEST

START_TEST(constants_go_to_their_buffer)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA097_SET_CONSTANT_BUFFER_SELECTOR_A, 4), 256,
         0, 0x3000, 0x10, PB_NON_INC(S_3D, NVA097_LOAD_CONSTANT_BUFFER, 3), 7, 8, 9);
    ck_assert_uint_eq(moved_to(dword(8)), 0x3010);
    ck_assert_uint_eq(moved_to(dword(10)), 0x3018);
    ck_assert(!is_needed_at_all(dword(9)));
    ck_assert(is_needed(dword(6), NV_SCRUB_METHOD)); /* the offset */
}
END_TEST

/* The classes that have inline data, on the subchannels where Mesa has them. */
static const struct {
    uint32_t subchannel, class_id;
} inline_classes[] = {
    {S_3D, PASCAL_B}, {S_COMPUTE, PASCAL_COMPUTE_B}, {S_INLINE, KEPLER_INLINE_TO_MEMORY_B}};

START_TEST(inline_data_moves_byte_by_byte)
{
    const uint32_t s = inline_classes[_i].subchannel;

    WALK(PB_INC(s, 0, 1), inline_classes[_i].class_id, PB_INC(s, NVA040_LINE_LENGTH_IN, 4), 6, 1, 0,
         0x3000, PB_INC(s, NVA040_LAUNCH_DMA, 1),
         nv_field_put(NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT,
                      NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT_PITCH),
         PB_NON_INC(s, NVA040_LOAD_INLINE_DATA, 2), 0x44332211, 0x66666655);
    ck_assert_uint_eq(moved_to(dword(10)), 0x3000);
    ck_assert_uint_eq(moved_to(dword(11) + 1), 0x3005);
    ck_assert_uint_eq(moved_to(dword(11) + 2), 0); /* behind the last byte */
    ck_assert(!is_needed_at_all(dword(10)) && !is_needed_at_all(dword(11)));
    ck_assert_int_eq(memory[0x3005], 0x66);
    ck_assert_int_eq(memory[0x3006], 0);
}
END_TEST

START_TEST(a_descriptor_is_needed_where_it_lies)
{
    WALK(PB_INC(S_COMPUTE, 0, 1), PASCAL_COMPUTE_B, PB_INC(S_COMPUTE, NVA0C0_SEND_PCAS_A, 1), 0x30,
         PB_INC(S_COMPUTE, NVA0C0_SEND_SIGNALING_PCAS_B, 1), 3);
    ck_assert(is_needed(0x3000, NV_SCRUB_DESCRIPTOR));
    ck_assert(is_needed(0x3000 + NV_QMD_BYTES - 1, NV_SCRUB_DESCRIPTOR));
    ck_assert(!is_needed_at_all(0x3000 + NV_QMD_BYTES));
}
END_TEST

START_TEST(semaphores_are_needed_whatever_they_do)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA06F_SEMAPHOREA, 4), 0, 0x3000, 1, 2,
         PB_INC(S_3D, NVA097_SET_REPORT_SEMAPHORE_A, 4), 0, 0x3100, 1, 0x1000f010,
         PB_INC(COPY, NVC0B5_SET_SEMAPHORE_A, 3), 0, 0x3200, 1, PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1),
         nv_field_put(NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE, 1));
    ck_assert(is_needed(0x3000, NV_SCRUB_SEMAPHORE));
    ck_assert(is_needed(0x3100 + 15, NV_SCRUB_SEMAPHORE));
    ck_assert(is_needed(0x3200, NV_SCRUB_SEMAPHORE));
    ck_assert(!is_needed_at_all(0x3000 + 16));
    ck_assert(is_needed(dword(5), NV_SCRUB_METHOD)); /* a payload */
}
END_TEST

START_TEST(conditions_are_needed)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA097_SET_RENDER_ENABLE_A, 3), 0, 0x3000, 2,
         PB_INC(COPY, NVA0B5_SET_RENDER_ENABLE_A, 3), 0, 0x3100, 3);
    ck_assert(is_needed(0x3000, NV_SCRUB_CONDITION));
    ck_assert(is_needed(0x3100 + 23, NV_SCRUB_CONDITION));
}
END_TEST

static const uint32_t pitch_to_pitch = 1 << 7 | 1 << 8 | 2;

START_TEST(a_copy_from_pitch_to_pitch_moves_its_lines)
{
    WALK(PB_INC(COPY, NVC0B5_OFFSET_IN_UPPER, 8), 0, 0x3000, 0, 0x4000, 0x100, 0x200, 16, 2,
         PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1), pitch_to_pitch | 1 << 9);
    ck_assert_uint_eq(moved_to(0x3000), 0x4000);
    ck_assert_uint_eq(moved_to(0x310f), 0x420f);
    ck_assert_uint_eq(moved_to(0x3010), 0);
    ck_assert_uint_eq(scrub.copies_unfollowed, 0);
}
END_TEST

START_TEST(other_copies_are_counted)
{
    WALK(PB_INC(COPY, NVC0B5_OFFSET_IN_UPPER, 8), 0, 0x3000, 0, 0x4000, 0x100, 0x200, 16, 2,
         PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1), 1 << 7 | 2, PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1),
         pitch_to_pitch | 1 << 10, PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1), pitch_to_pitch | 1 << 12);
    ck_assert_uint_eq(scrub.copies_unfollowed, 3);
    WALK(PB_INC(COPY, NVA0B5_LINE_LENGTH_IN, 2), 0xffffffff, 0xffffffff,
         PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1), pitch_to_pitch | 1 << 9);
    ck_assert_uint_eq(scrub.copies_unfollowed, 4); /* over the bound */
    ck_assert_uint_eq(moved_to(0x3000), 0);
}
END_TEST

START_TEST(a_stream_that_checks_its_crc_says_so)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B);
    ck_assert(!scrub.checks_crc);
    WALK(PB_INC(S_3D, NVA06F_CRC_CHECK, 1), 0);
    ck_assert(scrub.checks_crc);
    scrub.keep_data = true;
    WALK(PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 1), 1);
    ck_assert(is_needed(dword(1), NV_SCRUB_METHOD));
}
END_TEST

/* Headers and data come in segments as the driver likes. */
START_TEST(data_in_the_next_segment_is_told_apart)
{
    WALK(PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 4));
    WALK(1, 2, 3, 4, PB_INC(S_3D, NVC197_BEGIN, 1), 4);
    ck_assert(!is_needed_at_all(dword(3)));
    ck_assert(is_needed(dword(4), NV_SCRUB_HEADER));
}
END_TEST

/* The walk reads what the stream itself has put there. */
START_TEST(what_is_moved_into_the_stream_is_read_there)
{
    memset(memory + 0x3000, 0, 16);
    memcpy(memory + 0x3000, (const uint32_t[]){PB_INC(S_3D, NVC197_BEGIN, 1)}, 4);
    WALK(PB_INC(COPY, NVC0B5_OFFSET_IN_UPPER, 8), 0, 0x3000, 0, (uint32_t)dword(13), 0, 0, 8, 1,
         PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1), pitch_to_pitch,
         PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 1), 7);
    ck_assert(is_needed(dword(13), NV_SCRUB_HEADER));
    ck_assert(is_needed(dword(14), NV_SCRUB_METHOD)); /* of BEGIN, no colour any more */
}
END_TEST

Suite *nv_scrub_suite(void)
{
    Suite *suite = suite_create("nv_scrub");
    TCase *tests = tcase_create("nv_scrub");

    tcase_add_checked_fixture(tests, setup, NULL);
    tcase_add_test(tests, headers_and_data_are_needed);
    tcase_add_test(tests, constants_of_shaders_and_colours_are_not);
    tcase_add_test(tests, data_of_a_class_without_a_kind_is_needed);
    tcase_add_test(tests, constants_go_to_their_buffer);
    tcase_add_loop_test(tests, inline_data_moves_byte_by_byte, 0, 3);
    tcase_add_test(tests, a_descriptor_is_needed_where_it_lies);
    tcase_add_test(tests, semaphores_are_needed_whatever_they_do);
    tcase_add_test(tests, conditions_are_needed);
    tcase_add_test(tests, a_copy_from_pitch_to_pitch_moves_its_lines);
    tcase_add_test(tests, other_copies_are_counted);
    tcase_add_test(tests, a_stream_that_checks_its_crc_says_so);
    tcase_add_test(tests, data_in_the_next_segment_is_told_apart);
    tcase_add_test(tests, what_is_moved_into_the_stream_is_read_there);
    suite_add_tcase(suite, tests);
    return suite;
}
