/* SPDX-License-Identifier: MIT */
/*
 * What the driver holds when nothing is left to do (unit_ops.finish): a call that is under way, a
 * reset or an eviction that has not been carried out, and queues that have work and that it has
 * not given to the firmware or to a slot.
 */
#include <config.h>

#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

#include "devices/amd/amd_mec_tables.h"

enum { HIQ = KFD_HIQ_DOORBELL / 2 }; /* its number in the log */

static void kfd_open_lost(struct kfd *kfd, uint32_t queue_id)
{
    machine_log_lost(kfd->machine, kfd->unit,
                     &(struct machine_wait){machine_now(kfd->machine), SUBJECT_QUEUE, queue_id,
                                            SUBJECT_NONE, 0});
}

/* The queue of the call that is under way; KFD_NONE if it is of none. */
static uint32_t kfd_called_queue(const struct kfd *kfd)
{
    const struct kfd_state *state = kfd->state;

    if (state->change == KFD_CHANGE_NONE)
        return KFD_NONE;
    if (state->change_queue != KFD_NONE)
        return state->change_queue;
    return state->processes[state->change_process].first_queue;
}

/* It waits for the firmware's fence, or for a slot to become empty. */
static void kfd_open_call(struct kfd *kfd, uint32_t index)
{
    const struct kfd_state *state = kfd->state;
    struct machine_wait wait = {state->since_ps, SUBJECT_QUEUE, kfd_queue_id(&state->queues[index]),
                                SUBJECT_QUEUE, HIQ};

    if (state->waiting == KFD_WAIT_HQD) {
        wait.blocker_kind = SUBJECT_NONE;
        wait.blocker_id = 0;
    }
    machine_log_open(kfd->machine, kfd->unit,
                     state->waiting == KFD_WAIT_HQD ? RULE_AMD_DEQUEUE : RULE_A_H_UNMAP, &wait);
}

/* A queue that has work, and no way to a slot. */
static void kfd_open_stranded(struct kfd *kfd, const struct kfd_queue *queue)
{
    const struct kfd_state *state = kfd->state;
    struct machine_wait wait = {machine_now(kfd->machine), SUBJECT_QUEUE, kfd_queue_id(queue),
                                SUBJECT_NONE, 0};
    uint32_t rule = RULE_NONE; /* the program has made it inactive */

    if (state->processes[queue->process].evicted) {
        rule = RULE_KFD_EVICT;
    } else if (state->processes[queue->process].quiesced) {
        rule = RULE_KFD_USERPTR;
    } else if (queue->lost) {
        rule = RULE_A_H_REFUSED;
    } else if (queue->active && state->change != KFD_CHANGE_NONE) {
        rule = RULE_A_H_UNMAP; /* it is off until the call that is under way has ended */
        if (state->change_queue != KFD_NONE) {
            wait.blocker_kind = SUBJECT_QUEUE;
            wait.blocker_id = kfd_queue_id(&state->queues[state->change_queue]);
        }
    } else if (queue->active && kfd_has_firmware(kfd)) {
        rule = RULE_A_H1; /* the firmware has not taken the list, or there is none */
        wait.blocker_kind = SUBJECT_QUEUE;
        wait.blocker_id = HIQ;
    }
    machine_log_open(kfd->machine, kfd->unit, rule, &wait);
}

void kfd_finish(void *unit)
{
    struct kfd *kfd = unit;
    const struct kfd_state *state = kfd->state;
    const uint32_t called = kfd_called_queue(kfd);

    if (state->resets)
        kfd_open_lost(kfd, HIQ);
    if (called != KFD_NONE)
        kfd_open_call(kfd, called);
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++) {
        const struct kfd_process *process = &state->processes[i];

        if (process->used && (process->evict || process->quiesce || process->resume) &&
            process->first_queue != KFD_NONE)
            kfd_open_lost(kfd, kfd_queue_id(&state->queues[process->first_queue]));
    }
    for (uint32_t i = 0; i < KFD_QUEUES_MAX && kfd->ops->is_stranded; i++)
        if (state->queues[i].used && i != called &&
            kfd->ops->is_stranded(kfd->engine, i, kfd->unit))
            kfd_open_stranded(kfd, &state->queues[i]);
}
