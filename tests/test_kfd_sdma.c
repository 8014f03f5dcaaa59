/* SPDX-License-Identifier: MIT */
/*
 * Queues of SDMA from the driver's call to what their packets do: places on the engines,
 * descriptors, lists, the firmware; and without it, the engines' registers.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/amd_sdma_tables.h"
#include "emu/sim/amd_node.h"
#include "devices/core/core_events.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

/* A process's memory: for each queue a ring of 4 KiB, and the program's side of it. */
#define VA      UINT64_C(0x200000000)
#define RING(n) (VA + UINT64_C(0x2000) * (n))
#define SIDE(n) (RING(n) + 0x1000)
#define DATA    (VA + 0x800000)
#define LO(va)  (uint32_t)(va)
#define HI(va)  (uint32_t)((uint64_t)(va) >> 32)
enum { QUEUES = 40, PROCESSES = 10, BYTES = 0x1000000, PLACES = 16 };

static struct check_machine log_;
static struct machine *machine;
static struct amd_node node;
static uint32_t process[PROCESSES], queue[QUEUES], owner[QUEUES];
static uint64_t written[QUEUES];
static enum kfd_result ended;
static uint32_t ended_count, interrupts, context;

static void done(void *client, enum kfd_result result)
{
    (void)client;
    ended = result;
    ended_count++;
}

static void interrupt(void *client, uint32_t space_id, uint32_t context_id)
{
    (void)client;
    (void)space_id;
    interrupts++;
    context = context_id;
}

static uint64_t at(uint32_t n, uint64_t address)
{
    return (uint64_t)n * BYTES + (address - VA);
}

static void poke(uint32_t n, uint64_t address, const void *data, size_t bytes)
{
    ck_assert(machine_write(machine, MEMORY_VRAM, at(n, address), data, bytes));
}

static uint32_t peek(uint32_t n, uint64_t address)
{
    uint32_t value;

    ck_assert(machine_read(machine, MEMORY_VRAM, at(n, address), &value, sizeof value));
    return value;
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

    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    process[n] = kfd_process_open(node.kfd, root);
    ck_assert_uint_ne(process[n], KFD_NONE);
}

static void begin(const char *chip, const char *policy, uint32_t process_count)
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
    ended_count = interrupts = 0;
    machine_add_tables(machine, &emu_tables);
    ck_assert(amd_node_wire(&node, machine, amd_chip_by_name(chip)));
    node.done = done;
    node.interrupt = interrupt;
    ck_assert(machine_set_choice(machine, "kfd.sched_policy", policy));
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

static enum kfd_result make(uint32_t n, uint32_t of, uint32_t format)
{
    const struct kfd_queue_options options = {.ring_address = RING(n),
                                              .read_pointer = SIDE(n) + 0x80,
                                              .write_pointer = SIDE(n) + 0x38,
                                              .ring_bytes = 4096,
                                              .format = format,
                                              .percent = 100};

    owner[n] = of;
    return call(kfd_queue_create(node.kfd, process[of], &options, &queue[n]));
}

static const struct kfd_queue *made(uint32_t n)
{
    return &node.kfd->state->queues[queue[n]];
}

/* Packets, the write pointer, and the doorbell. */
static void put(uint32_t n, const uint32_t *dwords, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, written[n] += 4)
        poke(owner[n], RING(n) + written[n] % 4096, &dwords[i], 4);
    poke(owner[n], SIDE(n) + 0x38, &written[n], 8);
    amd_node_doorbell(&node, kfd_queue_id(made(n)), written[n]);
}

/* FENCE of that value. */
static void put_fence(uint32_t n, uint32_t value)
{
    const uint32_t fence[] = {5, LO(DATA + 16 * n), HI(DATA), value};

    put(n, fence, 4);
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&log_, kind);
}

/* ---- with the firmware ----------------------------------------------------------------------- */

/* From CREATE_QUEUE to bytes, a fence and an interrupt, beside a queue of compute. */
/* PROMISE (drivers): An SDMA queue made by a call of the driver copies its bytes. */
START_TEST(a_queue_of_the_driver_copies)
{
    const uint32_t packets[] = {
        1,        63, 0, LO(DATA), HI(DATA), LO(DATA + 0x1000), HI(DATA), 5, LO(DATA + 16),
        HI(DATA), 7,  6, 0x123};
    const uint32_t word = 0x600d;
    uint32_t mqd[AMD_MQD_DWORDS];

    begin("radeon-vii", "hws", 1);
    poke(0, DATA, &word, sizeof word);
    ck_assert_int_eq(make(0, 0, KFD_MQD_AQL), KFD_OK);
    ck_assert_int_eq(make(1, 0, KFD_MQD_SDMA), KFD_OK);
    put(1, packets, 13);
    run();
    ck_assert_uint_eq(peek(0, DATA + 0x1000), 0x600d);
    ck_assert_uint_eq(peek(0, DATA + 16), 7);
    ck_assert_uint_eq(peek(0, SIDE(1) + 0x80), 13 * 4); /* its read pointer */
    ck_assert_uint_eq(interrupts, 1);
    ck_assert_uint_eq(context, 0x123);
    kfd_queue_read_mqd(node.kfd, queue[1], mqd);
    ck_assert_uint_eq(mqd[0], 10 << 1 | 1 << 12 | 6 << 16); /* 1,024 dwords, read pointer */
    ck_assert_uint_eq(mqd[1], LO(RING(1) >> 8));
    ck_assert_uint_eq(mqd[9], LO(SIDE(1) + 0x80));
    ck_assert_uint_eq(mqd[22], (2048 + 2 * 0x100) << 2); /* the process's page, engine 0 */
    ck_assert_uint_eq(mqd[126] | mqd[127], 0);
    golden_log_check(&log_, "kfd_sdma.events");
}
END_TEST

/* Of both engines the first places, then the second; the seventeenth queue is not made. */
START_TEST(two_engines_have_sixteen_places)
{
    begin("radeon-vii", "hws", 2);
    for (uint32_t n = 0; n < PLACES; n++) {
        ck_assert_int_eq(make(n, n % 2, KFD_MQD_SDMA), KFD_OK);
        ck_assert_uint_eq(made(n)->mqd.sdma_engine, n % 2);
        ck_assert_uint_eq(made(n)->mqd.sdma_slot, n / 2);
        ck_assert_uint_eq(made(n)->mqd.doorbell % KFD_DOORBELL_DWORDS / 2,
                          0x100 + n % 2 * 10 + n / 2 % 2 * 512 + n / 4);
    }
    for (uint32_t n = 0; n < PLACES; n++)
        put_fence(n, n + 1);
    ck_assert_int_eq(make(PLACES, 0, KFD_MQD_SDMA), KFD_ENOMEM);
    ck_assert_int_eq(call(kfd_queue_destroy(node.kfd, queue[5])), KFD_OK);
    ck_assert_int_eq(make(PLACES, 0, KFD_MQD_SDMA), KFD_OK);
    ck_assert_uint_eq(made(PLACES)->mqd.sdma_engine, 1);
    ck_assert_uint_eq(made(PLACES)->mqd.sdma_slot, 2);
    put_fence(PLACES, 17);
    run();
    for (uint32_t n = 0; n <= PLACES; n++)
        if (n != 5)
            ck_assert_uint_eq(peek(owner[n], DATA + 16 * n), n + 1);
    ck_assert_uint_eq(count(EVENT_KFD_SDMA_FULL), 1);
    ck_assert_uint_eq(count(EVENT_AMD_SDMA_FAULT), 0);
}
END_TEST

/* 24 queues of compute fit, whatever SDMA has beside them. */
START_TEST(they_take_no_slots)
{
    begin("radeon-vii", _i ? "no_oversubscription" : "hws", 1);
    for (uint32_t n = 0; n < 28; n++)
        ck_assert_int_eq(make(n, 0, n % 7 == 0 ? KFD_MQD_SDMA : KFD_MQD_AQL), KFD_OK);
    for (uint32_t n = 0; n < 28; n += 7)
        put_fence(n, n + 1);
    if (_i) {
        ck_assert_int_eq(make(28, 0, KFD_MQD_AQL), KFD_EPERM);
        ck_assert_int_eq(make(28, 0, KFD_MQD_SDMA), KFD_OK);
    }
    run();
    for (uint32_t n = 0; n < 28; n += 7)
        ck_assert_uint_eq(peek(0, DATA + 16 * n), n + 1);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 0);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_HWS_PREEMPT, RULE_A_H2), 0);
}
END_TEST

/* 25 queues of compute: these take turns, and that of SDMA stays where it is. */
START_TEST(they_leave_for_no_slot)
{
    static const uint32_t invalid[4] = {1};

    begin("radeon-vii", "hws", 1);
    for (uint32_t n = 0; n <= 25; n++)
        ck_assert_int_eq(make(n, 0, n == 9 ? KFD_MQD_SDMA : KFD_MQD_AQL), KFD_OK);
    for (uint32_t n = 0; n <= 25; n++) /* invalid packets: they hold their queues */
        if (n != 9)
            put(n, invalid, 4);
    put_fence(9, 1);
    for (uint32_t i = 0; i < 4000 && machine_step(machine); i++)
        ;
    ck_assert(!machine_failed(machine));
    check_machine_read_log(&log_);
    ck_assert_uint_eq(peek(0, DATA + 16 * 9), 1);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_PREEMPT, RULE_A_H2), 1);
    ck_assert_uint_eq(check_machine_count_rule(&log_, EVENT_HWS_SDMA_PREEMPT, RULE_A_H2), 0);
}
END_TEST

/* Nine processes, eight VMIDs: with its process a queue of SDMA leaves, and comes again. */
START_TEST(they_leave_with_their_process)
{
    begin("radeon-vii", "hws", 9);
    for (uint32_t n = 0; n < 9; n++)
        ck_assert_int_eq(make(n, n, KFD_MQD_SDMA), KFD_OK);
    for (uint32_t n = 0; n < 9; n++)
        put_fence(n, n + 1);
    run();
    for (uint32_t n = 0; n < 9; n++)
        ck_assert_uint_eq(peek(n, DATA + 16 * n), n + 1);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_SDMA_PREEMPT, RULE_A_H2), 1);
    ck_assert_uint_ge(check_machine_count_rule(&log_, EVENT_HWS_SDMA_MAP, RULE_A_H2), 1);
}
END_TEST

/* A new queue takes all off: one that polls inside an indirect buffer goes on there. */
/* PROMISE (drivers): An SDMA queue that was preempted inside an indirect buffer goes on there. */
START_TEST(a_queue_goes_on_inside_its_buffer)
{
    static const uint32_t one = 1;
    // clang-format off
    const uint32_t buffer[] = {5, LO(DATA + 16), HI(DATA), 3,              /* FENCE */
                               8 | 3u << 28 | 1u << 31, LO(DATA + 64), HI(DATA), 1, UINT32_MAX, 0,
                               5, LO(DATA + 32), HI(DATA), 4};
    // clang-format on
    const uint32_t packets[] = {4, LO(DATA + 0x100), HI(DATA), 14, 0, 0,
                                5, LO(DATA + 48),    HI(DATA), 5};

    begin("radeon-vii", "hws", 1);
    poke(0, DATA + 0x100, buffer, sizeof buffer);
    ck_assert_int_eq(make(1, 0, KFD_MQD_SDMA), KFD_OK);
    put(1, packets, 10);
    while (peek(0, DATA + 16) != 3)
        ck_assert(machine_step(machine));
    for (uint32_t i = 0; i < 8; i++)
        machine_step(machine);
    ck_assert_int_eq(make(2, 0, KFD_MQD_AQL), KFD_OK);
    poke(0, DATA + 64, &one, sizeof one);
    run();
    ck_assert_uint_eq(count(EVENT_HWS_SDMA_UNMAP), 1);
    ck_assert_uint_eq(peek(0, DATA + 32), 4);
    ck_assert_uint_eq(peek(0, DATA + 48), 5);
    ck_assert_uint_eq(peek(0, SIDE(1) + 0x80), 40);
}
END_TEST

/* A bad opcode stops its queue alone; it can be taken off. */
START_TEST(a_queue_that_stopped_is_in_nobodys_way)
{
    static const uint32_t bad = 0xff;

    begin("radeon-vii", _i ? "no_hws" : "hws", 2);
    ck_assert_int_eq(make(1, 0, KFD_MQD_SDMA), KFD_OK);
    ck_assert_int_eq(make(2, 1, KFD_MQD_SDMA), KFD_OK);
    put(1, &bad, 1);
    put_fence(2, 9);
    ck_assert_int_eq(make(3, 1, KFD_MQD_SDMA), KFD_OK);
    put_fence(3, 8);
    run();
    ck_assert_uint_eq(peek(1, DATA + 32), 9);
    ck_assert_uint_eq(peek(1, DATA + 48), 8);
    ck_assert_int_eq(call(kfd_queue_destroy(node.kfd, queue[1])), KFD_OK);
}
END_TEST

/* ---- without it ------------------------------------------------------------------------------ */

/* sched_policy 2: the driver writes the engine's registers; what the queue has read goes back into
 * its descriptor. */
START_TEST(without_the_firmware_the_driver_loads_them)
{
    uint32_t mqd[AMD_MQD_DWORDS];

    static const char *const chips[] = {"radeon-vii", "mi100", "mi210"};
    static const uint32_t at[] = {0x668c, 0x664c, 0x664c}; /* engine 1, RLC0 */

    begin(chips[_i], "no_hws", 1);
    ck_assert_int_eq(make(0, 0, KFD_MQD_SDMA), KFD_OK);
    ck_assert_int_eq(make(1, 0, KFD_MQD_SDMA), KFD_OK);
    put_fence(1, 6);
    run();
    ck_assert_uint_eq(peek(0, DATA + 16), 6);
    ck_assert_uint_eq(count(EVENT_KFD_SDMA_LOAD), 2);
    ck_assert_uint_eq(machine_read32(machine, at[_i]), 16); /* RB_RPTR */
    ck_assert_int_eq(call(kfd_queue_update(node.kfd, queue[1], 0, 0, 0, 0)), KFD_OK);
    kfd_queue_read_mqd(node.kfd, queue[1], mqd);
    ck_assert_uint_eq(mqd[3], 16);
    /* And it goes on from there. */
    ck_assert_int_eq(call(kfd_queue_update(node.kfd, queue[1], RING(1), 4096, 100, 0)), KFD_OK);
    put_fence(1, 7);
    run();
    ck_assert_uint_eq(peek(0, DATA + 16), 7);
    ck_assert_uint_eq(check_machine_count(&log_, EVENT_AMD_SDMA_PACKET), 2);
    ck_assert_int_eq(call(kfd_process_close(node.kfd, process[0])), KFD_OK);
}
END_TEST

/* MI100's engines for links: behind the two others, told by number in the list. */
START_TEST(engines_for_links)
{
    begin("mi100", "hws", 1);
    for (uint32_t n = 0; n < 7; n++) {
        ck_assert_int_eq(make(n, 0, KFD_MQD_SDMA_XGMI), KFD_OK);
        ck_assert_uint_eq(made(n)->mqd.sdma_engine, 2 + n % 6);
        put_fence(n, n + 1);
    }
    run();
    for (uint32_t n = 0; n < 7; n++)
        ck_assert_uint_eq(peek(0, DATA + 16 * n), n + 1);
    for (uint32_t n = 7; n < 40; n++)
        (void)make(n, 0, KFD_MQD_SDMA_XGMI);
    ck_assert_uint_eq(node.kfd->state->sdma_count, 40);
    for (uint32_t i = 0; i < 9; i++)
        ended = make(39, 0, KFD_MQD_SDMA_XGMI);
    ck_assert_int_eq(ended, KFD_ENOMEM);
}
END_TEST

Suite *kfd_sdma_suite(void)
{
    Suite *suite = suite_create("kfd_sdma");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_queue_of_the_driver_copies);
    tcase_add_test(tcase, two_engines_have_sixteen_places);
    tcase_add_loop_test(tcase, they_take_no_slots, 0, 2);
    tcase_add_test(tcase, they_leave_for_no_slot);
    tcase_add_test(tcase, they_leave_with_their_process);
    tcase_add_test(tcase, a_queue_goes_on_inside_its_buffer);
    tcase_add_loop_test(tcase, a_queue_that_stopped_is_in_nobodys_way, 0, 2);
    tcase_add_loop_test(tcase, without_the_firmware_the_driver_loads_them, 0, 3);
    tcase_add_test(tcase, engines_for_links);
    suite_add_tcase(suite, tcase);
    return suite;
}
