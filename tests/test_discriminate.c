/* SPDX-License-Identifier: MIT */
/*
 * The search for the smallest scenario that tells two alternatives apart: for which choice points
 * it finds one, that none of its kernels can be left out, and what is judged of results of A, of B,
 * of neither, of both and of those that are not its own.
 */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/explore/discriminate_private.h"
#include "tests/check_long.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)

static struct discriminate found;
static struct gfe_error error;
static char folder[64];

static struct discriminate_question question(const char *gpu, const char *id, const char *a,
                                             const char *b)
{
    struct discriminate_question asked = {.model = nv_chip_by_name(gpu),
                                          .point = discriminate_point(id),
                                          .max_kernels = DISCRIMINATE_KERNELS_MAX};

    ck_assert_ptr_nonnull(asked.model);
    ck_assert_ptr_nonnull(asked.point);
    asked.alternatives[0] = discriminate_alternative(asked.point, a);
    asked.alternatives[1] = discriminate_alternative(asked.point, b);
    return asked;
}

static void find(const struct discriminate_question *asked)
{
    ck_assert_msg(discriminate_find(&found, asked, &error), "%s", error.text);
}

/* ---- results --------------------------------------------------------------------------------- */

static struct discriminate_result_file files[DISCRIMINATE_KERNELS_MAX];
static char paths[DISCRIMINATE_KERNELS_MAX][400];
static uint32_t file_count;

static void results_free(void)
{
    for (uint32_t i = 0; i < file_count; i++) {
        examiner_result_free((struct examiner_result *)(uintptr_t)files[i].result);
        ck_assert_int_eq(unlink(paths[i]), 0);
    }
    file_count = 0;
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Has the result files of a side written, and reads them in whatever order they stand there. */
static void results_make(uint32_t side)
{
    struct dirent *entry;
    DIR *directory;

    strcpy(folder, "/tmp/discriminate-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_msg(discriminate_write_results(&found, side, folder, &error), "%s", error.text);
    directory = opendir(folder);
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(paths[file_count], sizeof paths[0], "%s/%s", folder, entry->d_name);
        files[file_count].path = paths[file_count];
        files[file_count].result = examiner_result_load(
            paths[file_count], input_fixed(EXAMINER_RESULT_TEXT_BYTES_MAX), &error);
        ck_assert_msg(files[file_count].result != NULL, "%s", error.text);
        file_count++;
    }
    closedir(directory);
    ck_assert_uint_eq(file_count, found.scenario.stream_count);
}

static struct discriminate_outcome measured(void)
{
    struct discriminate_outcome outcome;

    ck_assert_msg(discriminate_measured(&found, files, file_count, &outcome, &error), "%s",
                  error.text);
    return outcome;
}

static enum discriminate_verdict verdict_of_side(uint32_t side)
{
    struct discriminate_outcome outcome;
    enum discriminate_verdict verdict;

    results_make(side);
    outcome = measured();
    verdict = discriminate_judge(&found, &outcome);
    ck_assert_uint_eq(discriminate_strange(&found, &outcome), 0);
    free(outcome.values);
    results_free();
    return verdict;
}

/* Leaves each kernel out in turn: then the two are not told apart. */
static void every_kernel_is_needed(void)
{
    const struct discriminate_scenario whole = found.scenario;

    for (uint32_t i = 0; i < whole.kernel_count; i++) {
        bool is_smaller, apart;

        ck_assert(
            discriminate_reduce(&whole, found.question.model, 2 + i, &found.scenario, &is_smaller));
        ck_assert(is_smaller == (whole.kernel_count > 1));
        if (!is_smaller)
            continue;
        ck_assert_uint_eq(found.scenario.kernel_count, whole.kernel_count - 1);
        ck_assert_msg(discriminate_try(&found, false, &apart, &error), "%s", error.text);
        ck_assert_msg(!apart, "kernel %u can be left out", i + 1);
    }
    found.scenario = whole;
}

/* ---- what is found --------------------------------------------------------------------------- */

static const struct {
    const char *gpu, *id, *a, *b;
    uint32_t from_kernels; /* the search begins there, to save time */
    uint32_t kernels;
    const char *rule; /* NULL: any */
} rows[] = {
    {"gtx1060", "core.block_to_sm", "most-free", "lowest", 1, 1, "core.block_to_sm"},
    {"gtx1060", "core.block_to_sm", "most-free", "round-robin", 1, 2, "core.block_to_sm"},
    {"tx2", "core.block_to_sm", "lowest", "round-robin", 1, 1, "core.block_to_sm"},
    {"xavier", "core.block_to_sm", "lowest", "random", 1, 1, "core.block_to_sm"},
    {"gtx1060", "cuda.channel_free", "partly-dispatched", "fully-dispatched", 9, 9, NULL},
    /* Longer searches: not with sanitizers. */
    {"gtx1060", "core.block_to_sm", "most-free", "random", 1, 1, "core.block_to_sm"},
    {"gtx1060", "core.block_to_sm", "round-robin", "random", 1, 1, "core.block_to_sm"},
    {"xavier", "cuda.channel_next", "fifo", "newest", 5, 5, "B.C2"},
    {"tx2", "nv.runlist.engines_needed", "possible", "used", 2, 2, "B.R4"},
    /* The longest search: with GFE_LONG=1. */
    {"xavier", "cuda.channel_next", "random", "fifo", 7, 7, "B.C2"},
};
enum { ROWS = sizeof rows / sizeof rows[0], ROWS_SANITIZED = 5 };

/* Asserts that the scenario that was found has that number of kernels, that none of them can be
 * left out, and that results of A are judged as A and results of B as B. */
static void found_as_wanted(uint32_t kernels)
{
    ck_assert(found.found && !found.gave_up);
    ck_assert_uint_eq(found.scenario.kernel_count, kernels);
    ck_assert_int_eq(verdict_of_side(0), DISCRIMINATE_A);
    ck_assert_int_eq(verdict_of_side(1), DISCRIMINATE_B);
    every_kernel_is_needed();
}

/* PROMISE (explore): `gfe discriminate` finds a scenario that tells two alternatives apart, and
 * judges results. */
START_TEST(each_is_found_and_judged)
{
    struct discriminate_question asked =
        question(rows[_i].gpu, rows[_i].id, rows[_i].a, rows[_i].b);

    asked.min_kernels = rows[_i].from_kernels;
    find(&asked);
    if (rows[_i].rule)
        ck_assert_str_eq(found.rule, rows[_i].rule);
    found_as_wanted(rows[_i].kernels);
    discriminate_fini(&found);
}
END_TEST

START_TEST(nothing_is_found)
{
    struct discriminate_question asked = question("gtx1060", "nv.pitch_sign", "signed", "unsigned");

    asked.max_kernels = 1;
    find(&asked);
    ck_assert(!found.found && !found.absent && !found.gave_up);
    ck_assert_uint_ge(found.tried_count, 16);
    ck_assert_uint_eq(found.simulation_count, 2 * found.tried_count);
    discriminate_fini(&found);

    /* Not even with the two that would do: it is of nouveau's driver model. */
    asked = question("gtx1060", "nouveau.volta_fence", "semaphored", "sem_execute");
    find(&asked);
    ck_assert(!found.found && found.absent);
    ck_assert_uint_eq(found.simulation_count, 0);
    discriminate_fini(&found);
}
END_TEST

START_TEST(the_same_question_has_the_same_answer)
{
    const struct discriminate_question asked =
        question("xavier", "core.block_to_sm", "lowest", "random");
    char *first, *second;

    find(&asked);
    first = discriminate_config(&found);
    discriminate_fini(&found);
    find(&asked);
    second = discriminate_config(&found);
    discriminate_fini(&found);
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
}
END_TEST

/* ---- what is judged -------------------------------------------------------------------------- */

/* Once for all tests of the case: the search takes longer than they do. */
static void find_once(void)
{
    struct discriminate_question asked =
        question("xavier", "cuda.channel_free", "fully-dispatched", "partly-dispatched");

    asked.min_kernels = 3;
    find(&asked);
}

static void forget(void)
{
    discriminate_fini(&found);
}

START_TEST(what_is_found_once_is_right)
{
    found_as_wanted(3);
}
END_TEST

static void begin(void)
{
    results_make(0);
}

static void end(void)
{
    results_free();
}

/* Moves each time that counts from where A has it. */
static enum discriminate_verdict verdict_of_moved(gfe_ps by_ps)
{
    struct discriminate_outcome outcome = measured();
    enum discriminate_verdict verdict;

    for (uint32_t i = 0; i < discriminate_value_count(&found.scenario); i++)
        if (found.evidence[i]) {
            ck_assert_int_ne(discriminate_value_of(&found.scenario, i).figure, DISCRIMINATE_SM);
            outcome.values[i] += by_ps;
        }
    verdict = discriminate_judge(&found, &outcome);
    free(outcome.values);
    return verdict;
}

START_TEST(measured_times_may_be_off_by_the_tolerance)
{
    begin();
    ck_assert_int_eq(verdict_of_moved(0), DISCRIMINATE_A);
    ck_assert_int_eq(verdict_of_moved(DISCRIMINATE_TOLERANCE_PS - MS), DISCRIMINATE_A);
    ck_assert_int_eq(verdict_of_moved(DISCRIMINATE_TOLERANCE_PS + MS), DISCRIMINATE_NEITHER);
    ck_assert_int_eq(verdict_of_moved(150 * MS), DISCRIMINATE_NEITHER);
    end();
}
END_TEST

START_TEST(one_figure_as_b_has_it_is_neither)
{
    struct discriminate_outcome outcome;

    begin();
    outcome = measured();
    for (uint32_t i = 0; i < discriminate_value_count(&found.scenario); i++)
        if (found.evidence[i]) {
            outcome.values[i] = found.sides[1].list[0].values[i];
            break;
        }
    ck_assert_int_eq(discriminate_judge(&found, &outcome), DISCRIMINATE_NEITHER);
    free(outcome.values);
    end();
}
END_TEST

START_TEST(what_does_not_tell_fits_both)
{
    struct discriminate_outcome outcome;

    begin();
    outcome = measured();
    for (uint32_t i = 0; i < discriminate_value_count(&found.scenario); i++)
        if (found.evidence[i])
            outcome.values[i] = DISCRIMINATE_NOT_SAID;
    ck_assert_int_eq(discriminate_judge(&found, &outcome), DISCRIMINATE_BOTH);
    free(outcome.values);
    end();
}
END_TEST

START_TEST(other_figures_are_counted_only)
{
    struct discriminate_outcome outcome;
    uint32_t moved = 0;

    begin();
    outcome = measured();
    for (uint32_t i = 0; i < discriminate_value_count(&found.scenario) && moved < 3; i++)
        if (!found.evidence[i] &&
            discriminate_value_of(&found.scenario, i).figure == DISCRIMINATE_START) {
            outcome.values[i] += 50 * MS;
            moved++;
        }
    ck_assert_int_eq(discriminate_judge(&found, &outcome), DISCRIMINATE_A);
    ck_assert_uint_eq(discriminate_strange(&found, &outcome), 3);
    free(outcome.values);
    end();
}
END_TEST

static void refused(uint32_t count, const char *text)
{
    struct discriminate_outcome outcome;

    error = (struct gfe_error){0};
    ck_assert(!discriminate_measured(&found, files, count, &outcome, &error));
    ck_assert_ptr_null(outcome.values);
    ck_assert_msg(strstr(error.text, text) != NULL, "%s", error.text);
}

/* PROMISE (explore): Results of something else are refused. */
START_TEST(results_of_something_else_are_refused)
{
    struct examiner_result *result;
    struct discriminate_result_file file;
    char *name, *label;

    begin();
    refused(2, "are missing");
    file = files[1];
    files[1] = files[0];
    refused(3, "of which there is one already");
    files[1] = file;

    result = (struct examiner_result *)(uintptr_t)files[0].result;
    name = result->scenario_name;
    result->scenario_name = found.name + 1;
    refused(3, "is of scenario");
    result->scenario_name = name;
    label = result->label;
    result->label = NULL;
    refused(3, "has the label ''");
    result->label = label;
    result->iterations[0].kernels[0].threads++;
    refused(3, "is not the scenario's");
    result->iterations[0].kernels[0].threads--;
    result->iterations[0].kernel_count = 0;
    refused(3, "is not the scenario's");
    result->iterations[0].kernel_count = 1;
    result->iteration_count = 0;
    refused(3, "has 0 iterations");
    result->iteration_count = 1;
    free(measured().values);
    end();
}
END_TEST

Suite *discriminate_suite(void)
{
    Suite *suite = suite_create("discriminate");
    TCase *tcase = tcase_create("found"), *judged = tcase_create("judged");

    tcase_set_timeout(tcase, 900);
    tcase_set_timeout(judged, 900);
    tcase_add_unchecked_fixture(judged, find_once, forget);
    tcase_add_loop_test(tcase, each_is_found_and_judged, 0,
                        (int)check_long_or(ROWS, ROWS - 1, ROWS_SANITIZED));
    tcase_add_test(tcase, nothing_is_found);
    tcase_add_test(tcase, the_same_question_has_the_same_answer);
    tcase_add_test(judged, what_is_found_once_is_right);
    tcase_add_test(judged, measured_times_may_be_off_by_the_tolerance);
    tcase_add_test(judged, one_figure_as_b_has_it_is_neither);
    tcase_add_test(judged, what_does_not_tell_fits_both);
    tcase_add_test(judged, other_figures_are_counted_only);
    tcase_add_test(judged, results_of_something_else_are_refused);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, judged);
    return suite;
}
