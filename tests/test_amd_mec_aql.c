/* SPDX-License-Identifier: MIT */
/* AQL packets: what each waits for and does; which of them stop their queue. */
/* PROMISE (amd): Each AQL packet waits for what the HSA standard says, does its work, and stops
 * its queue alone if it cannot be carried out. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_tables.h"
#include "tests/check_mec.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US

static struct check_mec mec;
static uint32_t packet[16];

static void setup(void)
{
    check_mec_begin(&mec);
    check_mec_load(&mec, 0, 0, true);
}

static void teardown(void)
{
    check_mec_end(&mec);
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&mec.log, kind);
}

static uint32_t waits(uint32_t rule)
{
    return check_machine_count_rule(&mec.log, EVENT_WAIT, rule);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    return check_machine_event(&mec.log, kind, n);
}

static void put64(uint32_t dword, uint64_t value)
{
    packet[dword] = (uint32_t)value;
    packet[dword + 1] = (uint32_t)(value >> 32);
}

static void submit(void)
{
    check_mec_aql(&mec, 0, packet, false);
}

static void submit_kernel(uint32_t blocks, uint64_t signal, bool barrier)
{
    check_mec_kernel(packet, blocks, signal, barrier);
    submit();
}

/* BARRIER_AND (3) or BARRIER_OR (5) for some of the signals 0 to 4. */
static void submit_barrier(uint32_t type, uint32_t signals, uint64_t completion)
{
    memset(packet, 0, sizeof packet);
    packet[0] = type;
    for (uint32_t i = 0; i < 5; i++)
        if (signals >> i & 1)
            put64(2 + 2 * i, MEC_SIGNAL(i));
    put64(14, completion);
    submit();
}

static void set_signal(uint32_t n, uint64_t value)
{
    check_mec_poke(&mec, MEC_SIGNAL(n) + 8, &value, sizeof value);
}

/* ---- kernel dispatches ----------------------------------------------------------------------- */

/* Workgroups are counted in all dimensions, and the last ones may be partial. */
START_TEST(a_grid_is_cut_into_workgroups)
{
    check_mec_kernel(packet, 1, 0, false);
    packet[1] = 16 | 4 << 16;
    packet[2] = 2;
    packet[3] = 33; /* 3 groups */
    packet[4] = 8;  /* 2 */
    packet[5] = 5;  /* 3 */
    packet[7] = 4096;
    submit();
    check_mec_run(&mec);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).block_count, 18);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).block_threads, 128);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).shared_bytes, 4096);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).registers, 24);
    ck_assert_uint_eq(event_amd_dispatch_of(event(EVENT_AMD_DISPATCH, 0)).wave_count,
                      2); /* waves of a group */
    ck_assert_uint_eq(event_amd_dispatch_of(event(EVENT_AMD_DISPATCH, 0)).sgpr_count, 32);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 18);
}
END_TEST

/* Without the barrier bit packets overlap; with it each waits for all in front (A.Q3). */
START_TEST(the_barrier_bit_waits_for_all_in_front)
{
    for (uint32_t i = 0; i < 4; i++)
        submit_kernel(1, 0, _i != 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(waits(RULE_A_Q3), _i != 0 ? 3 : 0);
    for (uint32_t i = 1; i < 4; i++)
        ck_assert_int_eq(
            event(EVENT_GRID_QUEUE, i)->time_ps > event(EVENT_GRID_END, i - 1)->time_ps, _i != 0);
    if (_i)
        golden_log_check(&mec.log, "rule_a_q3.events");
}
END_TEST

/* value - 1, times when they are wanted, the mailbox and an interrupt. */
START_TEST(a_completion_signal_is_decremented_and_wakes_who_sleeps)
{
    const uint32_t profiling = 1 << 3;
    const uint64_t mailbox = MEC_DATA, event_id = 42;

    check_mec_signal(&mec, 0, 7);
    check_mec_poke(&mec, MEC_SIGNAL(0) + 16, &mailbox, 8);
    check_mec_poke(&mec, MEC_SIGNAL(0) + 24, &event_id, 4);
    if (_i)
        check_mec_poke(&mec, MEC_PROGRAM(0) + 0xb4, &profiling, 4);
    submit_kernel(1, MEC_SIGNAL(0), false);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 6);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA), 42);
    ck_assert_uint_eq(mec.interrupt_count, 1);
    ck_assert_uint_eq(mec.interrupts[0], 181);
    ck_assert_uint_eq(event(EVENT_AMD_SIGNAL, 0)->time_ps - event(EVENT_GRID_END, 0)->time_ps, US);
    if (!_i) {
        ck_assert_uint_eq(check_mec_peek(&mec, MEC_SIGNAL(0) + 32), 0);
        return;
    }
    /* 25 MHz */
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_SIGNAL(0) + 32),
                      event(EVENT_AMD_LAUNCH, 0)->time_ps / 40000);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_SIGNAL(0) + 40),
                      event(EVENT_AMD_SIGNAL, 0)->time_ps / 40000);
}
END_TEST

struct released {
    uint64_t address[2];
    uint32_t value[2], count;
};

static void take_released(void *context, uint32_t space_id, uint64_t address, uint32_t value)
{
    struct released *released = context;

    ck_assert_uint_eq(space_id, mec.space_id);
    ck_assert_uint_lt(released->count, 2);
    released->address[released->count] = address;
    released->value[released->count++] = value;
}

/* In a page that is known or not, over its end, and while somebody waits for other memory. */
START_TEST(a_signal_is_decremented_alike_wherever_it_lies)
{
    const uint64_t page = MEC_SIGNAL(0), signal = _i == 1 ? page + MEMORY_PAGE_BYTES - 24 : page;
    const uint64_t value = 7, mailbox = MEC_DATA, event_id = 42;
    struct released released = {.count = 0};

    mec.machine->released = take_released;
    mec.machine->released_context = &released;
    check_mec_poke(&mec, signal + 8, &value, 8);
    check_mec_poke(&mec, signal + 16, &mailbox, 8);
    check_mec_poke(&mec, signal + 24, &event_id, 4);
    if (_i == 2)
        machine_watch(mec.machine, mec.gpu.mec.unit, UINT32_MAX, 0, MEMORY_VRAM, MEC_BYTES - 4);
    submit_kernel(1, signal, false);
    submit_barrier(3, 0, signal);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_peek(&mec, signal + 8), 5);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA), 42);
    ck_assert_uint_eq(mec.interrupt_count, 2);
    ck_assert_uint_eq(released.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct event_amd_signal down = event_amd_signal_of(event(EVENT_AMD_SIGNAL, i));

        ck_assert_uint_eq(released.address[i], signal + 8);
        ck_assert_uint_eq(released.value[i], 6 - i);
        ck_assert_uint_eq(down.doorbell_index, 1);   /* the doorbell */
        ck_assert_uint_eq(down.packet_index, 1 - i); /* the barrier is complete at once */
        ck_assert_uint_eq(down.signal_address, signal);
        ck_assert_uint_eq(down.value, 6 - i);
        ck_assert_uint_eq(down.event_id, 42);
    }
}
END_TEST

/* AMD.INVALID: the header is written last; the doorbell is rung before. */
START_TEST(an_invalid_header_stops_its_queue_until_it_is_written)
{
    uint32_t header = 2 | 1 << 16;

    check_mec_kernel(packet, 1, 0, false);
    packet[0] = 1;
    submit();
    submit_kernel(1, 0, false); /* the one behind it is whole */
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    ck_assert(amd_mec_busy(&mec.gpu.mec, 0));
    check_mec_pass(&mec);
    check_mec_poke(&mec, MEC_RING(0), &header, 4);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2 + 1);
    ck_assert_uint_eq(waits(RULE_AMD_INVALID), 1);
    ck_assert(!amd_mec_busy(&mec.gpu.mec, 0));
    golden_log_check(&mec.log, "rule_amd_invalid.events");
}
END_TEST

/* AMD.SCRATCH: the runtime is asked by the queue_inactive_signal, and clears it. */
START_TEST(a_kernel_waits_for_scratch_memory)
{
    const uint64_t signal = MEC_SIGNAL(3);
    uint32_t lane_bytes = 64;

    check_mec_signal(&mec, 3, 0);
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0xc0, &signal, 8);
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0xb0, &lane_bytes, 4);
    check_mec_kernel(packet, 1, 0, false);
    packet[6] = 100;
    submit();
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 3), 1);
    check_mec_pass(&mec);
    lane_bytes = 128;
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0xb0, &lane_bytes, 4);
    set_signal(3, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1 + 1);
    ck_assert_uint_eq(waits(RULE_AMD_SCRATCH), 1);
    golden_log_check(&mec.log, "rule_amd_scratch.events");
}
END_TEST

/* AMD.NO_CU */
START_TEST(a_queue_without_a_cu_waits_for_ever)
{
    for (uint32_t i = 0; i < 4; i++) {
        static const uint32_t mask[4] = {0xb858, 0xb85c, 0xb864, 0xb868};

        check_mec_set_reg(&mec, 0, mask[i], 0x8000); /* a CU that the product lacks */
    }
    submit_kernel(1, 0, false);
    check_mec_run(&mec);
    machine_finish(mec.machine);
    check_machine_read_log(&mec.log);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_WAIT_OPEN, RULE_AMD_NO_CU), 1);
    golden_log_check(&mec.log, "rule_amd_no_cu.events");
}
END_TEST

/* AMD.STOPPED: an agent dispatch is not for a GPU; the kernel behind it is never taken up. */
START_TEST(a_queue_that_is_stopped_says_what_is_left)
{
    memset(packet, 0, sizeof packet);
    packet[0] = 4;
    submit();
    submit_kernel(1, 0, false);
    check_mec_run(&mec);
    machine_finish(mec.machine);
    check_machine_read_log(&mec.log);
    ck_assert_uint_eq(count(EVENT_GRID_END), 0);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_WAIT_OPEN, RULE_AMD_STOPPED), 1);
    ck_assert_uint_eq(mec.machine->state->open_count, 1);
}
END_TEST

/* ---- barrier packets ------------------------------------------------------------------------- */

START_TEST(barrier_and_waits_for_all_of_its_signals)
{
    for (uint32_t i = 0; i < 5; i++)
        check_mec_signal(&mec, i, i == 1 || i == 3);
    check_mec_signal(&mec, 7, 1);
    submit_barrier(3, 0x1f, MEC_SIGNAL(7));
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    check_mec_pass(&mec);
    set_signal(1, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 1); /* of the other queue */
    set_signal(3, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
    ck_assert_uint_eq(waits(RULE_AMD_DEPENDS), 1);
    golden_log_check(&mec.log, "rule_amd_depends.events");
}
END_TEST

START_TEST(barrier_or_waits_for_any_of_its_signals)
{
    for (uint32_t i = 0; i < 5; i++)
        check_mec_signal(&mec, i, 1);
    check_mec_signal(&mec, 7, 1);
    submit_barrier(5, 0x1a, MEC_SIGNAL(7));
    check_mec_run(&mec);
    set_signal(0, 0); /* none of its own */
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 1);
    set_signal(4, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
}
END_TEST

START_TEST(a_barrier_without_signals_is_complete_at_once)
{
    check_mec_signal(&mec, 7, 2);
    submit_barrier(3, 0, MEC_SIGNAL(7));
    submit_barrier(5, 0, MEC_SIGNAL(7));
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
}
END_TEST

/* AMD's BARRIER_VALUE: conditions ==, !=, <, >= on value & mask, signed. */
START_TEST(barrier_value_compares)
{
    static const struct {
        uint32_t condition;
        int64_t value, mask, before, after;
    } cases[] = {
        {0, 5, -1, 4, 5},  {0, 5, 0xf, 0x16, 0x25}, {1, 5, -1, 5, 6},
        {2, 0, -1, 0, -1}, {3, 0, -1, -1, 0},       {2, 3, 0xff, 0x103, 0x102},
    };

    check_mec_signal(&mec, 0, (uint64_t)cases[_i].before);
    check_mec_signal(&mec, 7, 1);
    memset(packet, 0, sizeof packet);
    packet[0] = 2u << 16; /* VENDOR_SPECIFIC, AMD_FORMAT BARRIER_VALUE */
    put64(2, MEC_SIGNAL(0));
    put64(4, (uint64_t)cases[_i].value);
    put64(6, (uint64_t)cases[_i].mask);
    packet[8] = cases[_i].condition;
    put64(14, MEC_SIGNAL(7));
    submit();
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 1);
    set_signal(0, (uint64_t)cases[_i].after);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
}
END_TEST

/* ---- PM4 in AQL ------------------------------------------------------------------------------ */

static void submit_ib(uint32_t dword_count, uint64_t signal)
{
    memset(packet, 0, sizeof packet);
    packet[0] = 1u << 16; /* VENDOR_SPECIFIC, AMD_FORMAT PM4_IB */
    packet[1] = 0xc0023f00;
    put64(2, MEC_IB);
    packet[4] = dword_count | 1u << 23;
    packet[5] = 0xa;
    put64(14, signal);
    submit();
}

START_TEST(an_indirect_buffer_is_executed_and_then_the_packet_is_complete)
{
    /* WRITE_DATA to memory, NOP, WRITE_DATA. */
    const uint32_t dwords[] = {
        0xc0033700, 5u << 8, (uint32_t)MEC_DATA,     MEC_DATA >> 32, 0x11, 0xffff1000,
        0xc0033700, 5u << 8, (uint32_t)MEC_DATA + 4, MEC_DATA >> 32, 0x22};

    check_mec_poke(&mec, MEC_IB, dwords, sizeof dwords);
    check_mec_signal(&mec, 7, 1);
    submit_ib(sizeof dwords / 4, MEC_SIGNAL(7));
    submit_kernel(1, 0, true);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_DATA), UINT64_C(0x2200000011));
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_gt(event(EVENT_AMD_LAUNCH, 0)->time_ps, event(EVENT_AMD_SIGNAL, 0)->time_ps);
}
END_TEST

START_TEST(an_empty_indirect_buffer_is_complete_at_once)
{
    check_mec_signal(&mec, 7, 1);
    submit_ib(0, MEC_SIGNAL(7));
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 7), 0);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

/* The queue stops, its runtime is told by a code, and another queue goes on. */
START_TEST(what_is_no_packet_stops_its_queue_and_its_runtime_is_told)
{
    static const struct {
        uint32_t header, dword, value;
        uint64_t code;
    } cases[] = {
        {2, 1, 0 | 1 << 16, 2},     /* a workgroup of no thread */
        {2, 3, 0, 2},               /* a grid of none */
        {2, 1, 1024 | 2 << 16, 64}, /* a workgroup of 2,048 threads */
        {2, 7, 70000, 64},          /* more LDS than a CU has */
        {4, 0, 0, 32},              /* AGENT_DISPATCH */
        {9, 0, 0, 32},              /* no type */
        {3u << 16, 0, 0, 16},       /* VENDOR_SPECIFIC, unknown format */
    };
    const uint64_t signal = MEC_SIGNAL(3);

    check_mec_load(&mec, 1, 1, true);
    check_mec_signal(&mec, 3, 0);
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0xc0, &signal, 8);
    check_mec_kernel(packet, 1, 0, false);
    packet[0] = cases[_i].header | (cases[_i].header < 16 ? 1u << 16 : 0);
    if (cases[_i].dword)
        packet[cases[_i].dword] = cases[_i].value;
    submit();
    submit_kernel(1, 0, false);
    check_mec_kernel(packet, 1, 0, false);
    check_mec_aql(&mec, 1, packet, false);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 3), cases[_i].code);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq(event_amd_launch_of(event(EVENT_AMD_LAUNCH, 0)).slot_id, 1);
    ck_assert_uint_eq(check_mec_reg(&mec, 0, 0xc9e0) >> 5 & 1, 1); /* AQL_ERROR */
}
END_TEST

START_TEST(a_kernel_that_is_not_mapped_stops_its_queue)
{
    check_mec_kernel(packet, 1, 0, false);
    put64(8, MEC_VA - 4096);
    submit();
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(event_amd_vm_fault_of(event(EVENT_AMD_VM_FAULT, 0)).address, MEC_VA - 4096);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 0);
}
END_TEST

/* What is found once is looked for again where it may have changed: a kernel's descriptor, and
 * where it lies, between packets of the same queue. */
START_TEST(each_packet_finds_memory_as_it_is)
{
    const uint32_t larger[16] = {[12] = 9 | 3 << 6}; /* 40 VGPRs */
    const uint32_t other[16] = {[12] = 11 | 3 << 6}; /* 48 */
    struct address_space_range page = {.va = MEC_KERNEL,
                                       .size_bytes = MEMORY_PAGE_BYTES,
                                       .physical = MEC_DATA - MEC_VA,
                                       .space_id = mec.space_id,
                                       .aperture = MEMORY_VRAM};
    struct address_spaces *spaces = &mec.machine->spaces;

    check_mec_poke(&mec, MEC_DATA, other, sizeof other);
    for (uint32_t i = 0; i < 4; i++) {
        if (i == 1)
            check_mec_poke(&mec, MEC_KERNEL, larger, sizeof larger);
        if (i > 1)
            ck_assert(address_space_unmap(spaces, mec.space_id, page.va, page.size_bytes));
        if (i == 2)
            ck_assert_int_eq(address_space_map(spaces, &page), ADDRESS_SPACE_OK);
        submit_kernel(1, 0, false);
        check_mec_pass(&mec);
    }
    check_mec_run(&mec);
    /* Those of slot 31 lie between. */
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 0)).registers, 24);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 2)).registers, 40);
    ck_assert_uint_eq(event_grid_queue_of(event(EVENT_GRID_QUEUE, 4)).registers, 48);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 2); /* and its last one, too */
    ck_assert_uint_eq(event_amd_vm_fault_of(event(EVENT_AMD_VM_FAULT, 0)).address, MEC_KERNEL);
}
END_TEST

START_TEST(a_signal_that_is_not_mapped_stops_its_queue)
{
    submit_kernel(1, 0x1000, false);
    submit_kernel(1, 0, true);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
}
END_TEST

/* AMD.ROOM: more dispatches than the tables hold are not lost. */
START_TEST(more_dispatches_than_there_is_room_for)
{
    enum { MANY = 1500 };

    for (uint32_t i = 0; i < MANY; i++) {
        while (i - check_mec_peek(&mec, MEC_PROGRAM(0) + 0x80) >= MEC_PACKETS)
            ck_assert(machine_step(mec.machine));
        submit_kernel(40, 0, false);
    }
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), MANY);
    ck_assert_uint_ge(waits(RULE_AMD_ROOM), 1);
}
END_TEST

/* Four queues in four pipes with packets of the same length, whose blocks end when others begin. */
static struct log_event *run_launches(bool says_launched, uint32_t *count_of_log, uint64_t *count)
{
    struct log_event *events;

    mec.machine->parameters[PARAM_AMD_BLOCK_PS] = 400000; /* 25 times as long alone: ten packets */
    mec.gpu.dispatch.says_launched = says_launched;
    for (uint32_t n = 0; n < 4; n++) {
        if (n > 0)
            check_mec_load(&mec, 8 * n, n, true);
        for (uint32_t i = 0; i < 40; i++) {
            check_mec_kernel(packet, 1 + (i * 7 + n) % 5 / 4, 0, i % 11 == 10);
            check_mec_aql(&mec, n, packet, true);
        }
    }
    for (uint32_t n = 0; n < 4; n++)
        check_mec_ring(&mec, n);
    check_mec_run(&mec);
    *count = machine_event_count(mec.machine);
    *count_of_log = mec.log.event_count;
    events = mec.log.events;
    mec.log.events = NULL;
    return events;
}

/* PROMISE (amd): A launch that needs no event of its own does what a launch with an event does. */
START_TEST(a_launch_does_the_same_with_an_event_of_its_own_and_without)
{
    uint64_t count[2];
    uint32_t log_count[2];
    struct log_event *events[2];

    events[0] = run_launches(false, &log_count[0], &count[0]);
    teardown();
    setup();
    events[1] = run_launches(true, &log_count[1], &count[1]);
    ck_assert_uint_lt(count[1], count[0]);
    ck_assert_uint_eq(log_count[1], log_count[0]);
    for (uint32_t i = 0; i < log_count[0]; i++)
        if (memcmp(&events[0][i], &events[1][i], sizeof *events[0]) != 0)
            ck_abort_msg("event %u: kind %u at %llu, and %u at %llu", i, events[0][i].kind,
                         (unsigned long long)events[0][i].time_ps, events[1][i].kind,
                         (unsigned long long)events[1][i].time_ps);
    free(events[0]);
    free(events[1]);
}
END_TEST

Suite *amd_mec_aql_suite(void)
{
    Suite *suite = suite_create("amd_mec_aql");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_grid_is_cut_into_workgroups);
    tcase_add_loop_test(tcase, the_barrier_bit_waits_for_all_in_front, 0, 2);
    tcase_add_loop_test(tcase, a_completion_signal_is_decremented_and_wakes_who_sleeps, 0, 2);
    tcase_add_loop_test(tcase, a_signal_is_decremented_alike_wherever_it_lies, 0, 3);
    tcase_add_test(tcase, an_invalid_header_stops_its_queue_until_it_is_written);
    tcase_add_test(tcase, a_kernel_waits_for_scratch_memory);
    tcase_add_test(tcase, a_queue_without_a_cu_waits_for_ever);
    tcase_add_test(tcase, a_queue_that_is_stopped_says_what_is_left);
    tcase_add_test(tcase, barrier_and_waits_for_all_of_its_signals);
    tcase_add_test(tcase, barrier_or_waits_for_any_of_its_signals);
    tcase_add_test(tcase, a_barrier_without_signals_is_complete_at_once);
    tcase_add_loop_test(tcase, barrier_value_compares, 0, 6);
    tcase_add_test(tcase, an_indirect_buffer_is_executed_and_then_the_packet_is_complete);
    tcase_add_test(tcase, an_empty_indirect_buffer_is_complete_at_once);
    tcase_add_loop_test(tcase, what_is_no_packet_stops_its_queue_and_its_runtime_is_told, 0, 7);
    tcase_add_test(tcase, a_kernel_that_is_not_mapped_stops_its_queue);
    tcase_add_test(tcase, each_packet_finds_memory_as_it_is);
    tcase_add_test(tcase, a_signal_that_is_not_mapped_stops_its_queue);
    tcase_add_test(tcase, more_dispatches_than_there_is_room_for);
    tcase_add_test(tcase, a_launch_does_the_same_with_an_event_of_its_own_and_without);
    suite_add_tcase(suite, tcase);
    return suite;
}
