/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner (show_examiner.h) of a run whose log is being written,
 * as texts in memory: for who compares many runs and keeps no log of them.
 */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_LIVE_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_LIVE_H

#include "emu/log/event_log.h"

struct show_examiner_live;

/* NULL with a message: memory is short.  `name` is for messages and is copied. */
struct show_examiner_live *show_examiner_live_new(const char *name, struct gfe_error *error);
void show_examiner_live_free(struct show_examiner_live *live);
/* An observer for chunk_writer_observe(). */
void show_examiner_live_chunk(void *context, const struct chunk *chunk);
/* When the log has ended: the text of the task's result file, which the caller frees; `sm_count` is
 * the GPU's.  NULL with a message: no such task, memory is short, or something was wrong with the
 * log. */
char *show_examiner_live_text(struct show_examiner_live *live, uint32_t task, uint32_t sm_count,
                              struct gfe_error *error);
/* The least time between two kernels that joined the queue of the GPU; GFE_PS_NEVER: there are no
 * two. */
gfe_ps show_examiner_live_closest(const struct show_examiner_live *live);

#endif
