/* SPDX-License-Identifier: MIT */
/* What a scenario's program calls its operations is what pictures, tables and explanations call
 * them, and by what they are found. */
#include <config.h>

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/open_waits.h"
#include "emu/views/show.h"
#include "emu/views/show_csv.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "tests/log_fixture.h"
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

/* The page's script has a list of its own, by number. */
static uint32_t words_of_the_page(void)
{
    const char *folder = getenv("top_srcdir");
    char path[4096], *at = NULL;
    size_t length = 0;
    uint32_t count = 0;
    FILE *script;

    (void)snprintf(path, sizeof path, "%s/emu/views/html/show_html_page_story.js",
                   folder ? folder : ".");
    script = fopen(path, "r");
    ck_assert_ptr_nonnull(script);
    ck_assert_int_gt(getdelim(&text, &length, 0, script), 0);
    (void)fclose(script);
    at = strstr(text, "const words = ['', 'channel ',");
    ck_assert_ptr_nonnull(at);
    for (at = strchr(at, '['); *at != ']'; at++)
        count += *at == ',';
    return count + 1;
}

static bool has_number(const char *in, size_t in_bytes, uint32_t number)
{
    char decimal[16], hex[16];

    (void)snprintf(decimal, sizeof decimal, "%u", (unsigned)number);
    (void)snprintf(hex, sizeof hex, "0x%x", (unsigned)number);
    return memmem(in, in_bytes, decimal, strlen(decimal)) || memmem(in, in_bytes, hex, strlen(hex));
}

/* A view that has no name for a kind says "-" or nothing of whoever waits. */
START_TEST(each_kind_of_subject_has_a_name_in_each_view)
{
    char seen[SUBJECT_KINDS][SHOW_NAME_BYTES], waits[OPEN_WAITS_NAME_BYTES];
    struct event_log_reader *log;
    struct log_fixture fixture;
    FILE *stream;

    load();
    ck_assert_uint_eq(words_of_the_page(), SUBJECT_KINDS);
    log_fixture_begin(&fixture);
    for (uint32_t kind = SUBJECT_NONE + 1; kind < SUBJECT_KINDS; kind++) {
        show_subject_name(&show, kind, 4700 + kind, seen[kind], sizeof seen[kind]);
        ck_assert_msg(isalpha((unsigned char)seen[kind][0]), "%u: %s", (unsigned)kind, seen[kind]);
        for (uint32_t other = SUBJECT_NONE + 1; other < kind; other++)
            ck_assert_str_ne(seen[kind], seen[other]);
        ck_assert_str_ne(open_waits_name(reader, kind, 4700 + kind, waits), "nothing");
        ck_assert(has_number(waits, strlen(waits), 4700 + kind));
        LOG_ADD(&fixture, 1000 * kind, EVENT_WAIT, RULE_NONE, 0, SUBJECT_THREAD, 1, kind,
                4700 + kind);
    }
    log_fixture_end(&fixture);
    free(text);
    stream = open_memstream(&text, &bytes);
    log = event_log_open(fixture.path, &error);
    ck_assert(log && show_perfetto(stream, log, 0, GFE_PS_NEVER, &error));
    ck_assert_int_eq(fclose(stream), 0);
    event_log_close(log);
    log_fixture_remove(&fixture);
    /* Operations and engines go by the names that the log gave them, of which this one has none. */
    for (uint32_t kind = SUBJECT_NONE + 1; kind < SUBJECT_KINDS; kind++)
        if (kind != SUBJECT_GRID && kind != SUBJECT_WORK && kind != SUBJECT_COPY &&
            kind != SUBJECT_ENGINE && kind != SUBJECT_OPERATION)
            ck_assert_msg(has_number(text, bytes, 4700 + kind), "%s", seen[kind]);
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
    tcase_add_test(names, each_kind_of_subject_has_a_name_in_each_view);
    tcase_add_test(names, pictures_and_tables_have_the_names);
    tcase_add_test(names, perfetto_has_the_names);
    tcase_add_test(names, explain_finds_operations_by_name);
    suite_add_tcase(suite, names);
    return suite;
}
