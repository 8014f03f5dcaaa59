/* SPDX-License-Identifier: MIT */
/*
 * Replay of layer RING: programs with user-mode queues (KFD, below ROCm's libraries).
 *
 * The driver model makes and takes away queues (driver_ops.ring).  Packets and the data that they
 * point to are put into guest memory before the DOORBELL for them.  Waits in closed loop: a call of
 * the driver lasts as long as the model takes.  EVENT_WAIT lasts until the GPU's interrupts, and
 * the program itself, have set the events as often as in the recording.  A packet waits until its
 * place in the ring is free.  emu/replay/replay_needs.h infers the waits for signals and copies.
 * Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_RING_H
#define GFE_EMU_REPLAY_REPLAY_RING_H

#include "emu/replay/replay.h"

/* Runs a record.  Returns false if the thread waits in it, or if the run has failed. */
bool replay_ring_apply(struct replay *replay, uint32_t thread_index,
                       const struct trace_record *record);
/* Returns true if the wait of the sleeping thread's record is over. */
bool replay_ring_is_over(const struct replay *replay, uint32_t thread_index);
/* Notes that an event was set, for struct driver_client. */
void replay_ring_fired(void *context, uint32_t client_id, uint32_t event_id);
/* Notes that the emulated GPU has written a completion value. */
void replay_ring_released(struct replay *replay, uint32_t space_id, uint64_t address);
/* Returns the recorded time in ns at which a record begins; the record's own time is its end. */
uint64_t replay_ring_begin_ns(struct replay *replay, uint32_t thread_index,
                              const struct trace_head *head);

#endif
