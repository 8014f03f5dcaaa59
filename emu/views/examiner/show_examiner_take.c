/* SPDX-License-Identifier: MIT */
/* Iterations of tasks, with their phases, kernels and blocks, gathered from records of the model.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/examiner/show_examiner_private.h"

/* A block may start a little out of turn; farther ahead it is a damaged log's. */
enum { BLOCKS_AHEAD = 1024, SMS_MAX = 1 << 16 };

static void iteration_begin(struct examiner_task *task)
{
    task->now = (struct examiner_iteration){.next = EXAMINER_NONE, .first_kernel = EXAMINER_NONE};
    for (uint32_t i = 0; i < PROGRAM_PHASES; i++)
        task->now.phases[i].begin_ps = GFE_PS_NEVER;
}

void examiner_fini(struct examiner *examiner)
{
    for (uint32_t i = 0; i < examiner->kernel_count; i++)
        free(examiner->kernels[i].blocks);
    free(examiner->kernels);
    free(examiner->iterations);
    free(examiner->tasks);
    id_map_fini(&examiner->by_operation);
    id_map_fini(&examiner->by_grid);
    model_fini(&examiner->model);
    streams_fini(&examiner->streams);
}

/* Makes room for one more element; `array` is the address of the array's pointer. */
static bool room(void *array, uint32_t count, uint32_t *capacity, size_t bytes)
{
    const uint32_t wanted = *capacity ? 2 * *capacity : 16;
    void *old, *grown;

    if (count < *capacity)
        return true;
    memcpy(&old, array, sizeof old);
    grown = wanted > *capacity ? realloc(old, wanted * bytes) : NULL;
    if (!grown)
        return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

/* ---- kernels and blocks ---------------------------------------------------------------------- */

static bool take_operation(struct examiner *examiner, gfe_ps now_ps,
                           const struct model_stream_operation *called)
{
    const struct program_call *call = program_call(&examiner->streams.program, called->call);
    const uint32_t index = examiner->kernel_count;
    struct examiner_task *task;

    if (!call || call->kind != PROGRAM_KERNEL ||
        !program_task(&examiner->streams.program, called->task) ||
        id_map_find(&examiner->by_operation, called->id) != ID_MAP_NONE)
        return true;
    if (!room(&examiner->kernels, index, &examiner->kernel_capacity, sizeof examiner->kernels[0]) ||
        !id_map_add(&examiner->by_operation, called->id, index))
        return false;
    examiner->kernel_count++;
    examiner->kernels[index] = (struct examiner_kernel){.call = (uint32_t)called->call,
                                                        .next = EXAMINER_NONE,
                                                        .launch_ps = now_ps,
                                                        .launched_ps = GFE_PS_NEVER,
                                                        .synchronized_ps = GFE_PS_NEVER};
    task = &examiner->tasks[called->task];
    if (task->last_kernel != EXAMINER_NONE)
        examiner->kernels[task->last_kernel].next = index;
    task->last_kernel = index;
    if (task->now.kernel_count++ == 0)
        task->now.first_kernel = index;
    return true;
}

static bool take_grid(struct examiner *examiner, gfe_ps now_ps, uint64_t grid_id)
{
    const struct streams_operation *operation =
        streams_of_hardware(&examiner->streams, STREAMS_GRID, grid_id);
    const uint32_t kernel =
        operation ? id_map_find(&examiner->by_operation, operation->id) : ID_MAP_NONE;

    if (kernel == ID_MAP_NONE || id_map_find(&examiner->by_grid, grid_id) != ID_MAP_NONE)
        return true;
    if (examiner->queued_ps != GFE_PS_NEVER && now_ps - examiner->queued_ps < examiner->closest_ps)
        examiner->closest_ps = now_ps - examiner->queued_ps;
    examiner->queued_ps = now_ps;
    return id_map_add(&examiner->by_grid, grid_id, kernel);
}

/* The kernel's block of that index, as far as there is room for it; NULL: there is no memory, or,
 * with *damaged, the index is none. */
static struct examiner_block *block_of(struct examiner_kernel *kernel, uint64_t index,
                                       bool *damaged)
{
    *damaged = index >= (uint64_t)kernel->block_count + BLOCKS_AHEAD || index >= UINT32_MAX / 2;
    if (*damaged)
        return NULL;
    while (index >= kernel->block_capacity) {
        const uint32_t from = kernel->block_capacity;

        if (!room(&kernel->blocks, from, &kernel->block_capacity, sizeof kernel->blocks[0]))
            return NULL;
        for (uint32_t i = from; i < kernel->block_capacity; i++)
            kernel->blocks[i] = (struct examiner_block){GFE_PS_NEVER, GFE_PS_NEVER, 0};
    }
    return &kernel->blocks[index];
}

static bool take_block(struct examiner *examiner, bool starts, gfe_ps now_ps,
                       const struct model_block *block)
{
    const uint32_t index = id_map_find(&examiner->by_grid, block->grid_id);
    struct examiner_kernel *kernel = index == ID_MAP_NONE ? NULL : &examiner->kernels[index];
    bool damaged = true;
    struct examiner_block *kept = kernel ? block_of(kernel, block->index, &damaged) : NULL;

    if (!kept)
        return damaged;
    if (starts && kept->start_ps == GFE_PS_NEVER) {
        kept->start_ps = now_ps;
        kept->sm = block->sm < SMS_MAX ? block->sm : 0;
        examiner->sm_end = kept->sm >= examiner->sm_end ? kept->sm + 1 : examiner->sm_end;
        kernel->block_count++;
    } else if (!starts && kept->start_ps != GFE_PS_NEVER && kept->end_ps == GFE_PS_NEVER) {
        kept->end_ps = now_ps;
        kernel->ended_count++;
    }
    return true;
}

/* ---- calls and iterations -------------------------------------------------------------------- */

/* A wait for a stream, or for the device, is said of the launch in front of it, as in the tool:
 * those before that one have none. */
static void synchronize(struct examiner *examiner, const struct examiner_task *task,
                        const struct program_call *wait, bool device, gfe_ps now_ps)
{
    struct examiner_kernel *kernel;

    if (task->now.kernel_count == 0)
        return;
    kernel = &examiner->kernels[task->last_kernel];
    if (kernel->synchronized_ps == GFE_PS_NEVER &&
        (device || examiner->streams.program.calls[kernel->call].stream == wait->stream))
        kernel->synchronized_ps = now_ps;
}

static void take_call(struct examiner *examiner, gfe_ps now_ps, const struct model_task *record)
{
    const struct program_call *call = program_call(&examiner->streams.program, record->call);
    const gfe_ps begin_ps = record->begin_ps < now_ps ? record->begin_ps : now_ps;
    struct examiner_phase *phase;
    struct examiner_task *task;

    if (!call || !program_task(&examiner->streams.program, record->task))
        return;
    task = &examiner->tasks[record->task];
    phase = &task->now.phases[call->phase];
    if (phase->begin_ps == GFE_PS_NEVER)
        phase->begin_ps = begin_ps;
    phase->end_ps = now_ps;
    if (call->kind == PROGRAM_KERNEL && task->now.kernel_count > 0) {
        struct examiner_kernel *kernel = &examiner->kernels[task->last_kernel];

        if (kernel->call == record->call && kernel->launched_ps == GFE_PS_NEVER) {
            kernel->launch_ps = begin_ps;
            kernel->launched_ps = now_ps;
        }
    }
    if (strcmp(call->kind_name, "stream synchronize") == 0)
        synchronize(examiner, task, call, false, now_ps);
    else if (strcmp(call->kind_name, "device synchronize") == 0)
        synchronize(examiner, task, call, true, now_ps);
}

/* Only those of released tasks count. */
static bool take_iteration(struct examiner *examiner, gfe_ps now_ps,
                           const struct model_task *record)
{
    const uint32_t index = examiner->iteration_count;
    struct examiner_task *task;

    if (!program_task(&examiner->streams.program, record->task))
        return true;
    task = &examiner->tasks[record->task];
    if (!task->released)
        return true;
    if (!room(&examiner->iterations, index, &examiner->iteration_capacity,
              sizeof examiner->iterations[0]))
        return false;
    task->now.begin_ps = record->begin_ps < now_ps ? record->begin_ps : now_ps;
    task->now.end_ps = now_ps;
    examiner->iterations[index] = task->now;
    examiner->iteration_count++;
    if (task->last == EXAMINER_NONE)
        task->first = index;
    else
        examiner->iterations[task->last].next = index;
    task->last = index;
    iteration_begin(task);
    return true;
}

static void take_task(struct examiner *examiner, uint64_t task)
{
    if (!program_task(&examiner->streams.program, task))
        return;
    examiner->tasks[task].released = true;
    iteration_begin(&examiner->tasks[task]);
}

/* ---- which records, and how ------------------------------------------------------------------ */

/* clang-format off */
static bool record_take(struct examiner *examiner, const struct model_record *record)
{
    const gfe_ps now_ps = record->now_ps;

    switch (record->type) {
    case MODEL_STREAM_CALLED: return take_operation(examiner, now_ps, &record->stream_operation);
    case MODEL_TASK: take_task(examiner, record->task.task); break;
    case MODEL_TASK_CALLED: take_call(examiner, now_ps, &record->task); break;
    case MODEL_TASK_ITERATED: return take_iteration(examiner, now_ps, &record->task);
    case MODEL_GRID_HANDED: return take_grid(examiner, now_ps, record->grid.id);
    case MODEL_BLOCK_BEGUN: return take_block(examiner, true, now_ps, &record->block);
    case MODEL_BLOCK_DONE: return take_block(examiner, false, now_ps, &record->block);
    /* passed over */
    case MODEL_COST: case MODEL_COPY_HANDED: case MODEL_WORK_BEGUN: case MODEL_STARTED:
    case MODEL_DISPATCHED: case MODEL_SUSPENDED: case MODEL_RESUMED: case MODEL_ENDED:
    case MODEL_DROPPED: case MODEL_COPY_REFUSED: case MODEL_COPY_LOST: case MODEL_BLOCK_STOPPED:
    case MODEL_BLOCK_OFF: case MODEL_BLOCK_BACK:
    case MODEL_BLOCK_WENT_ON: case MODEL_BLOCK_STAGED: case MODEL_BLOCK_UNSTAGED:
    case MODEL_CLIENT: case MODEL_STREAM: case MODEL_STREAM_HELD: case MODEL_STREAM_FREED:
    case MODEL_STREAM_SUBMITTED: case MODEL_STREAM_COMPLETED: case MODEL_HIP_STREAM:
    case MODEL_HIP_CALLED: case MODEL_HIP_PACKET: case MODEL_HIP_DONE:
    MODEL_PROGRAM_RECORDS(MODEL_CASE) MODEL_WAIT_RECORDS(MODEL_CASE)
    MODEL_CHANNEL_RECORDS(MODEL_CASE) MODEL_METHOD_RECORDS(MODEL_CASE)
    MODEL_QUEUE_RECORDS(MODEL_CASE) MODEL_SDMA_RECORDS(MODEL_CASE) MODEL_OTHER_RECORDS(MODEL_CASE)
    case MODEL_TYPES:
        break;
    }
    return true;
}
/* clang-format on */

/* The listener of the model. */
static bool listen(void *context, const struct model_record *record)
{
    struct examiner *examiner = context;

    return streams_take(&examiner->streams, record) && record_take(examiner, record);
}

bool examiner_take(struct examiner *examiner, const struct log_event *event)
{
    return model_take(&examiner->model, event);
}

bool examiner_init(struct examiner *examiner, const struct event_log_reader *log,
                   struct gfe_error *error)
{
    uint32_t count;

    *examiner =
        (struct examiner){.log = log, .queued_ps = GFE_PS_NEVER, .closest_ps = GFE_PS_NEVER};
    if (!streams_init(&examiner->streams, log, error))
        return false;
    count = examiner->streams.program.task_count;
    examiner->tasks = calloc((size_t)count + 1, sizeof examiner->tasks[0]);
    for (uint32_t i = 0; examiner->tasks && i < count; i++) {
        examiner->tasks[i].first = examiner->tasks[i].last = EXAMINER_NONE;
        examiner->tasks[i].last_kernel = EXAMINER_NONE;
        iteration_begin(&examiner->tasks[i]);
    }
    if (!examiner->tasks)
        error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    else if (model_init(&examiner->model, log, listen, examiner, error)) {
        model_skip_blocks(&examiner->model);
        return true;
    }
    examiner_fini(examiner);
    return false;
}
