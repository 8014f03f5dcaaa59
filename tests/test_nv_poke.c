/* SPDX-License-Identifier: MIT */
/* The verbs of nvdebug's files: each as the register accesses of the generation, by the manuals'
 * addresses. */
/* PROMISE (debug): Pokes write the registers that their names say. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bus_build.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

static struct bus_build build;
static struct bus_channel channels[3];
static struct check_simulation run;
static struct replay_input *input;

/* Channels 1 and 2 in TSG 8, channel 3 in TSG 9, on runlist 0; one poke at 1 ms. */
static void run_verb(const char *gpu, const char *text)
{
    const char *const pokes[] = {text};
    const struct simulation_options options = {.pokes = pokes, .poke_count = 1};
    struct bus_tsg tsgs[2] = {{.id = 8, .timeout = 128, .scale = 3, .count = 2},
                              {.id = 9, .timeout = 128, .scale = 3, .count = 1}};
    uint64_t root;

    bus_build_begin(&build, gpu);
    root = bus_build_space(&build);
    for (uint32_t i = 0; i < 3; i++)
        channels[i] = bus_build_channel(&build, 0, 1 + i, root);
    tsgs[0].channels[0] = &channels[0];
    tsgs[0].channels[1] = &channels[1];
    tsgs[1].channels[0] = &channels[2];
    bus_build_runlist(&build, 0, tsgs, 2);
    input = bus_build_end(&build);
    check_simulation_run(&run, input, &options);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static uint32_t poked_count(void)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == EVENT_MMIO_WRITE && run.events[i].origin == ORIGIN_POKE;
    return count;
}

/* A write with origin POKE to that address: its value; UINT64_MAX: there is none. */
static uint64_t poked(uint32_t offset)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_MMIO_WRITE && run.events[i].origin == ORIGIN_POKE &&
            event_mmio_write_of(&run.events[i]).offset == offset)
            return event_mmio_write_of(&run.events[i]).value;
    return UINT64_MAX;
}

static bool enabled(uint32_t chid)
{
    return machine_read32(run.simulation->machine, 0x800004 + 8 * chid) & 1;
}

static const char *const gpus[] = {"gtx1060-3gb", "titanv", "rtx2060"};

START_TEST(disable_channel_sets_enable_clr)
{
    run_verb(gpus[_i], "1ms disable_channel 2");
    ck_assert_uint_eq(poked_count(), 1);
    ck_assert_uint_eq(poked(0x800014) & 0xc00, 0x800);
    ck_assert(enabled(1) && !enabled(2) && enabled(3));
    end();
}
END_TEST

START_TEST(enable_channel_sets_enable_set)
{
    run_verb(gpus[_i], "1ms enable_channel 2");
    ck_assert_uint_eq(poked(0x800014) & 0xc00, 0x400);
    ck_assert(enabled(2));
    end();
}
END_TEST

START_TEST(enabling_clears_no_fault)
{
    run_verb(gpus[_i], "1ms enable_channel 2");
    ck_assert_uint_eq(poked(0x800014) & 0x00c00000, 0);
    end();
}
END_TEST

START_TEST(preempt_tsg_writes_preempt_with_type_tsg)
{
    run_verb(gpus[_i], "1ms preempt_tsg 8");
    ck_assert_uint_eq(poked_count(), 1);
    ck_assert_uint_eq(poked(0x2634), 0x01000008);
    end();
}
END_TEST

START_TEST(resubmit_runlist_writes_what_is_there_again)
{
    const uint32_t kind = EVENT_NV_RUNLIST_SUBMIT;
    struct event_nv_runlist_submit first, again;

    run_verb(gpus[_i], "1ms resubmit_runlist 0");
    ck_assert_uint_eq(check_simulation_count(&run, kind, CHECK_ANY_RULE), 2);
    ck_assert_uint_eq(check_simulation_event(&run, kind, 1)->time_ps, 1000 * GFE_PS_PER_US);
    first = event_nv_runlist_submit_of(check_simulation_event(&run, kind, 0));
    again = event_nv_runlist_submit_of(check_simulation_event(&run, kind, 1));
    ck_assert_uint_eq(first.runlist_id, again.runlist_id);
    ck_assert_uint_eq(first.base_address, again.base_address);
    ck_assert_uint_eq(first.entry_count, again.entry_count);
    ck_assert(poked(_i == 2 ? 0x2b08 : 0x2274) != UINT64_MAX);
    end();
}
END_TEST

START_TEST(switch_to_tsg_leaves_its_channels_alone_enabled)
{
    run_verb(gpus[_i], "1ms switch_to_tsg 8");
    ck_assert(enabled(1) && enabled(2) && !enabled(3));
    end();
    run_verb(gpus[_i], "1ms switch_to_tsg 0:9");
    ck_assert(!enabled(1) && !enabled(2) && enabled(3));
    end();
}
END_TEST

START_TEST(switch_to_a_tsg_that_is_not_there_changes_nothing)
{
    run_verb(gpus[_i], "1ms switch_to_tsg 77");
    ck_assert_uint_eq(poked_count(), 0);
    ck_assert(enabled(1) && enabled(2) && enabled(3));
    end();
}
END_TEST

Suite *nv_poke_suite(void)
{
    Suite *suite = suite_create("nv_poke");
    TCase *tcase = tcase_create("verbs");
    const int count = (int)(sizeof gpus / sizeof gpus[0]);

    tcase_add_loop_test(tcase, disable_channel_sets_enable_clr, 0, count);
    tcase_add_loop_test(tcase, enable_channel_sets_enable_set, 0, count);
    tcase_add_loop_test(tcase, enabling_clears_no_fault, 0, count);
    tcase_add_loop_test(tcase, preempt_tsg_writes_preempt_with_type_tsg, 0, count);
    tcase_add_loop_test(tcase, resubmit_runlist_writes_what_is_there_again, 0, count);
    tcase_add_loop_test(tcase, switch_to_tsg_leaves_its_channels_alone_enabled, 0, count);
    tcase_add_loop_test(tcase, switch_to_a_tsg_that_is_not_there_changes_nothing, 0, count);
    suite_add_tcase(suite, tcase);
    return suite;
}
