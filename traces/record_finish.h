/* SPDX-License-Identifier: MIT */
/*
 * Makes a trace of what a recorded process left: all records up to the last complete chunk, then
 * END and the index.
 */
#ifndef GFE_TRACES_RECORD_FINISH_H
#define GFE_TRACES_RECORD_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/trace.h"

/* What the trace holds, for the summary. */
struct record_totals {
    uint64_t submissions, pushed_bytes, memory_bytes, waits, completions, marks;
};

/* Reads `part` and writes to `fd`, which messages call `name`. */
bool record_finish(const char *part, int fd, const char *name, const struct trace_end *end,
                   struct record_totals *totals, struct gfe_error *error);

#endif
