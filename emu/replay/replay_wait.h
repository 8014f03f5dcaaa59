/* SPDX-License-Identifier: MIT */
/*
 * Threads of a replay that wait: for the word of a fence, or in the kernel.
 *
 * Each wait is logged when it begins and, with its rule, when it ends.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_WAIT_H
#define GFE_EMU_REPLAY_REPLAY_WAIT_H

#include "emu/replay/replay.h"

/* Event kinds of the replay's unit: REPLAY_LOOK + thread means that the word of the thread's fence
 * was written.  Each thread has its own kind, because unit and kind identify a watch.  Lower kinds
 * are replay.c's. */
enum { REPLAY_LOOK = REPLAY_THREADS_MAX };

/* Puts the thread to sleep in the kernel until its record's wait is over. */
void replay_wait_sleep(struct replay *replay, uint32_t thread_index, uint32_t rule,
                       uint32_t submission_id);
/* Starts to wait for a fence, as the thread's kernel_wait says, unless the fence is reached.
 * Returns true if the fence is reached already. */
bool replay_wait_fence(struct replay *replay, uint32_t thread_index, struct driver_fence fence,
                       uint32_t rule, uint32_t submission_id);
/* Returns true if the thread waits for a fence that the driver has given up. */
bool replay_wait_is_lost(struct replay *replay, uint32_t thread_index);
/* Returns true if a waiting thread's wait has ended, and makes the thread ready.  Returns false if
 * the thread does not wait. */
bool replay_wait_is_over(struct replay *replay, uint32_t thread_index);

#endif
