/* SPDX-License-Identifier: MIT */
/* Where slots' queues stand in their rings, for who looks. */
#include <config.h>

#include "devices/amd/amd_mec_private.h"

bool amd_mec_stream(const struct amd_mec *mec, uint32_t slot_id, struct amd_mec_stream *stream)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (!amd_mec_active(mec, slot_id))
        return false;
    *stream = (struct amd_mec_stream){.doorbell_index = amd_mec_doorbell_of(mec, slot_id),
                                      .is_aql = amd_mec_is_aql(mec, slot_id),
                                      .read = queue->read,
                                      .write = queue->write};
    if (queue->ib_depth > 0)
        stream->ib = queue->ibs[queue->ib_depth - 1];
    return true;
}

/* As many as lie there. */
static uint32_t read_at(struct amd_mec *mec, uint32_t slot_id, uint64_t address, uint32_t *dwords,
                        uint64_t count)
{
    return amd_mec_peek(mec, slot_id, address, dwords, count * sizeof *dwords) ? (uint32_t)count
                                                                               : 0;
}

uint32_t amd_mec_stream_read(struct amd_mec *mec, uint32_t slot_id,
                             const struct amd_mec_stream *stream, uint32_t *dwords, uint32_t count)
{
    const uint32_t unit = stream->is_aql ? AMD_AQL_DWORDS : 1;
    const uint64_t ring = amd_mec_ring(mec, slot_id) * unit;
    const uint64_t base = amd_mec_reg64(mec, slot_id, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8;
    const uint64_t from = amd_mec_in_ring(mec, slot_id, stream->read) * unit;
    const uint64_t there = stream->write > stream->read ? stream->write - stream->read : 0;
    uint32_t got;

    if (stream->ib.dword_count > 0) {
        const uint32_t left = stream->ib.dword_count - stream->ib.at;

        return read_at(mec, slot_id, stream->ib.address + 4 * (uint64_t)stream->ib.at, dwords,
                       left < count ? left : count);
    }
    if (there < count / unit)
        count = (uint32_t)there * unit;
    if (ring == 0 || count > ring)
        return 0;
    got = read_at(mec, slot_id, base + 4 * from, dwords, ring - from < count ? ring - from : count);
    if (got == ring - from && got < count)
        got += read_at(mec, slot_id, base, dwords + got, count - got);
    return got;
}
