/* SPDX-License-Identifier: MIT */
/*
 * Recovery of the nouveau model, in a replay: two channels share an engine; one hangs it, or
 * faults, is given up, and the other goes on.  On each family of chips that the driver knows.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "devices/core/core_events.h"
#include "emu/faults/inject_run.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "emu/log/event_line.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_trace.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"

/* Channels as the program and as the hardware calls them. */
enum { GUILTY = 7, OTHER = 9, GUILTY_ID = 0, OTHER_ID = 1 };
enum { GUILTY_DATA = 1, OTHER_DATA = 2, FIRST_PUSH = 3, ROUNDS = 3 };
#define NOWHERE UINT64_C(0x7000000)

static const struct chip {
    const char *gpu;
    bool triggers; /* up to Pascal */
    bool has_sched_error;
} chips[] = {{"gtx680", true, true},
             {"gtx980", true, true},
             {"gtx1060", true, true},
             {"v100", false, true},
             {"rtx2060", false, false}};
enum { CHIPS = sizeof chips / sizeof chips[0] };

static const struct simulation_setting recovery_on = {"nouveau.recovery", "on"};
static struct replay_input *input;
static struct any_program program;
static struct inject_run run;
static struct inject_experiment experiment;
static struct outcome outcome;
static struct log_event *events;
static uint32_t event_count;

/* ---- the program ----------------------------------------------------------------------------- */

static const struct nv_chip *model_of(const struct chip *chip)
{
    return nv_chip_by_name(chip->gpu);
}

/* A draw, then a release of the submission's number once it is done; the thread waits for it. */
static void draw_and_wait(struct check_trace *trace, const struct chip *chip, uint32_t channel,
                          uint32_t push, uint64_t to)
{
    CHECK_TRACE_SUBMIT(trace, channel, push, PB_INC(0, 0, 1), model_of(chip)->class_3d,
                       PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0), PB_INC(0, 0x10, 4),
                       (uint32_t)(to >> 32), (uint32_t)to, trace->submission_count + 1, 0x01000002);
    check_trace_wait(trace, channel, trace->submission_count, TRACE_WAIT_IOCTL);
}

/* A report of the 3D class: the graphics engine itself writes it. */
static void report(struct check_trace *trace, const struct chip *chip, uint32_t push, uint64_t to)
{
    CHECK_TRACE_SUBMIT(trace, GUILTY, push, PB_INC(0, 0, 1), model_of(chip)->class_3d,
                       PB_INC(0, 0x1b00, 4), (uint32_t)(to >> 32), (uint32_t)to, 1, 0x1000f010);
    check_trace_wait(trace, GUILTY, trace->submission_count, TRACE_WAIT_IOCTL);
}

enum ill { NONE, BY_HOST, BY_GRAPHICS };

/* Both channels draw in turn, each in a thread of its own. */
static void program_of(const struct chip *chip, enum ill ill)
{
    struct check_trace trace;
    uint32_t push = FIRST_PUSH;

    check_trace_begin_on(&trace, chip->gpu);
    for (uint32_t handle = GUILTY_DATA; handle < FIRST_PUSH + 2 * ROUNDS + 1; handle++)
        check_trace_map(&trace, handle);
    check_trace_channel(&trace, GUILTY);
    check_trace_channel(&trace, OTHER);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        trace.time_ns = round * 100000;
        trace.thread_id = 1;
        if (ill == BY_GRAPHICS && round == 1)
            report(&trace, chip, push++, NOWHERE);
        else
            draw_and_wait(&trace, chip, GUILTY, push++,
                          ill == BY_HOST && round == 1
                              ? NOWHERE
                              : CHECK_TRACE_BUFFER(GUILTY_DATA) + 16 * round);
        trace.thread_id = 2;
        draw_and_wait(&trace, chip, OTHER, push++, CHECK_TRACE_BUFFER(OTHER_DATA) + 16 * round);
    }
    input = check_trace_end(&trace);
    program = (struct any_program){.input = input};
}

static void make(const char *fault_text, const struct simulation_setting *choice)
{
    const struct simulation_options options = {.choices = choice, .choice_count = choice != NULL};
    struct inject_fault fault;
    struct gfe_error error = {0};

    ck_assert_msg(inject_run_init(&run, &program, &options, 10 * GFE_PS_PER_US, &error), "%s",
                  error.text);
    ck_assert_msg(inject_run_parse(&run, fault_text, &fault, &error), "%s", error.text);
    ck_assert_msg(inject_run_make(&run, &fault, 1, UINT64_MAX, &experiment, &outcome, &error), "%s",
                  error.text);
    events = check_machine_decode(experiment.simulation.machine, &event_count);
}

static void unmake(void)
{
    free(events);
    inject_experiment_fini(&experiment);
    inject_run_fini(&run);
    replay_input_free(input);
}

/* ---- what a run shows ------------------------------------------------------------------------ */

static uint32_t count(uint32_t kind)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < event_count; i++)
        found += events[i].kind == kind;
    return found;
}

/* Where the n-th event of that kind stands. */
static uint32_t place(uint32_t kind, uint32_t n)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == kind && n-- == 0)
            return i;
    ck_abort_msg("there is no event of kind %u", kind);
}

static uint32_t read_register(uint32_t offset)
{
    return machine_read32(experiment.simulation.machine, offset);
}

/* All results of the other channel are there, the last ones behind the recovery. */
static void other_went_on(uint32_t round_count)
{
    const uint32_t end = place(EVENT_DRIVER_RC_END, 0);
    uint32_t releases = 0, behind = 0;

    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_NV_RELEASE &&
            event_nv_release_of(&events[i]).channel_id == OTHER_ID &&
            event_nv_release_of(&events[i]).value % 2 == 0) {
            releases++;
            behind += i > end;
        }
    ck_assert_uint_ge(releases, ROUNDS);
    ck_assert_uint_ge(behind, round_count);
    ck_assert_uint_eq(outcome.classes >> OUTCOME_COLLATERAL, 0);
    for (uint32_t i = 0; i < outcome.victim_count; i++)
        if (outcome.victims[i].who == outcome_owner("channel", OTHER_ID))
            ck_assert_uint_eq(outcome.victims[i].missing + outcome.victims[i].different, 0);
}

/* The worker submits the runlist without one of its two channels. */
static void left_the_runlist(void)
{
    const uint32_t kill = place(EVENT_DRIVER_KILL, 0), end = place(EVENT_DRIVER_RC_END, 0);
    uint64_t before = 0, after = 0;

    for (uint32_t i = 0; i < end; i++)
        if (events[i].kind == EVENT_NV_RUNLIST_SUBMIT)
            *(i < kill ? &before : &after) = event_nv_runlist_submit_of(&events[i]).entry_count;
    ck_assert_uint_gt(after, 0);
    ck_assert_uint_eq(before, 2 * after);
}

/* The channel is gone, the engine was reset off and on, and nothing is held any more. */
static void recovered_once(const struct chip *chip)
{
    ck_assert_uint_eq(count(EVENT_DRIVER_RC), 1);
    ck_assert_uint_eq(event_driver_rc_of(&events[place(EVENT_DRIVER_RC, 0)]).channel_id, GUILTY_ID);
    ck_assert_uint_eq(count(EVENT_DRIVER_KILL), 1);
    ck_assert_uint_eq(events[place(EVENT_DRIVER_KILL, 0)].rule, RULE_NOUVEAU_RC);
    ck_assert_uint_eq(event_driver_kill_of(&events[place(EVENT_DRIVER_KILL, 0)]).channel_id,
                      GUILTY_ID);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC_END), 1);
    left_the_runlist();
    ck_assert_uint_eq(read_register(NV_PFIFO_BASE + NV_PFIFO_SCHED_DISABLE), 0);
    if (chip->triggers)
        ck_assert_uint_eq(read_register(NV_PFIFO_BASE + NV_PFIFO_ERROR_SCHED_DISABLE), 0);
    ck_assert_uint_ne(read_register(NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0) &
                          1u << NV_PFIFO_INTR_0_SCHED_ERROR_LO,
                      0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* PROMISE (drivers): nouveau resets an engine that hangs, and the other channel goes on, on
 * chips from Kepler to Turing. */
START_TEST(a_hanging_engine_is_reset_and_the_other_channel_goes_on)
{
    const struct chip *chip = &chips[_i];

    program_of(chip, NONE);
    make("work_end:0 drop @#2", &recovery_on);
    ck_assert_uint_eq(count(EVENT_NV_CTXSW_TIMEOUT), 1);
    ck_assert_uint_eq(count(EVENT_DRIVER_SCHED_ERROR), chip->has_sched_error);
    if (chip->has_sched_error)
        ck_assert_uint_eq(
            event_driver_sched_error_of(&events[place(EVENT_DRIVER_SCHED_ERROR, 0)]).code, 0x0a);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC_TRIGGER) > 0, chip->triggers);
    recovered_once(chip);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC_RESET), 1);
    ck_assert_uint_eq(count(EVENT_NV_ENGINE_RESET), 2);
    ck_assert_uint_lt(place(EVENT_DRIVER_KILL, 0), place(EVENT_DRIVER_RC_RESET, 0));
    ck_assert_uint_lt(place(EVENT_NV_ENGINE_RESET, 1), place(EVENT_DRIVER_RC_END, 0));
    other_went_on(1);
    ck_assert_int_eq(outcome.most, OUTCOME_DETECTED);
    ck_assert(outcome.recovered);
    /* The program's thread waits no more for what is lost, and its next submission fails. */
    ck_assert_uint_eq(count(EVENT_DRIVER_REFUSED), 1);
    ck_assert_uint_eq(event_driver_refused_of(&events[place(EVENT_DRIVER_REFUSED, 0)]).channel_id,
                      GUILTY);
    ck_assert_uint_eq(count(EVENT_CPU_WAIT_BEGIN), count(EVENT_CPU_WAIT_END));
    unmake();
}
END_TEST

/* The time limit is the hardware's: 4.29 s where nobody has set another. */
START_TEST(the_driver_waits_for_the_hardwares_time_limit)
{
    const struct log_event *timeout;

    program_of(&chips[2], NONE);
    make("work_end:0 drop @#2", &recovery_on);
    timeout = &events[place(EVENT_NV_CTXSW_TIMEOUT, 0)];
    ck_assert_uint_eq(timeout->time_ps - event_nv_ctxsw_timeout_of(timeout).since,
                      UINT64_C(0x3fffff) * 1024000);
    ck_assert_uint_le(events[place(EVENT_DRIVER_RC_END, 0)].time_ps - timeout->time_ps,
                      1000 * GFE_PS_PER_US);
    unmake();
}
END_TEST

/* nouveau.recovery=off: nothing follows, and both channels stand. */
START_TEST(without_recovery_both_channels_hang)
{
    program_of(&chips[_i], NONE);
    make("work_end:0 drop @#2", NULL);
    ck_assert_uint_eq(count(EVENT_NV_CTXSW_TIMEOUT), 1);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC) + count(EVENT_DRIVER_KILL) +
                          count(EVENT_NV_ENGINE_RESET) + count(EVENT_DRIVER_RC_TRIGGER),
                      0);
    ck_assert_uint_ne(outcome.classes & 1u << OUTCOME_HANG, 0);
    ck_assert_uint_ne(outcome.classes & 1u << OUTCOME_COLLATERAL, 0);
    unmake();
}
END_TEST

/* A save that does not end, or does not begin, is the channel's whose context is on (tu102_fifo.c,
 * tu102_fifo_intr_ctxsw_timeout_info(): PREV_TSGID, unless the state is LOAD; gk104.c,
 * gk104_engn_status(): "prev" while only SAVE is set). */
START_TEST(a_context_that_does_not_leave_is_the_one_befores)
{
    static const char *const faults[] = {"context_switch:0 drop @#2", "context_save:0 drop @#1"};

    program_of(&chips[_i / 2], NONE);
    make(faults[_i % 2], &recovery_on);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC), 1);
    ck_assert_uint_eq(event_driver_rc_of(&events[place(EVENT_DRIVER_RC, 0)]).channel_id,
                      event_nv_ctxsw_timeout_of(&events[place(EVENT_NV_CTXSW_TIMEOUT, 0)]).tsg_id %
                          NV_RUNLIST_NO_TSG);
    ck_assert(outcome.recovered);
    unmake();
}
END_TEST

/* A load that does not end is the next channel's: it goes, the one before stays. */
START_TEST(a_context_that_does_not_load_is_the_next_ones)
{
    const struct chip *chip = &chips[_i];

    program_of(chip, NONE);
    make("context_load:0 drop @#2", &recovery_on);
    ck_assert_uint_eq(count(EVENT_DRIVER_RC), 1);
    ck_assert_uint_eq(
        event_driver_rc_of(&events[place(EVENT_DRIVER_RC, 0)]).channel_id,
        event_nv_ctxsw_timeout_of(&events[place(EVENT_NV_CTXSW_TIMEOUT, 0)]).next_tsg_id %
            NV_RUNLIST_NO_TSG);
    /* Up to Pascal the copy engine has the context, too; later it was preempted. */
    ck_assert_uint_eq(count(EVENT_DRIVER_RC_RESET), chip->triggers ? 2 : 1);
    ck_assert(outcome.recovered);
    ck_assert_uint_eq(outcome.classes & 1u << OUTCOME_HANG, 0);
    ck_assert_uint_eq(count(EVENT_CPU_WAIT_BEGIN), count(EVENT_CPU_WAIT_END));
    unmake();
}
END_TEST

/* _i: the chip, and who makes the access.  The golden run faults as well, which is what is looked
 * at; the fault that is injected never acts. */
/* PROMISE (drivers): nouveau gives up a channel that faults and resets its engines. */
START_TEST(a_channel_that_faults_is_given_up_and_its_engines_are_reset)
{
    const struct chip *chip = &chips[_i / 2];
    const bool by_graphics = _i % 2;
    struct event_driver_fault fault; /* both kinds have the same members */

    program_of(chip, by_graphics ? BY_GRAPHICS : BY_HOST);
    make("work_end:0 drop @#99", &recovery_on);
    fault = event_driver_fault_from(
        events[place(chip->triggers ? EVENT_DRIVER_FAULT : EVENT_DRIVER_FAULT_GV100, 0)].argument);
    ck_assert_uint_eq(fault.channel_id, GUILTY_ID);
    ck_assert_uint_eq(fault.engine_id,
                      chip->triggers ? (by_graphics ? 0 : 6) : (by_graphics ? 64 : 32));
    ck_assert_uint_eq(fault.client, by_graphics ? 4 : 6);
    ck_assert_uint_eq(fault.is_hub, 1);
    ck_assert_uint_eq(fault.access, 1); /* it writes */
    ck_assert_uint_eq(fault.address, NOWHERE);
    ck_assert_uint_eq(count(EVENT_NV_MMU_FAULT), 1);
    recovered_once(chip);
    ck_assert_uint_eq(count(EVENT_NV_CTXSW_TIMEOUT), 0);
    /* Up to Pascal both engines have the context still; later they were preempted, and have let it
     * go, or one of them saves it still. */
    if (chip->triggers)
        ck_assert_uint_eq(count(EVENT_DRIVER_RC_RESET), 2);
    else
        ck_assert_uint_le(count(EVENT_DRIVER_RC_RESET), 1);
    ck_assert_uint_eq(count(EVENT_NV_ENGINE_RESET), 2 * count(EVENT_DRIVER_RC_RESET));
    other_went_on(1);
    ck_assert_uint_eq(count(EVENT_DRIVER_REFUSED), 1);
    ck_assert_uint_eq(count(EVENT_CPU_WAIT_BEGIN), count(EVENT_CPU_WAIT_END));
    unmake();
}
END_TEST

/* From Volta on the driver empties the buffer: a second fault finds it as the first did. */
START_TEST(the_buffer_for_faults_is_emptied)
{
    const uint32_t get_at = _i == 3 ? 0x100e2c : 0xb83008, put_at = get_at + 4;

    program_of(&chips[_i], BY_HOST);
    make("work_end:0 drop @#99", &recovery_on);
    ck_assert_uint_eq(read_register(put_at), 1);
    ck_assert_uint_eq(read_register(get_at), 1);
    ck_assert_uint_eq(count(EVENT_DRIVER_ERROR), 0);
    unmake();
}
END_TEST

/* What PTOP tells of engines is what the model of the GPU has; the MMU's numbers also where it does
 * not tell them. */
START_TEST(engines_are_those_of_the_chip)
{
    const struct nv_chip *model = model_of(&chips[_i]);
    const struct nouveau_state *state;
    struct check_simulation plain;

    program_of(&chips[_i], NONE);
    check_simulation_run(&plain, input, NULL);
    state = plain.simulation->nouveau->state;
    ck_assert_uint_eq(state->engine_count, model->engine_count);
    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];
        const struct nouveau_engine *found = NULL;

        for (uint32_t k = 0; k < state->engine_count; k++)
            if (state->engines[k].engine_id == engine->engine_id)
                found = &state->engines[k];
        ck_assert_ptr_nonnull(found);
        ck_assert_uint_eq(found->runlist_id, engine->runlist_id);
        ck_assert_uint_eq(found->reset_id, engine->reset_id);
        if (engine->kind == NV_CHIP_GRAPHICS || engine->kind == NV_CHIP_GRCE ||
            engine->kind == NV_CHIP_LCE)
            ck_assert_uint_eq(found->fault_id, engine->fault_id);
    }
    check_simulation_end(&plain);
    replay_input_free(input);
}
END_TEST

Suite *nouveau_recover_suite(void)
{
    Suite *suite = suite_create("nouveau_recover");
    TCase *hang = tcase_create("hang"), *fault = tcase_create("fault");

    tcase_set_timeout(hang, 60);
    tcase_add_loop_test(hang, a_hanging_engine_is_reset_and_the_other_channel_goes_on, 0, CHIPS);
    tcase_add_test(hang, the_driver_waits_for_the_hardwares_time_limit);
    tcase_add_loop_test(hang, without_recovery_both_channels_hang, 0, CHIPS);
    tcase_add_loop_test(hang, a_context_that_does_not_leave_is_the_one_befores, 0, 2 * CHIPS);
    tcase_add_loop_test(hang, a_context_that_does_not_load_is_the_next_ones, 0, CHIPS);
    suite_add_tcase(suite, hang);
    tcase_add_loop_test(fault, a_channel_that_faults_is_given_up_and_its_engines_are_reset, 0,
                        2 * CHIPS);
    tcase_add_loop_test(fault, engines_are_those_of_the_chip, 0, CHIPS);
    tcase_add_loop_test(fault, the_buffer_for_faults_is_emptied, 3, CHIPS);
    suite_add_tcase(suite, fault);
    return suite;
}
