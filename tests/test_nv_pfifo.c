/* SPDX-License-Identifier: MIT */
/* PFIFO: what its interrupts are and go by, what its status registers show, timeouts of switches.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/nv_engine.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

/* Offsets and bits of gv100 and tu104 dev_fifo.ref.txt; of Pascal, nvgpu hw_fifo_gp106.h. */
enum {
    PMC_INTR_0 = 0x100,
    INTR_0 = 0x2100,
    INTR_0_CTXSW_TIMEOUT = 1 << 1,
    INTR_0_RUNLIST_IDLE = 1 << 4,
    INTR_0_SCHED_ERROR = 1 << 8,
    INTR_0_TSG_PREEMPT_COMPLETE = 1 << 28,
    INTR_0_MMU_FAULT = 1 << 28, /* Pascal */
    INTR_0_PBDMA = 1 << 29,
    INTR_0_RUNLIST_EVENT = 1 << 30,
    INTR_EN_0 = 0x2140,
    INTR_0_MASK_SET = 0x2180,
    INTR_0_MASK_CLEAR = 0x21c0,
    SCHED_ERROR = 0x254c,
    MMU_FAULT_ID = 0x259c,
    SCHED_DISABLE = 0x2630,
    PREEMPT = 0x2634,
    PREEMPT_TSG = 1 << 24,
    RUNLIST_PREEMPT = 0x2638,
    SCHED_STATUS = 0x263c,
    ENGINE_STATUS = 0x2640,
    PBDMA_STATUS_INST = 0x2790,
    PBDMA_STATUS_USERD = 0x2800,
    INTR_RUNLIST = 0x2a00,
    ACQ_PRETEST = 0x2250,
    ENG_TIMEOUT = 0x2a0c,
    INTR_CTXSW_TIMEOUT = 0x2a30,
    INTR_RUNLIST_IDLE = 0x2a40,
    INTR_RUNLIST_ACQUIRE = 0x2a60,
    INTR_RUNLIST_IDLE_EN_SET = 0x2a80,
    INTR_RUNLIST_IDLE_EN_CLEAR = 0x2a90,
    INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_SET = 0x2ae0,
    RUNLIST_SUBMIT_INFO = 0x2b0c,
    ENGINE_STATUS_NEXT_INST = 0x3000,
    PBDMA_STATUS = 0x3080,
    ENGINE_STATUS_INST = 0x3100,
    CTXSW_TIMEOUT_INFO = 0x3200,
    RUNLIST_INFO = 0x3400,
    PBDMA_INTR_0 = 0x40108,
};
#define DATA(offset)           ((uint32_t)CHECK_DATA + (offset))
#define RELEASE(offset, value) PB_INC(0, 0x10, 4), 0, DATA(offset), (value), 0x01000002
#define ACQUIRE(offset, value) PB_INC(0, 0x10, 4), 0, DATA(offset), (value), 0x1001
/* TSG_32 | TSGID: an id of a status register. */
#define TSG(channel)           (1u << 12 | (32 + (channel)))
/* PTR, VALID of an INST register: the instance block of a channel, in video memory. */
#define INSTANCE(channel)      (1u << 31 | (CHECK_INSTANCES + 0x1000u * (channel)) >> 12)

static struct check_machine check;
static struct nv_chip model;

static void begin(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    for (uint32_t i = 0; i < 3; i++)
        check_machine_channel(&check, i);
}

/* Switches of which the load is seen: saving takes no time. */
static void begin_with_loads(const char *gpu)
{
    begin(gpu);
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_save_cycles", 0));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 20000));
}

static void tear_down(void)
{
    check_machine_end(&check);
}

static uint32_t get(uint32_t offset)
{
    return machine_read32(check.machine, offset);
}

static void set(uint32_t offset, uint32_t value)
{
    machine_write32(check.machine, offset, value);
}

/* Channel 0 stops on its PBDMA with an illegal method. */
static void freeze(void)
{
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    ck_assert_uint_ne(get(PBDMA_INTR_0), 0);
}

static const char *const gpus[] = {"gtx1060", "v100", "rtx2060"};
enum { PASCAL, VOLTA, TURING };

/* ---- INTR_0 ---------------------------------------------------------------------------------- */

START_TEST(a_runlists_event_goes_when_it_is_cleared_at_its_register)
{
    begin(gpus[_i]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    ck_assert_uint_eq(get(INTR_0) & INTR_0_RUNLIST_EVENT, INTR_0_RUNLIST_EVENT);
    set(INTR_0, UINT32_MAX);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_RUNLIST_EVENT, INTR_0_RUNLIST_EVENT);
    set(INTR_RUNLIST, 1);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_RUNLIST_EVENT, 0);
}
END_TEST

START_TEST(a_pbdmas_interrupt_goes_when_it_is_cleared_at_the_pbdma)
{
    begin(gpus[_i]);
    set(PBDMA_INTR_0 + 4, UINT32_MAX); /* nothing of it is cleared by INTR_1 */
    set(0x4010c, UINT32_MAX);          /* INTR_EN_0 */
    freeze();
    set(INTR_0, UINT32_MAX);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_PBDMA, INTR_0_PBDMA);
    ck_assert_uint_eq(get(0x25a0), 1);
    set(PBDMA_INTR_0, UINT32_MAX);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_PBDMA, 0);
}
END_TEST

START_TEST(pascals_mmu_fault_goes_when_it_is_cleared_by_its_engine)
{
    begin("gtx1060");
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0x7f, 0x1000, 7, 0x01000002);
    check_machine_run(&check);
    ck_assert_uint_ne(get(MMU_FAULT_ID), 0);
    set(INTR_0, UINT32_MAX);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_MMU_FAULT, INTR_0_MMU_FAULT);
    set(MMU_FAULT_ID, UINT32_MAX);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_MMU_FAULT, 0);
}
END_TEST

/* TRIGGER_MMU_FAULT of the graphics engine, as MMU engine 0: of the context that is on it.  The
 * runlist stands still until ERROR_SCHED_DISABLE is cleared. */
START_TEST(a_triggered_fault_holds_the_runlist_of_pascal)
{
    begin("gtx1060");
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1));
    check_machine_run(&check);
    set(0x2a30, 0x100);
    ck_assert_uint_eq(get(MMU_FAULT_ID), 1);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_MMU_FAULT, INTR_0_MMU_FAULT);
    ck_assert_uint_eq(get(0x2800), INSTANCE(0) & 0xfffffff); /* INST */
    ck_assert_uint_eq(get(0x2804) | get(0x2808), 0);         /* the address */
    ck_assert_uint_eq(get(0x262c), 1);
    CHECK_SUBMIT(&check, 1, PB_INC(0, 0x10, 4), 0, DATA(0), 7, 0x01000002);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    set(0x2a30, 0);
    set(MMU_FAULT_ID, 1);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_MMU_FAULT, 0);
    set(0x262c, 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

/* While SCHED_ERROR is pending nothing comes of it; nor of a write without ENABLE, or of one to the
 * place of an engine that there is not. */
START_TEST(a_fault_is_not_triggered_while_sched_error_is_pending)
{
    begin("gtx1060");
    set(0x2a30, 0);
    set(0x2a30 + 4 * 15, 0x100);
    ck_assert_uint_eq(get(MMU_FAULT_ID), 0);
    set(0x2274, 15u << 20 | 1); /* a runlist that there is not */
    ck_assert_uint_eq(get(INTR_0) & INTR_0_SCHED_ERROR, INTR_0_SCHED_ERROR);
    set(0x2a30, 0x100);
    ck_assert_uint_eq(get(MMU_FAULT_ID), 0);
    set(INTR_0, INTR_0_SCHED_ERROR);
    set(0x2a30, 0x100);
    ck_assert_uint_eq(get(MMU_FAULT_ID), 1);
}
END_TEST

START_TEST(what_is_enabled_raises_the_line)
{
    begin(gpus[_i]);
    set(INTR_EN_0, ~(uint32_t)INTR_0_RUNLIST_EVENT);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    ck_assert_uint_eq(get(PMC_INTR_0) >> 8 & 1, 0);
    set(INTR_EN_0, INTR_0_RUNLIST_EVENT);
    ck_assert_uint_eq(get(PMC_INTR_0) >> 8 & 1, 1);
}
END_TEST

/* ---- Turing's interrupts of an idle runlist -------------------------------------------------- */

START_TEST(an_idle_runlist_says_so_on_turing)
{
    const bool turing = _i == TURING; /* Pascal has something else there */

    begin(gpus[_i]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    for (uint32_t i = 0; i < 2; i++) { /* RUNLIST_IDLE, RUNLIST_AND_ENG_IDLE */
        const uint32_t at = INTR_RUNLIST_IDLE + 16 * i, bit = (uint32_t)INTR_0_RUNLIST_IDLE << i;

        ck_assert_uint_eq(get(at), turing);
        ck_assert_uint_eq(get(INTR_0) & bit, 0);
        set(INTR_RUNLIST_IDLE_EN_SET + 32 * i, 2); /* another runlist's */
        ck_assert_uint_eq(get(INTR_0) & bit, 0);
        set(INTR_RUNLIST_IDLE_EN_SET + 32 * i, 1);
        ck_assert_uint_eq(get(INTR_0) & bit, turing ? bit : 0);
        set(INTR_0, UINT32_MAX);
        ck_assert_uint_eq(get(INTR_0) & bit, turing ? bit : 0);
        set(INTR_RUNLIST_IDLE_EN_CLEAR + 32 * i, 1);
        ck_assert_uint_eq(get(INTR_0) & bit, 0);
        set(INTR_RUNLIST_IDLE_EN_SET + 32 * i, 1);
        set(at, 1);
        ck_assert_uint_eq(get(at), 0);
        ck_assert_uint_eq(get(INTR_0) & bit, 0);
    }
}
END_TEST

/* Where Turing has INTR_RUNLIST_IDLE, Pascal has an element of TRIGGER_MMU_FAULT. */
START_TEST(an_idle_runlist_of_pascal_leaves_the_registers_alone)
{
    begin("gtx1060");
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(get(INTR_RUNLIST_IDLE), 0);
    ck_assert_uint_eq(get(INTR_RUNLIST_IDLE + 16), 0);
}
END_TEST

START_TEST(a_runlist_with_failed_acquires_alone_says_so_on_turing)
{
    begin("rtx2060");
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE), 0);      /* its engine is idle: */
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE + 16), 1); /* ACQUIRE_AND_ENG_IDLE */
    set(INTR_RUNLIST_ACQUIRE_AND_ENG_IDLE_EN_SET, 1);
    ck_assert_uint_eq(get(INTR_0) & 0xf0, 1u << 7);
    ck_assert_uint_eq(get(INTR_RUNLIST_IDLE), 0);
}
END_TEST

START_TEST(the_end_of_a_tsgs_preemption_is_an_interrupt_of_turing)
{
    const uint32_t bit = INTR_0_TSG_PREEMPT_COMPLETE;

    begin(gpus[_i]);
    set(INTR_EN_0, bit);
    set(PREEMPT, PREEMPT_TSG | 32);
    ck_assert_uint_eq(get(INTR_0) & bit, _i == TURING ? bit : 0);
    ck_assert_uint_eq(get(PMC_INTR_0) >> 8 & 1, _i == TURING); /* PFIFO */
    set(INTR_0, bit);
    ck_assert_uint_eq(get(INTR_0) & bit, 0);
    set(INTR_0_MASK_SET, bit);
    set(PREEMPT, PREEMPT_TSG | 32);
    ck_assert_uint_eq(get(INTR_0) & bit, 0);
    set(INTR_0_MASK_CLEAR, bit);
    set(PREEMPT, 0); /* a channel's */
    ck_assert_uint_eq(get(INTR_0) & bit, 0);
    set(PREEMPT, PREEMPT_TSG | 32);
    ck_assert_uint_eq(get(INTR_0) & bit, _i == TURING ? bit : 0);
}
END_TEST

/* ---- preemption ------------------------------------------------------------------------------ */

START_TEST(a_runlists_preemption_is_pending_until_all_is_off)
{
    begin(gpus[_i]);
    freeze();
    set(SCHED_DISABLE, 1);
    set(RUNLIST_PREEMPT, 2); /* nothing is on the second */
    check_machine_run(&check);
    ck_assert_uint_eq(get(RUNLIST_PREEMPT), 0);
    set(RUNLIST_PREEMPT, 3);
    check_machine_run(&check);
    ck_assert_uint_eq(get(RUNLIST_PREEMPT), 1);
    ck_assert_uint_eq(get(SCHED_DISABLE), 1);
    set(PBDMA_INTR_0, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(get(RUNLIST_PREEMPT), 0);
    ck_assert_uint_eq(get(PBDMA_STATUS), 0);
    ck_assert_uint_eq(get(ENGINE_STATUS) >> 13 & 7, 0);
}
END_TEST

START_TEST(what_a_submit_preempts_stands_in_turings_submit_info)
{
    begin("rtx2060");
    ck_assert_uint_eq(get(RUNLIST_SUBMIT_INFO), 0);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){1, 0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){1});
    /* The header of channel 0's TSG was the third entry. */
    ck_assert_uint_eq(get(RUNLIST_SUBMIT_INFO), 2u << 16 | 1u << 14 | 32);
}
END_TEST

/* PREEMPTED_TSGID has twelve bits, as a TSG's id in the list has (tu104/dev_ram.ref.txt). */
START_TEST(the_preempted_tsg_has_all_bits_of_its_id)
{
    const uint32_t words[] = {128u << 24 | 3 << 16 | 1, 1, 0xfff, 0, 0, 0, 0, 0};

    begin("rtx2060");
    check_machine_runlist_raw(&check, 0, 2, words);
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){1});
    ck_assert_uint_eq(get(RUNLIST_SUBMIT_INFO), 1u << 14 | 0xfff);
}
END_TEST

/* ---- what is on ------------------------------------------------------------------------------ */

/* Two TSGs take turns on the graphics engine: the codes that are seen, in their order. */
/* PROMISE (nvidia): PFIFO shows the status of an engine through the codes of a context switch. */
START_TEST(an_engines_status_goes_through_the_codes_of_a_switch)
{
    uint64_t seen = 0;
    uint32_t next = 0, id = 0;

    begin_with_loads(gpus[_i]);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(get(ENGINE_STATUS), 1u << 13 | TSG(0)); /* VALID */
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    while (machine_step(check.machine)) {
        const uint32_t word = get(ENGINE_STATUS), code = word >> 13 & 7;

        if (seen % 10 != code)
            seen = 10 * seen + code;
        if (code == 6)
            id = word;
        if (code == 5)
            next = word;
    }
    /* SAVE takes no time here unless its parameter says so: VALID, LOAD, VALID, or with SAVE. */
    ck_assert_msg(seen == 151 || seen == 1651, "%llu", (unsigned long long)seen);
    ck_assert_uint_eq(next >> 16 & 0x1fff, TSG(1));
    if (id)
        ck_assert_uint_eq(id & 0x1fff, TSG(0));
    ck_assert_uint_eq(get(ENGINE_STATUS), 1u << 13 | TSG(1));
}
END_TEST

START_TEST(a_pbdma_that_loads_shows_who_comes_next)
{
    bool loading = false;

    begin(gpus[_i]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0));
    while (machine_step(check.machine))
        if ((get(PBDMA_STATUS) >> 13 & 7) == 5) {
            ck_assert_uint_eq(get(PBDMA_STATUS), TSG(0) << 16 | 5u << 13);
            ck_assert_uint_eq(get(SCHED_STATUS), _i == PASCAL ? 0 : 2); /* CHSW_IN_PROGRESS */
            loading = true;
        }
    ck_assert(loading);
    ck_assert_uint_eq(get(PBDMA_STATUS), 1u << 13 | TSG(0));
    ck_assert_uint_eq(get(SCHED_STATUS), 0);
}
END_TEST

/* Before Volta a channel may be outside TSGs: it is shown by its own number. */
START_TEST(a_channel_outside_tsgs_is_shown_by_its_own_number)
{
    begin("gtx1060");
    check_machine_runlist_raw(&check, 0, 1, (const uint32_t[]){2, 0});
    CHECK_SUBMIT(&check, 2, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    ck_assert_uint_eq(get(PBDMA_STATUS), 1u << 13 | 2);
    ck_assert_uint_eq(get(ENGINE_STATUS), 1u << 13 | 2);
}
END_TEST

START_TEST(instance_blocks_and_userd_of_what_is_on)
{
    const bool pascal = _i == PASCAL;
    bool switched = false;

    begin_with_loads(gpus[_i]);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){1, 2});
    CHECK_SUBMIT(&check, 1, RELEASE(0, 7));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 2, PB_IMMD(0, 0x04, 0));
    while (machine_step(check.machine))
        if ((get(ENGINE_STATUS) >> 13 & 7) == 5) {
            ck_assert_uint_eq(get(ENGINE_STATUS_INST), pascal ? 0 : INSTANCE(1));
            ck_assert_uint_eq(get(ENGINE_STATUS_NEXT_INST), pascal ? 0 : INSTANCE(2));
            switched = true;
        }
    ck_assert(switched);
    ck_assert_uint_eq(get(ENGINE_STATUS_INST), pascal ? 0 : INSTANCE(2));
    ck_assert_uint_eq(get(ENGINE_STATUS_NEXT_INST), 0);
    ck_assert_uint_eq(get(PBDMA_STATUS_INST), pascal ? 0 : INSTANCE(2));
    ck_assert_uint_eq(get(PBDMA_STATUS_INST + 4), 0);
    if (_i == TURING)
        ck_assert_uint_eq(get(PBDMA_STATUS_USERD) & ~0xffu, CHECK_USERD + 2 * 0x200);
}
END_TEST

/* A channel whose acquire does not switch keeps its TSG from being given up
 * (tu104/dev_pbdma.ref.txt, ACQUIRE_SWITCH_TSG DIS), but only as long as that acquire fails. */
START_TEST(an_acquire_that_has_passed_keeps_no_notice_back)
{
    begin("rtx2060");
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, DATA(0), 7, 1); /* ACQUIRE, no switch */
    check_machine_run(&check);
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE + 16), 0);
    check_machine_poke(&check, CHECK_DATA, 7);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, ACQUIRE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE + 16), 1);
}
END_TEST

/* The same where the acquire fails off its PBDMA, to which another channel of its TSG has come. */
START_TEST(an_acquire_that_has_passed_off_its_pbdma_keeps_no_notice_back)
{
    /* tu104/dev_ram.ref.txt: a TSG of channels 0 and 1 */
    const uint32_t words[] = {128u << 24 | 3 << 16 | 1, 2, 32, 0, 0, 0, 0, 0, 0, 0, 1, 0};

    begin("rtx2060");
    check_machine_runlist_raw(&check, 0, 3, words);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, DATA(0), 7, 1); /* ACQUIRE, no switch */
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 16), 8);
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE + 16), 0);
    check_machine_poke(&check, CHECK_DATA, 7);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ACQUIRE), 1);
    CHECK_SUBMIT(&check, 1, ACQUIRE(16, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(get(INTR_RUNLIST_ACQUIRE + 16), 1);
}
END_TEST

START_TEST(turings_runlist_info_tells_what_is_idle)
{
    begin("rtx2060");
    ck_assert_uint_eq(get(RUNLIST_INFO), 0x300);
    freeze();
    ck_assert_uint_eq(get(RUNLIST_INFO) & 0x200, 0);
    ck_assert_uint_eq(get(RUNLIST_INFO) & 0x33, 0x33);
    ck_assert_uint_eq(get(RUNLIST_INFO + 4) & 0x300, 0x300);
}
END_TEST

START_TEST(turings_runlist_info_tells_of_acquires_that_are_left)
{
    begin("rtx2060");
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 7));
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(get(RUNLIST_INFO) >> 12 & 1, 1); /* ACQUIRE_STILL_PENDING */
    check_machine_poke(&check, CHECK_DATA, 7);
    check_machine_run(&check);
    ck_assert_uint_eq(get(RUNLIST_INFO) >> 12 & 1, 0);
}
END_TEST

/* ---- ACQ_PRETEST ----------------------------------------------------------------------------- */

/* TIMEOUT << TIMESCALE units of 32 ns; none up to Pascal. */
static const struct {
    const char *gpu;
    uint32_t pretest;
    gfe_ps apart_ps;
} pretests[] = {
    {"v100", 8, 256000}, {"rtx2060", 8, 256000}, {"rtx2060", 0xa003, 98304000},
    {"rtx2060", 0, 1},   {"gtx1060", 8, 1},
};

/* Channel 0's acquire fails and lets channel 1's TSG on; its word is written some time later, and
 * it is found at the next poll. */
START_TEST(polls_of_failed_acquires_are_held_apart)
{
    const gfe_ps apart_ps = pretests[_i].apart_ps;
    gfe_ps failed_ps, written_ps, polls;

    begin(pretests[_i].gpu);
    if (strcmp(pretests[_i].gpu, "gtx1060") != 0)
        set(ACQ_PRETEST, pretests[_i].pretest);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 7));
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 0);
    failed_ps = check.gpu->host.channels[0].failed_ps;
    ck_assert(machine_run(check.machine, machine_now(check.machine) + 12345));
    written_ps = machine_now(check.machine);
    check_machine_poke(&check, CHECK_DATA, 7);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ACQUIRE), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 1);
    polls = (written_ps - failed_ps + apart_ps - 1) / apart_ps;
    for (uint32_t n = 0; n < check.event_count; n++)
        if (check.events[n].kind == EVENT_WAIT && check.events[n].rule == RULE_NV_ACQ)
            ck_assert_uint_eq(check.events[n].time_ps, failed_ps + polls * apart_ps);
}
END_TEST

/* ---- timeouts of context switches ------------------------------------------------------------ */

/* A load of 20,000 cycles and more, where a switch may take PERIOD units of 1,024 ns. */
static void switch_contexts(uint32_t timeout)
{
    set(ENG_TIMEOUT, timeout);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
}

/* PROMISE (nvidia): A context switch beyond its timeout is an error. */
START_TEST(a_switch_that_takes_too_long_is_an_error)
{
    const struct log_event *event;

    begin(gpus[_i]);
    ck_assert_uint_eq(get(ENG_TIMEOUT), 0x803fffff);
    switch_contexts(0x80000001);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CTXSW_TIMEOUT), 1);
    event = check_machine_event(&check, EVENT_NV_CTXSW_TIMEOUT, 0);
    ck_assert_uint_eq(event->time_ps, event_nv_ctxsw_timeout_of(event).since + 1024000);
    if (_i == TURING) {
        ck_assert_uint_eq(get(INTR_0) & (INTR_0_SCHED_ERROR | INTR_0_CTXSW_TIMEOUT),
                          INTR_0_CTXSW_TIMEOUT);
        ck_assert_uint_eq(get(INTR_CTXSW_TIMEOUT), 1);
        ck_assert_uint_eq(get(CTXSW_TIMEOUT_INFO), 32u << 16 | 1u << 14); /* LOAD of TSG 32 */
        set(INTR_CTXSW_TIMEOUT, 1);
        ck_assert_uint_eq(get(INTR_0) & INTR_0_CTXSW_TIMEOUT, 0);
    } else {
        ck_assert_uint_eq(get(INTR_0) & INTR_0_SCHED_ERROR, INTR_0_SCHED_ERROR);
        ck_assert_uint_eq(get(SCHED_ERROR), 0xa);
    }
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7); /* it has ended after all */
}
END_TEST

/* Each engine has a bit of INTR_CTXSW_TIMEOUT and an element of CTXSW_TIMEOUT_INFO of its own
 * (tu104/dev_fifo.ref.txt, ENGINE(i) i:i).  Engine 3 of a RTX 2060 is LCE2, on runlist 1. */
START_TEST(the_timeout_names_its_engine)
{
    begin("rtx2060");
    ck_assert(machine_set_parameter(check.machine, "nv.ce.context_load_cycles", 20000));
    set(ENG_TIMEOUT, 0x80000001);
    check_machine_runlist(&check, 1, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CTXSW_TIMEOUT), 1);
    ck_assert_uint_eq(get(INTR_CTXSW_TIMEOUT), 1u << 3);
    for (uint32_t i = 0; i < 11; i++)
        ck_assert_uint_eq(get(CTXSW_TIMEOUT_INFO + 4 * i) >> 16, i == 3 ? 32 : 0); /* NEXT_TSGID */
    set(INTR_CTXSW_TIMEOUT, 1);                                                    /* another's */
    ck_assert_uint_eq(get(INTR_0) & INTR_0_CTXSW_TIMEOUT, INTR_0_CTXSW_TIMEOUT);
    set(INTR_CTXSW_TIMEOUT, 1u << 3);
    ck_assert_uint_eq(get(INTR_0) & INTR_0_CTXSW_TIMEOUT, 0);
}
END_TEST

START_TEST(a_switch_that_ends_in_time_or_is_not_watched_is_none)
{
    begin(gpus[_i % 3]);
    switch_contexts(_i < 3 ? 0x80000400 : 0x00000001);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CTXSW_TIMEOUT), 0);
    ck_assert_uint_eq(get(INTR_0) & (INTR_0_SCHED_ERROR | INTR_0_CTXSW_TIMEOUT), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

/* Before Pascal a draw runs to its end, whoever wants the engine. */
START_TEST(an_engine_that_does_not_stop_in_time_is_an_error)
{
    bool timed_out = false;

    begin("gtx980");
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", UINT64_C(10000000000)));
    set(ENG_TIMEOUT, 0x80000000 | 100);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    for (uint32_t id = 0; id < 2; id++)
        CHECK_SUBMIT(&check, id, PB_IMMD(0, 0x19d0, 1));
    while (!timed_out && machine_step(check.machine))
        timed_out = get(SCHED_ERROR) == 0xa;
    ck_assert(timed_out);
    ck_assert_uint_eq(get(ENGINE_STATUS) >> 13 & 7, 7); /* CTXSW_SWITCH */
    ck_assert_uint_eq(get(ENGINE_STATUS) >> 31, 1);     /* BUSY */
    ck_assert_uint_eq(get(ENGINE_STATUS) >> 16 & 0x1fff, TSG(1));
}
END_TEST

/* From Ampere on each engine has its own timeout, in its runlist's block. */
START_TEST(amperes_engines_have_timeouts_of_their_own)
{
    const uint32_t block = CHECK_BLOCK(0);

    model = check_machine_ga100();
    check_machine_begin_model(&check, &model);
    check_machine_channel(&check, 0);
    ck_assert_uint_eq(get(block + 0x220), 0x803fffff);
    set(block + 0x220, _i == 0 ? 0x80000001 : 1);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x5c, 5), DATA(0), 0, 7, 0, 0x1);
    check_machine_run(&check);
    ck_assert_uint_eq(get(block + 0x100) & 7, _i == 0);
    if (_i == 0)
        ck_assert_uint_eq(get(block + 0x224), 32u << 16 | 1u << 14);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

static void add_interrupts(Suite *suite)
{
    TCase *tcase = tcase_create("interrupts");

    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_loop_test(tcase, a_runlists_event_goes_when_it_is_cleared_at_its_register, 0, 3);
    tcase_add_loop_test(tcase, a_pbdmas_interrupt_goes_when_it_is_cleared_at_the_pbdma, 0, 3);
    tcase_add_test(tcase, pascals_mmu_fault_goes_when_it_is_cleared_by_its_engine);
    tcase_add_test(tcase, a_triggered_fault_holds_the_runlist_of_pascal);
    tcase_add_test(tcase, a_fault_is_not_triggered_while_sched_error_is_pending);
    tcase_add_loop_test(tcase, what_is_enabled_raises_the_line, 0, 3);
    tcase_add_loop_test(tcase, an_idle_runlist_says_so_on_turing, VOLTA, 3);
    tcase_add_test(tcase, an_idle_runlist_of_pascal_leaves_the_registers_alone);
    tcase_add_test(tcase, a_runlist_with_failed_acquires_alone_says_so_on_turing);
    tcase_add_loop_test(tcase, the_end_of_a_tsgs_preemption_is_an_interrupt_of_turing, 0, 3);
    suite_add_tcase(suite, tcase);
}

/* Registers that change nothing here say so: INTR_EN_1, INTR_STALL, USERD_WRITEBACK. */
START_TEST(what_has_no_effect_is_reported)
{
    static const uint32_t offsets[] = {0x2528, 0x2530, 0x225c};
    struct check_machine inert;

    check_machine_begin_on(&inert, "rtx2080ti");
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t other = machine_read32(inert.machine, offsets[i]) ^ 1;

        machine_write32(inert.machine, offsets[i], other);
        machine_write32(inert.machine, offsets[i], other ^ 1);
        check_machine_read_log(&inert);
        ck_assert_uint_eq(check_machine_count(&inert, EVENT_UNMODELLED), i + 1);
    }
    check_machine_end(&inert);
}
END_TEST

Suite *nv_pfifo_suite(void)
{
    Suite *suite = suite_create("nv_pfifo");
    TCase *tcase = tcase_create("status"), *timeouts = tcase_create("timeouts");

    add_interrupts(suite);
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_loop_test(tcase, a_runlists_preemption_is_pending_until_all_is_off, 0, 3);
    tcase_add_test(tcase, what_a_submit_preempts_stands_in_turings_submit_info);
    tcase_add_test(tcase, the_preempted_tsg_has_all_bits_of_its_id);
    tcase_add_loop_test(tcase, an_engines_status_goes_through_the_codes_of_a_switch, 0, 3);
    tcase_add_loop_test(tcase, a_pbdma_that_loads_shows_who_comes_next, 0, 3);
    tcase_add_test(tcase, a_channel_outside_tsgs_is_shown_by_its_own_number);
    tcase_add_loop_test(tcase, instance_blocks_and_userd_of_what_is_on, 0, 3);
    tcase_add_test(tcase, an_acquire_that_has_passed_keeps_no_notice_back);
    tcase_add_test(tcase, an_acquire_that_has_passed_off_its_pbdma_keeps_no_notice_back);
    tcase_add_test(tcase, turings_runlist_info_tells_what_is_idle);
    tcase_add_test(tcase, turings_runlist_info_tells_of_acquires_that_are_left);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(timeouts, NULL, tear_down);
    tcase_add_loop_test(timeouts, polls_of_failed_acquires_are_held_apart, 0,
                        sizeof pretests / sizeof pretests[0]);
    tcase_add_loop_test(timeouts, a_switch_that_takes_too_long_is_an_error, 0, 3);
    tcase_add_test(timeouts, the_timeout_names_its_engine);
    tcase_add_loop_test(timeouts, a_switch_that_ends_in_time_or_is_not_watched_is_none, 0, 6);
    tcase_add_test(timeouts, an_engine_that_does_not_stop_in_time_is_an_error);
    tcase_add_loop_test(timeouts, amperes_engines_have_timeouts_of_their_own, 0, 2);
    tcase_add_test(timeouts, what_has_no_effect_is_reported);
    suite_add_tcase(suite, timeouts);
    return suite;
}
