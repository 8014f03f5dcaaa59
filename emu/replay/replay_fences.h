/* SPDX-License-Identifier: MIT */
/*
 * The completion values that a recording ends with: what the first pass over a trace gathers of its
 * GPU_WRITE records, for the replay to look up in the emulated memory.  Private to replay_input.c.
 *
 * The last value written to an address counts, and only if nothing else was written there
 * afterwards, by the program or by the GPU: a driver hands out the place of a finished query again.
 */
#ifndef GFE_EMU_REPLAY_FENCES_H
#define GFE_EMU_REPLAY_FENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/replay/replay.h"

/* Bounds of what is kept: 20 MiB of values, and 2 MiB to find them by. */
enum { REPLAY_FENCES_MAX = 1 << 19 };

struct replay_fences;

/* NULL when there is no memory. */
struct replay_fences *replay_fences_new(void);
void replay_fences_free(struct replay_fences *fences);

enum replay_fences_result {
    REPLAY_FENCES_DONE,
    REPLAY_FENCES_FULL, /* it would be one more than REPLAY_FENCES_MAX */
    REPLAY_FENCES_NO_MEMORY,
};

/* The GPU wrote a value at a virtual address of the fence's space; write_count and end_number are
 * not looked at. */
enum replay_fences_result replay_fences_written(struct replay_fences *fences,
                                                const struct replay_fence *fence);
/* A channel ended with the record of that number: what a later one of its number writes is another
 * value. */
void replay_fences_channel_end(struct replay_fences *fences, uint32_t channel_id,
                               uint64_t record_number);
/* Something else was written there: `bytes`, of which those up to the end of the page count. */
void replay_fences_overwritten(struct replay_fences *fences, uint32_t as_id, uint64_t address,
                               uint64_t bytes);

/* What is left, by address, then channel; the caller's to free, NULL when there is nothing.  False
 * when there is no memory. */
bool replay_fences_take(const struct replay_fences *fences, struct replay_fence **sorted,
                        uint32_t *count);

#endif
