/* SPDX-License-Identifier: MIT */
/*
 * Hints to the compiler: what happens all the time, and what hardly ever does.
 *
 * A packet's way through the front end is thousands of instructions, most of which run once.  The
 * number of cache lines and pages that they occupy decides the speed.  So the functions that every
 * packet needs lie side by side.  In them, what few packets need stands after what all of them do:
 * errors, full tables, the first time, injected faults.
 *
 * These marks are not for guesses.  Conditions that depend on the replayed program get no mark.
 */
#ifndef GFE_EMU_BASE_OFTEN_H
#define GFE_EMU_BASE_OFTEN_H

/* Stands before a function's type. */
#define OFTEN             __attribute__((hot))
#define RARELY(condition) __builtin_expect((condition) ? 1 : 0, 0)

#endif
