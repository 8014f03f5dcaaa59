/* SPDX-License-Identifier: MIT */
/* Tasks in the summary of a scenario's log, as text and as JSON; none in that of a recording. */
#include <config.h>

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/summary.h"
#include "tests/log_fixture.h"
#include "tests/scenario_log.h"
#include "tests/suites.h"

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
    tcase_add_test(logs, a_recording_has_none);
    suite_add_tcase(suite, logs);
    return suite;
}
