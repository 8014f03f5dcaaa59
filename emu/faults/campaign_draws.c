/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_draws.h"

#include <assert.h>
#include <stdlib.h>

#include "emu/engine/random.h"

/* Turns are counted up to here: no campaign has more experiments. */
#define TURNS_MAX (UINT64_C(1) << 62)

/* ---- a random order -------------------------------------------------------------------------- */

static uint32_t bits_of(campaign_wide number)
{
    uint32_t bits = 0;

    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

bool campaign_shuffle_init(struct campaign_shuffle *shuffle, campaign_wide size, uint64_t seed)
{
    assert(size >= 1 && size <= CAMPAIGN_WIDE_MAX);
    *shuffle = (struct campaign_shuffle){.size = size, .rounds = 6 * bits_of(size - 1) + 64};
    shuffle->keys = malloc(2 * (size_t)shuffle->rounds * sizeof *shuffle->keys);
    if (!shuffle->keys)
        return false;
    for (uint32_t r = 0; r < shuffle->rounds; r++) {
        shuffle->keys[r] = campaign_draw_wide(seed, 2 * (uint64_t)r, size);
        shuffle->keys[shuffle->rounds + r] = random_splitmix64(seed ^ random_splitmix64(r + 1));
    }
    return true;
}

void campaign_shuffle_fini(struct campaign_shuffle *shuffle)
{
    free(shuffle->keys);
    shuffle->keys = NULL;
}

/* One bit for each pair and round, as likely 0 as 1. */
static bool swaps(uint64_t word, campaign_wide greater)
{
    const uint64_t high = (uint64_t)(greater >> 64);

    if (high > 0)
        word += random_splitmix64(high);
    return random_splitmix64((uint64_t)greater ^ word) >> 63;
}

campaign_wide campaign_shuffle_at(const struct campaign_shuffle *shuffle, campaign_wide place)
{
    const campaign_wide *words = shuffle->keys + shuffle->rounds;

    for (uint32_t r = 0; r < shuffle->rounds; r++) {
        const campaign_wide key = shuffle->keys[r];
        const campaign_wide other = key >= place ? key - place : key + shuffle->size - place;

        if (swaps((uint64_t)words[r], other > place ? other : place))
            place = other;
    }
    return place;
}

/* ---- the strata in turn ---------------------------------------------------------------------- */

/* Sorts by merging: strata of one size stay in their order. */
static void sort_by_size(const campaign_wide *sizes, uint32_t *order, uint32_t *room,
                         uint32_t count)
{
    const uint32_t half = count / 2;
    uint32_t left = 0, right = half;

    if (count < 2)
        return;
    sort_by_size(sizes, order, room, half);
    sort_by_size(sizes, order + half, room, count - half);
    for (uint32_t i = 0; i < count; i++)
        room[i] = right == count || (left < half && sizes[order[left]] >= sizes[order[right]])
                      ? order[left++]
                      : order[right++];
    for (uint32_t i = 0; i < count; i++)
        order[i] = room[i];
}

static uint64_t turns_of(campaign_wide size)
{
    return size < TURNS_MAX ? (uint64_t)size : TURNS_MAX;
}

/* From the smallest stratum to the largest; those that are larger take part. */
static void levels_make(struct campaign_draws *draws, const campaign_wide *sizes)
{
    uint64_t turn = 0, draw = 0;

    for (uint32_t active = draws->stratum_count; active > 0; active--) {
        const uint64_t end = turns_of(sizes[draws->by_size[active - 1]]);
        const campaign_wide more = (campaign_wide)(end - turn) * active;

        if (end == turn)
            continue;
        draws->levels[draws->level_count++] = (struct campaign_level_turns){draw, turn, active};
        turn = end;
        draw = more < UINT64_MAX - draw ? draw + (uint64_t)more : UINT64_MAX;
    }
}

bool campaign_draws_init(struct campaign_draws *draws, const campaign_wide *sizes, uint32_t count,
                         uint64_t seed)
{
    uint32_t *room = calloc(count, sizeof *room);

    *draws = (struct campaign_draws){.stratum_count = count};
    draws->by_size = calloc(count, sizeof *draws->by_size);
    draws->levels = calloc(count, sizeof *draws->levels);
    draws->shuffles = calloc(count, sizeof *draws->shuffles);
    for (uint32_t i = 0; draws->by_size && i < count; i++)
        draws->by_size[i] = i;
    if (room && draws->by_size)
        sort_by_size(sizes, draws->by_size, room, count);
    free(room);
    if (!room || !draws->by_size || !draws->levels || !draws->shuffles)
        return false;
    levels_make(draws, sizes);
    for (uint32_t i = 0; i < count; i++)
        if (!campaign_shuffle_init(&draws->shuffles[i], sizes[i],
                                   seed ^ random_splitmix64((uint64_t)i << 32)))
            return false;
    return true;
}

void campaign_draws_fini(struct campaign_draws *draws)
{
    for (uint32_t i = 0; draws->shuffles && i < draws->stratum_count; i++)
        campaign_shuffle_fini(&draws->shuffles[i]);
    free(draws->by_size);
    free(draws->levels);
    free(draws->shuffles);
    *draws = (struct campaign_draws){0};
}

uint32_t campaign_draws_at(const struct campaign_draws *draws, uint64_t i, campaign_wide *index)
{
    uint32_t low = 0, high = draws->level_count, stratum;
    const struct campaign_level_turns *level;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (draws->levels[middle].first_draw <= i)
            low = middle;
        else
            high = middle;
    }
    level = &draws->levels[low];
    i -= level->first_draw;
    stratum = draws->by_size[i % level->active];
    *index = campaign_shuffle_at(&draws->shuffles[stratum], level->first_turn + i / level->active);
    return stratum;
}
