/* SPDX-License-Identifier: MIT */
/* Host's own methods: every address below 0x100, on every subchannel, and what they do. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_pbdma_private.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

enum {
    INTR_METHOD = 21,
    INTR_METHODCRC = 22,
    INTR_DEVICE = 23,
    PBDMA0 = 0x40000,
    PBDMA0_METHOD_CRC = PBDMA0 + 0xb0,
    PBDMA0_METHOD0 = PBDMA0 + 0xc0,
    PBDMA0_DATA0 = PBDMA0 + 0xc4,
    PBDMA0_INTR_0 = PBDMA0 + 0x108,
    RAMFC_CONFIG = CHECK_INSTANCES + 0xf4,
    RELEASE_4_BYTES = 0x1100002, /* SEMAPHORED: RELEASE, no wait for idle, 4 bytes */
};
#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), RELEASE_4_BYTES
/* What stands behind the method being tested: it tells whether the PBDMA went on. */
#define BEHIND PB_IMMD(1, 0x188, 7)

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static bool went_on(void)
{
    return nv_fe_shadow(&check.gpu->fe, 1, 0x188) == 7;
}

/* ---- all addresses --------------------------------------------------------------------------- */

/* The 64 dword addresses by class c06f (open-gpu-doc classes/host/clc06f.h): what happens to a
 * write of 0.  Those that are not here are reserved. */
enum outcome { RESERVED, DONE, ENGINE };
static const enum outcome outcomes[64] = {
    [0x00 / 4] = ENGINE, /* SET_OBJECT */
    [0x08 / 4] = DONE,   /* NOP */
    [0x10 / 4] = DONE,   /* SEMAPHOREA */
    [0x14 / 4] = DONE,   /* SEMAPHOREB */
    [0x18 / 4] = DONE,   /* SEMAPHOREC */
    [0x1c / 4] = DONE,   /* SEMAPHORED: written below as a release */
    [0x20 / 4] = DONE,   /* NON_STALL_INTERRUPT */
    [0x24 / 4] = DONE,   /* FB_FLUSH */
    [0x28 / 4] = DONE,   /* MEM_OP_A */
    [0x2c / 4] = DONE,   /* MEM_OP_B */
    [0x30 / 4] = DONE,   /* MEM_OP_C */
    [0x34 / 4] = DONE,   /* MEM_OP_D: written below as a barrier */
    [0x50 / 4] = DONE,   /* SET_REFERENCE */
    [0x78 / 4] = DONE,   /* WFI */
    [0x7c / 4] = DONE,   /* CRC_CHECK of nothing */
    [0x80 / 4] = DONE,   /* YIELD NOP */
};

static uint32_t harmless(uint32_t method)
{
    if (method == 0x00)
        return 0xc1c0; /* PASCAL_COMPUTE_B */
    if (method == 0x1c)
        return RELEASE_4_BYTES;
    return method == 0x34 ? 5u << 27 : 0;
}

static void expect_outcome(uint32_t subchannel, uint32_t method)
{
    const enum outcome outcome = outcomes[method / 4];
    const bool software = outcome == ENGINE && subchannel >= 5;
    const struct log_event *intr = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);

    if (outcome == DONE || (outcome == ENGINE && !software && subchannel != 4)) {
        ck_assert_msg(intr == NULL, "method 0x%x raises an interrupt", method);
        ck_assert(went_on());
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SET_OBJECT), outcome == ENGINE);
        return;
    }
    ck_assert_ptr_nonnull(intr);
    ck_assert(!went_on());
    /* A copy engine's SET_OBJECT of a compute class is INTR_1 HCE_ILLEGAL_CLASS. */
    ck_assert_uint_eq(event_nv_pbdma_intr_of(intr).intr_bit, outcome == RESERVED ? INTR_METHOD
                                                             : software          ? INTR_DEVICE
                                                                                 : 32 + 4);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(intr).method, method);
    if (subchannel == 4 && outcome == ENGINE)
        return;
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_METHOD0) & 0x3ffc, method);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_METHOD0) >> 16 & 7, subchannel);
}

/* Host's methods are Host's whatever their subchannel; SET_OBJECT is its engine's. */
/* PROMISE (nvidia): Each of the 64 method addresses of Host on each of 8 subchannels does what
 * its class says. */
START_TEST(every_address_below_0x100_does_what_the_class_says)
{
    const uint32_t method = 4 * ((uint32_t)_i % 64), subchannel = (uint32_t)_i / 64;

    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 3), 0, (uint32_t)CHECK_DATA, 0,
                 PB_INC(subchannel, method, 1), harmless(method), BEHIND);
    check_machine_run(&check);
    expect_outcome(subchannel, method);
}
END_TEST

/* ---- methods that Host does not have ----------------------------------------------------------
 */

/* ILLEGAL, both syncpoints, a reserved one, and two of Volta: SEM_EXECUTE, CLEAR_FAULTED. */
static const uint32_t missing[] = {0x04, 0x70, 0x74, 0x0c, 0x6c, 0x84};

START_TEST(a_method_that_host_does_not_have_can_be_replaced)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, missing[_i], 1), 0x1234, BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_INTR_0), 1u << INTR_METHOD);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_DATA0), 0x1234);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PBDMA_INTR, RULE_NV_INTR), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    machine_write32(check.machine, PBDMA0_METHOD0, 0x80000008);
    check_machine_run(&check);
    ck_assert(!went_on()); /* not before the bit is cleared */
    machine_write32(check.machine, PBDMA0_INTR_0, 1u << INTR_METHOD);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
}
END_TEST

START_TEST(a_method_that_nobody_replaced_comes_again)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0), BEHIND);
    check_machine_run(&check);
    machine_write32(check.machine, PBDMA0_INTR_0, 1u << INTR_METHOD);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert(!went_on());
}
END_TEST

/* HCE_ILLEGAL_CLASS and HCE_ILLEGAL_MTHD: out of METHOD0, in HCE_DBG. */
static const struct {
    uint32_t method, data, bit;
} refused[] = {{0, 0xc0c0, 4}, {0x308, 0x1234, 3}};

START_TEST(what_a_copy_engine_refuses_is_discarded)
{
    CHECK_SUBMIT(&check, 0, PB_INC(4, refused[_i].method, 1), refused[_i].data, BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x148), 1u << refused[_i].bit);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x150), refused[_i].method);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0 + 0x154), refused[_i].data);
    ck_assert(!went_on());
    machine_write32(check.machine, PBDMA0 + 0x148, 1u << refused[_i].bit);
    check_machine_run(&check);
    ck_assert(went_on());
}
END_TEST

/* ---- interrupts, references, waiting ----------------------------------------------------------
 */

START_TEST(a_non_stall_interrupt_does_not_stop_anything)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x20, 1), 0xffffffff, BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_INTR), 1);
    ck_assert_uint_ne(machine_read32(check.machine, 0x2100) & 1u << 31, 0);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_INTR_0), 0);
}
END_TEST

/* Idle, then the barrier, then REF; in RAMFC and USERD when the channel leaves. */
START_TEST(a_reference_is_set_behind_the_work_and_a_barrier)
{
    const struct log_event *barrier;
    uint64_t ended_ps;

    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1), PB_INC(0, 0x50, 1), 0x1234567, RELEASE(0, 1));
    check_machine_run(&check);
    barrier = check_machine_event(&check, EVENT_NV_MEM_OP, 0);
    ended_ps = check_machine_event(&check, EVENT_WORK_END, 0)->time_ps;
    ck_assert_ptr_nonnull(barrier);
    ck_assert_uint_eq(event_nv_mem_op_of(barrier).operation, NV_MEM_OP_SYSMEMBAR);
    ck_assert_uint_eq(barrier->time_ps - event_nv_mem_op_of(barrier).took_ps, ended_ps);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), 1);
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps, barrier->time_ps);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x28), 0x1234567);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_USERD + 0x48), 0x1234567);
}
END_TEST

/* Both scopes; of the engine that got the last method, whatever subchannel WFI itself names. */
START_TEST(a_wfi_waits_for_the_engine_of_the_last_method)
{
    const uint32_t scope = (uint32_t)_i % 2, subchannel = (uint32_t)_i / 2 * 4;

    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1), PB_IMMD(subchannel, 0x78, scope), RELEASE(0, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), 1);
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps,
                      check_machine_event(&check, EVENT_WORK_END, 0)->time_ps);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MEM_OP), 0);
}
END_TEST

START_TEST(a_wfi_behind_a_copy_waits_for_the_copy)
{
    const uint32_t copy[] = {PB_INC(4, 0x400, 4),
                             0,
                             (uint32_t)CHECK_DATA,
                             0,
                             (uint32_t)CHECK_DATA + 0x100000,
                             PB_INC(4, 0x418, 1),
                             0x80000,
                             PB_IMMD(4, 0x300, 0x182),
                             PB_IMMD(0, 0x78, 0),
                             RELEASE(0, 1)};

    check_machine_submit(&check, 0, copy, sizeof copy / sizeof copy[0]);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), 1);
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps,
                      check_machine_event(&check, EVENT_COPY_END, 0)->time_ps);
}
END_TEST

/* ---- memory operations ------------------------------------------------------------------------
 */

/* OPERATION 31:27 of MEM_OP_D with MEM_OP_C; what it costs; whether it is privileged. */
static const struct {
    uint32_t operation, c;
    enum memop { BARRIER, SYSTEM_BARRIER, INVALIDATE, CACHE } kind;
} memops[] = {
    {0x05, 0, SYSTEM_BARRIER}, {0x05, 1, BARRIER}, {0x09, 0, INVALIDATE},
    {0x0a, 0, INVALIDATE},     {0x0d, 0, CACHE},   {0x0e, 0, CACHE},
    {0x0f, 0, CACHE},          {0x10, 0, CACHE},   {0x15, 0, CACHE},
};
enum { MEMOPS = sizeof memops / sizeof memops[0] };

static uint64_t memop_cycles(enum memop kind)
{
    static const uint32_t parameters[] = {PARAM_NV_MEMBAR_CYCLES, PARAM_NV_SYSMEMBAR_CYCLES,
                                          PARAM_NV_TLB_INVALIDATE_CYCLES,
                                          PARAM_NV_L2_OPERATION_CYCLES};

    return machine_parameter(check.machine, parameters[kind]);
}

/* The operation has an event of its own, the named latency after its start; what is behind it
 * waits. */
START_TEST(a_memory_operation_takes_its_time)
{
    const struct clock_domain *clock = &check.gpu->host.clock;
    const struct log_event *done;

    check_machine_poke_vram(&check, RAMFC_CONFIG, 1u << 8); /* AUTH_LEVEL PRIVILEGED */
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), 0, 0, memops[_i].c, memops[_i].operation << 27,
                 RELEASE(0, 1));
    check_machine_run(&check);
    done = check_machine_event(&check, EVENT_NV_MEM_OP, 0);
    ck_assert_ptr_nonnull(done);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_MEM_OP, RULE_NV_MEM_OP), 1);
    ck_assert_uint_eq(event_nv_mem_op_of(done).operation, memops[_i].operation);
    ck_assert_uint_eq(clock_cycle_at(clock, done->time_ps) -
                          clock_cycle_at(clock, done->time_ps - event_nv_mem_op_of(done).took_ps),
                      memop_cycles(memops[_i].kind));
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps, done->time_ps);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(only_privileged_channels_invalidate_translations)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), 0, 0, memops[_i].c, memops[_i].operation << 27,
                 BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_INTR_0),
                      memops[_i].kind == INVALIDATE ? 1u << INTR_METHOD : 0);
    ck_assert_int_eq(went_on(), memops[_i].kind != INVALIDATE);
}
END_TEST

START_TEST(an_operation_without_a_number_raises_method)
{
    const uint32_t operation = (uint32_t)_i;
    bool known = false;

    for (uint32_t i = 0; i < MEMOPS; i++)
        known = known || memops[i].operation == operation;
    check_machine_poke_vram(&check, RAMFC_CONFIG, 1u << 8);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x34, 1), operation << 27, BEHIND);
    check_machine_run(&check);
    ck_assert_int_eq(went_on(), known);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_INTR_0), known ? 0 : 1u << INTR_METHOD);
}
END_TEST

/* Fields of MEM_OP_C that mean more than the model does, or nothing. */
static const struct {
    uint32_t operation, c;
    bool reported;
} odd[] = {
    {0x05, 2, true},       {0x09, 1 << 2, true},  {0x09, 1 << 2 | 2, false},  {0x09, 3 << 5, true},
    {0x09, 2 << 5, false}, {0x09, 1 << 10, true}, {0x09, 1 << 10 | 1, false}, {0x0a, 1, true},
    {0x09, 1, false},
};

START_TEST(odd_fields_of_a_memory_operation_are_reported_each_time)
{
    check_machine_poke_vram(&check, RAMFC_CONFIG, 1u << 8);
    for (uint32_t n = 0; n < 2; n++)
        CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), 0, 0, odd[_i].c, odd[_i].operation << 27);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MEM_OP), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2 * odd[_i].reported);
    if (odd[_i].reported)
        ck_assert_uint_eq(
            event_unmodelled_of(check_machine_event(&check, EVENT_UNMODELLED, 0)).address,
            0xc06f0030);
}
END_TEST

/* OPERATION 0x16, ACCESS_COUNTER_CLR, came with Volta (clc36f.h); it changes no memory, and Host
 * goes on. */
START_TEST(clearing_access_counters_is_reported_and_goes_on)
{
    teardown();
    check_machine_begin_on(&check, "rtx2060");
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 4), 0, 0, 0, 0x16u << 27, BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
}
END_TEST

START_TEST(fb_flush_is_a_system_barrier)
{
    const struct log_event *done;

    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x24, 0), BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    done = check_machine_event(&check, EVENT_NV_MEM_OP, 0);
    ck_assert_ptr_nonnull(done);
    ck_assert_uint_eq(event_nv_mem_op_of(done).operation, NV_MEM_OP_FB_FLUSH);
    ck_assert_uint_gt(event_nv_mem_op_of(done).took_ps, 0);
}
END_TEST

/* MEM_OP_A to C are registers, and part of the channel. */
START_TEST(operands_of_memory_operations_are_kept_and_saved)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 3), 0x1111, 0x2222, 0x3333);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x04), 0x1111);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x64), 0x2222);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0xa0), 0x3333);
}
END_TEST

/* ---- CRC_CHECK --------------------------------------------------------------------------------
 */

/* Nothing has gone to an engine yet.  The register is cleared by each comparison, so that software
 * has to write the expected value into it to go on. */
START_TEST(a_wrong_method_crc_freezes_until_the_register_is_mended)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0xb0, 0x77); /* RAMFC: METHOD_CRC */
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x7c, 1), 0x77, PB_INC(0, 0x7c, 1), 0, PB_INC(0, 0x7c, 1),
                 0x1234, PB_INC(0, 0x7c, 1), 0, BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_INTR_0), 1u << INTR_METHODCRC);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_DATA0), 0x1234);
    machine_write32(check.machine, PBDMA0_METHOD_CRC, 0x4321);
    machine_write32(check.machine, PBDMA0_INTR_0, 1u << INTR_METHODCRC);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert_uint_eq(machine_read32(check.machine, PBDMA0_METHOD_CRC), 0);
    machine_write32(check.machine, PBDMA0_METHOD_CRC, 0x1234);
    machine_write32(check.machine, PBDMA0_INTR_0, 1u << INTR_METHODCRC);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
}
END_TEST

/* ---- yielding -------------------------------------------------------------------------------- */

#define YIELD(operation) PB_IMMD(0, 0x80, (operation))

static void two_channels_with_work(uint32_t operation)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 1), YIELD(operation), RELEASE(0, 2));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 2);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 3);
}

/* NV.YIELD: in the middle of a segment, which then goes on. */
START_TEST(yielding_the_runlist_timeslice_lets_another_group_run_first)
{
    two_channels_with_work(2);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).value,
                      1);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 1)).value,
                      3);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 2)).value,
                      2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_YIELD, RULE_NV_YIELD), 1);
    golden_log_check(&check, "rule_nv_yield.events");
    ck_assert_uint_eq(event_nv_yield_of(check_machine_event(&check, EVENT_NV_YIELD, 0)).leaves, 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
    /* All methods of the segment that was left midway count once: 4 + 1 + 4. */
    ck_assert_uint_eq(
        event_nv_segment_end_of(check_machine_event(&check, EVENT_NV_SEGMENT_END, 1)).method_count,
        9);
}
END_TEST

START_TEST(yielding_with_nobody_else_on_the_runlist_does_nothing)
{
    CHECK_SUBMIT(&check, 0, YIELD(1), YIELD(2), YIELD(3), BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_YIELD), 3);
    for (uint32_t n = 0; n < 3; n++)
        ck_assert_uint_eq(event_nv_yield_of(check_machine_event(&check, EVENT_NV_YIELD, n)).leaves,
                          0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

START_TEST(a_yield_of_nothing_is_a_nop)
{
    two_channels_with_work(0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_YIELD), 0);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 1)).value,
                      2);
}
END_TEST

START_TEST(yielding_to_the_own_group_stays_with_the_groups_only_channel)
{
    two_channels_with_work(3);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 1)).value,
                      2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
}
END_TEST

/* NV.TSG: the other one's turn comes, then the yielding one goes on. */
START_TEST(yielding_to_a_channel_of_the_own_group_lets_it_run_first)
{
    const uint32_t list[] = {0x0a00e020, 0, 0, 0, 1, 0}; /* a TSG of two channels */

    check_machine_channel(&check, 1);
    check_machine_runlist_raw(&check, 0, 3, list);
    CHECK_SUBMIT(&check, 0, YIELD(3), YIELD(3), RELEASE(0, 2));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 3));
    check_machine_run(&check);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).value,
                      3);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 1)).value,
                      2);
    ck_assert_uint_eq(event_nv_yield_of(check_machine_event(&check, EVENT_NV_YIELD, 0)).leaves, 1);
    ck_assert_uint_eq(event_nv_yield_of(check_machine_event(&check, EVENT_NV_YIELD, 1)).leaves, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_TSG_START), 1);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_TSG), 1);
    golden_log_check(&check, "rule_nv_tsg.events");
}
END_TEST

Suite *nv_pbdma_host_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_host");
    TCase *tcase = tcase_create("addresses");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, every_address_below_0x100_does_what_the_class_says, 0, 8 * 64);
    tcase_add_loop_test(tcase, a_method_that_host_does_not_have_can_be_replaced, 0, 6);
    tcase_add_test(tcase, a_method_that_nobody_replaced_comes_again);
    tcase_add_loop_test(tcase, what_a_copy_engine_refuses_is_discarded, 0, 2);
    tcase_add_test(tcase, a_wrong_method_crc_freezes_until_the_register_is_mended);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("waiting");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_non_stall_interrupt_does_not_stop_anything);
    tcase_add_test(tcase, a_reference_is_set_behind_the_work_and_a_barrier);
    tcase_add_loop_test(tcase, a_wfi_waits_for_the_engine_of_the_last_method, 0, 4);
    tcase_add_test(tcase, a_wfi_behind_a_copy_waits_for_the_copy);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("memory operations");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_memory_operation_takes_its_time, 0, MEMOPS);
    tcase_add_loop_test(tcase, only_privileged_channels_invalidate_translations, 0, MEMOPS);
    tcase_add_loop_test(tcase, an_operation_without_a_number_raises_method, 0, 32);
    tcase_add_loop_test(tcase, odd_fields_of_a_memory_operation_are_reported_each_time, 0,
                        sizeof odd / sizeof odd[0]);
    tcase_add_test(tcase, clearing_access_counters_is_reported_and_goes_on);
    tcase_add_test(tcase, fb_flush_is_a_system_barrier);
    tcase_add_test(tcase, operands_of_memory_operations_are_kept_and_saved);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("yield");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, yielding_the_runlist_timeslice_lets_another_group_run_first);
    tcase_add_test(tcase, yielding_with_nobody_else_on_the_runlist_does_nothing);
    tcase_add_test(tcase, a_yield_of_nothing_is_a_nop);
    tcase_add_test(tcase, yielding_to_the_own_group_stays_with_the_groups_only_channel);
    tcase_add_test(tcase, yielding_to_a_channel_of_the_own_group_lets_it_run_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
