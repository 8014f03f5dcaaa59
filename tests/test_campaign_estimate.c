/* SPDX-License-Identifier: MIT */
/*
 * Shares of samples from several strata, and their intervals: against figures of other programs,
 * and against the truth.  tests/test_campaign_estimate.sh compares whole reports.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_estimate.h"
#include "emu/faults/campaign_stats.h"
#include "emu/faults/campaign_workers.h"
#include "tests/campaign_pair.h"
#include "tests/suites.h"

enum { CELLS_MAX = 10, Z_95_PPM = 1959964 };

static struct campaign_share estimate(const struct campaign_cell *given, uint32_t count)
{
    struct campaign_cell cells[CELLS_MAX];
    struct campaign_share share;

    memcpy(cells, given, count * sizeof *cells);
    campaign_estimate(cells, count, Z_95_PPM, false, &share);
    return share;
}

/* Values of R's prop.test(correct = FALSE), 95 %. */
/* PROMISE (faults): The interval of one great stratum is Wilson's. */
START_TEST(one_stratum_has_wilsons_interval)
{
    static const struct {
        uint64_t count, total;
        uint32_t low_ppm, high_ppm;
    } rows[] = {
        {0, 0, 0, 1000000},      {0, 10, 0, 277533},    {10, 10, 722467, 1000000},
        {5, 10, 236593, 763407}, {1, 100, 1767, 54486}, {50, 100, 403831, 596169},
        {1, 1000000, 0, 6},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct campaign_cell cell = {.weight = 1,
                                           .faults = (campaign_wide)1 << 100,
                                           .made = rows[i].total,
                                           .count = rows[i].count};
        const struct campaign_share share = estimate(&cell, 1);

        ck_assert_uint_le(share.low_ppm, rows[i].low_ppm);
        ck_assert_uint_ge(share.low_ppm + 2, rows[i].low_ppm);
        ck_assert_uint_ge(share.high_ppm, rows[i].high_ppm);
        ck_assert_uint_le(share.high_ppm, rows[i].high_ppm + 2);
        ck_assert(share.is_known == (rows[i].total > 0));
    }
}
END_TEST

/* With n (N - 1) / (N - n) in place of n: the values of Wilson's formula, by
 * tests/campaign_estimate.py; and what is possible. */
START_TEST(a_finite_stratum_has_a_narrower_one)
{
    static const struct {
        uint64_t faults, made, count;
        uint32_t low_ppm, high_ppm;
    } rows[] = {
        {400, 60, 15, 163598, 362268}, {14, 10, 3, 214285, 471623}, {1, 1, 1, 1000000, 1000000},
        {14, 14, 3, 214286, 214286},   {2, 1, 0, 0, 500000},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct campaign_cell cell = {
            .weight = 1, .faults = rows[i].faults, .made = rows[i].made, .count = rows[i].count};
        const struct campaign_share share = estimate(&cell, 1);

        ck_assert_msg(abs((int)share.low_ppm - (int)rows[i].low_ppm) <= 2 &&
                          abs((int)share.high_ppm - (int)rows[i].high_ppm) <= 2,
                      "row %u: %u to %u", i, share.low_ppm, share.high_ppm);
    }
}
END_TEST

/* Strata weigh as they are large; one that was made whole has no error, one that was not made has
 * any share. */
START_TEST(strata_weigh_as_they_are_large)
{
    const struct campaign_cell whole[] = {{.weight = 1, .faults = 1, .made = 1, .count = 1},
                                          {.weight = 9, .faults = 9, .made = 9, .count = 0}};
    const struct campaign_cell half[] = {{.weight = 1, .faults = 10, .made = 10, .count = 5},
                                         {.weight = 1, .faults = 10, .made = 0}};
    struct campaign_share share = estimate(whole, 2);

    ck_assert(share.share_ppm == 100000 && share.low_ppm == 100000 && share.high_ppm == 100000);
    share = estimate(half, 2);
    ck_assert_uint_eq(share.share_ppm, 500000);
    ck_assert_uint_eq(share.low_ppm, 250000);
    ck_assert_uint_eq(share.high_ppm, 750000);
    ck_assert_uint_eq(campaign_share_margin(&share), 250000);
}
END_TEST

/* A database may state fewer faults than were made: they are all of the stratum's.  Found by the
 * fuzz target of databases: a stratum of one fault that was made twice divided by zero. */
START_TEST(more_made_than_there_are_is_a_whole_stratum)
{
    const struct campaign_cell twice = {.weight = 1, .faults = 1, .made = 2, .count = 1};
    const struct campaign_cell beside[] = {{.weight = 1, .faults = 2, .made = 8, .count = 8},
                                           {.weight = 1, .faults = 10, .made = 5, .count = 5}};
    struct campaign_share share = estimate(&twice, 1);

    ck_assert(share.share_ppm == 500000 && share.low_ppm == 500000 && share.high_ppm == 500000);
    share = estimate(beside, 2);
    ck_assert_uint_eq(share.share_ppm, 1000000);
    ck_assert_uint_le(share.low_ppm, 1000000);
    ck_assert_uint_ge(share.low_ppm, 500000);
    ck_assert_uint_eq(share.high_ppm, 1000000);
}
END_TEST

/* A great stratum without the outcome is not certain to have none: what estimate +- z * standard
 * error says.  The small one has it always. */
START_TEST(no_outcome_in_a_great_stratum_is_not_certain)
{
    const struct campaign_cell cells[] = {{.weight = 9900, .faults = 9900, .made = 90, .count = 0},
                                          {.weight = 100, .faults = 100, .made = 90, .count = 90}};
    const struct campaign_share share = estimate(cells, 2);

    ck_assert_uint_eq(share.share_ppm, 10000);
    ck_assert_uint_ge(share.high_ppm, 40000); /* Wilson's, of 0 of 90: 40,937 ppm */
    ck_assert_uint_le(share.high_ppm, 51000);
    ck_assert_uint_ge(share.low_ppm, 8900);
}
END_TEST

/* Any counts: the interval holds the estimate, and that of the others is its mirror image. */
START_TEST(intervals_hold_the_estimate_and_have_a_mirror_image)
{
    uint64_t random = 1;

    for (uint32_t round = 0; round < 3000; round++) {
        struct campaign_cell cells[CELLS_MAX], others[CELLS_MAX];
        const uint32_t count = 1 + round % CELLS_MAX;
        struct campaign_share share, mirror;

        for (uint32_t i = 0; i < count; i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            cells[i] = (struct campaign_cell){.faults = 1 + (random >> 33 >> (random >> 60)),
                                              .weight = 1 + (random >> 20 & 0xffff)};
            cells[i].made = (random >> 8) % ((uint64_t)cells[i].faults + 1);
            cells[i].count = (random >> 16) % (cells[i].made + 1);
            if (random >> 5 & 1)
                cells[i].count = random >> 6 & 1 ? cells[i].made : 0;
            others[i] = cells[i];
            others[i].count = cells[i].made - cells[i].count;
        }
        share = estimate(cells, count);
        mirror = estimate(others, count);
        ck_assert_uint_le(share.low_ppm, share.share_ppm);
        ck_assert_uint_ge(share.high_ppm, share.share_ppm);
        ck_assert_uint_le(share.high_ppm, CAMPAIGN_PPM);
        if (share.is_known)
            ck_assert_msg(abs((int)(share.low_ppm + mirror.high_ppm) - CAMPAIGN_PPM) <= 1 &&
                              abs((int)(share.share_ppm + mirror.share_ppm) - CAMPAIGN_PPM) <= 1,
                          "round %u: %u and %u", round, share.low_ppm, mirror.high_ppm);
    }
}
END_TEST

/* ---- the truth ------------------------------------------------------------------------------- */

enum { CAMPAIGNS = 1000, STRATA_MAX = CELLS_MAX };

/* Plans.  Every fault of a plan is made once, which gives the true shares; then campaigns of
 * `samples` faults each are drawn from these outcomes. */
static const struct truth {
    const char *file, *plan;
    uint32_t samples;
} truths[] = {
    {"compute.gft",
     "{\"programs\": [\"x\"], \"exhaustive\": true, \"faults\": ["
     "{\"site\": \"gp_entry\", \"models\": [\"flip\", \"drop\", \"stuck0\"]},"
     "{\"site\": \"gp_put\", \"models\": [\"flip\"]},"
     "{\"site\": \"release\", \"models\": [\"drop\", \"flip\"]},"
     "{\"site\": \"header\", \"models\": [\"flip\"], \"bits\": [0, 16]}]}",
     500},
    {"kfd_kernels.gft",
     "{\"programs\": [\"x\"], \"exhaustive\": true, \"faults\": ["
     "{\"site\": \"aql\", \"models\": [\"flip\"]}, {\"site\": \"signal\", \"models\": [\"drop\", "
     "\"duplicate\"]}, {\"site\": \"mqd_load\", \"models\": [\"flip\"], \"bits\": [0, 1, 2, 3, 4, "
     "5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]},"
     "{\"site\": \"doorbell\", \"models\": [\"flip\", \"drop\"]}]}",
     300},
    /* As many samples as there are faults. */
    {"compute.gft",
     "{\"programs\": [\"x\"], \"exhaustive\": true, \"faults\": ["
     "{\"site\": \"release\", \"models\": [\"drop\", \"duplicate\"]},"
     "{\"site\": \"interrupt\", \"models\": [\"drop\"]},"
     "{\"site\": \"runlist_submit\", \"models\": [\"drop\"]}]}",
     UINT32_MAX},
};

struct stored {
    campaign_wide sizes[STRATA_MAX];
    uint64_t first[STRATA_MAX], size, hits;
    uint32_t strata;
    uint8_t *is_hit; /* by fault: neither masked nor not activated */
};

static void store(const struct truth *truth, struct stored *stored)
{
    struct campaign_pair pair;
    struct gfe_error error = {0};

    *stored = (struct stored){0};
    campaign_pair_init(&pair, truth->file, truth->plan);
    stored->strata = pair.space.stratum_count;
    ck_assert_uint_le(stored->strata, STRATA_MAX);
    for (uint32_t s = 0; s < stored->strata; s++) {
        stored->sizes[s] = pair.space.strata[s].size;
        stored->first[s] = stored->size;
        stored->size += (uint64_t)stored->sizes[s];
    }
    stored->is_hit = calloc(stored->size, 1);
    ck_assert_ptr_nonnull(stored->is_hit);
    for (uint64_t i = 0; i < stored->size; i++) {
        struct campaign_row row;

        ck_assert_msg(campaign_work_one(&pair.space, i, &row, &error), "%s", error.text);
        stored->is_hit[i] = row.outcome > OUTCOME_MASKED;
        stored->hits += stored->is_hit[i];
    }
    campaign_pair_fini(&pair);
}

/* One campaign: the estimate of all strata, and how many strata's intervals hold their truths. */
static struct campaign_share draw(const struct stored *stored, uint64_t samples, uint64_t seed)
{
    struct campaign_cell cells[STRATA_MAX];
    struct campaign_share share;
    struct campaign_draws draws;

    for (uint32_t s = 0; s < stored->strata; s++)
        cells[s] = (struct campaign_cell){.weight = stored->sizes[s], .faults = stored->sizes[s]};
    ck_assert(campaign_draws_init(&draws, stored->sizes, stored->strata, seed));
    for (uint64_t i = 0; i < samples; i++) {
        campaign_wide index;
        const uint32_t s = campaign_draws_at(&draws, i, &index);

        cells[s].made++;
        cells[s].count += stored->is_hit[stored->first[s] + (uint64_t)index];
    }
    campaign_draws_fini(&draws);
    campaign_estimate(cells, stored->strata, Z_95_PPM, false, &share);
    return share;
}

/* PROMISE (faults): Of 1,000 campaigns with different seeds 93 to 97 % have the truth (every fault
 * made once) within their interval of 95 %; a campaign of all faults gives the truth. */
START_TEST(intervals_hold_the_truth_as_often_as_they_say)
{
    const struct truth *truth = &truths[_i];
    struct stored stored;
    uint64_t samples, sum = 0;
    uint32_t held = 0, exact = 0, truth_ppm;

    store(truth, &stored);
    samples = truth->samples < stored.size ? truth->samples : stored.size;
    truth_ppm = (uint32_t)((stored.hits * CAMPAIGN_PPM + stored.size / 2) / stored.size);
    for (uint64_t seed = 0; seed < CAMPAIGNS; seed++) {
        const struct campaign_share share = draw(&stored, samples, seed);

        held += share.low_ppm <= truth_ppm && truth_ppm <= share.high_ppm;
        exact += share.low_ppm == truth_ppm && share.high_ppm == truth_ppm;
        sum += share.share_ppm;
    }
    free(stored.is_hit);
    if (samples == stored.size) {
        ck_assert_uint_eq(exact, CAMPAIGNS);
        return;
    }
    ck_assert_msg(held >= 930 && held <= 970, "%u of 1,000 intervals hold %u ppm of %llu faults",
                  held, truth_ppm, (unsigned long long)stored.size);
    /* The estimate has no bias: its mean is within half of one interval's width / sqrt(1000). */
    ck_assert_msg(abs((int)(sum / CAMPAIGNS) - (int)truth_ppm) < 2500, "mean %llu ppm, truth %u",
                  (unsigned long long)(sum / CAMPAIGNS), truth_ppm);
}
END_TEST

Suite *campaign_estimate_suite(void)
{
    Suite *suite = suite_create("campaign_estimate");
    TCase *tcase = tcase_create("shares");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, one_stratum_has_wilsons_interval);
    tcase_add_test(tcase, a_finite_stratum_has_a_narrower_one);
    tcase_add_test(tcase, more_made_than_there_are_is_a_whole_stratum);
    tcase_add_test(tcase, strata_weigh_as_they_are_large);
    tcase_add_test(tcase, no_outcome_in_a_great_stratum_is_not_certain);
    tcase_add_test(tcase, intervals_hold_the_estimate_and_have_a_mirror_image);
    tcase_add_loop_test(tcase, intervals_hold_the_truth_as_often_as_they_say, 0,
                        sizeof truths / sizeof truths[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
