/* SPDX-License-Identifier: MIT */
/* Without the scheduling firmware: the driver itself gives out VMIDs and slots. */
#include <config.h>

#include "devices/amd/formats/amd_sdma_mqd.h"
#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

/* The time for a slot to become empty: KFD_UNMAP_LATENCY_MS. */
#define HQD_TIMEOUT_PS (UINT64_C(4000) * 1000 * GFE_PS_PER_US)

/* One pipe after the other, lowest slot first. */
static bool kfd_take_slot(struct kfd *kfd, struct kfd_queue *queue)
{
    struct kfd_state *state = kfd->state;
    const uint32_t pipes = kfd->chip->pipes_per_mec;

    for (uint32_t n = 0; n < pipes; n++) {
        const uint32_t pipe = (state->next_pipe + n) % pipes;

        for (uint32_t slot = 0; slot < AMD_QUEUES_PER_PIPE_MAX; slot++) {
            const uint32_t bit = UINT32_C(1) << (pipe * AMD_QUEUES_PER_PIPE_MAX + slot);

            if ((state->slots & bit) == 0)
                continue;
            state->slots &= ~bit;
            state->next_pipe = (pipe + 1) % pipes;
            queue->pipe = pipe;
            queue->slot = slot;
            return true;
        }
    }
    return false;
}

bool kfd_take_vmid(struct kfd *kfd, struct kfd_queue *queue)
{
    struct kfd_state *state = kfd->state;
    struct kfd_process *process = &state->processes[queue->process];

    if (!process->vmid && !state->vmids)
        return false;
    if (!process->vmid) {
        while ((state->vmids >> process->vmid & 1) == 0)
            process->vmid++;
        state->vmids &= ~(UINT32_C(1) << process->vmid);
    }
    queue->mqd.vmid = process->vmid;
    return true;
}

enum kfd_result kfd_take_hqd(struct kfd *kfd, struct kfd_queue *queue)
{
    const struct kfd_state *state = kfd->state;

    if (!state->processes[queue->process].vmid && !state->vmids)
        return KFD_ENOMEM;
    if (!kfd_take_slot(kfd, queue))
        return KFD_EBUSY;
    (void)kfd_take_vmid(kfd, queue);
    return KFD_OK;
}

static struct kfd_hqd kfd_hqd_of(const struct kfd *kfd, const struct kfd_queue *queue)
{
    return (struct kfd_hqd){.pipe = queue->pipe,
                            .slot = queue->slot,
                            .vmid = queue->mqd.vmid,
                            .pasid = kfd_pasid(kfd, queue),
                            .mqd_address = queue->mqd.mqd_address};
}

static struct kfd_sdma kfd_sdma_of(const struct kfd *kfd, const struct kfd_queue *queue)
{
    return (struct kfd_sdma){.engine = queue->mqd.sdma_engine,
                             .slot = queue->mqd.sdma_slot,
                             .vmid = queue->mqd.vmid,
                             .pasid = kfd_pasid(kfd, queue),
                             .mqd_address = queue->mqd.mqd_address,
                             .write_pointer = queue->mqd.write_pointer};
}

static void kfd_sdma_load(struct kfd *kfd, const struct kfd_queue *queue)
{
    const struct kfd_sdma sdma = kfd_sdma_of(kfd, queue);

    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_SDMA_LOAD, RULE_NONE, kfd_queue_id(queue),
                sdma.pasid, sdma.engine, sdma.slot, sdma.vmid);
    kfd->ops->sdma_load(kfd->engine, &sdma);
}

void kfd_hqd_load(struct kfd *kfd, const struct kfd_queue *queue)
{
    const struct kfd_hqd hqd = kfd_hqd_of(kfd, queue);

    if (kfd_mqd_is_sdma(&queue->mqd)) {
        kfd_sdma_load(kfd, queue);
        return;
    }

    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_HQD_LOAD, RULE_NONE, kfd_queue_id(queue),
                hqd.pasid, hqd.pipe, hqd.slot, hqd.vmid);
    kfd->ops->hqd_load(kfd->engine, &hqd);
}

enum kfd_result kfd_hqd_unload(struct kfd *kfd, uint32_t index, uint32_t request)
{
    struct kfd_state *state = kfd->state;
    const struct kfd_hqd hqd = kfd_hqd_of(kfd, &state->queues[index]);
    const struct kfd_sdma sdma = kfd_sdma_of(kfd, &state->queues[index]);

    state->change_queue = index;
    state->waiting = KFD_WAIT_HQD;
    machine_schedule(kfd->machine, kfd->unit, machine_now(kfd->machine) + HQD_TIMEOUT_PS,
                     KFD_TIMEOUT, 0);
    kfd->inside = true;
    if (kfd_mqd_is_sdma(&state->queues[index].mqd))
        kfd->ops->sdma_unload(kfd->engine, &sdma);
    else
        kfd->ops->hqd_dequeue(kfd->engine, &hqd, request);
    kfd->inside = false;
    return state->waiting == KFD_WAIT_NONE ? KFD_OK : KFD_PENDING;
}

/* The queue that is waited for, if one is: else it is later than anybody waited. */
static const struct kfd_queue *kfd_awaited(const struct kfd *kfd)
{
    const struct kfd_state *state = kfd->state;

    return state->waiting == KFD_WAIT_HQD ? &state->queues[state->change_queue] : NULL;
}

static void kfd_awaited_left(struct kfd *kfd)
{
    kfd->state->waiting = KFD_WAIT_NONE;
    (void)machine_cancel(kfd->machine, kfd->unit, KFD_TIMEOUT);
    if (!kfd->inside)
        kfd_unmapped(kfd, KFD_OK);
}

void kfd_hqd_left(struct kfd *kfd, uint32_t pipe, uint32_t slot)
{
    const struct kfd_queue *queue = kfd_awaited(kfd);

    if (queue && queue->pipe == pipe && queue->slot == slot)
        kfd_awaited_left(kfd);
}

void kfd_sdma_left(struct kfd *kfd, uint32_t engine, uint32_t slot, uint64_t read)
{
    const struct kfd_queue *queue = kfd_awaited(kfd);

    if (!queue || !kfd_mqd_is_sdma(&queue->mqd) || queue->mqd.sdma_engine != engine ||
        queue->mqd.sdma_slot != slot)
        return;
    (void)machine_write(kfd->machine, MEMORY_SYSMEM,
                        queue->mqd_physical + AMD_BITS_FIRST(AMD_SDMA_MQD_RB_RPTR) / 8, &read,
                        sizeof read);
    kfd_awaited_left(kfd);
}

void kfd_hqd_timeout(struct kfd *kfd)
{
    const struct kfd_queue *queue = &kfd->state->queues[kfd->state->change_queue];

    kfd->state->waiting = KFD_WAIT_NONE;
    if (kfd_mqd_is_sdma(&queue->mqd))
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_SDMA_TIMEOUT, RULE_NONE, kfd_queue_id(queue),
                    kfd_pasid(kfd, queue), queue->mqd.sdma_engine, queue->mqd.sdma_slot);
    else
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_HQD_TIMEOUT, RULE_NONE, kfd_queue_id(queue),
                    kfd_pasid(kfd, queue), queue->pipe, queue->slot);
    kfd_unmapped(kfd, KFD_ETIME);
}
