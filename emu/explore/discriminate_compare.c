/* SPDX-License-Identifier: MIT */
/* What result files show of a run, and how two runs compare. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/explore/discriminate_private.h"

enum { CPU_FIGURES = DISCRIMINATE_START, BLOCK_FIGURES = DISCRIMINATE_FIGURES - CPU_FIGURES };

/* ---- values ---------------------------------------------------------------------------------- */

uint32_t discriminate_value_count(const struct discriminate_scenario *scenario)
{
    return scenario->kernel_count * CPU_FIGURES +
           discriminate_block_count(scenario) * BLOCK_FIGURES;
}

struct discriminate_value discriminate_value_of(const struct discriminate_scenario *scenario,
                                                uint32_t n)
{
    uint32_t kernel = 0;

    while (n >= CPU_FIGURES + scenario->kernels[kernel].blocks * BLOCK_FIGURES)
        n -= CPU_FIGURES + scenario->kernels[kernel++].blocks * BLOCK_FIGURES;
    if (n < CPU_FIGURES)
        return (struct discriminate_value){(enum discriminate_figure)n, kernel, 0};
    n -= CPU_FIGURES;
    return (struct discriminate_value){(enum discriminate_figure)(CPU_FIGURES + n % BLOCK_FIGURES),
                                       kernel, n / BLOCK_FIGURES};
}

/* The kernel's, in its stream's result. */
static const struct examiner_result_kernel *
result_kernel(const struct discriminate_scenario *scenario, struct examiner_result *const *results,
              uint32_t kernel)
{
    const uint32_t stream = scenario->kernels[kernel].stream;
    uint32_t first = kernel;

    while (first > 0 && scenario->kernels[first - 1].stream == stream)
        first--;
    return &results[stream]->iterations[0].kernels[kernel - first];
}

bool discriminate_fits(const struct discriminate_scenario *scenario, uint32_t stream,
                       const struct examiner_result *result, char *says, size_t bytes)
{
    uint32_t number = 0;

    if (result->iteration_count != 1 || !result->blocks_timed) {
        (void)snprintf(says, bytes, "has %" PRIu32 " iterations, and the scenario 1",
                       result->iteration_count);
        return false;
    }
    for (uint32_t i = 0; i < scenario->kernel_count; i++) {
        const struct discriminate_kernel *wanted = &scenario->kernels[i];
        const struct examiner_result_iteration *iteration = &result->iterations[0];
        const struct examiner_result_kernel *kernel;

        if (wanted->stream != stream)
            continue;
        kernel = number < iteration->kernel_count ? &iteration->kernels[number] : NULL;
        if (!kernel || kernel->block_count != wanted->blocks ||
            (uint32_t)kernel->threads != wanted->threads) {
            (void)snprintf(says, bytes,
                           "kernel %" PRIu32 " of it is not the scenario's: %" PRIu32
                           " blocks of %" PRIu32 " threads",
                           number + 1, wanted->blocks, wanted->threads);
            return false;
        }
        number++;
    }
    if (number == result->iterations[0].kernel_count)
        return true;
    (void)snprintf(says, bytes, "has %" PRIu32 " kernels, and the scenario's stream %" PRIu32,
                   result->iterations[0].kernel_count, number);
    return false;
}

struct zeroes {
    gfe_ps launch_ps, start_ps;
};

static struct zeroes zeroes_of(const struct discriminate_scenario *scenario,
                               struct examiner_result *const *results)
{
    struct zeroes zeroes = {GFE_PS_NEVER, GFE_PS_NEVER};

    for (uint32_t i = 0; i < scenario->kernel_count; i++) {
        const struct examiner_result_kernel *kernel = result_kernel(scenario, results, i);

        if (kernel->launch_ps < zeroes.launch_ps)
            zeroes.launch_ps = kernel->launch_ps;
        for (uint32_t b = 0; b < kernel->block_count; b++)
            if (kernel->blocks[b].start_ps < zeroes.start_ps)
                zeroes.start_ps = kernel->blocks[b].start_ps;
    }
    return zeroes;
}

/* Damaged files may have times before the first. */
static uint64_t since(gfe_ps time_ps, gfe_ps zero_ps)
{
    return time_ps > zero_ps ? time_ps - zero_ps : 0;
}

/* The SM of a block as the number of the first block that was on it. */
static void name_sms(const uint32_t *sms, uint32_t count, const uint32_t *places, uint64_t *values)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = 0;

        while (sms[first] != sms[i])
            first++;
        values[places[i]] = first;
    }
}

uint64_t *discriminate_take(const struct discriminate_scenario *scenario,
                            struct examiner_result *const *results, struct gfe_error *error)
{
    const uint32_t blocks = discriminate_block_count(scenario);
    uint64_t *values = calloc(discriminate_value_count(scenario), sizeof *values);
    uint32_t *sms = calloc(blocks, sizeof *sms), *places = calloc(blocks, sizeof *places);
    const struct zeroes zeroes = zeroes_of(scenario, results);
    uint32_t at = 0, block = 0;

    if (!values || !sms || !places) {
        error_set(error, ERROR_SYSTEM, "no memory for the outcome of a run");
        free(values);
        values = NULL;
    }
    for (uint32_t i = 0; values && i < scenario->kernel_count; i++) {
        const struct examiner_result_kernel *kernel = result_kernel(scenario, results, i);

        values[at++] = since(kernel->launch_ps, zeroes.launch_ps);
        values[at++] = since(kernel->launched_ps, zeroes.launch_ps);
        values[at++] = kernel->synchronized_ps == 0
                           ? DISCRIMINATE_NOT_SAID
                           : since(kernel->synchronized_ps, zeroes.launch_ps);
        for (uint32_t b = 0; b < kernel->block_count; b++, block++) {
            values[at++] = since(kernel->blocks[b].start_ps, zeroes.start_ps);
            values[at++] = since(kernel->blocks[b].end_ps, zeroes.start_ps);
            sms[block] = kernel->blocks[b].sm;
            places[block] = at++;
        }
    }
    if (values)
        name_sms(sms, blocks, places, values);
    free(sms);
    free(places);
    return values;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool apart(enum discriminate_figure figure, uint64_t a, uint64_t b, gfe_ps by_ps)
{
    if (a == DISCRIMINATE_NOT_SAID || b == DISCRIMINATE_NOT_SAID)
        return false; /* a run lacks the figure, so there is no difference to see */
    return figure == DISCRIMINATE_SM ? a != b : (a > b ? a - b : b - a) > by_ps;
}

bool discriminate_differ(const struct discriminate_scenario *scenario, const bool *counts,
                         const struct discriminate_outcome *a, const struct discriminate_outcome *b)
{
    const uint32_t count = discriminate_value_count(scenario);

    for (uint32_t i = 0; i < count; i++)
        if ((!counts || counts[i]) && apart(discriminate_value_of(scenario, i).figure, a->values[i],
                                            b->values[i], DISCRIMINATE_MARGIN_PS))
            return true;
    return false;
}

bool discriminate_outcomes_add(struct discriminate_outcomes *outcomes,
                               struct discriminate_outcome outcome)
{
    struct discriminate_outcome *grown;

    if (outcomes->count == outcomes->capacity) {
        const uint32_t capacity = outcomes->capacity ? 2 * outcomes->capacity : 4;

        grown = realloc(outcomes->list, capacity * sizeof *grown);
        if (!grown) {
            free(outcome.values);
            return false;
        }
        outcomes->list = grown;
        outcomes->capacity = capacity;
    }
    outcomes->list[outcomes->count++] = outcome;
    return true;
}

void discriminate_outcomes_fini(struct discriminate_outcomes *outcomes)
{
    for (uint32_t i = 0; i < outcomes->count; i++)
        free(outcomes->list[i].values);
    free(outcomes->list);
    *outcomes = (struct discriminate_outcomes){0};
}

/* In how many pairs of outcomes, one of A and one of B, the value is another. */
static uint32_t pairs_apart(const struct discriminate_scenario *scenario,
                            const struct discriminate_outcomes sides[2], uint32_t n)
{
    const enum discriminate_figure figure = discriminate_value_of(scenario, n).figure;
    uint32_t pairs = 0;

    for (uint32_t i = 0; i < sides[0].count; i++)
        for (uint32_t j = 0; j < sides[1].count; j++)
            pairs += apart(figure, sides[0].list[i].values[n], sides[1].list[j].values[n],
                           DISCRIMINATE_MARGIN_PS);
    return pairs;
}

bool discriminate_in_all_pairs(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts)
{
    const uint32_t count = discriminate_value_count(scenario);
    bool any = false;

    for (uint32_t i = 0; i < count; i++) {
        counts[i] = counts[i] && pairs_apart(scenario, sides, i) == sides[0].count * sides[1].count;
        any = any || counts[i];
    }
    return any;
}

void discriminate_in_any_pair(const struct discriminate_scenario *scenario,
                              const struct discriminate_outcomes sides[2], bool *counts)
{
    const uint32_t count = discriminate_value_count(scenario);

    for (uint32_t i = 0; i < count; i++)
        counts[i] = counts[i] && pairs_apart(scenario, sides, i) > 0;
}

void discriminate_steady(const struct discriminate_scenario *scenario,
                         const struct discriminate_outcomes *outcomes, bool *counts)
{
    const uint32_t count = discriminate_value_count(scenario);

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t o = 1;
             discriminate_value_of(scenario, i).figure == DISCRIMINATE_SM && o < outcomes->count;
             o++)
            counts[i] = counts[i] && outcomes->list[o].values[i] == outcomes->list[0].values[i];
}

/* Do two outcomes differ in a time that counts? */
static bool times_differ(const struct discriminate_scenario *scenario, const bool *counts,
                         const struct discriminate_outcome *a, const struct discriminate_outcome *b)
{
    const uint32_t count = discriminate_value_count(scenario);

    for (uint32_t i = 0; i < count; i++) {
        const enum discriminate_figure figure = discriminate_value_of(scenario, i).figure;

        if (counts[i] && figure != DISCRIMINATE_SM &&
            apart(figure, a->values[i], b->values[i], DISCRIMINATE_MARGIN_PS))
            return true;
    }
    return false;
}

void discriminate_prefer_times(const struct discriminate_scenario *scenario,
                               const struct discriminate_outcomes sides[2], bool *counts)
{
    const uint32_t count = discriminate_value_count(scenario);

    for (uint32_t i = 0; i < sides[0].count; i++)
        for (uint32_t j = 0; j < sides[1].count; j++)
            if (!times_differ(scenario, counts, &sides[0].list[i], &sides[1].list[j]))
                return;
    for (uint32_t i = 0; i < count; i++)
        counts[i] = counts[i] && discriminate_value_of(scenario, i).figure != DISCRIMINATE_SM;
}

/* ---- measured -------------------------------------------------------------------------------- */

void discriminate_label(const struct discriminate_scenario *scenario, uint32_t stream,
                        char label[DISCRIMINATE_LABEL_BYTES])
{
    uint32_t count = 0, kernel = 0;

    for (uint32_t i = 0; i < scenario->kernel_count; i++)
        if (scenario->kernels[i].stream == stream) {
            kernel = i;
            count++;
        }
    (void)snprintf(label, DISCRIMINATE_LABEL_BYTES, "%c%" PRIu32, count == 1 ? 'K' : 'S',
                   (count == 1 ? kernel : stream) + 1);
}

/* The stream whose label it has; the number of streams: none. */
static uint32_t stream_of(const struct discriminate_scenario *scenario, const char *label)
{
    char name[DISCRIMINATE_LABEL_BYTES];
    uint32_t stream = 0;

    for (; stream < scenario->stream_count; stream++) {
        discriminate_label(scenario, stream, name);
        if (label && strcmp(label, name) == 0)
            break;
    }
    return stream;
}

static bool measured_place(const struct discriminate *discriminate,
                           const struct discriminate_result_file *file,
                           const struct examiner_result **results, struct gfe_error *error)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    const struct examiner_result *result = file->result;
    const uint32_t stream = stream_of(scenario, result->label);
    char says[160];

    if (strcmp(result->scenario_name, discriminate->name) != 0)
        return error_set(error, ERROR_INPUT, "%s: is of scenario '%.60s', and not of '%s'",
                         file->path, result->scenario_name, discriminate->name);
    if (stream == scenario->stream_count)
        return error_set(error, ERROR_INPUT,
                         "%s: no benchmark of the scenario has the label '%.60s'", file->path,
                         result->label ? result->label : "");
    if (results[stream])
        return error_set(error, ERROR_INPUT, "%s: is of %s, of which there is one already",
                         file->path, result->label);
    if (!discriminate_fits(scenario, stream, result, says, sizeof says))
        return error_set(error, ERROR_INPUT, "%s: %s", file->path, says);
    results[stream] = result;
    return true;
}

bool discriminate_measured(const struct discriminate *discriminate,
                           const struct discriminate_result_file *files, uint32_t count,
                           struct discriminate_outcome *outcome, struct gfe_error *error)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    const struct examiner_result *results[DISCRIMINATE_KERNELS_MAX] = {NULL};
    struct examiner_result *taken[DISCRIMINATE_KERNELS_MAX];
    char label[DISCRIMINATE_LABEL_BYTES];

    outcome->values = NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!measured_place(discriminate, &files[i], results, error))
            return false;
    for (uint32_t i = 0; i < scenario->stream_count; i++) {
        discriminate_label(scenario, i, label);
        if (!results[i])
            return error_set(error, ERROR_INPUT,
                             "%s: the results of %s are missing: a run of the scenario makes "
                             "%" PRIu32 " files",
                             files[0].path, label, scenario->stream_count);
        taken[i] = (struct examiner_result *)(uintptr_t)results[i]; /* only looked at */
    }
    outcome->values = discriminate_take(scenario, taken, error);
    return outcome->values != NULL;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* As this outcome has it. */
static bool as_outcome(const struct discriminate *discriminate, const uint64_t *expected,
                       const uint64_t *values)
{
    const uint32_t count = discriminate_value_count(&discriminate->scenario);

    for (uint32_t i = 0; i < count; i++)
        if (discriminate->evidence[i] &&
            apart(discriminate_value_of(&discriminate->scenario, i).figure, expected[i], values[i],
                  DISCRIMINATE_TOLERANCE_PS))
            return false;
    return true;
}

bool discriminate_is_as(const struct discriminate *discriminate, uint32_t side, uint32_t n,
                        uint64_t value)
{
    const struct discriminate_outcomes *outcomes = &discriminate->sides[side];
    const enum discriminate_figure figure =
        discriminate_value_of(&discriminate->scenario, n).figure;
    uint64_t lowest = UINT64_MAX, highest = 0;

    for (uint32_t i = 0; i < outcomes->count; i++) {
        const uint64_t expected = outcomes->list[i].values[n];

        if (!apart(figure, expected, value, DISCRIMINATE_TOLERANCE_PS))
            return true;
        lowest = expected < lowest ? expected : lowest;
        highest = expected > highest ? expected : highest;
    }
    if (!outcomes->seeded)
        return false;
    /* Other seeds may do what lies between, and put a block on any SM if they do on several. */
    return figure == DISCRIMINATE_SM ? lowest != highest : value >= lowest && value <= highest;
}

/* *exact: it is one of the outcomes; else each value is one that the side may have. */
static bool judge_side(const struct discriminate *discriminate, uint32_t side,
                       const uint64_t *values, bool *exact)
{
    const struct discriminate_outcomes *outcomes = &discriminate->sides[side];
    const uint32_t count = discriminate_value_count(&discriminate->scenario);

    *exact = false;
    for (uint32_t i = 0; i < outcomes->count && !*exact; i++)
        *exact = as_outcome(discriminate, outcomes->list[i].values, values);
    for (uint32_t i = 0; i < count && !*exact; i++)
        if (discriminate->evidence[i] && !discriminate_is_as(discriminate, side, i, values[i]))
            return false;
    return *exact || outcomes->seeded;
}

enum discriminate_verdict discriminate_judge(const struct discriminate *discriminate,
                                             const struct discriminate_outcome *outcome)
{
    bool exact[2], fits[2];

    for (uint32_t side = 0; side < 2; side++)
        fits[side] = judge_side(discriminate, side, outcome->values, &exact[side]);
    if (exact[0] != exact[1])
        return exact[0] ? DISCRIMINATE_A : DISCRIMINATE_B;
    if (fits[0] != fits[1])
        return fits[0] ? DISCRIMINATE_A : DISCRIMINATE_B;
    return fits[0] ? DISCRIMINATE_BOTH : DISCRIMINATE_NEITHER;
}

uint32_t discriminate_strange(const struct discriminate *discriminate,
                              const struct discriminate_outcome *outcome)
{
    const uint32_t count = discriminate_value_count(&discriminate->scenario);
    uint32_t strange = 0;

    for (uint32_t i = 0; i < count; i++)
        strange += !discriminate->evidence[i] &&
                   !discriminate_is_as(discriminate, 0, i, outcome->values[i]) &&
                   !discriminate_is_as(discriminate, 1, i, outcome->values[i]);
    return strange;
}
