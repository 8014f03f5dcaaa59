/* SPDX-License-Identifier: MIT */
/* A result file: its text, in the form in which the tool writes it. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/base/json_text.h"
#include "emu/views/examiner/show_examiner_private.h"
#include "traces/config/examiner_result.h"

enum { RESIDENT_THREADS = 2048 /* of an SM, as the tool has it on every GPU */ };

/* "name": and the text as a string; false: no memory. */
static bool print_text(FILE *file, const char *name, const char *text, const char *end)
{
    json_t *json = json_string(text);
    char *quoted = json ? json_text(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;

    if (quoted)
        fprintf(file, "\"%s\": %s%s", name, quoted, end);
    json_decref(json);
    free(quoted);
    return quoted != NULL;
}

/* Seconds with nine digits. */
static void print_time(FILE *file, gfe_ps time_ps)
{
    fprintf(file, "%" PRIu64 ".%09" PRIu64, time_ps / GFE_PS_PER_S,
            time_ps % GFE_PS_PER_S / GFE_PS_PER_NS);
}

static void print_phase(FILE *file, const char *name, const struct examiner_phase *phase,
                        const char *end)
{
    fprintf(file, "\"%s\": [", name);
    print_time(file, phase->begin_ps);
    fputc(',', file);
    print_time(file, phase->end_ps);
    fprintf(file, "]%s", end);
}

static void print_blocks(FILE *file, const struct examiner_kernel *kernel)
{
    fprintf(file, "\"%s\": [", EXAMINER_RESULT_BLOCK_TIMES);
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        fputs(i ? "," : "", file);
        print_time(file, kernel->blocks[i].start_ps);
        fputc(',', file);
        print_time(file, kernel->blocks[i].end_ps);
    }
    fprintf(file, "], \"%s\": [", EXAMINER_RESULT_BLOCK_SMIDS);
    for (uint32_t i = 0; i < kernel->block_count; i++)
        fprintf(file, "%s%" PRIu64, i ? "," : "", kernel->blocks[i].sm);
    fputs("], ", file);
}

static bool print_kernel(FILE *file, const struct examiner *examiner,
                         const struct examiner_kernel *kernel)
{
    const struct program_call *call = &examiner->streams.program.calls[kernel->call];

    fputs(",\n{", file);
    if (!print_text(file, EXAMINER_RESULT_KERNEL_NAME, call->name ? call->name : call->label, ", "))
        return false;
    fprintf(file, "\"%s\": %" PRIu32 ", \"%s\": %" PRIu64 ", \"%s\": %" PRIu64 ", \"%s\": [",
            EXAMINER_RESULT_BLOCK_COUNT, kernel->block_count, EXAMINER_RESULT_THREAD_COUNT,
            call->thread_count, EXAMINER_RESULT_SHARED_MEMORY, call->shared_bytes,
            EXAMINER_RESULT_LAUNCH);
    print_time(file, kernel->launch_ps);
    fputs(", ", file);
    print_time(file, kernel->launched_ps);
    fputs(", ", file);
    print_time(file, kernel->synchronized_ps == GFE_PS_NEVER ? 0 : kernel->synchronized_ps);
    fputs("], ", file);
    print_blocks(file, kernel);
    fprintf(file, "\"%s\": -1}", EXAMINER_RESULT_CPU_CORE);
    return true;
}

/* Where phases begin and end: one after the other. */
static void phases_close(const struct examiner_iteration *iteration,
                         struct examiner_phase phases[PROGRAM_PHASES])
{
    gfe_ps at_ps = iteration->begin_ps;

    for (uint32_t i = 0; i < PROGRAM_PHASES; i++) {
        const struct examiner_phase *phase = &iteration->phases[i];
        const bool has_calls = phase->begin_ps != GFE_PS_NEVER;

        phases[i].begin_ps = at_ps;
        if (has_calls && i > 0 && phase->begin_ps > at_ps)
            phases[i].begin_ps = phase->begin_ps;
        phases[i].end_ps = phases[i].begin_ps;
        if (has_calls && phase->end_ps > phases[i].end_ps)
            phases[i].end_ps = phase->end_ps;
        at_ps = phases[i].end_ps;
    }
}

/* All of its kernels have been launched and have ended. */
static bool is_complete(const struct examiner *examiner, const struct examiner_iteration *iteration)
{
    uint32_t index = iteration->first_kernel;

    for (uint32_t i = 0; i < iteration->kernel_count; i++) {
        const struct examiner_kernel *kernel = &examiner->kernels[index];
        const struct program_call *call = &examiner->streams.program.calls[kernel->call];

        if (kernel->launched_ps == GFE_PS_NEVER || kernel->block_count == 0 ||
            kernel->ended_count != kernel->block_count ||
            kernel->block_count != call->block_count || kernel->block_count > INT32_MAX)
            return false;
        for (uint32_t b = 0; b < kernel->block_count; b++)
            if (kernel->blocks[b].end_ps == GFE_PS_NEVER)
                return false;
        index = kernel->next;
    }
    return true;
}

static bool print_iteration(FILE *file, struct examiner *examiner,
                            const struct examiner_iteration *iteration)
{
    struct examiner_phase phases[PROGRAM_PHASES], both;
    uint32_t kernel = iteration->first_kernel;
    bool good = true;

    if (!is_complete(examiner, iteration)) {
        examiner->left_out++;
        return true;
    }
    phases_close(iteration, phases);
    both =
        (struct examiner_phase){phases[PROGRAM_COPY_IN].begin_ps, phases[PROGRAM_COPY_OUT].end_ps};
    fputs(",\n{", file);
    print_phase(file, EXAMINER_RESULT_COPY_IN, &phases[PROGRAM_COPY_IN], ", ");
    print_phase(file, EXAMINER_RESULT_EXECUTE, &phases[PROGRAM_EXECUTE], ", ");
    print_phase(file, EXAMINER_RESULT_COPY_OUT, &phases[PROGRAM_COPY_OUT], ", ");
    print_phase(file, EXAMINER_RESULT_CPU, &both, "}");
    for (uint32_t i = 0; i < iteration->kernel_count && good; i++) {
        good = print_kernel(file, examiner, &examiner->kernels[kernel]);
        kernel = examiner->kernels[kernel].next;
    }
    return good;
}

static bool print_head(FILE *file, const struct examiner *examiner, const struct program_task *task,
                       uint32_t index, uint32_t sm_count)
{
    const char *scenario = task->scenario ? task->scenario : examiner->streams.program.name;
    const gfe_ps release_ps = task->release_ps > 0 ? (gfe_ps)task->release_ps : 0;

    fputs("{\n", file);
    if (!print_text(file, EXAMINER_RESULT_SCENARIO, scenario ? scenario : "", ",\n") ||
        !print_text(file, EXAMINER_RESULT_BENCHMARK, task->benchmark ? task->benchmark : "",
                    ",\n") ||
        (task->text_label && !print_text(file, EXAMINER_RESULT_LABEL, task->text_label, ",\n")))
        return false;
    fprintf(file, "\"%s\": %" PRIu32 ",\n\"%s\": %" PRIu64 ",\n\"%s\": %" PRIu64 ".%06" PRIu64,
            EXAMINER_RESULT_RESIDENT_THREADS, sm_count * RESIDENT_THREADS,
            EXAMINER_RESULT_DATA_SIZE, task->data_bytes, EXAMINER_RESULT_RELEASE,
            release_ps / GFE_PS_PER_S, release_ps % GFE_PS_PER_S / GFE_PS_PER_US);
    fprintf(file, ",\n\"%s\": %" PRIu64 ",\n\"%s\": %" PRIu32 ",\n\"%s\": [{}", EXAMINER_RESULT_PID,
            task->process % INT32_MAX + 1, EXAMINER_RESULT_TID, index + 1, EXAMINER_RESULT_TIMES);
    return true;
}

bool examiner_print(FILE *file, struct examiner *examiner, uint32_t task, uint32_t sm_count)
{
    const struct program *program = &examiner->streams.program;
    uint32_t index = examiner->tasks[task].first;

    if (!print_head(file, examiner, &program->tasks[task], task, sm_count))
        return false;
    for (; index != EXAMINER_NONE; index = examiner->iterations[index].next)
        if (!print_iteration(file, examiner, &examiner->iterations[index]))
            return false;
    fputs("\n]}\n", file);
    return true;
}
