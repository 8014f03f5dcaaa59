/* SPDX-License-Identifier: MIT */
/* What the model of a log keeps, and the records that come of it. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/analysis/model/model.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

static struct log_fixture fixture;

/* A record, and its operation as it was then. */
struct kept {
    struct model_record record;
    struct model_live live;
    bool has_live;
};

enum { KEPT_MAX = 64 };
static struct kept kept[KEPT_MAX];
static uint32_t kept_count;

static bool keep(void *context, const struct model_record *record)
{
    (void)context;
    ck_assert_uint_lt(kept_count, KEPT_MAX);
    kept[kept_count].record = *record;
    kept[kept_count].has_live = record->live != NULL;
    if (record->live)
        kept[kept_count].live = *record->live;
    kept_count++;
    return true;
}

/* Folds the fixture's log, and removes it.  Returns the number of operations that have not ended.
 */
static uint32_t fold(void)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct model model = {0};
    uint32_t open;

    log_fixture_end(&fixture);
    kept_count = 0;
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log && model_init(&model, log, keep, NULL, &error), "%s", error.text);
    ck_assert_msg(model_read(&model, log, &error), "%s", error.text);
    open = model.lives.live_end - model.lives.free_count;
    model_fini(&model);
    event_log_close(log);
    log_fixture_remove(&fixture);
    return open;
}

/* The n-th record of that type, from 0. */
static const struct kept *nth(enum model_type type, uint32_t n)
{
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].record.type == type && n-- == 0)
            return &kept[i];
    ck_abort_msg("there is no such record of type %d", (int)type);
}

static uint32_t count_of(enum model_type type)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < kept_count; i++)
        count += kept[i].record.type == type;
    return count;
}

static void queue_grid(uint64_t time_ps, uint64_t grid_id, uint64_t channel_id)
{
    LOG_ADD(&fixture, time_ps, EVENT_GRID_QUEUE, RULE_NONE, grid_id, channel_id, 8, 96, 0, 16, 0,
            3);
}

/* ---- operations ------------------------------------------------------------------------------ */

START_TEST(records_have_their_operation)
{
    log_fixture_begin(&fixture);
    queue_grid(10, 70, 2);
    queue_grid(11, 71, 2);
    LOG_ADD(&fixture, 20, EVENT_GRID_START, RULE_NONE, 71, 2);
    LOG_ADD(&fixture, 30, EVENT_GRID_DISPATCHED, RULE_NONE, 71, 2);
    LOG_ADD(&fixture, 40, EVENT_GRID_END, RULE_NONE, 71, 2, 0, 0);
    LOG_ADD(&fixture, 50, EVENT_WORK_START, RULE_NONE, 71, 5, 0, 0xc597, 0x1234, 9);
    ck_assert_uint_eq(fold(), 2);
    const struct kept *handed = nth(MODEL_GRID_HANDED, 1), *started = nth(MODEL_STARTED, 0),
                      *ended = nth(MODEL_ENDED, 0), *work = nth(MODEL_WORK_BEGUN, 0);

    ck_assert(handed->has_live && started->has_live && ended->has_live && work->has_live);
    ck_assert_uint_eq(handed->live.number, 2);
    ck_assert_uint_eq(handed->live.channel_id, 2);
    ck_assert_uint_eq(handed->live.grid.block_threads, 96);
    ck_assert_uint_eq(handed->live.gp_sequence, handed->record.grid.gp_sequence);
    ck_assert_uint_eq(handed->live.start_ps, GFE_PS_NEVER);
    ck_assert_uint_eq(started->live.handed_ps, 11);
    ck_assert_uint_eq(started->live.start_ps, 20);
    ck_assert_uint_eq(ended->live.piece_ps, 20);
    ck_assert_uint_eq(ended->live.dispatched_ps, 30);
    ck_assert_uint_eq(work->live.number, 1);
    ck_assert_uint_eq(work->live.start_ps, 50);
}
END_TEST

START_TEST(a_suspended_operation_has_no_engine)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1, EVENT_COPY_QUEUE, RULE_NONE, 4, 7, 2, 4096, 0, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_COPY_START, RULE_NONE, 4, 7, 2, 4096);
    LOG_ADD(&fixture, 3, EVENT_COPY_SUSPEND, RULE_NONE, 4, 7, 2, 64);
    LOG_ADD(&fixture, 5, EVENT_COPY_RESUME, RULE_NONE, 4, 7, 2, 64);
    LOG_ADD(&fixture, 8, EVENT_COPY_SUSPEND, RULE_NONE, 4, 7, 2, 32);
    LOG_ADD(&fixture, 9, EVENT_COPY_DROP, RULE_NONE, 4, 7, 2);
    ck_assert_uint_eq(fold(), 0);
    ck_assert_uint_eq(nth(MODEL_SUSPENDED, 0)->live.piece_ps, 2); /* what ends now */
    ck_assert_uint_eq(nth(MODEL_RESUMED, 0)->live.piece_ps, 5);
    ck_assert_uint_eq(nth(MODEL_DROPPED, 0)->live.piece_ps, GFE_PS_NEVER);
    ck_assert_uint_eq(nth(MODEL_DROPPED, 0)->live.start_ps, 2);
}
END_TEST

START_TEST(what_the_log_says_twice_is_marked)
{
    log_fixture_begin(&fixture);
    queue_grid(1, 7, 2);
    LOG_ADD(&fixture, 2, EVENT_GRID_START, RULE_NONE, 7, 2);
    LOG_ADD(&fixture, 3, EVENT_GRID_START, RULE_NONE, 7, 2);
    LOG_ADD(&fixture, 4, EVENT_GRID_RESUME, RULE_NONE, 7, 2, 3, UINT64_MAX);
    LOG_ADD(&fixture, 5, EVENT_GRID_SUSPEND, RULE_NONE, 7, 2, 0);
    LOG_ADD(&fixture, 6, EVENT_GRID_SUSPEND, RULE_NONE, 7, 2, 0);
    queue_grid(7, 7, 2);
    LOG_ADD(&fixture, 8, EVENT_GRID_SUSPEND, RULE_NONE, 7, 2, 0);
    ck_assert_uint_eq(fold(), 1);
    ck_assert(!nth(MODEL_STARTED, 0)->record.again);
    ck_assert(nth(MODEL_STARTED, 1)->record.again);
    ck_assert(nth(MODEL_RESUMED, 0)->record.again);
    ck_assert(!nth(MODEL_SUSPENDED, 0)->record.again);
    ck_assert(nth(MODEL_SUSPENDED, 1)->record.again);
    ck_assert(!nth(MODEL_GRID_HANDED, 0)->record.again);
    ck_assert(nth(MODEL_GRID_HANDED, 1)->record.again);
    ck_assert_uint_eq(nth(MODEL_SUSPENDED, 2)->live.number, 2); /* the new one */
    ck_assert(nth(MODEL_SUSPENDED, 2)->record.again);           /* which has not started */
}
END_TEST

/* The log says which unit had the fault, and nothing of the copy that ran there. */
START_TEST(a_fault_ends_the_copy_of_its_unit)
{
    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1, EVENT_COPY_QUEUE, RULE_NONE, 4, 7, 2, 4096, 0, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_COPY_START, RULE_NONE, 4, 7, 2, 4096);
    LOG_ADD(&fixture, 6, EVENT_NV_MMU_FAULT, RULE_NONE, 7, 0x1000, 1, 0, 0);
    LOG_ADD(&fixture, 7, EVENT_COPY_QUEUE, RULE_NONE, 5, 7, 2, 4096, 0, 0, 0);
    LOG_ADD(&fixture, 8, EVENT_COPY_START, RULE_NONE, 5, 7, 2, 4096);
    LOG_ADD(&fixture, 9, EVENT_COPY_END, RULE_NONE, 5, 7, 2, 4096, 0);
    LOG_ADD(&fixture, 10, EVENT_NV_MMU_FAULT, RULE_NONE, 7, 0x1000, 1, 0, 0);
    LOG_ADD(&fixture, 11, EVENT_COPY_START, RULE_NONE, 6, 7, 3, 4096); /* from before the log */
    LOG_ADD(&fixture, 12, EVENT_NV_MMU_FAULT, RULE_NONE, 7, 0x1000, 1, 0, 0);
    ck_assert_uint_eq(fold(), 0);
    const struct kept *lost = nth(MODEL_COPY_LOST, 0), *older = nth(MODEL_COPY_LOST, 1);

    ck_assert_uint_eq(count_of(MODEL_COPY_LOST), 2);
    ck_assert_uint_eq(count_of(MODEL_MMU_FAULT), 3);
    ck_assert_uint_eq(lost->record.done.id, 4);
    ck_assert_uint_eq(lost->record.done.engine_id, 2);
    ck_assert_uint_eq(lost->record.now_ps, 6);
    ck_assert_uint_eq(lost->live.piece_ps, 2);
    ck_assert_uint_eq(older->record.done.id, 6);
    ck_assert_uint_eq(older->record.done.engine_id, 3);
    ck_assert(!older->has_live);
}
END_TEST

/* ---- blocks ---------------------------------------------------------------------------------- */

static void expect_block(const struct kept *block, uint64_t index, uint64_t sm, uint32_t place,
                         gfe_ps since_ps)
{
    ck_assert_uint_eq(block->record.block.index, index);
    ck_assert_uint_eq(block->record.block.sm, sm);
    ck_assert_uint_eq(block->record.sm_place, place);
    ck_assert_uint_eq(block->record.since_ps, since_ps);
}

START_TEST(a_block_has_a_place_from_its_start_to_its_end)
{
    log_fixture_begin(&fixture);
    queue_grid(1, 7, 2);
    LOG_ADD(&fixture, 2, EVENT_BLOCK_START, RULE_NONE, 7, 0, 3, 1);
    LOG_ADD(&fixture, 3, EVENT_BLOCK_START, RULE_NONE, 7, 1, 3, 1);          /* that is taken */
    LOG_ADD(&fixture, 4, EVENT_BLOCK_START, RULE_NONE, 7, 2, 3, UINT64_MAX); /* no such slot */
    LOG_ADD(&fixture, 5, EVENT_BLOCK_START, RULE_NONE, 7, 3, UINT64_MAX, 0); /* no such SM */
    LOG_ADD(&fixture, 6, EVENT_BLOCK_END, RULE_NONE, 7, 1, 3, 1);
    LOG_ADD(&fixture, 7, EVENT_BLOCK_END, RULE_NONE, 7, 0, 3, 1);
    LOG_ADD(&fixture, 8, EVENT_BLOCK_END, RULE_NONE, 7, 0, 3, 1);   /* it has ended */
    LOG_ADD(&fixture, 9, EVENT_BLOCK_START, RULE_NONE, 8, 0, 3, 1); /* its grid is older */
    fold();
    expect_block(nth(MODEL_BLOCK_BEGUN, 0), 0, 3, 1, 2);
    expect_block(nth(MODEL_BLOCK_BEGUN, 1), 1, 3, 0, 3);
    expect_block(nth(MODEL_BLOCK_BEGUN, 2), 2, 3, 2, 4);
    expect_block(nth(MODEL_BLOCK_BEGUN, 3), 3, UINT64_MAX, MODEL_NO_PLACE, GFE_PS_NEVER);
    expect_block(nth(MODEL_BLOCK_DONE, 0), 1, 3, 0, 3);
    expect_block(nth(MODEL_BLOCK_DONE, 1), 0, 3, 1, 2);
    expect_block(nth(MODEL_BLOCK_DONE, 2), 0, 3, MODEL_NO_PLACE, GFE_PS_NEVER);
    ck_assert_uint_eq(nth(MODEL_BLOCK_BEGUN, 3)->live.begun_count, 4);
    ck_assert(!nth(MODEL_BLOCK_BEGUN, 4)->has_live);
}
END_TEST

/* PROMISE (analysis): A block that leaves its SM with its grid's context gets a record, and another
 * when it is back, although the log has no event for either. */
START_TEST(blocks_leave_with_their_grid_and_come_back)
{
    log_fixture_begin(&fixture);
    for (uint64_t grid = 7; grid <= 8; grid++) {
        queue_grid(1, grid, 2);
        LOG_ADD(&fixture, 1, EVENT_GRID_START, RULE_NONE, grid, 2);
    }
    LOG_ADD(&fixture, 2, EVENT_BLOCK_START, RULE_NONE, 7, 0, 1, 0);
    LOG_ADD(&fixture, 3, EVENT_BLOCK_START, RULE_NONE, 7, 1, 0, 4);
    LOG_ADD(&fixture, 3, EVENT_BLOCK_START, RULE_NONE, 8, 0, 0, 0);
    LOG_ADD(&fixture, 4, EVENT_BLOCK_START, RULE_NONE, 7, 2, 0, 1);
    LOG_ADD(&fixture, 5, EVENT_BLOCK_END, RULE_NONE, 7, 2, 0, 1);
    LOG_ADD(&fixture, 6, EVENT_GRID_SUSPEND, RULE_T_P1, 7, 2, 2);
    LOG_ADD(&fixture, 7, EVENT_BLOCK_START, RULE_NONE, 8, 1, 0, 4); /* where one was */
    LOG_ADD(&fixture, 9, EVENT_GRID_RESUME, RULE_T_P1, 7, 2, 6, UINT64_MAX);
    LOG_ADD(&fixture, 10, EVENT_BLOCK_END, RULE_NONE, 7, 1, 0, 4);
    fold();
    ck_assert_uint_eq(count_of(MODEL_BLOCK_OFF), 2);
    ck_assert_uint_eq(count_of(MODEL_BLOCK_BACK), 2);
    expect_block(nth(MODEL_BLOCK_OFF, 0), 1, 0, 4, 3);
    expect_block(nth(MODEL_BLOCK_OFF, 1), 0, 1, 0, 2);
    ck_assert_uint_eq(nth(MODEL_BLOCK_OFF, 0)->record.rule, RULE_T_P1);
    ck_assert_uint_eq(nth(MODEL_BLOCK_OFF, 0)->record.event_number, 9);
    expect_block(nth(MODEL_BLOCK_BACK, 0), 1, 0, 1, 9); /* the first that is free */
    expect_block(nth(MODEL_BLOCK_BACK, 1), 0, 1, 0, 9);
    expect_block(nth(MODEL_BLOCK_DONE, 1), 1, 0, 1, 9);
}
END_TEST

START_TEST(blocks_of_a_grid_that_ends_leave_with_it)
{
    log_fixture_begin(&fixture);
    queue_grid(1, 7, 2);
    LOG_ADD(&fixture, 1, EVENT_GRID_START, RULE_NONE, 7, 2);
    LOG_ADD(&fixture, 2, EVENT_BLOCK_START, RULE_NONE, 7, 0, 1, 0);
    LOG_ADD(&fixture, 3, EVENT_GRID_SUSPEND, RULE_T_P1, 7, 2, 1);
    LOG_ADD(&fixture, 4, EVENT_GRID_DROP, RULE_NONE, 7, 2); /* its block is off */
    queue_grid(5, 7, 2);
    LOG_ADD(&fixture, 5, EVENT_GRID_START, RULE_NONE, 7, 2);
    LOG_ADD(&fixture, 6, EVENT_GRID_RESUME, RULE_T_P1, 7, 2, 6, UINT64_MAX);
    LOG_ADD(&fixture, 7, EVENT_BLOCK_START, RULE_NONE, 7, 0, 1, 0);
    LOG_ADD(&fixture, 8, EVENT_GRID_DROP, RULE_NONE, 7, 2); /* its block is on */
    LOG_ADD(&fixture, 9, EVENT_BLOCK_END, RULE_NONE, 7, 0, 1, 0);
    ck_assert_uint_eq(fold(), 0);
    ck_assert_uint_eq(count_of(MODEL_BLOCK_BACK), 0);
    ck_assert_uint_eq(count_of(MODEL_BLOCK_OFF), 2);
    expect_block(nth(MODEL_BLOCK_OFF, 1), 0, 1, 0, 7);
    ck_assert_uint_eq(nth(MODEL_BLOCK_OFF, 1)->record.now_ps, 8);
    expect_block(nth(MODEL_BLOCK_DONE, 0), 0, 1, MODEL_NO_PLACE, GFE_PS_NEVER);
}
END_TEST

START_TEST(blocks_that_are_not_followed_have_no_place)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct model model = {0};

    log_fixture_begin(&fixture);
    queue_grid(1, 7, 2);
    LOG_ADD(&fixture, 1, EVENT_GRID_START, RULE_NONE, 7, 2);
    LOG_ADD(&fixture, 2, EVENT_BLOCK_START, RULE_NONE, 7, 0, 1, 0);
    LOG_ADD(&fixture, 3, EVENT_GRID_SUSPEND, RULE_T_P1, 7, 2, 1);
    log_fixture_end(&fixture);
    kept_count = 0;
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log && model_init(&model, log, keep, NULL, &error), "%s", error.text);
    model_skip_blocks(&model);
    ck_assert_msg(model_read(&model, log, &error), "%s", error.text);
    ck_assert_uint_eq(kept_count, 4);
    expect_block(nth(MODEL_BLOCK_BEGUN, 0), 0, 1, MODEL_NO_PLACE, GFE_PS_NEVER);
    ck_assert_uint_eq(nth(MODEL_SUSPENDED, 0)->live.piece_ps, 1);
    model_fini(&model);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *model_fold_suite(void)
{
    Suite *suite = suite_create("model_fold");
    TCase *operations = tcase_create("operations"), *blocks = tcase_create("blocks");

    tcase_add_test(operations, records_have_their_operation);
    tcase_add_test(operations, a_suspended_operation_has_no_engine);
    tcase_add_test(operations, what_the_log_says_twice_is_marked);
    tcase_add_test(operations, a_fault_ends_the_copy_of_its_unit);
    suite_add_tcase(suite, operations);
    tcase_add_test(blocks, a_block_has_a_place_from_its_start_to_its_end);
    tcase_add_test(blocks, blocks_leave_with_their_grid_and_come_back);
    tcase_add_test(blocks, blocks_of_a_grid_that_ends_leave_with_it);
    tcase_add_test(blocks, blocks_that_are_not_followed_have_no_place);
    suite_add_tcase(suite, blocks);
    return suite;
}
