/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/responses.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu_model.h"
#include "emu/json_text.h"
#include "emu/show_scale.h"
#include "firmware-models/cuda.h"

enum { NAME_COLUMNS = 16, TIME_BYTES = 48 };

bool responses_init(struct responses *responses, const struct scenario *scenario,
                    const struct gpu_model *model, uint32_t runs, struct gfe_error *error)
{
    const uint32_t count = scenario->program.call_count;
    bool good;

    *responses = (struct responses){.scenario = scenario, .model = model, .run_capacity = runs};
    responses->calls = calloc(count ? count : 1, sizeof *responses->calls);
    responses->seeds = calloc(runs, sizeof *responses->seeds);
    responses->labels = calloc(runs, sizeof *responses->labels);
    good = responses->calls && responses->seeds && responses->labels;
    for (uint32_t i = 0; i < count && good; i++) {
        responses->calls[i].worst_of_run = calloc(runs, sizeof(gfe_ps));
        good = responses->calls[i].worst_of_run != NULL;
    }
    if (good)
        return true;
    responses_fini(responses);
    return error_set(error, ERROR_SYSTEM, "no memory for response times");
}

void responses_fini(struct responses *responses)
{
    for (uint32_t i = 0; i < responses->scenario->program.call_count && responses->calls; i++)
        free(responses->calls[i].worst_of_run);
    for (uint32_t i = 0; i < responses->run_count && responses->labels; i++)
        free(responses->labels[i]);
    free(responses->calls);
    free(responses->seeds);
    free(responses->labels);
    *responses = (struct responses){.scenario = responses->scenario};
}

static void response_add(struct response *to, const struct cuda_response *from, uint32_t run)
{
    if (from->count == 0)
        return;
    if (to->count == 0 || from->best_ps < to->best_ps) {
        to->best_ps = from->best_ps;
        to->best_run = run;
    }
    if (to->count == 0 || from->worst_ps > to->worst_ps) {
        to->worst_ps = from->worst_ps;
        to->worst_run = run;
        to->worst_iteration = from->worst_iteration;
    }
    to->first_ps = from->first_ps;
    to->last_ps = from->last_ps;
    to->count += from->count;
    to->sum_ps += from->sum_ps;
}

bool responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed,
                   const char *label, struct gfe_error *error)
{
    const uint32_t run = responses->run_count;

    assert(run < responses->run_capacity);
    responses->labels[run] = strdup(label);
    if (!responses->labels[run])
        return error_set(error, ERROR_SYSTEM, "no memory for response times");
    responses->seeds[run] = seed;
    responses->run_count++;
    for (uint32_t i = 0; i < responses->scenario->program.call_count; i++) {
        const struct cuda_response *from = &simulation->cuda->responses[i];

        response_add(&responses->calls[i], from, run);
        responses->calls[i].worst_of_run[run] = from->worst_ps;
    }
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct cuda_task *task_of(const struct cuda_program *program, uint32_t call)
{
    uint32_t i = 0;

    while (call < program->tasks[i].first_call ||
           call >= program->tasks[i].first_call + program->tasks[i].call_count)
        i++;
    return &program->tasks[i];
}

static bool is_operation(const struct cuda_call *call)
{
    return call->kind == CUDA_LAUNCH || call->kind == CUDA_MEMCPY || call->kind == CUDA_MEMSET;
}

/* As its first operation is called in pictures and stories (emu/program.h): "K4", "S1/copy#2". */
static void name_of(const struct cuda_program *program, uint32_t index, char *to, size_t bytes)
{
    const struct cuda_call *call = &program->calls[index];
    const struct cuda_task *task = task_of(program, index);
    const char *what = call->kind == CUDA_MEMSET ? "memset" : "copy";
    uint32_t number = 1;

    if (call->kind == CUDA_LAUNCH) {
        (void)snprintf(to, bytes, "%s", program->kernels[call->kernel].name);
        return;
    }
    for (uint32_t i = task->first_call; i < index; i++)
        number += program->calls[i].kind == call->kind;
    if (number > 1)
        (void)snprintf(to, bytes, "%s/%s#%" PRIu32, task->name, what, number);
    else
        (void)snprintf(to, bytes, "%s/%s", task->name, what);
}

/* ---- distribution ---------------------------------------------------------------------------- */

static int compare_ps(const void *a, const void *b)
{
    const gfe_ps x = *(const gfe_ps *)a, y = *(const gfe_ps *)b;

    return (x > y) - (x < y);
}

/* The worst of a run that so many percent of the runs do not pass. */
static gfe_ps percentile(const struct responses *responses, const struct response *response,
                         uint32_t percent)
{
    const uint32_t count = responses->run_count;
    gfe_ps *sorted = malloc(count * sizeof *sorted);
    gfe_ps found = response->worst_ps;

    if (!sorted)
        return found;
    memcpy(sorted, response->worst_of_run, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_ps);
    found = sorted[(uint64_t)(count - 1) * percent / 100];
    free(sorted);
    return found;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The distribution of the runs' worst, and by which run the worst of all is made. */
static void print_run(const struct responses *responses, const struct response *response,
                      FILE *file)
{
    const char *label = responses->labels[response->worst_run];
    char median[TIME_BYTES], most[TIME_BYTES];

    if (response->best_ps == response->worst_ps) {
        fprintf(file, "  the same in all");
        return;
    }
    fprintf(file, "  median %s, 95 %% %s; ",
            show_time(median, TIME_BYTES, percentile(responses, response, 50)),
            show_time(most, TIME_BYTES, percentile(responses, response, 95)));
    if (label[0])
        fprintf(file, "%s", label);
    else
        fprintf(file, "seed %" PRIu64, responses->seeds[response->worst_run]);
}

static void print_call(const struct responses *responses, uint32_t index, FILE *file)
{
    const struct cuda_program *program = &responses->scenario->program;
    const struct response *response = &responses->calls[index];
    char name[256], best[TIME_BYTES], mean[TIME_BYTES], worst[TIME_BYTES];
    char more[2][TIME_BYTES];

    name_of(program, index, name, sizeof name);
    if (response->count == 0) {
        fprintf(file, "  %-*s never completes\n", NAME_COLUMNS, name);
        return;
    }
    fprintf(file, "  %-*s %6" PRIu64 "  %12s %12s %12s", NAME_COLUMNS, name, response->count,
            show_time(best, TIME_BYTES, response->best_ps),
            show_time(mean, TIME_BYTES, response->sum_ps / response->count),
            show_time(worst, TIME_BYTES, response->worst_ps));
    if (responses->run_count > 1)
        print_run(responses, response, file);
    else if (response->count > 1)
        fprintf(file, "  job %" PRIu64 "; first %s, last %s", response->worst_iteration + 1,
                show_time(more[0], TIME_BYTES, response->first_ps),
                show_time(more[1], TIME_BYTES, response->last_ps));
    fputc('\n', file);
}

/* Yang and Anderson 2017: without bound, it may be, from m - b_max + 1 on. */
static void print_utilisation(const struct responses *responses, FILE *file)
{
    const struct scenario *scenario = responses->scenario;
    const uint32_t threads = responses->model->sm_count * responses->model->sm.threads_per_sm;
    const uint64_t limit = threads >= scenario->largest_block
                               ? (uint64_t)(threads - scenario->largest_block + 1) * 1000000
                               : 0;

    fprintf(file,
            "task set: utilisation %" PRIu64 ".%06" PRIu64 " of m = %" PRIu32
            " threads; m - b_max + 1 = %" PRIu64 ": response times %s\n",
            scenario->utilisation_ppm / 1000000, scenario->utilisation_ppm % 1000000, threads,
            limit / 1000000,
            scenario->utilisation_ppm >= limit ? "may be unbounded (Y.U)"
                                               : "are conjectured to be bounded");
}

void responses_print(const struct responses *responses, FILE *file)
{
    const struct cuda_program *program = &responses->scenario->program;

    fprintf(file, "response times%s\n  %-*s %6s  %12s %12s %12s  %s\n",
            responses->run_count > 1 ? " of all runs" : "", NAME_COLUMNS, "operation", "times",
            "best", "mean", "worst",
            responses->run_count > 1 ? "of the runs' worst; by which run" : "");
    for (uint32_t i = 0; i < program->call_count; i++)
        if (is_operation(&program->calls[i]))
            print_call(responses, i, file);
    if (responses->scenario->utilisation_ppm > 0)
        print_utilisation(responses, file);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *call_json(const struct responses *responses, uint32_t index)
{
    const struct cuda_program *program = &responses->scenario->program;
    const struct response *response = &responses->calls[index];
    char name[256];

    name_of(program, index, name, sizeof name);
    if (response->count == 0)
        return json_pack("{ss ss si}", "name", name, "task", task_of(program, index)->name, "count",
                         0);
    return json_pack("{ss ss sI sI sI sI sI sI ss ss sI sI sI sI sI}", "name", name, "task",
                     task_of(program, index)->name, "count", (json_int_t)response->count, "best_ps",
                     (json_int_t)response->best_ps, "mean_ps",
                     (json_int_t)(response->sum_ps / response->count), "worst_ps",
                     (json_int_t)response->worst_ps, "best_seed",
                     (json_int_t)responses->seeds[response->best_run], "worst_seed",
                     (json_int_t)responses->seeds[response->worst_run], "best_choices",
                     responses->labels[response->best_run], "worst_choices",
                     responses->labels[response->worst_run], "worst_iteration",
                     (json_int_t)response->worst_iteration, "first_ps",
                     (json_int_t)response->first_ps, "last_ps", (json_int_t)response->last_ps,
                     "median_worst_ps", (json_int_t)percentile(responses, response, 50),
                     "worst_of_95_percent_ps", (json_int_t)percentile(responses, response, 95));
}

char *responses_json(const struct responses *responses)
{
    const struct scenario *scenario = responses->scenario;
    json_t *calls = json_array();
    json_t *root = json_pack("{ss si so}", "scenario", scenario->program.name, "runs",
                             (int)responses->run_count, "operations", calls);
    bool good = root != NULL;
    char *text = NULL;

    for (uint32_t i = 0; i < scenario->program.call_count && good; i++)
        if (is_operation(&scenario->program.calls[i]))
            good = json_array_append_new(calls, call_json(responses, i)) == 0;
    if (good && scenario->utilisation_ppm > 0)
        good = json_object_set_new(root, "utilisation_ppm",
                                   json_integer((json_int_t)scenario->utilisation_ppm)) == 0;
    if (good)
        text = json_text(root, JSON_INDENT(2));
    json_decref(root);
    return text;
}
