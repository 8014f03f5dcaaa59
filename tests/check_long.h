/* SPDX-License-Identifier: MIT */
/*
 * The number of times that a loop of a test runs: all with GFE_LONG=1 (make check-long), or else
 * some of them (make check and the CI).  docs/ci.md lists the loops.
 */
#ifndef TESTS_CHECK_LONG_H
#define TESTS_CHECK_LONG_H

#include <stdint.h>
#include <stdlib.h>

/* Is this program built with AddressSanitizer? */
#if defined(__SANITIZE_ADDRESS__)
#define CHECK_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECK_SANITIZED 1
#endif
#endif
#ifndef CHECK_SANITIZED
#define CHECK_SANITIZED 0
#endif

static inline uint32_t check_long(uint32_t in_full, uint32_t in_short)
{
    return getenv("GFE_LONG") ? in_full : in_short;
}

/* The same, where a loop that runs in full without sanitizers is shorter with them. */
static inline uint32_t check_long_or(uint32_t in_full, uint32_t in_short, uint32_t sanitized)
{
    return check_long(in_full, CHECK_SANITIZED ? sanitized : in_short);
}

#endif
