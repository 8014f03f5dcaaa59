/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/summary_tasks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "emu/show_scale.h"

enum { TASKS_LISTED_MAX = 8, TIME_BYTES = 48 };

enum { ROW_OPERATION, ROW_ITERATION, ROW_TASK, ROWS };

static const struct event_fields_row rows[ROWS] = {
    [ROW_OPERATION] = {"CUDA_OPERATION", {"task_id", "call_id"}},
    [ROW_ITERATION] = {"CUDA_ITERATION", {"task_id"}},
    [ROW_TASK] = {"CUDA_TASK", {"task_id"}},
};

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
    if (!event_fields_bind(&tasks->fields, log, rows, ROWS, error))
        return false;
    tasks->count = count;
    return true;
}

void summary_tasks_fini(struct summary_tasks *tasks)
{
    streams_fini(&tasks->streams);
    event_fields_fini(&tasks->fields);
    free(tasks->tasks);
}

bool summary_tasks_take(struct summary_tasks *tasks, const struct log_event *event)
{
    uint64_t values[EVENT_ARGUMENTS_MAX];
    uint32_t row;
    struct summary_task *task;
    const struct program_call *call;

    if (tasks->count == 0)
        return true;
    if (!tasks->has_names && !streams_take(&tasks->streams, event))
        return false;
    row = event_fields_take(&tasks->fields, event, values);
    if (row == EVENT_FIELDS_NONE || values[0] >= tasks->count)
        return true;
    task = &tasks->tasks[values[0]];
    call = row == ROW_OPERATION ? program_call(&tasks->streams.program, values[1]) : NULL;
    if (call) {
        task->kernel_count += call->kind == PROGRAM_KERNEL;
        task->copy_count += call->kind == PROGRAM_COPY;
    } else if (row == ROW_ITERATION) {
        task->iteration_count++;
        task->end_ps = event->time_ps;
    } else if (row == ROW_TASK && task->release_ps == GFE_PS_NEVER) {
        task->release_ps = event->time_ps;
    }
    return true;
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
                show_time(from, sizeof from, task->release_ps));
    else
        fprintf(file, ", from %s to %s\n", show_time(from, sizeof from, task->release_ps),
                show_time(to, sizeof to, task->end_ps));
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

        good =
            json_array_append_new(
                list,
                json_pack("{ss sI sI sI sI so so}", "name", task->label, "process",
                          (json_int_t)task->process, "kernel_count", (json_int_t)row->kernel_count,
                          "copy_count", (json_int_t)row->copy_count, "iteration_count",
                          (json_int_t)row->iteration_count, "release_ps",
                          time_json(row->release_ps), "end_ps", time_json(row->end_ps))) == 0;
    }
    if (good)
        return list;
    json_decref(list);
    return NULL;
}
