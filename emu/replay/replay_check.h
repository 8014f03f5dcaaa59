/* SPDX-License-Identifier: MIT */
/*
 * Checks a replay against the recording's completion values: whether the emulated GPU left the last
 * value at each place that GPU_WRITE records name.
 *
 * Places are looked up in guest memory, before the memory is freed or at the end.  A later copy of
 * the GPU to a place is no error: a place also counts as reached once it was released as often as
 * in the recording, and last with the recorded value.  Private to replay.c.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_CHECK_H
#define GFE_EMU_REPLAY_REPLAY_CHECK_H

#include <stdint.h>

#include "emu/replay/replay.h"

/* Allocates the state of the checks while the machine is being wired. */
void replay_check_init(struct replay *replay);
/* Looks up and logs the places in a range that an address space is about to lose.  Each place is
 * looked up once, by this function or one of the next two. */
void replay_check_fences(struct replay *replay, uint32_t as_id, uint64_t from, uint64_t bytes);
/* Looks up and logs the places of a channel that the record with that number ends. */
void replay_check_channel(struct replay *replay, uint64_t record_number);
/* Looks up and logs all remaining places at the end. */
void replay_check_rest(struct replay *replay);
/* Looks up and logs a channel's last fence of the driver model. */
void replay_check_driver(struct replay *replay, uint32_t channel_id,
                         const struct driver_fence *place);

#endif
