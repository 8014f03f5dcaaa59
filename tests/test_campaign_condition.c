/* SPDX-License-Identifier: MIT */
/* Experiments that wait for a condition start late, and come to what they come to from the start.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>

#include "emu/faults/campaign_condition.h"
#include "tests/campaign_pair.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"

static struct campaign_pair pair;

static void nvidia(void)
{
    campaign_pair_init(&pair, "compute.gft",
                       "{\"programs\": [\"x\"], \"samples\": 1, \"faults\": [{\"site\": \"data\", "
                       "\"models\": [\"flip\"]}]}");
}

static void teardown(void)
{
    campaign_pair_fini(&pair);
}

/* Conditions that hold at once, early, late and never, of registers and of a vendor's state. */
static const struct {
    const char *condition;
    bool is_late, never;
} rows[] = {
    {"NV_PPBDMA_GP_GET[0]==0", false, false}, {"NV_PPBDMA_GP_GET[0]==3", true, false},
    {"NV_PPBDMA_GP_PUT[0]==12", true, false}, {"NV_PPBDMA_GP_GET[0]==77", false, true},
    {"channel_ram:0==1", true, false},        {"channel_ram:5==1", false, true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* PROMISE (faults): A fault with a condition starts where the condition first holds. */
START_TEST(it_starts_where_the_condition_first_holds)
{
    static const char *const faults[] = {"data flip=3", "release drop", "interrupt spurious",
                                         "memory:vid:0x1000088 flip=0",
                                         "register:NV_PCCSR_CHANNEL[0].ENABLE stuck0"};
    struct campaign_result result;
    struct gfe_error error = {0};
    struct inject_fault fault;
    char text[INJECT_TEXT_MAX];

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        (void)snprintf(text, sizeof text, "%s @%s", faults[i], rows[_i].condition);
        ck_assert_msg(inject_run_parse(&pair.whole, text, &fault, &error), "%s", error.text);
        ck_assert_msg(campaign_condition_learn(&pair.run, &fault, &error), "%s", error.text);
        campaign_pair_make(&pair, text, &result);
        ck_assert_msg((result.from == UINT32_MAX) == rows[_i].never, "%s: from %u", text,
                      result.from);
        ck_assert_msg(rows[_i].never || (result.from > 0) == rows[_i].is_late, "%s: from %u", text,
                      result.from);
    }
    ck_assert_uint_eq(pair.run.condition_count, 1);
}
END_TEST

START_TEST(what_was_not_learned_starts_at_the_beginning)
{
    struct campaign_result result;

    campaign_pair_make(&pair, "data flip=3 @NV_PPBDMA_GP_GET[0]==4", &result);
    ck_assert_uint_eq(result.from, 0);
}
END_TEST

Suite *campaign_condition_suite(void)
{
    Suite *suite = suite_create("campaign_condition");
    TCase *tcase = tcase_create("nvidia");

    tcase_add_unchecked_fixture(tcase, nvidia, teardown);
    tcase_add_test(tcase, what_was_not_learned_starts_at_the_beginning);
    tcase_add_loop_test(tcase, it_starts_where_the_condition_first_holds, 0, ROWS);
    suite_add_tcase(suite, tcase);
    return suite;
}
