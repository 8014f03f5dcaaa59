/* SPDX-License-Identifier: MIT */
/*
 * Long traces of a program on nouveau that touches little memory, for measuring what replay needs.
 * Does not use Check: benchmarks use it too.  What it cannot do ends the program.
 */
#ifndef TESTS_BIG_TRACE_H
#define TESTS_BIG_TRACE_H

#include <stdint.h>

enum big_trace_kind {
    BIG_TRACE_PAGES,   /* pages of random bytes, which do not compress, before each submission */
    BIG_TRACE_SMALL,   /* a short pushbuffer, its submission and a wait, again and again */
    BIG_TRACE_REPEATS, /* every other page is one of 28 MiB before: a reference into the past */
    BIG_TRACE_LAG,     /* as SMALL by two threads in turn, of which the second begins when the first
                        * is through with the trace */
    BIG_TRACE_KINDS,
};
extern const char *const big_trace_names[BIG_TRACE_KINDS];

/* Writes a trace whose records have about that many bytes, not compressed. */
void big_trace_write(int fd, enum big_trace_kind kind, uint64_t raw_bytes);
/* Pages of the GPU's memory that a replay of it touches on the program's behalf, at most. */
uint32_t big_trace_pages(enum big_trace_kind kind);

#endif
