/* SPDX-License-Identifier: MIT */
/*
 * PMC's switches: an engine in reset, with what it had; what Host shows of it, and what PBDMAs say.
 * Registers and bits are typed from open-gpu-doc tu104/dev_master.ref.txt, dev_fifo.ref.txt,
 * dev_pbdma.ref.txt, ga100/dev_boot.ref.txt and dev_runlist.ref.txt.
 */
#include <config.h>

#include <check.h>

#include "tests/check_copy.h"
#include "tests/suites.h"

enum { PMC_ENABLE = 0x200, PMC_DEVICE_ENABLE = 0x600, GR = 1 << 12 };
enum { ENGINE_STATUS = 0x2640, PBDMA_INTR_0 = 0x40108, ENG_RESET = 1 << 24, METHOD = 1 << 21 };
#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002
#define DRAW PB_IMMD(0, 0x19d0, 1)
#define WFI  PB_IMMD(0, 0x78, 0)
#define US   GFE_PS_PER_US

static struct check_machine check;

/* ---- the machine ----------------------------------------------------------------------------- */

enum { PASCAL, TURING, AMPERE, GPUS };
static const struct {
    const char *name;
    uint32_t enable;
    uint32_t grce0; /* bit of the graphics runlist's first copy engine */
} gpus[GPUS] = {
    [PASCAL] = {"gtx1060", PMC_ENABLE, 1 << 6},
    [TURING] = {"rtx2080ti", PMC_ENABLE, 1 << 6},
    [AMPERE] = {"a100", PMC_DEVICE_ENABLE, 1 << 20},
};
static uint32_t gpu;

static void begin(uint32_t which)
{
    gpu = which;
    check_machine_begin_on(&check, gpus[gpu].name);
    for (uint32_t i = 0; i < 2; i++)
        check_machine_channel(&check, i);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    copy_map(&check);
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 400 * US));
}

static void set_bits(uint32_t bits, bool on)
{
    const uint32_t word = machine_read32(check.machine, gpus[gpu].enable);

    machine_write32(check.machine, gpus[gpu].enable, on ? word | bits : word & ~bits);
}

/* An event that no unit would schedule brings the clock there. */
static void run_to(gfe_ps time_ps)
{
    ck_assert(machine_run(check.machine, time_ps));
    check.machine->queue.state->now_ps = time_ps;
}

static struct nv_engine *graphics(void)
{
    return &check.gpu->engines[0];
}

static uint32_t pbdma_intr(void)
{
    return machine_read32(check.machine, PBDMA_INTR_0);
}

static void clear_intr(uint32_t bits)
{
    machine_write32(check.machine, PBDMA_INTR_0, bits);
}

/* ---- registers ------------------------------------------------------------------------------- */

START_TEST(every_engine_is_enabled_at_first)
{
    uint32_t bits = 0;

    begin((uint32_t)_i);
    for (uint32_t i = 0; i < check.gpu->model->engine_count; i++)
        if (check.gpu->model->engines[i].reset_id < 32)
            bits |= 1u << check.gpu->model->engines[i].reset_id;
    if (_i != AMPERE)
        bits |= 1 << 8; /* PFIFO */
    ck_assert_uint_eq(machine_read32(check.machine, gpus[_i].enable), bits);
    ck_assert(bits & GR);
    ck_assert(bits & gpus[_i].grce0);
    ck_assert_uint_eq(machine_read32(check.machine, _i == AMPERE ? PMC_ENABLE : PMC_DEVICE_ENABLE),
                      0);
    check_machine_end(&check);
}
END_TEST

START_TEST(a_device_that_is_no_engine_is_reported_once)
{
    begin(PASCAL);
    set_bits(1 << 8, false);
    set_bits(1 << 8, true);
    set_bits(1 << 30, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_RESET), 0);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_ENABLE) >> 8 & 1, 1);
    check_machine_end(&check);
}
END_TEST

/* ---- an engine of the test's own ------------------------------------------------------------- */

/* NVDEC0 of a GTX 1060, which no unit stands behind. */
enum { ROW = 3, NVDEC0 = 1 << 15, CYCLES = 1506 };
static struct {
    uint32_t resets, reset_tsg, resumed;
} fake;

static void fake_suspend(void *unit, uint32_t tsg_id)
{
    (void)tsg_id;
    nv_engine_suspended(unit);
}

static void fake_resume(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id)
{
    (void)unit, (void)channel_id, (void)space_id;
    fake.resumed = tsg_id;
}

static void fake_reset(void *unit, uint32_t tsg_id)
{
    (void)unit;
    fake.resets++;
    fake.reset_tsg = tsg_id;
}

static const struct nv_engine_ops fake_ops = {
    .suspend = fake_suspend, .resume = fake_resume, .reset = fake_reset};

static struct nv_engine *begin_fake(void)
{
    struct nv_engine *engine;

    begin(PASCAL);
    engine = &check.gpu->engines[ROW];
    fake.resets = fake.resumed = 0;
    nv_engine_connect(engine, &fake_ops, engine);
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_save_cycles", 2 * CYCLES));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 3 * CYCLES));
    return engine;
}

static bool need(struct nv_engine *engine, uint32_t tsg_id)
{
    return nv_engine_need(engine, tsg_id, tsg_id - 5, check.space_id, NV_ENGINE_NO_PBDMA);
}

static uint32_t status(const struct nv_engine *engine)
{
    return machine_read32(check.machine, ENGINE_STATUS + 8u * engine->row->engine_id) >> 13 & 7;
}

/* PROMISE (nvidia): An engine in reset has no context and gets none. */
START_TEST(an_engine_in_reset_has_no_context_and_gets_none)
{
    struct nv_engine *engine = begin_fake();

    (void)need(engine, 5);
    check_machine_run(&check);
    ck_assert_uint_eq(status(engine), 1); /* VALID */
    set_bits(NVDEC0, false);
    ck_assert_uint_eq(fake.resets, 1);
    ck_assert_uint_eq(fake.reset_tsg, 5);
    ck_assert_uint_eq(status(engine), 0); /* INVALID */
    set_bits(NVDEC0, false);
    ck_assert_uint_eq(fake.resets, 1);
    ck_assert(!need(engine, 5));
    check_machine_run(&check);
    ck_assert(!need(engine, 5));
    ck_assert_uint_eq(status(engine), 0);
    fake.resumed = 0;
    set_bits(NVDEC0, true);
    ck_assert_uint_eq(fake.resets, 1);
    ck_assert(!need(engine, 6));
    check_machine_run(&check);
    ck_assert_uint_eq(fake.resumed, 6);
    ck_assert(need(engine, 6));
    check_machine_end(&check);
}
END_TEST

/* What is being saved is lost; what is being loaded is in memory still. */
START_TEST(a_reset_ends_the_switch_that_is_under_way)
{
    struct nv_engine *engine = begin_fake();
    gfe_ps now;

    (void)need(engine, 5);
    check_machine_run(&check);
    for (uint32_t loading = 0; loading < 2; loading++) {
        now = machine_now(check.machine);
        (void)need(engine, 6);
        run_to(now + (loading ? 4 : 1) * US);
        ck_assert_uint_eq(status(engine), loading ? 5 : 6); /* LOAD, SAVE */
        fake.resumed = 0;
        set_bits(NVDEC0, false);
        ck_assert_uint_eq(fake.reset_tsg, loading ? NV_ENGINE_NOBODY : 5);
        set_bits(NVDEC0, true);
        ck_assert_uint_eq(status(engine), 0);
        ck_assert(!need(engine, 5)); /* the end of the other switch does not come */
        run_to(machine_now(check.machine) + 2 * US);
        ck_assert_uint_eq(fake.resumed, 0);
        check_machine_run(&check);
        ck_assert_uint_eq(status(engine), 1);
        ck_assert_uint_eq(fake.resumed, 5);
    }
    check_machine_end(&check);
}
END_TEST

/* ---- graphics -------------------------------------------------------------------------------- */

/* A report of the 3D class, behind all work. */
#define REPORT(offset, value)                                                                      \
    PB_INC(0, 0x1b00, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x1000f010

START_TEST(draws_and_what_waits_for_them_are_lost)
{
    begin(PASCAL);
    CHECK_SUBMIT(&check, 0, DRAW, DRAW, REPORT(0, 1));
    run_to(100 * US);
    ck_assert(nv_engine_busy(graphics()));
    set_bits(GR, false);
    ck_assert(!nv_engine_busy(graphics()));
    ck_assert(!nv_engine_has_work(graphics(), 32));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_SUSPEND), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_DROP), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    /* The channel's next work waits until the engine is out of reset. */
    CHECK_SUBMIT(&check, 0, DRAW, REPORT(4, 2));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_START), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0);
    set_bits(GR, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_RESET), 2);
    ck_assert_uint_eq(
        event_nv_engine_reset_of(check_machine_event(&check, EVENT_NV_ENGINE_RESET, 0)).tsg_id, 32);
    ck_assert_uint_eq(
        event_nv_engine_reset_of(check_machine_event(&check, EVENT_NV_ENGINE_RESET, 0)).in_reset,
        1);
    check_machine_end(&check);
}
END_TEST

/* The other TSG's draw stands in memory, and goes on. */
START_TEST(a_context_that_is_off_keeps_its_work)
{
    begin(PASCAL);
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 3000 * US));
    CHECK_SUBMIT(&check, 0, DRAW, REPORT(0, 1));
    CHECK_SUBMIT(&check, 1, DRAW, REPORT(4, 2));
    run_to(1500 * US); /* the second slice: TSG 33 is on */
    ck_assert_uint_eq(graphics()->state->tsg_id, 33);
    set_bits(GR, false);
    set_bits(GR, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_DROP), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0);
    check_machine_end(&check);
}
END_TEST

/* Its TSG has left the PBDMA while the engine works for it, and need not come back for that. */
START_TEST(lost_work_brings_nobody_back)
{
    uint32_t loads = 0;

    begin(PASCAL);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 + 0x210,
                            0); /* 1: no graphics context */
    check_machine_runlist_raw(&check, 0, 4,
                              (const uint32_t[]){1u << 26 | 100u << 18 | 0x2020, 0, 0, 0,
                                                 1u << 26 | 100u << 18 | 0x2021, 0, 1, 0});
    CHECK_SUBMIT(&check, 0, DRAW);
    run_to(40 * US);
    CHECK_SUBMIT(&check, 1, RELEASE(4, 1));
    while (check.gpu->runlists[0].state->tsg_id != 33)
        ck_assert(machine_step(check.machine));
    set_bits(GR, false);
    set_bits(GR, true);
    check_machine_run(&check);
    for (uint32_t n = 0; check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, n); n++)
        loads += event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, n))
                     .channel_id == 0;
    ck_assert_uint_eq(loads, 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_DROP), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- copies ---------------------------------------------------------------------------------- */

/* PROMISE (nvidia): A reset of a copy engine loses its copies, and the engine is free. */
START_TEST(copies_are_lost_and_the_engine_is_free)
{
    begin((uint32_t)_i);
    CHECK_SUBMIT(&check, 0, COPY_UPLOAD(COPY_LINK_BYTES), COPY_UPLOAD(COPY_LINK_BYTES));
    run_to(300 * US);
    set_bits(gpus[gpu].grce0, false);
    ck_assert(!nv_engine_busy(&check.gpu->engines[_i == AMPERE ? 8 : 1]));
    set_bits(gpus[gpu].grce0, true);
    clear_intr(UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 0);
    CHECK_SUBMIT(&check, 0, COPY_UPLOAD(4096));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    check_machine_end(&check);
}
END_TEST

/* Its interrupt is gone, with the copies that it held; so are those being saved. */
START_TEST(a_held_copy_engine_lets_go)
{
    const struct nv_engine *engine;

    begin(PASCAL);
    engine = &check.gpu->engines[1];
    CHECK_SUBMIT(&check, 0, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, 4096),
                 LAUNCH(PITCH_TO_PITCH | 1 << 5), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert(nv_engine_busy(engine));
    ck_assert_uint_ne(machine_read32(check.machine, PMC_INTR), 0);
    CHECK_SUBMIT(&check, 1, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, 4096));
    check_machine_run(&check); /* it waits for the engine, which does not let go */
    ck_assert_uint_eq(nv_engine_status(engine), NV_ENGINE_SWITCH);
    set_bits(gpus[gpu].grce0, false);
    set_bits(gpus[gpu].grce0, true);
    ck_assert_uint_eq(machine_read32(check.machine, PMC_INTR), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
    check_machine_end(&check);
}
END_TEST

/* The PBDMA waits for room in the engine's queue; ENGCTL holds the engine. */
START_TEST(who_waited_for_room_goes_on)
{
    begin(PASCAL);
    machine_write32(check.machine, LCE0 + 0x1c, 1 << 8); /* STALLREQ */
    for (uint32_t i = 0; i < 12; i++)
        CHECK_SUBMIT(&check, 0, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, 4096));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 0);
    set_bits(gpus[gpu].grce0, false);
    ck_assert_uint_eq(machine_read32(check.machine, LCE0 + 0x1c), 0);
    set_bits(gpus[gpu].grce0, true);
    check_machine_run(&check);
    ck_assert_uint_gt(check_machine_count(&check, EVENT_COPY_END), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END) +
                          check_machine_count(&check, EVENT_COPY_DROP),
                      12);
    check_machine_end(&check);
}
END_TEST

/* Its bytes are moved, and it flushes: its end does not come. */
START_TEST(a_copy_that_flushes_is_lost)
{
    const struct nv_ce_state *state;

    begin(PASCAL);
    ck_assert(machine_set_parameter(check.machine, "nv.ce.flush_cycles", 20 * CYCLES));
    state = check.gpu->ces[0].state;
    CHECK_SUBMIT(&check, 0, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, 4096), LAUNCH(PITCH_TO_PITCH | 4));
    while (state->phase != NV_CE_FLUSHES || state->count != 1)
        ck_assert(machine_step(check.machine));
    set_bits(gpus[gpu].grce0, false);
    set_bits(gpus[gpu].grce0, true);
    CHECK_SUBMIT(&check, 1, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, COPY_LINK_BYTES));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_ge(copy_took(&check, copy_of_channel(&check, 1, 0)), COPY_LINK_PS);
    check_machine_end(&check);
}
END_TEST

/* What is kept of the TSG whose context is being saved is lost as well. */
START_TEST(copies_being_saved_are_lost)
{
    begin(PASCAL);
    ck_assert(machine_set_parameter(check.machine, "nv.ce.context_save_cycles", 20 * CYCLES));
    CHECK_SUBMIT(&check, 0, COPY_UPLOAD(4 * COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, 1, COPY_UPLOAD(4096));
    for (gfe_ps at = 1000 * US; nv_engine_status(&check.gpu->engines[1]) != NV_ENGINE_SAVE;
         at += US)
        run_to(at);
    ck_assert(nv_engine_has_work(&check.gpu->engines[1], 32));
    set_bits(gpus[gpu].grce0, false);
    ck_assert(!nv_engine_has_work(&check.gpu->engines[1], 32));
    set_bits(gpus[gpu].grce0, true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- ENG_RESET ------------------------------------------------------------------------------- */

/* The channel waits for its draw; another runlist's engine does not matter. */
START_TEST(the_pbdma_says_that_an_engine_of_its_runlist_was_reset)
{
    begin((uint32_t)_i);
    CHECK_SUBMIT(&check, 0, DRAW, WFI, PB_INC(0, 0x50, 1), 7);
    run_to(200 * US);
    for (uint32_t i = 0; i < check.gpu->model->engine_count; i++)
        if (check.gpu->model->engines[i].runlist_id != 0 &&
            check.gpu->model->engines[i].reset_id < 32)
            set_bits(1u << check.gpu->model->engines[i].reset_id, false);
    ck_assert_uint_eq(pbdma_intr(), 0);
    set_bits(GR, false);
    if (_i == PASCAL) {
        ck_assert_uint_eq(pbdma_intr(), 0);
        check_machine_run(&check);
        ck_assert_uint_eq(machine_read32(check.machine, 0x40028), 7); /* REF: nothing to wait for */
        check_machine_end(&check);
        return;
    }
    ck_assert_uint_eq(pbdma_intr(), ENG_RESET);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x40028), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 0);
    /* While the engine is in reset it says so again. */
    clear_intr(ENG_RESET);
    ck_assert_uint_eq(pbdma_intr(), ENG_RESET);
    set_bits(GR, true);
    clear_intr(ENG_RESET);
    ck_assert_uint_eq(pbdma_intr(), 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
    check_machine_end(&check);
}
END_TEST

/* A PBDMA that another interrupt has frozen says nothing, unless the engine is in reset when it
 * goes on. */
START_TEST(a_frozen_pbdma_says_it_when_it_goes_on)
{
    begin(TURING);
    for (uint32_t in_reset = 0; in_reset < 2; in_reset++) {
        CHECK_SUBMIT(&check, 0, PB_INC(0, 0xe0, 1), 0x1234);
        check_machine_run(&check);
        ck_assert_uint_eq(pbdma_intr(), METHOD);
        set_bits(GR, false);
        ck_assert_uint_eq(pbdma_intr(), METHOD);
        if (!in_reset)
            set_bits(GR, true);
        machine_write32(check.machine, 0x400c0, 0x80000008); /* METHOD0: NOP */
        clear_intr(METHOD);
        ck_assert_uint_eq(pbdma_intr(), in_reset ? ENG_RESET : 0);
        set_bits(GR, true);
        clear_intr(UINT32_MAX);
        check_machine_run(&check);
        ck_assert_uint_eq(pbdma_intr(), 0);
    }
    check_machine_end(&check);
}
END_TEST

/* A channel that has to leave, as in the documented teardown. */
START_TEST(a_channel_that_is_preempted_leaves_when_the_bit_is_cleared)
{
    begin(TURING);
    CHECK_SUBMIT(&check, 0, DRAW, WFI, PB_INC(0, 0x50, 1), 7);
    run_to(200 * US);
    machine_write32(check.machine, 0x2630, 1); /* SCHED_DISABLE */
    set_bits(GR, false);
    machine_write32(check.machine, 0x2638, 1); /* RUNLIST_PREEMPT */
    set_bits(GR, true);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x3080) >> 13 & 7, 1); /* PBDMA_STATUS VALID */
    clear_intr(ENG_RESET);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x3080) >> 13 & 7, 0);
    ck_assert_uint_eq(machine_read32(check.machine, ENGINE_STATUS) >> 13 & 7, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- timeouts -------------------------------------------------------------------------------- */

/* INFO of the switch that took too long: STATUS 31:30 is ENG_WAS_RESET. */
START_TEST(the_timeout_of_a_switch_shows_that_a_reset_ended_it)
{
    uint32_t info = 0x3200;

    begin((uint32_t)_i);
    if (_i == AMPERE)
        info = check.gpu->model->runlists[0].pri_base + 0x224;
    machine_write32(check.machine, _i == AMPERE ? info - 4 : 0x2a0c, 1u << 31 | 1);
    CHECK_SUBMIT(&check, 0, DRAW);
    while (!graphics()->state->timed_out)
        ck_assert(machine_step(check.machine));
    ck_assert_uint_eq(machine_read32(check.machine, info) >> 30, 0);
    set_bits(GR, false);
    ck_assert_uint_eq(machine_read32(check.machine, info) >> 30, 1);
    ck_assert_uint_eq(machine_read32(check.machine, info) >> 16 & 0x3fff, 32);
    check_machine_end(&check);
}
END_TEST

/* A period that cannot be counted never ends: 2^30 units of 2^34 ps are not none. */
START_TEST(a_timeout_beyond_all_time_does_not_come)
{
    begin((uint32_t)_i);
    ck_assert(machine_set_parameter(check.machine, "nv.ctxsw_timeout_ps", UINT64_C(1) << 34));
    machine_write32(check.machine,
                    _i == AMPERE ? check.gpu->model->runlists[0].pri_base + 0x220 : 0x2a0c,
                    1u << 31 | 1u << 30);
    CHECK_SUBMIT(&check, 0, DRAW);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CTXSW_TIMEOUT), 0);
    check_machine_end(&check);
}
END_TEST

Suite *nv_pmc_suite(void)
{
    Suite *suite = suite_create("nv_pmc");
    TCase *tcase = tcase_create("reset");

    tcase_add_loop_test(tcase, every_engine_is_enabled_at_first, 0, GPUS);
    tcase_add_test(tcase, a_device_that_is_no_engine_is_reported_once);
    tcase_add_test(tcase, an_engine_in_reset_has_no_context_and_gets_none);
    tcase_add_test(tcase, a_reset_ends_the_switch_that_is_under_way);
    tcase_add_test(tcase, draws_and_what_waits_for_them_are_lost);
    tcase_add_test(tcase, a_context_that_is_off_keeps_its_work);
    tcase_add_test(tcase, lost_work_brings_nobody_back);
    tcase_add_loop_test(tcase, copies_are_lost_and_the_engine_is_free, 0, GPUS);
    tcase_add_test(tcase, a_held_copy_engine_lets_go);
    tcase_add_test(tcase, who_waited_for_room_goes_on);
    tcase_add_test(tcase, a_copy_that_flushes_is_lost);
    tcase_add_test(tcase, copies_being_saved_are_lost);
    tcase_add_loop_test(tcase, the_pbdma_says_that_an_engine_of_its_runlist_was_reset, 0, GPUS);
    tcase_add_test(tcase, a_frozen_pbdma_says_it_when_it_goes_on);
    tcase_add_test(tcase, a_channel_that_is_preempted_leaves_when_the_bit_is_cleared);
    tcase_add_loop_test(tcase, the_timeout_of_a_switch_shows_that_a_reset_ended_it, TURING, GPUS);
    tcase_add_loop_test(tcase, a_timeout_beyond_all_time_does_not_come, 0, GPUS);
    suite_add_tcase(suite, tcase);
    return suite;
}
