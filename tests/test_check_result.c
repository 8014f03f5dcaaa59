/* SPDX-License-Identifier: MIT */
/*
 * Measurements made by hand (tests/examiner) obey the rules; each of many changes to them breaks
 * the one that is named, and what may be noise, or is not proven, breaks none.
 */
#include <config.h>

#include <check.h>

#include "emu/analysis/check/check_result.h"
#include "tests/check_limits.h"
#include "tests/examiner_files.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US
enum { K1, K2, K3, CONFIG, TEXTS, EDITS_MAX = 3 };

static const char *const names[TEXTS] = {"tx2_k1.json", "tx2_k2.json", "tx2_k3.json", "tx2.json"};

struct edit {
    int text;
    const char *from, *to; /* NULL: no edit */
};

static struct check_result_rules rules_of(const struct examiner_config *config)
{
    return (struct check_result_rules){
        .limits = &check_limits_tx2,
        .tolerance_ps = CHECK_RESULT_TOLERANCE_PS,
        .clock_error_ps = CHECK_RESULT_CLOCK_ERROR_PS,
        .config = config,
        .channel_count = 8,
    };
}

static struct examiner_result *result_of(const char *name, const char *text)
{
    struct gfe_error error = {0};
    struct examiner_result *result = examiner_result_parse(text, strlen(text), name, &error);

    ck_assert_msg(result != NULL, "%s", error.text);
    return result;
}

/* A check of the three streams. */
struct scene {
    struct examiner_result *results[CONFIG];
    struct examiner_config *config;
    struct check_result_file files[CONFIG];
    struct check_result_rules rules;
    struct check_report report;
    struct gfe_error error;
};

static void scene_init(struct scene *scene, const struct edit *edits)
{
    char *texts[TEXTS];

    *scene = (struct scene){.error = {0}};
    for (int i = 0; i < TEXTS; i++)
        texts[i] = examiner_file(names[i]);
    for (int i = 0; edits && i < EDITS_MAX && edits[i].from; i++)
        texts[edits[i].text] = replaced(texts[edits[i].text], edits[i].from, edits[i].to);
    for (int i = 0; i < CONFIG; i++) {
        scene->results[i] = result_of(names[i], texts[i]);
        scene->files[i] = (struct check_result_file){names[i], scene->results[i]};
    }
    scene->config =
        examiner_config_parse(texts[CONFIG], strlen(texts[CONFIG]), "tx2.json", &scene->error);
    ck_assert_msg(scene->config != NULL, "%s", scene->error.text);
    scene->rules = rules_of(NULL);
    for (int i = 0; i < TEXTS; i++)
        free(texts[i]);
}

static bool scene_check(struct scene *scene)
{
    return check_results(scene->files, CONFIG, &scene->rules, &scene->report, &scene->error);
}

static void scene_fini(struct scene *scene)
{
    for (int i = 0; i < CONFIG; i++)
        examiner_result_free(scene->results[i]);
    examiner_config_free(scene->config);
    check_report_fini(&scene->report);
}

/* The rule of the first violation; "" = there is none. */
static const char *first_rule(const struct scene *scene)
{
    return scene->report.finding_count > 0 ? scene->report.findings[0].rule : "";
}

/* ---- violations ------------------------------------------------------------------------------ */

/* K1's second kernel gives its last block 0.35 s after the others. */
#define K1_LATE                                                                                    \
    {                                                                                              \
        K1, "1.750169344,2.250169824", "2.100169344,2.250169824"                                   \
    }
/* K3 starts when that kernel has, and was launched long before it. */
#define K3_BEHIND                                                                                  \
    {                                                                                              \
        K3, "1.700145440,2.000145888,1.700145600", "1.750245440,2.000145888,1.750245600"           \
    }
#define K3_WITH                                                                                    \
    {                                                                                              \
        K3, "1.700145440,2.000145888,1.700145600", "1.750169440,2.000145888,1.750169600"           \
    }
#define K1_AHEAD                                                                                   \
    {                                                                                              \
        K1, "1.750168480", "1.701168480"                                                           \
    }
/* K2b begins 4.7 us before K2a ends. */
#define K2B_EARLY                                                                                  \
    {                                                                                              \
        K2, "2.000187360,2.300187808,2.000187392,2.300187872",                                     \
            "1.750160000,1.750166000,1.750160032,1.750166000"                                      \
    }
#define PRIORITY(label, priority)                                                                  \
    {                                                                                              \
        CONFIG, "\"label\": \"" label "\"",                                                        \
            "\"label\": \"" label "\", \"stream_priority\": " priority                             \
    }

static const struct change {
    const char *rule; /* "" = obeys */
    bool configured;
    struct edit edits[EDITS_MAX];
} changes[] = {
    /* what an SM holds */
    {"T.R2", false, {{K3, "1.700145440", "1.450145440"}}},
    {"T.R2", false, {{K3, "\"thread_count\": 1024", "\"thread_count\": 1056"}}},
    {"T.R2", false, {{K1, "threads\": 4096", "threads\": 2048"}}},
    {"T.R2", false, {{K2, "2.000187360", "1.900187360"}}}, /* no room beside K3 and K1 */
    {"LOG", false, {{K3, "\"thread_count\": 1024", "\"thread_count\": 65536"}}},
    {"T.R3", false, {{K2, "32768", "49160"}}},
    {"T.R3", false, {{K1, "\"shared_memory\": 0", "\"shared_memory\": 24576"}}},
    {"", false, {{K1, "\"shared_memory\": 0", "\"shared_memory\": 16384"}}},
    {"LOG", false, {{K3, "[0,1]", "[0,2]"}}},
    {"LOG", false, {{K3, "[0,1]", "[4294967295,1]"}}},
    /* times that cannot be */
    {"LOG", false, {{K3, "2.000145888", "1.600145888"}}},
    {"LOG",
     false,
     {{K3, "[1.400102702,1.400102926]", "[1.300102702,1.300102926]"},
      {K3, "1.700145440", "1.390145440"}}},
    {"T.C4", false, {{K3, "1.700145440", "1.390145440"}}},
    {"LOG", false, {{K2, "0.100000", "5.000000"}}},
    {"", false, {{K2, "0.100000", "-1.000000"}}},
    {"LOG", false, {{K1, "1.200012082, 1.200087154", "1.200087154, 1.200012082"}}},
    {"LOG", false, {{K1, "1.701074286, 2.250401934", "1.701074286, 2.260401934"}}},
    {"LOG", false, {{K1, "[1.701020174,", "[1.700020174,"}}}, /* in the iteration before */
    /* streams */
    {"T.G4", false, {{K3, "1.400161998, 2.000383630", "1.400161998, 1.990383630"}}},
    {"T.G4", false, {{K2, "2.000187360", "1.740187360"}}},
    {"T.C1",
     false,
     {{K2, "2.300472142], \"copy_out_times\": [2.300472494,2.301188142]",
       "2.200472142], \"copy_out_times\": [2.200472494,2.201188142]"}}},
    /* queues: each between two blocks of the other; one between those of the other */
    {"T.X1", false, {K1_LATE, {K2, "2.000187392", "2.200187392"}}},
    {"T.X1", true, {K1_LATE, {K2, "2.000187392", "2.200187392"}}},
    {"", false, {K1_LATE}},
    {"T.X1", true, {K1_LATE}},
    {"", true, {K1_LATE, PRIORITY("K2", "-1")}},
    {"T.A2", true, {K1_LATE, PRIORITY("K1", "-1")}},
    {"", true, {K1_LATE, PRIORITY("K2", "-2")}},    /* whether the GPU has that is not known */
    {"T.X1", true, {K1_LATE, PRIORITY("K2", "1")}}, /* none has that: as none */
    {"", true, {K1_LATE, {CONFIG, "\"label\": \"K1\"", "\"label\": \"K1\", \"sm_mask\": \"1\""}}},
    {"", true, {K1_LATE, {CONFIG, "\"duration\"", "\"sm_mask\": \"1\", \"duration\""}}},
    /* launched later, and starts sooner */
    {"", false, {K1_AHEAD, K3_BEHIND}},
    {"T.X1", true, {K1_AHEAD, K3_BEHIND}},
    {"", true, {K1_AHEAD, K3_BEHIND, PRIORITY("K1", "-1")}},
    {"T.A2", true, {K1_AHEAD, K3_BEHIND, PRIORITY("K3", "-1")}},
    {"",
     true,
     {K1_AHEAD, K3_BEHIND, {CONFIG, "\"duration\"", "\"copy_in_count\": 9, \"duration\""}}},
    {"", true, {K1_AHEAD, K3_BEHIND, {CONFIG, "timer_spin.so", "timer_spin_default_stream.so"}}},
};

/* PROMISE (analysis): Each change to result files of cuda_scheduling_examiner is rejected for
 * the rule that it breaks. */
START_TEST(a_change_breaks_the_rule_that_is_named)
{
    const struct change *change = &changes[_i];
    struct scene scene;

    scene_init(&scene, change->edits);
    if (change->configured)
        scene.rules.config = scene.config;
    ck_assert_msg(scene_check(&scene), "%s", scene.error.text);
    ck_assert_msg(strcmp(first_rule(&scene), change->rule) == 0, "change %d: '%s', not '%s': %s",
                  _i, first_rule(&scene), change->rule, scene.report.findings[0].says);
    ck_assert_int_eq(scene.report.violation_count > 0, change->rule[0] != '\0');
    scene_fini(&scene);
}
END_TEST

START_TEST(what_was_measured_obeys_the_rules)
{
    struct scene scene;

    scene_init(&scene, NULL);
    scene.rules.tolerance_ps = scene.rules.clock_error_ps = 0;
    for (int configured = 0; configured < 2; configured++) {
        if (configured)
            scene.rules.config = scene.config;
        ck_assert(scene_check(&scene));
        ck_assert_str_eq(first_rule(&scene), "");
        ck_assert_uint_eq(scene.report.kernel_count, 5);
        ck_assert_uint_eq(scene.report.block_count, 14);
        ck_assert_uint_eq(scene.report.event_count, 33);
        check_report_fini(&scene.report);
    }
    scene_fini(&scene);
}
END_TEST

START_TEST(a_violation_names_both_events_that_clash)
{
    const struct edit edits[EDITS_MAX] = {{K2, "2.000187360", "1.740187360"}};
    struct scene scene;

    scene_init(&scene, edits);
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(scene.report.findings[0].first.text, "K2 times[3]: block 0 starts on SM 0");
    ck_assert_uint_eq(scene.report.findings[0].first.time_ps, 1740187360 * UINT64_C(1000));
    ck_assert_str_eq(scene.report.findings[0].second.text, "K2 times[2]: block 1 ends on SM 1");
    ck_assert_uint_eq(scene.report.findings[0].second.time_ps, 1750164704 * UINT64_C(1000));
    scene_fini(&scene);
}
END_TEST

/* ---- noise ----------------------------------------------------------------------------------- */

static const struct {
    const char *rule;
    gfe_ps tolerance_ps, clock_error_ps;
    struct edit edits[EDITS_MAX];
} noises[] = {
    {"T.G4", 2 * US, 1000 * US, {K2B_EARLY}},
    {"T.G4", 4703 * US / 1000, 1000 * US, {K2B_EARLY}},
    {"", 4704 * US / 1000, 1000 * US, {K2B_EARLY}},
    /* a place is taken 1.5 us before it is free */
    {"T.R2", US, 1000 * US, {{K1, "1.750168480", "1.750163140"}}},
    {"", 2 * US, 1000 * US, {{K1, "1.750168480", "1.750163140"}}},
    {"", 0, 0, {{K1, "1.750168480", "1.750164640"}}}, /* in the instant in which it is free */
    {"T.R2", 0, 0, {{K1, "1.750168480", "1.750164639"}}},
    /* the wait for a stream ends 0.5 ms before its kernel, by two clocks */
    {"T.G4", 2 * US, 499 * US, {{K3, "2.000383630", "1.999646080"}}},
    {"", 2 * US, 500 * US, {{K3, "2.000383630", "1.999646080"}}},
    /* launched later, and starts 1.12 us sooner */
    {"T.X1", US, 1000 * US, {K3_WITH}},
    {"", 2 * US, 1000 * US, {K3_WITH}},
    {"LOG", 0, 1000 * US, {{K1, "1.200011218,1.200011442", "1.200011442,1.200011218"}}},
    {"", US, 1000 * US, {{K1, "1.200011218,1.200011442", "1.200011442,1.200011218"}}},
    /* nothing overflows */
    {"", GFE_PS_NEVER, GFE_PS_NEVER, {K1_LATE}},
    {"", GFE_PS_NEVER, GFE_PS_NEVER, {{K1, "1.750169344,2.250169824", "1,18446743.9"}}},
};

/* PROMISE (analysis): What is shorter than the noise is no violation. */
START_TEST(what_is_shorter_than_the_noise_is_no_violation)
{
    struct scene scene;

    scene_init(&scene, noises[_i].edits);
    scene.rules.tolerance_ps = noises[_i].tolerance_ps;
    scene.rules.clock_error_ps = noises[_i].clock_error_ps;
    scene.rules.config = scene.config;
    ck_assert_msg(scene_check(&scene), "%s", scene.error.text);
    ck_assert_msg(strcmp(first_rule(&scene), noises[_i].rule) == 0, "%d: '%s': %s", _i,
                  first_rule(&scene), scene.report.findings[0].says);
    scene_fini(&scene);
}
END_TEST

/* ---- what the GPU and the process have ------------------------------------------------------- */

START_TEST(slots_of_an_sm_are_counted)
{
    struct check_limits limits = check_limits_tx2;
    struct scene scene;

    limits.blocks_per_sm = 2;
    scene_init(&scene, NULL);
    scene.rules.limits = &limits;
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(first_rule(&scene), "T.SLOT");
    scene_fini(&scene);
}
END_TEST

/* A kernel whose stream may wait for a channel is not known to be in the queue. */
START_TEST(who_was_ready_first_is_known_with_a_channel_for_each_stream)
{
    const struct edit edits[EDITS_MAX] = {K1_AHEAD, K3_BEHIND};
    struct scene scene;

    scene_init(&scene, edits);
    scene.rules.config = scene.config;
    scene.rules.channel_count = 2;
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(first_rule(&scene), "");
    check_report_fini(&scene.report);
    scene.rules.channel_count = 3;
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(first_rule(&scene), "T.X1");
    scene_fini(&scene);
}
END_TEST

/* The stream of a file that is missing may have been in the way. */
START_TEST(who_was_ready_first_is_known_with_all_files)
{
    const struct edit edits[EDITS_MAX] = {K1_AHEAD, K3_BEHIND};
    struct scene scene;

    scene_init(&scene, edits);
    scene.rules.config = scene.config;
    scene.files[K2] = scene.files[K3];
    ck_assert(check_results(scene.files, 2, &scene.rules, &scene.report, &scene.error));
    ck_assert_str_eq(first_rule(&scene), "");
    scene_fini(&scene);
}
END_TEST

/* K1's second kernel was launched when K3 was ready, and starts between its blocks. */
START_TEST(what_is_proven_twice_is_told_once)
{
    const struct edit edits[EDITS_MAX] = {{K3, "1.700145600", "1.760145600"}};
    struct scene scene;

    scene_init(&scene, edits);
    scene.rules.config = scene.config;
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(first_rule(&scene), "T.X1");
    ck_assert_str_eq(scene.report.findings[0].says,
                     "the kernel at the head of the queue has 1 of its 2 blocks to assign");
    ck_assert_uint_eq(scene.report.violation_count, 1);
    scene_fini(&scene);
}
END_TEST

/* Two processes may seem to hold the SMs together; two threads may not. */
START_TEST(an_sm_is_judged_for_each_process)
{
    const struct check_result_rules rules = rules_of(NULL);

    for (int threads = 0; threads < 2; threads++) {
        char *first = examiner_file("tx2_process1.json");
        char *second = examiner_file("tx2_process2.json");
        struct check_result_file files[2];
        struct examiner_result *results[2];
        struct check_report report;
        struct gfe_error error;

        if (threads)
            second = replaced(second, "\"PID\": 4202,", "\"PID\": 4201, \"TID\": 7,");
        results[0] = result_of("a", first);
        results[1] = result_of("b", second);
        files[0] = (struct check_result_file){"a", results[0]};
        files[1] = (struct check_result_file){"b", results[1]};
        ck_assert(check_results(files, 2, &rules, &report, &error));
        ck_assert_int_eq(report.violation_count > 0, threads);
        if (threads)
            ck_assert_str_eq(report.findings[0].rule, "T.R2");
        check_report_fini(&report);
        examiner_result_free(results[0]);
        examiner_result_free(results[1]);
        free(first);
        free(second);
    }
}
END_TEST

/* Its block times are SM cycles, and come out of the tool as anything. */
START_TEST(cycles_are_not_taken_for_times)
{
    const struct edit edits[EDITS_MAX] = {{K3, "Timer Spin", "Matrix Multiply"},
                                          {K3, "1.700145440", "18445123456.700145440"}};
    struct scene scene;

    scene_init(&scene, edits);
    ck_assert(scene_check(&scene));
    ck_assert_str_eq(first_rule(&scene), "");
    scene_fini(&scene);
}
END_TEST

/* ---- files that do not belong together ------------------------------------------------------- */

#define NOT_FOUND                                                                                  \
    "tx2_k2.json: the configuration has no benchmark with its label, or several, and none of "     \
    "them its name as log_name"

static const struct {
    const char *message;
    bool configured;
    struct edit edits[EDITS_MAX];
} strangers[] = {
    {"tx2_k2.json: is of scenario 'X', and tx2_k1.json of 'Made by hand: three streams on a "
     "TX2': check one run at a time",
     false,
     {{K2, "Made by hand: three streams on a TX2", "X"}}},
    {"tx2_k3.json: is of the same process and thread as tx2_k1.json",
     false,
     {{K3, "3126", "3124"}}},
    {"tx2_k1.json: was measured on a GPU with 20 SMs, and this one has 2",
     false,
     {{K1, "4096", "40960"}}},
    {"tx2_k1.json: is of scenario 'Made by hand: three streams on a TX2', and the configuration "
     "of 'X'",
     true,
     {{CONFIG, "Made by hand: three streams on a TX2", "X"}}},
    {NOT_FOUND, true, {{K2, "\"K2\"", "\"K9\""}}},
    {NOT_FOUND, true, {{CONFIG, "\"K3\"", "\"K2\""}, {CONFIG, "\"tx2_k2.json\"", "\"k2.json\""}}},
    {NOT_FOUND, true, {{K2, "\"label\": \"K2\",", ""}}},
};

/* PROMISE (analysis): Result files of different runs are refused. */
START_TEST(files_of_different_runs_are_refused)
{
    struct scene scene;

    scene_init(&scene, strangers[_i].edits);
    if (strangers[_i].configured)
        scene.rules.config = scene.config;
    ck_assert(!scene_check(&scene));
    ck_assert_int_eq(scene.error.kind, ERROR_INPUT);
    ck_assert_str_eq(scene.error.text, strangers[_i].message);
    scene_fini(&scene);
}
END_TEST

START_TEST(a_benchmark_is_found_by_the_name_of_its_file)
{
    const struct edit edits[][EDITS_MAX] = {
        {{K2, "\"label\": \"K2\",", ""}, {CONFIG, "\"label\": \"K2\",", ""}, K1_LATE},
        {{K2, "\"label\": \"K2\"", "\"label\": \"K1\""},
         {CONFIG, "\"label\": \"K2\"", "\"label\": \"K1\""},
         K1_LATE},
    };
    const char *const events[] = {"tx2_k2.json times[3]: block 0 starts on SM 0",
                                  "K1 times[3]: block 0 starts on SM 0"};

    for (int i = 0; i < 2; i++) {
        struct scene scene;

        scene_init(&scene, edits[i]);
        scene.rules.config = scene.config;
        ck_assert_msg(scene_check(&scene), "%s", scene.error.text);
        ck_assert_str_eq(scene.report.findings[0].second.text, events[i]);
        scene_fini(&scene);
    }
}
END_TEST

/* A label that one benchmark has is enough, and of a log's path only the last part counts: the
 * examiner writes logs into its folder of results. */
START_TEST(a_benchmark_is_found_by_its_label_or_the_end_of_a_path)
{
    const struct edit edits[][EDITS_MAX] = {
        {{CONFIG, "\"tx2_k2.json\"", "\"other.json\""}},
        {{K2, "\"label\": \"K2\",", ""},
         {CONFIG, "\"label\": \"K2\",", ""},
         {CONFIG, "\"tx2_k2.json\"", "\"results/tx2_k2.json\""}},
    };

    for (int i = 0; i < 2; i++) {
        struct scene scene;

        scene_init(&scene, edits[i]);
        scene.rules.config = scene.config;
        ck_assert_msg(scene_check(&scene), "%s", scene.error.text);
        ck_assert_uint_eq(scene.report.violation_count, 0);
        scene_fini(&scene);
    }
}
END_TEST

Suite *check_result_suite(void)
{
    Suite *suite = suite_create("check_result");
    TCase *tcase = tcase_create("measurements");

    tcase_add_test(tcase, what_was_measured_obeys_the_rules);
    tcase_add_loop_test(tcase, a_change_breaks_the_rule_that_is_named, 0,
                        sizeof changes / sizeof changes[0]);
    tcase_add_test(tcase, a_benchmark_is_found_by_its_label_or_the_end_of_a_path);
    tcase_add_test(tcase, a_violation_names_both_events_that_clash);
    tcase_add_loop_test(tcase, what_is_shorter_than_the_noise_is_no_violation, 0,
                        sizeof noises / sizeof noises[0]);
    tcase_add_test(tcase, slots_of_an_sm_are_counted);
    tcase_add_test(tcase, who_was_ready_first_is_known_with_a_channel_for_each_stream);
    tcase_add_test(tcase, who_was_ready_first_is_known_with_all_files);
    tcase_add_test(tcase, what_is_proven_twice_is_told_once);
    tcase_add_test(tcase, an_sm_is_judged_for_each_process);
    tcase_add_test(tcase, cycles_are_not_taken_for_times);
    tcase_add_loop_test(tcase, files_of_different_runs_are_refused, 0,
                        sizeof strangers / sizeof strangers[0]);
    tcase_add_test(tcase, a_benchmark_is_found_by_the_name_of_its_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
