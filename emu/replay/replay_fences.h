/* SPDX-License-Identifier: MIT */
/*
 * The completion values that a recording ends with.  The first pass over a trace gathers them from
 * its GPU_WRITE records, and the replay looks them up in the emulated memory.  Private to
 * replay_input.c.
 *
 * The last value written to an address counts, unless the program or the GPU wrote other data there
 * afterwards, because a driver reuses the place of a finished query.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_FENCES_H
#define GFE_EMU_REPLAY_REPLAY_FENCES_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/replay/replay.h"

/* The most values that are kept: 20 MiB of values, and 2 MiB for the index. */
enum { REPLAY_FENCES_MAX = 1 << 19 };

struct replay_fences;

/* Makes an empty set.  Returns NULL if memory is short. */
struct replay_fences *replay_fences_new(void);
void replay_fences_free(struct replay_fences *fences);

enum replay_fences_result {
    REPLAY_FENCES_DONE,
    REPLAY_FENCES_FULL, /* it would be one more than REPLAY_FENCES_MAX */
    REPLAY_FENCES_NO_MEMORY,
};

/* Notes that the GPU wrote a value at a virtual address of the fence's space.  write_count and
 * end_number are ignored. */
enum replay_fences_result replay_fences_written(struct replay_fences *fences,
                                                const struct replay_fence *fence);
/* Notes that a channel ended with the record of that number.  Writes of a later channel with the
 * same channel_id are separate values. */
void replay_fences_channel_end(struct replay_fences *fences, uint32_t channel_id,
                               uint64_t record_number);
/* Notes that other data was written there.  Of `bytes`, those up to the end of the page count. */
void replay_fences_overwritten(struct replay_fences *fences, uint32_t as_id, uint64_t address,
                               uint64_t bytes);

/* Returns the remaining values in *sorted, by address, then channel.  The caller frees them; NULL
 * means that there are none.  Returns false if memory is short. */
bool replay_fences_take(const struct replay_fences *fences, struct replay_fence **sorted,
                        uint32_t *count);

#endif
