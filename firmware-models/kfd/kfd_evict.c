/* SPDX-License-Identifier: MIT */
/* A process loses its slots for good: after a page fault. */
#include <config.h>

#include "devices/amd/formats/amd_hqd_regs.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd.h"

uint32_t kfd_next_active(const struct kfd *kfd, const struct kfd_process *process)
{
    uint32_t index = process->first_queue;

    while (index != KFD_NONE && !kfd->state->queues[index].active)
        index = kfd->state->queues[index].next;
    return index;
}

void kfd_evict(struct kfd *kfd, uint32_t pasid)
{
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++) {
        struct kfd_process *process = &kfd->state->processes[i];

        if (!process->used || process->pasid != pasid || process->evicted)
            continue;
        process->evicted = 1;
        process->evict = 1;
        kfd_evict_next(kfd);
        return;
    }
}

void kfd_evict_next(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;

    for (uint32_t i = 0; i < KFD_PROCESSES_MAX && state->change == KFD_CHANGE_NONE; i++) {
        struct kfd_process *process = &state->processes[i];
        uint32_t count = 0;

        if (process->used && !process->evict)
            kfd_userptr_next(kfd, i);
        if (!process->used || !process->evict)
            continue;
        process->evict = 0;
        for (uint32_t q = process->first_queue; q != KFD_NONE; q = state->queues[q].next)
            count += state->queues[q].active;
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_EVICT, RULE_KFD_EVICT, process->pasid,
                    count);
        if (count > 0)
            kfd_change_own(kfd, KFD_CHANGE_EVICT, i);
    }
}

bool kfd_evict_settle(struct kfd *kfd, struct kfd_process *process)
{
    uint32_t index;

    while ((index = kfd_next_active(kfd, process)) != KFD_NONE) {
        struct kfd_queue *queue = &kfd->state->queues[index];

        kfd_deactivate(kfd, queue);
        if (!kfd_has_firmware(kfd) &&
            kfd_hqd_unload(kfd, index, CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__DRAIN_PIPE) ==
                KFD_PENDING)
            return false;
    }
    return true;
}
