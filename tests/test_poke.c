/* SPDX-License-Identifier: MIT */
/* Pokes: when they come, what they write and log, and what is said of those that mean nothing. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_inspect.h"
#include "tests/bus_build.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

static struct bus_build build;
static struct check_simulation run;
static struct replay_input *input;

static void run_with(const char *const *pokes, uint32_t count)
{
    const struct simulation_options options = {.pokes = pokes, .poke_count = count};

    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

/* The n-th write with origin POKE. */
static const struct log_event *poked(uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_MMIO_WRITE && run.events[i].origin == ORIGIN_POKE &&
            n-- == 0)
            return &run.events[i];
    return NULL;
}

static void expect_poked(uint32_t n, gfe_ps at_ps, uint32_t offset, uint32_t value)
{
    const struct log_event *event = poked(n);

    ck_assert_msg(event != NULL, "there is no write %u", n);
    ck_assert_msg(event->time_ps == at_ps && event_mmio_write_of(event).offset == offset &&
                      event_mmio_write_of(event).value == value,
                  "write %u: at %llu, 0x%llx = 0x%llx", n, (unsigned long long)event->time_ps,
                  (unsigned long long)event_mmio_write_of(event).offset,
                  (unsigned long long)event_mmio_write_of(event).value);
}

START_TEST(pokes_come_at_their_times_whatever_their_order)
{
    static const char *const pokes[] = {"3us 0x4210c = 3", "1us 0x4210c = 1", "3us 0x4210c = 4",
                                        "2us 0x4210c = 2"};

    bus_build_begin(&build, "gtx1060-3gb");
    run_with(pokes, 4);
    expect_poked(0, 1 * GFE_PS_PER_US, 0x4210c, 1);
    expect_poked(1, 2 * GFE_PS_PER_US, 0x4210c, 2);
    expect_poked(2, 3 * GFE_PS_PER_US, 0x4210c, 3);
    expect_poked(3, 3 * GFE_PS_PER_US, 0x4210c, 4);
    ck_assert_ptr_null(poked(4));
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x4210c), 4);
    /* Which was which, in the order given. */
    ck_assert_uint_eq(event_poke_of(check_simulation_event(&run, EVENT_POKE, 0)).poke_index, 1);
    ck_assert_uint_eq(event_poke_of(check_simulation_event(&run, EVENT_POKE, 2)).poke_index, 0);
    ck_assert_uint_eq(event_poke_of(check_simulation_event(&run, EVENT_POKE, 3)).poke_index, 2);
    end();
}
END_TEST

START_TEST(a_field_alone_keeps_the_rest_of_its_register)
{
    static const char *const pokes[] = {"1us NV_PPBDMA_ACQUIRE[1] = 0xffffffff",
                                        "2us NV_PPBDMA_ACQUIRE[1].RETRY_EXP = 0"};

    bus_build_begin(&build, "gtx1060-3gb");
    run_with(pokes, 2);
    expect_poked(1, 2 * GFE_PS_PER_US, 0x42030, 0xfffff87f);
    end();
}
END_TEST

START_TEST(a_poke_comes_behind_all_else_at_its_time)
{
    static const char *const pokes[] = {"5us 0x4210c = 7"};

    bus_build_begin(&build, "gtx1060-3gb");
    bus_build_line(&build, "5us 0x4210c = 1");
    run_with(pokes, 1);
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x4210c), 7);
    end();
}
END_TEST

START_TEST(a_run_goes_on_to_its_last_poke)
{
    static const char *const pokes[] = {"90ms 0x4210c = 7"};

    bus_build_begin(&build, "gtx1060-3gb");
    run_with(pokes, 1);
    ck_assert_uint_eq(machine_now(run.simulation->machine), 90000 * GFE_PS_PER_US);
    end();
}
END_TEST

/* Between any two events, into the same machine: what is left to poke is state. */
START_TEST(a_snapshot_knows_which_pokes_are_left)
{
    static const char *const pokes[] = {"1us 0x4210c = 1", "2us 0x4210c = 2", "3us 0x4210c = 3"};
    const struct simulation_options options = {.pokes = pokes, .poke_count = 3};
    struct machine_snapshot *snapshot;
    struct gfe_error error = {0};
    char first[65], again[65];

    bus_build_begin(&build, "gtx1060-3gb");
    input = bus_build_end(&build);
    for (uint32_t steps = 0; steps < 5; steps++) {
        struct simulation *simulation = check_simulation_new(input, &options);

        for (uint32_t i = 0; i < steps; i++)
            ck_assert(machine_step(simulation->machine));
        snapshot = machine_take(simulation->machine);
        ck_assert_ptr_nonnull(snapshot);
        ck_assert(simulation_run(simulation, GFE_PS_NEVER, &error));
        check_machine_log_hash(simulation->machine, first);
        ck_assert(machine_restore(simulation->machine, snapshot));
        ck_assert(simulation_run(simulation, GFE_PS_NEVER, &error));
        check_machine_log_hash(simulation->machine, again);
        ck_assert_str_eq(first, again);
        machine_snapshot_free(snapshot);
        simulation_free(simulation);
    }
    replay_input_free(input);
}
END_TEST

START_TEST(pokes_are_part_of_what_a_snapshot_is_of)
{
    static const char *const pokes[][2] = {{"1us 0x4210c = 1", "2us 0x4210c = 2"},
                                           {"1us 0x4210c = 1", "2us 0x4210c = 3"}};
    struct snapshot_identity identities[3];
    struct gfe_error error = {0};

    bus_build_begin(&build, "gtx1060-3gb");
    input = bus_build_end(&build);
    for (uint32_t i = 0; i < 3; i++) {
        const struct simulation_options options = {.pokes = i < 2 ? pokes[i] : NULL,
                                                   .poke_count = i < 2 ? 2 : 0};
        struct simulation *simulation = check_simulation_new(input, &options);

        simulation_identity(simulation, "-", &identities[i]);
        simulation_free(simulation);
    }
    ck_assert(snapshot_identity_fits(&identities[0], &identities[0], "s", &error));
    ck_assert(!snapshot_identity_fits(&identities[0], &identities[1], "s", &error));
    ck_assert(!snapshot_identity_fits(&identities[0], &identities[2], "s", &error));
    ck_assert(!snapshot_identity_fits(&identities[2], &identities[0], "s", &error));
    replay_input_free(input);
}
END_TEST

static const struct {
    const char *text, *said;
} wrong[] = {
    {"", "a time such as 2ms comes first, not "},
    {"2 0x2630=1", "a time such as 2ms comes first, not 2"},
    {"disable_channel 5", "a time such as 2ms comes first, not disable_channel"},
    {"2ms", "a register was expected"},
    {"2ms frobnicate 5", "this GPU has no register 'frobnicate'"},
    {"2ms disable_channel", "disable_channel needs CHANNEL"},
    {"2ms disable_channel x", "not a number: x"},
    {"2ms disable_channel 5 6", "this is too much: 6"},
    {"2ms disable_channel x:5", "not the number of a runlist: x"},
    {"2ms disable_channel 4096", "this GPU has no channel 4096"},
    {"2ms preempt_tsg 4096", "a TSG's number has 12 bits: 4096"},
    {"2ms preempt_tsg 99:1", "this GPU has no runlist 99"},
    {"2ms resubmit_runlist 99", "this GPU has no runlist 99"},
    {"2ms resubmit_runlist 1:2", "the runlist is named twice: 2"},
};

START_TEST(what_means_nothing_is_said_exactly)
{
    struct reg_assign_message message;
    struct gfe_error error = {0};
    struct bare_gpu bare;
    struct poke poke;

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error));
    ck_assert(!poke_parse(bare.machine, nv_poke_verbs, nv_poke_verb_count, wrong[_i].text, &poke,
                          &message));
    ck_assert_msg(strncmp(message.text, wrong[_i].said, strlen(wrong[_i].said)) == 0, "%s: %s",
                  wrong[_i].text, message.text);
    bare_gpu_fini(&bare);
}
END_TEST

Suite *poke_suite(void)
{
    Suite *suite = suite_create("poke");
    TCase *tcase = tcase_create("runs"), *texts = tcase_create("texts");

    tcase_add_test(tcase, pokes_come_at_their_times_whatever_their_order);
    tcase_add_test(tcase, a_field_alone_keeps_the_rest_of_its_register);
    tcase_add_test(tcase, a_poke_comes_behind_all_else_at_its_time);
    tcase_add_test(tcase, a_run_goes_on_to_its_last_poke);
    tcase_add_test(tcase, a_snapshot_knows_which_pokes_are_left);
    tcase_add_test(tcase, pokes_are_part_of_what_a_snapshot_is_of);
    suite_add_tcase(suite, tcase);
    tcase_add_loop_test(texts, what_means_nothing_is_said_exactly, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    suite_add_tcase(suite, texts);
    return suite;
}
