/* SPDX-License-Identifier: MIT */
/* The graphics front end: constants, reports, launches, draws, and the way to the copy engine. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_machine.h"
#include "tests/suites.h"

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum { QMD = 0x10000, TARGET = 0x20000, SEMAPHORE = 0x30000 };
enum { INTR_0 = 0x2100, INTR_0_MMU_FAULT = 1 << 28, PREEMPT = 0x2634 };

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* Place of the n-th event of a kind in the log. */
static uint32_t place(uint32_t kind, uint32_t n)
{
    const struct log_event *event = check_machine_event(&check, kind, n);

    ck_assert_ptr_nonnull(event);
    return (uint32_t)(event - check.events);
}

/* Places of the loads of the graphics engine's context, which is engine 0; how many there are. */
static uint32_t gr_loads(uint32_t n, uint32_t *at)
{
    uint32_t count = 0;

    for (uint32_t i = 0; check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, i); i++)
        if (event_nv_context_load_of(check_machine_event(&check, EVENT_NV_CONTEXT_LOAD, i))
                    .engine_id == 0 &&
            count++ == n)
            *at = place(EVENT_NV_CONTEXT_LOAD, i);
    return count;
}

/* ---- constant buffers ------------------------------------------------------------------------ */

START_TEST(constant_buffers_are_written_word_by_word)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x2380, 4), 0x1000, 0, DATA(TARGET), 8,
                 PB_NON_INC(0, 0x2390, 3), 5, 6, 7);
    check_machine_run(&check);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + TARGET + 8 + 4 * i), 5 + i);
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).byte_count,
        12);
}
END_TEST

#define CONSTANTS                                                                                  \
    PB_INC(0, 0x2380, 4), 0x1000, 0, DATA(TARGET), 8, PB_NON_INC(0, 0x2390, 3), 5, 6, 7

START_TEST(constants_at_the_end_of_a_segment_are_logged_with_it)
{
    CHECK_SUBMIT(&check, 0, CONSTANTS);
    CHECK_SUBMIT(&check, 0, CONSTANTS);
    check_machine_run(&check);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = place(EVENT_NV_INLINE_WRITE, i);

        ck_assert_uint_eq(event_nv_inline_write_of(&check.events[at]).byte_count, 12);
        ck_assert_uint_eq(event_nv_inline_write_of(&check.events[at]).gp_sequence, i);
        ck_assert_uint_eq(at + 1, place(EVENT_NV_SEGMENT_END, i));
        ck_assert_uint_eq(check.events[at].time_ps, check.events[at + 1].time_ps);
    }
}
END_TEST

/* The first channel stops behind its constants: its segment has no end. */
START_TEST(constants_are_logged_before_another_context_comes)
{
    uint32_t second_load = 0;

    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, CONSTANTS, PB_IMMD(0, 0x04, 0));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_INLINE_WRITE), 0);
    machine_write32(check.machine, 0x800004, 0x800); /* CCSR: ENABLE_CLR */
    machine_write32(check.machine, PREEMPT, 0);
    machine_write32(check.machine, 0x40108, 1u << 21); /* PBDMA 0: INTR_0 METHOD */
    CHECK_SUBMIT(&check, 1, CONSTANTS);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_INLINE_WRITE), 2);
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).channel_id,
        0);
    ck_assert_uint_eq(
        event_nv_inline_write_of(check_machine_event(&check, EVENT_NV_INLINE_WRITE, 0)).byte_count,
        12);
    ck_assert_uint_ge(gr_loads(1, &second_load), 2);
    ck_assert_uint_lt(place(EVENT_NV_INLINE_WRITE, 0), second_load);
}
END_TEST

/* ---- reports --------------------------------------------------------------------------------- */

START_TEST(a_report_has_one_word_or_four)
{
    const struct log_event *event;

    check_machine_poke(&check, CHECK_DATA + 0x44, 0x55);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x1b00, 4), 0, DATA(0x40), 3, 1u << 28, PB_INC(1, 0x1b00, 4),
                 0, DATA(0x80), 4, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x40), 3);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x44), 0x55);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x80), 4);
    event = check_machine_event(&check, EVENT_NV_RELEASE, 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x88), event->time_ps / 1000);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_RELEASE, RULE_NV_REPORT), 2);
}
END_TEST

/* NV.REPORT, NV.DRAW, NV.WFI: the report waits for the draw in front of it, the WFI for both. */
START_TEST(reports_and_waits_for_idle_come_behind_the_work_in_front_of_them)
{
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x19d0, 1), PB_INC(0, 0x1b00, 4), 0,
                 DATA(0x40), 3, 1u << 28, PB_IMMD(0, 0x110, 0), PB_INC(0, 0x10, 4), 0, DATA(0x50),
                 1, 0x01100002);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WORK_START, RULE_NV_DRAW), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_DRAW), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_REPORT), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), 1);
    ck_assert_uint_ge(check_machine_event(&check, EVENT_NV_RELEASE, 0)->time_ps,
                      check_machine_event(&check, EVENT_WORK_END, 1)->time_ps);
    ck_assert_uint_eq(event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).value,
                      3);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_WORK_END, 1)->time_ps -
                          check_machine_event(&check, EVENT_WORK_START, 0)->time_ps,
                      2 * 5000000);
}
END_TEST

/* Each in its usual form and with a field that means more than the model does. */
static const struct {
    uint32_t class_id, method, plain[5], with_field[5];
} fields[] = {
    {0xa140, 0x1b0, {PB_IMMD(2, 0x1b0, 1)}, {PB_IMMD(2, 0x1b0, 1 | 3 << 4)}},
    {0xa140, 0x1b0, {PB_IMMD(2, 0x1b0, 1)}, {PB_IMMD(2, 0x1b0, 1 | 2 << 8)}},
    {0xc1b5, 0x300, {PB_IMMD(4, 0x300, 0)}, {PB_INC(4, 0x300, 1), 1 << 22}},
};

START_TEST(a_field_without_a_model_is_reported_each_time)
{
    const struct log_event *event;

    check_machine_submit(&check, 0, fields[_i].plain, 5);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_submit(&check, 0, fields[_i].with_field, 5);
    check_machine_submit(&check, 0, fields[_i].with_field, 5);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2);
    event = check_machine_event(&check, EVENT_UNMODELLED, 1);
    ck_assert_uint_eq(event_unmodelled_of(event).what, UNMODELLED_FIELD);
    ck_assert_uint_eq(event_unmodelled_of(event).address,
                      (uint64_t)fields[_i].class_id << 16 | fields[_i].method);
}
END_TEST

/* Who reads a log must know of the work before it hears what the work waited for. */
START_TEST(queued_work_starts_before_its_wait_is_told)
{
    const struct log_event *start;

    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x19d0, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_DRAW), 1);
    start = check_machine_event(&check, EVENT_WORK_START, 1);
    ck_assert_uint_eq(start[1].kind, EVENT_WAIT);
    ck_assert_uint_eq(start[1].rule, RULE_NV_DRAW);
    ck_assert_uint_eq(event_wait_of(&start[1]).subject_id, event_work_start_of(start).work_id);
}
END_TEST

/* DRAW_INLINE_INDEX, in two runs behind a BEGIN. */
START_TEST(inline_indices_behind_one_begin_are_one_draw)
{
    uint32_t dwords[104] = {PB_IMMD(0, 0x1618, 4), PB_NON_INC(0, 0x15e8, 50)};

    dwords[52] = PB_NON_INC(0, 0x15e8, 50);
    dwords[103] = PB_IMMD(0, 0x1614, 0); /* END */
    for (uint32_t begin = 1; begin <= 2; begin++) {
        check_machine_submit(&check, 0, dwords, 104);
        check_machine_run(&check);
        ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_START), begin);
    }
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 2);
}
END_TEST

/* NV.FE_FULL */
START_TEST(the_front_end_takes_no_more_work_than_its_tables_hold)
{
    uint32_t dwords[100];

    for (uint32_t i = 0; i < 100; i++)
        dwords[i] = PB_IMMD(0, 0x19d0, 1);
    check_machine_submit(&check, 0, dwords, 100);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_END), 100);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_FE_FULL), 1);
}
END_TEST

/* ---- launches -------------------------------------------------------------------------------- */

struct launch {
    uint32_t grid_x, threads, registers, shared_bytes, version;
};

/* V02_01: grid 415:384, block x 607:592, shared 561:544, registers 991:984, version 583:576. */
static void write_qmd(const struct launch *launch)
{
    const uint64_t at = CHECK_DATA + QMD;

    check_machine_poke(&check, at + 4 * 12, launch->grid_x);
    check_machine_poke(&check, at + 4 * 13, 1);
    check_machine_poke(&check, at + 4 * 14, 1);
    check_machine_poke(&check, at + 4 * 17, launch->shared_bytes);
    check_machine_poke(&check, at + 4 * 18, launch->threads << 16 | launch->version);
    check_machine_poke(&check, at + 4 * 19, 1 | 1u << 16);
    check_machine_poke(&check, at + 4 * 30, launch->registers << 24);
}

static void launch(struct launch launch)
{
    write_qmd(&launch);
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(1, 0x2bc, 3),
                 PB_IMMD(1, 0x110, 0));
    check_machine_run(&check);
}

/* T.R1, T.G3 and the default time of a block. */
START_TEST(a_launch_runs_its_blocks_for_their_default_time)
{
    const struct clock_domain sm = {.frequency_hz = 1506000000};
    const struct log_event *start, *end;

    launch((struct launch){7, 64, 8, 256, 0});
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_BLOCK_START, RULE_T_R1), 7);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_GRID_DISPATCHED, RULE_T_G3), 1);
    start = check_machine_event(&check, EVENT_BLOCK_START, 0);
    end = check_machine_event(&check, EVENT_BLOCK_END, 0);
    ck_assert_uint_eq(end->time_ps, clock_after_cycles(&sm, start->time_ps, 2000 + 2 * 100));
    for (uint32_t i = 0; i < 7; i++) {
        ck_assert_uint_eq(
            event_block_start_of(check_machine_event(&check, EVENT_BLOCK_START, i)).block_index, i);
        ck_assert_uint_eq(
            event_block_start_of(check_machine_event(&check, EVENT_BLOCK_START, i)).sm_index, i);
    }
    ck_assert_uint_eq(check_machine_event(&check, EVENT_GRID_END, 0)->time_ps,
                      check_machine_event(&check, EVENT_BLOCK_END, 6)->time_ps);
}
END_TEST

static const struct {
    struct launch launch;
    uint32_t rule; /* of the wait until the last block is placed */
} fillings[] = {
    {{330, 32, 8, 0, 0}, RULE_T_SLOT},
    {{30, 1024, 8, 0, 0}, RULE_T_R2},
    {{30, 64, 8, 40 << 10, 0}, RULE_T_R3},
    {{30, 256, 255, 0, 0}, RULE_T_REG},
};

START_TEST(a_block_waits_by_the_limit_that_binds)
{
    launch(fillings[_i].launch);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_END), fillings[_i].launch.grid_x);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, fillings[_i].rule), 1);
}
END_TEST

/* T.X1: the second grid would fit long before the first one's last block is placed. */
START_TEST(only_the_grid_at_the_head_gets_blocks)
{
    const struct log_event *first, *second;

    write_qmd(&(struct launch){30, 1024, 8, 0, 0});
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(1, 0x2bc, 3),
                 PB_IMMD(1, 0x2bc, 3), PB_IMMD(1, 0x110, 0));
    check_machine_run(&check);
    first = check_machine_event(&check, EVENT_GRID_DISPATCHED, 0);
    second = check_machine_event(&check, EVENT_GRID_START, 1);
    ck_assert_uint_ge(second->time_ps, first->time_ps);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_T_X1), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_END), 2);
}
END_TEST

START_TEST(a_grid_of_no_blocks_is_complete_at_once)
{
    launch((struct launch){0, 64, 8, 0, 0});
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_END), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_START), 0);
}
END_TEST

static const struct {
    struct launch launch;
    uint32_t code;
} wrong_launches[] = {
    {{1, 64, 8, 0, 0x99}, NV_FE_ERROR_QMD_VERSION},
    {{1, 0, 8, 0, 0}, NV_FE_ERROR_QMD_LIMITS},
    {{1, 1025, 8, 0, 0}, NV_FE_ERROR_QMD_LIMITS},
    {{1, 64, 8, 49153, 0}, NV_FE_ERROR_QMD_LIMITS},
};

START_TEST(a_launch_that_cannot_be_stops_its_channel)
{
    launch(wrong_launches[_i].launch);
    ck_assert_uint_eq(
        event_nv_engine_error_of(check_machine_event(&check, EVENT_NV_ENGINE_ERROR, 0)).code,
        wrong_launches[_i].code);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_QUEUE), 0);
}
END_TEST

START_TEST(a_grid_or_a_copy_beyond_all_patience_stops_the_run_with_a_message)
{
    if (_i == 0) {
        write_qmd(&(struct launch){UINT32_MAX, 64, 8, 0, 0});
        CHECK_SUBMIT(&check, 0, PB_INC(1, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(1, 0x2bc, 3));
    } else {
        /* Too many bytes; then few, but each a piece of its own. */
        CHECK_SUBMIT(&check, 0, PB_INC(4, 0x418, 2), _i == 1 ? UINT32_MAX : 1,
                     _i == 1 ? UINT32_MAX : (1 << 25) + 1, PB_IMMD(4, 0x300, 0x382));
    }
    while (machine_step(check.machine))
        continue;
    ck_assert_int_eq(check.machine->error.kind, ERROR_LIMIT);
    ck_assert_ptr_nonnull(strstr(check.machine->error.text, "core.largest_"));
}
END_TEST

/* ---- copies ---------------------------------------------------------------------------------- */

enum { PITCH_TO_PITCH = 0x382 };

#define COPY(from, to, pitch_from, pitch_to, bytes, lines)                                         \
    PB_INC(4, 0x400, 8), 0, DATA(from), 0, DATA(to), (pitch_from), (pitch_to), (bytes), (lines)

/* NV.SUBCH, NV.SUBCHANNEL */
START_TEST(switching_to_the_copy_engine_waits_for_the_front_end)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0, 1), 0xc197, PB_IMMD(0, 0x19d0, 1),
                 COPY(0, TARGET, 32, 64, 20, 1), PB_IMMD(4, 0x300, PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_SUBCH), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_SET_OBJECT, RULE_NV_SUBCHANNEL), 1);
    ck_assert_uint_ge(check_machine_event(&check, EVENT_COPY_QUEUE, 0)->time_ps,
                      check_machine_event(&check, EVENT_WORK_END, 0)->time_ps);
}
END_TEST

/* ---- contexts -------------------------------------------------------------------------------- */

START_TEST(class_state_follows_its_channel)
{
    uint32_t last_load;

    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x188, 1), 11);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, PB_INC(1, 0x188, 1), 22);
    check_machine_run(&check);
    ck_assert_uint_eq(nv_fe_shadow(&check.gpu->fe, 1, 0x188), 22);
    CHECK_SUBMIT(&check, 0, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(nv_fe_shadow(&check.gpu->fe, 1, 0x188), 11);
    ck_assert_uint_eq(gr_loads(2, &last_load), 3);
}
END_TEST

static void add_work(Suite *suite)
{
    TCase *tcase = tcase_create("work");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_launch_runs_its_blocks_for_their_default_time);
    tcase_add_loop_test(tcase, a_block_waits_by_the_limit_that_binds, 0, 4);
    tcase_add_test(tcase, only_the_grid_at_the_head_gets_blocks);
    tcase_add_test(tcase, a_grid_of_no_blocks_is_complete_at_once);
    tcase_add_loop_test(tcase, a_launch_that_cannot_be_stops_its_channel, 0, 4);
    tcase_add_loop_test(tcase, a_grid_or_a_copy_beyond_all_patience_stops_the_run_with_a_message, 0,
                        3);
    tcase_add_test(tcase, switching_to_the_copy_engine_waits_for_the_front_end);
    tcase_add_test(tcase, class_state_follows_its_channel);
    suite_add_tcase(suite, tcase);
}

Suite *nv_fe_suite(void)
{
    Suite *suite = suite_create("nv_fe");
    TCase *memory = tcase_create("memory");

    tcase_add_checked_fixture(memory, setup, teardown);
    tcase_add_test(memory, constant_buffers_are_written_word_by_word);
    tcase_add_test(memory, constants_at_the_end_of_a_segment_are_logged_with_it);
    tcase_add_test(memory, constants_are_logged_before_another_context_comes);
    tcase_add_loop_test(memory, a_field_without_a_model_is_reported_each_time, 0,
                        sizeof fields / sizeof fields[0]);
    tcase_add_test(memory, queued_work_starts_before_its_wait_is_told);
    tcase_add_test(memory, inline_indices_behind_one_begin_are_one_draw);
    tcase_add_test(memory, a_report_has_one_word_or_four);
    tcase_add_test(memory, reports_and_waits_for_idle_come_behind_the_work_in_front_of_them);
    tcase_add_test(memory, the_front_end_takes_no_more_work_than_its_tables_hold);
    suite_add_tcase(suite, memory);
    add_work(suite);
    return suite;
}
