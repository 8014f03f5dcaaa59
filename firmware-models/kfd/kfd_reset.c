/* SPDX-License-Identifier: MIT */
/*
 * The firmware has not answered, and the GPU is reset: what kfd_hws_hang(),
 * amdgpu_device_gpu_recover(), kgd2kfd_pre_reset() and kgd2kfd_post_reset() do as far as KFD sees
 * it.  All processes that have queues lose them for good, and are told; then the HIQ is there
 * again, for new ones.  kfd_suspend_all_processes() finds that the firmware hangs, and says so of
 * each process (Linux 5.5; newer kernels print nothing for -EIO).  And one queue that has not left
 * its slot, with choice kfd.queue_reset: reset_hung_queues().
 */
#include <config.h>

#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

bool kfd_reset_queue(struct kfd *kfd, uint32_t doorbell)
{
    if (!kfd->ops->queue_reset ||
        kfd->machine->choices[CHOICE_KFD_QUEUE_RESET] != KFD_QUEUE_RESET_ON)
        return false;
    for (uint32_t i = 0; i < KFD_QUEUES_MAX; i++) {
        struct kfd_queue *queue = &kfd->state->queues[i];
        const uint32_t queue_id = doorbell / 2;

        if (!queue->used || queue->mqd.doorbell != doorbell || kfd_mqd_is_sdma(&queue->mqd))
            continue;
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUEUE_RESET, RULE_A_H_REFUSED, queue_id,
                    kfd->state->processes[queue->process].pasid);
        kfd_deactivate(kfd, queue);
        queue->lost = 1;
        kfd->ops->queue_reset(kfd->engine, queue_id, kfd->state->processes[queue->process].pasid);
        return true;
    }
    return false;
}

void kfd_reset_later(struct kfd *kfd)
{
    if (!kfd->ops->reset || kfd->state->resets ||
        kfd->machine->choices[CHOICE_AMDGPU_GPU_RECOVERY] != AMDGPU_RECOVERY_ON)
        return;
    kfd->state->resets = 1;
    machine_schedule(kfd->machine, kfd->unit, machine_now(kfd->machine), KFD_RESET, 0);
}

/* As after a page fault: no queue of it is mapped any more, nor one that it makes. */
static void kfd_lose_queues(struct kfd *kfd, struct kfd_process *process)
{
    uint32_t count = 0;

    for (uint32_t i = process->first_queue; i != KFD_NONE; i = kfd->state->queues[i].next)
        count += kfd->state->queues[i].active;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_SUSPEND_FAILED, RULE_NONE, process->pasid,
                (uint32_t)(process - kfd->state->processes) + 1, count);
    process->evicted = 1;
    process->evict = process->quiesce = process->resume = 0;
    for (uint32_t i = process->first_queue; i != KFD_NONE; i = kfd->state->queues[i].next)
        kfd_deactivate(kfd, &kfd->state->queues[i]);
}

void kfd_reset(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;

    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_RESET, RULE_NONE, state->process_count,
                state->active_count + state->active_sdma_count);
    state->listed = 0;
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++)
        if (state->processes[i].used && state->processes[i].queue_count > 0)
            kfd_lose_queues(kfd, &state->processes[i]);
    kfd->ops->reset(kfd->engine);
    machine_schedule(kfd->machine, kfd->unit,
                     machine_now(kfd->machine) +
                         machine_parameter(kfd->machine, PARAM_AMDGPU_RESET_PS),
                     KFD_RESET_DONE, 0);
}

void kfd_reset_done(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;

    state->resets = 0;
    state->hangs = 0;
    state->reset_count++;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_RESET_END, RULE_NONE, state->reset_count);
    kfd_hiq_begin(kfd);
}
