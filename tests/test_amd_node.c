/* SPDX-License-Identifier: MIT */
/*
 * A GPU with driver and firmware: queues are made by the driver's calls, packets written by hand,
 * and everything between goes through the HIQ, lists in memory, descriptors, slots and doorbells.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "emu/sim/amd_node.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define US      GFE_PS_PER_US
#define MS      (1000 * GFE_PS_PER_US)
/* A process's memory: for each queue a ring of 16 packets and the program's side of it. */
#define VA      UINT64_C(0x200000000)
#define RING(n) (VA + UINT64_C(0x1000) * (n))
#define SIDE(n) (VA + UINT64_C(0x1000) * (n) + 0x800)
#define KERNEL  (VA + 0x800000)
#define SIGNAL  (VA + 0x900000)
enum { QUEUES = 40, PROCESSES = 10, BYTES = 0x1000000 };

static struct check_machine log_;
static struct machine *machine;
static struct amd_node node;
static uint32_t process[PROCESSES], queue[QUEUES], owner[QUEUES];
static uint64_t written[QUEUES];
static enum kfd_result ended;
static const char *chip = "radeon-vii";
static uint32_t ended_count;

static void done(void *client, enum kfd_result result)
{
    (void)client;
    ended = result;
    ended_count++;
}

/* Each process has 16 MiB of its own behind the same addresses. */
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
    const uint64_t signal[2] = {1, 1000};

    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    ck_assert(machine_write(machine, MEMORY_VRAM, range.physical + (KERNEL - VA), descriptor,
                            sizeof descriptor));
    ck_assert(
        machine_write(machine, MEMORY_VRAM, range.physical + (SIGNAL - VA), signal, sizeof signal));
    process[n] = kfd_process_open(node.kfd, root);
    ck_assert_uint_ne(process[n], KFD_NONE);
}

/* For the next begin(). */
static struct {
    const char *swap;
    uint64_t block_us;
    bool no_cwsr;
} options;

static void begin(const char *policy, uint32_t num_kcq, uint32_t process_count)
{
    const struct machine_config config = {.gpu = chip,
                                          .vram_bytes = (uint64_t)PROCESSES * BYTES,
                                          .sysmem_bytes = 2 * AMD_NODE_DRIVER_BYTES,
                                          .event_capacity = 4096,
                                          .seed = 1};
    struct gfe_error error = {0};

    machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(machine);
    memset(&log_, 0, sizeof log_);
    memset(written, 0, sizeof written);
    log_.machine = machine;
    ended_count = 0;
    machine_add_tables(machine, &emu_tables);
    ck_assert(amd_node_wire(&node, machine, amd_chip_by_name(chip)));
    node.done = done;
    ck_assert(machine_set_choice(machine, "kfd.sched_policy", policy));
    ck_assert(machine_set_parameter(machine, "kfd.num_kcq", num_kcq));
    /* 1 ms for a lone wave */
    ck_assert(machine_set_parameter(machine, "amd.block_ps",
                                    (options.block_us ? options.block_us : 40) * US));
    ck_assert(machine_set_parameter(machine, "kfd.cwsr_enable", !options.no_cwsr));
    ck_assert(!options.swap || machine_set_choice(machine, "hws.swap", options.swap));
    ck_assert_msg(machine_seal(machine, &error), "%s", error.text);
    amd_node_start(&node);
    for (uint32_t n = 0; n < process_count; n++)
        map(n);
}

static void teardown(void)
{
    free(log_.events);
    amd_node_unwire(&node);
    machine_free(machine);
    memset(&options, 0, sizeof options);
}

static void run_to(gfe_ps until_ps)
{
    ck_assert_msg(machine_run(machine, until_ps), "%s", machine->error.text);
}

static void run(void)
{
    uint32_t steps = 0;

    while (machine_step(machine))
        ck_assert_uint_lt(++steps, 1 << 22);
    ck_assert_msg(!machine_failed(machine), "%s", machine->error.text);
    check_machine_read_log(&log_);
}

/* A call, to its end. */
static enum kfd_result call(enum kfd_result result)
{
    const uint32_t before = ended_count;

    if (result != KFD_PENDING)
        return result;
    while (ended_count == before)
        ck_assert(machine_step(machine));
    return ended;
}

static enum kfd_result make_queue(uint32_t n, uint32_t of)
{
    const struct kfd_queue_options wanted = {.ring_address = RING(n),
                                             .read_pointer = SIDE(n) + 0x80,
                                             .write_pointer = SIDE(n) + 0x38,
                                             .eop_address = VA + 0xa00000,
                                             .save_address = VA + 0xb00000,
                                             .ring_bytes = 1024,
                                             .eop_bytes = 4096,
                                             .save_bytes = 0x1a00000,
                                             .control_stack_bytes = 0x5000,
                                             .format = KFD_MQD_AQL,
                                             .priority = 7,
                                             .percent = 100};
    const uint16_t invalid = 1;

    for (uint32_t i = 0; i < 16; i++)
        ck_assert(machine_write(machine, MEMORY_VRAM,
                                (uint64_t)of * BYTES + (RING(n) - VA) + 64 * i, &invalid,
                                sizeof invalid));
    owner[n] = of;
    return call(kfd_queue_create(node.kfd, process[of], &wanted, &queue[n]));
}

/* A kernel of that many blocks, and the doorbell. */
static void launch(uint32_t n, uint32_t blocks)
{
    const uint64_t base = (uint64_t)owner[n] * BYTES - VA, number = written[n]++;
    // clang-format off
    const uint32_t packet[16] = {2 | 1 << 8 | 1 << 16, 64 | 1 << 16, 1,  64 * blocks,
                                 1, 1, 0, 0, (uint32_t)KERNEL, KERNEL >> 32, 0, 0, 0, 0,
                                 (uint32_t)SIGNAL, SIGNAL >> 32};
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

/* ---- with the firmware ----------------------------------------------------------------------- */

/* From CREATE_QUEUE to a signal in the program's memory. */
START_TEST(a_queue_of_the_driver_runs_a_kernel)
{
    begin("hws", 8, 1);
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    launch(0, 10);
    run();
    ck_assert_uint_eq(signal_of(0), 999);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_eq(count(EVENT_HWS_MAP), 1);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 0);
    /* The first slot that is not amdgpu's own. */
    ck_assert_uint_eq(event_amd_launch_of(check_machine_event(&log_, EVENT_AMD_LAUNCH, 0)).slot_id,
                      2);
    golden_log_check(&log_, "amd_node.events");
}
END_TEST

/* An SDMA queue, loaded by hand, beside the driver's: the engine runs and may interrupt, the
 * doorbell of the one does not reach the other. */
START_TEST(an_sdma_queue_beside_the_drivers)
{
    const struct amd_sdma_ring ring = {.address = RING(20),
                                       .byte_count = 1024,
                                       .vmid = 15,
                                       .doorbell_index = 700,
                                       .has_doorbell = true};
    const uint32_t packets[] = {0x5, (uint32_t)SIGNAL + 8, SIGNAL >> 32, 5, 0x6,
                                3}; /* FENCE, TRAP */

    begin("hws", 8, 1);
    amd_vm_set(&node.gpu.vm, 15, address_space_by_root(&machine->spaces, MEMORY_VRAM, 0x1000));
    ck_assert(machine_write(machine, MEMORY_VRAM, RING(20) - VA, packets, sizeof packets));
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    ck_assert(amd_sdma_load(&node.gpu.sdma[1], 2, &ring));
    amd_node_doorbell(&node, 700, sizeof packets);
    run();
    ck_assert_uint_eq(signal_of(0), 5);
    ck_assert_uint_eq(count(EVENT_AMD_INTERRUPT), 1);
    launch(0, 10);
    run();
    ck_assert_uint_eq(signal_of(0), 4);
    ck_assert_uint_eq(count(EVENT_AMD_SDMA_DOORBELL), 1);
}
END_TEST

/* Kernels of 24 queues at once, in their slots. */
START_TEST(as_many_queues_as_slots_run_side_by_side)
{
    begin("hws", 8, 1);
    for (uint32_t n = 0; n < 24; n++)
        ck_assert_int_eq(make_queue(n, 0), KFD_OK);
    for (uint32_t n = 0; n < 24; n++)
        launch(n, 1);
    run();
    ck_assert_uint_eq(signal_of(0), 1000 - 24);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_HWS_PREEMPT, RULE_A_H2), 0);
}
END_TEST

/* A.H2: one queue more than slots: all of them run, in turns. */
/* PROMISE (drivers): From CREATE_QUEUE through HIQ, list, MQD, slot and doorbell to a signal in
 * memory: 33 queues share 32 slots. */
START_TEST(more_queues_than_slots_share_them)
{
    const uint32_t slots = _i ? 24 : 32;

    begin("hws", _i ? 8 : 0, 1);
    for (uint32_t n = 0; n <= slots; n++)
        ck_assert_int_eq(make_queue(n, 0), KFD_OK);
    for (uint32_t n = 0; n <= slots; n++)
        for (uint32_t i = 0; i < 15; i++)
            launch(n, 1);
    run();
    ck_assert_uint_eq(signal_of(0), 1000 - 15 * (slots + 1));
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_PREEMPT, RULE_A_H2), slots);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_MAP, RULE_A_H2), 1);
    ck_assert_uint_eq(count(EVENT_AMD_VM_FAULT), 0);
}
END_TEST

/* Nine processes, eight VMIDs. */
/* PROMISE (drivers): Nine processes take turns on eight VMIDs. */
START_TEST(more_processes_than_vmids_take_turns)
{
    begin("hws", 8, 9);
    for (uint32_t n = 0; n < 9; n++)
        ck_assert_int_eq(make_queue(n, n), KFD_OK);
    for (uint32_t n = 0; n < 9; n++)
        for (uint32_t i = 0; i < 15; i++)
            launch(n, 1);
    run();
    for (uint32_t n = 0; n < 9; n++)
        ck_assert_uint_eq(signal_of(n), 985);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_MAP, RULE_A_H2), 1);
}
END_TEST

/* A new queue while another works: all are taken off, and it goes on where it was. */
/* PROMISE (drivers): Queues are made and destroyed while others work. */
START_TEST(queues_come_and_go_while_others_work)
{
    begin("hws", 8, 2);
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    for (uint32_t i = 0; i < 10; i++)
        launch(0, 3);
    run_to(machine_now(machine) + 2 * MS);
    ck_assert_int_eq(make_queue(1, 1), KFD_OK);
    launch(1, 5);
    run_to(machine_now(machine) + 2 * MS);
    ck_assert_int_eq(call(kfd_queue_destroy(node.kfd, queue[1])), KFD_OK);
    run();
    ck_assert_uint_eq(signal_of(0), 990);
    ck_assert_uint_eq(signal_of(1), 999);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_PREEMPT, RULE_A_H_UNMAP), 2);
}
END_TEST

/* A.M1, from the driver's call to the CUs. */
START_TEST(a_cu_mask_reaches_the_blocks)
{
    const uint32_t mask[2] = {0x11111111, 0x01111111}; /* shader engine 0 */

    begin("hws", 8, 1);
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    ck_assert_int_eq(call(kfd_queue_set_cu_mask(node.kfd, queue[0], mask, 64)), KFD_OK);
    launch(0, 40);
    run();
    ck_assert_uint_eq(count(EVENT_BLOCK_START), 40);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_lt(
            event_block_start_of(check_machine_event(&log_, EVENT_BLOCK_START, i)).sm_index, 15);
}
END_TEST

/* ---- other chips ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t engines, cus, first_vmid, list_dwords;
} chips[] = {{"mi50", 4, 60, 8, 23},
             {"mi60", 4, 64, 8, 23},
             {"mi100", 8, 120, 3, 23},
             {"mi210", 8, 104, 3, 28}};

/* A kernel with a block for each CU is on all of them, of all shader engines; the process has the
 * first VMID of the chip's, and the list the chip's packet. */
/* PROMISE (drivers): MI50, MI60, MI100 and MI210 run a kernel on every CU; they differ from
 * Radeon VII only by data. */
START_TEST(chips_differ_by_their_data)
{
    uint64_t physical;
    bool used[128] = {false};

    chip = chips[_i].name;
    begin("hws", 8, 1);
    chip = "radeon-vii";
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    launch(0, chips[_i].cus);
    run();
    ck_assert_uint_eq(signal_of(0), 999);
    for (uint32_t i = 0; i < chips[_i].cus; i++)
        used[event_block_start_of(check_machine_event(&log_, EVENT_BLOCK_START, i)).sm_index %
             128] = true;
    for (uint32_t i = 0; i < 128; i++)
        ck_assert(used[i] == (i < chips[_i].cus));
    ck_assert_uint_eq(event_hws_map_of(check_machine_event(&log_, EVENT_HWS_MAP, 0)).vmid,
                      chips[_i].first_vmid);
    ck_assert_uint_eq(kfd_list(node.kfd, &physical), 4 * chips[_i].list_dwords);
}
END_TEST

/* A.M1 over all shader engines: bit i is of engine i mod 4 or 8.  The MQD has their masks, and
 * blocks go to no others. */
START_TEST(a_cu_mask_of_eight_engines)
{
    const uint32_t mask[4] = {0x80808080, 0x80808080, 0x80808080, 0x00808080}; /* engine 7 */
    uint32_t mqd[AMD_MQD_DWORDS];

    chip = "mi100";
    begin("hws", 8, 1);
    chip = "radeon-vii";
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    ck_assert_int_eq(call(kfd_queue_set_cu_mask(node.kfd, queue[0], mask, 128)), KFD_OK);
    kfd_queue_read_mqd(node.kfd, queue[0], mqd);
    ck_assert_uint_eq(mqd[23], 0);          /* SE0 */
    ck_assert_uint_eq(mqd[39], 0);          /* SE4 */
    ck_assert_uint_eq(mqd[42], 0x00007fff); /* SE7: 15 CUs */
    launch(0, 40);
    run();
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_ge(
            event_block_start_of(check_machine_event(&log_, EVENT_BLOCK_START, i)).sm_index, 105);
}
END_TEST

/* ---- waves that are stopped ------------------------------------------------------------------ */

/* When the n-th kernel that has ended did. */
static gfe_ps end_ps(uint32_t n)
{
    return check_machine_event(&log_, EVENT_GRID_END, n)->time_ps;
}

/* A.H2 with kernels that are longer than many quanta: 33 queues on 32 slots.  Where waves are saved
 * all of them have their share: a kernel of 100 ms is on for 10 quanta of 10 ms, and away for its
 * part of the others'.  Where only idle queues are swapped, or waves cannot be saved, the last one
 * waits until another has ended. */
/* PROMISE (drivers): Rule A.H2 with kernels of 100 ms: 33 queues end within 125 ms with each
 * alternative of hws.swap except `idle`, where the last queue waits for a whole kernel. */
START_TEST(long_kernels_of_more_queues_than_slots)
{
    static const struct {
        const char *swap;
        bool no_cwsr, shares;
        uint32_t last_ms; /* when the last kernel ends, at least, and 10 ms later at most */
    } rows[] = {{"list", false, true, 110},  {"oldest", false, true, 110},
                {"ready", false, true, 110}, {"priority", false, true, 110},
                {"idle", false, false, 200}, {"list", true, false, 200}};
    uint32_t saves;

    options.swap = rows[_i].swap;
    options.no_cwsr = rows[_i].no_cwsr;
    options.block_us = 4000; /* 100 ms */
    begin("hws", 0, 1);
    for (uint32_t n = 0; n < 33; n++)
        ck_assert_int_eq(make_queue(n, 0), KFD_OK);
    for (uint32_t n = 0; n < 33; n++)
        launch(n, 1);
    run();
    ck_assert_uint_eq(signal_of(0), 1000 - 33);
    ck_assert_uint_eq(count(EVENT_BLOCK_START), 33);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 33);
    saves = count(EVENT_AMD_QUEUE_SAVE);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_RESTORE), saves);
    ck_assert_uint_eq(count(EVENT_AMD_BLOCK_GO_ON), count(EVENT_AMD_BLOCK_STOP));
    ck_assert_uint_eq(saves > 0, rows[_i].shares);
    ck_assert_uint_ge(end_ps(0), 100 * MS);
    ck_assert_uint_ge(end_ps(32), rows[_i].last_ms * MS);
    ck_assert_uint_le(end_ps(32), (rows[_i].last_ms + 15) * MS);
}
END_TEST

/* A process ends while its kernel and another's run: its waves are thrown away, the other's kernel
 * ends later by no more than it was off its slot. */
START_TEST(a_process_that_ends_takes_its_waves_with_it)
{
    options.block_us = 4000;
    begin("hws", 8, 2);
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    ck_assert_int_eq(make_queue(1, 1), KFD_OK);
    launch(0, 100);
    launch(1, 50);
    run_to(machine_now(machine) + 20 * MS);
    ck_assert_int_eq(call(kfd_process_close(node.kfd, process[0])), KFD_OK);
    run();
    ck_assert_uint_eq(signal_of(0), 1000);
    ck_assert_uint_eq(signal_of(1), 999);
    ck_assert_uint_eq(count(EVENT_GRID_DROP), 1);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
    ck_assert_uint_le(end_ps(0), 101 * MS);
    ck_assert_uint_eq(node.gpu.dispatch.state->grid_count, 0);
    ck_assert_uint_eq(node.gpu.dispatch.state->saved_count, 0);
}
END_TEST

/* SET_CU_MASK for a queue whose kernel runs: its blocks go on on the CUs that are left. */
START_TEST(a_running_kernel_gets_another_cu_mask)
{
    const uint32_t mask[2] = {0x11111111, 0x01111111}; /* shader engine 0 */

    options.block_us = 4000;
    begin("hws", 8, 1);
    ck_assert_int_eq(make_queue(0, 0), KFD_OK);
    launch(0, 60);
    run_to(machine_now(machine) + 20 * MS);
    ck_assert_int_eq(call(kfd_queue_set_cu_mask(node.kfd, queue[0], mask, 64)), KFD_OK);
    run();
    ck_assert_uint_eq(signal_of(0), 999);
    ck_assert_uint_eq(count(EVENT_AMD_BLOCK_GO_ON), 60);
    for (uint32_t i = 0; i < 60; i++)
        ck_assert_uint_lt(
            event_amd_block_go_on_of(check_machine_event(&log_, EVENT_AMD_BLOCK_GO_ON, i)).sm_index,
            15);
}
END_TEST

/* sched_policy 2: the driver has one queue's waves saved to change it; it throws them away to
 * destroy it.
 */
START_TEST(the_driver_saves_and_resets_slots_itself)
{
    options.block_us = 4000;
    begin("no_hws", 8, 1);
    for (uint32_t n = 0; n < 2; n++) {
        ck_assert_int_eq(make_queue(n, 0), KFD_OK);
        launch(n, 10);
    }
    run_to(machine_now(machine) + 20 * MS);
    ck_assert_int_eq(call(kfd_queue_update(node.kfd, queue[0], RING(0), 1024, 100, 3)), KFD_OK);
    ck_assert_int_eq(call(kfd_queue_destroy(node.kfd, queue[1])), KFD_OK);
    run();
    ck_assert_uint_eq(signal_of(0), 999);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_SAVE), 1);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_RESTORE), 1);
    ck_assert_uint_eq(count(EVENT_GRID_DROP), 1);
    ck_assert_uint_eq(count(EVENT_GRID_END), 1);
}
END_TEST

/* ---- without it ------------------------------------------------------------------------------ */

/* sched_policy 2: the driver writes the slots' registers itself. */
/* PROMISE (drivers): The KFD model drives slots by registers when the scheduling firmware is
 * off. */
START_TEST(the_driver_can_load_slots_itself)
{
    begin("no_hws", 8, 1);
    for (uint32_t n = 0; n < 5; n++)
        ck_assert_int_eq(make_queue(n, 0), KFD_OK);
    for (uint32_t n = 0; n < 5; n++)
        launch(n, 2);
    run();
    ck_assert_uint_eq(signal_of(0), 995);
    ck_assert_uint_eq(count(EVENT_HWS_MAP), 0);
    ck_assert_int_eq(call(kfd_queue_destroy(node.kfd, queue[3])), KFD_OK);
    launch(4, 2);
    run();
    ck_assert_uint_eq(signal_of(0), 994);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_LEAVE), 1);
}
END_TEST

Suite *amd_node_suite(void)
{
    Suite *suite = suite_create("amd_node");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_queue_of_the_driver_runs_a_kernel);
    tcase_add_test(tcase, an_sdma_queue_beside_the_drivers);
    tcase_add_test(tcase, as_many_queues_as_slots_run_side_by_side);
    tcase_add_loop_test(tcase, more_queues_than_slots_share_them, 0, 2);
    tcase_add_test(tcase, more_processes_than_vmids_take_turns);
    tcase_add_test(tcase, queues_come_and_go_while_others_work);
    tcase_add_test(tcase, a_cu_mask_reaches_the_blocks);
    tcase_add_loop_test(tcase, chips_differ_by_their_data, 0, 4);
    tcase_add_test(tcase, a_cu_mask_of_eight_engines);
    tcase_add_test(tcase, the_driver_can_load_slots_itself);
    tcase_add_loop_test(tcase, long_kernels_of_more_queues_than_slots, 0, 6);
    tcase_add_test(tcase, a_process_that_ends_takes_its_waves_with_it);
    tcase_add_test(tcase, a_running_kernel_gets_another_cu_mask);
    tcase_add_test(tcase, the_driver_saves_and_resets_slots_itself);
    suite_add_tcase(suite, tcase);
    return suite;
}
