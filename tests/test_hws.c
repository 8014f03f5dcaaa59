/* SPDX-License-Identifier: MIT */
/* The scheduling firmware before a stand-in for the micro engine: who gets a slot, who leaves. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "firmware-models/hws/hws.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_machine.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define MS  (1000 * GFE_PS_PER_US)
#define ALL UINT64_C(0xffffffff)

enum { PREEMPTED, DONE }; /* events of the micro engine */
enum { QUEUES = 80, PASID = 0x8000 };

/* A micro engine: a queue has work of so long, and takes `leave_ps` to leave its slot. */
static struct {
    struct check_machine log;
    struct machine *machine;
    struct hws hws;
    uint32_t unit;
    gfe_ps work_ps[QUEUES], begun_ps[QUEUES], leave_ps;
    bool stuck[QUEUES];                /* will not leave */
    uint32_t at[QUEUES], vmid[QUEUES]; /* pipe * 8 + slot; HWS_NONE: in no slot */
    uint32_t refused[QUEUES], refused_count, unmapped;
} mec;

static void mec_map(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    const uint32_t id = queue->queue_id;

    (void)unit;
    ck_assert_uint_eq(mec.at[id], HWS_NONE);
    for (uint32_t i = 0; i < QUEUES; i++)
        ck_assert_uint_ne(mec.at[i], place->pipe * 8 + place->slot);
    mec.at[id] = place->pipe * 8 + place->slot;
    mec.vmid[id] = place->vmid;
    mec.begun_ps[id] = machine_now(mec.machine);
    if (mec.work_ps[id] > 0)
        machine_schedule(mec.machine, mec.unit, machine_now(mec.machine) + mec.work_ps[id], DONE,
                         (uint64_t)id << 32 | (uint32_t)(mec.begun_ps[id] / MS));
}

static void mec_preempt(void *unit, const struct hws_place *place, bool reset)
{
    (void)unit;
    for (uint32_t id = 0; id < QUEUES; id++) {
        const gfe_ps ran = machine_now(mec.machine) - mec.begun_ps[id];

        if (mec.at[id] != place->pipe * 8 + place->slot || mec.stuck[id])
            continue;
        mec.work_ps[id] -= reset || ran > mec.work_ps[id] ? mec.work_ps[id] : ran;
        mec.at[id] = HWS_NONE;
        if (mec.leave_ps == 0)
            hws_left(&mec.hws, place->pipe, place->slot);
        else
            machine_schedule(mec.machine, mec.unit, machine_now(mec.machine) + mec.leave_ps,
                             PREEMPTED, place->pipe * 8 + place->slot);
    }
}

static bool mec_busy(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    (void)unit;
    ck_assert_uint_eq(place->slot == HWS_NONE ? HWS_NONE : place->pipe * 8 + place->slot,
                      mec.at[queue->queue_id]);
    return mec.work_ps[queue->queue_id] > 0;
}

static void mec_refused(void *unit, const struct hws_queue *queue, uint32_t index)
{
    (void)unit;
    ck_assert_uint_eq(index, mec.refused_count);
    mec.refused[mec.refused_count++] = queue->doorbell;
}

static void mec_unmapped(void *unit)
{
    (void)unit;
    mec.unmapped++;
}

static const struct hws_ops mec_ops = {mec_map,     mec_preempt,  mec_busy,
                                       mec_refused, mec_unmapped, NULL};

static void mec_event(void *unit, const struct event *event)
{
    const uint32_t id = (uint32_t)(event->argument >> 32);

    (void)unit;
    if (event->kind == PREEMPTED)
        hws_left(&mec.hws, (uint32_t)event->argument / 8, (uint32_t)event->argument % 8);
    else if (mec.at[id] != HWS_NONE && mec.begun_ps[id] / MS == (uint32_t)event->argument)
        mec.work_ps[id] = 0;
}

static const struct unit_ops mec_unit_ops = {.event = mec_event};

static void begin(const char *swap, uint64_t slot_mask)
{
    const struct machine_config config = {.gpu = "test", .vram_bytes = 4096, .sysmem_bytes = 4096};
    struct gfe_error error = {0};

    memset(&mec, 0, sizeof mec);
    mec.machine = mec.log.machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(mec.machine);
    for (uint32_t i = 0; i < QUEUES; i++)
        mec.at[i] = HWS_NONE;
    machine_add_tables(mec.machine, &emu_tables);
    machine_add_tables(mec.machine, &kfd_tables);
    mec.unit = machine_add_unit(mec.machine, "mec", &mec_unit_ops, &mec);
    hws_add(&mec.hws, mec.machine, 4, &mec_ops, NULL);
    ck_assert(machine_set_choice(mec.machine, "hws.swap", swap));
    ck_assert(machine_seal(mec.machine, &error));
    hws_set_resources(&mec.hws, 0xff00, slot_mask, 40);
}

static void teardown(void)
{
    free(mec.log.events);
    machine_free(mec.machine);
}

/* `count` queues from number `first` on, of a process of its own, with that much work each. */
static void queues(uint32_t process, uint32_t first, uint32_t count, gfe_ps work_ps)
{
    ck_assert(hws_list_process(&mec.hws, PASID + process, 10));
    for (uint32_t i = first; i < first + count; i++) {
        const struct hws_queue queue = {
            .queue_id = i, .doorbell = 0x400 + 2 * i, .priority = i % 3};

        mec.work_ps[i] = work_ps;
        ck_assert(hws_list_queue(&mec.hws, &queue));
    }
}

/* A list of one process with that many queues. */
static void list(uint32_t count, gfe_ps work_ps, bool chained)
{
    hws_list_begin(&mec.hws);
    queues(0, 0, count, work_ps);
    hws_list_end(&mec.hws, 8, chained);
}

static uint32_t on(uint32_t first, uint32_t count)
{
    uint32_t mapped = 0;

    for (uint32_t i = first; i < first + count; i++)
        mapped += mec.at[i] != HWS_NONE;
    return mapped;
}

static void run_to(gfe_ps until_ps)
{
    ck_assert_msg(machine_run(mec.machine, until_ps), "%s", mec.machine->error.text);
}

static uint32_t read_log(uint32_t kind)
{
    check_machine_read_log(&mec.log);
    return check_machine_count(&mec.log, kind);
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* A.H1: one pipe after the other; of 13 queues the first and the last share pipe 0. */
START_TEST(queues_get_slots_one_pipe_after_the_other)
{
    begin("list", ALL);
    list(13, 0, false);
    for (uint32_t i = 0; i < 13; i++)
        ck_assert_uint_eq(mec.at[i], i % 4 * 8 + i / 4);
    ck_assert_uint_eq(mec.vmid[0], 8);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(read_log(EVENT_HWS_MAP), 13);
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_HWS_MAP, RULE_A_H1), 13);
}
END_TEST

/* The stock driver keeps slots 0 and 1 of each pipe to itself. */
START_TEST(slots_that_may_not_be_used_are_not)
{
    begin("list", UINT64_C(0xfcfcfcfc));
    list(30, 0, false);
    ck_assert_uint_eq(on(0, 24), 24);
    ck_assert_uint_eq(on(24, 6), 0);
    for (uint32_t i = 0; i < 24; i++)
        ck_assert_uint_eq(mec.at[i], i % 4 * 8 + 2 + i / 4);
}
END_TEST

/* ---- oversubscription ------------------------------------------------------------------------ */

/* A.H2: 33 queues, 32 slots.  The list goes on with the last queue, then from its beginning. */
/* PROMISE (drivers): The firmware gives a queue too many its turn after a quantum. */
START_TEST(one_queue_too_many_has_its_turn_after_a_quantum)
{
    begin("list", ALL);
    mec.leave_ps = 50 * GFE_PS_PER_US;
    list(33, 25 * MS, true);
    ck_assert_uint_eq(on(0, 32), 32);
    run_to(10 * MS);
    ck_assert_uint_eq(on(32, 1), 0);
    run_to(10 * MS + 51 * GFE_PS_PER_US);
    ck_assert_uint_eq(mec.at[32], 0); /* the pipes have gone round */
    ck_assert_uint_eq(on(0, 31), 31);
    ck_assert_uint_eq(on(31, 1), 0); /* now it waits */
    run_to(GFE_PS_NEVER);
    for (uint32_t i = 0; i < 33; i++)
        ck_assert_uint_eq(mec.work_ps[i], 0);
    ck_assert_uint_ge(read_log(EVENT_HWS_PREEMPT), 3 * 32);
    ck_assert_uint_eq(check_machine_count(&mec.log, EVENT_HWS_UNMAP),
                      check_machine_count(&mec.log, EVENT_HWS_PREEMPT));
    golden_log_check(&mec.log, "rule_a_h2.events");
}
END_TEST

/* The paper: queues with work leave for one without. */
START_TEST(queues_with_work_leave_for_one_without)
{
    begin("list", ALL);
    list(33, 25 * MS, true);
    mec.work_ps[32] = 0;
    run_to(10 * MS + 1);
    ck_assert_uint_ne(mec.at[32], HWS_NONE);
    ck_assert_uint_eq(mec.at[31], HWS_NONE);
    ck_assert_uint_gt(mec.work_ps[31], 0);
}
END_TEST

/* An idle machine comes to its end, and goes on when somebody has work. */
START_TEST(nothing_is_rotated_while_nobody_has_work)
{
    begin("list", ALL);
    list(33, 0, true);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(read_log(EVENT_HWS_PREEMPT), 0);
    mec.work_ps[32] = MS;
    hws_wake(&mec.hws);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(mec.work_ps[32], 0);
}
END_TEST

START_TEST(only_as_many_leave_as_are_wanted)
{
    static const struct {
        const char *swap;
        uint32_t expected;
    } with[] = {{"list", 32}, {"oldest", 1}, {"idle", 0}, {"ready", 1}};

    begin(with[_i].swap, ALL);
    list(33, 15 * MS, true);
    run_to(12 * MS);
    ck_assert_uint_eq(read_log(EVENT_HWS_PREEMPT), with[_i].expected);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(mec.work_ps[32], 0);
}
END_TEST

/* hws.swap=priority: one process at a time, and those of higher priority have no work.  Their
 * queues keep their slots, or take turns among themselves.  The firmware does not go on with that
 * for ever; a doorbell lets it look again.  Found by gfe selftest: quanta went on without end. */
START_TEST(quanta_that_bring_no_queue_with_work_on_come_to_an_end)
{
    const uint32_t idle = 1 + (uint32_t)_i, last = 3 * idle;
    const struct log_event *open;

    begin("priority", ALL);
    hws_list_begin(&mec.hws);
    for (uint32_t i = 0; i < idle; i++)
        queues(i, 3 * i + 2, 1, 0); /* priority 2 */
    queues(idle, last, 1, 5 * MS);  /* priority 0 */
    hws_list_end(&mec.hws, 1, true);
    run_to(1000 * MS);
    ck_assert_uint_eq(on(last, 1), 0);
    ck_assert_uint_le(read_log(EVENT_HWS_QUANTUM), 1 + 2 * idle);
    hws_wake(&mec.hws);
    run_to(GFE_PS_NEVER);
    machine_finish(mec.machine);
    ck_assert_uint_le(read_log(EVENT_HWS_QUANTUM), 2 * (1 + 2 * idle));
    ck_assert_uint_eq(check_machine_count_rule(&mec.log, EVENT_WAIT_OPEN, RULE_A_H2), 1);
    open = check_machine_event(&mec.log, EVENT_WAIT_OPEN, 0);
    ck_assert_uint_eq(event_wait_open_of(open).subject_id, (0x400 + 2 * last) / 2);
    ck_assert_uint_eq(event_wait_open_of(open).blocker_kind, SUBJECT_QUEUE);
}
END_TEST

/* gem5's: who has work stays; who waits gets the slot of one that has none any more. */
START_TEST(an_idle_queue_gives_its_slot_up)
{
    begin("idle", ALL);
    list(33, 35 * MS, true);
    mec.work_ps[5] = 0;
    run_to(10 * MS + 1);
    ck_assert_uint_eq(mec.at[5], HWS_NONE);
    ck_assert_uint_eq(mec.at[32], 1 * 8 + 1); /* its slot */
    ck_assert_uint_eq(on(0, 33), 32);
}
END_TEST

/* More processes than may be on at a time: the others' turn comes after a quantum. */
/* PROMISE (drivers): Processes beyond the number of VMIDs take turns. */
START_TEST(processes_take_turns)
{
    begin(_i ? "oldest" : "list", ALL);
    hws_list_begin(&mec.hws);
    for (uint32_t i = 0; i < 3; i++)
        queues(i, 4 * i, 4, 15 * MS);
    hws_list_end(&mec.hws, 2, true);
    ck_assert_uint_eq(on(0, 8), 8);
    ck_assert_uint_eq(on(8, 4), 0);
    ck_assert_uint_eq(mec.vmid[3], 8);
    ck_assert_uint_eq(mec.vmid[4], 9);
    run_to(10 * MS + 1);
    ck_assert_uint_eq(on(8, 4), 4);
    ck_assert_uint_eq(mec.vmid[8], 8);
    run_to(GFE_PS_NEVER);
    for (uint32_t i = 0; i < 12; i++)
        ck_assert_uint_eq(mec.work_ps[i], 0);
}
END_TEST

/* ---- UNMAP_QUEUES ---------------------------------------------------------------------------- */

START_TEST(a_new_list_comes_after_the_old_one_has_left)
{
    begin("list", ALL);
    mec.leave_ps = 50 * GFE_PS_PER_US;
    list(8, 25 * MS, false);
    run_to(MS);
    hws_unmap(&mec.hws, HWS_ALL_NON_STATIC, false, NULL, 0);
    ck_assert_uint_eq(mec.unmapped, 0);
    run_to(MS + 51 * GFE_PS_PER_US);
    ck_assert_uint_eq(mec.unmapped, 1);
    ck_assert_uint_eq(on(0, 8), 0);
    ck_assert_uint_eq(mec.hws.state->slots[0], HWS_NONE);
    list(2, 25 * MS, false);
    ck_assert_uint_eq(on(0, 2), 2);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(mec.unmapped, 1);
    ck_assert_uint_eq(read_log(EVENT_HWS_REFUSED), 0);
    golden_log_check(&mec.log, "rule_a_h_unmap.events");
}
END_TEST

START_TEST(one_queue_or_one_process_leaves_for_good)
{
    static const uint32_t doorbell = 0x400 + 2 * 3, pasid = PASID + 1;

    begin("list", ALL);
    hws_list_begin(&mec.hws);
    queues(0, 0, 33, 95 * MS);
    queues(1, 33, 4, 95 * MS);
    hws_list_end(&mec.hws, 8, true);
    hws_unmap(&mec.hws, HWS_DOORBELLS, false, &doorbell, 1);
    ck_assert_uint_eq(mec.unmapped, 1);
    ck_assert_uint_eq(mec.at[3], HWS_NONE);
    ck_assert_uint_eq(on(0, 33), 32); /* another has its slot at once */
    hws_unmap(&mec.hws, HWS_PASID, false, &pasid, 1);
    run_to(30 * MS);
    ck_assert_uint_eq(on(33, 4), 0);
    ck_assert_uint_eq(on(0, 33), 32);
    ck_assert_uint_eq(read_log(EVENT_HWS_PREEMPT), 1); /* there are slots for all that are left */
}
END_TEST

START_TEST(a_static_queue_stays)
{
    const struct hws_queue fixed = {.queue_id = 70, .doorbell = 8, .is_static = 1};

    begin("list", ALL);
    hws_list_begin(&mec.hws);
    queues(0, 0, 2, 0);
    ck_assert(hws_list_queue(&mec.hws, &fixed));
    hws_list_end(&mec.hws, 8, false);
    hws_unmap(&mec.hws, HWS_ALL_NON_STATIC, false, NULL, 0);
    ck_assert_uint_eq(on(0, QUEUES), 1);
    list(40, 15 * MS, true);
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(mec.at[70], 2 * 8);
    ck_assert_uint_eq(mec.vmid[70], mec.vmid[0]); /* the same process */
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(mec.work_ps[i], 0);
    hws_unmap(&mec.hws, HWS_ALL, false, NULL, 0);
    ck_assert_uint_eq(on(0, QUEUES), 0);
}
END_TEST

/* After 40 * 100 ms the firmware says no word, but notes the doorbell, and the slot is lost. */
START_TEST(who_does_not_leave_is_given_up)
{
    begin("list", ALL);
    list(4, 25 * MS, false);
    mec.stuck[2] = true;
    hws_unmap(&mec.hws, HWS_ALL_NON_STATIC, false, NULL, 0);
    run_to(3999 * MS);
    ck_assert_uint_eq(mec.unmapped, 0);
    run_to(4001 * MS);
    ck_assert_uint_eq(mec.unmapped, 1);
    ck_assert_uint_eq(mec.refused_count, 1);
    ck_assert_uint_eq(mec.refused[0], 0x400 + 2 * 2);
    list(2, 0, false);
    ck_assert_uint_eq(mec.at[2], 2 * 8);
    ck_assert_uint_eq(read_log(EVENT_HWS_REFUSED), 1);
    golden_log_check(&mec.log, "rule_a_h_refused.events");
    /* Late, but it leaves: the slot can be used again. */
    hws_left(&mec.hws, 2, 0);
    ck_assert_uint_eq(mec.hws.state->slots[2 * HWS_SLOTS_MAX], HWS_NONE);
}
END_TEST

START_TEST(a_reset_throws_the_work_away)
{
    begin("list", ALL);
    list(1, 25 * MS, false);
    hws_unmap(&mec.hws, HWS_ALL_NON_STATIC, true, NULL, 0);
    ck_assert_uint_eq(mec.work_ps[0], 0);
    ck_assert_uint_eq(mec.unmapped, 1);
}
END_TEST

/* ---- bad lists ------------------------------------------------------------------------------- */

START_TEST(a_list_that_is_too_long_is_refused)
{
    const struct hws_queue queue = {.queue_id = 0};

    begin("list", ALL);
    hws_list_begin(&mec.hws);
    ck_assert(!hws_list_queue(&mec.hws, &queue));
    for (uint32_t i = 0; i < HWS_PROCESSES_MAX; i++)
        ck_assert(hws_list_process(&mec.hws, i, 10));
    ck_assert(!hws_list_process(&mec.hws, HWS_PROCESSES_MAX, 10));
    for (uint32_t i = 0; i < HWS_QUEUES_MAX; i++)
        ck_assert(hws_list_queue(&mec.hws, &queue));
    ck_assert(!hws_list_queue(&mec.hws, &queue));
}
END_TEST

START_TEST(without_slots_or_vmids_nobody_comes)
{
    begin("list", _i ? ALL : 0);
    if (_i)
        hws_set_resources(&mec.hws, 0, ALL, 40);
    list(3, MS, true);
    run_to(100 * MS);
    ck_assert_uint_eq(on(0, 3), 0);
}
END_TEST

Suite *hws_suite(void)
{
    Suite *suite = suite_create("hws");
    TCase *tcase = tcase_create("slots");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, queues_get_slots_one_pipe_after_the_other);
    tcase_add_test(tcase, slots_that_may_not_be_used_are_not);
    tcase_add_test(tcase, one_queue_too_many_has_its_turn_after_a_quantum);
    tcase_add_test(tcase, queues_with_work_leave_for_one_without);
    tcase_add_test(tcase, nothing_is_rotated_while_nobody_has_work);
    tcase_add_loop_test(tcase, only_as_many_leave_as_are_wanted, 0, 4);
    tcase_add_loop_test(tcase, quanta_that_bring_no_queue_with_work_on_come_to_an_end, 0, 2);
    tcase_add_test(tcase, an_idle_queue_gives_its_slot_up);
    tcase_add_loop_test(tcase, processes_take_turns, 0, 2);
    tcase_add_test(tcase, a_new_list_comes_after_the_old_one_has_left);
    tcase_add_test(tcase, one_queue_or_one_process_leaves_for_good);
    tcase_add_test(tcase, a_static_queue_stays);
    tcase_add_test(tcase, who_does_not_leave_is_given_up);
    tcase_add_test(tcase, a_reset_throws_the_work_away);
    tcase_add_test(tcase, a_list_that_is_too_long_is_refused);
    tcase_add_loop_test(tcase, without_slots_or_vmids_nobody_comes, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
