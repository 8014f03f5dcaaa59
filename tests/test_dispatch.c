/* SPDX-License-Identifier: MIT */
/*
 * The block dispatcher by itself: contexts that are suspended and resumed.  Who decides when is the
 * test.  What it does with one context is tested through the front end (test_nv_fe.c).
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/dispatch.h"
#include "tests/check_machine.h"
#include "tests/event_member.h"
#include "tests/suites.h"

enum { GRIDS = 8192, RUNS = 2048, SM_COUNT = 4, BLOCK_CYCLES = 100000 };
static const struct exec_limits limits = {
    .threads_per_sm = 2048,
    .warps_per_sm = 64,
    .blocks_per_sm = 8,
    .registers_per_sm = 65536,
    .registers_per_block = 65536,
    .registers_per_thread = 255,
    .shared_bytes_per_sm = 65536,
    .shared_bytes_per_block = 49152,
    .threads_per_block = 1024,
    .threads_per_warp = 32,
    .register_unit = 256,
    .partitions = 4,
    .grids = 24,
    .shared_unit_bytes = 256,
};
/* An odd clock: cycles are no whole numbers of picoseconds. */
#define SM_HZ UINT64_C(1506000007)

static struct machine *machine;
static struct dispatch dispatch;
static struct log_event *events;
static uint32_t event_count;
static uint32_t done_count, suspended_count, suspended_context;
static uint32_t context_of[GRIDS]; /* by grid */

static void grid_done(void *client, uint32_t context, uint64_t grid_id)
{
    (void)client;
    ck_assert_uint_eq(context, context_of[grid_id]);
    done_count++;
}

static void suspended(void *client, uint32_t context)
{
    (void)client;
    suspended_count++;
    suspended_context = context;
}

static void set_up(void)
{
    const struct machine_config config = {.gpu = "test",
                                          .vram_bytes = 1 << 20,
                                          .sysmem_bytes = 1 << 20,
                                          .event_capacity = 64,
                                          .range_capacity = 64};
    struct gfe_error error = {0};

    machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(machine);
    machine_add_tables(machine, &core_tables);
    dispatch = (struct dispatch){0};
    dispatch_wire(&dispatch, machine, &limits, SM_COUNT, SM_HZ);
    dispatch.client = (struct dispatch_client){.grid_done = grid_done, .suspended = suspended};
    ck_assert(machine_set_parameter(machine, "core.block_base_cycles", BLOCK_CYCLES));
    ck_assert(machine_set_parameter(machine, "core.block_warp_cycles", 0));
    ck_assert(machine_seal(machine, &error));
    events = NULL;
    done_count = suspended_count = 0;
}

static void tear_down(void)
{
    free(events);
    machine_free(machine);
}

static void read_log(void)
{
    free(events);
    events = check_machine_decode(machine, &event_count);
}

static uint64_t launch_threads(uint32_t context, uint64_t block_count, uint32_t threads)
{
    struct dispatch_launch launch = {
        .context = context, .channel_id = 100 + context, .block_count = block_count};
    uint32_t rule;
    uint64_t grid_id;

    ck_assert(exec_need_make(&limits, threads, 32, 1024, false, &launch.need, &rule));
    grid_id = dispatch_launch(&dispatch, &launch);
    ck_assert_uint_lt(grid_id, GRIDS);
    context_of[grid_id] = context;
    return grid_id;
}

static uint64_t launch(uint32_t context, uint64_t block_count)
{
    return launch_threads(context, block_count, 64);
}

/* An event that the unit would not schedule itself brings the clock to a time. */
static void run_until(gfe_ps until_ps)
{
    ck_assert(machine_run(machine, until_ps));
    machine->queue.state->now_ps = until_ps;
}

static void run_out(void)
{
    while (machine_step(machine))
        continue;
    ck_assert(!machine_failed(machine));
}

static const struct log_event *find(uint32_t kind, uint64_t grid_id, uint32_t n)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == kind && event_first(&events[i]) == grid_id && n-- == 0)
            return &events[i];
    ck_abort_msg("no such event");
}

static uint32_t count(uint32_t kind)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < event_count; i++)
        found += events[i].kind == kind;
    return found;
}

static gfe_ps block_ps(gfe_ps start_ps)
{
    const struct clock_domain clock = clock_make(SM_HZ, 0);

    return clock_after_cycles(&clock, start_ps, BLOCK_CYCLES) - start_ps;
}

/* All that the dispatcher gave is back. */
static void check_all_free(void)
{
    const struct dispatch_state *state = dispatch.state;

    for (uint32_t i = 0; i < SM_COUNT; i++)
        ck_assert(state->sms[i].threads == 0 && state->sms[i].registers == 0 &&
                  state->sms[i].shared_bytes == 0 && state->sms[i].slots == 0 &&
                  state->sms[i].blocks == 0 && state->sms[i].warps == 0);
    ck_assert_uint_eq(state->saved_blocks, 0);
    ck_assert_uint_eq(state->grid_count, 0);
    for (uint32_t i = 0; i < DISPATCH_CONTEXTS_MAX; i++)
        ck_assert(state->contexts[i].grid_count == 0 && state->contexts[i].block_count == 0 &&
                  state->contexts[i].register_count == 0 && state->contexts[i].shared_bytes == 0);
}

/* ---- what a log must be like ------------------------------------------------------------------
 */

/* A block as the log tells it. */
struct seen {
    gfe_ps start_ps, from_ps, ran_ps;
    uint64_t grid_id, block_index, sm, slot;
    bool stopped;
};

static struct seen runs[RUNS]; /* blocks that have started and not ended */
static uint32_t run_count;

static void seen_start(const struct log_event *event)
{
    const struct event_block_start start = event_block_start_of(event);

    for (uint32_t i = 0; i < run_count; i++) {
        if (runs[i].stopped)
            continue;
        /* T.P1, T.Q: blocks of two contexts never run together. */
        ck_assert_uint_eq(context_of[runs[i].grid_id], context_of[start.grid_id]);
        ck_assert(runs[i].sm != start.sm_index || runs[i].slot != start.slot_index);
    }
    ck_assert_uint_lt(run_count, RUNS);
    runs[run_count++] = (struct seen){.start_ps = event->time_ps,
                                      .from_ps = event->time_ps,
                                      .grid_id = start.grid_id,
                                      .block_index = start.block_index,
                                      .sm = start.sm_index,
                                      .slot = start.slot_index};
}

static void seen_end(const struct log_event *event)
{
    const struct event_block_end end = event_block_end_of(event);
    uint32_t i = 0;

    while (i < run_count &&
           (runs[i].grid_id != end.grid_id || runs[i].block_index != end.block_index))
        i++;
    ck_assert_uint_lt(i, run_count);
    ck_assert(!runs[i].stopped);
    ck_assert(runs[i].sm == end.sm_index && runs[i].slot == end.slot_index);
    /* No time is lost or gained. */
    ck_assert_uint_eq(runs[i].ran_ps + event->time_ps - runs[i].from_ps,
                      block_ps(runs[i].start_ps));
    runs[i] = runs[--run_count];
}

static void seen_switch(const struct log_event *event, bool stops)
{
    uint64_t changed = 0;

    for (uint32_t i = 0; i < run_count; i++) {
        if (runs[i].grid_id != event_first(event)) {
            /* Who comes back finds nobody else. */
            if (!stops && !runs[i].stopped &&
                context_of[runs[i].grid_id] != context_of[event_first(event)])
                ck_abort_msg("two contexts run");
            continue;
        }
        ck_assert(runs[i].stopped != stops);
        if (stops)
            runs[i].ran_ps += event->time_ps - runs[i].from_ps;
        else
            ck_assert_uint_eq(event_grid_resume_of(event).from_ps, runs[i].from_ps);
        runs[i].from_ps = event->time_ps;
        runs[i].stopped = stops;
        changed++;
    }
    ck_assert_uint_gt(changed, 0);
    ck_assert(!stops || changed == event_grid_suspend_of(event).block_count);
}

/* Every block has run for exactly its time, alone with those of its own context. */
static void check_log(uint32_t block_count)
{
    uint32_t ended = 0;

    read_log();
    run_count = 0;
    for (uint32_t i = 0; i < event_count; i++) {
        if (events[i].kind == EVENT_BLOCK_START)
            seen_start(&events[i]);
        else if (events[i].kind == EVENT_BLOCK_END)
            seen_end(&events[i]);
        else if (events[i].kind == EVENT_GRID_SUSPEND || events[i].kind == EVENT_GRID_RESUME)
            seen_switch(&events[i], events[i].kind == EVENT_GRID_SUSPEND);
        ended += events[i].kind == EVENT_BLOCK_END;
    }
    ck_assert_uint_eq(run_count, 0);
    ck_assert_uint_eq(ended, block_count);
}

/* ---- stopping inside blocks (RULE_T_P1) -------------------------------------------------------
 */

/* PROMISE (core): A suspended block goes on where it was. */
START_TEST(a_stopped_block_goes_on_where_it_was)
{
    const uint64_t grid_id = launch(0, 1);
    gfe_ps end_ps;

    run_until(12345678);
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    ck_assert_uint_eq(machine_next_ps(machine), GFE_PS_NEVER);
    run_until(1000 * GFE_PS_PER_US);
    ck_assert_uint_eq(done_count, 0);
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    ck_assert_uint_eq(done_count, 1);
    check_log(1);
    end_ps = find(EVENT_BLOCK_END, grid_id, 0)->time_ps;
    ck_assert_uint_eq(end_ps, block_ps(0) + 1000 * GFE_PS_PER_US - 12345678);
    ck_assert_uint_eq(find(EVENT_GRID_SUSPEND, grid_id, 0)->time_ps, 12345678);
    ck_assert_uint_eq(event_grid_resume_of(find(EVENT_GRID_RESUME, grid_id, 0)).by_channel_id,
                      UINT32_MAX);
    ck_assert_uint_eq(find(EVENT_GRID_RESUME, grid_id, 0)->rule, RULE_T_P1);
    check_all_free();
}
END_TEST

/* A million times: it runs for exactly its time, and the queue holds nothing of it in between. */
START_TEST(a_block_stopped_a_million_times_takes_its_time_and_leaves_no_events)
{
    gfe_ps now = 0, ran_ps = 0;

    launch(0, 1);
    machine->parameters[PARAM_BLOCK_BASE_CYCLES] = BLOCK_CYCLES;
    for (uint32_t i = 0; i < 1000 * 1000; i++) {
        const gfe_ps on_ps = 17 + i % 31, off_ps = 1 + i % 1000;

        run_until(now += on_ps);
        ran_ps += on_ps;
        ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
        run_until(now += off_ps);
        dispatch_resume(&dispatch, 0, 100);
        ck_assert_uint_le(machine->queue.state->count, 1);
    }
    run_out();
    ck_assert_uint_eq(done_count, 1);
    ck_assert_uint_eq(machine_now(machine), now + block_ps(0) - ran_ps);
    check_all_free();
}
END_TEST

/* Both want all the SMs; each gets them in turn, and its blocks their old slots. */
START_TEST(two_contexts_never_run_together_and_keep_their_slots)
{
    gfe_ps now = 0;
    uint32_t on = 0;

    launch(0, 40);
    launch(1, 40);
    for (uint32_t i = 0; done_count < 2; i++) {
        run_until(now += 20 * GFE_PS_PER_US + i * 997);
        ck_assert(dispatch_suspend(&dispatch, on, DISPATCH_AT_ONCE));
        on = 1 - on;
        run_until(now += 3 * GFE_PS_PER_US);
        dispatch_resume(&dispatch, on, 100 + on);
        ck_assert_uint_lt(i, 100);
    }
    check_log(80);
    /* T.P1: from start to end a block takes more than twice its time; who was on is said. */
    ck_assert_uint_gt(find(EVENT_BLOCK_END, 1, 0)->time_ps - find(EVENT_BLOCK_START, 1, 0)->time_ps,
                      2 * block_ps(0));
    ck_assert_uint_eq(event_grid_resume_of(find(EVENT_GRID_RESUME, 1, 0)).by_channel_id, 101);
    ck_assert_uint_eq(event_grid_resume_of(find(EVENT_GRID_RESUME, 2, 0)).by_channel_id, 100);
    check_all_free();
}
END_TEST

/* RULE_T_Q: a grid need not wait for one of another context that was launched before it and does
 * not fit; within a context it does. */
START_TEST(each_context_has_a_queue_of_its_own)
{
    const uint64_t first = launch_threads(0, 100, 1024), behind = launch(0, 1);
    const uint64_t other = launch(1, 1);

    run_until(10 * GFE_PS_PER_US);
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    dispatch_resume(&dispatch, 1, 101);
    run_until(100 * GFE_PS_PER_US);
    ck_assert_uint_eq(done_count, 1);
    ck_assert(dispatch_suspend(&dispatch, 1, DISPATCH_AT_ONCE));
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    check_log(102);
    ck_assert_uint_lt(find(EVENT_GRID_END, other, 0)->time_ps,
                      find(EVENT_GRID_DISPATCHED, first, 0)->time_ps);
    ck_assert_uint_gt(find(EVENT_GRID_START, behind, 0)->time_ps,
                      find(EVENT_GRID_DISPATCHED, first, 0)->time_ps);
    ck_assert_uint_eq(find(EVENT_GRID_QUEUE, other, 0)->rule, RULE_T_Q);
}
END_TEST

/* The waits of the grid at the head: for room, because others were on, for room. */
START_TEST(a_grid_that_is_being_placed_says_why_it_waits)
{
    const uint64_t grid_id = launch_threads(0, 9, 1024); /* eight fit */
    const struct log_event *waits[3];
    uint32_t found = 0;

    run_until(10 * GFE_PS_PER_US);
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    dispatch_resume(&dispatch, 1, 101);
    run_until(50 * GFE_PS_PER_US);
    ck_assert(dispatch_suspend(&dispatch, 1, DISPATCH_AT_ONCE));
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    check_log(9);
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_WAIT && event_wait_of(&events[i]).subject_id == grid_id) {
            ck_assert_uint_lt(found, 3);
            waits[found++] = &events[i];
        }
    ck_assert_uint_eq(found, 3);
    ck_assert_uint_eq(waits[0]->rule, RULE_T_R2);
    ck_assert_uint_eq(waits[0]->time_ps, 10 * GFE_PS_PER_US);
    ck_assert_uint_eq(waits[1]->rule, RULE_T_P1);
    ck_assert_uint_eq(event_wait_of(waits[1]).begin_ps, 10 * GFE_PS_PER_US);
    ck_assert_uint_eq(waits[1]->time_ps, 50 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_wait_of(waits[1]).blocker_kind, SUBJECT_CHANNEL);
    ck_assert_uint_eq(event_wait_of(waits[1]).blocker_id, 101);
    ck_assert_uint_eq(waits[2]->rule, RULE_T_R2);
    ck_assert_uint_eq(event_wait_of(waits[2]).begin_ps, 50 * GFE_PS_PER_US);
}
END_TEST

START_TEST(a_grid_of_no_blocks_is_complete_also_while_its_context_is_off)
{
    launch(3, 0);
    run_out();
    ck_assert_uint_eq(done_count, 1);
    check_all_free();
}
END_TEST

START_TEST(a_suspension_saves_what_its_blocks_hold)
{
    struct exec_need need;
    uint32_t rule;

    ck_assert(exec_need_make(&limits, 64, 32, 1024, false, &need, &rule));
    launch(0, 3);
    ck_assert_uint_eq(dispatch_state_bytes(&dispatch, 0), 0);
    run_until(10 * GFE_PS_PER_US);
    ck_assert_uint_eq(dispatch_state_bytes(&dispatch, 0), 3 * (4 * need.registers + 1024));
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    ck_assert_uint_eq(dispatch_state_bytes(&dispatch, 0), 3 * (4 * need.registers + 1024));
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    ck_assert_uint_eq(dispatch_state_bytes(&dispatch, 0), 0);
}
END_TEST

/* ---- at the ends of blocks (RULE_T_P1, before Pascal) ------------------------------------------
 */

START_TEST(before_pascal_blocks_run_to_their_ends)
{
    const uint64_t first = launch_threads(0, 20, 1024), other = launch(1, 1);
    gfe_ps end_ps;

    run_until(10 * GFE_PS_PER_US);
    ck_assert(!dispatch_suspend(&dispatch, 0, DISPATCH_AT_BLOCK_ENDS));
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(suspended_context, 0);
    ck_assert_uint_eq(dispatch.state->contexts[0].block_count, 0);
    read_log();
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 8);
    end_ps = machine_now(machine);
    ck_assert_uint_eq(find(EVENT_BLOCK_END, first, 7)->time_ps, end_ps);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND), 0);
    ck_assert_uint_eq(events[event_count - 1].kind, EVENT_WAIT);
    ck_assert_uint_eq(events[event_count - 1].rule, RULE_T_P1);
    ck_assert_uint_eq(event_wait_of(&events[event_count - 1]).begin_ps, 10 * GFE_PS_PER_US);
    dispatch_resume(&dispatch, 1, 101);
    run_out();
    ck_assert(dispatch_suspend(&dispatch, 1, DISPATCH_AT_BLOCK_ENDS));
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    check_log(21);
    for (uint32_t i = 0; i < 20; i++) /* block times stay */
        ck_assert_uint_eq(find(EVENT_BLOCK_END, first, i)->time_ps -
                              find(EVENT_BLOCK_START, first, i)->time_ps,
                          block_ps(find(EVENT_BLOCK_START, first, i)->time_ps));
    ck_assert_uint_ge(find(EVENT_BLOCK_START, other, 0)->time_ps, end_ps);
}
END_TEST

/* ---- bounds -----------------------------------------------------------------------------------
 */

/* RULE_CORE_SAVED: of eight blocks six may be kept; two have to end first. */
START_TEST(a_context_with_too_many_blocks_leaves_when_the_rest_can_be_kept)
{
    const uint64_t first = launch_threads(0, 8, 1024);
    gfe_ps end_ps;

    machine->parameters[PARAM_SAVED_BLOCKS] = 6;
    run_until(10 * GFE_PS_PER_US);
    ck_assert(!dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    run_out();
    ck_assert_uint_eq(suspended_count, 1);
    ck_assert_uint_eq(dispatch.state->saved_blocks, 6);
    read_log();
    end_ps = find(EVENT_BLOCK_END, first, 1)->time_ps;
    ck_assert_uint_eq(find(EVENT_GRID_SUSPEND, first, 0)->time_ps, end_ps);
    ck_assert_uint_eq(event_grid_suspend_of(find(EVENT_GRID_SUSPEND, first, 0)).block_count, 6);
    ck_assert_uint_eq(events[event_count - 2].rule, RULE_CORE_SAVED);
    ck_assert_uint_eq(event_wait_of(&events[event_count - 2]).begin_ps, 10 * GFE_PS_PER_US);
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    check_log(8);
    check_all_free();
}
END_TEST

/* Two thousand contexts, each with a stopped block; all get their turns. */
START_TEST(thousands_of_contexts_are_kept_and_finish)
{
    enum { CONTEXTS = 2048 };
    gfe_ps now = 0;
    uint32_t on = 0;

    for (uint32_t i = 0; i < CONTEXTS; i++)
        launch(i, 1);
    while (done_count < CONTEXTS) {
        run_until(now += 30 * GFE_PS_PER_US);
        ck_assert(dispatch_suspend(&dispatch, on, DISPATCH_AT_ONCE));
        on = (on + 1) % CONTEXTS;
        dispatch_resume(&dispatch, on, 100 + on);
        ck_assert_uint_le(machine->queue.state->count, 2);
    }
    ck_assert_uint_eq(dispatch.state->used_blocks, CONTEXTS);
    check_log(CONTEXTS);
    check_all_free();
}
END_TEST

START_TEST(a_context_has_room_for_so_many_grids_and_all_for_more)
{
    uint32_t contexts = 0;

    for (uint32_t i = 0; i < DISPATCH_ALL_GRIDS_MAX; i++) {
        const uint32_t context = i / DISPATCH_GRIDS_MAX;

        ck_assert_int_eq(dispatch_has_room(&dispatch, context, DISPATCH_GRIDS_MAX),
                         i % DISPATCH_GRIDS_MAX == 0);
        ck_assert(dispatch_has_room(&dispatch, context, 1));
        launch(context, 1);
        contexts = context + 1;
    }
    ck_assert(!dispatch_has_room(&dispatch, contexts, 1));
    run_out();
    ck_assert_uint_eq(done_count, DISPATCH_GRIDS_MAX);
    ck_assert(dispatch_has_room(&dispatch, contexts, DISPATCH_GRIDS_MAX));
    ck_assert(!dispatch_has_room(&dispatch, contexts, DISPATCH_GRIDS_MAX + 1));
}
END_TEST

/* ---- anything at any time ---------------------------------------------------------------------
 */

enum { CONTEXTS = 5 };

/* What the test has decided, so far. */
struct plan {
    struct random_state random;
    uint32_t on; /* CONTEXTS: none */
    uint32_t launched, leaving;
};

static void plan_launch(struct plan *plan)
{
    const uint32_t context = random_below(&plan->random, CONTEXTS);
    const uint32_t blocks = random_below(&plan->random, 40);

    if (!dispatch_has_room(&dispatch, context, 1))
        return;
    launch_threads(context, blocks, 1 + random_below(&plan->random, 1024));
    plan->launched += blocks;
}

static void plan_switch(struct plan *plan)
{
    const enum dispatch_how how =
        random_below(&plan->random, 4) ? DISPATCH_AT_ONCE : DISPATCH_AT_BLOCK_ENDS;

    if (plan->leaving && suspended_count == 0)
        return;
    if (plan->on < CONTEXTS && !plan->leaving) {
        suspended_count = 0;
        plan->leaving = !dispatch_suspend(&dispatch, plan->on, how);
        if (plan->leaving)
            return;
    }
    plan->leaving = 0;
    plan->on = random_below(&plan->random, CONTEXTS + 1);
    if (plan->on < CONTEXTS)
        dispatch_resume(&dispatch, plan->on, 100 + plan->on);
}

static void plan_finish(struct plan *plan)
{
    for (uint32_t i = 0; i <= CONTEXTS; i++) {
        run_out();
        if (plan->on < CONTEXTS && !plan->leaving)
            ck_assert(dispatch_suspend(&dispatch, plan->on, DISPATCH_AT_ONCE));
        plan->leaving = 0;
        plan->on = i;
        if (i < CONTEXTS)
            dispatch_resume(&dispatch, i, 100 + i);
    }
}

START_TEST(whatever_is_suspended_when_blocks_run_for_their_time_alone)
{
    struct plan plan = {.on = 0};
    gfe_ps now = 0;

    random_seed(&plan.random, (uint64_t)_i, 3);
    machine->parameters[PARAM_BLOCK_BASE_CYCLES] = BLOCK_CYCLES;
    machine->parameters[PARAM_SAVED_BLOCKS] = _i % 2 ? 8 : DISPATCH_SAVED_BLOCKS_MAX;
    for (uint32_t step = 0; step < 600; step++) {
        run_until(now += random_below(&plan.random, 40 * GFE_PS_PER_US));
        if (random_below(&plan.random, 5) == 0)
            plan_launch(&plan);
        else
            plan_switch(&plan);
        ck_assert_uint_le(machine->queue.state->count, 3);
    }
    plan_finish(&plan);
    check_log(plan.launched);
    check_all_free();
}
END_TEST

/* ---- snapshots --------------------------------------------------------------------------------
 */

/* What the test does with the machine at a step, from the number alone. */
static void act(uint32_t step, struct plan *plan)
{
    random_seed(&plan->random, step, 11);
    plan->on = dispatch.state->current < CONTEXTS ? dispatch.state->current : CONTEXTS;
    plan->leaving = 0;
    if (step % 3 == 0)
        plan_launch(plan);
    else if (plan->on == CONTEXTS || dispatch.state->contexts[plan->on].phase == DISPATCH_ON)
        plan_switch(plan);
}

static void go_on(uint32_t from, uint32_t steps, struct machine_snapshot **snapshots,
                  struct plan *plan)
{
    for (uint32_t step = from; step < steps; step++) {
        if (snapshots) {
            snapshots[step] = machine_take(machine);
            ck_assert_ptr_nonnull(snapshots[step]);
        }
        for (uint32_t i = 0; i < 5 && machine_step(machine); i++)
            continue;
        machine->queue.state->now_ps += step % 7 * 1000;
        if (machine_next_ps(machine) < machine_now(machine))
            machine->queue.state->now_ps = machine_next_ps(machine);
        act(step, plan);
    }
}

/* Between any two events everything lies in the arena: going on from there gives the same end. */
START_TEST(a_snapshot_carries_suspended_work)
{
    enum { STEPS = 200 };
    static struct machine_snapshot *snapshots[STEPS];
    struct plan plan = {0};
    char end[65], again[65];

    go_on(0, STEPS, snapshots, &plan);
    ck_assert_uint_gt(dispatch.state->saved_blocks, 0);
    ck_assert_uint_gt(done_count, 2);
    ck_assert(machine_hash(machine, end));
    for (uint32_t step = 0; step < STEPS; step++) {
        ck_assert(machine_restore(machine, snapshots[step]));
        go_on(step, STEPS, NULL, &plan);
        ck_assert(machine_hash(machine, again));
        ck_assert_str_eq(end, again);
        machine_snapshot_free(snapshots[step]);
    }
}
END_TEST

/* ---- dropping -------------------------------------------------------------------------------- */

/* Running, queued, without blocks; on and off. */
START_TEST(what_is_dropped_is_gone_and_the_others_go_on)
{
    const uint64_t first = launch(0, 3), queued = launch(0, 100), empty = launch(0, 0);
    uint64_t kept, other;

    run_until(10 * GFE_PS_PER_US);
    if (_i == 1) {
        ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    } else if (_i == 2) { /* to be suspended, but blocks run to their ends */
        ck_assert(!dispatch_suspend(&dispatch, 0, DISPATCH_AT_BLOCK_ENDS));
    } else if (_i == 3) {
        (void)launch(0, 0);
    }
    dispatch_drop(&dispatch, 0);
    ck_assert_uint_eq(dispatch.state->contexts[0].grid_count, 0);
    check_all_free();
    dispatch_resume(&dispatch, 1, 101);
    other = launch(1, 2);
    kept = launch(1, 0);
    run_out();
    read_log();
    ck_assert_uint_eq(done_count, 3); /* the first grid without blocks, and those of context 1 */
    ck_assert_uint_eq(count(EVENT_GRID_DROP), _i == 3 ? 3 : 2);
    (void)find(EVENT_GRID_DROP, first, 0);
    (void)find(EVENT_GRID_DROP, queued, 0);
    (void)find(EVENT_GRID_END, empty, 0);
    (void)find(EVENT_GRID_END, other, 0);
    (void)find(EVENT_GRID_END, kept, 0);
    (void)find(EVENT_GRID_SUSPEND, first, 0); /* its blocks are said to stop */
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 2);
    ck_assert_uint_eq(suspended_count, 0);
    check_all_free();
}
END_TEST

/* Neither its next block nor the end of one comes. */
START_TEST(nothing_comes_of_what_is_dropped)
{
    (void)launch(0, 100);
    ck_assert(machine_step(machine)); /* a block runs, and another is due */
    ck_assert_uint_eq(dispatch.state->place_pending, 1);
    dispatch_drop(&dispatch, 0);
    run_out();
    read_log();
    ck_assert_uint_eq(count(EVENT_BLOCK_START), 1);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 0);
    check_all_free();
}
END_TEST

/* ---- priorities (RULE_T_A1, RULE_T_A2) --------------------------------------------------------
 */

static uint64_t launch_as(uint32_t priority, uint64_t block_count, uint32_t threads,
                          const struct cost *cost)
{
    struct dispatch_launch launch = {
        .channel_id = 100, .block_count = block_count, .priority = priority, .cost = *cost};
    uint32_t rule;

    ck_assert(exec_need_make(&limits, threads, 16, 0, false, &launch.need, &rule));
    return dispatch_launch(&dispatch, &launch);
}

static gfe_ps first_ps(uint64_t grid_id)
{
    return find(EVENT_BLOCK_START, grid_id, 0)->time_ps;
}

static const struct cost usual = {.amount = BLOCK_CYCLES, .kind = COST_CYCLES};

/* Four blocks of the first run, four wait; the next ones are in the order of their priorities, and
 * of their launches. */
START_TEST(the_highest_queue_is_served_first)
{
    const uint64_t low = launch_as(0, 16, 1024, &usual), also_low = launch_as(0, 8, 1024, &usual);
    uint64_t middle, high, also_high;

    run_until(10 * GFE_PS_PER_US);
    middle = launch_as(3, 8, 1024, &usual);
    high = launch_as(COST_PRIORITIES - 1, 8, 1024, &usual);
    also_high = launch_as(COST_PRIORITIES - 1, 8, 1024, &usual);
    run_out();
    read_log();
    ck_assert_uint_lt(first_ps(low), 10 * GFE_PS_PER_US);
    ck_assert_uint_ge(first_ps(high), block_ps(0));
    ck_assert_uint_gt(first_ps(also_high), first_ps(high) + block_ps(0) - 1);
    ck_assert_uint_gt(first_ps(middle), first_ps(also_high));
    ck_assert_uint_gt(find(EVENT_BLOCK_START, low, 8)->time_ps, first_ps(middle));
    ck_assert_uint_gt(first_ps(also_low), find(EVENT_BLOCK_START, low, 15)->time_ps);
    ck_assert_uint_eq(find(EVENT_GRID_COST, high, 0)->rule, RULE_T_A1);
    ck_assert_uint_eq(event_grid_cost_of(find(EVENT_GRID_COST, high, 0)).priority,
                      COST_PRIORITIES - 1);
    ck_assert_uint_eq(event_grid_cost_of(find(EVENT_GRID_COST, low, 0)).priority, 0);
}
END_TEST

/* ---- clients with a share (CORE.CLIENT_SHARE) -------------------------------------------------
 */

/* NVIDIA's MPS bounds the SMs of a client (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE), not those of the
 * others: a block of another client starts at once beside a client that waits at its share. */
START_TEST(a_client_at_its_share_holds_up_no_other)
{
    struct dispatch_launch launch = {
        .channel_id = 100, .block_count = 16, .cost = usual, .client_id = 1, .sm_limit = 1};
    uint64_t limited, other;
    uint32_t rule;

    ck_assert(exec_need_make(&limits, 1024, 16, 0, false, &launch.need, &rule));
    limited = dispatch_launch(&dispatch, &launch);
    run_until(10 * GFE_PS_PER_US);
    launch.client_id = 2;
    launch.sm_limit = 0;
    launch.block_count = 1;
    other = dispatch_launch(&dispatch, &launch);
    run_out();
    read_log();
    ck_assert_uint_ge(find(EVENT_BLOCK_START, limited, 2)->time_ps, block_ps(0)); /* two fit */
    ck_assert_uint_lt(first_ps(other), 11 * GFE_PS_PER_US);
    for (uint32_t n = 0; n < 16; n++)
        ck_assert_uint_eq(event_block_start_of(find(EVENT_BLOCK_START, limited, n)).sm_index,
                          event_block_start_of(find(EVENT_BLOCK_START, limited, 0)).sm_index);
}
END_TEST

/* Of a grid all that it waited for, one rule after the other. */
static gfe_ps waited(uint64_t grid_id, uint32_t rule)
{
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_WAIT && event_wait_of(&events[i]).subject_id == grid_id &&
            (rule == RULE_NONE || events[i].rule == rule))
            sum += events[i].time_ps - event_wait_of(&events[i]).begin_ps;
    return sum;
}

/* Seven of eight halves of the SMs are taken: a high one that needs two of them waits for its
 * threads, and a low one that would fit waits for that one. */
START_TEST(a_lower_head_waits_also_while_the_higher_one_does_not_fit)
{
    uint64_t high, low;

    launch_as(0, 3, 1024, &usual);
    launch_as(0, 4, 1024, &usual);
    run_until(10 * GFE_PS_PER_US);
    launch_as(0, 1, 512, &usual);
    run_until(20 * GFE_PS_PER_US);
    high = launch_as(1, 1, 1024, &usual);
    run_until(30 * GFE_PS_PER_US);
    low = launch_as(0, 1, 512, &usual);
    run_out();
    read_log();
    ck_assert_uint_eq(waited(high, RULE_T_R2), first_ps(high) - 20 * GFE_PS_PER_US);
    ck_assert_uint_eq(waited(low, RULE_T_A2), first_ps(high) - 30 * GFE_PS_PER_US);
    ck_assert_uint_ge(first_ps(high), block_ps(0));
    ck_assert_uint_lt(first_ps(low), first_ps(high) + GFE_PS_PER_US);
}
END_TEST

/* The one that was served and waited for its threads waits for the higher one from then on. */
START_TEST(who_is_overtaken_says_by_whom_it_waits)
{
    const uint64_t low = launch_as(0, 9, 1024, &usual);
    uint64_t high;
    gfe_ps last_ps;

    run_until(10 * GFE_PS_PER_US);
    high = launch_as(1, 8, 1024, &usual);
    run_out();
    read_log();
    last_ps = find(EVENT_BLOCK_START, low, 8)->time_ps;
    ck_assert_uint_eq(waited(low, RULE_T_A2),
                      find(EVENT_GRID_DISPATCHED, high, 0)->time_ps - 10 * GFE_PS_PER_US);
    ck_assert_uint_gt(waited(low, RULE_T_R2), 9 * GFE_PS_PER_US);
    ck_assert_uint_gt(last_ps, find(EVENT_BLOCK_END, high, 0)->time_ps - 1);
    check_all_free();
}
END_TEST

/* T.A2 is about higher priorities: a kernel that comes later with the same one changes nothing. */
START_TEST(a_head_does_not_wait_for_who_comes_later_with_its_priority)
{
    const uint64_t head = launch_as(1, 9, 1024, &usual);

    run_until(10 * GFE_PS_PER_US);
    launch_as(1, 8, 1024, &usual);
    run_out();
    read_log();
    ck_assert_uint_eq(waited(head, RULE_T_A2), 0);
    ck_assert_uint_eq(waited(head, RULE_NONE), waited(head, RULE_T_R2));
    ck_assert_uint_gt(waited(head, RULE_T_R2), block_ps(0) - 10 * GFE_PS_PER_US);
}
END_TEST

/* Two SMs for each bit: those of bit 0 are not given, however free they are. */
START_TEST(a_mask_keeps_blocks_from_sms)
{
    struct dispatch_launch masked = {.channel_id = 100,
                                     .block_count = 8,
                                     .cost = usual,
                                     .disabled_mask = {{1, 0}},
                                     .sms_per_bit = 2};
    struct dispatch_launch never = masked;
    uint64_t grid_id, never_id;
    uint32_t rule;

    ck_assert(exec_need_make(&limits, 1024, 16, 0, false, &masked.need, &rule));
    never.need = masked.need;
    never.disabled_mask = (struct mask128){{3, 0}};
    grid_id = dispatch_launch(&dispatch, &masked);
    never_id = dispatch_launch(&dispatch, &never);
    run_out();
    read_log();
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_uint_ge(event_block_start_of(find(EVENT_BLOCK_START, grid_id, i)).sm_index, 2);
    ck_assert_uint_eq(find(EVENT_BLOCK_START, grid_id, 4)->time_ps, block_ps(0));
    ck_assert_uint_gt(waited(grid_id, RULE_T_R2), block_ps(0) / 2);
    ck_assert_uint_eq(dispatch.state->grids[never_id - 1].wait_rule, RULE_CORE_SM_MASK);
    ck_assert_uint_eq(done_count, 1);
}
END_TEST

/* 24 grids have blocks at once on this GPU, and the next one has none until one of them has ended;
 * its context counts for itself. */
START_TEST(no_more_grids_have_blocks_than_the_gpu_keeps_resident)
{
    uint64_t first = 0, last = 0;

    for (uint32_t i = 0; i < 25; i++) {
        last = launch_threads(0, 1, 32);
        first = i == 0 ? last : first;
    }
    run_out();
    read_log();
    ck_assert_uint_eq(done_count, 25);
    ck_assert_uint_eq(find(EVENT_BLOCK_START, last, 0)->time_ps,
                      find(EVENT_BLOCK_END, first, 0)->time_ps);
    ck_assert_uint_gt(waited(last, RULE_CORE_GRIDS), block_ps(0) / 2);
    ck_assert_uint_eq(waited(last, RULE_NONE),
                      waited(last, RULE_CORE_GRIDS) + waited(last, RULE_T_X1));
    ck_assert_uint_eq(dispatch.state->contexts[0].resident_count, 0);
    check_all_free();
}
END_TEST

/* A kernel that needs a larger split than the SMs have waits for the last block of the kernel that
 * chose it, also when their context was off; the wait names that kernel. */
START_TEST(a_split_is_kept_until_the_sm_is_empty)
{
    struct dispatch_launch chooses = {.channel_id = 100, .block_count = SM_COUNT, .cost = usual};
    struct dispatch_launch needs = chooses;
    uint64_t holder_id, waiter_id;
    const struct log_event *wait;
    gfe_ps end_ps;
    uint32_t rule;

    ck_assert(exec_need_make(&limits, 64, 16, 1024, false, &chooses.need, &rule));
    needs.need = chooses.need;
    exec_need_split(&limits, &chooses.need, 1, 8);
    exec_need_split(&limits, &needs.need, 16, 32);
    holder_id = dispatch_launch(&dispatch, &chooses);
    waiter_id = dispatch_launch(&dispatch, &needs);
    run_until(10 * GFE_PS_PER_US);
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    run_until(20 * GFE_PS_PER_US);
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    read_log();
    end_ps = find(EVENT_BLOCK_END, holder_id, 0)->time_ps;
    ck_assert_uint_ge(first_ps(waiter_id), end_ps);
    ck_assert_uint_gt(waited(waiter_id, RULE_CORE_SM_SPLIT), block_ps(0) / 2);
    ck_assert_uint_ge(waited(waiter_id, RULE_T_P1), 10 * GFE_PS_PER_US);
    wait = NULL;
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_WAIT && events[i].rule == RULE_CORE_SM_SPLIT)
            wait = &events[i];
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_GRID);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, holder_id);
    ck_assert_uint_eq(event_grid_split_of(find(EVENT_GRID_SPLIT, waiter_id, 0)).least_bytes,
                      16 << 10);
    check_all_free();
}
END_TEST

/* ---- costs (devices/core/cost.h) --------------------------------------------------------------
 */

/* Off the SMs for half a millisecond: who counts ends later by that, who looks at the clock does
 * not; and who should have ended meanwhile ends when it is back. */
START_TEST(a_block_that_looks_at_the_clock_does_not_stand_still)
{
    const struct cost clock = {.amount = 800 * GFE_PS_PER_US, .kind = COST_CLOCK};
    const struct cost brief = {.amount = 200 * GFE_PS_PER_US, .kind = COST_CLOCK};
    const uint64_t by_clock = launch_as(0, 1, 64, &clock), passed = launch_as(0, 1, 64, &brief);
    const uint64_t counts = launch_as(0, 1, 64, &usual);
    gfe_ps counts_ps;

    run_until(50 * GFE_PS_PER_US);
    ck_assert(dispatch_suspend(&dispatch, 0, DISPATCH_AT_ONCE));
    run_until(550 * GFE_PS_PER_US);
    dispatch_resume(&dispatch, 0, 100);
    run_out();
    read_log();
    ck_assert_uint_eq(find(EVENT_BLOCK_END, by_clock, 0)->time_ps,
                      first_ps(by_clock) + 800 * GFE_PS_PER_US);
    ck_assert_uint_eq(find(EVENT_BLOCK_END, passed, 0)->time_ps, 550 * GFE_PS_PER_US);
    counts_ps = first_ps(counts);
    ck_assert_uint_eq(find(EVENT_BLOCK_END, counts, 0)->time_ps,
                      counts_ps + block_ps(counts_ps) + 500 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_grid_cost_of(find(EVENT_GRID_COST, by_clock, 0)).block_ps,
                      800 * GFE_PS_PER_US);
    check_all_free();
}
END_TEST

static uint64_t started_counts[4];
static uint32_t started_count;

static void started(void *client, uint32_t context, uint64_t grid_id, uint64_t block_count)
{
    (void)client;
    ck_assert_uint_eq(context, 0);
    ck_assert_uint_eq(grid_id, 2);
    ck_assert_uint_lt(started_count, 4);
    started_counts[started_count++] = block_count;
}

START_TEST(who_counts_its_blocks_says_when_the_first_and_the_last_start)
{
    const struct cost counting = {.amount = BLOCK_CYCLES, .kind = COST_CYCLES, .counts_starts = 1};

    dispatch.client.started = started;
    started_count = 0;
    launch_as(0, 3, 64, &usual);
    launch_as(0, 12, 1024, &counting);
    run_until(10 * GFE_PS_PER_US);
    ck_assert_uint_eq(started_count, 1);
    run_out();
    ck_assert_uint_eq(started_count, 2);
    ck_assert_uint_eq(started_counts[0], 1);
    ck_assert_uint_eq(started_counts[1], 12);
}
END_TEST

START_TEST(costs_are_found_by_space_and_program)
{
    const struct cost one = {.amount = 1, .kind = COST_CYCLES};
    const struct cost two = {.amount = 2, .kind = COST_CLOCK, .counts_starts = 1};
    struct cost_table *costs = &dispatch.costs;

    ck_assert_uint_eq(cost_find(costs, 1, 0x1000).kind, COST_DEFAULT);
    ck_assert(cost_set(costs, 1, 0x1000, &one));
    ck_assert(cost_set(costs, 2, 0x1000, &two));
    ck_assert_uint_eq(cost_find(costs, 1, 0x1000).amount, 1);
    ck_assert_uint_eq(cost_find(costs, 2, 0x1000).amount, 2);
    ck_assert_uint_eq(cost_find(costs, 2, 0x1000).counts_starts, 1);
    ck_assert_uint_eq(cost_find(costs, 2, 0x1100).kind, COST_DEFAULT);
    ck_assert(cost_set(costs, 1, 0x1000, &two)); /* another program lies there from now on */
    ck_assert_uint_eq(cost_find(costs, 1, 0x1000).amount, 2);
    for (uint32_t i = 2; i < COST_ROWS_MAX; i++)
        ck_assert(cost_set(costs, 3, UINT64_C(0x100) * i, &one));
    ck_assert(!cost_set(costs, 4, 0x1000, &one));
    ck_assert(cost_set(costs, 3, UINT64_C(0x100) * 2, &two));
    ck_assert_uint_eq(cost_find(costs, 3, UINT64_C(0x100) * 3).amount, 1);
    cost_set_priority(costs, 3 << 16 | 5, 2);
    ck_assert_uint_eq(cost_priority(costs, 3 << 16 | 5), 2);
    ck_assert_uint_eq(cost_priority(costs, 5), 0);
}
END_TEST

Suite *dispatch_suite(void)
{
    Suite *suite = suite_create("dispatch");
    TCase *tcase = tcase_create("contexts");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_stopped_block_goes_on_where_it_was);
    tcase_add_test(tcase, a_block_stopped_a_million_times_takes_its_time_and_leaves_no_events);
    tcase_add_test(tcase, two_contexts_never_run_together_and_keep_their_slots);
    tcase_add_test(tcase, each_context_has_a_queue_of_its_own);
    tcase_add_test(tcase, a_grid_that_is_being_placed_says_why_it_waits);
    tcase_add_test(tcase, a_grid_of_no_blocks_is_complete_also_while_its_context_is_off);
    tcase_add_test(tcase, a_suspension_saves_what_its_blocks_hold);
    tcase_add_test(tcase, before_pascal_blocks_run_to_their_ends);
    tcase_add_test(tcase, a_context_with_too_many_blocks_leaves_when_the_rest_can_be_kept);
    tcase_add_test(tcase, thousands_of_contexts_are_kept_and_finish);
    tcase_add_test(tcase, a_context_has_room_for_so_many_grids_and_all_for_more);
    tcase_add_test(tcase, the_highest_queue_is_served_first);
    tcase_add_test(tcase, a_lower_head_waits_also_while_the_higher_one_does_not_fit);
    tcase_add_test(tcase, who_is_overtaken_says_by_whom_it_waits);
    tcase_add_test(tcase, a_head_does_not_wait_for_who_comes_later_with_its_priority);
    tcase_add_test(tcase, a_client_at_its_share_holds_up_no_other);
    tcase_add_test(tcase, a_mask_keeps_blocks_from_sms);
    tcase_add_test(tcase, no_more_grids_have_blocks_than_the_gpu_keeps_resident);
    tcase_add_test(tcase, a_split_is_kept_until_the_sm_is_empty);
    tcase_add_test(tcase, a_block_that_looks_at_the_clock_does_not_stand_still);
    tcase_add_test(tcase, who_counts_its_blocks_says_when_the_first_and_the_last_start);
    tcase_add_test(tcase, costs_are_found_by_space_and_program);
    tcase_add_loop_test(tcase, whatever_is_suspended_when_blocks_run_for_their_time_alone, 0, 20);
    tcase_add_test(tcase, a_snapshot_carries_suspended_work);
    tcase_add_loop_test(tcase, what_is_dropped_is_gone_and_the_others_go_on, 0, 4);
    tcase_add_test(tcase, nothing_comes_of_what_is_dropped);
    suite_add_tcase(suite, tcase);
    return suite;
}
