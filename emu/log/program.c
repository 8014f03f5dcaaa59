/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/program.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_BYTES = PROGRAM_STREAM_BYTES };

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t number_of(const json_t *object, const char *key)
{
    const json_int_t number = json_integer_value(json_object_get(object, key));

    return number > 0 ? (uint64_t)number : 0;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* Cuts it to fit, without what a terminal or a picture would take amiss. */
static void part_of(const char *text, char part[PART_BYTES])
{
    size_t i;

    for (i = 0; i < PART_BYTES - 1 && text[i]; i++)
        part[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    part[i] = 0;
}

static void task_take(const json_t *json, uint32_t *first_free, uint32_t call_count,
                      struct program_task *task)
{
    const uint64_t first = number_of(json, "first_call"), count = number_of(json, "call_count");

    *task = (struct program_task){
        .name = text_of(json, "name"),
        .benchmark = text_of(json, "benchmark"),
        .text_label = text_of(json, "label"),
        .log_name = text_of(json, "log_name"),
        .scenario = text_of(json, "scenario"),
        .release_ps = json_integer_value(json_object_get(json, "release_ps")),
        .process = number_of(json, "process"),
        .data_bytes = number_of(json, "data_size"),
        .thread_count = number_of(json, "thread_count"),
        .block_count = number_of(json, "block_count"),
    };
    if (first < *first_free || first > call_count || count > call_count - first)
        return;
    task->first_call = (uint32_t)first;
    task->call_count = (uint32_t)count;
    *first_free = (uint32_t)(first + count);
}

static void call_take(const json_t *json, struct program_call *call)
{
    static const char *const phases[PROGRAM_PHASES] = {"copy_in", "execute", "copy_out"};
    const char *kind = text_of(json, "kind"), *phase = text_of(json, "phase");

    *call = (struct program_call){
        .kind = PROGRAM_OTHER,
        .phase = PROGRAM_EXECUTE,
        .kind_name = kind ? kind : "call",
        .name = text_of(json, "name"),
        .direction = text_of(json, "direction"),
        .stream = number_of(json, "stream"),
        .block_count = number_of(json, "block_count"),
        .thread_count = number_of(json, "thread_count"),
        .shared_bytes = number_of(json, "shared_memory"),
        .byte_count = number_of(json, "byte_count"),
        .task = PROGRAM_NONE,
    };
    if (strcmp(call->kind_name, "kernel") == 0)
        call->kind = PROGRAM_KERNEL;
    else if (strcmp(call->kind_name, "copy") == 0)
        call->kind = PROGRAM_COPY;
    for (uint32_t i = 0; phase && i < PROGRAM_PHASES; i++)
        if (strcmp(phases[i], phase) == 0)
            call->phase = (enum program_phase)i;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* A text that stands for a task or a call, to be compared with the others'. */
struct name {
    char text[PART_BYTES];
    uint32_t task, index;
};

static int name_order(const void *a, const void *b)
{
    const struct name *first = a, *second = b;
    const int order = strcmp(first->text, second->text);

    if (order != 0)
        return order;
    if (first->task != second->task)
        return first->task < second->task ? -1 : 1;
    return first->index < second->index ? -1 : first->index > second->index;
}

/* Another task's name is the same. */
static bool same_text(const struct name *names, uint32_t count, uint32_t i)
{
    return (i > 0 && strcmp(names[i - 1].text, names[i].text) == 0) ||
           (i + 1 < count && strcmp(names[i + 1].text, names[i].text) == 0);
}

static bool tasks_label(struct program *program)
{
    struct name *names = calloc(program->task_count, sizeof *names);

    if (!names)
        return false;
    for (uint32_t i = 0; i < program->task_count; i++) {
        const char *name = program->tasks[i].name;

        names[i].index = i;
        if (name && name[0])
            part_of(name, names[i].text);
        else
            (void)snprintf(names[i].text, PART_BYTES, "task %" PRIu32, i);
    }
    qsort(names, program->task_count, sizeof *names, name_order);
    for (uint32_t i = 0; i < program->task_count; i++) {
        char *label = program->tasks[names[i].index].label;

        if (same_text(names, program->task_count, i))
            (void)snprintf(label, PROGRAM_TASK_BYTES, "%s (%" PRIu32 ")", names[i].text,
                           names[i].index);
        else
            (void)snprintf(label, PROGRAM_TASK_BYTES, "%s", names[i].text);
    }
    free(names);
    return true;
}

/* What is in front of a call's own name. */
static const char *task_label(const struct program *program, const struct program_call *call)
{
    return call->task == PROGRAM_NONE ? "?" : program->tasks[call->task].label;
}

static bool task_is_called(const struct program *program, uint32_t task, const char *text)
{
    char name[PART_BYTES] = "";

    if (task != PROGRAM_NONE && program->tasks[task].name)
        part_of(program->tasks[task].name, name);
    return strcmp(name, text) == 0;
}

static void kernels_name(struct program *program, struct name *names, uint32_t count)
{
    uint32_t end;

    qsort(names, count, sizeof *names, name_order);
    for (uint32_t from = 0; from < count; from = end) {
        for (end = from + 1; end < count && strcmp(names[end].text, names[from].text) == 0;)
            end++;
        /* They are sorted by their tasks: is it all one? */
        const bool shared = names[end - 1].task != names[from].task;
        for (uint32_t i = from; i < end; i++) {
            struct program_call *call = &program->calls[names[i].index];
            if (!shared)
                (void)snprintf(call->label, PROGRAM_LABEL_BYTES, "%s", names[i].text);
            else if (task_is_called(program, call->task, names[i].text))
                (void)snprintf(call->label, PROGRAM_LABEL_BYTES, "%s", task_label(program, call));
            else
                (void)snprintf(call->label, PROGRAM_LABEL_BYTES, "%.47s/%.31s",
                               task_label(program, call), names[i].text);
        }
    }
}

static bool kernels_label(struct program *program)
{
    struct name *names = calloc(program->call_count, sizeof *names);
    uint32_t count = 0;

    if (!names)
        return false;
    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct program_call *call = &program->calls[i];

        if (call->kind != PROGRAM_KERNEL)
            continue;
        names[count].task = call->task;
        names[count].index = i;
        part_of(call->name && call->name[0] ? call->name : "kernel", names[count++].text);
    }
    if (count > 0)
        kernels_name(program, names, count);
    free(names);
    return true;
}

static void others_label(struct program *program)
{
    static const char *const words[][2] = {{"event record", "record"},
                                           {"stream wait event", "wait"}};

    for (uint32_t i = 0; i < program->call_count; i++) {
        struct program_call *call = &program->calls[i];
        char kind[PART_BYTES];

        if (call->kind == PROGRAM_KERNEL)
            continue;
        part_of(call->kind_name, kind);
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
            if (strcmp(kind, words[w][0]) == 0)
                part_of(words[w][1], kind);
        (void)snprintf(call->label, PROGRAM_LABEL_BYTES, "%.47s/%.31s", task_label(program, call),
                       kind);
    }
}

static int label_order(const void *a, const void *b)
{
    const struct program_call *const *first = a, *const *second = b;
    const int order = strcmp((*first)->label, (*second)->label);

    if (order != 0)
        return order;
    return *first < *second ? -1 : *first > *second;
}

static bool same_find(struct program *program)
{
    struct program_call **calls = calloc(program->call_count, sizeof(struct program_call *));

    if (!calls)
        return false;
    for (uint32_t i = 0; i < program->call_count; i++)
        calls[i] = &program->calls[i];
    qsort(calls, program->call_count, sizeof(struct program_call *), label_order);
    for (uint32_t i = 0; i < program->call_count; i++)
        calls[i]->first_same = i > 0 && strcmp(calls[i - 1]->label, calls[i]->label) == 0
                                   ? calls[i - 1]->first_same
                                   : (uint32_t)(calls[i] - program->calls);
    free(calls);
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool lists_take(struct program *program, const json_t *json)
{
    const json_t *tasks = json_object_get(json, "tasks"), *calls = json_object_get(json, "calls");
    const size_t task_count = json_array_size(tasks), call_count = json_array_size(calls);
    uint32_t first_free = 0;

    if (task_count == 0 || call_count == 0 || task_count >= UINT32_MAX || call_count >= UINT32_MAX)
        return true;
    program->tasks = calloc(task_count, sizeof program->tasks[0]);
    program->calls = calloc(call_count, sizeof program->calls[0]);
    if (!program->tasks || !program->calls)
        return false;
    program->task_count = (uint32_t)task_count;
    program->call_count = (uint32_t)call_count;
    for (uint32_t i = 0; i < program->call_count; i++)
        call_take(json_array_get(calls, i), &program->calls[i]);
    for (uint32_t i = 0; i < program->task_count; i++) {
        struct program_task *task = &program->tasks[i];

        task_take(json_array_get(tasks, i), &first_free, program->call_count, task);
        for (uint32_t c = 0; c < task->call_count; c++)
            program->calls[task->first_call + c].task = i;
    }
    if (!tasks_label(program) || !kernels_label(program))
        return false;
    others_label(program);
    return same_find(program);
}

bool program_init(struct program *program, const struct event_log_reader *log,
                  struct gfe_error *error)
{
    const json_t *json;

    *program = (struct program){0};
    program->head = event_log_head_take(log);
    json = json_object_get(program->head, "program");
    program->name = text_of(json, "name");
    program->stream_names = json_object_get(json, "stream_names");
    if (lists_take(program, json))
        return true;
    program_fini(program);
    return error_set_errno(error, ENOMEM, "%s", event_log_name(log));
}

void program_fini(struct program *program)
{
    json_decref(program->head);
    free(program->tasks);
    free(program->calls);
    *program = (struct program){0};
}

const struct program_task *program_task(const struct program *program, uint64_t number)
{
    return number < program->task_count ? &program->tasks[number] : NULL;
}

const struct program_call *program_call(const struct program *program, uint64_t number)
{
    return number < program->call_count ? &program->calls[number] : NULL;
}

bool program_stream_name(const struct program *program, uint64_t stream_id,
                         char to[PROGRAM_STREAM_BYTES])
{
    char number[24];
    const char *name;

    (void)snprintf(number, sizeof number, "%" PRIu64, stream_id);
    name = text_of(program->stream_names, number);
    part_of(name ? name : "", to);
    return to[0] != 0;
}
