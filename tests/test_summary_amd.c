/* SPDX-License-Identifier: MIT */
/* The summary of an AMD GPU's run: its words, its counts; plugins of HIP as tasks. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/summary/summary.h"
#include "emu/analysis/summary/summary_amd.h"
#include "firmware-models/hip/hip_tables.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static char *text;

static void teardown(void)
{
    free(text);
    text = NULL;
}

static void sum_up(const char *path, bool json)
{
    const struct summary_notes notes = {0};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_msg(log != NULL, "%s", error.text);
    ck_assert_msg(summary_print(file, log, &notes, json, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    event_log_close(log);
}

static void sum_up_scene(const char *engine_cus, bool json)
{
    struct loaded loaded;

    load_amd(&loaded, engine_cus);
    sum_up(loaded.fixture.path, json);
    unload(&loaded);
}

static void has(const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in\n%s", part, text);
}

static void has_not(const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "'%s' is in\n%s", part, text);
}

/* PROMISE (analysis): Summaries of runs on AMD's GPUs use AMD's words. */
START_TEST(the_words_are_amds)
{
    sum_up_scene("3 2", false);
    has("\n  submissions     1 on 1 queue, 128 bytes\n");
    has("\n  launches        1 dispatch, 4 blocks\n");
    has("\n  packets         1 dispatch, 1 barrier, 1 of PM4, 0 of SDMA\n");
    has("\n  signals         2\n");
    has("\n  slots           3 used: 3 loads, 1 preemption, 1 with work\n"
        "                  waves saved once, 512 bytes\n");
    has("\n  SDMA 1 ");
    /* 20 us of 54 on CU 0.0, 10 on 0.1; 10 and 15 of the second engine's. */
    has("\n  4 CUs, mean ");
    has("\n  SE 0, 3 CUs           10 us   18.5 %\n");
    has("\n  SE 1, 2 CUs         12.5 us   23.1 %\n");
    has_not("SM");
    has_not("GR 0");
    has_not("channel");
    has_not("inline");
}
END_TEST

START_TEST(engines_that_are_not_told_are_left_out)
{
    sum_up_scene(NULL, false);
    has("\n  4 CUs, mean ");
    has_not("SE 0");
}
END_TEST

START_TEST(json_has_amds_counts)
{
    static const struct {
        const char *key;
        json_int_t value;
    } rows[] = {{"dispatch_packet_count", 1}, {"barrier_packet_count", 1},
                {"pm4_packet_count", 1},      {"sdma_packet_count", 0},
                {"signal_count", 2},          {"slot_count", 3},
                {"slot_load_count", 3},       {"preempt_count", 1},
                {"preempt_busy_count", 1},    {"save_count", 1},
                {"saved_bytes", 512}};
    json_t *root;

    sum_up_scene("3 2", true);
    root = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(root);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(json_integer_value(json_object_get(json_object_get(root, "amd"),
                                                         rows[i].key)) == rows[i].value,
                      "%s", rows[i].key);
    has("\"unit\": \"CU 1.1\"");
    json_decref(root);
}
END_TEST

/* A launch that has not returned is not over. */
START_TEST(plugins_are_tasks)
{
    struct log_fixture fixture;
    char *head = log_fixture_amd_head("3 2"), *with, *end = strrchr(head, '}');
    static const char program[] = ",\"program\":{\"tasks\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
                                  "\"calls\":[{\"kind\":\"kernel\"}]}}";

    with = calloc(1, strlen(head) + sizeof program);
    ck_assert_ptr_nonnull(with);
    memcpy(with, head, (size_t)(end - head));
    strcat(with, program);
    log_fixture_begin_with(&fixture, with);
    free(head);
    free(with);
    LOG_ADD(&fixture, US(1), EVENT_HIP_LAUNCH, RULE_NONE, 0, 0, 1024);
    LOG_ADD(&fixture, US(2), EVENT_HIP_LAUNCH, RULE_NONE, 1, 0, 1025);
    LOG_ADD(&fixture, US(5), EVENT_HIP_RETURN, RULE_NONE, 0, 0, 1024, 0, US(4), 0);
    LOG_ADD(&fixture, US(6), EVENT_HIP_LAUNCH, RULE_NONE, 0, 1, 1024);
    LOG_ADD(&fixture, US(9), EVENT_HIP_RETURN, RULE_NONE, 0, 1, 1024, 1, US(3), 0);
    LOG_ADD(&fixture, US(9), EVENT_HIP_RETURN, RULE_NONE, 7, 1, 1024, 1, US(3), 0);
    log_fixture_end(&fixture);
    sum_up(fixture.path, false);
    log_fixture_remove(&fixture);
    has("\n  tasks           2, 3 kernels, 0 copies\n");
    has("\n                  a: 2 kernels, 2 iterations, from 1 us to 9 us\n");
    has("\n                  b: 1 kernel, 0 iterations, from 2 us on, no iteration ended\n");
}
END_TEST

Suite *summary_amd_suite(void)
{
    Suite *suite = suite_create("summary_amd");
    TCase *words = tcase_create("words");

    tcase_add_checked_fixture(words, NULL, teardown);
    tcase_add_test(words, the_words_are_amds);
    tcase_add_test(words, engines_that_are_not_told_are_left_out);
    tcase_add_test(words, json_has_amds_counts);
    tcase_add_test(words, plugins_are_tasks);
    suite_add_tcase(suite, words);
    return suite;
}
