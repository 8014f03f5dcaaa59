/* SPDX-License-Identifier: MIT */
/* SEMAPHOREA to D of class c06f in hand-made pushbuffers: releases, reductions, polls, deadlines.
 */
/* PROMISE (nvidia): Semaphores of Host: acquires, polls, deadlines, releases, reductions,
 * alignment. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_pbdma_private.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum {
    INTR_SEMAPHORE = 25,
    INTR_ACQUIRE = 26,
    PBDMA0 = 0x40000,
    ACQUIRE_DEADLINE = PBDMA0 + 0x34,
    SEMAPHOREB = PBDMA0 + 0x3c,
    SEMAPHORED = PBDMA0 + 0x44,
    METHOD0 = PBDMA0 + 0xc0,
    DATA0 = PBDMA0 + 0xc4,
    INTR_0 = PBDMA0 + 0x108,
    NOP = (int)0x80000008, /* METHOD0: VALID, method 8 */
    PREEMPT = 0x2634,
    RAMFC_ACQUIRE = CHECK_INSTANCES + 0x30,
    RAMFC_SEMAPHORED = CHECK_INSTANCES + 0x44,
    ACQUIRE_FAIL = 1 << 19,
    SWITCH = 1 << 12,
    NO_WFI = 1 << 20,
    ONE_WORD = 1 << 24,
    ACQUIRE = 1,
    RELEASE = 2,
    ACQ_GEQ = 4,
    REDUCTION = 16,
};
#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
#define SEMAPHORE(offset, payload, operation)                                                      \
    PB_INC(0, 0x10, 4), 0, DATA(offset), (uint32_t)(payload), (uint32_t)(operation)
/* What stands behind the method being tested: it tells whether the PBDMA went on. */
#define BEHIND PB_IMMD(1, 0x188, 7)

static struct check_machine check;

static void setup(void)
{
    check_machine_begin_channel(&check, false);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static bool went_on(void)
{
    return nv_fe_shadow(&check.gpu->fe, 1, 0x188) == 7;
}

static uint32_t count(uint32_t kind)
{
    return check_machine_count(&check, kind);
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    const struct log_event *found = check_machine_event(&check, kind, n);

    ck_assert_ptr_nonnull(found);
    return found;
}

/* The last wait by a rule. */
static const struct log_event *wait_by(uint32_t rule)
{
    uint32_t n = count(EVENT_WAIT);

    while (n > 0 && event(EVENT_WAIT, n - 1)->rule != rule)
        n--;
    ck_assert_uint_gt(n, 0);
    return event(EVENT_WAIT, n - 1);
}

static void clear(uint32_t bit)
{
    machine_write32(check.machine, INTR_0, 1u << bit);
    check_machine_run(&check);
}

/* ---- releases -------------------------------------------------------------------------------- */

/* Four words: payload, 0, time in ns; one word: the payload alone. */
START_TEST(a_release_writes_sixteen_bytes_or_four)
{
    for (uint32_t i = 0; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x55);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 7, RELEASE | NO_WFI),
                 SEMAPHORE(16, 8, RELEASE | NO_WFI | ONE_WORD), BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8),
                      event(EVENT_NV_RELEASE, 0)->time_ps / 1000);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 12), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 16), 8);
    for (uint32_t i = 5; i < 8; i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * i), 0x55);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).byte_count, 16);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 1)).byte_count, 4);
    ck_assert_uint_eq(count(EVENT_NV_REDUCTION), 0);
    ck_assert(went_on());
}
END_TEST

/* RELEASE_WFI of 0 waits (clc06f.h: EN is 0). */
START_TEST(a_release_waits_for_idle_when_its_bit_is_clear)
{
    const uint32_t no_wfi = _i ? NO_WFI : 0;
    uint64_t released, ended;

    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x19d0, 1), SEMAPHORE(0, 7, RELEASE | ONE_WORD | no_wfi));
    check_machine_run(&check);
    released = event(EVENT_NV_RELEASE, 0)->time_ps;
    ended = event(EVENT_WORK_END, 0)->time_ps;
    ck_assert_int_eq(released > ended, !no_wfi);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), !no_wfi);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_MEM_OP, RULE_NV_MEM_OP), !no_wfi);
    if (no_wfi)
        return;
    /* The wait ends with the work; behind it comes the system memory barrier, then the write. */
    ck_assert_uint_eq(wait_by(RULE_NV_WFI)->time_ps, ended);
    ck_assert_uint_eq(event_wait_of(wait_by(RULE_NV_WFI)).blocker_kind, SUBJECT_ENGINE);
    ck_assert_uint_eq(event_nv_mem_op_of(event(EVENT_NV_MEM_OP, 0)).operation, NV_MEM_OP_SYSMEMBAR);
    ck_assert_uint_eq(event(EVENT_NV_MEM_OP, 0)->time_ps, released);
    ck_assert_uint_eq(event_nv_mem_op_of(event(EVENT_NV_MEM_OP, 0)).took_ps, released - ended);
}
END_TEST

/* Data of REDUCTION 30:27 and FORMAT 31 (1 = unsigned); results from the manual's table. */
static const struct {
    uint32_t operation, value, payload, result;
} reductions[] = {
    {0u << 27 | 1u << 31, 0xfffffff0, 7, 7}, /* MIN */
    {0u << 27, 0xfffffff0, 7, 0xfffffff0},
    {1u << 27 | 1u << 31, 0xfffffff0, 7, 0xfffffff0}, /* MAX */
    {1u << 27, 0xfffffff0, 7, 7},
    {2u << 27 | 1u << 31, 0xff00, 0x0ff0, 0xf0f0}, /* XOR */
    {2u << 27, 0xff00, 0x0ff0, 0xf0f0},
    {3u << 27 | 1u << 31, 0xff00, 0x0ff0, 0x0f00}, /* AND */
    {3u << 27, 0xff00, 0x0ff0, 0x0f00},
    {4u << 27 | 1u << 31, 0xff00, 0x0ff0, 0xfff0}, /* OR */
    {4u << 27, 0xff00, 0x0ff0, 0xfff0},
    {5u << 27 | 1u << 31, 0xffffffff, 3, 2}, /* ADD */
    {5u << 27, 0xffffffff, 3, 2},
    {6u << 27 | 1u << 31, 4, 5, 5}, /* INC */
    {6u << 27 | 1u << 31, 5, 5, 0},
    {7u << 27 | 1u << 31, 5, 5, 4}, /* DEC */
    {7u << 27 | 1u << 31, 0, 5, 5},
    {7u << 27 | 1u << 31, 6, 5, 5},
};
enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

START_TEST(a_reduction_leaves_its_result_in_memory)
{
    check_machine_poke(&check, CHECK_DATA, reductions[_i].value);
    check_machine_poke(&check, CHECK_DATA + 4, 0x55);
    CHECK_SUBMIT(&check, 0,
                 SEMAPHORE(0, reductions[_i].payload,
                           REDUCTION | NO_WFI | ONE_WORD | reductions[_i].operation),
                 BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), reductions[_i].result);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0x55);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).value, reductions[_i].result);
    ck_assert_uint_eq(event_nv_reduction_of(event(EVENT_NV_REDUCTION, 0)).old_value,
                      reductions[_i].value);
    ck_assert_uint_eq(event_nv_reduction_of(event(EVENT_NV_REDUCTION, 0)).operand,
                      reductions[_i].payload);
    ck_assert(went_on());
}
END_TEST

START_TEST(a_reduction_may_write_the_time_too)
{
    check_machine_poke(&check, CHECK_DATA, 40);
    check_machine_poke(&check, CHECK_DATA + 4, 0x55);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 2, REDUCTION | NO_WFI | 5u << 27 | 1u << 31));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 42);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 0x55);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8),
                      event(EVENT_NV_RELEASE, 0)->time_ps / 1000);
    ck_assert_uint_eq(event_nv_release_of(event(EVENT_NV_RELEASE, 0)).byte_count, 16);
}
END_TEST

/* Not one-hot; reductions that do not exist, or not signed; crooked addresses. */
static const struct {
    uint32_t offset, operation;
} invalid[] = {
    {0, 0},
    {0, 3},
    {0, 0x1f},
    {0, RELEASE | REDUCTION},
    {0, REDUCTION | ONE_WORD | 8u << 27 | 1u << 31},
    {0, REDUCTION | ONE_WORD | 15u << 27},
    {0, REDUCTION | ONE_WORD | 6u << 27},
    {0, REDUCTION | ONE_WORD | 7u << 27},
    {4, RELEASE},
    {8, RELEASE},
    {12, REDUCTION | 5u << 27},
};
enum { INVALID = sizeof invalid / sizeof invalid[0] };

START_TEST(an_operation_that_makes_no_sense_raises_semaphore_and_can_be_mended)
{
    const uint32_t mended = RELEASE | NO_WFI | ONE_WORD;

    check_machine_poke(&check, CHECK_DATA + invalid[_i].offset, 0x55);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(invalid[_i].offset, 7, invalid[_i].operation), BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0), 1u << INTR_SEMAPHORE);
    ck_assert_uint_eq(machine_read32(check.machine, METHOD0) & 0x3ffc, 0x1c);
    ck_assert_uint_eq(machine_read32(check.machine, DATA0), invalid[_i].operation);
    ck_assert_uint_eq(machine_read32(check.machine, SEMAPHORED), invalid[_i].operation);
    ck_assert(!went_on());
    ck_assert_uint_eq(count(EVENT_NV_CHANNEL_STOP), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + invalid[_i].offset), 0x55);
    machine_write32(check.machine, DATA0, mended);
    machine_write32(check.machine, SEMAPHORED, mended);
    clear(INTR_SEMAPHORE);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + invalid[_i].offset), 7);
    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), 1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_PBDMA_INTR, RULE_NV_INTR), 1);
}
END_TEST

START_TEST(an_operation_that_nobody_mends_raises_semaphore_again)
{
    CHECK_SUBMIT(&check, 0, SEMAPHORE(8, 7, RELEASE), BEHIND);
    check_machine_run(&check);
    clear(INTR_SEMAPHORE);
    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), 2);
    ck_assert(!went_on());
    machine_write32(check.machine, METHOD0, (uint32_t)NOP);
    clear(INTR_SEMAPHORE);
    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), 2);
    ck_assert(went_on());
    ck_assert_uint_eq(count(EVENT_NV_RELEASE), 0);
}
END_TEST

/* The lowest two bits of an address are not stored. */
START_TEST(an_address_is_a_multiple_of_four)
{
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0xffffff00, DATA(3), 7, RELEASE | NO_WFI | ONE_WORD,
                 BEHIND);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x3c), DATA(0));
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x38), 0);
}
END_TEST

/* ---- polls ----------------------------------------------------------------------------------- */

enum { RETRY_MAN = 100, RETRY_EXP = 3, POLL_CYCLES = RETRY_MAN << RETRY_EXP };

static const struct clock_domain *host_clock(void)
{
    return &check.gpu->host.clock;
}

/* A second channel, on another runlist and so on another PBDMA. */
static void second_channel(void)
{
    check_machine_channel(&check, 2);
    check_machine_runlist(&check, 5, 1, (const uint32_t[]){2});
}

/* Channel 0 waits for a value; 2 writes some more, and then that value. */
static void acquire_across(uint32_t ramfc_acquire)
{
    check_machine_poke_vram(&check, RAMFC_ACQUIRE, ramfc_acquire);
    second_channel();
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE | SWITCH), BEHIND);
    ck_assert(machine_run(check.machine, 20 * GFE_PS_PER_US));
    CHECK_SUBMIT(&check, 2, SEMAPHORE(0, 3, RELEASE | NO_WFI | ONE_WORD), PB_IMMD(0, 0x08, 0),
                 SEMAPHORE(0, 9, RELEASE | NO_WFI | ONE_WORD));
}

/* The wait begins at the first poll, and what is seen is seen at a poll. */
static void expect_poll(const struct log_event *acquired, const struct log_event *written,
                        uint64_t poll_cycles)
{
    const struct log_event *wait = wait_by(RULE_NV_ACQ);
    const uint64_t first = clock_cycle_at(host_clock(), event_wait_of(wait).begin_ps);
    uint64_t polls = 0;

    while (clock_at_cycle(host_clock(), first + polls * poll_cycles) < written->time_ps)
        polls++;
    ck_assert_uint_gt(polls, 0);
    ck_assert_uint_eq(acquired->time_ps, clock_at_cycle(host_clock(), first + polls * poll_cycles));
    ck_assert_uint_eq(event_nv_acquire_of(acquired).tries, polls + 1);
    ck_assert_uint_eq(wait->time_ps, acquired->time_ps);
    ck_assert_uint_eq(event_wait_of(wait).subject_kind, SUBJECT_CHANNEL);
    ck_assert_uint_eq(event_wait_of(wait).subject_id, 0);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_SEMAPHORE);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, CHECK_DATA);
}

/* RETRY_MAN << RETRY_EXP cycles; 0 is one. */
static const struct {
    uint32_t acquire, cycles;
} retries[] = {
    {RETRY_MAN | RETRY_EXP << 7, POLL_CYCLES}, {2 | 2 << 7, 8}, {0, 1}, {127 | 5 << 7, 127 << 5}};

/* A poll is a read of Host's: where nothing is mapped, it faults as such. */
START_TEST(an_acquire_where_nothing_is_mapped_faults)
{
    const struct log_event *fault;

    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, 0x7000000, 7, ACQUIRE, BEHIND);
    check_machine_run(&check);
    ck_assert(!went_on());
    ck_assert_uint_eq(count(EVENT_NV_MMU_FAULT), 1);
    fault = event(EVENT_NV_MMU_FAULT, 0);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).address, 0x7000000);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).is_write, 0);
    ck_assert_uint_eq(event_nv_mmu_fault_of(fault).unit_kind, NV_FAULT_HOST);
    ck_assert_uint_eq(count(EVENT_NV_CHANNEL_STOP), 1);
}
END_TEST

START_TEST(a_failed_acquire_passes_at_the_first_poll_behind_the_write)
{
    acquire_across(retries[_i].acquire);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(count(EVENT_NV_ACQUIRE), 1);
    ck_assert_uint_eq(event_nv_acquire_of(event(EVENT_NV_ACQUIRE, 0)).value, 9);
    expect_poll(event(EVENT_NV_ACQUIRE, 0), event(EVENT_NV_RELEASE, 1), retries[_i].cycles);
}
END_TEST

/* No events are spent on the polls in between. */
START_TEST(polls_cost_no_events)
{
    uint64_t events[2];

    for (uint32_t i = 0; i < 2; i++) {
        if (i == 1) {
            teardown();
            setup();
        }
        acquire_across(retries[i ? 2 : 3].acquire);
        check_machine_run(&check);
        events[i] = check.machine->queue.state->popped_count;
    }
    ck_assert_uint_le(events[1], events[0] + 2);
}
END_TEST

/* A value that has come and gone before a poll was never there. */
START_TEST(a_value_between_two_polls_is_not_seen)
{
    check_machine_poke_vram(&check, RAMFC_ACQUIRE, 127 | 15 << 7);
    second_channel();
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE), BEHIND);
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 2, SEMAPHORE(0, 9, RELEASE | NO_WFI | ONE_WORD),
                 SEMAPHORE(0, 8, RELEASE | NO_WFI | ONE_WORD));
    check_machine_run(&check);
    ck_assert(!went_on());
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_NV_ACQ), 1);
    ck_assert_uint_eq(event_wait_open_of(event(EVENT_WAIT_OPEN, 0)).blocker_id, CHECK_DATA);
}
END_TEST

/* ---- deadlines ------------------------------------------------------------------------------- */

/* TIMEOUT_EN 31, TIMEOUT_MAN 30:15, TIMEOUT_EXP 14:11: 5 << 1 units of 1,024 ns. */
enum { TIMEOUT_UNITS = 10, UNIT_NS = 1024 };
#define TIMEOUT (1u << 31 | 5u << 15 | 1u << 11 | RETRY_MAN | RETRY_EXP << 7)

static const struct log_event *expect_timeout(uint32_t n)
{
    const struct log_event *intr = event(EVENT_NV_PBDMA_INTR, n);

    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), n + 1);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(intr).intr_bit, INTR_ACQUIRE);
    ck_assert_uint_eq(event_nv_pbdma_intr_of(intr).method, 0x1c);
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0), 1u << INTR_ACQUIRE);
    ck_assert(!went_on());
    return intr;
}

static const struct log_event *time_out(void)
{
    check_machine_poke_vram(&check, RAMFC_ACQUIRE, TIMEOUT);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQ_GEQ), BEHIND);
    check_machine_poke(&check, CHECK_DATA, 8);
    check_machine_run(&check);
    return expect_timeout(0);
}

START_TEST(an_acquire_that_fails_too_long_raises_acquire_at_a_poll)
{
    const struct log_event *intr = time_out();
    const struct log_event *wait = wait_by(RULE_NV_ACQ);
    const uint64_t first_ns = event_wait_of(wait).begin_ps / 1000;
    const uint64_t deadline = first_ns / UNIT_NS + TIMEOUT_UNITS;
    const uint64_t first = clock_cycle_at(host_clock(), event_wait_of(wait).begin_ps);
    uint64_t polls = 0;

    ck_assert_uint_eq(machine_read32(check.machine, ACQUIRE_DEADLINE), deadline);
    ck_assert_uint_eq(machine_read32(check.machine, SEMAPHORED), ACQ_GEQ | ACQUIRE_FAIL);
    ck_assert_uint_eq(machine_read32(check.machine, DATA0), ACQ_GEQ);
    while (clock_at_cycle(host_clock(), first + polls * POLL_CYCLES) / 1000 / UNIT_NS <= deadline)
        polls++;
    ck_assert_uint_eq(intr->time_ps, clock_at_cycle(host_clock(), first + polls * POLL_CYCLES));
    ck_assert_uint_eq(wait->time_ps, intr->time_ps);
}
END_TEST

/* The counter is not reset: the next attempt finds the deadline missed. */
START_TEST(clearing_the_interrupt_alone_times_out_again)
{
    (void)time_out();
    clear(INTR_ACQUIRE);
    (void)expect_timeout(1);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 1);
}
END_TEST

/* The manual's cleanup options 2, 3 and 4 (1, a preemption, is below). */
START_TEST(replacing_the_acquire_by_a_nop_goes_on)
{
    (void)time_out();
    machine_write32(check.machine, METHOD0, (uint32_t)NOP);
    clear(INTR_ACQUIRE);
    ck_assert(went_on());
    ck_assert_uint_eq(count(EVENT_NV_ACQUIRE), 0);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_SEMAPHORED) & ACQUIRE_FAIL, 0);
}
END_TEST

START_TEST(releasing_the_semaphore_goes_on)
{
    (void)time_out();
    check_machine_poke(&check, CHECK_DATA, 10);
    clear(INTR_ACQUIRE);
    ck_assert(went_on());
    ck_assert_uint_eq(count(EVENT_NV_ACQUIRE), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_SEMAPHORED) & ACQUIRE_FAIL, 0);
}
END_TEST

START_TEST(clearing_acquire_fail_starts_the_counter_anew)
{
    const uint64_t first = time_out()->time_ps;
    const struct log_event *second;

    machine_write32(check.machine, SEMAPHORED, ACQ_GEQ);
    clear(INTR_ACQUIRE);
    second = expect_timeout(1);
    ck_assert_uint_ge(second->time_ps - first, (uint64_t)TIMEOUT_UNITS * UNIT_NS * 1000);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 2);
}
END_TEST

START_TEST(without_timeout_en_an_acquire_waits_for_ever)
{
    check_machine_poke_vram(&check, RAMFC_ACQUIRE, TIMEOUT & ~(1u << 31));
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE), BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), 0);
    machine_finish(check.machine);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT_OPEN, RULE_NV_ACQ), 1);
}
END_TEST

/* nouveau's 0xfffff902: 2,199 s.  Nothing of it is left when the acquire passes. */
START_TEST(a_deadline_that_is_not_needed_leaves_no_trace)
{
    acquire_across(0xfffff902);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_lt(machine_now(check.machine), 1000 * GFE_PS_PER_US);
    ck_assert_uint_eq(count(EVENT_NV_PBDMA_INTR), 0);
}
END_TEST

START_TEST(the_longest_timeout_ends_too)
{
    check_machine_poke_vram(&check, RAMFC_ACQUIRE, 0xfffff902);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE), BEHIND);
    check_machine_run(&check);
    /* 0xffff << 15 units of 1,024 ns, and one more to be beyond it. */
    ck_assert_uint_ge(expect_timeout(0)->time_ps / 1000 / UNIT_NS, 0x7fff8000);
    ck_assert_uint_le(expect_timeout(0)->time_ps / 1000 / UNIT_NS, 0x7fff8000 + 2000);
}
END_TEST

/* ---- leaving --------------------------------------------------------------------------------- */

/* A preempted acquire takes METHOD0, ACQUIRE_FAIL and the rest of its segment with it. */
START_TEST(a_waiting_acquire_can_be_preempted_and_goes_on_later)
{
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE), SEMAPHORE(4, 5, RELEASE | NO_WFI | ONE_WORD));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, SEMAPHORE(0, 9, RELEASE | NO_WFI | ONE_WORD));
    ck_assert(machine_run(check.machine, machine_now(check.machine) + 20 * GFE_PS_PER_US));
    check_machine_read_log(&check);
    ck_assert_uint_eq(count(EVENT_NV_RELEASE), 0); /* channel 0 has the PBDMA */
    machine_write32(check.machine, PREEMPT, 0x01000000 | 32);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 9);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 5);
    ck_assert_uint_eq(event_nv_channel_save_of(event(EVENT_NV_CHANNEL_SAVE, 0)).channel_id, 0);
    ck_assert_uint_eq(event_nv_acquire_of(event(EVENT_NV_ACQUIRE, 0)).channel_id, 0);
    /* The wait on the PBDMA ends when the channel leaves it; then it waits off the PBDMA, until
     * the semaphore is there. */
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_ACQ), 2);
    ck_assert_uint_eq(wait_by(RULE_NV_ACQ)->time_ps, event(EVENT_NV_RELEASE, 0)->time_ps);
    ck_assert_uint_eq(event_wait_of(wait_by(RULE_NV_ACQ)).begin_ps,
                      event(EVENT_NV_CHANNEL_SAVE, 0)->time_ps);
    ck_assert_uint_eq(count(EVENT_NV_GP_FETCH), 2);
    ck_assert_uint_eq(event_nv_segment_end_of(event(EVENT_NV_SEGMENT_END, 1)).method_count, 8);
}
END_TEST

START_TEST(a_deadline_goes_on_while_its_channel_is_off)
{
    uint64_t preempted_ps;

    check_machine_poke_vram(&check, RAMFC_ACQUIRE, TIMEOUT);
    CHECK_SUBMIT(&check, 0, SEMAPHORE(0, 9, ACQUIRE), BEHIND);
    /* Nothing happens between the first attempt and the deadline. */
    ck_assert(machine_run(check.machine, 20 * GFE_PS_PER_US));
    machine_write32(check.machine, PREEMPT, 0x01000000 | 32);
    check_machine_run(&check);
    preempted_ps = event(EVENT_NV_PREEMPT, 0)->time_ps;
    ck_assert_uint_eq(count(EVENT_NV_CHANNEL_LOAD), 2);
    /* Off the PBDMA it waits for the deadline, then comes back to miss it. */
    ck_assert_uint_gt(event_wait_of(wait_by(RULE_NV_ACQ)).begin_ps, preempted_ps);
    ck_assert_uint_gt(expect_timeout(0)->time_ps, wait_by(RULE_NV_ACQ)->time_ps);
    ck_assert_uint_eq(machine_read32(check.machine, ACQUIRE_DEADLINE),
                      preempted_ps / 1000 / UNIT_NS + TIMEOUT_UNITS);
    ck_assert_uint_lt(wait_by(RULE_NV_ACQ)->time_ps - preempted_ps,
                      (TIMEOUT_UNITS + 2) * (uint64_t)UNIT_NS * 1000);
}
END_TEST

static void add_releases(Suite *suite)
{
    TCase *tcase = tcase_create("releases");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_release_writes_sixteen_bytes_or_four);
    tcase_add_loop_test(tcase, a_release_waits_for_idle_when_its_bit_is_clear, 0, 2);
    tcase_add_loop_test(tcase, a_reduction_leaves_its_result_in_memory, 0, REDUCTIONS);
    tcase_add_test(tcase, a_reduction_may_write_the_time_too);
    tcase_add_loop_test(tcase, an_operation_that_makes_no_sense_raises_semaphore_and_can_be_mended,
                        0, INVALID);
    tcase_add_test(tcase, an_operation_that_nobody_mends_raises_semaphore_again);
    tcase_add_test(tcase, an_address_is_a_multiple_of_four);
    suite_add_tcase(suite, tcase);
}

Suite *nv_pbdma_semaphore_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_semaphore");
    TCase *tcase = tcase_create("acquires");

    add_releases(suite);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, an_acquire_where_nothing_is_mapped_faults);
    tcase_add_loop_test(tcase, a_failed_acquire_passes_at_the_first_poll_behind_the_write, 0, 4);
    tcase_add_test(tcase, polls_cost_no_events);
    tcase_add_test(tcase, a_value_between_two_polls_is_not_seen);
    tcase_add_test(tcase, an_acquire_that_fails_too_long_raises_acquire_at_a_poll);
    tcase_add_test(tcase, clearing_the_interrupt_alone_times_out_again);
    tcase_add_test(tcase, replacing_the_acquire_by_a_nop_goes_on);
    tcase_add_test(tcase, releasing_the_semaphore_goes_on);
    tcase_add_test(tcase, clearing_acquire_fail_starts_the_counter_anew);
    tcase_add_test(tcase, without_timeout_en_an_acquire_waits_for_ever);
    tcase_add_test(tcase, a_deadline_that_is_not_needed_leaves_no_trace);
    tcase_add_test(tcase, the_longest_timeout_ends_too);
    tcase_add_test(tcase, a_waiting_acquire_can_be_preempted_and_goes_on_later);
    tcase_add_test(tcase, a_deadline_goes_on_while_its_channel_is_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
