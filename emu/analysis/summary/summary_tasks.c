/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/summary/summary_tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "emu/base/text.h"

enum { TASKS_LISTED_MAX = 8, TIME_BYTES = 48 };

bool summary_tasks_init(struct summary_tasks *tasks, const struct event_log_reader *log,
                        struct gfe_error *error)
{
    uint32_t count;

    *tasks = (struct summary_tasks){0};
    if (!streams_init(&tasks->streams, log, error))
        return false;
    count = tasks->streams.program.task_count;
    tasks->tasks = calloc((size_t)count + 1, sizeof tasks->tasks[0]);
    if (!tasks->tasks)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    for (uint32_t i = 0; i < count; i++)
        tasks->tasks[i].release_ps = tasks->tasks[i].end_ps = GFE_PS_NEVER;
    tasks->count = count;
    return true;
}

void summary_tasks_fini(struct summary_tasks *tasks)
{
    streams_fini(&tasks->streams);
    free(tasks->tasks);
    free(tasks->operation_tasks);
}

/* ---- records --------------------------------------------------------------------------------- */

/* Notes whose operation it is.  One whose number is not the next is of no log of gfe's: nobody
 * waits for it. */
static bool operation_add(struct summary_tasks *tasks, uint64_t id, uint32_t task)
{
    if (tasks->operation_count == 0)
        tasks->first_operation = id;
    if (id - tasks->first_operation != tasks->operation_count ||
        tasks->operation_count == UINT32_MAX)
        return true;
    if (tasks->operation_count == tasks->operation_capacity) {
        const uint32_t half = tasks->operation_capacity;
        const uint32_t capacity = half == 0 ? 256 : half > UINT32_MAX / 2 ? UINT32_MAX : 2 * half;
        uint32_t *moved = realloc(tasks->operation_tasks, capacity * sizeof *moved);

        if (!moved)
            return false;
        tasks->operation_tasks = moved;
        tasks->operation_capacity = capacity;
    }
    tasks->operation_tasks[tasks->operation_count++] = task;
    tasks->tasks[task].open_count++;
    return true;
}

static void operation_end(struct summary_tasks *tasks, uint64_t id, gfe_ps now_ps)
{
    const uint64_t index = id - tasks->first_operation;
    uint32_t *task;

    if (index >= tasks->operation_count)
        return;
    task = &tasks->operation_tasks[index];
    if (*task == PROGRAM_NONE) /* it has ended before */
        return;
    tasks->tasks[*task].open_count--;
    if (tasks->tasks[*task].end_ps != GFE_PS_NEVER)
        tasks->tasks[*task].end_ps = now_ps;
    *task = PROGRAM_NONE;
}

/* The task, if the program has it. */
static struct summary_task *task_of(struct summary_tasks *tasks, uint64_t task)
{
    return task < tasks->count ? &tasks->tasks[task] : NULL;
}

static bool operation_take(struct summary_tasks *tasks,
                           const struct model_stream_operation *operation)
{
    struct summary_task *task = task_of(tasks, operation->task);
    const struct program_call *call = program_call(&tasks->streams.program, operation->call);

    if (!task)
        return true;
    if (call) {
        task->kernel_count += call->kind == PROGRAM_KERNEL;
        task->copy_count += call->kind == PROGRAM_COPY;
    }
    return operation_add(tasks, operation->id, (uint32_t)operation->task);
}

static void task_released(struct summary_task *task, gfe_ps now_ps)
{
    if (task && task->release_ps == GFE_PS_NEVER)
        task->release_ps = now_ps;
}

static void task_iterated(struct summary_task *task, gfe_ps now_ps)
{
    if (!task)
        return;
    task->iteration_count++;
    task->end_ps = now_ps;
}

/* A plugin of HIP is a task: an iteration is a launch, which ends when its thread knows of it. */
static void task_launched(struct summary_task *task, gfe_ps now_ps)
{
    if (!task)
        return;
    task->kernel_count++;
    task->open_count++;
    task_released(task, now_ps);
}

static void task_returned(struct summary_task *task, gfe_ps now_ps)
{
    if (task)
        task->open_count -= task->open_count > 0;
    task_iterated(task, now_ps);
}

/* clang-format off */
static bool record_take(struct summary_tasks *tasks, const struct model_record *record)
{
    const gfe_ps now_ps = record->now_ps;

    switch (record->type) {
    case MODEL_STREAM_CALLED: return operation_take(tasks, &record->stream_operation);
    case MODEL_STREAM_COMPLETED: operation_end(tasks, record->stream_operation.id, now_ps); break;
    case MODEL_TASK: task_released(task_of(tasks, record->task.task), now_ps); break;
    case MODEL_TASK_ITERATED: task_iterated(task_of(tasks, record->task.task), now_ps); break;
    case MODEL_HIP_CALLED: task_launched(task_of(tasks, record->hip_launch.plugin), now_ps); break;
    case MODEL_HIP_DONE: task_returned(task_of(tasks, record->hip_launch.plugin), now_ps); break;
    /* passed over */
    case MODEL_CLIENT: case MODEL_STREAM: case MODEL_STREAM_HELD: case MODEL_STREAM_FREED:
    case MODEL_STREAM_SUBMITTED: case MODEL_TASK_CALLED: case MODEL_HIP_STREAM:
    case MODEL_HIP_PACKET: MODEL_PROGRAM_RECORDS(MODEL_CASE) MODEL_WAIT_RECORDS(MODEL_CASE)
    MODEL_OPERATION_RECORDS(MODEL_CASE) MODEL_BLOCK_RECORDS(MODEL_CASE)
    MODEL_CHANNEL_RECORDS(MODEL_CASE) MODEL_METHOD_RECORDS(MODEL_CASE)
    MODEL_QUEUE_RECORDS(MODEL_CASE) MODEL_SDMA_RECORDS(MODEL_CASE) MODEL_OTHER_RECORDS(MODEL_CASE)
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

bool summary_tasks_take(struct summary_tasks *tasks, const struct model_record *record)
{
    if (tasks->count == 0)
        return true;
    if (!tasks->has_names && !streams_take(&tasks->streams, record))
        return false;
    return record_take(tasks, record);
}

char *summary_tasks_launch(const struct summary_tasks *tasks, uint64_t grid_id, uint32_t number,
                           char to[STREAMS_NAME_BYTES])
{
    const struct streams_operation *operation =
        tasks->count > 0 ? streams_of_hardware(&tasks->streams, STREAMS_GRID, grid_id) : NULL;

    if (operation)
        return streams_name(&tasks->streams, operation, to);
    (void)snprintf(to, STREAMS_NAME_BYTES, "K%" PRIu32, number);
    return to;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void task_print(FILE *file, const char *label, const struct summary_task *task)
{
    char from[TIME_BYTES], to[TIME_BYTES];

    fprintf(file, "                  %s: %" PRIu64 " kernel%s", label, task->kernel_count,
            plural(task->kernel_count));
    if (task->copy_count > 0)
        fprintf(file, ", %" PRIu64 " cop%s", task->copy_count, task->copy_count == 1 ? "y" : "ies");
    if (task->iteration_count != 1)
        fprintf(file, ", %" PRIu64 " iterations", task->iteration_count);
    if (task->release_ps == GFE_PS_NEVER)
        fputs(", never released\n", file);
    else if (task->end_ps == GFE_PS_NEVER)
        fprintf(file, ", from %s on, no iteration ended\n",
                text_time(from, sizeof from, task->release_ps));
    else if (task->open_count > 0)
        fprintf(file, ", from %s on, %" PRIu64 " operation%s not ended\n",
                text_time(from, sizeof from, task->release_ps), task->open_count,
                task->open_count == 1 ? " has" : "s have");
    else
        fprintf(file, ", from %s to %s\n",
                text_time_of_range(from, sizeof from, task->release_ps,
                                   task->end_ps - task->release_ps),
                text_time_of_range(to, sizeof to, task->end_ps, task->end_ps - task->release_ps));
}

void summary_tasks_print(FILE *file, const struct summary_tasks *tasks)
{
    uint64_t kernels = 0, copies = 0;

    for (uint32_t i = 0; i < tasks->count; i++) {
        kernels += tasks->tasks[i].kernel_count;
        copies += tasks->tasks[i].copy_count;
    }
    fprintf(file, "  tasks           %" PRIu32 ", %" PRIu64 " kernel%s, %" PRIu64 " cop%s\n",
            tasks->count, kernels, plural(kernels), copies, copies == 1 ? "y" : "ies");
    for (uint32_t i = 0; i < tasks->count && i < TASKS_LISTED_MAX; i++)
        task_print(file, tasks->streams.program.tasks[i].label, &tasks->tasks[i]);
    if (tasks->count > TASKS_LISTED_MAX)
        fprintf(file, "                  and %" PRIu32 " more\n", tasks->count - TASKS_LISTED_MAX);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static json_t *time_json(gfe_ps time_ps)
{
    return time_ps > INT64_MAX ? json_null() : json_integer((json_int_t)time_ps);
}

json_t *summary_tasks_json(const struct summary_tasks *tasks)
{
    json_t *list = json_array();
    bool good = list != NULL;

    for (uint32_t i = 0; i < tasks->count && good; i++) {
        const struct program_task *task = &tasks->streams.program.tasks[i];
        const struct summary_task *row = &tasks->tasks[i];

        good = json_array_append_new(
                   list, json_pack("{ss sI sI sI sI so so sI}", "name", task->label, "process",
                                   (json_int_t)task->process, "kernel_count",
                                   (json_int_t)row->kernel_count, "copy_count",
                                   (json_int_t)row->copy_count, "iteration_count",
                                   (json_int_t)row->iteration_count, "release_ps",
                                   time_json(row->release_ps), "end_ps",
                                   time_json(row->open_count ? GFE_PS_NEVER : row->end_ps),
                                   "open_count", (json_int_t)row->open_count)) == 0;
    }
    if (good)
        return list;
    json_decref(list);
    return NULL;
}
