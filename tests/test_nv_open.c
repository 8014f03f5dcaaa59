/* SPDX-License-Identifier: MIT */
/*
 * What still waits on an NVIDIA GPU when nothing is left to happen is reported, with the rule and
 * who is in the way.  The rules: tu104/dev_ram.ref.txt and tu104/dev_pbdma.ref.txt of open-gpu-doc
 * (a TSG that is on no runlist is not scheduled; an acquire waits for its value).
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/analysis/open_waits.h"
#include "emu/log/event_list.h"
#include "emu/sim/scenario.h"
#include "tests/bus_build.h"
#include "tests/check_trace.h"
#include "tests/lose_event.h"
#include "tests/suites.h"

static struct bus_build build;
static struct bus_channel channels[2];
static struct check_simulation run;
static struct replay_input *input;

/* Two channels in two TSGs, 8 and 9. */
static void begin(const char *gpu)
{
    struct bus_tsg tsgs[2];

    bus_build_begin(&build, gpu);
    for (uint32_t i = 0; i < 2; i++) {
        channels[i] = bus_build_channel(&build, 0, 1 + i, bus_build_space(&build));
        tsgs[i] = (struct bus_tsg){
            .id = 8 + i, .timeout = 250, .scale = 3, .channels = {&channels[i]}, .count = 1};
    }
    bus_build_runlist(&build, 0, tsgs, 2);
}

static void finish(const struct simulation_options *options)
{
    input = bus_build_end(&build);
    check_simulation_run(&run, input, options);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static struct event_wait_open open_wait(uint32_t index)
{
    const struct log_event *event = check_simulation_event(&run, EVENT_WAIT_OPEN, index);

    ck_assert_ptr_nonnull(event);
    return event_wait_open_of(event);
}

/* Both compute for 10 ms, in slices of 2 ms.  While 8 is off, a list that holds only 9 comes. */
START_TEST(a_suspended_group_that_is_on_no_list_waits_for_one)
{
    const struct simulation_setting blocks = {"core.block_base_cycles", "15000000"};
    const struct simulation_options options = {.parameters = &blocks, .parameter_count = 1};
    struct bus_tsg rest = {
        .id = 9, .timeout = 250, .scale = 3, .channels = {&channels[1]}, .count = 1};

    begin("gtx1060-3gb");
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_launch(&build, &channels[i], &(struct bus_launch){.grid = 9, .threads = 1024});
        bus_build_at(&build, i ? "110us" : "100us");
        bus_build_kick(&build, &channels[i]);
    }
    bus_build_at(&build, "3ms");
    bus_build_runlist(&build, 0, &rest, 1);
    finish(&options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_GRID_END, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_B_R3), 1);
    ck_assert_uint_eq(open_wait(0).subject_kind, SUBJECT_GRID);
    ck_assert_uint_eq(run.simulation->machine->state->open_count, 1);
    end();
}
END_TEST

/* TSG 8 computes, then TSG 9; while 8 is off, its first channel, which had the engine last, is
 * disabled, or stops at a method that the class does not have.  The other channel of 8 is free to
 * run, but does not bring the context back: nvgpu moves CTX_RELOAD to another channel of the TSG
 * before it takes one away (gm20b_fifo_tsg_verify_status_ctx_reload, fifo_gm20b.c).  Found by gfe
 * selftest: the grid was GFE.LOST. */
START_TEST(a_context_whose_channel_may_not_run_waits_for_that_channel)
{
    static const char *const pokes[] = {"3ms disable_channel 1"};
    const bool disables = _i == 0;
    const struct simulation_setting blocks = {"core.block_base_cycles", "15000000"};
    const struct simulation_options options = {.parameters = &blocks,
                                               .parameter_count = 1,
                                               .pokes = pokes,
                                               .poke_count = disables ? 1 : 0};
    struct bus_channel idle;
    struct bus_tsg tsgs[2];

    begin("gtx1060-3gb");
    idle = bus_build_channel(&build, 0, 3, bus_build_space(&build));
    for (uint32_t i = 0; i < 2; i++)
        tsgs[i] = (struct bus_tsg){
            .id = 8 + i, .timeout = 250, .scale = 3, .channels = {&channels[i]}, .count = 1};
    tsgs[0].channels[tsgs[0].count++] = &idle;
    bus_build_runlist(&build, 0, tsgs, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_launch(&build, &channels[i], &(struct bus_launch){.grid = 9, .threads = 1024});
        if (!disables && i == 0) /* no such method of the compute class: INC, subchannel 1 */
            BUS_PUSH(&build, &channels[i], 0x20012000 | 0x3fc >> 2, 0);
        bus_build_at(&build, i ? "110us" : "100us");
        bus_build_kick(&build, &channels[i]);
    }
    finish(&options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_GRID_END, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_GFE_LOST), 0);
    ck_assert_uint_eq(
        check_simulation_count(&run, EVENT_WAIT_OPEN, disables ? RULE_B_R1 : RULE_NV_INTR), 1);
    ck_assert_uint_eq(open_wait(0).subject_kind, SUBJECT_GRID);
    ck_assert_uint_eq(open_wait(0).blocker_kind, SUBJECT_CHANNEL);
    ck_assert_uint_eq(open_wait(0).blocker_id, 1);
    end();
}
END_TEST

/* Host's methods of Volta and later: SEM_ADDR_LO to SEM_EXECUTE; OPERATION 0 acquires, 1 releases.
 * The headers are INC with 5 words (count << 16, method >> 2). */
static void semaphore(struct bus_channel *channel, uint64_t address, bool releases)
{
    const uint32_t words[] = {0x20050017, (uint32_t)address, (uint32_t)(address >> 32), 1,
                              0,          releases ? 1 : 0};

    bus_build_push(&build, channel, words, sizeof words / sizeof words[0]);
}

static bool hold_record(void *context, const struct model_record *record)
{
    (void)context, (void)record;
    return true;
}

/* Reads the waits and what waiting things hold from the log, as the summary does. */
static void graph_read(struct open_waits *open)
{
    struct model model = {.listener = hold_record};
    const struct log_event *event;

    for (uint32_t i = 0; (event = check_simulation_event(&run, EVENT_WAIT_OPEN, i)); i++) {
        const struct event_wait_open wait = event_wait_open_of(event);
        const struct model_record record = {.rule = event->rule,
                                            .wait = {wait.begin_ps, wait.subject_kind,
                                                     wait.subject_id, wait.blocker_kind,
                                                     wait.blocker_id}};

        open_waits_take(open, &model, &record);
    }
    for (uint32_t i = 0; (event = check_simulation_event(&run, EVENT_WAIT_HOLDS, i)); i++) {
        const struct event_wait_holds hold = event_wait_holds_of(event);
        const struct model_record record = {
            .wait = {0, hold.subject_kind, hold.subject_id, hold.held_kind, hold.held_id}};

        open_waits_hold(open, &record);
    }
}

/* Each acquires what the other one would release behind its own acquire. */
START_TEST(two_channels_that_wait_for_each_other_are_a_deadlock)
{
    struct open_waits *open = calloc(1, sizeof *open);
    uint64_t words[2];
    uint32_t cycle[OPEN_WAITS_KEPT];

    ck_assert_ptr_nonnull(open);
    begin("rtx2080ti");
    for (uint32_t i = 0; i < 2; i++)
        words[i] = BUS_VA + bus_build_alloc(&build, 4096);
    for (uint32_t i = 0; i < 2; i++) {
        semaphore(&channels[i], words[i], false);
        semaphore(&channels[i], words[1 - i], _i == 0);
        bus_build_kick(&build, &channels[i]);
    }
    finish(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_NV_ACQ), 2);
    graph_read(open);
    /* Without the releases both wait, but not for each other. */
    ck_assert_uint_eq(open_waits_cycle(open, cycle), _i == 0 ? 2 : 0);
    free(open);
    end();
}
END_TEST

/* ---- nothing stays undone in silence ----------------------------------------------------------
 */

static const struct {
    const char *path;
    uint32_t samples;
} recordings[] = {
    {"tests/golden/compute.gft", 60},
    {"tests/golden/upload.gft", 40},
    {"tests/golden/vm.gft", 60},
    {"tests/golden/rtx2060.gft", 40},
};

START_TEST(a_recording_without_one_of_its_events_says_what_is_left)
{
    const struct simulation_options options = {.gpu = NULL};
    const struct lose_event_result result =
        lose_event_check_file(recordings[_i].path, &options, recordings[_i].samples);

    ck_assert_uint_gt(result.tried, recordings[_i].samples / 2);
    ck_assert_uint_gt(result.undone, 0);
}
END_TEST

/* Two tasks on one GPU whose registers alone were recorded. */
START_TEST(two_tasks_without_one_of_their_events_say_what_is_left)
{
    struct any_program program;
    struct simulation_options options = {.gpu = NULL};
    struct lose_event_result result;

    begin("gtx1060-3gb");
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_launch(&build, &channels[i], &(struct bus_launch){.grid = 9, .threads = 1024});
        bus_build_kick(&build, &channels[i]);
    }
    input = bus_build_end(&build);
    program = (struct any_program){.input = input};
    result = lose_event_check(&program, &options, "two tasks", 120);
    ck_assert_uint_gt(result.undone, 0);
    replay_input_free(input);
}
END_TEST

/* Without the end of one of its blocks a grid is under way for ever. */
START_TEST(what_only_a_lost_event_would_have_ended_is_under_way)
{
    uint32_t under_way = 0;

    for (uint64_t lost = 30; lost < 60; lost++) {
        const struct simulation_options options = {.lost_event = lost};

        begin("gtx1060-3gb");
        bus_build_launch(&build, &channels[0], &(struct bus_launch){.grid = 9, .threads = 1024});
        bus_build_kick(&build, &channels[0]);
        finish(&options);
        if (check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_GFE_LOST) > 0 &&
            open_wait(0).subject_kind == SUBJECT_GRID)
            under_way++;
        end();
    }
    ck_assert_uint_gt(under_way, 0);
}
END_TEST

static const char *const scenarios[] = {"scenarios/amert2017-table3.json",
                                        "scenarios/bakita2024-shared-pce.json"};

START_TEST(a_scenario_without_one_of_its_events_says_what_is_left)
{
    const char *folder = getenv("top_srcdir");
    const char *gpu = _i == 0 ? "tx2" : "gtx1060";
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const struct scenario_options how = {.priority_levels = 2, .model = model};
    const struct simulation_options options = {.gpu = gpu};
    struct gfe_error error = {0};
    char path[4096];
    const char *const paths[] = {path};
    struct scenario *scenario;
    struct any_program program;

    (void)snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", scenarios[_i]);
    scenario = scenario_load(paths, 1, &how, &error);
    ck_assert_msg(scenario != NULL, "%s", error.text);
    program = (struct any_program){.scenario = scenario};
    ck_assert_uint_gt(lose_event_check(&program, &options, scenarios[_i], 40).undone, 0);
    scenario_free(scenario);
}
END_TEST

Suite *nv_open_suite(void)
{
    Suite *suite = suite_create("nv_open");
    TCase *tcase = tcase_create("waits"), *silent = tcase_create("silence");

    tcase_add_test(tcase, a_suspended_group_that_is_on_no_list_waits_for_one);
    tcase_add_loop_test(tcase, a_context_whose_channel_may_not_run_waits_for_that_channel, 0, 2);
    tcase_add_loop_test(tcase, two_channels_that_wait_for_each_other_are_a_deadlock, 0, 2);
    suite_add_tcase(suite, tcase);
    tcase_set_timeout(silent, 120);
    tcase_add_loop_test(silent, a_recording_without_one_of_its_events_says_what_is_left, 0,
                        sizeof recordings / sizeof recordings[0]);
    tcase_add_test(silent, two_tasks_without_one_of_their_events_say_what_is_left);
    tcase_add_test(silent, what_only_a_lost_event_would_have_ended_is_under_way);
    tcase_add_loop_test(silent, a_scenario_without_one_of_its_events_says_what_is_left, 0,
                        sizeof scenarios / sizeof scenarios[0]);
    suite_add_tcase(suite, silent);
    return suite;
}
