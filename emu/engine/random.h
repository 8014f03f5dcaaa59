/* SPDX-License-Identifier: MIT */
/*
 * Random numbers for choice points.  The same seed gives the same numbers on every machine.
 *
 * The generator is PCG32 (M.  E.  O'Neill, "PCG: A Family of Simple Fast Space-Efficient
 * Statistically Good Algorithms for Random Number Generation", HMC-CS-2014-0905;
 * www.pcg-random.org).  It has 64 bits of state and a stream number, so that every user can have a
 * sequence of its own.  Not for secrets.
 */
#ifndef GFE_EMU_ENGINE_RANDOM_H
#define GFE_EMU_ENGINE_RANDOM_H

#include <stdint.h>

#include "emu/engine/arena.h"

GFE_STATE_BEGIN
struct random_state {
    uint64_t state;
    uint64_t increment; /* odd; the stream */
};
GFE_STATE_END

/* Seeds a generator.  Any seed and any stream are good; two that differ in either give unrelated
 * numbers.  The seed goes through one step of splitmix64 (Steele, Lea and Flood, "Fast Splittable
 * Pseudorandom Number Generators", OOPSLA 2014), so that seeds 1, 2, 3 do not begin alike. */
void random_seed(struct random_state *random, uint64_t seed, uint32_t stream);
/* Returns a number; each of the 2^32 values is equally likely. */
uint32_t random_next(struct random_state *random);
/* Returns one of 0 ... bound - 1, each with exactly the same probability. bound is not 0
 * (asserted). */
uint32_t random_below(struct random_state *random, uint32_t bound);
/* Returns the first number that splitmix64 gives for a seed. */
uint64_t random_splitmix64(uint64_t seed);

#endif
