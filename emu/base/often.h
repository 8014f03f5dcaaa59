/* SPDX-License-Identifier: MIT */
/*
 * What happens all the time, and what hardly ever does, said to the compiler.
 *
 * A packet's way through the front end is thousands of instructions, most of which are run once:
 * what counts is in how many of the processor's cache lines and pages they lie.  So functions that
 * every packet needs lie side by side, and in them what only few packets need lies behind what all
 * of them do: errors, full tables, the first time, faults that are injected.  Not for guesses: of
 * what depends on the program that is run nothing is said.
 */
#ifndef GFE_EMU_OFTEN_H
#define GFE_EMU_OFTEN_H

/* Before a function's type. */
#define OFTEN             __attribute__((hot))
#define RARELY(condition) __builtin_expect((condition) ? 1 : 0, 0)

#endif
