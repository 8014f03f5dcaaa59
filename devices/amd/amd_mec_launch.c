/* SPDX-License-Identifier: MIT */
/* From a packet, and the slot's registers, to a dispatch. */
#include <config.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* COMPUTE_STATIC_THREAD_MGMT of a shader engine: CU bits of its shader arrays, 16 each. */
uint32_t amd_mec_cu_mask(const struct amd_mec *mec, uint32_t slot_id, uint32_t engine)
{
    static const uint32_t first[4] = {
        COMPUTE_STATIC_THREAD_MGMT_SE0, COMPUTE_STATIC_THREAD_MGMT_SE1,
        COMPUTE_STATIC_THREAD_MGMT_SE2, COMPUTE_STATIC_THREAD_MGMT_SE3};

    return *amd_gc_compute(mec->gc, slot_id,
                           engine < 4 ? first[engine]
                                      : COMPUTE_STATIC_THREAD_MGMT_SE4 + 4 * (engine - 4));
}

bool amd_mec_has_cu(const struct amd_mec *mec, uint32_t slot_id)
{
    for (uint32_t engine = 0; engine < mec->chip->shader_engine_count; engine++)
        if (amd_mec_cu_mask(mec, slot_id, engine) & mec->dispatch->engine_cus[engine])
            return true;
    return false;
}

static void amd_mec_cost(struct amd_mec *mec, const struct amd_mec_launch *launch,
                         uint32_t slot_id, struct amd_cost *cost)
{
    const uint64_t number = mec->state->launch_count++;

    cost->block_ps = machine_parameter(mec->machine, PARAM_AMD_BLOCK_PS);
    cost->seed = number;
    if (mec->client.cost)
        mec->client.cost(mec->client.client,
                         &(struct amd_mec_kernel){
                             .address = launch->kernel_address,
                             .arguments = launch->arguments,
                             .space_id = amd_vm_space(mec->vm, amd_mec_vmid(mec, slot_id)),
                             .block_count = launch->block_count,
                             .block_threads = launch->block_threads,
                             .grid_number = number,
                         },
                         cost);
}

enum amd_mec_result amd_mec_launch(struct amd_mec *mec, uint32_t slot_id,
                                   const struct amd_mec_launch *asked)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    struct amd_launch launch = {
        .ace = amd_mec_pipe_of(slot_id),
        .queue = slot_id % AMD_QUEUES_PER_PIPE_MAX,
        .block_count = asked->block_count,
        .block_threads = asked->block_threads,
        .lds_bytes = asked->lds_bytes,
        .vgprs = asked->vgprs,
        .sgprs = asked->sgprs,
        .packet_sequence = queue->packet,
        .packet_address = asked->kernel_address,
    };
    struct amd_pending *record;

    for (uint32_t engine = 0; engine < mec->chip->shader_engine_count; engine++)
        launch.cu_masks[engine] = amd_mec_cu_mask(mec, slot_id, engine);
    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_CU_MASK,
                         amd_mec_doorbell_of(mec, slot_id), launch.cu_masks,
                         sizeof launch.cu_masks);
    /* No pipe of MEC2 is an ACE. */
    if (amd_mec_me(slot_id) != 1 ||
        amd_dispatch_fault(mec->dispatch, &launch) != AMD_LAUNCH_FITS) {
        amd_mec_refuse(mec, slot_id, AMD_REFUSE_WORKGROUP);
        return AMD_MEC_STOPS;
    }
    amd_mec_cost(mec, asked, slot_id, &launch.cost);
    record = amd_mec_pend(mec, slot_id, (uint32_t)asked->code);
    record->signal = asked->signal;
    amd_mec_count_dispatch(mec, slot_id, 1);
    record->grid_id = amd_dispatch_launch(mec->dispatch, &launch);
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_LAUNCH, RULE_NONE, slot_id,
                amd_mec_doorbell_of(mec, slot_id), queue->packet, record->grid_id,
                asked->kernel_address);
    return AMD_MEC_DONE;
}
