/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/amd_node.h"

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/formats/amd_mqd.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd_tables.h"

/* ---- the program's memory -------------------------------------------------------------------- */

uint32_t amd_node_space(const struct amd_node *node, uint32_t pasid)
{
    const struct kfd_state *state = node->kfd->state;

    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++)
        if (state->processes[i].used && state->processes[i].pasid == pasid)
            return address_space_by_root(&node->machine->spaces, MEMORY_VRAM,
                                         state->processes[i].page_table);
    return ADDRESS_SPACE_NONE;
}

void amd_node_give_vmid(struct amd_node *node, uint32_t vmid, uint32_t pasid)
{
    amd_vm_set(&node->gpu.vm, vmid, amd_node_space(node, pasid));
    machine_write32(node->machine, IH_VMID_0_LUT + 4 * vmid, pasid);
}

/* ---- what the engine does for its firmware --------------------------------------------------- */

static void amd_node_map(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    struct amd_node *node = unit;

    amd_node_give_vmid(node, place->vmid, place->pasid);
    if (place->engine != HWS_COMPUTE) {
        amd_node_sdma_map(node, queue, place);
        return;
    }
    if (!amd_mec_map(&node->gpu.mec, amd_slot_id(1, place->pipe, place->slot), queue->mqd_address,
                     place->vmid))
        machine_fail(node->machine, ERROR_INPUT,
                     "slot %u of pipe %u cannot be loaded from the descriptor at 0x%llx",
                     place->slot, place->pipe, (unsigned long long)queue->mqd_address);
}

static void amd_node_preempt(void *unit, const struct hws_place *place, bool reset)
{
    struct amd_node *node = unit;

    if (place->engine != HWS_COMPUTE)
        amd_sdma_unload(&node->gpu.sdma[place->engine - 1], place->slot);
    else
        amd_mec_unmap(&node->gpu.mec, amd_slot_id(1, place->pipe, place->slot),
                      reset ? AMD_DEQUEUE_RESET : AMD_DEQUEUE_SAVE);
}

/* Reads what stands in memory of a compute queue that is in no slot: its packets.  Returns false if
 * something cannot be read. */
static bool amd_node_packets(struct amd_node *node, const struct hws_queue *queue, uint32_t pasid,
                             struct amd_mec_packets *packets)
{
    uint32_t mqd[AMD_MQD_DWORDS];
    uint64_t fault;

    packets->space_id = amd_node_space(node, pasid);
    packets->doorbell_index = queue->doorbell / 2;
#define REG(offset) mqd[AMD_MQD_HQD + ((offset)-AMD_HQD_BASE) / 4]
#define REG64(name) ((uint64_t)REG(name##_HI) << 32 | REG(name))
    if (packets->space_id == ADDRESS_SPACE_NONE ||
        !machine_vm_read(node->machine, node->kfd->state->space_id, queue->mqd_address, mqd,
                         sizeof mqd, &fault) ||
        !machine_vm_read(node->machine, packets->space_id, REG64(CP_HQD_PQ_RPTR_REPORT_ADDR),
                         &packets->read, sizeof packets->read, &fault) ||
        !machine_vm_read(node->machine, packets->space_id, REG64(CP_HQD_PQ_WPTR_POLL_ADDR),
                         &packets->write, sizeof packets->write, &fault))
        return false;
    packets->ring_address = REG64(CP_HQD_PQ_BASE) << 8;
    packets->count =
        REG_GET(REG(CP_HQD_AQL_CONTROL), CP_HQD_AQL_CONTROL__CONTROL0)
            ? (UINT64_C(2) << REG_GET(REG(CP_HQD_PQ_CONTROL), CP_HQD_PQ_CONTROL__QUEUE_SIZE)) /
                  AMD_AQL_DWORDS
            : 0;
#undef REG64
#undef REG
    return true;
}

static bool amd_node_has_packets(struct amd_node *node, const struct hws_queue *queue,
                                 uint32_t pasid)
{
    struct amd_mec_packets packets;

    return amd_node_packets(node, queue, pasid, &packets) && packets.read != packets.write;
}

static void amd_node_holds(void *unit, const struct hws_queue *queue, uint32_t pasid,
                           uint32_t log_unit)
{
    struct amd_node *node = unit;
    struct amd_mec_packets packets;

    if (queue->engine == HWS_COMPUTE && amd_node_packets(node, queue, pasid, &packets))
        amd_mec_holds_packets(node->machine, log_unit, &packets);
}

static bool amd_node_busy(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    struct amd_node *node = unit;

    if (place->engine != HWS_COMPUTE)
        return amd_node_sdma_busy(node, queue, place);
    return place->slot != HWS_NONE
               ? amd_mec_busy(&node->gpu.mec, amd_slot_id(1, place->pipe, place->slot))
               : amd_mec_is_parked(&node->gpu.mec, queue->mqd_address) ||
                     amd_node_has_packets(node, queue, place->pasid);
}

static void amd_node_refused(void *unit, const struct hws_queue *queue, uint32_t index)
{
    struct amd_node *node = unit;

    hws_packet_refused(&node->packets, queue, index);
}

static const uint32_t hiq_slot =
    AMD_PIPES_MAX * AMD_QUEUES_PER_PIPE_MAX; /* MEC2, pipe 0, queue 0 */

static void amd_node_unmapped(void *unit)
{
    struct amd_node *node = unit;

    amd_mec_go_on(&node->gpu.mec, hiq_slot);
}

static const struct hws_ops amd_node_hws_ops = {amd_node_map,      amd_node_preempt,
                                                amd_node_busy,     amd_node_refused,
                                                amd_node_unmapped, amd_node_holds};

/* ---- what the engine tells its firmware ------------------------------------------------------ */

static bool amd_node_waits(void *client)
{
    const struct amd_node *node = client;

    return node->hws.state->unmapping != 0;
}

static bool amd_node_schedule(void *client, uint32_t slot_id, const uint32_t *dwords,
                              uint32_t dword_count)
{
    struct amd_node *node = client;
    uint32_t used;

    return slot_id == hiq_slot &&
           hws_packet_read(&node->packets, dwords, dword_count, &used) == HWS_PACKET_DONE;
}

static void amd_node_left(void *client, uint32_t slot_id)
{
    struct amd_node *node = client;
    const uint32_t pipe = slot_id / AMD_QUEUES_PER_PIPE_MAX,
                   slot = slot_id % AMD_QUEUES_PER_PIPE_MAX;

    if (slot_id >= hiq_slot)
        return;
    if (kfd_has_firmware(node->kfd))
        hws_left(&node->hws, pipe, slot);
    else
        kfd_hqd_left(node->kfd, pipe, slot);
}

static void amd_node_rung(void *client, uint32_t doorbell_index)
{
    struct amd_node *node = client;

    (void)doorbell_index;
    hws_wake(&node->hws);
}

/* ---- what the driver's handler of interrupts tells processes --------------------------------- */

static void amd_node_event(void *client, uint32_t pasid, uint32_t event_id, uint32_t bits)
{
    struct amd_node *node = client;
    const uint32_t space_id = amd_node_space(node, pasid);

    (void)bits; /* programs have no more events than fit */
    if (node->interrupt && space_id != ADDRESS_SPACE_NONE)
        node->interrupt(node->client, space_id, event_id);
}

static uint32_t amd_node_exception(void *client, uint32_t pasid, uint32_t type)
{
    struct amd_node *node = client;
    const uint32_t space_id = amd_node_space(node, pasid);

    return node->exception && space_id != ADDRESS_SPACE_NONE
               ? node->exception(node->client, space_id, type)
               : 0;
}

static const struct amdgpu_ops amd_node_amdgpu_ops = {amd_node_event, amd_node_exception};

static void amd_node_cost(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost)
{
    struct amd_node *node = client;

    if (node->cost)
        node->cost(node->client, kernel, cost);
}

/* ---- what the driver does to the engine ------------------------------------------------------ */

/* Through the KIQ, which is not modelled: as if its MAP_QUEUES had been executed. */
static void amd_node_map_hiq(void *engine, uint64_t mqd_address)
{
    struct amd_node *node = engine;

    amd_vm_set(&node->gpu.vm, 0, node->kfd->state->space_id);
    hws_packet_begin(&node->packets, node->kfd->state->space_id, mqd_address);
    (void)amd_mec_map(&node->gpu.mec, hiq_slot, mqd_address, 0);
}

static void amd_node_ring(void *engine, uint32_t doorbell, uint64_t value)
{
    struct amd_node *node = engine;

    amd_gpu_doorbell(&node->gpu, doorbell / 2, value);
}

static void amd_node_select(struct amd_node *node, const struct kfd_hqd *hqd)
{
    uint32_t control = 0;

    control = REG_PUT(control, GRBM_GFX_CNTL__MEID, 1);
    control = REG_PUT(control, GRBM_GFX_CNTL__PIPEID, hqd->pipe);
    control = REG_PUT(control, GRBM_GFX_CNTL__QUEUEID, hqd->slot);
    machine_write32(node->machine, GRBM_GFX_CNTL, control);
}

/* kgd_hqd_load(): the registers in order, the doorbell, the write pointer, ACTIVE. */
static void amd_node_hqd_load(void *engine, const struct kfd_hqd *hqd)
{
    struct amd_node *node = engine;
    struct machine *machine = node->machine;
    uint32_t mqd[AMD_MQD_DWORDS], *hqd_words = &mqd[AMD_MQD_HQD];
    uint64_t fault;

    amd_node_give_vmid(node, hqd->vmid, hqd->pasid);
    if (!machine_vm_read(machine, node->kfd->state->space_id, hqd->mqd_address, mqd, sizeof mqd,
                         &fault))
        return;
    amd_node_select(node, hqd);
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        if (AMD_HQD_BASE + 4 * i != CP_HQD_ACTIVE)
            machine_write32(machine, AMD_HQD_BASE + 4 * i, hqd_words[i]);
    machine_write32(
        machine, CP_HQD_VMID,
        REG_PUT(hqd_words[(CP_HQD_VMID - AMD_HQD_BASE) / 4], CP_HQD_VMID__VMID, hqd->vmid));
    machine_write32(machine, CP_HQD_PQ_DOORBELL_CONTROL,
                    hqd_words[(CP_HQD_PQ_DOORBELL_CONTROL - AMD_HQD_BASE) / 4] |
                        1u << CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_EN_LO);
    machine_write32(machine, CP_HQD_EOP_RPTR, 1u << CP_HQD_EOP_RPTR__INIT_FETCHER_LO);
    machine_write32(machine, CP_HQD_ACTIVE, 1);
    machine_write32(machine, CP_PQ_WPTR_POLL_CNTL1, 1u << (hqd->pipe * 8 + hqd->slot));
    machine_write32(machine, GRBM_GFX_CNTL, 0);
}

static void amd_node_hqd_dequeue(void *engine, const struct kfd_hqd *hqd, uint32_t request)
{
    struct amd_node *node = engine;

    amd_node_select(node, hqd);
    machine_write32(node->machine, CP_HQD_DEQUEUE_REQUEST, request);
    machine_write32(node->machine, GRBM_GFX_CNTL, 0);
}

static void amd_node_gone(void *engine, uint64_t mqd_address)
{
    struct amd_node *node = engine;

    amd_mec_forget(&node->gpu.mec, mqd_address);
}

static void amd_node_done(void *engine, enum kfd_result result)
{
    struct amd_node *node = engine;

    if (node->done)
        node->done(node->client, result);
}

static void amd_node_lock_free(void *engine)
{
    struct amd_node *node = engine;

    if (node->lock_free)
        node->lock_free(node->client);
}

static void amd_node_reset(void *engine)
{
    struct amd_node *node = engine;
    const struct kfd_state *state = node->kfd->state;

    hws_reset(&node->hws);
    amd_mec_reset(&node->gpu.mec);
    for (uint32_t i = 0; i < node->gpu.sdma_links.engine_count; i++)
        amd_sdma_reset(&node->gpu.sdma[i]);
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++)
        if (state->processes[i].used && state->processes[i].queue_count > 0)
            amdgpu_signal_reset(&node->amdgpu, state->processes[i].pasid);
}

static void amd_node_queue_reset(void *engine, uint32_t queue_id, uint32_t pasid)
{
    struct amd_node *node = engine;

    amd_mec_reset_queue(&node->gpu.mec, queue_id);
    amdgpu_signal_reset(&node->amdgpu, pasid);
}

static bool amd_node_in_slot(const struct amd_node *node, const struct kfd_queue *queue)
{
    const uint32_t doorbell_index = kfd_queue_id(queue);

    if (kfd_mqd_is_sdma(&queue->mqd))
        return node->gpu.sdma[queue->mqd.sdma_engine].state->queues[queue->mqd.sdma_slot].phase !=
               AMD_QUEUE_EMPTY;
    return amd_mec_has_queue(&node->gpu.mec, doorbell_index);
}

static bool amd_node_is_stranded(void *engine, uint32_t index, uint32_t log_unit)
{
    struct amd_node *node = engine;
    const struct kfd_queue *queue = &node->kfd->state->queues[index];
    const uint32_t pasid = kfd_pasid(node->kfd, queue);
    const uint32_t sdma = kfd_mqd_is_sdma(&queue->mqd) ? 1 + queue->mqd.sdma_engine : HWS_COMPUTE;
    const struct hws_queue listed = {.queue_id = kfd_queue_id(queue),
                                     .doorbell = queue->mqd.doorbell,
                                     .engine = sdma,
                                     .mqd_address = queue->mqd.mqd_address,
                                     .wptr_address = queue->mqd.write_pointer};
    const struct hws_place place = {
        .pipe = HWS_NONE, .slot = HWS_NONE, .pasid = pasid, .engine = sdma};

    if (amd_node_in_slot(node, queue) ||
        (kfd_has_firmware(node->kfd) && hws_has(&node->hws, queue->mqd.doorbell)) ||
        !amd_node_busy(node, &listed, &place))
        return false;
    amd_node_holds(node, &listed, pasid, log_unit);
    return true;
}

static const struct kfd_ops amd_node_kfd_ops = {
    amd_node_map_hiq,   amd_node_ring,        amd_node_hqd_load,    amd_node_hqd_dequeue,
    amd_node_sdma_load, amd_node_sdma_unload, amd_node_gone,        amd_node_done,
    amd_node_lock_free, amd_node_reset,       amd_node_queue_reset, amd_node_is_stranded};

/* ---- all of it ------------------------------------------------------------------------------- */

bool amd_node_wire(struct amd_node *node, struct machine *machine, const struct amd_chip *chip)
{
    *node = (struct amd_node){.machine = machine, .gpu_id = AMD_NODE_GPU_ID};
    amd_gpu_wire(&node->gpu, machine, chip);
    machine_add_tables(machine, &kfd_tables);
    machine_add_tables(machine, &amdgpu_tables);
    hws_add(&node->hws, machine, chip->pipes_per_mec, &amd_node_hws_ops, node);
    hws_packet_add(&node->packets, &node->hws);
    node->gpu.mec.client = (struct amd_mec_client){.cost = amd_node_cost,
                                                   .left = amd_node_left,
                                                   .rung = amd_node_rung,
                                                   .scheduler_waits = amd_node_waits,
                                                   .schedule = amd_node_schedule,
                                                   .client = node};
    amd_node_sdma_wire(node);
    node->kfd = kfd_new(machine, chip, machine->config.sysmem_bytes - AMD_NODE_DRIVER_BYTES,
                        AMD_NODE_DRIVER_BYTES - AMDGPU_IH_BYTES, &amd_node_kfd_ops, node);
    if (!node->kfd)
        return false;
    amdgpu_add(&node->amdgpu, machine, node->kfd, machine->config.sysmem_bytes - AMDGPU_IH_BYTES,
               &amd_node_amdgpu_ops, node);
    return true;
}

void amd_node_unwire(struct amd_node *node)
{
    if (node->kfd)
        kfd_free(node->kfd);
    node->kfd = NULL;
}

void amd_node_start(struct amd_node *node)
{
    amdgpu_start(&node->amdgpu);
    amd_node_sdma_start(node);
    kfd_start(node->kfd);
    amd_vm_set(&node->gpu.vm, 0, node->kfd->state->space_id);
}

void amd_node_doorbell(struct amd_node *node, uint32_t doorbell_index, uint64_t value)
{
    amd_gpu_doorbell(&node->gpu, doorbell_index, value);
}
