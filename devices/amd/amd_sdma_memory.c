/* SPDX-License-Identifier: MIT */
/* Memory as a queue of an SDMA engine sees it: by the page tables of its VMID. */
#include <config.h>

#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"

static uint32_t amd_sdma_space(const struct amd_sdma *sdma, uint32_t queue_id)
{
    return sdma->mec->state->spaces[amd_sdma_queue(sdma, queue_id)->vmid];
}

/* No retry: the queue stops, its process will be told. */
static bool amd_sdma_fault(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address,
                           bool is_write)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_FAULT, RULE_NONE, sdma->engine, queue_id,
                queue->doorbell_index, queue->vmid, address, is_write);
    amd_sdma_stop(sdma, queue_id, 0);
    return false;
}

bool amd_sdma_read(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, void *data,
                   size_t bytes)
{
    const uint32_t space_id = amd_sdma_space(sdma, queue_id);
    uint64_t fault = address;

    return (space_id != ADDRESS_SPACE_NONE &&
            machine_vm_read(sdma->machine, space_id, address, data, bytes, &fault)) ||
           amd_sdma_fault(sdma, queue_id, fault, false);
}

bool amd_sdma_store(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, const void *data,
                    size_t bytes)
{
    const uint32_t space_id = amd_sdma_space(sdma, queue_id);
    uint64_t fault = address;

    return (space_id != ADDRESS_SPACE_NONE &&
            machine_vm_write(sdma->machine, space_id, address, data, bytes, &fault)) ||
           amd_sdma_fault(sdma, queue_id, fault, true);
}

static bool amd_sdma_find(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address,
                          struct address_space_range *where)
{
    const uint32_t space_id = amd_sdma_space(sdma, queue_id);
    uint64_t contiguous;

    return space_id != ADDRESS_SPACE_NONE &&
           address_space_translate(&sdma->machine->spaces, space_id, address, where, &contiguous);
}

bool amd_sdma_is_system(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address)
{
    struct address_space_range where;

    return amd_sdma_find(sdma, queue_id, address, &where) && where.aperture == MEMORY_SYSMEM;
}

bool amd_sdma_watch(struct amd_sdma *sdma, uint32_t queue_id, uint32_t kind, uint64_t address)
{
    struct address_space_range where;

    if (!amd_sdma_find(sdma, queue_id, address, &where))
        return amd_sdma_fault(sdma, queue_id, address, false);
    machine_watch(sdma->machine, sdma->unit, kind, amd_sdma_queue(sdma, queue_id)->generation,
                  (enum memory_aperture)where.aperture, where.physical);
    return true;
}
