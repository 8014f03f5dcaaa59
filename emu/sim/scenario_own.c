/* SPDX-License-Identifier: MIT */
/* gfe's own scenarios: docs/scenario.schema.json says what they hold. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/scenario_own.h"
#include "traces/config/examiner_text.h"

static void own_forget(struct own *own)
{
    for (uint32_t i = 0; i < own->stream_count; i++)
        free(own->streams[i]);
    for (uint32_t i = 0; i < own->event_count; i++)
        free(own->events[i]);
    own->stream_count = own->event_count = 0;
}

bool own_has(const struct spot *object, const char *key)
{
    return spot_member(object, key).json != NULL;
}

bool own_may_number(const struct spot *object, const char *key, uint32_t highest, const char *what,
                    uint32_t *value)
{
    const struct spot spot = spot_member(object, key);

    return !spot.json || spot_number32(&spot, 0, highest, what, value);
}

/* Which of `words` (ends in NULL) the text is. */
bool own_word(const struct spot *spot, const char *const *words, const char *what, uint32_t *index)
{
    const char *text = json_string_value(spot->json);

    for (*index = 0; text && words[*index]; ++*index)
        if (strcmp(words[*index], text) == 0)
            return true;
    return spot_is_not(spot, what);
}

/* ---- streams ---------------------------------------------------------------------- */

/* Kinds of streams by their words: the first two as in enum cuda_stream_kind. */
enum { KIND_NULL = 2, KIND_LEGACY, KIND_PER_THREAD };
static const char *const default_streams[] = {"legacy", "per-thread", NULL};

/* A name of a default stream: of one kind no more than one, and they have no priorities. */
static bool own_default_stream(struct own *own, const struct spot *spot, uint32_t kind,
                               uint32_t *number)
{
    const struct spot priority = spot_member(spot, "priority"), word = spot_member(spot, "kind");
    const bool per_thread = kind == KIND_PER_THREAD ||
                            (kind == KIND_NULL && own->default_stream == SCENARIO_PER_THREAD);

    if (own->kinds & 1u << kind)
        return spot_wrong(&word, "a process has one %s stream", json_string_value(word.json));
    own->kinds |= 1u << kind;
    if (priority.json && kind != KIND_NULL)
        return spot_wrong(&priority, "a default stream has no priority");
    if (!per_thread)
        return scenario_default_stream(own->build, SCENARIO_LEGACY, number);
    *number = OWN_PER_THREAD;
    return true;
}

static bool own_stream(struct own *own, const struct spot *spot)
{
    static const char *const keys[] = {"name", "priority", "kind", NULL};
    static const char *const kinds[] = {"blocking", "non-blocking", "null",
                                        "legacy",   "per-thread",   NULL};
    const struct spot name = spot_member(spot, "name"), kind = spot_member(spot, "kind");
    uint32_t level = 0, which = CUDA_BLOCKING_STREAM, *number = &own->numbers[own->stream_count];
    struct cuda_stream *stream;

    if (!spot_object(spot, keys) || !spot_string(&name, &own->streams[own->stream_count]))
        return false;
    own->stream_count++;
    if ((kind.json &&
         !own_word(&kind, kinds, "blocking, non-blocking, null, legacy or per-thread", &which)) ||
        !own_may_number(spot, "priority", COST_PRIORITIES - 1, "a priority (0: the lowest)",
                        &level))
        return false;
    if (which >= KIND_NULL) {
        if (!own_default_stream(own, spot, which, number))
            return false;
    } else {
        stream = scenario_add_stream(own->build);
        if (!stream)
            return false;
        stream->kind = (enum cuda_stream_kind)which;
        *number = own->build->scenario->program.stream_count - 1;
    }
    if (*number != OWN_PER_THREAD && level > 0)
        own->build->scenario->program.streams[*number].priority = level;
    return *number == OWN_PER_THREAD ||
           scenario_json_stream(own->build, *number, own->streams[own->stream_count - 1]);
}

static bool own_streams(struct own *own, const struct spot *process)
{
    const struct spot list = spot_member(process, "streams");
    size_t count;

    if (!spot_array(&list, OWN_NAMES_MAX, "a list of streams", &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);

        if (!own_stream(own, &element))
            return false;
    }
    return true;
}

bool own_find_stream(const struct own *own, const struct spot *spot, uint32_t *name)
{
    char *text = NULL;

    if (!json_is_string(spot->json))
        return spot_is_not(spot, "the name of a stream of the process");
    if (!spot_string(spot, &text))
        return false;
    for (*name = 0; *name < own->stream_count && strcmp(own->streams[*name], text) != 0; ++*name)
        continue;
    free(text);
    return *name < own->stream_count || spot_is_not(spot, "the name of a stream of the process");
}

bool own_stream_of(struct own *own, uint32_t name, uint32_t *stream)
{
    *stream = own->numbers[name];
    return *stream != OWN_PER_THREAD ||
           scenario_default_stream(own->build, SCENARIO_PER_THREAD, stream);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static struct cuda_task *own_task_added(struct own *own, const char *name)
{
    struct cuda_task *task = scenario_add_task(own->build, name);

    if (task)
        task->group = own->group;
    return task;
}

static bool own_task(struct own *own, const struct spot *spot)
{
    static const char *const keys[] = {"name",       "stream",   "release", "period",
                                       "iterations", "max_time", "calls",   NULL};
    const struct spot in = spot_member(spot, "stream"), calls = spot_member(spot, "calls");
    uint32_t first = 0, iterations = 1; /* the stream by its name */
    gfe_ps release_ps = 0, period_ps = 0, max_time_ps = 0;
    struct cuda_task *task;
    char *name = NULL;
    size_t count;
    bool good;

    good = spot_object(spot, keys) && spot_may_string(spot, "name", &name) &&
           (!in.json || own_find_stream(own, &in, &first)) &&
           spot_may_seconds(spot, "release", &release_ps) &&
           spot_may_seconds(spot, "period", &period_ps) &&
           spot_may_seconds(spot, "max_time", &max_time_ps) &&
           own_may_number(spot, "iterations", INT32_MAX, "a number of iterations", &iterations) &&
           spot_array(&calls, OWN_ITEMS_MAX, "a list of calls", &count);
    task = good ? own_task_added(own, name ? name : "task") : NULL;
    free(name);
    if (!task)
        return false;
    task->release_ps = release_ps;
    task->period_ps = period_ps;
    task->max_time_ps = max_time_ps;
    task->max_iterations = iterations;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&calls, i);

        if (!own_call(own, &element, first))
            return false;
    }
    return scenario_json_own_task(own->build);
}

/* (C, T, g, b) of Yang and Anderson's poster: each period a kernel of g blocks of b threads, whose
 * blocks take C / (g b) of work, in a stream of its own. */
static bool own_set_task(struct own *own, const struct spot *spot, uint32_t jobs)
{
    static const char *const keys[] = {"name", "C", "T", "g", "b", "release", NULL};
    const struct spot cost = spot_member(spot, "C"), period = spot_member(spot, "T");
    const struct spot grid = spot_member(spot, "g"), block = spot_member(spot, "b");
    struct cuda_program *program = &own->build->scenario->program;
    uint32_t blocks, threads;
    gfe_ps cost_ps, period_ps, release_ps = 0;
    char name[24], *own_name = NULL;
    bool negative = false, good;
    struct cuda_kernel *kernel;
    struct cuda_call *call;
    struct cuda_task *task;

    if (!spot_object(spot, keys) || !spot_seconds(&cost, &negative, &cost_ps) ||
        !spot_seconds(&period, &negative, &period_ps) ||
        !spot_number32(&grid, 1, 1 << 20, "a number of blocks", &blocks) ||
        !spot_number32(&block, 1, 65535, "a number of threads", &threads) ||
        !spot_may_seconds(spot, "release", &release_ps) ||
        !spot_may_string(spot, "name", &own_name))
        return false;
    if (negative || period_ps == 0 || threads > own->build->options->model->sm.threads_per_block) {
        free(own_name);
        return spot_wrong(spot, "C and T have to be above 0, and b at most %u",
                          own->build->options->model->sm.threads_per_block);
    }
    (void)snprintf(name, sizeof name, "tau%u", program->task_count + 1);
    task = own_task_added(own, own_name ? own_name : name);
    kernel = task ? scenario_add_kernel(own->build, own_name ? own_name : name) : NULL;
    free(own_name);
    good = kernel && scenario_add_stream(own->build);
    call = good
               ? scenario_add_call(own->build, CUDA_LAUNCH, CUDA_EXECUTE, program->stream_count - 1)
               : NULL;
    if (!call)
        return false;
    task->release_ps = release_ps;
    task->period_ps = period_ps;
    task->max_iterations = jobs;
    kernel->block_count = blocks;
    kernel->block_threads = threads;
    kernel->registers = 1;
    kernel->time = CUDA_TIME_WORK;
    kernel->amount = cost_ps / ((uint64_t)blocks * threads);
    call->kernel = program->kernel_count - 1;
    scenario_note_set(own->build, cost_ps, period_ps, threads);
    return scenario_json_own_task(own->build);
}

static bool own_set(struct own *own, const struct spot *spot)
{
    static const char *const keys[] = {"jobs", "tasks", NULL};
    const struct spot list = spot_member(spot, "tasks"), jobs = spot_member(spot, "jobs");
    uint32_t job_count;
    size_t count;

    if (!spot_object(spot, keys) ||
        !spot_number32(&jobs, 1, 1 << 20, "a number of jobs", &job_count) ||
        !spot_array(&list, OWN_NAMES_MAX, "a list of tasks", &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);

        if (!own_set_task(own, &element, job_count))
            return false;
    }
    return true;
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool own_tasks(struct own *own, const struct spot *process)
{
    const struct spot list = spot_member(process, "tasks");
    size_t count;

    if (!own_streams(own, process) || !spot_array(&list, OWN_NAMES_MAX, "a list of tasks", &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);

        if (!own_task(own, &element))
            return false;
    }
    return true;
}

/* What it may have of the GPU as a client of MPS. */
static bool own_share(struct own *own, const struct spot *process)
{
    const struct spot share = spot_member(process, "mps_thread_percentage");
    struct scenario_build *build = own->build;
    uint32_t ppm = 1000000;

    if (!spot_may_percentage(process, share.key, &ppm))
        return false;
    if (ppm == 1000000)
        return true;
    if (scenario_no_share(build))
        return spot_wrong(&share, "%s", scenario_no_share(build));
    build->scenario->program.shares_ppm[build->process] = ppm;
    return true;
}

/* When it begins: later than the run, it makes its context then, and its tasks begin without those
 * of other processes. */
static bool own_start(struct own *own, const struct spot *process)
{
    struct scenario_build *build = own->build;
    struct cuda_program *program = &build->scenario->program;
    gfe_ps *start_ps = &program->starts_ps[build->process];

    if (!spot_may_seconds(process, "start", start_ps))
        return false;
    own->group = *start_ps > 0 ? program->group_count++ : own->first_group;
    return true;
}

static bool own_process(struct own *own, const struct spot *spot)
{
    static const char *const keys[] = {
        "name", "default_stream", "mps_thread_percentage", "start", "streams", "tasks", "task_set",
        NULL};
    const struct spot set = spot_member(spot, "task_set");
    const struct spot word = spot_member(spot, "default_stream");
    uint32_t which = own->build->options->default_stream;
    bool good;

    if (!spot_object(spot, keys) || !scenario_next_process(own->build) ||
        (word.json && !own_word(&word, default_streams, "legacy or per-thread", &which)))
        return false;
    if (!own_share(own, spot) || !own_start(own, spot))
        return false;
    own->default_stream = (enum scenario_default_stream)which;
    own->kinds = 0;
    own->first_event = own->build->scenario->program.event_count;
    if (set.json && (own_has(spot, "streams") || own_has(spot, "tasks")))
        return spot_wrong(spot, "a process with a task_set has no streams and tasks besides");
    good = set.json ? own_set(own, &set) : own_tasks(own, spot);
    own_forget(own);
    return good;
}

static bool own_read(struct own *own, const struct spot *whole)
{
    static const char *const keys[] = {"gfe_scenario", "name", "mps", "processes", NULL};
    const struct spot version = spot_member(whole, "gfe_scenario");
    const struct spot list = spot_member(whole, "processes");
    struct cuda_program *program = &own->build->scenario->program;
    bool mps = false;
    uint32_t number;
    size_t count;

    if (!spot_object(whole, keys) ||
        !spot_number32(&version, 1, 1, "a version that gfe knows (1)", &number) ||
        !spot_array(&list, CUDA_PROCESSES_MAX, "a list of processes", &count) ||
        !spot_may_bool(whole, "mps", &mps))
        return false;
    program->mps |= mps;
    if (!program->name && !spot_may_string(whole, "name", &program->name))
        return false;
    own->first_group = program->group_count++;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);

        if (!own_process(own, &element)) {
            own_forget(own);
            return false;
        }
    }
    return true;
}

bool scenario_own_is(const char *text, size_t bytes)
{
    const char *key = "\"gfe_scenario\"";
    const size_t length = strlen(key);

    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(text + i, key, length) == 0)
            return true;
    return false;
}

bool scenario_add_own(struct scenario_build *build, const char *text, size_t bytes)
{
    struct examiner_reader reader = {.name = build->path, .error = build->error};
    struct own *own = calloc(1, sizeof *own);
    json_t *root =
        examiner_text_json(text, bytes, EXAMINER_TEXT_BYTES_MAX, build->path, build->error);
    const struct spot whole = {.reader = &reader, .json = root};
    bool good = false;

    if (own && root) {
        own->build = build;
        good = spot_no_device_launch(&whole) && own_read(own, &whole);
    } else if (root) {
        good = scenario_no_memory(build);
    }
    json_decref(root);
    free(own);
    return good;
}
