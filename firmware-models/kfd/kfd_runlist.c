/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/kfd_runlist.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"

/* Values of the packets' selectors. */
enum {
    RESOURCES_OF_HIQ = 1,
    SLOT_BY_FIRMWARE = 1,
    NORMAL_QUEUE = 0,
    STATIC_QUEUE = 2, /* of normal latency */
    ACTION_PREEMPT = 0,
    ACTION_RESET = 1,
    UNMAP_PASID = 1,
    UNMAP_ALL = 2,
    UNMAP_NON_STATIC = 3,
    FENCE_AFTER_WRITE_ACK = 2,
    ENGINE_SDMA0 = 2,
    EXTENDED_SDMA = 1, /* ENGINE_SEL is the number of one of eight */
};

bool kfd_runlist_oversubscribed(const struct kfd_runlist_counts *counts)
{
    return counts->process_count > counts->process_limit ||
           counts->queue_count > counts->slot_count;
}

uint32_t kfd_runlist_dwords(const struct kfd_runlist_counts *counts)
{
    return counts->process_count *
               (counts->is_gfx90a ? KFD_MAP_PROCESS_GFX90A_DWORDS : KFD_MAP_PROCESS_DWORDS) +
           (counts->queue_count + counts->sdma_count) * KFD_MAP_QUEUES_DWORDS +
           (kfd_runlist_oversubscribed(counts) ? KFD_RUN_LIST_DWORDS : 0);
}

static void kfd_packet_begin(uint32_t *dwords, enum amd_pm4_opcode opcode, uint32_t count)
{
    memset(dwords, 0, count * sizeof *dwords);
    dwords[0] = AMD_PM4_HEADER(opcode, count);
}

/* Fields of gfx90a's are where the others' are; what it has besides is 0 without a debugger. */
uint32_t kfd_map_process(uint32_t *dwords, const struct kfd_runlist_process *process)
{
    const uint32_t count =
        process->is_gfx90a ? KFD_MAP_PROCESS_GFX90A_DWORDS : KFD_MAP_PROCESS_DWORDS;

    kfd_packet_begin(dwords, AMD_PM4_MAP_PROCESS, count);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_PASID, process->pasid);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_PROCESS_QUANTUM, KFD_PROCESS_QUANTUM);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_PAGE_TABLE_BASE, process->page_table);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_SH_MEM_BASES, process->sh_mem_bases);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_SH_MEM_CONFIG, process->sh_mem_config);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_SDMA_ENABLE, 1);
    amd_put(dwords, AMD_PM4_MAP_PROCESS_NUM_QUEUES, process->queue_count);
    return count;
}

/* ENGINE_SEL and EXTENDED_ENGINE_SEL, which UNMAP_QUEUES has where MAP_QUEUES has them. */
static void kfd_select_sdma(uint32_t *dwords, uint32_t engine)
{
    amd_put(dwords, AMD_PM4_MAP_QUEUES_EXTENDED_ENGINE_SEL, engine < 2 ? 0 : EXTENDED_SDMA);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_ENGINE_SEL, engine < 2 ? ENGINE_SDMA0 + engine : engine);
}

void kfd_map_queues(uint32_t *dwords, const struct kfd_runlist_queue *queue)
{
    kfd_packet_begin(dwords, AMD_PM4_MAP_QUEUES, KFD_MAP_QUEUES_DWORDS);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_QUEUE_SEL, SLOT_BY_FIRMWARE);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_QUEUE_TYPE, queue->is_static ? STATIC_QUEUE : NORMAL_QUEUE);
    if (queue->engine != 0)
        kfd_select_sdma(dwords, queue->engine - 1);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_NUM_QUEUES, 1);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_DOORBELL_OFFSET, queue->doorbell);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_MQD_ADDR, queue->mqd_address);
    amd_put(dwords, AMD_PM4_MAP_QUEUES_WPTR_ADDR, queue->write_pointer);
}

void kfd_run_list(uint32_t *dwords, uint64_t address, uint32_t list_dwords,
                  const struct kfd_runlist_counts *counts, bool chained)
{
    const bool all = counts->process_count < counts->process_limit;

    kfd_packet_begin(dwords, AMD_PM4_RUN_LIST, KFD_RUN_LIST_DWORDS);
    amd_put(dwords, AMD_PM4_RUN_LIST_IB_BASE, address);
    amd_put(dwords, AMD_PM4_RUN_LIST_IB_SIZE, list_dwords);
    amd_put(dwords, AMD_PM4_RUN_LIST_CHAIN, chained);
    amd_put(dwords, AMD_PM4_RUN_LIST_CHAINED_RUNLIST_IDLE_DISABLE, chained);
    amd_put(dwords, AMD_PM4_RUN_LIST_VALID, 1);
    amd_put(dwords, AMD_PM4_RUN_LIST_PROCESS_CNT,
            all ? counts->process_count : counts->process_limit);
}

void kfd_set_resources(uint32_t *dwords, uint32_t vmid_mask, uint64_t slot_mask)
{
    kfd_packet_begin(dwords, AMD_PM4_SET_RESOURCES, KFD_SET_RESOURCES_DWORDS);
    amd_put(dwords, AMD_PM4_SET_RESOURCES_VMID_MASK, vmid_mask);
    amd_put(dwords, AMD_PM4_SET_RESOURCES_UNMAP_LATENCY, KFD_UNMAP_LATENCY);
    amd_put(dwords, AMD_PM4_SET_RESOURCES_QUEUE_TYPE, RESOURCES_OF_HIQ);
    amd_put(dwords, AMD_PM4_SET_RESOURCES_QUEUE_MASK, slot_mask);
}

void kfd_unmap_queues(uint32_t *dwords, bool all, bool reset)
{
    kfd_packet_begin(dwords, AMD_PM4_UNMAP_QUEUES, KFD_UNMAP_QUEUES_DWORDS);
    amd_put(dwords, AMD_PM4_UNMAP_QUEUES_ALL_ACTION, reset ? ACTION_RESET : ACTION_PREEMPT);
    amd_put(dwords, AMD_PM4_UNMAP_QUEUES_ALL_QUEUE_SEL, all ? UNMAP_ALL : UNMAP_NON_STATIC);
}

void kfd_unmap_sdma(uint32_t *dwords, uint32_t engine)
{
    kfd_unmap_queues(dwords, false, false);
    kfd_select_sdma(dwords, engine);
}

void kfd_unmap_process(uint32_t *dwords, uint32_t pasid, bool reset)
{
    kfd_packet_begin(dwords, AMD_PM4_UNMAP_QUEUES, KFD_UNMAP_QUEUES_DWORDS);
    amd_put(dwords, AMD_PM4_UNMAP_QUEUES_ACTION, reset ? ACTION_RESET : ACTION_PREEMPT);
    amd_put(dwords, AMD_PM4_UNMAP_QUEUES_QUEUE_SEL, UNMAP_PASID);
    amd_put(dwords, AMD_PM4_UNMAP_QUEUES_PASID, pasid);
}

void kfd_query_status(uint32_t *dwords, uint64_t address, uint64_t value)
{
    kfd_packet_begin(dwords, AMD_PM4_QUERY_STATUS, KFD_QUERY_STATUS_DWORDS);
    amd_put(dwords, AMD_PM4_QUERY_STATUS_COMMAND, FENCE_AFTER_WRITE_ACK);
    amd_put(dwords, AMD_PM4_QUERY_STATUS_ADDR, address);
    amd_put(dwords, AMD_PM4_QUERY_STATUS_DATA, value);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void kfd_runlist_put(struct kfd_runlist *list, const uint32_t *dwords, uint32_t count)
{
    list->put(list->context, list->dwords, dwords, count);
    list->dwords += count;
}

void kfd_runlist_process(struct kfd_runlist *list, const struct kfd_runlist_process *process)
{
    uint32_t dwords[KFD_MAP_PROCESS_GFX90A_DWORDS];
    const uint32_t count = kfd_map_process(dwords, process);

    kfd_runlist_put(list, dwords, count);
}

void kfd_runlist_queue(struct kfd_runlist *list, const struct kfd_runlist_queue *queue)
{
    uint32_t dwords[KFD_MAP_QUEUES_DWORDS];

    kfd_map_queues(dwords, queue);
    kfd_runlist_put(list, dwords, KFD_MAP_QUEUES_DWORDS);
}

void kfd_runlist_end(struct kfd_runlist *list, const struct kfd_runlist_counts *counts)
{
    uint32_t dwords[KFD_RUN_LIST_DWORDS];

    if (kfd_runlist_oversubscribed(counts)) {
        kfd_run_list(dwords, list->address, kfd_runlist_dwords(counts), counts, true);
        kfd_runlist_put(list, dwords, KFD_RUN_LIST_DWORDS);
    }
    assert(list->dwords == kfd_runlist_dwords(counts));
}
