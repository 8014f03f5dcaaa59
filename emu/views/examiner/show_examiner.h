/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner (traces/config/examiner_result.h), made from the log of
 * a scenario.  They have what the tool would have measured, so that its plotting scripts and gfe
 * check read emulated runs.
 *
 * Each task has one file, named by the task's log_name, or else by its label.  Names stay in the
 * folder: every character but letters, digits, '.', '-', '_' and '+' becomes '_', as does a '.' at
 * the beginning.  ".json" is added where it is missing.  "-2" is added to a name that another task
 * already has.
 *
 * Times are of the emulated GPU's clock, rounded down to nanoseconds; there is only one clock.  An
 * iteration's phases span their calls; a phase without calls lies at the end of the phase before
 * it.  A launch is synchronised by the first wait of its task for its stream or the device, if no
 * other launch is in between.  A file leaves out these iterations:
 *
 *   - those before the task's release (warm-up)
 *   - those that had not ended when the log did
 *   - those with kernels that did not end
 *
 * The log does not have these numbers, so they are made up: PID is 1 + the process, TID is 1 + the
 * task, and cpu_core is -1.
 */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_H

#include "emu/log/event_log.h"

enum { SHOW_EXAMINER_TASKS_MAX = 4096, SHOW_EXAMINER_NAME_BYTES = 256 };

struct show_examiner_options {
    const char *directory; /* made if it does not exist; its parent must exist */
    const char *log_path;  /* the log's file, which is never overwritten; "-" if there is none */
    uint32_t sm_count;     /* of the GPU; 0 if not known: then SMs that had a block count */
};

/* Reads the log from its beginning and writes the files, each whole or not at all.  If a file
 * fails, the files before it remain.  *left_out is the number of iterations that had not ended, or
 * whose kernels had not ended.  Returns false with `error` set if the log is damaged or not of a
 * scenario (ERROR_INPUT), or if a file cannot be written. */
bool show_examiner(struct event_log_reader *log, const struct show_examiner_options *options,
                   uint64_t *left_out, struct gfe_error *error);

#endif
