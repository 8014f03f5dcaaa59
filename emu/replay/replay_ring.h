/* SPDX-License-Identifier: MIT */
/*
 * Replay of layer RING: programs with user-mode queues (KFD, below ROCm's libraries).
 *
 * The driver model makes and takes away queues (driver_ops.ring); packets and what they point to
 * are put into guest memory before the DOORBELL that shows them.  Waits in closed loop: a call of
 * the driver takes as long as it takes; EVENT_WAIT until the GPU's interrupts, and the program
 * itself, have set the events as often as in the recording; a packet until its place in the ring is
 * free; and what emu/replay/replay_needs.h infers of signals and copies.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_RING_H
#define GFE_EMU_REPLAY_RING_H

#include "emu/replay/replay.h"

/* Runs a record.  False: the thread waits in it, or the run has failed. */
bool replay_ring_apply(struct replay *replay, uint32_t thread_index,
                       const struct trace_record *record);
/* Has the sleeping thread's record what it waits for? */
bool replay_ring_is_over(const struct replay *replay, uint32_t thread_index);
/* struct driver_client: an event was set. */
void replay_ring_fired(void *context, uint32_t client_id, uint32_t event_id);
/* The emulated GPU has written a completion value. */
void replay_ring_released(struct replay *replay, uint32_t space_id, uint64_t address);
/* Recorded time at which a record begins, from its end's. */
uint64_t replay_ring_begin_ns(struct replay *replay, uint32_t thread_index,
                              const struct trace_head *head);

#endif
