/* SPDX-License-Identifier: MIT */
/* The report of a campaign as JSON, of counts made by hand. */
#include <config.h>

#include <check.h>
#include <jansson.h>
#include <stdlib.h>

#include "emu/faults/campaign_report.h"
#include "tests/check_json.h"
#include "tests/suites.h"

static struct campaign_tally sites[] = {
    {.name = "doorbell", .total = 3, .acted = 2, .outcomes = {0, 1, 0, 2}, .pruned = 1},
    {.name = "gp_entry", .total = 1, .acted = 1, .outcomes = {0, 0, 1}}};
static struct campaign_harm harm = {"channel 0", "channel 1", "same context", 2};

static struct campaign_report report_of(struct campaign_plan *plan)
{
    static char hash[] = "12ab", version[] = "test";

    plan->confidence_ppm = 950000;
    plan->isolation = outcome_isolation_default;
    return (struct campaign_report){.plan = plan,
                                    .hash = hash,
                                    .version = version,
                                    .planned = 4,
                                    .end = 4,
                                    .together = 1,
                                    .level = campaign_level(950000),
                                    .all = {.name = "all", .total = 4, .acted = 3},
                                    .sites = {.rows = sites, .count = 2},
                                    .harms = &harm,
                                    .harm_count = 1,
                                    .latencies = {1, 0, 2}};
}

static bool print(FILE *file, void *context)
{
    check_json_start();
    return campaign_report_json(file, context);
}

START_TEST(json_is_whole_or_refused)
{
    struct campaign_plan plan = {.path = NULL};
    struct campaign_report report = report_of(&plan);
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    json_t *json;

    ck_assert(file && campaign_report_json(file, &report));
    ck_assert_int_eq(fclose(file), 0);
    json = json_loads(text, 0, NULL);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "sites")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "harms")), 1);
    ck_assert_uint_eq(json_object_size(json_object_get(json, "latencies")), CAMPAIGN_LATENCIES);
    json_decref(json);
    free(text);
    check_json_whole(print, &report);
}
END_TEST

Suite *campaign_report_suite(void)
{
    Suite *suite = suite_create("campaign_report");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, json_is_whole_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
