/* SPDX-License-Identifier: MIT */
/* T.R1, T.R2, T.R3, T.REG, T.SLOT: what a block takes of an SM. */
#include <config.h>

#include <check.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

static const struct exec_limits *limits(void)
{
    return &nv_chip_by_name("gtx1060")->sm;
}

static struct exec_need need(uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
    struct exec_need made;
    uint32_t rule;

    ck_assert(exec_need_make(limits(), threads, registers, shared_bytes, &made, &rule));
    return made;
}

/* Warps of 32 threads; 256 registers for each of a multiple of 4 warps; 256 bytes. */
START_TEST(needs_are_rounded_to_the_vendors_units)
{
    struct exec_need made = need(33, 9, 257);

    ck_assert_uint_eq(made.threads, 33);
    ck_assert_uint_eq(made.warps, 2);
    ck_assert_uint_eq(made.registers, 512 * 4); /* 9 * 32 = 288 -> 512 a warp, 2 -> 4 warps */
    ck_assert_uint_eq(made.shared_bytes, 512);
    made = need(256, 8, 1024);
    ck_assert_uint_eq(made.warps, 8);
    ck_assert_uint_eq(made.registers, 256 * 8);
    ck_assert_uint_eq(made.shared_bytes, 1024);
    made = need(1, 0, 0);
    ck_assert_uint_eq(made.registers, 0);
    ck_assert_uint_eq(made.shared_bytes, 0);
}
END_TEST

static const struct {
    uint32_t threads, registers, shared_bytes;
    bool possible;
    uint32_t rule;
} edges[] = {
    {1024, 64, 48 << 10, true, 0},
    {0, 1, 0, false, RULE_T_R2},
    {1025, 1, 0, false, RULE_T_R2},
    {UINT32_MAX, 1, 0, false, RULE_T_R2},
    {32, 1, (48 << 10) + 1, false, RULE_T_R3},
    {32, 1, UINT32_MAX, false, RULE_T_R3},
    {32, 255, 0, true, 0},
    {32, 256, 0, false, RULE_T_REG},
    {32, UINT32_MAX, 0, false, RULE_T_REG},
    {1024, 65, 0, false, RULE_T_REG}, /* 72 * 32 * 32 > 65536 */
};

START_TEST(a_block_that_no_sm_can_hold_is_refused_by_its_rule)
{
    struct exec_need made;
    uint32_t rule = 0;

    ck_assert(exec_need_make(limits(), edges[_i].threads, edges[_i].registers,
                             edges[_i].shared_bytes, &made, &rule) == edges[_i].possible);
    if (!edges[_i].possible)
        ck_assert_uint_eq(rule, edges[_i].rule);
}
END_TEST

static const struct {
    uint32_t threads, registers, shared_bytes, fit, rule;
} packings[] = {
    {32, 8, 0, 32, RULE_T_SLOT},     /* 32 block slots */
    {1024, 32, 0, 2, RULE_T_R2},     /* 2048 threads */
    {64, 8, 4 << 10, 24, RULE_T_R3}, /* 96 KiB */
    {256, 255, 0, 1, RULE_T_REG},    /* 8 warps * 8192 = 65536 */
    {128, 64, 0, 8, RULE_T_REG},     /* 4 * 2048 = 8192 each */
    {33, 8, 0, 32, RULE_T_SLOT},     /* 64 warp slots and 32 block slots at once */
    {65, 8, 0, 21, RULE_T_SLOT},     /* 3 warps each: 64 warp slots, 1365 threads only */
};

START_TEST(blocks_fill_an_sm_up_to_the_limit_that_binds)
{
    const struct exec_need one =
        need(packings[_i].threads, packings[_i].registers, packings[_i].shared_bytes);
    struct exec_sm sm = {0};
    uint32_t rule = 0, count = 0;

    while (exec_fits(limits(), &sm, &one, &rule)) {
        ck_assert_uint_eq(exec_take(limits(), &sm, &one), count);
        count++;
    }
    ck_assert_uint_eq(count, packings[_i].fit);
    ck_assert_uint_eq(rule, packings[_i].rule);
    while (count-- > 0)
        exec_give(&sm, &one, count);
    ck_assert_uint_eq(sm.threads | sm.warps | sm.registers | sm.shared_bytes | sm.blocks, 0);
    ck_assert(sm.slots == 0);
}
END_TEST

/* Whatever comes and goes, sums stay within the limits and slots are given out once. */
/* PROMISE (core): Any order of taking and giving resources of an SM keeps the books. */
START_TEST(any_order_of_taking_and_giving_keeps_the_books)
{
    struct exec_need held[64] = {0};
    struct exec_sm sm = {0};
    struct random_state random;
    uint64_t slots = 0;
    uint32_t rule;

    random_seed(&random, 5, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct exec_need one = need(1 + random_below(&random, 1024),
                                          random_below(&random, 64), random_below(&random, 49152));
        const uint32_t slot = random_below(&random, 64);

        if (slots >> slot & 1) {
            exec_give(&sm, &held[slot], slot);
            slots &= ~(UINT64_C(1) << slot);
        } else if (exec_fits(limits(), &sm, &one, &rule)) {
            const uint32_t taken = exec_take(limits(), &sm, &one);

            ck_assert_uint_lt(taken, limits()->blocks_per_sm);
            ck_assert(!(slots >> taken & 1));
            slots |= UINT64_C(1) << taken;
            held[taken] = one;
        }
        ck_assert(sm.slots == slots);
        ck_assert_uint_le(sm.threads, limits()->threads_per_sm);
        ck_assert_uint_le(sm.warps, limits()->warps_per_sm);
        ck_assert_uint_le(sm.registers, limits()->registers_per_sm);
        ck_assert_uint_le(sm.shared_bytes, limits()->shared_bytes_per_sm);
    }
}
END_TEST

Suite *exec_pool_suite(void)
{
    Suite *suite = suite_create("exec_pool");
    TCase *tcase = tcase_create("limits");

    tcase_add_test(tcase, needs_are_rounded_to_the_vendors_units);
    tcase_add_loop_test(tcase, a_block_that_no_sm_can_hold_is_refused_by_its_rule, 0,
                        sizeof edges / sizeof edges[0]);
    tcase_add_loop_test(tcase, blocks_fill_an_sm_up_to_the_limit_that_binds, 0,
                        sizeof packings / sizeof packings[0]);
    tcase_add_test(tcase, any_order_of_taking_and_giving_keeps_the_books);
    suite_add_tcase(suite, tcase);
    return suite;
}
