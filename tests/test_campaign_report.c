/* SPDX-License-Identifier: MIT */
/* The report of a campaign: of counts, and of databases, that are made by hand. */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/faults/campaign_db.h"
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

/* ---- of a database --------------------------------------------------------------------------- */

enum { EXPERIMENTS = 12, FAULTS = 100, LATENCY_ROWS = 2 * CAMPAIGN_LATENCIES };

static char path[] = "/tmp/gfe-test-report-XXXXXX";
static struct campaign_db *db;
static struct campaign_report made;

static void db_begin(const char *plan, uint64_t experiments)
{
    struct gfe_error error = {0};
    char count[24];

    strcpy(path, "/tmp/gfe-test-report-XXXXXX");
    ck_assert_int_eq(close(mkstemp(path)), 0);
    db = campaign_db_open(path, CAMPAIGN_DB_WRITE, &error);
    ck_assert_msg(db != NULL, "%s", error.text);
    (void)snprintf(count, sizeof count, "%" PRIu64, experiments);
    ck_assert(campaign_db_begin(db, &error));
    ck_assert(campaign_db_set(db, "format", CAMPAIGN_DB_FORMAT, &error) &&
              campaign_db_set(db, "version", "test", &error) &&
              campaign_db_set(db, "hash", "12ab", &error) &&
              campaign_db_set(db, "experiments", count, &error) &&
              campaign_db_set(db, "plan", plan, &error));
}

static void db_stratum(uint32_t id, const char *program, const char *unit, const char *site,
                       const char *model, uint32_t family, campaign_wide faults)
{
    const struct campaign_db_stratum stratum = {id, family, program, unit, site, model, faults};
    struct gfe_error error = {0};

    ck_assert_msg(campaign_db_set_stratum(db, &stratum, &error), "%s", error.text);
}

static void db_report(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(campaign_db_commit(db, &error), "%s", error.text);
    campaign_db_close(db);
    db = campaign_db_open(path, CAMPAIGN_DB_READ, &error);
    ck_assert_msg(db && campaign_report_init(&made, db, &error), "%s", error.text);
}

static void teardown(void)
{
    campaign_report_fini(&made);
    campaign_db_close(db);
    db = NULL;
    (void)unlink(path);
}

/* "< 1 ns", "1 ns", "10 ns", ...: each bin begins at its name and ends where the next begins. */
START_TEST(latencies_are_counted_by_powers_of_ten)
{
    static const char *const names[CAMPAIGN_LATENCIES] = {
        "< 1 ns", "1 ns",  "10 ns",  "100 ns", "1 us", "10 us", "100 us",
        "1 ms",   "10 ms", "100 ms", "1 s",    "10 s", "100 s", "1000 s"};
    struct campaign_row row = {.acted = 1, .activated = 1, .outcome = OUTCOME_DETECTED};
    struct gfe_error error = {0};
    gfe_ps bound = GFE_PS_PER_NS;

    db_begin("{\"programs\": [\"a\"], \"samples\": 28, \"faults\": [{\"site\": \"data\","
             " \"models\": [\"flip\"]}]}",
             LATENCY_ROWS);
    db_stratum(0, "a", "PBDMA", "data", "flip", 0, LATENCY_ROWS);
    (void)snprintf(row.fault, sizeof row.fault, "data flip=1 @#1");
    (void)snprintf(row.detected_by, sizeof row.detected_by, "NV_INTR");
    for (; row.id < LATENCY_ROWS; row.id++) {
        /* The last of a bin, the first of the next; at last more than all bounds. */
        row.latency_ps = row.id == LATENCY_ROWS - 1   ? INT64_MAX
                         : row.id == LATENCY_ROWS - 2 ? 0
                         : row.id % 2 == 0            ? bound - 1
                                                      : bound;
        bound = row.id % 2 == 0 ? bound : bound * 10;
        ck_assert_msg(campaign_db_put(db, &row, &error), "%s", error.text);
    }
    db_report();
    for (uint32_t bin = 0; bin < CAMPAIGN_LATENCIES; bin++) {
        ck_assert_uint_eq(made.latencies[bin], 2);
        ck_assert_str_eq(campaign_latency_name(bin), names[bin]);
    }
}
END_TEST

/* Three strata of 10, 20 and 70 faults. */
static const struct {
    uint32_t stratum, activated;
    enum outcome_class outcome;
    enum outcome_reach reach;
    uint32_t pruned;
    const char *fault, *detected_by;
} experiments[EXPERIMENTS] = {
    {0, 2, OUTCOME_MASKED, 0, 1, "x; y", ""},
    {1, 1, OUTCOME_DETECTED, 0, 0, "x; y", "NV_INTR"},
    {2, 1, OUTCOME_DETECTED, 0, 0, "z", "NV_INTR"},
    {0, 0, OUTCOME_NOT_ACTIVATED, 0, 0, "x; y", ""},
    {1, 2, OUTCOME_COLLATERAL, OUTCOME_REACH_CONTEXT, 0, "x; y", ""},
    {2, 1, OUTCOME_BREACH, OUTCOME_REACH_PROCESS, 0, "z", ""},
    {0, 2, OUTCOME_DETECTED, 0, 0, "x; y", "XID"},
    {1, 2, OUTCOME_MASKED, 0, 0, "x; y", ""},
    {2, 1, OUTCOME_MASKED, 0, 1, "z", ""},
    {0, 2, OUTCOME_DETECTED, 0, 0, "x; y", "XID"},
    {1, 1, OUTCOME_MASKED, 0, 0, "x; y", ""},
    {2, 1, OUTCOME_BREACH, OUTCOME_REACH_PROCESS, 0, "z", ""},
};

static void fill(uint64_t planned)
{
    struct gfe_error error = {0};

    db_begin("{\"programs\": [\"a.gft\", \"b.gft\"], \"samples\": 12, \"faults\": ["
             "{\"site\": \"gp_entry\", \"models\": [\"flip\", \"drop\"], \"count\": 2},"
             " {\"site\": \"release\", \"models\": [\"drop\"]}]}",
             planned);
    db_stratum(0, "a.gft", "PBDMA", "gp_entry", "flip", 0, 10);
    db_stratum(1, "a.gft", "PBDMA", "gp_entry", "drop", 0, 20);
    db_stratum(2, "b.gft", "Host", "release", "drop", 1, 70);
    for (uint32_t i = 0; i < EXPERIMENTS; i++) {
        struct campaign_row row = {.id = i,
                                   .stratum = experiments[i].stratum,
                                   .acted = experiments[i].activated,
                                   .activated = experiments[i].activated,
                                   .outcome = experiments[i].outcome,
                                   .reach = experiments[i].reach,
                                   .pruned = experiments[i].pruned,
                                   .latency_ps = GFE_PS_NEVER};

        row.owners.count = i % 2; /* channel 0, or nobody */
        row.owners.who[0] = outcome_owner("channel", 0);
        if (experiments[i].reach != OUTCOME_REACH_NONE) {
            row.victim_count = 2;
            row.victims[0] = outcome_owner("channel", 1);
            row.victims[1] = outcome_owner("queue", i);
            row.reaches[0] = row.reaches[1] = experiments[i].reach;
        }
        if (experiments[i].detected_by[0])
            row.latency_ps = 5000;
        (void)snprintf(row.fault, sizeof row.fault, "%s", experiments[i].fault);
        (void)snprintf(row.detected_by, sizeof row.detected_by, "%s", experiments[i].detected_by);
        ck_assert_msg(campaign_db_put(db, &row, &error), "%s", error.text);
    }
    db_report();
}

static const struct campaign_tally *row_of(const struct campaign_tallies *tallies, const char *name)
{
    for (uint32_t i = 0; i < tallies->count; i++)
        if (strcmp(tallies->rows[i].name, name) == 0)
            return &tallies->rows[i];
    ck_abort_msg("there is no row '%s'", name);
}

/* Counted by hand in the table above. */
START_TEST(experiments_are_counted_where_they_belong)
{
    fill(EXPERIMENTS + 3);
    ck_assert_uint_eq(made.all.total, EXPERIMENTS);
    ck_assert_uint_eq(made.missing, 3);
    ck_assert_uint_eq(made.end, EXPERIMENTS + 3);
    ck_assert_uint_eq(made.together, 2);
    ck_assert_uint_eq(made.all_acted, 9); /* both of "x; y", or "z" */
    ck_assert_uint_eq(made.all.acted, 11);
    ck_assert_uint_eq(made.all.pruned, 2);
    ck_assert(made.all.faults == FAULTS);
    ck_assert_uint_eq(made.all.outcomes[OUTCOME_BREACH], 2);
    ck_assert_uint_eq(made.all.reaches[OUTCOME_REACH_PROCESS], 2);
    ck_assert_uint_eq(made.strata.count, 3);
    ck_assert_str_eq(made.strata.rows[1].name, "1 gp_entry drop");
    ck_assert_uint_eq(made.strata.rows[2].program, 1);
    ck_assert_uint_eq(row_of(&made.units, "PBDMA")->total, 8);
    ck_assert_uint_eq(row_of(&made.units, "Host")->total, 4);
    ck_assert_uint_eq(row_of(&made.sites, "gp_entry")->outcomes[OUTCOME_DETECTED], 3);
    ck_assert_uint_eq(row_of(&made.models, "drop")->total, 8);
    ck_assert(row_of(&made.models, "drop")->faults == 90);
    ck_assert_uint_eq(row_of(&made.programs, "b.gft")->total, 4);
    ck_assert_uint_eq(row_of(&made.owners, "no owner")->total, 6);
    ck_assert_uint_eq(row_of(&made.owners, "channel 0")->total, 6);
    ck_assert(row_of(&made.owners, "channel 0")->is_group);
    ck_assert_uint_eq(row_of(&made.detections, "XID")->total, 2);
    ck_assert_uint_eq(made.latencies[1], 4);
    ck_assert_uint_eq(made.examples[OUTCOME_BREACH][1].id, 11);
    ck_assert_str_eq(made.examples[OUTCOME_BREACH][0].fault, "z");
}
END_TEST

/* Shares by the strata's weights: 10, 20 and 70 of 100 (Cochran, 1977, chapter 5). */
START_TEST(shares_weigh_strata_by_their_faults)
{
    fill(EXPERIMENTS);
    /* Detected: 2 of 4, 1 of 4, 1 of 4. */
    ck_assert_uint_eq(made.all.shares[OUTCOME_DETECTED].share_ppm, 50000 + 50000 + 175000);
    ck_assert_uint_eq(made.sites.rows[0].shares[OUTCOME_DETECTED].share_ppm, 333333);
    ck_assert_uint_eq(made.sites.rows[1].shares[OUTCOME_DETECTED].share_ppm, 250000);
    ck_assert_uint_eq(made.programs.rows[0].shares[OUTCOME_DETECTED].share_ppm, 333333);
    ck_assert_uint_eq(row_of(&made.models, "drop")->shares[OUTCOME_DETECTED].share_ppm, 250000);
    ck_assert_uint_eq(row_of(&made.models, "flip")->shares[OUTCOME_DETECTED].share_ppm, 500000);
    ck_assert_uint_eq(made.strata.rows[1].shares[OUTCOME_COLLATERAL].share_ppm, 250000);
    /* Neither masked nor not activated: 2, 2 and 3 of 4. */
    ck_assert_uint_eq(made.all.shares[CAMPAIGN_NOT_MASKED].share_ppm, 50000 + 100000 + 525000);
    /* Reached another process: 2 of 4 of the third. */
    ck_assert_uint_eq(made.reaches[OUTCOME_REACH_PROCESS].share_ppm, 350000);
    ck_assert_uint_eq(made.reaches[OUTCOME_REACH_CONTEXT].share_ppm, 50000);
}
END_TEST

START_TEST(the_worst_strata_stand_first)
{
    const struct campaign_tally *rows[4];

    fill(EXPERIMENTS);
    campaign_report_worst(&made, rows, 4);
    ck_assert_ptr_eq(rows[0], &made.strata.rows[2]); /* Breach */
    ck_assert_ptr_eq(rows[1], &made.strata.rows[1]); /* Collateral */
    ck_assert_ptr_eq(rows[2], &made.strata.rows[0]);
    ck_assert_ptr_null(rows[3]);
    campaign_report_worst(&made, rows, 1);
    ck_assert_ptr_eq(rows[0], &made.strata.rows[2]);
    /* A share counts, not a number: 3 of 12 are more than 2 of 9. */
    made.strata.rows[0] = (struct campaign_tally){.total = 9, .outcomes[OUTCOME_BREACH] = 2};
    made.strata.rows[1] = (struct campaign_tally){.total = 12, .outcomes[OUTCOME_BREACH] = 3};
    made.strata.rows[2] = (struct campaign_tally){.total = 100, .outcomes[OUTCOME_HANG] = 100};
    campaign_report_worst(&made, rows, 3);
    ck_assert_ptr_eq(rows[0], &made.strata.rows[1]);
    ck_assert_ptr_eq(rows[1], &made.strata.rows[0]);
    ck_assert_ptr_eq(rows[2], &made.strata.rows[2]);
}
END_TEST

static char *printed(void (*print_as)(FILE *, const struct campaign_report *))
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    print_as(file, &made);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void has_lines(const char *text, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(strstr(text, lines[i]) != NULL, "no '%s' in:\n%.3000s", lines[i], text);
}

/* Each table's first column, its columns as the head names them; both pairs of owner and victim. */
START_TEST(csv_has_each_row)
{
    static const char *const lines[] = {
        ("by,name,outcome,count,made,acted,share_ppm,low_ppm,high_ppm,pruned,margin_ppm,"
         "confidence_ppm,faults,program\n"),
        "all,\"all\",Detected,4,12,11,275000,",
        "all,\"all\",Masked,4,12,11,",
        "site,\"gp_entry\",Detected,3,8,7,333333,",
        "stratum,\"1 gp_entry drop\",Collateral,1,4,4,250000,",
        ",950000,20,\"a.gft\"\n",
        "owner,\"channel 0\",Detected,2,6,5,",
        "detected_by,\"XID\",Detected,2,2,2,1000000,,,0,,,,\n",
        "reach,\"another process\",Breach,2,12,,350000,",
        "reach,\"another context\",Collateral,1,12,,50000,",
        "harm,\" -> channel 1\",another context,1,,,,,,,,,,\n",
        "harm,\"channel 0 -> channel 1\",another process,2,,,,,,,,,,\n",
        "harm,\"channel 0 -> queue 11\",another process,1,,,,,,,,,,\n",
        "latency,\"1 ns\",Detected,4,,,,,,,,,,\n",
        "latency,\"1000 s\",Detected,0,,,,,,,,,,\n",
    };
    char *text;

    fill(EXPERIMENTS);
    text = printed(campaign_report_csv);
    has_lines(text, lines, sizeof lines / sizeof lines[0]);
    free(text);
}
END_TEST

START_TEST(the_text_tells_all)
{
    static const char *const lines[] = {
        "campaign     12ab, gfe test\n",
        "programs     a.gft\n             b.gft\n",
        "faults       100 sets in 3 strata\n",
        "together     up to 2 faults in an experiment; in 9 all of them acted",
        "experiments  15, drawn by chance, none twice\n",
        "confidence   95.00 % of each interval\n",
        "weights      strata count as many faults as they have\n",
        "pruned       2 of them: ",
        "missing      3 of them: ",
        "no owner       -> channel 1              1  another context\n",
        "channel 0      -> channel 1              2  another process\n",
        "\ndetected after\n1 ns                   4\n",
        "\nby program ",
        "Breach               5  z\n",
        "Breach              11  z\n",
    };
    char *text;

    fill(EXPERIMENTS + 3);
    text = printed(campaign_report_text);
    has_lines(text, lines, sizeof lines / sizeof lines[0]);
    ck_assert_ptr_null(strstr(text, "\nunknown "));
    ck_assert_ptr_null(strstr(text, "precise enough"));
    free(text);
}
END_TEST

Suite *campaign_report_suite(void)
{
    Suite *suite = suite_create("campaign_report");
    TCase *tcase = tcase_create("all"), *databases = tcase_create("databases");

    tcase_add_test(tcase, json_is_whole_or_refused);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(databases, NULL, teardown);
    tcase_add_test(databases, latencies_are_counted_by_powers_of_ten);
    tcase_add_test(databases, experiments_are_counted_where_they_belong);
    tcase_add_test(databases, shares_weigh_strata_by_their_faults);
    tcase_add_test(databases, the_worst_strata_stand_first);
    tcase_add_test(databases, csv_has_each_row);
    tcase_add_test(databases, the_text_tells_all);
    suite_add_tcase(suite, databases);
    return suite;
}
