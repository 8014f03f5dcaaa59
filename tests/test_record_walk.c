/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_walk.h"

enum { COPY_CLASS = 0xc1b5, DWORDS_MAX = 64, FOUND_MAX = 64 };

static struct record_walk walk;
static struct record_walk_write found[FOUND_MAX];
static unsigned found_count;

/* A stream in the making. */
static uint32_t stream[DWORDS_MAX];
static unsigned stream_count;

static void setup(void)
{
    record_walk_init(&walk, COPY_CLASS);
    found_count = stream_count = 0;
}

static void keep(void *context, const struct record_walk_write *write)
{
    ck_assert_ptr_null(context);
    ck_assert_uint_lt(found_count, FOUND_MAX);
    found[found_count++] = *write;
}

static void put(uint32_t dword)
{
    ck_assert_uint_lt(stream_count, DWORDS_MAX);
    stream[stream_count++] = dword;
}

static void put_header(enum nv_header_kind kind, unsigned subchannel, unsigned method,
                       unsigned count)
{
    put(nv_header_encode(&(struct nv_header){.kind = kind,
                                             .subchannel = (uint8_t)subchannel,
                                             .method = (uint16_t)method,
                                             .count = (uint16_t)count}));
}

static void put_method(unsigned subchannel, unsigned method, uint32_t data)
{
    put_header(NV_HEADER_INC, subchannel, method, 1);
    put(data);
}

/* A, B, C in a row. */
static void put_semaphore(unsigned subchannel, unsigned method, uint64_t va, uint32_t payload)
{
    put_header(NV_HEADER_INC, subchannel, method, 3);
    put((uint32_t)(va >> 32));
    put((uint32_t)va);
    put(payload);
}

static unsigned run(void)
{
    record_walk_segment(&walk, stream, stream_count, keep, NULL);
    stream_count = 0;
    return found_count;
}

static void expect(unsigned index, uint64_t va, uint32_t payload, bool four_words,
                   enum trace_gpu_write_why why)
{
    ck_assert_uint_lt(index, found_count);
    ck_assert_uint_eq(found[index].va, va);
    ck_assert_uint_eq(found[index].payload, payload);
    ck_assert_int_eq(found[index].four_words, four_words);
    ck_assert_int_eq(found[index].why, why);
}

static void put_sem(uint64_t va, uint64_t payload, uint32_t execute)
{
    put_header(NV_HEADER_INC, 0, NVC36F_SEM_ADDR_LO, 5);
    put((uint32_t)va);
    put((uint32_t)(va >> 32));
    put((uint32_t)payload);
    put((uint32_t)(payload >> 32));
    put(execute);
}

/* SEM_EXECUTE: RELEASE of 32 and 64 bits, with the time; IADD; ACQUIRE, which writes nothing. */
START_TEST(voltas_host_releases_by_sem_execute)
{
    put_sem(0x1234567890, UINT64_C(0x900000005), 1);
    put_sem(0x1234567890, UINT64_C(0x900000005), 1 | 1 << 24);
    put_sem(0x1234567890, UINT64_C(0x900000005), 1 | 1 << 25);
    put_sem(0x1234567890, UINT64_C(0x900000005), 6 | 5u << 27 | 1u << 31);
    put_sem(0x1234567890, UINT64_C(0x900000005), 0);
    ck_assert_uint_eq(run(), 4);
    expect(0, 0x1234567890, 5, false, TRACE_WHY_HOST_SEMAPHORE);
    expect(1, 0x1234567890, 5, false, TRACE_WHY_HOST_SEMAPHORE);
    expect(2, 0x1234567890, 5, true, TRACE_WHY_HOST_SEMAPHORE);
    expect(3, 0x1234567890, 5, false, TRACE_WHY_HOST_SEMAPHORE);
    ck_assert(!found[0].two_words && found[1].two_words && !found[3].two_words);
    ck_assert_uint_eq(found[0].payload_hi, 0);
    ck_assert_uint_eq(found[1].payload_hi, 9);
    ck_assert_uint_eq(found[2].payload_hi, 0);
    ck_assert(found[3].reduction && !found[3].reduction_signed && !found[0].reduction);
    ck_assert_uint_eq(record_walk_reduce(&found[3], 37), 42);
}
END_TEST

START_TEST(three_d_and_compute_report_short_and_long)
{
    put_method(0, 0, 0xc197);
    put_method(1, 0, 0xc1c0);
    put_semaphore(0, NVA097_SET_REPORT_SEMAPHORE_A, 0x1234567890, 5);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 0x1000f010); /* as Mesa's fence */
    put_semaphore(1, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000010, 6);
    put_method(1, NVC197_SET_REPORT_SEMAPHORE_D, 0);
    ck_assert_uint_eq(run(), 2);
    expect(0, 0x1234567890, 5, false, TRACE_WHY_SHORT_REPORT);
    expect(1, 0x100000010, 6, true, TRACE_WHY_LONG_REPORT);
}
END_TEST

/* As Mesa's queries: primitives, an occlusion count, and the bytes of transform feedback that a
 * draw waits for. */
START_TEST(a_counter_of_64_bits_takes_the_place_of_the_payload)
{
    put_method(0, 0, 0xc197);
    put_method(1, 0, 0xc1c0);
    put_semaphore(0, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000010, 5);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 0x09005002);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 0x0100f002);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 0x0d005002);
    put_semaphore(1, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000010, 6);
    put_method(1, NVC197_SET_REPORT_SEMAPHORE_D, 2); /* compute has no counters */
    ck_assert_uint_eq(run(), 3);
    expect(0, 0x100000010, 0, true, TRACE_WHY_COUNTER);
    expect(1, 0x100000010, 5, true, TRACE_WHY_LONG_REPORT);
    expect(2, 0x100000010, 5, true, TRACE_WHY_LONG_REPORT);
}
END_TEST

START_TEST(the_address_of_a_report_has_forty_bits)
{
    put_method(0, 0, 0xc197);
    put_semaphore(0, NVA097_SET_REPORT_SEMAPHORE_A, 0xabcd001234567890, 5);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 0);
    run();
    expect(0, 0x1234567890, 5, true, TRACE_WHY_LONG_REPORT);
}
END_TEST

START_TEST(acquires_and_traps_write_nothing)
{
    put_method(0, 0, 0xc197);
    put_semaphore(0, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000000, 5);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 1);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 3);
    put_semaphore(0, NVA06F_SEMAPHOREA, 0x100000000, 5);
    put_method(0, NVB06F_SEMAPHORED, 0x1);
    put_method(0, NVB06F_SEMAPHORED, 0x1004);
    ck_assert_uint_eq(run(), 0);
}
END_TEST

START_TEST(the_same_methods_of_other_classes_write_nothing)
{
    put_method(3, 0, 0x902d);
    put_semaphore(3, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000000, 5);
    put_method(3, NVC197_SET_REPORT_SEMAPHORE_D, 0);
    put_semaphore(5, NVA097_SET_REPORT_SEMAPHORE_A, 0x100000000, 5); /* nothing bound */
    put_method(5, NVC197_SET_REPORT_SEMAPHORE_D, 0);
    ck_assert_uint_eq(run(), 0);
}
END_TEST

START_TEST(host_semaphores_are_the_channels_on_any_subchannel)
{
    put_semaphore(0, NVA06F_SEMAPHOREA, 0x100000040, 9);
    put_method(7, NVB06F_SEMAPHORED, 0x00000002);
    put_method(3, NVB06F_SEMAPHORED, 0x01000002);
    ck_assert_uint_eq(run(), 2);
    expect(0, 0x100000040, 9, true, TRACE_WHY_HOST_SEMAPHORE);
    expect(1, 0x100000040, 9, false, TRACE_WHY_HOST_SEMAPHORE);
}
END_TEST

START_TEST(the_copy_engine_needs_no_binding)
{
    put_semaphore(4, NVC0B5_SET_SEMAPHORE_A, 0x100000080, 3);
    put_method(4, NVC1B5_LAUNCH_DMA, 0x182);
    put_method(4, NVC1B5_LAUNCH_DMA, 0x182 | 1 << 3);
    put_method(4, NVC1B5_LAUNCH_DMA, 0x182 | 2 << 3);
    ck_assert_uint_eq(run(), 2);
    expect(0, 0x100000080, 3, false, TRACE_WHY_COPY_SEMAPHORE);
    expect(1, 0x100000080, 3, true, TRACE_WHY_COPY_SEMAPHORE);
}
END_TEST

static void put_inline(unsigned subchannel, uint32_t bytes, uint32_t launch)
{
    put_method(subchannel, NVA040_LINE_LENGTH_IN, bytes);
    put_method(subchannel, NVA040_LINE_COUNT, 1);
    put_semaphore(subchannel, NVA140_SET_I2M_SEMAPHORE_A, 0x1000000c0, 4);
    put_method(subchannel, NVA040_LAUNCH_DMA, launch);
}

START_TEST(inline_data_complete_with_their_last_dword)
{
    put_method(2, 0, 0xa140);
    put_inline(2, 10, 0x21);
    put_header(NV_HEADER_NON_INC, 2, NVA040_LOAD_INLINE_DATA, 3);
    put(0);
    put(0);
    ck_assert_uint_eq(run(), 0);
    put(0);
    ck_assert_uint_eq(run(), 1);
    expect(0, 0x1000000c0, 4, true, TRACE_WHY_I2M_SEMAPHORE);
}
END_TEST

START_TEST(inline_data_complete_with_the_next_method_at_the_latest)
{
    put_method(1, 0, 0xc1c0);
    put_inline(1, 1000, 0x1021);
    put_method(1, NVA040_LOAD_INLINE_DATA, 0);
    ck_assert_uint_eq(run(), 0);
    put_method(1, NVA040_LINE_COUNT, 1);
    ck_assert_uint_eq(run(), 1);
    expect(0, 0x1000000c0, 4, false, TRACE_WHY_I2M_SEMAPHORE);
}
END_TEST

START_TEST(inline_data_without_a_semaphore_write_nothing)
{
    put_method(2, 0, 0xa140);
    put_inline(2, 4, 0x11);
    put_method(2, NVA040_LOAD_INLINE_DATA, 0);
    put_method(2, NVA040_LINE_COUNT, 1);
    ck_assert_uint_eq(run(), 0);
}
END_TEST

START_TEST(a_notifier_is_written_by_the_next_method_or_when_idle)
{
    put_method(3, 0, 0x902d);
    put_method(3, NV902D_SET_NOTIFY_A, 1);
    put_method(3, NV902D_SET_NOTIFY_B, 0x100);
    put_method(3, NV902D_NOTIFY, 0);
    ck_assert_uint_eq(run(), 0);
    put_method(3, 0x110, 0);
    ck_assert_uint_eq(run(), 1);
    expect(0, 0x100000100, 0, true, TRACE_WHY_NOTIFY);
    put_method(3, NV902D_NOTIFY, 0);
    run();
    record_walk_idle(&walk, keep, NULL);
    ck_assert_uint_eq(found_count, 2);
    record_walk_idle(&walk, keep, NULL);
    ck_assert_uint_eq(found_count, 2);
}
END_TEST

START_TEST(a_header_and_its_data_may_come_apart)
{
    put_method(0, 0, 0xc197);
    put_header(NV_HEADER_INC, 0, NVA097_SET_REPORT_SEMAPHORE_A, 4);
    put(1);
    run();
    put(0x30);
    put(8);
    ck_assert_uint_eq(run(), 0);
    put(0x10000000);
    ck_assert_uint_eq(run(), 1);
    expect(0, 0x100000030, 8, false, TRACE_WHY_SHORT_REPORT);
}
END_TEST

START_TEST(immediates_act_and_the_rest_of_an_ended_segment_does_not)
{
    put_semaphore(0, NVA06F_SEMAPHOREA, 0x100000040, 9);
    put(nv_header_encode(
        &(struct nv_header){.kind = NV_HEADER_IMMD, .method = NVB06F_SEMAPHORED, .immediate = 2}));
    put(nv_header_encode(&(struct nv_header){.kind = NV_HEADER_END_SEGMENT}));
    put_method(0, NVB06F_SEMAPHORED, 2);
    ck_assert_uint_eq(run(), 1);
}
END_TEST

START_TEST(any_dwords_can_be_walked)
{
    uint32_t seed = 1;

    for (int round = 0; round < 2000; round++) {
        for (unsigned i = 0; i < DWORDS_MAX; i++) {
            seed = seed * 1664525 + 1013904223;
            put(seed);
        }
        found_count = 0;
        run();
    }
    ck_assert_uint_lt(walk.header.subchannel, 8);
}
END_TEST

/* What a reduction leaves of 10 with the operand 3, by operation. */
static const struct {
    enum record_walk_op op;
    uint32_t before, operand, after;
    bool is_signed;
} reductions[] = {
    {RECORD_WALK_MIN, 10, 3, 3, false},  {RECORD_WALK_MIN, UINT32_MAX, 3, UINT32_MAX, true},
    {RECORD_WALK_MAX, 10, 3, 10, false}, {RECORD_WALK_MAX, UINT32_MAX, 3, 3, true},
    {RECORD_WALK_XOR, 10, 3, 9, false},  {RECORD_WALK_AND, 10, 3, 2, false},
    {RECORD_WALK_OR, 10, 3, 11, false},  {RECORD_WALK_ADD, 10, 3, 13, false},
    {RECORD_WALK_INC, 10, 3, 0, false},  {RECORD_WALK_INC, 2, 3, 3, false},
    {RECORD_WALK_DEC, 10, 3, 3, false},  {RECORD_WALK_DEC, 2, 3, 1, false},
    {RECORD_WALK_DEC, 0, 3, 3, false},   {RECORD_WALK_OP_COUNT, 10, 3, 10, false},
};

START_TEST(reductions_leave_what_the_manual_says)
{
    const struct record_walk_write write = {
        .payload = reductions[_i].operand,
        .reduction_op = (uint8_t)reductions[_i].op,
        .reduction_signed = reductions[_i].is_signed,
    };

    ck_assert_uint_eq(record_walk_reduce(&write, reductions[_i].before), reductions[_i].after);
}
END_TEST

START_TEST(each_engine_has_its_own_numbers_for_reductions)
{
    put_method(0, 0, 0xc197);
    put_method(0, NVC197_SET_REPORT_SEMAPHORE_D, 1 << 3 | 0 << 9); /* RED_ADD */
    put_method(0, NVB06F_SEMAPHORED, 0x10 | 5u << 27);             /* ADD */
    put_method(4, NVC1B5_LAUNCH_DMA, 1 << 3 | 1 << 19 | 5 << 14);  /* IADD */
    ck_assert_uint_eq(run(), 3);
    for (int i = 0; i < 3; i++) {
        ck_assert(found[i].reduction);
        ck_assert_int_eq(found[i].reduction_op, RECORD_WALK_ADD);
    }
}
END_TEST

Suite *record_walk_suite(void)
{
    Suite *suite = suite_create("record_walk");
    TCase *cases = tcase_create("record_walk");

    tcase_add_checked_fixture(cases, setup, NULL);
    tcase_add_test(cases, voltas_host_releases_by_sem_execute);
    tcase_add_test(cases, three_d_and_compute_report_short_and_long);
    tcase_add_test(cases, a_counter_of_64_bits_takes_the_place_of_the_payload);
    tcase_add_test(cases, the_address_of_a_report_has_forty_bits);
    tcase_add_test(cases, acquires_and_traps_write_nothing);
    tcase_add_test(cases, the_same_methods_of_other_classes_write_nothing);
    tcase_add_test(cases, host_semaphores_are_the_channels_on_any_subchannel);
    tcase_add_test(cases, the_copy_engine_needs_no_binding);
    tcase_add_test(cases, inline_data_complete_with_their_last_dword);
    tcase_add_test(cases, inline_data_complete_with_the_next_method_at_the_latest);
    tcase_add_test(cases, inline_data_without_a_semaphore_write_nothing);
    tcase_add_test(cases, a_notifier_is_written_by_the_next_method_or_when_idle);
    tcase_add_test(cases, a_header_and_its_data_may_come_apart);
    tcase_add_test(cases, immediates_act_and_the_rest_of_an_ended_segment_does_not);
    tcase_add_test(cases, any_dwords_can_be_walked);
    tcase_add_loop_test(cases, reductions_leave_what_the_manual_says, 0,
                        sizeof reductions / sizeof reductions[0]);
    tcase_add_test(cases, each_engine_has_its_own_numbers_for_reductions);
    suite_add_tcase(suite, cases);
    return suite;
}
