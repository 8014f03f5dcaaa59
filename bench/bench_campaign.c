/* SPDX-License-Identifier: MIT */
/*
 * Experiments of a fault campaign on the recorded compute stream (fewer than 1,000 operations), one
 * process, log and database left out: drawn from the sites of a channel, beside the same faults
 * injected from the start; a fault early and late in the run; and with two processes beside one, by
 * the clock, which says little where others want the cores.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench/bench.h"
#include "emu/faults/campaign_workers.h"
#include "emu/faults/inject_run.h"
#include "tests/inject_run_parse.h"

enum {
    EXPERIMENTS = CAMPAIGN_RANGE_MAX,
    FROM_START = 20,
    LATE_PS = 10000000,
    SHARED = 8000,
    CPU_REPEATS = 7
};

static const char plan_text[] =
    "{\"programs\": [\"x\"], \"margin\": \"1%\", \"confidence\": \"99%\", \"faults\": ["
    "{\"site\": \"doorbell\", \"models\": [\"flip\", \"drop\"]},"
    "{\"site\": \"gp_put\", \"models\": [\"flip\"]},"
    "{\"site\": \"gp_entry\", \"models\": [\"flip\", \"drop\"]},"
    "{\"site\": \"header\", \"models\": [\"flip\"]},"
    "{\"site\": \"data\", \"models\": [\"flip\"]},"
    "{\"site\": \"release\", \"models\": [\"flip\", \"drop\"]}]}";

static const struct simulation_options options;
static struct replay_input *input;
static struct any_program program;
static struct campaign_run run;
static struct campaign_run *const runs[] = {&run};
static struct campaign_space space;
static struct inject_run whole;
static uint64_t at;

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_campaign: %s\n", what);
    exit(1);
}

static void parse(uint64_t i, struct inject_fault *fault)
{
    struct gfe_error error = {0};
    char text[INJECT_SET_MAX];

    (void)campaign_space_fault(&space, i % space.experiment_count, text);
    if (!inject_run_parse(&whole, text, fault, &error))
        fail(error.text);
}

static uint64_t experiments(void *context)
{
    uint64_t ids[CAMPAIGN_RANGE_MAX];
    struct gfe_error error = {0};
    struct campaign_row row;

    (void)context;
    if (at + EXPERIMENTS > space.experiment_count)
        at = 0;
    campaign_work_order(&space, at, at + EXPERIMENTS, ids);
    for (uint32_t i = 0; i < EXPERIMENTS; i++)
        if (!campaign_work_one(&space, ids[i], &row, &error))
            fail(error.text);
    at += EXPERIMENTS;
    return EXPERIMENTS;
}

static uint64_t from_start(void *context)
{
    struct inject_experiment experiment;
    struct gfe_error error = {0};
    struct inject_fault fault;
    struct outcome outcome;

    (void)context;
    for (uint32_t i = 0; i < FROM_START; i++) {
        parse(at++, &fault);
        if (!inject_run_make(&whole, &fault, 1, UINT64_MAX, &experiment, &outcome, &error))
            fail(error.text);
        inject_experiment_fini(&experiment);
    }
    return FROM_START;
}

/* One fault, many times; `context` is its text. */
static uint64_t same_fault(void *context)
{
    struct campaign_result result;
    struct gfe_error error = {0};
    struct inject_fault fault;

    if (!inject_run_parse(&whole, context, &fault, &error))
        fail(error.text);
    for (uint32_t i = 0; i < EXPERIMENTS; i++)
        if (!campaign_run_make(&run, &fault, 1, &result, &error))
            fail(error.text);
    return EXPERIMENTS;
}

/* ---- processes ------------------------------------------------------------------------------- */

struct share {
    uint32_t workers;
    uint64_t next, done;
};

static bool share_next(void *context, uint64_t most, uint64_t *first, uint64_t *last)
{
    struct share *share = context;

    *first = share->next;
    *last = share->next + most < SHARED ? share->next + most : SHARED;
    share->next = *last;
    return *last > *first;
}

static uint64_t share_left(void *context)
{
    const struct share *share = context;

    return SHARED - share->next;
}

static bool share_done(void *context, const struct campaign_row *row, struct gfe_error *error)
{
    struct share *share = context;

    (void)row;
    (void)error;
    share->done++;
    return true;
}

static bool share_look(void *context, struct gfe_error *error)
{
    (void)context;
    (void)error;
    return true;
}

/* The same experiments, by so many processes. */
static uint64_t shared(void *context)
{
    struct share *share = context;
    const struct campaign_work work = {&space,     share_next, share_left,
                                       share_done, share_look, share};
    struct gfe_error error = {0};

    share->next = share->done = 0;
    if (!campaign_work(&work, share->workers, &error))
        fail(error.text);
    return share->done;
}

/* Returns the processor time of the child processes so far.  It shows what is lost by sharing the
 * work, even if other programs use the cores.  The least of some times counts, because others
 * disturb the caches. */
static double children_s(void)
{
    struct rusage usage;

    (void)getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double shared_cpu_s(struct share *share)
{
    double least_s = 1e9;

    for (int i = 0; i < CPU_REPEATS; i++) {
        const double before_s = children_s();

        (void)shared(share);
        if (children_s() - before_s < least_s)
            least_s = children_s() - before_s;
    }
    return least_s;
}

static uint64_t set_up(void *context)
{
    static struct campaign_run other;
    struct gfe_error error = {0};

    (void)context;
    if (!campaign_run_init(&other, &program, &options, LATE_PS, UINT64_MAX, &error))
        fail(error.text);
    campaign_run_fini(&other);
    return 1;
}

int main(void)
{
    static char early[] = "interrupt spurious @1us", late[64];
    static struct share one = {.workers = 1}, two = {.workers = 2};
    // clang-format off
    const struct bench_case cases[] = {
        {.name = "experiments", .unit = "experiments/s", .target = 10000,
         .subject = {"snapshots", .run = experiments}, .controls = {{"from_start", .run = from_start}}},
        {.name = "late_fault", .unit = "us",
         .subject = {"late", .run = same_fault, .context = late},
         .controls = {{"early", .run = same_fault, .context = early}}},
        {.name = "processes", .unit = "experiments/s", .repeats = 5,
         .subject = {"two", .run = shared, .context = &two, .target_ratio = 1.8},
         .controls = {{"one", .run = shared, .context = &one}}},
        {.name = "set_up", .unit = "ms", .subject = {"golden", .run = set_up}},
    };
    // clang-format on
    const char *folder = getenv("top_srcdir");
    struct bench *bench = bench_begin("bench_campaign");
    struct gfe_error error = {0};
    struct campaign_plan *plan;
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/compute.gft", folder ? folder : ".");
    program.input = input = replay_load(path, &error);
    plan = input ? campaign_plan_parse(plan_text, strlen(plan_text), "plan", &error) : NULL;
    if (!plan || !campaign_run_init(&run, &program, &options, LATE_PS, UINT64_MAX, &error) ||
        !inject_run_init(&whole, &program, &options, LATE_PS, &error) ||
        !campaign_space_init(&space, plan, runs, "1", &error))
        fail(error.text);
    (void)snprintf(late, sizeof late, "interrupt spurious @%lluus",
                   (unsigned long long)(run.end_ps / 1000000 - 1));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        bench_run(bench, &cases[i]);
    bench_note(bench,
               "processes: by the clock; by_cpu_time has only the process that waits for them");
    bench_value(bench, "processes_cpu", "times", shared_cpu_s(&two) / shared_cpu_s(&one), 0, false);
    bench_value(bench, "golden_events", "events", (double)run.event_count, 0, false);
    bench_value(bench, "points", "snapshots", (double)run.point_count, 0, false);
    bench_value(bench, "written_pages", "pages", (double)run.simulation.machine->arena.watch->count,
                0, false);
    campaign_space_fini(&space);
    campaign_plan_free(plan);
    campaign_run_fini(&run);
    inject_run_fini(&whole);
    replay_input_free(input);
    return bench_end(bench);
}
