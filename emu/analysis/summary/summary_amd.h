/* SPDX-License-Identifier: MIT */
/* Counts of an AMD GPU's queues, packets and slots, and how they are printed.  Private to
 * summary*.c.
 */
#ifndef GFE_EMU_SUMMARY_AMD_H
#define GFE_EMU_SUMMARY_AMD_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct summary_amd {
    uint64_t queue_count, sdma_queue_count; /* made; the first counts both */
    uint64_t dispatch_count, barrier_count, pm4_count, sdma_packet_count, signal_count;
    uint64_t slots_used; /* a bit each */
    uint64_t load_count, preempt_count, busy_count, save_count, saved_bytes;
};

enum summary_amd_row {
    SUMMARY_AMD_QUEUE,
    SUMMARY_AMD_SDMA_QUEUE,
    SUMMARY_AMD_PACKET,
    SUMMARY_AMD_SDMA_PACKET,
    SUMMARY_AMD_SIGNAL,
    SUMMARY_AMD_LOAD,
    SUMMARY_AMD_PREEMPT,
    SUMMARY_AMD_SAVE,
};

/* Takes an event, of which `values` are what its row in summary_take.c names. */
void summary_amd_take(struct summary_amd *amd, enum summary_amd_row row, const uint64_t *values);
void summary_amd_print(FILE *file, const struct summary_amd *amd);
/* NULL: no memory. */
json_t *summary_amd_json(const struct summary_amd *amd);

#endif
