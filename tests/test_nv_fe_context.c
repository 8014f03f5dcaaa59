/* SPDX-License-Identifier: MIT */
/*
 * Contexts of the graphics front end: what is on its way is suspended and goes on.  Methods are
 * handed to the front end as a PBDMA would; who is on is the test's decision, as if it were the
 * runlist.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/engine/random.h"
#include "tests/check_machine.h"
#include "tests/event_member.h"
#include "tests/suites.h"

enum { TSG = 32, QMD = 0x10000, TARGET = 0x20000, BLOCK_CYCLES = 100000, GP_SEQUENCE = 77 };
#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))

static struct check_machine check;
static struct nv_fe *fe;
static uint32_t suspended_count, changed_count, changed_tsg;
static uint32_t on; /* TSG, less TSG */

static void suspended(void *client)
{
    (void)client;
    suspended_count++;
}

static void work_changed(void *client, uint32_t tsg_id)
{
    (void)client;
    changed_count++;
    changed_tsg = tsg_id;
}

static void begin(const char *gpu)
{
    if (gpu)
        check_machine_begin_on(&check, gpu);
    else
        check_machine_begin_small(&check, false);
    fe = &check.gpu->fe;
    fe->client = (struct nv_fe_client){.suspended = suspended, .work_changed = work_changed};
    ck_assert(machine_set_parameter(check.machine, "core.block_base_cycles", BLOCK_CYCLES));
    for (uint32_t i = 0; i < 2; i++)
        check_machine_channel(&check, i);
    suspended_count = changed_count = on = 0;
    nv_fe_resume(fe, TSG, 0, check.space_id);
}

static void set_up(void)
{
    begin(NULL);
}

static void tear_down(void)
{
    check_machine_end(&check);
}

static void run_until(gfe_ps until_ps)
{
    ck_assert(machine_run(check.machine, until_ps));
    ck_assert_uint_le(check.machine->queue.state->now_ps, until_ps);
    check.machine->queue.state->now_ps = until_ps;
}

static gfe_ps now(void)
{
    return machine_now(check.machine);
}

/* Takes off whoever is on, and puts the other on; a microsecond goes by. */
static void change_to(uint32_t next)
{
    suspended_count = 0;
    nv_fe_suspend(fe, TSG + on);
    while (suspended_count == 0)
        ck_assert(machine_step(check.machine));
    run_until(now() + GFE_PS_PER_US);
    on = next;
    nv_fe_resume(fe, TSG + next, next, check.space_id);
}

/* A method of the channel that is on.  False: refused, and *rule says why. */
static bool try_method(uint32_t subchannel, uint32_t method, uint32_t data, uint32_t *rule)
{
    const struct nv_method one = {.channel_id = on,
                                  .space_id = check.space_id,
                                  .tsg_id = TSG + on,
                                  .subchannel = subchannel,
                                  .method = method,
                                  .data = data,
                                  .gp_sequence = GP_SEQUENCE};

    nv_fe_prepare(fe);
    return nv_fe_take(fe, subchannel, method, data) || nv_fe_method(fe, &one, rule);
}

static void send(uint32_t subchannel, uint32_t method, uint32_t data)
{
    uint32_t rule;

    ck_assert(try_method(subchannel, method, data, &rule));
}

/* V02_01, and V00_06 as far as it matters here. */
static void write_qmd(uint32_t grid_x, uint32_t threads, uint32_t version)
{
    const uint64_t at = CHECK_DATA + QMD;

    check_machine_poke(&check, at + 4 * 12, grid_x);
    check_machine_poke(&check, at + 4 * 13, version == 6 ? 1 | 1 << 16 : 1); /* height, depth */
    check_machine_poke(&check, at + 4 * 14, 1);
    check_machine_poke(&check, at + 4 * 18, threads << 16 | version);
    check_machine_poke(&check, at + 4 * 19, 1 | 1u << 16);
    check_machine_poke(&check, at + 4 * 30, 8u << 24);
}

static void launch(void)
{
    send(1, 0x2b4, DATA(QMD) >> 8);
    send(1, 0x2bc, 3);
}

/* A report of four words, by the compute class. */
static void report(uint32_t offset, uint32_t payload)
{
    send(1, 0x1b00, 0);
    send(1, 0x1b04, DATA(TARGET + offset));
    send(1, 0x1b08, payload);
    send(1, 0x1b0c, 0);
}

static void draw(void)
{
    send(0, 0x19d0, 1);
}

static void run_out(void)
{
    while (machine_step(check.machine))
        continue;
    ck_assert(!machine_failed(check.machine));
    check_machine_read_log(&check);
}

static uint32_t peek(uint32_t offset)
{
    return check_machine_peek(&check, CHECK_DATA + TARGET + offset);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    const struct log_event *found = check_machine_event(&check, kind, n);

    ck_assert_ptr_nonnull(found);
    return found;
}

/* Nothing is left of anybody's work. */
static void check_nothing_left(void)
{
    const struct nv_fe_state *state = fe->state;

    ck_assert(state->work_pool.count == 0 && state->report_pool.count == 0 &&
              state->outstanding_pool.count == 0 && state->launch_count == 0);
    ck_assert_uint_eq(state->context_pool.count, state->current != 0);
    ck_assert_uint_eq(fe->dispatch->state->grid_count, 0);
    ck_assert(!nv_fe_busy(fe));
}

/* ---- two programs (RULE_T_P1) -----------------------------------------------------------------
 */

/* Slices of 5 us, and another for each change, until both kernels are done. */
static void slice_two(uint32_t version, uint32_t threads, uint32_t blocks)
{
    write_qmd(blocks, threads, version);
    launch();
    change_to(1);
    launch();
    for (uint32_t i = 0; nv_fe_has_work(fe, TSG) || nv_fe_has_work(fe, TSG + 1); i++) {
        run_until(now() + 5 * GFE_PS_PER_US);
        change_to(1 - on);
        ck_assert_uint_lt(i, 100);
    }
    run_out();
    check_nothing_left();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_END), 2 * blocks);
}

/* Whose block it is: grids 1 and 2. */
static void check_apart(void)
{
    uint32_t running[3] = {0};
    bool off[3] = {false};

    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *at = &check.events[i];
        const uint64_t grid = event_first(at);

        if (at->kind == EVENT_BLOCK_START)
            running[grid]++;
        else if (at->kind == EVENT_BLOCK_END)
            running[grid]--;
        else if (at->kind == EVENT_GRID_SUSPEND || at->kind == EVENT_GRID_RESUME)
            off[grid] = at->kind == EVENT_GRID_SUSPEND;
        if (running[1] > 0 && !off[1] && running[2] > 0 && !off[2])
            ck_abort_msg("blocks of both run at event %u", i);
    }
}

START_TEST(from_pascal_on_kernels_of_two_programs_share_time_inside_blocks)
{
    uint64_t cycles;
    gfe_ps took_ps, alone_ps;

    slice_two(0, 1024, 20);
    check_apart();
    cycles = BLOCK_CYCLES + 32 * 100;
    alone_ps = clock_after_cycles(&fe->dispatch->clock, 0, cycles);
    for (uint32_t grid = 1; grid <= 2; grid++) {
        ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_GRID_SUSPEND, RULE_T_P1), 4);
        took_ps =
            event(EVENT_GRID_END, grid - 1)->time_ps - event(EVENT_GRID_START, grid - 1)->time_ps;
        ck_assert_uint_gt(took_ps, 2 * alone_ps);
    }
}
END_TEST

/* RULE_T_P1 before Pascal: slices wait for blocks, and block times stay. */
START_TEST(before_pascal_kernels_of_two_programs_change_at_the_ends_of_blocks)
{
    tear_down();
    begin("gtx680");
    slice_two(6, 1024, 40);
    check_apart();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_SUSPEND), 0);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_P1), 2);
    for (uint32_t i = 0; i < 80; i++) {
        const struct log_event *end = event(EVENT_BLOCK_END, i);
        uint32_t n = 0;

        while (event_block_start_of(event(EVENT_BLOCK_START, n)).grid_id !=
                   event_block_end_of(end).grid_id ||
               event_block_start_of(event(EVENT_BLOCK_START, n)).block_index !=
                   event_block_end_of(end).block_index)
            n++;
        ck_assert_uint_eq(end->time_ps, clock_after_cycles(&fe->dispatch->clock,
                                                           event(EVENT_BLOCK_START, n)->time_ps,
                                                           BLOCK_CYCLES + 32 * 100));
    }
}
END_TEST

/* RULE_T_Q: a short kernel of another program does not wait for the long one in front. */
START_TEST(each_program_has_a_queue_of_its_own)
{
    write_qmd(1000, 1024, 0);
    launch();
    run_until(now() + 5 * GFE_PS_PER_US);
    change_to(1);
    write_qmd(1, 32, 0);
    launch();
    run_until(now() + 100 * GFE_PS_PER_US);
    check_machine_read_log(&check);
    ck_assert_uint_eq(event_grid_end_of(event(EVENT_GRID_END, 0)).grid_id, 2);
    ck_assert(nv_fe_has_work(fe, TSG) && !nv_fe_has_work(fe, TSG + 1));
    ck_assert_uint_eq(changed_count, 1);
    ck_assert_uint_eq(changed_tsg, TSG + 1);
    change_to(0);
    run_out();
    check_nothing_left();
}
END_TEST

/* ---- what is in flight, and what waits ---------------------------------------------------------
 */

/* The launch reaches the dispatcher first; its grid gets no block before its context is back. */
START_TEST(a_launch_under_way_arrives_and_stays)
{
    write_qmd(3, 32, 0);
    launch();
    run_until(1000);
    nv_fe_suspend(fe, TSG);
    ck_assert_uint_eq(suspended_count, 0);
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_QUEUE), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_START), 0);
    ck_assert(nv_fe_has_work(fe, TSG) && !nv_fe_busy(fe));
    run_until(50 * GFE_PS_PER_US);
    nv_fe_resume(fe, TSG, NV_FE_NOBODY, check.space_id);
    run_out();
    ck_assert_uint_eq(event(EVENT_BLOCK_START, 0)->time_ps, 50 * GFE_PS_PER_US);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_P1), 1);
    check_nothing_left();
}
END_TEST

START_TEST(reports_wait_with_the_work_in_front_of_them)
{
    gfe_ps back_ps;

    write_qmd(3, 32, 0);
    launch();
    report(0, 7);
    run_until(now() + 30 * GFE_PS_PER_US);
    change_to(1);
    report(16, 8); /* there is nothing in front of it in its own context */
    run_until(now() + 500 * GFE_PS_PER_US);
    ck_assert_uint_eq(peek(0), 0);
    ck_assert_uint_eq(peek(16), 8);
    back_ps = now();
    change_to(0);
    run_out();
    ck_assert_uint_eq(peek(0), 7);
    ck_assert_uint_gt(event(EVENT_NV_RELEASE, 1)->time_ps, back_ps);
    ck_assert_uint_gt(event(EVENT_NV_RELEASE, 1)->time_ps, event(EVENT_GRID_END, 0)->time_ps);
    check_nothing_left();
}
END_TEST

/* A report on its way to memory gets there before the context is off. */
START_TEST(a_report_that_is_due_is_written_first)
{
    report(0, 7);
    nv_fe_suspend(fe, TSG);
    ck_assert_uint_eq(suspended_count, 0);
    ck_assert_uint_eq(peek(0), 0);
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(peek(0), 7);
    check_nothing_left();
}
END_TEST

/* So do the releases of a grid that has ended, which here does only while its context leaves. */
START_TEST(releases_of_a_grid_are_written_before_its_context_is_off)
{
    tear_down();
    begin("gtx680");
    write_qmd(1, 32, 6);
    launch();
    report(0, 9);
    run_until(20 * GFE_PS_PER_US);
    nv_fe_suspend(fe, TSG);
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(peek(0), 9);
    check_nothing_left();
}
END_TEST

START_TEST(draws_stop_and_go_on)
{
    draw();
    draw();
    run_until(2 * GFE_PS_PER_US);
    change_to(1);
    draw();
    run_until(now() + 20 * GFE_PS_PER_US);
    change_to(0);
    run_out();
    ck_assert_uint_eq(event(EVENT_WORK_SUSPEND, 0)->time_ps, 2 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_work_resume_of(event(EVENT_WORK_RESUME, 0)).from_ps, 2 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_work_resume_of(event(EVENT_WORK_RESUME, 0)).by_channel_id, 1);
    /* Five microseconds each: three of the first are left. */
    ck_assert_uint_eq(event(EVENT_WORK_END, 1)->time_ps,
                      event(EVENT_WORK_RESUME, 0)->time_ps + 3 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_work_end_of(event(EVENT_WORK_END, 0)).channel_id, 1);
    ck_assert_uint_eq(event(EVENT_WORK_END, 2)->time_ps,
                      event(EVENT_WORK_END, 1)->time_ps + 5 * GFE_PS_PER_US);
    check_nothing_left();
}
END_TEST

/* nv.gr.draw_preemption, and before Pascal: the draw ends, the next one waits for its context. */
START_TEST(a_draw_may_have_to_end_first)
{
    gfe_ps back_ps;

    if (_i == 1) {
        tear_down();
        begin("gtx680");
    } else {
        ck_assert(machine_set_choice(check.machine, "nv.gr.draw_preemption", "end"));
    }
    draw();
    draw();
    run_until(2 * GFE_PS_PER_US);
    nv_fe_suspend(fe, TSG);
    ck_assert_uint_eq(suspended_count, 0);
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(now(), machine_parameter(check.machine, PARAM_NV_DRAW_PS));
    run_until(back_ps = 20 * GFE_PS_PER_US);
    nv_fe_resume(fe, TSG, 0, check.space_id);
    run_out();
    ck_assert_uint_eq(event(EVENT_WORK_START, 1)->time_ps, back_ps);
    ck_assert_uint_eq(event(EVENT_WORK_END, 1)->time_ps,
                      back_ps + machine_parameter(check.machine, PARAM_NV_DRAW_PS));
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_SUSPEND), 0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_P1), 1);
    check_nothing_left();
}
END_TEST

/* A wait for idle is one for the work of the own context, on or off. */
START_TEST(idle_is_a_matter_of_the_own_context)
{
    struct nv_pbdma *pbdma = &check.gpu->pbdmas[0];

    write_qmd(3, 32, 0);
    launch();
    run_until(20 * GFE_PS_PER_US);
    change_to(1);
    pbdma->state->tsg_id = TSG + 1;
    ck_assert(nv_fe_idle(fe, 0));
    pbdma->state->tsg_id = TSG;
    ck_assert(!nv_fe_idle(fe, 0));
    change_to(0);
    ck_assert(!nv_fe_idle(fe, 0));
    run_out();
    ck_assert(nv_fe_idle(fe, 0));
}
END_TEST

START_TEST(what_a_switch_moves_grows_with_what_blocks_hold)
{
    const uint64_t empty = nv_fe_state_bytes(fe, TSG);

    write_qmd(4, 1024, 0);
    launch();
    run_until(20 * GFE_PS_PER_US);
    ck_assert_uint_eq(nv_fe_state_bytes(fe, TSG),
                      empty + dispatch_state_bytes(fe->dispatch, fe->state->current - 1));
    ck_assert_uint_ge(nv_fe_state_bytes(fe, TSG), empty + 4 * 1024 * 8 * 4);
    ck_assert_uint_eq(nv_fe_state_bytes(fe, TSG + 1), empty);
    run_out();
}
END_TEST

/* ---- class state ------------------------------------------------------------------------------
 */

/* Set in three parts, with another program between them. */
START_TEST(class_state_is_its_channels_own)
{
    send(1, 0x1b00, 0);
    send(1, 0x1b04, DATA(TARGET));
    change_to(1);
    send(1, 0x1b00, 0);
    send(1, 0x1b04, DATA(TARGET + 64));
    send(1, 0x1b08, 2);
    change_to(0);
    send(1, 0x1b08, 1);
    send(1, 0x1b0c, 0);
    run_until(now() + 10 * GFE_PS_PER_US);
    change_to(1);
    send(1, 0x1b0c, 0);
    run_out();
    ck_assert_uint_eq(peek(0), 1);
    ck_assert_uint_eq(peek(64), 2);
}
END_TEST

/* Contexts that only go on with their work do not move class state. */
START_TEST(class_state_moves_only_for_methods)
{
    send(1, 0x1b08, 5);
    change_to(1);
    change_to(0);
    change_to(1);
    ck_assert_uint_eq(nv_fe_pipe(fe)->context_channel, 0);
    ck_assert_uint_eq(nv_fe_shadow(fe, 1, 0x1b08), 5);
    send(1, 0x1b08, 6);
    ck_assert_uint_eq(nv_fe_pipe(fe)->context_channel, 1);
    change_to(0);
    nv_fe_prepare(fe);
    ck_assert_uint_eq(nv_fe_shadow(fe, 1, 0x1b08), 5);
}
END_TEST

/* Half of an inline transfer: what has come is in memory, the rest follows later. */
START_TEST(an_inline_transfer_is_gone_on_with)
{
    send(2, 0x180, 16); /* LINE_LENGTH_IN, LINE_COUNT, OFFSET_OUT */
    send(2, 0x184, 1);
    send(2, 0x188, 0);
    send(2, 0x18c, DATA(TARGET));
    send(2, 0x1b0, 1);
    send(2, 0x1b4, 11);
    send(2, 0x1b4, 12);
    change_to(1);
    ck_assert_uint_eq(peek(4), 12);
    send(2, 0x180, 4);
    change_to(0);
    send(2, 0x1b4, 13);
    send(2, 0x1b4, 14);
    run_out();
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).gp_sequence,
        GP_SEQUENCE);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(peek(4 * i), 11 + i);
}
END_TEST

/* ---- bounds -----------------------------------------------------------------------------------
 */

/* RULE_CORE_SAVED: with as many contexts as can be, the last one has to finish first. */
START_TEST(when_no_context_more_can_be_kept_the_engine_is_not_preempted)
{
    gfe_ps end_ps;

    write_qmd(1, 32, 0);
    for (uint32_t i = 0; i < NV_FE_CONTEXTS_MAX; i++) {
        launch();
        run_until(now() + 20 * GFE_PS_PER_US);
        ck_assert(nv_fe_has_work(fe, TSG + i));
        if (i + 1 == NV_FE_CONTEXTS_MAX)
            break;
        nv_fe_suspend(fe, TSG + i);
        nv_fe_resume(fe, TSG + i + 1, 0, check.space_id);
    }
    suspended_count = 0;
    nv_fe_suspend(fe, TSG + NV_FE_CONTEXTS_MAX - 1);
    ck_assert_uint_eq(suspended_count, 0);
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    end_ps = event(EVENT_GRID_END, 0)->time_ps;
    ck_assert_uint_eq(event_grid_end_of(event(EVENT_GRID_END, 0)).grid_id, NV_FE_CONTEXTS_MAX);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_CORE_SAVED), 1);
    ck_assert_uint_eq(check.events[check.event_count - 1].rule, RULE_CORE_SAVED);
    ck_assert_uint_eq(check.events[check.event_count - 1].time_ps, end_ps);
    /* All the others finish as well. */
    for (uint32_t i = 0; i + 1 < NV_FE_CONTEXTS_MAX; i++) {
        nv_fe_resume(fe, TSG + i, 0, check.space_id);
        run_until(now() + 100 * GFE_PS_PER_US);
        nv_fe_suspend(fe, TSG + i);
    }
    run_out();
    check_nothing_left();
}
END_TEST

/* NV.FE_FULL: all records of draws are others'; they get theirs back, then it goes on. */
START_TEST(a_context_waits_for_records_that_others_have)
{
    uint32_t contexts = 0, rule = RULE_NONE;

    while (rule == RULE_NONE) {
        for (uint32_t i = 0; i < NV_FE_WORKS && rule == RULE_NONE; i++)
            (void)try_method(0, 0x19d0, 1, &rule);
        contexts++;
        if (rule != RULE_NONE)
            break;
        nv_fe_suspend(fe, TSG + contexts - 1);
        nv_fe_resume(fe, TSG + contexts, 0, check.space_id);
    }
    ck_assert_uint_eq(rule, RULE_NV_FE_FULL);
    ck_assert_uint_eq(contexts, NV_FE_ALL_WORKS_MAX / NV_FE_WORKS + 1);
    nv_fe_suspend(fe, TSG + contexts - 1);
    for (uint32_t i = 0; i < contexts; i++) {
        nv_fe_resume(fe, TSG + i, 0, check.space_id);
        run_until(now() + 1000 * GFE_PS_PER_US);
        rule = RULE_NONE;
        nv_fe_suspend(fe, TSG + i);
    }
    run_out();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), NV_FE_ALL_WORKS_MAX);
    check_nothing_left();
}
END_TEST

/* ---- snapshots --------------------------------------------------------------------------------
 */

enum { STEPS = 120 };

/* What happens at a step, from its number alone. */
static void act(uint32_t step)
{
    struct random_state random;
    const struct nv_fe_context *context = nv_fe_current(fe);
    uint32_t rule;

    random_seed(&random, step, 5);
    if (!context) {
        on = step % 2;
        nv_fe_resume(fe, TSG + on, on, check.space_id);
        return;
    }
    if (context->phase != NV_FE_ON)
        return;
    on = context->tsg_id - TSG;
    switch (random_below(&random, 6)) {
    case 0:
        (void)try_method(0, 0x19d0, 1, &rule);
        break;
    case 1:
        launch();
        break;
    case 2:
        report(16 * (step % 8), step);
        break;
    default:
        nv_fe_suspend(fe, TSG + on);
    }
}

static void go_on(uint32_t from, struct machine_snapshot **snapshots)
{
    for (uint32_t step = from; step < STEPS; step++) {
        if (snapshots) {
            snapshots[step] = machine_take(check.machine);
            ck_assert_ptr_nonnull(snapshots[step]);
        }
        (void)machine_step(check.machine);
        act(step);
    }
}

/* At every event, with grids, draws and reports on their way in two contexts. */
START_TEST(a_snapshot_carries_what_is_suspended)
{
    static struct machine_snapshot *snapshots[STEPS];
    char end[65], again[65];

    write_qmd(30, 1024, 0);
    go_on(0, snapshots);
    ck_assert_uint_gt(fe->dispatch->state->turn, 10);
    ck_assert(machine_hash(check.machine, end));
    for (uint32_t step = 0; step < STEPS; step += 1 + step / 20) {
        ck_assert(machine_restore(check.machine, snapshots[step]));
        go_on(step, NULL);
        ck_assert(machine_hash(check.machine, again));
        ck_assert_str_eq(end, again);
    }
    for (uint32_t step = 0; step < STEPS; step++)
        machine_snapshot_free(snapshots[step]);
}
END_TEST

/* ---- reset ----------------------------------------------------------------------------------- */

/* Whatever is on its way at that time: launches, blocks, releases of grids, draws, reports. */
START_TEST(a_reset_at_any_time_leaves_nothing)
{
    write_qmd(3, 64, 0);
    change_to(1);
    launch();
    report(0x100, 5);
    change_to(0);
    launch();
    draw();
    report(0, 6);
    launch();
    report(0x10, 7);
    run_until(now() + (gfe_ps)_i * 997 * 1000);
    nv_fe_reset(fe, NV_FE_NOBODY);
    ck_assert(!nv_fe_has_work(fe, TSG));
    ck_assert(nv_fe_has_work(fe, TSG + 1));
    ck_assert_uint_eq(fe->state->current, 0);
    ck_assert_uint_eq(fe->state->launch_count, 0);
    nv_fe_resume(fe, TSG, 0, check.space_id); /* at once: the record is used again */
    draw();
    report(0x20, 8);
    run_out();
    ck_assert_uint_eq(peek(0x20), 8);
    on = 0;
    change_to(1);
    run_out();
    ck_assert_uint_eq(peek(0x100), 5);
    check_nothing_left();
}
END_TEST

/* Class state is what the image has: nothing here. */
START_TEST(a_reset_forgets_class_state_and_interrupts)
{
    send(0, 0x1b04, 1234);
    ck_assert_uint_eq(nv_fe_shadow(fe, 0, 0x1b04), 1234);
    machine_write32(check.machine, 0x40013c, UINT32_MAX); /* INTR_EN */
    nv_fe_interrupt(fe, 0, 1, false);
    ck_assert_uint_ne(machine_read32(check.machine, 0x400100), 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0x100) >> 12 & 1, 1); /* PMC_INTR PGRAPH */
    nv_fe_reset(fe, NV_FE_NOBODY);
    ck_assert_uint_eq(machine_read32(check.machine, 0x100) >> 12 & 1, 0);
    ck_assert_uint_eq(nv_fe_shadow(fe, 0, 0x1b04), 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0x400100), 0);
}
END_TEST

/* A context that is being saved is lost, though it is off by now; a third is not. */
START_TEST(a_reset_takes_the_named_group_along)
{
    draw();
    report(0, 6);
    change_to(1);
    nv_fe_reset(fe, TSG);
    ck_assert(!nv_fe_has_work(fe, TSG));
    run_out();
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_DROP), 1);
    ck_assert_uint_eq(peek(0), 0);
    ck_assert_uint_eq(fe->state->context_pool.count, 0);
}
END_TEST

Suite *nv_fe_context_suite(void)
{
    Suite *suite = suite_create("nv_fe_context");
    TCase *tcase = tcase_create("contexts");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, from_pascal_on_kernels_of_two_programs_share_time_inside_blocks);
    tcase_add_test(tcase, before_pascal_kernels_of_two_programs_change_at_the_ends_of_blocks);
    tcase_add_test(tcase, each_program_has_a_queue_of_its_own);
    tcase_add_test(tcase, a_launch_under_way_arrives_and_stays);
    tcase_add_test(tcase, reports_wait_with_the_work_in_front_of_them);
    tcase_add_test(tcase, a_report_that_is_due_is_written_first);
    tcase_add_test(tcase, releases_of_a_grid_are_written_before_its_context_is_off);
    tcase_add_test(tcase, draws_stop_and_go_on);
    tcase_add_loop_test(tcase, a_draw_may_have_to_end_first, 0, 2);
    tcase_add_test(tcase, idle_is_a_matter_of_the_own_context);
    tcase_add_test(tcase, what_a_switch_moves_grows_with_what_blocks_hold);
    tcase_add_test(tcase, class_state_is_its_channels_own);
    tcase_add_test(tcase, class_state_moves_only_for_methods);
    tcase_add_test(tcase, an_inline_transfer_is_gone_on_with);
    tcase_add_test(tcase, when_no_context_more_can_be_kept_the_engine_is_not_preempted);
    tcase_add_test(tcase, a_context_waits_for_records_that_others_have);
    tcase_add_test(tcase, a_snapshot_carries_what_is_suspended);
    tcase_add_loop_test(tcase, a_reset_at_any_time_leaves_nothing, 0, 80);
    tcase_add_test(tcase, a_reset_forgets_class_state_and_interrupts);
    tcase_add_test(tcase, a_reset_takes_the_named_group_along);
    suite_add_tcase(suite, tcase);
    return suite;
}
