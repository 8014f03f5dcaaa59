/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/responses.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/json_text.h"
#include "emu/base/text.h"
#include "emu/base/visible.h"
#include "firmware-models/cuda/cuda.h"

enum { NAME_COLUMNS = 16, TIME_BYTES = 48 };

static bool no_memory(struct gfe_error *error)
{
    return error_set(error, ERROR_SYSTEM, "no memory for response times");
}

bool responses_init_named(struct responses *responses, const char *name, uint32_t operations,
                          struct gfe_error *error)
{
    *responses = (struct responses){.name = strdup(name), .call_count = operations};
    responses->calls = calloc(operations ? operations : 1, sizeof *responses->calls);
    if (responses->name && responses->calls) {
        visible_mark(responses->name);
        return true;
    }
    responses_fini(responses);
    return no_memory(error);
}

bool responses_name(struct responses *responses, uint32_t operation, const char *name,
                    const char *task, struct gfe_error *error)
{
    struct response *call = &responses->calls[operation];

    call->name = strdup(name);
    call->task = strdup(task);
    if (!call->name || !call->task)
        return no_memory(error);
    visible_mark(call->name);
    visible_mark(call->task);
    return true;
}

void responses_fini(struct responses *responses)
{
    for (uint32_t i = 0; i < responses->call_count && responses->calls; i++) {
        free(responses->calls[i].worst_of_run);
        free(responses->calls[i].name);
        free(responses->calls[i].task);
    }
    for (uint32_t i = 0; i < responses->run_count && responses->labels; i++)
        free(responses->labels[i]);
    free(responses->calls);
    free(responses->seeds);
    free(responses->labels);
    free(responses->sorted);
    free(responses->name);
    *responses = (struct responses){0};
}

/* Makes room for more runs.  Returns false without memory; the runs that are there stay. */
static bool responses_grow(struct responses *responses, uint32_t capacity)
{
    uint64_t *seeds = realloc(responses->seeds, capacity * sizeof *seeds);
    gfe_ps *sorted;
    char **labels;

    if (!seeds)
        return false;
    responses->seeds = seeds;
    labels = realloc(responses->labels, capacity * sizeof *labels);
    if (!labels)
        return false;
    responses->labels = labels;
    sorted = realloc(responses->sorted, capacity * sizeof *sorted);
    if (!sorted)
        return false;
    responses->sorted = sorted;
    for (uint32_t i = 0; i < responses->call_count; i++) {
        gfe_ps *worst = realloc(responses->calls[i].worst_of_run, capacity * sizeof *worst);

        if (!worst)
            return false;
        responses->calls[i].worst_of_run = worst;
    }
    responses->run_capacity = capacity;
    return true;
}

bool responses_begin(struct responses *responses, uint64_t seed, const char *label,
                     struct gfe_error *error)
{
    const uint32_t run = responses->run_count, more = run < 16 ? 16 : 2 * run;

    if (run == responses->run_capacity && !responses_grow(responses, more))
        return no_memory(error);
    responses->labels[run] = strdup(label);
    if (!responses->labels[run])
        return no_memory(error);
    responses->seeds[run] = seed;
    for (uint32_t i = 0; i < responses->call_count; i++)
        responses->calls[i].worst_of_run[run] = 0;
    responses->run_count++;
    return true;
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

void responses_put(struct responses *responses, uint32_t operation,
                   const struct cuda_response *response)
{
    const uint32_t run = responses->run_count - 1;

    response_add(&responses->calls[operation], response, run);
    responses->calls[operation].worst_of_run[run] = response->worst_ps;
}

bool responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed,
                   const char *label, struct gfe_error *error)
{
    if (!responses_begin(responses, seed, label, error))
        return false;
    for (uint32_t i = 0; i < responses->call_count; i++)
        responses_put(responses, i, &simulation->cuda->responses[i]);
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

/* As its first operation is called in pictures and stories (emu/log/program.h): "K4", "S1/copy#2".
 */
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

bool responses_init(struct responses *responses, const struct scenario *scenario,
                    const struct nv_chip *model, uint32_t runs, struct gfe_error *error)
{
    const struct cuda_program *program = &scenario->program;
    bool good = responses_init_named(responses, program->name, program->call_count, error);
    char name[256];

    responses->scenario = scenario;
    responses->model = model;
    if (good && !responses_grow(responses, runs))
        good = no_memory(error);
    for (uint32_t i = 0; i < responses->call_count && good; i++) {
        if (!is_operation(&program->calls[i]))
            continue;
        name_of(program, i, name, sizeof name);
        good = responses_name(responses, i, name, task_of(program, i)->name, error);
    }
    if (!good)
        responses_fini(responses);
    return good;
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

    memcpy(responses->sorted, response->worst_of_run, count * sizeof *responses->sorted);
    qsort(responses->sorted, count, sizeof *responses->sorted, compare_ps);
    return responses->sorted[(uint64_t)(count - 1) * percent / 100];
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
            text_time(median, TIME_BYTES, percentile(responses, response, 50)),
            text_time(most, TIME_BYTES, percentile(responses, response, 95)));
    if (label[0])
        fprintf(file, "%s", label);
    else
        fprintf(file, "seed %" PRIu64, responses->seeds[response->worst_run]);
}

static void print_call(const struct responses *responses, uint32_t index, FILE *file)
{
    const struct response *response = &responses->calls[index];
    char best[TIME_BYTES], mean[TIME_BYTES], worst[TIME_BYTES];
    char more[2][TIME_BYTES];

    if (response->count == 0) {
        fprintf(file, "  %-*s never completes\n", NAME_COLUMNS, response->name);
        return;
    }
    fprintf(file, "  %-*s %6" PRIu64 "  %12s %12s %12s", NAME_COLUMNS, response->name,
            response->count, text_time(best, TIME_BYTES, response->best_ps),
            text_time(mean, TIME_BYTES, response->sum_ps / response->count),
            text_time(worst, TIME_BYTES, response->worst_ps));
    if (responses->run_count > 1)
        print_run(responses, response, file);
    else if (response->count > 1)
        fprintf(file, "  job %" PRIu64 "; first %s, last %s", response->worst_iteration + 1,
                text_time(more[0], TIME_BYTES, response->first_ps),
                text_time(more[1], TIME_BYTES, response->last_ps));
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
    fprintf(file, "response times%s\n  %-*s %6s  %12s %12s %12s  %s\n",
            responses->run_count > 1 ? " of all runs" : "", NAME_COLUMNS, "operation", "times",
            "best", "mean", "worst",
            responses->run_count > 1 ? "of the runs' worst; by which run" : "");
    for (uint32_t i = 0; i < responses->call_count; i++)
        if (responses->calls[i].name)
            print_call(responses, i, file);
    if (responses->scenario && responses->scenario->utilisation_ppm > 0)
        print_utilisation(responses, file);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *call_json(const struct responses *responses, uint32_t index)
{
    const struct response *response = &responses->calls[index];

    if (response->count == 0)
        return json_pack("{ss ss si}", "name", response->name, "task", response->task, "count", 0);
    return json_pack("{ss ss sI sI sI sI sI sI ss ss sI sI sI sI sI}", "name", response->name,
                     "task", response->task, "count", (json_int_t)response->count, "best_ps",
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
    json_t *root = json_pack("{ss si so}", "scenario", responses->name, "runs",
                             (int)responses->run_count, "operations", calls);
    bool good = root != NULL;
    char *text = NULL;

    for (uint32_t i = 0; i < responses->call_count && good; i++)
        if (responses->calls[i].name)
            good = json_array_append_new(calls, call_json(responses, i)) == 0;
    if (good && scenario && scenario->utilisation_ppm > 0)
        good = json_object_set_new(root, "utilisation_ppm",
                                   json_integer((json_int_t)scenario->utilisation_ppm)) == 0;
    if (good)
        text = json_text(root, JSON_INDENT(2));
    json_decref(root);
    return text;
}
