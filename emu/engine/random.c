/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/random.h"

#include <assert.h>

#define RANDOM_MULTIPLIER UINT64_C(6364136223846793005) /* PCG's default for 64 bits */

uint64_t random_splitmix64(uint64_t seed)
{
    uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void random_seed(struct random_state *random, uint64_t seed, uint32_t stream)
{
    random->state = 0;
    random->increment = (uint64_t)stream << 1 | 1;
    (void)random_next(random);
    random->state += random_splitmix64(seed);
    (void)random_next(random);
}

/* Output function XSH-RR: a xorshift of the high bits, turned by the highest five. */
uint32_t random_next(struct random_state *random)
{
    const uint64_t old = random->state;
    const uint32_t shifted = (uint32_t)((old >> 18 ^ old) >> 27);
    const unsigned turn = (unsigned)(old >> 59);

    random->state = old * RANDOM_MULTIPLIER + random->increment;
    return shifted >> turn | shifted << (-turn & 31);
}

/* The lowest 2^32 mod bound numbers would favour the low results: they are drawn again. */
uint32_t random_below(struct random_state *random, uint32_t bound)
{
    uint32_t number;

    assert(bound != 0);
    do
        number = random_next(random);
    while (number < -bound % bound);
    return number % bound;
}
