/* SPDX-License-Identifier: MIT */
/* Slots, doorbells, pipes: how a queue comes to its packets, and leaves. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "tests/check_mec.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US

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

/* ---- slots ----------------------------------------------------------------------------------- */

/* Registers are those of the slot that GRBM_GFX_CNTL selects. */
/* PROMISE (amd): Each slot of the micro engine has registers of its own. */
START_TEST(each_slot_has_its_own_registers)
{
    for (uint32_t slot_id = 0; slot_id < 64; slot_id++) {
        check_mec_set_reg(&mec, slot_id, 0xc934, 0x1000 + slot_id); /* PQ_BASE */
        check_mec_set_reg(&mec, slot_id, 0xb858, slot_id);          /* STATIC_THREAD_MGMT_SE0 */
    }
    for (uint32_t slot_id = 0; slot_id < 64; slot_id++) {
        ck_assert_uint_eq(check_mec_reg(&mec, slot_id, 0xc934), 0x1000 + slot_id);
        ck_assert_uint_eq(check_mec_reg(&mec, slot_id, 0xb858), slot_id);
        ck_assert_uint_eq(*amd_gc_hqd(&mec.gpu.gc, slot_id, CP_HQD_PQ_BASE), 0x1000 + slot_id);
    }
    ck_assert_uint_eq(check_mec_reg(&mec, 5, 0xc958), 0x308509); /* PQ_CONTROL: reset value */
    machine_write32(mec.machine, 0x8088, 0);                     /* graphics */
    ck_assert_uint_eq(*amd_gc_hqd(&mec.gpu.gc, 63, CP_HQD_PQ_BASE), 0x1000 + 63);
}
END_TEST

/* A.Q1: a packet in memory, and a store to the doorbell. */
START_TEST(a_packet_is_taken_up_when_the_doorbell_is_rung)
{
    check_mec_load(&mec, 0, 0, true);
    check_mec_signal(&mec, 0, 1);
    check_mec_kernel(packet, 100, MEC_SIGNAL(0), false);
    check_mec_aql(&mec, 0, packet, true);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_PACKET), 0);
    check_mec_ring(&mec, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_AMD_PACKET, RULE_A_Q1), 1);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 100);
    ck_assert_uint_eq(check_mec_signal_value(&mec, 0), 0);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_RING(0)) & 0xff, 1);    /* INVALID */
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_PROGRAM(0) + 0x80), 1); /* read_dispatch_id */
    ck_assert_uint_eq(check_mec_reg(&mec, 0, 0xc93c), 16);             /* RPTR in dwords */
    ck_assert_uint_eq(check_mec_reg(&mec, 0, 0xc9ec), 1);              /* WPTR in packets */
    golden_log_check(&mec.log, "rule_a_q1.events");
}
END_TEST

/* Two producers ring out of order: the highest counts. */
/* PROMISE (amd): Doorbells that arrive out of order take nothing back. */
START_TEST(a_lower_doorbell_takes_nothing_back)
{
    check_mec_load(&mec, 0, 0, true);
    check_mec_kernel(packet, 1, 0, false);
    for (uint32_t i = 0; i < 3; i++)
        check_mec_aql(&mec, 0, packet, true);
    amd_mec_doorbell(&mec.gpu.mec, 1, 2);
    amd_mec_doorbell(&mec.gpu.mec, 1, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 3);
}
END_TEST

/* CP_HQD_PQ_WPTR_LO and _HI are the two words of the write index (gc_9_0_offset.h). */
START_TEST(a_write_index_stands_in_two_registers)
{
    check_mec_load(&mec, 0, 0, true);
    amd_mec_doorbell(&mec.gpu.mec, 1, UINT64_C(0x27fffffff)); /* the last packet */
    check_mec_run(&mec); /* the first packet is invalid, and stays */
    ck_assert_uint_eq(*amd_gc_hqd(&mec.gpu.gc, 0, CP_HQD_PQ_WPTR_LO), 0x80000000);
    ck_assert_uint_eq(*amd_gc_hqd(&mec.gpu.gc, 0, CP_HQD_PQ_WPTR_HI), 2);
}
END_TEST

START_TEST(a_doorbell_of_no_slot_goes_to_the_firmware)
{
    check_mec_load(&mec, 0, 0, true);
    amd_mec_doorbell(&mec.gpu.mec, 77, 5);
    ck_assert_uint_eq(mec.rung_count, 1);
    ck_assert_uint_eq(mec.rung, 77);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_DOORBELL), 0);
}
END_TEST

/* The ring is walked round many times. */
/* PROMISE (amd): A ring is read over its end. */
START_TEST(a_ring_goes_round)
{
    check_mec_load(&mec, 9, 1, true);
    check_mec_kernel(packet, 1, 0, false);
    for (uint32_t i = 0; i < 5 * MEC_PACKETS; i++) {
        check_mec_aql(&mec, 1, packet, false);
        if (i % 50 == 49)
            check_mec_run(&mec);
    }
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 5 * MEC_PACKETS);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_PROGRAM(1) + 0x80), 5 * MEC_PACKETS);
    for (uint32_t i = 0; i < 5 * MEC_PACKETS; i++)
        ck_assert_uint_eq(event_amd_packet_of(event(EVENT_AMD_PACKET, i)).packet_index, i);
}
END_TEST

/* ---- pipes ----------------------------------------------------------------------------------- */

/* AMD.PIPE: queues of a pipe take turns, those of another pipe do not wait. */
/* PROMISE (amd): Queues of one pipe take turns. */
START_TEST(queues_of_a_pipe_take_turns)
{
    for (uint32_t n = 0; n < 3; n++)
        check_mec_load(&mec, n < 2 ? n : 8, n, true); /* pipe 0: slots 0 and 1; pipe 1 */
    check_mec_kernel(packet, 1, 0, false);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t n = 0; n < 3; n++)
            check_mec_aql(&mec, n, packet, true);
    for (uint32_t n = 0; n < 3; n++)
        check_mec_ring(&mec, n);
    check_mec_run(&mec);
    for (uint32_t i = 0, pipe0 = 0; i < 12; i++) {
        const struct log_event *taken = event(EVENT_AMD_PACKET, i);

        if (event_amd_packet_of(taken).slot_id == 8)
            continue;
        ck_assert_uint_eq(event_amd_packet_of(taken).slot_id, pipe0 % 2);
        ck_assert_uint_eq(taken->time_ps, US / 2 + pipe0 * US);
        pipe0++;
    }
    ck_assert_uint_ge(check_machine_count_rule(&mec.log, EVENT_WAIT, RULE_AMD_PIPE), 4);
    golden_log_check(&mec.log, "rule_amd_pipe.events");
}
END_TEST

/* A queue that waits does not hold up its pipe. */
/* PROMISE (amd): A queue that waits holds up no other queue of its pipe. */
START_TEST(a_queue_that_waits_holds_up_no_other)
{
    check_mec_load(&mec, 0, 0, true);
    check_mec_load(&mec, 1, 1, true);
    check_mec_signal(&mec, 0, 1);
    memset(packet, 0, sizeof packet);
    packet[0] = 3; /* BARRIER_AND */
    packet[2] = (uint32_t)MEC_SIGNAL(0);
    packet[3] = (uint32_t)(MEC_SIGNAL(0) >> 32);
    check_mec_aql(&mec, 0, packet, false);
    check_mec_kernel(packet, 1, MEC_SIGNAL(0), false);
    check_mec_aql(&mec, 1, packet, false);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_PROGRAM(0) + 0x80), 1);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_WAIT, RULE_AMD_DEPENDS), 1);
}
END_TEST

/* ---- leaving --------------------------------------------------------------------------------- */

/* DRAIN_PIPE: no further packet, and away when all is complete. */
START_TEST(a_queue_leaves_when_its_dispatches_have_ended)
{
    check_mec_load(&mec, 3, 0, true);
    check_mec_kernel(packet, 1, 0, false);
    for (uint32_t i = 0; i < 4; i++)
        check_mec_aql(&mec, 0, packet, true);
    check_mec_ring(&mec, 0);
    check_mec_run_to(&mec, 2 * US); /* one is dispatched, the next is being taken up */
    check_mec_set_reg(&mec, 3, 0xc974, 1);
    ck_assert_uint_eq(check_mec_reg(&mec, 3, 0xc91c), 1);
    ck_assert_uint_eq(mec.left_count, 0);
    check_mec_run(&mec);
    ck_assert_uint_eq(check_mec_reg(&mec, 3, 0xc91c), 0);
    ck_assert_uint_eq(check_mec_reg(&mec, 3, 0xc974), 0);
    ck_assert_uint_eq(mec.left_count, 1);
    ck_assert_uint_eq(mec.left[0], 3);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2);
    golden_log_check(&mec.log, "rule_amd_dequeue.events");
    /* It goes on where it was. */
    check_mec_set_reg(&mec, 3, 0xc91c, 1);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 4);
}
END_TEST

/* The firmware's way: from a descriptor, and back into it, into another slot. */
/* PROMISE (amd): An MQD carries a queue from slot to slot. */
START_TEST(a_descriptor_takes_a_queue_from_slot_to_slot)
{
    uint32_t mqd[512] = {0xc0310800};

    check_mec_load(&mec, 0, 0, true); /* what the driver would write, read back */
    for (uint32_t i = 0; i < 56; i++)
        mqd[128 + i] = check_mec_reg(&mec, 0, 0xc914 + 4 * i);
    check_mec_set_reg(&mec, 0, 0xc974, 1);
    ck_assert_uint_eq(mec.left_count, 1);
    mqd[23] = mqd[24] = 0; /* CU masks: shader engines 2 and 3 only */
    mqd[26] = mqd[27] = UINT32_MAX;
    mqd[128 + 13] = (uint32_t)(MEC_PROGRAM(0) + 0x38); /* PQ_WPTR_POLL_ADDR: write_dispatch_id */
    mqd[128 + 14] = (uint32_t)((MEC_PROGRAM(0) + 0x38) >> 32);
    check_mec_poke(&mec, MEC_MQD(0), mqd, sizeof mqd);
    ck_assert(amd_mec_map(&mec.gpu.mec, 12, MEC_MQD(0), MEC_VMID));
    ck_assert(!amd_mec_map(&mec.gpu.mec, 12, MEC_MQD(0), MEC_VMID));
    check_mec_kernel(packet, 10, 0, false);
    check_mec_aql(&mec, 0, packet, false);
    mqd[0] = 1; /* written before the doorbell could be heard */
    check_mec_poke(&mec, MEC_PROGRAM(0) + 0x38, mqd, 4);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    for (uint32_t i = 0; i < 10; i++)
        ck_assert_uint_ge(event_block_start_of(event(EVENT_BLOCK_START, i)).sm_index, 30);
    amd_mec_unmap(&mec.gpu.mec, 12, AMD_DEQUEUE_SAVE);
    check_mec_run(&mec);
    ck_assert_uint_eq(mec.left_count, 2);
    ck_assert_uint_eq(check_mec_peek(&mec, MEC_MQD(0) + 4 * 138) & UINT32_MAX, 16); /* RPTR */
    ck_assert(amd_mec_map(&mec.gpu.mec, 25, MEC_MQD(0), MEC_VMID));
    check_mec_run(&mec);
    check_mec_aql(&mec, 0, packet, false);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2);
    ck_assert_uint_eq(event_amd_launch_of(event(EVENT_AMD_LAUNCH, 1)).slot_id, 25);
}
END_TEST

START_TEST(a_descriptor_that_is_not_there_is_not_loaded)
{
    ck_assert(!amd_mec_map(&mec.gpu.mec, 0, MEC_VA + MEC_BYTES, MEC_VMID));
    ck_assert(!amd_mec_busy(&mec.gpu.mec, 0));
}
END_TEST

/* ---- faults ---------------------------------------------------------------------------------- */

/* Nothing is mapped where the ring should be: the queue stops, another goes on. */
START_TEST(a_ring_that_is_not_mapped_stops_its_queue_alone)
{
    check_mec_load(&mec, 0, 0, true);
    check_mec_load(&mec, 1, 1, true);
    check_mec_set_reg(&mec, 0, 0xc938, 0x77);
    check_mec_kernel(packet, 1, 0, false);
    check_mec_aql(&mec, 0, packet, false);
    check_mec_aql(&mec, 1, packet, false);
    check_mec_run(&mec);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 1);
    ck_assert_uint_eq(event_amd_vm_fault_of(event(EVENT_AMD_VM_FAULT, 0)).vmid, MEC_VMID);
    ck_assert_uint_eq(check_mec_reg(&mec, 0, 0xc9e0), 1 << 8); /* PQ_UTCL1_ERROR */
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    check_mec_set_reg(&mec, 0, 0xc974, 2); /* it can be taken off */
    ck_assert_uint_eq(mec.left_count, 1);
}
END_TEST

Suite *amd_mec_suite(void)
{
    Suite *suite = suite_create("amd_mec");
    TCase *tcase = tcase_create("queues");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, each_slot_has_its_own_registers);
    tcase_add_test(tcase, a_packet_is_taken_up_when_the_doorbell_is_rung);
    tcase_add_test(tcase, a_lower_doorbell_takes_nothing_back);
    tcase_add_test(tcase, a_write_index_stands_in_two_registers);
    tcase_add_test(tcase, a_doorbell_of_no_slot_goes_to_the_firmware);
    tcase_add_test(tcase, a_ring_goes_round);
    tcase_add_test(tcase, queues_of_a_pipe_take_turns);
    tcase_add_test(tcase, a_queue_that_waits_holds_up_no_other);
    tcase_add_test(tcase, a_queue_leaves_when_its_dispatches_have_ended);
    tcase_add_test(tcase, a_descriptor_takes_a_queue_from_slot_to_slot);
    tcase_add_test(tcase, a_descriptor_that_is_not_there_is_not_loaded);
    tcase_add_test(tcase, a_ring_that_is_not_mapped_stops_its_queue_alone);
    suite_add_tcase(suite, tcase);
    return suite;
}
