/* SPDX-License-Identifier: MIT */
/* From a packet, and the slot's registers, to a dispatch. */
#include <config.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* COMPUTE_STATIC_THREAD_MGMT of a shader engine: CU bits of its shader arrays, 16 each. */
static uint32_t amd_mec_cu_mask(const struct amd_gc_computes *computes, uint32_t engine)
{
    static const uint32_t registers[AMD_SHADER_ENGINES_MAX] = {
        COMPUTE_STATIC_THREAD_MGMT_SE0,     COMPUTE_STATIC_THREAD_MGMT_SE1,
        COMPUTE_STATIC_THREAD_MGMT_SE2,     COMPUTE_STATIC_THREAD_MGMT_SE3,
        COMPUTE_STATIC_THREAD_MGMT_SE4,     COMPUTE_STATIC_THREAD_MGMT_SE4 + 4,
        COMPUTE_STATIC_THREAD_MGMT_SE4 + 8, COMPUTE_STATIC_THREAD_MGMT_SE4 + 12};

    return *amd_gc_compute_of(computes, registers[engine]);
}

void amd_mec_cu_masks(const struct amd_mec *mec, uint32_t slot_id,
                      uint32_t masks[AMD_SHADER_ENGINES_MAX])
{
    const struct amd_gc_computes computes = amd_gc_computes(mec->gc, slot_id);
    const uint32_t count = mec->chip->shader_engine_count;

    for (uint32_t engine = 0; engine < AMD_SHADER_ENGINES_MAX; engine++)
        masks[engine] = engine < count ? amd_mec_cu_mask(&computes, engine) : 0;
}

bool amd_mec_has_cu(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_gc_computes computes = amd_gc_computes(mec->gc, slot_id);

    for (uint32_t engine = 0; engine < mec->chip->shader_engine_count; engine++)
        if (amd_mec_cu_mask(&computes, engine) & mec->dispatch->engine_cus[engine])
            return true;
    return false;
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

enum amd_mec_result amd_mec_launch(struct amd_mec *mec, const struct amd_mec_view *at,
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
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_LAUNCH, RULE_NONE, slot_id,
                at->doorbell, packet, record->grid_id, launch->packet_address);
    return AMD_MEC_DONE;
}
