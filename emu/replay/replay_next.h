/* SPDX-License-Identifier: MIT */
/*
 * The next record of each thread of a replay.
 *
 * The state says its number; the place in the file is found again from that.  What a call of the
 * driver or a wait says is kept decoded while the thread is in it.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_NEXT_H
#define GFE_EMU_REPLAY_NEXT_H

#include "emu/replay/replay.h"
#include "emu/replay/replay_records.h"

/* The second reading of the trace failed: the run stops with that message. */
void replay_next_unreadable(struct replay *replay, const struct gfe_error *error);

static inline bool replay_next_exists(const struct replay *replay, uint32_t thread_index)
{
    return replay->state->threads[thread_index].next != REPLAY_NO_RECORD;
}

/* Where the thread's next record is, which it has; NULL when the trace cannot be read any more. */
const struct trace_place *replay_next_place(struct replay *replay, uint32_t thread_index);
/* What it says: of a call of the driver or a wait for as long as it is the next, of others until
 * the next call.  NULL as above. */
const struct trace_record *replay_next_record(struct replay *replay, uint32_t thread_index);
/* The thread's next record is now the one behind; `first`: the first of all.  False when the run
 * has failed. */
bool replay_next_advance(struct replay *replay, uint32_t thread_index, bool first);

#endif
