/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/kfd_mqd.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_regs.h"

enum {
    PRELOAD_SIZE = 0x53,
    RPTR_WRITEBACK_TIMER = 6,
    DUMMY_DEFAULT = 0xf, /* SDMA_RLC_DUMMY_DEFAULT */
    RPTR_BLOCK_SIZE = 5,
    SLOT_BASED_WPTR_AQL = 2,
    MIN_IB_AVAIL_SIZE = 3,
    DISPATCH_POINTER = 1 << 14, /* of HQ_STATUS0 */
    /* The EOP ring has at most 0x800 dwords: events that are done are counted in eight bits. */
    EOP_SIZE_MAX = 0xa,
};

/* Fields of the CU mask, one for each shader engine; the registers do not lie side by side. */
static const uint32_t kfd_mqd_engine_fields[AMD_SHADER_ENGINES_MAX] = {
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE0, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE1,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE2, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE3,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE4, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE5,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE6, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE7,
};

/* Sizes are said as log2 of the dwords, less one. */
static uint32_t kfd_mqd_size(uint32_t bytes)
{
    uint32_t log2 = 0;

    assert(bytes >= 8 && (bytes & (bytes - 1)) == 0);
    while (UINT32_C(4) << log2 < bytes)
        log2++;
    return log2 - 1;
}

static void kfd_mqd_put64(uint32_t *mqd, uint32_t low, uint32_t high, uint64_t value)
{
    amd_put(mqd, low, (uint32_t)value);
    amd_put(mqd, high, value >> 32);
}

uint32_t kfd_mqd_pipe_priority(uint32_t priority)
{
    return priority < 7    ? CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__LOW
           : priority < 11 ? CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__MEDIUM
                           : CP_HQD_PIPE_PRIORITY__PIPE_PRIORITY__HIGH;
}

static uint32_t kfd_mqd_pq_control(const struct kfd_mqd_queue *queue)
{
    uint32_t word = REG_PUT(0, CP_HQD_PQ_CONTROL__QUEUE_SIZE, kfd_mqd_size(queue->ring_bytes));

    word = REG_PUT(word, CP_HQD_PQ_CONTROL__RPTR_BLOCK_SIZE, RPTR_BLOCK_SIZE);
    if (queue->format == KFD_MQD_AQL) {
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__SLOT_BASED_WPTR, SLOT_BASED_WPTR_AQL);
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__QUEUE_FULL_EN, 1);
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__WPP_CLAMP_EN, 1);
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__NO_UPDATE_RPTR, 1);
    } else if (queue->format == KFD_MQD_HIQ) {
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__PRIV_STATE, 1);
        word = REG_PUT(word, CP_HQD_PQ_CONTROL__KMD_QUEUE, 1);
    }
    return word;
}

static uint32_t kfd_mqd_eop_control(const struct kfd_mqd_queue *queue)
{
    const uint32_t size = queue->eop_bytes ? kfd_mqd_size(queue->eop_bytes) : 0;

    return REG_PUT(0, CP_HQD_EOP_CONTROL__EOP_SIZE, size < EOP_SIZE_MAX ? size : EOP_SIZE_MAX);
}

/* The ring, the doorbell, where the read pointer is written; the engine keeps the rest. */
static void kfd_mqd_update_sdma(uint32_t *mqd, const struct kfd_mqd_queue *queue)
{
    uint32_t control = REG_PUT(0, SDMA0_RLC0_RB_CNTL__RB_SIZE, kfd_mqd_size(queue->ring_bytes) + 1);

    control = REG_PUT(control, SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_ENABLE, 1);
    control = REG_PUT(control, SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_TIMER, RPTR_WRITEBACK_TIMER);
    control = REG_PUT(control, SDMA0_RLC0_RB_CNTL__RB_VMID, queue->vmid);
    amd_put(mqd, AMD_SDMA_MQD_RB_CNTL, control);
    kfd_mqd_put64(mqd, AMD_SDMA_MQD_RB_BASE, AMD_SDMA_MQD_RB_BASE_HI, queue->ring_address >> 8);
    kfd_mqd_put64(mqd, AMD_SDMA_MQD_RB_RPTR_ADDR_LO, AMD_SDMA_MQD_RB_RPTR_ADDR_HI,
                  queue->read_pointer);
    amd_put(mqd, AMD_SDMA_MQD_DOORBELL_OFFSET,
            REG_PUT(0, SDMA0_RLC0_DOORBELL_OFFSET__OFFSET, queue->doorbell));
    amd_put(mqd, AMD_SDMA_MQD_DUMMY_REG, DUMMY_DEFAULT);
    amd_put(mqd, AMD_SDMA_MQD_SDMA_ENGINE_ID, queue->sdma_engine);
    amd_put(mqd, AMD_SDMA_MQD_SDMA_QUEUE_ID, queue->sdma_slot);
}

static void kfd_mqd_update_compute(uint32_t *mqd, const struct kfd_mqd_queue *queue)
{
    uint32_t doorbell = REG_PUT(0, CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET, queue->doorbell);

    if (queue->format == KFD_MQD_AQL)
        doorbell = REG_PUT(doorbell, CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_BIF_DROP, 1);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_PQ_CONTROL, kfd_mqd_pq_control(queue));
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_HQD_PQ_BASE_LO, AMD_MQD_V9_CP_HQD_PQ_BASE_HI,
                  queue->ring_address >> 8);
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_HQD_PQ_RPTR_REPORT_ADDR_LO,
                  AMD_MQD_V9_CP_HQD_PQ_RPTR_REPORT_ADDR_HI, queue->read_pointer);
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_HQD_PQ_WPTR_POLL_ADDR_LO,
                  AMD_MQD_V9_CP_HQD_PQ_WPTR_POLL_ADDR_HI, queue->write_pointer);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_PQ_DOORBELL_CONTROL, doorbell);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_IB_CONTROL,
            REG_PUT(REG_PUT(0, CP_HQD_IB_CONTROL__MIN_IB_AVAIL_SIZE, MIN_IB_AVAIL_SIZE),
                    CP_HQD_IB_CONTROL__IB_EXE_DISABLE, 1));
    amd_put(mqd, AMD_MQD_V9_CP_HQD_EOP_CONTROL, kfd_mqd_eop_control(queue));
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_HQD_EOP_BASE_ADDR_LO, AMD_MQD_V9_CP_HQD_EOP_BASE_ADDR_HI,
                  queue->eop_address >> 8);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_IQ_TIMER, 0);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_VMID, REG_PUT(0, CP_HQD_VMID__VMID, queue->vmid));
    amd_put(mqd, AMD_MQD_V9_CP_HQD_CTX_SAVE_CONTROL, 0);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_PIPE_PRIORITY, kfd_mqd_pipe_priority(queue->priority));
    amd_put(mqd, AMD_MQD_V9_CP_HQD_QUEUE_PRIORITY, queue->priority);
    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++)
        amd_put(mqd, kfd_mqd_engine_fields[i], queue->engines[i]);
}

void kfd_mqd_update(uint32_t mqd[AMD_MQD_DWORDS], const struct kfd_mqd_queue *queue)
{
    if (kfd_mqd_is_sdma(queue))
        kfd_mqd_update_sdma(mqd, queue);
    else
        kfd_mqd_update_compute(mqd, queue);
}

/* Waves that are preempted are saved: the control stack grows down from its end, the waves' state
 * lies behind it. */
static void kfd_mqd_put_save_area(uint32_t *mqd, const struct kfd_mqd_queue *queue)
{
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_HQD_CTX_SAVE_BASE_ADDR_LO,
                  AMD_MQD_V9_CP_HQD_CTX_SAVE_BASE_ADDR_HI, queue->save_address);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_CTX_SAVE_SIZE, queue->save_bytes);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_CNTL_STACK_SIZE, queue->control_stack_bytes);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_CNTL_STACK_OFFSET, queue->control_stack_bytes);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_WG_STATE_OFFSET, queue->control_stack_bytes);
}

void kfd_mqd_init(uint32_t mqd[AMD_MQD_DWORDS], const struct kfd_mqd_queue *queue)
{
    uint32_t persistent = REG_PUT(REG_PUT(0, CP_HQD_PERSISTENT_STATE__PRELOAD_REQ, 1),
                                  CP_HQD_PERSISTENT_STATE__PRELOAD_SIZE, PRELOAD_SIZE);
    uint32_t quantum = REG_PUT(0, CP_HQD_QUANTUM__QUANTUM_EN, 1);

    memset(mqd, 0, KFD_MQD_BYTES);
    if (kfd_mqd_is_sdma(queue)) {
        kfd_mqd_update(mqd, queue);
        return;
    }
    quantum = REG_PUT(quantum, CP_HQD_QUANTUM__QUANTUM_SCALE, 1);
    quantum = REG_PUT(quantum, CP_HQD_QUANTUM__QUANTUM_DURATION, 1);
    amd_put(mqd, AMD_MQD_V9_HEADER, AMD_MQD_HEADER_V9);
    amd_put(mqd, AMD_MQD_V9_COMPUTE_PIPELINESTAT_ENABLE, 1);
    amd_put(mqd, AMD_MQD_V9_CP_MQD_CONTROL, REG_PUT(0, CP_MQD_CONTROL__PRIV_STATE, 1));
    kfd_mqd_put64(mqd, AMD_MQD_V9_CP_MQD_BASE_ADDR_LO, AMD_MQD_V9_CP_MQD_BASE_ADDR_HI,
                  queue->mqd_address);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_QUANTUM, quantum);
    amd_put(mqd, AMD_MQD_V9_CP_HQD_HQ_STATUS0, DISPATCH_POINTER);
    if (queue->format == KFD_MQD_AQL)
        amd_put(mqd, AMD_MQD_V9_CP_HQD_AQL_CONTROL, REG_PUT(0, CP_HQD_AQL_CONTROL__CONTROL0, 1));
    if (queue->save_address) {
        persistent = REG_PUT(persistent, CP_HQD_PERSISTENT_STATE__QSWITCH_MODE, 1);
        kfd_mqd_put_save_area(mqd, queue);
    }
    amd_put(mqd, AMD_MQD_V9_CP_HQD_PERSISTENT_STATE, persistent);
    kfd_mqd_update(mqd, queue);
}
