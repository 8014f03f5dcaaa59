/* SPDX-License-Identifier: MIT */
/*
 * The emulated MM1024 against what was measured of it alone on a Radeon VII (Otterness and Anderson
 * 2022, Figure 9 and Table 1).  The model's figures come from the isolated timeline and the
 * isolated median of all 60 CUs; the other sizes are predicted.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "tests/check_amd.h"
#include "tests/radeon_vii_figure9.h"
#include "tests/suites.h"

enum { SIZES = 60, SEEDS = 3 };

/* Mean response time over some seeds, microseconds. */
static uint32_t response_us(const uint32_t cus[4], uint32_t threads, const char *const *settings)
{
    uint64_t sum_ps = 0;

    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        struct check_amd check;
        struct amd_launch launch;
        uint64_t grid_id;

        check_amd_begin(&check, "radeon-vii", settings);
        launch = check_amd_matrix_multiply(&check, 0, threads, seed);
        check_amd_mask(&launch, cus);
        grid_id = check_amd_submit(&check, &launch);
        check_amd_run(&check);
        sum_ps += check_amd_end_ps(&check, grid_id) + CHECK_AMD_OVERHEAD_PS;
        check_amd_end(&check);
    }
    return (uint32_t)(sum_ps / SEEDS / 1000000);
}

static uint64_t error_ppm(uint32_t got, uint32_t wanted)
{
    return (uint64_t)(got > wanted ? got - wanted : wanted - got) * 1000000 / wanted;
}

struct curves {
    uint32_t packed_us[SIZES], spread_us[SIZES];
};

static struct curves curves_of(const char *const *settings)
{
    struct curves curves;

    for (uint32_t i = 0; i < SIZES; i++) {
        curves.packed_us[i] = response_us(figure9_rows[i].packed_cus, 1024, settings);
        curves.spread_us[i] = response_us(figure9_rows[i].spread_cus, 1024, settings);
    }
    return curves;
}

static uint64_t mean_error_ppm(const struct curves *curves, bool packed)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < SIZES; i++)
        sum += packed ? error_ppm(curves->packed_us[i], figure9_rows[i].packed_us)
                      : error_ppm(curves->spread_us[i], figure9_rows[i].spread_us);
    return sum / SIZES;
}

static void check_jumps(const struct curves *curves)
{
    /* A shader engine with one CU: each block waits for it in turn (A.D2). */
    for (uint32_t cus = 2; cus <= SIZES; cus++) {
        const bool jumps = curves->packed_us[cus - 1] > 2 * curves->packed_us[cus - 2];

        ck_assert_msg(jumps == (cus == 16 || cus == 31 || cus == 46), "%u CUs: %u us after %u us",
                      cus, curves->packed_us[cus - 1], curves->packed_us[cus - 2]);
        /* Spread, more CUs never cost much. */
        ck_assert_uint_lt(curves->spread_us[cus - 1],
                          curves->spread_us[cus - 2] + curves->spread_us[cus - 2] / 50);
    }
}

/* PROMISE (amd): The model meets both curves of Figure 9 of Otterness and Anderson (2022) on a
 * Radeon VII: at 60 sizes of CU masks the mean error is at most 4 %, and the response time jumps
 * at 16, 31 and 46 packed CUs and nowhere else. */
/* LIMIT (amd): With 20 to 55 CUs enabled the real GPU is some percent faster than with few or
 * all of them. The model gives each block constant work, and no schedule explains the
 * difference. */
START_TEST(both_curves_are_met)
{
    const struct curves curves = curves_of(NULL);

    ck_assert_uint_le(mean_error_ppm(&curves, true), 40000);
    ck_assert_uint_le(mean_error_ppm(&curves, false), 40000);
    check_jumps(&curves);
}
END_TEST

/* PROMISE (amd): The isolated measurements of Figure 9 do not decide choice point amd.baton:
 * alternative `staged` meets both curves, too. */
START_TEST(the_other_baton_meets_them_too)
{
    static const char *const staged[] = {"amd.baton=staged", NULL};
    const struct curves curves = curves_of(staged);

    ck_assert_uint_le(mean_error_ppm(&curves, true), 40000);
    ck_assert_uint_le(mean_error_ppm(&curves, false), 40000);
    check_jumps(&curves);
}
END_TEST

/* A.R1: with 32 waves a CU the third block starts later, and both curves are met less well. */
/* PROMISE (amd): A bound of 40 waves a CU (rule A.R1) meets the curves of Figure 9 better than a
 * bound of 32. */
START_TEST(forty_waves_meet_them_better_than_thirty_two)
{
    static const char *const few[] = {"amd.cu_waves=32", NULL};
    const struct curves curves = curves_of(NULL), fewer = curves_of(few);

    ck_assert_uint_gt(mean_error_ppm(&fewer, true), mean_error_ppm(&curves, true));
    ck_assert_uint_gt(mean_error_ppm(&fewer, false), mean_error_ppm(&curves, false));
}
END_TEST

/* PROMISE (amd): MM1024 alone on all 60 CUs takes within 3 % of the measured 3.203 ms. */
/* LIMIT (amd): MM256 alone takes as long as MM1024 (3.13 ms); 5.03 ms were measured. Its work is
 * the same, and no scheduling rule makes it slower. */
START_TEST(all_cus_alone)
{
    static const uint32_t all[4] = {15, 15, 15, 15};

    ck_assert_uint_le(error_ppm(response_us(all, 1024, NULL), ISOLATED_MM1024_US), 30000);
    /* A known limit: as much work in smaller blocks takes 5.03 ms on the real one, which is not a
     * matter of scheduling; here it takes as long as MM1024. */
    ck_assert_uint_le(error_ppm(response_us(all, 256, NULL), ISOLATED_MM1024_US), 30000);
    ck_assert_uint_gt(error_ppm(response_us(all, 256, NULL), ISOLATED_MM256_US), 300000);
}
END_TEST

Suite *amd_figure9_suite(void)
{
    Suite *suite = suite_create("amd_figure9");
    TCase *tcase = tcase_create("Radeon VII, isolated");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, both_curves_are_met);
    tcase_add_test(tcase, the_other_baton_meets_them_too);
    tcase_add_test(tcase, forty_waves_meet_them_better_than_thirty_two);
    tcase_add_test(tcase, all_cus_alone);
    suite_add_tcase(suite, tcase);
    return suite;
}
