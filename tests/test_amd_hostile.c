/* SPDX-License-Identifier: MIT */
/*
 * What hardware does with queues, packets and descriptors that no program should write, and that
 * another process goes on: beside each of them runs the second process of fuzz_amd_node.h, which has
 * to come to what it comes to when the first does nothing.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_cp_regs.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "firmware-models/amdgpu_tables.h"
#include "tests/check_machine.h"
#include "tests/fuzz/fuzz_amd_node.h"
#include "tests/suites.h"

#define P3(op, n)             (3u << 30 | ((n)-1u) << 16 | (uint32_t)(op) << 8)
#define CALL(at, size, chain) P3(0x3f, 3), (at), 0, (uint32_t)(size) | (chain) << 20 | 1u << 23
#define WRITE(at, value)      P3(0x37, 4), 5u << 8, (at), 0, (value)
#define SH(reg, value)        P3(0x76, 2), ((reg)-0xb000) / 4, (value)
#define WORDS(...)            (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4
#define MS                    (1000 * GFE_PS_PER_US)
enum {
    STEPS = 30000,
    DATA = FUZZ_AMD_VA + FUZZ_AMD_DATA,
    KERNEL = FUZZ_AMD_VA + FUZZ_AMD_KERNEL,
    SIGNAL = FUZZ_AMD_VA + FUZZ_AMD_SIGNAL,
    NOWHERE = 0x1000000, /* not mapped for anybody */
    INACTIVE = FUZZ_AMD_SIDE + 0xc0, /* queue_inactive_signal */
};

static struct fuzz_amd *fuzz;
static struct check_machine log_;
static uint32_t driver;

/* The kernel driver hears no interrupt: what a fault leaves in a slot can be looked at. */
static void setup(void)
{
    fuzz = fuzz_amd_get();
    driver = fuzz->machine->interrupt_unit;
    fuzz->machine->interrupt_unit = MACHINE_UNITS_MAX;
    memset(&log_, 0, sizeof log_);
    log_.machine = fuzz->machine;
    fuzz_amd_begin(fuzz);
    fuzz_amd_work(fuzz);
}

static void teardown(void)
{
    free(log_.events);
}

/* ---- the first process ---------------------------------------------------------------------- */

static void put(uint32_t at, const uint32_t *dwords, uint32_t count)
{
    ck_assert(machine_write(fuzz->machine, MEMORY_VRAM, at, dwords, 4 * (size_t)count));
}

static uint32_t get(uint32_t at)
{
    uint32_t value;

    ck_assert(machine_read(fuzz->machine, MEMORY_VRAM, at, &value, sizeof value));
    return value;
}

static void ring(enum fuzz_amd_queue which, uint64_t value)
{
    amd_node_doorbell(&fuzz->node, fuzz->doorbell[which], value);
}

static void pm4(const uint32_t *dwords, uint32_t count)
{
    put(FUZZ_AMD_PM4, dwords, count);
    ring(FUZZ_AMD_QUEUE_PM4, count);
}

/* An AQL packet, the first of the queue. */
static void aql(const uint32_t packet[16])
{
    put(FUZZ_AMD_AQL, packet, 16);
    ring(FUZZ_AMD_QUEUE_AQL, 0);
}

/* The runtime's queue_inactive_signal is SIGNAL. */
static void tell_me(void)
{
    put(INACTIVE, WORDS(SIGNAL, 0));
    put(FUZZ_AMD_SIGNAL, WORDS(1, 0, 0, 0));
}

/* ---- what came of it ------------------------------------------------------------------------ */

/* To the end, or (a queue may go on for ever) long enough; `mine`: slots that are the first's. */
static void run_with(uint64_t mine)
{
    uint64_t signal;

    fuzz_amd_run(fuzz, STEPS);
    ck_assert(machine_read(fuzz->machine, MEMORY_VRAM, FUZZ_AMD_BYTES + FUZZ_AMD_SIGNAL + 8, &signal,
                           8));
    ck_assert_uint_eq(signal, 98); /* the second process's work is done */
    fuzz_amd_check(fuzz, mine, false);
    check_machine_read_log(&log_);
}

static void run(void)
{
    run_with(UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_AQL] |
             UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_PM4]);
}

static const struct amd_mec_queue *queue_of(enum fuzz_amd_queue which)
{
    return &fuzz->node.gpu.mec.state->queues[fuzz->slot[which]];
}

static uint32_t reg_of(enum fuzz_amd_queue which, uint32_t offset)
{
    return *amd_gc_hqd(&fuzz->node.gpu.gc, fuzz->slot[which], offset);
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&log_, kind);
}

/* Interrupts with that source that came of the slot's queue. */
static uint32_t interrupts(uint32_t source_id)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count(EVENT_AMD_INTERRUPT); i++)
        found +=
            check_machine_event(&log_, EVENT_AMD_INTERRUPT, i)->argument[1] == source_id;
    return found;
}

static void expect_stopped(enum fuzz_amd_queue which)
{
    ck_assert_uint_eq(queue_of(which)->phase, AMD_QUEUE_STOPPED);
}

/* ---- PM4 ------------------------------------------------------------------------------------ */

/* CP_BAD_OPCODE_ERROR, interrupt 183: no opcode; no type; the scheduler's packets, in a queue that
 * is not the driver's; a third level of buffers. */
START_TEST(a_bad_opcode_stops_the_queue)
{
    static const uint32_t cases[][9] = {{P3(0xfe, 1), 0},
                                        {0x12345},
                                        {1u << 30},
                                        {P3(0xa0, 7), 0, 0, 0, 0, 0, 0, 0},
                                        {P3(0xa3, 5), 2 << 4, 0, 0, 0, 0},
                                        {CALL(DATA, 4, 0u)}};

    put(FUZZ_AMD_DATA, WORDS(CALL(DATA + 0x100, 4, 0u)));
    put(FUZZ_AMD_DATA + 0x100, WORDS(CALL(DATA + 0x200, 4, 0u)));
    put(FUZZ_AMD_DATA + 0x200, WORDS(P3(0x10, 3), 0, 0, 0));
    pm4(cases[_i], 9);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
    ck_assert_uint_eq(interrupts(183), 1);
}
END_TEST

/* A register that is not for programs, interrupt 184: by SET_UCONFIG_REG, WRITE_DATA, COPY_DATA. */
START_TEST(a_private_register_stops_the_queue)
{
    static const uint32_t cases[][6] = {{P3(0x79, 2), 0x8000, 3},
                                        {P3(0x37, 4), 0, CP_HQD_DEQUEUE_REQUEST / 4, 0, 2},
                                        {P3(0x40, 5), 5, 2, 0, GRBM_GFX_CNTL / 4, 0}};

    pm4(cases[_i], _i == 0 ? 3 : _i == 1 ? 5 : 6);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
    ck_assert_uint_eq(interrupts(184), 1);
}
END_TEST

/* It goes on for ever, and nobody else is held up. */
START_TEST(a_buffer_that_is_chained_to_itself)
{
    put(FUZZ_AMD_DATA, WORDS(CALL(DATA, 4, 1u)));
    pm4(WORDS(CALL(DATA, 4, 0u)));
    run();
    ck_assert_uint_eq(machine_next_ps(fuzz->machine) == GFE_PS_NEVER, 0);
    ck_assert_uint_gt(count(EVENT_AMD_PACKET), 1000);
}
END_TEST

/* A buffer of no dwords is passed over; one of 2^20 - 1 is read until it faults. */
START_TEST(buffers_of_no_size_and_of_the_largest)
{
    pm4(WORDS(CALL(DATA, 0, 0u), WRITE(DATA + 0x100, 5), CALL(DATA, 0xfffff, 0u)));
    for (uint32_t at = FUZZ_AMD_DATA; at < FUZZ_AMD_BYTES; at += 4)
        if (at != FUZZ_AMD_DATA + 0x100)
            put(at, WORDS(0x80000000)); /* of one dword */
    run();
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_PM4)->ib_depth, 1);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT) + interrupts(183), 1);
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
}
END_TEST

/* What the second process has is not mapped for the first: nothing is read, nothing is written. */
START_TEST(memory_that_is_not_mapped)
{
    static const uint32_t cases[][9] = {
        {WRITE(NOWHERE, 1)},
        {P3(0x40, 5), 1 | 5u << 8, NOWHERE, 0, DATA, 0},
        {P3(0x1e, 8), 0x2f, NOWHERE, 0, 1, 0, 0, 0, 0},
        {P3(0x3c, 6), 3 | 1u << 4, NOWHERE, 0, 1, 1, 10},
        {P3(0x16, 3), NOWHERE, 0, 1},
        {P3(0x22, 4), NOWHERE, 0, 0, 2},
        {P3(0x49, 7), 0x14 | 5u << 8, 1u << 29, NOWHERE, 0, 5, 0, 0},
        {CALL(NOWHERE, 4, 0u)},
    };
    static const uint8_t lengths[] = {5, 6, 9, 7, 4, 5, 8, 4};

    pm4(cases[_i], lengths[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(check_machine_event(&log_, EVENT_AMD_VM_FAULT, 0)->argument[3], NOWHERE);
    expect_stopped(FUZZ_AMD_QUEUE_PM4);
}
END_TEST

/* ---- AQL ------------------------------------------------------------------------------------ */

/* CP_HQD_ERROR's AQL_ERROR, and the code in the queue_inactive_signal (amd_aql_queue.cpp). */
START_TEST(a_packet_that_cannot_be_carried_out)
{
    static const struct {
        uint32_t code;
        uint32_t packet[16];
    } cases[] = {
        {32, {4}}, /* agent dispatch */
        {32, {7}},
        {16, {0 | 9 << 16}}, /* vendor's own format */
        {2, {2, 0, 1, 512, 1, 1, 0, 0, KERNEL}},
        {2, {2, 64 | 1 << 16, 1, 0, 1, 1, 0, 0, KERNEL}},
        {8, {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, 0}},
        {64, {2, 64 | 64 << 16, 1, 512, 1, 1, 0, 0, KERNEL}},
        {64, {2, 0xffffffff, 0xffff, 512, 1, 1, 0, 0, KERNEL}},
        {64, {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 65 << 10, KERNEL}},
        {64, {2, 64 | 16 << 16, 1, 512, 1, 1, 0, 0, KERNEL + 0x80}}, /* 256 VGPRs, 16 waves */
    };

    tell_me();
    put(FUZZ_AMD_KERNEL + 0x80 + 48, WORDS(63));
    aql(cases[_i].packet);
    run();
    expect_stopped(FUZZ_AMD_QUEUE_AQL);
    ck_assert_uint_eq(get(FUZZ_AMD_SIGNAL + 8), cases[_i].code);
    ck_assert_uint_ne(reg_of(FUZZ_AMD_QUEUE_AQL, CP_HQD_ERROR) &
                          UINT32_C(1) << CP_HQD_ERROR__AQL_ERROR_LO,
                      0);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 2); /* the second process's */
}
END_TEST

/* Signals of a barrier, of a completion, of a kernel's descriptor: where nothing is mapped. */
static const uint32_t unmapped[][16] = {
    {3, 0, NOWHERE, 0},
    {5, 0, NOWHERE, 0},
    {0 | 2 << 16, 0, NOWHERE, 0, 50, 0, 0xffffffff, 0, 3},
    {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NOWHERE, 0},
    {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL, 0, 0, 0, 0, 0, NOWHERE, 0},
    {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, NOWHERE},
    {0 | 1 << 16, P3(0x3f, 3), NOWHERE, 0, 4 | 1 << 23, 10},
};

START_TEST(signals_and_kernels_that_are_not_mapped)
{
    aql(unmapped[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    expect_stopped(FUZZ_AMD_QUEUE_AQL);
}
END_TEST

/* The driver is told, and has the process's queues taken off; the second process's work is done. */
START_TEST(the_driver_takes_the_process_off)
{
    fuzz->machine->interrupt_unit = driver;
    aql(unmapped[_i]);
    run();
    ck_assert_uint_eq(count(EVENT_AMDGPU_VM_FAULT), 1);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_KFD_EVICT, RULE_KFD_EVICT), 1);
    ck_assert_uint_eq(fuzz->node.kfd->state->active_count, 1);
}
END_TEST

/* A dispatch that may be on no CU waits for a mask that has some. */
START_TEST(no_cu)
{
    static const uint32_t packet[16] = {2, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, KERNEL};

    pm4(WORDS(SH(0xb858, 0), SH(0xb85c, 0), SH(0xb864, 0), SH(0xb868, 0), P3(0x15, 4), 1, 1, 1, 1));
    for (uint32_t i = 0; i < 4; i++)
        *amd_gc_compute(&fuzz->node.gpu.gc, fuzz->slot[FUZZ_AMD_QUEUE_AQL],
                        0xb858 + 4 * (i & 1) + 12 * (i >> 1)) = 0;
    aql(packet);
    run();
    for (uint32_t which = FUZZ_AMD_QUEUE_AQL; which <= FUZZ_AMD_QUEUE_PM4; which++) {
        ck_assert_uint_eq(queue_of(which)->phase, AMD_QUEUE_BLOCKED);
        ck_assert_uint_eq(queue_of(which)->block_rule, RULE_AMD_NO_CU);
    }
}
END_TEST

/* ---- doorbells ------------------------------------------------------------------------------ */

/* Far beyond the ring: what stands there is taken up again, round after round, if it is a packet;
 * an AQL queue comes to a header that is invalid. */
START_TEST(a_doorbell_beyond_the_ring)
{
    put(FUZZ_AMD_AQL, WORDS(3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIGNAL, 0));
    for (uint32_t i = 0; i < 1024; i++)
        put(FUZZ_AMD_PM4 + 4 * i, WORDS(0x80000000));
    ring(FUZZ_AMD_QUEUE_AQL, UINT64_C(1) << 47);
    ring(FUZZ_AMD_QUEUE_PM4, UINT64_C(1) << 47);
    run();
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_AQL)->read, 1);
    ck_assert_uint_eq(queue_of(FUZZ_AMD_QUEUE_AQL)->block_rule, RULE_AMD_INVALID);
    ck_assert_uint_eq(get(FUZZ_AMD_SIGNAL + 8), 99);
    ck_assert_uint_gt(queue_of(FUZZ_AMD_QUEUE_PM4)->read, 2048); /* more than twice round */
}
END_TEST

/* Of no queue: nobody hears it. */
START_TEST(a_doorbell_of_no_queue)
{
    amd_node_doorbell(&fuzz->node, 4000, 5);
    amd_node_doorbell(&fuzz->node, UINT32_MAX, UINT64_MAX);
    run();
    for (uint32_t i = 0; i < count(EVENT_AMD_DOORBELL); i++)
        ck_assert_uint_ne(check_machine_event(&log_, EVENT_AMD_DOORBELL, i)->argument[0], 4000);
}
END_TEST

START_TEST(a_doorbell_of_a_queue_that_is_gone)
{
    const uint32_t packets[16] = {3};

    ck_assert_int_eq(
        fuzz_amd_call(fuzz, kfd_queue_destroy(fuzz->node.kfd, fuzz->queue[FUZZ_AMD_QUEUE_AQL]),
                      STEPS),
        KFD_OK);
    aql(packets);
    run_with(UINT64_MAX); /* slots are given anew */
    ck_assert_uint_eq(get(FUZZ_AMD_AQL), 3);
}
END_TEST

/* ---- descriptors ---------------------------------------------------------------------------- */

/* Another AQL queue of the first process, of which packets are said to be there. */
static enum kfd_result make(struct kfd_queue_options options)
{
    const uint64_t written = 2;
    uint32_t queue;
    enum kfd_result result;

    options.format = KFD_MQD_AQL;
    options.priority = 7;
    options.percent = 100;
    put(FUZZ_AMD_SIDE_2 + 0x38, WORDS((uint32_t)written, 0));
    result = fuzz_amd_call(
        fuzz, kfd_queue_create(fuzz->node.kfd, fuzz->process[0], &options, &queue), STEPS);
    if (result == KFD_OK)
        amd_node_doorbell(&fuzz->node, kfd_queue_id(&fuzz->node.kfd->state->queues[queue]), 1);
    return result;
}

START_TEST(addresses_of_a_queue_that_are_not_mapped)
{
    const uint32_t ring_at = FUZZ_AMD_VA + FUZZ_AMD_PM4, side = FUZZ_AMD_VA + FUZZ_AMD_SIDE_2;
    const uint32_t fault[3] = {NOWHERE, NOWHERE, 0};

    put(FUZZ_AMD_PM4, WORDS(3));
    put(FUZZ_AMD_PM4 + 64, WORDS(1));
    ck_assert_int_eq(make((struct kfd_queue_options){
                         .ring_address = _i == 0 ? NOWHERE : ring_at,
                         .read_pointer = _i == 1 ? NOWHERE : side + 0x80,
                         .write_pointer = _i == 2 ? NOWHERE : side + 0x38,
                         .ring_bytes = 4096}),
                     KFD_OK);
    run_with(UINT64_MAX);
    /* The write pointer is told by the doorbell, too. */
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), fault[_i] != 0);
    if (fault[_i])
        ck_assert_uint_eq(check_machine_event(&log_, EVENT_AMD_VM_FAULT, 0)->argument[3],
                          fault[_i]);
}
END_TEST

/* A descriptor in the slot beside the second process's. */
static void load(uint32_t offset, uint32_t value)
{
    const struct kfd_queue *queue =
        &fuzz->node.kfd->state->queues[fuzz->queue[FUZZ_AMD_QUEUE_AQL]];

    ck_assert(machine_write(fuzz->machine, MEMORY_SYSMEM,
                            queue->mqd_physical +
                                4 * (AMD_MQD_HQD + (offset - AMD_HQD_BASE) / 4),
                            &value, sizeof value));
    ck_assert(amd_mec_map(&fuzz->node.gpu.mec, fuzz->free_slot, queue->mqd.mqd_address,
                          fuzz->vmid[0]));
}

static void run_beside(void)
{
    run_with(UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_AQL] | UINT64_C(1) << fuzz->free_slot);
}

/* QUEUE_SIZE: 2^(n + 1) dwords.  The smallest ring holds no AQL packet, the largest no address
 * space: such a queue stops, and can leave; also when it is told to before it is there. */
START_TEST(ring_sizes_that_no_ring_has)
{
    const struct amd_mec_queue *queue = &fuzz->node.gpu.mec.state->queues[fuzz->free_slot];

    load(CP_HQD_PQ_CONTROL, _i & 1 ? 0x3f : 0);
    if (_i & 2)
        amd_mec_unmap(&fuzz->node.gpu.mec, fuzz->free_slot, AMD_DEQUEUE_SAVE);
    run_beside();
    if (!(_i & 2)) {
        ck_assert_uint_eq(queue->phase, AMD_QUEUE_STOPPED);
        amd_mec_unmap(&fuzz->node.gpu.mec, fuzz->free_slot, AMD_DEQUEUE_SAVE);
        fuzz_amd_run(fuzz, STEPS);
    }
    ck_assert_uint_eq(queue->phase, AMD_QUEUE_EMPTY);
}
END_TEST

static void select_slot(uint32_t slot_id)
{
    uint32_t control = 0;

    control = REG_PUT(control, GRBM_GFX_CNTL__MEID, 1);
    control = REG_PUT(control, GRBM_GFX_CNTL__PIPEID, slot_id / AMD_QUEUES_PER_PIPE_MAX);
    control = REG_PUT(control, GRBM_GFX_CNTL__QUEUEID, slot_id % AMD_QUEUES_PER_PIPE_MAX);
    machine_write32(fuzz->machine, GRBM_GFX_CNTL, control);
}

/* The driver takes the ring away under a queue that works. */
START_TEST(a_ring_that_becomes_none)
{
    const enum fuzz_amd_queue which = _i ? FUZZ_AMD_QUEUE_AQL : FUZZ_AMD_QUEUE_PM4;

    for (uint32_t i = 0; i < 1024; i++)
        put((_i ? FUZZ_AMD_AQL : FUZZ_AMD_PM4) + 4 * i, WORDS(_i ? (i % 16 == 0) * 3 : 0x80000000));
    ring(which, _i ? 60 : 1000);
    fuzz_amd_run(fuzz, 40);
    ck_assert_uint_gt(queue_of(which)->read, 0);
    select_slot(fuzz->slot[which]);
    machine_write32(fuzz->machine, CP_HQD_PQ_CONTROL, 0x3f);
    machine_write32(fuzz->machine, GRBM_GFX_CNTL, 0);
    run();
    expect_stopped(which);
}
END_TEST

/* A slot that the driver has loaded by itself while the firmware schedules the others, and that its
 * queue leaves again: the firmware knows nothing of it. */
START_TEST(a_slot_that_is_not_the_firmwares)
{
    load(CP_HQD_PERSISTENT_STATE, 0);
    fuzz_amd_run(fuzz, 100);
    amd_mec_unmap(&fuzz->node.gpu.mec, fuzz->free_slot, AMD_DEQUEUE_SAVE);
    run_beside();
    ck_assert_uint_eq(fuzz->node.gpu.mec.state->queues[fuzz->free_slot].phase, AMD_QUEUE_EMPTY);
}
END_TEST

/* A queue faults in what it has asked for while its pipe works on its next packet, and has to leave:
 * the packet is not carried out, and no other queue in the slot has it. */
START_TEST(a_fault_while_a_packet_is_worked_on)
{
    const struct amd_mec_queue *queue = &fuzz->node.gpu.mec.state->queues[fuzz->free_slot];
    uint32_t left = 0;

    for (uint32_t i = 0; i < 1024; i++)
        put(FUZZ_AMD_AQL + 4 * i, WORDS(0x80000000));
    put(FUZZ_AMD_AQL, WORDS(SH(0xb81c, 64), SH(0xb820, 1), SH(0xb824, 1), P3(0x15, 4), 1, 1, 1, 1,
                            P3(0x49, 7), 0x14 | 5u << 8, 1u << 29, NOWHERE, 0, 5, 0, 0));
    put(FUZZ_AMD_SIDE + 0x38, WORDS(1023, 0));
    fuzz_amd_run(fuzz, STEPS); /* the pipe is free then */
    load(CP_HQD_AQL_CONTROL, 0);
    while (queue->phase != AMD_QUEUE_STOPPED)
        ck_assert(machine_step(fuzz->machine));
    ck_assert(queue->in_pipe);
    amd_mec_unmap(&fuzz->node.gpu.mec, fuzz->free_slot, AMD_DEQUEUE_SAVE);
    run_beside();
    ck_assert_uint_eq(queue->phase, AMD_QUEUE_EMPTY);
    for (uint32_t i = 0; i < count(EVENT_AMD_QUEUE_LEAVE); i++)
        left += check_machine_event(&log_, EVENT_AMD_QUEUE_LEAVE, i)->argument[0] == fuzz->free_slot;
    ck_assert_uint_eq(left, 1);
}
END_TEST

/* ---- SDMA ----------------------------------------------------------------------------------- */

static void sdma(const uint32_t *dwords, uint32_t count)
{
    put(FUZZ_AMD_SDMA, dwords, count);
    amd_node_doorbell(&fuzz->node, FUZZ_AMD_SDMA_DOORBELL, 4 * (uint64_t)count);
}

static const struct amd_sdma_queue *sdma_queue(void)
{
    return &fuzz->node.gpu.sdma[0].state->queues[0];
}

/* Interrupt of a bad opcode; one of the register that is the driver's. */
START_TEST(an_sdma_packet_that_is_none)
{
    static const struct {
        uint32_t source;
        uint32_t packet[3];
    } cases[] = {{AMD_IH_SDMA_BAD_OPCODE, {0xee}},
                 {AMD_IH_SDMA_SRBM_WRITE, {0xe | 0xfu << 28, 0x4980 / 4, 7}}};

    sdma(cases[_i].packet, 3);
    run_with(0);
    ck_assert_uint_eq(sdma_queue()->phase, AMD_QUEUE_STOPPED);
    ck_assert_uint_eq(interrupts(cases[_i].source), 1);
}
END_TEST

/* Nothing is mapped where it reads or writes, also behind some that is: that is moved. */
START_TEST(sdma_beyond_the_end_of_memory)
{
    static const uint32_t cases[][7] = {
        {0x5, NOWHERE, 0, 7},
        {0x1, 63, 0, NOWHERE, 0, DATA, 0},
        {0x1, 0xffff, 0, DATA, 0, FUZZ_AMD_VA + FUZZ_AMD_SIDE_2, 0},
        {0xb | 2u << 30, DATA, 0, 0xabcd, 0x3ffffc},
        {0x4, NOWHERE, 0, 8, 0, 0},
        {0x8 | 3u << 28 | 1u << 31, NOWHERE, 0, 7, 0xffffffff, 0xfff0004},
    };
    static const uint8_t lengths[] = {4, 7, 7, 5, 6, 6};

    sdma(cases[_i], lengths[_i]);
    run_with(0);
    ck_assert_uint_eq(sdma_queue()->phase, AMD_QUEUE_STOPPED);
    ck_assert_uint_eq(count(EVENT_AMD_SDMA_FAULT), 1);
    ck_assert_uint_eq(interrupts(AMD_IH_SDMA_BAD_OPCODE), 0);
}
END_TEST

/* A buffer that calls itself is no second level: what it calls takes its place, for ever.  One of
 * no dwords is passed over. */
START_TEST(sdma_buffers_of_no_size_and_without_end)
{
    put(FUZZ_AMD_DATA, WORDS(0x4, DATA, 0, 6, 0, 0));
    sdma(WORDS(0x4, DATA, 0, 0, 0, 0, 0x5, DATA + 0x100, 0, 9, 0x4, DATA, 0, 6, 0, 0));
    run_with(0);
    ck_assert_uint_eq(get(FUZZ_AMD_DATA + 0x100), 9);
}
END_TEST

/* A write pointer far beyond the ring; a packet that waits for ever. */
START_TEST(an_sdma_queue_that_does_not_end)
{
    if (_i == 0)
        amd_node_doorbell(&fuzz->node, FUZZ_AMD_SDMA_DOORBELL, UINT64_C(1) << 47); /* NOPs */
    else
        sdma(WORDS(0x8 | 3u << 28 | 1u << 31, DATA, 0, 7, 0xffffffff, 0xfff0004));
    run_with(0);
    if (_i == 0)
        ck_assert_uint_gt(sdma_queue()->read, 2 * FUZZ_AMD_SDMA_BYTES);
    else
        ck_assert_uint_eq(sdma_queue()->phase, AMD_QUEUE_BLOCKED);
}
END_TEST

/* The place of its write pointer is unmapped while the engine works on a packet of the queue, which
 * stops and is taken off: it leaves when the engine has done with it, and once. */
START_TEST(an_sdma_queue_that_is_stopped_while_it_copies)
{
    struct amd_sdma *engine = &fuzz->node.gpu.sdma[0];
    const struct amd_sdma_ring poll = {.address = FUZZ_AMD_VA + FUZZ_AMD_SDMA,
                                       .byte_count = FUZZ_AMD_SDMA_BYTES,
                                       .write_poll = DATA,
                                       .vmid = fuzz->vmid[0]};

    fuzz_amd_run(fuzz, STEPS);
    for (uint32_t i = 0; i < 16; i++)
        put(FUZZ_AMD_SDMA + 28 * i, WORDS(0x1, 4095, 0, FUZZ_AMD_VA, 0, FUZZ_AMD_VA, 0));
    amd_sdma_unload(engine, 0);
    ck_assert(amd_sdma_load(engine, 0, &poll));
    put(FUZZ_AMD_DATA, WORDS(448, 0)); /* the packets are seen */
    while (sdma_queue()->phase != AMD_QUEUE_TAKEN)
        ck_assert(machine_step(fuzz->machine));
    put(FUZZ_AMD_DATA, WORDS(452, 0)); /* once more, and it cannot be read any more */
    fuzz_amd_unmap(fuzz);
    while (sdma_queue()->phase != AMD_QUEUE_STOPPED)
        ck_assert(machine_step(fuzz->machine));
    ck_assert(engine->state->busy);
    amd_sdma_unload(engine, 0);
    ck_assert(!amd_sdma_load(engine, 0, &poll)); /* it is still there */
    run_with(0);
    ck_assert_uint_eq(sdma_queue()->phase, AMD_QUEUE_EMPTY);
    ck_assert_uint_eq(engine->state->busy, 0);
}
END_TEST

/* ---- tables --------------------------------------------------------------------------------- */

/* More dispatches than the dispatcher has room for, in two queues at once: each keeps a part, and
 * the second process's queue has its own. */
START_TEST(a_queue_takes_no_room_that_is_others)
{
    const uint32_t setup_[] = {SH(0xb81c, 1024), SH(0xb820, 1), SH(0xb824, 1)};
    uint32_t words[1024], n = sizeof setup_ / 4;

    fuzz_amd_begin(fuzz);
    memcpy(words, setup_, sizeof setup_);
    for (; n + 5 <= 1024; n += 5) /* that do not end */
        memcpy(&words[n], (const uint32_t[]){P3(0x15, 4), 1u << 30, 1, 1, 1}, 20);
    for (; n < 1024; n++)
        words[n] = 0x80000000;
    put(FUZZ_AMD_PM4, words, 1024);
    for (uint32_t i = 0; i < 64; i++)
        put(FUZZ_AMD_AQL + 64 * i, WORDS(0 | 1 << 16, P3(0x3f, 3), FUZZ_AMD_VA + FUZZ_AMD_PM4, 0,
                                         1024 | 1 << 23, 10));
    ring(FUZZ_AMD_QUEUE_AQL, 63);
    ring(FUZZ_AMD_QUEUE_PM4, UINT64_C(1) << 40);
    for (uint32_t i = 0; i < 1000 * STEPS && (queue_of(FUZZ_AMD_QUEUE_AQL)->block_rule != RULE_AMD_ROOM ||
                                       queue_of(FUZZ_AMD_QUEUE_PM4)->block_rule != RULE_AMD_ROOM);
         i++)
        ck_assert(machine_step(fuzz->machine));
    ck_assert_uint_ge(fuzz->node.gpu.dispatch.state->used_grids, 700);
    fuzz_amd_work(fuzz);
    run();
}
END_TEST

Suite *amd_hostile_suite(void)
{
    Suite *suite = suite_create("amd_hostile");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, a_bad_opcode_stops_the_queue, 0, 6);
    tcase_add_loop_test(tcase, a_private_register_stops_the_queue, 0, 3);
    tcase_add_test(tcase, a_buffer_that_is_chained_to_itself);
    tcase_add_test(tcase, buffers_of_no_size_and_of_the_largest);
    tcase_add_loop_test(tcase, memory_that_is_not_mapped, 0, 8);
    tcase_add_loop_test(tcase, a_packet_that_cannot_be_carried_out, 0, 10);
    tcase_add_loop_test(tcase, signals_and_kernels_that_are_not_mapped, 0, 7);
    tcase_add_loop_test(tcase, the_driver_takes_the_process_off, 0, 7);
    tcase_add_test(tcase, no_cu);
    tcase_add_test(tcase, a_doorbell_beyond_the_ring);
    tcase_add_test(tcase, a_doorbell_of_no_queue);
    tcase_add_test(tcase, a_doorbell_of_a_queue_that_is_gone);
    tcase_add_loop_test(tcase, addresses_of_a_queue_that_are_not_mapped, 0, 3);
    tcase_add_loop_test(tcase, ring_sizes_that_no_ring_has, 0, 4);
    tcase_add_loop_test(tcase, a_ring_that_becomes_none, 0, 2);
    tcase_add_test(tcase, a_slot_that_is_not_the_firmwares);
    tcase_add_test(tcase, a_fault_while_a_packet_is_worked_on);
    tcase_add_loop_test(tcase, an_sdma_packet_that_is_none, 0, 2);
    tcase_add_loop_test(tcase, sdma_beyond_the_end_of_memory, 0, 6);
    tcase_add_test(tcase, sdma_buffers_of_no_size_and_without_end);
    tcase_add_loop_test(tcase, an_sdma_queue_that_does_not_end, 0, 2);
    tcase_add_test(tcase, an_sdma_queue_that_is_stopped_while_it_copies);
    tcase_add_test(tcase, a_queue_takes_no_room_that_is_others);
    suite_add_tcase(suite, tcase);
    return suite;
}
