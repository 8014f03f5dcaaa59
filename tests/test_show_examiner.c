/* SPDX-License-Identifier: MIT */
/*
 * Result files made of logs: read back they say what the events say; warm-up is left out; names do
 * not leave the folder.
 */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/log/event_log_head.h"
#include "emu/views/examiner/show_examiner.h"
#include "emu/analysis/streams.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/log_fixture.h"
#include "tests/scenario_log.h"
#include "tests/streams_fold.h"
#include "tests/suites.h"
#include "traces/config/examiner_result.h"

enum { PATH_BYTES = 400, EVENTS_MAX = 4096 };

static char folder[64];
static struct gfe_error error;
static uint64_t left_out;

static void setup(void)
{
    error = (struct gfe_error){0};
    (void)snprintf(folder, sizeof folder, "/tmp/gfe-results-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* Removes the folder's files; returns how many there were. */
static uint32_t files_remove(void)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    char path[PATH_BYTES];
    uint32_t count = 0;

    ck_assert_ptr_nonnull(stream);
    while ((entry = readdir(stream)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            ck_assert_int_eq(unlink(path), 0);
            count++;
        }
    closedir(stream);
    return count;
}

static void teardown(void)
{
    (void)files_remove();
    (void)rmdir(folder);
}

static bool write_all(const char *log_path)
{
    struct event_log_reader *log = event_log_open(log_path, &error);
    const struct show_examiner_options options = {
        .directory = folder, .log_path = log_path, .sm_count = 2};
    const bool good = log && show_examiner(log, &options, &left_out, &error);

    event_log_close(log);
    return good;
}

static struct examiner_result *result_load(const char *name)
{
    char path[PATH_BYTES];
    struct examiner_result *result;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    result = examiner_result_load(path, input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), &error);
    ck_assert_msg(result != NULL, "%s", error.text);
    return result;
}

/* ---- what the log says ----------------------------------------------------------------------- */

static struct log_event events[EVENTS_MAX];
static struct streams streams;
static uint32_t event_count;

static void events_read(const char *path)
{
    struct event_log_reader *log = event_log_open(path, &error);
    struct model model;

    ck_assert(log && streams_init(&streams, log, &error) &&
              model_init(&model, log, streams_fold, &streams, &error));
    for (event_count = 0; event_log_read(log, &events[event_count], &error) == EVENT_LOG_GOT;) {
        ck_assert(model_take(&model, &events[event_count]));
        ck_assert_uint_lt(++event_count, EVENTS_MAX);
    }
    model_fini(&model);
    event_log_close(log);
}

static gfe_ps in_ns(gfe_ps time_ps)
{
    return time_ps / GFE_PS_PER_NS * GFE_PS_PER_NS;
}

/* The event of that grid and block: a start or an end, which have the same members. */
static const struct log_event *block_event(uint32_t kind, uint64_t grid_id, uint32_t index)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == kind &&
            event_block_start_from(events[i].argument).grid_id == grid_id &&
            event_block_start_from(events[i].argument).block_index == index)
            return &events[i];
    ck_abort_msg("no such block");
}

/* The return of a call of the task that began then. */
static const struct log_event *call_event(uint64_t task, gfe_ps begin_ps)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_CUDA_CALL && event_cuda_call_of(&events[i]).task_id == task &&
            in_ns(event_cuda_call_of(&events[i]).begin_ps) == begin_ps)
            return &events[i];
    ck_abort_msg("no such call");
}

/* The operation that launched the n-th kernel of the task. */
static const struct streams_operation *launch_of(uint32_t task, uint32_t n)
{
    for (uint32_t i = 0; i < streams.operation_count; i++)
        if (streams.operations[i].task == task && streams.operations[i].hardware == STREAMS_GRID &&
            n-- == 0)
            return &streams.operations[i];
    ck_abort_msg("no such launch");
}

static void kernel_check(const struct examiner_result_kernel *kernel, uint32_t task, uint32_t n)
{
    const struct streams_operation *operation = launch_of(task, n);
    const struct program_call *call = program_call(&streams.program, operation->call);

    ck_assert_str_eq(kernel->name, call->name);
    ck_assert_uint_eq(kernel->block_count, call->block_count);
    ck_assert_int_eq(kernel->threads, (int)call->thread_count);
    ck_assert_int_eq(kernel->shared_bytes, (int)call->shared_bytes);
    ck_assert_uint_eq(kernel->launch_ps, in_ns(operation->called_ps));
    ck_assert_uint_eq(kernel->launched_ps, in_ns(call_event(task, kernel->launch_ps)->time_ps));
    if (kernel->synchronized_ps)
        ck_assert_uint_ge(kernel->synchronized_ps, in_ns(operation->completed_ps));
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct log_event *start = block_event(EVENT_BLOCK_START, operation->hardware_id, b);
        const struct log_event *end = block_event(EVENT_BLOCK_END, operation->hardware_id, b);

        ck_assert_uint_eq(kernel->blocks[b].start_ps, in_ns(start->time_ps));
        ck_assert_uint_eq(kernel->blocks[b].end_ps, in_ns(end->time_ps));
        ck_assert_uint_eq(kernel->blocks[b].sm, event_block_start_of(start).sm_index);
    }
}

/* The begin and end of the task's n-th iteration. */
static void iteration_check(const struct examiner_result_iteration *iteration, uint32_t task,
                            uint32_t n)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == EVENT_CUDA_ITERATION &&
            event_cuda_iteration_of(&events[i]).task_id == task && n-- == 0) {
            ck_assert_uint_eq(iteration->copy_in.begin_ps,
                              in_ns(event_cuda_iteration_of(&events[i]).begin_ps));
            ck_assert_uint_eq(iteration->copy_out.end_ps, in_ns(events[i].time_ps));
            ck_assert_uint_le(iteration->copy_in.end_ps, iteration->execute.begin_ps);
            ck_assert_uint_le(iteration->execute.end_ps, iteration->copy_out.begin_ps);
            return;
        }
    ck_abort_msg("no such iteration");
}

static void task_check(uint32_t task)
{
    const struct program_task *there = program_task(&streams.program, task);
    struct examiner_result *result = result_load(there->log_name);
    uint32_t kernels = 0;

    ck_assert_str_eq(result->scenario_name, there->scenario);
    ck_assert_uint_eq(result->resident_threads, 4096);
    ck_assert_uint_eq(result->iteration_count, 1);
    ck_assert_int_eq(result->tid, (int)task + 1);
    ck_assert_uint_eq(result->release_ps, (uint64_t)there->release_ps);
    for (uint32_t i = 0; i < result->iteration_count; i++) {
        iteration_check(&result->iterations[i], task, i);
        for (uint32_t k = 0; k < result->iterations[i].kernel_count; k++)
            kernel_check(&result->iterations[i].kernels[k], task, kernels++);
    }
    ck_assert_uint_ge(kernels, 1);
    examiner_result_free(result);
}

/* PROMISE (views): Result files of emulated runs (Tables 1 to 5 of Amert et al. 2017) say what
 * the logs say. */
START_TEST(files_of_the_tables_say_what_the_logs_say)
{
    static const char *const names[] = {"amert2017-table1", "amert2017-table2", "amert2017-table3",
                                        "amert2017-table4", "amert2017-table5"};
    static const uint32_t tasks[] = {3, 5, 3, 4, 9};
    struct memory_file log = scenario_log_run("tx2", names[_i], NULL);

    ck_assert_msg(write_all(log.path), "%s", error.text);
    ck_assert_uint_eq(left_out, 0);
    events_read(log.path);
    ck_assert_uint_eq(streams.program.task_count, tasks[_i]);
    for (uint32_t i = 0; i < tasks[_i]; i++)
        task_check(i);
    ck_assert_uint_eq(files_remove(), tasks[_i]);
    streams_fini(&streams);
    memory_file_free(&log);
}
END_TEST

/* ---- logs made by hand ----------------------------------------------------------------------- */

static const struct event_kind_row cuda_rows[] = {CUDA_EVENTS(EVENT_ROW)};
static const struct event_kind_row core_rows[] = {CORE_EVENTS(EVENT_ROW)};
static const struct table_set cuda_set = {.base = TABLE_FIRMWARE_NVIDIA_CUDA,
                                          .events = cuda_rows,
                                          .event_count = sizeof cuda_rows / sizeof cuda_rows[0]};
static const struct table_set core_set = {
    .base = TABLE_CORE, .events = core_rows, .event_count = sizeof core_rows / sizeof core_rows[0]};

/* A log with that program and no events. */
static void log_of(struct log_fixture *fixture, const char *program)
{
    static const struct table_set *const sets[] = {&cuda_set, &core_set};
    static const char *const units[] = {"cuda"};
    char *head = event_log_head_build(&(struct event_log_head){
        .units = units, .unit_count = 1, .sets = sets, .set_count = 2, .program_json = program});

    log_fixture_begin_with(fixture, head);
    free(head);
}

START_TEST(names_stay_in_the_folder)
{
    static const char *const wanted[] = {
        "_._.._etc_passwd.json", "_._x.json",   "_..json",     "a_b___.json", "same.json",
        "same-2.json",           "same-3.json", "task_7.json", "_.json",
    };
    struct log_fixture fixture;
    struct stat status;
    char path[PATH_BYTES];

    log_of(&fixture, "{\"tasks\":[{\"log_name\":\"../../etc/passwd\"},{\"log_name\":\"/./x.json\"},"
                     "{\"log_name\":\"..\"},{\"log_name\":\"a b\\u00e9\\n\"},"
                     "{\"log_name\":\"same\"},{\"log_name\":\"same.json\"},{\"log_name\":\"same\"},"
                     "{\"log_name\":7},{\"log_name\":\"/\"}],\"calls\":[{}]}");
    log_fixture_end(&fixture);
    ck_assert_msg(write_all(fixture.path), "%s", error.text);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, wanted[i]);
        ck_assert_msg(stat(path, &status) == 0, "%s", wanted[i]);
    }
    ck_assert_uint_eq(files_remove(), 9);
    log_fixture_remove(&fixture);
}
END_TEST

/* A call and a kernel of one block, in the warm-up and twice after it, the last not ended. */
static void launch(struct log_fixture *fixture, uint64_t id, gfe_ps at_ps, bool ends)
{
    LOG_ADD(fixture, at_ps, EVENT_CUDA_OPERATION, RULE_NONE, id, 0, 0, 0, 0);
    LOG_ADD(fixture, at_ps + 1000, EVENT_CUDA_SUBMIT, RULE_NONE, id, 3, id, 0);
    LOG_ADD(fixture, at_ps + 2000, EVENT_CUDA_CALL, RULE_NONE, 0, 0, 0, at_ps);
    LOG_ADD(fixture, at_ps + 3000, EVENT_GRID_QUEUE, RULE_NONE, 10 + id, 3, 1, 32, 0, 0, id, 0);
    LOG_ADD(fixture, at_ps + 4000, EVENT_BLOCK_START, RULE_NONE, 10 + id, 0, 1, 0);
    if (ends)
        LOG_ADD(fixture, at_ps + 5000, EVENT_BLOCK_END, RULE_NONE, 10 + id, 0, 1, 0);
}

START_TEST(warm_up_and_what_has_not_ended_are_left_out)
{
    struct log_fixture fixture;
    struct examiner_result *result;

    log_of(&fixture, "{\"tasks\":[{\"log_name\":\"a.json\",\"first_call\":0,\"call_count\":1}],"
                     "\"calls\":[{\"kind\":\"kernel\",\"name\":\"K\",\"block_count\":1,"
                     "\"thread_count\":32}]}");
    launch(&fixture, 1, 1000, true);
    LOG_ADD(&fixture, 10000, EVENT_CUDA_TASK, RULE_NONE, 0);
    launch(&fixture, 2, 20000, true);
    LOG_ADD(&fixture, 30000, EVENT_CUDA_ITERATION, RULE_NONE, 0, 0, 20000);
    launch(&fixture, 3, 40000, false);
    LOG_ADD(&fixture, 50000, EVENT_CUDA_ITERATION, RULE_NONE, 0, 1, 40000);
    launch(&fixture, 4, 60000, true);
    log_fixture_end(&fixture);
    ck_assert_msg(write_all(fixture.path), "%s", error.text);
    ck_assert_uint_eq(left_out, 2);
    result = result_load("a.json");
    ck_assert_uint_eq(result->iteration_count, 1);
    ck_assert_uint_eq(result->iterations[0].kernel_count, 1);
    ck_assert_uint_eq(result->iterations[0].kernels[0].launch_ps, 20000);
    ck_assert_uint_eq(result->iterations[0].kernels[0].launched_ps, 22000);
    ck_assert_uint_eq(result->iterations[0].kernels[0].synchronized_ps, 0);
    ck_assert_uint_eq(result->iterations[0].kernels[0].blocks[0].start_ps, 24000);
    ck_assert_uint_eq(result->iterations[0].kernels[0].blocks[0].sm, 1);
    examiner_result_free(result);
    log_fixture_remove(&fixture);
}
END_TEST

/* Numbers of tasks, calls, blocks and SMs that are not there. */
START_TEST(damaged_logs_do_no_harm)
{
    struct log_fixture fixture;
    struct examiner_result *result;

    log_of(&fixture, "{\"tasks\":[{\"log_name\":\"a.json\"}],\"calls\":[{\"kind\":\"kernel\"}]}");
    LOG_ADD(&fixture, 1, EVENT_CUDA_TASK, RULE_NONE, UINT64_MAX);
    LOG_ADD(&fixture, 1, EVENT_CUDA_TASK, RULE_NONE, 0);
    LOG_ADD(&fixture, 2, EVENT_CUDA_OPERATION, RULE_NONE, 1, 0, 1, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_CUDA_OPERATION, RULE_NONE, 2, 0, 0, 1, 0);
    LOG_ADD(&fixture, 2, EVENT_CUDA_OPERATION, RULE_NONE, 3, 0, 0, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_CUDA_OPERATION, RULE_NONE, 3, 0, 0, 0, 0);
    LOG_ADD(&fixture, 3, EVENT_CUDA_SUBMIT, RULE_NONE, 3, 1, 1, 0);
    LOG_ADD(&fixture, 4, EVENT_GRID_QUEUE, RULE_NONE, 5, 1, 1, 1, 0, 0, 1, 0);
    LOG_ADD(&fixture, 4, EVENT_GRID_QUEUE, RULE_NONE, 5, 1, 1, 1, 0, 0, 1, 0);
    LOG_ADD(&fixture, 5, EVENT_BLOCK_START, RULE_NONE, 5, UINT64_MAX, 0, 0);
    LOG_ADD(&fixture, 5, EVENT_BLOCK_START, RULE_NONE, 5, 1 << 30, 0, 0);
    LOG_ADD(&fixture, 5, EVENT_BLOCK_START, RULE_NONE, 5, 1, UINT64_MAX, 0);
    LOG_ADD(&fixture, 6, EVENT_BLOCK_END, RULE_NONE, 5, 1, 0, 0);
    LOG_ADD(&fixture, 6, EVENT_BLOCK_END, RULE_NONE, 5, 7, 0, 0);
    LOG_ADD(&fixture, 7, EVENT_CUDA_CALL, RULE_NONE, 0, UINT64_MAX, 0, 0);
    LOG_ADD(&fixture, 7, EVENT_CUDA_CALL, RULE_NONE, 7, 0, 0, 0);
    LOG_ADD(&fixture, 7, EVENT_CUDA_CALL, RULE_NONE, 0, 0, 0, UINT64_MAX);
    LOG_ADD(&fixture, 8, EVENT_CUDA_ITERATION, RULE_NONE, 7, 0, 0);
    LOG_ADD(&fixture, 8, EVENT_CUDA_ITERATION, RULE_NONE, 0, 0, UINT64_MAX);
    log_fixture_end(&fixture);
    ck_assert_msg(write_all(fixture.path), "%s", error.text);
    ck_assert_uint_eq(left_out, 1);
    result = result_load("a.json");
    ck_assert_uint_eq(result->iteration_count, 0);
    examiner_result_free(result);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_recording_has_no_results)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_fixture_end(&fixture);
    ck_assert(!write_all(fixture.path));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_uint_eq(files_remove(), 0);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *show_examiner_suite(void)
{
    Suite *suite = suite_create("show_examiner");
    TCase *files = tcase_create("files");

    tcase_add_checked_fixture(files, setup, teardown);
    tcase_add_loop_test(files, files_of_the_tables_say_what_the_logs_say, 0, 5);
    tcase_add_test(files, names_stay_in_the_folder);
    tcase_add_test(files, warm_up_and_what_has_not_ended_are_left_out);
    tcase_add_test(files, damaged_logs_do_no_harm);
    tcase_add_test(files, a_recording_has_no_results);
    suite_add_tcase(suite, files);
    return suite;
}
