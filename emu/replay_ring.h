/* SPDX-License-Identifier: MIT */
/*
 * Replay of layer RING: programs with user-mode queues (KFD, below ROCm's libraries).
 *
 * The driver model makes and takes away queues (driver_ops.ring); packets and what they point to
 * are put into guest memory before the DOORBELL that shows them.  Waits in closed loop: a call of
 * the driver takes as long as it takes; EVENT_WAIT until the GPU's interrupt has set the events; a
 * packet until its place in the ring is free; and what emu/replay_needs.h infers of signals.
 * GPU_WRITE records are records of their threads here: those of queues that the driver model cannot
 * run (driver_ops.applies) are made by the replay at their recorded time, when the emulated GPU has
 * done what had been done before them in the recording; others pass.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_RING_H
#define GFE_EMU_REPLAY_RING_H

#include "emu/replay.h"

/* Runs a record.  False: the thread waits in it, or the run has failed. */
bool replay_ring_apply(struct replay *replay, uint32_t thread_index,
                       const struct trace_record *record);
/* Has the sleeping thread's record what it waits for? */
bool replay_ring_is_over(struct replay *replay, uint32_t thread_index,
                         const struct trace_record *record);
/* The emulated GPU has written a completion value. */
void replay_ring_released(struct replay *replay, uint32_t space_id, uint64_t address);
/* Recorded time at which a record begins, from its end's. */
uint64_t replay_ring_begin_ns(struct replay *replay, uint32_t thread_index,
                              const struct trace_head *head);

#endif
