/* SPDX-License-Identifier: MIT */
/* The recorded program: its threads, its waits, closed and open loop. */
#include <config.h>

#include <check.h>

#include "tests/check_trace.h"
#include "tests/suites.h"

#define RELEASE(handle, offset, value)                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(handle) >> 32),                              \
        (uint32_t)CHECK_TRACE_BUFFER(handle) + (offset), (value), 0x01100002

static struct check_trace trace;
static struct replay_input *input;
static struct check_simulation run;

static void setup(void)
{
    check_trace_begin(&trace);
    for (uint32_t handle = 1; handle <= 3; handle++)
        check_trace_map(&trace, handle);
    check_trace_channel(&trace, 7);
}

static void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

/* A draw of 5 us, then a release of `value`. */
static void submit_slow(uint32_t handle, uint32_t value)
{
    CHECK_TRACE_SUBMIT(&trace, 7, handle, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x110, 0),
                       RELEASE(3, 0, value));
}

static void run_with(const struct simulation_options *options)
{
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, options);
}

/* GFE.PROGRAM: the second submission comes when the first is done, its think time later. */
START_TEST(a_wait_lasts_until_the_emulated_gpu_is_done)
{
    const struct log_event *end;

    submit_slow(1, 1);
    check_trace_wait(&trace, 7, 1, _i ? TRACE_WAIT_IOCTL : TRACE_WAIT_CALL);
    trace.time_ns = 4000;
    submit_slow(2, 2);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_END, RULE_GFE_PROGRAM), 1);
    end = check_simulation_event(&run, EVENT_CPU_WAIT_END, 0);
    ck_assert_uint_ge(end->time_ps, check_simulation_event(&run, EVENT_NV_RELEASE, 1)->time_ps);
    ck_assert_uint_eq(check_simulation_event(&run, EVENT_CPU_SUBMIT, 1)->time_ps,
                      end->time_ps + 4000 * 1000);
}
END_TEST

START_TEST(an_open_loop_keeps_the_recorded_times_and_waits_for_nothing)
{
    const struct simulation_options options = {.open_loop = true};

    trace.time_ns = 1000;
    submit_slow(1, 1);
    check_trace_wait(&trace, 7, 1, TRACE_WAIT_CALL);
    trace.time_ns = 5000;
    submit_slow(2, 2);
    run_with(&options);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_BEGIN, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_event(&run, EVENT_CPU_SUBMIT, 0)->time_ps, 1000 * 1000);
    ck_assert_uint_eq(check_simulation_event(&run, EVENT_CPU_SUBMIT, 1)->time_ps, 5000 * 1000);
}
END_TEST

/* GFE.INFERRED: no wait was recorded, but the program had seen the value when it submitted. */
/* PROMISE (replay): A program that polls waits for the completion that it had seen (rule
 * GFE.INFERRED). */
START_TEST(a_program_that_polls_waits_for_what_it_had_seen)
{
    const struct trace_push push = {.handle = 2, .length_bytes = 4};
    const struct log_event *end;

    submit_slow(1, 41);
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_SUBMIT,
                                                  .submit = {.channel_id = 7,
                                                             .submission_id = 2,
                                                             .pushes = {&push, 1},
                                                             .seen_address = CHECK_TRACE_BUFFER(3),
                                                             .seen_value = 41}});
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_END, RULE_GFE_INFERRED), 1);
    ck_assert_uint_eq(run.simulation->replay->state->inferred_waits, 1);
    end = check_simulation_event(&run, EVENT_CPU_WAIT_END, 0);
    ck_assert_uint_ge(end->time_ps, check_simulation_event(&run, EVENT_NV_RELEASE, 0)->time_ps);
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_SUBMIT, 1)->time_ps, end->time_ps);
}
END_TEST

/* Another thread may use a buffer only once it is there, whatever its own times say. */
START_TEST(records_that_make_resources_keep_their_order_across_threads)
{
    trace.time_ns = 50000;
    check_trace_map(&trace, 4);
    trace.thread_id = 2;
    trace.time_ns = 10;
    submit_slow(4, 9);
    run_with(NULL);
    ck_assert_uint_ge(check_simulation_event(&run, EVENT_CPU_SUBMIT, 0)->time_ps, 50000 * 1000);
    ck_assert_uint_eq(run.simulation->replay->state->threads_done, 2);
}
END_TEST

START_TEST(a_wait_that_never_ends_is_open_at_the_end)
{
    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_IMMD(0, 0x04, 0));
    check_trace_wait(&trace, 7, 1, TRACE_WAIT_CALL);
    submit_slow(2, 2);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_GFE_PROGRAM), 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_SUBMIT, CHECK_ANY_RULE), 1);
    ck_assert_uint_lt(run.simulation->replay->state->fences_reached,
                      run.simulation->replay->state->fences_checked);
}
END_TEST

/* What the recorder wrote of counters and times is no value that the replay has to reach, and takes
 * the place of one that was. */
START_TEST(counters_and_notifiers_are_no_fences)
{
    static const struct {
        uint8_t first, then;
        uint32_t fences;
    } writes[] = {{TRACE_WHY_COUNTER, 0, 0},
                  {TRACE_WHY_NOTIFY, 0, 0},
                  {TRACE_WHY_LONG_REPORT, 0, 1},
                  {TRACE_WHY_LONG_REPORT, TRACE_WHY_COUNTER, 0},
                  {TRACE_WHY_COUNTER, TRACE_WHY_LONG_REPORT, 1}};
    static const uint32_t words[4] = {7, 0, 1, 0};
    struct trace_record record = {.head.kind = TRACE_GPU_WRITE,
                                  .gpu_write = {.channel_id = 7,
                                                .address = CHECK_TRACE_BUFFER(3) + 64,
                                                .why = writes[_i].first,
                                                .data = {(const uint8_t *)words, sizeof words}}};
    const struct replay_state *state;

    submit_slow(1, 1);
    check_trace_put(&trace, record);
    record.gpu_write.why = writes[_i].then;
    if (writes[_i].then != 0)
        check_trace_put(&trace, record);
    run_with(NULL);
    state = run.simulation->replay->state;
    ck_assert_uint_eq(state->fences_checked - state->fences_reached, writes[_i].fences);
}
END_TEST

/* The GPU puts something else where a completion value was: reached all the same, but only if it
 * was released as often as in the recording. */
START_TEST(a_value_that_the_gpu_has_covered_was_reached)
{
    const uint64_t va = CHECK_TRACE_BUFFER(3) + 64;
    static const uint32_t value = 7;
    const struct trace_record record = {
        .head.kind = TRACE_GPU_WRITE,
        .gpu_write = {.channel_id = 7,
                      .address = va,
                      .why = TRACE_WHY_HOST_SEMAPHORE,
                      .data = {(const uint8_t *)&value, sizeof value}}};

    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(3, 64, 7), PB_INC(2, 0, 1), 0xa140,
                       PB_INC(2, 0x180, 4), 4, 1, (uint32_t)(va >> 32), (uint32_t)va,
                       PB_INC(2, 0x1b0, 2), 0x11, 3);
    for (int i = 0; i <= _i; i++)
        check_trace_put(&trace, record);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_INLINE_WRITE, CHECK_ANY_RULE), 1);
    ck_assert_uint_eq(run.simulation->replay->state->fences_checked -
                          run.simulation->replay->state->fences_reached,
                      (uint32_t)_i);
}
END_TEST

/* GFE.OVERWRITE: the second submission's commands go where the first one's lie, which has not been
 * fetched when the program would write them; both have to run.  The same commands again are no
 * change and wait for nothing. */
/* PROMISE (replay): Commands that are not fetched yet are not overwritten (rule GFE.OVERWRITE). */
START_TEST(commands_that_are_not_fetched_yet_are_not_overwritten)
{
    const uint32_t second = _i ? 1 : 2;

    submit_slow(1, 1);
    submit_slow(1, second);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_OVERWRITE), _i ? 0 : 1);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_RELEASE, RULE_NV_ORDER), 4);
    for (uint32_t n = 0, seen = 0; n < 4; n++) {
        const struct event_nv_release release =
            event_nv_release_of(check_simulation_event(&run, EVENT_NV_RELEASE, n));

        if (release.address == CHECK_TRACE_BUFFER(3))
            ck_assert_uint_eq(release.value, seen++ ? second : 1);
    }
}
END_TEST

/* GFE.OVERWRITE: what waits for the first of three submissions does not wait for the others. */
START_TEST(a_store_waits_for_the_submission_that_it_would_change)
{
    const struct log_event *wait;

    submit_slow(1, 1);
    submit_slow(2, 2);
    submit_slow(1, 3);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_GFE_OVERWRITE), 1);
    for (uint32_t n = 0; (wait = check_simulation_event(&run, EVENT_WAIT, n)); n++)
        if (wait->rule == RULE_GFE_OVERWRITE)
            break;
    ck_assert_uint_ge(wait->time_ps, check_simulation_event(&run, EVENT_NV_RELEASE, 1)->time_ps);
    ck_assert_uint_lt(wait->time_ps, check_simulation_event(&run, EVENT_NV_RELEASE, 2)->time_ps);
    ck_assert_uint_eq(event_nv_release_of(check_simulation_event(&run, EVENT_NV_RELEASE, 4)).value,
                      3);
}
END_TEST

Suite *replay_suite(void)
{
    Suite *suite = suite_create("replay");
    TCase *tcase = tcase_create("threads");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_wait_lasts_until_the_emulated_gpu_is_done, 0, 2);
    tcase_add_test(tcase, an_open_loop_keeps_the_recorded_times_and_waits_for_nothing);
    tcase_add_test(tcase, a_program_that_polls_waits_for_what_it_had_seen);
    tcase_add_test(tcase, records_that_make_resources_keep_their_order_across_threads);
    tcase_add_test(tcase, a_wait_that_never_ends_is_open_at_the_end);
    tcase_add_loop_test(tcase, counters_and_notifiers_are_no_fences, 0, 5);
    tcase_add_loop_test(tcase, a_value_that_the_gpu_has_covered_was_reached, 0, 2);
    tcase_add_loop_test(tcase, commands_that_are_not_fetched_yet_are_not_overwritten, 0, 2);
    tcase_add_test(tcase, a_store_waits_for_the_submission_that_it_would_change);
    suite_add_tcase(suite, tcase);
    return suite;
}
