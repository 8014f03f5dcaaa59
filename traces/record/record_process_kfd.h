/* SPDX-License-Identifier: MIT */
/*
 * Functions that the files of the KFD stand-in's process share (record_process_kfd.c,
 * record_process_kfd_trap.c).
 */
#ifndef GFE_TRACES_RECORD_RECORD_PROCESS_KFD_H
#define GFE_TRACES_RECORD_RECORD_PROCESS_KFD_H

#include <fcntl.h>

#include "traces/record/record_process_state.h"

/* Makes sure that there is a KFD to call, and a part to record into (or that recording has
 * stopped). Returns false otherwise.  Called under the lock. */
bool record_process_kfd_ready(void);
/* Starts the queues' thread if there is work for it.  Called under the lock, with all signals
 * blocked. */
void record_process_kfd_start(void);
/* Wakes the queues' thread. */
void record_process_kfd_work(void);
/* Catches stores to pages of doorbells from here on.  Returns false where that is not possible;
 * then the doorbells are polled. */
bool record_process_kfd_trap(void);

/* ---- record_process_kfd_pass.c: above a real KFD ---- */

/* Puts this process's KFD above the real one.  Returns false if memory is short. */
bool record_process_kfd_pass_begin(void);
/* Carries out ioctl(2) on a descriptor of the real node. */
int record_process_kfd_pass_ioctl(int fd, unsigned long request, uint64_t argument);

#endif
