/* SPDX-License-Identifier: MIT */
/*
 * The completion values that a replay is checked against: for each place that the recording's
 * GPU_WRITE records name, did the emulated GPU leave the last value there?
 *
 * Places are looked up in guest memory, before the memory goes or at the end.  What a GPU that
 * copies puts there later is no fault: a place is reached, too, once it was released as often as in
 * the recording, and last with the recorded value.  Private to replay.c.
 */
#ifndef GFE_EMU_REPLAY_CHECK_H
#define GFE_EMU_REPLAY_CHECK_H

#include <stdint.h>

#include "emu/replay/replay.h"

/* While the machine is being wired. */
void replay_check_init(struct replay *replay);
/* Each place is looked up and logged once: when its address space loses the memory, */
void replay_check_fences(struct replay *replay, uint32_t as_id, uint64_t from, uint64_t bytes);
/* when its channel ends, by the number of that record, */
void replay_check_channel(struct replay *replay, uint64_t record_number);
/* or at the end of all. */
void replay_check_rest(struct replay *replay);
/* Looks up and logs a channel's last fence of the driver model. */
void replay_check_driver(struct replay *replay, uint32_t channel_id,
                         const struct driver_fence *place);

#endif
