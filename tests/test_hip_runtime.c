/* SPDX-License-Identifier: MIT */
/*
 * The HIP runtime's model above driver, firmware and GPU: which stream gets which queue, what is in
 * rings, and how a thread learns that its kernel is complete.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_cu_mask.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_hip.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define MS UINT64_C(1000000000)

static struct check_hip check;
static char text[1 << 14];

/* A configuration of plugins, each a block of one wave and `more`, where a %u is its number. */
static const char *plugins(uint32_t count, const char *head, const char *more)
{
    int at = snprintf(text, sizeof text, "{\"name\": \"n\"%s, \"plugins\": [", head);

    for (uint32_t i = 0; i < count; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "%s{\"filename\": \"matrix_multiply.so\", \"thread_count\": 64, "
                       "\"block_count\": 1%s}",
                       i ? ", " : "", more);
        ck_assert_int_lt(at, (int)sizeof text - 4);
    }
    strcat(text, "]}");
    return text;
}
#define ONCE ", \"max_iterations\": 1"

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&check.log, kind);
}

static uint32_t count_rule(uint32_t kind, uint32_t rule)
{
    return check_machine_count_rule(&check.log, kind, rule);
}

/* Number among its process's of the queue that a stream has got. */
static uint64_t queue_of(uint32_t stream)
{
    return event_hip_queue_of(check_hip_find(&check, EVENT_HIP_QUEUE, stream, 0)).hsa_queue_index;
}

/* ---- which queue ----------------------------------------------------------------------------- */

/* As recordings of HIP 5.2.3 and 5.7.1 count them: one of ROCr's own, and streams and NULL stream
 * in queues up to GPU_MAX_HW_QUEUES; streams are spread evenly. */
static const struct {
    uint32_t streams;
    const char *settings[3];
    uint32_t queues, least, most; /* queues in all; streams of a queue that any uses */
} counted[] = {
    {1, {NULL}, 3, 1, 1},
    {2, {NULL}, 4, 1, 1},
    {3, {NULL}, 5, 1, 1},
    {4, {NULL}, 5, 1, 1},
    {5, {NULL}, 5, 1, 2},
    {8, {NULL}, 5, 2, 2},
    {16, {NULL}, 5, 4, 4},
    {32, {NULL}, 5, 8, 8},
    {16, {"hip.max_hw_queues=1"}, 2, 16, 16},
    {16, {"hip.max_hw_queues=2"}, 3, 8, 8},
    {16, {"hip.max_hw_queues=8"}, 9, 2, 2},
    {16, {"hip.max_hw_queues=16"}, 17, 1, 1},
    {1, {"hip.initial_queues=0"}, 2, 1, 1},
    {4, {"hip.initial_queues=0"}, 5, 1, 1},
    {16, {"hip.initial_queues=0"}, 5, 4, 4},
    {9, {"hip.max_hw_queues=0"}, 11, 1, 1},
};

/* PROMISE (drivers): The HIP model makes as many queues as recordings of HIP 5.2.3 and 5.7.1
 * have. */
START_TEST(queues_are_as_many_as_recorded)
{
    uint32_t users[64] = {0}, least = UINT32_MAX, most = 0;

    check_hip_run(&check, plugins(counted[_i].streams, ONCE, ""), counted[_i].settings, 0);
    ck_assert_uint_eq(count(EVENT_KFD_QUEUE), counted[_i].queues);
    for (uint32_t i = 0; i < counted[_i].streams; i++)
        users[queue_of(i)]++;
    for (uint32_t i = 0; i < 64; i++) {
        least = users[i] && users[i] < least ? users[i] : least;
        most = users[i] > most ? users[i] : most;
    }
    ck_assert_uint_eq(least, counted[_i].least);
    ck_assert_uint_eq(most, counted[_i].most);
    ck_assert_uint_eq(count_rule(EVENT_HIP_QUEUE, RULE_A_Q2), counted[_i].streams);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), counted[_i].streams);
    check_hip_end(&check);
}
END_TEST

/* PROMISE (drivers): Rule A.Q2: streams share the least used queue. */
START_TEST(the_least_used_queue_is_shared_of_several_the_oldest)
{
    /* 0 is the runtime's, 1 is there from the beginning and has a user, the program itself. */
    static const uint32_t given[9] = {2, 3, 4, 1, 2, 3, 4, 1, 2};

    check_hip_run(&check, plugins(9, ONCE, ""), NULL, 0);
    for (uint32_t i = 0; i < 9; i++) {
        ck_assert_uint_eq(queue_of(i), given[i]);
        ck_assert_uint_eq(
            event_hip_queue_of(check_hip_find(&check, EVENT_HIP_QUEUE, i, 0)).user_count, i < 3 ? 1
                                                                                          : i < 7
                                                                                              ? 2
                                                                                              : 3);
    }
    check_hip_end(&check);
}
END_TEST

#define STREAM(more)                                                                               \
    "{\"filename\": \"matrix_multiply.so\", \"thread_count\": 64, \"block_count\": 1" more "}"
#define MASK(digits) ", \"compute_unit_mask\": \"" digits "\""
#define PRIORITY(n)  ", \"stream_priority\": " #n

/* A pool for each priority; masked ones are in none. */
START_TEST(masks_and_priorities_get_queues_of_their_own)
{
    static const char *const settings[] = {"hip.max_hw_queues=1", NULL};
    static const uint32_t queues[] = {1, 2, 3, 3, 4, 5, 1, 4};
    static const uint32_t priorities[] = {7, 7, 15, 15, 0, 7, 7, 0};

    check_hip_run(
        &check,
        "{\"name\": \"n\"" ONCE
        ", \"plugins\": [" STREAM("") ", " STREAM(MASK("01")) ", " STREAM(PRIORITY(-1)) ", " STREAM(PRIORITY(
            -1)) ", " STREAM(PRIORITY(1)) ", " STREAM(MASK("01")) ", " STREAM("") ", " STREAM(PRIORITY(1)) "]}",
        settings, 0);
    for (uint32_t i = 0; i < 8; i++) {
        const struct event_hip_queue event =
            event_hip_queue_of(check_hip_find(&check, EVENT_HIP_QUEUE, i, 0));
        const struct kfd_queue *queue =
            &check.node.kfd->state
                 ->queues[hip_runtime_queue_of(&check.threads.runtime, i)->kfd_queue];

        ck_assert_uint_eq(event.hsa_queue_index, queues[i]);
        ck_assert_uint_eq(event.priority, priorities[i]);
        ck_assert_uint_eq(queue->mqd.priority, priorities[i]);
        ck_assert_uint_eq(event.has_mask, i == 1 || i == 5);
    }
    check_hip_end(&check);
}
END_TEST

/* A.Q2: hip.max_hw_queues is four, of which one is there already. */
START_TEST(a_log_of_streams_on_queues)
{
    check_hip_run(&check,
                  "{\"name\": \"n\"" ONCE ", \"plugins\": [" STREAM("") ", " STREAM("") ", " STREAM(
                      "") ", " STREAM("") ", " STREAM(MASK("0001")) ", " STREAM("") "]}",
                  NULL, 0);
    golden_log_check(&check.log, "rule_a_q2.events");
    check_hip_end(&check);
}
END_TEST

/* ---- masks ----------------------------------------------------------------------------------- */

/* A.M2: the queue has its mask before anything is launched, and keeps it. */
/* PROMISE (drivers): Rule A.M2: a CU mask is set once, before the first launch. */
START_TEST(a_mask_is_set_once_before_the_first_launch)
{
    const uint32_t mask[1] = {0x65};
    uint32_t engines[AMD_SHADER_ENGINES_MAX];

    check_hip_run(&check,
                  "{\"name\": \"n\", \"max_iterations\": 3, \"plugins\": [" STREAM(
                      MASK("10100110")) ", " STREAM("") "]}",
                  NULL, 0);
    ck_assert_uint_eq(count(EVENT_KFD_QUEUE_CHANGE), 1);
    ck_assert_uint_eq(count_rule(EVENT_HIP_CU_MASK, RULE_A_M2), 1);
    ck_assert_uint_eq(event_hip_cu_mask_of(check_hip_find(&check, EVENT_HIP_CU_MASK, 0, 0)).mask_lo,
                      0x65);
    ck_assert_uint_lt(check_machine_event(&check.log, EVENT_KFD_QUEUE_CHANGE, 0)->time_ps,
                      check_hip_find(&check, EVENT_HIP_SUBMIT, 0, 0)->time_ps);
    ck_assert_uint_eq(kfd_cu_mask_split(check.node.gpu.mec.chip, mask, 8, engines), 4);
    for (uint32_t i = 0, masked = 0; i < check.log.event_count; i++) {
        const struct log_event *event = &check.log.events[i];

        if (event->kind != EVENT_AMD_DISPATCH || event->rule != RULE_A_M1)
            continue;
        /* Two shader engines in each word, 16 CUs each. */
        for (uint32_t engine = 0; engine < 4; engine++)
            ck_assert_uint_eq(event_amd_dispatch_of(event).cu_mask_lo >> 16 * engine & 0xffff,
                              engines[engine]);
        ck_assert_uint_le(++masked, 3);
    }
    ck_assert_uint_eq(count_rule(EVENT_AMD_DISPATCH, RULE_A_M1), 3);
    check_hip_end(&check);
}
END_TEST

START_TEST(a_log_of_a_stream_with_a_mask)
{
    static const char *const settings[] = {"hip.utility_queues=0", "hip.initial_queues=0", NULL};

    check_hip_run(
        &check, "{\"name\": \"n\", \"max_iterations\": 2, \"plugins\": [" STREAM(MASK("0001")) "]}",
        settings, 0);
    golden_log_check(&check.log, "rule_a_m2.events");
    check_hip_end(&check);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------- */

/* A.Q3: two streams in one queue: barrier bits keep the one behind the other. */
/* PROMISE (drivers): Rule A.Q3: streams in one queue wait for each other. */
START_TEST(streams_in_one_queue_wait_for_each_other)
{
    static const char *const settings[] = {"hip.max_hw_queues=1", "hip.utility_queues=0", NULL};

    check_hip_run(&check,
                  "{\"name\": \"n\"" ONCE ", \"plugins\": [" STREAM("") ", " STREAM("") "]}",
                  settings, 0);
    ck_assert_uint_eq(queue_of(0), queue_of(1));
    ck_assert_uint_eq(
        event_amd_launch_of(check_machine_event(&check.log, EVENT_AMD_LAUNCH, 1)).packet_index, 2);
    ck_assert_uint_gt(check_machine_event(&check.log, EVENT_GRID_QUEUE, 1)->time_ps,
                      check_machine_event(&check.log, EVENT_GRID_END, 0)->time_ps);
    /* Each barrier packet waits for its kernel; the second kernel is behind the first one. */
    ck_assert_uint_eq(count_rule(EVENT_WAIT, RULE_A_Q3), 2);
    golden_log_check(&check.log, "hip_shared_queue.events");
    check_hip_end(&check);
}
END_TEST

START_TEST(streams_in_queues_of_their_own_run_side_by_side)
{
    check_hip_run(&check, plugins(2, ONCE, ""), NULL, 0);
    ck_assert_uint_lt(check_machine_event(&check.log, EVENT_GRID_QUEUE, 1)->time_ps,
                      check_machine_event(&check.log, EVENT_GRID_END, 0)->time_ps);
    check_hip_end(&check);
}
END_TEST

/* ---- waiting --------------------------------------------------------------------------------- */

/* What a launch costs alone: of the 30 us that were measured none is lost or counted twice. */
/* PROMISE (drivers): A launch through packets costs what was measured of it. */
START_TEST(a_launch_costs_what_was_measured)
{
    const struct log_event *end, *back;

    check_hip_run(&check,
                  "{\"name\": \"n\"" ONCE ", \"plugins\": [{\"filename\": \"matrix_multiply.so\", "
                  "\"thread_count\": 1024, \"block_count\": 20" MASK("1") "}]}",
                  NULL, 0);
    end = check_machine_event(&check.log, EVENT_GRID_END, 0);
    back = check_machine_event(&check.log, EVENT_HIP_RETURN, 0);
    ck_assert_uint_gt(event_grid_end_of(end).queued_ps, 0);
    ck_assert_uint_eq(event_hip_return_of(back).response_ps -
                          (end->time_ps - event_grid_end_of(end).queued_ps),
                      30 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_hip_return_of(back).slept, 1);
    check_hip_end(&check);
}
END_TEST

static const struct {
    const char *active_wait;
    uint64_t slept, behind_ps; /* from the signal to the return */
} waits[] = {
    {"hip.active_wait_ps=0", 1, 10000000},
    {"hip.active_wait_ps=1000000000000", 0, 1000000},
};

START_TEST(a_thread_polls_and_then_sleeps)
{
    const char *const settings[] = {waits[_i].active_wait, NULL};
    const struct log_event *back;

    check_hip_run(&check, plugins(1, ONCE, ""), settings, 0);
    back = check_machine_event(&check.log, EVENT_HIP_RETURN, 0);
    ck_assert_uint_eq(event_hip_return_of(back).slept, waits[_i].slept);
    ck_assert_uint_eq(back->time_ps - check_machine_event(&check.log, EVENT_AMD_SIGNAL, 0)->time_ps,
                      waits[_i].behind_ps);
    check_hip_end(&check);
}
END_TEST

/* An interrupt that comes when its thread has seen the signal wakes nobody. */
START_TEST(a_late_interrupt_is_for_nobody)
{
    /* The signal comes within 350 us, the interrupt behind them. */
    static const char *const settings[] = {"hip.active_wait_ps=350000000", "hip.poll_ps=50000000",
                                           "amdgpu.interrupt_ps=40000000", NULL};

    check_hip_run(&check, plugins(1, ", \"max_iterations\": 30", ""), settings, 0);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), 30);
    ck_assert_uint_eq(count(EVENT_HIP_LAUNCH), 30);
    for (uint32_t i = 0, polled = 0; i < 30; i++) {
        polled +=
            event_hip_return_of(check_machine_event(&check.log, EVENT_HIP_RETURN, i)).slept == 0;
        ck_assert(i < 29 || (polled > 0 && polled < 30));
    }
    check_hip_end(&check);
}
END_TEST

/* By packets and signals as ROCclr writes them; the ring of 4,096 packets comes round. */
START_TEST(packets_are_a_dispatch_and_a_barrier_for_each_launch)
{
    enum { LAUNCHES = 2100 };
    uint64_t address = 0;

    check_hip_run(&check,
                  "{\"name\": \"n\", \"max_iterations\": 2100, \"plugins\": [" STREAM("") "]}",
                  NULL, 0);
    ck_assert_uint_eq(count(EVENT_HIP_SUBMIT), 2 * LAUNCHES);
    ck_assert_uint_eq(count(EVENT_AMD_SIGNAL), LAUNCHES);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), LAUNCHES);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 0);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        const struct event_amd_launch launch =
            event_amd_launch_of(check_machine_event(&check.log, EVENT_AMD_LAUNCH, i));
        const struct event_hip_return back =
            event_hip_return_of(check_machine_event(&check.log, EVENT_HIP_RETURN, i));

        /* What HIP_RETURN names is the kernel's packet. */
        ck_assert_uint_eq(launch.doorbell_index, back.doorbell_index);
        ck_assert_uint_eq(launch.packet_index, back.packet_index);
        ck_assert_uint_eq(back.packet_index, 2 * i);
        address = launch.kernel_address;
    }
    ck_assert_uint_eq(address, check.threads.state->threads[0].kernel_address);
    check_hip_end(&check);
}
END_TEST

static void read_memory(uint64_t address, void *data, size_t bytes)
{
    uint64_t fault;

    ck_assert(machine_vm_read(check.machine, check.threads.state->threads[0].space_id, address,
                              data, bytes, &fault));
}

/* What a debugger would find in the program's memory, by the offsets of ROCr's headers. */
START_TEST(rings_queues_and_signals_are_in_memory)
{
    const struct hip_queue *queue;
    uint64_t words[4], indices[2], ring;
    uint32_t packet[16], size;

    check_hip_run(&check, plugins(1, ", \"max_iterations\": 3", ""), NULL, 0);
    queue = hip_runtime_queue_of(&check.threads.runtime, 0);
    read_memory(queue->address + 0x8, &ring, sizeof ring);
    read_memory(queue->address + 0x18, &size, sizeof size);
    read_memory(queue->address + 0x38, &indices[0], 8);
    read_memory(queue->address + 0x80, &indices[1], 8);
    ck_assert_uint_eq(size, 4096);
    ck_assert_uint_eq(indices[0], 6);
    ck_assert_uint_eq(indices[1], 6);
    /* Packets that are done, and such as never were, are invalid. */
    for (uint32_t i = 0; i < size; i++) {
        read_memory(ring + i * UINT64_C(64), packet, sizeof packet);
        ck_assert_uint_eq(packet[0] & 0xff, 1);
        ck_assert_uint_eq(packet[8], i < 6 && i % 2 == 0
                                         ? (uint32_t)check.threads.state->threads[0].kernel_address
                                         : 0);
    }
    /* amd_signal_t: kind, value, mailbox, event; and the mailbox. */
    read_memory(event_hip_submit_of(check_hip_find(&check, EVENT_HIP_SUBMIT, 0, 1)).address, words,
                sizeof words);
    ck_assert_uint_eq(words[0], 1);
    ck_assert_uint_eq(words[1], 0);
    ck_assert_uint_eq(words[3], 1);
    ck_assert_uint_lt(words[2],
                      event_hip_submit_of(check_hip_find(&check, EVENT_HIP_SUBMIT, 0, 1)).address);
    read_memory(words[2], words, 8);
    ck_assert_uint_eq(words[0], 1);
    check_hip_end(&check);
}
END_TEST

/* ---- the driver's limits --------------------------------------------------------------------- */

#define EACH_ITS_MASK ", \"compute_unit_mask\": \"1111\""

/* A.H2: 33 streams with masks on 24 slots, or on 32. */
/* PROMISE (drivers): 33 masked streams take turns on fewer slots. */
START_TEST(more_masked_streams_than_slots_take_turns)
{
    static const char *const slots[2][2] = {{"kfd.num_kcq=8", NULL}, {"kfd.num_kcq=0", NULL}};

    check_hip_run(&check, plugins(33, ", \"max_iterations\": 60", EACH_ITS_MASK), slots[_i], 0);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 1);
    ck_assert_uint_eq(
        event_kfd_oversubscribed_of(check_machine_event(&check.log, EVENT_KFD_OVERSUBSCRIBED, 0))
            .slot_count,
        _i ? 32 : 24);
    ck_assert_uint_ge(count_rule(EVENT_HWS_PREEMPT, RULE_A_H2), _i ? 32 : 24);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), 33 * 60);
    check_hip_end(&check);
}
END_TEST

START_TEST(as_many_as_slots_do_not)
{
    /* With the two queues of the runtime's 24. */
    check_hip_run(&check, plugins(22, ", \"max_iterations\": 20", EACH_ITS_MASK), NULL, 0);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 0);
    ck_assert_uint_eq(count_rule(EVENT_HWS_PREEMPT, RULE_A_H2), 0);
    check_hip_end(&check);
}
END_TEST

/* A.H3: a stream with a mask cannot do without a queue; others can, after rings of 4,096 to 64
 * packets were asked for. */
START_TEST(a_queue_that_the_driver_refuses)
{
    static const char *const settings[] = {"kfd.sched_policy=no_oversubscription",
                                           "hip.max_hw_queues=100", NULL};

    check_hip_try(&check, plugins(23, ONCE, EACH_ITS_MASK), settings, 0);
    ck_assert(machine_failed(check.machine));
    ck_assert_int_eq(check.machine->error.kind, ERROR_INPUT);
    ck_assert_str_eq(
        check.machine->error.text,
        "plugins[22]: its stream cannot be made: the kernel driver answers EPERM for a queue");
    ck_assert_uint_eq(count_rule(EVENT_KFD_REFUSED, RULE_A_H3), 7);
    check_hip_end(&check);
    check_hip_run(&check, plugins(26, ONCE, ""), settings, 0);
    ck_assert_uint_eq(count_rule(EVENT_KFD_REFUSED, RULE_A_H3), 4 * 7);
    ck_assert_uint_eq(count(EVENT_KFD_QUEUE), 24);
    for (uint32_t i = 0; i < 26; i++) /* 0 is the runtime's own */
        ck_assert_uint_eq(queue_of(i), i < 22 ? i + 2 : i - 22 + 1);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), 26);
    check_hip_end(&check);
}
END_TEST

/* Processes have a pool each, and VMIDs; of nine, eight are on at a time. */
START_TEST(processes_share_nothing)
{
    const uint32_t processes = _i ? 9 : 3;

    check_hip_run(&check,
                  plugins(processes, ", \"use_processes\": true, \"max_iterations\": 30", ""), NULL,
                  0);
    for (uint32_t i = 0; i < processes; i++) {
        ck_assert_uint_eq(queue_of(i), 2);
        ck_assert_uint_eq(
            event_hip_queue_of(check_hip_find(&check, EVENT_HIP_QUEUE, i, 0)).process_index, i);
        for (uint32_t other = 0; other < i; other++)
            ck_assert_uint_ne(check.threads.state->threads[i].space_id,
                              check.threads.state->threads[other].space_id);
    }
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), processes * 30);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), _i ? 1 : 0);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 0);
    check_hip_end(&check);
}
END_TEST

/* The driver loads slots itself. */
START_TEST(without_the_firmware)
{
    static const char *const settings[] = {"kfd.sched_policy=no_hws", NULL};

    check_hip_run(&check, plugins(6, ", \"max_iterations\": 5", EACH_ITS_MASK), settings, 0);
    ck_assert_uint_eq(count(EVENT_HWS_MAP), 0);
    ck_assert_uint_eq(count(EVENT_HIP_RETURN), 30);
    check_hip_end(&check);
}
END_TEST

/* ---- snapshots ------------------------------------------------------------------------------- */

/* From any place on, a machine that was restored goes on as it did. */
/* PROMISE (drivers): A HIP run that is restored anywhere goes on as it did. */
START_TEST(what_is_restored_goes_on_alike)
{
    const char *config = plugins(3, ", \"max_iterations\": 4", "");
    char whole[65], again[65];
    struct gfe_error error = {0};

    ck_assert(check_hip_wire(&check, config, NULL, 1, &error));
    for (uint32_t i = 0; i < 1 + (uint32_t)_i * 37 && machine_step(check.machine); i++)
        continue;
    struct machine_snapshot *snapshot = machine_take(check.machine);

    ck_assert_ptr_nonnull(snapshot);
    ck_assert(machine_run(check.machine, GFE_PS_NEVER));
    ck_assert(machine_hash(check.machine, whole));
    ck_assert(machine_restore(check.machine, snapshot));
    ck_assert(machine_run(check.machine, GFE_PS_NEVER));
    ck_assert(machine_hash(check.machine, again));
    ck_assert_str_eq(whole, again);
    machine_snapshot_free(snapshot);
    check_hip_end(&check);
}
END_TEST

Suite *hip_runtime_suite(void)
{
    Suite *suite = suite_create("hip_runtime");
    TCase *tcase = tcase_create("runtime");

    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, queues_are_as_many_as_recorded, 0,
                        sizeof counted / sizeof counted[0]);
    tcase_add_test(tcase, the_least_used_queue_is_shared_of_several_the_oldest);
    tcase_add_test(tcase, masks_and_priorities_get_queues_of_their_own);
    tcase_add_test(tcase, a_log_of_streams_on_queues);
    tcase_add_test(tcase, a_mask_is_set_once_before_the_first_launch);
    tcase_add_test(tcase, a_log_of_a_stream_with_a_mask);
    tcase_add_test(tcase, streams_in_one_queue_wait_for_each_other);
    tcase_add_test(tcase, streams_in_queues_of_their_own_run_side_by_side);
    tcase_add_test(tcase, a_launch_costs_what_was_measured);
    tcase_add_loop_test(tcase, a_thread_polls_and_then_sleeps, 0, sizeof waits / sizeof waits[0]);
    tcase_add_test(tcase, a_late_interrupt_is_for_nobody);
    tcase_add_test(tcase, packets_are_a_dispatch_and_a_barrier_for_each_launch);
    tcase_add_test(tcase, rings_queues_and_signals_are_in_memory);
    tcase_add_loop_test(tcase, more_masked_streams_than_slots_take_turns, 0, 2);
    tcase_add_test(tcase, as_many_as_slots_do_not);
    tcase_add_test(tcase, a_queue_that_the_driver_refuses);
    tcase_add_loop_test(tcase, processes_share_nothing, 0, 2);
    tcase_add_test(tcase, without_the_firmware);
    tcase_add_loop_test(tcase, what_is_restored_goes_on_alike, 0, 12);
    suite_add_tcase(suite, tcase);
    return suite;
}
