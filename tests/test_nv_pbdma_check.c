/* SPDX-License-Identifier: MIT */
/*
 * What a PBDMA looks at when it has loaded a channel.  Bits and registers are typed from
 * open-gpu-doc tu104 and ga100 dev_pbdma.ref.txt.
 */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_channel.h"
#include "tests/check_pbdma.h"
#include "tests/suites.h"

enum {
    INTR_0 = 0x108,
    INTR_1 = 0x148,
    METHOD0 = 0xc0,
    REF = 0x28,
    RAMFC_HCE_CTRL = 0xe4,
    RAMFC_TARGET = 0xac,
    RAMFC_REF = CHECK_INSTANCES + REF,
    TSG = 32, /* of channel 0: check_machine.h */
    NOTHING = 64,
};

static void begin(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
}

static void ramfc(uint32_t offset, uint32_t value)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + offset, value);
}

static bool went_on(void)
{
    return check_machine_peek_vram(&check, RAMFC_REF) == 0x77;
}

static void expect_pending(uint32_t intr_bit)
{
    const uint64_t bits = intr_bit < NOTHING ? UINT64_C(1) << intr_bit : 0;

    ck_assert_uint_eq((pbdma_reg(INTR_0) | (uint64_t)pbdma_reg(INTR_1) << 32), bits);
}

static void clear(uint32_t intr_bit)
{
    pbdma_write(intr_bit < 32 ? INTR_0 : INTR_1, 1u << intr_bit % 32);
    check_machine_run(&check);
}

/* Software takes the channel off, so that it does not come back. */
static void preempt(void)
{
    nv_channel_enable(&check.gpu->host, 0, false);
    machine_write32(check.machine,
                    check.runlist_blocks ? check.model->runlists[0].pri_base + 0x98 : 0x2634,
                    1u << 24 | TSG);
    check_machine_run(&check);
}

/* ---- SIGNATURE ------------------------------------------------------------------------------- */

/* RAMFC of a channel that cannot have left like that (Turing and later): HCE_CTRL says which method
 * of the copy class was received, METHOD0 is to hold it, TARGET to name the copy engine. */
enum { AWAITS = 1, LAUNCH_DMA_RCVD = 1 << 16, GRCE_OF_RUNQUEUE_0 = 1 };
static const struct {
    uint32_t hce_ctrl, method0, target;
    bool sane;
} ramfcs[] = {
    {0, 0, 31, true},
    {AWAITS, 0, 31, false},
    {AWAITS, 0x80040300, GRCE_OF_RUNQUEUE_0, false},
    {LAUNCH_DMA_RCVD, 0x80040300, GRCE_OF_RUNQUEUE_0, false},
    {LAUNCH_DMA_RCVD | AWAITS, 0x80040300, GRCE_OF_RUNQUEUE_0, true},
    {LAUNCH_DMA_RCVD | AWAITS, 0x00040300, GRCE_OF_RUNQUEUE_0, false}, /* not VALID */
    {LAUNCH_DMA_RCVD | AWAITS, 0x80040300, 31, false},
    {LAUNCH_DMA_RCVD | AWAITS, 0x80040300, 0, false}, /* graphics */
    {LAUNCH_DMA_RCVD | AWAITS, 0x80040100, GRCE_OF_RUNQUEUE_0, false},
    {1 << 17 | AWAITS, 0x80040100, GRCE_OF_RUNQUEUE_0, true},
    {1 << 18 | AWAITS, 0x80040140, GRCE_OF_RUNQUEUE_0, true},
    {1 << 19 | AWAITS, 0x80041114, GRCE_OF_RUNQUEUE_0, true},
    {1 << 20 | AWAITS, 0x8004025c, GRCE_OF_RUNQUEUE_0, true},
    {1 << 20 | LAUNCH_DMA_RCVD | AWAITS, 0x8004025c, GRCE_OF_RUNQUEUE_0, false},
};
enum { RAMFCS = sizeof ramfcs / sizeof ramfcs[0] };

static void load_ramfc(int index, const char *gpu)
{
    begin(gpu);
    ramfc(RAMFC_HCE_CTRL, ramfcs[index].hce_ctrl);
    ramfc(METHOD0, ramfcs[index].method0);
    ramfc(RAMFC_TARGET, 0x30000 | ramfcs[index].target);
    PUT_SEGMENT(0, 0, PB_INC(0, 0x50, 1), 0x77);
    ring_and_run();
}

START_TEST(ramfc_that_contradicts_itself_is_no_signature)
{
    const bool sane = ramfcs[_i % RAMFCS].sane;

    load_ramfc(_i % RAMFCS, _i < RAMFCS ? "rtx2080ti" : "a100");
    expect_pending(sane ? NOTHING : INTR_SIGNATURE);
    ck_assert(went_on() == sane);
    if (!sane) {
        clear(INTR_SIGNATURE);
        expect_pending(INTR_SIGNATURE); /* to clear it is not enough ... */
        preempt();
        clear(INTR_SIGNATURE);
        expect_pending(NOTHING); /* ... but behind a preemption */
        ck_assert(!went_on());
    }
    check_machine_end(&check);
}
END_TEST

/* gv100's manual knows of no such check. */
START_TEST(volta_does_not_look_at_hce_ctrl)
{
    load_ramfc(1, "titan-v");
    expect_pending(NOTHING);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* ---- CTXNOTVALID ----------------------------------------------------------------------------- */

enum {
    TARGET = 0xac,
    ENG_CTX_VALID = 1 << 16,
    CE_CTX_VALID = 1 << 17,
    SHOULD_SEND_HOST_TSG_EVENT = 1 << 29,
    INTR_STALL_1 = 0x140,
    CTXNOTVALID = 32 + 31,
};
#define NEEDS_HOST_TSG_EVENT (1u << 31)
static const char *const from_volta[] = {"titan-v", "rtx2080ti", "a100", "orin", "h100"};
enum { VOLTA, TURING, GA100, GA10B, HOPPER, FROM_VOLTA };

/* A method to graphics, compute (SET_OBJECT of its own class) or the copy engine, and
 * SET_REFERENCE behind it. */
static const uint32_t engine_methods[][2] = {{0, 0x100}, {1, 0x100}, {4, 0x248}, {4, 0x300}};
enum { ENGINE_METHODS = 4 };

static void run_method(const char *gpu, uint32_t target, uint32_t n)
{
    begin(gpu);
    ramfc(TARGET, target | 31);
    PUT_SEGMENT(0, 0, PB_INC(engine_methods[n][0], engine_methods[n][1], 1), 0, PB_INC(0, 0x50, 1),
                0x77);
    ring_and_run();
}

static bool copies(uint32_t n)
{
    return engine_methods[n][0] == 4;
}

/* Frozen with the method in METHOD0; the bit set in the register and the interrupt cleared, it goes
 * on. */
START_TEST(a_method_needs_the_context_of_its_engine)
{
    const uint32_t n = (uint32_t)_i % ENGINE_METHODS;
    const uint32_t valid = copies(n) ? CE_CTX_VALID : ENG_CTX_VALID;

    run_method(from_volta[_i / ENGINE_METHODS], (ENG_CTX_VALID | CE_CTX_VALID) & ~valid, n);
    expect_pending(CTXNOTVALID);
    ck_assert_uint_eq(pbdma_reg(METHOD0),
                      0x80400000 | engine_methods[n][0] << 16 | engine_methods[n][1]);
    ck_assert(!went_on());
    clear(CTXNOTVALID);
    expect_pending(CTXNOTVALID); /* not mended: once more */
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    pbdma_write(TARGET, pbdma_reg(TARGET) | valid);
    ck_assert(!went_on());
    clear(CTXNOTVALID);
    expect_pending(NOTHING);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    check_machine_end(&check);
}
END_TEST

/* Software takes the bit away while a method of its own freezes the PBDMA: what follows is for the
 * engine that had the last method, and is refused all the same. */
START_TEST(a_context_that_is_taken_away_is_missed_by_the_next_method)
{
    begin(from_volta[_i]);
    PUT_SEGMENT(0, 0, PB_INC(1, 0x100, 1), 0, PB_INC(7, 0x100, 1), 0, PB_INC(1, 0x188, 1), 7,
                PB_INC(0, 0x50, 1), 0x77);
    ring_and_run();
    expect_pending(INTR_DEVICE);
    pbdma_write(TARGET, pbdma_reg(TARGET) & ~(uint32_t)ENG_CTX_VALID);
    pbdma_write(METHOD0, 0);
    clear(INTR_DEVICE);
    expect_pending(CTXNOTVALID);
    ck_assert_uint_eq(pbdma_reg(METHOD0), 0x80010188);
    ck_assert_uint_eq(shadow(1, 0x188), 0);
    ck_assert(!went_on());
    check_machine_end(&check);
}
END_TEST

START_TEST(the_context_of_the_other_engine_need_not_be_there)
{
    const uint32_t n = (uint32_t)_i % ENGINE_METHODS;

    run_method(from_volta[_i / ENGINE_METHODS], copies(n) ? CE_CTX_VALID : ENG_CTX_VALID, n);
    expect_pending(NOTHING);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

START_TEST(methods_of_host_need_no_context)
{
    begin(from_volta[_i]);
    ramfc(TARGET, 31);
    PUT_SEGMENT(0, 0, PB_INC(0, 0x50, 1), 0x77);
    ring_and_run();
    expect_pending(NOTHING);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* The bits are Volta's. */
START_TEST(up_to_pascal_nobody_looks_at_them)
{
    run_method("gtx1060", 0, (uint32_t)_i);
    expect_pending(NOTHING);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* A PBDMA that is frozen keeps its channel; the TSG is ended as the manual says: disable, preempt,
 * set the bit, clear. */
START_TEST(the_tsg_can_be_taken_off)
{
    run_method(from_volta[_i], CE_CTX_VALID, 0);
    preempt();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 0);
    pbdma_write(TARGET, pbdma_reg(TARGET) | ENG_CTX_VALID);
    clear(CTXNOTVALID);
    expect_pending(NOTHING);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
    ck_assert(!went_on());
    check_machine_end(&check);
}
END_TEST

/* ASSUMED: to switch its stalling off, which is undefined, makes no difference. */
START_TEST(it_freezes_whatever_intr_stall_says)
{
    begin(from_volta[_i]);
    pbdma_write(INTR_STALL_1, 0);
    ramfc(TARGET, 31);
    PUT_SEGMENT(0, 0, PB_INC(0, 0x100, 1), 0, PB_INC(0, 0x50, 1), 0x77);
    ring_and_run();
    expect_pending(CTXNOTVALID);
    ck_assert(!went_on());
    check_machine_end(&check);
}
END_TEST

/* What a channel begins with when it is loaded, and for which engines there is a context. */
static const struct {
    uint32_t target;
    bool reload, up_to_turing, from_ampere; /* raised there */
} beginnings[] = {
    {0, false, false, false},
    {0, true, true, true},
    {ENG_CTX_VALID, true, false, false},
    {CE_CTX_VALID, true, false, false},
    {SHOULD_SEND_HOST_TSG_EVENT, false, true, true},
    {NEEDS_HOST_TSG_EVENT, false, true, true},
    {SHOULD_SEND_HOST_TSG_EVENT | CE_CTX_VALID, false, false, true},
    {NEEDS_HOST_TSG_EVENT | CE_CTX_VALID, false, false, true},
    {SHOULD_SEND_HOST_TSG_EVENT | ENG_CTX_VALID, false, false, false},
    {NEEDS_HOST_TSG_EVENT | ENG_CTX_VALID, false, false, false},
};
enum { BEGINNINGS = sizeof beginnings / sizeof beginnings[0] };

START_TEST(a_channel_that_begins_with_engine_work_needs_a_context)
{
    const int on = _i / BEGINNINGS, n = _i % BEGINNINGS;
    const bool raised = on < GA100 ? beginnings[n].up_to_turing : beginnings[n].from_ampere;

    begin(from_volta[on]);
    ramfc(TARGET, beginnings[n].target | 31);
    PUT_SEGMENT(0, 0, PB_INC(0, 0x50, 1), 0x77);
    if (beginnings[n].reload)
        nv_channel_force_ctx_reload(&check.gpu->host, 0);
    ring_and_run();
    expect_pending(raised ? CTXNOTVALID : NOTHING);
    ck_assert(went_on() == !raised);
    if (raised) {
        ck_assert_uint_eq(pbdma_reg(METHOD0), 0);
        pbdma_write(TARGET, pbdma_reg(TARGET) | ENG_CTX_VALID);
        clear(CTXNOTVALID);
        ck_assert(went_on());
    }
    check_machine_end(&check);
}
END_TEST

/* Ampere and later: SUBCH4 of NV_RUNLIST_CONFIG, bit 10; with both contexts there. */
START_TEST(subchannel_4_may_be_inactive)
{
    const uint32_t n = (uint32_t)_i % ENGINE_METHODS;
    uint32_t config;

    begin(from_volta[GA100 + _i / ENGINE_METHODS]);
    config = check.model->runlists[0].pri_base;
    ck_assert_uint_eq(machine_read32(check.machine, config) >> 10 & 1, 1);
    machine_write32(check.machine, config, 0x10);
    ramfc(TARGET, ENG_CTX_VALID | CE_CTX_VALID | 31);
    PUT_SEGMENT(0, 0, PB_INC(engine_methods[n][0], engine_methods[n][1], 1), 0, PB_INC(0, 0x50, 1),
                0x77);
    ring_and_run();
    expect_pending(copies(n) ? (uint32_t)CTXNOTVALID : (uint32_t)NOTHING);
    ck_assert(went_on() == !copies(n));
    if (copies(n)) {
        machine_write32(check.machine, config, 0x410);
        clear(CTXNOTVALID);
        expect_pending(NOTHING);
        ck_assert(went_on());
    }
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_end(&check);
}
END_TEST

Suite *nv_pbdma_check_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_check");
    TCase *tcase = tcase_create("ramfc");

    tcase_add_loop_test(tcase, ramfc_that_contradicts_itself_is_no_signature, 0, 2 * RAMFCS);
    tcase_add_test(tcase, volta_does_not_look_at_hce_ctrl);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("contexts");
    tcase_add_loop_test(tcase, a_method_needs_the_context_of_its_engine, 0,
                        FROM_VOLTA * ENGINE_METHODS);
    tcase_add_loop_test(tcase, a_context_that_is_taken_away_is_missed_by_the_next_method, 0,
                        FROM_VOLTA);
    tcase_add_loop_test(tcase, the_context_of_the_other_engine_need_not_be_there, 0,
                        FROM_VOLTA * ENGINE_METHODS);
    tcase_add_loop_test(tcase, methods_of_host_need_no_context, 0, FROM_VOLTA);
    tcase_add_loop_test(tcase, up_to_pascal_nobody_looks_at_them, 0, ENGINE_METHODS);
    tcase_add_loop_test(tcase, the_tsg_can_be_taken_off, 0, FROM_VOLTA);
    tcase_add_loop_test(tcase, it_freezes_whatever_intr_stall_says, VOLTA, GA100);
    tcase_add_loop_test(tcase, a_channel_that_begins_with_engine_work_needs_a_context, 0,
                        FROM_VOLTA * BEGINNINGS);
    tcase_add_loop_test(tcase, subchannel_4_may_be_inactive, 0,
                        (FROM_VOLTA - GA100) * ENGINE_METHODS);
    suite_add_tcase(suite, tcase);
    return suite;
}
