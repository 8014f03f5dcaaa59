/* SPDX-License-Identifier: MIT */
/* SDMA queues of the node: between the firmware's model, the driver's, and the engines. */
#include <config.h>

#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "emu/sim/amd_node.h"

/* ---- what the engines do for the firmware ---------------------------------------------------- */

void amd_node_sdma_map(struct amd_node *node, const struct hws_queue *queue,
                       const struct hws_place *place)
{
    if (!amd_sdma_map(&node->gpu.sdma[place->engine - 1], place->slot, queue->mqd_address,
                      queue->wptr_address, place->vmid))
        machine_fail(node->machine, ERROR_INPUT,
                     "queue %u of SDMA engine %u cannot be loaded from the descriptor at 0x%llx",
                     place->slot, place->engine - 1, (unsigned long long)queue->mqd_address);
}

/* Returns true if a queue without a place has more written than read, by its descriptor. */
static bool amd_node_has_sdma(struct amd_node *node, const struct hws_queue *queue, uint32_t pasid)
{
    const uint32_t space_id = amd_node_space(node, pasid);
    uint32_t mqd[AMD_SDMA_MQD_DWORDS];
    uint64_t write, fault;

    return space_id != ADDRESS_SPACE_NONE &&
           machine_vm_read(node->machine, node->kfd->state->space_id, queue->mqd_address, mqd,
                           sizeof mqd, &fault) &&
           machine_vm_read(node->machine, space_id, queue->wptr_address, &write, sizeof write,
                           &fault) &&
           (amd_get(mqd, AMD_SDMA_MQD_RB_RPTR_HI) << 32 | amd_get(mqd, AMD_SDMA_MQD_RB_RPTR)) !=
               write;
}

bool amd_node_sdma_busy(struct amd_node *node, const struct hws_queue *queue,
                        const struct hws_place *place)
{
    return place->slot != HWS_NONE ? amd_sdma_busy(&node->gpu.sdma[place->engine - 1], place->slot)
                                   : amd_node_has_sdma(node, queue, place->pasid);
}

/* ---- what the engines tell ------------------------------------------------------------------- */

static void amd_node_sdma_left(void *client, uint32_t engine, uint32_t slot)
{
    struct amd_node *node = client;

    if (!kfd_has_firmware(node->kfd))
        kfd_sdma_left(node->kfd, engine, slot, node->gpu.sdma[engine].state->queues[slot].read);
    else if (hws_sdma_queue(&node->hws, 1 + engine, slot))
        hws_sdma_left(&node->hws, 1 + engine, slot);
}

static void amd_node_sdma_rung(void *client)
{
    struct amd_node *node = client;

    hws_wake(&node->hws);
}

void amd_node_sdma_wire(struct amd_node *node)
{
    node->hws.sdma_engines = node->gpu.sdma_links.engine_count;
    node->hws.sdma_slots = node->gpu.sdma[0].chip->sdma_queues_per_engine;
    for (uint32_t engine = 0; engine < node->gpu.sdma_links.engine_count; engine++)
        node->gpu.sdma[engine].client = (struct amd_sdma_client){
            .left = amd_node_sdma_left, .rung = amd_node_sdma_rung, .client = node};
}

/* ---- its SDMA queues without the firmware: kgd_hqd_sdma_load(), kgd_hqd_sdma_destroy() ------- */

/* What the driver reads of a program's memory. */
static uint64_t amd_node_peek(struct amd_node *node, uint32_t pasid, uint64_t address)
{
    const uint32_t space_id = amd_node_space(node, pasid);
    uint64_t value = 0, fault;

    if (space_id == ADDRESS_SPACE_NONE ||
        !machine_vm_read(node->machine, space_id, address, &value, sizeof value, &fault))
        return 0;
    return value;
}

void amd_node_sdma_load(void *engine, const struct kfd_sdma *queue)
{
    struct amd_node *node = engine;
    struct amd_sdma *sdma = &node->gpu.sdma[queue->engine];
    const uint64_t write = amd_node_peek(node, queue->pasid, queue->write_pointer);
    uint32_t mqd[AMD_SDMA_MQD_DWORDS];
    uint64_t fault;

    amd_node_give_vmid(node, queue->vmid, queue->pasid);
    if (!machine_vm_read(node->machine, node->kfd->state->space_id, queue->mqd_address, mqd,
                         sizeof mqd, &fault))
        return;
#define WRITE(reg, value)                                                                          \
    machine_write32(node->machine, amd_sdma_register(sdma, queue->slot, SDMA0_RLC0_##reg), value)
#define MQD(field) (uint32_t) amd_get(mqd, AMD_SDMA_MQD_##field)
    WRITE(RB_CNTL, REG_PUT(MQD(RB_CNTL), SDMA0_RLC0_RB_CNTL__RB_ENABLE, 0));
    WRITE(DOORBELL_OFFSET, MQD(DOORBELL_OFFSET));
    WRITE(DOORBELL, REG_PUT(MQD(DOORBELL), SDMA0_RLC0_DOORBELL__ENABLE, 1));
    WRITE(RB_RPTR, MQD(RB_RPTR));
    WRITE(RB_RPTR_HI, MQD(RB_RPTR_HI));
    WRITE(MINOR_PTR_UPDATE, 1);
    WRITE(RB_WPTR, (uint32_t)write);
    WRITE(RB_WPTR_HI, (uint32_t)(write >> 32));
    WRITE(MINOR_PTR_UPDATE, 0);
    WRITE(RB_BASE, MQD(RB_BASE));
    WRITE(RB_BASE_HI, MQD(RB_BASE_HI));
    WRITE(RB_RPTR_ADDR_LO, MQD(RB_RPTR_ADDR_LO));
    WRITE(RB_RPTR_ADDR_HI, MQD(RB_RPTR_ADDR_HI));
    WRITE(RB_CNTL, REG_PUT(MQD(RB_CNTL), SDMA0_RLC0_RB_CNTL__RB_ENABLE, 1));
#undef MQD
}

void amd_node_sdma_unload(void *engine, const struct kfd_sdma *queue)
{
    struct amd_node *node = engine;
    struct amd_sdma *sdma = &node->gpu.sdma[queue->engine];
    const uint32_t control =
        machine_read32(node->machine, amd_sdma_register(sdma, queue->slot, SDMA0_RLC0_RB_CNTL));

    WRITE(RB_CNTL, REG_PUT(control, SDMA0_RLC0_RB_CNTL__RB_ENABLE, 0));
}
#undef WRITE

/* amdgpu lets the SDMA engines run, and raise interrupts (sdma_v4_0.c). */
void amd_node_sdma_start(struct amd_node *node)
{
    for (uint32_t engine = 0; engine < node->gpu.sdma_links.engine_count; engine++) {
        const struct mmio_window *window = node->gpu.sdma[engine].window;

        machine_write32(node->machine, window->base + SDMA0_CNTL,
                        REG_PUT(machine_read32(node->machine, window->base + SDMA0_CNTL),
                                SDMA0_CNTL__TRAP_ENABLE, 1));
        machine_write32(node->machine, window->base + SDMA0_F32_CNTL, 0);
    }
}
