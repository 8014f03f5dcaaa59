/* SPDX-License-Identifier: MIT */
/* PROMISE (drivers): Each alternative of choice point hws.swap chooses the victims that its text
 * names. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "firmware-models/hws/hws_policy.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/suites.h"

/* Four in slots, the third of them for the longest time, and three that wait. */
static struct hws_policy_queue queues[7];

static void setup(void)
{
    static const struct hws_policy_queue start[7] = {
        {.since = 30, .mapped = 1, .busy = 1, .priority = 5},
        {.since = 20, .mapped = 1, .busy = 0, .priority = 7},
        {.since = 10, .mapped = 1, .busy = 1, .priority = 9},
        {.since = 40, .mapped = 1, .busy = 0, .priority = 1},
        {.since = 15, .busy = 0, .priority = 2},
        {.since = 12, .busy = 1, .priority = 6},
        {.since = 11, .fixed = 1, .busy = 1, .priority = 15},
    };

    for (uint32_t i = 0; i < 7; i++)
        queues[i] = start[i];
}

static struct hws_policy_view view(uint32_t swap)
{
    return (struct hws_policy_view){.queues = queues, .queue_count = 7, .next = 4, .swap = swap};
}

static void expect(uint32_t swap, const char *expected)
{
    const struct hws_policy_view at = view(swap);
    uint32_t victims[7], count = hws_policy_victims(&at, victims, 4);
    char text[8] = "";

    for (uint32_t i = 0; i < count; i++)
        text[i] = (char)('0' + victims[i]);
    ck_assert_str_eq(text, expected);
}

START_TEST(victims)
{
    expect(HWS_SWAP_LIST, "2103");
    expect(HWS_SWAP_OLDEST, "21");  /* two wait */
    expect(HWS_SWAP_IDLE, "1");     /* one of them with work */
    expect(HWS_SWAP_READY, "1");    /* the idle one before the older */
    expect(HWS_SWAP_PRIORITY, "3"); /* 6 for 1; 2 not for 5 */
    queues[4].priority = 5;
    expect(HWS_SWAP_PRIORITY, "30"); /* an equal one, too */
}
END_TEST

START_TEST(nobody_leaves_for_nobody)
{
    queues[4].fixed = queues[5].fixed = 1;
    for (uint32_t swap = HWS_SWAP_LIST; swap <= HWS_SWAP_PRIORITY; swap++)
        expect(swap, "");
    setup();
    queues[5].busy = 0;
    expect(HWS_SWAP_IDLE, "");
    expect(HWS_SWAP_READY, "");
}
END_TEST

START_TEST(who_may_not_leave_stays)
{
    queues[2].fixed = 1;
    expect(HWS_SWAP_LIST, "103");
    queues[1].busy = queues[3].busy = 1;
    expect(HWS_SWAP_IDLE, "");
    expect(HWS_SWAP_READY, "1");
}
END_TEST

/* Of the alternatives two look at what queues have to do (hws_policy.h). */
START_TEST(two_alternatives_look_at_work)
{
    for (uint32_t swap = HWS_SWAP_LIST; swap <= HWS_SWAP_PRIORITY; swap++) {
        const struct hws_policy_view at = view(swap);
        uint32_t before[7], after[7];
        const uint32_t count = hws_policy_victims(&at, before, 4);
        bool same;

        for (uint32_t i = 0; i < 7; i++)
            queues[i].busy = !queues[i].busy;
        same = hws_policy_victims(&at, after, 4) == count &&
               memcmp(before, after, count * sizeof before[0]) == 0;
        ck_assert_int_eq(same, !hws_policy_looks_at_work(&at));
        setup();
    }
}
END_TEST

/* A process has to leave whole: its VMID is wanted. */
START_TEST(all_leave_for_a_process)
{
    struct hws_policy_view at = view(HWS_SWAP_OLDEST);
    uint32_t all[7];

    at.process_waits = 1;
    ck_assert_uint_eq(hws_policy_victims(&at, all, 4), 4);
    at.swap = HWS_SWAP_PRIORITY;
    ck_assert_uint_eq(hws_policy_victims(&at, all, 4), 4);
    for (uint32_t i = 0; i < 4; i++)
        queues[i].priority = 10;
    ck_assert_uint_eq(hws_policy_victims(&at, all, 4), 0);
}
END_TEST

START_TEST(who_comes_next)
{
    static const uint32_t expected[] = {4, 4, 5, 5, 5};
    struct hws_policy_view at;

    for (uint32_t swap = HWS_SWAP_LIST; swap <= HWS_SWAP_PRIORITY; swap++) {
        at = view(swap);
        ck_assert_uint_eq(hws_policy_next(&at), expected[swap]);
    }
    at = view(HWS_SWAP_LIST);
    at.next = 5;
    ck_assert_uint_eq(hws_policy_next(&at), 5);
    at.next = 6; /* round the end */
    ck_assert_uint_eq(hws_policy_next(&at), 4);
    queues[4].fixed = queues[5].fixed = 1;
    ck_assert_uint_eq(hws_policy_next(&at), HWS_POLICY_NONE);
}
END_TEST

Suite *hws_policy_suite(void)
{
    Suite *suite = suite_create("hws_policy");
    TCase *tcase = tcase_create("swap");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, victims);
    tcase_add_test(tcase, nobody_leaves_for_nobody);
    tcase_add_test(tcase, who_may_not_leave_stays);
    tcase_add_test(tcase, two_alternatives_look_at_work);
    tcase_add_test(tcase, all_leave_for_a_process);
    tcase_add_test(tcase, who_comes_next);
    suite_add_tcase(suite, tcase);
    return suite;
}
