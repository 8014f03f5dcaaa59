/* SPDX-License-Identifier: MIT */
/*
 * The view of queues: Fig. 4 of Amert et al. 2017, inset by inset, from the log of the experiment
 * that it is of; streams that wait for channels; priorities; logs without streams and ends of time.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/inspect_queues.h"
#include "emu/base/json_text.h"
#include "emu/log/program.h"
#include "tests/check_json.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/scenario_log.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
enum { WORDS_BYTES = 1024 };

static struct memory_file file;
static json_t *view;

static json_t *view_at(gfe_ps at_ps, uint64_t event_count)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(file.path, &error);
    json_t *json = log ? inspect_queues(log, at_ps, event_count, &error) : NULL;

    ck_assert_msg(json != NULL, "%s", error.text);
    event_log_close(log);
    return json;
}

static void look(gfe_ps at_ps)
{
    json_decref(view);
    view = view_at(at_ps, UINT64_MAX);
}

static void teardown(void)
{
    json_decref(view);
    view = NULL;
    memory_file_free(&file);
}

/* ---- what the view says, in short ------------------------------------------------------------ */

static const json_t *entry(const char *list, size_t index)
{
    const json_t *found = json_array_get(json_object_get(view, list), index);

    ck_assert_msg(found != NULL, "%s[%zu]", list, index);
    return found;
}

/* "K1, K4": the names in a list. */
static const char *names(const json_t *list, char words[WORDS_BYTES])
{
    size_t at = 0;

    words[0] = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        at += (size_t)snprintf(words + at, WORDS_BYTES - at, "%s%s", i ? ", " : "",
                               json_string_value(json_object_get(json_array_get(list, i), "name")));
    return words;
}

static void stream_is(size_t stream, const char *head_state, const char *queue)
{
    const json_t *list = json_object_get(entry("streams", stream), "queue");
    char words[WORDS_BYTES];

    ck_assert_str_eq(names(list, words), queue);
    if (head_state)
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(list, 0), "state")),
                         head_state);
    for (size_t i = 1; i < json_array_size(list); i++)
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(list, i), "state")),
                         "waits");
}

static void holds(size_t stream, int channel)
{
    const json_t *found = json_object_get(entry("streams", stream), "channel");

    ck_assert_int_eq(json_is_integer(found) ? (int)json_integer_value(found) : -1, channel);
    ck_assert(!json_is_true(json_object_get(entry("streams", stream), "waits_for_channel")));
}

/* "K1 4/6 T.R2": kernel, blocks, rule. */
static void ee_queue_is(size_t index, const char *kernels)
{
    const json_t *list = json_object_get(entry("ee_queues", index), "kernels");
    char words[WORDS_BYTES] = "";
    size_t at = 0;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *kernel = json_array_get(list, i);
        const char *rule = json_string_value(json_object_get(kernel, "rule"));

        at += (size_t)snprintf(words + at, sizeof words - at, "%s%s %d/%d %s", i ? ", " : "",
                               json_string_value(json_object_get(kernel, "name")),
                               (int)json_integer_value(json_object_get(kernel, "blocks_assigned")),
                               (int)json_integer_value(json_object_get(kernel, "block_count")),
                               rule ? rule : "-");
    }
    ck_assert_str_eq(words, kernels);
}

static void copy_engine_is(const char *runs, const char *queue)
{
    char words[WORDS_BYTES];

    ck_assert_uint_eq(json_array_size(json_object_get(view, "copy_engines")), 1);
    ck_assert_str_eq(names(json_object_get(entry("copy_engines", 0), "runs"), words), runs);
    ck_assert_str_eq(names(json_object_get(entry("copy_engines", 0), "queue"), words), queue);
}

/* How many blocks of a kernel are on the SM. */
static size_t blocks_on(size_t sm, const char *kernel)
{
    const json_t *kernels = json_object_get(entry("sms", sm), "kernels");

    for (size_t i = 0; i < json_array_size(kernels); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(kernels, i), "name")),
                   kernel) == 0)
            return json_array_size(json_object_get(json_array_get(kernels, i), "blocks"));
    return 0;
}

static void sms_are(const char *first, size_t first_count, const char *second, size_t second_count)
{
    ck_assert_uint_eq(json_array_size(json_object_get(view, "sms")), 2);
    for (size_t sm = 0; sm < 2; sm++) {
        ck_assert_uint_eq(blocks_on(sm, first), first_count);
        ck_assert_uint_eq(blocks_on(sm, second), second_count);
        ck_assert_uint_eq(json_array_size(json_object_get(entry("sms", sm), "kernels")),
                          (size_t)(first_count > 0) + (size_t)(second_count > 0));
    }
}

/* ---- Fig. 4 ---------------------------------------------------------------------------------- */

/* The paper's clock starts 0.2 s before its first launch. */
static void table1(void)
{
    static const char *const settings[] = {"core.copy_rate_percent", "5", "cuda.start_ps",
                                           "200000000000", NULL};

    file = scenario_log_run("tx2", "amert2017-table1", settings);
}

/* Copies: C2o, C3i and C3o are S1's copies 1 to 3, C5o is S3's, C6o S2's. */
START_TEST(inset_a_the_first_kernel_is_half_way_onto_the_gpu)
{
    look(1100 * MS);
    stream_is(0, "dispatched", "K1, K2, S1/copy, S1/copy#2, K3, S1/copy#3");
    stream_is(1, "queued", "K4");
    stream_is(2, "queued", "K5, S3/copy");
    ee_queue_is(0, "K1 4/6 T.R2, K4 0/4 T.X1, K5 0/2 T.X1");
    sms_are("K1", 2, "K4", 0);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "copy_engines")), 0);
    holds(0, 0);
    holds(1, 1);
    holds(2, 2);
}
END_TEST

START_TEST(inset_b_two_kernels_are_fully_dispatched_and_the_third_does_not_fit)
{
    look(2100 * MS);
    stream_is(0, "fully dispatched", "K1, K2, S1/copy, S1/copy#2, K3, S1/copy#3");
    stream_is(1, "fully dispatched", "K4");
    stream_is(2, "queued", "K5, S3/copy");
    ee_queue_is(0, "K5 0/2 T.R3");
    sms_are("K1", 1, "K4", 2);
    holds(0, 0);
    holds(1, -1); /* B.C1: its last kernel has been dispatched */
    holds(2, 2);
}
END_TEST

START_TEST(inset_c_copies_wait_behind_their_kernels)
{
    look(3000 * MS);
    stream_is(0, "fully dispatched", "K2, S1/copy, S1/copy#2, K3, S1/copy#3");
    stream_is(1, NULL, "");
    stream_is(2, "fully dispatched", "K5, S3/copy");
    ee_queue_is(0, "");
    sms_are("K2", 1, "K5", 1);
}
END_TEST

START_TEST(inset_d_one_copy_runs_and_one_is_queued)
{
    look(3320 * MS);
    stream_is(0, "queued", "S1/copy, S1/copy#2, K3, S1/copy#3");
    stream_is(1, "fully dispatched", "K6, S2/copy");
    stream_is(2, "runs", "S3/copy");
    ee_queue_is(0, "");
    copy_engine_is("S3/copy", "S1/copy");
    sms_are("K6", 1, "K2", 0);
}
END_TEST

START_TEST(inset_e_the_last_copies_wait_and_the_queues_are_empty)
{
    look(4000 * MS);
    stream_is(0, "fully dispatched", "K3, S1/copy#3");
    stream_is(1, "fully dispatched", "K6, S2/copy");
    stream_is(2, NULL, "");
    ee_queue_is(0, "");
    copy_engine_is("", "");
    sms_are("K3", 1, "K6", 1);
}
END_TEST

/* PROMISE (debug): `gfe inspect queues` shows insets (a) to (e) of Fig. 4 of Amert et al.
 * (2017). */
START_TEST(the_whole_figure_as_text)
{
    static const gfe_ps times[] = {1100 * MS, 2100 * MS, 3000 * MS, 3320 * MS, 4000 * MS};
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(stream);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        look(times[i]);
        fprintf(stream, "%s(%c) ", i ? "\n" : "", (char)('a' + i));
        inspect_print(stream, &inspect_queues_view, view);
    }
    ck_assert_int_eq(fclose(stream), 0);
    golden_text_check("inspect_queues_table1.txt", text, bytes);
    free(text);
}
END_TEST

/* ---- more ------------------------------------------------------------------------------------ */

static bool print_view(FILE *stream, void *context)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(file.path, &error);
    json_t *json;
    bool done;

    ck_assert_msg(log != NULL, "%s", error.text);
    check_json_start();
    json = inspect_queues(log, *(const gfe_ps *)context, UINT64_MAX, &error);
    done = json && json_text_print(stream, json);
    json_decref(json);
    event_log_close(log);
    return done;
}

/* In inset (c) an operation waits by a rule, as do kernels and copies. */
START_TEST(json_is_whole_or_refused)
{
    gfe_ps at_ps = 3000 * MS;

    check_json_last(print_view, &at_ps, 150, 1);
}
END_TEST

START_TEST(before_all_and_after_all_nothing_is_queued)
{
    look(0);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "streams")), 3);
    stream_is(0, NULL, "");
    ee_queue_is(0, "");
    look(GFE_PS_NEVER);
    for (size_t i = 0; i < 3; i++) {
        stream_is(i, NULL, "");
        holds(i, -1);
    }
    copy_engine_is("", "");
    sms_are("K1", 0, "K2", 0);
    ck_assert_int_gt(json_integer_value(json_object_get(view, "time_ps")), 4900 * (int64_t)MS);
}
END_TEST

START_TEST(an_event_is_a_time_too)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(file.path, &error);

    json_decref(view);
    view = view_at(GFE_PS_NEVER, 1);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "streams")), 0);
    ck_assert_ptr_null(inspect_queues(log, GFE_PS_NEVER, 1000000, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "events, not 1000000"));
    event_log_close(log);
}
END_TEST

/* Two channels for ten streams, and the rule that says so. */
START_TEST(streams_without_a_channel_wait_for_one)
{
    uint32_t holding = 0, waiting = 0;

    file = scenario_log_run("xavier", "bakita2024-ten-streams", NULL);
    look(450 * MS);
    for (size_t i = 0; i < 10; i++) {
        const json_t *stream = entry("streams", i);
        const json_t *head = json_array_get(json_object_get(stream, "queue"), 0);

        holding += json_is_integer(json_object_get(stream, "channel"));
        if (!json_is_true(json_object_get(stream, "waits_for_channel")))
            continue;
        waiting++;
        ck_assert_str_eq(json_string_value(json_object_get(head, "rule")), "B.R2");
    }
    ck_assert_uint_eq(holding, 2);
    ck_assert_uint_ge(waiting, 1);
}
END_TEST

/* T.A1: a queue for each priority, the higher one first. */
START_TEST(each_priority_has_a_queue)
{
    int64_t last = INT64_MAX;

    file = scenario_log_run("tx2", "amert2017-table5", NULL);
    look(500 * MS);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "ee_queues")), 2);
    for (size_t i = 0; i < 2; i++) {
        const int64_t priority =
            json_integer_value(json_object_get(entry("ee_queues", i), "priority"));

        ck_assert_int_lt(priority, last);
        last = priority;
    }
}
END_TEST

Suite *inspect_queues_suite(void)
{
    Suite *suite = suite_create("inspect_queues");
    TCase *figure = tcase_create("figure");
    TCase *more = tcase_create("more");

    tcase_add_checked_fixture(figure, table1, teardown);
    tcase_add_test(figure, inset_a_the_first_kernel_is_half_way_onto_the_gpu);
    tcase_add_test(figure, inset_b_two_kernels_are_fully_dispatched_and_the_third_does_not_fit);
    tcase_add_test(figure, inset_c_copies_wait_behind_their_kernels);
    tcase_add_test(figure, inset_d_one_copy_runs_and_one_is_queued);
    tcase_add_test(figure, inset_e_the_last_copies_wait_and_the_queues_are_empty);
    tcase_add_test(figure, the_whole_figure_as_text);
    tcase_add_test(figure, before_all_and_after_all_nothing_is_queued);
    tcase_add_test(figure, an_event_is_a_time_too);
    tcase_add_test(figure, json_is_whole_or_refused);
    suite_add_tcase(suite, figure);
    tcase_add_checked_fixture(more, NULL, teardown);
    tcase_add_test(more, streams_without_a_channel_wait_for_one);
    tcase_add_test(more, each_priority_has_a_queue);
    suite_add_tcase(suite, more);
    return suite;
}
