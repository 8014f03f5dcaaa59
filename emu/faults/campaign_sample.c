/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_sample.h"

#include <assert.h>

#include "emu/engine/random.h"

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

campaign_wide campaign_draw_wide(uint64_t seed, uint64_t i, campaign_wide bound)
{
    const campaign_wide rounds = ~(campaign_wide)0 / (bound ? bound : 1) * bound;
    struct random_state random;
    campaign_wide number;

    if (bound <= UINT64_MAX)
        return campaign_draw(seed, i, (uint64_t)bound);
    random_seed(&random, seed ^ random_splitmix64(i), (uint32_t)(i >> 32));
    do {
        number = 0;
        for (int k = 0; k < 4; k++)
            number = number << 32 | random_next(&random);
    } while (number >= rounds);
    return number % bound;
}

void campaign_wide_text(campaign_wide number, char text[CAMPAIGN_WIDE_BYTES])
{
    char digits[CAMPAIGN_WIDE_BYTES];
    int count = 0, at = 0;

    do
        digits[count++] = (char)('0' + (int)(number % 10));
    while ((number /= 10) > 0);
    while (count > 0)
        text[at++] = digits[--count];
    text[at] = '\0';
}

bool campaign_wide_parse(const char *text, campaign_wide *number)
{
    *number = 0;
    if (*text == '\0')
        return false;
    for (; *text >= '0' && *text <= '9' && *number <= CAMPAIGN_WIDE_MAX / 10; text++)
        *number = *number * 10 + (unsigned)(*text - '0');
    return *text == '\0' && *number <= CAMPAIGN_WIDE_MAX;
}

campaign_wide campaign_sets(uint64_t of, uint32_t count)
{
    campaign_wide sets = 1;

    if (count > of)
        return 0;
    for (uint32_t i = 1; i <= count; i++) {
        const uint64_t factor = of - count + i;

        if (sets > ~(campaign_wide)0 / factor)
            return ~(campaign_wide)0;
        sets = sets * factor / i; /* a whole number each time */
    }
    return sets;
}

void campaign_set(uint64_t of, uint32_t count, campaign_wide index, uint64_t *things)
{
    assert(index < campaign_sets(of, count));
    for (uint32_t i = count; i > 0; i--) {
        uint64_t low = i - 1, high = of; /* sets of `low` things come before, those of `high` not */

        while (high - low > 1) {
            const uint64_t middle = low + (high - low) / 2;

            if (campaign_sets(middle, i) <= index)
                low = middle;
            else
                high = middle;
        }
        index -= campaign_sets(low, i);
        things[count - i] = of = low;
    }
}

void campaign_shard(uint64_t count, uint32_t shard, uint32_t shards, uint64_t *first,
                    uint64_t *last)
{
    assert(shard >= 1 && shard <= shards);
    *first = (uint64_t)((unsigned __int128)count * (shard - 1) / shards);
    *last = (uint64_t)((unsigned __int128)count * shard / shards);
}
