/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_kfd_node.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"

static void done(void *client, enum kfd_result result)
{
    struct check_kfd_node *check = client;

    check->ended = result;
    check->ended_count++;
}

static void lock_free(void *client)
{
    struct check_kfd_node *check = client;

    check->free_count++;
}

static void interrupt(void *client, uint32_t space_id, uint32_t event_id)
{
    struct check_kfd_node *check = client;

    check->told_space[check->told_count % 64] = space_id;
    check->told[check->told_count++ % 64] = event_id;
}

static uint32_t exception(void *client, uint32_t space_id, uint32_t type)
{
    struct check_kfd_node *check = client;

    (void)space_id;
    check->excepted[check->exception_count++ % 8] = type;
    return check->answer;
}

static void map(struct check_kfd_node *check, uint32_t n)
{
    const uint64_t root = 0x1000 * (n + 1);
    const struct address_space_range range = {
        .va = CHECK_KFD_VA,
        .size_bytes = CHECK_KFD_BYTES,
        .physical = (uint64_t)n * CHECK_KFD_BYTES,
        .space_id = address_space_new(&check->machine->spaces, MEMORY_VRAM, root),
        .aperture = MEMORY_VRAM};
    const uint32_t descriptor[16] = {[12] = 5 | 3 << 6};
    const uint64_t signal[4] = {1, 1000, CHECK_KFD_MAILBOX, 77 + n};

    ck_assert_int_eq(address_space_map(&check->machine->spaces, &range), ADDRESS_SPACE_OK);
    ck_assert(machine_write(check->machine, MEMORY_VRAM,
                            range.physical + (CHECK_KFD_KERNEL - CHECK_KFD_VA), descriptor,
                            sizeof descriptor));
    ck_assert(machine_write(check->machine, MEMORY_VRAM,
                            range.physical + (CHECK_KFD_SIGNAL - CHECK_KFD_VA), signal,
                            sizeof signal));
    check->spaces[n] = range.space_id;
    check->process[n] = kfd_process_open(check->node.kfd, root);
}

void check_kfd_node_begin(struct check_kfd_node *check, const char *policy, const char *parameter,
                          uint64_t value)
{
    const struct machine_config config = {.gpu = "radeon-vii",
                                          .vram_bytes =
                                              (uint64_t)CHECK_KFD_PROCESSES * CHECK_KFD_BYTES,
                                          .sysmem_bytes = 2 * AMD_NODE_DRIVER_BYTES,
                                          .event_capacity = 4096,
                                          .seed = 1};
    struct gfe_error error = {0};

    check->machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(check->machine);
    check->log = (struct check_machine){.machine = check->machine};
    memset(check->written, 0, sizeof check->written);
    check->told_count = check->exception_count = check->ended_count = check->free_count = 0;
    check->answer = 1;
    machine_add_tables(check->machine, &emu_tables);
    ck_assert(amd_node_wire(&check->node, check->machine, amd_chip_by_name("radeon-vii")));
    check->node.client = check;
    check->node.done = done;
    check->node.lock_free = lock_free;
    check->node.interrupt = interrupt;
    check->node.exception = exception;
    ck_assert(machine_set_choice(check->machine, "kfd.sched_policy", policy));
    ck_assert(machine_set_parameter(check->machine, "amd.block_ps", 40 * GFE_PS_PER_US));
    if (parameter)
        ck_assert(machine_set_parameter(check->machine, parameter, value));
    ck_assert_msg(machine_seal(check->machine, &error), "%s", error.text);
    amd_node_start(&check->node);
    for (uint32_t n = 0; n < CHECK_KFD_PROCESSES; n++)
        map(check, n);
}

void check_kfd_node_end(struct check_kfd_node *check)
{
    free(check->log.events);
    amd_node_unwire(&check->node);
    machine_free(check->machine);
}

void check_kfd_node_run(struct check_kfd_node *check)
{
    uint32_t steps = 0;

    while (machine_step(check->machine))
        ck_assert_uint_lt(++steps, 1 << 20);
    ck_assert_msg(!machine_failed(check->machine), "%s", check->machine->error.text);
    check_machine_read_log(&check->log);
}

void check_kfd_node_run_to(struct check_kfd_node *check, gfe_ps until_ps)
{
    ck_assert_msg(machine_run(check->machine, until_ps), "%s", check->machine->error.text);
    check_machine_read_log(&check->log);
}

enum kfd_result check_kfd_node_call(struct check_kfd_node *check, enum kfd_result result)
{
    const uint32_t before = check->ended_count;

    if (result != KFD_PENDING)
        return result;
    while (check->ended_count == before)
        ck_assert(machine_step(check->machine));
    return check->ended;
}

void check_kfd_node_queue(struct check_kfd_node *check, uint32_t n, uint32_t of)
{
    const struct kfd_queue_options options = {.ring_address = CHECK_KFD_RING(n),
                                              .read_pointer = CHECK_KFD_SIDE(n) + 0x80,
                                              .write_pointer = CHECK_KFD_SIDE(n) + 0x38,
                                              .ring_bytes = 1024,
                                              .format = KFD_MQD_AQL,
                                              .priority = 7,
                                              .percent = 100};
    const uint16_t invalid = 1;

    for (uint32_t i = 0; i < 16; i++)
        ck_assert(machine_write(check->machine, MEMORY_VRAM,
                                (uint64_t)of * CHECK_KFD_BYTES +
                                    (CHECK_KFD_RING(n) - CHECK_KFD_VA) + 64 * i,
                                &invalid, sizeof invalid));
    check->owner[n] = of;
    ck_assert_int_eq(
        check_kfd_node_call(check, kfd_queue_create(check->node.kfd, check->process[of], &options,
                                                    &check->queue[n])),
        KFD_OK);
}

void check_kfd_node_launch(struct check_kfd_node *check, uint32_t n, uint64_t signal)
{
    const uint64_t base = (uint64_t)check->owner[n] * CHECK_KFD_BYTES - CHECK_KFD_VA,
                   number = check->written[n]++;
    // clang-format off
    const uint32_t packet[16] = {2 | 1 << 8 | 1 << 16, 64 | 1 << 16, 1, 64, 1, 1, 0, 0,
                                 (uint32_t)CHECK_KFD_KERNEL, CHECK_KFD_KERNEL >> 32, 0, 0, 0, 0,
                                 (uint32_t)signal, (uint32_t)(signal >> 32)};
    // clang-format on

    ck_assert(machine_write(check->machine, MEMORY_VRAM,
                            base + CHECK_KFD_RING(n) + 64 * (number % 16), packet, sizeof packet));
    ck_assert(machine_write(check->machine, MEMORY_VRAM, base + CHECK_KFD_SIDE(n) + 0x38,
                            &check->written[n], 8));
    amd_node_doorbell(&check->node, kfd_queue_id(&check->node.kfd->state->queues[check->queue[n]]),
                      number);
}

uint64_t check_kfd_node_signal(struct check_kfd_node *check, uint32_t process)
{
    uint64_t value;

    ck_assert(machine_read(
        check->machine, MEMORY_VRAM,
        (uint64_t)process * CHECK_KFD_BYTES + (CHECK_KFD_SIGNAL - CHECK_KFD_VA) + 8, &value, 8));
    return value;
}

uint32_t check_kfd_node_count(const struct check_kfd_node *check, uint32_t kind)
{
    return check_machine_count(&check->log, kind);
}
