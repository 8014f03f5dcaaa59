/* SPDX-License-Identifier: MIT */
/* Host threads of a hip_plugin_framework configuration: queues, iterations, response times. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_tables.h"
#include "devices/hip_tables.h"
#include "devices/hip_threads.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

static struct machine *machine;
static struct amd_dispatch dispatch;
static struct hip_threads threads;
static struct hip_config *config;
static struct log_event *events;
static uint32_t event_count;

/* Wires the configuration; false when the threads cannot begin, which *error tells. */
static bool begin(const char *text, const char *setting, uint64_t seed, struct gfe_error *error)
{
    const struct machine_config machine_config = {.gpu = "radeon-vii",
                                                  .vram_bytes = 1 << 20,
                                                  .sysmem_bytes = 1 << 20,
                                                  .event_capacity = 512,
                                                  .range_capacity = 64,
                                                  .seed = seed};

    config = hip_config_parse(text, strlen(text), "c.json", error);
    ck_assert_msg(config != NULL, "%s", error->text);
    machine = machine_new(&machine_config, error);
    ck_assert_ptr_nonnull(machine);
    machine_add_tables(machine, &core_tables);
    machine_add_tables(machine, &amd_tables);
    machine_add_tables(machine, &hip_tables);
    dispatch = (struct amd_dispatch){0};
    threads = (struct hip_threads){0};
    amd_dispatch_wire(&dispatch, machine, amd_chip_by_name("radeon-vii"));
    ck_assert(hip_threads_wire(&threads, machine, &dispatch, config, error));
    if (setting)
        ck_assert(machine_set_parameter(machine, setting, 0));
    ck_assert(machine_seal(machine, error));
    return hip_threads_begin(&threads, "c.json", error);
}

static void run(const char *text, const char *setting, uint64_t seed)
{
    struct gfe_error error = {0};

    ck_assert_msg(begin(text, setting, seed, &error), "%s", error.text);
    while (machine_step(machine))
        continue;
    ck_assert(!machine_failed(machine));
    events = check_machine_decode(machine, &event_count);
}

static void end(void)
{
    free(events);
    events = NULL;
    hip_threads_fini(&threads);
    hip_config_free(config);
    machine_free(machine);
}

static const struct log_event *find(uint32_t kind, uint64_t plugin, uint32_t n)
{
    for (uint32_t i = 0; i < event_count; i++)
        if (events[i].kind == kind && events[i].argument[0] == plugin && n-- == 0)
            return &events[i];
    ck_abort_msg("no such event");
}

#define PLUGIN "\"filename\": \"matrix_multiply.so\", \"thread_count\": 1024, \"block_count\": 60"

START_TEST(streams_share_queues_unless_they_have_masks)
{
    const char *text =
        "{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{" PLUGIN "}, {" PLUGIN
        "}, {" PLUGIN "}, {" PLUGIN ", \"compute_unit_mask\": \"1111\"}, {" PLUGIN "}, {" PLUGIN
        "}, {" PLUGIN ", \"compute_unit_mask\": \"0001\"}]}";

    run(text, NULL, 0);
    for (uint32_t i = 0; i < 7; i++) {
        /* Queues in the order of their making: 0, 1, 2, 3 with a mask, 4, then the first again, and
         * 5 with a mask. */
        static const uint32_t made[7] = {0, 1, 2, 3, 4, 0, 5};
        const struct log_event *event = find(EVENT_HIP_QUEUE, i, 0);

        ck_assert_uint_eq(event->rule, RULE_A_Q2);
        ck_assert_uint_eq(event->argument[1], made[i]);
        ck_assert_uint_eq(event->argument[2], made[i] % 4);
        ck_assert_uint_eq(event->argument[3], 2 + made[i] / 4);
        ck_assert_uint_eq(event->argument[4], i == 3 || i == 6);
    }
    ck_assert_uint_eq(hip_threads_cus(&threads, 0), 60);
    ck_assert_uint_eq(hip_threads_cus(&threads, 3), 4);
    ck_assert_uint_eq(hip_threads_cus(&threads, 6), 1);
    ck_assert_uint_eq(threads.state->threads[6].cu_masks[3], 1);
    end();
}
END_TEST

/* A.Q2: hip.max_hw_queues is four; the fifth stream without a mask gets the first one's. */
START_TEST(a_log_of_streams_on_queues)
{
#define SMALL "\"filename\": \"matrix_multiply.so\", \"thread_count\": 64, \"block_count\": 1"
    run("{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{" SMALL "}, {" SMALL "}, {" SMALL
        "}, {" SMALL "}, {" SMALL ", \"compute_unit_mask\": \"0001\"}, {" SMALL "}]}",
        NULL, 0);
    golden_log_check_events(events, event_count, "rule_a_q2.events");
    end();
}
END_TEST

START_TEST(who_has_no_limit_goes_on_until_the_others_are_done)
{
    run("{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 5}, {" PLUGIN
        ", \"max_time\": 0.01, \"release_time\": 0.002}, {" PLUGIN "}]}",
        NULL, 0);
    const struct hip_responses first = hip_threads_responses(&threads, 0);
    const struct log_event *last;

    ck_assert_uint_eq(first.count, 5);
    ck_assert_uint_gt(hip_threads_responses(&threads, 1).count, 10);
    ck_assert_uint_gt(hip_threads_responses(&threads, 2).count,
                      hip_threads_responses(&threads, 1).count);
    ck_assert_uint_eq(find(EVENT_HIP_LAUNCH, 1, 0)->time_ps, 2 * UINT64_C(1000000000));
    last = find(EVENT_HIP_LAUNCH, 1, hip_threads_responses(&threads, 1).count - 1);
    ck_assert_uint_lt(last->time_ps, 12 * UINT64_C(1000000000));
    last = find(EVENT_HIP_LAUNCH, 2, hip_threads_responses(&threads, 2).count - 1);
    ck_assert_uint_gt(last->time_ps, 11 * UINT64_C(1000000000));
    ck_assert_uint_eq(threads.state->going, 0);
    end();
}
END_TEST

START_TEST(response_times_are_those_of_the_log)
{
    struct hip_responses responses;

    run("{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 40}]}", NULL, 3);
    responses = hip_threads_responses(&threads, 0);
    ck_assert_uint_eq(responses.count, 40);
    ck_assert(responses.least_ps <= responses.p05_ps && responses.p05_ps < responses.median_ps &&
              responses.median_ps < responses.p95_ps && responses.p95_ps <= responses.most_ps);
    for (uint32_t i = 0; i < 40; i++) {
        const struct log_event *launched = find(EVENT_HIP_LAUNCH, 0, i);
        const struct log_event *returned = find(EVENT_HIP_RETURN, 0, i);

        ck_assert_uint_eq(returned->argument[3], returned->time_ps - launched->time_ps);
        ck_assert_uint_ge(returned->argument[3], responses.least_ps);
        ck_assert_uint_le(returned->argument[3], responses.most_ps);
        if (i > 0) /* and the thread's own time between */
            ck_assert_uint_eq(launched->time_ps,
                              find(EVENT_HIP_RETURN, 0, i - 1)->time_ps + 75000000);
    }
    end();
}
END_TEST

/* Each iteration has a jitter of its own, which the run's seed decides. */
START_TEST(the_seed_decides)
{
    const char *text = "{\"name\": \"n\", \"plugins\": [{" PLUGIN ", \"max_iterations\": 9}]}";
    gfe_ps medians[3];

    for (uint32_t i = 0; i < 3; i++) {
        run(text, NULL, i / 2);
        ck_assert_uint_ne(find(EVENT_HIP_RETURN, 0, 0)->argument[3],
                          find(EVENT_HIP_RETURN, 0, 1)->argument[3]);
        medians[i] = hip_threads_responses(&threads, 0).median_ps;
        end();
    }
    ck_assert_uint_eq(medians[0], medians[1]);
    ck_assert_uint_ne(medians[0], medians[2]);
}
END_TEST

START_TEST(what_cannot_run_is_refused)
{
    struct gfe_error error = {0};
    static char many[8192] = "{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [";

    ck_assert(!begin("{\"name\": \"n\", \"max_iterations\": 1, \"plugins\": [{" PLUGIN
                     ", \"compute_unit_mask\": \"000\"}]}",
                     NULL, 0, &error));
    ck_assert_str_eq(error.text, "c.json: plugins[0].compute_unit_mask: it enables no CU that "
                                 "Radeon VII has");
    end();
    for (uint32_t i = 0; i < 24; i++)
        strcat(many, "{" PLUGIN ", \"compute_unit_mask\": \"1\"},");
    strcpy(many + strlen(many) - 1, "]}");
    ck_assert(begin(many, NULL, 0, &error)); /* four ACEs with six slots */
    end();
}
END_TEST

Suite *hip_threads_suite(void)
{
    Suite *suite = suite_create("hip_threads");
    TCase *tcase = tcase_create("threads");

    tcase_add_test(tcase, streams_share_queues_unless_they_have_masks);
    tcase_add_test(tcase, a_log_of_streams_on_queues);
    tcase_add_test(tcase, who_has_no_limit_goes_on_until_the_others_are_done);
    tcase_add_test(tcase, response_times_are_those_of_the_log);
    tcase_add_test(tcase, the_seed_decides);
    tcase_add_test(tcase, what_cannot_run_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
