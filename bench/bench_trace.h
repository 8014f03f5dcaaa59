/* SPDX-License-Identifier: MIT */
/*
 * Traces for benchmarks: a program on nouveau that keeps one channel busy with class state.
 *
 * Each push is one GP entry of BENCH_TRACE_DWORDS dwords: 11 times a header and four data of
 * private 3D state, an immediate method, and a Host semaphore release (header, SEMAPHOREA to D).  A
 * submission writes its pushes into one of BENCH_TRACE_BUFFERS buffers and submits them; before a
 * buffer is used again, the program waits for the submission that used it last.  Three data of each
 * push are new values; the others come from a small set.  So the trace compresses to about a
 * quarter.  Recordings of GL programs compress to between a twentieth and a quarter.
 */
#ifndef GFE_BENCH_BENCH_TRACE_H
#define GFE_BENCH_BENCH_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

enum { BENCH_TRACE_DWORDS = 61, BENCH_TRACE_BUFFERS = 4 };

struct bench_trace {
    uint32_t submissions;
    uint32_t pushes; /* of each submission, at most 1000 */
};

/* Writes the trace to a new file.  Returns false with `error` set on failure. */
bool bench_trace_write(const char *path, const struct bench_trace *trace, struct gfe_error *error);

#endif
