/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_estimate.h"

#include "emu/faults/campaign_stats.h"

enum { COARSE = 30, FINE = 60, TILT_BITS = 62 };
#define ONE           (UINT64_C(1) << COARSE)
#define ONE_FINE      (UINT64_C(1) << FINE)
/* Rounding of shares and weights: less than this is no difference. */
#define NO_DIFFERENCE (ONE >> 24)

/* ---- cells ----------------------------------------------------------------------------------- */

/* Returns true if all faults of the cell were made.  A database may state fewer than were made. */
static bool is_whole(const struct campaign_cell *cell)
{
    return cell->made >= cell->faults;
}

/* Weights of the cells that were made, which add up to one.  Returns the weight of the others. */
static uint64_t cells_weigh(struct campaign_cell *cells, uint32_t count)
{
    campaign_wide all = 0, made = 0;
    uint64_t fine = 0, coarse = 0;
    uint32_t shift = 0, largest = 0;

    for (uint32_t i = 0; i < count; i++) {
        all += cells[i].weight;
        made += cells[i].made > 0 ? cells[i].weight : 0;
    }
    while (all >> shift >> 67 > 0)
        shift++;
    for (uint32_t i = 0; made >> shift > 0 && i < count; i++) {
        const campaign_wide weight = cells[i].made > 0 ? cells[i].weight >> shift : 0;

        cells[i].weight_fine = (uint64_t)((weight << FINE) / (made >> shift));
        cells[i].weight_coarse = cells[i].weight_fine >> (FINE - COARSE);
        fine += cells[i].weight_fine;
        coarse += cells[i].weight_coarse;
        if (cells[i].weight_fine > cells[largest].weight_fine)
            largest = i;
    }
    if (count > 0 && fine > 0) { /* what rounding has lost */
        cells[largest].weight_fine += ONE_FINE - fine;
        cells[largest].weight_coarse += ONE - coarse;
    }
    return all > 0 ? (uint64_t)((((all - made) >> shift) << COARSE) / (all >> shift)) : ONE;
}

/* The share of each cell, and the factor of p (1 - p) in its variance, W_h (N - n) / (n (N - 1)),
 * relative to the greatest.  Returns the greatest, in units of 2^-60. */
static uint64_t cells_error(struct campaign_cell *cells, uint32_t count)
{
    uint64_t greatest = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct campaign_cell *cell = &cells[i];
        campaign_wide of = cell->faults, left;

        cell->share = cell->error = 0;
        if (cell->made == 0)
            continue;
        while (of >> 60 > 0) /* the correction is 1 then */
            of >>= 1;
        left = of > cell->made ? of - cell->made : 0;
        cell->share = (uint64_t)(((campaign_wide)cell->count << COARSE) / cell->made);
        if (!is_whole(cell))
            cell->error =
                (uint64_t)((campaign_wide)cell->weight_fine / cell->made * left / (of - 1));
        if (cell->error > greatest)
            greatest = cell->error;
    }
    for (uint32_t i = 0; greatest > 0 && i < count; i++)
        cells[i].error = (uint64_t)(((campaign_wide)cells[i].error << COARSE) / greatest);
    return greatest;
}

/* ---- the score ------------------------------------------------------------------------------- */

/* The greatest number whose square is not more. */
static uint64_t root(campaign_wide square)
{
    uint64_t guess = UINT64_MAX;
    uint32_t bits = 0;

    for (campaign_wide left = square; left > 0; left >>= 1)
        bits++;
    if (bits == 0)
        return 0;
    if (bits < 126)
        guess = UINT64_C(1) << (bits + 1) / 2; /* not below the root, from where Newton goes down */
    for (;;) {
        const uint64_t next = (uint64_t)((guess + square / guess) / 2);

        if (next >= guess)
            return guess;
        guess = next;
    }
}

/* The likeliest share of a cell when all are pushed down with a tilt: the smaller root of
 * t p^2 - (1 + t) p + x = 0, where x is its share in the sample. */
static uint64_t pushed(const struct campaign_cell *cell, uint64_t tilt)
{
    const uint64_t t = (uint64_t)(((campaign_wide)tilt * cell->error) >> COARSE);
    const campaign_wide sum = (campaign_wide)ONE + t;
    const uint64_t spread = root(sum * sum - 4 * (campaign_wide)t * cell->share);

    return (uint64_t)((2 * (campaign_wide)cell->share << COARSE) / (sum + spread));
}

struct score {
    uint64_t share;         /* sum of W_h p_h, in 2^-30 */
    campaign_wide variance; /* relative to the greatest error, in 2^-60 */
};

/* Cells of a whole stratum have error 0: they stay as they are, without variance. */
static struct score score_at(const struct campaign_cell *cells, uint32_t count, uint64_t tilt)
{
    campaign_wide share = 0, variance = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct campaign_cell *cell = &cells[i];
        const uint64_t p = pushed(cell, tilt);

        share += (campaign_wide)cell->weight_coarse * p;
        variance += ((campaign_wide)cell->weight_coarse * cell->error >> COARSE) *
                    ((campaign_wide)p * (ONE - p) >> COARSE);
    }
    return (struct score){(uint64_t)(share >> COARSE), variance};
}

/* Does the test reject what is at this tilt? */
static bool is_rejected(const struct score *score, uint64_t estimate, uint64_t greatest,
                        uint32_t z_ppm)
{
    const campaign_wide squared_z = (campaign_wide)z_ppm * z_ppm; /* below 2^44 */
    const campaign_wide variance = (score->variance * greatest) >> FINE;
    uint64_t difference;

    if (score->share + NO_DIFFERENCE >= estimate)
        return false;
    difference = estimate - score->share;
    return (campaign_wide)difference * difference >
           variance * squared_z / CAMPAIGN_PPM / CAMPAIGN_PPM;
}

/* The lowest share that is not rejected, in 2^-30. */
static uint64_t lowest(const struct campaign_cell *cells, uint32_t count, uint64_t greatest,
                       uint32_t z_ppm)
{
    const uint64_t estimate = score_at(cells, count, 0).share;
    uint64_t low = 0, high = 1;
    struct score score;

    if (greatest == 0 || estimate == 0)
        return estimate;
    for (;; high *= 2) {
        score = score_at(cells, count, high);
        if (is_rejected(&score, estimate, greatest, z_ppm))
            break;
        if (high >> (TILT_BITS - 1) > 0)
            return score.share;
        low = high;
    }
    while (high - low > 1 + (high >> COARSE)) {
        const uint64_t middle = low + (high - low) / 2;

        score = score_at(cells, count, middle);
        if (is_rejected(&score, estimate, greatest, z_ppm))
            high = middle;
        else
            low = middle;
    }
    return score_at(cells, count, high).share;
}

/* ---- what is possible ------------------------------------------------------------------------ */

/* The share if no other fault of any stratum has the outcome, in 2^-30. */
static uint64_t possible(const struct campaign_cell *cells, uint32_t count)
{
    campaign_wide share = 0;

    for (uint32_t i = 0; i < count; i++) {
        campaign_wide of = is_whole(&cells[i]) ? cells[i].made : cells[i].faults;
        campaign_wide with = cells[i].count;

        while (of >> 60 > 0) {
            of >>= 1;
            with >>= 1;
        }
        share += (campaign_wide)cells[i].weight_fine * with / of;
    }
    return (uint64_t)(share >> (FINE - COARSE));
}

static void cells_turn(struct campaign_cell *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cells[i].count = cells[i].made - cells[i].count;
        cells[i].share = cells[i].made > 0 ? ONE - cells[i].share : 0;
    }
}

/* The lower limit in ppm. */
static uint32_t limit(const struct campaign_cell *cells, uint32_t count, uint64_t greatest,
                      uint32_t z_ppm, bool in_order, uint64_t unknown)
{
    const uint64_t least = possible(cells, count);
    uint64_t low = in_order ? least : lowest(cells, count, greatest, z_ppm);

    low = low > least ? low : least;
    low = (uint64_t)(((campaign_wide)low * (ONE - unknown)) >> COARSE);
    return (uint32_t)(((campaign_wide)low * CAMPAIGN_PPM) >> COARSE);
}

void campaign_estimate(struct campaign_cell *cells, uint32_t count, uint32_t z_ppm, bool in_order,
                       struct campaign_share *share)
{
    const uint64_t unknown = cells_weigh(cells, count);
    const uint64_t greatest = cells_error(cells, count);
    campaign_wide estimate = 0;

    *share = (struct campaign_share){.high_ppm = CAMPAIGN_PPM};
    for (uint32_t i = 0; i < count; i++)
        if (cells[i].made > 0) {
            share->is_known = true;
            estimate += (campaign_wide)cells[i].weight_fine * cells[i].count / cells[i].made;
        }
    if (!share->is_known)
        return;
    share->share_ppm = (uint32_t)((estimate * CAMPAIGN_PPM + ONE_FINE / 2) >> FINE);
    if (greatest == 0 && unknown == 0) {
        share->low_ppm = share->high_ppm = share->share_ppm;
        return;
    }
    share->low_ppm = limit(cells, count, greatest, z_ppm, in_order, unknown);
    cells_turn(cells, count);
    share->high_ppm = CAMPAIGN_PPM - limit(cells, count, greatest, z_ppm, in_order, unknown);
    cells_turn(cells, count);
    if (share->low_ppm > share->share_ppm)
        share->low_ppm = share->share_ppm;
    if (share->high_ppm < share->share_ppm)
        share->high_ppm = share->share_ppm;
}

uint32_t campaign_share_margin(const struct campaign_share *share)
{
    return (share->high_ppm - share->low_ppm + 1) / 2;
}
