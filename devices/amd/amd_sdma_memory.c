/* SPDX-License-Identifier: MIT */
/* Memory as a queue of an SDMA engine sees it: by the page tables of its VMID. */
#include <config.h>

#include "devices/amd/amd_ih.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"

static uint32_t amd_sdma_vmid(const struct amd_sdma *sdma, uint32_t queue_id)
{
    return amd_sdma_queue(sdma, queue_id)->vmid;
}

/* What the hub calls the engine (gmc_v9_0.c, mmhub_client_ids_*). */
static uint32_t amd_sdma_cid(const struct amd_sdma *sdma)
{
    if (sdma->chip->gfx_target_version != 90006)
        return 256 + sdma->engine;
    return sdma->engine == 0 ? AMD_FAULT_CID_SDMA0 : AMD_FAULT_CID_SDMA1;
}

/* No retry: the queue stops, its process will be told. */
static bool amd_sdma_fault(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address,
                           bool is_write)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_FAULT, RULE_NONE, sdma->engine, queue_id,
                queue->doorbell_index, queue->vmid, address, is_write);
    amd_sdma_stop(sdma, queue_id, 0);
    if (sdma->ih)
        amd_ih_fault(sdma->ih, true, queue->vmid, address, amd_sdma_cid(sdma), is_write);
    return false;
}

bool amd_sdma_read(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, void *data,
                   size_t bytes)
{
    uint64_t fault;

    return amd_vm_read(sdma->vm, amd_sdma_vmid(sdma, queue_id), address, data, bytes, &fault) ||
           amd_sdma_fault(sdma, queue_id, fault, false);
}

bool amd_sdma_store(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, const void *data,
                    size_t bytes)
{
    uint64_t fault;

    return amd_vm_write(sdma->vm, amd_sdma_vmid(sdma, queue_id), address, data, bytes, &fault) ||
           amd_sdma_fault(sdma, queue_id, fault, true);
}

bool amd_sdma_is_system(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address)
{
    struct address_space_range where;

    return amd_vm_find(sdma->vm, amd_sdma_vmid(sdma, queue_id), address, &where) &&
           where.aperture == MEMORY_SYSMEM;
}

bool amd_sdma_watch(struct amd_sdma *sdma, uint32_t queue_id, uint32_t kind, uint64_t address)
{
    return amd_vm_watch(sdma->vm, amd_sdma_vmid(sdma, queue_id), address, sdma->unit, kind,
                        amd_sdma_queue(sdma, queue_id)->generation) ||
           amd_sdma_fault(sdma, queue_id, address, false);
}
