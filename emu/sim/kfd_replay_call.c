/* SPDX-License-Identifier: MIT */
/* Queues of recorded programs: calls of the kernel driver, one at a time. */
#include <config.h>

#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "emu/sim/kfd_replay.h"
#include "firmware-models/kfd/kfd_tables.h"

/* The last queue of that number; ended ones are remembered until another takes it. */
struct kfd_replay_queue *kfd_replay_queue_find(const struct kfd_replay *replay, uint32_t queue_id)
{
    struct kfd_replay_state *state = replay->state;

    for (uint32_t i = 0; i < state->queue_count; i++)
        if (state->queues[i].queue_id == queue_id)
            return &state->queues[i];
    return NULL;
}

struct kfd_replay_queue *kfd_replay_queue_used(struct kfd_replay *replay, uint32_t queue_id)
{
    struct kfd_replay_queue *queue = kfd_replay_queue_find(replay, queue_id);

    if (queue && queue->used)
        return queue;
    (void)kfd_replay_refuse(replay, "a queue that there is not is named", queue_id);
    return NULL;
}

static struct kfd_replay_queue *queue_new(struct kfd_replay *replay,
                                          const struct trace_queue *record)
{
    struct kfd_replay_state *state = replay->state;
    struct kfd_replay_queue *queue = kfd_replay_queue_find(replay, record->queue_id);

    if (!queue && state->queue_count < KFD_REPLAY_QUEUES_MAX)
        queue = &state->queues[state->queue_count++];
    if (!queue || queue->used || record->as_id >= KFD_REPLAY_SPACES_MAX ||
        !state->spaces[record->as_id].used) {
        (void)kfd_replay_refuse(replay, "a queue comes to be twice, nowhere, or is one too many",
                                record->queue_id);
        return NULL;
    }
    *queue = (struct kfd_replay_queue){
        .ring_address = record->ring_address,
        .ring_bytes = record->ring_bytes,
        .read_address = record->read_address,
        .write_address = record->write_address,
        .queue_id = record->queue_id,
        .as_id = record->as_id,
        .what = record->what,
        .kfd_queue = KFD_NONE,
    };
    return queue;
}

static enum kfd_result call_create(struct kfd_replay *replay, const struct trace_queue *record)
{
    struct kfd_replay_state *state = replay->state;
    struct kfd_replay_queue *queue;
    const struct kfd_queue_options options = {
        .ring_address = record->ring_address,
        .read_pointer = record->read_address,
        .write_pointer = record->write_address,
        .eop_address = record->eop_address,
        .save_address = record->save_address,
        .ring_bytes = (uint32_t)record->ring_bytes,
        .eop_bytes = (uint32_t)record->eop_bytes,
        .save_bytes = record->save_bytes,
        .control_stack_bytes = record->control_stack_bytes,
        .format = record->what == TRACE_QUEUE_SDMA ? KFD_MQD_SDMA : KFD_MQD_AQL,
        .priority = record->priority,
        .percent = record->percentage,
    };
    enum kfd_result result;

    if (state->caller != 0)
        return KFD_BUSY;
    if (record->gpu_id != state->gpu_id || record->what == TRACE_QUEUE_PM4 ||
        record->ring_bytes > UINT32_MAX || record->eop_bytes > UINT32_MAX ||
        record->ring_bytes < AMD_AQL_BYTES) {
        (void)kfd_replay_refuse(
            replay,
            record->what == TRACE_QUEUE_PM4 ? "a program's queue of PM4 packets is not modelled yet"
            : record->gpu_id != state->gpu_id ? "a queue is of a second GPU: one is modelled"
                                              : "a queue has a size that none can have",
            record->queue_id);
        return KFD_EINVAL;
    }
    queue = queue_new(replay, record);
    if (!queue)
        return KFD_EINVAL;
    result = kfd_queue_create(replay->node->kfd, state->spaces[record->as_id].process, &options,
                              &queue->kfd_queue);
    queue->used = result == KFD_OK || result == KFD_PENDING;
    return result;
}

/* What the trace asks for, if the lock is free. */
static enum kfd_result call_make(struct kfd_replay *replay, const struct trace_record *record)
{
    struct kfd *kfd = replay->node->kfd;
    struct kfd_replay_queue *queue;
    uint32_t mask[32];

    if (record->head.kind == TRACE_QUEUE)
        return call_create(replay, &record->queue);
    queue = kfd_replay_queue_used(replay,
                                  record->queue_end.queue_id); /* the first field of all of them */
    if (!queue)
        return KFD_EINVAL;
    switch (record->head.kind) {
    case TRACE_QUEUE_UPDATE:
        if (record->queue_update.ring_bytes > UINT32_MAX ||
            (record->queue_update.ring_bytes != 0 &&
             record->queue_update.ring_bytes < AMD_AQL_BYTES))
            return KFD_EINVAL;
        return kfd_queue_update(kfd, queue->kfd_queue, record->queue_update.ring_address,
                                (uint32_t)record->queue_update.ring_bytes,
                                record->queue_update.percentage, record->queue_update.priority);
    case TRACE_CU_MASK:
        if (record->cu_mask.bit_count == 0 || record->cu_mask.bit_count % 32 != 0 ||
            record->cu_mask.bit_count > sizeof mask * 8 ||
            record->cu_mask.mask.length < record->cu_mask.bit_count / 8)
            return KFD_EINVAL;
        memcpy(mask, record->cu_mask.mask.data, record->cu_mask.bit_count / 8);
        return kfd_queue_set_cu_mask(kfd, queue->kfd_queue, mask, record->cu_mask.bit_count);
    default:
        return kfd_queue_destroy(kfd, queue->kfd_queue);
    }
}

/* The call has succeeded. */
static void call_end(struct kfd_replay *replay, const struct trace_record *record)
{
    struct kfd_replay_queue *queue = kfd_replay_queue_find(replay, record->queue_end.queue_id);

    if (record->head.kind == TRACE_QUEUE_END)
        queue->used = 0;
    if (record->head.kind == TRACE_QUEUE_UPDATE && record->queue_update.ring_bytes != 0) {
        queue->ring_address = record->queue_update.ring_address;
        queue->ring_bytes = record->queue_update.ring_bytes;
    }
}

enum driver_step kfd_replay_call(struct kfd_replay *replay, const struct trace_record *record,
                                 uint32_t thread_index)
{
    static const char *const texts[] = {
        [KFD_EPERM] = "EPERM", [KFD_EIO] = "EIO",       [KFD_ENOMEM] = "ENOMEM",
        [KFD_EBUSY] = "EBUSY", [KFD_EINVAL] = "EINVAL", [KFD_ETIME] = "ETIME"};
    const enum kfd_result result = call_make(replay, record);

    switch (result) {
    case KFD_OK:
        call_end(replay, record);
        return DRIVER_DONE;
    case KFD_PENDING:
        replay->state->caller = 1 + thread_index;
        return DRIVER_CALLS;
    case KFD_BUSY:
        replay->state->waiting[thread_index] = 1;
        return DRIVER_CALLS;
    default:
        if (replay->machine->inject) /* its thread goes no further */
            return DRIVER_CALLS;
        machine_fail(replay->machine, ERROR_INPUT,
                     "a call for queue %u that succeeded in the recording fails with %s",
                     (unsigned)record->queue_end.queue_id, texts[result]);
        return DRIVER_REFUSED;
    }
}

void kfd_replay_lock_free(void *client)
{
    struct kfd_replay *replay = client;
    struct kfd_replay_state *state = replay->state;

    for (uint32_t i = 0; i < REPLAY_THREADS_MAX && state->caller == 0; i++) {
        if (!state->waiting[i])
            continue;
        state->waiting[i] = 0;
        if (kfd_replay_call(replay, replay->record(replay->client.context, i), i) == DRIVER_DONE)
            replay->client.call_returned(replay->client.context, i);
    }
}

/* The driver's call has returned, and others have the lock. */
void kfd_replay_call_done(void *client, enum kfd_result result)
{
    struct kfd_replay *replay = client;
    struct kfd_replay_state *state = replay->state;
    const uint32_t caller = state->caller - 1;
    const struct trace_record *record;

    if (state->caller == 0)
        return;
    state->caller = 0;
    record = replay->record(replay->client.context, caller);
    if (result != KFD_OK && !replay->machine->inject) {
        machine_fail(replay->machine, ERROR_INPUT,
                     "a call for a queue that succeeded in the recording fails: %s",
                     result == KFD_EIO ? "the firmware hangs" : "a queue has not left its slot");
        return;
    }
    if (record->head.kind == TRACE_MARK)
        return; /* the trace cannot be read any more */
    if (result ==
        KFD_OK) { /* else an injected fault has come to it, and its thread goes no further */
        call_end(replay, record);
        replay->client.call_returned(replay->client.context, caller);
    }
    kfd_replay_lock_free(replay);
}

/* ---- calls that never return ----------------------------------------------------------------- */

static bool call_waits(const struct kfd_replay *replay, uint32_t thread_index)
{
    return replay->state->caller == 1 + thread_index || replay->state->waiting[thread_index];
}

/* A call that an injected fault has made fail does not wait: its thread has come to its end. */
bool kfd_replay_reports(void *driver, uint32_t thread_index)
{
    const struct kfd_replay *replay = driver;

    return replay->machine->inject || call_waits(replay, thread_index);
}

/* The caller waits for its queue, which the driver reports; others wait for the caller's lock. */
void kfd_replay_finish(void *unit)
{
    const struct kfd_replay *replay = unit;
    const struct kfd_state *kfd = replay->node->kfd->state;
    const uint32_t caller = replay->state->caller;

    for (uint32_t i = 0; i < REPLAY_THREADS_MAX; i++) {
        struct machine_wait wait = {machine_now(replay->machine), SUBJECT_THREAD, i, SUBJECT_NONE,
                                    0};

        if (!call_waits(replay, i))
            continue;
        if (caller != 0 && caller != 1 + i) {
            wait.blocker_kind = SUBJECT_THREAD;
            wait.blocker_id = caller - 1;
        } else if (kfd->change != KFD_CHANGE_NONE && kfd->change_queue < KFD_QUEUES_MAX) {
            wait.blocker_kind = SUBJECT_QUEUE;
            wait.blocker_id = kfd_queue_id(&kfd->queues[kfd->change_queue]);
        }
        machine_log_open(replay->machine, replay->unit, RULE_A_H_UNMAP, &wait);
    }
}
