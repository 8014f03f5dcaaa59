/* SPDX-License-Identifier: MIT */
/* Copies that run at once: who is slowed by whom, and that no time is lost or gained. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "devices/core/copy_share.h"
#include "tests/suites.h"

enum { FLOWS = 4 };
#define HALF (COPY_SPEED_FULL / 2)

static const struct copy_rates rates = {.engine = 40, .system = 10, .local = 100};
/* Into and out of the GPU's memory over the link, and within it. */
static const struct copy_traffic upload = {80, 80, true, false};
static const struct copy_traffic download = {80, 80, false, true};
static const struct copy_traffic within = {80, 80, false, false};

/* Flows of these traffics that have just begun, of ten seconds each, and share. */
static void begin(struct copy_flow *flows, uint32_t count, const struct copy_traffic *const *of)
{
    const struct copy_work left = {.ps = 10 * GFE_PS_PER_S};

    for (uint32_t i = 0; i < count; i++) {
        copy_flow_begin(&flows[i], left, &rates, of[i], 0);
        flows[i].moves = 1;
    }
    copy_share(flows, count);
}

static const struct {
    const struct copy_traffic *of[FLOWS];
    uint64_t speed[FLOWS];
    enum copy_limit limit[FLOWS];
} shared[] = {
    {{&upload}, {COPY_SPEED_FULL}, {COPY_LIMIT_SYSTEM_READ}},
    /* Each direction for itself. */
    {{&upload, &download},
     {COPY_SPEED_FULL, COPY_SPEED_FULL},
     {COPY_LIMIT_SYSTEM_READ, COPY_LIMIT_SYSTEM_WRITE}},
    {{&upload, &upload}, {HALF, HALF}, {COPY_LIMIT_SYSTEM_READ, COPY_LIMIT_SYSTEM_READ}},
    /* Whom the link does not concern is not slowed by it. */
    {{&upload, &within, &upload},
     {HALF, COPY_SPEED_FULL, HALF},
     {COPY_LIMIT_SYSTEM_READ, COPY_LIMIT_ENGINE, COPY_LIMIT_SYSTEM_READ}},
    /* 40 + 40 bytes a second each, of 100: the memory is full. */
    {{&within, &within},
     {COPY_SPEED_FULL * 100 / 160, COPY_SPEED_FULL * 100 / 160},
     {COPY_LIMIT_LOCAL, COPY_LIMIT_LOCAL}},
};

START_TEST(those_who_meet_at_a_bottleneck_are_slowed_alike)
{
    struct copy_flow flows[FLOWS] = {0};
    uint32_t count = 0;

    while (count < FLOWS && shared[_i].of[count])
        count++;
    begin(flows, count, shared[_i].of);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_le(flows[i].speed, shared[_i].speed[i]);
        ck_assert_uint_ge(flows[i].speed + 1, shared[_i].speed[i]); /* loads are rounded up */
        ck_assert_uint_eq(flows[i].limit, shared[_i].limit[i]);
    }
}
END_TEST

/* Two copies that each fill the memory to 80 of 100, slowed by the link to half: the third has what
 * they leave. */
START_TEST(what_a_slowed_copy_leaves_the_others_have)
{
    static const struct copy_rates wide = {.engine = 1000, .system = 10, .local = 20};
    static const struct copy_traffic into = {80, 80, true, false};
    static const struct copy_traffic inside = {80, 80, false, false};
    struct copy_flow flows[3] = {0};
    const struct copy_work left = {.ps = GFE_PS_PER_S};

    for (uint32_t i = 0; i < 3; i++) {
        copy_flow_begin(&flows[i], left, &wide, i < 2 ? &into : &inside, 0);
        flows[i].moves = 1;
    }
    copy_share(flows, 3);
    /* Alone an upload takes the link whole and half of the memory; the third all of the memory.
     * The link is full at one half; then half of the memory is left. */
    ck_assert_uint_eq(flows[0].load[COPY_LINK_LOCAL], HALF);
    ck_assert_uint_eq(flows[2].load[COPY_LINK_LOCAL], COPY_SPEED_FULL);
    ck_assert_uint_eq(flows[0].speed, HALF);
    ck_assert_uint_eq(flows[1].speed, HALF);
    ck_assert_uint_eq(flows[2].speed, HALF);
    flows[1].moves = 0;
    copy_share(flows, 3);
    ck_assert_uint_eq(flows[1].speed, 0);
    ck_assert_uint_eq(flows[0].speed, flows[2].speed);
    ck_assert_uint_eq(flows[2].speed, COPY_SPEED_FULL * 2 / 3);
}
END_TEST

/* The link is never given out twice, and nobody could be faster: each is at full speed or uses a
 * link that is full. */
/* PROMISE (core): Copies at the same time share all of a link and no more. */
START_TEST(random_flows_share_all_there_is_and_no_more)
{
    srand((unsigned)_i + 1);
    for (uint32_t round = 0; round < 200; round++) {
        const uint32_t count = 1 + (uint32_t)rand() % 12;
        struct copy_flow flows[12] = {0};
        uint64_t used[COPY_LINKS] = {0};

        for (uint32_t i = 0; i < count; i++) {
            const struct copy_traffic traffic = {
                .read_bytes = (uint64_t)rand() % 1000 + (rand() % 3 == 0 ? 0 : 1),
                .written_bytes = (uint64_t)rand() % 1000,
                .reads_system = rand() % 2,
                .writes_system = rand() % 2,
            };
            copy_flow_begin(&flows[i], (struct copy_work){.ps = 1000}, &rates, &traffic, 5);
            flows[i].moves = rand() % 4 != 0;
        }
        copy_share(flows, count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t link = 0; link < COPY_LINKS; link++)
                used[link] += (flows[i].speed >> 8) * (flows[i].load[link] >> 8) >> 16;
        for (uint32_t link = 0; link < COPY_LINKS; link++)
            ck_assert_uint_le(used[link], COPY_SPEED_FULL);
        for (uint32_t i = 0; i < count; i++) {
            bool bound = flows[i].speed == COPY_SPEED_FULL || !flows[i].moves;

            for (uint32_t link = 0; link < COPY_LINKS; link++)
                bound = bound || (flows[i].load[link] > 0 &&
                                  used[link] > COPY_SPEED_FULL - (COPY_SPEED_FULL >> 12));
            ck_assert(bound);
            ck_assert_int_eq(flows[i].moves, flows[i].speed > 0);
        }
    }
}
END_TEST

/* Whatever the cuts, a copy at half and at full speed ends when it must. */
/* PROMISE (core): Sharing loses and gains no time, however often the model looks. */
START_TEST(no_time_is_lost_or_gained_however_often_it_is_looked_at)
{
    const struct copy_traffic *const two[] = {&upload, &upload};
    const gfe_ps step = (gfe_ps[]){10 * GFE_PS_PER_S, 7, 1000 * GFE_PS_PER_US}[_i];
    struct copy_flow flows[2] = {0};
    gfe_ps now = 0, end = 20 * GFE_PS_PER_S;

    begin(flows, 2, two);
    for (uint32_t i = 0; i < 1000 && now + step < end; i++) {
        now += step;
        ck_assert(!copy_flow_settle(&flows[0], now));
        ck_assert(!copy_flow_settle(&flows[1], now));
        ck_assert_uint_eq(copy_flow_due_ps(&flows[0]), end);
    }
    ck_assert(!copy_flow_settle(&flows[0], now));
    flows[1].moves = 0; /* the other one stops: what is left takes half as long */
    copy_share(flows, 2);
    ck_assert_uint_eq(copy_flow_due_ps(&flows[1]), GFE_PS_NEVER);
    end = now + (end - now + 1) / 2;
    ck_assert_uint_eq(copy_flow_due_ps(&flows[0]), end);
    ck_assert(!copy_flow_settle(&flows[0], end - 1));
    ck_assert(copy_flow_settle(&flows[0], end));
    ck_assert_uint_eq(flows[0].left.ps + flows[0].left.part, 0);
}
END_TEST

/* A third of full speed ends within a picosecond; what it was too much is the next one's. */
START_TEST(what_the_last_picosecond_was_too_long_is_carried)
{
    struct copy_flow flow = {0};
    gfe_ps now = 0;

    for (uint32_t i = 0; i < 3000; i++) {
        copy_flow_begin(&flow, (struct copy_work){.ps = 1000}, &rates, &upload, now);
        flow.speed = COPY_SPEED_FULL / 3;
        now = copy_flow_due_ps(&flow);
        ck_assert(copy_flow_settle(&flow, now));
    }
    /* 3000 times 1000 at (2^32 - 1) / 3 / 2^32. */
    ck_assert_uint_ge(now, 9000000);
    ck_assert_uint_le(now, 9000000 + 3);
}
END_TEST

START_TEST(a_goal_is_where_it_stops)
{
    struct copy_flow flow = {0};

    copy_flow_begin(&flow, (struct copy_work){.ps = 1000}, &rates, &upload, 0);
    flow.speed = HALF;
    flow.goal = copy_work_left(1000, 3, 10);
    ck_assert_uint_eq(flow.goal.ps, 700);
    ck_assert_uint_eq(copy_flow_due_ps(&flow), 600);
    ck_assert(copy_flow_settle(&flow, 700));
    ck_assert_uint_eq(flow.left.ps, 700);
    flow.goal = (struct copy_work){0};
    ck_assert_uint_eq(copy_flow_due_ps(&flow), 700 + 1400 - 0);
}
END_TEST

START_TEST(what_is_left_is_in_proportion_to_the_bytes)
{
    const struct copy_work third = copy_work_left(1000, 1, 3), none = copy_work_left(1000, 3, 3);
    const struct copy_work huge = copy_work_left(GFE_PS_NEVER - 1, 1, UINT64_MAX);

    ck_assert_uint_eq(third.ps, 666);
    ck_assert_uint_eq(third.part, COPY_SPEED_FULL * 2 / 3);
    ck_assert_uint_eq(none.ps + none.part, 0);
    ck_assert_uint_eq(copy_work_left(1000, 0, 3).ps, 1000);
    ck_assert_uint_ge(huge.ps, GFE_PS_NEVER - 3);
    ck_assert_int_lt(copy_work_compare(none, third), 0);
    ck_assert_int_gt(copy_work_compare(third, none), 0);
    ck_assert_int_eq(copy_work_compare(third, third), 0);
    ck_assert_int_lt(copy_work_compare((struct copy_work){1, 5}, (struct copy_work){1, 6}), 0);
}
END_TEST

/* Sizes and rates as far apart as they can be: no load above the whole, no division by nothing. */
START_TEST(absurd_traffic_stays_within_bounds)
{
    static const uint64_t bytes[] = {0, 1, 31, UINT64_C(1) << 33, UINT64_MAX};
    static const struct copy_rates absurd[] = {
        {1, 1, 1}, {UINT64_C(1) << 43, 1, 1}, {1, UINT64_C(1) << 43, 1}, {1, 1, UINT64_C(1) << 43}};
    struct copy_flow flow = {0};

    for (uint32_t i = 0; i < 5 * 5 * 4 * 4; i++) {
        const struct copy_traffic traffic = {bytes[i % 5], bytes[i / 5 % 5] / 2, i / 25 % 2,
                                             i / 50 % 2};

        copy_flow_begin(&flow, (struct copy_work){.ps = 1}, &absurd[i / 100], &traffic, 0);
        for (uint32_t link = 0; link < COPY_LINKS; link++)
            ck_assert_uint_le(flow.load[link], COPY_SPEED_FULL);
        flow.moves = 1;
        copy_share(&flow, 1);
        ck_assert_uint_eq(flow.speed, COPY_SPEED_FULL);
    }
}
END_TEST

Suite *copy_share_suite(void)
{
    Suite *suite = suite_create("copy_share");
    TCase *tcase = tcase_create("share");

    tcase_add_loop_test(tcase, those_who_meet_at_a_bottleneck_are_slowed_alike, 0,
                        sizeof shared / sizeof shared[0]);
    tcase_add_test(tcase, what_a_slowed_copy_leaves_the_others_have);
    tcase_add_loop_test(tcase, random_flows_share_all_there_is_and_no_more, 0, 4);
    tcase_add_loop_test(tcase, no_time_is_lost_or_gained_however_often_it_is_looked_at, 0, 3);
    tcase_add_test(tcase, what_the_last_picosecond_was_too_long_is_carried);
    tcase_add_test(tcase, a_goal_is_where_it_stops);
    tcase_add_test(tcase, what_is_left_is_in_proportion_to_the_bytes);
    tcase_add_test(tcase, absurd_traffic_stays_within_bounds);
    suite_add_tcase(suite, tcase);
    return suite;
}
