/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/scenario.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/sim/scenario_private.h"
#include "emu/base/digest.h"
#include "emu/base/text_stream.h"
#include "emu/base/input.h"
#include "emu/base/opened.h"
#include "traces/config/examiner_text.h"

__extension__ typedef unsigned __int128 scenario_wide;

/* The first byte that is no blank; 0 at the end of the file, below 0 with errno. */
static int scenario_first_byte(const char *path)
{
    const int file = opened_read(path);
    char byte = ' ';
    ssize_t count = 1;
    int saved;

    if (file < 0)
        return -1;
    for (off_t at = 0; count > 0 && isspace((unsigned char)byte); at++)
        count = input_at(file, &byte, 1, at);
    saved = errno;
    (void)close(file);
    errno = saved;
    return count < 0 ? -1 : count == 0 ? 0 : (unsigned char)byte;
}

bool scenario_is_one(const char *path, bool *is_one, struct gfe_error *error)
{
    struct stat status; /* of a pipe nothing may be read: a trace may come from it */
    int byte;

    *is_one = false;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    byte = scenario_first_byte(path);
    if (byte < 0)
        return error_set_errno(error, errno, "%s", path);
    *is_one = byte == '{';
    return true;
}

bool scenario_no_memory(struct scenario_build *build)
{
    return error_set(build->error, ERROR_SYSTEM, "%s: no memory for the scenario", build->path);
}

/* Room for one more element; the array may move. */
static void *scenario_room(struct scenario_build *build, void *array, uint32_t count,
                           uint32_t *capacity, uint32_t limit, size_t bytes, const char *what)
{
    const uint32_t larger = *capacity ? 2 * *capacity : 16;
    void *moved;

    if (count == limit) {
        error_set(build->error, ERROR_LIMIT, "%s: more than %u %s", build->path, limit, what);
        return NULL;
    }
    if (count < *capacity)
        return array;
    moved = realloc(array, larger * bytes);
    if (!moved) {
        (void)scenario_no_memory(build);
        return NULL;
    }
    *capacity = larger;
    return moved;
}

struct cuda_stream *scenario_add_stream(struct scenario_build *build)
{
    struct cuda_program *program = &build->scenario->program;
    struct cuda_stream *streams =
        scenario_room(build, program->streams, program->stream_count, &build->stream_capacity,
                      CUDA_STREAMS_MAX, sizeof *streams, "streams");

    if (!streams)
        return NULL;
    program->streams = streams;
    streams[program->stream_count] = (struct cuda_stream){.process = build->process};
    return &streams[program->stream_count++];
}

struct cuda_kernel *scenario_add_kernel(struct scenario_build *build, const char *name)
{
    struct cuda_program *program = &build->scenario->program;
    struct cuda_kernel *kernels =
        scenario_room(build, program->kernels, program->kernel_count, &build->kernel_capacity,
                      CUDA_KERNELS_MAX, sizeof *kernels, "kernels");
    char *copy = kernels ? strdup(name) : NULL;

    if (kernels)
        program->kernels = kernels;
    if (kernels && !copy)
        (void)scenario_no_memory(build);
    if (!copy)
        return NULL;
    kernels[program->kernel_count] = (struct cuda_kernel){.name = copy};
    return &kernels[program->kernel_count++];
}

struct cuda_call *scenario_add_call(struct scenario_build *build, enum cuda_call_kind kind,
                                    enum cuda_phase phase, uint32_t stream)
{
    struct cuda_program *program = &build->scenario->program;
    struct cuda_call *calls =
        scenario_room(build, program->calls, program->call_count, &build->call_capacity,
                      CUDA_CALLS_MAX, sizeof *calls, "calls");

    if (!calls)
        return NULL;
    program->calls = calls;
    calls[program->call_count] = (struct cuda_call){.kind = kind, .phase = phase, .stream = stream};
    program->tasks[program->task_count - 1].call_count++;
    return &calls[program->call_count++];
}

struct cuda_task *scenario_add_task(struct scenario_build *build, const char *name)
{
    struct cuda_program *program = &build->scenario->program;
    struct cuda_task *tasks =
        scenario_room(build, program->tasks, program->task_count, &build->task_capacity,
                      CUDA_TASKS_MAX, sizeof *tasks, "benchmarks");
    char *copy = tasks ? strdup(name) : NULL;

    if (tasks)
        program->tasks = tasks;
    if (tasks && !copy)
        (void)scenario_no_memory(build);
    if (!copy)
        return NULL;
    build->thread_stream = UINT32_MAX;
    tasks[program->task_count] = (struct cuda_task){
        .name = copy, .process = build->process, .first_call = program->call_count};
    return &tasks[program->task_count++];
}

/* Is it one of the names of the list? */
static bool scenario_assumes(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

void scenario_assume(struct scenario_build *build, const char *name)
{
    char *list = build->scenario->assumed;
    const size_t used = strlen(list), room = sizeof build->scenario->assumed - used;

    if (!scenario_assumes(list, name) && strlen(name) + 3 < room)
        (void)snprintf(list + used, room, "%s%s", used ? ", " : "", name);
}

void scenario_warn(struct scenario_build *build, const char *format, ...)
{
    char *text = build->scenario->warnings;
    const size_t used = strlen(text), room = sizeof build->scenario->warnings - used;
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(text + used, room, format, arguments) >= (int)room)
        text[used] = '\0'; /* no half lines */
    va_end(arguments);
}

const char *scenario_no_share(const struct scenario_build *build)
{
    if (!build->options->mps && !build->scenario->program.mps)
        return "only clients of MPS have shares: gfe run --mps";
    return build->options->shares ? NULL : "clients of MPS have shares from Volta on only";
}

bool scenario_default_stream(struct scenario_build *build, enum scenario_default_stream which,
                             uint32_t *index)
{
    const bool legacy = which == SCENARIO_LEGACY;
    uint32_t *of = legacy ? &build->null_stream : &build->thread_stream;
    struct cuda_stream *stream;

    if (*of == UINT32_MAX) {
        stream = scenario_add_stream(build);
        if (!stream)
            return false;
        stream->kind = legacy ? CUDA_NULL_STREAM : CUDA_PER_THREAD_STREAM;
        *of = build->scenario->program.stream_count - 1;
    }
    *index = *of;
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool scenario_add_config(struct scenario_build *build, const char *text, size_t bytes)
{
    struct examiner_config *config = examiner_config_parse(text, bytes, build->path, build->error);
    const bool done =
        config && scenario_add_examiner(build, config) &&
        (build->scenario->program.name || (build->scenario->program.name = strdup(config->name)) ||
         scenario_no_memory(build));

    examiner_config_free(config);
    return done;
}

static bool scenario_add_text(struct scenario_build *build, struct digest *digest, const char *text,
                              size_t bytes)
{
    digest_add(digest, text, bytes);
    return scenario_own_is(text, bytes) ? scenario_add_own(build, text, bytes)
                                        : scenario_add_config(build, text, bytes);
}

static bool scenario_add_file(struct scenario_build *build, struct digest *digest)
{
    size_t bytes;
    char *text =
        input_load(build->path, input_fixed(EXAMINER_TEXT_BYTES_MAX), &bytes, build->error);
    const bool done = text && scenario_add_text(build, digest, text, bytes);

    free(text);
    return done;
}

bool scenario_next_process(struct scenario_build *build)
{
    struct cuda_program *program = &build->scenario->program;

    if (program->process_count == CUDA_PROCESSES_MAX)
        return error_set(build->error, ERROR_LIMIT, "%s: more than %d processes", build->path,
                         CUDA_PROCESSES_MAX);
    build->process = program->process_count++;
    build->null_stream = build->thread_stream = UINT32_MAX;
    return true;
}

void scenario_note_set(struct scenario_build *build, gfe_ps cost_ps, gfe_ps period_ps,
                       uint32_t block_threads)
{
    struct scenario *scenario = build->scenario;

    scenario->utilisation_ppm += (uint64_t)((scenario_wide)cost_ps * 1000000 / period_ps);
    if (block_threads > scenario->largest_block)
        scenario->largest_block = block_threads;
}

/* The same files with another default stream are another program. */
static void scenario_digest_start(struct digest *digest, const struct scenario_options *options)
{
    static const char per_thread[] = "--default-stream per-thread";

    digest_start(digest);
    if (options->default_stream == SCENARIO_PER_THREAD)
        digest_add(digest, per_thread, sizeof per_thread);
}

static bool scenario_begin(struct scenario_build *build, const char *path,
                           const struct scenario_options *options, struct gfe_error *error)
{
    *build = (struct scenario_build){.scenario = calloc(1, sizeof(struct scenario)),
                                     .options = options,
                                     .path = path,
                                     .error = error,
                                     .json = json_object(),
                                     .tasks = json_array(),
                                     .names = json_array(),
                                     .stream_names = json_object()};
    return (build->scenario && build->json && build->tasks && build->names &&
            build->stream_names) ||
           scenario_no_memory(build);
}

/* The scenario, or NULL if it was not `good` so far or memory is short. */
static struct scenario *scenario_end(struct scenario_build *build, struct digest *digest, bool good)
{
    struct scenario *scenario = build->scenario;

    if (good && !scenario->program.name) {
        scenario->program.name = strdup("scenario");
        good = scenario->program.name || scenario_no_memory(build);
    }
    good = good && scenario_json_end(build);
    json_decref(build->json);
    json_decref(build->tasks);
    json_decref(build->names);
    json_decref(build->stream_names);
    if (!good) {
        scenario_free(scenario);
        return NULL;
    }
    digest_end_hex(digest, scenario->hash);
    scenario->default_stream = build->options->default_stream;
    return scenario;
}

/* Notes the paths and costs.  Returns false if memory is short. */
static bool scenario_note(struct scenario_build *build, const char *const *paths, uint32_t count)
{
    struct scenario *scenario = build->scenario;
    const struct scenario_options *options = build->options;
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    for (uint32_t i = 0; file && i < count; i++)
        fprintf(file, "%s%s", i ? "\n" : "", paths[i]);
    scenario->paths = text_stream_close(&stream, file);
    if (scenario->paths && options->cost_count > 0) {
        file = text_stream_open(&stream);
        for (uint32_t i = 0; file && i < options->cost_count; i++)
            fprintf(file, "%s=%" PRIu64 "\n", options->costs[i].benchmark,
                    options->costs[i].block_ps);
        scenario->costs = text_stream_close(&stream, file);
        return scenario->costs || scenario_no_memory(build);
    }
    return scenario->paths || scenario_no_memory(build);
}

struct scenario *scenario_load(const char *const *paths, uint32_t count,
                               const struct scenario_options *options, struct gfe_error *error)
{
    struct scenario_build build;
    struct digest digest;
    bool good = scenario_begin(&build, paths[0], options, error);

    scenario_digest_start(&digest, options);
    for (uint32_t i = 0; i < count && good; i++) {
        build.path = paths[i];
        good = scenario_add_file(&build, &digest);
    }
    build.path = paths[0];
    good = good && scenario_note(&build, paths, count);
    return scenario_end(&build, &digest, good);
}

struct scenario *scenario_parse(const char *text, size_t bytes, const char *name,
                                const struct scenario_options *options, struct gfe_error *error)
{
    struct scenario_build build;
    struct digest digest;
    bool good = scenario_begin(&build, name, options, error);

    scenario_digest_start(&digest, options);
    good = good && scenario_add_text(&build, &digest, text, bytes);
    return scenario_end(&build, &digest, good);
}

void scenario_free(struct scenario *scenario)
{
    struct cuda_program *program;

    if (!scenario)
        return;
    program = &scenario->program;
    for (uint32_t i = 0; i < program->kernel_count; i++)
        free(program->kernels[i].name);
    for (uint32_t i = 0; i < program->task_count; i++)
        free(program->tasks[i].name);
    free(program->name);
    free(program->streams);
    free(program->kernels);
    free(program->calls);
    free(program->tasks);
    free(scenario->json);
    free(scenario->paths);
    free(scenario->costs);
    free(scenario);
}
