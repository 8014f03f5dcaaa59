/* SPDX-License-Identifier: MIT */
/* A queue that leaves its slot in the middle of its dispatches, and goes on in another. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_tables.h"
#include "emu/engine/random.h"
#include "tests/check_mec.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US    GFE_PS_PER_US
#define AREA  (MEC_VA + 0xc00000)
#define BLOCK (24 * 64 * 4 + 32 * 4 + 100) /* bytes of a saved block of one wave */
enum { STACK = 0x1000, AREA_BYTES = 0x100000 };

static struct check_mec mec;
static uint32_t packet[16];

static void setup(void)
{
    check_mec_begin(&mec);
}

static void teardown(void)
{
    check_mec_end(&mec);
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&mec.log, kind);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    return check_machine_event(&mec.log, kind, n);
}

/* Something happens then, so that it is then. */
static void run_to(gfe_ps until_ps)
{
    machine_schedule(mec.machine, mec.gpu.dispatch.unit, until_ps, AMD_EVENT_LAUNCH, 0);
    check_mec_run_to(&mec, until_ps + 1);
}

/* Queue n gets a descriptor with a save area of so many bytes (0: none). */
static void describe(uint32_t n, bool is_aql, uint32_t area_bytes)
{
    const uint64_t area = AREA + (uint64_t)n * AREA_BYTES;
    uint32_t mqd[512] = {0xc0310800};

    check_mec_load(&mec, 40 + n, n, is_aql); /* what the driver would write, read back */
    for (uint32_t i = 0; i < 56; i++)
        mqd[128 + i] = check_mec_reg(&mec, 40 + n, 0xc914 + 4 * i);
    check_mec_set_reg(&mec, 40 + n, 0xc974, 1);
    mqd[23] = mqd[24] = mqd[26] = mqd[27] = UINT32_MAX; /* CU masks */
    mqd[128 + 13] = (uint32_t)(MEC_PROGRAM(n) + 0x38);  /* PQ_WPTR_POLL_ADDR */
    mqd[128 + 14] = (uint32_t)((MEC_PROGRAM(n) + 0x38) >> 32);
    mqd[171] = (uint32_t)area; /* CTX_SAVE_BASE_ADDR */
    mqd[172] = (uint32_t)(area >> 32);
    mqd[174] = mqd[175] = mqd[176] = area_bytes ? STACK : 0; /* CNTL_STACK_, WG_STATE_OFFSET */
    mqd[177] = area_bytes;
    check_mec_poke(&mec, MEC_MQD(n), mqd, sizeof mqd);
    mec.left_count = 0;
}

static uint32_t mqd_word(uint32_t n, uint32_t dword)
{
    return (uint32_t)check_mec_peek(&mec, MEC_MQD(n) + 4 * dword);
}

static void map(uint32_t n, uint32_t slot_id)
{
    ck_assert(amd_mec_map(&mec.gpu.mec, slot_id, MEC_MQD(n), MEC_VMID));
}

/* A kernel of that many blocks of one wave, each of 250 us alone on its CU. */
static void kernel(uint32_t n, uint32_t blocks, uint64_t signal, bool barrier)
{
    check_mec_kernel(packet, blocks, signal, barrier);
    check_mec_aql(&mec, n, packet, true);
    check_mec_poke(&mec, MEC_PROGRAM(n) + 0x38, &mec.written[n], 8); /* write_dispatch_id */
    check_mec_ring(&mec, n);
}

static void save(uint32_t slot_id)
{
    const uint32_t before = mec.left_count;

    amd_mec_unmap(&mec.gpu.mec, slot_id, AMD_DEQUEUE_SAVE);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, before + 1);
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* AMD.CWSR: from one slot to another in the middle of a kernel.  What was saved stands in the
 * descriptor, and what it costs is in the log. */
START_TEST(a_queue_goes_on_in_another_slot)
{
    gfe_ps saved_ps, restored_ps;

    describe(0, true, AREA_BYTES);
    map(0, 3);
    check_mec_signal(&mec, 0, 5);
    kernel(0, 10, MEC_SIGNAL(0), false);
    run_to(100 * US);
    save(3);
    ck_assert_uint_eq(count(EVENT_GRID_END), 0);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 5);
    ck_assert_uint_eq(mqd_word(0, 174), STACK - 8 * 10);
    ck_assert_uint_eq(mqd_word(0, 176), STACK + 10 * BLOCK);
    ck_assert_uint_eq(event_amd_queue_save_of(event(EVENT_AMD_QUEUE_SAVE, 0)).wave_count, 10);
    ck_assert_uint_eq(event_amd_queue_save_of(event(EVENT_AMD_QUEUE_SAVE, 0)).byte_count,
                      10 * BLOCK);
    saved_ps = event(EVENT_AMD_QUEUE_SAVE, 0)->time_ps;
    /* 64,000 cycles of 1.8 GHz after it was asked for; 5 us and the bytes, 2 us for the slot. */
    ck_assert_uint_ge(saved_ps, 100 * US + 35 * US);
    ck_assert_uint_le(saved_ps, 100 * US + 38 * US);
    ck_assert_uint_eq(event_amd_queue_save_of(event(EVENT_AMD_QUEUE_SAVE, 0)).duration_ps,
                      5 * US + 5 * 10 * BLOCK);
    ck_assert_uint_eq(event(EVENT_AMD_QUEUE_LEAVE, 1)->time_ps, saved_ps + 5 * US + 5 * 10 * BLOCK);
    ck_assert(amd_mec_is_parked(&mec.gpu.mec, MEC_MQD(0)));
    map(0, 13);
    check_mec_run(&mec);
    ck_assert(!amd_mec_is_parked(&mec.gpu.mec, MEC_MQD(0)));
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 4);
    restored_ps = event(EVENT_AMD_BLOCK_GO_ON, 0)->time_ps;
    saved_ps -= event(EVENT_GRID_START, 0)->time_ps; /* its last block starts some cycles later */
    ck_assert_uint_ge(event(EVENT_GRID_END, 0)->time_ps - restored_ps + saved_ps, 250 * US);
    ck_assert_uint_le(event(EVENT_GRID_END, 0)->time_ps - restored_ps + saved_ps, 250 * US + 10000);
    ck_assert_uint_eq(check_mec_reg(&mec, 13, 0xc9cc), STACK); /* nothing is saved now */
    ck_assert_uint_eq(event_amd_packet_end_of(event(EVENT_AMD_PACKET_END, 0)).slot_id, 13);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_WAIT, RULE_AMD_CWSR), 1);
}
END_TEST

/* AMD.GRACE: what ends within the grace period is not saved, and nothing new begins in it. */
/* PROMISE (amd): Waves have the grace period of CP_IQ_WAIT_TIME2 to end before they are saved. */
START_TEST(waves_have_time_to_end)
{
    describe(0, true, AREA_BYTES);
    map(0, 0);
    kernel(0, 2, 0, false);
    kernel(0, 1, 0, true);
    run_to(230 * US);
    save(0);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_SAVE), 0);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 1);
    map(0, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2);
    /* 64 units are too few for a third one. */
    kernel(0, 1, 0, false);
    run_to(machine_now(mec.machine) + 10 * US);
    save(0);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_SAVE), 1);
    golden_log_check(&mec.log, "rule_amd_grace.events");
}
END_TEST

/* The driver's own DEQUEUE_REQUEST has no grace period. */
START_TEST(the_drivers_request_saves_at_once)
{
    gfe_ps asked_ps;

    describe(0, true, AREA_BYTES);
    for (uint32_t i = 0; i < 56; i++)
        if (i != 2) /* ACTIVE */
            check_mec_set_reg(&mec, 5, 0xc914 + 4 * i, mqd_word(0, 128 + i));
    check_mec_set_reg(&mec, 5, 0xc914, (uint32_t)MEC_MQD(0));
    check_mec_set_reg(&mec, 5, 0xc918, (uint32_t)(MEC_MQD(0) >> 32));
    check_mec_set_reg(&mec, 5, 0xc91c, 1);
    kernel(0, 10, 0, false);
    run_to(100 * US);
    asked_ps = machine_now(mec.machine);
    check_mec_set_reg(&mec, 5, 0xc974, 3);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_reg(&mec, 5, 0xc91c), 0);
    ck_assert_uint_eq(event(EVENT_AMD_QUEUE_SAVE, 0)->time_ps, asked_ps);
    check_mec_set_reg(&mec, 5, 0xc91c, 1);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
}
END_TEST

/* AMD.SAVE_ROOM: an area that is too small, or that nothing is behind: the queue drains. */
/* PROMISE (amd): A queue without room in its save area drains instead of being saved. */
START_TEST(without_room_a_queue_drains)
{
    static const uint32_t bytes[] = {STACK + 0x1000, AREA_BYTES, 0};
    uint32_t far = UINT32_MAX;

    describe(0, true, bytes[_i]);
    if (_i == 1)
        check_mec_poke(&mec, MEC_MQD(0) + 4 * 172, &far, 4);
    map(0, 0);
    kernel(0, 10, 0, false);
    run_to(100 * US);
    save(0);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_SAVE), 0);
    ck_assert_uint_eq(count(EVENT_AMD_SAVE_REFUSED), _i < 2);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    if (_i == 0)
        golden_log_check(&mec.log, "rule_amd_save_room.events");
}
END_TEST

/* ---- indirect buffers ------------------------------------------------------------------------ */

#define LO(value)         ((uint32_t)(value))
#define HI(value)         ((uint32_t)((uint64_t)(value) >> 32))
#define P3(opcode, count) ((3u << 30) | (uint32_t)((count)-1) << 16 | (opcode) << 8)
#define SH(offset, value) P3(0x76, 2), ((offset)-0xb000) / 4, value
#define WRITE(at, value)  P3(0x37, 4), 5 << 8, LO(MEC_DATA + (at)), HI(MEC_DATA + (at)), value

/* A queue leaves in the middle of an indirect buffer, with what it waits for in it, and goes on
 * there: saved, or drained between two packets. */
START_TEST(an_indirect_buffer_goes_on_where_it_was)
{
    // clang-format off
    const uint32_t ib[] = {SH(0xb848, 5 | 3 << 6), SH(0xb84c, 8 << 15), SH(0xb81c, 64),
                           SH(0xb820, 1), SH(0xb824, 1), SH(0xb830, LO(MEC_KERNEL >> 8)),
                           SH(0xb834, 0),
                           P3(0x15, 4), 1, 1, 1, 1,   /* DISPATCH_DIRECT */
                           P3(0x46, 1), 7 | 4u << 8,  /* CS_PARTIAL_FLUSH */
                           WRITE(0, 77),
                           P3(0x3c, 6), 3 | 1 << 4, LO(MEC_DATA + 8), HI(MEC_DATA + 8), 1,
                           UINT32_MAX, 4,             /* WAIT_REG_MEM */
                           WRITE(4, 78)};
    // clang-format on
    const uint32_t call[] = {P3(0x3f, 3), LO(MEC_IB), HI(MEC_IB), sizeof ib / 4 | 1u << 23};
    const uint32_t one = 1;

    describe(0, false, AREA_BYTES);
    check_mec_poke(&mec, MEC_IB, ib, sizeof ib);
    map(0, 0);
    check_mec_run(&mec);
    check_mec_pm4(&mec, 0, call, 4);
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0x38, &mec.written[0], 8);
    run_to(100 * US);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 1);
    save(0);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_SAVE), 1);
    map(0, 9);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&mec, MEC_DATA), 77);
    amd_mec_unmap(&mec.gpu.mec, 9, AMD_DEQUEUE_DRAIN);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, 2);
    check_mec_poke(&mec, MEC_DATA + 8, &one, 4);
    map(0, 17);
    check_mec_run(&mec);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&mec, MEC_DATA + 4), 78);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), 1);
}
END_TEST

/* A queue that was drained between two packets of an indirect buffer, and that is asked to leave
 * again before it has come to where it was, goes there first and keeps its place. */
START_TEST(a_queue_that_comes_back_does_not_leave_before_it_is_there)
{
    const uint32_t ib[] = {P3(0x3c, 6), 3 | 1 << 4, LO(MEC_DATA + 8), HI(MEC_DATA + 8), 1,
                           UINT32_MAX,  4, /* WAIT_REG_MEM */
                           WRITE(4, 78)};
    const uint32_t call[] = {P3(0x3f, 3), LO(MEC_IB), HI(MEC_IB), sizeof ib / 4 | 1u << 23};
    const uint32_t one = 1;

    describe(0, false, AREA_BYTES);
    check_mec_poke(&mec, MEC_IB, ib, sizeof ib);
    map(0, 0);
    check_mec_run(&mec);
    check_mec_pm4(&mec, 0, call, 4);
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0x38, &mec.written[0], 8);
    check_mec_run(&mec);
    amd_mec_unmap(&mec.gpu.mec, 0, AMD_DEQUEUE_DRAIN);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, 1);
    map(0, 17);
    while (mec.gpu.mec.state->queues[17].phase != AMD_QUEUE_RESTORING)
        ck_assert(machine_step(mec.machine));
    amd_mec_unmap(&mec.gpu.mec, 17, AMD_DEQUEUE_DRAIN);
    ck_assert_int_eq(mec.gpu.mec.state->queues[17].phase, AMD_QUEUE_RESTORING);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, 2);
    check_mec_poke(&mec, MEC_DATA + 8, &one, 4);
    map(0, 5);
    check_mec_run(&mec);
    ck_assert_uint_eq((uint32_t)check_mec_peek(&mec, MEC_DATA + 4), 78);
}
END_TEST

/* ---- throwing away --------------------------------------------------------------------------- */

/* RESET_WAVES: the queue leaves at once, its packets are never complete; another queue of the same
 * pipe does what it does without. */
/* PROMISE (amd): A reset of one queue touches no other. */
START_TEST(a_reset_touches_no_other_queue)
{
    gfe_ps end_ps[2];

    for (uint32_t with = 0; with < 2; with++) {
        if (with) {
            teardown();
            setup();
        }
        for (uint32_t n = 0; n < 2; n++) {
            describe(n, true, AREA_BYTES);
            check_mec_signal(&mec, n, 5);
            map(n, n);
        }
        kernel(1, 3, MEC_SIGNAL(1), false);
        run_to(50 * US);
        if (with) {
            kernel(0, 20, MEC_SIGNAL(0), false);
            kernel(0, 1, MEC_SIGNAL(0), true);
            run_to(100 * US);
            amd_mec_unmap(&mec.gpu.mec, 0, AMD_DEQUEUE_RESET);
        }
        check_mec_run(&mec);
        end_ps[with] = event(EVENT_GRID_END, 0)->time_ps;
        ck_assert_uint_eq(event_grid_end_of(event(EVENT_GRID_END, 0)).grid_id, 1);
        ck_assert_uint_eq(check_mec_signal_value(&mec, 1), 4);
    }
    ck_assert_uint_eq(end_ps[0], end_ps[1]);
    ck_assert_uint_eq(count(EVENT_GRID_DROP), 1);
    ck_assert_uint_eq(count(EVENT_AMD_BLOCK_STOP), 20);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq(mec.left_count, 1);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 5);
    ck_assert(!amd_mec_busy(&mec.gpu.mec, 0) && !amd_mec_is_parked(&mec.gpu.mec, MEC_MQD(0)));
    /* The next kernel of the queue is run when it is back. */
    map(0, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 4);
}
END_TEST

/* A saved queue is no more, or another one has its descriptor: nobody gets what was saved. */
START_TEST(what_is_saved_is_its_own_queues)
{
    describe(0, true, AREA_BYTES);
    map(0, 0);
    kernel(0, 10, 0, false);
    kernel(0, 1, 0, true);
    run_to(100 * US);
    save(0);
    if (_i == 0)
        amd_mec_forget(&mec.gpu.mec, MEC_MQD(0));
    else
        describe(0, true, AREA_BYTES);
    if (_i == 0)
        ck_assert(!amd_mec_is_parked(&mec.gpu.mec, MEC_MQD(0)));
    mec.written[0] = 0;
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0x38, &mec.written[0], 8);
    describe(0, true, AREA_BYTES);
    map(0, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_DROP), 1);
    ck_assert_uint_eq(count(EVENT_GRID_END), 0);
    ck_assert_uint_eq(count(EVENT_AMD_BLOCK_GO_ON), 0);
    ck_assert_uint_eq(mec.gpu.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(mec.gpu.dispatch.state->saved_count, 0);
    ck_assert(mec.gpu.mec.state->shared_pending == 0 && mec.gpu.mec.state->shared_dispatches == 0);
}
END_TEST

/* The table of dispatches has places of each queue's own, and shared ones.  A queue that is saved
 * with more dispatches than it has places, and is no more, gives back all that it had. */
START_TEST(a_queue_that_is_no_more_gives_all_places_back)
{
    const struct amd_mec_state *state = mec.gpu.mec.state;
    const uint32_t kernels = AMD_PENDING_OWN + 4;

    describe(0, true, AREA_BYTES);
    map(0, 0);
    for (uint32_t i = 0; i < kernels; i++)
        kernel(0, 1, 0, false);
    run_to(100 * US);
    ck_assert_uint_eq(count(EVENT_GRID_QUEUE), kernels);
    ck_assert_uint_eq(state->shared_pending, 4);
    save(0);
    ck_assert(amd_mec_is_parked(&mec.gpu.mec, MEC_MQD(0)));
    ck_assert_uint_eq(state->shared_pending, kernels);
    ck_assert_uint_eq(state->shared_dispatches, kernels);
    amd_mec_forget(&mec.gpu.mec, MEC_MQD(0));
    ck_assert_uint_eq(state->shared_pending, 0);
    ck_assert_uint_eq(state->shared_dispatches, 0);
}
END_TEST

/* ---- whatever happens when ------------------------------------------------------------------- */

enum { RANDOM_QUEUES = 6, RANDOM_STEPS = 400 };

static uint32_t slot_of[RANDOM_QUEUES];

/* A queue gets a slot, or has to leave it, by whatever kind of request but a reset. */
static void disturb(struct random_state *random, uint32_t n)
{
    static const enum amd_dequeue kinds[] = {AMD_DEQUEUE_SAVE, AMD_DEQUEUE_SAVE, AMD_DEQUEUE_SAVE,
                                             AMD_DEQUEUE_DRAIN};

    for (uint32_t i = 0; i < RANDOM_QUEUES; i++)
        if (slot_of[i] != AMD_NO_SLOT &&
            mec.gpu.mec.state->queues[slot_of[i]].phase == AMD_QUEUE_EMPTY)
            slot_of[i] = AMD_NO_SLOT;
    if (slot_of[n] == AMD_NO_SLOT) {
        const uint32_t slot_id = random_below(random, 32);

        if (mec.gpu.mec.state->queues[slot_id].phase == AMD_QUEUE_EMPTY) {
            map(n, slot_id);
            slot_of[n] = slot_id;
        }
    } else {
        amd_mec_unmap(&mec.gpu.mec, slot_of[n], kinds[random_below(random, 4)]);
    }
}

/* Kernels with and without the barrier bit; every signal is decremented once, every packet ends
 * once, whenever its queue was taken off and whatever it was doing. */
/* PROMISE (amd): A queue that is saved in the middle of its dispatches and restored loses no
 * packet and repeats none (20 random runs). */
START_TEST(no_packet_is_lost_or_done_twice)
{
    struct random_state random;
    uint32_t packets = 0, blocks = 0;

    random_seed(&random, (uint64_t)_i, 3);
    for (uint32_t n = 0; n < RANDOM_QUEUES; n++) {
        describe(n, true, AREA_BYTES);
        check_mec_signal(&mec, n, 1000);
        slot_of[n] = AMD_NO_SLOT;
    }
    for (uint32_t i = 0; i < RANDOM_STEPS; i++) {
        const uint32_t n = random_below(&random, RANDOM_QUEUES);

        if (random_below(&random, 4) == 0 && mec.written[n] < MEC_PACKETS - 1) {
            const uint32_t some = random_below(&random, 8) ? random_below(&random, 40) : 3000;

            kernel(n, 1 + some, MEC_SIGNAL(n), random_below(&random, 3) == 0);
            packets++;
            blocks += 1 + some;
        } else {
            disturb(&random, n);
        }
        for (uint32_t steps = random_below(&random, 60); steps > 0; steps--)
            (void)machine_step(mec.machine);
    }
    for (uint32_t round = 0; round < 3; round++) { /* all are in slots in the end */
        check_mec_run(&mec);
        for (uint32_t n = 0; n < RANDOM_QUEUES; n++)
            while (slot_of[n] == AMD_NO_SLOT ||
                   mec.gpu.mec.state->queues[slot_of[n]].phase == AMD_QUEUE_EMPTY)
                disturb(&random, n);
    }
    check_mec_run(&mec);
    for (uint32_t n = 0; n < RANDOM_QUEUES; n++)
        ck_assert_uint_eq(check_mec_signal_value(&mec, n), 1000 - mec.written[n]);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET_END), packets);
    ck_assert_uint_eq(count(EVENT_BLOCK_START), blocks);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), blocks);
    ck_assert_uint_eq(count(EVENT_AMD_BLOCK_STOP), count(EVENT_AMD_BLOCK_GO_ON));
    /* A queue leaves its slot once, also when the end of its grace period comes behind that. */
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_LOAD), count(EVENT_AMD_QUEUE_LEAVE) + RANDOM_QUEUES);
    ck_assert_uint_eq(mec.left_count,
                      count(EVENT_AMD_QUEUE_LEAVE) - RANDOM_QUEUES); /* describe() */
    if (_i == 0)
        ck_assert_uint_gt(count(EVENT_AMD_BLOCK_STOP), 0);
    ck_assert_uint_eq(mec.gpu.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(mec.gpu.dispatch.state->saved_count, 0);
    ck_assert(mec.gpu.mec.state->shared_pending == 0 && mec.gpu.mec.state->shared_dispatches == 0);
}
END_TEST

/* A reset in the middle of anything leaves nothing behind. */
START_TEST(resets_leave_nothing_behind)
{
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 4);
    describe(0, true, AREA_BYTES);
    check_mec_signal(&mec, 0, 1000);
    for (uint32_t i = 0; i < 20; i++) {
        map(0, i);
        for (uint32_t k = random_below(&random, 3); k > 0 && mec.written[0] < 60; k--)
            kernel(0, 1 + random_below(&random, 3000), MEC_SIGNAL(0), random_below(&random, 2));
        for (uint32_t steps = random_below(&random, 200); steps > 0; steps--)
            (void)machine_step(mec.machine);
        amd_mec_unmap(&mec.gpu.mec, i, i % 3 == 0 ? AMD_DEQUEUE_SAVE : AMD_DEQUEUE_RESET);
        check_mec_run(&mec);
        ck_assert_uint_eq(mec.gpu.mec.state->queues[i].phase, AMD_QUEUE_EMPTY);
    }
    amd_mec_forget(&mec.gpu.mec, MEC_MQD(0));
    ck_assert_uint_eq(mec.gpu.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(mec.gpu.dispatch.state->saved_count, 0);
    ck_assert(mec.gpu.mec.state->shared_pending == 0 && mec.gpu.mec.state->shared_dispatches == 0);
    check_mec_run(&mec);
    ck_assert_uint_ge(count(EVENT_GRID_DROP), 1);
}
END_TEST

/* The state in the middle of a save, and of a restore, is the same again; and so is the run. */
/* PROMISE (amd): Snapshots in the middle of a save or a restore go on as the run did. */
START_TEST(snapshots_in_the_middle_of_save_and_restore)
{
    struct machine_snapshot *snapshot;
    char state[2][65], log[2][65];

    describe(0, true, AREA_BYTES);
    map(0, 0);
    kernel(0, 100, 0, false);
    run_to(100 * US);
    amd_mec_unmap(&mec.gpu.mec, 0, AMD_DEQUEUE_SAVE);
    if (_i) {
        check_mec_run(&mec);
        map(0, 1);
    }
    while (_i ? mec.gpu.mec.state->queues[1].phase != AMD_QUEUE_RESTORING
              : mec.gpu.mec.state->queues[0].save != AMD_SAVE_MOVING)
        ck_assert(machine_step(mec.machine));
    snapshot = machine_take(mec.machine);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert(machine_hash(mec.machine, state[0]));
    for (uint32_t i = 0; i < 2; i++) {
        check_mec_run(&mec);
        if (!_i) {
            map(0, 1);
            check_mec_run(&mec);
        }
        ck_assert_uint_eq(count(EVENT_GRID_END), 1);
        check_machine_log_hash(mec.machine, log[i]);
        ck_assert(machine_restore(mec.machine, snapshot));
        ck_assert(machine_hash(mec.machine, state[1]));
        ck_assert_str_eq(state[0], state[1]);
    }
    ck_assert_str_eq(log[0], log[1]);
    machine_snapshot_free(snapshot);
}
END_TEST

Suite *amd_mec_save_suite(void)
{
    Suite *suite = suite_create("amd_mec_save");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_queue_goes_on_in_another_slot);
    tcase_add_test(tcase, waves_have_time_to_end);
    tcase_add_test(tcase, the_drivers_request_saves_at_once);
    tcase_add_loop_test(tcase, without_room_a_queue_drains, 0, 3);
    tcase_add_test(tcase, an_indirect_buffer_goes_on_where_it_was);
    tcase_add_test(tcase, a_queue_that_comes_back_does_not_leave_before_it_is_there);
    tcase_add_test(tcase, a_reset_touches_no_other_queue);
    tcase_add_loop_test(tcase, what_is_saved_is_its_own_queues, 0, 2);
    tcase_add_test(tcase, a_queue_that_is_no_more_gives_all_places_back);
    tcase_add_loop_test(tcase, no_packet_is_lost_or_done_twice, 0, 20);
    tcase_add_loop_test(tcase, resets_leave_nothing_behind, 0, 10);
    tcase_add_loop_test(tcase, snapshots_in_the_middle_of_save_and_restore, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
