/* SPDX-License-Identifier: MIT */
/*
 * Estimates of shares from samples of several strata, in whole numbers.
 *
 * The estimate is the weighted sum of the strata's shares: sum of W_h k_h / n_h, where k_h of n_h
 * faults of stratum h have the outcome, and W_h is the stratum's share of all faults, or of all
 * rates (W. G. Cochran: Sampling Techniques, 3rd edition, Wiley 1977, section 5.3).
 *
 * The interval holds all shares P that a score test does not reject: (estimate - P)^2 <= z^2 V(P).
 * V(P) is the variance of the estimate if the share is P: the sum of
 *     W_h^2 p_h (1 - p_h) / n_h * (N_h - n_h) / (N_h - 1)
 * for samples of n_h of N_h faults without replacement (Cochran, chapter 3), at the p_h that are
 * most likely among those with sum W_h p_h = P (A. Martin Andres, M. Alvarez Hernandez, I. Herranz
 * Tejedor: "Inferences about a linear combination of proportions", Statistical Methods in Medical
 * Research 20, 2011).  With one stratum this is Wilson's interval (JASA 22, 1927) with the
 * finite-population correction.  Unlike estimate +- z * standard error the interval has the right
 * width where a stratum has no such outcome, or nothing else.  It also stays within what is
 * possible: k_h of the N_h faults have the outcome, and n_h - k_h do not.
 *
 * A stratum of which every fault was made has no error.  A stratum of which none was made may have
 * any share: its weight is in the interval, and the estimate is that of the other strata.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_ESTIMATE_H
#define GFE_EMU_FAULTS_CAMPAIGN_ESTIMATE_H

#include "emu/faults/campaign_sample.h"

struct campaign_cell {
    /* Given: */
    campaign_wide weight; /* relative to the other cells'; their sum is at most 2^127 */
    campaign_wide faults; /* N_h, 1 or more */
    uint64_t made, count; /* n_h <= N_h, k_h <= n_h */
    /* Computed, in units of 2^-60, 2^-30, 2^-30 and 2^-30: */
    uint64_t weight_fine, weight_coarse, share, error;
};

struct campaign_share {
    uint32_t share_ppm, low_ppm, high_ppm; /* low and high are rounded outwards */
    bool is_known;                         /* something was made */
};

/* Estimates a share.  `z_ppm` is the normal quantile (struct campaign_level).  With in_order the
 * faults of a stratum were made in their order, not by chance; the interval then is what is
 * possible.  Without any experiment the share is 0, and the interval 0 to 100 %. */
void campaign_estimate(struct campaign_cell *cells, uint32_t count, uint32_t z_ppm, bool in_order,
                       struct campaign_share *share);
/* Returns half of the interval's width, in ppm, rounded up. */
uint32_t campaign_share_margin(const struct campaign_share *share);

#endif
