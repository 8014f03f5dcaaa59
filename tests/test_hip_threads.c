/* SPDX-License-Identifier: MIT */
/* Host threads of a hip_plugin_framework configuration: queues, iterations, response times. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "firmware-models/hip/hip_tables.h"
#include "tests/check_hip.h"
#include "tests/suites.h"

#define MS UINT64_C(1000000000)

static struct check_hip check;

static const struct log_event *find(uint32_t kind, uint64_t plugin, uint32_t n)
{
    return check_hip_find(&check, kind, plugin, n);
}

static uint32_t cus(uint32_t plugin)
{
    return hip_threads_cus(&check.threads, plugin);
}

static struct hip_responses responses_of(uint32_t plugin)
{
    return hip_threads_responses(&check.threads, plugin);
}

#define PLUGIN "\"filename\": \"matrix_multiply.so\", \"thread_count\": 1024, \"block_count\": 60"

START_TEST(masks_enable_so_many_cus)
{
    check_hip_run(&check,
                  "{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{" PLUGIN "}, {" PLUGIN
                  ", \"compute_unit_mask\": \"1111\"}, {" PLUGIN
                  ", \"compute_unit_mask\": \"0001\"}]}",
                  NULL, 0);
    ck_assert_uint_eq(cus(0), 60);
    ck_assert_uint_eq(cus(1), 4);
    ck_assert_uint_eq(cus(2), 1);
    check_hip_end(&check);
}
END_TEST

/* By the address of its kernel a dispatch has the cost of its plugin. */
START_TEST(kernels_cost_what_is_said_of_them)
{
    struct gfe_error error = {0};

    ck_assert(
        check_hip_wire(&check,
                       "{\"name\": \"n\", \"max_iterations\": 2, \"plugins\": [{" PLUGIN "}, {"
                       "\"filename\": \"other.so\", \"thread_count\": 64, \"block_count\": 1}]}",
                       NULL, 0, &error));
    check.threads.block_ps[1] = 12345;
    ck_assert(machine_run(check.machine, GFE_PS_NEVER));
    check_machine_read_log(&check.log);
    for (uint32_t i = 0; i < 4; i++) {
        const struct event_amd_launch launch =
            event_amd_launch_of(check_machine_event(&check.log, EVENT_AMD_LAUNCH, i));
        const uint32_t plugin =
            launch.kernel_address == check.threads.state->threads[1].kernel_address;

        ck_assert_uint_eq(
            event_amd_dispatch_of(find(EVENT_AMD_DISPATCH, launch.grid_id, 0)).block_ps,
            plugin ? 12345 : 165039 * 1024);
    }
    ck_assert_uint_eq(check.threads.state->threads[1].dispatched, 2);
    check_hip_end(&check);
}
END_TEST

START_TEST(who_has_no_limit_goes_on_until_the_others_are_done)
{
    check_hip_run(&check,
                  "{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 5}, {" PLUGIN
                  ", \"max_time\": 0.01, \"release_time\": 0.002}, {" PLUGIN "}]}",
                  NULL, 0);
    const struct hip_responses first = responses_of(0);
    const struct log_event *last;
    gfe_ps begin_ps;

    ck_assert_uint_eq(first.count, 5);
    ck_assert_uint_gt(responses_of(1).count, 10);
    ck_assert_uint_gt(responses_of(2).count, responses_of(1).count);
    begin_ps = find(EVENT_HIP_LAUNCH, 0, 0)->time_ps;
    ck_assert_uint_gt(begin_ps, 0); /* streams are made first */
    ck_assert_uint_eq(find(EVENT_HIP_LAUNCH, 1, 0)->time_ps, begin_ps + 2 * MS);
    last = find(EVENT_HIP_LAUNCH, 1, responses_of(1).count - 1);
    ck_assert_uint_lt(last->time_ps, begin_ps + 12 * MS);
    last = find(EVENT_HIP_LAUNCH, 2, responses_of(2).count - 1);
    ck_assert_uint_gt(last->time_ps, begin_ps + 11 * MS);
    ck_assert_uint_eq(check.threads.state->going, 0);
    check_hip_end(&check);
}
END_TEST

/* The n-th least, n counting from 0, of 40. */
static bool is_nth(gfe_ps response_ps, uint32_t n)
{
    uint32_t less = 0, as_much = 0;

    for (uint32_t i = 0; i < 40; i++) {
        less += event_hip_return_of(find(EVENT_HIP_RETURN, 0, i)).response_ps < response_ps;
        as_much += event_hip_return_of(find(EVENT_HIP_RETURN, 0, i)).response_ps == response_ps;
    }
    return less <= n && n < less + as_much;
}

/* PROMISE (sim): Response times of a HIP configuration are those that its log shows. */
START_TEST(response_times_are_those_of_the_log)
{
    struct hip_responses responses;
    const gfe_ps *times;
    uint32_t count;

    check_hip_run(&check, "{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 40}]}",
                  NULL, 3);
    responses = responses_of(0);
    ck_assert_uint_eq(responses.count, 40);
    ck_assert(responses.least_ps <= responses.p05_ps && responses.p05_ps < responses.median_ps &&
              responses.median_ps < responses.p95_ps && responses.p95_ps <= responses.most_ps);
    ck_assert(is_nth(responses.least_ps, 0) && is_nth(responses.p05_ps, 2) &&
              is_nth(responses.median_ps, 20) && is_nth(responses.p95_ps, 38) &&
              is_nth(responses.most_ps, 39));
    times = hip_threads_times(&check.threads, 0, &count);
    ck_assert_uint_eq(count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        const struct log_event *launched = find(EVENT_HIP_LAUNCH, 0, i);
        const struct log_event *returned = find(EVENT_HIP_RETURN, 0, i);

        ck_assert_uint_eq(event_hip_return_of(returned).response_ps,
                          returned->time_ps - launched->time_ps);
        ck_assert_uint_eq(event_hip_return_of(returned).response_ps, times[i]);
        ck_assert_uint_ge(event_hip_return_of(returned).response_ps, responses.least_ps);
        ck_assert_uint_le(event_hip_return_of(returned).response_ps, responses.most_ps);
        if (i > 0) /* and the thread's own time between */
            ck_assert_uint_eq(launched->time_ps,
                              find(EVENT_HIP_RETURN, 0, i - 1)->time_ps + 75000000);
    }
    check_hip_end(&check);
}
END_TEST

/* Each iteration has a jitter of its own, which the run's seed decides. */
START_TEST(the_seed_decides)
{
    const char *text = "{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 9}]}";
    gfe_ps medians[3];

    for (uint32_t i = 0; i < 3; i++) {
        check_hip_run(&check, text, NULL, i / 2);
        ck_assert_uint_ne(event_hip_return_of(find(EVENT_HIP_RETURN, 0, 0)).response_ps,
                          event_hip_return_of(find(EVENT_HIP_RETURN, 0, 1)).response_ps);
        medians[i] = responses_of(0).median_ps;
        check_hip_end(&check);
    }
    ck_assert_uint_eq(medians[0], medians[1]);
    ck_assert_uint_ne(medians[0], medians[2]);
}
END_TEST

static const struct {
    const char *more, *message;
} refused[] = {
    {"\"thread_count\": 64, \"block_count\": 1, \"compute_unit_mask\": \"000\"",
     "c.json: plugins[0].compute_unit_mask: it enables no CU that Radeon VII has"},
    {"\"thread_count\": 1024, \"block_count\": 4194304",
     "c.json: plugins[0].block_count: its blocks have more than 4294967295 threads, which HIP "
     "refuses"},
};

START_TEST(what_cannot_run_is_refused)
{
    struct gfe_error error = {0};
    char text[512];

    (void)snprintf(text, sizeof text,
                   "{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{\"filename\": "
                   "\"matrix_multiply.so\", %s}]}",
                   refused[_i].more);
    ck_assert(!check_hip_wire(&check, text, NULL, 0, &error));
    ck_assert_str_eq(error.text, refused[_i].message);
    check_hip_end(&check);
}
END_TEST

/* Nothing of a run lies beside the machine's state: a second machine that goes on from a snapshot
 * ends with the first one's response times.  To look at them changes no state. */
START_TEST(response_times_go_with_a_snapshot)
{
    static const char text[] =
        "{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 40}, {" PLUGIN "}]}";
    struct gfe_error error = {0};
    struct machine_snapshot *snapshot;
    struct check_hip second;
    struct hip_responses wanted, found;
    char state[65], same[65];

    ck_assert(check_hip_wire(&check, text, NULL, 0, &error));
    ck_assert(check_hip_wire(&second, text, NULL, 0, &error));
    while (check.threads.state->threads[0].completed < 20)
        ck_assert(machine_step(check.machine));
    snapshot = machine_take(check.machine);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert(machine_run(check.machine, GFE_PS_NEVER));
    ck_assert(machine_hash(check.machine, state));
    wanted = responses_of(0);
    ck_assert(machine_hash(check.machine, same));
    ck_assert_str_eq(state, same);
    ck_assert(machine_restore(second.machine, snapshot));
    ck_assert(machine_run(second.machine, GFE_PS_NEVER));
    ck_assert(machine_hash(second.machine, same));
    ck_assert_str_eq(state, same);
    found = hip_threads_responses(&second.threads, 0);
    ck_assert_uint_eq(wanted.count, 40);
    ck_assert_uint_eq(found.count, wanted.count);
    ck_assert_uint_eq(found.least_ps, wanted.least_ps);
    ck_assert_uint_eq(found.p05_ps, wanted.p05_ps);
    ck_assert_uint_eq(found.median_ps, wanted.median_ps);
    ck_assert_uint_eq(found.mean_ps, wanted.mean_ps);
    machine_snapshot_free(snapshot);
    check_hip_end(&second);
    check_hip_end(&check);
}
END_TEST

/* What a launch costs was measured as a whole; its parts add up to that. */
/* PROMISE (sim): The parts of a launch add up to 30 us. */
START_TEST(the_parts_of_a_launch_are_thirty_microseconds)
{
    struct gfe_error error = {0};

    ck_assert(check_hip_wire(
        &check, "{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{" PLUGIN "}]}", NULL, 0,
        &error));
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_HIP_LAUNCH_PS) +
                          machine_parameter(check.machine, PARAM_AMD_DOORBELL_PS) +
                          2 * machine_parameter(check.machine, PARAM_AMD_PACKET_PS) +
                          machine_parameter(check.machine, PARAM_AMD_EOP_PS) +
                          machine_parameter(check.machine, PARAM_HIP_INTERRUPT_PS),
                      30 * GFE_PS_PER_US);
    check_hip_end(&check);
}
END_TEST

#define SMALL "\"filename\": \"matrix_multiply.so\", \"thread_count\": 1, \"block_count\": 1"

/* With hws.swap=priority the queue of lower priority is kept out by queues without work, and its
 * thread never comes to the barrier: the others wait for it.  (Seed 469546 of gfe selftest: they
 * were under way, GFE.LOST.) */
START_TEST(who_waits_at_the_barrier_waits_for_a_thread)
{
    static const char *const settings[] = {"hws.swap=priority", NULL};
    uint32_t barrier = 0;

    check_hip_run(&check,
                  "{\"name\": \"n\", \"use_processes\": true, \"sync_every_iteration\": true, "
                  "\"max_iterations\": 3, \"plugins\": [{" SMALL "}, {" SMALL "}, {" SMALL
                  "}, {" SMALL "}, {" SMALL ", \"stream_priority\": 1}, {" SMALL "}, {" SMALL
                  "}, {" SMALL "}, {" SMALL "}]}",
                  settings, 0);
    machine_finish(check.machine);
    check_machine_read_log(&check.log);
    ck_assert_uint_eq(check_machine_count_rule(&check.log, EVENT_WAIT_OPEN, RULE_GFE_LOST), 0);
    for (uint32_t i = 0; i < check.log.event_count; i++) {
        const struct log_event *event = &check.log.events[i];
        struct event_wait_open open;

        if (event->kind != EVENT_WAIT_OPEN)
            continue;
        open = event_wait_open_of(event);
        if (open.blocker_kind != SUBJECT_THREAD)
            continue;
        ck_assert_uint_eq(event->rule, RULE_GFE_PROGRAM);
        ck_assert_uint_eq(open.subject_kind, SUBJECT_THREAD);
        ck_assert_uint_eq(check.threads.state->threads[open.subject_id].waits, 1);
        ck_assert_uint_eq(check.threads.state->threads[open.blocker_id].waits, 0);
        barrier++;
    }
    ck_assert_uint_eq(barrier, check.threads.state->waiting);
    ck_assert_uint_gt(barrier, 0);
    check_hip_end(&check);
}
END_TEST

Suite *hip_threads_suite(void)
{
    Suite *suite = suite_create("hip_threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_test(tcase, masks_enable_so_many_cus);
    tcase_add_test(tcase, kernels_cost_what_is_said_of_them);
    tcase_add_test(tcase, who_has_no_limit_goes_on_until_the_others_are_done);
    tcase_add_test(tcase, response_times_are_those_of_the_log);
    tcase_add_test(tcase, the_seed_decides);
    tcase_add_test(tcase, response_times_go_with_a_snapshot);
    tcase_add_loop_test(tcase, what_cannot_run_is_refused, 0, sizeof refused / sizeof refused[0]);
    tcase_add_test(tcase, the_parts_of_a_launch_are_thirty_microseconds);
    tcase_add_test(tcase, who_waits_at_the_barrier_waits_for_a_thread);
    suite_add_tcase(suite, tcase);
    return suite;
}
