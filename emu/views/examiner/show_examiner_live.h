/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner (show_examiner.h) of a run whose log is being written,
 * as texts in memory.  They serve programs that compare many runs and keep no logs.
 */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_LIVE_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_LIVE_H

#include "emu/log/event_log.h"

struct show_examiner_live;

/* Makes an observer of a run; the caller frees it with show_examiner_live_free().  `name` is copied
 * and used in messages.  Returns NULL with `error` set if memory is short. */
struct show_examiner_live *show_examiner_live_new(const char *name, struct gfe_error *error);
void show_examiner_live_free(struct show_examiner_live *live);
/* Takes a chunk of the log, as an observer for chunk_writer_observe().  `context` is the struct
 * show_examiner_live. */
void show_examiner_live_chunk(void *context, const struct chunk *chunk);
/* Returns the text of the task's result file, which the caller frees.  The log must have ended.
 * `sm_count` is the GPU's number of SMs.  Returns NULL with `error` set if there is no such task,
 * if memory is short, or if something was wrong with the log. */
char *show_examiner_live_text(struct show_examiner_live *live, uint32_t task, uint32_t sm_count,
                              struct gfe_error *error);
/* Returns the shortest time (ps) between two kernels that joined the queue of the GPU, one after
 * the other.  GFE_PS_NEVER means that fewer than two kernels did. */
gfe_ps show_examiner_live_closest(const struct show_examiner_live *live);

#endif
