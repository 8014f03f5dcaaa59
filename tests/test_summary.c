/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_line.h"
#include "emu/log/chunk.h"
#include "emu/analysis/summary/summary.h"
#include "emu/analysis/summary/summary_private.h"
#include "tests/check_json.h"
#include "tests/golden_text.h"
#include "tests/log_scenes.h"
#include "tests/suites.h"

#define NS(n) ((uint64_t)(n)*1000)
#define US(n) ((uint64_t)(n)*1000000)
#define MS(n) ((uint64_t)(n)*1000000000)

/* Ends the fixture's log and sums it up; the caller frees the text. */
static char *summary_of(struct log_fixture *fixture, const struct summary_notes *notes, bool json,
                        size_t *bytes)
{
    char *text = NULL;
    struct gfe_error error = {0};

    log_fixture_end(fixture);
    struct event_log_reader *log = event_log_open(fixture->path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    FILE *file = open_memstream(&text, bytes);
    ck_assert_msg(summary_print(file, log, notes, json, &error), "%s", error.text);
    fclose(file);
    event_log_close(log);
    log_fixture_remove(fixture);
    return text;
}

static json_t *json_of(struct log_fixture *fixture)
{
    size_t bytes;
    char *text =
        summary_of(fixture, &(struct summary_notes){.durations = "by default"}, true, &bytes);
    json_t *root = json_loads(text, 0, NULL);

    ck_assert_msg(root != NULL, "not JSON:\n%s", text);
    free(text);
    return root;
}

/* The integer at KEY or KEY.KEY. */
static json_int_t number_at(const json_t *root, const char *key, const char *inner)
{
    const json_t *value = json_object_get(root, key);

    if (inner)
        value = json_object_get(value, inner);
    ck_assert_msg(json_is_integer(value), "no number at %s.%s", key, inner ? inner : "");
    return json_integer_value(value);
}

static const json_t *row_of(const json_t *root, const char *list, const char *key, const char *name)
{
    const json_t *rows = json_object_get(root, list);

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(json_string_value(json_object_get(row, key)), name) == 0)
            return row;
    }
    ck_abort_msg("%s has no row with %s %s", list, key, name);
}

START_TEST(the_text_is_as_it_was)
{
    static const struct summary_notes notes = {
        .name = "compute",
        .durations = "2 grids: default cost; 1 copy: copy engine's bandwidth",
        .recorded_without_gpu = true};
    struct log_fixture fixture;
    size_t bytes;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    char *text = summary_of(&fixture, &notes, false, &bytes);
    golden_text_check("summary_compute.txt", text, bytes);
    free(text);
}
END_TEST

START_TEST(json_counts_what_the_scene_does)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    json_t *root = json_of(&fixture);

    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(root, "run"), "gpu")),
                     "gtx1060");
    ck_assert_int_eq(number_at(root, "submissions", "count"), 2);
    ck_assert_int_eq(number_at(root, "submissions", "push_bytes"), 1280);
    ck_assert_int_eq(number_at(root, "submissions", "channel_count"), 1);
    ck_assert_int_eq(number_at(root, "grids", "count"), 2);
    ck_assert_int_eq(number_at(root, "grids", "block_count"), 37);
    ck_assert_int_eq(number_at(root, "grids", "finished_count"), 2);
    ck_assert_int_eq(number_at(root, "draws", "count"), 1);
    ck_assert_int_eq(number_at(root, "copies", "byte_count"), 65536);
    ck_assert_int_eq(number_at(root, "inline_writes", "byte_count"), 512);
    ck_assert_int_eq(number_at(root, "releases", "recorded_count"), 1);
    ck_assert_int_eq(number_at(root, "releases", "modelled_count"), 1);
    ck_assert_int_eq(number_at(root, "fences", "reached_count"), 2);
    ck_assert_int_eq(number_at(root, "simulated_ps", NULL), (json_int_t)(MS(14) - US(160)));
    ck_assert_int_eq(number_at(root, "cpu_waits", "recorded_count"), 1);
    ck_assert_int_eq(number_at(root, "cpu_waits", "total_ps"), (json_int_t)NS(5500));
    ck_assert_int_eq(number_at(root, "unmodelled", "methods"), 1);
    ck_assert_int_eq(number_at(row_of(root, "waits", "rule", "T.X1"), "total_ps", NULL),
                     (json_int_t)NS(3030));
    const json_t *launch = json_array_get(json_object_get(root, "launches"), 0);
    ck_assert_int_eq(number_at(launch, "block_threads", NULL), 256);
    ck_assert_int_eq(number_at(launch, "ran_ps", NULL), (json_int_t)NS(4030));
    ck_assert_int_eq(number_at(launch, "queued_ps", NULL), (json_int_t)NS(300));
    json_decref(root);
}
END_TEST

/* Overlapping grids, and a draw among them, keep an engine busy once. */
START_TEST(busy_is_the_union_of_what_overlaps)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 8, 0);
    LOG_ADD(&fixture, US(10), EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 1, 0);
    LOG_ADD(&fixture, US(10), EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, US(15), EVENT_GRID_QUEUE, RULE_NONE, 2, 0, 1, 32, 0, 8, 1, 0);
    LOG_ADD(&fixture, US(15), EVENT_GRID_START, RULE_NONE, 2, 0);
    LOG_ADD(&fixture, US(20), EVENT_GRID_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&fixture, US(25), EVENT_GRID_END, RULE_NONE, 2, 0, 0, 0);
    LOG_ADD(&fixture, US(40), EVENT_WORK_START, RULE_NONE, 3, 0, 0, 0xc197, 0x1588, 1);
    LOG_ADD(&fixture, US(45), EVENT_WORK_END, RULE_NONE, 3, 0, 0);
    LOG_ADD(&fixture, US(90), EVENT_COPY_QUEUE, RULE_NONE, 4, 0, 2, 8, 0, 0, 1);
    LOG_ADD(&fixture, US(90), EVENT_COPY_START, RULE_NONE, 4, 0, 2, 8);
    for (uint64_t i = 0; i < 3; i++)
        LOG_ADD(&fixture, US(100), EVENT_FENCE, RULE_NONE, 0, 0x1000, 5, 4, i == 1);
    LOG_ADD(&fixture, US(100), EVENT_WAIT_OPEN, RULE_T_C2, US(60), SUBJECT_COPY, 4, SUBJECT_NONE,
            0);
    json_t *root = json_of(&fixture);

    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "GR 0"), "busy_ps", NULL),
                     (json_int_t)US(20));
    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "GR 0"), "share_permille", NULL), 200);
    /* What has not ended is busy up to the end. */
    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "CE 2"), "busy_ps", NULL),
                     (json_int_t)US(10));
    ck_assert_int_eq(number_at(root, "fences", "expected_count"), 3);
    ck_assert_int_eq(number_at(root, "fences", "reached_count"), 1);
    ck_assert_int_eq(number_at(root, "open_waits", NULL), 1);
    ck_assert_int_eq(number_at(row_of(root, "waits", "rule", "T.C2"), "total_ps", NULL),
                     (json_int_t)US(40));
    json_decref(root);
}
END_TEST

/* While a context is off, neither the engine nor the SMs are busy with it. */
START_TEST(suspended_blocks_keep_nobody_busy)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 8, 0);
    LOG_ADD(&fixture, US(10), EVENT_GRID_QUEUE, RULE_T_Q, 1, 0, 2, 32, 0, 8, 1, 0);
    LOG_ADD(&fixture, US(10), EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&fixture, US(10), EVENT_BLOCK_START, RULE_T_R1, 1, 0, 3, 0);
    LOG_ADD(&fixture, US(10), EVENT_BLOCK_START, RULE_T_R1, 1, 1, 3, 1);
    LOG_ADD(&fixture, US(15), EVENT_GRID_SUSPEND, RULE_T_P1, 1, 0, 2);
    LOG_ADD(&fixture, US(50), EVENT_GRID_RESUME, RULE_T_P1, 1, 0, US(15), 7);
    LOG_ADD(&fixture, US(52), EVENT_BLOCK_END, RULE_NONE, 1, 0, 3, 0);
    LOG_ADD(&fixture, US(55), EVENT_GRID_SUSPEND, RULE_T_P1, 1, 0, 1);
    LOG_ADD(&fixture, US(60), EVENT_WORK_START, RULE_NONE, 3, 0, 0, 0xc197, 0x1588, 1);
    LOG_ADD(&fixture, US(62), EVENT_WORK_SUSPEND, RULE_T_P1, 3, 0, 0);
    LOG_ADD(&fixture, US(80), EVENT_WORK_RESUME, RULE_T_P1, 3, 0, 0, US(62), 7);
    LOG_ADD(&fixture, US(83), EVENT_WORK_END, RULE_NONE, 3, 0, 0);
    LOG_ADD(&fixture, US(100), EVENT_FENCE, RULE_NONE, 0, 0x1000, 5, 4, 1);
    json_t *root = json_of(&fixture);

    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "SM 3"), "busy_ps", NULL),
                     (json_int_t)US(10));
    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "GR 0"), "busy_ps", NULL),
                     (json_int_t)US(15));
    ck_assert_int_eq(number_at(row_of(root, "waits", "rule", "T.P1"), "total_ps", NULL),
                     (json_int_t)US(53));
    json_decref(root);
}
END_TEST

/* Nor is a copy engine with a copy that is off it, or that a fault or a reset has ended. */
START_TEST(stopped_copies_keep_nobody_busy)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 1, 8, 0);
    LOG_ADD(&fixture, US(10), EVENT_COPY_START, RULE_NONE, 4, 0, 2, 8);
    LOG_ADD(&fixture, US(12), EVENT_COPY_SUSPEND, RULE_NONE, 4, 0, 2, 4);
    LOG_ADD(&fixture, US(20), EVENT_COPY_RESUME, RULE_NONE, 4, 0, 2, 4);
    LOG_ADD(&fixture, US(23), EVENT_COPY_END, RULE_NONE, 4, 0, 2, 8);
    LOG_ADD(&fixture, US(30), EVENT_COPY_START, RULE_NONE, 5, 0, 2, 8);
    LOG_ADD(&fixture, US(34), EVENT_COPY_SUSPEND, RULE_NONE, 5, 0, 2, 4);
    LOG_ADD(&fixture, US(34), EVENT_COPY_DROP, RULE_NONE, 5, 0, 2);
    LOG_ADD(&fixture, US(40), EVENT_COPY_START, RULE_NONE, 6, 0, 2, 8);
    LOG_ADD(&fixture, US(46), EVENT_NV_MMU_FAULT, RULE_NONE, 0, 0x1000, 1, 0, 0);
    LOG_ADD(&fixture, US(100), EVENT_FENCE, RULE_NONE, 0, 0x1000, 5, 4, 1);
    json_t *root = json_of(&fixture);

    ck_assert_int_eq(number_at(row_of(root, "busy", "unit", "CE 2"), "busy_ps", NULL),
                     (json_int_t)US(15));
    json_decref(root);
}
END_TEST

START_TEST(errors_are_counted_by_kind)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_NV_PBDMA_INTR, RULE_NONE, 0, 0, 3, 0, 0);
    LOG_ADD(&fixture, 1, EVENT_NV_PBDMA_INTR, RULE_NONE, 0, 0, 3, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_NV_MMU_FAULT, RULE_NONE, 0, 0x1000, 1, 0, 0);
    LOG_ADD(&fixture, 3, EVENT_NV_CHANNEL_INTR, RULE_NONE, 0);
    LOG_ADD(&fixture, 3, EVENT_UNMODELLED, RULE_NONE, 4000, 0, 0);
    json_t *root = json_of(&fixture);

    ck_assert_int_eq(number_at(row_of(root, "errors", "event", "NV_PBDMA_INTR"), "count", NULL), 2);
    ck_assert_int_eq(number_at(row_of(root, "errors", "event", "NV_MMU_FAULT"), "count", NULL), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "errors")), 2);
    /* What a fence raises is no error. */
    ck_assert_int_eq(
        number_at(row_of(root, "interrupts", "event", "NV_CHANNEL_INTR"), "count", NULL), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "interrupts")), 1);
    ck_assert_int_eq(number_at(root, "unmodelled", "others"), 1);
    json_decref(root);
}
END_TEST

/* Prints the summary of a log that was read before. */
static bool print_summary(FILE *file, void *context)
{
    const struct summary_notes notes = {.durations = "by default"};
    struct gfe_error error = {0};
    struct chunk_reader *chunks = chunk_reader_open(context, &error);
    struct summary_live *live = summary_live_new(context, &error);
    struct chunk chunk;
    bool done;

    ck_assert_msg(chunks && live, "%s", error.text);
    while (chunk_read(chunks, &chunk, &error) == CHUNK_GOT)
        summary_live_chunk(live, &chunk);
    check_json_start();
    done = summary_live_print(file, live, &notes, true, &error);
    ck_assert(done || error.kind == ERROR_SYSTEM);
    summary_live_free(live);
    chunk_reader_free(chunks);
    return done;
}

START_TEST(json_is_whole_or_refused)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    check_json_first(print_summary, fixture.path, 20); /* the log's name */
    check_json_last(print_summary, fixture.path, 400, 1);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_log_without_events_has_a_summary)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    json_t *root = json_of(&fixture);
    ck_assert_int_eq(number_at(root, "event_count", NULL), 0);
    ck_assert_int_eq(number_at(root, "simulated_ps", NULL), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "busy")), 0);
    json_decref(root);
}
END_TEST

struct taken_kind {
    const char *name;
    enum model_type type;
};

/* clang-format off */
#define TAKEN_KIND(name, type, operation, ...) {name, MODEL_##type},
/* clang-format on */
static const struct taken_kind taken_kinds[] = {MODEL_EVENTS(TAKEN_KIND){NULL, MODEL_OTHER}};

/* Each kind of event for which a driver prints something stands in summaries. */
START_TEST(every_drivers_line_is_taken)
{
    for (const struct event_line_row *line = gfe_event_lines; line->kind; line++) {
        const struct taken_kind *kind = taken_kinds;

        while (kind->name && strcmp(kind->name, line->kind) != 0)
            kind++;
        ck_assert_msg(kind->type == MODEL_DRIVER_LINE || kind->type == MODEL_ERROR_PRINTED ||
                          kind->type == MODEL_CHANNEL_KILLED,
                      "%s", line->kind);
    }
}
END_TEST

Suite *summary_suite(void)
{
    Suite *suite = suite_create("summary");
    TCase *tcase = tcase_create("summary");

    tcase_add_test(tcase, the_text_is_as_it_was);
    tcase_add_test(tcase, every_drivers_line_is_taken);
    tcase_add_test(tcase, json_counts_what_the_scene_does);
    tcase_add_test(tcase, busy_is_the_union_of_what_overlaps);
    tcase_add_test(tcase, suspended_blocks_keep_nobody_busy);
    tcase_add_test(tcase, stopped_copies_keep_nobody_busy);
    tcase_add_test(tcase, errors_are_counted_by_kind);
    tcase_add_test(tcase, a_log_without_events_has_a_summary);
    tcase_add_test(tcase, json_is_whole_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
