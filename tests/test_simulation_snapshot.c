/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of what runs on AMD's GPUs: configurations of HIP programs (queues that rotate and are
 * saved in the middle of their dispatches, priorities, masks, processes, each scheduling policy)
 * and recordings of ROCm's libraries (copies by SDMA engines, barrier packets, sleeping programs).
 * From each of some fifty places of a run (GFE_LONG=1; ten otherwise) another machine goes on, and
 * ends with the same log and state; one machine goes back and forth between them.  What lay outside
 * the machine's state would show.
 */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/engine/arena_watch.h"
#include "emu/base/digest.h"
#include "tests/check_long.h"
#include "tests/check_trace.h"
#include "tests/hip_run.h"
#include "tests/suites.h"

enum { PLACES = 50, PLACES_SHORT = 10, PLACES_SANITIZED = 4, STOPS = 12, SETTINGS_MAX = 4 };

#define PRIORITY(level)                                                                            \
    "{\"filename\": \"bin/matrix_multiply.so\", \"thread_count\": 256, \"block_count\": 300, "     \
    "\"max_iterations\": 3, \"stream_priority\": " level "}"
static const char priorities[] =
    "{\"name\": \"p\", \"plugins\": [" PRIORITY("-1") ", " PRIORITY("0") ", " PRIORITY(
        "0") ", " PRIORITY("0") ", " PRIORITY("0") ", " PRIORITY("0") ", " PRIORITY("1") "]}";
static const char processes[] =
    "{\"name\": \"q\", \"use_processes\": true, \"plugins\": [" PRIORITY("0") ", " PRIORITY(
        "0") ", {\"filename\": \"other.so\", \"thread_count\": 64, \"block_count\": 3}]}";
static const struct scenario_cost cost = {"other", 700 * GFE_PS_PER_US};

/* What is run, with what, and events that must occur in it. */
static const struct subject {
    const char *trace, *config; /* one of the two */
    struct simulation_setting choices[SETTINGS_MAX], parameters[SETTINGS_MAX];
    const char *events[SETTINGS_MAX];
    bool open_loop;
} subjects[] = {
    {.trace = "kfd_kernels.gft", .events = {"AMD_SIGNAL", "WAIT"}},
    {.trace = "hip_streams.gft", .events = {"COPY_END", "AMD_QUEUE_SAVE", "AMD_QUEUE_RESTORE"}},
    {.trace = "hip_streams.gft", .events = {"COPY_END"}, .open_loop = true},
    {.config = hip_run_crowd, .choices = {{"amd.block_to_cu", "random"}}},
    {.config = hip_run_many, .events = {"KFD_OVERSUBSCRIBED", "HWS_PREEMPT"}},
    {.config = hip_run_many,
     .parameters = {{"hip.thread_work_ps", "60000000"}},
     .choices = {{"hws.swap", "priority"}},
     .events = {"AMD_QUEUE_SAVE", "AMD_BLOCK_GO_ON", "HWS_PREEMPT"}},
    {.config = hip_run_many,
     .parameters = {{"hip.thread_work_ps", "60000000"}, {"kfd.cwsr_enable", "0"}},
     .events = {"HWS_PREEMPT"}},
    {.config = priorities},
    {.config = priorities, .choices = {{"kfd.sched_policy", "no_hws"}, {"amd.baton", "staged"}}},
    {.config = processes, .choices = {{"kfd.sched_policy", "no_oversubscription"}}},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static struct replay_input *input;
static struct memory_file file;
static const struct subject *subject;

static void subject_begin(uint32_t number)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    subject = &subjects[number];
    input = NULL;
    file = memory_file_new(subject->config ? subject->config : "",
                           subject->config ? strlen(subject->config) : 0);
    if (!subject->trace)
        return;
    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", subject->trace);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
}

static void subject_end(void)
{
    replay_input_free(input);
    memory_file_free(&file);
}

static uint32_t count_of(const struct simulation_setting *settings)
{
    uint32_t count = 0;

    while (count < SETTINGS_MAX && settings[count].id)
        count++;
    return count;
}

static struct any_simulation simulation_of_seed(uint64_t seed)
{
    const struct simulation_options options = {
        .gpu = "radeon-vii",
        .seed = seed,
        .open_loop = subject->open_loop,
        .choices = subject->choices,
        .choice_count = count_of(subject->choices),
        .parameters = subject->parameters,
        .parameter_count = count_of(subject->parameters),
    };
    const struct any_program program = {.input = input,
                                        .hip_path = subject->config ? file.path : NULL,
                                        .costs = &cost,
                                        .cost_count = 1};
    struct any_simulation simulation;
    struct gfe_error error = {0};

    ck_assert_msg(any_simulation_new(&program, &options, &simulation, &error), "%s", error.text);
    return simulation;
}

static void run(struct any_simulation *simulation)
{
    struct gfe_error error = {0};

    ck_assert_msg(any_simulation_run(simulation, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert(any_simulation_ended(simulation));
}

/* A machine's state and log. */
struct ends {
    char state[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];
};

static struct ends ends_of(const struct any_simulation *simulation)
{
    struct ends ends;

    ck_assert(machine_hash(simulation->machine, ends.state));
    check_machine_log_hash(simulation->machine, ends.log);
    return ends;
}

static void same_ends(const struct ends *found, const struct ends *wanted, uint64_t event)
{
    ck_assert_msg(strcmp(found->log, wanted->log) == 0, "from event %" PRIu64 ": another log",
                  event);
    ck_assert_msg(strcmp(found->state, wanted->state) == 0, "from event %" PRIu64 ": another state",
                  event);
}

static uint32_t kind_of(const struct machine *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->table_count; i++)
        for (uint32_t k = 0; k < machine->tables[i]->event_count; k++)
            if (machine->tables[i]->events[k].name &&
                strcmp(machine->tables[i]->events[k].name, name) == 0)
                return machine->tables[i]->base + k;
    ck_abort_msg("no event is called %s", name);
}

/* The run shows what it is there for. */
static void has_events(const struct machine *machine)
{
    uint32_t count;
    struct log_event *events = check_machine_decode(machine, &count);

    for (uint32_t i = 0; i < SETTINGS_MAX && subject->events[i]; i++) {
        const uint32_t kind = kind_of(machine, subject->events[i]);
        uint32_t found = 0;

        for (uint32_t e = 0; e < count; e++)
            found += events[e].kind == kind;
        ck_assert_msg(found > 0, "no %s", subject->events[i]);
    }
    free(events);
}

/* ---- going on elsewhere ---------------------------------------------------------------------- */

/* Every other one through a file. */
static struct simulation_snapshot *take(struct any_simulation *simulation, bool by_file)
{
    char path[] = "/tmp/gfe-test-snapshot-XXXXXX";
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot = any_simulation_take(simulation, &error);

    ck_assert_msg(snapshot != NULL, "%s", error.text);
    if (!by_file)
        return snapshot;
    ck_assert_int_eq(close(mkstemp(path)), 0);
    ck_assert_msg(simulation_snapshot_save(snapshot, path, &error), "%s", error.text);
    simulation_snapshot_free(snapshot);
    snapshot = simulation_snapshot_load(path, &error);
    ck_assert_msg(snapshot != NULL, "%s", error.text);
    ck_assert_int_eq(unlink(path), 0);
    return snapshot;
}

/* PROMISE (sim): On AMD's GPUs a machine that has run nothing goes on from a snapshot taken
 * anywhere: recordings with SDMA and barriers, HIP configurations with more queues than slots,
 * each kfd.sched_policy. */
START_TEST(another_machine_goes_on_from_anywhere)
{
    struct any_simulation whole, stepped, other;
    struct gfe_error error = {0};
    struct ends wanted, found;
    uint64_t count, stride;

    subject_begin((uint32_t)_i);
    whole = simulation_of_seed(0);
    stepped = simulation_of_seed(0);
    run(&whole);
    has_events(whole.machine);
    wanted = ends_of(&whole);
    count = machine_event_count(whole.machine);
    stride = count / check_long_or(PLACES, PLACES_SHORT, PLACES_SANITIZED) + 1;
    ck_assert_uint_gt(count, PLACES);
    for (uint64_t at = 0; at < count; at++) {
        if (at % stride == 0) {
            struct simulation_snapshot *snapshot = take(&stepped, at / stride % 2);

            other = simulation_of_seed(0); /* one that has run nothing yet */
            ck_assert_msg(any_simulation_restore(&other, snapshot, "snapshot", &error), "%s",
                          error.text);
            simulation_snapshot_free(snapshot);
            run(&other);
            found = ends_of(&other);
            same_ends(&found, &wanted, at);
            any_simulation_free(&other);
        }
        ck_assert(machine_step(stepped.machine));
    }
    any_simulation_free(&whole);
    any_simulation_free(&stepped);
    subject_end();
}
END_TEST

/* ---- back and forth -------------------------------------------------------------------------- */

/* Snapshots on the way, and what the machine was there. */
static struct simulation_snapshot *stops[STOPS + 1];
static struct ends stop_ends[STOPS + 1];

static void stops_make(struct any_simulation *simulation, uint64_t stride)
{
    for (uint32_t stop = 0; stop <= STOPS; stop++) {
        stops[stop] = take(simulation, false);
        stop_ends[stop] = ends_of(simulation);
        for (uint64_t i = 0; i < stride; i++)
            (void)machine_step(simulation->machine);
    }
}

/* From every stop to the next, in an order in which each is reached from far away: 0, 5, 10, 2 ...;
 * by looking at all pages, or at those that were written. */
/* PROMISE (sim): One machine goes back and forth between its snapshots. */
START_TEST(one_machine_goes_back_and_forth)
{
    struct any_simulation simulation;
    struct gfe_error error = {0};
    uint64_t stride;

    subject_begin((uint32_t)_i / 2);
    simulation = simulation_of_seed(0);
    run(&simulation);
    stride = machine_event_count(simulation.machine) / (STOPS + 1);
    any_simulation_free(&simulation);
    simulation = simulation_of_seed(0);
    if (_i % 2 != 0)
        ck_assert_msg(arena_watch(&simulation.machine->arena, &error), "%s", error.text);
    stops_make(&simulation, stride);
    for (uint32_t i = 0; i <= STOPS; i++) {
        const uint32_t stop = i * 5 % (STOPS + 1);
        struct ends found;

        ck_assert_msg(any_simulation_restore(&simulation, stops[stop], "snapshot", &error), "%s",
                      error.text);
        found = ends_of(&simulation);
        same_ends(&found, &stop_ends[stop], stop * stride);
        for (uint64_t step = 0; step < stride && stop < STOPS; step++)
            (void)machine_step(simulation.machine);
        found = ends_of(&simulation);
        same_ends(&found, &stop_ends[stop < STOPS ? stop + 1 : stop], stop * stride);
    }
    for (uint32_t stop = 0; stop <= STOPS; stop++)
        simulation_snapshot_free(stops[stop]);
    any_simulation_free(&simulation);
    subject_end();
}
END_TEST

/* ---- which run it is of ---------------------------------------------------------------------- */

static void refuses(struct any_simulation *simulation, const struct simulation_snapshot *snapshot,
                    const char *message)
{
    struct gfe_error error = {0};
    const struct ends before = ends_of(simulation);
    struct ends after;

    ck_assert(!any_simulation_restore(simulation, snapshot, "s.gfs", &error));
    ck_assert_str_eq(error.text, message);
    after = ends_of(simulation);
    same_ends(&after, &before, 0);
    any_simulation_free(simulation);
}

START_TEST(another_run_refuses_it)
{
    static const struct scenario_cost dearer = {"other", 701 * GFE_PS_PER_US};
    struct any_simulation simulation, other;
    struct simulation_snapshot *snapshot;
    struct any_program program;
    struct simulation_options options = {
        .gpu = "radeon-vii", .choices = subjects[9].choices, .choice_count = 1};
    struct gfe_error error = {0};

    subject_begin(9);
    program = (struct any_program){.hip_path = file.path, .costs = &dearer, .cost_count = 1};
    simulation = simulation_of_seed(0);
    snapshot = take(&simulation, true);
    any_simulation_free(&simulation);
    other = simulation_of_seed(1);
    refuses(&other, snapshot,
            "s.gfs: does not fit this run: it was taken with seed 0, this one has 1");
    ck_assert(any_simulation_new(&program, &options, &other, &error));
    ck_assert(!any_simulation_restore(&other, snapshot, "s.gfs", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "it was taken with costs "));
    any_simulation_free(&other);
    options.gpu = "mi50";
    ck_assert(any_simulation_new(&program, &options, &other, &error));
    refuses(&other, snapshot,
            "s.gfs: does not fit this run: it was taken with gpu radeon-vii, this one has mi50");
    options = (struct simulation_options){.gpu = "radeon-vii"};
    program.costs = &cost;
    ck_assert(any_simulation_new(&program, &options, &other, &error));
    refuses(&other, snapshot,
            "s.gfs: does not fit this run: it was taken with other parameters or policies, or by "
            "another build of gfe");
    simulation_snapshot_free(snapshot);
    subject_end();
}
END_TEST

Suite *simulation_snapshot_suite(void)
{
    Suite *suite = suite_create("simulation_snapshot");
    TCase *tcase = tcase_create("AMD");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, another_machine_goes_on_from_anywhere, 0, SUBJECTS);
    tcase_add_loop_test(tcase, one_machine_goes_back_and_forth, 0, 2 * SUBJECTS);
    tcase_add_test(tcase, another_run_refuses_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
