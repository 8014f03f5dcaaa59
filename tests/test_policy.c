/* SPDX-License-Identifier: MIT */
/*
 * The built-in policies, each against the words of its choice point: core.block_to_sm
 * (devices/core/core_events.h), amd.block_to_cu and amd.wlm_arbitration (devices/amd/amd_tables.h).
 */
#include <config.h>

#include <check.h>

#include "devices/core/policy.h"
#include "tests/suites.h"

enum { MOST_FREE, ROUND_ROBIN, LOWEST, RANDOM, SMS = 4 };
enum { SLOT_ROUND_ROBIN, OLDEST, LOWEST_ACE, LARGEST, SMALLEST };

static uint32_t pick_sm(uint32_t policy, const struct policy_sm *sms, uint32_t *memory)
{
    struct random_state random;

    random_seed(&random, 1, 1);
    return policy_pick_sm_builtin[policy](sms, SMS, memory, &random);
}

/* ---- SMs --------------------------------------------------------------------------------------
 */

START_TEST(the_sm_with_most_free_threads_is_the_lowest_of_equals)
{
    struct policy_sm sms[SMS] = {{1, 512, 0}, {0, 2048, 0}, {1, 1024, 0}, {1, 1024, 0}};
    uint32_t memory = 0;

    ck_assert_uint_eq(pick_sm(MOST_FREE, sms, &memory), 2);
    sms[0].free_threads = 1025;
    ck_assert_uint_eq(pick_sm(MOST_FREE, sms, &memory), 0);
    sms[0].fits = sms[2].fits = 0;
    ck_assert_uint_eq(pick_sm(MOST_FREE, sms, &memory), 3);
    sms[3].fits = 0;
    ck_assert_uint_eq(pick_sm(MOST_FREE, sms, &memory), POLICY_NONE);
    ck_assert_uint_eq(memory, 0);
}
END_TEST

START_TEST(round_robin_goes_on_after_the_last_sm_and_passes_over_full_ones)
{
    struct policy_sm sms[SMS] = {{1, 1, 0}, {1, 9, 0}, {0, 9, 0}, {1, 1, 0}};
    uint32_t memory = 1;

    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), 1);
    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), 3);
    ck_assert_uint_eq(policy_pick_sm_begins(ROUND_ROBIN, SMS, memory), 0);
    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), 0);
    ck_assert_uint_eq(policy_pick_sm_begins(ROUND_ROBIN, SMS, memory), 1);
    sms[1].fits = sms[3].fits = 0;
    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), 0);
    sms[0].fits = 0;
    memory = 3;
    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), POLICY_NONE);
    ck_assert_uint_eq(memory, 3);
    policy_pick_sm_took(ROUND_ROBIN, 2, &memory); /* as if it had picked that one */
    sms[0].fits = sms[3].fits = 1;
    ck_assert_uint_eq(pick_sm(ROUND_ROBIN, sms, &memory), 3);
}
END_TEST

START_TEST(the_lowest_sm_that_fits)
{
    struct policy_sm sms[SMS] = {{0, 9, 0}, {1, 1, 0}, {1, 9, 0}, {1, 9, 0}};
    uint32_t memory = 3;

    ck_assert_uint_eq(pick_sm(LOWEST, sms, &memory), 1);
    policy_pick_sm_took(LOWEST, 1, &memory);
    ck_assert_uint_eq(memory, 3);
    ck_assert_uint_eq(policy_pick_sm_begins(LOWEST, SMS, 3), 0);
    sms[1].fits = sms[2].fits = sms[3].fits = 0;
    ck_assert_uint_eq(pick_sm(LOWEST, sms, &memory), POLICY_NONE);
}
END_TEST

/* Each SM that fits about as often: of 3,000 draws 1,000, with a standard deviation of 26. */
START_TEST(a_random_sm_is_any_that_fits)
{
    const struct policy_sm sms[SMS] = {{1, 1, 0}, {0, 1, 0}, {1, 1, 0}, {1, 1, 0}};
    const struct policy_sm none[SMS] = {{0, 1, 0}};
    uint32_t counts[SMS] = {0}, memory = 0;
    struct random_state random;

    random_seed(&random, 7, 1);
    for (uint32_t i = 0; i < 3000; i++) {
        const uint32_t sm = policy_pick_sm_builtin[RANDOM](sms, SMS, &memory, &random);

        ck_assert_uint_lt(sm, SMS);
        counts[sm]++;
    }
    ck_assert_uint_eq(counts[1], 0);
    for (uint32_t i = 0; i < SMS; i++)
        ck_assert(i == 1 || (counts[i] > 850 && counts[i] < 1150));
    ck_assert_uint_eq(policy_pick_sm_builtin[RANDOM](none, SMS, &memory, &random), POLICY_NONE);
}
END_TEST

/* A policy that compares all SMs has no first one. */
START_TEST(only_a_search_in_order_has_a_beginning)
{
    ck_assert_uint_eq(policy_pick_sm_begins(MOST_FREE, SMS, 0), POLICY_NONE);
    ck_assert_uint_eq(policy_pick_sm_begins(RANDOM, SMS, 0), POLICY_NONE);
}
END_TEST

/* ---- slots ------------------------------------------------------------------------------------
 */

static const struct policy_slot slots[4] = {{.waves = 4, .since_ps = 5},
                                            {.waves = 16, .since_ps = 3},
                                            {.waves = 16, .since_ps = 3},
                                            {.waves = 2, .since_ps = 8}};

static uint32_t pick_slot(uint32_t policy, uint32_t fits, uint32_t *memory)
{
    return policy_pick_slot_builtin[policy](slots, fits, memory);
}

/* Among equals the lowest ACE; a slot whose block fits nowhere is passed over (A.D4). */
START_TEST(each_arbitration_has_its_order)
{
    static const struct {
        uint32_t policy, fits, picked;
    } rows[] = {
        {OLDEST, 0xf, 1},     {OLDEST, 0xd, 2},          {OLDEST, 0x9, 0},
        {LOWEST_ACE, 0xf, 0}, {LOWEST_ACE, 0xc, 2},      {LARGEST, 0xf, 1},
        {LARGEST, 0xd, 2},    {LARGEST, 0x9, 0},         {SMALLEST, 0xf, 3},
        {SMALLEST, 0x7, 0},   {SMALLEST, 0x6, 1},        {OLDEST, 0, POLICY_NONE},
        {SMALLEST, 0x8, 3},   {LARGEST, 0, POLICY_NONE},
    };

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t memory = 2;

        ck_assert_uint_eq(pick_slot(rows[i].policy, rows[i].fits, &memory), rows[i].picked);
        policy_pick_slot_took(rows[i].policy, 0, &memory);
        ck_assert_uint_eq(memory, 2);
    }
}
END_TEST

START_TEST(slots_are_served_round_robin)
{
    uint32_t memory = 0;

    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0xb, &memory), 0);
    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0xb, &memory), 1);
    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0xb, &memory), 3);
    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0xb, &memory), 0);
    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0, &memory), POLICY_NONE);
    policy_pick_slot_took(SLOT_ROUND_ROBIN, 1, &memory);
    ck_assert_uint_eq(pick_slot(SLOT_ROUND_ROBIN, 0xb, &memory), 3);
}
END_TEST

Suite *policy_suite(void)
{
    Suite *suite = suite_create("policy");
    TCase *tcase = tcase_create("policies");

    tcase_add_test(tcase, the_sm_with_most_free_threads_is_the_lowest_of_equals);
    tcase_add_test(tcase, round_robin_goes_on_after_the_last_sm_and_passes_over_full_ones);
    tcase_add_test(tcase, the_lowest_sm_that_fits);
    tcase_add_test(tcase, a_random_sm_is_any_that_fits);
    tcase_add_test(tcase, only_a_search_in_order_has_a_beginning);
    tcase_add_test(tcase, each_arbitration_has_its_order);
    tcase_add_test(tcase, slots_are_served_round_robin);
    suite_add_tcase(suite, tcase);
    return suite;
}
