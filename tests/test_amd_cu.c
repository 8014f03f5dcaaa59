/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_cu.h"
#include "emu/random.h"
#include "tests/suites.h"

enum { RANDOM_BLOCKS = 24 };

static const struct amd_chip *chip;
static const struct amd_cu_limits limits = {.waves = 40, .full_rate_waves = 1};
static struct amd_cu cu;

static void set_up(void)
{
    chip = amd_chip_by_name("radeon-vii");
    memset(&cu, 0, sizeof cu);
}

static struct amd_need need_of(uint32_t threads, uint32_t vgprs, uint32_t sgprs, uint32_t lds)
{
    struct amd_need need;

    ck_assert(amd_need_make(chip, &limits, threads, vgprs, sgprs, lds, &need));
    return need;
}

/* A block whose waves work equally long. */
static uint32_t start(const struct amd_need *need, uint64_t wave_ps)
{
    const struct amd_block block = {.need = *need, .waves = need->waves};
    uint64_t work[AMD_BLOCK_WAVES_MAX];

    for (uint32_t i = 0; i < AMD_BLOCK_WAVES_MAX; i++)
        work[i] = wave_ps;
    ck_assert(amd_cu_fits(chip, &limits, &cu, need));
    return amd_cu_start(chip, &cu, &block, work);
}

static uint32_t fill(const struct amd_need *need)
{
    uint32_t count = 0;

    for (; amd_cu_fits(chip, &limits, &cu, need); count++)
        (void)start(need, 1000);
    return count;
}

START_TEST(registers_bound_waves_as_the_occupancy_table_says)
{
    /* LLVM review D65010: waves of a SIMD by VGPRs. */
    static const struct {
        uint32_t vgprs, waves;
    } rows[] = {{24, 10}, {25, 9}, {28, 9}, {32, 8}, {36, 7},  {40, 6},
                {48, 5},  {64, 4}, {84, 3}, {85, 2}, {128, 2}, {256, 1}};

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct amd_need need = need_of(64, rows[i].vgprs, 16, 0);

        memset(&cu, 0, sizeof cu);
        ck_assert_uint_eq(fill(&need), 4 * rows[i].waves);
    }
    memset(&cu, 0, sizeof cu);
    const struct amd_need scalars = need_of(64, 8, 97, 0); /* 112 of 800 for each: 7 */
    ck_assert_uint_eq(fill(&scalars), 4 * 7);
}
END_TEST

START_TEST(blocks_of_the_papers_fit_twice_and_ten_times)
{
    const struct amd_need large = need_of(1024, 24, 32, 0), small = need_of(256, 24, 32, 0);

    ck_assert_uint_eq(fill(&large), 2);
    ck_assert_uint_eq(fill(&small), 2); /* beside them */
    memset(&cu, 0, sizeof cu);
    ck_assert_uint_eq(fill(&small), 10);
    /* A.R1: with 2048 threads there is no room beside two large ones. */
    const struct amd_cu_limits few = {.waves = 32, .full_rate_waves = 1};
    memset(&cu, 0, sizeof cu);
    ck_assert_uint_eq(fill(&large), 2);
    ck_assert(!amd_cu_fits(chip, &few, &cu, &small));
}
END_TEST

START_TEST(lds_is_given_in_units_and_comes_back_with_the_block)
{
    const struct amd_need need = need_of(128, 8, 16, 21 * 1024 - 1);
    const struct amd_need more = need_of(128, 8, 16, 21 * 1024 + 1);

    ck_assert_uint_eq(need.lds_bytes, 21 * 1024);
    ck_assert_uint_eq(fill(&need), 3);
    memset(&cu, 0, sizeof cu);
    ck_assert_uint_eq(more.lds_bytes, 21 * 1024 + 512);
    ck_assert_uint_eq(fill(&more), 2);
    memset(&cu, 0, sizeof cu);
    const uint32_t slot = start(&need, 10);
    ck_assert(amd_cu_advance(&limits, &cu, 20) == UINT64_C(1) << slot);
    ck_assert_uint_eq(cu.lds_bytes, need.lds_bytes);
    amd_cu_remove(&cu, slot);
    ck_assert_uint_eq(cu.lds_bytes, 0);
}
END_TEST

START_TEST(what_never_fits_is_refused)
{
    struct amd_need need;

    ck_assert(!amd_need_make(chip, &limits, 0, 8, 8, 0, &need));
    ck_assert(!amd_need_make(chip, &limits, 1025, 8, 8, 0, &need));
    ck_assert(!amd_need_make(chip, &limits, 64, 257, 8, 0, &need));
    ck_assert(!amd_need_make(chip, &limits, 64, 8, 113, 0, &need));
    ck_assert(!amd_need_make(chip, &limits, 64, 8, 8, 65537, &need));
    ck_assert(!amd_need_make(chip, &limits, 1024, 65, 8, 0, &need)); /* 3 waves of a SIMD */
    ck_assert(amd_need_make(chip, &limits, 1024, 64, 8, 65536, &need));
}
END_TEST

START_TEST(waves_share_the_cu)
{
    const struct amd_need need = need_of(256, 24, 32, 0);
    const uint32_t first = start(&need, 1000);

    ck_assert_uint_eq(amd_cu_next_ps(&limits, &cu, 40), 4000);
    ck_assert(amd_cu_advance(&limits, &cu, 2000) == 0); /* each has done 500 */
    const uint32_t second = start(&need, 1000);
    ck_assert_uint_eq(amd_cu_next_ps(&limits, &cu, 40), 6000);
    ck_assert(amd_cu_advance(&limits, &cu, 5999) == 0);
    ck_assert(amd_cu_advance(&limits, &cu, 6000) == UINT64_C(1) << first);
    amd_cu_remove(&cu, first);
    ck_assert_uint_eq(amd_cu_next_ps(&limits, &cu, 40), 8000); /* as much work as there was */
    ck_assert(amd_cu_advance(&limits, &cu, 8000) == UINT64_C(1) << second);
}
END_TEST

START_TEST(a_cu_with_few_waves_is_not_busy)
{
    const struct amd_cu_limits busy = {.waves = 40, .full_rate_waves = 25};
    const struct amd_need need = need_of(64, 24, 32, 0);

    (void)start(&need, 1000);
    ck_assert_uint_eq(amd_cu_next_ps(&busy, &cu, 1), 25000);
    for (uint32_t i = 1; i < 25; i++)
        (void)start(&need, 1000);
    ck_assert_uint_eq(amd_cu_next_ps(&busy, &cu, 1), 25000);
    (void)start(&need, 1000);
    ck_assert_uint_eq(amd_cu_next_ps(&busy, &cu, 1), 26000);
}
END_TEST

START_TEST(room_comes_back_wave_by_wave)
{
    const struct amd_need large = need_of(1024, 24, 32, 0);
    const struct amd_block block = {.need = large, .waves = 16};
    uint64_t work[16];

    for (uint32_t i = 0; i < 16; i++)
        work[i] = 1000 + 100 * i;
    (void)start(&large, 5000);
    (void)amd_cu_start(chip, &cu, &block, work);
    ck_assert(!amd_cu_fits(chip, &limits, &cu, &large));
    /* Eight waves are free: with eight more that have ended a third block fits (A.D5). */
    const gfe_ps eighth = amd_cu_next_ps(&limits, &cu, 8);
    ck_assert_uint_eq(eighth, 1000 * 32 + 100 * (31 + 30 + 29 + 28 + 27 + 26 + 25));
    ck_assert(amd_cu_advance(&limits, &cu, eighth - 1) == 0);
    ck_assert(!amd_cu_fits(chip, &limits, &cu, &large));
    ck_assert(amd_cu_advance(&limits, &cu, eighth) == 0);
    ck_assert(amd_cu_fits(chip, &limits, &cu, &large));
    ck_assert(!amd_cu_fits_whole(chip, &limits, &cu, &large));
    ck_assert_uint_eq(cu.ended_waves, 8);
}
END_TEST

/* Ends of random blocks, with or without being looked at between their starts. */
static void run_random(uint64_t seed, bool often, gfe_ps ends[RANDOM_BLOCKS])
{
    struct random_state random, looks;
    gfe_ps now = 0;
    uint32_t block_of[AMD_CU_WAVES_MAX] = {0}, started = 0, ended = 0;

    random_seed(&random, seed, 1);
    random_seed(&looks, seed, 2);
    memset(&cu, 0, sizeof cu);
    while (ended < RANDOM_BLOCKS) {
        const struct amd_need need = need_of(64, 24, 32, 0);
        const bool fits = started < RANDOM_BLOCKS && amd_cu_fits(chip, &limits, &cu, &need);
        gfe_ps next = fits ? now + random_below(&random, 3000)
                           : amd_cu_next_ps(&limits, &cu, AMD_CU_WAVES_MAX);

        if (amd_cu_next_ps(&limits, &cu, AMD_CU_WAVES_MAX) < next)
            next = amd_cu_next_ps(&limits, &cu, AMD_CU_WAVES_MAX);
        while (often && now + 1 < next) {
            now += 1 + random_below(&looks, 7) % (next - now - 1);
            ck_assert(amd_cu_advance(&limits, &cu, now) == 0);
        }
        now = next;
        for (uint64_t done = amd_cu_advance(&limits, &cu, now); done != 0; done &= done - 1) {
            const uint32_t slot = (uint32_t)__builtin_ctzll(done);
            ends[block_of[slot]] = now;
            amd_cu_remove(&cu, slot);
            ended++;
        }
        if (fits)
            block_of[start(&need, 1 + random_below(&random, 20000))] = started++;
    }
}

START_TEST(looking_at_a_cu_changes_nothing)
{
    gfe_ps rarely[RANDOM_BLOCKS], often[RANDOM_BLOCKS];

    run_random((uint64_t)_i, false, rarely);
    run_random((uint64_t)_i, true, often);
    ck_assert_mem_eq(rarely, often, sizeof rarely);
}
END_TEST

Suite *amd_cu_suite(void)
{
    Suite *suite = suite_create("amd_cu");
    TCase *tcase = tcase_create("a CU");

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, registers_bound_waves_as_the_occupancy_table_says);
    tcase_add_test(tcase, blocks_of_the_papers_fit_twice_and_ten_times);
    tcase_add_test(tcase, lds_is_given_in_units_and_comes_back_with_the_block);
    tcase_add_test(tcase, what_never_fits_is_refused);
    tcase_add_test(tcase, waves_share_the_cu);
    tcase_add_test(tcase, a_cu_with_few_waves_is_not_busy);
    tcase_add_test(tcase, room_comes_back_wave_by_wave);
    tcase_add_loop_test(tcase, looking_at_a_cu_changes_nothing, 0, 50);
    suite_add_tcase(suite, tcase);
    return suite;
}
