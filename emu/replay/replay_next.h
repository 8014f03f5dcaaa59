/* SPDX-License-Identifier: MIT */
/*
 * The next record of each thread of a replay.
 *
 * The state has the record's number, from which the place in the file can be found again.  The
 * record of a call of the driver or of a wait is kept decoded while the thread is in it.  Private
 * to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_NEXT_H
#define GFE_EMU_REPLAY_REPLAY_NEXT_H

#include "emu/replay/replay.h"
#include "emu/replay/replay_records.h"

/* Stops the run with that message, because the second reading of the trace failed. */
void replay_next_unreadable(struct replay *replay, const struct gfe_error *error);

static inline bool replay_next_exists(const struct replay *replay, uint32_t thread_index)
{
    return replay->state->threads[thread_index].next != REPLAY_NO_RECORD;
}

/* Returns the place of the thread's next record, which must exist.  Returns NULL if the trace can
 * no longer be read. */
const struct trace_place *replay_next_place(struct replay *replay, uint32_t thread_index);
/* Returns the thread's next record.  The record of a call of the driver or of a wait is valid as
 * long as it is the next; other records are valid until the next call.  Returns NULL if the trace
 * can no longer be read. */
const struct trace_record *replay_next_record(struct replay *replay, uint32_t thread_index);
/* Moves on to the thread's following record or, if `first`, to its first record.  Returns false if
 * the run has failed. */
bool replay_next_advance(struct replay *replay, uint32_t thread_index, bool first);

#endif
