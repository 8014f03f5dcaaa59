/* SPDX-License-Identifier: MIT */
/* What a summary says of an AMD GPU besides: its queues, their packets, the slots that they had. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/summary/summary_private.h"

/* AQL's types of packets (devices/amd/formats/amd_aql.h): others are vendor-specific. */
enum { AQL_DISPATCH = 2, AQL_BARRIER_AND = 3, AQL_BARRIER_OR = 5 };

/* ---- records --------------------------------------------------------------------------------- */

void summary_amd_packet(struct summary_amd *amd, const struct model_packet *packet)
{
    if (!packet->is_aql) {
        amd->pm4_count++;
        return;
    }
    amd->dispatch_count += packet->code == AQL_DISPATCH;
    amd->barrier_count += packet->code == AQL_BARRIER_AND || packet->code == AQL_BARRIER_OR;
}

/* Slots of the second micro engine are the driver's own. */
void summary_amd_loaded(struct summary_amd *amd, const struct model_queue *queue)
{
    if (queue->slot_id >= GPU_WORDS_MEC_QUEUES)
        return;
    amd->slots_used |= UINT64_C(1) << queue->slot_id;
    amd->load_count++;
}

void summary_amd_preempted(struct summary_amd *amd, const struct model_slot *slot)
{
    amd->preempt_count++;
    amd->busy_count += slot->busy != 0;
}

void summary_amd_saved(struct summary_amd *amd, const struct model_queue *queue)
{
    amd->save_count++;
    amd->saved_bytes += queue->byte_count;
}

/* ---- for people ------------------------------------------------------------------------------ */

void summary_amd_print(FILE *file, const struct summary_amd *amd)
{
    fprintf(file,
            "  packets         %" PRIu64 " dispatch, %" PRIu64 " barrier, %" PRIu64
            " of PM4, %" PRIu64 " of SDMA\n"
            "  signals         %" PRIu64 "\n"
            "  queues          %" PRIu64 ", and %" PRIu64 " of SDMA\n",
            amd->dispatch_count, amd->barrier_count, amd->pm4_count, amd->sdma_packet_count,
            amd->signal_count, amd->queue_count - amd->sdma_queue_count, amd->sdma_queue_count);
    fprintf(file,
            "  slots           %d used: %" PRIu64 " load%s, %" PRIu64 " preemption%s, %" PRIu64
            " with work",
            __builtin_popcountll(amd->slots_used), amd->load_count, amd->load_count == 1 ? "" : "s",
            amd->preempt_count, amd->preempt_count == 1 ? "" : "s", amd->busy_count);
    if (amd->save_count == 1)
        fprintf(file, "\n                  waves saved once, %" PRIu64 " bytes", amd->saved_bytes);
    else if (amd->save_count > 1)
        fprintf(file, "\n                  waves saved %" PRIu64 " times, %" PRIu64 " bytes",
                amd->save_count, amd->saved_bytes);
    fputc('\n', file);
}

/* ---- for programs ---------------------------------------------------------------------------- */

json_t *summary_amd_json(const struct summary_amd *amd)
{
    return json_pack("{sI sI sI sI sI sI sI si sI sI sI sI sI}", "queue_count",
                     (json_int_t)(amd->queue_count - amd->sdma_queue_count), "sdma_queue_count",
                     (json_int_t)amd->sdma_queue_count, "dispatch_packet_count",
                     (json_int_t)amd->dispatch_count, "barrier_packet_count",
                     (json_int_t)amd->barrier_count, "pm4_packet_count", (json_int_t)amd->pm4_count,
                     "sdma_packet_count", (json_int_t)amd->sdma_packet_count, "signal_count",
                     (json_int_t)amd->signal_count, "slot_count",
                     __builtin_popcountll(amd->slots_used), "slot_load_count",
                     (json_int_t)amd->load_count, "preempt_count", (json_int_t)amd->preempt_count,
                     "preempt_busy_count", (json_int_t)amd->busy_count, "save_count",
                     (json_int_t)amd->save_count, "saved_bytes", (json_int_t)amd->saved_bytes);
}
