/* SPDX-License-Identifier: MIT */
/* Host threads: they sleep, meet at barriers, make calls, and wait for what these began. */
#include <config.h>

#include <assert.h>

#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/rm/rm_tables.h"

/* What a thread that does not go on waits for: `wait_kind`. */
enum { WAIT_ROOM, WAIT_OPERATION, WAIT_DEVICE };

static void cuda_task_run(struct cuda *cuda, uint32_t index);

static void cuda_task_wake_at(struct cuda *cuda, uint32_t index, gfe_ps after_ps)
{
    machine_schedule(cuda->machine, cuda->unit, clock_add(machine_now(cuda->machine), after_ps),
                     index * CUDA_EVENT_KINDS + CUDA_WAKE, 0);
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* All of a group are there: those that wait go on, at this time. */
static void cuda_barrier_open(struct cuda *cuda, uint32_t group)
{
    cuda->state->at_barrier[group] = 0;
    for (uint32_t i = 0; i < cuda->program->task_count; i++) {
        struct cuda_task_state *task = &cuda->tasks[i];

        if (cuda->program->tasks[i].group != group)
            continue;
        if (task->phase == CUDA_TASK_ENDED)
            cuda->state->at_barrier[group]++; /* it waits after its last iteration, for ever */
        else if (task->phase == CUDA_TASK_AT_BARRIER || task->phase == CUDA_TASK_MEETS)
            cuda_task_wake_at(cuda, i, 0);
    }
}

static void cuda_barrier(struct cuda *cuda, uint32_t index, enum cuda_task_phase phase)
{
    const uint32_t group = cuda->program->tasks[index].group;

    cuda->tasks[index].phase = phase;
    if (++cuda->state->at_barrier[group] == cuda->group_sizes[group])
        cuda_barrier_open(cuda, group);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static uint32_t cuda_task_process(const struct cuda *cuda, uint32_t index)
{
    return cuda->program->tasks[index].process;
}

/* Everything that the process's calls up to that one began is complete. */
static bool cuda_device_passed(const struct cuda *cuda, uint32_t process, uint64_t operation_id)
{
    for (uint32_t i = cuda->first_streams[process]; i < cuda->first_streams[process + 1]; i++)
        if (!cuda_stream_passed(cuda, i, operation_id))
            return false;
    return true;
}

static uint64_t cuda_device_last(const struct cuda *cuda, uint32_t process)
{
    uint64_t last = 0;

    for (uint32_t i = cuda->first_streams[process]; i < cuda->first_streams[process + 1]; i++)
        if (cuda_stream_last(cuda, i) > last)
            last = cuda_stream_last(cuda, i);
    return last;
}

static void cuda_call_returns(struct cuda *cuda, uint32_t index, uint32_t parameter)
{
    cuda->tasks[index].phase = CUDA_TASK_IN_CALL;
    cuda_task_wake_at(cuda, index, cuda_parameter(cuda, parameter));
}

static void cuda_call_waits(struct cuda *cuda, uint32_t index, uint32_t kind, uint64_t id)
{
    struct cuda_task_state *task = &cuda->tasks[index];

    task->phase = CUDA_TASK_WAITS;
    task->wait_kind = kind;
    task->wait_id = id;
}

static const struct cuda_call *cuda_task_call(const struct cuda *cuda, uint32_t index)
{
    return &cuda->program->calls[cuda->program->tasks[index].first_call + cuda->tasks[index].call];
}

/* The operation of a call that makes one; without room in its stream's queue the call waits. */
static void cuda_call_enqueue(struct cuda *cuda, uint32_t index)
{
    struct cuda_task_state *task = &cuda->tasks[index];
    const uint64_t id = cuda_stream_enqueue(
        cuda, index, cuda->program->tasks[index].first_call + task->call, task->iteration);

    if (id == 0)
        cuda_call_waits(cuda, index, WAIT_ROOM, 0);
    else if (cuda_task_call(cuda, index)->synchronous)
        cuda_call_waits(cuda, index, WAIT_OPERATION, id);
    else
        cuda_call_returns(cuda, index, PARAM_CUDA_CALL_PS);
}

static void cuda_call_synchronize(struct cuda *cuda, uint32_t index, bool device)
{
    const uint64_t last = device ? cuda_device_last(cuda, cuda_task_process(cuda, index))
                                 : cuda_stream_last(cuda, cuda_task_call(cuda, index)->stream);

    if (last == 0)
        cuda_call_returns(cuda, index, PARAM_CUDA_CALL_PS);
    else
        cuda_call_waits(cuda, index, device ? WAIT_DEVICE : WAIT_OPERATION, last);
}

static void cuda_call(struct cuda *cuda, uint32_t index)
{
    const struct cuda_call *call = cuda_task_call(cuda, index);

    cuda->tasks[index].call_ps = machine_now(cuda->machine);
    switch (call->kind) {
    case CUDA_SLEEP:
        cuda->tasks[index].phase = CUDA_TASK_IN_CALL;
        cuda_task_wake_at(cuda, index, call->sleep_ps);
        break;
    case CUDA_MALLOC:
        cuda_submit_allocate(cuda, cuda_task_process(cuda, index), call->bytes);
        cuda_call_returns(cuda, index, PARAM_CUDA_CALL_PS);
        break;
    case CUDA_STREAM_SYNCHRONIZE:
        cuda_call_synchronize(cuda, index, false);
        break;
    case CUDA_FREE:
    case CUDA_DEVICE_SYNCHRONIZE:
        cuda_call_synchronize(cuda, index, true);
        break;
    default:
        cuda_call_enqueue(cuda, index);
    }
}

/* Has what the thread waits for come? */
static bool cuda_wait_over(const struct cuda *cuda, uint32_t index)
{
    const struct cuda_task_state *task = &cuda->tasks[index];

    if (task->wait_kind == WAIT_DEVICE)
        return cuda_device_passed(cuda, cuda_task_process(cuda, index), task->wait_id);
    return cuda_stream_passed(cuda, cuda_task_call(cuda, index)->stream, task->wait_id);
}

/* A thread of the group that has not come to its barrier. */
static void cuda_task_open_barrier(const struct cuda *cuda, uint32_t index,
                                   struct machine_wait *wait)
{
    for (uint32_t i = 0; i < cuda->program->task_count; i++) {
        const uint32_t phase = cuda->tasks[i].phase;

        if (cuda->program->tasks[i].group != cuda->program->tasks[index].group ||
            phase == CUDA_TASK_AT_BARRIER || phase == CUDA_TASK_MEETS || phase == CUDA_TASK_ENDED)
            continue;
        wait->blocker_kind = SUBJECT_THREAD;
        wait->blocker_id = i;
        return;
    }
}

void cuda_task_log_open(struct cuda *cuda)
{
    for (uint32_t i = 0; i < cuda->program->task_count; i++) {
        const struct cuda_task_state *task = &cuda->tasks[i];
        struct machine_wait wait = {
            .begin_ps = task->call_ps, .subject_kind = SUBJECT_THREAD, .subject_id = i};

        if (task->phase == CUDA_TASK_ENDED)
            continue;
        if (task->phase == CUDA_TASK_WAITS && task->wait_id) {
            wait.blocker_kind = SUBJECT_OPERATION;
            wait.blocker_id = task->wait_id;
        } else if (task->phase == CUDA_TASK_AT_BARRIER || task->phase == CUDA_TASK_MEETS) {
            cuda_task_open_barrier(cuda, i, &wait);
        }
        if (task->phase == CUDA_TASK_WAITS || wait.blocker_kind != SUBJECT_NONE)
            machine_log_open(cuda->machine, cuda->unit, RULE_GFE_PROGRAM, &wait);
        else
            machine_log_lost(cuda->machine, cuda->unit, &wait);
    }
}

void cuda_task_completed(struct cuda *cuda, uint32_t process)
{
    for (uint32_t i = 0; i < cuda->program->task_count; i++) {
        struct cuda_task_state *task = &cuda->tasks[i];

        if (task->phase != CUDA_TASK_WAITS || cuda_task_process(cuda, i) != process)
            continue;
        if (task->wait_kind == WAIT_ROOM) {
            task->phase = CUDA_TASK_CALLS; /* the call begins anew, at its old time */
            cuda_call_enqueue(cuda, i);
        } else if (cuda_wait_over(cuda, i)) {
            cuda_call_returns(cuda, i, PARAM_CUDA_RETURN_PS);
        }
    }
}

/* ---- iterations ------------------------------------------------------------------------------ */

/* The next iteration may begin: its limits say so. */
static bool cuda_task_goes_on(const struct cuda *cuda, uint32_t index)
{
    const struct cuda_task *task = &cuda->program->tasks[index];
    const struct cuda_task_state *state = &cuda->tasks[index];

    if (task->max_iterations > 0 && state->iteration >= task->max_iterations)
        return false;
    return task->max_time_ps == 0 ||
           machine_now(cuda->machine) - state->released_ps < task->max_time_ps;
}

static void cuda_iteration_begins(struct cuda *cuda, uint32_t index)
{
    cuda->tasks[index].phase = CUDA_TASK_CALLS;
    cuda->tasks[index].call = 0;
    cuda->tasks[index].iteration_ps = machine_now(cuda->machine);
    cuda_task_run(cuda, index);
}

gfe_ps cuda_task_release(const struct cuda *cuda, uint32_t index)
{
    const gfe_ps period_ps = cuda->program->tasks[index].period_ps;
    const struct cuda_task_state *task = &cuda->tasks[index];

    return period_ps == 0 ? task->call_ps
                          : clock_add(task->released_ps, clock_times(task->iteration, period_ps));
}

/* True when the time of the next iteration has not come; it is waited for. */
static bool cuda_iteration_later(struct cuda *cuda, uint32_t index)
{
    const gfe_ps now = machine_now(cuda->machine);
    const gfe_ps release_ps = cuda_task_release(cuda, index);

    if (cuda->program->tasks[index].period_ps == 0 || release_ps <= now)
        return false;
    cuda->tasks[index].phase = CUDA_TASK_BETWEEN;
    cuda_task_wake_at(cuda, index, release_ps - now);
    return true;
}

static void cuda_iteration_next(struct cuda *cuda, uint32_t index)
{
    if (!cuda_task_goes_on(cuda, index)) {
        cuda->state->tasks_left--;
        cuda_barrier(cuda, index, CUDA_TASK_ENDED);
    } else if (cuda->program->tasks[index].meets) {
        cuda_barrier(cuda, index, CUDA_TASK_MEETS);
    } else if (!cuda_iteration_later(cuda, index)) {
        cuda_iteration_begins(cuda, index);
    }
}

static void cuda_iteration_ends(struct cuda *cuda, uint32_t index)
{
    struct cuda_task_state *task = &cuda->tasks[index];

    if (!task->warm) {
        task->warm = 1;
        cuda_barrier(cuda, index, CUDA_TASK_AT_BARRIER);
        return;
    }
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_ITERATION, RULE_NONE, index, task->iteration,
                task->iteration_ps);
    task->iteration++;
    cuda_iteration_next(cuda, index);
}

/* Makes the next call; one that takes no time at all would be an endless loop. */
static void cuda_task_run(struct cuda *cuda, uint32_t index)
{
    struct cuda_task_state *task = &cuda->tasks[index];

    if (task->call == cuda->program->tasks[index].call_count)
        cuda_iteration_ends(cuda, index);
    else
        cuda_call(cuda, index);
}

static void cuda_call_done(struct cuda *cuda, uint32_t index)
{
    struct cuda_task_state *task = &cuda->tasks[index];

    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_CALL, RULE_NONE, index,
                cuda->program->tasks[index].first_call + task->call, task->iteration,
                task->call_ps);
    task->call++;
    task->phase = CUDA_TASK_CALLS;
    cuda_task_run(cuda, index);
}

static void cuda_task_released(struct cuda *cuda, uint32_t index)
{
    cuda->tasks[index].released_ps = machine_now(cuda->machine);
    MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_TASK, RULE_NONE, index);
    cuda_iteration_next(cuda, index);
}

void cuda_task_wake(struct cuda *cuda, uint32_t index)
{
    struct cuda_task_state *task = &cuda->tasks[index];

    switch (task->phase) {
    case CUDA_TASK_BEGINS:
        if (task->warm)
            cuda_barrier(cuda, index, CUDA_TASK_AT_BARRIER);
        else
            cuda_iteration_begins(cuda, index);
        break;
    case CUDA_TASK_AT_BARRIER:
        task->phase = CUDA_TASK_SLEEPS;
        cuda_task_wake_at(cuda, index, cuda->program->tasks[index].release_ps);
        break;
    case CUDA_TASK_SLEEPS:
        cuda_task_released(cuda, index);
        break;
    case CUDA_TASK_MEETS:
    case CUDA_TASK_BETWEEN:
        cuda_iteration_begins(cuda, index);
        break;
    case CUDA_TASK_IN_CALL:
        cuda_call_done(cuda, index);
        break;
    default:
        assert(false && "a host thread that does not sleep is woken");
    }
}

/* Returns when a process has its context, counted from the start of the run. */
static gfe_ps cuda_context_ready(const struct cuda *cuda, uint32_t process)
{
    const gfe_ps start_ps = cuda->program->starts_ps[process];

    return start_ps == 0 ? 0 : clock_add(start_ps, cuda_parameter(cuda, PARAM_RM_CONTEXT_INIT_PS));
}

void cuda_task_start(struct cuda *cuda)
{
    cuda->state->tasks_left = cuda->program->task_count;
    for (uint32_t i = 0; i < cuda->program->task_count; i++) {
        cuda->tasks[i].warm = !cuda->program->tasks[i].warms_up;
        cuda_task_wake_at(cuda, i,
                          clock_add(clock_add(cuda_parameter(cuda, PARAM_CUDA_START_PS),
                                              cuda_context_ready(cuda, cuda_task_process(cuda, i))),
                                    cuda->program->tasks[i].start_ps));
    }
}
