/* SPDX-License-Identifier: MIT */
/* Counts of an AMD GPU's queues, packets and slots, and functions that print them.  Private to
 * summary*.c. */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_AMD_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_AMD_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/analysis/model/model.h"

struct summary_amd {
    uint64_t queue_count, sdma_queue_count; /* queues made; queue_count counts both kinds */
    uint64_t dispatch_count, barrier_count, pm4_count, sdma_packet_count, signal_count;
    uint64_t slots_used; /* a bit for each slot that had a queue */
    uint64_t load_count, preempt_count, busy_count, save_count, saved_bytes;
};

/* The next four functions count a record of the model. */
void summary_amd_packet(struct summary_amd *amd, const struct model_packet *packet);
void summary_amd_loaded(struct summary_amd *amd, const struct model_queue *queue);
void summary_amd_preempted(struct summary_amd *amd, const struct model_slot *slot);
void summary_amd_saved(struct summary_amd *amd, const struct model_queue *queue);
/* Prints the counts as text. */
void summary_amd_print(FILE *file, const struct summary_amd *amd);
/* Returns the counts as JSON, which the caller owns, or NULL when memory is short. */
json_t *summary_amd_json(const struct summary_amd *amd);

#endif
