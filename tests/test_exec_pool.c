/* SPDX-License-Identifier: MIT */
/* T.R1, T.R2, T.R3, T.REG, T.SLOT: what a block takes of an SM. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

static const struct exec_limits *limits_of(const char *gpu)
{
    return &nv_chip_by_name(gpu)->sm;
}

static const struct exec_limits *limits(void)
{
    return limits_of("gtx1060");
}

static struct exec_need need_on(const struct exec_limits *sm, uint32_t threads, uint32_t registers,
                                uint32_t shared_bytes, bool half_sm)
{
    struct exec_need made;
    uint32_t rule;

    ck_assert(exec_need_make(sm, threads, registers, shared_bytes, half_sm, &made, &rule));
    return made;
}

static struct exec_need need(uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
    return need_on(limits(), threads, registers, shared_bytes, false);
}

/* How many such blocks an empty SM holds, one after the other; *rule is the limit that binds. */
static uint32_t blocks_per_sm(const struct exec_limits *limits, const struct exec_need *need,
                              uint32_t *rule)
{
    struct exec_sm sm = {0};

    while (exec_fits(limits, &sm, need, rule))
        (void)exec_take(limits, &sm, need);
    return sm.blocks;
}

/* Warps of 32 threads; 256 registers for each; 256 bytes. */
START_TEST(needs_are_rounded_to_the_vendors_units)
{
    struct exec_need made = need(33, 9, 257);

    ck_assert_uint_eq(made.threads, 33);
    ck_assert_uint_eq(made.warps, 2);
    ck_assert_uint_eq(made.warp_registers, 512); /* 9 * 32 = 288 */
    ck_assert_uint_eq(made.registers, 2 * 512);
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
    {896, 72, 0, true, 0},            /* 28 warps * 2304 = 64512 */
    {897, 72, 0, false, RULE_T_REG},  /* 29 warps count as 32 in this check */
};

START_TEST(a_block_that_no_sm_can_hold_is_refused_by_its_rule)
{
    struct exec_need made;
    uint32_t rule = 0;

    ck_assert(exec_need_make(limits(), edges[_i].threads, edges[_i].registers,
                             edges[_i].shared_bytes, false, &made, &rule) == edges[_i].possible);
    if (!edges[_i].possible)
        ck_assert_uint_eq(rule, edges[_i].rule);
}
END_TEST

/* How many blocks an SM holds, and what binds: by NVIDIA's occupancy calculator (cuda_occupancy.h
 * of CUDA 13.0, compiled and asked for each row) for a kernel of the driver's, shared memory with
 * what the driver adds. */
static const struct {
    const char *gpu;
    uint32_t threads, registers, shared_bytes, fit, rule;
} packings[] = {
    {"gtx1060", 32, 8, 0, 32, RULE_T_SLOT},     /* 32 block slots */
    {"gtx1060", 1024, 32, 0, 2, RULE_T_R2},     /* 2048 threads */
    {"gtx1060", 64, 8, 4 << 10, 24, RULE_T_R3}, /* 96 KiB */
    {"gtx1060", 256, 255, 0, 1, RULE_T_REG},    /* 8 warps * 8192 = 65536 */
    {"gtx1060", 128, 64, 0, 8, RULE_T_REG},     /* 4 * 2048 = 8192 each */
    {"gtx1060", 33, 8, 0, 32, RULE_T_SLOT},     /* 64 warp slots and 32 block slots at once */
    {"gtx1060", 65, 8, 0, 21, RULE_T_SLOT},     /* 3 warps each: 64 warp slots, 1365 threads only */
    {"a100", 32, 32, 1 << 10, 32, RULE_T_SLOT},
    {"a100", 64, 128, 1 << 10, 8, RULE_T_REG},
    {"a100", 96, 40, 1 << 10, 16, RULE_T_REG},
    {"a100", 160, 64, 1 << 10, 6, RULE_T_REG},
    {"a100", 32, 32, 83968 + 1024, 1, RULE_T_R3},
    {"h100", 32, 32, 116736 + 1024, 1, RULE_T_R3},
    {"rtx6000ada", 32, 32, 51200 + 1024, 1, RULE_T_R3},
    {"tx2", 96, 40, 0, 16, RULE_T_REG},
    {"xavier", 160, 64, 0, 6, RULE_T_REG},
    {"rtx2080ti", 32, 128, 0, 16, RULE_T_SLOT},
};

START_TEST(blocks_fill_an_sm_up_to_the_limit_that_binds)
{
    const struct exec_limits *sm_limits = limits_of(packings[_i].gpu);
    const struct exec_need one = need_on(sm_limits, packings[_i].threads, packings[_i].registers,
                                         packings[_i].shared_bytes, false);
    struct exec_place places[EXEC_SLOTS_MAX];
    struct exec_sm sm = {0};
    uint32_t rule = 0, count = 0;

    while (exec_fits(sm_limits, &sm, &one, &rule)) {
        ck_assert(exec_has_room(sm_limits, &sm, &one));
        places[count] = exec_take(sm_limits, &sm, &one);
        ck_assert_uint_eq(places[count].slot, count);
        count++;
    }
    ck_assert(!exec_has_room(sm_limits, &sm, &one));
    ck_assert_uint_eq(count, packings[_i].fit);
    ck_assert_uint_eq(rule, packings[_i].rule);
    ck_assert_uint_eq(blocks_per_sm(sm_limits, &one, &rule), count);
    while (count-- > 0)
        exec_give(&sm, &one, &places[count]);
    ck_assert(memcmp(&sm, &(struct exec_sm){0}, sizeof sm) == 0);
}
END_TEST

static uint32_t warps_on(const struct exec_place *place, uint32_t partition)
{
    return place->warps >> 8 * partition & 0xff;
}

/* Half of a GTX 1060's SM holds 24 warps with 1,280 registers each: one block of 13 such warps. A
 * whole SM holds 48 of them: three blocks (cuda_occupancy.h with PARTITIONED_GC_ON says 2, with it
 * off 3). */
START_TEST(a_block_stays_in_its_half_of_the_sm_if_asked)
{
    const struct exec_need whole = need_on(limits(), 416, 40, 0, false);
    const struct exec_need half = need_on(limits(), 416, 40, 0, true);
    const struct exec_need large = need_on(limits(), 1024, 64, 0, true); /* no half can hold it */
    struct exec_sm sm = {0};
    uint32_t rule;

    ck_assert_uint_eq(blocks_per_sm(limits(), &whole, &rule), 3);
    ck_assert_uint_eq(blocks_per_sm(limits(), &half, &rule), 2);
    ck_assert_uint_eq(rule, RULE_T_REG);
    for (uint32_t i = 0; i < 2; i++) {
        const struct exec_place place = exec_take(limits(), &sm, &half);

        ck_assert_uint_eq(warps_on(&place, 2 * i) + warps_on(&place, 2 * i + 1), 13);
        ck_assert_uint_eq(warps_on(&place, 2 - 2 * i) + warps_on(&place, 3 - 2 * i), 0);
    }
    ck_assert_uint_eq(large.half_sm, 0);
    ck_assert_uint_eq(blocks_per_sm(limits(), &large, &rule), 1);
    ck_assert_uint_eq(need_on(limits_of("a100"), 416, 40, 0, true).half_sm, 0); /* no such mode */
}
END_TEST

static uint32_t least(const struct exec_blocks *by)
{
    const uint32_t all[] = {by->threads, by->slots, by->warps, by->shared_bytes, by->registers};
    uint32_t found = UINT32_MAX;

    for (uint32_t i = 0; i < 5; i++)
        found = all[i] < found ? all[i] : found;
    return found;
}

/* Blocks of one kernel, one after the other, come to what the formulas say. */
START_TEST(as_many_blocks_fit_as_each_limit_allows)
{
    static const char *const gpus[] = {"gtx1060", "tx2", "a100", "rtx2080ti", "h100"};
    struct random_state random;

    random_seed(&random, 6, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct exec_limits *sm = limits_of(gpus[i % 5]);
        struct exec_need one;
        struct exec_blocks by;
        uint32_t rule;

        if (!exec_need_make(sm, 1 + random_below(&random, 1024), random_below(&random, 256),
                            random_below(&random, 49152), random_below(&random, 2) == 1, &one,
                            &rule))
            continue;
        by = exec_blocks_by_limit(sm, &one);
        ck_assert_uint_eq(blocks_per_sm(sm, &one, &rule), least(&by));
    }
}
END_TEST

/* tests/cases/occupancy-h100: what was seen on an H100, and what CUDA's runtime said. */
START_TEST(an_h100_holds_as_many_blocks_as_were_seen)
{
    const struct exec_limits *sm = limits_of("h100");
    const char *folder = getenv("top_srcdir");
    unsigned threads, registers, shared, seen, rows = 0;
    char path[4096], line[128];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/tests/cases/occupancy-h100/blocks.txt",
                   folder ? folder : ".");
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    while (fgets(line, sizeof line, file)) {
        struct exec_need one;
        uint32_t rule;
        bool may;

        if (line[0] == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "%u %u %u %u", &threads, &registers, &shared, &seen), 4);
        may = exec_need_make(sm, threads, registers, shared + 1024, false, &one, &rule);
        ck_assert_msg((may ? blocks_per_sm(sm, &one, &rule) : 0) == seen, "%s", line);
        rows++;
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_uint_eq(rows, 679);
}
END_TEST

/* What is left may be enough and lie on sub-partitions that each have too little: a warp of 8,192
 * registers finds none when each has less, 28,672 together. */
START_TEST(registers_lie_on_sub_partitions)
{
    const struct exec_need many = need(288, 32, 0); /* 9 warps of 1,024: 3, 2, 2, 2 */
    const struct exec_need one = need(32, 255, 0);
    struct exec_sm sm = {0};
    uint32_t rule;

    for (uint32_t i = 0; i < 4; i++)
        (void)exec_take(limits(), &sm, &many);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(exec_lane(sm.partition_registers, i), 9 * 1024);
    ck_assert_uint_eq(limits()->registers_per_sm - sm.registers, 28672);
    ck_assert(!exec_fits(limits(), &sm, &one, &rule));
    ck_assert_uint_eq(rule, RULE_T_REG);
}
END_TEST

/* Whatever comes and goes, sums stay within the limits and slots are given out once. */
/* PROMISE (core): Any order of taking and giving resources of an SM keeps the books. */
START_TEST(any_order_of_taking_and_giving_keeps_the_books)
{
    struct exec_need held[64] = {0};
    struct exec_place places[64] = {0};
    struct exec_sm sm = {0};
    struct random_state random;
    uint64_t slots = 0;
    uint32_t rule;

    random_seed(&random, 5, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        const struct exec_need one = need(1 + random_below(&random, 1024),
                                          random_below(&random, 64), random_below(&random, 49152));
        const uint32_t slot = random_below(&random, 64);

        ck_assert(exec_has_room(limits(), &sm, &one) == exec_fits(limits(), &sm, &one, &rule));
        if (slots >> slot & 1) {
            exec_give(&sm, &held[slot], &places[slot]);
            slots &= ~(UINT64_C(1) << slot);
        } else if (exec_fits(limits(), &sm, &one, &rule)) {
            const struct exec_place place = exec_take(limits(), &sm, &one);
            const uint32_t taken = place.slot;

            ck_assert_uint_lt(taken, limits()->blocks_per_sm);
            ck_assert(!(slots >> taken & 1));
            slots |= UINT64_C(1) << taken;
            held[taken] = one;
            places[taken] = place;
        }
        ck_assert(sm.slots == slots);
        ck_assert_uint_le(sm.threads, limits()->threads_per_sm);
        ck_assert_uint_le(sm.warps, limits()->warps_per_sm);
        ck_assert_uint_le(sm.registers, limits()->registers_per_sm);
        ck_assert_uint_le(sm.shared_bytes, limits()->shared_bytes_per_sm);
        for (uint32_t k = 0; k < 4; k++) {
            ck_assert_uint_le(exec_lane(sm.partition_warps, k), limits()->warps_per_sm / 4);
            ck_assert_uint_le(exec_lane(sm.partition_registers, k), limits()->registers_per_sm / 4);
        }
    }
}
END_TEST

/* CUDA C++ Programming Guide, shared memory by compute capability; the least splits of kernels on
 * an H100: MIN_SM_CONFIG_SHARED_MEM_SIZE of descriptors that CUDA's driver wrote
 * (tests/hardware/data/h100, capture_descriptors and capture_streams), 1 KiB of each block the
 * driver's. */
START_TEST(the_least_split_is_what_cudas_driver_writes)
{
    static const struct {
        const char *gpu;
        uint32_t threads, shared_bytes, kib;
    } least[] = {
        {"h100", 32, 1024, 32},     {"h100", 64, 1024, 32}, {"h100", 256, 1024, 8},
        {"h100", 256, 103424, 228}, {"h100", 512, 0, 0},    {"gtx1060", 256, 1024, 0},
    };
    const uint16_t guide[] = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};

    for (size_t i = 0; i < sizeof least / sizeof least[0]; i++) {
        const struct exec_limits *sm = limits_of(least[i].gpu);
        const struct exec_need block =
            need_on(sm, least[i].threads, 16, least[i].shared_bytes, false);

        ck_assert_uint_eq(exec_least_split_kib(sm, &block), least[i].kib);
    }
    ck_assert_uint_eq(limits_of("h100")->split_count, 10);
    ck_assert_mem_eq(limits_of("h100")->splits_kib, guide, sizeof guide);
    ck_assert_uint_eq(limits_of("rtx2080ti")->splits_kib[0], 32);
}
END_TEST

/* Kernels of `carve_out` (tests/hardware/data/h100, sm_order): beside a block of 1,024 threads that
 * chose 8 KiB none of 256 threads starts, whose least split is 16; and room counts, too. */
START_TEST(an_sm_keeps_its_split_until_it_is_empty)
{
    const struct exec_limits *h100 = limits_of("h100");
    struct exec_need first = need_on(h100, 1024, 16, 1032, false);
    struct exec_need second = need_on(h100, 256, 16, 1032, false);
    struct exec_need large = need_on(h100, 64, 16, 20000, false);
    struct exec_sm sm = {0};
    struct exec_place place;
    uint32_t rule;

    place = exec_take(h100, &sm, &first); /* without the rule everything that has room starts */
    ck_assert(exec_fits(h100, &sm, &second, &rule));
    exec_give(&sm, &first, &place);
    exec_need_split(h100, &first, 8, 8);
    exec_need_split(h100, &second, 16, 32);
    exec_need_split(h100, &large, 20, 100);
    place = exec_take(h100, &sm, &first);
    ck_assert_uint_eq(sm.l1_bytes, 220 << 10);
    ck_assert(!exec_has_room(h100, &sm, &second));
    ck_assert(!exec_fits(h100, &sm, &second, &rule));
    ck_assert_uint_eq(rule, RULE_CORE_SM_SPLIT);
    exec_give(&sm, &first, &place);
    ck_assert_uint_eq(sm.l1_bytes, 0);
    place = exec_take(h100, &sm, &second);
    ck_assert(exec_has_room(h100, &sm, &first)); /* it needs 8 of the 32 */
    ck_assert(exec_has_room(h100, &sm, &large));
    (void)exec_take(h100, &sm, &large);
    ck_assert(!exec_has_room(h100, &sm, &large)); /* 21.1 of the 32 are in use */
    ck_assert(!exec_fits(h100, &sm, &large, &rule));
    ck_assert_uint_eq(rule, RULE_CORE_SM_SPLIT);
    exec_give(&sm, &second, &place);
    ck_assert_uint_eq(sm.l1_bytes, 196 << 10);
    sm = (struct exec_sm){0}; /* its context leaves, and comes back */
    exec_take_back(&sm, &second, &place);
    ck_assert_uint_eq(sm.l1_bytes, 196 << 10);
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
    tcase_add_test(tcase, a_block_stays_in_its_half_of_the_sm_if_asked);
    tcase_add_test(tcase, as_many_blocks_fit_as_each_limit_allows);
    tcase_add_test(tcase, an_h100_holds_as_many_blocks_as_were_seen);
    tcase_add_test(tcase, registers_lie_on_sub_partitions);
    tcase_add_test(tcase, any_order_of_taking_and_giving_keeps_the_books);
    tcase_add_test(tcase, the_least_split_is_what_cudas_driver_writes);
    tcase_add_test(tcase, an_sm_keeps_its_split_until_it_is_empty);
    suite_add_tcase(suite, tcase);
    return suite;
}
