/* SPDX-License-Identifier: MIT */
/* Where SDMA packets come from, how long they are, what holds them up. */
#include <config.h>

#include <string.h>

#include "devices/amd/amd_atomic.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_sdma_fields.h"
#include "devices/amd/amd_sdma_private.h"
#include "devices/amd/amd_sdma_tables.h"

uint64_t amd_sdma_left(const struct amd_sdma *sdma, uint32_t queue_id)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->buffer_dwords > 0)
        return queue->buffer_dwords - queue->buffer_at;
    return queue->write > queue->read ? (queue->write - queue->read) / 4 : 0;
}

uint64_t amd_sdma_address(const struct amd_sdma *sdma, uint32_t queue_id, uint64_t ahead_dwords)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);

    if (queue->buffer_dwords > 0)
        return queue->buffer + 4 * (queue->buffer_at + ahead_dwords);
    return queue->address + (queue->read + 4 * ahead_dwords) % queue->byte_count;
}

bool amd_sdma_read_ahead(struct amd_sdma *sdma, uint32_t queue_id, uint64_t ahead, void *data,
                         uint32_t bytes)
{
    const struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    uint8_t *to = data;

    while (bytes > 0) { /* from the ring's end on at its beginning */
        const uint64_t at = (queue->read + ahead) % queue->byte_count;
        const uint64_t left = queue->buffer_dwords > 0 ? UINT32_MAX : queue->byte_count - at;
        const uint32_t some = left < bytes ? (uint32_t)left : bytes;

        if (!amd_sdma_read(sdma, queue_id, amd_sdma_address(sdma, queue_id, ahead / 4) + ahead % 4,
                           to, some))
            return false;
        to += some;
        ahead += some;
        bytes -= some;
    }
    return true;
}

void amd_sdma_skip(struct amd_sdma *sdma, uint32_t queue_id, uint64_t dwords)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    const uint64_t left = amd_sdma_left(sdma, queue_id);
    uint64_t read;

    if (dwords > left)
        dwords = left;
    if (queue->buffer_dwords > 0) {
        queue->buffer_at += (uint32_t)dwords;
        if (queue->buffer_at == queue->buffer_dwords)
            queue->buffer_dwords = queue->buffer_at = 0;
        return;
    }
    queue->read += 4 * dwords;
    read = queue->read;
    if (queue->read_report != 0 && machine_inject(sdma->machine, sdma->unit, AMD_INJECT_RPTR,
                                                  queue->doorbell_index, &read, sizeof read))
        amd_sdma_store(sdma, queue_id, queue->read_report, &read, sizeof read);
}

/* The packet, which is all there, passes where faults are injected: once; what they invert stays so
 * until it is done.  Lost, it becomes NOPs. */
static void amd_sdma_pass(struct amd_sdma *sdma, uint32_t queue_id, uint32_t *dwords,
                          uint32_t count)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    uint32_t before[AMD_SDMA_FIELD_DWORDS];

    if (!queue->passed) {
        memcpy(before, dwords, sizeof before);
        if (!machine_inject(sdma->machine, sdma->unit, AMD_INJECT_SDMA_PACKET,
                            queue->doorbell_index, dwords, count * sizeof *dwords))
            memset(dwords, 0, count * sizeof *dwords);
        for (uint32_t i = 0; i < AMD_SDMA_FIELD_DWORDS; i++)
            queue->inverted[i] = before[i] ^ dwords[i];
        queue->passed = 1;
        return;
    }
    for (uint32_t i = 0; i < AMD_SDMA_FIELD_DWORDS; i++)
        dwords[i] ^= queue->inverted[i];
}

enum amd_sdma_result amd_sdma_packet(struct amd_sdma *sdma, uint32_t queue_id,
                                     uint32_t dwords[AMD_SDMA_FIELD_DWORDS],
                                     struct amd_packet *packet)
{
    const uint64_t left = amd_sdma_left(sdma, queue_id);
    struct amd_reader reader = {.dwords = dwords,
                                .count = left < AMD_SDMA_FIELD_DWORDS ? (uint32_t)left
                                                                      : AMD_SDMA_FIELD_DWORDS};

    if (!amd_sdma_read_ahead(sdma, queue_id, 0, dwords, 4 * reader.count))
        return AMD_SDMA_STOPS;
    if (!amd_sdma_next(&reader, packet))
        return AMD_SDMA_WAITS;
    if (sdma->machine->inject && packet->said_dwords <= left) {
        amd_sdma_pass(sdma, queue_id, dwords,
                      packet->said_dwords < reader.count ? packet->said_dwords : reader.count);
        reader.at = 0;
        if (!amd_sdma_next(&reader, packet))
            return AMD_SDMA_WAITS;
    }
    while (packet->dwords[0] == 0 && packet->said_dwords < reader.count &&
           dwords[packet->said_dwords] == 0)
        packet->said_dwords++; /* NOPs that fill a ring's end */
    if (packet->problem != AMD_UNKNOWN && packet->said_dwords <= left)
        return AMD_SDMA_DONE;
    if (packet->problem != AMD_UNKNOWN && amd_sdma_queue(sdma, queue_id)->buffer_dwords == 0)
        return AMD_SDMA_WAITS; /* the rest has not been written yet */
    amd_sdma_stop(sdma, queue_id, AMD_IH_SDMA_BAD_OPCODE);
    return AMD_SDMA_STOPS;
}

/* POLL_REGMEM of memory. */
static enum amd_sdma_result amd_sdma_ready(struct amd_sdma *sdma, uint32_t queue_id,
                                           const uint32_t *dwords)
{
    const uint64_t address = amd_get(dwords, AMD_SDMA_POLL_REGMEM_ADDR) & ~UINT64_C(3);
    uint32_t value;

    if (!amd_sdma_read(sdma, queue_id, address, &value, sizeof value))
        return AMD_SDMA_STOPS;
    if (amd_compares((uint32_t)amd_get(dwords, AMD_SDMA_POLL_REGMEM_FUNC),
                     value & amd_get(dwords, AMD_SDMA_POLL_REGMEM_MASK),
                     amd_get(dwords, AMD_SDMA_POLL_REGMEM_VALUE)))
        return AMD_SDMA_DONE;
    if (!amd_sdma_watch(sdma, queue_id, AMD_SDMA_WATCH + queue_id, address))
        return AMD_SDMA_STOPS;
    amd_sdma_block(sdma, queue_id, RULE_AMD_SDMA_POLL, address);
    amd_sdma_queue(sdma, queue_id)->phase = AMD_QUEUE_BLOCKED;
    return AMD_SDMA_WAITS;
}

enum amd_sdma_result amd_sdma_fetch(struct amd_sdma *sdma, uint32_t queue_id)
{
    struct amd_sdma_queue *queue = amd_sdma_queue(sdma, queue_id);
    uint32_t dwords[AMD_SDMA_FIELD_DWORDS] = {0};
    struct amd_packet packet;
    enum amd_sdma_result result = amd_sdma_packet(sdma, queue_id, dwords, &packet);

    if (result == AMD_SDMA_WAITS) {
        amd_sdma_unblock(sdma, queue_id);
        queue->phase = AMD_QUEUE_IDLE;
    }
    if (result == AMD_SDMA_DONE && packet.code == AMD_SDMA_OP_POLL_REGMEM &&
        amd_get(dwords, AMD_SDMA_POLL_REGMEM_MEM_POLL))
        result = amd_sdma_ready(sdma, queue_id, dwords);
    if (result == AMD_SDMA_DONE)
        MACHINE_LOG(sdma->machine, sdma->unit, EVENT_AMD_SDMA_PACKET, RULE_NONE, sdma->engine,
                    queue_id, queue->doorbell_index, queue->read, packet.code,
                    amd_sdma_address(sdma, queue_id, 0));
    return result;
}
