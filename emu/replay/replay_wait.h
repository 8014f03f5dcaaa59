/* SPDX-License-Identifier: MIT */
/*
 * Threads of a replay that wait: for the word of a fence, or in the kernel.
 *
 * Each wait is logged when it begins and, with its rule, when it ends.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_WAIT_H
#define GFE_EMU_REPLAY_WAIT_H

#include "emu/replay/replay.h"

/* Event kind of the replay's unit: REPLAY_LOOK + thread for "its fence's word was written" (one
 * kind a thread, because a watch is known by unit and kind).  Kinds below are replay.c's. */
enum { REPLAY_LOOK = REPLAY_THREADS_MAX };

/* The thread sleeps in the kernel until its record's wait is over. */
void replay_wait_sleep(struct replay *replay, uint32_t thread_index, uint32_t rule,
                       uint32_t submission_id);
/* Starts to wait for a fence, as the thread's kernel_wait says, unless it is reached.  True: there
 * is nothing to wait for. */
bool replay_wait_fence(struct replay *replay, uint32_t thread_index, struct driver_fence fence,
                       uint32_t rule, uint32_t submission_id);
/* Does the thread wait for a fence that the driver has given up? */
bool replay_wait_is_lost(struct replay *replay, uint32_t thread_index);
/* Has a waiting thread's wait ended?  Then it is ready.  False also when it does not wait. */
bool replay_wait_is_over(struct replay *replay, uint32_t thread_index);

#endif
