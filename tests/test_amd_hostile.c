/* SPDX-License-Identifier: MIT */
/*
 * What hardware does with queues, packets and descriptors that no program should write, and that
 * another process goes on: beside each of them runs the second process of fuzz_amd_node.h, which
 * has to come to what it comes to when the first does nothing.
 */
/* PROMISE (amd): What a program must not write stops its own queue with the right interrupt and
 * goes unnoticed by a second process: bad opcodes, private registers, endless chains, addresses
 * that are not mapped, doorbells beyond the ring or of other queues, no CU. */
#include <config.h>

#include "firmware-models/kfd/amdgpu_tables.h"
#include "tests/check_hostile.h"
#include "tests/suites.h"

/* ---- PM4 ------------------------------------------------------------------------------------- */

/* CP_BAD_OPCODE_ERROR, interrupt 183: no opcode; no type; the scheduler's packets, in a queue that
 * is not the driver's; a third level of buffers. */
START_TEST(a_bad_opcode_stops_the_queue)
{
    static const uint32_t cases[][9] = {{P3(0xfe, 1), 0},
                                        {0x12345},
                                        {1u << 30},
                                        {P3(0xa0, 7), 0, 0, 0, 0, 0, 0, 0},
                                        {P3(0xa3, 5), 2 << 4, 0, 0, 0, 0},
                                        {CALL(DATA, 4, 0u)}};

    put(FUZZ_AMD_DATA, WORDS(CALL(DATA + 0x100, 4, 0u)));
    put(FUZZ_AMD_DATA + 0x100, WORDS(CALL(DATA + 0x200, 4, 0u)));
    put(FUZZ_AMD_DATA + 0x200, WORDS(P3(0x10, 3), 0, 0, 0));
    pm4(cases[_i], 9);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
    ck_assert_uint_eq(interrupts(183), 1);
}
END_TEST

/* A register that is not for programs, interrupt 184: by SET_UCONFIG_REG, WRITE_DATA, COPY_DATA. */
START_TEST(a_private_register_stops_the_queue)
{
    static const uint32_t cases[][6] = {{P3(0x79, 2), 0x8000, 3},
                                        {P3(0x37, 4), 0, CP_HQD_DEQUEUE_REQUEST / 4, 0, 2},
                                        {P3(0x40, 5), 5, 2, 0, GRBM_GFX_CNTL / 4, 0}};

    pm4(cases[_i], _i == 0 ? 3 : _i == 1 ? 5 : 6);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
    ck_assert_uint_eq(interrupts(184), 1);
}
END_TEST

/* It goes on for ever, and nobody else is held up. */
START_TEST(a_buffer_that_is_chained_to_itself)
{
    put(FUZZ_AMD_DATA, WORDS(CALL(DATA, 4, 1u)));
    pm4(WORDS(CALL(DATA, 4, 0u)));
    run();
    ck_assert_uint_eq(machine_next_ps(fuzz->machine) == GFE_PS_NEVER, 0);
    ck_assert_uint_gt(count(EVENT_AMD_PACKET), 1000);
}
END_TEST

/* A buffer of no dwords is passed over; one of 2^20 - 1 is read until it faults. */
START_TEST(buffers_of_no_size_and_of_the_largest)
{
    pm4(WORDS(CALL(DATA, 0, 0u), WRITE(DATA + 0x100, 5), CALL(DATA, 0xfffff, 0u)));
    for (uint32_t at = FUZZ_AMD_DATA; at < FUZZ_AMD_BYTES; at += 4)
        if (at != FUZZ_AMD_DATA + 0x100)
            put(at, WORDS(0x80000000)); /* of one dword */
    run();
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_PM4)->ib_depth, 1);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT) + interrupts(183), 1);
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
}
END_TEST

/* What the second process has is not mapped for the first: nothing is read, nothing is written. */
START_TEST(memory_that_is_not_mapped)
{
    static const uint32_t cases[][9] = {
        {WRITE(NOWHERE, 1)},
        {P3(0x40, 5), 1 | 5u << 8, NOWHERE, 0, DATA, 0},
        {P3(0x1e, 8), 0x2f, NOWHERE, 0, 1, 0, 0, 0, 0},
        {P3(0x3c, 6), 3 | 1u << 4, NOWHERE, 0, 1, 1, 10},
        {P3(0x16, 3), NOWHERE, 0, 1},
        {P3(0x22, 4), NOWHERE, 0, 0, 2},
        {P3(0x49, 7), 0x14 | 5u << 8, 1u << 29, NOWHERE, 0, 5, 0, 0},
        {CALL(NOWHERE, 4, 0u)},
    };
    static const uint8_t lengths[] = {5, 6, 9, 7, 4, 5, 8, 4};

    pm4(cases[_i], lengths[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(
        event_amd_vm_fault_of(check_machine_event(&log_, EVENT_AMD_VM_FAULT, 0)).address, NOWHERE);
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
}
END_TEST

/* ---- AQL ------------------------------------------------------------------------------------- */

/* CP_HQD_ERROR's AQL_ERROR, and the code in the queue_inactive_signal (amd_aql_queue.cpp). */
START_TEST(a_packet_that_cannot_be_carried_out)
{
    static const struct {
        uint32_t code;
        uint32_t packet[16];
    } cases[] = {
        {32, {4}}, /* agent dispatch */
        {32, {7}},
        {16, {0 | 9 << 16}}, /* vendor's own format */
        {2, {2, 0, 1, 512, 1, 1, 0, 0, KERNEL}},
        {2, {2, 64 | 1 << 16, 1, 0, 1, 1, 0, 0, KERNEL}},
        {8, {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, 0}},
        {64, {2, 64 | 64 << 16, 1, 512, 1, 1, 0, 0, KERNEL}},
        {64, {2, 0xffffffff, 0xffff, 512, 1, 1, 0, 0, KERNEL}},
        {64, {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 65 << 10, KERNEL}},
        {64, {2, 64 | 16 << 16, 1, 512, 1, 1, 0, 0, KERNEL + 0x80}}, /* 256 VGPRs, 16 waves */
    };

    tell_me();
    put(FUZZ_AMD_KERNEL + 0x80 + 48, WORDS(63));
    aql(cases[_i].packet);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_AQL);
    ck_assert_uint_eq(get(FUZZ_AMD_SIGNAL + 8), cases[_i].code);
    ck_assert_uint_eq(count(EVENT_AMD_REFUSED), 1);
    ck_assert_uint_eq(event_amd_refused_of(check_machine_event(&log_, EVENT_AMD_REFUSED, 0)).code,
                      cases[_i].code);
    ck_assert_uint_eq(event_amd_refused_of(check_machine_event(&log_, EVENT_AMD_REFUSED, 0)).told,
                      1);
    ck_assert_uint_ne(
        reg_of(FUZZ_AMD_QUEUE_AQL, CP_HQD_ERROR) & UINT32_C(1) << CP_HQD_ERROR__AQL_ERROR_LO, 0);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 2); /* the second process's */
}
END_TEST

/* Signals of a barrier, of a completion, of a kernel's descriptor: where nothing is mapped. */
static const uint32_t unmapped[][16] = {
    {3, 0, NOWHERE, 0},
    {5, 0, NOWHERE, 0},
    {0 | 2 << 16, 0, NOWHERE, 0, 50, 0, 0xffffffff, 0, 3},
    {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NOWHERE, 0},
    {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL, 0, 0, 0, 0, 0, NOWHERE, 0},
    {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, NOWHERE},
    {0 | 1 << 16, P3(0x3f, 3), NOWHERE, 0, 4 | 1 << 23, 10},
};

START_TEST(signals_and_kernels_that_are_not_mapped)
{
    aql(unmapped[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    expect_stopped(FUZZ_AMD_QUEUE_AQL);
}
END_TEST

/* The driver is told, and has the process's queues taken off; the second process's work is done. */
START_TEST(the_driver_takes_the_process_off)
{
    fuzz->machine->interrupt_unit = driver;
    aql(unmapped[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMDGPU_VM_FAULT), 1);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_KFD_EVICT, RULE_KFD_EVICT), 1);
    ck_assert_uint_eq(fuzz->node.kfd->state->active_count, 1);
}
END_TEST

/* A dispatch that may be on no CU waits for a mask that has some. */
START_TEST(no_cu)
{
    static const uint32_t packet[16] = {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL};

    pm4(WORDS(SH(0xb858, 0), SH(0xb85c, 0), SH(0xb864, 0), SH(0xb868, 0), P3(0x15, 4), 1, 1, 1, 1));
    for (uint32_t i = 0; i < 4; i++)
        *amd_gc_compute(&fuzz->node.gpu.gc, fuzz->slot[FUZZ_AMD_QUEUE_AQL],
                        0xb858 + 4 * (i & 1) + 12 * (i >> 1)) = 0;
    aql(packet);
    run();
    for (uint32_t which = FUZZ_AMD_QUEUE_AQL; which <= FUZZ_AMD_QUEUE_PM4; which++) {
        ck_assert_uint_eq(queue_of(which)->phase, AMD_QUEUE_BLOCKED);
        ck_assert_uint_eq(queue_of(which)->block_rule, RULE_AMD_NO_CU);
    }
}
END_TEST

/* ---- doorbells ------------------------------------------------------------------------------- */

/* Far beyond the ring: what stands there is taken up again, round after round, if it is a packet;
 * an AQL queue comes to a header that is invalid. */
START_TEST(a_doorbell_beyond_the_ring)
{
    put(FUZZ_AMD_AQL, WORDS(3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0));
    for (uint32_t i = 0; i < 1024; i++)
        put(FUZZ_AMD_PM4 + 4 * i, WORDS(0x80000000));
    ring(FUZZ_AMD_QUEUE_AQL, UINT64_C(1) << 47);
    ring(FUZZ_AMD_QUEUE_PM4, UINT64_C(1) << 47);
    run();
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_AQL)->read, 1);
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_AQL)->block_rule, RULE_AMD_INVALID);
    ck_assert_uint_eq(get(FUZZ_AMD_SIGNAL + 8), 99);
    ck_assert_uint_gt(queue_of(FUZZ_AMD_QUEUE_PM4)->read, 2048); /* more than twice round */
}
END_TEST

/* Of no queue: nobody hears it. */
START_TEST(a_doorbell_of_no_queue)
{
    amd_node_doorbell(&fuzz->node, 4000, 5);
    amd_node_doorbell(&fuzz->node, UINT32_MAX, UINT64_MAX);
    run();
    for (uint32_t i = 0; i < count(EVENT_AMD_DOORBELL); i++)
        ck_assert_uint_ne(
            event_amd_doorbell_of(check_machine_event(&log_, EVENT_AMD_DOORBELL, i)).doorbell_index,
            4000);
}
END_TEST

START_TEST(a_doorbell_of_a_queue_that_is_gone)
{
    const uint32_t packets[16] = {3};

    ck_assert_int_eq(
        fuzz_amd_call(fuzz, kfd_queue_destroy(fuzz->node.kfd, fuzz->queue[FUZZ_AMD_QUEUE_AQL]),
                      STEPS),
        KFD_OK);
    aql(packets);
    run_with(UINT64_MAX); /* slots are given anew */
    ck_assert_uint_eq(get(FUZZ_AMD_AQL), 3);
}
END_TEST

Suite *amd_hostile_suite(void)
{
    Suite *suite = suite_create("amd_hostile");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_bad_opcode_stops_the_queue, 0, 6);
    tcase_add_loop_test(tcase, a_private_register_stops_the_queue, 0, 3);
    tcase_add_test(tcase, a_buffer_that_is_chained_to_itself);
    tcase_add_test(tcase, buffers_of_no_size_and_of_the_largest);
    tcase_add_loop_test(tcase, memory_that_is_not_mapped, 0, 8);
    tcase_add_loop_test(tcase, a_packet_that_cannot_be_carried_out, 0, 10);
    tcase_add_loop_test(tcase, signals_and_kernels_that_are_not_mapped, 0, 7);
    tcase_add_loop_test(tcase, the_driver_takes_the_process_off, 0, 7);
    tcase_add_test(tcase, no_cu);
    tcase_add_test(tcase, a_doorbell_beyond_the_ring);
    tcase_add_test(tcase, a_doorbell_of_no_queue);
    tcase_add_test(tcase, a_doorbell_of_a_queue_that_is_gone);
    suite_add_tcase(suite, tcase);
    return suite;
}
