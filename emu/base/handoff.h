/* SPDX-License-Identifier: MIT */
/*
 * Two threads with a short ring of slots between them: one fills slots, the other takes them, in
 * order.  For work that has no say in what is simulated (compressing, reading ahead): what comes
 * out is the same with and without it.  What a slot is, its owner knows; here they are numbers.
 */
#ifndef GFE_EMU_HANDOFF_H
#define GFE_EMU_HANDOFF_H

#include <stdbool.h>
#include <stdint.h>

enum { HANDOFF_SLOTS = 4, HANDOFF_NONE = HANDOFF_SLOTS };

struct handoff;

/* Starts a thread that runs `work`, with all signals blocked.  NULL when that cannot be had: then
 * do the work yourself. */
struct handoff *handoff_start(void (*work)(struct handoff *handoff, void *context), void *context);
/* The filler: waits for a free slot.  HANDOFF_NONE: the other side has stopped. */
uint32_t handoff_fill(struct handoff *handoff);
void handoff_filled(struct handoff *handoff); /* that slot is ready */
/* The taker: waits for a ready slot, which stays its own until handoff_taken().  HANDOFF_NONE: the
 * other side has stopped and there are no more. */
uint32_t handoff_take(struct handoff *handoff);
void handoff_taken(struct handoff *handoff); /* that slot is free */
/* Either side: fills no more, or takes no more. */
void handoff_stop(struct handoff *handoff);
/* Waits for the thread to return, which it must be about to do, and frees. */
void handoff_end(struct handoff *handoff);

#endif
