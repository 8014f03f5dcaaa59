/* SPDX-License-Identifier: MIT */
/* Jobs of the nouveau model: EXEC, VM_BIND and the synchronisation objects between them. */
/* PROMISE (drivers): Jobs of nouveau run in the order of their channel, with credits, waits and
 * signals. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/nouveau_client.h"
#include "tests/suites.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

START_TEST(an_exec_returns_at_once_and_its_job_writes_entries_and_fence)
{
    exec(7, DWORDS(RELEASE_AT(DATA_VA + 16, 41)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_eq(word_at(DATA_VA + 16), 41);
    ck_assert_uint_lt(
        time_of(EVENT_CPU_SUBMIT_RETURN, EVENT_PLACE(cpu_submit_return, submission_id), 1),
        entry_of(1));
    ck_assert_uint_lt(entry_of(1), done_of(1));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_FENCE, RULE_NOUVEAU_FENCE), 1);
    ck_assert_uint_ge(
        event_driver_fence_of(check_simulation_event(&run, EVENT_DRIVER_FENCE, 0)).address,
        KERNEL_VA);
    all_fences_reached();
}
END_TEST

START_TEST(an_exec_without_pushes_is_its_fence)
{
    exec(7, NOTHING, NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_GP_ENTRY, CHECK_ANY_RULE), 1);
    ck_assert_uint_ne(done_of(1), GFE_PS_NEVER);
    all_fences_reached();
}
END_TEST

/* NOUVEAU.SYNC */
START_TEST(a_job_waits_for_the_point_of_a_timeline_that_another_channels_job_signals)
{
    const struct log_event *wait;

    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA + 4, 2)), SYNCS(POINT(1, 5)), NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    wait = wait_of(RULE_NOUVEAU_SYNC, 2);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).subject_kind, SUBJECT_SUBMISSION);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_SUBMISSION);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, 1);
    ck_assert_uint_eq(wait->time_ps, done_of(1));
    all_fences_reached();
}
END_TEST

START_TEST(without_the_wait_list_the_other_channel_does_not_wait)
{
    exec(7, DWORDS(DRAW, RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA + 4, 2)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_lt(entry_of(2), done_of(1));
    ck_assert_ptr_null(wait_of(RULE_NOUVEAU_SYNC, 2));
}
END_TEST

/* A chain is signalled when all of it is: point 9 is, only with 5. */
START_TEST(a_later_point_of_a_timeline_holds_the_earlier_ones)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(2)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(2)), SYNCS(POINT(1, 5)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 9)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(POINT(1, 9)), NOTHING);
    sync_wait(0, SYNCS(POINT(1, 9)));
    run_with(NULL);
    ck_assert_uint_lt(done_of(3), done_of(2));
    ck_assert_uint_ge(entry_of(4), done_of(2));
    ck_assert_uint_ge(time_of(EVENT_CPU_WAIT_END, EVENT_PLACE(cpu_wait_end, thread_index), 0),
                      done_of(2));
}
END_TEST

START_TEST(an_earlier_point_does_not_hold_the_later_ones)
{
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(1, 5)));
    exec(7, DWORDS(DRAW, DRAW, DRAW), NOTHING, SYNCS(POINT(1, 9)));
    sync_wait(0, SYNCS(POINT(1, 5)));
    run_with(NULL);
    ck_assert_uint_lt(done_of(1), done_of(2));
    ck_assert_uint_lt(time_of(EVENT_CPU_WAIT_END, EVENT_PLACE(cpu_wait_end, thread_index), 0),
                      done_of(2));
}
END_TEST

/* NOUVEAU.QUEUE */
START_TEST(jobs_of_a_channel_run_in_their_order)
{
    const struct log_event *wait;

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(1)), NOTHING);
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 2)), NOTHING, NOTHING); /* it could run, but for that one */
    run_with(NULL);
    ck_assert_uint_gt(entry_of(3), entry_of(2));
    wait = wait_of(RULE_NOUVEAU_QUEUE, 3);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, 2);
    ck_assert_uint_eq(word_at(DATA_VA), 2);
    all_fences_reached();
}
END_TEST

/* NOUVEAU.CREDITS */
START_TEST(unfinished_jobs_take_no_more_entries_than_the_ring_has)
{
    const struct simulation_setting settings[] = {{"nouveau.ring_entries", "4"}};
    const struct simulation_options options = {.parameters = settings, .parameter_count = 1};
    const struct log_event *wait;

    exec(7, DWORDS(DRAW), NOTHING, NOTHING); /* two credits of three */
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(&options);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    wait = wait_of(RULE_NOUVEAU_CREDITS, 2);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, 1);
    all_fences_reached();
}
END_TEST

/* NOUVEAU.CREDITS: three jobs on the GPU have six credits of seven, and the oldest gives its two
 * back first. */
START_TEST(a_job_without_credits_waits_for_the_oldest_on_the_gpu)
{
    const struct simulation_setting settings[] = {{"nouveau.ring_entries", "8"}};
    const struct simulation_options options = {.parameters = settings, .parameter_count = 1};
    const struct log_event *wait;

    for (uint32_t i = 0; i < 4; i++)
        exec(7, DWORDS(DRAW), NOTHING, NOTHING);
    run_with(&options);
    ck_assert_uint_lt(entry_of(3), done_of(1)); /* three are there */
    ck_assert_uint_ge(entry_of(4), done_of(1));
    ck_assert_uint_lt(entry_of(4), done_of(2));
    wait = wait_of(RULE_NOUVEAU_CREDITS, 4);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, 1);
    all_fences_reached();
}
END_TEST

/* ---- the program ----------------------------------------------------------------------------- */

START_TEST(a_wait_of_the_program_lasts_until_the_job_is_done)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(time_of(EVENT_CPU_SUBMIT, EVENT_PLACE(cpu_submit, submission_id), 2),
                      done_of(1));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_PROGRAM), 1);
    ck_assert_uint_eq(
        event_run_end_of(check_simulation_event(&run, EVENT_RUN_END, 0)).recorded_wait_count, 1);
}
END_TEST

START_TEST(an_open_loop_does_not_wait)
{
    const struct simulation_options options = {.open_loop = true};

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, NOTHING);
    run_with(&options);
    ck_assert_uint_lt(time_of(EVENT_CPU_SUBMIT, EVENT_PLACE(cpu_submit, submission_id), 2),
                      done_of(1));
}
END_TEST

START_TEST(a_wait_for_any_ends_with_the_first_and_one_for_all_with_the_last)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(2)));
    exec(8, DWORDS(DRAW), SYNCS(BINARY(2)), SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1), BINARY(2)));
    sync_wait(TRACE_SYNCOBJ_ALL, SYNCS(BINARY(1), BINARY(2)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_END, CHECK_ANY_RULE), 2);
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_WAIT_END, 0)->time_ps, done_of(1));
    ck_assert_uint_lt(check_simulation_event(&run, EVENT_CPU_WAIT_END, 0)->time_ps, done_of(2));
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_WAIT_END, 1)->time_ps, done_of(2));
}
END_TEST

/* GFE.SUBMITTED: thread 2 is early, because thread 1 waits for a GPU that the recorder had not. */
START_TEST(a_call_comes_when_another_thread_has_submitted_what_it_waits_for)
{
    exec(7, DWORDS(DRAW, DRAW), NOTHING, SYNCS(BINARY(1)));
    sync_wait(0, SYNCS(BINARY(1)));
    exec(7, DWORDS(RELEASE_AT(DATA_VA, 1)), NOTHING, SYNCS(POINT(2, 3)));
    trace.thread_id = THREADS;
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 2)), SYNCS(POINT(2, 3)), NOTHING);
    run_with(NULL);
    ck_assert_uint_gt(time_of(EVENT_CPU_SUBMIT, EVENT_PLACE(cpu_submit, submission_id), 3),
                      time_of(EVENT_CPU_SUBMIT, EVENT_PLACE(cpu_submit, submission_id), 2));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_SUBMITTED), 1);
    ck_assert_uint_eq(word_at(DATA_VA), 2);
    all_fences_reached();
}
END_TEST

START_TEST(a_signal_of_the_cpu_replaces_what_an_object_waits_for)
{
    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    syncobj(TRACE_SYNCOBJ_SIGNAL, 1);
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_BEGIN, CHECK_ANY_RULE), 0);
}
END_TEST

START_TEST(a_transfer_and_a_file_keep_what_was_waited_for_then)
{
    const struct trace_record file = {
        .head.kind = TRACE_SYNCOBJ,
        .syncobj = {.what = TRACE_SYNCOBJ_FILE, .syncobj_id = 9, .from_id = 1}};
    const struct trace_record transfer = {
        .head.kind = TRACE_SYNCOBJ,
        .syncobj = {.what = TRACE_SYNCOBJ_TRANSFER, .syncobj_id = 2, .point = 4, .from_id = 9}};

    exec(7, DWORDS(DRAW), NOTHING, SYNCS(BINARY(1)));
    check_trace_put(&trace, file);
    syncobj(TRACE_SYNCOBJ_RESET, 1);
    syncobj(TRACE_SYNCOBJ_DESTROY, 1);
    check_trace_put(&trace, transfer);
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(POINT(2, 4)), NOTHING);
    run_with(NULL);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    all_fences_reached();
}
END_TEST

/* ---- what the GPU does not do ---------------------------------------------------------------- */

/* NVK selects the buffer in a macro, and macros are not run: where the word goes is not known. */
START_TEST(a_constant_without_a_selected_buffer_is_reported_not_a_fault)
{
    exec(7, DWORDS(PB_INC(0, 0, 1), 0xc197, PB_INC(0, 0x2390, 1), 5, RELEASE_AT(DATA_VA, 1)),
         NOTHING, NOTHING);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_UNMODELLED, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(event_unmodelled_of(check_simulation_event(&run, EVENT_UNMODELLED, 0)).value,
                      0);
    all_fences_reached();
}
END_TEST

/* The GPU errs: what waits for the job is told at the end, and the run ends. */
START_TEST(a_job_that_never_ends_leaves_open_waits)
{
    exec(7, DWORDS(RELEASE_AT(0x70000000, 1)), NOTHING, SYNCS(BINARY(1))); /* bound nowhere */
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(1)), NOTHING);
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_NOUVEAU_SYNC), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_GFE_PROGRAM), 1);
}
END_TEST

/* With recovery its channel is killed, and with that the job is done: who waits for it goes on. */
START_TEST(a_job_of_a_channel_that_is_killed_is_done)
{
    const struct simulation_setting recovery = {"nouveau.recovery", "on"};
    const struct simulation_options options = {.choices = &recovery, .choice_count = 1};

    exec(7, DWORDS(RELEASE_AT(0x70000000, 1)), NOTHING, SYNCS(BINARY(1))); /* bound nowhere */
    exec(8, DWORDS(RELEASE_AT(DATA_VA, 1)), SYNCS(BINARY(1)), NOTHING);
    sync_wait(0, SYNCS(BINARY(1)));
    run_with(&options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_KILL, RULE_NOUVEAU_RC), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, CHECK_ANY_RULE), 0);
    ck_assert_uint_ge(entry_of(2), done_of(1));
    ck_assert_uint_ne(done_of(2), GFE_PS_NEVER);
}
END_TEST

Suite *nouveau_job_suite(void)
{
    Suite *suite = suite_create("nouveau_job");
    TCase *cases = tcase_create("jobs");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, an_exec_returns_at_once_and_its_job_writes_entries_and_fence);
    tcase_add_test(cases, an_exec_without_pushes_is_its_fence);
    tcase_add_test(cases,
                   a_job_waits_for_the_point_of_a_timeline_that_another_channels_job_signals);
    tcase_add_test(cases, without_the_wait_list_the_other_channel_does_not_wait);
    tcase_add_test(cases, a_later_point_of_a_timeline_holds_the_earlier_ones);
    tcase_add_test(cases, an_earlier_point_does_not_hold_the_later_ones);
    tcase_add_test(cases, jobs_of_a_channel_run_in_their_order);
    tcase_add_test(cases, unfinished_jobs_take_no_more_entries_than_the_ring_has);
    tcase_add_test(cases, a_job_without_credits_waits_for_the_oldest_on_the_gpu);
    tcase_add_test(cases, a_wait_of_the_program_lasts_until_the_job_is_done);
    tcase_add_test(cases, an_open_loop_does_not_wait);
    tcase_add_test(cases, a_wait_for_any_ends_with_the_first_and_one_for_all_with_the_last);
    tcase_add_test(cases, a_call_comes_when_another_thread_has_submitted_what_it_waits_for);
    tcase_add_test(cases, a_signal_of_the_cpu_replaces_what_an_object_waits_for);
    tcase_add_test(cases, a_transfer_and_a_file_keep_what_was_waited_for_then);
    tcase_add_test(cases, a_constant_without_a_selected_buffer_is_reported_not_a_fault);
    tcase_add_test(cases, a_job_that_never_ends_leaves_open_waits);
    tcase_add_test(cases, a_job_of_a_channel_that_is_killed_is_done);
    suite_add_tcase(suite, cases);
    return suite;
}
