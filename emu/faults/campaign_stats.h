/* SPDX-License-Identifier: MIT */
/*
 * The statistics of a fault campaign, in whole numbers: shares are parts per million, so that every
 * machine prints the same.
 *
 * Sample sizes are those of Leveugle et al. (DATE 2009) for the worst case, a share of one half:
 * n = N / (1 + e^2 (N - 1) / (t^2 p (1 - p))), with t rounded to two decimals as in their tables
 * (2.58 for 99 %): 16,641 for 1 % and 99 % of a space without end.  The formula is that of a simple
 * sample; of several strata the intervals, those of emu/faults/campaign_estimate.h, can be wider
 * than the margin that was asked for.
 *
 * Early stopping is judged at three sizes that are fixed beforehand: a quarter, a half and all of
 * the samples.  The level is corrected for the three looks (Bonferroni), so that the chance of any
 * wrong look is the one in the plan.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_STATS_H
#define GFE_EMU_FAULTS_CAMPAIGN_STATS_H

#include <stdbool.h>
#include <stdint.h>

enum { CAMPAIGN_PPM = 1000000, CAMPAIGN_LOOKS = 3 };

/* Quantiles of the normal distribution for a two-sided confidence, in 1/1000000. */
struct campaign_level {
    uint32_t confidence_ppm;
    uint32_t t_hundredths;  /* as tables have it */
    uint32_t z_ppm;         /* of one look */
    uint32_t corrected_ppm; /* of each of three */
};

/* Returns the level of a confidence: 90, 95, 98, 99, 99.5, 99.8 or 99.9 %.  Returns NULL for any
 * other.
 */
const struct campaign_level *campaign_level(uint32_t confidence_ppm);
/* Returns the sample size for a space of that size; 0 stands for a space without end.  margin_ppm
 * is not 0. */
uint64_t campaign_sample_size(uint64_t space, uint32_t margin_ppm, uint32_t t_hundredths);
/* Returns the size at which the look-th judgement, from 0, is made. */
uint64_t campaign_look(uint64_t samples, uint32_t look);

#endif
