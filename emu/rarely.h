/* SPDX-License-Identifier: MIT */
/*
 * What hardly ever happens, said to the compiler.
 *
 * A packet's way through the front end is thousands of instructions, each of which is run once: what
 * counts is how many of the processor's cache lines they lie in.  So what only few packets need is
 * moved behind what all of them do.  Not for guesses: of a condition that holds in one run and not in
 * another nothing is said.
 */
#ifndef GFE_EMU_RARELY_H
#define GFE_EMU_RARELY_H

#define RARELY(condition) __builtin_expect((condition) ? 1 : 0, 0)

#endif
