/* SPDX-License-Identifier: MIT */
/* Tasks in the summary of a scenario's log, as text and as JSON; none in that of a recording. */
#include <config.h>

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/summary/summary.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/check_json.h"
#include "tests/log_fixture.h"
#include "tests/scenario_log.h"
#include "tests/suites.h"

#define MS(n) ((uint64_t)(n)*1000000000)

static char *text;
static size_t bytes;

static void summarize(const char *path, bool json)
{
    const struct summary_notes notes = {.name = "run"};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    FILE *stream = open_memstream(&text, &bytes);

    ck_assert(log && stream);
    ck_assert_msg(summary_print(stream, log, &notes, json, &error), "%s", error.text);
    ck_assert_int_eq(fclose(stream), 0);
    event_log_close(log);
}

static void teardown(void)
{
    free(text);
    text = NULL;
}

static bool has(const char *words)
{
    return strstr(text, words) != NULL;
}

START_TEST(a_scenario_has_tasks_and_no_submissions)
{
    struct memory_file file = scenario_log_run("tx2", "amert2017-table1", NULL);

    summarize(file.path, false);
    ck_assert(has("\n  tasks           3, 6 kernels, 5 copies\n"));
    ck_assert(has("\n                  S1: 3 kernels, 3 copies, from 0 to 4.036 s\n"));
    ck_assert(has("\n                  S2: 2 kernels, 1 copy, from 200 ms to "));
    ck_assert(has("\n                  K4: 4 blocks of 256 threads"));
    ck_assert(!has("submissions") && !has("fences") && !has("program waits"));
    memory_file_free(&file);
}
END_TEST

START_TEST(long_lists_are_cut)
{
    struct memory_file file = scenario_log_run("xavier", "bakita2024-ten-streams", NULL);

    summarize(file.path, false);
    ck_assert(has("\n  tasks           10, 40 kernels, 0 copies\n"));
    ck_assert(has("\n                  and 2 more\n"));
    ck_assert(has("\n                  S1 K1: 1 block"));
    memory_file_free(&file);
}
END_TEST

START_TEST(json_has_tasks_and_names)
{
    struct memory_file file = scenario_log_run("tx2", "amert2017-table1", NULL);
    json_t *json, *task;

    summarize(file.path, true);
    json = json_loads(text, 0, NULL);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "tasks")), 3);
    task = json_array_get(json_object_get(json, "tasks"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(task, "name")), "S2");
    ck_assert_int_eq(json_integer_value(json_object_get(task, "kernel_count")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(task, "copy_count")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(task, "iteration_count")), 1);
    ck_assert_str_eq(json_string_value(json_object_get(
                         json_array_get(json_object_get(json, "launches"), 1), "name")),
                     "K4");
    json_decref(json);
    memory_file_free(&file);
}
END_TEST

static bool print_summary(FILE *file, void *context)
{
    const struct summary_notes notes = {.name = "run"};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(context, &error);
    bool done;

    ck_assert_msg(log != NULL, "%s", error.text);
    check_json_start();
    done = summary_print(file, log, &notes, true, &error);
    event_log_close(log);
    return done;
}

/* Each launch has its name, or there is no summary. */
START_TEST(json_is_whole_or_refused)
{
    struct memory_file file = scenario_log_run("tx2", "amert2017-table1", NULL);

    check_json_last(print_summary, file.path, 450, 3);
    memory_file_free(&file);
}
END_TEST

/* These tasks wait for nothing: their last call is over long before their copies are. */
/* PROMISE (analysis): A task of the summary ends with its last operation. */
START_TEST(a_task_ends_with_its_last_operation)
{
    struct memory_file file = scenario_log_run("rtx6000ada", "bakita2024-shared-pce", NULL);
    json_t *json, *task;

    summarize(file.path, false);
    ck_assert(has("\n                  textures: 0 kernels, 1 copy, from 0 to 53.702 ms\n"));
    teardown();
    summarize(file.path, true);
    json = json_loads(text, 0, NULL);
    task = json_array_get(json_object_get(json, "tasks"), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(task, "end_ps")), INT64_C(53702165027));
    json_decref(json);
    memory_file_free(&file);
}
END_TEST

static void add_operation(struct log_fixture *fixture, uint64_t id, uint64_t task)
{
    LOG_ADD(fixture, MS(1), EVENT_CUDA_OPERATION, RULE_NONE, id, 0, task, 0, 0);
}

/* The first operation of the log is number 7; its task has another one, which does not end. */
START_TEST(what_has_not_ended_is_counted)
{
    struct log_fixture fixture;
    char *head = log_fixture_cuda_head("{\"tasks\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
                                       "\"calls\":[{\"kind\":\"copy\"}]}");

    log_fixture_begin_with(&fixture, head);
    free(head);
    LOG_ADD(&fixture, 0, EVENT_CUDA_TASK, RULE_NONE, 0);
    LOG_ADD(&fixture, 0, EVENT_CUDA_TASK, RULE_NONE, 1);
    add_operation(&fixture, 7, 0);
    add_operation(&fixture, 8, 1);
    add_operation(&fixture, 9, 0);
    add_operation(&fixture, 4711, 1); /* of no use: numbers go up one by one */
    LOG_ADD(&fixture, MS(2), EVENT_CUDA_ITERATION, RULE_NONE, 0, 0, 0);
    LOG_ADD(&fixture, MS(3), EVENT_CUDA_ITERATION, RULE_NONE, 1, 0, 0);
    LOG_ADD(&fixture, MS(4), EVENT_CUDA_COMPLETE, RULE_NONE, 7, 0);
    LOG_ADD(&fixture, MS(5), EVENT_CUDA_COMPLETE, RULE_NONE, 8, 0);
    LOG_ADD(&fixture, MS(6), EVENT_CUDA_COMPLETE, RULE_NONE, 6, 0);
    LOG_ADD(&fixture, MS(6), EVENT_CUDA_COMPLETE, RULE_NONE, 10, 0);
    log_fixture_end(&fixture);
    summarize(fixture.path, false);
    ck_assert(has(" a: 0 kernels, 2 copies, from 0 on, 1 operation has not ended\n"));
    ck_assert(has(" b: 0 kernels, 2 copies, from 0 to 5 ms\n"));
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_recording_has_none)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_fixture_end(&fixture);
    summarize(fixture.path, false);
    ck_assert(!has("tasks") && has("submissions") && has("fences"));
    teardown();
    summarize(fixture.path, true);
    ck_assert(!has("\"tasks\""));
    log_fixture_remove(&fixture);
}
END_TEST

Suite *summary_tasks_suite(void)
{
    Suite *suite = suite_create("summary_tasks");
    TCase *logs = tcase_create("logs");

    tcase_add_checked_fixture(logs, NULL, teardown);
    tcase_add_test(logs, a_scenario_has_tasks_and_no_submissions);
    tcase_add_test(logs, long_lists_are_cut);
    tcase_add_test(logs, json_has_tasks_and_names);
    tcase_add_test(logs, json_is_whole_or_refused);
    tcase_add_test(logs, a_task_ends_with_its_last_operation);
    tcase_add_test(logs, what_has_not_ended_is_counted);
    tcase_add_test(logs, a_recording_has_none);
    suite_add_tcase(suite, logs);
    return suite;
}
