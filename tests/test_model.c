/* SPDX-License-Identifier: MIT */
/* The model of a log: complete for the build's events, and what it hands to its listener. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "emu/sim/gpus.h"
#include "emu/analysis/model/model.h"
#include "tests/log_fixture.h"
#include "tests/log_scenes.h"
#include "tests/suites.h"

/* ---- the two lists --------------------------------------------------------------------------- */

struct listed {
    const char *name;
    const char *arguments[MODEL_MEMBERS_MAX];
};

/* clang-format off */
#define LISTED(name, type, operation, ...) {name, {__VA_ARGS__}},
#define NOT_FOLDED(name, reason) {name, {reason}},
/* clang-format on */
static const struct listed folded[] = {MODEL_EVENTS(LISTED)};
static const struct listed not_folded[] = {MODEL_NOT_FOLDED(NOT_FOLDED)};

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static uint32_t times_listed(const struct listed *list, size_t count, const char *name)
{
    uint32_t times = 0;

    for (size_t i = 0; i < count; i++)
        times += strcmp(list[i].name, name) == 0;
    return times;
}

static const struct event_kind_row *event_of(const char *name)
{
    for (uint32_t set = 0; set < gfe_table_set_count; set++)
        for (uint32_t i = 0; i < gfe_table_sets[set]->event_count; i++)
            if (strcmp(gfe_table_sets[set]->events[i].name, name) == 0)
                return &gfe_table_sets[set]->events[i];
    return NULL;
}

/* PROMISE (analysis): A new kind of event is added in two places, its list and the model's; one
 * that readers would miss fails the tests. */
/* PROMISE (analysis): A kind of event becomes a record of the model, or stands in a list with
 * the reason why none. */
START_TEST(each_kind_of_event_is_folded_or_listed_with_a_reason)
{
    uint32_t kinds = 0;

    for (uint32_t set = 0; set < gfe_table_set_count; set++)
        for (uint32_t i = 0; i < gfe_table_sets[set]->event_count; i++) {
            const char *name = gfe_table_sets[set]->events[i].name;
            const uint32_t times = times_listed(folded, COUNT_OF(folded), name) +
                                   times_listed(not_folded, COUNT_OF(not_folded), name);

            ck_assert_msg(times == 1, "%s stands %u times in model_list.h, which must be once",
                          name, times);
            kinds++;
        }
    ck_assert_uint_eq(kinds, COUNT_OF(folded) + COUNT_OF(not_folded));
    for (size_t i = 0; i < COUNT_OF(not_folded); i++)
        ck_assert_uint_gt(strlen(not_folded[i].arguments[0]), 20);
}
END_TEST

START_TEST(each_argument_that_becomes_a_member_is_one_of_the_event)
{
    for (size_t i = 0; i < COUNT_OF(folded); i++) {
        const struct event_kind_row *event = event_of(folded[i].name);

        ck_assert_msg(event != NULL, "no list of events has %s", folded[i].name);
        for (uint32_t a = 0; a < MODEL_MEMBERS_MAX && folded[i].arguments[a]; a++) {
            const char *argument = folded[i].arguments[a];
            bool found = argument[0] == '\0'; /* the kind has nothing for this member */

            for (uint32_t b = 0; b < EVENT_ARGUMENTS_MAX && event->arguments[b]; b++)
                found |= strcmp(event->arguments[b], argument) == 0;
            ck_assert_msg(found, "%s has no argument %s", folded[i].name, argument);
        }
    }
}
END_TEST

/* ---- folding --------------------------------------------------------------------------------- */

static struct log_fixture fixture;

enum { KEPT_MAX = 256 };
static struct model_record kept[KEPT_MAX];
static uint32_t kept_count, refuse_at;

static bool keep(void *context, const struct model_record *record)
{
    ck_assert_ptr_eq(context, &fixture);
    ck_assert_uint_lt(kept_count, KEPT_MAX);
    kept[kept_count++] = *record;
    return kept_count != refuse_at;
}

/* Folds the fixture's log; returns what model_read() does. */
static bool fold(void)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct model model = {0};
    bool good;

    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log && model_init(&model, log, keep, &fixture, &error), "%s", error.text);
    good = model_read(&model, log, &error);
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    model_fini(&model);
    event_log_close(log);
    return good;
}

static void setup(void)
{
    kept_count = 0;
    refuse_at = 0;
}

static void teardown(void)
{
    log_fixture_remove(&fixture);
}

/* The n-th record of that type, from 0. */
static const struct model_record *nth(enum model_type type, uint32_t n)
{
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].type == type && n-- == 0)
            return &kept[i];
    ck_abort_msg("there is no such record of type %d", (int)type);
}

/* PROMISE (analysis): Members of a record have the values of the arguments of the event. */
START_TEST(members_have_the_arguments_values)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 5, EVENT_BLOCK_START, RULE_T_R1, 7, 3, 2, 1);
    LOG_ADD(&fixture, 9, EVENT_COPY_START, RULE_NONE, 4, 2, 1, 64, 128, 3, 5);
    ck_assert(fold());
    ck_assert_uint_eq(kept_count, 2);
    ck_assert_int_eq(kept[0].type, MODEL_BLOCK_BEGUN);
    ck_assert_uint_eq(kept[0].now_ps, 5);
    ck_assert_uint_eq(kept[0].rule, RULE_T_R1);
    ck_assert_uint_eq(kept[0].event_number, 0);
    ck_assert_uint_eq(kept[0].block.grid_id, 7);
    ck_assert_uint_eq(kept[0].block.index, 3);
    ck_assert_uint_eq(kept[0].block.sm, 2);
    ck_assert_uint_eq(kept[0].block.slot, 1);
    ck_assert_int_eq(kept[1].type, MODEL_STARTED);
    ck_assert_int_eq(kept[1].operation, MODEL_COPY);
    ck_assert_uint_eq(kept[1].event_number, 1);
    ck_assert_uint_eq(kept[1].done.id, 4);
    ck_assert_uint_eq(kept[1].done.engine_id, 1);
    ck_assert_uint_eq(kept[1].done.limited_by, 3);
    ck_assert_uint_eq(kept[1].done.pce_bits, 5);
    ck_assert_uint_eq(kept[1].done.from_ps, 0);
}
END_TEST

START_TEST(an_argument_that_the_log_lacks_is_0)
{
    char *head = log_fixture_head(), *at = strstr(head, "\"block_index\"");

    ck_assert_ptr_nonnull(at);
    memcpy(at, "\"block_other\"", strlen("\"block_other\"")); /* of BLOCK_START, which is first */
    log_fixture_begin_with(&fixture, head);
    free(head);
    LOG_ADD(&fixture, 0, EVENT_BLOCK_START, RULE_NONE, 7, 3, 2, 1);
    ck_assert(fold());
    ck_assert_uint_eq(kept[0].block.grid_id, 7);
    ck_assert_uint_eq(kept[0].block.index, 0);
    ck_assert_uint_eq(kept[0].block.sm, 2);
    ck_assert_uint_eq(kept[0].block.slot, 1);
}
END_TEST

START_TEST(an_event_that_the_model_has_no_record_of_is_another)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 3, EVENT_COPY_SPEED, RULE_NONE, 1, 2, 3, 4, 5);
    ck_assert(fold());
    ck_assert_uint_eq(kept_count, 1);
    ck_assert_int_eq(kept[0].type, MODEL_OTHER);
    ck_assert_uint_eq(kept[0].now_ps, 3);
}
END_TEST

START_TEST(what_resumes_waited_for_the_channel_that_was_on)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 90, EVENT_GRID_RESUME, RULE_T_P1, 7, 2, 40, 5);
    LOG_ADD(&fixture, 95, EVENT_WORK_RESUME, RULE_T_P1, 8, 2, 0, 60, UINT64_MAX);
    LOG_ADD(&fixture, 99, EVENT_COPY_RESUME, RULE_NONE, 9, 2, 1, 0, 0, 0);
    ck_assert(fold());
    ck_assert_uint_eq(kept_count, 5);
    ck_assert_int_eq(kept[0].type, MODEL_RESUMED);
    ck_assert_int_eq(kept[1].type, MODEL_WAIT_SUSPENDED);
    ck_assert_uint_eq(kept[1].event_number, 0);
    ck_assert_uint_eq(kept[1].rule, RULE_T_P1);
    ck_assert_uint_eq(kept[1].wait.begin_ps, 40);
    ck_assert_uint_eq(kept[1].wait.subject_kind, SUBJECT_GRID);
    ck_assert_uint_eq(kept[1].wait.subject_id, 7);
    ck_assert_uint_eq(kept[1].wait.blocker_kind, SUBJECT_CHANNEL);
    ck_assert_uint_eq(kept[1].wait.blocker_id, 5);
    ck_assert_uint_eq(kept[3].wait.subject_kind, SUBJECT_WORK);
    ck_assert_uint_eq(kept[3].wait.subject_id, 8);
    ck_assert_uint_eq(kept[3].wait.blocker_kind, SUBJECT_NONE);
    ck_assert_uint_eq(kept[3].wait.blocker_id, 0);
    ck_assert_int_eq(kept[4].type, MODEL_RESUMED);
    ck_assert_int_eq(kept[4].operation, MODEL_COPY);
}
END_TEST

static void begin_amd(void)
{
    char *head = log_fixture_amd_head("3 2");

    log_fixture_begin_with(&fixture, head);
    free(head);
}

START_TEST(a_dispatch_is_of_the_queue_in_its_slot)
{
    begin_amd();
    LOG_ADD(&fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 2, 4, 64, 0, 0, 0, 0);
    LOG_ADD(&fixture, 1, EVENT_AMD_QUEUE_LOAD, RULE_NONE, 2, 1024, 8, 1, 0x8000, 4096, 0);
    LOG_ADD(&fixture, 2, EVENT_GRID_QUEUE, RULE_NONE, 2, 2, 4, 64, 0, 0, 0, 0);
    LOG_ADD(&fixture, 3, EVENT_AMD_QUEUE_LEAVE, RULE_NONE, 2, 1024, 0, 0);
    LOG_ADD(&fixture, 4, EVENT_GRID_QUEUE, RULE_NONE, 3, 2, 4, 64, 0, 0, 0, 0);
    LOG_ADD(&fixture, 5, EVENT_AMD_QUEUE_LOAD, RULE_NONE, UINT64_MAX, 7, 8, 1, 0, 0, 0);
    LOG_ADD(&fixture, 6, EVENT_GRID_QUEUE, RULE_NONE, 4, UINT64_MAX - 1, 4, 64, 0, 0, 0, 0);
    ck_assert(fold());
    ck_assert_uint_eq(nth(MODEL_GRID_HANDED, 0)->grid.queue_id, MODEL_NONE);
    ck_assert_uint_eq(model_grid_channel(&nth(MODEL_GRID_HANDED, 0)->grid), 2);
    ck_assert_uint_eq(nth(MODEL_GRID_HANDED, 1)->grid.queue_id, 1024);
    ck_assert_uint_eq(model_grid_channel(&nth(MODEL_GRID_HANDED, 1)->grid), 1024);
    ck_assert_uint_eq(nth(MODEL_GRID_HANDED, 2)->grid.queue_id, MODEL_NONE);
    ck_assert_uint_eq(nth(MODEL_GRID_HANDED, 3)->grid.queue_id, MODEL_NONE);
}
END_TEST

START_TEST(a_listener_that_refuses_ends_the_fold)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 90, EVENT_GRID_RESUME, RULE_T_P1, 7, 2, 40, 5);
    LOG_ADD(&fixture, 91, EVENT_GRID_END, RULE_NONE, 7, 2, 0, 0);
    refuse_at = 1;
    ck_assert(!fold());
    ck_assert_uint_eq(kept_count, 1);
}
END_TEST

Suite *model_suite(void)
{
    Suite *suite = suite_create("model");
    TCase *lists = tcase_create("lists"), *folds = tcase_create("folds");

    tcase_add_test(lists, each_kind_of_event_is_folded_or_listed_with_a_reason);
    tcase_add_test(lists, each_argument_that_becomes_a_member_is_one_of_the_event);
    suite_add_tcase(suite, lists);
    tcase_add_checked_fixture(folds, setup, teardown);
    tcase_add_test(folds, members_have_the_arguments_values);
    tcase_add_test(folds, an_argument_that_the_log_lacks_is_0);
    tcase_add_test(folds, an_event_that_the_model_has_no_record_of_is_another);
    tcase_add_test(folds, what_resumes_waited_for_the_channel_that_was_on);
    tcase_add_test(folds, a_dispatch_is_of_the_queue_in_its_slot);
    tcase_add_test(folds, a_listener_that_refuses_ends_the_fold);
    suite_add_tcase(suite, folds);
    return suite;
}
