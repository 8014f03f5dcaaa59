/* SPDX-License-Identifier: MIT */
/*
 * A run against another one of the same program (docs/explain.md, "Against another run"): logs made
 * by hand, in which what differs is known; and labels of a scenario's operations.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/explain/explain_print.h"
#include "tests/cuda_run.h"
#include "tests/heap_bytes.h"
#include "tests/log_fixture.h"
#include "tests/simulation_calls.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"

/* ---- logs ------------------------------------------------------------------------------------ */

struct side {
    struct log_fixture fixture;
    struct event_log_reader *log;
};

/* Begins a log of the program with that hash. */
static void side_begin(struct side *side, const char *hash)
{
    char *head = log_fixture_head(), *with = malloc(strlen(head) + 64);
    const char *at = strstr(head, "\"seed\"");

    ck_assert(with && at);
    (void)snprintf(with, strlen(head) + 64, "%.*s\"trace_hash\": \"%s\", %s", (int)(at - head),
                   head, hash, at);
    log_fixture_begin_with(&side->fixture, with);
    free(with);
    free(head);
    LOG_ADD(&side->fixture, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
}

static void side_open_again(struct side *side)
{
    struct gfe_error error = {0};

    side->log = event_log_open(side->fixture.path, &error);
    ck_assert_msg(side->log != NULL, "%s", error.text);
}

static void side_open(struct side *side)
{
    log_fixture_end(&side->fixture);
    side_open_again(side);
}

static void side_end(struct side *side)
{
    event_log_close(side->log);
    log_fixture_remove(&side->fixture);
}

/* A submission with entry n of channel 0: called, written, read 20 ps later, sent 20 ps later. */
static void entry(struct log_fixture *log, uint64_t n, uint64_t at)
{
    LOG_ADD(log, at, EVENT_CPU_SUBMIT, RULE_NONE, n + 1, 0, 1, 64, 0);
    LOG_ADD(log, at, EVENT_DRIVER_GP_ENTRY, RULE_NONE, 0, n, n, 0x1000, 8, n + 1);
    LOG_ADD(log, at, EVENT_NV_DOORBELL, RULE_NONE, 0, n + 1);
    if (n == 0)
        LOG_ADD(log, at, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 0, 0, 0, 0, 1);
    LOG_ADD(log, at + 20, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, n, 0x1000, 8, 0, n, 20);
}

static void entry_end(struct log_fixture *log, uint64_t n, uint64_t at)
{
    LOG_ADD(log, at, EVENT_NV_SEGMENT_END, RULE_NONE, 0, 0, n, 4, n);
    LOG_ADD(log, at, EVENT_CPU_SUBMIT_RETURN, RULE_NONE, n + 1, 0, 0);
}

/* A launch of entry n in the dispatcher's queue from `at` on, for so long; 0: for ever. */
static void launch(struct log_fixture *log, uint64_t id, uint64_t n, uint64_t at, uint64_t took)
{
    LOG_ADD(log, at, EVENT_GRID_QUEUE, RULE_NONE, id, 0, 1, 32, 0, 8, n, 0);
    LOG_ADD(log, at, EVENT_BLOCK_START, RULE_NONE, id, 0, 0, 0);
    if (took == 0)
        return;
    LOG_ADD(log, at + took, EVENT_BLOCK_END, RULE_NONE, id, 0, 0, 0);
    LOG_ADD(log, at + took, EVENT_GRID_END, RULE_NONE, id, 0, at, at);
}

static void copy(struct log_fixture *log, uint64_t id, uint64_t n, uint64_t at, uint64_t took)
{
    LOG_ADD(log, at, EVENT_COPY_QUEUE, RULE_NONE, id, 0, 2, 64, 0, 0, n);
    LOG_ADD(log, at, EVENT_COPY_START, RULE_NONE, id, 0, 2, 64);
    LOG_ADD(log, at + took, EVENT_COPY_END, RULE_NONE, id, 0, 2, 64);
}

/* The run without a fault. */
static void golden(struct side *side)
{
    struct log_fixture *log = &side->fixture;

    side_begin(side, "abc");
    entry(log, 0, 100);
    copy(log, 1, 0, 130, 5);
    launch(log, 2, 0, 140, 10);
    launch(log, 3, 0, 160, 10);
    entry_end(log, 0, 180);
    entry(log, 1, 200);
    launch(log, 4, 1, 230, 10);
    launch(log, 5, 1, 250, 10);
    entry_end(log, 1, 270);
    entry(log, 2, 300);
    launch(log, 6, 2, 330, 10);
    entry_end(log, 2, 350);
    side_open(side);
}

/* The same program: its first entry's copy takes 3 ps more and its second launch comes 7 ps
 * earlier; the second entry's only launch does not end; the third entry, which is 1 ps later in
 * all, has one more. Numbers of grids and copies are others. */
static void faulty(struct side *side)
{
    struct log_fixture *log = &side->fixture;

    side_begin(side, "abc");
    entry(log, 0, 100);
    copy(log, 11, 0, 130, 8);
    launch(log, 12, 0, 140, 10);
    launch(log, 13, 0, 153, 10);
    entry_end(log, 0, 180);
    entry(log, 1, 200);
    launch(log, 14, 1, 230, 0);
    entry_end(log, 1, 270);
    entry(log, 2, 301);
    launch(log, 15, 2, 331, 10);
    launch(log, 16, 2, 342, 5);
    entry_end(log, 2, 351);
    side_open(side);
}

/* ---- which is which -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    struct explain_against_row row;
} differ[] = {
    {"submission:1", {AGAINST_SAME, 0, false}}, {"gp:0:0", {AGAINST_SAME, 0, false}},
    {"copy:11", {AGAINST_LENGTH, 3, false}},    {"launch:12", {AGAINST_SAME, 0, false}},
    {"launch:13", {AGAINST_MOVED, 7, true}},    {"launch:14", {AGAINST_NO_END, 0, false}},
    {"gp:0:2", {AGAINST_MOVED, 1, false}},      {"launch:15", {AGAINST_MOVED, 1, false}},
    {"launch:16", {AGAINST_NEW, 0, false}},
};

static void load(struct explain *explain, const struct side *side)
{
    struct gfe_error error = {0};

    ck_assert_msg(explain_load(explain, side->log, &error), "%s", error.text);
}

START_TEST(an_operation_is_found_by_its_place_in_the_program)
{
    struct explain_against against;
    struct explain_life life = {0};
    struct gfe_error error = {0};
    struct explain explain;
    struct side this, other;

    golden(&other);
    faulty(&this);
    load(&explain, &this);
    ck_assert_msg(explain_against_make(&against, &explain, other.log, &error), "%s", error.text);
    for (size_t i = 0; i < sizeof differ / sizeof differ[0]; i++) {
        struct explain_against_row row;
        struct explain_ref ref;

        ck_assert_msg(explain_find(&explain, differ[i].name, &ref), "%s", differ[i].name);
        ck_assert(explain_life(&explain, ref, &life));
        ck_assert(explain_against_row(&against, ref, &life, &row));
        ck_assert_msg(row.what == differ[i].row.what && row.by_ps == differ[i].row.by_ps &&
                          row.is_less == differ[i].row.is_less,
                      "%s: %d by %s%llu", differ[i].name, row.what, row.is_less ? "-" : "",
                      (unsigned long long)row.by_ps);
    }
    ck_assert_uint_eq(against.missing_count, 1);
    ck_assert_uint_eq(against.other.operations[against.missing[0]].id, 5);
    explain_life_fini(&life);
    explain_against_fini(&against);
    explain_fini(&explain);
    side_end(&this);
    side_end(&other);
}
END_TEST

/* What one run has and the other has not, seen from the other side. */
START_TEST(the_other_way_round_it_is_the_other_one_that_lacks)
{
    struct explain_against against;
    struct explain_against_row row;
    struct explain_life life = {0};
    struct gfe_error error = {0};
    struct explain explain;
    struct explain_ref ref;
    struct side this, other;

    faulty(&other);
    golden(&this);
    load(&explain, &this);
    ck_assert_msg(explain_against_make(&against, &explain, other.log, &error), "%s", error.text);
    ck_assert(explain_find(&explain, "launch:4", &ref) && explain_life(&explain, ref, &life));
    ck_assert(explain_against_row(&against, ref, &life, &row));
    ck_assert_int_eq(row.what, AGAINST_HAS_END);
    ck_assert(explain_find(&explain, "launch:5", &ref) && explain_life(&explain, ref, &life));
    ck_assert(explain_against_row(&against, ref, &life, &row));
    ck_assert_int_eq(row.what, AGAINST_NEW);
    ck_assert_uint_eq(against.missing_count, 1);
    ck_assert_uint_eq(against.other.operations[against.missing[0]].id, 16);
    explain_life_fini(&life);
    explain_against_fini(&against);
    explain_fini(&explain);
    side_end(&this);
    side_end(&other);
}
END_TEST

START_TEST(runs_of_different_programs_are_not_compared)
{
    struct explain_against against;
    struct gfe_error error = {0};
    struct explain explain;
    struct side this, other;

    golden(&this);
    side_begin(&other, "abd");
    side_open(&other);
    load(&explain, &this);
    ck_assert(!explain_against_make(&against, &explain, other.log, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "not of one program"));
    explain_against_fini(&against);
    explain_fini(&explain);
    side_end(&this);
    side_end(&other);
}
END_TEST

/* ---- what is printed ------------------------------------------------------------------------- */

/* The text of a list in JSON against the other run; the caller frees it. */
static char *json_of(const struct explain *explain, struct explain_against *against,
                     enum explain_kind only)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    struct gfe_error error = {0};
    const struct explain_print print = {
        .file = memory, .explain = explain, .error = &error, .only = only, .against = against};

    ck_assert_msg(memory && explain_json_list(&print), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
    return text;
}

/* docs/explain.md: each operation has "against", null where nothing differs, and the object has
 * "missing". */
START_TEST(json_says_what_differs_and_what_is_missing)
{
    static const char *const against_words[] = {
        "null", "{\"what\": \"moved\", \"by_ps\": -7}", "{\"what\": \"no end\", \"by_ps\": 0}",
        "{\"what\": \"moved\", \"by_ps\": 1}", "{\"what\": \"only here\", \"by_ps\": 0}"};
    struct explain_against against;
    struct gfe_error error = {0};
    struct explain explain;
    struct side this, other;
    const char *at;
    char *text;

    golden(&other);
    faulty(&this);
    load(&explain, &this);
    ck_assert_msg(explain_against_make(&against, &explain, other.log, &error), "%s", error.text);
    at = text = json_of(&explain, &against, EXPLAIN_LAUNCH);
    for (size_t i = 0; i < sizeof against_words / sizeof against_words[0]; i++) {
        at = strstr(at, "\"against\": ");
        ck_assert_ptr_nonnull(at);
        at += strlen("\"against\": ");
        ck_assert_msg(strncmp(at, against_words[i], strlen(against_words[i])) == 0, "%zu: %.40s", i,
                      at);
    }
    ck_assert_ptr_null(strstr(at, "\"against\": "));
    ck_assert_ptr_nonnull(strstr(at, "\n  ],\n  \"missing\": [\n    {\"name\": \"launch:5\", "
                                     "\"what\": \"K4, 1 block of 32 threads\"}]}\n"));
    free(text);
    text = json_of(&explain, NULL, EXPLAIN_LAUNCH);
    ck_assert_ptr_null(strstr(text, "against"));
    ck_assert_ptr_null(strstr(text, "missing"));
    free(text);
    explain_against_fini(&against);
    explain_fini(&explain);
    side_end(&this);
    side_end(&other);
}
END_TEST

/* All that a comparison takes is given back. */
START_TEST(a_comparison_gives_its_memory_back)
{
    struct side this, other;
    size_t before = 0;

    golden(&other);
    faulty(&this);
    for (int i = 0; i < HEAP_WARM + HEAP_ROUNDS; i++) {
        struct explain_against against;
        struct gfe_error error = {0};
        struct explain explain;

        if (i == HEAP_WARM)
            before = heap_bytes();
        event_log_close(this.log);
        event_log_close(other.log);
        side_open_again(&this);
        side_open_again(&other);
        load(&explain, &this);
        ck_assert(explain_against_make(&against, &explain, other.log, &error));
        free(json_of(&explain, &against, EXPLAIN_KINDS));
        explain_against_fini(&against);
        explain_fini(&explain);
    }
    ck_assert_uint_le(heap_bytes(), before + HEAP_ROUNDS * HEAP_PIECE);
    side_end(&this);
    side_end(&other);
}
END_TEST

/* ---- labels ---------------------------------------------------------------------------------- */

/* Operations of a scenario are found by the names that its author gave them (Amert et al. 2017,
 * Table 1). */
START_TEST(a_scenarios_operations_are_found_by_their_labels)
{
    static const char *const files[] = {"amert2017-table1", NULL};
    static const char *const settings[] = {"core.copy_rate_percent", "5", NULL};
    static const char *const none[] = {"K9", "K1#2", "S9/copy", "S1/copy#9", "K1x", "1"};
    struct gfe_error error = {0};
    struct memory_file file;
    struct event_log_reader *log;
    struct explain explain;
    struct explain_ref ref;
    struct cuda_run run;
    char what[EXPLAIN_WORDS_BYTES], name[16];

    cuda_run_begin(&run, "tx2", 0, files, settings);
    file = memory_file_new("", 0);
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", &error);
    ck_assert_msg(writer && simulation_log_write(run.simulation, "-", writer, &error), "%s",
                  error.text);
    chunk_writer_free(writer);
    log = event_log_open(file.path, &error);
    ck_assert_msg(log && explain_load(&explain, log, &error), "%s", error.text);
    for (int i = 1; i <= 6; i++) {
        snprintf(name, sizeof name, "K%d", i);
        ck_assert_msg(explain_find(&explain, name, &ref), "%s", name);
        ck_assert_int_eq(ref.kind, EXPLAIN_LAUNCH);
        snprintf(name, sizeof name, "K%d, ", i);
        ck_assert_int_eq(strncmp(explain_describe(&explain, ref, what), name, 4), 0);
    }
    ck_assert(explain_find(&explain, "S1/copy", &ref) && ref.kind == EXPLAIN_COPY);
    ck_assert(explain_find(&explain, "K1:2", &ref) && ref.kind == EXPLAIN_BLOCK);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        ck_assert_msg(!explain_find(&explain, none[i], &ref), "%s", none[i]);
    explain_fini(&explain);
    event_log_close(log);
    memory_file_free(&file);
    cuda_run_end(&run);
}
END_TEST

Suite *explain_against_suite(void)
{
    Suite *suite = suite_create("explain_against");
    TCase *tcase = tcase_create("runs");

    tcase_add_test(tcase, an_operation_is_found_by_its_place_in_the_program);
    tcase_add_test(tcase, the_other_way_round_it_is_the_other_one_that_lacks);
    tcase_add_test(tcase, runs_of_different_programs_are_not_compared);
    tcase_add_test(tcase, json_says_what_differs_and_what_is_missing);
    tcase_add_test(tcase, a_comparison_gives_its_memory_back);
    tcase_add_test(tcase, a_scenarios_operations_are_found_by_their_labels);
    suite_add_tcase(suite, tcase);
    return suite;
}
