/* SPDX-License-Identifier: MIT */
/* PM4 packets in rings and indirect buffers: their effects, what holds them up, what is none. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_mec.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US        GFE_PS_PER_US
#define LO(va)    (uint32_t)(va)
#define HI(va)    (uint32_t)((va) >> 32)
/* A header of type 3: opcode, dwords of the body. */
#define P3(op, n) (3u << 30 | ((n)-1u) << 16 | (uint32_t)(op) << 8)
#define WRITE(offset, value)                                                                       \
    P3(0x37, 4), 5u << 8, LO(MEC_DATA + (offset)), HI(MEC_DATA), (uint32_t)(value)
/* RELEASE_MEM at the end of the pipe: 32 bits, and an interrupt. */
#define RELEASE(offset, value)                                                                     \
    P3(0x49, 7), 0x14 | 5u << 8, 1u << 29 | 2u << 24, LO(MEC_DATA + (offset)), HI(MEC_DATA),       \
        (uint32_t)(value), 0, 0x77
#define WAIT_EQUAL(offset, value)                                                                  \
    P3(0x3c, 6), 3 | 1u << 4, LO(MEC_DATA + (offset)), HI(MEC_DATA), (uint32_t)(value),            \
        UINT32_MAX, 10
#define IB(offset, dwords, chain)                                                                  \
    P3(0x3f, 3), LO(MEC_IB + (offset)), HI(MEC_IB), (uint32_t)(dwords) | (chain) << 20 | 1u << 23
#define SH(reg, ...)     /* of one value */ P3(0x76, 2), ((reg)-0xb000) / 4, __VA_ARGS__
#define DISPATCH(blocks) P3(0x15, 4), (blocks), 1, 1, 1
#define SUBMIT(...)                                                                                \
    check_mec_pm4(&mec, 0, (const uint32_t[]){__VA_ARGS__},                                        \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static struct check_mec mec;

static void setup(void)
{
    check_mec_begin(&mec);
    check_mec_load(&mec, 0, 0, false);
}

static void teardown(void)
{
    check_mec_end(&mec);
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&mec.log, kind);
}

static uint32_t waits(uint32_t rule)
{
    return check_machine_count_rule(&mec.log, EVENT_WAIT, rule);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    return check_machine_event(&mec.log, kind, n);
}

static uint32_t data(uint32_t offset)
{
    return (uint32_t)check_mec_peek(&mec, MEC_DATA + offset);
}

static void set_data(uint32_t offset, uint32_t value)
{
    check_mec_poke(&mec, MEC_DATA + offset, &value, sizeof value);
}

/* A kernel of 24 VGPRs, 32 SGPRs, workgroups of 64 threads. */
static void submit_program(void)
{
    SUBMIT(SH(0xb848, 5 | 3 << 6), SH(0xb84c, 8 << 15), SH(0xb81c, 64), SH(0xb820, 1),
           SH(0xb824, 1), SH(0xb830, LO(MEC_KERNEL >> 8)), SH(0xb834, 0));
}

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(packets_are_executed_in_order)
{
    SUBMIT(WRITE(0, 1), 0x80000000, WRITE(0, 2), P3(0x10, 3), 0, 0, 0, WRITE(4, 3));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 2);
    ck_assert_uint_eq(data(4), 3);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 5);
    ck_assert_uint_eq(check_mec_reg(&mec, 0, 0xc93c), 20); /* RPTR */
}
END_TEST

/* A packet across the ring's end, many times. */
START_TEST(a_ring_goes_round_in_the_middle_of_a_packet)
{
    for (uint32_t i = 0; i < 1000; i++) {
        SUBMIT(WRITE(8 * (i % 100), i + 1));
        if (i % 100 == 99)
            check_mec_run(&mec);
    }
    for (uint32_t i = 0; i < 100; i++)
        ck_assert_uint_eq(data(8 * i), 901 + i);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 0);
}
END_TEST

/* The doorbell is rung in the middle of a packet: it is taken up when all of it is there. */
START_TEST(what_a_short_packet_lacks_is_0)
{
    set_data(4, 77);
    /* 64 bits, of which the packet has the low ones; another packet is behind it. */
    SUBMIT(P3(0x49, 5), 0x14 | 5u << 8, 2u << 29, LO(MEC_DATA), HI(MEC_DATA), 5, WRITE(8, 6));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 5);
    ck_assert_uint_eq(data(4), 0);
    ck_assert_uint_eq(data(8), 6);
}
END_TEST

START_TEST(a_packet_may_be_the_last_of_mapped_memory)
{
    const uint64_t at = MEC_VA + MEC_BYTES - 5 * 4;
    const uint32_t write[] = {WRITE(0, 5)};

    check_mec_poke(&mec, at, write, sizeof write);
    SUBMIT(P3(0x3f, 3), LO(at), HI(at), 10u | 1u << 23);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 5);
    ck_assert_uint_eq(event_amd_vm_fault_of(event(EVENT_AMD_VM_FAULT, 0)).address,
                      MEC_VA + MEC_BYTES);
}
END_TEST

START_TEST(half_a_packet_waits_for_the_rest)
{
    const uint32_t dwords[] = {WRITE(0, 9)};

    check_mec_pm4(&mec, 0, dwords, 2);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    check_mec_pm4(&mec, 0, dwords + 2, 3);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 9);
}
END_TEST

START_TEST(write_data_writes_many_words_or_one_place)
{
    SUBMIT(P3(0x37, 6), 5u << 8, LO(MEC_DATA), HI(MEC_DATA), 1, 2, 3, P3(0x37, 6),
           5u << 8 | 1u << 16, LO(MEC_DATA + 64), HI(MEC_DATA), 4, 5, 6);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 2);
    ck_assert_uint_eq(data(8), 3);
    ck_assert_uint_eq(data(64), 6);
    ck_assert_uint_eq(data(68), 0);
}
END_TEST

START_TEST(copy_data_moves_words)
{
    set_data(0, 0x1234);
    set_data(4, 0x5678);
    SUBMIT(P3(0x40, 5), 1 | 5u << 8, LO(MEC_DATA), HI(MEC_DATA), LO(MEC_DATA + 16), HI(MEC_DATA),
           P3(0x40, 5), 1 | 5u << 8 | 1u << 16, LO(MEC_DATA), HI(MEC_DATA), LO(MEC_DATA + 32),
           HI(MEC_DATA), P3(0x40, 5), 5 | 5u << 8, 77, 0, LO(MEC_DATA + 48), HI(MEC_DATA));
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA + 16), 0x1234);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA + 32), UINT64_C(0x567800001234));
    ck_assert_uint_eq(data(48), 77);
}
END_TEST

/* From a register, to one, and the clock (25 MHz). */
START_TEST(copy_data_reads_registers_and_the_clock)
{
    SUBMIT(SH(0xb900, 0xabc), P3(0x40, 5), 0 | 5u << 8, 0xb900 / 4, 0, LO(MEC_DATA), HI(MEC_DATA),
           P3(0x40, 5), 9 | 5u << 8 | 1u << 16, 0, 0, LO(MEC_DATA + 8), HI(MEC_DATA));
    check_mec_run_to(&mec, 100 * US);
    SUBMIT(P3(0x40, 5), 9 | 5u << 8 | 1u << 16, 0, 0, LO(MEC_DATA + 16), HI(MEC_DATA));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 0xabc);
    ck_assert_uint_lt(check_mec_peek(&mec, MEC_DATA + 8), 100 * 25);
    ck_assert_uint_ge(check_mec_peek(&mec, MEC_DATA + 16), check_mec_peek(&mec, MEC_DATA + 8));
}
END_TEST

START_TEST(atomics)
{
#define ATOMIC(op, source, compared)                                                               \
    P3(0x1e, 8), (op), LO(MEC_DATA), HI(MEC_DATA), LO(source), HI(source), LO(compared),           \
        HI(compared), 0
    static const struct {
        uint32_t operation;
        uint64_t before, source, compared, after;
    } cases[] = {
        {0x0f, UINT64_C(0x5ffffffff), 2, 0, UINT64_C(0x500000001)}, /* 32 bits: no carry */
        {0x2f, UINT64_C(0x5ffffffff), 2, 0, UINT64_C(0x600000001)},
        {0x10, 5, 7, 0, UINT64_C(0xfffffffe)},
        {0x07, 5, 7, 0, 7},
        {0x28, 5, 7, 5, 7},
        {0x28, 5, 7, 6, 5},
        {0x08, 5, 7, UINT64_C(0x900000005), 7}, /* of 32 bits: the lower word is compared */
        {0x28, 5, 7, UINT64_C(0x900000005), 5},
    };

    check_mec_poke(&mec, MEC_DATA, &cases[_i].before, 8);
    SUBMIT(ATOMIC(cases[_i].operation, cases[_i].source, cases[_i].compared));
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA), cases[_i].after);
}
END_TEST

/* ---- waiting --------------------------------------------------------------------------------- */

/* AMD.WRM */
START_TEST(wait_reg_mem_holds_the_queue)
{
    SUBMIT(WAIT_EQUAL(0, 5), WRITE(4, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(4), 0);
    check_mec_pass(&mec);
    set_data(0, 4);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(4), 0);
    set_data(0, 5);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(waits(RULE_AMD_WRM), 1);
    golden_log_check(&mec.log, "rule_amd_wrm.events");
}
END_TEST

START_TEST(each_function_compares)
{
    static const struct {
        uint32_t function;
        bool less, equal, greater;
    } cases[] = {{0, true, true, true},   {1, true, false, false}, {2, true, true, false},
                 {3, false, true, false}, {4, true, false, true},  {5, false, true, true},
                 {6, false, false, true}};
    const bool expected[3] = {cases[_i].less, cases[_i].equal, cases[_i].greater};

    for (uint32_t i = 0; i < 3; i++) {
        set_data(0, 0xff00 | (4 + i));
        set_data(4, 0);
        SUBMIT(P3(0x3c, 6), cases[_i].function | 1u << 4, LO(MEC_DATA), HI(MEC_DATA), 5, 0xff, 10,
               WRITE(4, 1));
        check_mec_run(&mec);
        ck_assert_uint_eq(data(4), expected[i]);
        if (!expected[i]) { /* let it go */
            set_data(0, cases[_i].function == 1 || cases[_i].function == 2   ? 0
                        : cases[_i].function == 3 || cases[_i].function == 5 ? 5
                                                                             : 6);
            check_mec_run(&mec);
            ck_assert_uint_eq(data(4), 1);
        }
    }
}
END_TEST

/* ---- dispatches ------------------------------------------------------------------------------ */

START_TEST(a_dispatch_has_its_kernel_from_registers)
{
    submit_program();
    SUBMIT(DISPATCH(12), P3(0x15, 4), 130, 1, 1, 0x21); /* the second counts threads */
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).block_count, 12);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).block_threads, 64);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).shared_bytes, 4096);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).registers, 24);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 1)).block_count, 3);
    ck_assert_uint_eq(event_amd_launch_of(event(EVENT_AMD_LAUNCH, 0)).kernel_address, MEC_KERNEL);
}
END_TEST

START_TEST(an_indirect_dispatch_reads_its_size_from_memory)
{
    submit_program();
    set_data(0, 7);
    set_data(4, 2);
    set_data(8, 1);
    SUBMIT(P3(0x16, 3), LO(MEC_DATA), HI(MEC_DATA), 1);
    check_mec_run(&mec);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).block_count, 14);
}
END_TEST

/* RELEASE_MEM follows what is in front of it; the queue goes on meanwhile. */
START_TEST(a_release_comes_behind_the_dispatches_in_front)
{
    submit_program();
    SUBMIT(DISPATCH(1), RELEASE(0, 11), WRITE(4, 1), DISPATCH(1), RELEASE(8, 12));
    check_mec_run_to(&mec, 20 * US);
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 2);
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 11);
    ck_assert_uint_eq(data(8), 12);
    ck_assert_uint_eq(mec.interrupt_count, 2);
    ck_assert_uint_eq(event_amd_interrupt_of(event(EVENT_AMD_INTERRUPT, 0)).context_id, 0x77);
    ck_assert_uint_eq(event_amd_interrupt_of(event(EVENT_AMD_INTERRUPT, 0)).ring_id,
                      1 << 2); /* MEC1, pipe, queue 0 */
}
END_TEST

/* AMD.FLUSH: CS_PARTIAL_FLUSH waits for the dispatches. */
START_TEST(a_partial_flush_waits_for_the_dispatches)
{
    submit_program();
    SUBMIT(DISPATCH(1), P3(0x46, 1), 7 | 4u << 8, WRITE(0, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(waits(RULE_AMD_FLUSH), 1);
    ck_assert_uint_gt(event(EVENT_AMD_WRITE, 0)->time_ps, event(EVENT_GRID_END, 0)->time_ps);
    golden_log_check(&mec.log, "rule_amd_flush.events");
}
END_TEST

/* ---- indirect buffers ------------------------------------------------------------------------ */

/* PROMISE (amd): PM4 indirect buffers call and chain. */
START_TEST(buffers_call_and_chain)
{
    const uint32_t outer[] = {WRITE(0, 1), IB(0x1000, 5, 0u), WRITE(4, 2), IB(0x2000, 5, 1u)};
    const uint32_t inner[] = {WRITE(8, 3)}, last[] = {WRITE(12, 4)};

    check_mec_poke(&mec, MEC_IB, outer, sizeof outer);
    check_mec_poke(&mec, MEC_IB + 0x1000, inner, sizeof inner);
    check_mec_poke(&mec, MEC_IB + 0x2000, last, sizeof last);
    SUBMIT(IB(0, sizeof outer / 4, 0u), WRITE(16, 5));
    check_mec_run(&mec);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(data(4 * i), i + 1);
    ck_assert_uint_eq(event_amd_write_of(event(EVENT_AMD_WRITE, 1)).address, MEC_DATA + 8);
}
END_TEST

/* A third level does not exist. */
START_TEST(a_buffer_too_deep_stops_the_queue)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t call[] = {IB(0x1000 * (i + 1), 4, 0u)};

        check_mec_poke(&mec, MEC_IB + 0x1000 * i, call, sizeof call);
    }
    SUBMIT(IB(0, 4, 0u), WRITE(0, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(mec.interrupts[0], 183);
}
END_TEST

/* A buffer that is chained to itself goes on for ever; its queue can be taken off. */
START_TEST(an_endless_chain_can_be_taken_off)
{
    const uint32_t chain[] = {IB(0, 4, 1u)};

    check_mec_poke(&mec, MEC_IB, chain, sizeof chain);
    SUBMIT(IB(0, 4, 0u));
    check_mec_run_to(&mec, 1000 * US);
    ck_assert_uint_ge(count(EVENT_AMD_PACKET), 1000);
    check_mec_set_reg(&mec, 0, 0xc974, 1);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, 1);
}
END_TEST

START_TEST(conditional_execution)
{
    SUBMIT(P3(0x22, 4), LO(MEC_DATA + 32), HI(MEC_DATA), 0, 5, WRITE(0, 1), WRITE(4, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(data(4), 1);
    set_data(32, 1);
    SUBMIT(P3(0x22, 4), LO(MEC_DATA + 32), HI(MEC_DATA), 0, 5, WRITE(8, 1), P3(0x23, 1),
           5 | 2u << 24, WRITE(12, 1), P3(0x23, 1), 5 | 1u << 24, WRITE(16, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(8), 1);
    ck_assert_uint_eq(data(12), 0); /* for another device */
    ck_assert_uint_eq(data(16), 1);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

START_TEST(a_bad_opcode_stops_the_queue_with_its_interrupt)
{
    static const uint32_t bad[] = {P3(0xfe, 1), 0x00000000, 0x40000000, P3(0xa5, 3)};

    SUBMIT(bad[_i], 0, 0, 0, WRITE(0, 1));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(mec.interrupt_count, 1);
    ck_assert_uint_eq(mec.interrupts[0], 183);
}
END_TEST

START_TEST(packets_without_effect_are_reported_each_time)
{
    SUBMIT(P3(0x28, 2), 0, 0, P3(0x28, 2), 0, 0, WRITE(0, 1)); /* CONTEXT_CONTROL */
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_UNMODELLED), 2);
    ck_assert_uint_eq(data(0), 1);
}
END_TEST

START_TEST(a_packet_past_the_end_of_its_buffer_stops_the_queue)
{
    const uint32_t dwords[] = {WRITE(0, 1)};

    check_mec_poke(&mec, MEC_IB, dwords, sizeof dwords);
    SUBMIT(IB(0, 3, 0u));
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(mec.interrupts[0], 183);
}
END_TEST

/* A program must not write the slots' registers; the kernel driver's queue may. */
START_TEST(registers_of_the_kernel_driver_are_not_for_programs)
{
    const uint32_t control = check_mec_reg(&mec, 0, 0xc958);

    if (_i)
        check_mec_set_reg(&mec, 0, 0xc958, control | 1u << 30); /* PRIV_STATE */
    SUBMIT(P3(0x37, 4), 0, 0x30d8, 0, 0x1234, WRITE(0, 1));     /* CP_HQD_PQ_BASE, at 0xc360 */
    check_mec_run(&mec);
    ck_assert_uint_eq(data(0), (uint32_t)_i);
    if (!_i)
        ck_assert_uint_eq(mec.interrupts[0], 184);
}
END_TEST

START_TEST(memory_that_is_not_mapped_stops_the_queue)
{
    const uint32_t other[] = {WRITE(0, 1)};

    check_mec_load(&mec, 1, 1, false);
    SUBMIT(P3(0x37, 4), 5u << 8, 0x1000, 0, 1, WRITE(4, 1));
    check_mec_pm4(&mec, 1, other, 5);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(event_amd_vm_fault_of(event(EVENT_AMD_VM_FAULT, 0)).is_write, 1);
    ck_assert_uint_eq(data(4), 0);
    ck_assert_uint_eq(data(0), 1);
}
END_TEST

static uint32_t scheduled[4], scheduled_count;
static bool unmapping;

/* The scheduling firmware: UNMAP_QUEUES takes time. */
static bool schedule(void *client, uint32_t slot_id, const uint32_t *dwords, uint32_t dword_count)
{
    (void)client;
    ck_assert_uint_eq(slot_id, 32);
    ck_assert_uint_ge(dword_count, 4);
    scheduled[scheduled_count++ % 4] = dwords[0] >> 8 & 0xff;
    unmapping = (dwords[0] >> 8 & 0xff) == 0xa3;
    return true;
}

static bool scheduler_waits(void *client)
{
    (void)client;
    return unmapping;
}

/* The HIQ: MEC2, pipe 0, queue 0, with PRIV_STATE. */
START_TEST(the_schedulers_packets_are_for_the_firmware)
{
    const uint32_t dwords[] = {P3(0xa0, 7), 0, 0, 0, 0, 0,           0, 0, P3(0xa3, 5),
                               0,           0, 0, 0, 0, P3(0xa5, 3), 0, 0, 0};

    scheduled_count = 0;
    unmapping = false;
    mec.gpu.mec.client.schedule = schedule;
    mec.gpu.mec.client.scheduler_waits = scheduler_waits;
    check_mec_set_reg(&mec, 32, 0xc958, 9 | 1u << 30);
    check_mec_load(&mec, 32, 2, false);
    check_mec_set_reg(&mec, 32, 0xc958, 9 | 1u << 30);
    check_mec_pm4(&mec, 2, dwords, sizeof dwords / 4);
    check_mec_run(&mec);
    ck_assert_uint_eq(scheduled_count, 2);
    ck_assert_uint_eq(scheduled[0], 0xa0);
    check_mec_pass(&mec);
    ck_assert_uint_eq(scheduled_count, 2);
    unmapping = false;
    amd_mec_go_on(&mec.gpu.mec, 32);
    check_mec_run(&mec);
    ck_assert_uint_eq(scheduled_count, 3);
    ck_assert_uint_eq(scheduled[2], 0xa5);
    ck_assert_uint_eq(waits(RULE_AMD_SCHEDULER), 1);
    golden_log_check(&mec.log, "rule_amd_scheduler.events");
    SUBMIT(P3(0xa5, 3), 0, 0, 0); /* not for programs */
    check_mec_run(&mec);
    ck_assert_uint_eq(scheduled_count, 3);
    ck_assert_uint_eq(mec.interrupts[0], 183);
}
END_TEST

/* Any dwords at all: the machine ends, and no other queue is touched. */
/* PROMISE (amd): Any 200 dwords of 200 seeds in a PM4 ring hold up no other queue. */
START_TEST(any_dwords)
{
    struct random_state random;
    const uint32_t other[] = {WRITE(0, 1)};
    uint32_t dwords[200];

    random_seed(&random, (uint64_t)_i, 0);
    for (uint32_t i = 0; i < 200; i++) {
        dwords[i] = random_next(&random);
        if (i % 4 == 0) /* mostly headers, of short packets */
            dwords[i] = 3u << 30 | (dwords[i] & 0x7ff00);
    }
    check_mec_load(&mec, 1, 1, false);
    check_mec_pm4(&mec, 0, dwords, 200);
    check_mec_run_to(&mec, 1000 * US);
    check_mec_pm4(&mec, 1, other, 5);
    check_mec_run_to(&mec, 2000 * US);
    ck_assert_uint_eq(data(0), 1);
    ck_assert(!machine_failed(mec.machine));
}
END_TEST

Suite *amd_mec_pm4_suite(void)
{
    Suite *suite = suite_create("amd_mec_pm4");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, packets_are_executed_in_order);
    tcase_add_test(tcase, a_ring_goes_round_in_the_middle_of_a_packet);
    tcase_add_test(tcase, what_a_short_packet_lacks_is_0);
    tcase_add_test(tcase, a_packet_may_be_the_last_of_mapped_memory);
    tcase_add_test(tcase, half_a_packet_waits_for_the_rest);
    tcase_add_test(tcase, write_data_writes_many_words_or_one_place);
    tcase_add_test(tcase, copy_data_moves_words);
    tcase_add_test(tcase, copy_data_reads_registers_and_the_clock);
    tcase_add_loop_test(tcase, atomics, 0, 8);
    tcase_add_test(tcase, wait_reg_mem_holds_the_queue);
    tcase_add_loop_test(tcase, each_function_compares, 0, 7);
    tcase_add_test(tcase, a_dispatch_has_its_kernel_from_registers);
    tcase_add_test(tcase, an_indirect_dispatch_reads_its_size_from_memory);
    tcase_add_test(tcase, a_release_comes_behind_the_dispatches_in_front);
    tcase_add_test(tcase, a_partial_flush_waits_for_the_dispatches);
    tcase_add_test(tcase, buffers_call_and_chain);
    tcase_add_test(tcase, a_buffer_too_deep_stops_the_queue);
    tcase_add_test(tcase, an_endless_chain_can_be_taken_off);
    tcase_add_test(tcase, conditional_execution);
    tcase_add_loop_test(tcase, a_bad_opcode_stops_the_queue_with_its_interrupt, 0, 4);
    tcase_add_test(tcase, packets_without_effect_are_reported_each_time);
    tcase_add_test(tcase, a_packet_past_the_end_of_its_buffer_stops_the_queue);
    tcase_add_loop_test(tcase, registers_of_the_kernel_driver_are_not_for_programs, 0, 2);
    tcase_add_test(tcase, memory_that_is_not_mapped_stops_the_queue);
    tcase_add_test(tcase, the_schedulers_packets_are_for_the_firmware);
    tcase_add_loop_test(tcase, any_dwords, 0, 200);
    suite_add_tcase(suite, tcase);
    return suite;
}
