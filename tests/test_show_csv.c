/* SPDX-License-Identifier: MIT */
/* The timeline and the events as comma-separated values. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/show_csv.h"
#include "emu/views/show_events.h"
#include "tests/golden_text.h"
#include "tests/log_scenes.h"
#include "tests/suites.h"

static struct event_log_reader *open_log(const struct log_fixture *fixture)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(fixture->path, &error);

    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

/* The scene's timeline; the caller frees the text. */
static char *timeline_of(const struct log_fixture *fixture, uint32_t *item_count, size_t *bytes)
{
    struct event_log_reader *log = open_log(fixture);
    struct gfe_error error = {0};
    struct show show;
    char *text = NULL;
    FILE *memory = open_memstream(&text, bytes);

    ck_assert_msg(show_load(&show, log, 0, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert(show_csv(memory, &show, &error));
    ck_assert_int_eq(fclose(memory), 0);
    *item_count = show.item_count;
    show_fini(&show);
    event_log_close(log);
    return text;
}

static char *events_of(const struct log_fixture *fixture, gfe_ps from_ps, gfe_ps to_ps)
{
    struct event_log_reader *log = open_log(fixture);
    struct gfe_error error = {0};
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);

    ck_assert_msg(show_csv_events(memory, log, from_ps, to_ps, &error), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
    event_log_close(log);
    return text;
}

/* Fields of a line that has no quotes. */
static uint32_t fields_in(const char *line)
{
    uint32_t count = 1;

    for (; *line && *line != '\n'; line++)
        count += *line == ',';
    return count;
}

/* Every line has as many fields as the first; returns how many lines there are. */
static uint32_t lines_check(const char *text)
{
    const uint32_t fields = fields_in(text);
    uint32_t count = 0;

    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        ck_assert_msg(fields_in(line) == fields, "%.80s", line);
        count++;
    }
    return count;
}

/* PROMISE (views): The CSV timeline has a row for each item. */
START_TEST(the_timeline_has_a_row_for_each_item)
{
    struct log_fixture fixture;
    uint32_t items;
    size_t bytes;
    char *text;

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    text = timeline_of(&fixture, &items, &bytes);
    ck_assert_uint_gt(items, 50);
    ck_assert_uint_eq(lines_check(text), items + 1);
    golden_text_check("show_compute.csv", text, bytes);
    free(text);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(rows_say_what_is_known)
{
    struct log_fixture fixture;
    struct log_fixture *log = &fixture;
    uint32_t items;
    size_t bytes;
    char *text;

    log_fixture_begin(log);
    LOG_ADD(log, 10, EVENT_CPU_SUBMIT, RULE_NONE, 3, 2, 1, 640, 1);
    LOG_ADD(log, 15, EVENT_CPU_SUBMIT_RETURN, RULE_NONE, 3, 2, 1);
    LOG_ADD(log, 20, EVENT_COPY_QUEUE, RULE_NONE, 7, 2, 1, 64, 0, 0, 0);
    LOG_ADD(log, 20, EVENT_GRID_QUEUE, RULE_NONE, 8, 2, 1, 96, 0, 8, 0, 0);
    LOG_ADD(log, 25, EVENT_COPY_START, RULE_NONE, 7, 2, 1, 64);
    LOG_ADD(log, 30, EVENT_WAIT, RULE_T_R2, 26, SUBJECT_GRID, 8, SUBJECT_COPY, 7);
    LOG_ADD(log, 30, EVENT_GRID_START, RULE_NONE, 8, 2);
    LOG_ADD(log, 30, EVENT_BLOCK_START, RULE_NONE, 8, 0, 3, 0);
    LOG_ADD(log, 40, EVENT_NV_RELEASE, RULE_NONE, 2, 0x7000, 9, 4, 0xc1b5, 0);
    LOG_ADD(log, 40, EVENT_COPY_END, RULE_NONE, 7, 2, 1, 64);
    log_fixture_end(log);
    text = timeline_of(log, &items, &bytes);
    ck_assert_ptr_nonnull(
        strstr(text, "\nCPU thread 1,driver_call,10,15,5,submission:3,,,,,,,,,,0,\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nchannel 2,running,25,40,15,copy:7,C1,2,,,,,,,,0,\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nCE 1,running,25,40,15,copy:7,C1,2,,,,,,,,0,\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nchannel 2,waiting,26,30,4,,K1,2,,T.R2,C1,,,,,0,\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nchannel 2,release,40,40,0,,,2,,,,28672,9,,,0,\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nSM 3,block,30,40,10,block:8.0,K1,,,,,,,0,96,1,\n"));
    free(text);
    log_fixture_remove(log);
}
END_TEST

START_TEST(events_have_a_column_for_each_argument)
{
    struct log_fixture fixture;
    char *text, *at;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 5, EVENT_NV_DOORBELL, RULE_NONE, 2, 7);
    fixture.origin = ORIGIN_MODELLED;
    LOG_ADD(&fixture, 6, EVENT_WAIT, RULE_T_X1, 1, 2, 3, 4, UINT64_MAX);
    LOG_ADD(&fixture, 9, EVENT_NV_DOORBELL, RULE_NONE, 1, 1);
    log_fixture_end(&fixture);
    text = events_of(&fixture, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(lines_check(text), 4);
    ck_assert(strncmp(text, "time_ps,unit,kind,rule,origin,submission_id,channel_id,", 55) == 0);
    at = strchr(text, '\n') + 1;
    ck_assert_msg(strncmp(at, "5,replay,NV_DOORBELL,,recorded,,2,", 34) == 0, "%.60s", at);
    at = strchr(at, '\n') + 1;
    ck_assert_msg(strncmp(at, "6,replay,WAIT,T.X1,modelled,,,", 30) == 0, "%.60s", at);
    ck_assert_ptr_nonnull(strstr(at, ",1,2,3,4,18446744073709551615,"));
    free(text);
    text = events_of(&fixture, 6, 8);
    ck_assert_uint_eq(lines_check(text), 2);
    free(text);
    log_fixture_remove(&fixture);
}
END_TEST

/* RFC 4180: a field with a comma or a quote is in quotes, and its quotes are doubled. */
START_TEST(names_with_commas_and_quotes_are_quoted)
{
    struct log_fixture fixture;
    char *head = log_fixture_head(), *unit = strstr(head, "\"replay\""), *text;
    char *odd;

    ck_assert_ptr_nonnull(unit);
    ck_assert_int_ge(asprintf(&odd, "%.*s\"a,\\\"b\\\"\"%s", (int)(unit - head), head, unit + 8),
                     0);
    log_fixture_begin_with(&fixture, odd);
    LOG_ADD(&fixture, 5, EVENT_NV_DOORBELL, RULE_NONE, 2, 7);
    log_fixture_end(&fixture);
    text = events_of(&fixture, 0, GFE_PS_NEVER);
    ck_assert_ptr_nonnull(strstr(text, "\n5,\"a,\"\"b\"\"\",NV_DOORBELL,,recorded,"));
    free(text);
    free(odd);
    free(head);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *show_csv_suite(void)
{
    Suite *suite = suite_create("show_csv");
    TCase *tcase = tcase_create("rows");

    tcase_add_test(tcase, the_timeline_has_a_row_for_each_item);
    tcase_add_test(tcase, rows_say_what_is_known);
    tcase_add_test(tcase, events_have_a_column_for_each_argument);
    tcase_add_test(tcase, names_with_commas_and_quotes_are_quoted);
    suite_add_tcase(suite, tcase);
    return suite;
}
