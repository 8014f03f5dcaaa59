/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/campaign_sample.h"

#include <assert.h>

#include "emu/random.h"

uint64_t campaign_seed(const char *hash)
{
    uint64_t seed = 0;

    for (unsigned i = 0; i < 16 && hash[i]; i++) {
        const char digit = hash[i];

        seed = seed << 4 | (uint64_t)(digit >= 'a' ? digit - 'a' + 10 : digit - '0');
    }
    return seed;
}

uint64_t campaign_draw(uint64_t seed, uint64_t i, uint64_t bound)
{
    /* Numbers of the last, incomplete round through 0 ... bound - 1 are drawn again. */
    const uint64_t rounds = UINT64_MAX / bound * bound;
    struct random_state random;
    uint64_t number;

    assert(bound > 0);
    random_seed(&random, seed ^ random_splitmix64(i), (uint32_t)(i >> 32));
    do {
        const uint64_t high = random_next(&random);

        number = high << 32 | random_next(&random);
    } while (number >= rounds);
    return number % bound;
}

void campaign_shard(uint64_t count, uint32_t shard, uint32_t shards, uint64_t *first,
                    uint64_t *last)
{
    assert(shard >= 1 && shard <= shards);
    *first = (uint64_t)((unsigned __int128)count * (shard - 1) / shards);
    *last = (uint64_t)((unsigned __int128)count * shard / shards);
}
