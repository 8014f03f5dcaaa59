/* SPDX-License-Identifier: MIT */
/* The kernel driver's model with the scheduling firmware and a stand-in for the micro engine. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "emu/log/event_line.h"
#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_hws.h"
#include "tests/golden_log.h"
#include "tests/kfd_mqd_read.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)

enum { MEMORY = 16 << 20, MEMORY_BYTES = 32 << 20 };

static struct check_hws check;
static struct kfd *kfd;
static enum kfd_result last; /* what done() said */
static uint32_t done_count;

/* ---- the micro engine ------------------------------------------------------------------------ */

static uint64_t address_of(uint64_t mqd, uint32_t dword)
{
    return check_hws_peek(&check, mqd + 4 * dword) |
           (uint64_t)check_hws_peek(&check, mqd + 4 * dword + 4) << 32;
}

/* The HIQ's MQD is read as v9_structs.h has it. */
static void map_hiq(void *engine, uint64_t mqd)
{
    (void)engine;
    check.space_id = kfd->state->space_id;
    hws_packet_begin(&check.packets, check.space_id, mqd);
    ck_assert_uint_eq(check_hws_peek(&check, mqd), 0xc0310800);
    ck_assert_uint_eq(check_hws_peek(&check, mqd + 4 * 145), 0xc0000508);
    check.ring = address_of(mqd, 136) << 8;
    check.read_pointer = address_of(mqd, 139);
    check.ring_dwords = 512;
}

static void ring(void *engine, uint32_t doorbell, uint64_t value)
{
    (void)engine;
    ck_assert_uint_eq(doorbell, 2);
    check_hws_ring(&check, value);
}

/* Slots without the firmware; they leave when the test says so, or at once. */
static struct {
    struct kfd_hqd slots[CHECK_HWS_SLOTS];
    bool used[CHECK_HWS_SLOTS];
    uint32_t requests[4], loads;
    bool slow;
} hqds;

static void hqd_load(void *engine, const struct kfd_hqd *hqd)
{
    const uint32_t at = hqd->pipe * 8 + hqd->slot;

    (void)engine;
    ck_assert(!hqds.used[at]);
    hqds.used[at] = true;
    hqds.slots[at] = *hqd;
    hqds.loads++;
}

static void hqd_dequeue(void *engine, const struct kfd_hqd *hqd, uint32_t request)
{
    (void)engine;
    ck_assert(hqds.used[hqd->pipe * 8 + hqd->slot]);
    hqds.requests[request]++;
    if (hqds.slow)
        return;
    hqds.used[hqd->pipe * 8 + hqd->slot] = false;
    kfd_hqd_left(kfd, hqd->pipe, hqd->slot);
}

static void done(void *engine, enum kfd_result result)
{
    (void)engine;
    last = result;
    done_count++;
}

static const struct kfd_ops ops = {.map_hiq = map_hiq,
                                   .ring = ring,
                                   .hqd_load = hqd_load,
                                   .hqd_dequeue = hqd_dequeue,
                                   .done = done};

/* ---- the fixture ----------------------------------------------------------------------------- */

static void begin(const char *policy, uint64_t num_kcq)
{
    memset(&hqds, 0, sizeof hqds);
    last = KFD_OK;
    done_count = 0;
    check_hws_begin(&check);
    kfd = kfd_new(check.machine, amd_chip_by_name("radeon-vii"), MEMORY, MEMORY_BYTES, &ops, NULL);
    ck_assert_ptr_nonnull(kfd);
    ck_assert(machine_set_choice(check.machine, "kfd.sched_policy", policy));
    ck_assert(machine_set_parameter(check.machine, "kfd.num_kcq", num_kcq));
    check_hws_seal(&check, 0);
    kfd_start(kfd);
}

static void teardown(void)
{
    ck_assert_uint_eq(check.wrong, 0);
    kfd_free(kfd);
    check_hws_end(&check);
}

static struct kfd_queue_options options(void)
{
    return (struct kfd_queue_options){
        .ring_address = UINT64_C(0x7f0000100000),
        .read_pointer = UINT64_C(0x7f0000000080),
        .write_pointer = UINT64_C(0x7f0000000038),
        .eop_address = UINT64_C(0x7f0000010000),
        .save_address = UINT64_C(0x7f4500000000),
        .ring_bytes = 0x10000,
        .eop_bytes = 4096,
        .save_bytes = 0x1a00000,
        .control_stack_bytes = 0x5000,
        .format = KFD_MQD_AQL,
        .priority = 7,
        .percent = 100,
    };
}

/* A call, to its end: the queues leave at once or after a while. */
static enum kfd_result finish(enum kfd_result result)
{
    const uint32_t before = done_count;

    if (result != KFD_PENDING)
        return result;
    while (done_count == before)
        check_hws_run(&check, machine_next_ps(check.machine) + 1);
    return last;
}

/* The packets that are on their way arrive. */
static void settle(void)
{
    check_hws_run(&check, machine_now(check.machine) + 10 * GFE_PS_PER_US);
}

static uint32_t queue(uint32_t process)
{
    const struct kfd_queue_options with = options();
    uint32_t index;

    ck_assert_int_eq(finish(kfd_queue_create(kfd, process, &with, &index)), KFD_OK);
    return index;
}

static uint32_t doorbell(uint32_t index)
{
    return kfd->state->queues[index].mqd.doorbell;
}

static uint32_t count(uint32_t kind)
{
    check_machine_read_log(&check.log);
    return check_machine_count(&check.log, kind);
}

/* Events from a time on. */
static void golden_from(gfe_ps from_ps, const char *name)
{
    uint32_t first = 0;

    check_machine_read_log(&check.log);
    while (first < check.log.event_count && check.log.events[first].time_ps < from_ps)
        first++;
    golden_log_check_events(check.log.events + first, check.log.event_count - first, name);
}

/* ---- queues ---------------------------------------------------------------------------------- */

START_TEST(a_queue_gets_a_slot)
{
    uint32_t process, first, second, mqd[AMD_MQD_DWORDS];

    begin("hws", 8);
    settle();
    ck_assert_uint_eq(check.hws.state->slot_mask, 0xfcfcfcfc); /* 24 */
    ck_assert_uint_eq(check.hws.state->vmid_mask, 0xff00);
    ck_assert_uint_eq(check.hws.state->unmap_latency, 40);
    process = kfd_process_open(kfd, UINT64_C(0x1200345001));
    first = queue(process);
    settle();
    second = queue(process);
    settle();
    ck_assert_uint_eq(doorbell(first), 2048);
    ck_assert_uint_eq(doorbell(second), 2050);
    ck_assert_uint_eq(check_hws_slot_of(&check, 2050),
                      1 * 8 + 2); /* the newest is first in the list */
    ck_assert_uint_eq(check_hws_slot_of(&check, 2048), 2 * 8 + 2);
    ck_assert_uint_eq(check.slots[2 * 8 + 2].pasid, 0x8000);
    ck_assert_uint_eq(check.slots[2 * 8 + 2].vmid, 8);
    kfd_queue_read_mqd(kfd, first, mqd);
    ck_assert_uint_eq(mqd[143], 2048 << 2 | 2);
    ck_assert_uint_eq(mqd[145], 0x0c01450d);
    ck_assert_uint_eq(mqd[23], 0xffffffff);
    ck_assert_uint_eq(check_hws_peek(&check, check.slots[2 * 8 + 2].mqd_address + 4 * 143),
                      2048 << 2 | 2);
    ck_assert_uint_eq(count(EVENT_KFD_UNMAP), 1); /* for the second */
    ck_assert_uint_eq(check_machine_count_rule(&check.log, EVENT_KFD_UNMAP, RULE_A_H_UNMAP), 1);
    ck_assert_uint_eq(check_machine_count(&check.log, EVENT_KFD_OVERSUBSCRIBED), 0);
}
END_TEST

START_TEST(an_update_is_made_while_the_queue_is_off)
{
    static const uint32_t mask[2] = {0x55555555, 0x05555555};
    uint32_t process, index, mqd[AMD_MQD_DWORDS];

    begin("hws", 8);
    process = kfd_process_open(kfd, 0);
    index = queue(process);
    settle();
    check.leave_ps = MS;
    ck_assert_int_eq(kfd_queue_set_cu_mask(kfd, index, mask, 64), KFD_PENDING);
    ck_assert_int_eq(kfd_queue_destroy(kfd, index), KFD_BUSY); /* the lock is held */
    kfd_queue_read_mqd(kfd, index, mqd);
    ck_assert_uint_eq(mqd[23], 0xffffffff);
    ck_assert_int_eq(finish(KFD_PENDING), KFD_OK);
    ck_assert_uint_eq(check_hws_used(&check), 0); /* it has left, and is not back */
    kfd_queue_read_mqd(kfd, index, mqd);
    ck_assert_uint_eq(mqd[23], 0x7fff);
    ck_assert_uint_eq(mqd[24], 0);
    ck_assert_uint_eq(mqd[26], 0x7fff);
    ck_assert_uint_eq(mqd[27], 0);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), 1);
    ck_assert_int_eq(kfd_queue_update(kfd, index, 0x200000, 0x1000, 100, 15), KFD_PENDING);
    ck_assert_int_eq(finish(KFD_PENDING), KFD_OK);
    kfd_queue_read_mqd(kfd, index, mqd);
    ck_assert_uint_eq(mqd[133], 2);
    ck_assert_uint_eq(mqd[134], 15);
    ck_assert_uint_eq(mqd[136], 0x2000);
    ck_assert_uint_eq(mqd[23], 0x7fff);
    ck_assert_int_eq(finish(kfd_queue_update(kfd, index, 0x200000, 0x1000, 0, 15)), KFD_OK);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), 0);            /* not active */
    ck_assert_int_eq(kfd_queue_destroy(kfd, index), KFD_OK); /* it was on no list */
    ck_assert_uint_eq(kfd->state->process_count, 0);
}
END_TEST

START_TEST(what_a_program_may_not_ask_for)
{
    struct kfd_queue_options with = options();
    uint32_t process, index, made;

    begin("hws", 8);
    process = kfd_process_open(kfd, 0);
    made = queue(process);
    with.priority = 16;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    with = options();
    with.ring_bytes = 0x1800;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    with = options();
    with.ring_address++;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    with = options();
    with.eop_bytes = 3;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    with = options();
    with.percent = 101;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    with = options();
    with.format = KFD_MQD_HIQ;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EINVAL);
    ck_assert_uint_eq(index, KFD_NONE);
    ck_assert_int_eq(kfd_queue_set_cu_mask(kfd, made, &(uint32_t){1}, 0), KFD_EINVAL);
    ck_assert_int_eq(kfd_queue_set_cu_mask(kfd, made, &(uint32_t){1}, 31), KFD_EINVAL);
    ck_assert_int_eq(kfd_queue_update(kfd, made, 0, 0, 100, 16), KFD_EINVAL);
    ck_assert_uint_eq(kfd->state->queue_count, 1);
}
END_TEST

/* ---- over-subscription ----------------------------------------------------------------------- */

/* A.H2: the driver leaves programs 24 slots, or 32 where the graphics driver takes none.  The queue
 * that was made first is the last in the list. */
/* PROMISE (drivers): KFD warns when queues outnumber slots, and runs them. */
START_TEST(one_queue_more_than_slots)
{
    static const struct {
        uint32_t num_kcq, slots;
        const char *golden;
    } with[] = {{8, 24, "kfd_25_of_24.events"}, {0, 32, "kfd_33_of_32.events"}};
    const uint32_t slots = with[_i].slots;
    uint32_t process, first;
    gfe_ps from_ps;

    begin("hws", with[_i].num_kcq);
    process = kfd_process_open(kfd, 0);
    first = queue(process);
    for (uint32_t i = 1; i < slots; i++)
        queue(process);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), slots);
    ck_assert_uint_eq(check.hws.state->chained, 0);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 0);
    check.busy = true;
    from_ps = machine_now(check.machine);
    queue(process);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), slots);
    ck_assert_uint_eq(check.hws.state->chained, 1);
    ck_assert_uint_eq(check_hws_slot_of(&check, doorbell(first)), HWS_NONE);
    check_hws_run(&check, machine_now(check.machine) + 11 * MS); /* a quantum */
    ck_assert_uint_ne(check_hws_slot_of(&check, doorbell(first)), HWS_NONE);
    ck_assert_uint_eq(check_hws_used(&check), slots);
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 1);
    golden_from(from_ps, with[_i].golden);
    queue(process); /* warns once */
    ck_assert_uint_eq(count(EVENT_KFD_OVERSUBSCRIBED), 1);
}
END_TEST

/* Nine processes on eight VMIDs. */
START_TEST(one_process_more_than_vmids)
{
    begin("hws", 8);
    for (uint32_t i = 0; i < 8; i++)
        queue(kfd_process_open(kfd, 0));
    settle();
    ck_assert_uint_eq(check.hws.state->chained, 0);
    ck_assert_uint_eq(check.hws.state->process_limit, 8);
    queue(kfd_process_open(kfd, 0));
    settle();
    ck_assert_uint_eq(check.hws.state->chained, 1);
    ck_assert_uint_eq(check_hws_used(&check), 8);
    ck_assert_uint_eq(check_hws_slot_of(&check, 2048), HWS_NONE); /* of the first process */
}
END_TEST

/* PROMISE (drivers): Rule A.H3: without oversubscription KFD refuses a queue too many. */
START_TEST(without_oversubscription_a_queue_is_refused)
{
    const struct kfd_queue_options with = options();
    uint32_t process, index, first;

    begin("no_oversubscription", 30);
    process = kfd_process_open(kfd, 0);
    first = queue(process);
    queue(process);
    settle();
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EPERM);
    ck_assert_uint_eq(index, KFD_NONE);
    ck_assert_uint_eq(count(EVENT_KFD_REFUSED), 1);
    golden_log_check(&check.log, "rule_a_h3.events");
    ck_assert_int_eq(finish(kfd_queue_destroy(kfd, first)), KFD_OK);
    queue(process);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), 2);
}
END_TEST

START_TEST(without_oversubscription_a_process_is_refused)
{
    const struct kfd_queue_options with = options();
    uint32_t index;

    begin("no_oversubscription", 8);
    for (uint32_t i = 0; i < 8; i++)
        queue(kfd_process_open(kfd, 0));
    ck_assert_int_eq(kfd_queue_create(kfd, kfd_process_open(kfd, 0), &with, &index), KFD_EPERM);
    ck_assert_int_eq(kfd_queue_create(kfd, 0, &with, &index), KFD_EPERM); /* as the driver counts */
}
END_TEST

/* ---- what goes wrong ------------------------------------------------------------------------- */

START_TEST(a_queue_that_does_not_leave)
{
    const struct kfd_queue_options with = options();
    uint32_t process, index;

    begin("hws", 8);
    process = kfd_process_open(kfd, 0);
    queue(process);
    settle();
    check.stuck_doorbell = 2048;
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_PENDING);
    check_hws_run(&check, 3900 * MS);
    ck_assert_uint_eq(done_count, 0);
    ck_assert_int_eq(finish(KFD_PENDING), KFD_ETIME);
    ck_assert_uint_eq(count(EVENT_KFD_NOT_PREEMPTED), 1);
    ck_assert_uint_eq(
        event_kfd_not_preempted_of(check_machine_event(&check.log, EVENT_KFD_NOT_PREEMPTED, 0))
            .doorbell,
        2048);
    ck_assert_uint_eq(check_machine_count(&check.log, EVENT_KFD_FENCE_TIMEOUT), 0);
    golden_log_check(&check.log, "kfd_not_preempted.events");
    /* The next change finds all others off, and goes on; the slot is lost. */
    ck_assert_int_eq(finish(kfd_queue_destroy(kfd, index)), KFD_OK);
    settle();
    ck_assert_uint_eq(check_hws_slot_of(&check, 2048), 2);
}
END_TEST

/* debugfs: hang_hws. */
/* PROMISE (drivers): KFD handles a firmware that does not answer. */
START_TEST(a_firmware_that_does_not_answer)
{
    static const uint32_t hang[7] = {0x55555555, 0x55555555, 0x55555555, 0x55555555,
                                     0x55555555, 0x55555555, 0x55555555};
    const struct kfd_queue_options with = options();
    uint32_t process, first, index;
    gfe_ps from_ps;

    begin("hws", 8);
    process = kfd_process_open(kfd, 0);
    first = queue(process);
    settle();
    from_ps = machine_now(check.machine);
    ck_assert(kfd_hiq_put(kfd, hang, 7));
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_PENDING);
    check_hws_run(&check, from_ps + 9000 * MS);
    ck_assert_uint_eq(done_count, 0);
    ck_assert_int_eq(finish(KFD_PENDING), KFD_ETIME);
    ck_assert_uint_eq(machine_now(check.machine), from_ps + 9000 * MS);
    ck_assert_uint_eq(check_hws_used(&check), 1); /* who is on stays */
    golden_from(from_ps, "kfd_hang.events");
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index), KFD_EIO);
    ck_assert_int_eq(kfd_queue_update(kfd, first, 0, 0, 0, 0), KFD_EIO);
    ck_assert_int_eq(kfd_queue_destroy(kfd, first), KFD_EIO);
    ck_assert(!kfd->state->queues[first].used); /* the driver frees it all the same */
}
END_TEST

/* Nobody reads the ring: it is full before anything is written over.  SET_RESOURCES has dwords 0 to
 * 7; a hundred packets of five end at 508, the next lies at the beginning. */
START_TEST(a_full_ring)
{
    static const uint32_t packet[5] = {1, 2, 3, 4, 5};
    uint32_t fits = 0;

    begin("hws", 8);
    settle();
    check.packets.state->stopped = HWS_PACKET_BAD_TYPE;
    while (kfd_hiq_put(kfd, packet, 5))
        fits++;
    ck_assert_uint_eq(fits, 101);
    ck_assert_uint_eq(check_hws_peek(&check, check.ring + 4 * 507), 5);
    for (uint32_t i = 508; i < 512; i++)
        ck_assert_uint_eq(check_hws_peek(&check, check.ring + 4 * i), 0xffff1000);
    ck_assert_uint_eq(check_hws_peek(&check, check.ring), 1);
    ck_assert_uint_eq(check_hws_peek(&check, check.ring + 4 * 5), 0);
}
END_TEST

/* Each kind has its line. */
START_TEST(the_drivers_lines)
{
    static const char *const kinds[] = {"KFD_OVERSUBSCRIBED", "KFD_FENCE_TIMEOUT", "KFD_HANG",
                                        "KFD_NOT_PREEMPTED", "KFD_HQD_TIMEOUT"};
    uint32_t found = 0, is_kind = 0;

    begin("hws", 8);
    for (const struct event_line_row *row = gfe_event_lines; row->kind; row++)
        found += strcmp(row->kind, kinds[_i]) == 0;
    for (uint32_t i = 0; i < kfd_tables.event_count; i++)
        is_kind += strcmp(kfd_tables.events[i].name, kinds[_i]) == 0;
    ck_assert_uint_eq(found, 1);
    ck_assert_uint_eq(is_kind, 1);
}
END_TEST

/* ---- without the firmware -------------------------------------------------------------------- */

START_TEST(the_driver_loads_slots_itself)
{
    const struct kfd_queue_options with = options();
    uint32_t processes[9], index = KFD_NONE;

    begin("no_hws", 8);
    for (uint32_t i = 0; i < 9; i++)
        processes[i] = kfd_process_open(kfd, 0);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_int_eq(kfd_queue_create(kfd, processes[i], &with, &index), KFD_OK);
        ck_assert(hqds.used[i % 4 * 8 + 2 + i / 4]); /* one pipe after the other */
        ck_assert_uint_eq(hqds.slots[i % 4 * 8 + 2 + i / 4].vmid, 8 + i);
    }
    ck_assert_int_eq(kfd_queue_create(kfd, processes[8], &with, &index), KFD_ENOMEM); /* no VMID */
    for (uint32_t i = 8; i < 24; i++)
        ck_assert_int_eq(kfd_queue_create(kfd, processes[0], &with, &index), KFD_OK);
    ck_assert_int_eq(kfd_queue_create(kfd, processes[0], &with, &index), KFD_EBUSY); /* no slot */
    ck_assert_uint_eq(hqds.loads, 24);
    ck_assert_int_eq(kfd_queue_update(kfd, 0, 0x200000, 0x1000, 100, 3), KFD_OK);
    ck_assert_uint_eq(hqds.requests[3], 1); /* waves are saved */
    ck_assert_uint_eq(hqds.loads, 25);
    ck_assert_int_eq(kfd_queue_destroy(kfd, 1), KFD_OK);
    ck_assert_uint_eq(hqds.requests[2], 1); /* they are ended */
    ck_assert_int_eq(kfd_queue_create(kfd, processes[8], &with, &index), KFD_OK);
    ck_assert_uint_eq(kfd->state->queues[index].mqd.vmid, 9);
    ck_assert_int_eq(kfd_process_close(kfd, processes[0]), KFD_OK);
    for (uint32_t i = 0; i < CHECK_HWS_SLOTS; i++)
        ck_assert(!hqds.used[i] || hqds.slots[i].pasid != 0x8000);
    ck_assert_uint_eq(kfd->state->queue_count, 7);
}
END_TEST

START_TEST(a_slot_that_does_not_become_empty)
{
    const struct kfd_queue_options with = options();
    uint32_t process, index[2];

    begin("no_hws", 8);
    process = kfd_process_open(kfd, 0);
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index[0]), KFD_OK);
    ck_assert_int_eq(kfd_queue_create(kfd, process, &with, &index[1]), KFD_OK);
    hqds.slow = true;
    ck_assert_int_eq(kfd_queue_destroy(kfd, index[0]), KFD_PENDING);
    check_hws_run(&check, MS);
    kfd_hqd_left(kfd, 3, 3); /* another */
    ck_assert_uint_eq(done_count, 0);
    hqds.used[2] = false;
    kfd_hqd_left(kfd, 0, 2);
    ck_assert_uint_eq(done_count, 1);
    ck_assert_int_eq(last, KFD_OK);
    ck_assert_int_eq(kfd_queue_destroy(kfd, index[1]), KFD_PENDING);
    ck_assert_int_eq(finish(KFD_PENDING), KFD_ETIME);
    ck_assert_uint_eq(count(EVENT_KFD_HQD_TIMEOUT), 1);
    ck_assert_uint_eq(kfd->state->queue_count, 0);
}
END_TEST

/* ---- any order ------------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % sides;
}

/* What must hold between two calls. */
static void look(void)
{
    const struct kfd_state *state = kfd->state;
    const uint32_t slots = 24, fit = state->active_count < slots ? state->active_count : slots;
    uint32_t active = 0, queues = 0;

    settle();
    for (uint32_t i = 0; i < 64; i++) {
        const struct kfd_queue *q = &state->queues[i];
        struct kfd_mqd_queue read;
        uint32_t mqd[AMD_MQD_DWORDS];

        if (!q->used)
            continue;
        queues++;
        active += q->active;
        kfd_queue_read_mqd(kfd, i, mqd);
        ck_assert(kfd_mqd_read(mqd, &read));
        ck_assert_mem_eq(&read, &q->mqd, sizeof read);
        for (uint32_t j = 0; j < i; j++)
            ck_assert(!state->queues[j].used || (state->queues[j].mqd.doorbell != q->mqd.doorbell &&
                                                 state->queues[j].mqd_physical != q->mqd_physical));
        if (!q->active || (state->active_count <= slots && state->process_count <= 8))
            ck_assert((check_hws_slot_of(&check, q->mqd.doorbell) != HWS_NONE) == q->active);
    }
    ck_assert_uint_eq(active, state->active_count);
    ck_assert_uint_eq(queues, state->queue_count);
    if (state->process_count <= 8)
        ck_assert_uint_eq(check_hws_used(&check), fit);
    ck_assert_uint_eq(check.wrong, 0);
}

static uint32_t any_queue(void)
{
    const uint32_t from = dice(64);

    for (uint32_t i = 0; i < 64; i++)
        if (kfd->state->queues[(from + i) % 64].used)
            return (from + i) % 64;
    return KFD_NONE;
}

static void any_call(uint32_t *processes)
{
    const uint32_t mask[2] = {dice(65536) << 16 | dice(65536), dice(65536)};
    const uint32_t process = dice(10), index = any_queue(), what = dice(10);
    struct kfd_queue_options with = options();
    uint32_t made;

    if (processes[process] == KFD_NONE) {
        processes[process] = kfd_process_open(kfd, process);
    } else if (what < 5 && kfd->state->queue_count < 60) {
        with.percent = dice(4) ? 100 : 0;
        with.priority = dice(16);
        with.control_stack_bytes = dice(4) << 12;
        ck_assert_int_eq(finish(kfd_queue_create(kfd, processes[process], &with, &made)), KFD_OK);
    } else if (what == 9 && dice(3) == 0) {
        ck_assert_int_eq(finish(kfd_process_close(kfd, processes[process])), KFD_OK);
        processes[process] = KFD_NONE;
    } else if (index == KFD_NONE) {
        return;
    } else if (what < 7) {
        ck_assert_int_eq(finish(kfd_queue_destroy(kfd, index)), KFD_OK);
    } else if (what < 8) {
        ck_assert_int_eq(finish(kfd_queue_set_cu_mask(kfd, index, mask, 64)), KFD_OK);
    } else {
        ck_assert_int_eq(
            finish(kfd_queue_update(kfd, index, 0x300000, 0x4000, dice(2) ? 100 : 0, dice(16))),
            KFD_OK);
    }
}

/* PROMISE (drivers): KFD's calls in any order leave driver and GPU in good order. */
START_TEST(calls_in_any_order)
{
    uint32_t processes[10];
    uint64_t free_bytes;

    begin("hws", 8);
    free_bytes = kfd->state->memory.free[0].size_bytes;
    seed = (uint32_t)_i + 1;
    check.busy = _i % 2;
    check.leave_ps = (gfe_ps)(_i % 3) * 30 * GFE_PS_PER_US;
    for (uint32_t i = 0; i < 10; i++)
        processes[i] = KFD_NONE;
    for (uint32_t i = 0; i < 150; i++) {
        any_call(processes);
        if (check.leave_ps == 0)
            look();
    }
    for (uint32_t i = 0; i < 10; i++)
        if (processes[i] != KFD_NONE)
            ck_assert_int_eq(finish(kfd_process_close(kfd, processes[i])), KFD_OK);
    settle();
    ck_assert_uint_eq(check_hws_used(&check), 0);
    ck_assert_uint_eq(kfd->state->queue_count + kfd->state->active_count, 0);
    ck_assert_uint_eq(kfd->state->process_count, 0);
    ck_assert_uint_eq(kfd->state->first_process, KFD_NONE);
    ck_assert_uint_eq(kfd->state->memory.count, 1); /* all of it is back, in one piece */
    ck_assert_uint_eq(kfd->state->memory.free[0].size_bytes, free_bytes);
    ck_assert_uint_eq(count(EVENT_HWS_STOP) + count(EVENT_HWS_REFUSED), 0);
}
END_TEST

Suite *kfd_suite(void)
{
    Suite *suite = suite_create("kfd");
    TCase *tcase = tcase_create("driver");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, a_queue_gets_a_slot);
    tcase_add_test(tcase, an_update_is_made_while_the_queue_is_off);
    tcase_add_test(tcase, what_a_program_may_not_ask_for);
    tcase_add_loop_test(tcase, one_queue_more_than_slots, 0, 2);
    tcase_add_test(tcase, one_process_more_than_vmids);
    tcase_add_test(tcase, without_oversubscription_a_queue_is_refused);
    tcase_add_test(tcase, without_oversubscription_a_process_is_refused);
    tcase_add_test(tcase, a_queue_that_does_not_leave);
    tcase_add_test(tcase, a_firmware_that_does_not_answer);
    tcase_add_test(tcase, a_full_ring);
    tcase_add_loop_test(tcase, the_drivers_lines, 0, 5);
    tcase_add_test(tcase, the_driver_loads_slots_itself);
    tcase_add_test(tcase, a_slot_that_does_not_become_empty);
    tcase_add_loop_test(tcase, calls_in_any_order, 0, 12);
    suite_add_tcase(suite, tcase);
    return suite;
}
