/* SPDX-License-Identifier: MIT */
/*
 * The number of times that a loop of a test runs: all with GFE_LONG=1 (make check-long), or else
 * some of them (make check and the CI).  docs/ci.md lists the loops.
 */
#ifndef TESTS_CHECK_LONG_H
#define TESTS_CHECK_LONG_H

#include <stdint.h>
#include <stdlib.h>

static inline uint32_t check_long(uint32_t in_full, uint32_t in_short)
{
    return getenv("GFE_LONG") ? in_full : in_short;
}

#endif
