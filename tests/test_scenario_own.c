/* SPDX-License-Identifier: MIT */
/*
 * gfe's own scenarios (docs/scenario.schema.json): what each member does, what is refused and
 * where, and the poster's task systems (Yang and Anderson 2017) on the models yang17.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define MS                      (1000 * GFE_PS_PER_US)
#define S                       (1000 * MS)
#define OWN(processes)          "{\"gfe_scenario\":1,\"name\":\"test\",\"processes\":[" processes "]}"
#define PROCESS(streams, tasks) "{\"streams\":[" streams "],\"tasks\":[" tasks "]}"
#define S1                      "{\"name\":\"s\"}"
#define TASK(more, calls)       "{" more "\"calls\":[" calls "]}"
#define LAUNCH(name, more)                                                                         \
    "{\"launch\":{\"name\":\"" name "\",\"blocks\":1,\"threads\":32," more "}}"

static struct cuda_run run;

static void begin(const char *gpu, const char *text)
{
    const char *const files[] = {text, NULL};

    cuda_run_begin(&run, gpu, 0, files, NULL);
}

/* ---- the poster ------------------------------------------------------------------------------ */

/* R(3, j) = 1 + epsilon j for every job, to the few microseconds that a launch takes. */
START_TEST(response_times_grow_without_bound)
{
    static const struct {
        const char *gpu, *file;
        uint64_t utilisation_ppm; /* (m - b_max + 1) and what epsilon adds */
    } systems[] = {{"yang17", "yang2017-counterexample", 7008000},
                   {"yang17-7", "yang2017-counterexample-7", 4004000},
                   {"yang17-32", "yang2017-counterexample-32", 23030000}};
    struct cuda_run_operation job;

    begin(systems[_i].gpu, systems[_i].file);
    ck_assert_uint_eq(run.scenario->utilisation_ppm, systems[_i].utilisation_ppm);
    for (uint32_t j = 1; j <= 20; j++) {
        const gfe_ps released_ps = (j - 1) * S + 200 * GFE_PS_PER_US;
        gfe_ps response_ps;

        cuda_run_kernel(&run, "tau3", j - 1, &job);
        ck_assert_uint_ge(job.called_ps, released_ps);
        response_ps = job.completed_ps - released_ps;
        /* tau3 is released 0.2 ms behind the others. */
        ck_assert_msg(response_ps > S + j * MS - 250 * GFE_PS_PER_US &&
                          response_ps < S + j * MS + 50 * GFE_PS_PER_US,
                      "job %u: %g s", j, (double)response_ps / S);
    }
    cuda_run_end(&run);
}
END_TEST

/* Y.R1: the threads of the whole GPU are what a block waits for; Y.R2: behind its own last job. */
START_TEST(one_pool_of_threads)
{
    struct cuda_run_operation job;
    uint32_t waits = 0;

    begin("yang17", "yang2017-counterexample");
    for (uint32_t i = 0; i < run.event_count; i++) {
        waits += run.events[i].kind == EVENT_WAIT && run.events[i].rule == RULE_Y_R1;
        ck_assert(run.events[i].kind != EVENT_WAIT || run.events[i].rule != RULE_T_R2);
    }
    ck_assert_uint_gt(waits, 19);
    cuda_run_kernel(&run, "tau3", 5, &job);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, job.operation_id, RULE_Y_R2),
                      4 * MS);
    cuda_run_golden(&run, "yang2017.events");
    cuda_run_end(&run);
}
END_TEST

/* ---- members --------------------------------------------------------------------------------- */

static struct cuda_run_operation kernel(const char *name, uint32_t n)
{
    static struct cuda_run_operation found;

    cuda_run_kernel(&run, name, n, &found);
    return found;
}

START_TEST(periods_count_from_the_release)
{
    begin("gtx1060",
          OWN(PROCESS("{\"name\":\"s\"}", TASK("\"release\":0.01,\"period\":0.02,\"iterations\":3,",
                                               LAUNCH("A", "\"spin\":0.005")))));
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(kernel("A", i).called_ps, (10 + 20 * i) * MS);
    ck_assert_uint_eq(run.simulation->cuda->responses[0].count, 3);
    ck_assert_uint_gt(run.simulation->cuda->responses[0].worst_ps, 5 * MS);
    ck_assert_uint_lt(run.simulation->cuda->responses[0].worst_ps, 6 * MS);
    cuda_run_end(&run);
}
END_TEST

/* A period that is too short: jobs queue in their stream, and are late from their releases on. */
/* For the legend of pictures; a stream that has no name of its own has none. */
START_TEST(names_of_streams_stand_in_the_head)
{
    begin("gtx1060", OWN(PROCESS("{\"name\":\"s\"},{\"name\":\"t t\"}",
                                 TASK("", LAUNCH("A", "\"spin\":0.005")))));
    ck_assert_ptr_nonnull(
        strstr(run.scenario->json, "\"stream_names\":{\"0\":\"s\",\"1\":\"t t\"}"));
    cuda_run_end(&run);
    begin("yang17", "yang2017-counterexample");
    ck_assert_ptr_null(strstr(run.scenario->json, "stream_names"));
    cuda_run_end(&run);
}
END_TEST

START_TEST(jobs_that_are_late_count_from_their_releases)
{
    begin("gtx1060", OWN(PROCESS("{\"name\":\"s\"}", TASK("\"period\":0.002,\"iterations\":10,",
                                                          LAUNCH("A", "\"work\":0.003")))));
    ck_assert_uint_gt(run.simulation->cuda->responses[0].last_ps, 11 * MS);
    ck_assert_uint_eq(run.simulation->cuda->responses[0].worst_iteration, 9);
    cuda_run_end(&run);
}
END_TEST

START_TEST(streams_priorities_events_and_copies)
{
    struct cuda_run_operation a, b, c, d, copied;

    begin("tx2", OWN(PROCESS("{\"name\":\"low\"},{\"name\":\"high\",\"priority\":1,\"kind\":"
                             "\"non-blocking\"},{\"name\":\"zero\",\"kind\":\"null\"}",
                             TASK("\"name\":\"t\",",
                                  "{\"launch\":{\"name\":\"A\",\"blocks\":8,\"threads\":1024,"
                                  "\"registers\":16,\"spin\":0.01}},"
                                  "{\"record\":\"e\"},"
                                  "{\"stream\":\"high\",\"launch\":{\"name\":\"B\",\"blocks\":4,"
                                  "\"threads\":1024,\"registers\":16,\"spin\":0.01}},"
                                  "{\"stream\":\"high\",\"wait\":\"e\"},"
                                  "{\"stream\":\"high\",\"launch\":{\"name\":\"C\",\"blocks\":1,"
                                  "\"threads\":32,\"loops\":1000}},"
                                  "{\"stream\":\"zero\",\"copy\":{\"bytes\":4096,\"direction\":"
                                  "\"to host\",\"synchronous\":true}},"
                                  "{\"memset\":{\"bytes\":4096}},{\"sleep\":0.001},"
                                  "{\"synchronize\":\"device\"}," LAUNCH("D", "\"spin\":0")))));
    a = kernel("A", 0);
    b = kernel("B", 0);
    c = kernel("C", 0);
    d = kernel("D", 0);
    cuda_run_copy(&run, "t", 2, &copied); /* behind the record and the wait */
    ck_assert_uint_gt(a.blocks[4].start_ps, b.blocks[3].start_ps); /* T.A2 */
    ck_assert_uint_ge(c.submitted_ps, a.completed_ps);
    ck_assert_uint_ge(copied.started_ps, a.completed_ps); /* T.N1 */
    ck_assert_uint_ge(d.called_ps, copied.completed_ps);
    cuda_run_golden(&run, "rule_cuda_event.events");
    cuda_run_end(&run);
}
END_TEST

/* Two SMs: registers let two blocks of the first kernel on each, slots 32 of the second. */
START_TEST(registers_and_slots_bound_the_blocks_of_an_sm)
{
    struct cuda_run_operation large, small;

    begin("tx2", OWN(PROCESS(S1, TASK("", "{\"launch\":{\"name\":\"large\",\"blocks\":5,"
                                          "\"threads\":256,\"registers\":128,\"spin\":0.001}},"
                                          "{\"synchronize\":\"stream\"},"
                                          "{\"launch\":{\"name\":\"small\",\"blocks\":65,"
                                          "\"threads\":32,\"registers\":8,\"spin\":0.001}}"))));
    large = kernel("large", 0);
    small = kernel("small", 0);
    ck_assert_uint_ge(large.blocks[4].start_ps, large.blocks[0].end_ps);
    ck_assert_uint_lt(large.blocks[3].start_ps, large.blocks[0].end_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, large.hardware_id, RULE_T_REG),
                      MS - MS / 100);
    ck_assert_uint_ge(small.blocks[64].start_ps, small.blocks[0].end_ps);
    ck_assert_uint_lt(small.blocks[63].start_ps, small.blocks[0].end_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, small.hardware_id, RULE_T_SLOT),
                      MS - MS / 100);
    cuda_run_golden(&run, "rule_t_reg_slot.events");
    cuda_run_end(&run);
}
END_TEST

/* T.P2: a kernel of high priority is stopped for another process's of low priority, too. */
START_TEST(priorities_have_no_effect_between_processes)
{
    struct cuda_run_operation low, high;
    uint32_t stopped = 0;

    begin("tx2", OWN(PROCESS(S1, TASK("", LAUNCH("low", "\"work\":0.003"))) "," PROCESS(
                     "{\"name\":\"h\",\"priority\":1,\"kind\":\"non-blocking\"}",
                     TASK("", LAUNCH("high", "\"work\":0.003")))));
    low = kernel("low", 0);
    high = kernel("high", 0);
    ck_assert_uint_gt(low.blocks[0].end_ps - low.blocks[0].start_ps, 5 * MS);
    ck_assert_uint_gt(high.blocks[0].end_ps - high.blocks[0].start_ps, 5 * MS);
    for (uint32_t i = 0; i < run.event_count; i++)
        stopped += run.events[i].kind == EVENT_GRID_SUSPEND && run.events[i].rule == RULE_T_P2;
    ck_assert_uint_ge(stopped, 2);
    cuda_run_golden(&run, "rule_t_p2.events");
    cuda_run_end(&run);
}
END_TEST

/* ---- default streams ------------------------------------------------------------------------- */

#define DEFAULTS(more, streams, first, second)                                                     \
    OWN("{" more "\"streams\":[" streams "],\"tasks\":["                                           \
        "{\"name\":\"first\",\"calls\":[" first "]},"                                              \
        "{\"name\":\"second\",\"release\":0.0005,\"calls\":[" second "]}]}")
#define NULL_STREAM "{\"name\":\"d\",\"kind\":\"null\"}"
#define AND(name, more, stream)                                                                    \
    "{\"stream\":\"" stream "\",\"launch\":{\"name\":\"" name                                      \
    "\",\"blocks\":1,\"threads\":32," more "}}"

static bool together(const struct cuda_run_operation *of, const char *other)
{
    const struct cuda_run_operation against = kernel(other, 0);

    return of->blocks[0].start_ps < against.blocks[0].end_ps &&
           against.blocks[0].start_ps < of->blocks[0].end_ps;
}

static uint32_t streams_of_kind(uint64_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == EVENT_CUDA_STREAM &&
                 event_cuda_stream_of(&run.events[i]).kind == kind &&
                 (kind != CUDA_PER_THREAD_STREAM || run.events[i].rule == RULE_CUDA_PER_THREAD);
    return count;
}

/* Stream 0 of two host threads: one stream (legacy), or one of each; by the scenario's own word,
 * which counts more than the option's, or by the option's. */
/* PROMISE (sim): Default streams are those of the process or of the thread, as the scenario
 * says. */
START_TEST(the_default_stream_is_the_processs_or_the_threads)
{
    static const struct {
        const char *text, *option;
        bool per_thread;
    } cases[] = {
        {DEFAULTS("", NULL_STREAM, LAUNCH("A", "\"spin\":0.003"), LAUNCH("B", "\"spin\":0.003")),
         "legacy", false},
        {DEFAULTS("", NULL_STREAM, LAUNCH("A", "\"spin\":0.003"), LAUNCH("B", "\"spin\":0.003")),
         "per-thread", true},
        {DEFAULTS("\"default_stream\":\"per-thread\",", NULL_STREAM, LAUNCH("A", "\"spin\":0.003"),
                  LAUNCH("B", "\"spin\":0.003")),
         "legacy", true},
        {DEFAULTS("\"default_stream\":\"legacy\",", NULL_STREAM, LAUNCH("A", "\"spin\":0.003"),
                  LAUNCH("B", "\"spin\":0.003")),
         "per-thread", false},
        {DEFAULTS("", "{\"name\":\"d\",\"kind\":\"per-thread\"}", LAUNCH("A", "\"spin\":0.003"),
                  LAUNCH("B", "\"spin\":0.003")),
         "legacy", true},
        {DEFAULTS("", "{\"name\":\"d\",\"kind\":\"legacy\"}", LAUNCH("A", "\"spin\":0.003"),
                  LAUNCH("B", "\"spin\":0.003")),
         "per-thread", false},
    };
    const char *const files[] = {cases[_i].text, NULL};
    const char *const settings[] = {"default-stream", cases[_i].option, NULL};
    struct cuda_run_operation a;

    cuda_run_begin(&run, "gtx1060", 0, files, settings);
    a = kernel("A", 0);
    ck_assert(together(&a, "B") == cases[_i].per_thread);
    ck_assert_uint_eq(streams_of_kind(CUDA_NULL_STREAM), !cases[_i].per_thread);
    ck_assert_uint_eq(streams_of_kind(CUDA_PER_THREAD_STREAM), cases[_i].per_thread ? 2 : 0);
    cuda_run_end(&run);
}
END_TEST

/* A thread's default stream and the NULL stream wait for each other (T.N1, T.N2); it and a blocking
 * stream, a non-blocking one, or another thread's do not. */
START_TEST(per_thread_default_streams_meet_the_null_stream_alone)
{
    struct cuda_run_operation a, b, c, d;

    begin("gtx1060", DEFAULTS("\"default_stream\":\"per-thread\",",
                              NULL_STREAM ",{\"name\":\"l\",\"kind\":\"legacy\"},{\"name\":\"s\"},"
                                          "{\"name\":\"n\",\"kind\":\"non-blocking\"}",
                              AND("A", "\"spin\":0.003", "d") "," AND(
                                  "B", "\"spin\":0.003", "s") "," AND("N", "\"spin\":0.02", "n"),
                              AND("O", "\"spin\":0.003", "d") ",{\"sleep\":0.001}," AND(
                                  "C", "\"spin\":0.003", "l") "," AND("D", "\"spin\":0.003", "d")));
    a = kernel("A", 0);
    ck_assert(together(&a, "B") && together(&a, "N") && together(&a, "O"));
    c = kernel("C", 0);
    b = kernel("O", 0);
    ck_assert_uint_ge(c.submitted_ps, a.completed_ps);
    ck_assert_uint_ge(c.submitted_ps, b.completed_ps);
    ck_assert(together(&c, "N"));
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, c.operation_id, RULE_T_N1), MS);
    d = kernel("D", 0);
    ck_assert_uint_ge(d.submitted_ps, c.completed_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, d.operation_id, RULE_T_N2), MS);
    cuda_run_golden(&run, "rule_cuda_per_thread.events");
    cuda_run_end(&run);
}
END_TEST

/* "null" and what it stands for are two names of one stream. */
START_TEST(two_names_of_the_default_stream_are_one_stream)
{
    static const char *const words[] = {"legacy", "per-thread"};
    char text[1024];
    struct cuda_run_operation a;

    (void)snprintf(text, sizeof text,
                   DEFAULTS("\"default_stream\":\"%s\",",
                            NULL_STREAM ",{\"name\":\"e\",\"kind\":\"%s\"}",
                            AND("A", "\"spin\":0.001", "d") "," AND("B", "\"spin\":0.001", "e"),
                            "{\"sleep\":0.001}"),
                   words[_i], words[_i]);
    begin("gtx1060", text);
    a = kernel("A", 0);
    ck_assert(!together(&a, "B"));
    /* That of the other thread, which sleeps, is not the first one's. */
    ck_assert_uint_eq(run.scenario->program.stream_count, _i == 0 ? 1 : 2);
    cuda_run_end(&run);
}
END_TEST

/* Comments are free, and may speak of launches from the device. */
START_TEST(comments_ask_for_nothing)
{
    begin("gtx1060",
          OWN(PROCESS(S1, TASK("\"comment\":{\"device_launch\":1},", LAUNCH("A", "\"spin\":0")))));
    ck_assert_uint_ne(kernel("A", 0).completed_ps, 0);
    cuda_run_end(&run);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text, *says;
} refused[] = {
    {"{\"gfe_scenario\":2,\"processes\":[]}", ": gfe_scenario: 2 is more than 1"},
    {"{\"gfe_scenario\":1}", NULL},
    {OWN("{}"), NULL},
    {OWN("{\"streams\":[" S1 "],\"tasks\":[],\"colour\":1}"),
     ": processes[0].colour: there is no such setting"},
    {OWN(PROCESS(S1, TASK("", "{\"launch\":{\"blocks\":1,\"threads\":32,\"colour\":1}}"))),
     ": processes[0].tasks[0].calls[0].launch.colour: there is no such setting"},
    {OWN(PROCESS(S1, TASK("", "{\"launch\":{\"blocks\":-1,\"threads\":32}}"))),
     ": processes[0].tasks[0].calls[0].launch.blocks: -1 is not a number of blocks"},
    {OWN(PROCESS(S1, TASK("", "{\"launch\":{\"blocks\":1,\"threads\":4096}}"))),
     ": processes[0].tasks[0].calls[0].launch.threads: a block of the GPU has at most 1024 "
     "threads, "
     "not 4096"},
    {OWN(PROCESS(S1, TASK("", "{\"launch\":{\"blocks\":1,\"threads\":32,\"spin\":1,\"work\":1}}"))),
     ": processes[0].tasks[0].calls[0].launch: only one of spin, work and loops can be"},
    {OWN(PROCESS(S1, TASK("", "{\"launch\":{\"blocks\":1,\"threads\":32,\"spin\":-1}}"))), NULL},
    {OWN(PROCESS(S1, TASK("", "{\"sleep\":1,\"record\":\"e\"}"))),
     ": processes[0].tasks[0].calls[0]: a call is one of launch, copy, memset, sleep, synchronize, "
     "record, wait and allocate"},
    {OWN(PROCESS(S1, TASK("", "{\"sleep\":1,\"stream\":\"t\"}"))),
     ": processes[0].tasks[0].calls[0].stream: 't' is not the name of a stream of the process"},
    {OWN(PROCESS(S1, TASK("", "{\"copy\":{\"bytes\":1,\"direction\":\"up\"}}"))), NULL},
    {OWN(PROCESS(S1, TASK("", "{\"copy\":{\"bytes\":0,\"direction\":\"to host\"}}"))), NULL},
    {OWN(PROCESS(S1, TASK("", "{\"copy\":{\"bytes\":10,\"direction\":\"to host\",\"rows\":3}}"))),
     NULL},
    {OWN(PROCESS(
         S1,
         TASK("", "{\"copy\":{\"bytes\":10,\"direction\":\"to host\",\"memory\":\"virtual\"}}"))),
     NULL},
    {OWN(PROCESS(S1, TASK("", "{\"synchronize\":\"host\"}"))), NULL},
    {OWN(PROCESS("{\"name\":\"a\",\"kind\":\"null\"},{\"name\":\"b\",\"kind\":\"null\"}",
                 TASK("", "{\"sleep\":1}"))),
     ": processes[0].streams[1].kind: a process has one null stream"},
    {OWN(PROCESS("{\"name\":\"a\",\"kind\":\"per-thread\"},"
                 "{\"name\":\"b\",\"kind\":\"per-thread\"}",
                 TASK("", "{\"sleep\":1}"))),
     ": processes[0].streams[1].kind: a process has one per-thread stream"},
    {OWN(PROCESS("{\"name\":\"a\",\"kind\":\"per-thread\",\"priority\":1}",
                 TASK("", "{\"sleep\":1}"))),
     ": processes[0].streams[0].priority: a default stream has no priority"},
    {OWN(PROCESS("{\"name\":\"a\",\"kind\":\"zero\"}", TASK("", "{\"sleep\":1}"))),
     ": processes[0].streams[0].kind: 'zero' is not blocking, non-blocking, null, legacy or "
     "per-thread"},
    {OWN("{\"mps_thread_percentage\":0,\"streams\":[" S1 "],\"tasks\":[]}"),
     ": processes[0].mps_thread_percentage: 0 is not a percentage of threads"},
    {OWN("{\"mps_thread_percentage\":50,\"streams\":[" S1 "],\"tasks\":[]}"),
     ": processes[0].mps_thread_percentage: only clients of MPS have shares: gfe run --mps"},
    {"{\"gfe_scenario\":1,\"mps\":true,\"processes\":[{\"mps_thread_percentage\":50,\"streams\":"
     "[" S1 "],\"tasks\":[]}]}",
     ": processes[0].mps_thread_percentage: clients of MPS have shares from Volta on only"},
    {"{\"gfe_scenario\":1,\"mps\":1,\"processes\":[]}", NULL},
    {OWN("{\"start\":-1,\"streams\":[" S1 "],\"tasks\":[]}"), NULL},
    {OWN(PROCESS(S1, TASK("", "{\"allocate\":-1}"))), NULL},
    {OWN(PROCESS(S1, TASK("", "{\"allocate\":\"much\"}"))), NULL},
    {OWN("{\"default_stream\":\"own\",\"streams\":[" S1 "],\"tasks\":[]}"),
     ": processes[0].default_stream: 'own' is not legacy or per-thread"},
    {OWN(PROCESS("{\"name\":\"a\",\"priority\":8}", TASK("", "{\"sleep\":1}"))), NULL},
    {OWN(PROCESS(S1, TASK("", LAUNCH("A", "\"device_launch\":{\"blocks\":1}")))),
     ": processes[0].tasks[0].calls[0].launch.device_launch: device-side launches are not "
     "modelled: kernels are launched by host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {OWN(PROCESS(S1, TASK("", "{\"device_launch\":{\"blocks\":1,\"threads\":32}}"))),
     ": processes[0].tasks[0].calls[0].device_launch: device-side launches are not modelled: "
     "kernels are launched by host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {OWN("{\"dynamic_parallelism\":true,\"streams\":[" S1 "],\"tasks\":[]}"),
     ": processes[0].dynamic_parallelism: device-side launches are not modelled: kernels are "
     "launched by host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {OWN("{\"task_set\":{\"jobs\":1,\"tasks\":[{\"C\":1,\"T\":0,\"g\":1,\"b\":1}]}}"), NULL},
    {OWN("{\"task_set\":{\"jobs\":1,\"tasks\":[{\"C\":1,\"T\":1,\"g\":1,\"b\":9999}]}}"), NULL},
    {OWN("{\"task_set\":{\"jobs\":1,\"tasks\":[]},\"streams\":[]}"),
     ": processes[0]: a process with a task_set has no streams and tasks besides"},
    {"{\"gfe_scenario\":1,", NULL},
};

/* PROMISE (sim): What is wrong in a scenario, launches from the device included, is refused with
 * its place. */
START_TEST(what_is_not_right_is_named_with_its_place)
{
    const struct nv_chip model = {
        .sm = {.threads_per_block = 1024, .shared_bytes_per_block = 32768}};
    const struct scenario_options options = {.priority_levels = 2, .model = &model};
    char path[] = "/tmp/gfe-scenario-XXXXXX";
    const char *const paths[] = {path};
    struct gfe_error error = {0};
    struct scenario *scenario;
    const int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_gt(write(fd, refused[_i].text, strlen(refused[_i].text)), 0);
    ck_assert_int_eq(close(fd), 0);
    scenario = scenario_load(paths, 1, &options, &error);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_ptr_null(scenario);
    ck_assert_int_eq(strncmp(error.text, path, strlen(path)), 0);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    if (refused[_i].says)
        ck_assert_str_eq(error.text + strlen(path), refused[_i].says);
}
END_TEST

/* CUDA C++ Programming Guide, technical specifications by compute capability: the most shared
 * memory of a block is 48 KiB on 6.1, 64 KiB on 7.5, 163 KiB on 8.0, 99 KiB on 8.9 and 227 KiB
 * on 9.0; a kernel that wants more than 48 KiB has to opt in (cudaFuncSetAttribute).  `allowed` of
 * 0: it does not.  `says` of NULL: it is launched. */
static const struct {
    const char *gpu;
    uint32_t wanted, allowed;
    const char *says;
} shared[] = {
    {"gtx1060", 48 << 10, 0, NULL},
    {"gtx1060", (48 << 10) + 1, 0, "at most 49152 bytes, not 49153"},
    {"rtx2060", 48 << 10, 0, NULL},
    {"rtx2060", (48 << 10) + 1, 0, "more than 49152 bytes have to be allowed"},
    {"rtx2060", 64 << 10, 64 << 10, NULL},
    {"rtx2060", (64 << 10) + 1, 64 << 10, "at most 65536 bytes, not 65537"},
    {"a100", (48 << 10) + 1, 0, "more than 49152 bytes have to be allowed"},
    {"a100", 64 << 10, (64 << 10) - 1, "more than 49152 bytes have to be allowed"},
    {"a100", 163 << 10, 163 << 10, NULL},
    {"a100", (163 << 10) + 1, 163 << 10, "at most 166912 bytes, not 166913"},
    {"a100", 1024, (163 << 10) + 1,
     "max_dynamic_shared_memory: a block of the GPU has at most 166912"},
    {"rtx6000ada", 99 << 10, 99 << 10, NULL},
    {"rtx6000ada", (99 << 10) + 1, 99 << 10, "at most 101376 bytes"},
    {"h100", 227 << 10, 227 << 10, NULL},
    {"h100", (227 << 10) + 1, 227 << 10, "at most 232448 bytes"},
};

/* PROMISE (sim): A kernel that wants more than 48 KiB of shared memory has to opt in, and none gets
 * more than its GPU has for a block. */
START_TEST(more_than_48_kib_of_shared_memory_has_to_be_allowed)
{
    const struct scenario_options options = {.priority_levels = 2,
                                             .model = nv_chip_by_name(shared[_i].gpu)};
    char allowed[64] = "", text[512];
    struct gfe_error error = {0};
    struct scenario *scenario;

    if (shared[_i].allowed)
        (void)snprintf(allowed, sizeof allowed, ",\"max_dynamic_shared_memory\":%u",
                       shared[_i].allowed);
    (void)snprintf(text, sizeof text,
                   OWN(PROCESS(S1, TASK("", LAUNCH("A", "\"spin\":0,\"shared_memory\":%u%s")))),
                   shared[_i].wanted, allowed);
    scenario = scenario_parse(text, strlen(text), "s", &options, &error);
    ck_assert_msg((scenario != NULL) == (shared[_i].says == NULL), "%s", error.text);
    if (shared[_i].says)
        ck_assert_msg(strstr(error.text, shared[_i].says) != NULL, "%s", error.text);
    scenario_free(scenario);
}
END_TEST

Suite *scenario_own_suite(void)
{
    Suite *suite = suite_create("scenario_own");
    TCase *tcase = tcase_create("own");

    tcase_add_loop_test(tcase, response_times_grow_without_bound, 0, 3);
    tcase_add_test(tcase, one_pool_of_threads);
    tcase_add_test(tcase, periods_count_from_the_release);
    tcase_add_test(tcase, names_of_streams_stand_in_the_head);
    tcase_add_test(tcase, jobs_that_are_late_count_from_their_releases);
    tcase_add_test(tcase, streams_priorities_events_and_copies);
    tcase_add_test(tcase, registers_and_slots_bound_the_blocks_of_an_sm);
    tcase_add_test(tcase, priorities_have_no_effect_between_processes);
    tcase_add_loop_test(tcase, the_default_stream_is_the_processs_or_the_threads, 0, 6);
    tcase_add_test(tcase, per_thread_default_streams_meet_the_null_stream_alone);
    tcase_add_loop_test(tcase, two_names_of_the_default_stream_are_one_stream, 0, 2);
    tcase_add_test(tcase, comments_ask_for_nothing);
    tcase_add_loop_test(tcase, more_than_48_kib_of_shared_memory_has_to_be_allowed, 0,
                        sizeof shared / sizeof shared[0]);
    tcase_add_loop_test(tcase, what_is_not_right_is_named_with_its_place, 0,
                        sizeof refused / sizeof refused[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
