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
#include "emu/sim/amd_node.h"
#include "devices/core/core_events.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US      GFE_PS_PER_US
#define MS      (1000 * GFE_PS_PER_US)
#define VA      UINT64_C(0x200000000)
#define RING(n) (VA + UINT64_C(0x1000) * (n))
#define SIDE(n) (VA + UINT64_C(0x1000) * (n) + 0x800)
#define KERNEL  (VA + 0x800000)
#define SIGNAL  (VA + 0x900000)
#define MAILBOX (VA + 0x980000)
#define NOWHERE UINT64_C(0x7f1234567000)
enum { BYTES = 0x1000000, PROCESSES = 2, QUEUES = 4 };

static struct check_machine log_;
static struct machine *machine;
static struct amd_node node;
static uint32_t process[PROCESSES], spaces[PROCESSES], queue[QUEUES], owner[QUEUES];
static uint64_t written[QUEUES];
static uint32_t told[64], told_space[64], told_count;
static uint32_t excepted[8], exception_count, answer;
static uint32_t ended_count;
static enum kfd_result ended;

static void done(void *client, enum kfd_result result)
{
    (void)client;
    ended = result;
    ended_count++;
}

static void interrupt(void *client, uint32_t space_id, uint32_t event_id)
{
    (void)client;
    told_space[told_count % 64] = space_id;
    told[told_count++ % 64] = event_id;
}

static uint32_t exception(void *client, uint32_t space_id, uint32_t type)
{
    (void)client;
    (void)space_id;
    excepted[exception_count++ % 8] = type;
    return answer;
}

static void map(uint32_t n)
{
    const uint64_t root = 0x1000 * (n + 1);
    const struct address_space_range range = {
        .va = VA,
        .size_bytes = BYTES,
        .physical = (uint64_t)n * BYTES,
        .space_id = address_space_new(&machine->spaces, MEMORY_VRAM, root),
        .aperture = MEMORY_VRAM};
    const uint32_t descriptor[16] = {[12] = 5 | 3 << 6};
    const uint64_t signal[4] = {1, 1000, MAILBOX, 77 + n};

    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    ck_assert(machine_write(machine, MEMORY_VRAM, range.physical + (KERNEL - VA), descriptor,
                            sizeof descriptor));
    ck_assert(
        machine_write(machine, MEMORY_VRAM, range.physical + (SIGNAL - VA), signal, sizeof signal));
    spaces[n] = range.space_id;
    process[n] = kfd_process_open(node.kfd, root);
}

static void begin(const char *policy, const char *parameter, uint64_t value)
{
    const struct machine_config config = {.gpu = "radeon-vii",
                                          .vram_bytes = (uint64_t)PROCESSES * BYTES,
                                          .sysmem_bytes = 2 * AMD_NODE_DRIVER_BYTES,
                                          .event_capacity = 4096,
                                          .seed = 1};
    struct gfe_error error = {0};

    machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(machine);
    log_ = (struct check_machine){.machine = machine};
    memset(written, 0, sizeof written);
    told_count = exception_count = ended_count = 0;
    answer = 1;
    machine_add_tables(machine, &emu_tables);
    ck_assert(amd_node_wire(&node, machine, amd_chip_by_name("radeon-vii")));
    node.done = done;
    node.interrupt = interrupt;
    node.exception = exception;
    ck_assert(machine_set_choice(machine, "kfd.sched_policy", policy));
    ck_assert(machine_set_parameter(machine, "amd.block_ps", 40 * US));
    if (parameter)
        ck_assert(machine_set_parameter(machine, parameter, value));
    ck_assert_msg(machine_seal(machine, &error), "%s", error.text);
    amd_node_start(&node);
    for (uint32_t n = 0; n < PROCESSES; n++)
        map(n);
}

static void teardown(void)
{
    free(log_.events);
    amd_node_unwire(&node);
    machine_free(machine);
}

static void run(void)
{
    uint32_t steps = 0;

    while (machine_step(machine))
        ck_assert_uint_lt(++steps, 1 << 20);
    ck_assert_msg(!machine_failed(machine), "%s", machine->error.text);
    check_machine_read_log(&log_);
}

static void run_to(gfe_ps until_ps)
{
    ck_assert_msg(machine_run(machine, until_ps), "%s", machine->error.text);
    check_machine_read_log(&log_);
}

static enum kfd_result call(enum kfd_result result)
{
    const uint32_t before = ended_count;

    if (result != KFD_PENDING)
        return result;
    while (ended_count == before)
        ck_assert(machine_step(machine));
    return ended;
}

static void make_queue(uint32_t n, uint32_t of)
{
    const struct kfd_queue_options options = {.ring_address = RING(n),
                                              .read_pointer = SIDE(n) + 0x80,
                                              .write_pointer = SIDE(n) + 0x38,
                                              .ring_bytes = 1024,
                                              .format = KFD_MQD_AQL,
                                              .priority = 7,
                                              .percent = 100};
    const uint16_t invalid = 1;

    for (uint32_t i = 0; i < 16; i++)
        ck_assert(machine_write(machine, MEMORY_VRAM,
                                (uint64_t)of * BYTES + (RING(n) - VA) + 64 * i, &invalid,
                                sizeof invalid));
    owner[n] = of;
    ck_assert_int_eq(call(kfd_queue_create(node.kfd, process[of], &options, &queue[n])), KFD_OK);
}

/* A kernel of one block, with that completion signal. */
static void launch(uint32_t n, uint64_t signal)
{
    const uint64_t base = (uint64_t)owner[n] * BYTES - VA, number = written[n]++;
    // clang-format off
    const uint32_t packet[16] = {2 | 1 << 8 | 1 << 16, 64 | 1 << 16, 1, 64, 1, 1, 0, 0,
                                 (uint32_t)KERNEL, KERNEL >> 32, 0, 0, 0, 0,
                                 (uint32_t)signal, (uint32_t)(signal >> 32)};
    // clang-format on

    ck_assert(machine_write(machine, MEMORY_VRAM, base + RING(n) + 64 * (number % 16), packet,
                            sizeof packet));
    ck_assert(machine_write(machine, MEMORY_VRAM, base + SIDE(n) + 0x38, &written[n], 8));
    amd_node_doorbell(&node, kfd_queue_id(&node.kfd->state->queues[queue[n]]), number);
}

static uint64_t signal_of(uint32_t n)
{
    uint64_t value;

    ck_assert(
        machine_read(machine, MEMORY_VRAM, (uint64_t)n * BYTES + (SIGNAL - VA) + 8, &value, 8));
    return value;
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&log_, kind);
}

/* The entry at a place of the driver's ring. */
static void entry_at(uint32_t index, uint32_t dwords[AMD_IH_ENTRY_DWORDS])
{
    ck_assert(machine_read(machine, MEMORY_SYSMEM,
                           2 * AMD_NODE_DRIVER_BYTES - AMDGPU_IH_BYTES + 32 * index, dwords,
                           AMD_IH_ENTRY_BYTES));
}

static void put(uint32_t client_id, uint32_t source_id, uint32_t vmid, uint32_t context_id)
{
    amd_ih_put(&node.gpu.ih, &(struct amd_ih_entry){.client_id = client_id,
                                                    .source_id = source_id,
                                                    .vmid = vmid,
                                                    .context_id = {context_id}});
}

/* ---- from a queue to its process ------------------------------------------------------------- */

/* A signal with a mailbox: an entry in memory, of that pipe and queue, of the VMID's process. */
START_TEST(an_end_of_pipe_comes_through_the_ring)
{
    uint32_t entry[AMD_IH_ENTRY_DWORDS];

    begin("hws", NULL, 0);
    make_queue(0, 1);
    launch(0, SIGNAL);
    run();
    ck_assert_uint_eq(told_count, 1);
    ck_assert_uint_eq(told[0], 78);
    ck_assert_uint_eq(told_space[0], spaces[1]);
    ck_assert_uint_eq(machine_read32(machine, IH_RB_WPTR), 32);
    ck_assert_uint_eq(machine_read32(machine, IH_RB_RPTR), 32); /* it was read */
    entry_at(0, entry);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_CLIENT_ID), 0x14);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_SOURCE_ID), 181);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_RING_ID), 1 << 2 | 2 << 4); /* me 1, queue 2 */
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_VMID), 8);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_PASID), KFD_PASID_FIRST + 1);
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_CONTEXT_ID_0), 78);
    /* 25 MHz: the time of the interrupt. */
    ck_assert_uint_eq(amd_get(entry, AMD_IH_ENTRY_TIMESTAMP),
                      check_machine_event(&log_, EVENT_AMD_INTERRUPT, 0)->time_ps / 40000);
    ck_assert_uint_eq(machine_read32(machine, IH_VMID_0_LUT + 4 * 8), KFD_PASID_FIRST + 1);
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
    begin("hws", NULL, 0);
    make_queue(0, 0);
    run();
    put(sources[_i].client_id, sources[_i].source_id, 8, 0xfedcba98);
    run();
    ck_assert_uint_eq(told_count, 1);
    ck_assert_uint_eq(told[0], sources[_i].event_id);
    ck_assert_uint_eq(exception_count, 0);
}
END_TEST

/* What is of the kernel's VMIDs is not KFD's. */
START_TEST(interrupts_of_other_vmids_are_not_kfds)
{
    begin("hws", NULL, 0);
    for (uint32_t vmid = 0; vmid < 8; vmid++)
        put(0x14, 181, vmid, 5);
    put(0x14, 184, 0, 0);
    run();
    ck_assert_uint_eq(told_count, 0);
    ck_assert_uint_eq(count(EVENT_KFD_NO_PASID), 0);
    ck_assert_uint_eq(count(EVENT_AMDGPU_CP_ERROR), 1); /* the graphics driver's line */
    ck_assert_uint_eq(machine_read32(machine, IH_RB_RPTR), 9 * 32);
}
END_TEST

START_TEST(an_interrupt_without_a_process_is_told_once)
{
    begin("hws", NULL, 0);
    put(0x14, 181, 9, 5);
    put(0x14, 181, 10, 5);
    run();
    ck_assert_uint_eq(told_count, 0);
    ck_assert_uint_eq(count(EVENT_KFD_NO_PASID), 1);
}
END_TEST

/* One interrupt for many entries: the handler reads all that is there. */
START_TEST(entries_that_come_meanwhile_are_read_too)
{
    begin("hws", "amdgpu.interrupt_ps", 50 * US);
    make_queue(0, 0);
    run();
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, i);
    run_to(machine_now(machine) + 10 * US);
    ck_assert_uint_eq(told_count, 0);
    run();
    ck_assert_uint_eq(told_count, 20);
    for (uint32_t i = 0; i < 20; i++)
        ck_assert_uint_eq(told[i], i);
    put(0x14, 181, 8, 99); /* and it is armed again */
    run();
    ck_assert_uint_eq(told_count, 21);
}
END_TEST

/* IH_RB_CNTL.RPTR_REARM: writing the read pointer arms the interrupt, and what is not read yet
 * raises the next one at once. */
START_TEST(what_is_not_read_interrupts_again)
{
    begin("hws", NULL, 0);
    put(0x14, 181, 0, 5);
    put(0x14, 181, 0, 6);
    run();
    ck_assert_uint_eq(machine_read32(machine, IH_RB_RPTR), 64);
    ck_assert_uint_eq(machine->state->interrupt_line, 0);
    machine_write32(machine, IH_RB_RPTR, 32);
    ck_assert_uint_eq(machine->state->interrupt_line, 1);
    run();
    ck_assert_uint_eq(machine_read32(machine, IH_RB_RPTR), 64);
    ck_assert_uint_eq(machine->state->interrupt_line, 0); /* all is read */
}
END_TEST

/* ---- overflow -------------------------------------------------------------------------------- */

/* A ring of 8 entries, 20 at once: the last 7 are read, in their order, wherever they lie. */
START_TEST(a_full_ring_is_written_over)
{
    begin("hws", "amdgpu.ih_dwords_log2", 6);
    make_queue(0, 0);
    run();
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, 100 + i);
    run();
    ck_assert_uint_eq(told_count, 7);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(told[i], 113 + i);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_AMDGPU_IH_OVERFLOW, RULE_AMDGPU_IH), 1);
    ck_assert_uint_eq(machine_read32(machine, IH_RB_WPTR) & 1, 0); /* cleared */
    golden_log_check(&log_, "rule_amdgpu_ih.events");
    put(0x14, 181, 8, 5);
    run();
    ck_assert_uint_eq(told_count, 8);
    ck_assert_uint_eq(count(EVENT_AMDGPU_IH_OVERFLOW), 1);
}
END_TEST

START_TEST(without_leave_to_write_over_the_new_one_is_lost)
{
    begin("hws", "amdgpu.ih_dwords_log2", 6);
    make_queue(0, 0);
    run();
    machine_write32(
        machine, IH_RB_CNTL,
        REG_PUT(machine_read32(machine, IH_RB_CNTL), IH_RB_CNTL__WPTR_OVERFLOW_ENABLE, 0));
    for (uint32_t i = 0; i < 20; i++)
        put(0x14, 181, 8, 100 + i);
    run();
    ck_assert_uint_eq(told_count, 7);
    ck_assert_uint_eq(told[6], 106);
    ck_assert_uint_eq(node.gpu.ih.state->lost, 13);
    ck_assert_uint_eq(count(EVENT_AMDGPU_IH_OVERFLOW), 0);
}
END_TEST

/* Registers that make no sense: entries are lost, and nothing else happens. */
START_TEST(a_ring_that_is_none_loses_entries)
{
    static const uint32_t controls[] = {0,           1,          1 | 2 << 28,
                                        1 | 31 << 1, 0xffffffff, 1 | 3 << 1 | 2 << 28};

    begin("hws", NULL, 0);
    machine_write32(machine, IH_RB_BASE, 0xffffffff);
    machine_write32(machine, IH_RB_BASE_HI, 0xff);
    machine_write32(machine, IH_RB_CNTL, controls[_i]);
    for (uint32_t i = 0; i < 100; i++)
        put(0x14, 181, 8, i);
    ck_assert_uint_eq(node.gpu.ih.state->lost, 100);
    ck_assert(!machine_failed(machine));
}
END_TEST

/* ---- exceptions ------------------------------------------------------------------------------ */

START_TEST(a_bad_opcode_is_a_hardware_exception)
{
    begin("hws", NULL, 0);
    make_queue(0, 0);
    run();
    answer = (uint32_t)_i;
    put(0x14, 183, 8, 0);
    run();
    ck_assert_uint_eq(exception_count, 1);
    ck_assert_uint_eq(excepted[0], AMDGPU_EVENT_HW_EXCEPTION);
    ck_assert_uint_eq(count(EVENT_AMDGPU_CP_ERROR), 1);
    ck_assert_uint_eq(count(EVENT_KFD_UNHANDLED), _i == 0);
    ck_assert_uint_eq(count(EVENT_KFD_EVICT), 0);
}
END_TEST

/* A signal where nothing is mapped: the process's two queues leave, the other's goes on. */
/* PROMISE (drivers): After a page fault the queues of the process leave the GPU for good. */
/* LIMIT (drivers): KFD's eviction of user pointers is not modelled, so its line "Failed to quiesce
 * KFD" is never printed. The kernel prints it when an MMU notifier invalidates the first user
 * pointer of a process and its queues cannot be taken off (amdgpu_amdkfd_evict_userptr()), after
 * "Failed to evict process queues"; it resumes them 1 ms later (AMDGPU_USERPTR_RESTORE_DELAY_MS).
 * Missing: a record of such an invalidation in traces, which the recorder does not see; a change of
 * the driver model that maps an evicted process again, as KFD.EVICT is for good; its retries. */
START_TEST(a_page_fault_takes_a_processs_queues_off)
{
    const struct log_event *fault;

    begin("hws", NULL, 0);
    make_queue(0, 0);
    make_queue(1, 0);
    make_queue(2, 1);
    for (uint32_t i = 0; i < 4; i++)
        launch(2, SIGNAL);
    launch(0, NOWHERE);
    run();
    launch(1, SIGNAL); /* is heard by nobody */
    launch(0, SIGNAL);
    launch(2, SIGNAL);
    run();
    ck_assert_uint_eq(count(EVENT_AMDGPU_VM_FAULT), 1);
    fault = check_machine_event(&log_, EVENT_AMDGPU_VM_FAULT, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).hub, 0);        /* gfxhub */
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).ring_id, 0x18); /* not present, read */
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).pasid, KFD_PASID_FIRST);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).address, NOWHERE);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).client_id, 0x1b);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status,
                      event_amdgpu_vm_fault_of(fault).vmid << 20 | 5 << 9 | 3 << 4); /* CPC */
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_KFD_EVICT, RULE_KFD_EVICT), 1);
    ck_assert_uint_eq(
        event_kfd_evict_of(check_machine_event(&log_, EVENT_KFD_EVICT, 0)).queue_count, 2);
    ck_assert_uint_eq(excepted[0], AMDGPU_EVENT_MEMORY);
    ck_assert_uint_eq(
        event_kfd_exception_of(check_machine_event(&log_, EVENT_KFD_EXCEPTION, 0)).not_present, 1);
    ck_assert_uint_eq(signal_of(0), 1000);
    ck_assert_uint_eq(signal_of(1), 995);
    ck_assert_uint_eq(node.kfd->state->active_count, 1);
    golden_log_check(&log_, "rule_kfd_evict.events");
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

    begin("hws", NULL, 0);
    make_queue(0, 0);
    make_queue(1, 1);
    run();
    amd_ih_fault(&node.gpu.ih, false, 8, NOWHERE, 5, false);
    amd_ih_fault(&node.gpu.ih, false, 9, NOWHERE, 5, false);
    run();
    ck_assert_uint_eq(count(EVENT_AMDGPU_VM_FAULT), 2);
    fault = check_machine_event(&log_, EVENT_AMDGPU_VM_FAULT, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status,
                      8 << 20 | 5 << 9 | 3 << 4 | MORE_FAULTS);
    fault = check_machine_event(&log_, EVENT_AMDGPU_VM_FAULT, 1);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).status, 0);
    ck_assert_uint_eq(event_amdgpu_vm_fault_of(fault).address, NOWHERE);
    ck_assert_uint_eq(machine_read32(machine, STATUS), 0);
    ck_assert_uint_eq(machine_read32(machine, CNTL), 0);
}
END_TEST

/* The lock is held by another call: it is done right behind it.  What is made later stays off. */
START_TEST(an_eviction_waits_for_the_lock)
{
    struct kfd_queue_options options;

    begin("hws", NULL, 0);
    make_queue(0, 0);
    make_queue(2, 1);
    run();
    options = (struct kfd_queue_options){.ring_address = RING(1),
                                         .read_pointer = SIDE(1) + 0x80,
                                         .write_pointer = SIDE(1) + 0x38,
                                         .ring_bytes = 1024,
                                         .format = KFD_MQD_AQL,
                                         .percent = 100};
    ck_assert_int_eq(kfd_queue_create(node.kfd, process[1], &options, &queue[1]), KFD_PENDING);
    kfd_evict(node.kfd, KFD_PASID_FIRST);
    ck_assert_uint_eq(node.kfd->state->active_count, 3);
    run();
    ck_assert_uint_eq(ended_count, 2); /* of make_queue(2) and this one: not of the eviction */
    ck_assert_uint_eq(count(EVENT_KFD_EVICT), 1);
    ck_assert_uint_eq(node.kfd->state->active_count, 2);
    ck_assert_int_eq(call(kfd_queue_create(node.kfd, process[0], &options, &queue[3])), KFD_OK);
    ck_assert_int_eq(call(kfd_queue_update(node.kfd, queue[0], RING(0), 1024, 100, 7)), KFD_OK);
    ck_assert_uint_eq(node.kfd->state->active_count, 2);
    kfd_evict(node.kfd, KFD_PASID_FIRST); /* once is enough */
    kfd_evict(node.kfd, 12345);
    run();
    ck_assert_uint_eq(count(EVENT_KFD_EVICT), 1);
    ck_assert_int_eq(call(kfd_process_close(node.kfd, process[0])), KFD_OK);
    run();
    ck_assert_uint_eq(node.kfd->state->queue_count, 2);
}
END_TEST

/* Without the firmware the driver empties slot after slot. */
START_TEST(without_the_firmware_too)
{
    begin("no_hws", NULL, 0);
    make_queue(0, 0);
    make_queue(1, 0);
    make_queue(2, 1);
    launch(1, SIGNAL);
    launch(0, NOWHERE);
    launch(2, SIGNAL);
    run();
    ck_assert_uint_eq(count(EVENT_KFD_EVICT), 1);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_LEAVE), 2);
    ck_assert_uint_eq(node.kfd->state->active_count, 1);
    launch(2, SIGNAL);
    run();
    ck_assert_uint_eq(signal_of(1), 998);
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
