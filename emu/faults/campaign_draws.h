/* SPDX-License-Identifier: MIT */
/*
 * The order in which a campaign draws faults from its strata, without replacement.
 *
 * Draws take the strata in turn, one fault of each that still has any.  A stratum that is smaller
 * than its share is therefore drawn whole, and the others share what is left.  The j-th draw of a
 * stratum is the j-th element of a random order of its faults, so that no fault comes twice and
 * each set of faults of one size is equally likely.  Every prefix of the draws, and every range of
 * them, is such a sample, too.
 *
 * The random order is the swap-or-not shuffle (V. T. Hoang, B. Morris, P. Rogaway: "An Enciphering
 * Scheme Based on a Card Shuffle", CRYPTO 2012), which permutes a space of any size without a list
 * of it.  It has 6 log2(size) + 64 rounds here: by the bound of that paper a sample of
 * up to a quarter of the faults is within 2^-20 of a uniform one, in total variation distance, if
 * the bits of the rounds are independent.
 *
 * A draw depends on the seed, the strata's sizes and its number alone.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_DRAWS_H
#define GFE_EMU_FAULTS_CAMPAIGN_DRAWS_H

#include "emu/faults/campaign_sample.h"

/* A random order of 0 ... size - 1. */
struct campaign_shuffle {
    campaign_wide size;
    campaign_wide *keys; /* by round, below size; behind them a word of each round's bits */
    uint32_t rounds;
};

/* Makes the order of a seed.  `size` is 1 to CAMPAIGN_WIDE_MAX.  Returns false if memory is short.
 * Call campaign_shuffle_fini() in any case. */
bool campaign_shuffle_init(struct campaign_shuffle *shuffle, campaign_wide size, uint64_t seed);
void campaign_shuffle_fini(struct campaign_shuffle *shuffle);
/* Returns the number at a place of the order, from 0. */
campaign_wide campaign_shuffle_at(const struct campaign_shuffle *shuffle, campaign_wide place);

struct campaign_draws {
    uint32_t stratum_count, level_count;
    uint32_t *by_size; /* strata, the largest first; equal ones by number */
    struct campaign_shuffle *shuffles;
    /* Turns between the ends of two strata: all of them take the same strata. */
    struct campaign_level_turns {
        uint64_t first_draw, first_turn;
        uint32_t active; /* the first of `by_size` */
    } * levels;
};

/* Makes the draws from strata with these sizes, each 1 to CAMPAIGN_WIDE_MAX.  Returns false if
 * memory is short.  Call campaign_draws_fini() in any case. */
bool campaign_draws_init(struct campaign_draws *draws, const campaign_wide *sizes, uint32_t count,
                         uint64_t seed);
void campaign_draws_fini(struct campaign_draws *draws);
/* Returns the stratum of draw i, and writes which of its faults is drawn.  i is below the sum of
 * the sizes, and below 2^62. */
uint32_t campaign_draws_at(const struct campaign_draws *draws, uint64_t i, campaign_wide *index);

#endif
