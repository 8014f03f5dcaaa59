/* SPDX-License-Identifier: MIT */
/* The firmware's way into a slot and out of it: by a memory queue descriptor (amd_mqd.h). */
#include <config.h>

#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/formats/amd_mqd.h"

/* Dwords of the descriptor and the dispatch registers that they are. */
static const struct {
    uint32_t dword, offset, count;
} computes[] = {
    {1, COMPUTE_DISPATCH_INITIATOR, 14},
    {19, COMPUTE_PGM_RSRC1, 19},
    {39, COMPUTE_STATIC_THREAD_MGMT_SE4, 4},
    {65, COMPUTE_USER_DATA_0, 16},
};

static void amd_mec_copy_computes(struct amd_mec *mec, uint32_t slot_id, uint32_t *mqd, bool load)
{
    for (uint32_t i = 0; i < sizeof computes / sizeof computes[0]; i++)
        for (uint32_t n = 0; n < computes[i].count; n++) {
            uint32_t *reg = amd_gc_compute(mec->gc, slot_id, computes[i].offset + 4 * n);

            if (load)
                *reg = mqd[computes[i].dword + n];
            else
                mqd[computes[i].dword + n] = *reg;
        }
}

/* The descriptor lies where the kernel driver's own memory is: VMID 0. */
static bool amd_mec_mqd_access(struct amd_mec *mec, uint64_t address, uint32_t *mqd, bool is_write)
{
    uint64_t fault;

    return is_write ? amd_vm_write(mec->vm, 0, address, mqd, AMD_MQD_DWORDS * 4, &fault)
                    : amd_vm_read(mec->vm, 0, address, mqd, AMD_MQD_DWORDS * 4, &fault);
}

static uint32_t amd_mec_mqd_doorbell(const uint32_t *mqd)
{
    return REG_GET(mqd[AMD_MQD_HQD + (CP_HQD_PQ_DOORBELL_CONTROL - AMD_HQD_BASE) / 4],
                   CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET) /
           2;
}

/* What is loaded passes where faults are injected. */
static void amd_mec_mqd_passes(struct amd_mec *mec, uint32_t *mqd, uint32_t *vmid)
{
    const uint32_t doorbell = amd_mec_mqd_doorbell(mqd);
    uint8_t number = (uint8_t)*vmid;

    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_MQD_LOAD, doorbell, mqd,
                         AMD_MQD_DWORDS * sizeof *mqd);
    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_VMID, doorbell, &number,
                         sizeof number);
    *vmid = number % AMD_VMIDS;
}

bool amd_mec_map(struct amd_mec *mec, uint32_t slot_id, uint64_t mqd_address, uint32_t vmid)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t mqd[AMD_MQD_DWORDS];

    if (queue->phase != AMD_QUEUE_EMPTY || !amd_mec_mqd_access(mec, mqd_address, mqd, false))
        return false;
    if (mec->machine->inject)
        amd_mec_mqd_passes(mec, mqd, &vmid);
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        *amd_gc_hqd(mec->gc, slot_id, AMD_HQD_BASE + 4 * i) = mqd[AMD_MQD_HQD + i];
    amd_mec_copy_computes(mec, slot_id, mqd, true);
    *amd_gc_hqd(mec->gc, slot_id, CP_MQD_BASE_ADDR) = (uint32_t)mqd_address;
    *amd_gc_hqd(mec->gc, slot_id, CP_MQD_BASE_ADDR_HI) = (uint32_t)(mqd_address >> 32);
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_VMID) =
        REG_PUT(amd_mec_reg(mec, slot_id, CP_HQD_VMID), CP_HQD_VMID__VMID, vmid);
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_DOORBELL_CONTROL) |=
        1u << CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_LO;
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_ACTIVE) = 0;
    queue->phase = AMD_QUEUE_MOVING;
    machine_schedule(mec->machine, mec->unit,
                     machine_now(mec->machine) +
                         machine_parameter(mec->machine, PARAM_AMD_SLOT_LOAD_PS),
                     AMD_MEC_LOADED, slot_id);
    return true;
}

/* The registers are there: how far has the program written? */
void amd_mec_loaded(struct amd_mec *mec, uint32_t slot_id)
{
    const uint64_t address =
        amd_mec_reg64(mec, slot_id, CP_HQD_PQ_WPTR_POLL_ADDR, CP_HQD_PQ_WPTR_POLL_ADDR_HI);
    const uint32_t request = amd_mec_queue(mec, slot_id)->dequeue;
    uint64_t write;

    if (address != 0 && amd_mec_peek(mec, slot_id, address, &write, sizeof write) &&
        machine_inject(mec->machine, mec->unit, AMD_INJECT_WPTR, amd_mec_doorbell_of(mec, slot_id),
                       &write, sizeof write)) {
        *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_WPTR_LO) = (uint32_t)write;
        *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_WPTR_HI) = (uint32_t)(write >> 32);
    }
    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_ACTIVE) = 1;
    amd_mec_begin(mec, slot_id, true, request);
}

void amd_mec_save(struct amd_mec *mec, uint32_t slot_id)
{
    const uint64_t address = amd_mec_reg64(mec, slot_id, CP_MQD_BASE_ADDR, CP_MQD_BASE_ADDR_HI);
    uint32_t mqd[AMD_MQD_DWORDS];

    if (address == 0 || !amd_mec_mqd_access(mec, address, mqd, false))
        return; /* no descriptor, or its memory has been unmapped: there is no place to save to */
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        mqd[AMD_MQD_HQD + i] = amd_mec_reg(mec, slot_id, AMD_HQD_BASE + 4 * i);
    amd_mec_copy_computes(mec, slot_id, mqd, false);
    if (machine_inject(mec->machine, mec->unit, AMD_INJECT_MQD_SAVE,
                       amd_mec_doorbell_of(mec, slot_id), mqd, sizeof mqd))
        (void)amd_mec_mqd_access(mec, address, mqd, true);
}
