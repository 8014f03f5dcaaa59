/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/responses.h"

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

    *responses = (struct responses){.scenario = scenario, .model = model, .run_capacity = runs};
    responses->calls = calloc(count ? count : 1, sizeof *responses->calls);
    for (uint32_t i = 0; i < count && responses->calls; i++) {
        responses->calls[i].worst_of_run = calloc(runs, sizeof(gfe_ps));
        if (!responses->calls[i].worst_of_run)
            break;
        if (i + 1 == count)
            return true;
    }
    if (responses->calls && count == 0)
        return true;
    responses_fini(responses);
    return error_set(error, ERROR_SYSTEM, "no memory for response times");
}

void responses_fini(struct responses *responses)
{
    for (uint32_t i = 0; i < responses->scenario->program.call_count && responses->calls; i++)
        free(responses->calls[i].worst_of_run);
    free(responses->calls);
    responses->calls = NULL;
}

static void response_add(struct response *to, const struct cuda_response *from, uint64_t seed)
{
    if (from->count == 0)
        return;
    if (to->count == 0 || from->best_ps < to->best_ps) {
        to->best_ps = from->best_ps;
        to->best_seed = seed;
    }
    if (to->count == 0 || from->worst_ps > to->worst_ps) {
        to->worst_ps = from->worst_ps;
        to->worst_seed = seed;
        to->worst_iteration = from->worst_iteration;
    }
    to->first_ps = from->first_ps;
    to->last_ps = from->last_ps;
    to->count += from->count;
    to->sum_ps += from->sum_ps;
}

void responses_add(struct responses *responses, const struct simulation *simulation, uint64_t seed)
{
    for (uint32_t i = 0; i < responses->scenario->program.call_count; i++) {
        const struct cuda_response *from = &simulation->cuda->responses[i];

        response_add(&responses->calls[i], from, seed);
        responses->calls[i].worst_of_run[responses->run_count] = from->worst_ps;
    }
    responses->run_count++;
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

static void name_of(const struct cuda_program *program, uint32_t index, char *to, size_t bytes)
{
    static const char *const directions[] = {"to device", "to host", "on device"};
    const struct cuda_call *call = &program->calls[index];
    const char *task = task_of(program, index)->name;

    if (call->kind == CUDA_LAUNCH)
        (void)snprintf(to, bytes, "%s", program->kernels[call->kernel].name);
    else if (call->kind == CUDA_MEMSET)
        (void)snprintf(to, bytes, "%s memset", task);
    else
        (void)snprintf(to, bytes, "%s %s", task, directions[call->direction]);
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
        fprintf(file, "  seed %" PRIu64 "; median %s, 95 %% %s", response->worst_seed,
                show_time(more[0], TIME_BYTES, percentile(responses, response, 50)),
                show_time(more[1], TIME_BYTES, percentile(responses, response, 95)));
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
            responses->run_count > 1 ? " of all seeds" : "", NAME_COLUMNS, "operation", "times",
            "best", "mean", "worst", responses->run_count > 1 ? "which, and of the worst" : "");
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
    return json_pack("{ss ss sI sI sI sI sI sI sI sI sI sI sI}", "name", name, "task",
                     task_of(program, index)->name, "count", (json_int_t)response->count, "best_ps",
                     (json_int_t)response->best_ps, "mean_ps",
                     (json_int_t)(response->sum_ps / response->count), "worst_ps",
                     (json_int_t)response->worst_ps, "best_seed", (json_int_t)response->best_seed,
                     "worst_seed", (json_int_t)response->worst_seed, "worst_iteration",
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
