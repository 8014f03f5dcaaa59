/* SPDX-License-Identifier: MIT */
/*
 * Makes a trace of the parts that the recorded processes wrote.  The trace has the records of all
 * parts in the order of their sequence numbers, of each part up to its last complete chunk, then
 * END and the index.
 *
 * Numbers may be missing, because a process that was killed had drawn them for records that are
 * lost.  The parts are numbered in the order in which they were begun, so a part is opened when the
 * order reaches its start.  Memory is needed only for processes that worked at the same time.
 */
#ifndef GFE_TRACES_RECORD_RECORD_FINISH_H
#define GFE_TRACES_RECORD_RECORD_FINISH_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/format/trace.h"

/* The contents of the trace in figures, for the summary. */
struct record_totals {
    uint64_t submissions, pushed_bytes, memory_bytes, waits, completions, marks;
    uint32_t parts, clients;
    uint64_t queues, doorbells, packets; /* of the layer RING */
    bool is_ring;                        /* its clients are of that layer */
    bool on_hardware;                    /* completion values are those of a GPU */
    /* With record_parts.salvage: what was left out. */
    struct trace_loss loss;
    uint32_t lost_parts;        /* nothing of them can be read */
    struct gfe_error lost_part; /* why not, of the first one; no text if it is empty */
};

/* The files of the parts, in the order of their numbers. */
struct record_parts {
    char **names;
    uint32_t count;
    /* Chunks and parts that are damaged are left out, with a MARK where they were, instead of being
     * an error. */
    bool salvage;
};

/* Reads the parts, at least one, and writes to `fd`.  Messages call it `name`.  Returns false with
 * a message on error. */
bool record_finish(const struct record_parts *parts, int fd, const char *name,
                   const struct trace_end *end, struct record_totals *totals,
                   struct gfe_error *error);

#endif
