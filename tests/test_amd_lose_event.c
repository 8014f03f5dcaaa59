/* SPDX-License-Identifier: MIT */
/* AMD programs that lose an event leave nothing undone in silence (tests/lose_event.h). */
#include <config.h>

#include <check.h>

#include "tests/lose_event.h"
#include "tests/suites.h"

static const struct {
    const char *path;
    struct simulation_setting choice;
    uint32_t samples;
} programs[] = {
    {"tests/golden/kfd_kernels.gft", {NULL, NULL}, 120},
    {"tests/golden/hip_streams.gft", {NULL, NULL}, 60},
    {"tests/golden/kfd_kernels.gft", {"kfd.sched_policy", "no_hws"}, 60},
    {"tests/rules/amd_pipe.json", {NULL, NULL}, 60},
    {"tests/rules/a_h3.json", {NULL, NULL}, 60},
    {"tests/rules/a_h2.json", {NULL, NULL}, 60},
};

START_TEST(a_program_that_loses_an_event_says_what_it_left)
{
    const struct simulation_options options = {.choices = &programs[_i].choice,
                                               .choice_count = programs[_i].choice.id != NULL};
    const struct lose_event_result result =
        lose_event_check_file(programs[_i].path, &options, programs[_i].samples);

    ck_assert_uint_gt(result.undone, 0);
}
END_TEST

Suite *amd_lose_event_suite(void)
{
    Suite *suite = suite_create("amd_lose_event");
    TCase *events = tcase_create("events");

    tcase_set_timeout(events, 60);
    tcase_add_loop_test(events, a_program_that_loses_an_event_says_what_it_left, 0,
                        sizeof programs / sizeof programs[0]);
    suite_add_tcase(suite, events);
    return suite;
}
