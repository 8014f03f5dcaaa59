/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_wait.h"

#include "emu/replay/replay_next.h"
#include "emu/replay/replay_ring.h"

static bool is_reached(struct replay *replay, const struct driver_fence *fence)
{
    uint32_t value;

    return machine_read(replay->machine, (enum memory_aperture)fence->aperture, fence->address,
                        &value, sizeof value) &&
           (int32_t)(value - fence->value) >= 0;
}

/* Has the driver given it up?  A program that looks at memory itself does not learn of it. */
static bool is_lost(struct replay *replay, uint32_t rule, uint32_t kernel_wait,
                    const struct driver_fence *fence)
{
    const struct driver_ops *ops = replay->driver.ops;

    return (kernel_wait || (rule != RULE_GFE_PROGRAM && rule != RULE_GFE_INFERRED)) && ops->lost &&
           ops->lost(replay->driver.driver, fence);
}

static void watch(struct replay *replay, uint32_t thread_index)
{
    const struct replay_thread *thread = &replay->state->threads[thread_index];

    machine_watch(replay->machine, replay->unit, REPLAY_LOOK + thread_index, 0,
                  (enum memory_aperture)thread->fence.aperture, thread->fence.address);
}

void replay_wait_sleep(struct replay *replay, uint32_t thread_index, uint32_t rule,
                       uint32_t submission_id)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    thread->phase = REPLAY_WAITS;
    thread->kernel_wait = REPLAY_SLEEPS_SYNC;
    thread->fence = (struct driver_fence){.address = submission_id};
    thread->wait_rule = rule;
    thread->wait_from_ps = machine_now(replay->machine);
    thread->wait_id = replay->state->next_wait_id++;
    MACHINE_LOG(replay->machine, replay->unit, EVENT_CPU_WAIT_BEGIN, rule, thread->wait_id,
                submission_id, thread_index, rule == RULE_GFE_INFERRED);
}

bool replay_wait_fence(struct replay *replay, uint32_t thread_index, struct driver_fence fence,
                       uint32_t rule, uint32_t submission_id)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    if (replay->open_loop || is_reached(replay, &fence) ||
        is_lost(replay, rule, thread->kernel_wait, &fence))
        return true;
    thread->phase = REPLAY_WAITS;
    thread->fence = fence;
    thread->wait_rule = rule;
    thread->wait_from_ps = machine_now(replay->machine);
    thread->wait_id = replay->state->next_wait_id++;
    MACHINE_LOG(replay->machine, replay->unit, EVENT_CPU_WAIT_BEGIN, rule, thread->wait_id,
                submission_id, thread_index, rule == RULE_GFE_INFERRED);
    if (thread->kernel_wait)
        replay->driver.ops->arm(replay->driver.driver);
    else
        watch(replay, thread_index);
    return false;
}

/* Is what the thread's record waits for done, or submitted? */
static bool sync_is_over(struct replay *replay, uint32_t thread_index)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    const struct trace_record *record = replay_next_record(replay, thread_index);
    const struct driver_ops *ops = replay->driver.ops;
    uint32_t submission_id = 0;
    bool over;

    if (!record)
        return false;
    if (replay->input->layer == TRACE_LAYER_RING)
        return replay_ring_is_over(replay, thread_index);
    if (record->head.kind != TRACE_SYNCOBJ_WAIT)
        return ops->submitted(replay->driver.driver, record);
    over = ops->wait_over(replay->driver.driver, &record->syncobj_wait, &submission_id);
    if (!over)
        thread->fence.address = submission_id;
    return over;
}

bool replay_wait_is_lost(struct replay *replay, uint32_t thread_index)
{
    const struct replay_thread *thread = &replay->state->threads[thread_index];

    return thread->phase == REPLAY_WAITS && thread->kernel_wait != REPLAY_SLEEPS_SYNC &&
           is_lost(replay, thread->wait_rule, thread->kernel_wait, &thread->fence);
}

bool replay_wait_is_over(struct replay *replay, uint32_t thread_index)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    const bool of_sync = thread->kernel_wait == REPLAY_SLEEPS_SYNC;
    const gfe_ps now = machine_now(replay->machine);

    if (thread->phase != REPLAY_WAITS)
        return false;
    if (!(of_sync ? sync_is_over(replay, thread_index)
                  : is_reached(replay, &thread->fence) ||
                        is_lost(replay, thread->wait_rule, thread->kernel_wait, &thread->fence))) {
        if (thread->kernel_wait == REPLAY_POLLS)
            watch(replay, thread_index);
        return false;
    }
    MACHINE_LOG(replay->machine, replay->unit, EVENT_WAIT, thread->wait_rule, thread->wait_from_ps,
                SUBJECT_THREAD, thread_index, of_sync ? SUBJECT_SUBMISSION : SUBJECT_SEMAPHORE,
                thread->fence.address);
    MACHINE_LOG(replay->machine, replay->unit, EVENT_CPU_WAIT_END, thread->wait_rule,
                thread->wait_id, 0, thread_index, now - thread->wait_from_ps);
    thread->phase = REPLAY_READY;
    return true;
}
