/* SPDX-License-Identifier: MIT */
/* Where queues of AMD's stand in their streams: the packet at hand and those behind it, decoded. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_decode.h"
#include "devices/amd/formats/amd_pm4.h"
#include "emu/sim/amd_node.h"
#include "emu/debug/debug_private.h"
#include "emu/log/gpu_words.h"

enum {
    SLOT_DWORDS = 1024, /* that are read of a stream */
    SLOTS_SHOWN = 8,    /* of queues with something to do; more are counted */
};

/* The slot, its queue, and which packet or dword is at hand. */
static void slot_head(uint32_t slot_id, const struct amd_mec_stream *stream, FILE *file)
{
    char slot[GPU_WORDS_BYTES];

    fprintf(file, "%s: queue %" PRIu32 ", ", gpu_words_slot(slot_id, slot), stream->doorbell_index);
    if (stream->ib.dword_count > 0)
        fprintf(file, "dword %" PRIu32 " of %" PRIu32 " of the indirect buffer at 0x%" PRIx64 "\n",
                stream->ib.at, stream->ib.dword_count, stream->ib.address);
    else
        fprintf(file, "%s %" PRIu64 " of %" PRIu64 " written\n",
                stream->is_aql ? "packet" : "dword", stream->read, stream->write);
}

static void slot_packets(struct amd_mec *mec, uint32_t slot_id, const struct amd_mec_stream *stream,
                         uint32_t context, FILE *file)
{
    uint32_t dwords[SLOT_DWORDS];
    struct amd_reader reader = {.dwords = dwords};
    struct amd_packet packet;
    bool is_there = true;

    reader.count = amd_mec_stream_read(mec, slot_id, stream, dwords, SLOT_DWORDS);
    for (uint32_t i = 0; i <= context && is_there; i++) {
        is_there = stream->is_aql && stream->ib.dword_count == 0 ? amd_aql_next(&reader, &packet)
                                                                 : amd_pm4_next(&reader, &packet);
        if (!is_there)
            break;
        fputs(i == 0 ? "    => " : "       ", file);
        amd_decode_print(file, &packet, 4 * (uint64_t)packet.at);
    }
}

bool debug_slots_print(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error)
{
    const struct inspect_subject subject = any_simulation_subject(&debug->simulation);
    struct amd_mec *mec = &subject.node->gpu.mec;
    struct machine_snapshot *snapshot = debug_hold(debug, error);
    uint32_t shown = 0, more = 0;

    if (!snapshot)
        return false;
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++) {
        struct amd_mec_stream stream;

        if (!amd_mec_stream(mec, slot_id, &stream) ||
            (stream.read >= stream.write && stream.ib.dword_count == 0))
            continue;
        if (shown == SLOTS_SHOWN) {
            more++;
            continue;
        }
        shown++;
        slot_head(slot_id, &stream, file);
        slot_packets(mec, slot_id, &stream, context, file);
    }
    if (more > 0)
        fprintf(file, "and %" PRIu32 " more queues with something to do (who)\n", more);
    return debug_put_back(debug, snapshot, error);
}
