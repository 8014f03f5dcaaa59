/* SPDX-License-Identifier: MIT */
/*
 * What hardware does with descriptors and registers that no driver should write, with SDMA packets
 * that no program should, and with tables that one queue would fill; as test_amd_hostile.c beside a
 * process that goes on.
 */
/* PROMISE (amd): Queues with bad addresses or ring sizes, or that fault or lose their ring while
 * a packet is worked on, harm only themselves. */
#include <config.h>

#include "tests/check_hostile.h"
#include "tests/suites.h"

/* ---- descriptors ----------------------------------------------------------------------------- */

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
    ck_assert_int_eq(
        make((struct kfd_queue_options){.ring_address = _i == 0 ? NOWHERE : ring_at,
                                        .read_pointer = _i == 1 ? NOWHERE : side + 0x80,
                                        .write_pointer = _i == 2 ? NOWHERE : side + 0x38,
                                        .ring_bytes = 4096}),
        KFD_OK);
    run_with(UINT64_MAX);
    /* The write pointer is told by the doorbell, too. */
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), fault[_i] != 0);
    if (fault[_i])
        ck_assert_uint_eq(
            event_amd_vm_fault_of(check_machine_event(&log_, EVENT_AMD_VM_FAULT, 0)).address,
            fault[_i]);
}
END_TEST

/* A descriptor in the slot beside the second process's. */
static void load(uint32_t offset, uint32_t value)
{
    const struct kfd_queue *queue = &fuzz->node.kfd->state->queues[fuzz->queue[FUZZ_AMD_QUEUE_AQL]];

    ck_assert(machine_write(fuzz->machine, MEMORY_SYSMEM,
                            queue->mqd_physical + 4 * (AMD_MQD_HQD + (offset - AMD_HQD_BASE) / 4),
                            &value, sizeof value));
    ck_assert(
        amd_mec_map(&fuzz->node.gpu.mec, fuzz->free_slot, queue->mqd.mqd_address, fuzz->vmid[0]));
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

/* A queue faults in what it has asked for while its pipe works on its next packet, and has to
 * leave: the packet is not carried out, and no other queue in the slot has it. */
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
        left += event_amd_queue_leave_of(check_machine_event(&log_, EVENT_AMD_QUEUE_LEAVE, i))
                    .slot_id == fuzz->free_slot;
    ck_assert_uint_eq(left, 1);
}
END_TEST

/* ---- SDMA ------------------------------------------------------------------------------------ */

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

/* ---- tables ---------------------------------------------------------------------------------- */

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
        put(FUZZ_AMD_AQL + 64 * i,
            WORDS(0 | 1 << 16, P3(0x3f, 3), FUZZ_AMD_VA + FUZZ_AMD_PM4, 0, 1024 | 1 << 23, 10));
    ring(FUZZ_AMD_QUEUE_AQL, 63);
    ring(FUZZ_AMD_QUEUE_PM4, UINT64_C(1) << 40);
    for (uint32_t i = 0;
         i < 1000 * STEPS && (queue_of(FUZZ_AMD_QUEUE_AQL)->block_rule != RULE_AMD_ROOM ||
                              queue_of(FUZZ_AMD_QUEUE_PM4)->block_rule != RULE_AMD_ROOM);
         i++)
        ck_assert(machine_step(fuzz->machine));
    ck_assert_uint_ge(fuzz->node.gpu.dispatch.state->used_grids, 700);
    fuzz_amd_work(fuzz);
    run();
}
END_TEST

Suite *amd_hostile_slot_suite(void)
{
    Suite *suite = suite_create("amd_hostile_slot");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
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
