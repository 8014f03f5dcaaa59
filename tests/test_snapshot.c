/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of a machine that replays a recorded program: taken between any two events, restored
 * into the same machine and into a second one, the run goes on exactly as it did.
 * GFE_TEST_TRACE names another trace to try it with.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/sim/simulation.h"
#include "emu/engine/random.h"
#include "tests/suites.h"
#include "traces/import/import_nvt.h"

enum { POINTS_MAX = 12, HEX_BYTES = 65 };

/* A point of the first run. */
struct point {
    struct machine_snapshot *snapshot;
    char hash[HEX_BYTES];
};

struct run {
    struct replay_input *input;
    struct simulation *first, *second;
    struct point points[POINTS_MAX];
    uint32_t point_count;
    char final_hash[HEX_BYTES];
    uint8_t *final_log;
    uint64_t final_log_bytes;
};

/* The small recording of the fuzz corpus, or the trace that the user names. */
static struct replay_input *load(struct gfe_error *error)
{
    const char *named = getenv("GFE_TEST_TRACE"), *top = getenv("top_srcdir");
    char path[4096], trace[40];
    struct replay_input *input;
    FILE *file;
    int fd;

    if (named)
        return replay_load(named, error);
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/nvt/small.nvt", top ? top : ".");
    file = fopen(path, "rb");
    fd = memfd_create("test", MFD_CLOEXEC);
    ck_assert_msg(file && fd >= 0, "%s cannot be read", path);
    snprintf(trace, sizeof trace, "/proc/self/fd/%d", fd);
    ck_assert_msg(import_nvt(file, path, fd, "test", error), "%s", error->text);
    input = replay_load(trace, error);
    ck_assert_int_eq(fclose(file) | close(fd), 0);
    return input;
}

static struct simulation *wire(const struct replay_input *input)
{
    const struct simulation_options options = {.seed = 3};
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(input, &options, &error);

    ck_assert_msg(simulation != NULL, "%s", error.text);
    return simulation;
}

static uint32_t count_events(const struct replay_input *input)
{
    struct simulation *simulation = wire(input);
    uint32_t count = 0;

    while (machine_step(simulation->machine))
        count++;
    ck_assert(!machine_failed(simulation->machine));
    simulation_free(simulation);
    return count;
}

static void take_point(struct run *run)
{
    struct machine *machine = run->first->machine;
    struct point *point = &run->points[run->point_count++];

    point->snapshot = machine_take(machine);
    ck_assert_ptr_nonnull(point->snapshot);
    ck_assert(machine_hash(machine, point->hash));
}

/* The first run, with snapshots spread over it, one before the first event. */
static void run_start(struct run *run)
{
    struct gfe_error error = {0};
    struct machine *machine;
    uint32_t event_count, done = 0;
    const uint8_t *log;

    *run = (struct run){.input = load(&error)};
    ck_assert_msg(run->input != NULL, "%s", error.text);
    event_count = count_events(run->input);
    ck_assert_uint_gt(event_count, 10);
    run->first = wire(run->input);
    run->second = wire(run->input);
    machine = run->first->machine;
    take_point(run);
    while (machine_step(machine))
        if (++done * (POINTS_MAX - 1) / event_count >= run->point_count)
            take_point(run);
    ck_assert_uint_gt(run->point_count, 5);
    ck_assert(machine_hash(machine, run->final_hash));
    log = event_log_bytes(&machine->log, &run->final_log_bytes);
    run->final_log = malloc(run->final_log_bytes);
    ck_assert(run->final_log && run->final_log_bytes > 0);
    memcpy(run->final_log, log, run->final_log_bytes);
}

static void run_end(struct run *run)
{
    for (uint32_t i = 0; i < run->point_count; i++)
        machine_snapshot_free(run->points[i].snapshot);
    free(run->final_log);
    simulation_free(run->first);
    simulation_free(run->second);
    replay_input_free(run->input);
}

/* Restores a point and goes on: state, memory and the whole log are those of the first run. */
static void go_on_from(const struct run *run, struct machine *machine, const struct point *point)
{
    char hash[HEX_BYTES];
    const uint8_t *log;
    uint64_t log_bytes;

    ck_assert(machine_restore(machine, point->snapshot));
    ck_assert(machine_hash(machine, hash));
    ck_assert_str_eq(hash, point->hash);
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert(machine_hash(machine, hash));
    ck_assert_str_eq(hash, run->final_hash);
    log = event_log_bytes(&machine->log, &log_bytes);
    ck_assert_uint_eq(log_bytes, run->final_log_bytes);
    ck_assert_int_eq(memcmp(log, run->final_log, log_bytes), 0);
}

START_TEST(a_machine_goes_on_from_any_snapshot_as_it_did)
{
    struct random_state random;
    struct run run;

    random_seed(&random, 5, 0);
    run_start(&run);
    for (uint32_t i = run.point_count; i-- > 0;)
        go_on_from(&run, run.first->machine, &run.points[i]);
    for (unsigned i = 0; i < 6; i++)
        go_on_from(&run, run.first->machine, &run.points[random_below(&random, run.point_count)]);
    run_end(&run);
}
END_TEST

START_TEST(a_second_machine_goes_on_as_the_first_did)
{
    struct run run;

    run_start(&run);
    for (uint32_t i = 0; i < run.point_count; i += 2)
        go_on_from(&run, run.second->machine, &run.points[i]);
    run_end(&run);
}
END_TEST

/* A run that went another way in between (a fault was injected, a policy changed) must leave
 * nothing of it in the log. */
START_TEST(what_another_way_logged_is_gone_after_a_restore)
{
    struct run run;
    struct machine *machine;
    uint64_t log_bytes;

    run_start(&run);
    machine = run.first->machine;
    ck_assert(machine_restore(machine, run.points[0].snapshot));
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    (void)event_log_bytes(&machine->log, &log_bytes);
    memset(machine->log.bytes, 0xff, log_bytes);
    go_on_from(&run, machine, &run.points[run.point_count / 2]);
    run_end(&run);
}
END_TEST

/* Two machines in one process do not know of each other. */
START_TEST(two_machines_run_side_by_side)
{
    struct run run;
    struct simulation *a, *b;
    char hash[HEX_BYTES];
    bool more_a = true, more_b = true;

    run_start(&run);
    a = wire(run.input);
    b = wire(run.input);
    while (more_a || more_b) {
        more_a = machine_step(a->machine);
        more_b = machine_step(b->machine) && machine_step(b->machine);
    }
    ck_assert(machine_hash(a->machine, hash));
    ck_assert_str_eq(hash, run.final_hash);
    ck_assert(machine_hash(b->machine, hash));
    ck_assert_str_eq(hash, run.final_hash);
    simulation_free(a);
    simulation_free(b);
    run_end(&run);
}
END_TEST

Suite *snapshot_suite(void)
{
    Suite *suite = suite_create("snapshot");
    TCase *tcase = tcase_create("replay");

    tcase_add_test(tcase, a_machine_goes_on_from_any_snapshot_as_it_did);
    tcase_add_test(tcase, a_second_machine_goes_on_as_the_first_did);
    tcase_add_test(tcase, what_another_way_logged_is_gone_after_a_restore);
    tcase_add_test(tcase, two_machines_run_side_by_side);
    suite_add_tcase(suite, tcase);
    return suite;
}
