/* SPDX-License-Identifier: MIT */
/*
 * Result files of cuda_scheduling_examiner (traces/config/examiner_result.h), made of the log of a
 * scenario: what the tool would have measured, so that its plotting scripts and gfe check read
 * emulated runs.
 *
 * One file for each task, by its log_name, or else by its label.  Names stay in the folder: what is
 * no letter, digit, '.', '-', '_' or '+' becomes '_', as does a '.' at the beginning; ".json" is
 * added where it is missing, and "-2" to a name that another task has already.
 *
 * Times are of the emulated GPU's clock, rounded down to nanoseconds; there is only one clock.  An
 * iteration's phases span their calls; one without calls is where the one before it ends.  A launch
 * is synchronised by the first wait of its task for its stream or the device, if no other launch is
 * in between.  Iterations before a task's release (warm-up) are not in it, nor those that had not
 * ended when the log did, or have kernels that did not end.  Not known, and so made up: PID is 1 +
 * the process, TID 1 + the task, cpu_core -1.
 */
#ifndef GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_H
#define GFE_EMU_VIEWS_EXAMINER_SHOW_EXAMINER_H

#include "emu/log/event_log.h"

enum { SHOW_EXAMINER_TASKS_MAX = 4096, SHOW_EXAMINER_NAME_BYTES = 256 };

struct show_examiner_options {
    const char *directory; /* made when it is not there; its parent has to be */
    const char *log_path;  /* which must not be written over; "-": none */
    uint32_t sm_count;     /* of the GPU; 0: not known, those are counted that had a block */
};

/* Reads the log, of which nothing has been read, and writes the files, each whole or not at all; of
 * several, those before one that fails are there.  *left_out: iterations that had not ended, or
 * whose kernels had not.  False with a message: the log is damaged or of no scenario (ERROR_INPUT),
 * or a file cannot be written. */
bool show_examiner(struct event_log_reader *log, const struct show_examiner_options *options,
                   uint64_t *left_out, struct gfe_error *error);

#endif
