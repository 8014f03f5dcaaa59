/* SPDX-License-Identifier: MIT */
/* What SDMA packets do. */
#include <config.h>

#include <string.h>

#include "devices/amd/amd_atomic.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_effect.h"
#include "devices/amd/formats/amd_sdma_fields.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"

enum {
    ATOMIC_COMPARE_SWAP = 0x08,
    FILL_DWORDS = 2,
};

static enum amd_sdma_result amd_sdma_result_of(bool ok)
{
    return ok ? AMD_SDMA_DONE : AMD_SDMA_STOPS;
}

/* Writes a word of 4 or 8 bytes. */
static bool amd_sdma_put(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address, uint64_t value,
                         uint32_t bytes)
{
    MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_WRITE, RULE_NONE, sdma->engine, queue_id,
                amd_sdma_queue(sdma, queue_id)->doorbell_index, address, value, bytes);
    return amd_sdma_store(sdma, queue_id, address, &value, bytes);
}

/* Writes a word of 4 or 8 bytes that announces completion. */
static bool amd_sdma_complete(struct amd_sdma *sdma, uint32_t queue_id, uint64_t address,
                              uint64_t value, uint32_t bytes)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    struct amd_inject_write write = {.address = address,
                                     .value = value,
                                     .space_id = amd_vm_space(sdma->vm, queue->vmid),
                                     .bytes = bytes,
                                     .writer = AMD_INJECT_BY_SDMA,
                                     .engine = sdma->engine,
                                     .slot = queue_id};

    if (!machine_inject(sdma->machine, sdma->unit, AMD_INJECT_RELEASE, queue->doorbell_index,
                        &write, sizeof write))
        return true;
    if (!amd_sdma_put(sdma, queue_id, write.address, write.value, bytes))
        return false;
    amd_vm_released(sdma->vm, queue->vmid, write.address, (uint32_t)write.value);
    return true;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static enum amd_sdma_result amd_sdma_copy_linear(struct amd_sdma *sdma, uint32_t queue_id,
                                                 const uint32_t *dwords)
{
    sdma->state->job =
        (struct amd_sdma_job){.kind = AMD_SDMA_JOB_COPY,
                              .from.base = amd_get(dwords, AMD_SDMA_COPY_LINEAR_SRC_ADDR),
                              .to.base = amd_get(dwords, AMD_SDMA_COPY_LINEAR_DST_ADDR),
                              .row_bytes = amd_get(dwords, AMD_SDMA_COPY_LINEAR_COUNT) + 1,
                              .row_count = 1,
                              .slice_count = 1};
    return amd_sdma_begin_job(sdma, queue_id);
}

#define SUBWIN(field) amd_get(dwords, AMD_SDMA_COPY_LINEAR_SUBWIN_##field)

/* A rectangle, or a box; positions and pitches count elements. */
static enum amd_sdma_result amd_sdma_copy_subwin(struct amd_sdma *sdma, uint32_t queue_id,
                                                 const uint32_t *dwords)
{
    const uint32_t shift = (uint32_t)SUBWIN(ELEMENTSIZE);
    struct amd_sdma_job job = {.kind = AMD_SDMA_JOB_COPY,
                               .from = {.pitch = (SUBWIN(SRC_PITCH) + 1) << shift,
                                        .slice = (SUBWIN(SRC_SLICE_PITCH) + 1) << shift},
                               .to = {.pitch = (SUBWIN(DST_PITCH) + 1) << shift,
                                      .slice = (SUBWIN(DST_SLICE_PITCH) + 1) << shift},
                               .row_bytes = (SUBWIN(RECT_X) + 1) << shift,
                               .row_count = (uint32_t)SUBWIN(RECT_Y) + 1,
                               .slice_count = (uint32_t)SUBWIN(RECT_Z) + 1};

    job.from.base = SUBWIN(SRC_ADDR) + (SUBWIN(SRC_X) << shift) + SUBWIN(SRC_Y) * job.from.pitch +
                    SUBWIN(SRC_Z) * job.from.slice;
    job.to.base = SUBWIN(DST_ADDR) + (SUBWIN(DST_X) << shift) + SUBWIN(DST_Y) * job.to.pitch +
                  SUBWIN(DST_Z) * job.to.slice;
    sdma->state->job = job;
    return amd_sdma_begin_job(sdma, queue_id);
}

/* The count is of bytes, less one; of dwords the last whole one counts. */
static enum amd_sdma_result amd_sdma_fill(struct amd_sdma *sdma, uint32_t queue_id,
                                          const uint32_t *dwords)
{
    const bool by_dword = amd_get(dwords, AMD_SDMA_CONSTANT_FILL_FILLSIZE) == FILL_DWORDS;
    const uint32_t value = (uint32_t)amd_get(dwords, AMD_SDMA_CONSTANT_FILL_SRC_DATA);
    const uint64_t count = amd_get(dwords, AMD_SDMA_CONSTANT_FILL_COUNT);

    sdma->state->job =
        (struct amd_sdma_job){.kind = AMD_SDMA_JOB_FILL,
                              .to.base = amd_get(dwords, AMD_SDMA_CONSTANT_FILL_DST_ADDR),
                              .row_bytes = by_dword ? (count & ~UINT64_C(3)) + 4 : count + 1,
                              .row_count = 1,
                              .slice_count = 1,
                              .value = by_dword ? value : (value & 0xff) * UINT32_C(0x01010101)};
    return amd_sdma_begin_job(sdma, queue_id);
}

static enum amd_sdma_result amd_sdma_write_untiled(struct amd_sdma *sdma, uint32_t queue_id,
                                                   const uint32_t *dwords)
{
    sdma->state->job = (struct amd_sdma_job){
        .kind = AMD_SDMA_JOB_WRITE,
        .from.base = AMD_BITS_DWORDS(AMD_SDMA_WRITE_UNTILED_SW) * 4, /* in the ring, ahead */
        .to.base = amd_get(dwords, AMD_SDMA_WRITE_UNTILED_DST_ADDR) & ~UINT64_C(3),
        .row_bytes = 4 * (amd_get(dwords, AMD_SDMA_WRITE_UNTILED_COUNT) + 1),
        .row_count = 1,
        .slice_count = 1};
    return amd_sdma_begin_job(sdma, queue_id);
}

/* ---- words ----------------------------------------------------------------------------------- */

static enum amd_sdma_result amd_sdma_atomic(struct amd_sdma *sdma, uint32_t queue_id,
                                            const uint32_t *dwords)
{
    const uint32_t operation = (uint32_t)amd_get(dwords, AMD_SDMA_ATOMIC_ATOMIC_OP);
    const uint32_t bytes = operation & 0x20 ? 8 : 4;
    const uint64_t address = amd_get(dwords, AMD_SDMA_ATOMIC_ADDR) & ~(uint64_t)(bytes - 1);
    const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t compared = amd_get(dwords, AMD_SDMA_ATOMIC_CMP_DATA) & mask;
    uint64_t value = 0;

    if (!amd_sdma_read(sdma, queue_id, address, &value, bytes))
        return AMD_SDMA_STOPS;
    if (amd_get(dwords, AMD_SDMA_ATOMIC_LOOP) && (operation & 0x1f) == ATOMIC_COMPARE_SWAP &&
        value != compared) {
        if (!amd_sdma_watch(sdma, queue_id, AMD_SDMA_WATCH + queue_id, address))
            return AMD_SDMA_STOPS;
        amd_sdma_block(sdma, queue_id, RULE_AMD_SDMA_POLL, address);
        amd_sdma_queue(sdma, queue_id)->phase = AMD_QUEUE_BLOCKED;
        return AMD_SDMA_WAITS;
    }
    if (!amd_atomic(operation, amd_get(dwords, AMD_SDMA_ATOMIC_SRC_DATA), compared, &value)) {
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_SDMA,
                    amd_loss_name(amd_loss_at(amd_loss_of(AMD_PACKET_SDMA, "ATOMIC"))), operation);
        return AMD_SDMA_DONE;
    }
    return amd_sdma_result_of(amd_sdma_complete(sdma, queue_id, address, value & mask, bytes));
}

static enum amd_sdma_result amd_sdma_timestamp(struct amd_sdma *sdma, uint32_t queue_id,
                                               uint32_t code, const uint32_t *dwords)
{
    const struct clock_domain clock = {.frequency_hz = sdma->chip->reference_hz};
    const uint64_t now = clock_cycle_at(&clock, machine_now(sdma->machine));

    if (code == AMD_SDMA_CODE_TIMESTAMP_SET) {
        sdma->state->clock_offset = amd_get(dwords, AMD_SDMA_TIMESTAMP_SET_INIT_DATA) - now;
        return AMD_SDMA_DONE;
    }
    machine_vm_wrote_own(sdma->machine,
                         amd_vm_space(sdma->vm, amd_sdma_queue(sdma, queue_id)->vmid),
                         amd_get(dwords, AMD_SDMA_TIMESTAMP_GET_WRITE_ADDR), 8);
    return amd_sdma_result_of(amd_sdma_put(
        sdma, queue_id, amd_get(dwords, AMD_SDMA_TIMESTAMP_GET_WRITE_ADDR),
        code == AMD_SDMA_CODE_TIMESTAMP_GET ? now + sdma->state->clock_offset : now, 8));
}

/* Registers are for the driver's queues. */
static enum amd_sdma_result amd_sdma_srbm_write(struct amd_sdma *sdma, uint32_t queue_id,
                                                const uint32_t *dwords)
{
    const uint32_t offset = 4 * (uint32_t)amd_get(dwords, AMD_SDMA_SRBM_WRITE_ADDR);
    const uint32_t enabled = (uint32_t)amd_get(dwords, AMD_SDMA_SRBM_WRITE_BYTE_EN);
    uint32_t mask = 0;

    if (!amd_sdma_queue(sdma, queue_id)->is_private) {
        amd_sdma_stop(sdma, queue_id, AMD_IH_SDMA_SRBM_WRITE);
        return AMD_SDMA_STOPS;
    }
    for (uint32_t byte = 0; byte < 4; byte++)
        mask |= enabled >> byte & 1 ? UINT32_C(0xff) << 8 * byte : 0;
    if (mask != UINT32_MAX)
        mask = (machine_read32(sdma->machine, offset) & ~mask) | (dwords[2] & mask);
    else
        mask = dwords[2];
    machine_write32(sdma->machine, offset, mask);
    return AMD_SDMA_DONE;
}

/* ---- the way of packets ---------------------------------------------------------------------- */

/* COND_EXE, PRE_EXE: skips the dwords that follow unless the packet's condition holds. */
static enum amd_sdma_result amd_sdma_conditional(struct amd_sdma *sdma, uint32_t queue_id,
                                                 const uint32_t *dwords, bool by_memory)
{
    uint32_t value;

    if (!by_memory) {
        if (!(amd_get(dwords, AMD_SDMA_PRE_EXE_DEV_SEL) & 1)) /* the only device */
            amd_sdma_skip(sdma, queue_id, amd_get(dwords, AMD_SDMA_PRE_EXE_EXEC_COUNT));
        return AMD_SDMA_DONE;
    }
    if (!amd_sdma_read(sdma, queue_id, amd_get(dwords, AMD_SDMA_COND_EXE_ADDR) & ~UINT64_C(3),
                       &value, sizeof value))
        return AMD_SDMA_STOPS;
    if (value != amd_get(dwords, AMD_SDMA_COND_EXE_REFERENCE))
        amd_sdma_skip(sdma, queue_id, amd_get(dwords, AMD_SDMA_COND_EXE_EXEC_COUNT));
    return AMD_SDMA_DONE;
}

/* The ring's read pointer is behind the packet already. */
static enum amd_sdma_result amd_sdma_indirect(struct amd_sdma *sdma, uint32_t queue_id,
                                              const uint32_t *dwords, bool in_buffer)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (in_buffer) {
        amd_sdma_stop(sdma, queue_id, AMD_IH_SDMA_BAD_OPCODE);
        return AMD_SDMA_STOPS;
    }
    queue->buffer = amd_get(dwords, AMD_SDMA_INDIRECT_IB_BASE) & ~UINT64_C(3);
    queue->buffer_dwords = (uint32_t)amd_get(dwords, AMD_SDMA_INDIRECT_IB_SIZE);
    queue->buffer_at = 0;
    return AMD_SDMA_DONE;
}

/* Logs what the packet loses of its effect. */
static enum amd_sdma_result amd_sdma_other(struct amd_sdma *sdma, const struct amd_packet *packet)
{
    const size_t index = amd_loss_of(AMD_PACKET_SDMA, packet->layout->name);
    const struct amd_loss *loss = amd_loss_at(index) ? amd_loss_hit(index, packet->dwords) : NULL;

    if (loss)
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_SDMA,
                    amd_loss_name(loss),
                    loss->bits ? amd_get(packet->dwords, loss->bits) : packet->dwords[0]);
    return AMD_SDMA_DONE;
}

/* Carries out packets that take effect after the ring's read pointer has passed them. */
static enum amd_sdma_result amd_sdma_do(struct amd_sdma *sdma, uint32_t queue_id,
                                        const struct amd_packet *packet, bool in_buffer)
{
    const uint32_t *dwords = packet->dwords;

    switch (packet->code) {
    case AMD_SDMA_OP_NOP:
    case AMD_SDMA_OP_DUMMY_TRAP:
        return AMD_SDMA_DONE;
    case AMD_SDMA_OP_POLL_REGMEM: /* of memory: it has been true */
        return amd_sdma_other(sdma, packet);
    case AMD_SDMA_OP_FENCE:
        return amd_sdma_result_of(amd_sdma_complete(
            sdma, queue_id, amd_get(dwords, AMD_SDMA_FENCE_ADDR) & ~UINT64_C(3), dwords[3], 4));
    case AMD_SDMA_OP_TRAP:
        if (amd_sdma_traps(sdma))
            amd_sdma_interrupt(sdma, queue_id, AMD_IH_SDMA_TRAP,
                               (uint32_t)amd_get(dwords, AMD_SDMA_TRAP_INT_CONTEXT));
        return AMD_SDMA_DONE;
    case AMD_SDMA_CODE_TIMESTAMP_SET:
    case AMD_SDMA_CODE_TIMESTAMP_GET:
    case AMD_SDMA_CODE_TIMESTAMP_GET_GLOBAL:
        return amd_sdma_timestamp(sdma, queue_id, packet->code, dwords);
    case AMD_SDMA_OP_SRBM_WRITE:
        return amd_sdma_srbm_write(sdma, queue_id, dwords);
    case AMD_SDMA_OP_COND_EXE:
    case AMD_SDMA_OP_PRE_EXE:
        return amd_sdma_conditional(sdma, queue_id, dwords, packet->code == AMD_SDMA_OP_COND_EXE);
    case AMD_SDMA_OP_INDIRECT:
        return amd_sdma_indirect(sdma, queue_id, dwords, in_buffer);
    default:
        return amd_sdma_other(sdma, packet);
    }
}

/* Packets that the queue stays at until their effect is complete. */
static bool amd_sdma_do_first(struct amd_sdma *sdma, uint32_t queue_id,
                              const struct amd_packet *packet, enum amd_sdma_result *result)
{
    switch (packet->code) {
    case AMD_SDMA_CODE_COPY_LINEAR:
        if (amd_get(packet->dwords, AMD_SDMA_COPY_LINEAR_BROADCAST))
            return false;
        *result = amd_sdma_copy_linear(sdma, queue_id, packet->dwords);
        return true;
    case AMD_SDMA_CODE_COPY_LINEAR_SUBWIN:
        *result = amd_sdma_copy_subwin(sdma, queue_id, packet->dwords);
        return true;
    case AMD_SDMA_OP_WRITE:
        *result = amd_sdma_write_untiled(sdma, queue_id, packet->dwords);
        return true;
    case AMD_SDMA_OP_CONSTANT_FILL:
        *result = amd_sdma_fill(sdma, queue_id, packet->dwords);
        return true;
    case AMD_SDMA_OP_ATOMIC:
        *result = amd_sdma_atomic(sdma, queue_id, packet->dwords);
        if (*result == AMD_SDMA_DONE)
            amd_sdma_skip(sdma, queue_id, packet->said_dwords);
        return true;
    default:
        return false;
    }
}

enum amd_sdma_result amd_sdma_execute(struct amd_sdma *sdma, uint32_t queue_id)
{
    const bool in_buffer = amd_sdma_queue(sdma, queue_id)->buffer_dwords > 0;
    uint32_t dwords[AMD_SDMA_FIELD_DWORDS] = {0};
    struct amd_packet packet;
    enum amd_sdma_result result = amd_sdma_packet(sdma, queue_id, dwords, &packet);

    amd_sdma_queue(sdma, queue_id)->passed = 0;
    if (result != AMD_SDMA_DONE) /* it has been changed since it was looked at */
        return result;
    sdma->state->job.dwords = 0;
    if (amd_sdma_do_first(sdma, queue_id, &packet, &result)) {
        sdma->state->job.dwords = packet.said_dwords;
        return result;
    }
    amd_sdma_skip(sdma, queue_id, packet.said_dwords);
    if (amd_sdma_queue(sdma, queue_id)->phase == AMD_QUEUE_STOPPED)
        return AMD_SDMA_STOPS;
    return amd_sdma_do(sdma, queue_id, &packet, in_buffer);
}
