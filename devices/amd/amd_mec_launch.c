/* SPDX-License-Identifier: MIT */
/* From a packet, and the slot's registers, to a dispatch. */
#include <config.h>

#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* COMPUTE_STATIC_THREAD_MGMT of a number of shader engines that follow each other: CU bits of their
 * shader arrays, 16 each. */
static void amd_mec_copy_masks(const struct amd_gc_computes *computes, uint32_t first,
                               uint32_t *masks, uint32_t count)
{
    const uint32_t last = first + 4 * (count - 1);
    const uint32_t *from = amd_gc_compute_of(computes, last) - (count - 1);

    memcpy(masks, from, count * sizeof *masks);
}

void amd_mec_cu_masks(const struct amd_mec *mec, uint32_t slot_id,
                      uint32_t masks[AMD_SHADER_ENGINES_MAX])
{
    const struct amd_gc_computes computes = amd_gc_computes(mec->gc, slot_id);

    _Static_assert(COMPUTE_STATIC_THREAD_MGMT_SE1 == COMPUTE_STATIC_THREAD_MGMT_SE0 + 4 &&
                       COMPUTE_STATIC_THREAD_MGMT_SE3 == COMPUTE_STATIC_THREAD_MGMT_SE2 + 4 &&
                       AMD_SHADER_ENGINES_MAX == 8,
                   "registers of shader engines lie in three places");
    amd_mec_copy_masks(&computes, COMPUTE_STATIC_THREAD_MGMT_SE0, &masks[0], 2);
    amd_mec_copy_masks(&computes, COMPUTE_STATIC_THREAD_MGMT_SE2, &masks[2], 2);
    amd_mec_copy_masks(&computes, COMPUTE_STATIC_THREAD_MGMT_SE4, &masks[4], 4);
}

static __attribute__((noinline)) bool amd_mec_has_any_cu(const struct amd_mec *mec,
                                                         uint32_t slot_id)
{
    const uint32_t *engine_cus = mec->dispatch->engine_cus; /* 0 of those that are not there */
    uint32_t masks[AMD_SHADER_ENGINES_MAX], any = 0;

    amd_mec_cu_masks(mec, slot_id, masks);
    for (uint32_t engine = 0; engine < AMD_SHADER_ENGINES_MAX; engine++)
        any |= masks[engine] & engine_cus[engine];
    return any != 0;
}

/* Mostly one of the first shader engine. */
OFTEN bool amd_mec_has_cu(const struct amd_mec *mec, uint32_t slot_id)
{
    const uint32_t mask = *amd_gc_compute(mec->gc, slot_id, COMPUTE_STATIC_THREAD_MGMT_SE0);

    return (mask & mec->dispatch->engine_cus[0]) != 0 || amd_mec_has_any_cu(mec, slot_id);
}

static void amd_mec_cost(struct amd_mec *mec, uint32_t slot_id, struct amd_mec_launch *asked)
{
    struct amd_launch *launch = &asked->launch;
    const uint64_t number = mec->state->launch_count++;

    launch->cost.block_ps = machine_parameter(mec->machine, PARAM_AMD_BLOCK_PS);
    launch->cost.seed = number;
    if (mec->client.cost)
        mec->client.cost(mec->client.client,
                         &(struct amd_mec_kernel){
                             .address = launch->packet_address,
                             .arguments = asked->arguments,
                             .space_id = amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id)),
                             .block_count = launch->block_count,
                             .block_threads = launch->kind.block_threads,
                             .grid_number = number,
                         },
                         &launch->cost);
}

OFTEN enum amd_mec_result amd_mec_launch(struct amd_mec *mec, const struct amd_mec_view *at,
                                         struct amd_mec_launch *asked)
{
    const uint32_t slot_id = at->slot_id;
    const uint64_t packet = at->queue->packet;
    struct amd_launch *launch = &asked->launch;
    struct amd_pending *record;

    launch->ace = amd_mec_pipe_of(slot_id);
    launch->queue = slot_id % AMD_QUEUES_PER_PIPE_MAX;
    launch->packet_sequence = packet;
    amd_mec_cu_masks(mec, slot_id, launch->kind.cu_masks);
    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_CU_MASK, at->doorbell,
                         launch->kind.cu_masks, sizeof launch->kind.cu_masks);
    /* No pipe of MEC2 is an ACE. */
    if (RARELY(amd_mec_me(slot_id) != 1 ||
               amd_dispatch_fault(mec->dispatch, launch) != AMD_LAUNCH_FITS)) {
        amd_mec_refuse(mec, slot_id, AMD_REFUSE_WORKGROUP);
        return AMD_MEC_STOPS;
    }
    amd_mec_cost(mec, slot_id, asked);
    record = amd_mec_pend(mec, slot_id, (uint32_t)asked->code);
    record->signal = asked->signal;
    amd_mec_count_dispatch(mec, slot_id, 1);
    record->grid_id = amd_dispatch_launch(mec->dispatch, launch);
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_LAUNCH, RULE_NONE, slot_id, at->doorbell, packet,
                record->grid_id, launch->packet_address);
    return AMD_MEC_DONE;
}
