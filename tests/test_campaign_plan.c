/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/faults/campaign_plan.h"
#include "tests/suites.h"

static struct campaign_plan *parse(const char *text, struct gfe_error *error)
{
    return campaign_plan_parse(text, strlen(text), "dir/plan.json", error);
}

START_TEST(a_plan_is_read_whole)
{
    struct gfe_error error = {0};
    struct campaign_plan *plan = parse(
        "{\"programs\": [\"a.gft\", \"/b.gft\"], \"gpu\": \"gtx680\", \"seed\": 7, \"owner\": 3,"
        " \"open_loop\": true, \"prune\": false, \"late\": \"2us\", \"policies\": {\"rm.recovery\": \"on\"},"
        " \"parameters\": {\"x\": 5}, \"costs\": {\"vector_add\": \"3us\"}, \"margin\": \"1%\", \"confidence\": \"99%\","
        " \"early_stop\": true, \"faults\": [{\"site\": \"gp_entry\", \"models\": [\"flip\"],"
        " \"fields\": [\"get\"], \"bits\": [0, 3]}, {\"site\": \"memory\", \"models\":"
        " [\"stuck1\"], \"words\": {\"from\": \"vid:0x1000\", \"count\": 8}, \"times\": 5}]}",
        &error);

    ck_assert_msg(plan != NULL, "%s", error.text);
    ck_assert_str_eq(plan->programs[0], "dir/a.gft");
    ck_assert_str_eq(plan->programs[1], "/b.gft");
    ck_assert_uint_eq(plan->seed, 7);
    ck_assert_uint_eq(plan->owner, 3);
    ck_assert(plan->open_loop && plan->early_stop && !plan->prune);
    ck_assert_uint_eq(plan->late_ps, 2000000);
    ck_assert_str_eq(plan->policies[0].value, "on");
    ck_assert_str_eq(plan->parameters[0].value, "5");
    ck_assert_uint_eq(plan->cost_count, 1);
    ck_assert_str_eq(plan->costs[0].name, "vector_add");
    ck_assert_uint_eq(plan->costs[0].block_ps, 3000000);
    ck_assert_uint_eq(plan->samples, 16641);
    ck_assert_uint_eq(plan->entry_count, 2);
    ck_assert_str_eq(plan->entries[0].bits.texts[1], "3");
    ck_assert_uint_eq(plan->entries[1].word_count, 8);
    ck_assert_uint_eq(plan->entries[1].times, 5);
    campaign_plan_free(plan);
}
END_TEST

#define HEAD   "{\"programs\": [\"a\"], "
#define FAULTS "\"faults\": [{\"site\": \"data\", \"models\": [\"flip\"]}]"

#define DROP "{\"site\": \"doorbell\", \"models\": [\"drop\"]}"

START_TEST(families_may_act_together)
{
    struct gfe_error error = {0};
    struct campaign_plan *plan = parse(
        HEAD
        "\"samples\": 5, \"faults\": [{\"site\": \"data\", \"models\": [\"flip\"], \"count\": 3},"
        " {\"together\": [" DROP ", {\"site\": \"data\", \"models\": [\"flip\"], \"count\": 3}]}]}",
        &error);

    ck_assert_msg(plan != NULL, "%s", error.text);
    ck_assert_uint_eq(plan->entries[0].count, 3);
    ck_assert_uint_eq(plan->entries[0].together_count, 0);
    ck_assert_uint_eq(plan->entries[1].together_count, 2);
    ck_assert_str_eq(plan->entries[1].together[0].site, "doorbell");
    ck_assert_uint_eq(plan->entries[1].together[0].count, 1);
    ck_assert_uint_eq(plan->entries[1].together[1].count, 3);
    ck_assert_uint_eq(campaign_plan_faults(plan), 4);
    campaign_plan_free(plan);
}
END_TEST

/* At most six digits behind the point count, and four of a percentage; 0.0001 % is one in a
 * million.
 */
START_TEST(rates_and_percentages_are_exact)
{
    struct gfe_error error = {0};
    struct campaign_plan *plan =
        parse(HEAD "\"margin\": \"2.0005%\", \"confidence\": \"99.9%\", \"faults\": ["
                   "{\"site\": \"data\", \"models\": [\"flip\"], \"rate\": \"2.5000019\"},"
                   " {\"together\": [" DROP ", " DROP "], \"rate\": 1000000000}]}",
              &error);

    ck_assert_msg(plan != NULL, "%s", error.text);
    ck_assert(plan->has_rates);
    ck_assert_uint_eq(plan->margin_ppm, 20005);
    ck_assert_uint_eq(plan->confidence_ppm, 999000);
    ck_assert_uint_eq(plan->entries[0].rate, 2500001);
    ck_assert_uint_eq(plan->entries[1].rate, 1000000000000000);
    campaign_plan_free(plan);
}
END_TEST

/* Each setting stands where it was given, and each name is a setting of its own. */
START_TEST(settings_and_tenants_are_kept_in_order)
{
    struct gfe_error error = {0};
    struct campaign_plan *plan =
        parse(HEAD "\"samples\": 1, " FAULTS
                   ", \"policies\": {\"a.b\": \"on\", \"c\": 7}, \"parameters\": {\"p\": \"x\","
                   " \"q\": -3}, \"costs\": {\"m\": \"1us\", \"n\": \"2us\"}, \"boundary\":"
                   " \"tenant\", \"tenants\": [[4], [5, 6]]}",
              &error);

    ck_assert_msg(plan != NULL, "%s", error.text);
    ck_assert_uint_eq(plan->policy_count, 2);
    ck_assert_str_eq(plan->policies[0].id, "a.b");
    ck_assert_str_eq(plan->policies[0].value, "on");
    ck_assert_str_eq(plan->policies[1].id, "c");
    ck_assert_str_eq(plan->policies[1].value, "7");
    ck_assert_uint_eq(plan->parameter_count, 2);
    ck_assert_str_eq(plan->parameters[1].value, "-3");
    ck_assert_uint_eq(plan->cost_count, 2);
    ck_assert_str_eq(plan->costs[1].name, "n");
    ck_assert_uint_eq(plan->costs[1].block_ps, 2000000);
    ck_assert_int_eq(plan->isolation.boundary, OUTCOME_REACH_TENANT);
    ck_assert_uint_eq(plan->isolation.tenant_count, 3);
    ck_assert_uint_eq(plan->isolation.tenants[2].holder, 6);
    ck_assert_uint_eq(plan->isolation.tenants[2].tenant, 2);
    ck_assert_uint_eq(plan->late_ps, 10000 * GFE_PS_PER_NS);
    ck_assert_uint_eq(plan->confidence_ppm, 950000);
    ck_assert_uint_eq(plan->owner, UINT64_MAX);
    campaign_plan_free(plan);
}
END_TEST

START_TEST(as_many_settings_as_there_is_room_for)
{
    char text[4096];
    int at = snprintf(text, sizeof text, HEAD "\"samples\": 5, " FAULTS ", \"parameters\": {");

    for (int i = 0; i < CAMPAIGN_SETTINGS_MAX + _i; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s\"p%d\": %d", i ? ", " : "", i, i);
    (void)snprintf(text + at, sizeof text - (size_t)at, "}}");
    struct gfe_error error = {0};
    struct campaign_plan *plan = parse(text, &error);

    ck_assert_int_eq(plan != NULL, _i == 0);
    ck_assert(plan || strstr(error.text, "parameters: an object of at most 64 names"));
    ck_assert(!plan || plan->parameter_count == CAMPAIGN_SETTINGS_MAX);
    campaign_plan_free(plan);
}
END_TEST

/* The same plan, otherwise written, is the same. */
START_TEST(the_order_of_members_and_blanks_are_no_matter)
{
    struct gfe_error error = {0};
    struct campaign_plan *a = parse(HEAD "\"samples\": 5, " FAULTS "}", &error);
    struct campaign_plan *b = parse("{" FAULTS ",\n\"samples\":5,\"programs\":[ \"a\"]}", &error);

    ck_assert(a && b && a->prune);
    ck_assert_str_eq(a->canonical, b->canonical);
    campaign_plan_free(a);
    campaign_plan_free(b);
}
END_TEST

static const struct {
    const char *text, *message;
} wrongs[] = {
    {"", "dir/plan.json:1: "},
    {"[]", "dir/plan.json: a plan is a JSON object"},
    {"{}", "dir/plan.json: faults is missing"},
    {"{" FAULTS "}", "dir/plan.json: programs is missing"},
    {HEAD FAULTS "}", "dir/plan.json: one of samples, margin and exhaustive is needed"},
    {HEAD FAULTS ", \"samples\": 0}", "dir/plan.json: samples: 1 or more are needed"},
    {HEAD FAULTS ", \"samples\": 1, \"exhaustive\": true}", "dir/plan.json: one of samples"},
    {HEAD FAULTS ", \"samples\": 1, \"early_stop\": true}", "dir/plan.json: early_stop needs"},
    {HEAD FAULTS ", \"margin\": \"1\"}", "dir/plan.json: margin: a percentage such as \"1%\""},
    {HEAD FAULTS ", \"margin\": \"0%\"}", "dir/plan.json: margin: a percentage"},
    {HEAD FAULTS ", \"margin\": \"100%\"}", "dir/plan.json: margin: a percentage"},
    {HEAD FAULTS ", \"confidence\": \"97%\"}", "dir/plan.json: confidence: 90, 95"},
    {HEAD FAULTS ", \"prune\": 0}", "dir/plan.json: prune: true or false is needed"},
    {HEAD FAULTS ", \"late\": 5}", "dir/plan.json: late: a time such as \"10us\""},
    {HEAD FAULTS ", \"sampels\": 5}", "dir/plan.json: sampels: no plan has that"},
    {HEAD FAULTS ", \"seed\": -1}", "dir/plan.json: seed: a number from 0 on"},
    {HEAD "\"faults\": []}", "dir/plan.json: faults: a list of 1 to 256 objects"},
    {HEAD "\"faults\": [5]}", "dir/plan.json: faults[0]: an object is needed"},
    {HEAD "\"faults\": [{\"site\": \"data\"}]}", "dir/plan.json: faults[0]: models is missing"},
    {HEAD "\"faults\": [{\"models\": [\"flip\"]}]}", "dir/plan.json: faults[0]: site is missing"},
    {HEAD "\"faults\": [{\"site\": \"data\", \"models\": [5.5]}]}",
     "dir/plan.json: faults[0].models: text or a whole number"},
    {HEAD "\"faults\": [{\"sight\": \"data\"}]}", "dir/plan.json: faults[0].sight: no family"},
    {HEAD "\"faults\": [{\"site\": \"data\", \"models\": [\"flip\"], \"times\": 3, \"triggers\":"
          " [\"@1ms\"]}]}",
     "dir/plan.json: faults[0]: times and triggers exclude each other"},
    {HEAD "\"faults\": [{\"words\": {\"from\": 5}}]}", "dir/plan.json: faults[0].words: {\"from\""},
    {HEAD "\"faults\": [{\"count\": 0}]}", "dir/plan.json: faults[0].count: 1 to 8 faults"},
    {HEAD "\"faults\": [{\"count\": 9}]}", "dir/plan.json: faults[0].count: 1 to 8 faults"},
    {HEAD "\"faults\": [{\"count\": \"two\"}]}", "dir/plan.json: faults[0].count: a number"},
    {HEAD "\"faults\": [{\"together\": 5}]}",
     "dir/plan.json: faults[0].together: a list of 2 to 8"},
    {HEAD "\"faults\": [{\"together\": [" DROP "]}]}",
     "dir/plan.json: faults[0].together: a list of 2 to 8 families"},
    {HEAD "\"faults\": [{\"site\": \"data\", \"together\": [" DROP ", " DROP "]}]}",
     "dir/plan.json: faults[0]: together stands alone"},
    {HEAD "\"faults\": [{\"together\": [" DROP ", {\"together\": []}]}]}",
     "dir/plan.json: faults[0].together[1].together: no family of faults has that"},
    {HEAD "\"faults\": [{\"together\": [" DROP ", {\"site\": \"data\"}]}]}",
     "dir/plan.json: faults[0].together[1]: models is missing"},
    {HEAD "\"faults\": [{\"together\": [" DROP ", {\"site\": \"data\", \"models\": [\"flip\"],"
          " \"count\": 8}]}]}",
     "dir/plan.json: faults[0].together: 9 faults: at most 8"},
    {"{\"programs\": []}", "dir/plan.json: programs: a list of 1 to 16 paths"},
    {"{\"programs\": [1]}", "dir/plan.json: programs: a path is needed"},
    {"{\"seed\": 1, \"seed\": 2}", "dir/plan.json:1: "},
    {HEAD "\"policies\": []}", "dir/plan.json: policies: an object of at most 64 names and values"},
    {HEAD "\"samples\": 5, " FAULTS ", \"policies\": {\"rm.recovery\": 1.5}}",
     "dir/plan.json: policies.rm.recovery: text or a whole number is needed"},
    {HEAD "\"samples\": 5, " FAULTS ", \"parameters\": {\"x\": 1, \"y\": [2]}}",
     "dir/plan.json: parameters.y: text or a whole number is needed"},
    {HEAD "\"costs\": 3}", "dir/plan.json: costs: an object of at most 64 names and times"},
    {HEAD "\"costs\": {\"add\": 3}}", "dir/plan.json: costs.add: a time such as \"10us\""},
    {HEAD "\"gpu\": 3}", "dir/plan.json: gpu: text is needed"},
    {HEAD "\"boundary\": \"moon\"}", "dir/plan.json: boundary: context, process or tenant"},
    {HEAD "\"tenants\": []}", "dir/plan.json: tenants: a list of lists of channels or queues"},
    {HEAD "\"tenants\": [[]]}", "dir/plan.json: tenants: a list of lists of channels or queues"},
    {HEAD "\"tenants\": [[-1]]}", "dir/plan.json: tenants: a number from 0 on"},
    {HEAD FAULTS ", \"margin\": \"100.0001%\"}", "dir/plan.json: margin: a percentage"},
    {HEAD FAULTS ", \"margin\": \"%\"}", "dir/plan.json: margin: a percentage"},
    {HEAD "\"faults\": [{\"site\": \"data\", \"models\": [\"flip\"], \"rate\": 0}]}",
     "dir/plan.json: faults[0].rate: a rate such as \"2.5\""},
    {HEAD "\"faults\": [{\"site\": \"data\", \"models\": [\"flip\"], \"rate\":"
          " \"1000000000.000001\"}]}",
     "dir/plan.json: faults[0].rate: a rate such as \"2.5\""},
    {HEAD "\"faults\": [{\"site\": \"data\", \"models\": [\"flip\"], \"rate\": 10000000000}]}",
     "dir/plan.json: faults[0].rate: a rate such as \"2.5\""},
    {HEAD "\"faults\": [{\"words\": {\"from\": \"vid:0\", \"count\": 0}}]}",
     "dir/plan.json: faults[0].words.count: 1 to 4294967295 words"},
    {HEAD "\"faults\": [{\"words\": {\"from\": \"vid:0\", \"count\": 4294967296}}]}",
     "dir/plan.json: faults[0].words.count: 1 to 4294967295 words"},
    {HEAD "\"faults\": [{\"words\": {\"from\": 0, \"count\": 1}}]}",
     "dir/plan.json: faults[0].words.from: text is needed"},
    {HEAD "\"faults\": [{\"times\": 0}]}", "dir/plan.json: faults[0].times: 1 or more"},
    {HEAD "\"faults\": [{\"site\": \"memory\", \"models\": [\"flip\"], \"subjects\": [1],"
          " \"words\": {\"from\": \"vid:0\", \"count\": 1}}]}",
     "dir/plan.json: faults[0]: words and subjects exclude each other"},
    {HEAD "\"faults\": [{\"together\": [" DROP ", " DROP "], \"rate\": \"x\"}]}",
     "dir/plan.json: faults[0].rate: a rate"},
    {HEAD "\"faults\": [{\"together\": [" DROP ", {\"site\": \"data\", \"models\": [\"flip\"],"
          " \"rate\": 2}]}]}",
     "dir/plan.json: faults[0].together[1]: the rate is that of the families together"},
    {HEAD "\"samples\": 1, \"faults\": [" DROP ", {\"site\": \"data\", \"models\": [\"flip\"],"
          " \"rate\": 2}]}",
     "dir/plan.json: 1 of 2 families have a rate: all need one, or none"},
};

/* PROMISE (faults): What is wrong in a plan is said with its place. */
START_TEST(what_is_wrong_is_said_with_its_place)
{
    struct gfe_error error = {0};

    ck_assert_ptr_null(parse(wrongs[_i].text, &error));
    ck_assert_msg(strncmp(error.text, wrongs[_i].message, strlen(wrongs[_i].message)) == 0,
                  "%s, not %s", error.text, wrongs[_i].message);
}
END_TEST

Suite *campaign_plan_suite(void)
{
    Suite *suite = suite_create("campaign_plan");
    TCase *tcase = tcase_create("plans");

    tcase_add_test(tcase, a_plan_is_read_whole);
    tcase_add_test(tcase, families_may_act_together);
    tcase_add_test(tcase, rates_and_percentages_are_exact);
    tcase_add_test(tcase, settings_and_tenants_are_kept_in_order);
    tcase_add_loop_test(tcase, as_many_settings_as_there_is_room_for, 0, 2);
    tcase_add_test(tcase, the_order_of_members_and_blanks_are_no_matter);
    tcase_add_loop_test(tcase, what_is_wrong_is_said_with_its_place, 0,
                        sizeof wrongs / sizeof wrongs[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
