/* SPDX-License-Identifier: MIT */
/* What a summary says of an AMD GPU besides: its queues, their packets, the slots that they had. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/summary/summary_private.h"

/* AQL's types of packets (devices/amd/formats/amd_aql.h): others are vendor-specific. */
enum { AQL_DISPATCH = 2, AQL_BARRIER_AND = 3, AQL_BARRIER_OR = 5 };

/* ---- events ---------------------------------------------------------------------------------- */

void summary_amd_take(struct summary_amd *amd, enum summary_amd_row row, const uint64_t *values)
{
    switch (row) {
    case SUMMARY_AMD_QUEUE:
        amd->queue_count++;
        break;
    case SUMMARY_AMD_SDMA_QUEUE:
        amd->sdma_queue_count++;
        break;
    case SUMMARY_AMD_PACKET: /* is it AQL, type */
        amd->dispatch_count += values[0] && values[1] == AQL_DISPATCH;
        amd->barrier_count +=
            values[0] && (values[1] == AQL_BARRIER_AND || values[1] == AQL_BARRIER_OR);
        amd->pm4_count += !values[0];
        break;
    case SUMMARY_AMD_SDMA_PACKET:
        amd->sdma_packet_count++;
        break;
    case SUMMARY_AMD_SIGNAL:
        amd->signal_count++;
        break;
    case SUMMARY_AMD_LOAD: /* slot; those of the second micro engine are the driver's own */
        if (values[0] >= GPU_WORDS_MEC_QUEUES)
            break;
        amd->slots_used |= UINT64_C(1) << values[0];
        amd->load_count++;
        break;
    case SUMMARY_AMD_PREEMPT: /* though it has work */
        amd->preempt_count++;
        amd->busy_count += values[0] != 0;
        break;
    case SUMMARY_AMD_SAVE: /* bytes */
        amd->save_count++;
        amd->saved_bytes += values[0];
        break;
    }
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
