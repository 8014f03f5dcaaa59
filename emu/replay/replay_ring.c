/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_ring.h"

#include "emu/replay/replay_check.h"
#include "emu/replay/replay_needs.h"
#include "emu/replay/replay_next.h"
#include "emu/replay/replay_wait.h"

uint64_t replay_ring_begin_ns(struct replay *replay, uint32_t thread_index,
                              const struct trace_head *head)
{
    const struct trace_record *record;

    if (head->kind != TRACE_EVENT_WAIT)
        return head->time_ns;
    record = replay_next_record(replay, thread_index);
    /* A wait that ended by its time lasts that long again. */
    return record && !record->event_wait.timed_out ? record->event_wait.begin_ns : head->time_ns;
}

/* ---- waits ------------------------------------------------------------------------------------
 */

bool replay_ring_is_over(const struct replay *replay, uint32_t thread_index)
{
    return replay_needs_met(replay->input->needs, replay->state->threads[thread_index].next,
                            replay->written);
}

/* Lets the threads that wait for the place look again, as soon as this event is over. */
static void ring_written(struct replay *replay, uint32_t place)
{
    if (place == UINT32_MAX)
        return;
    replay->written[place]++;
    for (uint32_t i = 0; i < replay->input->thread_count; i++)
        if (replay->state->threads[i].phase == REPLAY_WAITS &&
            replay->state->threads[i].kernel_wait == REPLAY_SLEEPS_SYNC)
            machine_schedule(replay->machine, replay->unit, machine_now(replay->machine),
                             REPLAY_LOOK + i, 0);
}

void replay_ring_fired(void *context, uint32_t client_id, uint32_t event_id)
{
    struct replay *replay = context;

    ring_written(replay, replay_needs_event_place(replay->input->needs, client_id, event_id));
}

void replay_ring_released(struct replay *replay, uint32_t space_id, uint64_t address)
{
    for (uint32_t as_id = 0; as_id < replay->space_count; as_id++)
        if (replay->driver.ops->space(replay->driver.driver, as_id) == space_id)
            ring_written(replay, replay_needs_place(replay->input->needs, as_id, address));
}

static bool ring_event_wait(struct replay *replay, uint32_t thread_index,
                            const struct trace_event_wait *wait)
{
    if (!replay->open_loop && !wait->timed_out && !replay_ring_is_over(replay, thread_index)) {
        replay_wait_sleep(replay, thread_index, RULE_GFE_PROGRAM, 0);
        return false;
    }
    replay->state->recorded_waits++;
    return true;
}

/* ---- records ----------------------------------------------------------------------------------
 */

static bool ring_call(struct replay *replay, uint32_t thread_index,
                      const struct trace_record *record)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    thread->phase = REPLAY_CALLS;
    if (replay->driver.ops->ring(replay->driver.driver, record, thread_index) != DRIVER_DONE)
        return false;
    thread->phase = REPLAY_READY;
    return true;
}

static bool ring_packet(struct replay *replay, uint32_t thread_index,
                        const struct trace_record *record)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];
    struct driver_fence fence;

    thread->kernel_wait = 0;
    if (!replay->open_loop &&
        replay->driver.ops->ring_place(replay->driver.driver, &record->packet, &fence) &&
        !replay_wait_fence(replay, thread_index, fence, RULE_GFE_OVERWRITE, 0))
        return false;
    thread->packets++;
    thread->stored_bytes += record->packet.data.length;
    return ring_call(replay, thread_index, record);
}

static bool ring_doorbell(struct replay *replay, uint32_t thread_index,
                          const struct trace_record *record)
{
    struct replay_thread *thread = &replay->state->threads[thread_index];

    MACHINE_LOG_ORIGIN(replay->machine, replay->unit, EVENT_CPU_SUBMIT, RULE_NONE, ORIGIN_RECORDED,
                       ++replay->state->doorbells, record->doorbell.channel_id, thread->packets,
                       thread->stored_bytes, thread_index);
    thread->packets = 0;
    thread->stored_bytes = 0;
    return ring_call(replay, thread_index, record);
}

/* Notes a store.  Stores of other threads at the same place wait for it. */
static void ring_stored(struct replay *replay, const struct trace_mem *mem)
{
    if (mem->data.length <= REPLAY_STORE_BYTES_MAX)
        ring_written(replay,
                     replay_needs_store_place(replay->input->needs, mem->as_id, mem->address));
}

static bool ring_memory(struct replay *replay, uint32_t thread_index,
                        const struct trace_record *record)
{
    const struct driver_ops *ops = replay->driver.ops;
    void *driver = replay->driver.driver;

    switch (record->head.kind) {
    case TRACE_AS_CREATE:
        return ops->as_create(driver, &record->as_create);
    case TRACE_AS_MAP:
        return ops->as_map(driver, &record->as_map);
    case TRACE_AS_UNMAP:
        replay_check_fences(replay, record->as_unmap.as_id, record->as_unmap.va,
                            record->as_unmap.size_bytes);
        return ops->as_unmap(driver, &record->as_unmap);
    default:
        replay->state->threads[thread_index].stored_bytes += record->mem.data.length;
        ring_stored(replay, &record->mem);
        return ops->store(driver, &record->mem);
    }
}

/* Returns true if the record waits for others: those whose places it takes away or overwrites, and
 * those that have to come before it. */
static bool ring_waits(struct replay *replay, uint32_t thread_index)
{
    if (replay->open_loop || replay_ring_is_over(replay, thread_index))
        return false;
    replay->state->inferred_waits++;
    replay_wait_sleep(replay, thread_index, RULE_GFE_INFERRED, 0);
    return true;
}

bool replay_ring_apply(struct replay *replay, uint32_t thread_index,
                       const struct trace_record *record)
{
    if (record->head.kind == TRACE_EVENT_WAIT)
        return ring_event_wait(replay, thread_index, &record->event_wait);
    if (ring_waits(replay, thread_index))
        return false;
    switch (record->head.kind) {
    case TRACE_AS_CREATE:
    case TRACE_AS_MAP:
    case TRACE_AS_UNMAP:
    case TRACE_MEM:
        return ring_memory(replay, thread_index, record);
    case TRACE_PACKET:
        return ring_packet(replay, thread_index, record);
    case TRACE_DOORBELL:
        return ring_doorbell(replay, thread_index, record);
    case TRACE_QUEUE_END:
        replay_check_channel(replay, replay->state->threads[thread_index].next);
        return ring_call(replay, thread_index, record);
    case TRACE_CLIENT:
    case TRACE_MARK:
        return true;
    default:
        return ring_call(replay, thread_index, record);
    }
}
