/* SPDX-License-Identifier: MIT */
/*
 * The last raw bytes of a trace, which references point into: a ring that grows with the trace up
 * to its limit, so that short traces stay cheap.  Private to trace_writer.c and trace_reader.c.
 */
#ifndef GFE_TRACES_FORMAT_TRACE_WINDOW_H
#define GFE_TRACES_FORMAT_TRACE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_window {
    size_t limit_bytes; /* set by the owner; all else begins as zero */
    uint8_t *ring;
    size_t capacity;
    uint64_t position; /* raw bytes added so far */
};

/* Adds at most limit_bytes.  Returns false if memory is short. */
bool trace_window_add(struct trace_window *window, const uint8_t *data, size_t bytes);
/* Copy and compare a range, which must lie within the last limit_bytes that were added. */
void trace_window_copy(const struct trace_window *window, uint64_t position, uint8_t *to,
                       size_t bytes);
bool trace_window_equals(const struct trace_window *window, uint64_t position, const uint8_t *data,
                         size_t bytes);
void trace_window_free(struct trace_window *window);

#endif
