/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/kfd_mqd_read.h"

/* Of each shader engine; the registers do not lie side by side. */
static const uint32_t kfd_mqd_engine_fields[AMD_SHADER_ENGINES_MAX] = {
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE0, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE1,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE2, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE3,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE4, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE5,
    AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE6, AMD_MQD_V9_COMPUTE_STATIC_THREAD_MGMT_SE7,
};

static uint64_t kfd_mqd_get64(const uint32_t *mqd, uint32_t low, uint32_t high)
{
    return amd_get(mqd, low) | amd_get(mqd, high) << 32;
}

bool kfd_mqd_read(const uint32_t mqd[AMD_MQD_DWORDS], struct kfd_mqd_queue *queue)
{
    const uint32_t pq_control = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_PQ_CONTROL);
    const uint32_t eop_control = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_EOP_CONTROL);
    const uint32_t doorbell = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_PQ_DOORBELL_CONTROL);

    if (amd_get(mqd, AMD_MQD_V9_HEADER) != AMD_MQD_HEADER_V9)
        return false;
    *queue = (struct kfd_mqd_queue){
        .mqd_address =
            kfd_mqd_get64(mqd, AMD_MQD_V9_CP_MQD_BASE_ADDR_LO, AMD_MQD_V9_CP_MQD_BASE_ADDR_HI),
        .ring_address =
            kfd_mqd_get64(mqd, AMD_MQD_V9_CP_HQD_PQ_BASE_LO, AMD_MQD_V9_CP_HQD_PQ_BASE_HI) << 8,
        .read_pointer = kfd_mqd_get64(mqd, AMD_MQD_V9_CP_HQD_PQ_RPTR_REPORT_ADDR_LO,
                                      AMD_MQD_V9_CP_HQD_PQ_RPTR_REPORT_ADDR_HI),
        .write_pointer = kfd_mqd_get64(mqd, AMD_MQD_V9_CP_HQD_PQ_WPTR_POLL_ADDR_LO,
                                       AMD_MQD_V9_CP_HQD_PQ_WPTR_POLL_ADDR_HI),
        .eop_address = kfd_mqd_get64(mqd, AMD_MQD_V9_CP_HQD_EOP_BASE_ADDR_LO,
                                     AMD_MQD_V9_CP_HQD_EOP_BASE_ADDR_HI)
                       << 8,
        .save_address = kfd_mqd_get64(mqd, AMD_MQD_V9_CP_HQD_CTX_SAVE_BASE_ADDR_LO,
                                      AMD_MQD_V9_CP_HQD_CTX_SAVE_BASE_ADDR_HI),
        .save_bytes = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_CTX_SAVE_SIZE),
        .control_stack_bytes = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_CNTL_STACK_SIZE),
        .doorbell = REG_GET(doorbell, CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET),
        .format = REG_GET(pq_control, CP_HQD_PQ_CONTROL__KMD_QUEUE)         ? KFD_MQD_HIQ
                  : REG_GET(pq_control, CP_HQD_PQ_CONTROL__SLOT_BASED_WPTR) ? KFD_MQD_AQL
                                                                            : KFD_MQD_PM4,
        .priority = (uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_QUEUE_PRIORITY),
        .vmid = REG_GET((uint32_t)amd_get(mqd, AMD_MQD_V9_CP_HQD_VMID), CP_HQD_VMID__VMID),
    };
    /* Sizes beyond 2 GiB do not fit, and no driver says them. */
    queue->ring_bytes = 8u << (REG_GET(pq_control, CP_HQD_PQ_CONTROL__QUEUE_SIZE) & 31);
    if (queue->eop_address)
        queue->eop_bytes = 8u << (REG_GET(eop_control, CP_HQD_EOP_CONTROL__EOP_SIZE) & 31);
    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++)
        queue->engines[i] = (uint32_t)amd_get(mqd, kfd_mqd_engine_fields[i]);
    return true;
}
