/* SPDX-License-Identifier: MIT */
/* The heap's size, for tests that what was taken is given back. */
#ifndef GFE_TESTS_HEAP_BYTES_H
#define GFE_TESTS_HEAP_BYTES_H

#include <malloc.h>
#include <stddef.h>

/* The C library's caches of freed pieces count as allocated.  After HEAP_WARM rounds of the same
 * work they are full, but for some bytes; HEAP_ROUNDS more that keep one piece each, of at least
 * HEAP_PIECE bytes, are more than that. */
enum { HEAP_WARM = 24, HEAP_ROUNDS = 64, HEAP_PIECE = 16 };

/* Returns the bytes that are allocated at present, or 0 where the C library does not count them. */
static inline size_t heap_bytes(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
    const struct mallinfo2 heap = mallinfo2();

    return heap.uordblks + heap.hblkhd;
#else
    return 0;
#endif
}

#endif
