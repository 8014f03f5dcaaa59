/* SPDX-License-Identifier: MIT */
/*
 * Two threads with a short ring of slots between them.  One thread fills slots, and the other takes
 * them in the same order.
 *
 * The ring serves work that cannot change what is simulated, such as compressing or reading ahead.
 * The output is the same with and without the second thread.  Slots are plain numbers here; their
 * owner decides what a slot holds.
 */
#ifndef GFE_EMU_BASE_HANDOFF_H
#define GFE_EMU_BASE_HANDOFF_H

#include <stdbool.h>
#include <stdint.h>

enum { HANDOFF_SLOTS = 4, HANDOFF_NONE = HANDOFF_SLOTS };

struct handoff;

/* Starts a thread that runs `work` with all signals blocked.  Returns NULL if that fails; the
 * caller then does the work itself. */
struct handoff *handoff_start(void (*work)(struct handoff *handoff, void *context), void *context);
/* Waits for a free slot; for the filling thread.  Returns `HANDOFF_NONE` if the other side has
 * stopped. */
uint32_t handoff_fill(struct handoff *handoff);
/* Marks that slot as ready. */
void handoff_filled(struct handoff *handoff);
/* Waits for a ready slot; for the taking thread, which owns the slot until handoff_taken().
 * Returns `HANDOFF_NONE` if the other side has stopped and no slot is ready. */
uint32_t handoff_take(struct handoff *handoff);
/* Marks that slot as free. */
void handoff_taken(struct handoff *handoff);
/* Stops filling or taking; either side may call it. */
void handoff_stop(struct handoff *handoff);
/* Waits until the thread returns, then frees the ring.  The thread must be about to return. */
void handoff_end(struct handoff *handoff);

#endif
