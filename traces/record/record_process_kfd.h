/* SPDX-License-Identifier: MIT */
/*
 * What the files of the KFD stand-in's process share (record_process_kfd.c,
 * record_process_kfd_trap.c).
 */
#ifndef GFE_TRACES_RECORD_PROCESS_KFD_H
#define GFE_TRACES_RECORD_PROCESS_KFD_H

#include <fcntl.h>

#include "traces/record/record_process_state.h"

/* Under the lock: there is a KFD to ask, and a part to record into (or recording has stopped). */
bool record_process_kfd_ready(void);
/* Under the lock, with all signals blocked: the queues' thread, if there is something for it. */
void record_process_kfd_start(void);
/* The queues' thread looks again. */
void record_process_kfd_work(void);
/* Stores to pages of doorbells are caught from here on; false where that is not possible: then
 * values are looked for. */
bool record_process_kfd_trap(void);

/* ---- record_process_kfd_pass.c: above a real KFD ---- */

/* This process's KFD is above the real one: false when memory is short. */
bool record_process_kfd_pass_begin(void);
/* ioctl(2) on a descriptor of the real node. */
int record_process_kfd_pass_ioctl(int fd, unsigned long request, uint64_t argument);

#endif
