/* SPDX-License-Identifier: MIT */
/* The firmware's way into a queue of an SDMA engine and out of it: by a descriptor. */
#include <config.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/formats/amd_sdma_regs.h"

enum {
    RING_SIZE_MAX = 29, /* log2 of dwords: 2 GiB */
    STATUS_FIRST = SDMA0_RLC0_STATUS,
    STATUS_LAST = SDMA0_RLC0_DOORBELL_LOG,
};

static bool sdma_mqd_access(struct amd_sdma *sdma, uint64_t address, uint32_t *mqd, bool is_write)
{
    uint64_t fault;

    return is_write ? amd_vm_write(sdma->vm, 0, address, mqd, AMD_SDMA_MQD_DWORDS * 4, &fault)
                    : amd_vm_read(sdma->vm, 0, address, mqd, AMD_SDMA_MQD_DWORDS * 4, &fault);
}

#define MQD64(lo, hi) (amd_get(mqd, AMD_SDMA_MQD_##hi) << 32 | amd_get(mqd, AMD_SDMA_MQD_##lo))

static void sdma_mqd_put64(uint32_t *mqd, uint32_t lo, uint32_t hi, uint64_t value)
{
    amd_put(mqd, lo, (uint32_t)value);
    amd_put(mqd, hi, value >> 32);
}

/* Registers that can be written become what the descriptor says. */
static void sdma_put_registers(struct amd_sdma *sdma, uint32_t queue_id, const uint32_t *mqd)
{
    for (uint32_t i = 0; i < AMD_SDMA_MQD_DWORDS; i++) {
        const uint32_t offset = amd_sdma_mqd_register(i);

        if (offset != 0 && offset != SDMA0_RLC0_IB_CNTL && offset != SDMA0_RLC0_CONTEXT_STATUS &&
            (offset < STATUS_FIRST || offset > STATUS_LAST))
            *amd_sdma_reg(sdma, queue_id, offset) = mqd[i];
    }
}

static uint32_t sdma_mqd_doorbell(const uint32_t *mqd)
{
    return REG_GET((uint32_t)amd_get(mqd, AMD_SDMA_MQD_DOORBELL_OFFSET),
                   SDMA0_RLC0_DOORBELL_OFFSET__OFFSET) /
           2;
}

/* What is loaded passes where faults are injected; returns the VMID. */
static uint32_t sdma_mqd_passes(struct amd_sdma *sdma, uint32_t *mqd, uint32_t vmid)
{
    const uint32_t doorbell = sdma_mqd_doorbell(mqd);
    uint8_t number = (uint8_t)vmid;

    (void)machine_inject(sdma->machine, sdma->unit, AMD_INJECT_SDMA_MQD_LOAD, doorbell, mqd,
                         AMD_SDMA_MQD_DWORDS * sizeof *mqd);
    (void)machine_inject(sdma->machine, sdma->unit, AMD_INJECT_VMID, doorbell, &number,
                         sizeof number);
    return number % AMD_VMIDS;
}

bool amd_sdma_map(struct amd_sdma *sdma, uint32_t queue_id, uint64_t mqd_address,
                  uint64_t write_address, uint32_t vmid)
{
    uint32_t mqd[AMD_SDMA_MQD_DWORDS], control, size;
    struct amd_sdma_ring ring;
    uint64_t write, fault;

    if (amd_sdma_queue(sdma, queue_id)->phase != AMD_QUEUE_EMPTY ||
        !sdma_mqd_access(sdma, mqd_address, mqd, false))
        return false;
    if (sdma->machine->inject)
        vmid = sdma_mqd_passes(sdma, mqd, vmid);
    control = (uint32_t)amd_get(mqd, AMD_SDMA_MQD_RB_CNTL);
    size = REG_GET(control, SDMA0_RLC0_RB_CNTL__RB_SIZE);
    if (size > RING_SIZE_MAX)
        return false;
    if (write_address != 0 &&
        amd_vm_read(sdma->vm, vmid, write_address, &write, sizeof write, &fault) &&
        machine_inject(sdma->machine, sdma->unit, AMD_INJECT_WPTR, sdma_mqd_doorbell(mqd), &write,
                       sizeof write))
        sdma_mqd_put64(mqd, AMD_SDMA_MQD_RB_WPTR, AMD_SDMA_MQD_RB_WPTR_HI, write);
    control = REG_PUT(REG_PUT(control, SDMA0_RLC0_RB_CNTL__RB_ENABLE, 1),
                      SDMA0_RLC0_RB_CNTL__RB_VMID, vmid);
    amd_put(mqd, AMD_SDMA_MQD_RB_CNTL, control);
    amd_put(mqd, AMD_SDMA_MQD_DOORBELL,
            REG_PUT((uint32_t)amd_get(mqd, AMD_SDMA_MQD_DOORBELL), SDMA0_RLC0_DOORBELL__ENABLE, 1));
    ring = (struct amd_sdma_ring){
        .address = MQD64(RB_BASE, RB_BASE_HI) << 8,
        .byte_count = UINT64_C(4) << size,
        .read = MQD64(RB_RPTR, RB_RPTR_HI),
        .write = MQD64(RB_WPTR, RB_WPTR_HI),
        .read_report = REG_GET(control, SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_ENABLE)
                           ? MQD64(RB_RPTR_ADDR_LO, RB_RPTR_ADDR_HI) & ~UINT64_C(3)
                           : 0,
        .vmid = vmid,
        .doorbell_index = sdma_mqd_doorbell(mqd),
        .has_doorbell = true,
        .mqd_address = mqd_address,
        .buffer = MQD64(IB_BASE_LO, IB_BASE_HI),
        .buffer_dwords = (uint32_t)amd_get(mqd, AMD_SDMA_MQD_IB_SIZE),
        .buffer_at = (uint32_t)amd_get(mqd, AMD_SDMA_MQD_IB_OFFSET) / 4,
    };
    if (ring.buffer_at >= ring.buffer_dwords)
        ring.buffer_at = ring.buffer_dwords = 0;
    sdma_put_registers(sdma, queue_id, mqd);
    return amd_sdma_load(sdma, queue_id, &ring);
}

void amd_sdma_save(struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    uint32_t mqd[AMD_SDMA_MQD_DWORDS], *word = amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_CNTL);

    *word = REG_PUT(*word, SDMA0_RLC0_RB_CNTL__RB_ENABLE, 0);
    word = amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_DOORBELL);
    *word = REG_PUT(*word, SDMA0_RLC0_DOORBELL__ENABLE, 0);
    if (!sdma_mqd_access(sdma, queue->mqd_address, mqd, false))
        return; /* the descriptor's memory has been unmapped: there is no place to save to */
    sdma_mqd_put64(mqd, AMD_SDMA_MQD_RB_RPTR, AMD_SDMA_MQD_RB_RPTR_HI, queue->read);
    sdma_mqd_put64(mqd, AMD_SDMA_MQD_RB_WPTR, AMD_SDMA_MQD_RB_WPTR_HI, queue->write);
    sdma_mqd_put64(mqd, AMD_SDMA_MQD_IB_BASE_LO, AMD_SDMA_MQD_IB_BASE_HI, queue->buffer);
    amd_put(mqd, AMD_SDMA_MQD_IB_SIZE, queue->buffer_dwords);
    amd_put(mqd, AMD_SDMA_MQD_IB_OFFSET, 4 * queue->buffer_at);
    if (machine_inject(sdma->machine, sdma->unit, AMD_INJECT_SDMA_MQD_SAVE, queue->doorbell_index,
                       mqd, sizeof mqd))
        (void)sdma_mqd_access(sdma, queue->mqd_address, mqd, true);
}
