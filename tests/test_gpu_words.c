/* SPDX-License-Identifier: MIT */
/* Names by vendor, out of logs' heads. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/gpu_words.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

static void words_of(char *head, struct gpu_words *words)
{
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct gfe_error error = {0};

    log_fixture_begin_with(&fixture, head);
    free(head);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    gpu_words_init(words, log);
    event_log_close(log);
    log_fixture_remove(&fixture);
}

START_TEST(sms_are_numbered_through)
{
    struct gpu_words words;
    char name[GPU_WORDS_BYTES];
    uint32_t engine, index;

    words_of(log_fixture_head(), &words);
    ck_assert(!words.is_amd);
    ck_assert_str_eq(gpu_words_sm(&words, 17, name), "SM 17");
    ck_assert_str_eq(gpu_words_sm_number(&words, 17, name), "17");
    ck_assert(!gpu_words_engine(&words, 0, &engine, &index));
    ck_assert_str_eq(words.channel, "channel");
}
END_TEST

START_TEST(cus_belong_to_shader_engines)
{
    struct gpu_words words;
    char name[GPU_WORDS_BYTES];
    uint32_t engine, index;

    words_of(log_fixture_amd_head("3 2"), &words);
    ck_assert(words.is_amd);
    ck_assert_uint_eq(words.engine_count, 2);
    ck_assert_str_eq(gpu_words_sm(&words, 2, name), "CU 0.2");
    ck_assert_str_eq(gpu_words_sm(&words, 3, name), "CU 1.0");
    ck_assert_str_eq(gpu_words_sm_number(&words, 4, name), "1.1");
    ck_assert(gpu_words_engine(&words, 4, &engine, &index));
    ck_assert_uint_eq(engine, 1);
    ck_assert_uint_eq(index, 1);
    /* One that the GPU does not have: a damaged log. */
    ck_assert_str_eq(gpu_words_sm(&words, 5, name), "CU 5");
}
END_TEST

/* Heads of older versions, and damaged ones. */
START_TEST(without_engines_cus_are_numbered_through)
{
    static const char *const lists[] = {
        NULL,
        "",
        "x",
        "3 x",
        "3 99999",
        "-1",
        "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct gpu_words words;
        char name[GPU_WORDS_BYTES];
        words_of(log_fixture_amd_head(lists[i]), &words);
        ck_assert(words.is_amd);
        ck_assert_str_eq(gpu_words_sm(&words, 4, name), "CU 4");
    }
}
END_TEST

START_TEST(slots_are_pipes_and_queues)
{
    char name[GPU_WORDS_BYTES];

    ck_assert_str_eq(gpu_words_slot(0, name), "ACE 0.0");
    ck_assert_str_eq(gpu_words_slot(31, name), "ACE 3.7");
    ck_assert_str_eq(gpu_words_slot(32 + 9, name), "MEC2 1.1");
}
END_TEST

Suite *gpu_words_suite(void)
{
    Suite *suite = suite_create("gpu_words");
    TCase *names = tcase_create("names");

    tcase_add_test(names, sms_are_numbered_through);
    tcase_add_test(names, cus_belong_to_shader_engines);
    tcase_add_test(names, without_engines_cus_are_numbered_through);
    tcase_add_test(names, slots_are_pipes_and_queues);
    suite_add_tcase(suite, names);
    return suite;
}
