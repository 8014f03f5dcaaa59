/* SPDX-License-Identifier: MIT */
/* Memory as a queue sees it: by the page tables of its VMID. */
#include <config.h>

#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

/* no-retry page fault: the queue stops, its process will be told. */
void amd_mec_fault(struct amd_mec *mec, uint32_t slot_id, uint64_t address, bool is_write)
{
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_VM_FAULT, RULE_NONE, slot_id,
                amd_mec_doorbell_of(mec, slot_id), amd_mec_vmid(mec, slot_id), address, is_write);
    amd_mec_stop(mec, slot_id,
                 amd_mec_queue(mec, slot_id)->ib_depth ? CP_HQD_ERROR__IB_UTCL1_ERROR_LO
                                                       : CP_HQD_ERROR__PQ_UTCL1_ERROR_LO,
                 0);
    if (mec->ih)
        amd_ih_fault(mec->ih, false, amd_mec_vmid(mec, slot_id), address, AMD_FAULT_CID_CPC,
                     is_write);
}

bool amd_mec_read_far(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address,
                      void *data, size_t bytes)
{
    return amd_mec_vm_read(mec, at->slot_id, at->vmid, address, data, bytes);
}

bool amd_mec_write_far(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address,
                       const void *data, size_t bytes)
{
    return amd_mec_vm_write(mec, at->slot_id, at->vmid, address, data, bytes);
}

bool amd_mec_complete_value(struct amd_mec *mec, uint32_t slot_id, uint64_t address, uint64_t value,
                            size_t bytes)
{
    if (!amd_mec_write(mec, slot_id, address, &value, bytes))
        return false;
    amd_vm_released(mec->vm, amd_mec_vmid(mec, slot_id), address, (uint32_t)value);
    return true;
}

bool amd_mec_watch(struct amd_mec *mec, uint32_t slot_id, uint32_t n, uint64_t address)
{
    if (amd_vm_watch(mec->vm, amd_mec_vmid(mec, slot_id), address, mec->unit,
                     AMD_MEC_WATCH + slot_id * AMD_SIGNALS_MAX + n,
                     amd_mec_queue(mec, slot_id)->generation))
        return true;
    amd_mec_fault(mec, slot_id, address, false);
    return false;
}
