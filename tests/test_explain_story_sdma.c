/* SPDX-License-Identifier: MIT */
/*
 * Stories of barrier packets, and of copies by SDMA engines: they add up, and say whose signal, or
 * whose copy, was in the way.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log_head.h"
#include "emu/analysis/story/explain_story_dispatch.h"
#include "emu/analysis/story/explain_story_print.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/golden_text.h"
#include "tests/hip_run.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

static struct hip_run run;
static struct story story;

static void load(void)
{
    struct gfe_error error = {0};

    ck_assert(story_is_told(run.log));
    ck_assert_msg(story_load(&story, run.log, &run.limits, &error), "%s", error.text);
}

/* Of a recorded program. */
static void tell(const char *recording)
{
    hip_run_replay_of(&run, recording);
    load();
}

static void tell_end(void)
{
    story_fini(&story);
    hip_run_end(&run);
}

static uint32_t name_of(const char *text)
{
    struct story_subject subject;

    ck_assert_msg(story_find(&story, text, &subject), "%s", text);
    return story.operations[subject.operation].name;
}

/* Pieces touch, none is empty, all are explained, and the totals add up. */
static void life_check(struct story_subject subject, struct story_life *life)
{
    struct story_total total;
    gfe_ps at_ps, sum_ps;

    ck_assert(story_life(&story, subject, life));
    at_ps = life->begin_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        ck_assert_uint_eq(life->pieces[i].begin_ps, at_ps);
        ck_assert_uint_gt(life->pieces[i].end_ps, at_ps);
        ck_assert(life->pieces[i].what != STORY_WAIT || life->pieces[i].rule != RULE_NONE);
        at_ps = life->pieces[i].end_ps;
    }
    total = story_total(life);
    sum_ps = total.service_ps;
    for (uint32_t i = 0; i < total.wait_count; i++)
        sum_ps += total.waits[i].ps;
    ck_assert_uint_eq(at_ps, life->end_ps);
    ck_assert_uint_eq(total.unattributed_ps, 0);
    ck_assert_uint_eq(sum_ps, life->end_ps - life->begin_ps);
}

static const struct story_piece *piece_of(const struct story_life *life, const char *rule)
{
    for (uint32_t i = 0; i < life->count; i++)
        if (life->pieces[i].what == STORY_WAIT &&
            strcmp(story_rule(&story, life->pieces[i].rule), rule) == 0)
            return &life->pieces[i];
    return NULL;
}

/* Whose signal it was, whose end let the barrier go; what a copy polls. */
/* PROMISE (analysis): Barriers and polls name the end or signal that they waited for. */
START_TEST(barriers_and_polls_say_for_whom)
{
    static const struct {
        const char *name, *rule, *by;
        bool has_signal;
    } waits[] = {
        {"Q1024/kernel#3", "A.Q3", "Q1024/kernel#2", false},
        {"Q1025/kernel", "AMD.DEPENDS", "Q1024/kernel#3", true},
        {"Q1290/copy", "AMD.SDMA_POLL", "Q1025/kernel#4", true},
        {"Q1026/kernel#4", "A.Q3", "Q1026/kernel#3", false}, /* saved meanwhile */
    };
    struct story_life life = {0};
    struct story_subject subject;
    char by[STORY_NAME_BYTES];

    for (uint32_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        const struct story_piece *piece;

        tell(i < 2 ? "kfd_kernels" : "hip_streams");
        ck_assert_msg(story_find(&story, waits[i].name, &subject), "%s", waits[i].name);
        ck_assert(story_life(&story, subject, &life));
        piece = piece_of(&life, waits[i].rule);
        ck_assert_msg(piece != NULL, "%s", waits[i].name);
        ck_assert_str_eq(story_by_name(&story, piece, by), waits[i].by);
        ck_assert_int_eq(piece->signal != 0, waits[i].has_signal);
        tell_end();
    }
    story_life_fini(&life);
}
END_TEST

/* Copies of a recorded program, from their doorbells to their ends. */
/* PROMISE (analysis): Copies by SDMA are operations with stories. */
START_TEST(copies_of_sdma_have_stories)
{
    struct story_reasons reasons;
    struct story_life life = {0};
    gfe_ps moved_ps = 0;

    tell("hip_streams");
    for (uint32_t i = 0; i < story.operation_count; i++)
        life_check((struct story_subject){i, STORY_NONE}, &life);
    ck_assert(story_reasons_of(&story, name_of("Q1290/copy"), &reasons));
    ck_assert_uint_eq(reasons.operation_count, 2);
    ck_assert_uint_eq(reasons.byte_count, 131072);
    for (uint32_t i = 0; i < reasons.count; i++)
        moved_ps += reasons.reasons[i].what == STORY_COPYING ? reasons.reasons[i].ps : 0;
    ck_assert_uint_gt(moved_ps, 10 * GFE_PS_PER_US); /* 12 GB/s */
    ck_assert_uint_lt(moved_ps, 12 * GFE_PS_PER_US);
    story_life_fini(&life);
    tell_end();
}
END_TEST

/* Two queues of an engine, by hand: the second one's copy waits for the first one's, and for a
 * place on the engine before. */
START_TEST(queues_of_an_engine_wait_for_each_other)
{
    static const struct table_set *const sets[] = {&emu_tables,     &core_tables,     &amd_tables,
                                                   &amd_mec_tables, &amd_sdma_tables, &kfd_tables};
    static const char *const units[] = {"amd"};
    struct story_life life = {0};
    struct story_subject subject;
    struct log_fixture fixture;
    char *head = event_log_head_build(&(struct event_log_head){
             .units = units, .unit_count = 1, .sets = sets, .set_count = 6}),
         by[STORY_NAME_BYTES];
    struct gfe_error error = {0};

    log_fixture_begin_with(&fixture, head);
    free(head);
    LOG_ADD(&fixture, 10, EVENT_AMD_SDMA_LOAD, RULE_NONE, 0, 0, 1280, 8, 0, 4096, 0, 28);
    LOG_ADD(&fixture, 10, EVENT_AMD_SDMA_LOAD, RULE_NONE, 0, 1, 1281, 8, 0, 4096, 0, 0);
    LOG_ADD(&fixture, 20, EVENT_AMD_SDMA_LEAVE, RULE_NONE, 0, 1, 1281, 0);
    LOG_ADD(&fixture, 30, EVENT_COPY_QUEUE, RULE_NONE, 1, 1280, 0, 64, 0, 0, 0);
    LOG_ADD(&fixture, 30, EVENT_COPY_START, RULE_NONE, 1, 1280, 0, 64, 64, 1, 0);
    LOG_ADD(&fixture, 40, EVENT_HWS_SDMA_MAP, RULE_A_H2, 1, 1, 0, 1, 8, 20);
    LOG_ADD(&fixture, 40, EVENT_AMD_SDMA_LOAD, RULE_NONE, 0, 1, 1281, 8, 0, 4096, 0, 0);
    LOG_ADD(&fixture, 50, EVENT_AMD_SDMA_DOORBELL, RULE_A_Q1, 1281, 0, 1, 28);
    LOG_ADD(&fixture, 80, EVENT_COPY_END, RULE_NONE, 1, 1280, 0, 64, 1);
    LOG_ADD(&fixture, 80, EVENT_WAIT, RULE_AMD_SDMA_ENGINE, 55, SUBJECT_QUEUE, 1281, SUBJECT_NONE,
            0);
    LOG_ADD(&fixture, 85, EVENT_COPY_QUEUE, RULE_NONE, 2, 1281, 0, 128, 0, 0, 0);
    LOG_ADD(&fixture, 85, EVENT_COPY_START, RULE_NONE, 2, 1281, 0, 128, 128, 1, 0);
    LOG_ADD(&fixture, 99, EVENT_COPY_END, RULE_NONE, 2, 1281, 0, 128, 1);
    log_fixture_end(&fixture);
    run.log = event_log_open(fixture.path, &error);
    ck_assert_msg(run.log != NULL, "%s", error.text);
    load();
    ck_assert(story_find(&story, "Q1281/copy", &subject));
    life_check(subject, &life);
    ck_assert_uint_eq(life.count, 4);
    ck_assert_uint_eq(life.begin_ps, 50);
    ck_assert_int_eq(life.pieces[1].what, STORY_WAIT);
    ck_assert_uint_eq(life.pieces[1].begin_ps, 55);
    ck_assert_uint_eq(life.pieces[1].end_ps, 80);
    ck_assert_str_eq(story_by_name(&story, &life.pieces[1], by), "Q1280/copy");
    ck_assert_int_eq(life.pieces[3].what, STORY_COPYING);
    ck_assert_uint_eq(life.end_ps, 99);
    story_life_fini(&life);
    story_fini(&story);
    event_log_close(run.log);
    log_fixture_remove(&fixture);
}
END_TEST

/* ---- printing ---------------------------------------------------------------------------------
 */

static void golden_list(const char *file)
{
    struct gfe_error error = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    const struct story_print print = {.file = memory, .story = &story, .error = &error};

    ck_assert_ptr_nonnull(memory);
    ck_assert(story_text_list(&print));
    ck_assert_int_eq(fclose(memory), 0);
    /* Behind the file's own name, which is another each time. */
    golden_text_check(file, strchr(text, ' '), bytes - (size_t)(strchr(text, ' ') - text));
    free(text);
}

static void golden_story(const char *name, const char *file)
{
    struct gfe_error error = {0};
    struct story_subject subject;
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);
    const struct story_print print = {.file = memory, .story = &story, .error = &error};

    ck_assert(story_find(&story, name, &subject) && memory);
    ck_assert(story_text(&print, subject));
    ck_assert_int_eq(fclose(memory), 0);
    golden_text_check(file, text, bytes);
    free(text);
}

START_TEST(stories_are_printed)
{
    tell("hip_streams");
    golden_list("story_streams.txt");
    golden_story("Q1290/copy#2", "story_streams_copy.txt");
    tell_end();
}
END_TEST

Suite *explain_story_sdma_suite(void);

Suite *explain_story_sdma_suite(void)
{
    Suite *suite = suite_create("explain_story_sdma");
    TCase *tests = tcase_create("stories");

    tcase_add_test(tests, barriers_and_polls_say_for_whom);
    tcase_add_test(tests, copies_of_sdma_have_stories);
    tcase_add_test(tests, queues_of_an_engine_wait_for_each_other);
    tcase_add_test(tests, stories_are_printed);
    suite_add_tcase(suite, tests);
    return suite;
}
