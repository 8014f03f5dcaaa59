/* SPDX-License-Identifier: MIT */
/*
 * Long traces of a program on nouveau that touches little memory, for measuring the memory that
 * replay needs.  Does not use Check, because benchmarks use it too.  A failure ends the program.
 */
#ifndef TESTS_BIG_TRACE_H
#define TESTS_BIG_TRACE_H

#include <stdint.h>

enum big_trace_kind {
    BIG_TRACE_PAGES,   /* pages of random bytes, which do not compress, before each submission */
    BIG_TRACE_SMALL,   /* repeats a short pushbuffer, its submission and a wait */
    BIG_TRACE_REPEATS, /* every other page repeats a page from 28 MiB before */
    BIG_TRACE_LAG,     /* like SMALL, by two threads; the second begins when the first has ended */
    BIG_TRACE_KINDS,
};
extern const char *const big_trace_names[BIG_TRACE_KINDS];

/* Writes a trace whose records have about `raw_bytes` bytes before compression. */
void big_trace_write(int fd, enum big_trace_kind kind, uint64_t raw_bytes);
/* Returns the largest number of pages of the GPU's memory that a replay of such a trace touches for
 * the program. */
uint32_t big_trace_pages(enum big_trace_kind kind);

#endif
