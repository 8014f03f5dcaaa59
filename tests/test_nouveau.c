/* SPDX-License-Identifier: MIT */
/* The nouveau model: what it writes for a channel, its ring, its fences, its lock. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_trace.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

enum { FENCE_TRIES = 3000000 };

/* A report semaphore through Host: value to the start of a buffer. */
#define RELEASE(handle, offset, value)                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(handle) >> 32),                              \
        (uint32_t)CHECK_TRACE_BUFFER(handle) + (offset), (value), 0x01100002

static struct check_trace trace;
static struct replay_input *input;
static struct check_simulation run;

/* One channel and some buffers. */
static void setup(void)
{
    check_trace_begin(&trace);
    for (uint32_t handle = 1; handle <= 3; handle++)
        check_trace_map(&trace, handle);
    check_trace_channel(&trace, 7);
    input = NULL;
    run = (struct check_simulation){0};
}

static void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static void run_with(const struct simulation_options *options)
{
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, options);
}

static uint32_t physical_word(enum memory_aperture aperture, uint64_t address)
{
    uint32_t value = 0;

    ck_assert(machine_read(run.simulation->machine, aperture, address, &value, sizeof value));
    return value;
}

static uint32_t word_at(uint64_t va)
{
    struct address_space_range where;
    uint64_t contiguous;

    ck_assert(address_space_translate(&run.simulation->machine->spaces,
                                      run.simulation->nouveau->state->space_ids[0], va, &where,
                                      &contiguous));
    return physical_word((enum memory_aperture)where.aperture, where.physical);
}

/* ---- channels -------------------------------------------------------------------------------- */

/* docs: gk104_chan_ramfc's table, dword by dword; what is not listed stays 0. */
/* PROMISE (drivers): The RAMFC is the one that the real driver writes. */
START_TEST(the_ramfc_is_the_one_of_the_real_driver)
{
    const struct nouveau_channel *channel;
    uint32_t expected[64] = {0};
    uint64_t userd, ring;

    run_with(NULL);
    channel = &run.simulation->nouveau->state->channels[0];
    userd = run.simulation->nouveau->state->userd_pool;
    ring = channel->buffer_va + 0x10000;
    expected[0x08 / 4] = (uint32_t)userd;
    expected[0x0c / 4] = (uint32_t)(userd >> 32);
    expected[0x10 / 4] = 0x0000face;
    expected[0x30 / 4] = 0xfffff902;
    expected[0x48 / 4] = (uint32_t)ring;
    expected[0x4c / 4] = (uint32_t)(ring >> 32) | 10u << 16;
    expected[0x84 / 4] = 0x20400000;
    expected[0x94 / 4] = 0x30000001;
    expected[0x9c / 4] = 0x00000100;
    expected[0xac / 4] = 0x0000001f;
    expected[0xb8 / 4] = 0xf8000000;
    expected[0xf8 / 4] = 0x10003080;
    expected[0xfc / 4] = 0x10000010;
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_msg(physical_word(MEMORY_VRAM, channel->instance + 4 * i) == expected[i],
                      "RAMFC + 0x%02x is 0x%08x, not 0x%08x", 4 * i,
                      physical_word(MEMORY_VRAM, channel->instance + 4 * i), expected[i]);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, channel->instance + 0x210) & 4, 4);
}
END_TEST

/* NOUVEAU.TSG, B.T1 */
START_TEST(every_channel_is_alone_in_a_tsg_of_timeslice_128_shifted_by_3)
{
    const struct nouveau_state *state;
    uint64_t list;

    check_trace_channel(&trace, 9);
    CHECK_TRACE_SUBMIT(&trace, 9, 1, RELEASE(2, 0, 5));
    run_with(NULL);
    state = run.simulation->nouveau->state;
    list = state->runlist_memory[0] + MEMORY_PAGE_BYTES * (uint64_t)state->runlist_turn[0];
    /* Rotated by one: the second update begins with the second channel. */
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list), 0x0600e001);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list + 4), 0);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list + 8), 1);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list + 12), state->channels[1].instance >> 12);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list + 16), 0x0600e000);
    ck_assert_uint_eq(physical_word(MEMORY_VRAM, list + 24), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_CHANNEL, RULE_NOUVEAU_TSG), 2);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_simulation_event(&run, EVENT_NV_TSG_START, 0)).timeslice_ps,
        1048576000);
}
END_TEST

/* A channel of the same number gets the same fence word: nouveau goes on from what stands there. */
START_TEST(a_new_channel_does_not_take_the_old_ones_fence_for_its_own)
{
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 5));
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 6));
    check_trace_wait(&trace, 7, 2, TRACE_WAIT_CALL);
    check_trace_channel_end(&trace, 7);
    check_trace_channel(&trace, 8);
    CHECK_TRACE_SUBMIT(&trace, 8, 1, RELEASE(2, 0, 9));
    check_trace_wait(&trace, 8, 3, TRACE_WAIT_CALL);
    check_trace_unmap(&trace, 1);
    run_with(NULL);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2)), 9);
    ck_assert_uint_ge(check_simulation_count(&run, EVENT_CPU_WAIT_END, RULE_GFE_PROGRAM), 2);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(run.simulation->replay->state->fences_reached,
                      run.simulation->replay->state->fences_checked);
}
END_TEST

/* GP entries are counted from 0 in each channel, by the driver and by the device alike. */
START_TEST(a_new_channel_counts_its_entries_from_zero)
{
    const struct log_event *event = NULL;

    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 5));
    check_trace_channel_end(&trace, 7);
    check_trace_channel(&trace, 8);
    CHECK_TRACE_SUBMIT(&trace, 8, 1, RELEASE(2, 0, 9));
    run_with(NULL);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == EVENT_NV_RELEASE &&
            event_nv_release_of(&run.events[i]).value == 9)
            event = &run.events[i];
    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_release_of(event).gp_sequence, 0);
}
END_TEST

/* The front end must not take a new channel of the old number for the one whose context it has. */
START_TEST(a_new_channel_begins_with_an_empty_context)
{
    const struct nv_gpu *gpu;

    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_INC(1, 0x188, 1), 77);
    check_trace_channel_end(&trace, 7);
    check_trace_channel(&trace, 8);
    CHECK_TRACE_SUBMIT(&trace, 8, 1, PB_INC(1, 0x190, 1), 88);
    run_with(NULL);
    gpu = run.simulation->gpu;
    ck_assert_uint_eq(nv_fe_shadow(&gpu->fe, 1, 0x190), 88);
    ck_assert_uint_eq(nv_fe_shadow(&gpu->fe, 1, 0x188), 0);
}
END_TEST

/* The old one's context was in memory: the front end had loaded another's. */
START_TEST(a_new_channel_finds_nothing_in_the_memory_of_the_old_one)
{
    const struct nv_gpu *gpu;

    check_trace_channel(&trace, 9);
    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_INC(1, 0x188, 1), 77);
    check_trace_wait(&trace, 7, 1, TRACE_WAIT_CALL);
    CHECK_TRACE_SUBMIT(&trace, 9, 3, PB_INC(1, 0x188, 1), 99);
    check_trace_wait(&trace, 9, 2, TRACE_WAIT_CALL);
    check_trace_channel_end(&trace, 7);
    check_trace_channel(&trace, 8);
    CHECK_TRACE_SUBMIT(&trace, 8, 1, PB_INC(1, 0x190, 1), 88);
    run_with(NULL);
    gpu = run.simulation->gpu;
    ck_assert_uint_eq(nv_fe_shadow(&gpu->fe, 1, 0x190), 88);
    ck_assert_uint_eq(nv_fe_shadow(&gpu->fe, 1, 0x188), 0);
    for (uint32_t n = 0, bindings = 0; n < run.event_count; n++) {
        bindings += run.events[n].kind == EVENT_NV_CHANNEL_BIND;
        if (run.events[n].kind == EVENT_NV_CHANNEL_LOAD && bindings == 3) {
            ck_assert_uint_eq(event_nv_channel_load_of(&run.events[n]).channel_id,
                              0); /* the old one's number, */
            ck_assert_uint_eq(event_nv_channel_load_of(&run.events[n]).gp_get_index,
                              0); /* a GP_GET of its own */
            break;
        }
    }
}
END_TEST

static uint64_t bytes_free(const struct extents *extents)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < extents->count; i++)
        bytes += extents->free[i].size_bytes;
    return bytes;
}

/* _i 1: while it is at work. */
START_TEST(a_channel_that_goes_is_saved_then_unbound_then_its_memory_is_given_back)
{
    const struct log_event *unbind, *save;
    const struct nouveau_state *state;
    struct address_space_range where;
    uint64_t vram, sysmem, contiguous;

    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_IMMD(0, 0x19d0, 1), RELEASE(2, 0, 5));
    if (_i == 0)
        check_trace_wait(&trace, 7, 1, TRACE_WAIT_CALL);
    check_trace_channel_end(&trace, 7);
    for (uint32_t i = 0; i < 3; i++) {
        check_trace_channel(&trace, 8);
        CHECK_TRACE_SUBMIT(&trace, 8, 1, RELEASE(2, 0, 6));
        check_trace_channel_end(&trace, 8);
    }
    run_with(NULL);
    state = run.simulation->nouveau->state;
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_PREEMPT, CHECK_ANY_RULE), 4);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_BIND_ERROR, CHECK_ANY_RULE), 0);
    for (uint32_t i = 0; i < 4; i++) {
        save = check_simulation_event(&run, EVENT_NV_CHANNEL_SAVE, i);
        unbind = check_simulation_event(&run, EVENT_NV_CHANNEL_UNBIND, i);
        ck_assert(save && unbind && save < unbind);
        /* The same memory again: it had been given back. */
        ck_assert_uint_eq(
            event_nv_channel_bind_of(check_simulation_event(&run, EVENT_NV_CHANNEL_BIND, i))
                .instance_address,
            event_nv_channel_bind_of(check_simulation_event(&run, EVENT_NV_CHANNEL_BIND, 0))
                .instance_address);
    }
    ck_assert(!address_space_translate(&run.simulation->machine->spaces, state->space_ids[0],
                                       nouveau_buffer_va(0), &where, &contiguous));
    /* Nothing is missing: a run without any channel has as much left. */
    vram = bytes_free(&state->vram);
    sysmem = bytes_free(&state->sysmem);
    check_simulation_end(&run);
    replay_input_free(input);
    check_trace_begin(&trace);
    for (uint32_t handle = 1; handle <= 3; handle++)
        check_trace_map(&trace, handle);
    run_with(NULL);
    ck_assert_uint_eq(vram, bytes_free(&run.simulation->nouveau->state->vram));
    ck_assert_uint_eq(sysmem, bytes_free(&run.simulation->nouveau->state->sysmem));
}
END_TEST

START_TEST(a_fault_is_reported_and_cleared)
{
    const struct log_event *event;
    uint32_t reports = 0;

    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_INC(0, 0x10, 4), 0, 0x7000000, 1, 0x01100002);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 1);
    for (uint32_t i = 0; (event = check_simulation_event(&run, EVENT_DRIVER_ERROR, i)); i++)
        reports += event_driver_error_of(event).intr_bits == 1u << 28;
    ck_assert_uint_eq(reports, 1);
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x2100) & 1u << 28, 0);
}
END_TEST

/* ---- submissions ----------------------------------------------------------------------------- */

/* NOUVEAU.FENCE, NOUVEAU.KICK */
START_TEST(each_submission_ends_in_a_fence_and_each_entry_is_kicked)
{
    const struct log_event *fence;

    for (uint32_t i = 1; i <= 3; i++)
        check_trace_submit(&trace, 7, 1, (const uint32_t[]){RELEASE(2, 0, 5)}, 5, i);
    check_trace_submit(&trace, 7, 3, (const uint32_t[]){0}, 1, 0);
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_FENCE, RULE_NOUVEAU_FENCE), 3);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_KICK, RULE_NOUVEAU_KICK), 9);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_DOORBELL, RULE_NV_DOORBELL), 9);
    fence = check_simulation_event(&run, EVENT_DRIVER_FENCE, 2);
    ck_assert_uint_eq(event_driver_fence_of(fence).value, 3);
    ck_assert_int_eq(fence->origin, ORIGIN_MODELLED);
    ck_assert_uint_eq(word_at(event_driver_fence_of(fence).address), 3);
    ck_assert_uint_gt(word_at(event_driver_fence_of(fence).address + 8), 0);
}
END_TEST

static const struct simulation_setting small_ring = {"nouveau.ring_entries", "8"};
static const struct simulation_options small_ring_options = {.parameters = &small_ring,
                                                             .parameter_count = 1};

/* NV.RING */
START_TEST(a_full_ring_delays_the_submission)
{
    for (uint32_t i = 0; i < 6; i++)
        check_trace_submit(&trace, 7, 1, (const uint32_t[]){RELEASE(2, 0, 5)}, 5, 4);
    run_with(&small_ring_options);
    ck_assert_uint_ge(check_simulation_count(&run, EVENT_WAIT, RULE_NV_RING), 1);
    golden_log_check_events(run.events, run.event_count, "rule_nv_ring.events");
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_FENCE, CHECK_ANY_RULE), 6);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_GP_FETCH, RULE_NV_ORDER), 30);
    ck_assert_uint_eq(run.simulation->replay->state->fences_reached,
                      run.simulation->replay->state->fences_checked);
}
END_TEST

/* The channel is dead, so the ring stays full: the run ends and says what still waits. */
START_TEST(a_ring_that_never_empties_does_not_run_for_ever)
{
    struct gfe_error error = {0};
    struct simulation *simulation;
    uint32_t tries = 0;

    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_IMMD(0, 0x04, 0)); /* ILLEGAL */
    for (uint32_t i = 0; i < 4; i++)
        check_trace_submit(&trace, 7, 3, (const uint32_t[]){RELEASE(2, 0, 5)}, 5, 4);
    input = check_trace_end(&trace);
    simulation = check_simulation_new(input, &small_ring_options);
    while (machine_step(simulation->machine))
        ck_assert_uint_lt(++tries, FENCE_TRIES);
    ck_assert(check_simulation_finish(&run, simulation, &error));
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, RULE_NV_RING), 1);
}
END_TEST

START_TEST(a_submission_longer_than_the_ring_is_an_error_of_the_trace)
{
    struct gfe_error error = {0};

    check_trace_submit(&trace, 7, 1, (const uint32_t[]){RELEASE(2, 0, 5)}, 5, 7);
    input = check_trace_end(&trace);
    ck_assert(
        !check_simulation_finish(&run, check_simulation_new(input, &small_ring_options), &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "ring") != NULL, "%s", error.text);
}
END_TEST

/* NOUVEAU.LOCK */
START_TEST(submissions_of_two_threads_take_turns)
{
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 5));
    trace.thread_id = 2;
    CHECK_TRACE_SUBMIT(&trace, 7, 3, RELEASE(2, 4, 6));
    run_with(NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT, RULE_NOUVEAU_LOCK), 1);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2)), 5);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2) + 4), 6);
}
END_TEST

/* GFE.UNMAP: also when another thread's submission is still on its way into the ring. */
START_TEST(memory_goes_only_when_every_submission_is_through)
{
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 5));
    trace.thread_id = 2;
    trace.time_ns = 100;
    check_trace_unmap(&trace, 1);
    run_with(NULL);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2)), 5);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_CPU_WAIT_END, RULE_GFE_UNMAP), 1);
}
END_TEST

START_TEST(a_channel_goes_only_when_every_submission_is_through)
{
    trace.thread_id = 3;
    CHECK_TRACE_SUBMIT(&trace, 7, 3, RELEASE(2, 4, 6));
    trace.thread_id = 1;
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(2, 0, 5));
    trace.thread_id = 2;
    trace.time_ns = 100;
    check_trace_channel_end(&trace, 7);
    run_with(NULL);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2)), 5);
    ck_assert_uint_eq(word_at(CHECK_TRACE_BUFFER(2) + 4), 6);
}
END_TEST

/* ---- what makes no sense --------------------------------------------------------------------- */

static void bad_push(void)
{
    check_trace_submit(&trace, 7, 44, (const uint32_t[]){0}, 1, 1);
}

static void bad_channel(void)
{
    CHECK_TRACE_SUBMIT(&trace, 6, 1, 0);
}

static void bad_unmap(void)
{
    check_trace_unmap(&trace, 44);
}

static void bad_twice(void)
{
    check_trace_map(&trace, 1);
}

static void bad_channel_twice(void)
{
    check_trace_channel(&trace, 7);
}

static void bad_channel_end(void)
{
    check_trace_channel_end(&trace, 44);
}

static void (*const bad_traces[])(void) = {bad_push,  bad_channel,       bad_unmap,
                                           bad_twice, bad_channel_twice, bad_channel_end};

START_TEST(a_recording_that_makes_no_sense_is_refused_with_a_message)
{
    struct gfe_error error = {0};

    bad_traces[_i]();
    input = check_trace_end(&trace);
    ck_assert(!check_simulation_finish(&run, check_simulation_new(input, NULL), &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_uint_gt(strlen(error.text), 20);
}
END_TEST

static const struct {
    uint64_t va, size_bytes;
} far_maps[] = {{UINT64_C(1) << 40, 0x1000},
                {(UINT64_C(1) << 40) - 0x1000, 0x2000},
                {UINT64_C(1) << 49, 0x1000},
                {0x200000000, UINT64_MAX - 0xfff}};

START_TEST(memory_beyond_40_bits_is_refused_in_words)
{
    struct gfe_error error = {0};

    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                                  .as_map = {.va = far_maps[_i].va,
                                                             .size_bytes = far_maps[_i].size_bytes,
                                                             .handle = 44,
                                                             .aperture = TRACE_APERTURE_VRAM}});
    input = check_trace_end(&trace);
    ck_assert(!check_simulation_finish(&run, check_simulation_new(input, NULL), &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "40 bits") != NULL, "%s", error.text);
}
END_TEST

Suite *nouveau_suite(void)
{
    Suite *suite = suite_create("nouveau");
    TCase *channels = tcase_create("channels");
    TCase *submissions = tcase_create("submissions");

    tcase_add_checked_fixture(channels, setup, teardown);
    tcase_add_test(channels, the_ramfc_is_the_one_of_the_real_driver);
    tcase_add_test(channels, every_channel_is_alone_in_a_tsg_of_timeslice_128_shifted_by_3);
    tcase_add_test(channels, a_new_channel_does_not_take_the_old_ones_fence_for_its_own);
    tcase_add_test(channels, a_new_channel_counts_its_entries_from_zero);
    tcase_add_test(channels, a_new_channel_begins_with_an_empty_context);
    tcase_add_test(channels, a_new_channel_finds_nothing_in_the_memory_of_the_old_one);
    tcase_add_loop_test(
        channels, a_channel_that_goes_is_saved_then_unbound_then_its_memory_is_given_back, 0, 2);
    tcase_add_test(channels, a_fault_is_reported_and_cleared);
    suite_add_tcase(suite, channels);
    tcase_add_checked_fixture(submissions, setup, teardown);
    tcase_add_test(submissions, each_submission_ends_in_a_fence_and_each_entry_is_kicked);
    tcase_add_test(submissions, a_full_ring_delays_the_submission);
    tcase_add_test(submissions, a_ring_that_never_empties_does_not_run_for_ever);
    tcase_add_test(submissions, a_submission_longer_than_the_ring_is_an_error_of_the_trace);
    tcase_add_test(submissions, submissions_of_two_threads_take_turns);
    tcase_add_test(submissions, memory_goes_only_when_every_submission_is_through);
    tcase_add_test(submissions, a_channel_goes_only_when_every_submission_is_through);
    tcase_add_loop_test(submissions, a_recording_that_makes_no_sense_is_refused_with_a_message, 0,
                        sizeof bad_traces / sizeof bad_traces[0]);
    tcase_add_loop_test(submissions, memory_beyond_40_bits_is_refused_in_words, 0,
                        sizeof far_maps / sizeof far_maps[0]);
    suite_add_tcase(suite, submissions);
    return suite;
}
