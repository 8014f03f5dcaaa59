/* SPDX-License-Identifier: MIT */
/*
 * Configurations of cuda_scheduling_examiner as programs, and what host threads do with them:
 * releases, iterations, limits of time, warm-up, barriers, processes, costs; and what is refused.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cuda_run.h"
#include "tests/check_json.h"
#include "tests/event_member.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
#define CONFIG(settings, benchmarks)                                                               \
    "{\"name\":\"test\",\"cuda_device\":0," settings ",\"benchmarks\":[" benchmarks "]}"
#define ONCE "\"max_iterations\":1,\"max_time\":0"
#define SPIN(label, ms, more)                                                                      \
    "{\"filename\":\"timer_spin.so\",\"label\":\"" label                                           \
    "\",\"thread_count\":64,\"block_count\":2,\"data_size\":0,\"additional_info\":" ms             \
    "000000" more "}"

static struct cuda_run run;

static void begin(const char *text)
{
    const char *const files[] = {text, NULL};

    cuda_run_begin(&run, "gtx1060", 0, files, NULL);
}

static uint32_t count(uint32_t kind, uint64_t first_argument)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        found += run.events[i].kind == kind && event_first(&run.events[i]) == first_argument;
    return found;
}

static gfe_ps time_of(uint32_t kind, uint64_t first_argument, uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && event_first(&run.events[i]) == first_argument && n-- == 0)
            return run.events[i].time_ps;
    ck_abort_msg("no such event");
}

START_TEST(tasks_are_released_and_iterate)
{
    struct cuda_run_operation first, third;

    begin(CONFIG(
        "\"max_iterations\":3,\"max_time\":0",
        SPIN("A", "2", ",\"release_time\":0.01") "," SPIN("B", "5", ",\"max_iterations\":1")));
    cuda_run_kernel(&run, "A", 0, &first);
    cuda_run_kernel(&run, "A", 2, &third);
    ck_assert_uint_eq(time_of(EVENT_CUDA_TASK, 0, 0), 10 * MS);
    ck_assert_uint_eq(first.called_ps, 10 * MS);
    ck_assert_uint_eq(first.blocks[1].end_ps - first.blocks[1].start_ps, 2 * MS);
    ck_assert_uint_ge(third.called_ps, 14 * MS);
    ck_assert_uint_lt(third.called_ps, 15 * MS);
    ck_assert_uint_eq(count(EVENT_CUDA_ITERATION, 0), 3);
    ck_assert_uint_eq(count(EVENT_CUDA_ITERATION, 1), 1);
    cuda_run_end(&run);
}
END_TEST

/* An iteration that begins before the time is over is made to its end. */
START_TEST(time_limits_what_begins)
{
    begin(CONFIG("\"max_iterations\":0,\"max_time\":0.01", SPIN("A", "4", "")));
    ck_assert_uint_eq(count(EVENT_CUDA_ITERATION, 0), 3);
    ck_assert_uint_gt(time_of(EVENT_CUDA_ITERATION, 0, 2), 12 * MS);
    cuda_run_end(&run);
}
END_TEST

/* One more iteration, before all are released; the slower one holds up the other. */
START_TEST(a_warm_up_comes_before_the_release)
{
    begin(CONFIG(ONCE ",\"do_warmup\":true", SPIN("A", "2", "") "," SPIN("B", "7", "")));
    ck_assert_uint_eq(count(EVENT_CUDA_ITERATION, 0), 1);
    ck_assert_uint_gt(time_of(EVENT_CUDA_TASK, 0, 0), 7 * MS);
    ck_assert_uint_eq(time_of(EVENT_CUDA_TASK, 0, 0), time_of(EVENT_CUDA_TASK, 1, 0));
    cuda_run_end(&run);
}
END_TEST

START_TEST(tasks_meet_before_every_iteration)
{
    begin(CONFIG("\"max_iterations\":3,\"max_time\":0,\"sync_every_iteration\":true",
                 SPIN("A", "1", "") "," SPIN("B", "6", "")));
    for (uint32_t i = 1; i < 3; i++) {
        struct cuda_run_operation a, b;

        cuda_run_kernel(&run, "A", i, &a);
        cuda_run_kernel(&run, "B", i, &b);
        ck_assert_uint_eq(a.called_ps, b.called_ps);
        ck_assert_uint_ge(a.called_ps, i * 6 * MS);
    }
    cuda_run_end(&run);
}
END_TEST

static bool print_names(FILE *file, void *context)
{
    const struct nv_chip model = {
        .sm = {.threads_per_block = 1024, .shared_bytes_per_block = 32768}};
    const struct scenario_options options = {.priority_levels = 2, .model = &model};
    struct gfe_error error = {0};
    struct scenario *scenario;

    check_json_start();
    scenario = scenario_parse(context, strlen(context), "test", &options, &error);
    if (scenario)
        fputs(scenario->json, file);
    scenario_free(scenario);
    return scenario != NULL;
}

/* Each benchmark has its label and its log in the head of the event log. */
START_TEST(names_for_the_log_are_whole_or_refused)
{
    char text[] = CONFIG(ONCE, SPIN("A", "2", ",\"log_name\":\"a.json\"") "," SPIN("B", "5", ""));

    check_json_whole(print_names, text);
}
END_TEST

/* Fig. 9 of Amert et al. 2017: kernels that each fill the SMs.  As tasks the second one runs behind
 * the first; as processes both appear to hold all threads of the GPU, and their blocks take more
 * than twice as long.  Priorities do not matter between processes (T.P2). */
#define FULL(label, more)                                                                          \
    "{\"filename\":\"mandelbrot.so\",\"label\":\"" label                                           \
    "\",\"thread_count\":1024,\"block_count\":16,\"data_size\":0,\"additional_info\":null" more    \
    "}"
static const char processes[] =
    CONFIG(ONCE ",\"use_processes\":true", FULL("P1", "") "," FULL("P2", ""));
static const char tasks[] = CONFIG(ONCE, FULL("P1", "") "," FULL("P2", ""));
static const char priorities[] =
    CONFIG(ONCE ",\"use_processes\":true",
           FULL("P1", ",\"stream_priority\":0") "," FULL("P2", ",\"stream_priority\":-1"));

START_TEST(processes_seem_to_hold_the_gpu_together)
{
    static const char *const texts[] = {tasks, processes, priorities};
    struct cuda_run_operation first, second;
    const char *const files[] = {texts[_i], NULL};
    gfe_ps took_ps;

    cuda_run_begin(&run, "tx2", 0, files, NULL);
    cuda_run_kernel(&run, "P1", 0, &first);
    cuda_run_kernel(&run, "P2", 0, &second);
    took_ps = first.blocks[0].end_ps - first.blocks[0].start_ps;
    ck_assert_uint_eq(run.scenario->program.process_count, _i == 0 ? 1 : 2);
    if (_i == 0) {
        ck_assert_uint_ge(second.blocks[0].start_ps, first.blocks[0].end_ps);
        ck_assert_uint_gt(took_ps, 5 * MS - MS / 100);
        ck_assert_uint_lt(took_ps, 5 * MS + MS / 100);
    } else {
        /* 4,096 threads each, at the same time. */
        for (uint32_t i = 4; i < 12; i++) {
            ck_assert_uint_gt(first.blocks[i].end_ps - first.blocks[i].start_ps, 10 * MS);
            ck_assert_uint_gt(second.blocks[i].end_ps - second.blocks[i].start_ps, 10 * MS);
        }
        ck_assert_uint_lt(second.blocks[7].start_ps, first.blocks[4].end_ps);
        ck_assert_uint_lt(first.blocks[7].start_ps, second.blocks[4].end_ps);
        ck_assert_uint_eq(cuda_run_waited(&run, SUBJECT_GRID, second.hardware_id, RULE_T_A2), 0);
    }
    cuda_run_end(&run);
}
END_TEST

/* A spinning kernel looks at the clock: two processes' together take no longer than one's. */
START_TEST(timer_spins_of_processes_end_by_the_clock)
{
    struct cuda_run_operation of;

    begin(CONFIG(ONCE ",\"use_processes\":true", SPIN("A", "20", "") "," SPIN("B", "20", "")));
    cuda_run_kernel(&run, "A", 0, &of);
    ck_assert_uint_lt(of.blocks[0].end_ps - of.blocks[0].start_ps, 23 * MS);
    cuda_run_kernel(&run, "B", 0, &of);
    ck_assert_uint_lt(of.blocks[0].end_ps - of.blocks[0].start_ps, 23 * MS);
    cuda_run_end(&run);
}
END_TEST

START_TEST(a_hosted_configuration_begins_with_its_host)
{
    struct cuda_run_operation of;

    begin(CONFIG(ONCE, "{\"filename\":\"task_host.so\",\"thread_count\":1,\"block_count\":1,"
                       "\"data_size\":0,\"release_time\":0.02,\"additional_info\":" CONFIG(
                           ONCE, SPIN("inner", "1", ",\"release_time\":0.005")) "}"));
    cuda_run_kernel(&run, "inner", 0, &of);
    ck_assert_uint_ge(of.called_ps, 25 * MS);
    ck_assert_uint_lt(of.called_ps, 26 * MS);
    cuda_run_end(&run);
}
END_TEST

/* Benchmarks that use the default stream, in a tool that is built with --default-stream per-thread:
 * timer_spin_default_stream, use_null_stream, and calls without a stream. */
#define NULL_SPIN(label)                                                                           \
    "{\"filename\":\"timer_spin_default_stream.so\",\"label\":\"" label                            \
    "\",\"thread_count\":64,\"block_count\":2,\"data_size\":0,\"additional_info\":3000000}"
START_TEST(the_tools_default_stream_may_be_the_threads)
{
    static const char *const words[] = {"legacy", "per-thread"};
    const char *const files[] = {
        CONFIG(ONCE, NULL_SPIN("A") "," NULL_SPIN("B") "," SPIN("C", "3", "")), NULL};
    const char *const settings[] = {"default-stream", words[_i], NULL};
    struct cuda_run_operation a, b, c;

    cuda_run_begin(&run, "gtx1060", 0, files, settings);
    cuda_run_kernel(&run, "A", 0, &a);
    cuda_run_kernel(&run, "B", 0, &b);
    cuda_run_kernel(&run, "C", 0, &c);
    ck_assert(_i == (b.blocks[0].start_ps < a.blocks[0].end_ps));
    ck_assert(_i == (c.blocks[0].start_ps < a.blocks[0].end_ps));
    ck_assert_uint_eq(run.scenario->program.stream_count, _i ? 3 : 2);
    cuda_run_end(&run);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text, *says;
} refused[] = {
    {CONFIG(ONCE, SPIN("A", "1", ",\"colour\":1")),
     ": benchmarks[0].colour: there is no such setting"},
    {CONFIG(ONCE, "{\"filename\":\"timer_spin.so\",\"thread_count\":64,\"block_count\":-2,"
                  "\"data_size\":0,\"additional_info\":1}"),
     ": benchmarks[0].block_count: -2 is not a number of blocks"},
    {CONFIG(ONCE, "{\"filename\":\"timer_spin.so\",\"thread_count\":2048,\"block_count\":2,"
                  "\"data_size\":0,\"additional_info\":1}"),
     ": benchmarks[0].thread_count: 2048 is more than 1024"},
    {CONFIG(ONCE, "{\"filename\":\"sharedmem_timer_spin.so\",\"thread_count\":64,\"block_count\":2,"
                  "\"data_size\":0,\"additional_info\":{\"duration\":1,"
                  "\"shared_memory_size\":10240}}"),
     NULL},
    {CONFIG(ONCE, "{\"filename\":\"raytracer.so\",\"thread_count\":64,\"block_count\":2,"
                  "\"data_size\":0}"),
     ": benchmarks[0].filename: there is no model of the benchmark 'raytracer'"},
    {CONFIG(ONCE, SPIN("A", "1", ",\"device_launch\":true")),
     ": benchmarks[0].device_launch: device-side launches are not modelled: kernels are launched "
     "by host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {CONFIG(ONCE, SPIN("A", "1", "") ",{\"filename\":\"mandelbrot.so\",\"thread_count\":64,"
                                     "\"block_count\":2,\"data_size\":0,\"additional_info\":"
                                     "{\"device_launches\":[1]}}"),
     ": benchmarks[1].additional_info.device_launches: device-side launches are not modelled: "
     "kernels are launched by host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {CONFIG(ONCE, "{\"filename\":\"./bin/cdp_spin.so\",\"thread_count\":64,\"block_count\":2,"
                  "\"data_size\":0}"),
     ": benchmarks[0].filename: device-side launches are not modelled: kernels are launched by "
     "host "
     "threads only, not by kernels (CUDA dynamic parallelism)"},
    {CONFIG("\"max_iterations\":2,\"max_time\":0",
            "{\"filename\":\"task_host.so\",\"thread_count\":1,\"block_count\":1,\"data_size\":0,"
            "\"additional_info\":" CONFIG(ONCE, SPIN("inner", "1", "")) "}"),
     ": benchmarks[0].max_iterations: a task_host that runs its benchmarks more than once is not "
     "modelled"},
};

START_TEST(what_is_not_right_is_named)
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
    if (refused[_i].says) {
        ck_assert_int_eq(strncmp(error.text, path, strlen(path)), 0);
        ck_assert_str_eq(error.text + strlen(path), refused[_i].says);
    } else {
        ck_assert_msg(strstr(error.text, "at most 32768 bytes of shared memory") != NULL, "%s",
                      error.text);
    }
}
END_TEST

/* What the tool runs, or what a run can do without: with a line each; without a cost it is ASSUMED.
 */
static const struct {
    const char *text, *warns, *assumes;
} taken[] = {
    {CONFIG(ONCE, SPIN("A", "1", ",\"mps_thread_percentage\":50")),
     ": benchmarks[0].mps_thread_percentage is left out: it has an effect with use_processes only\n",
     ""},
    {CONFIG(ONCE ",\"use_processes\":true", SPIN("A", "1", ",\"mps_thread_percentage\":50")),
     ": benchmarks[0].mps_thread_percentage is left out: only clients of MPS have shares: gfe run "
     "--mps\n",
     ""},
    {CONFIG(ONCE, "{\"filename\":\"random_walk.so\",\"thread_count\":64,\"block_count\":2,"
                  "\"data_size\":0}"),
     "", "random_walk"},
    {CONFIG(ONCE, "{\"filename\":\"cpu_random_walk.so\",\"thread_count\":64,\"block_count\":2,"
                  "\"data_size\":0}"),
     ": benchmarks[0] (cpu_random_walk) is left out: it uses no GPU\n", ""},
};

START_TEST(what_has_no_effect_is_left_out_with_a_line)
{
    static const struct nv_chip model = {.sm = {.threads_per_block = 1024,
                                                .threads_per_sm = 2048,
                                                .shared_bytes_per_block = 49152,
                                                .shared_bytes_per_sm = 49152}};
    const struct scenario_options options = {.priority_levels = 2, .model = &model};
    struct gfe_error error = {0};
    struct scenario *scenario =
        scenario_parse(taken[_i].text, strlen(taken[_i].text), "c.json", &options, &error);

    ck_assert_msg(scenario != NULL, "%s", error.text);
    ck_assert_str_eq(scenario->warnings + (*taken[_i].warns ? strlen("c.json") : 0),
                     taken[_i].warns);
    ck_assert_str_eq(scenario->assumed, taken[_i].assumes);
    scenario_free(scenario);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    const struct scenario_options options = {.priority_levels = 2};
    const char *const paths[] = {"/nowhere/config.json"};
    bool is_one = true;
    struct gfe_error error = {0};

    ck_assert(scenario_is_one(paths[0], &is_one, &error));
    ck_assert(!is_one);
    ck_assert_ptr_null(scenario_load(paths, 1, &options, &error));
    ck_assert_str_eq(error.text, "/nowhere/config.json: No such file or directory");
}
END_TEST

/* Copies of more than the GPU has, and GPUs that the models do not drive. */
START_TEST(what_the_gpu_cannot_do_is_named)
{
    static const struct {
        const char *gpu, *says;
    } cases[] = {{"gtx980", "drives chips from Pascal on, which gfe gpus lists, not chip 0x124"},
                 {"gtx1060", "a copy of 6442450944 bytes: it has to be less than 4 GiB"},
                 {"none", "no GPU is called 'none'; gfe gpus lists them"}};
    struct cuda_stream stream = {.kind = CUDA_BLOCKING_STREAM};
    struct cuda_call call = {.kind = CUDA_MEMCPY, .bytes = UINT64_C(6) << 30};
    char name[] = "large";
    struct cuda_task task = {.name = name, .call_count = 1, .max_iterations = 1};
    struct scenario scenario = {.program = {.name = name,
                                            .process_count = 1,
                                            .stream_count = 1,
                                            .call_count = 1,
                                            .task_count = 1,
                                            .group_count = 1,
                                            .streams = &stream,
                                            .calls = &call,
                                            .tasks = &task}};
    const struct simulation_options options = {.gpu = cases[_i].gpu};
    struct gfe_error error = {0};

    ck_assert_ptr_null(simulation_new_scenario(&scenario, &options, &error));
    ck_assert_msg(strstr(error.text, cases[_i].says) != NULL, "%s", error.text);
}
END_TEST

Suite *scenario_suite(void)
{
    Suite *suite = suite_create("scenario");
    TCase *tcase = tcase_create("scenario");

    tcase_add_test(tcase, tasks_are_released_and_iterate);
    tcase_add_test(tcase, names_for_the_log_are_whole_or_refused);
    tcase_add_test(tcase, time_limits_what_begins);
    tcase_add_test(tcase, a_warm_up_comes_before_the_release);
    tcase_add_test(tcase, tasks_meet_before_every_iteration);
    tcase_add_loop_test(tcase, processes_seem_to_hold_the_gpu_together, 0, 3);
    tcase_add_test(tcase, timer_spins_of_processes_end_by_the_clock);
    tcase_add_test(tcase, a_hosted_configuration_begins_with_its_host);
    tcase_add_loop_test(tcase, the_tools_default_stream_may_be_the_threads, 0, 2);
    tcase_add_loop_test(tcase, what_is_not_right_is_named, 0, sizeof refused / sizeof refused[0]);
    tcase_add_loop_test(tcase, what_has_no_effect_is_left_out_with_a_line, 0,
                        sizeof taken / sizeof taken[0]);
    tcase_add_test(tcase, a_file_that_is_not_there_is_named);
    tcase_add_loop_test(tcase, what_the_gpu_cannot_do_is_named, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
