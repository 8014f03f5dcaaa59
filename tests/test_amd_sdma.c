/* SPDX-License-Identifier: MIT */
/* SDMA engines and their queues: rings, doorbells, turns, waits, faults, registers. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/formats/amd_sdma_packet.h"
#include "tests/check_sdma.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US             GFE_PS_PER_US
#define SUBMIT(q, ...) SDMA(&sdma, 0, (q), __VA_ARGS__)

static struct check_sdma sdma;

static void setup(void)
{
    check_sdma_begin(&sdma);
    check_sdma_load(&sdma, 0, 0, 0);
}

static void teardown(void)
{
    check_sdma_end(&sdma);
}

static void run(void)
{
    check_mec_run(&sdma.mec);
}

static uint32_t data(uint64_t offset)
{
    return check_sdma_data(&sdma, offset);
}

static uint32_t waits(uint32_t rule)
{
    return check_machine_count_rule(&sdma.mec.log, EVENT_WAIT, rule);
}

/* ---- rings ----------------------------------------------------------------------------------- */

START_TEST(a_ring_goes_round_in_the_middle_of_a_packet)
{
    for (uint32_t i = 0; i < 700; i++) { /* 7 dwords each, of 1,024 */
        SUBMIT(0, 0x2, LO(MEC_DATA + 12 * (i % 70)), HI(MEC_DATA), 2, i, i + 1, i + 2);
        if (i % 70 == 69)
            run();
    }
    for (uint32_t i = 0; i < 70; i++)
        for (uint32_t n = 0; n < 3; n++)
            ck_assert_uint_eq(data(12 * i + 4 * n), 630 + i + n);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 700 * 28);
    ck_assert_uint_eq(check_mec_peek(&sdma.mec, SDMA_RING(0, 0) + 0x8000), 700 * 28);
}
END_TEST

START_TEST(half_a_packet_waits_for_the_rest)
{
    const uint32_t fence[] = {S_FENCE(MEC_DATA, 9)};

    check_sdma_put(&sdma, 0, 0, fence, 2, false);
    run();
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_PACKET), 0);
    check_sdma_put(&sdma, 0, 0, fence + 2, 2, false);
    run();
    ck_assert_uint_eq(data(0), 9);
}
END_TEST

/* NOPs fill up what the kernel's driver submits (sdma_v4_0_ring_insert_nop), so they may be the
 * last that was written: the engine is past them (RB_RPTR equals RB_WPTR) when it is idle. */
START_TEST(nops_may_be_the_last)
{
    SUBMIT(0, 0);
    run();
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 4);
    SUBMIT(0, S_FENCE(MEC_DATA, 1), 0, 0, 0);
    run();
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 8 * 4);
    ck_assert_uint_eq(check_mec_peek(&sdma.mec, SDMA_RING(0, 0) + 0x8000), 8 * 4);
}
END_TEST

/* The highest write pointer counts. */
START_TEST(doorbells_out_of_order)
{
    const uint32_t fences[] = {S_FENCE(MEC_DATA, 1), S_FENCE(MEC_DATA + 4, 2)};

    check_sdma_put(&sdma, 0, 0, fences, 8, true);
    amd_gpu_doorbell(&sdma.mec.gpu, SDMA_DOORBELL(0, 0), 32);
    amd_gpu_doorbell(&sdma.mec.gpu, SDMA_DOORBELL(0, 0), 16);
    run();
    ck_assert_uint_eq(data(4), 2);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x514), 32);
}
END_TEST

/* Doorbells of slots and of nobody go where they went. */
START_TEST(doorbells_of_others)
{
    check_mec_load(&sdma.mec, 0, 0, false);
    amd_gpu_doorbell(&sdma.mec.gpu, 1, 0);
    amd_gpu_doorbell(&sdma.mec.gpu, 500, 0);
    run();
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_DOORBELL), 1);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_DOORBELL), 0);
    ck_assert_uint_eq(sdma.mec.rung_count, 1);
    check_sdma_set_reg(&sdma, 0, 0x548, 0); /* DOORBELL: no more */
    amd_gpu_doorbell(&sdma.mec.gpu, SDMA_DOORBELL(0, 0), 16);
    ck_assert_uint_eq(sdma.mec.rung_count, 2);
}
END_TEST

/* Without a doorbell: the register, or the place in memory that the engine looks at. */
START_TEST(write_pointers_without_doorbells)
{
    const uint32_t fences[] = {S_FENCE(MEC_DATA, 1), S_FENCE(MEC_DATA + 4, 2)};
    const uint64_t at = MEC_DATA + 0x100;

    check_sdma_put(&sdma, 0, 0, fences, 8, true);
    check_sdma_set_reg(&sdma, 0, 0x514, 16);
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 0);
    check_sdma_set_reg(&sdma, 0, 0x680 + 0xc8, HI(at));
    check_sdma_set_reg(&sdma, 0, 0x680 + 0xcc, LO(at));
    check_sdma_set_reg(&sdma, 0, 0x680 + 0x1c, 1u << 2); /* F32_POLL_ENABLE */
    check_sdma_load(&sdma, 0, 1, 0);
    check_sdma_put(&sdma, 0, 1, fences + 4, 4, true);
    run();
    ck_assert_uint_eq(data(4), 0);
    check_sdma_set_data(&sdma, 0x100, 16);
    run();
    ck_assert_uint_eq(data(4), 2);
}
END_TEST

/* ---- turns ----------------------------------------------------------------------------------- */

/* The queues of the packets, in order. */
static void expect_turns(const uint32_t *queues, uint32_t count)
{
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_PACKET), count);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(
            event_amd_sdma_packet_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_PACKET, i)).queue_index,
            queues[i]);
}

/* AMD.SDMA_ENGINE */
START_TEST(queues_take_turns)
{
    check_sdma_load(&sdma, 0, 3, 0);
    SUBMIT(0, S_FILL(MEC_DATA, 1, 0x1000), S_FENCE(MEC_DATA, 2), S_FENCE(MEC_DATA, 3));
    SUBMIT(3, S_FENCE(MEC_DATA + 0x2000, 4), S_FENCE(MEC_DATA + 0x2000, 5));
    run();
    expect_turns((const uint32_t[]){0, 3, 0, 3, 0}, 5);
    ck_assert_uint_ge(waits(RULE_AMD_SDMA_ENGINE), 2);
    golden_log_check(&sdma.mec.log, "rule_amd_sdma_engine.events");
}
END_TEST

START_TEST(a_queue_keeps_its_engine_while_it_has_work)
{
    ck_assert(machine_set_choice(sdma.mec.machine, "amd.sdma_turn", "idle"));
    check_sdma_load(&sdma, 0, 3, 0);
    SUBMIT(0, S_FENCE(MEC_DATA, 1), S_FENCE(MEC_DATA, 2), S_FENCE(MEC_DATA, 3));
    SUBMIT(3, S_FENCE(MEC_DATA + 0x2000, 4), S_FENCE(MEC_DATA + 0x2000, 5));
    run();
    expect_turns((const uint32_t[]){0, 0, 0, 3, 3}, 5);
}
END_TEST

/* SWITCH_INSIDE_IB is 0: the engine stays in the buffer. */
START_TEST(no_turn_inside_a_buffer)
{
    const uint32_t buffer[] = {S_FENCE(MEC_DATA, 1), S_FENCE(MEC_DATA, 2)};

    check_mec_poke(&sdma.mec, MEC_IB, buffer, sizeof buffer);
    if (_i) {
        check_sdma_set_reg(&sdma, 0, 0x500, 0);
        check_sdma_set_reg(&sdma, 0, 0x528, 0); /* IB_CNTL */
        check_sdma_load(&sdma, 0, 0, 0);
    }
    check_sdma_load(&sdma, 0, 1, 0);
    SUBMIT(0, S_INDIRECT(MEC_IB, 8u));
    SUBMIT(1, S_FENCE(MEC_DATA, 3), S_FENCE(MEC_DATA, 4));
    run();
    if (_i)
        expect_turns((const uint32_t[]){0, 0, 0, 1, 1}, 5);
    else
        expect_turns((const uint32_t[]){0, 1, 0, 1, 0}, 5);
}
END_TEST

/* PROMISE (amd): SDMA engines copy at the same time. */
START_TEST(engines_work_at_the_same_time)
{
    check_sdma_load(&sdma, 1, 0, 0);
    SUBMIT(0, S_FENCE(MEC_DATA, 1));
    SDMA(&sdma, 1, 0, S_FENCE(MEC_DATA + 4, 2), 0x6, 1);
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 2);
    ck_assert_uint_eq(check_sdma_event(&sdma, EVENT_AMD_SDMA_WRITE, 0)->time_ps,
                      check_sdma_event(&sdma, EVENT_AMD_SDMA_WRITE, 1)->time_ps);
    ck_assert_uint_eq(
        event_amd_interrupt_of(check_sdma_event(&sdma, EVENT_AMD_INTERRUPT, 0)).client_id, 9);
    ck_assert_uint_eq(waits(RULE_AMD_SDMA_ENGINE), 0);
}
END_TEST

/* ---- waits ----------------------------------------------------------------------------------- */

/* AMD.SDMA_POLL: a queue that waits holds up no other. */
START_TEST(a_poll_holds_its_queue)
{
    check_sdma_load(&sdma, 0, 1, 0);
    SUBMIT(0, S_POLL(MEC_DATA + 64, 3, 5, 0xff), S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(data(0), 0);
    SUBMIT(1, S_FENCE(MEC_DATA + 4, 1), S_FENCE(MEC_DATA + 64, 4));
    run();
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(data(0), 0);
    SUBMIT(1, S_FENCE(MEC_DATA + 64, 0x105));
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(waits(RULE_AMD_SDMA_POLL), 1);
    golden_log_check(&sdma.mec.log, "rule_amd_sdma_poll.events");
}
END_TEST

START_TEST(a_poll_may_keep_the_engine)
{
    ck_assert(machine_set_choice(sdma.mec.machine, "amd.sdma_wait", "hold"));
    check_sdma_load(&sdma, 0, 1, 0);
    check_sdma_load(&sdma, 1, 0, 0);
    SUBMIT(0, S_POLL(MEC_DATA + 64, 3, 5, 0xff), S_FENCE(MEC_DATA, 1));
    check_mec_run_to(&sdma.mec, 20 * US);
    SUBMIT(1, S_FENCE(MEC_DATA + 4, 1));
    run();
    ck_assert_uint_eq(data(4), 0);
    SDMA(&sdma, 1, 0, S_FENCE(MEC_DATA + 64, 5));
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(
        event_amd_sdma_packet_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_PACKET, 1)).queue_index, 0);
}
END_TEST

/* An atomic that loops waits until it can swap. */
START_TEST(a_looping_compare_and_swap_waits)
{
    check_sdma_load(&sdma, 0, 1, 0);
    check_sdma_set_data(&sdma, 64, 1);
    SUBMIT(0, S_ATOMIC(0x08, MEC_DATA + 64, UINT64_C(1), UINT64_C(0), 1), S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(data(0), 0);
    SUBMIT(1, S_FENCE(MEC_DATA + 64, 0));
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(data(64), 1);
    ck_assert_uint_eq(waits(RULE_AMD_SDMA_POLL), 1);
}
END_TEST

/* AMD.SDMA_HALT */
START_TEST(a_halted_engine_takes_up_nothing)
{
    check_sdma_set_reg(&sdma, 0, 0xa8, 1);
    SUBMIT(0, S_FENCE(MEC_DATA, 1));
    check_mec_run_to(&sdma.mec, 20 * US);
    ck_assert_uint_eq(data(0), 0);
    check_sdma_load(&sdma, 1, 0, 0);
    SDMA(&sdma, 1, 0, S_FENCE(MEC_DATA + 4, 1));
    run();
    ck_assert_uint_eq(data(4), 1);
    check_sdma_set_reg(&sdma, 0, 0xa8, 0);
    run();
    ck_assert_uint_eq(data(0), 1);
    ck_assert_uint_eq(waits(RULE_AMD_SDMA_HALT), 1);
    golden_log_check(&sdma.mec.log, "rule_amd_sdma_halt.events");
}
END_TEST

/* What waits at the end is said. */
START_TEST(open_waits_are_logged)
{
    SUBMIT(0, S_POLL(MEC_DATA + 64, 3, 5, 0xff));
    run();
    machine_finish(sdma.mec.machine);
    check_machine_read_log(&sdma.mec.log);
    ck_assert_uint_eq(event_wait_open_of(check_sdma_event(&sdma, EVENT_WAIT_OPEN, 0)).blocker_id,
                      MEC_DATA + 64);
}
END_TEST

/* A.Q1: one dword more is written, and the engine has not looked at the write pointer in memory
 * since. */
START_TEST(what_was_written_and_not_looked_at_is_left)
{
    const uint64_t at = MEC_DATA + 0x100;
    const uint32_t nop = 0;

    check_sdma_set_reg(&sdma, 0, 0x680 + 0xc8, HI(at)); /* RB_WPTR_POLL_ADDR */
    check_sdma_set_reg(&sdma, 0, 0x680 + 0xcc, LO(at));
    check_sdma_set_reg(&sdma, 0, 0x680 + 0x1c, 1u << 2); /* F32_POLL_ENABLE */
    check_sdma_load(&sdma, 0, 1, 0);
    run();
    check_sdma_put(&sdma, 0, 1, &nop, 1, true);
    check_sdma_set_data(&sdma, 0x100, 4);
    machine_finish(sdma.mec.machine);
    check_machine_read_log(&sdma.mec.log);
    ck_assert_uint_eq(check_machine_count_rule(&sdma.mec.log, EVENT_WAIT_OPEN, RULE_A_Q1), 1);
    ck_assert_uint_eq(event_wait_open_of(check_sdma_event(&sdma, EVENT_WAIT_OPEN, 0)).subject_id,
                      SDMA_DOORBELL(0, 1));
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

/* PROMISE (amd): A bad opcode stops its SDMA queue and no other. */
START_TEST(a_bad_opcode_stops_its_queue_alone)
{
    static const uint32_t bad[] = {0x3, 0x40, 0xff, 0x205, 0xffffffff};

    check_sdma_load(&sdma, 0, 1, 0);
    SUBMIT(0, bad[_i], S_FENCE(MEC_DATA, 1));
    SUBMIT(1, S_FENCE(MEC_DATA + 4, 1));
    run();
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(sdma.interrupt_count, 1);
    ck_assert_uint_eq(sdma.sources[0], 241);
}
END_TEST

START_TEST(memory_that_is_not_mapped_stops_its_queue_alone)
{
    static const uint32_t cases[][7] = {
        {S_FENCE(UINT64_C(0x1000), 1)},
        {S_POLL(UINT64_C(0x1000), 3, 1, 1)},
        {S_COPY(UINT64_C(0x1000), MEC_DATA + 64, 8)},
        {S_COPY(MEC_DATA, UINT64_C(0x1000), 8)},
        {S_FILL(UINT64_C(0x1000), 1, 8)},
        {S_INDIRECT(UINT64_C(0x1000), 8u)},
        {0x10d, 0x1000, 0},
        {0x9, 0x1000, 0, 0, 0},
    };
    static const bool is_write[] = {true, false, false, true, true, false, true, false};

    check_sdma_load(&sdma, 0, 1, 0);
    check_sdma_put(&sdma, 0, 0, cases[_i], 7, false);
    SUBMIT(0, S_FENCE(MEC_DATA, 1));
    SUBMIT(1, S_FENCE(MEC_DATA + 4, 1));
    run();
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(data(4), 1);
    ck_assert_uint_eq(check_sdma_count(&sdma, EVENT_AMD_SDMA_FAULT), 1);
    ck_assert_uint_eq(
        event_amd_sdma_fault_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_FAULT, 0)).vmid, MEC_VMID);
    ck_assert_uint_eq(
        event_amd_sdma_fault_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_FAULT, 0)).address, 0x1000);
    ck_assert_uint_eq(
        event_amd_sdma_fault_of(check_sdma_event(&sdma, EVENT_AMD_SDMA_FAULT, 0)).is_write,
        is_write[_i]);
}
END_TEST

/* ---- loading and leaving --------------------------------------------------------------------- */

START_TEST(a_queue_leaves_after_its_packet)
{
    SUBMIT(0, S_FILL(MEC_VA + 0x100000, 1, 0x100000), S_FENCE(MEC_DATA, 1));
    check_mec_run_to(&sdma.mec, 2 * US);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x544) & 5, 1); /* CONTEXT_STATUS: SELECTED */
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x94) & 1, 0);  /* STATUS_REG: not IDLE */
    check_sdma_set_reg(&sdma, 0, 0x500, 0);
    ck_assert_uint_eq(sdma.left_count, 0);
    run();
    ck_assert_uint_eq(sdma.left_count, 1);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_VA + 0x1ffffc), 1);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x544) & 5, 4); /* IDLE */
    ck_assert_uint_eq(check_sdma_reg(&sdma, 0, 0x50c), 20);
    /* It goes on where it was. */
    check_sdma_set_reg(&sdma, 0, 0x500, 1 | 10 << 1 | 1u << 12 | MEC_VMID << 24);
    run();
    ck_assert_uint_eq(data(0), 1);
}
END_TEST

/* A descriptor carries a queue that leaves between two packets of an indirect buffer.  Its dwords
 * 12 to 15 are IB_OFFSET, IB_BASE_LO, IB_BASE_HI and IB_SIZE (struct v9_sdma_mqd of the kernel's
 * v9_structs.h); IB_OFFSET is in bytes (SDMA0_RLC0_IB_OFFSET__OFFSET has bits 21:2 of it), IB_SIZE
 * in dwords. */
START_TEST(a_descriptor_carries_a_queue_inside_a_buffer)
{
    const uint32_t buffer[] = {S_FILL(MEC_VA + 0x100000, 1, 0x100000), S_FENCE(MEC_DATA, 7)};
    const uint64_t report = SDMA_RING(0, 2) + 0x8000;
    const uint32_t mqd[128] = {[0] = 10 << 1 | 1u << 12, /* RB_CNTL: 1,024 dwords */
                               [1] = LO(SDMA_RING(0, 2) >> 8),
                               [2] = HI(SDMA_RING(0, 2) >> 8),
                               [8] = HI(report),
                               [9] = LO(report),
                               [22] = 2 * SDMA_DOORBELL(0, 2) << 2}; /* DOORBELL_OFFSET */
    struct amd_sdma *engine = &sdma.mec.gpu.sdma[0];

    check_mec_poke(&sdma.mec, MEC_MQD(0), mqd, sizeof mqd);
    check_mec_poke(&sdma.mec, MEC_IB, buffer, sizeof buffer);
    ck_assert(amd_sdma_map(engine, 2, MEC_MQD(0), 0, MEC_VMID));
    SUBMIT(2, S_INDIRECT(MEC_IB, 9u));
    check_mec_run_to(&sdma.mec, 2 * US);
    amd_sdma_unload(engine, 2);
    run();
    ck_assert_uint_eq(sdma.left_count, 1);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_VA + 0x1ffffc), 1);
    ck_assert_uint_eq(data(0), 0);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_MQD(0) + 4 * 3), 24); /* RB_RPTR */
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_MQD(0) + 4 * 12), 20);
    ck_assert_uint_eq(check_mec_peek(&sdma.mec, MEC_MQD(0) + 4 * 13), MEC_IB);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_MQD(0) + 4 * 15), 9);
    ck_assert(amd_sdma_map(engine, 5, MEC_MQD(0), 0, MEC_VMID));
    run();
    ck_assert_uint_eq(data(0), 7);
    ck_assert_uint_eq(sdma.interrupt_count, 0);
}
END_TEST

/* The engines of a MI100 are loaded without registers. */
START_TEST(rings_without_registers)
{
    const struct amd_sdma_ring ring = {.address = SDMA_RING(0, 5),
                                       .byte_count = SDMA_RING_BYTES,
                                       .vmid = MEC_VMID,
                                       .doorbell_index = SDMA_DOORBELL(0, 5),
                                       .has_doorbell = true};
    struct amd_sdma_ring bad = ring;

    bad.byte_count = 12;
    ck_assert(!amd_sdma_load(&sdma.mec.gpu.sdma[0], 5, &bad));
    ck_assert(amd_sdma_load(&sdma.mec.gpu.sdma[0], 5, &ring));
    ck_assert(!amd_sdma_load(&sdma.mec.gpu.sdma[0], 5, &ring));
    SUBMIT(5, S_FENCE(MEC_DATA, 1));
    run();
    ck_assert_uint_eq(data(0), 1);
    amd_sdma_unload(&sdma.mec.gpu.sdma[0], 5);
    ck_assert_uint_eq(sdma.left_count, 1);
}
END_TEST

START_TEST(engines_of_each_chip)
{
    for (uint32_t i = 0; i < amd_chip_count; i++) {
        const struct machine_config config = {
            .gpu = "any", .vram_bytes = 1 << 20, .sysmem_bytes = 1 << 20, .seed = 1};
        static struct amd_gpu gpu;
        struct gfe_error error = {0};
        struct machine *machine = machine_new(&config, &error);

        ck_assert(machine);
        amd_gpu_wire(&gpu, machine, amd_chips[i]);
        ck_assert(machine_seal(machine, &error));
        ck_assert_uint_eq(gpu.sdma_links.engine_count,
                          amd_chips[i]->sdma_engine_count + amd_chips[i]->sdma_xgmi_engine_count);
        ck_assert(!gpu.sdma[7].window == (gpu.sdma_links.engine_count < 8));
        machine_free(machine);
    }
}
END_TEST

/* A known packet of any fields: most addresses are mapped, most other fields small. */
static uint32_t any_packet(struct random_state *random, uint32_t dwords[16])
{
    const struct amd_layout *layout =
        &amd_sdma_layouts_of(AMD_GENERATION_GFX9)
             ->rows[random_next(random) % amd_sdma_layouts_of(AMD_GENERATION_GFX9)->count];

    memset(dwords, 0, 64);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const uint32_t bits = layout->fields[i].bits;
        uint64_t value = random_next(random) & 0x3f;

        if (random_next(random) % 64 == 0)
            value = (uint64_t)random_next(random) << 32 | random_next(random);
        else if (AMD_BITS_WIDTH(bits) > 40) /* an address */
            value = MEC_VA + 0x100000 + random_next(random) % 0x100000;
        amd_put(dwords, bits, value);
    }
    dwords[0] = (dwords[0] & ~0xffffu) | layout->code;
    return layout->max_dwords;
}

/* Any dwords at all: the machine ends, and no other queue is touched. */
/* PROMISE (amd): Packets with any fields, and dwords that are no packets, leave an SDMA engine
 * in good order (100 seeds). */
START_TEST(any_dwords)
{
    struct random_state random;
    uint32_t dwords[216], count = 0;

    random_seed(&random, (uint64_t)_i, 0);
    while (count < 200) {
        count += any_packet(&random, dwords + count);
        if (_i % 4 == 0) /* and what is none */
            dwords[count - 1 - random_next(&random) % 4 % count] = random_next(&random);
    }
    check_sdma_load(&sdma, 0, 1, 0);
    check_sdma_put(&sdma, 0, 0, dwords, count, false);
    check_mec_run_to(&sdma.mec, 1000 * US);
    SUBMIT(1, S_FENCE(MEC_VA, 0x77));
    check_mec_run_to(&sdma.mec, 1000 * US + UINT64_C(10) * GFE_PS_PER_S);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&sdma.mec, MEC_VA), 0x77);
    ck_assert(!machine_failed(sdma.mec.machine));
}
END_TEST

Suite *amd_sdma_suite(void)
{
    Suite *suite = suite_create("amd_sdma");
    TCase *tcase = tcase_create("queues");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_ring_goes_round_in_the_middle_of_a_packet);
    tcase_add_test(tcase, half_a_packet_waits_for_the_rest);
    tcase_add_test(tcase, nops_may_be_the_last);
    tcase_add_test(tcase, doorbells_out_of_order);
    tcase_add_test(tcase, doorbells_of_others);
    tcase_add_test(tcase, write_pointers_without_doorbells);
    tcase_add_test(tcase, queues_take_turns);
    tcase_add_test(tcase, a_queue_keeps_its_engine_while_it_has_work);
    tcase_add_loop_test(tcase, no_turn_inside_a_buffer, 0, 2);
    tcase_add_test(tcase, engines_work_at_the_same_time);
    tcase_add_test(tcase, a_poll_holds_its_queue);
    tcase_add_test(tcase, a_poll_may_keep_the_engine);
    tcase_add_test(tcase, a_looping_compare_and_swap_waits);
    tcase_add_test(tcase, a_halted_engine_takes_up_nothing);
    tcase_add_test(tcase, open_waits_are_logged);
    tcase_add_test(tcase, what_was_written_and_not_looked_at_is_left);
    tcase_add_loop_test(tcase, a_bad_opcode_stops_its_queue_alone, 0, 5);
    tcase_add_loop_test(tcase, memory_that_is_not_mapped_stops_its_queue_alone, 0, 8);
    tcase_add_test(tcase, a_queue_leaves_after_its_packet);
    tcase_add_test(tcase, a_descriptor_carries_a_queue_inside_a_buffer);
    tcase_add_test(tcase, rings_without_registers);
    tcase_add_test(tcase, engines_of_each_chip);
    tcase_add_loop_test(tcase, any_dwords, 0, 100);
    suite_add_tcase(suite, tcase);
    return suite;
}
