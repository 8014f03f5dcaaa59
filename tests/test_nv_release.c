/* SPDX-License-Identifier: MIT */
/* Releases as they reach memory: their bytes, and the fences of recorded programs. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/nvidia/nv_release.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

static struct check_machine check;

static void setup(void)
{
    check_machine_begin(&check, false);
    for (uint32_t i = 0; i < 4; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x55);
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* Which words change: payload and, with the time, four words; 64 bits always two. */
static const struct {
    unsigned bits;
    bool has_time, reduces;
    uint32_t words[2];
} layouts[] = {
    {0, false, false, {0xddeeff00, 0x55}},       {32, false, false, {0xddeeff00, 0x55}},
    {32, true, false, {0xddeeff00, 0}},          {64, false, false, {0xddeeff00, 0x99aabbcc}},
    {64, true, false, {0xddeeff00, 0x99aabbcc}}, {32, false, true, {0xddeeff55, 0x55}},
    {32, true, true, {0xddeeff55, 0x55}},        {64, true, true, {0xddeeff55, 0x99aabc21}},
};

START_TEST(a_release_writes_the_words_of_its_layout)
{
    const struct nv_release release = {.address = CHECK_DATA,
                                       .payload = UINT64_C(0x99aabbccddeeff00),
                                       .space_id = check.space_id,
                                       .bits = layouts[_i].bits,
                                       .has_time = layouts[_i].has_time,
                                       .reduces = layouts[_i].reduces,
                                       .reduction = NV_REDUCTION_ADD};
    uint64_t fault;

    ck_assert(nv_release_write(check.machine, 0, &release, &fault));
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * i), layouts[_i].words[i]);
    for (uint32_t i = 2; i < 4; i++) /* the clock stands at 0 */
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * i),
                          layouts[_i].has_time ? 0 : 0x55);
}
END_TEST

START_TEST(a_release_without_a_translation_says_where)
{
    const struct nv_release release = {
        .address = 0x7000000, .space_id = check.space_id, .has_time = _i == 1, .reduces = _i == 2};
    uint64_t fault = 0;

    ck_assert(!nv_release_write(check.machine, 0, &release, &fault));
    ck_assert_uint_eq(fault, _i == 1 ? 0x7000008 : 0x7000000); /* the time comes first */
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_REDUCTION), 0);
}
END_TEST

/* ---- recorded programs ------------------------------------------------------------------------
 */

static const char *const programs[] = {"clear", "triangle", "compute"};

static struct replay_input *load(const char *program)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", program);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    return input;
}

/* Mesa's fence is a report of one word (0x1000f010) with the next number of its sequence, always at
 * the same place. */
static void expect_mesa_fences(const struct check_simulation *run)
{
    const struct log_event *release;
    uint32_t number = 0;
    uint64_t address = 0;

    for (uint32_t n = 0; (release = check_simulation_event(run, EVENT_NV_RELEASE, n)); n++)
        if (event_nv_release_of(release).source_class == 0xc197) {
            ck_assert_uint_eq(event_nv_release_of(release).value, ++number);
            ck_assert_uint_eq(event_nv_release_of(release).byte_count, 4);
            ck_assert(address == 0 || address == event_nv_release_of(release).address);
            address = event_nv_release_of(release).address;
        }
    ck_assert_uint_gt(number, 0);
}

/* The kernel's is a Host release of sixteen bytes behind each submission, at the channel's place.
 */
static void expect_kernel_fences(const struct check_simulation *run)
{
    const struct log_event *release = NULL, *last = NULL, *fence;
    uint32_t number = 0, words[4];

    for (uint32_t n = 0; (release = check_simulation_event(run, EVENT_NV_RELEASE, n)); n++) {
        if (event_nv_release_of(release).source_class != 0xc06f)
            continue;
        fence = check_simulation_event(run, EVENT_DRIVER_FENCE, number++);
        ck_assert_ptr_nonnull(fence);
        ck_assert_uint_eq(event_nv_release_of(release).address,
                          event_driver_fence_of(fence).address);
        ck_assert_uint_eq(event_nv_release_of(release).value, event_driver_fence_of(fence).value);
        ck_assert_uint_eq(event_nv_release_of(release).value, number);
        ck_assert_uint_eq(event_nv_release_of(release).byte_count, 16);
        ck_assert_uint_gt(release->time_ps, fence->time_ps);
        last = release;
    }
    ck_assert_ptr_null(check_simulation_event(run, EVENT_DRIVER_FENCE, number));
    ck_assert_ptr_nonnull(last);
    /* Channel 0's sixteen bytes are the first of the driver's fence memory, which stays. */
    ck_assert(machine_read(run->simulation->machine, MEMORY_VRAM,
                           run->simulation->nouveau->state->fence_memory, words, sizeof words));
    ck_assert_uint_eq(words[0], number);
    ck_assert_uint_eq(words[1], 0);
    ck_assert_uint_eq(words[2], (uint32_t)(last->time_ps / 1000));
    ck_assert_uint_eq(words[3], last->time_ps / 1000 >> 32);
}

/* FENCE names the same virtual address as the release that reached it, and found its value. */
static void expect_named_by_releases(const struct check_simulation *run)
{
    const struct log_event *fence, *release;

    for (uint32_t n = 0; (fence = check_simulation_event(run, EVENT_FENCE, n)); n++) {
        uint32_t found = 0;

        for (uint32_t r = 0; (release = check_simulation_event(run, EVENT_NV_RELEASE, r)); r++)
            found += event_nv_release_of(release).address == event_fence_of(fence).address &&
                     event_nv_release_of(release).value == event_fence_of(fence).value;
        ck_assert_uint_eq(found, 1);
        ck_assert_uint_eq(event_fence_of(fence).found_value, event_fence_of(fence).value);
        ck_assert_uint_eq(event_fence_of(fence).reached, 1);
    }
    ck_assert_uint_gt(check_simulation_count(run, EVENT_FENCE, CHECK_ANY_RULE), 0);
}

/* PROMISE (nvidia): Fences of recorded programs have the words that their readers expect. */
START_TEST(fences_of_a_recorded_program_have_the_words_that_their_readers_expect)
{
    struct replay_input *input = load(programs[_i]);
    struct check_simulation run;

    check_simulation_run(&run, input, NULL);
    expect_mesa_fences(&run);
    expect_kernel_fences(&run);
    expect_named_by_releases(&run);
    check_simulation_end(&run);
    replay_input_free(input);
}
END_TEST

Suite *nv_release_suite(void)
{
    Suite *suite = suite_create("nv_release");
    TCase *tcase = tcase_create("bytes");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, a_release_writes_the_words_of_its_layout, 0,
                        sizeof layouts / sizeof layouts[0]);
    tcase_add_loop_test(tcase, a_release_without_a_translation_says_where, 0, 3);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("recorded");
    tcase_add_loop_test(
        tcase, fences_of_a_recorded_program_have_the_words_that_their_readers_expect, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
