/* SPDX-License-Identifier: MIT */
/* Many runs of a configuration of HIP programs: every way in which choice points can be decided. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/explore/hip_explore.h"
#include "emu/sim/hip_simulation.h"
#include "tests/hip_run.h"
#include "tests/suites.h"

#define PLUGIN "\"filename\": \"matrix_multiply.so\", \"thread_count\": "
/* Two ACEs with blocks of two sizes for the same CUs. */
static const char pair[] = "{\"name\": \"pair\", \"plugins\": [{" PLUGIN
                           "1024, \"block_count\": 150, \"label\": \"big\", \"max_iterations\": "
                           "2}, {" PLUGIN "256, \"block_count\": 600, \"label\": \"small\"}]}";

/* What does not matter here: the first five are decided. */
static const struct simulation_setting decided[] = {
    {"amd.ace_turn", "timeslice"},          {"amd.baton", "placed"},
    {"amd.wlm_arbitration", "round-robin"}, {"amd.release", "wave"},
    {"amd.block_to_cu", "lowest"},
};
static const struct simulation_setting long_blocks = {"hip.thread_work_ps", "60000000"};

static struct memory_file file;
static struct hip_explore explore;
static struct responses responses;

static void begin(const char *config)
{
    file = memory_file_new(config, strlen(config));
    explore = (struct hip_explore){.path = file.path, .options = {.gpu = "radeon-vii"}};
}

static void make(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(hip_explore_make(&explore, &responses, &error), "%s", error.text);
}

static void teardown(void)
{
    responses_fini(&responses);
    memory_file_free(&file);
}

/* The longest response time of a plugin in a run with more choices decided. */
static gfe_ps worst_with(const struct simulation_setting *more, uint32_t count, uint32_t plugin)
{
    struct simulation_setting settings[16];
    struct simulation_options options = explore.options;
    struct gfe_error error = {0};
    struct hip_simulation *simulation;
    gfe_ps worst;

    for (uint32_t i = 0; i < options.choice_count; i++)
        settings[i] = options.choices[i];
    for (uint32_t i = 0; i < count; i++)
        settings[options.choice_count++] = more[i];
    options.choices = settings;
    simulation = hip_simulation_new(file.path, &options, NULL, 0, &error);
    ck_assert_msg(simulation && hip_simulation_run_until(simulation, GFE_PS_NEVER, &error), "%s",
                  error.text);
    worst = hip_threads_responses(&simulation->threads, plugin).most_ps;
    hip_simulation_free(simulation);
    return worst;
}

/* Does the run's label say so? */
static bool says(uint32_t run, const char *id, const char *alternative)
{
    char text[80];
    const char *found;

    (void)snprintf(text, sizeof text, "%s=%s", id, alternative);
    found = strstr(responses.labels[run], text);
    return found && strchr(" ", found[strlen(text)]);
}

/* The only run whose decisions do not speak against these. */
static uint32_t run_of(const struct simulation_setting *settings, uint32_t count)
{
    uint32_t found = UINT32_MAX;

    for (uint32_t run = 0; run < responses.run_count; run++) {
        bool fits = true;

        for (uint32_t i = 0; i < count; i++)
            fits &= !strstr(responses.labels[run], settings[i].id) ||
                    says(run, settings[i].id, settings[i].value);
        if (fits) {
            ck_assert_uint_eq(found, UINT32_MAX);
            found = run;
        }
    }
    ck_assert_uint_ne(found, UINT32_MAX);
    return found;
}

/* Queues that rotate: where nothing is ever saved, nobody asks where it goes on. */
/* PROMISE (explore): `--explore` on AMD's GPUs: each way of deciding is one run, with the
 * response times of a run with these decisions. */
START_TEST(each_way_of_deciding_is_one_run)
{
    static const char *const swaps[] = {"list", "oldest", "idle", "ready", "priority"};
    static const char *const restores[] = {"same-engine", "cyclic"};

    begin(hip_run_many);
    explore.options.choices = decided;
    explore.options.choice_count = 5;
    explore.options.parameters = &long_blocks;
    explore.options.parameter_count = 1;
    make();
    ck_assert_uint_eq(responses.call_count, 33);
    ck_assert_uint_gt(responses.run_count, 5);
    ck_assert_uint_lt(responses.run_count, 10);
    for (uint32_t swap = 0; swap < 5; swap++)
        for (uint32_t restore = 0; restore < 2; restore++) {
            const struct simulation_setting settings[] = {{"hws.swap", swaps[swap]},
                                                          {"amd.restore", restores[restore]}};
            const uint32_t run = run_of(settings, 2);

            for (uint32_t plugin = 0; plugin < 33; plugin += 16)
                ck_assert_uint_eq(responses.calls[plugin].worst_of_run[run],
                                  worst_with(settings, 2, plugin));
        }
}
END_TEST

/* What nobody says he has met would not be walked. */
/* PROMISE (explore): `--explore` walks every choice point that changes a run, and only those. */
START_TEST(what_changes_a_run_is_walked)
{
    static const struct simulation_setting others[] = {
        {"amd.ace_turn", "dispatch"},
        {"amd.baton", "staged"},
        {"amd.wlm_arbitration", "oldest-first"},
        {"amd.release", "block"},
        {"amd.block_to_cu", "most-free"},
        {"hws.swap", "idle"},
        {"amd.sdma_turn", "idle"},
        {"amd.sdma_wait", "hold"},
    };
    uint32_t changing = 0;
    gfe_ps before;

    begin(_i == 0 ? pair : hip_run_crowd);
    explore.options.choices = decided;
    explore.options.choice_count = 1; /* a fifth of the runs, and only a third of those */
    before = worst_with(NULL, 0, 1);
    make();
    for (uint32_t i = 1; i < sizeof others / sizeof others[0]; i++) {
        const bool changes = worst_with(&others[i], 1, 1) != before;

        changing += changes;
        ck_assert_msg(!changes || strstr(responses.labels[0], others[i].id), "%s", others[i].id);
    }
    ck_assert_uint_ge(changing, 3);
}
END_TEST

START_TEST(what_is_decided_is_not_walked)
{
    begin(pair);
    explore.options.choices = decided;
    explore.options.choice_count = 4;
    make();
    ck_assert_uint_eq(responses.run_count, 5 * 4); /* hws.swap, amd.block_to_cu */
    for (uint32_t run = 0; run < responses.run_count; run++) {
        ck_assert_ptr_null(strstr(responses.labels[run], "amd.baton"));
        for (uint32_t other = 0; other < run; other++)
            ck_assert_str_ne(responses.labels[run], responses.labels[other]);
    }
    ck_assert_uint_eq(responses.calls[0].count, 2 * responses.run_count);
    ck_assert_str_eq(responses.calls[0].name, "big");
}
END_TEST

START_TEST(seeds_are_those_asked_for)
{
    begin(pair);
    explore.options.seed = 7;
    explore.seeds = 3;
    make();
    ck_assert_uint_eq(responses.run_count, 3);
    for (uint32_t run = 0; run < 3; run++) {
        ck_assert_uint_eq(responses.seeds[run], 7 + run);
        ck_assert_str_eq(responses.labels[run], "");
    }
    ck_assert_uint_ne(responses.calls[0].worst_of_run[0], responses.calls[0].worst_of_run[1]);
    explore.options.seed = 9;
    ck_assert_uint_eq(responses.calls[0].worst_of_run[2], worst_with(NULL, 0, 0));
}
END_TEST

START_TEST(what_cannot_be_run_is_said)
{
    struct gfe_error error = {0};

    begin("{\"name\": \"n\", \"plugins\": [{\"filename\": \"other.so\", \"thread_count\": 1, "
          "\"block_count\": 0, \"max_iterations\": 1}]}");
    ck_assert(!hip_explore_make(&explore, &responses, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "plugins[0].block_count"));
}
END_TEST

Suite *hip_explore_suite(void)
{
    Suite *suite = suite_create("hip_explore");
    TCase *tcase = tcase_create("explore");

    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, each_way_of_deciding_is_one_run);
    tcase_add_loop_test(tcase, what_changes_a_run_is_walked, 0, 2);
    tcase_add_test(tcase, what_is_decided_is_not_walked);
    tcase_add_test(tcase, seeds_are_those_asked_for);
    tcase_add_test(tcase, what_cannot_be_run_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
