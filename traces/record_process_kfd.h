/* SPDX-License-Identifier: MIT */
/*
 * What the files of the KFD stand-in's process share (record_process_kfd.c,
 * record_process_kfd_trap.c).
 */
#ifndef GFE_TRACES_RECORD_PROCESS_KFD_H
#define GFE_TRACES_RECORD_PROCESS_KFD_H

#include <fcntl.h>

#include "traces/record_process_private.h"

/* Under the lock: there is a KFD to ask, and a part to record into (or recording has stopped). */
bool record_process_kfd_ready(void);
/* The queues' thread looks again. */
void record_process_kfd_work(void);
/* Stores to pages of doorbells are caught from here on; false where that is not possible: then
 * values are looked for. */
bool record_process_kfd_trap(void);

#endif
