/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_cu.h"
#include "emu/engine/random.h"
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
    uint64_t work[AMD_BLOCK_WAVES_MAX];

    for (uint32_t i = 0; i < AMD_BLOCK_WAVES_MAX; i++)
        work[i] = wave_ps;
    ck_assert(amd_cu_fits(chip, &limits, &cu, need));
    return amd_cu_start(chip, &limits, &cu, need, 0, 0, work);
}

/* When so many waves or a block have ended. */
static gfe_ps next_ps(const struct amd_cu_limits *of, uint32_t waves)
{
    const gfe_ps end_ps = amd_cu_end_ps(of, &cu), waves_ps = amd_cu_waves_ps(of, &cu, waves);

    return waves_ps < end_ps ? waves_ps : end_ps;
}

static uint32_t fill(const struct amd_need *need)
{
    uint32_t count = 0;

    for (; amd_cu_fits(chip, &limits, &cu, need); count++)
        (void)start(need, 1000);
    return count;
}

/* PROMISE (amd): Registers bound the waves of a CU as AMD's occupancy table says. */
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

    ck_assert_uint_eq(next_ps(&limits, 40), 4000);
    ck_assert(amd_cu_advance(&limits, &cu, 2000) == 0); /* each has done 500 */
    const uint32_t second = start(&need, 1000);
    ck_assert_uint_eq(next_ps(&limits, 40), 6000);
    ck_assert(amd_cu_advance(&limits, &cu, 5999) == 0);
    ck_assert(amd_cu_advance(&limits, &cu, 6000) == UINT64_C(1) << first);
    amd_cu_remove(&cu, first);
    ck_assert_uint_eq(next_ps(&limits, 40), 8000); /* as much work as there was */
    ck_assert(amd_cu_advance(&limits, &cu, 8000) == UINT64_C(1) << second);
}
END_TEST

START_TEST(a_cu_with_few_waves_is_not_busy)
{
    const struct amd_cu_limits busy = {.waves = 40, .full_rate_waves = 25};
    const struct amd_need need = need_of(64, 24, 32, 0);

    (void)start(&need, 1000);
    ck_assert_uint_eq(next_ps(&busy, 1), 25000);
    for (uint32_t i = 1; i < 25; i++)
        (void)start(&need, 1000);
    ck_assert_uint_eq(next_ps(&busy, 1), 25000);
    (void)start(&need, 1000);
    ck_assert_uint_eq(next_ps(&busy, 1), 26000);
}
END_TEST

/* What is known of the next end holds as long as no wave becomes slower and no block comes before.
 */
START_TEST(an_end_that_is_known_is_kept)
{
    const struct amd_cu_limits busy = {.waves = 40, .full_rate_waves = 25};
    const struct amd_need need = need_of(64, 24, 32, 0);
    const uint64_t work[] = {2000, 1000, 1500, 500, 3000};
    const gfe_ps ends[] = {50000, 25000, 25000, 12500, 12500}, kept[] = {0, 0, 25000, 0, 12500};

    for (uint32_t i = 0; i < 5; i++) {
        (void)amd_cu_start(chip, &busy, &cu, &need, 0, 0, &work[i]);
        ck_assert_uint_eq(cu.end.at_ps, kept[i]);
        ck_assert_uint_eq(amd_cu_end_ps(&busy, &cu), ends[i]);
    }
    for (uint32_t i = 5; i < 25; i++)
        (void)amd_cu_start(chip, &busy, &cu, &need, 0, 0, &work[4]);
    ck_assert_uint_eq(cu.end.at_ps, 12500);
    (void)amd_cu_start(chip, &busy, &cu, &need, 0, 0, &work[4]); /* all become slower */
    ck_assert_uint_eq(cu.end.at_ps, 0);
    ck_assert_uint_eq(amd_cu_end_ps(&busy, &cu), 13000);
    ck_assert(amd_cu_advance(&busy, &cu, 13000) == 1 << 3);
}
END_TEST

START_TEST(room_comes_back_wave_by_wave)
{
    const struct amd_need large = need_of(1024, 24, 32, 0);
    uint64_t work[16];

    for (uint32_t i = 0; i < 16; i++)
        work[i] = 1000 + 100 * i;
    (void)start(&large, 5000);
    (void)amd_cu_start(chip, &limits, &cu, &large, 0, 0, work);
    ck_assert(!amd_cu_fits(chip, &limits, &cu, &large));
    /* Eight waves are free: with eight more that have ended a third block fits (A.D5). */
    const gfe_ps eighth = next_ps(&limits, 8);
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
        gfe_ps next = fits ? now + random_below(&random, 3000) : next_ps(&limits, AMD_CU_WAVES_MAX);

        if (next_ps(&limits, AMD_CU_WAVES_MAX) < next)
            next = next_ps(&limits, AMD_CU_WAVES_MAX);
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

/* PROMISE (amd): Looking at a CU at any time changes no end of a block. */
START_TEST(looking_at_a_cu_changes_nothing)
{
    gfe_ps rarely[RANDOM_BLOCKS], often[RANDOM_BLOCKS];

    run_random((uint64_t)_i, false, rarely);
    run_random((uint64_t)_i, true, often);
    ck_assert_mem_eq(rarely, often, sizeof rarely);
}
END_TEST

/* ---- a plainer CU ---------------------------------------------------------------------------- */

/* The same without order, sums and numbers in parts: what each wave has left to do and where it is.
 */
struct plain_wave {
    uint64_t left;
    uint32_t block, simd;
};
struct plain {
    struct plain_wave waves[AMD_CU_WAVES_MAX];
    struct amd_need needs[AMD_CU_WAVES_MAX]; /* by slot of the block */
    uint32_t block_waves[AMD_CU_WAVES_MAX];  /* that have not ended */
    uint32_t count;
    uint64_t carry;
};

static uint32_t plain_room(const struct plain *plain, uint32_t simd, const struct amd_need *need)
{
    uint32_t slots = chip->waves_per_simd, vgprs = chip->vgprs_per_simd;
    uint32_t sgprs = chip->sgprs_per_simd, room = 0;

    for (uint32_t i = 0; i < plain->count; i++)
        if (plain->waves[i].simd == simd) {
            slots--;
            vgprs -= plain->needs[plain->waves[i].block].vgprs;
            sgprs -= plain->needs[plain->waves[i].block].sgprs;
        }
    while (slots > room && vgprs >= (room + 1) * need->vgprs && sgprs >= (room + 1) * need->sgprs)
        room++;
    return room;
}

static bool plain_fits(const struct plain *plain, const struct amd_need *need)
{
    uint32_t room = 0;

    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        room += plain_room(plain, i, need);
    return room >= need->waves && plain->count + need->waves <= limits.waves;
}

static void plain_start(struct plain *plain, uint32_t slot, const struct amd_need *need,
                        const uint64_t *work_ps)
{
    plain->needs[slot] = *need;
    plain->block_waves[slot] = need->waves;
    for (uint32_t i = 0; i < need->waves; i++) {
        uint32_t best = 0;

        for (uint32_t simd = 1; simd < AMD_SIMDS_MAX; simd++)
            if (plain_room(plain, simd, need) > plain_room(plain, best, need))
                best = simd;
        plain->waves[plain->count++] = (struct plain_wave){work_ps[i], slot, best};
    }
}

/* Until the next end of a wave, or for `work` of the CU.  Returns what it has used of it. */
static uint64_t plain_step(struct plain *plain, uint64_t full_rate_waves, uint64_t work,
                           uint64_t *ended)
{
    const uint64_t sharers = plain->count > full_rate_waves ? plain->count : full_rate_waves;
    uint64_t least = UINT64_MAX;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < plain->count; i++)
        least = plain->waves[i].left < least ? plain->waves[i].left : least;
    if (least > work / sharers)
        least = work / sharers;
    for (uint32_t i = 0; i < plain->count; i++) {
        struct plain_wave wave = plain->waves[i];

        wave.left -= least;
        if (wave.left != 0)
            plain->waves[kept++] = wave;
        else if (--plain->block_waves[wave.block] == 0)
            *ended |= UINT64_C(1) << wave.block;
    }
    plain->count = kept;
    return least * sharers;
}

static uint64_t plain_advance(struct plain *plain, uint64_t full_rate_waves, gfe_ps ps)
{
    uint64_t work = ps + plain->carry, ended = 0, used;

    do {
        used = plain->count != 0 ? plain_step(plain, full_rate_waves, work, &ended) : 0;
        work -= used;
    } while (used != 0);
    plain->carry = plain->count != 0 ? work : 0;
    return ended;
}

/* After how many ps so many waves or a block have ended. */
static gfe_ps plain_next(const struct plain *plain, uint64_t full_rate_waves, uint32_t waves)
{
    struct plain copy = *plain;
    uint64_t work = 0, ended = 0;

    while (ended == 0 && copy.count != 0 && plain->count - copy.count < waves)
        work += plain_step(&copy, full_rate_waves, UINT64_MAX / 2, &ended);
    return work > plain->carry ? work - plain->carry : 0;
}

/* Work of waves: alike, near each other, or so far from each other that it is sorted in another
 * way. */
static void random_work(struct random_state *random, uint64_t work_ps[AMD_BLOCK_WAVES_MAX])
{
    static const uint32_t spreads[] = {1, 3, 20000, 60000000, 1u << 27, UINT32_MAX};
    const uint32_t spread = spreads[random_below(random, 6)];
    const uint64_t least = spread <= 3 ? 1000 : 1 + random_below(random, 200000000);

    for (uint32_t i = 0; i < AMD_BLOCK_WAVES_MAX; i++)
        work_ps[i] = least + random_below(random, spread);
}

/* PROMISE (amd): A plainer model of a CU gives the same ends. */
START_TEST(a_plainer_cu_does_the_same)
{
    const struct amd_cu_limits some = {40, (uint32_t)_i % 3 * 13 + 1};
    struct plain plain = {.count = 0};
    struct random_state random;
    gfe_ps now = 0;

    random_seed(&random, (uint64_t)_i, 3);
    for (uint32_t step = 0; step < 400; step++) {
        const struct amd_need need =
            need_of(1 + random_below(&random, 1024), random_below(&random, step % 3 ? 25 : 65),
                    random_below(&random, step % 5 ? 81 : 103), 0);
        const uint32_t waves = 1 + random_below(&random, AMD_CU_WAVES_MAX);
        uint64_t work[AMD_BLOCK_WAVES_MAX], ended;
        gfe_ps next;

        ck_assert(amd_cu_fits(chip, &some, &cu, &need) == plain_fits(&plain, &need));
        if (plain_fits(&plain, &need)) {
            random_work(&random, work);
            plain_start(&plain, amd_cu_start(chip, &some, &cu, &need, 0, 0, work), &need, work);
        }
        ck_assert_uint_eq(cu.wave_count, plain.count);
        if (plain.count == 0)
            continue;
        next = next_ps(&some, waves);
        ck_assert_uint_eq(next - now, plain_next(&plain, some.full_rate_waves, waves));
        if (random_below(&random, 3) == 0)
            next = now; /* another one at the same time */
        else if (random_below(&random, 3) == 0)
            next = now + random_below(&random, (uint32_t)(next - now) % UINT32_MAX + 1);
        ended = amd_cu_advance(&some, &cu, next);
        ck_assert_uint_eq(ended, plain_advance(&plain, some.full_rate_waves, next - now));
        now = next;
        for (; ended != 0; ended &= ended - 1)
            amd_cu_remove(&cu, (uint32_t)__builtin_ctzll(ended));
    }
    while (cu.wave_count > 0) {
        now = next_ps(&some, AMD_CU_WAVES_MAX);
        for (uint64_t left = amd_cu_advance(&some, &cu, now); left != 0; left &= left - 1)
            amd_cu_remove(&cu, (uint32_t)__builtin_ctzll(left));
    }
    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        ck_assert(cu.simds[i] == 0 && cu.held[i] == 0);
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
    tcase_add_test(tcase, an_end_that_is_known_is_kept);
    tcase_add_test(tcase, room_comes_back_wave_by_wave);
    tcase_add_loop_test(tcase, a_plainer_cu_does_the_same, 0, 50);
    tcase_add_loop_test(tcase, looking_at_a_cu_changes_nothing, 0, 50);
    suite_add_tcase(suite, tcase);
    return suite;
}
