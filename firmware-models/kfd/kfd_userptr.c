/* SPDX-License-Identifier: MIT */
/*
 * Memory of a program's own that the GPU reads and writes (user pointers), and the queues of a
 * process that wait for it.
 *
 * The driver keeps the pages of such memory pinned only as far as the GPU's page tables go.  When
 * the kernel moves one (swap, migration, a fork that copies on write), its MMU notifier tells the
 * driver. The first such page of a process makes it take all queues of the process off
 * (amdgpu_amdkfd_evict_userptr(), kgd2kfd_quiesce_mm()), and a worker pins the pages again and puts
 * the queues back kfd.userptr_restore_ps later.  If the firmware does not take the queues off, the
 * kernel's log has "Failed to quiesce KFD", and the worker comes all the same.
 *
 * A trace does not tell when pages move: the recorder does not see it.  `gfe inject` with the site
 * `userptr` says it.  ASSUMED: the worker finds no page that has moved again meanwhile, and pins
 * them in no time.  Not modelled: ranges of shared virtual memory, whose queues leave in the same
 * way.
 */
#include <config.h>

#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

void kfd_userptr_invalidate(struct kfd *kfd, uint32_t pasid)
{
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++) {
        struct kfd_process *process = &kfd->state->processes[i];

        if (!process->used || process->pasid != pasid || process->invalid)
            continue;
        process->invalid = 1;
        process->quiesce = 1;
        kfd_evict_next(kfd);
        return;
    }
}

/* Queues that are active, or that are to be. */
static uint32_t userptr_count(const struct kfd *kfd, const struct kfd_process *process, bool to_be)
{
    uint32_t count = 0;

    for (uint32_t q = process->first_queue; q != KFD_NONE; q = kfd->state->queues[q].next)
        count += to_be ? kfd_may_run(kfd, &kfd->state->queues[q]) : kfd->state->queues[q].active;
    return count;
}

static void userptr_restore_later(struct kfd *kfd, struct kfd_process *process)
{
    process->restore_ps =
        machine_now(kfd->machine) + machine_parameter(kfd->machine, PARAM_KFD_USERPTR_RESTORE_PS);
    machine_schedule(kfd->machine, kfd->unit, process->restore_ps, KFD_RESTORE, 0);
}

/* Evictions are counted: a process that is off already stays so. */
static void userptr_quiesce(struct kfd *kfd, uint32_t index)
{
    struct kfd_process *process = &kfd->state->processes[index];

    process->quiesce = 0;
    process->quiesced = 1;
    if (process->evicted) {
        userptr_restore_later(kfd, process);
        return;
    }
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUIESCE, RULE_KFD_USERPTR, process->pasid,
                userptr_count(kfd, process, false));
    kfd_change_own(kfd, KFD_CHANGE_QUIESCE, index);
}

static void userptr_resume(struct kfd *kfd, uint32_t index)
{
    struct kfd_process *process = &kfd->state->processes[index];

    process->resume = process->quiesced = process->invalid = 0;
    if (process->evicted)
        return;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_RESUME, RULE_NONE, process->pasid,
                userptr_count(kfd, process, true));
    kfd_change_own(kfd, KFD_CHANGE_RESUME, index);
}

void kfd_userptr_next(struct kfd *kfd, uint32_t process)
{
    if (kfd->state->processes[process].quiesce)
        userptr_quiesce(kfd, process);
    else if (kfd->state->processes[process].resume)
        userptr_resume(kfd, process);
}

bool kfd_quiesce_settle(struct kfd *kfd, struct kfd_process *process, enum kfd_result result)
{
    struct kfd_state *state = kfd->state;
    uint32_t index;

    if (result != KFD_OK && state->quiesce_failed == KFD_OK)
        state->quiesce_failed = result;
    while ((index = kfd_next_active(kfd, process)) != KFD_NONE) {
        struct kfd_queue *queue = &state->queues[index];

        kfd_deactivate(kfd, queue);
        if (!kfd_has_firmware(kfd) &&
            kfd_hqd_unload(kfd, index, kfd_save_request(queue)) == KFD_PENDING)
            return false;
    }
    return true;
}

/* As restore_process_queues_cpsch() does: whether they can be mapped or not. */
void kfd_resume_settle(struct kfd *kfd, struct kfd_process *process)
{
    for (uint32_t q = process->first_queue; q != KFD_NONE; q = kfd->state->queues[q].next) {
        struct kfd_queue *queue = &kfd->state->queues[q];

        if (queue->active)
            continue;
        kfd_activate(kfd, queue);
        if (queue->active && !kfd_has_firmware(kfd))
            kfd_hqd_load(kfd, queue);
    }
}

void kfd_userptr_ended(struct kfd *kfd, enum kfd_change change, struct kfd_process *process,
                       enum kfd_result result)
{
    if (change == KFD_CHANGE_QUIESCE && result != KFD_OK)
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUIESCE_FAILED, RULE_NONE, process->pasid,
                    kfd_errno(result));
    else if (result != KFD_OK)
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_RESUME_FAILED, RULE_NONE, process->pasid,
                    kfd_errno(result));
    if (change == KFD_CHANGE_QUIESCE)
        userptr_restore_later(kfd, process);
}

void kfd_userptr_restore(struct kfd *kfd)
{
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++) {
        struct kfd_process *process = &kfd->state->processes[i];

        if (process->used && process->invalid && !process->quiesce &&
            process->restore_ps == machine_now(kfd->machine))
            process->resume = 1;
    }
    kfd_evict_next(kfd);
}
