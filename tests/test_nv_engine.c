/* SPDX-License-Identifier: MIT */
/* Engines: whose context is on, how it is switched; and what the scheduler makes of it. */
#include <config.h>

#include <check.h>

#include "tests/check_copy.h"
#include "tests/event_member.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002
#define DRAW PB_IMMD(0, 0x19d0, 1)
#define WFI  PB_IMMD(0, 0x78, 0)
#define US   GFE_PS_PER_US

static struct check_machine check;

/* ---- an engine of the test's own ------------------------------------------------------------- */

/* Stands behind an engine that the model has no unit for: NVDEC0, row 3 of a GTX 1060. */
enum { ROW = 3, CYCLES = 1506 }; /* of a microsecond */

static struct {
    struct nv_engine *engine;
    uint32_t suspended, resumed, channel_id, work_of;
    bool late; /* suspend() is not done at once */
} fake;

static void fake_suspend(void *unit, uint32_t tsg_id)
{
    (void)unit;
    fake.suspended = tsg_id;
    if (!fake.late)
        nv_engine_suspended(fake.engine);
}

static void fake_resume(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id)
{
    (void)unit, (void)space_id;
    fake.resumed = tsg_id;
    fake.channel_id = channel_id;
}

static bool fake_has_work(void *unit, uint32_t tsg_id)
{
    (void)unit;
    return fake.work_of == tsg_id;
}

static const struct nv_engine_ops fake_ops = {
    .suspend = fake_suspend, .resume = fake_resume, .has_work = fake_has_work};

static void setup(void)
{
    check_machine_begin(&check, false);
    for (uint32_t i = 0; i < 3; i++)
        check_machine_channel(&check, i);
    fake.engine = &check.gpu->engines[ROW];
    fake.suspended = fake.resumed = fake.channel_id = fake.work_of = UINT32_MAX;
    fake.late = false;
    nv_engine_connect(fake.engine, &fake_ops, NULL);
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_save_cycles", 2 * CYCLES));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 3 * CYCLES));
}

static void teardown(void)
{
    check_machine_end(&check);
}

static bool need(uint32_t tsg_id, uint32_t channel_id)
{
    return nv_engine_need(fake.engine, tsg_id, channel_id, check.space_id, NV_ENGINE_NO_PBDMA);
}

static enum nv_engine_status status_at(gfe_ps time_ps)
{
    ck_assert(machine_run(check.machine, time_ps));
    return nv_engine_status(fake.engine);
}

/* Somebody who keeps the machine's time going. */
static void keep_time(void)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", US / 4));
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){2});
    for (uint32_t i = 0; i < 20; i++)
        CHECK_SUBMIT(&check, 2, DRAW, WFI, DRAW, WFI, DRAW, WFI);
}

/* B.R4: one TSG's context at a time, and the way from one to the other. */
/* PROMISE (nvidia): An engine saves a context before it loads another. */
START_TEST(a_context_is_saved_before_another_is_loaded)
{
    gfe_ps now;

    ck_assert_int_eq(nv_engine_status(fake.engine), NV_ENGINE_INVALID);
    ck_assert(!need(5, 0));
    ck_assert_int_eq(nv_engine_status(fake.engine), NV_ENGINE_LOAD); /* nothing to save */
    check_machine_run(&check);
    ck_assert_int_eq(nv_engine_status(fake.engine), NV_ENGINE_VALID);
    ck_assert_uint_eq(fake.resumed, 5);
    ck_assert(need(5, 0));
    ck_assert(nv_engine_is_on(fake.engine, 5, 0));
    keep_time();
    now = machine_now(check.machine);
    fake.late = true;
    ck_assert(!need(6, 1));
    ck_assert_uint_eq(fake.suspended, 5);
    ck_assert_int_eq(status_at(now + 1 * US), NV_ENGINE_SWITCH);
    ck_assert(!need(6, 1));
    now = machine_now(check.machine);
    nv_engine_suspended(fake.engine);
    ck_assert_int_eq(status_at(now + 1 * US), NV_ENGINE_SAVE);
    ck_assert_uint_eq(fake.engine->state->tsg_id, 5);
    ck_assert_int_eq(status_at(now + 4 * US), NV_ENGINE_LOAD);
    ck_assert_uint_eq(fake.engine->state->next_tsg_id, 6);
    ck_assert_int_eq(status_at(now + 6 * US), NV_ENGINE_VALID);
    ck_assert_uint_eq(fake.resumed, 6);
    ck_assert_uint_eq(fake.channel_id, 1);
    check_machine_read_log(&check);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_R4), 1);
}
END_TEST

START_TEST(another_channel_of_the_same_group_needs_no_switch)
{
    (void)need(5, 0);
    check_machine_run(&check);
    ck_assert(need(5, 1));
    ck_assert_uint_eq(fake.channel_id, 1);
    ck_assert_uint_eq(fake.suspended, UINT32_MAX);
    ck_assert(nv_engine_is_on(fake.engine, 5, 1));
}
END_TEST

START_TEST(an_evicted_context_leaves_the_engine_without_one)
{
    (void)need(5, 0);
    check_machine_run(&check);
    fake.work_of = 5;
    nv_engine_evict(fake.engine);
    check_machine_run(&check);
    ck_assert_int_eq(nv_engine_status(fake.engine), NV_ENGINE_INVALID);
    ck_assert_uint_eq(fake.engine->state->tsg_id, NV_ENGINE_NOBODY);
    /* Work that is left has to have its context loaded again. */
    ck_assert(nv_channel_status(&check.gpu->host, 0).ctx_reload);
    ck_assert(!nv_channel_status(&check.gpu->host, 1).ctx_reload);
    nv_engine_evict(fake.engine);
    check_machine_run(&check);
    ck_assert_int_eq(nv_engine_status(fake.engine), NV_ENGINE_INVALID);
}
END_TEST

/* Host tracks the context also of an engine that the model has no unit for; its switch takes no
 * time. */
START_TEST(an_engine_without_a_unit_changes_its_context_at_once)
{
    nv_engine_connect(fake.engine, NULL, NULL);
    ck_assert(need(5, 0));
    ck_assert(nv_engine_is_on(fake.engine, 5, 0));
    ck_assert(need(5, 1));
    ck_assert(nv_engine_is_on(fake.engine, 5, 1));
    ck_assert(need(6, 2));
    ck_assert(nv_engine_is_on(fake.engine, 6, 2));
    ck_assert_uint_eq(fake.resumed, UINT32_MAX);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CONTEXT_LOAD), 0);
}
END_TEST

/* ---- the scheduler --------------------------------------------------------------------------- */

/* B.S1: who has left the PBDMA goes on running until another needs the engine; B.R6: two engines of
 * one runlist.  Channel 1 has no graphics context, and only tells Host something. */
START_TEST(work_goes_on_while_somebody_who_does_not_need_the_engine_is_on)
{
    const struct log_event *ended;
    uint32_t graphics = 0;

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 400 * US));
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 + 0x210, 0);
    check_machine_runlist_raw(&check, 0, 4,
                              (const uint32_t[]){1u << 26 | 100u << 18 | 0x2020, 0, 0, 0,
                                                 1u << 26 | 100u << 18 | 0x2021, 0, 1, 0});
    CHECK_SUBMIT(&check, 0, DRAW);
    ck_assert(machine_run(check.machine, 40 * US));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 1));
    check_machine_run(&check);
    ended = check_machine_event(&check, EVENT_WORK_END, 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(ended->time_ps - check_machine_event(&check, EVENT_WORK_START, 0)->time_ps,
                      400 * US);
    ck_assert_uint_gt(ended->time_ps, check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps);
    for (uint32_t n = 0; check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, n); n++)
        graphics += event_nv_context_load_of(check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, n))
                        .engine_id == 0;
    ck_assert_uint_eq(graphics, 1);
    /* The copy engine, which any channel might need, was taken from the first: B.S1. */
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_NV_CONTEXT_LOAD, RULE_B_S1), 1);
    golden_log_check(&check, "rule_b_s1.events");
}
END_TEST

/* A channel waits for the graphics engine's context and has to leave.  The next one on the PBDMA
 * needs a copy engine, and waits for that alone. */
START_TEST(who_has_left_a_pbdma_holds_up_nobody_there)
{
    const struct log_event *graphics, *copy;

    copy_map(&check);
    ck_assert(machine_set_choice(check.machine, "nv.runlist.engines_needed", "used"));
    ck_assert(machine_set_parameter(check.machine, "nv.gr.context_load_cycles", 100 * CYCLES));
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, DRAW);
    CHECK_SUBMIT(&check, 1, COPY_UPLOAD(4096));
    ck_assert(machine_run(check.machine, 20 * US));
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){1}); /* channel 0 is on no list */
    check_machine_run(&check);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    check_machine_run(&check);
    graphics = check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, 0);
    copy = check_machine_event(&check, EVENT_COPY_START, 0);
    ck_assert_uint_eq(event_nv_context_load_of(graphics).engine_id, 0);
    ck_assert_uint_lt(graphics->time_ps, 20 * US);
    ck_assert_uint_gt(graphics->time_ps + event_nv_context_load_of(graphics).load_ps, 100 * US);
    ck_assert_uint_lt(copy->time_ps, 60 * US);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 1);
}
END_TEST

/* Its channels have nothing to fetch, but its work brings a TSG back in its turn: B.T1. */
START_TEST(a_group_with_work_on_the_engine_has_its_slices)
{
    uint32_t turns[2] = {0, 0};

    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    check_machine_runlist_raw(&check, 0, 4,
                              (const uint32_t[]){1u << 26 | 100u << 18 | 0x2020, 0, 0, 0,
                                                 1u << 26 | 100u << 18 | 0x2021, 0, 1, 0});
    CHECK_SUBMIT(&check, 0, DRAW);
    CHECK_SUBMIT(&check, 1, DRAW);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 2);
    for (uint32_t n = 0; check_machine_event(&check, EVENT_NV_TSG_START, n); n++)
        turns[event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, n)).tsg_id -
              32]++;
    ck_assert_uint_ge(turns[0], 8);
    ck_assert_uint_ge(turns[1], 8);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_GP_FETCH), 2);
}
END_TEST

/* B.R1: work of a channel that is disabled has no further slices until it is enabled. */
START_TEST(work_of_a_disabled_channel_stops_until_it_is_enabled)
{
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 1000 * US));
    check_machine_runlist_raw(&check, 0, 4,
                              (const uint32_t[]){1u << 26 | 100u << 18 | 0x2020, 0, 0, 0,
                                                 1u << 26 | 100u << 18 | 0x2021, 0, 1, 0});
    CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 1, DRAW, WFI, RELEASE(4, 1));
    ck_assert(machine_run(check.machine, 40 * US));
    machine_write32(check.machine, 0x800004, 0x800); /* CCSR: ENABLE_CLR */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 1);
    machine_write32(check.machine, 0x800004, 0x400);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 2);
}
END_TEST

/* ---- how much at a time ---------------------------------------------------------------------- */

enum { COPIED = 30000000 }; /* 2.5 ms over the link */

/* Channel 0 draws for `draw_ps` in TSG 32, unless it is 0; channel 1, which has no graphics
 * context, copies in TSG 33 on that runlist. */
static void draw_and_copy(uint32_t runlist_id, gfe_ps draw_ps)
{
    const uint32_t slice = 1u << 26 | 250u << 18 | 0x2000;
    const uint32_t tsgs[] = {slice | 32, 0, 0, 0, slice | 33, 0, 1, 0};

    copy_map(&check);
    machine_set_parameter(check.machine, "nv.draw_ps", draw_ps);
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 + 0x210, 0);
    check_machine_runlist_raw(&check, 0, runlist_id == 0 ? 4 : 2, tsgs);
    if (runlist_id != 0)
        check_machine_runlist_raw(&check, runlist_id, 2, tsgs + 4);
    if (draw_ps > 0)
        CHECK_SUBMIT(&check, 0, DRAW, WFI, RELEASE(0, 1));
    CHECK_SUBMIT(&check, 1, COPY_UPLOAD(COPIED));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
}

/* What the log has of a runlist's turns and of copies, added up with the times. */
static uint64_t turns_of(uint32_t runlist_id)
{
    uint64_t hash = 14695981039346656037u;

    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *event = &check.events[i];
        const bool turn = event->kind == EVENT_NV_TSG_START || event->kind == EVENT_NV_TSG_END;

        if ((turn && event_first(event) == runlist_id) || event->kind == EVENT_COPY_START ||
            event->kind == EVENT_COPY_SUSPEND || event->kind == EVENT_COPY_RESUME ||
            event->kind == EVENT_COPY_END)
            hash = ((hash ^ event->kind) * 1099511628211u ^ event->time_ps) * 1099511628211u;
    }
    return hash;
}

/* B.R5: tasks on runlists of their own are independent: beside one that draws the copy has the same
 * turns, at the same times, as alone.  On one runlist they are not, though they use different
 * engines: then the slices of the other, which might copy too, cut the copy. */
/* PROMISE (nvidia): Rule B.R5: tasks are independent where their runlists are. */
START_TEST(b_r5_tasks_are_independent_where_their_runlists_are)
{
    const uint32_t runlist_id = _i ? 5 : 0;
    uint64_t alone;

    draw_and_copy(runlist_id, 0);
    alone = turns_of(runlist_id);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 0);
    teardown();
    setup();
    draw_and_copy(runlist_id, 20 * 1000 * US);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 1);
    ck_assert_int_eq(turns_of(runlist_id) == alone, runlist_id == 5);
    if (runlist_id == 5) {
        ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 0);
    } else {
        ck_assert_uint_ge(check_machine_count(&check, EVENT_COPY_SUSPEND), 8);
        ck_assert_uint_ge(
            copy_took(
                &check,
                event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).copy_id),
            2 * 2400 * US);
    }
}
END_TEST

/* B.R6: graphics and a copy engine are bound to one runlist, and one task of it has both at the
 * same time. */
/* PROMISE (nvidia): Rule B.R6: a runlist has several engines, and a task has all of them. */
START_TEST(b_r6_a_runlist_has_several_engines_and_a_task_all_of_them)
{
    const struct nv_runlist *runlist = &check.gpu->host.runlists[0];
    const struct log_event *copy, *draw;
    uint32_t valid = 0;

    ck_assert_uint_ge(runlist->engine_count, 2);
    for (uint32_t i = 0; i < runlist->engine_count; i++)
        ck_assert_uint_eq(check.gpu->engines[runlist->engines[i]].row->runlist_id, 0);
    copy_map(&check);
    ck_assert(machine_set_parameter(check.machine, "nv.draw_ps", 5000 * US));
    check_machine_runlist_raw(&check, 0, 3,
                              (const uint32_t[]){2u << 26 | 250u << 18 | 0x2020, 0, 0, 0, 1, 0});
    CHECK_SUBMIT(&check, 0, DRAW);
    CHECK_SUBMIT(&check, 1, COPY_UPLOAD(COPIED));
    ck_assert(machine_run(check.machine, 1000 * US));
    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        const struct nv_engine *engine = &check.gpu->engines[runlist->engines[i]];

        valid += nv_engine_busy(engine) && nv_engine_status(engine) == NV_ENGINE_VALID &&
                 engine->state->tsg_id == 32;
    }
    ck_assert_uint_eq(valid, 2);
    check_machine_run(&check);
    copy = check_machine_event(&check, EVENT_COPY_END, 0);
    draw = check_machine_event(&check, EVENT_WORK_END, 0);
    ck_assert_uint_lt(copy->time_ps, draw->time_ps);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_SUSPEND), 0);
    ck_assert_uint_le(copy->time_ps, 2600 * US);
}
END_TEST

Suite *nv_engine_suite(void)
{
    Suite *suite = suite_create("nv_engine");
    TCase *tcase = tcase_create("contexts");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_context_is_saved_before_another_is_loaded);
    tcase_add_test(tcase, another_channel_of_the_same_group_needs_no_switch);
    tcase_add_test(tcase, an_evicted_context_leaves_the_engine_without_one);
    tcase_add_test(tcase, an_engine_without_a_unit_changes_its_context_at_once);
    tcase_add_test(tcase, work_goes_on_while_somebody_who_does_not_need_the_engine_is_on);
    tcase_add_test(tcase, who_has_left_a_pbdma_holds_up_nobody_there);
    tcase_add_test(tcase, a_group_with_work_on_the_engine_has_its_slices);
    tcase_add_test(tcase, work_of_a_disabled_channel_stops_until_it_is_enabled);
    tcase_add_loop_test(tcase, b_r5_tasks_are_independent_where_their_runlists_are, 0, 2);
    tcase_add_test(tcase, b_r6_a_runlist_has_several_engines_and_a_task_all_of_them);
    suite_add_tcase(suite, tcase);
    return suite;
}
