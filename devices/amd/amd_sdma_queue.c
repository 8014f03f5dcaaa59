/* SPDX-License-Identifier: MIT */
/* Queues of an SDMA engine are loaded and left, by their registers or without. */
#include <config.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/amd_sdma_tables.h"

enum { ENGINE_BYTES = SDMA0_PHASE2_QUANTUM + 4 };

/* ---- registers ------------------------------------------------------------------------------- */

uint32_t *amd_sdma_reg(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset)
{
    const uint32_t at = amd_sdma_place_offset(sdma->place, queue_id, offset);

    return &sdma->queue_window->storage[mmio_word(sdma->queue_window, at)];
}

uint32_t amd_sdma_register(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset)
{
    return sdma->window->base + amd_sdma_place_offset(sdma->place, queue_id, offset);
}

static uint64_t amd_sdma_reg64(const struct amd_sdma *sdma, uint32_t queue_id, uint32_t lo,
                               uint32_t hi)
{
    return (uint64_t)*amd_sdma_reg(sdma, queue_id, hi) << 32 | *amd_sdma_reg(sdma, queue_id, lo);
}

static uint32_t amd_sdma_engine_reg(const struct amd_sdma *sdma, uint32_t offset)
{
    return sdma->window->storage[mmio_word(sdma->window, offset)];
}

bool amd_sdma_halted(const struct amd_sdma *sdma)
{
    return REG_GET(amd_sdma_engine_reg(sdma, SDMA0_F32_CNTL), SDMA0_F32_CNTL__HALT);
}

bool amd_sdma_traps(const struct amd_sdma *sdma)
{
    return REG_GET(amd_sdma_engine_reg(sdma, SDMA0_CNTL), SDMA0_CNTL__TRAP_ENABLE);
}

void amd_sdma_show(struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    const uint32_t taken = queue->phase == AMD_QUEUE_TAKEN;
    uint32_t *word;

    word = &sdma->window->storage[mmio_word(sdma->window, SDMA0_STATUS_REG)];
    *word = REG_PUT(*word, SDMA0_STATUS_REG__IDLE, !sdma->state->busy);
    word = amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_CONTEXT_STATUS);
    *word = REG_PUT(*word, SDMA0_RLC0_CONTEXT_STATUS__SELECTED, taken);
    *word = REG_PUT(*word, SDMA0_RLC0_CONTEXT_STATUS__IDLE, !taken);
    if (queue->phase == AMD_QUEUE_EMPTY)
        return;
    *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_RPTR) = (uint32_t)queue->read;
    *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_RPTR_HI) = (uint32_t)(queue->read >> 32);
    *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_WPTR) = (uint32_t)queue->write;
    *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_WPTR_HI) = (uint32_t)(queue->write >> 32);
}

/* RB_ENABLE has been set: the ring is what the other registers say. */
static void amd_sdma_enable(struct amd_sdma *sdma, uint32_t queue_id)
{
    const uint32_t control = *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_CNTL);
    const uint32_t poll = *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_RB_WPTR_POLL_CNTL);
    const uint32_t buffers = *amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_IB_CNTL);
    struct amd_sdma_ring ring = {
        .address = amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_BASE, SDMA0_RLC0_RB_BASE_HI) << 8,
        .byte_count = UINT64_C(4) << REG_GET(control, SDMA0_RLC0_RB_CNTL__RB_SIZE),
        .read = amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_RPTR, SDMA0_RLC0_RB_RPTR_HI),
        .write = amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_WPTR, SDMA0_RLC0_RB_WPTR_HI),
        .vmid = REG_GET(control, SDMA0_RLC0_RB_CNTL__RB_VMID),
        .doorbell_index = REG_GET(*amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_DOORBELL_OFFSET),
                                  SDMA0_RLC0_DOORBELL_OFFSET__OFFSET) /
                          2,
        .has_doorbell = REG_GET(*amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_DOORBELL),
                                SDMA0_RLC0_DOORBELL__ENABLE),
        .is_private = REG_GET(control, SDMA0_RLC0_RB_CNTL__RB_PRIV),
        .keeps_in_buffer = !REG_GET(buffers, SDMA0_RLC0_IB_CNTL__SWITCH_INSIDE_IB),
    };

    if (REG_GET(control, SDMA0_RLC0_RB_CNTL__RPTR_WRITEBACK_ENABLE))
        ring.read_report =
            amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_RPTR_ADDR_LO, SDMA0_RLC0_RB_RPTR_ADDR_HI) &
            ~UINT64_C(3);
    if (REG_GET(poll, SDMA0_RLC0_RB_WPTR_POLL_CNTL__ENABLE) ||
        REG_GET(poll, SDMA0_RLC0_RB_WPTR_POLL_CNTL__F32_POLL_ENABLE))
        ring.write_poll = amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_WPTR_POLL_ADDR_LO,
                                         SDMA0_RLC0_RB_WPTR_POLL_ADDR_HI) &
                          ~UINT64_C(3);
    amd_sdma_load(sdma, queue_id, &ring);
}

static void amd_sdma_write_queue(struct amd_sdma *sdma, uint32_t queue_id, uint32_t offset,
                                 uint32_t old, uint32_t written)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    switch (offset) {
    case SDMA0_RLC0_RB_CNTL:
        if (REG_GET(written & ~old, SDMA0_RLC0_RB_CNTL__RB_ENABLE))
            amd_sdma_enable(sdma, queue_id);
        else if (REG_GET(old & ~written, SDMA0_RLC0_RB_CNTL__RB_ENABLE))
            amd_sdma_unload(sdma, queue_id);
        break;
    case SDMA0_RLC0_RB_WPTR:
    case SDMA0_RLC0_RB_WPTR_HI:
        if (!REG_GET(*amd_sdma_reg(sdma, queue_id, SDMA0_RLC0_MINOR_PTR_UPDATE),
                     SDMA0_RLC0_MINOR_PTR_UPDATE__ENABLE))
            amd_sdma_written(
                sdma, queue_id,
                amd_sdma_reg64(sdma, queue_id, SDMA0_RLC0_RB_WPTR, SDMA0_RLC0_RB_WPTR_HI));
        break;
    case SDMA0_RLC0_DOORBELL:
        queue->has_doorbell = REG_GET(written, SDMA0_RLC0_DOORBELL__ENABLE);
        break;
    default:
        break;
    }
}

void amd_sdma_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                    uint32_t written)
{
    struct amd_sdma *sdma = unit;

    if (window == sdma->queue_window) {
        const uint32_t queue_id = amd_sdma_place_queue(sdma->place, &offset);

        amd_sdma_write_queue(sdma, queue_id, offset, old, written);
    } else if (offset == SDMA0_F32_CNTL && REG_GET(old & ~written, SDMA0_F32_CNTL__HALT))
        amd_sdma_turn(sdma);
}

void amd_sdma_add_windows(struct amd_sdma *sdma)
{
    const struct amd_sdma_place *place = sdma->place;
    const uint32_t base = AMD_SDMA_BASE(sdma->engine);

    sdma->window = machine_add_window(sdma->machine, sdma->unit, &amd_sdma_list, base, ENGINE_BYTES,
                                      sdma->engine);
    sdma->queue_window = machine_add_part(sdma->machine, sdma->unit, place->list, base,
                                          place->start, AMD_SDMA_QUEUES_MAX * place->stride_bytes);
    if (sdma->queue_window)
        sdma->queue_window->instance = sdma->engine;
    if (!sdma->window || !sdma->queue_window) /* machine_seal() fails */
        sdma->window = sdma->queue_window = NULL;
}

/* ---- loading and leaving --------------------------------------------------------------------- */

bool amd_sdma_load(struct amd_sdma *sdma, uint32_t queue_id, const struct amd_sdma_ring *ring)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->phase != AMD_QUEUE_EMPTY || ring->byte_count < 4 ||
        (ring->byte_count & (ring->byte_count - 1)) != 0)
        return false;
    *queue = (struct amd_sdma_queue){.address = ring->address,
                                     .byte_count = ring->byte_count,
                                     .read = ring->read & ~UINT64_C(3),
                                     .write = ring->write & ~UINT64_C(3),
                                     .read_report = ring->read_report,
                                     .write_poll = ring->write_poll,
                                     .vmid = ring->vmid % AMD_VMIDS,
                                     .doorbell_index = ring->doorbell_index,
                                     .has_doorbell = ring->has_doorbell,
                                     .is_private = ring->is_private,
                                     .keeps_in_buffer = ring->keeps_in_buffer,
                                     .mqd_address = ring->mqd_address,
                                     .buffer = ring->buffer,
                                     .buffer_dwords = ring->buffer_dwords,
                                     .buffer_at = ring->buffer_at,
                                     .phase = AMD_QUEUE_IDLE,
                                     .generation = queue->generation + 1};
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_LOAD, RULE_NONE, sdma->engine, queue_id,
                queue->doorbell_index, queue->vmid, queue->address, queue->byte_count, queue->read,
                queue->write);
    if (amd_sdma_left(sdma, queue_id) > 0)
        queue->phase = AMD_QUEUE_READY;
    amd_sdma_show(sdma, queue_id);
    if (queue->write_poll != 0)
        amd_sdma_poll(sdma, queue_id);
    amd_sdma_turn(sdma);
    return true;
}

void amd_sdma_leave(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    amd_sdma_unblock(sdma, queue_id);
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_LEAVE, RULE_NONE, sdma->engine, queue_id,
                queue->doorbell_index, queue->read);
    amd_sdma_show(sdma, queue_id);
    if (queue->mqd_address != 0)
        amd_sdma_save(sdma, queue_id);
    queue->phase = AMD_QUEUE_EMPTY;
    queue->leaving = 0;
    queue->generation++;
    if (sdma->client.left)
        sdma->client.left(sdma->client.client, sdma->engine, queue_id);
}

void amd_sdma_unload(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->phase == AMD_QUEUE_EMPTY)
        return;
    if (sdma->state->busy && sdma->state->turn == queue_id) { /* also if it has been stopped */
        queue->leaving = 1;
        return;
    }
    amd_sdma_leave(sdma, queue_id);
    amd_sdma_turn(sdma); /* it may have kept the engine */
}

void amd_sdma_poll(struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    uint64_t write;

    if (queue->phase != AMD_QUEUE_STOPPED &&
        amd_sdma_watch(sdma, queue_id, AMD_SDMA_WRITE_POINTER + queue_id, queue->write_poll) &&
        amd_sdma_read(sdma, queue_id, queue->write_poll, &write, sizeof write) &&
        machine_inject(sdma->machine, sdma->unit, AMD_INJECT_WPTR, queue->doorbell_index, &write,
                       sizeof write))
        amd_sdma_written(sdma, queue_id, write);
}
