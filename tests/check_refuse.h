/* SPDX-License-Identifier: MIT */
/*
 * Calls of the system that fail: the kernel answers them with an error, because a filter of this
 * process (seccomp(2)) says so.  Processes that it starts have the same filter.  A filter stays as
 * long as the process: for tests, each of which is a process of its own.  Uses Check.
 */
#ifndef TESTS_CHECK_REFUSE_H
#define TESTS_CHECK_REFUSE_H

#include <seccomp.h>
#include <stdint.h>

/* Runs `tries` in a child, to which alone its filters belong, and asserts that it ends well. */
void check_refuse_child(void (*tries)(void));
/* Lets each `call` (SCMP_SYS(mkdirat)) fail with errno `error` from here on. */
void check_refuse(int call, int error);
/* Likewise those whose argument `place`, counted from 0, is `value` in the bits of `mask`. */
void check_refuse_where(int call, int error, unsigned place, uint64_t mask, uint64_t value);
/* Lets the `at`th `call` from here on, counted from 1, fail once; a thread of this process counts.
 * Only once in a process. */
void check_refuse_once(int call, int error, unsigned at);
/* Returns how many such calls the kernel has been asked for. */
unsigned check_refuse_count(void);

#endif
