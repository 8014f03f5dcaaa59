/* SPDX-License-Identifier: MIT */
/* What a scenario's program calls its operations is what pictures, tables and explanations call
 * them, and by what they are found. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/explain/explain.h"
#include "emu/views/show.h"
#include "emu/views/show_csv.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "tests/scenario_log.h"
#include "tests/suites.h"

static struct memory_file file;
static struct event_log_reader *reader;
static struct gfe_error error;
static struct show show;
static char *text;
static size_t bytes;

static void setup(void)
{
    static const char *const settings[] = {"core.copy_rate_percent", "5", NULL};

    file = scenario_log_run("tx2", "amert2017-table1", settings);
    reader = event_log_open(file.path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
}

static void teardown(void)
{
    show_fini(&show);
    event_log_close(reader);
    memory_file_free(&file);
    free(text);
    text = NULL;
}

static void load(void)
{
    ck_assert_msg(show_load(&show, reader, 0, GFE_PS_NEVER, &error), "%s", error.text);
}

static void has(const char *words)
{
    ck_assert_msg(memmem(text, bytes, words, strlen(words)) != NULL, "%s", words);
}

/* PROMISE (views): Kernels and copies have the names of the configuration in pictures, tables
 * and summaries. */
START_TEST(operations_are_called_as_in_the_program)
{
    static const char *const wanted[] = {"K1", "K4", "K5", "K2"};
    char name[SHOW_NAME_BYTES];

    load();
    for (uint32_t i = 0; i < 4; i++) {
        show_operation_name(&show, &show.operations[i], name, sizeof name);
        ck_assert_str_eq(name, wanted[i]);
    }
    ck_assert_int_eq(show.operations[5].kind, SHOW_COPY);
    show_operation_name(&show, &show.operations[5], name, sizeof name);
    ck_assert_str_eq(name, "S3/copy");
    show_operation_name(&show, &show.operations[5], name, 3);
    ck_assert_str_eq(name, "S3");
}
END_TEST

START_TEST(who_waits_in_a_stream_has_a_name)
{
    char name[SHOW_NAME_BYTES];

    load();
    show_subject_name(&show, SUBJECT_OPERATION, 1, name, sizeof name);
    ck_assert_str_eq(name, "K1");
    show_subject_name(&show, SUBJECT_OPERATION, 3, name, sizeof name);
    ck_assert_str_eq(name, "S1/copy");
    show_subject_name(&show, SUBJECT_OPERATION, 4711, name, sizeof name);
    ck_assert_str_eq(name, "operation 4711");
}
END_TEST

START_TEST(pictures_and_tables_have_the_names)
{
    const struct show_text_options options = {.width = 100, .ascii = true};
    const struct show_svg_options svg = {.width = 1000};
    FILE *stream = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(stream);
    load();
    ck_assert(show_text(stream, &show, &options, &error));
    ck_assert(show_csv(stream, &show, &error));
    ck_assert(show_svg(stream, &show, &svg, &error));
    ck_assert_int_eq(fclose(stream), 0);
    has("\n  K4   4 blocks of 256 threads");
    has("\n  S1/copy: copy of 268435456 bytes to host on ");
    has("S1/copy#3 waits");
    has(", because of K2\n");
    has(":9,K4,1,");
    has("S3/copy,14,");
    has("<title>K4: 4 blocks");
    has("<title>S1/copy#2: copy");
}
END_TEST

START_TEST(perfetto_has_the_names)
{
    FILE *stream = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(stream);
    ck_assert_msg(show_perfetto(stream, reader, 0, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert_int_eq(fclose(stream), 0);
    has("K4");
    has("S1/copy#2");
}
END_TEST

START_TEST(explain_finds_operations_by_name)
{
    char words[EXPLAIN_WORDS_BYTES];
    struct explain explain;
    struct explain_ref ref;

    ck_assert_msg(explain_load(&explain, reader, &error), "%s", error.text);
    ck_assert(explain_find(&explain, "K4", &ref));
    ck_assert_str_eq(explain_describe(&explain, ref, words), "K4, 4 blocks of 256 threads");
    ck_assert(explain_find(&explain, "S1/copy", &ref));
    ck_assert_str_eq(explain_describe(&explain, ref, words),
                     "S1/copy, 268435456 bytes on GRCE0/LCE0");
    ck_assert(explain_find(&explain, "launch:9", &ref));
    ck_assert_str_eq(explain_describe(&explain, ref, words), "K4, 4 blocks of 256 threads");
    ck_assert(!explain_find(&explain, "K7", &ref));
    ck_assert(!explain_find(&explain, "C1", &ref)); /* copies have other names here */
    explain_fini(&explain);
}
END_TEST

Suite *show_name_suite(void)
{
    Suite *suite = suite_create("show_name");
    TCase *names = tcase_create("names");

    tcase_add_checked_fixture(names, setup, teardown);
    tcase_add_test(names, operations_are_called_as_in_the_program);
    tcase_add_test(names, who_waits_in_a_stream_has_a_name);
    tcase_add_test(names, pictures_and_tables_have_the_names);
    tcase_add_test(names, perfetto_has_the_names);
    tcase_add_test(names, explain_finds_operations_by_name);
    suite_add_tcase(suite, names);
    return suite;
}
