/* SPDX-License-Identifier: MIT */
/*
 * Makes a trace of what the recorded processes left: the records of all parts in the order of their
 * sequence numbers, of each part up to its last complete chunk, then END and the index.
 *
 * Numbers may be missing: a process that was killed had drawn them for records that are lost.  The
 * parts are numbered as they were begun, so a part is opened when the order reaches its start, and
 * memory is needed only for processes that were at work at the same time.
 */
#ifndef GFE_TRACES_RECORD_FINISH_H
#define GFE_TRACES_RECORD_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/format/trace.h"

/* What the trace holds, for the summary. */
struct record_totals {
    uint64_t submissions, pushed_bytes, memory_bytes, waits, completions, marks;
    uint32_t parts, clients;
    uint64_t queues, doorbells, packets; /* of the layer RING */
    bool is_ring;                        /* its clients are of that layer */
    bool on_hardware;                    /* completion values are those of a GPU */
};

/* Reads the `part_count` files, in the order of their numbers, and writes to `fd`, which messages
 * call `name`.  At least one part. */
bool record_finish(char *const *parts, uint32_t part_count, int fd, const char *name,
                   const struct trace_end *end, struct record_totals *totals,
                   struct gfe_error *error);

#endif
