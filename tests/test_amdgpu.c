/* SPDX-License-Identifier: MIT */
/*
 * Interrupts through the ring in memory, and what the kernel driver makes of them: events of
 * processes, exceptions, queues that are taken off; entries are put in by the block itself or come
 * from queues.
 */
/* PROMISE (drivers): Entries of AMD's interrupt ring are right field by field, from end of pipe,
 * SDMA, shaders, bad opcodes and page faults; full and missing rings are handled as by the
 * kernel. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/amd_mec_tables.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_kfd_node.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

static struct check_kfd_node check;

static void teardown(void)
{
    check_kfd_node_end(&check);
}

/* The entry at a place of the driver's ring. */
static void entry_at(uint32_t index, uint32_t dwords[AMD_IH_ENTRY_DWORDS])
{
    ck_assert(machine_read(check.machine, MEMORY_SYSMEM,
                           2 * AMD_NODE_DRIVER_BYTES - AMDGPU_IH_BYTES + 32 * index, dwords,
                           AMD_IH_ENTRY_BYTES));
}

static void put(uint32_t client_id, uint32_t source_id, uint32_t vmid, uint32_t context_id)
{
    amd_ih_put(&check.node.gpu.ih, &(struct amd_ih_entry){.client_id = client_id,
                                                          .source_id = source_id,
                                                          .vmid = vmid,
                                                          .context_id = {context_id}});
}

/* ---- from a queue to its process ------------------------------------------------------------- */

/* A signal with a mailbox: an entry in memory, of that pipe and queue, of the VMID's process. */
START_TEST(an_end_of_pipe_comes_through_the_ring)
{
    uint32_t entry[AMD_IH_ENTRY_DWORDS];

    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 1);
    check_kfd_node_launch(&check, 0, CHECK_KFD_SIGNAL);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 1);
    ck_assert_uint_eq(check.told[0], 78);
    ck_assert_uint_eq(check.told_space[0], check.spaces[1]);
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_WPTR), 32);
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_RPTR), 32); /* it was read */
    entry_at(0, entry);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_CLIENT_ID), 0x14);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_SOURCE_ID), 181);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_RING_ID), 1 << 2 | 2 << 4); /* me 1, queue 2 */
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_VMID), 8);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_PASID), KFD_PASID_FIRST + 1);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_0), 78);
    /* 25 MHz: the time of the interrupt. */
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_TIMESTAMP),
                      check_machine_event(&check.log, EVENT_AMD_INTERRUPT, 0)->time_ps / 40000);
    ck_assert_uint_eq(machine_read32(check.machine, IH_VMID_0_LUT + 4 * 8), KFD_PASID_FIRST + 1);
}
END_TEST

/* Sources tell of so many bits of the event's number. */
static const struct {
    uint32_t client_id, source_id, event_id;
} sources[] = {{0x14, 181, 0xfedcba98},
               {0x08, 224, 0x0edcba98},
               {0x09, 224, 0x0edcba98},
               {0x14, 239, 0x00dcba98}};

START_TEST(a_source_tells_an_events_number)
{
    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_run(&check);
    put(sources[_i].client_id, sources[_i].source_id, 8, 0xfedcba98);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 1);
    ck_assert_uint_eq(check.told[0], sources[_i].event_id);
    ck_assert_uint_eq(check.exception_count, 0);
}
END_TEST

/* What is of the kernel's VMIDs is not KFD's. */
START_TEST(interrupts_of_other_vmids_are_not_kfds)
{
    check_kfd_node_begin(&check, "hws", NULL, 0);
    for (uint32_t vmid = 0; vmid < 8; vmid++)
        put(0x14, 181, vmid, 5);
    put(0x14, 184, 0, 0);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 0);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_NO_PASID), 0);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_CP_ERROR),
                      1); /* the graphics driver's line */
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_RPTR), 9 * 32);
}
END_TEST

START_TEST(an_interrupt_without_a_process_is_told_once)
{
    check_kfd_node_begin(&check, "hws", NULL, 0);
    put(0x14, 181, 9, 5);
    put(0x14, 181, 10, 5);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 0);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_NO_PASID), 1);
}
END_TEST

/* One interrupt for many entries: the handler reads all that is there. */
START_TEST(entries_that_come_meanwhile_are_read_too)
{
    check_kfd_node_begin(&check, "hws", "amdgpu.interrupt_ps", 50 * GFE_PS_PER_US);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_run(&check);
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, i);
    check_kfd_node_run_to(&check, machine_now(check.machine) + 10 * GFE_PS_PER_US);
    ck_assert_uint_eq(check.told_count, 0);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 20);
    for (uint32_t i = 0; i < 20; i++)
        ck_assert_uint_eq(check.told[i], i);
    put(0x14, 181, 8, 99); /* and it is armed again */
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 21);
}
END_TEST

/* IH_RB_CNTL.RPTR_REARM: writing the read pointer arms the interrupt, and what is not read yet
 * raises the next one at once. */
START_TEST(what_is_not_read_interrupts_again)
{
    check_kfd_node_begin(&check, "hws", NULL, 0);
    put(0x14, 181, 0, 5);
    put(0x14, 181, 0, 6);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_RPTR), 64);
    ck_assert_uint_eq(check.machine->state->interrupt_line, 0);
    machine_write32(check.machine, IH_RB_RPTR, 32);
    ck_assert_uint_eq(check.machine->state->interrupt_line, 1);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_RPTR), 64);
    ck_assert_uint_eq(check.machine->state->interrupt_line, 0); /* all is read */
}
END_TEST

/* ---- overflow -------------------------------------------------------------------------------- */

/* A ring of 8 entries, 20 at once: the last 7 are read, in their order, wherever they lie. */
START_TEST(a_full_ring_is_written_over)
{
    check_kfd_node_begin(&check, "hws", "amdgpu.ih_dwords_log2", 6);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_run(&check);
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, 100 + i);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 7);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(check.told[i], 113 + i);
    ck_assert_uint_eq(
        check_machine_count_rule(&check.log, EVENT_AMDGPU_IH_OVERFLOW, RULE_AMDGPU_IH), 1);
    ck_assert_uint_eq(machine_read32(check.machine, IH_RB_WPTR) & 1, 0); /* cleared */
    golden_log_check(&check.log, "rule_amdgpu_ih.events");
    put(0x14, 181, 8, 5);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 8);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_IH_OVERFLOW), 1);
}
END_TEST

START_TEST(without_leave_to_write_over_the_new_one_is_lost)
{
    check_kfd_node_begin(&check, "hws", "amdgpu.ih_dwords_log2", 6);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_run(&check);
    machine_write32(
        check.machine, IH_RB_CNTL,
        REG_PUT(machine_read32(check.machine, IH_RB_CNTL), IH_RB_CNTL__WPTR_OVERFLOW_ENABLE, 0));
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, 100 + i);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.told_count, 7);
    ck_assert_uint_eq(check.told[6], 106);
    ck_assert_uint_eq(check.node.gpu.ih.state->lost, 13);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_IH_OVERFLOW), 0);
}
END_TEST

/* Registers that make no sense: entries are lost, and nothing else happens. */
START_TEST(a_ring_that_is_none_loses_entries)
{
    static const uint32_t controls[] = {0,           1,          1 | 2 << 28,
                                        1 | 31 << 1, 0xffffffff, 1 | 3 << 1 | 2 << 28};

    check_kfd_node_begin(&check, "hws", NULL, 0);
    machine_write32(check.machine, IH_RB_BASE, 0xffffffff);
    machine_write32(check.machine, IH_RB_BASE_HI, 0xff);
    machine_write32(check.machine, IH_RB_CNTL, controls[_i]);
    for (uint32_t i = 0; i < 100; i++)
        put(0x14, 181, 8, i);
    ck_assert_uint_eq(check.node.gpu.ih.state->lost, 100);
    ck_assert(!machine_failed(check.machine));
}
END_TEST

/* ---- exceptions ------------------------------------------------------------------------------ */

START_TEST(a_bad_opcode_is_a_hardware_exception)
{
    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_run(&check);
    check.answer = (uint32_t)_i;
    put(0x14, 183, 8, 0);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.exception_count, 1);
    ck_assert_uint_eq(check.excepted[0], AMDGPU_EVENT_HW_EXCEPTION);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_CP_ERROR), 1);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_UNHANDLED), _i == 0);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_EVICT), 0);
}
END_TEST

/* A signal where nothing is mapped: the process's two queues leave, the other's goes on. */
/* PROMISE (drivers): After a page fault the queues of the process leave the GPU for good. */
START_TEST(a_page_fault_takes_a_processs_queues_off)
{
    const struct log_event *fault;

    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_queue(&check, 1, 0);
    check_kfd_node_queue(&check, 2, 1);
    for (uint32_t i = 0; i < 4; i++)
        check_kfd_node_launch(&check, 2, CHECK_KFD_SIGNAL);
    check_kfd_node_launch(&check, 0, CHECK_KFD_NOWHERE);
    check_kfd_node_run(&check);
    check_kfd_node_launch(&check, 1, CHECK_KFD_SIGNAL); /* is heard by nobody */
    check_kfd_node_launch(&check, 0, CHECK_KFD_SIGNAL);
    check_kfd_node_launch(&check, 2, CHECK_KFD_SIGNAL);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_VM_FAULT), 1);
    fault = check_machine_event(&check.log, EVENT_AMDGPU_VM_FAULT, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).hub, 0);        /* gfxhub */
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).ring_id, 0x18); /* not present, read */
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).pasid, KFD_PASID_FIRST);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).address, CHECK_KFD_NOWHERE);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).client_id, 0x1b);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status,
                      event_amdgpu_vm_fault_of(fault).vmid << 20 | 5 << 9 | 3 << 4); /* CPC */
    ck_assert_uint_eq(check_machine_count_rule(&check.log, EVENT_KFD_EVICT, RULE_KFD_EVICT), 1);
    ck_assert_uint_eq(
        event_kfd_evict_of(check_machine_event(&check.log, EVENT_KFD_EVICT, 0)).queue_count, 2);
    ck_assert_uint_eq(check.excepted[0], AMDGPU_EVENT_MEMORY);
    ck_assert_uint_eq(
        event_kfd_exception_of(check_machine_event(&check.log, EVENT_KFD_EXCEPTION, 0)).not_present,
        1);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), 1000);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 1), 995);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    golden_log_check(&check.log, "rule_kfd_evict.events");
}
END_TEST

/*
 * Two processes' faults before the driver looks: STATUS is the first one's with MORE_FAULTS (bit 0,
 * gc_9_0_sh_mask.h), and the driver clears it as it handles that one (gmc_v9_0.c,
 * gmc_v9_0_process_interrupt: 1 to CNTL), so it finds nothing for the second.
 */
/* PROMISE (amd): VM L2 keeps the first page fault, and says that others came, until it is cleared.
 */
START_TEST(the_first_fault_is_kept_until_it_is_cleared)
{
    enum { STATUS = 0xa12c, CNTL = 0xa11c, MORE_FAULTS = 1 };
    const struct log_event *fault;

    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_queue(&check, 1, 1);
    check_kfd_node_run(&check);
    amd_ih_fault(&check.node.gpu.ih, false, 8, CHECK_KFD_NOWHERE, 5, false);
    amd_ih_fault(&check.node.gpu.ih, false, 9, CHECK_KFD_NOWHERE, 5, false);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMDGPU_VM_FAULT), 2);
    fault = check_machine_event(&check.log, EVENT_AMDGPU_VM_FAULT, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status,
                      8 << 20 | 5 << 9 | 3 << 4 | MORE_FAULTS);
    fault = check_machine_event(&check.log, EVENT_AMDGPU_VM_FAULT, 1);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).address, CHECK_KFD_NOWHERE);
    ck_assert_uint_eq(machine_read32(check.machine, STATUS), 0);
    ck_assert_uint_eq(machine_read32(check.machine, CNTL), 0);
}
END_TEST

/* The lock is held by another call: it is done right behind it.  What is made later stays off. */
START_TEST(an_eviction_waits_for_the_lock)
{
    struct kfd_queue_options options;

    check_kfd_node_begin(&check, "hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_queue(&check, 2, 1);
    check_kfd_node_run(&check);
    options = (struct kfd_queue_options){.ring_address = CHECK_KFD_RING(1),
                                         .read_pointer = CHECK_KFD_SIDE(1) + 0x80,
                                         .write_pointer = CHECK_KFD_SIDE(1) + 0x38,
                                         .ring_bytes = 1024,
                                         .format = KFD_MQD_AQL,
                                         .percent = 100};
    ck_assert_int_eq(kfd_queue_create(check.node.kfd, check.process[1], &options, &check.queue[1]),
                     KFD_PENDING);
    kfd_evict(check.node.kfd, KFD_PASID_FIRST);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 3);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.ended_count,
                      2); /* of make_queue(2) and this one: not of the eviction */
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_EVICT), 1);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 2);
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_queue_create(check.node.kfd, check.process[0],
                                                                  &options, &check.queue[3])),
                     KFD_OK);
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_queue_update(check.node.kfd, check.queue[0],
                                                                  CHECK_KFD_RING(0), 1024, 100, 7)),
                     KFD_OK);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 2);
    kfd_evict(check.node.kfd, KFD_PASID_FIRST); /* once is enough */
    kfd_evict(check.node.kfd, 12345);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_EVICT), 1);
    ck_assert_int_eq(
        check_kfd_node_call(&check, kfd_process_close(check.node.kfd, check.process[0])), KFD_OK);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.node.kfd->state->queue_count, 2);
}
END_TEST

/* Without the firmware the driver empties slot after slot. */
START_TEST(without_the_firmware_too)
{
    check_kfd_node_begin(&check, "no_hws", NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_queue(&check, 1, 0);
    check_kfd_node_queue(&check, 2, 1);
    check_kfd_node_launch(&check, 1, CHECK_KFD_SIGNAL);
    check_kfd_node_launch(&check, 0, CHECK_KFD_NOWHERE);
    check_kfd_node_launch(&check, 2, CHECK_KFD_SIGNAL);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_KFD_EVICT), 1);
    ck_assert_uint_eq(check_kfd_node_count(&check, EVENT_AMD_QUEUE_LEAVE), 2);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    check_kfd_node_launch(&check, 2, CHECK_KFD_SIGNAL);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 1), 998);
}
END_TEST

/* ---- decoding -------------------------------------------------------------------------------- */

START_TEST(an_entry_is_decoded_by_its_source)
{
    uint32_t dwords[10] = {0x08241814 & 0xff0000ff, 0x1234, 0x5678, 0x8001, 77, 0, 0, 0, 1, 2};
    struct amd_reader reader = {dwords, 10, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    dwords[0] |= 181 << 8 | 0x24 << 16;
    ck_assert(amd_ih_next(&reader, &packet));
    ck_assert_str_eq(packet.name, "CP_END_OF_PIPE");
    ck_assert_int_eq(packet.problem, AMD_SOUND);
    ck_assert_uint_eq(amd_get(packet.dwords, AMD_IH_ENTRY_TIMESTAMP), 0x567800001234);
    ck_assert_uint_eq(amd_get(packet.dwords, AMD_IH_ENTRY_VMID), 8);
    ck_assert(amd_ih_next(&reader, &packet));
    ck_assert_int_eq(packet.problem, AMD_TRUNCATED);
    ck_assert(!amd_ih_next(&reader, &packet));
    ck_assert_ptr_null(amd_ih_source_name(0x14, 1));
}
END_TEST

Suite *amdgpu_suite(void)
{
    Suite *suite = suite_create("amdgpu");
    TCase *tests = tcase_create("amdgpu"), *layout = tcase_create("layout");

    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, an_end_of_pipe_comes_through_the_ring);
    tcase_add_loop_test(tests, a_source_tells_an_events_number, 0,
                        sizeof sources / sizeof sources[0]);
    tcase_add_test(tests, interrupts_of_other_vmids_are_not_kfds);
    tcase_add_test(tests, an_interrupt_without_a_process_is_told_once);
    tcase_add_test(tests, entries_that_come_meanwhile_are_read_too);
    tcase_add_test(tests, what_is_not_read_interrupts_again);
    tcase_add_test(tests, a_full_ring_is_written_over);
    tcase_add_test(tests, without_leave_to_write_over_the_new_one_is_lost);
    tcase_add_loop_test(tests, a_ring_that_is_none_loses_entries, 0, 6);
    tcase_add_loop_test(tests, a_bad_opcode_is_a_hardware_exception, 0, 2);
    tcase_add_test(tests, a_page_fault_takes_a_processs_queues_off);
    tcase_add_test(tests, the_first_fault_is_kept_until_it_is_cleared);
    tcase_add_test(tests, an_eviction_waits_for_the_lock);
    tcase_add_test(tests, without_the_firmware_too);
    suite_add_tcase(suite, tests);
    tcase_add_test(layout, an_entry_is_decoded_by_its_source);
    suite_add_tcase(suite, layout);
    return suite;
}
