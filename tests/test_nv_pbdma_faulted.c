/* SPDX-License-Identifier: MIT */
/*
 * CLEAR_FAULTED and its timeout.  Bits and registers are typed from open-gpu-doc gv100, tu104 and
 * ga100 dev_pbdma.ref.txt and gv100 dev_fifo.ref.txt.
 */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_channel.h"
#include "tests/check_pbdma.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

enum {
    CLEAR_FAULTED_TIMEOUT = 0x2a14,
    INTR_0 = 0x108,
    INTR_STALL = 0x13c,
    METHOD0 = 0xc0,
    DATA0 = 0xc4,
    ACQUIRE_DEADLINE = 0x34,
    SEM_EXECUTE = 0x44,
    ACQUIRE_FAIL = 1 << 19,
    RAMFC_REF = CHECK_INSTANCES + 0x28,
    INTR_CLEAR_FAULTED_ERROR = 20,
    TSG = 32, /* of channel 0: check_machine.h */
    FAULTED = 1,
};
#define ENG_FAULTED  (1u << 31)
#define NOP_METHOD   UINT32_C(0x80000008)
#define DETECTION    (1u << 31)
#define US           GFE_PS_PER_US
#define TICK         UINT64_C(1024000) /* a microsecond of PTIMER */
#define PERIOD_RESET 0x3ff

static const char *const gpus[] = {"titan-v", "rtx2080ti"};
enum { VOLTA, TURING, GPUS };

/* Channels 0 and 1 in TSGs of their own. */
static void begin(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, 0);
    check_machine_channel(&check, 1);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
}

static void fault(bool pbdma, bool engine)
{
    nv_channel_fault(&check.gpu->host, FAULTED, pbdma, engine);
}

static struct nv_channel_status faulted(void)
{
    return nv_channel_status(&check.gpu->host, FAULTED);
}

/* The method, and behind it SET_REFERENCE, which tells whether the PBDMA went on. */
static void submit(uint32_t data)
{
    PUT_SEGMENT(0, 0, PB_INC(0, 0x84, 1), data, PB_INC(0, 0x50, 1), 0x77);
    check_machine_ring(&check, 0);
}

static bool went_on(void)
{
    return check_machine_peek_vram(&check, RAMFC_REF) == 0x77;
}

static void run_for(uint64_t us)
{
    ck_assert(machine_run(check.machine, machine_now(check.machine) + us * US));
    check_machine_read_log(&check);
}

static void expect_error(uint32_t data)
{
    expect_interrupt(INTR_CLEAR_FAULTED_ERROR);
    ck_assert_uint_eq(pbdma_reg(METHOD0), 0x80400084);
    ck_assert_uint_eq(pbdma_reg(DATA0), data);
    ck_assert_uint_eq(pbdma_reg(SEM_EXECUTE) & ACQUIRE_FAIL, 0);
    ck_assert(!went_on());
}

/* ---- the bit is there ------------------------------------------------------------------------ */

/* PROMISE (nvidia): CLEAR_FAULTED clears the bit of its type and no other. */
START_TEST(it_clears_the_bit_of_its_type_and_no_other)
{
    const bool engine = _i / GPUS;
    const struct log_event *event;

    begin(gpus[_i % GPUS]);
    fault(true, true);
    submit(FAULTED | (engine ? ENG_FAULTED : 0));
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert(faulted().eng_faulted == !engine);
    ck_assert(faulted().pbdma_faulted == engine);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    event = check_machine_event(&check, EVENT_NV_CLEAR_FAULTED, 0);
    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_nv_clear_faulted_of(event).channel_id, 0);
    ck_assert_uint_eq(event_nv_clear_faulted_of(event).faulted_channel_id, FAULTED);
    ck_assert_uint_eq(event_nv_clear_faulted_of(event).engine, engine);
    check_machine_end(&check);
}
END_TEST

START_TEST(the_tsg_of_the_faulted_channel_is_scheduled_again)
{
    begin(gpus[_i]);
    fault(true, false);
    CHECK_SUBMIT(&check, FAULTED, PB_INC(0, 0x50, 1), 0x99);
    check_machine_run(&check);
    ck_assert_uint_ne(check_machine_peek_vram(&check, RAMFC_REF + 0x1000), 0x99);
    submit(FAULTED);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_REF + 0x1000), 0x99);
    check_machine_end(&check);
}
END_TEST

/* Turing's handle has a runlist in 22:16, and 15 of its channel; Volta's has bits 11:0. */
START_TEST(the_handle_is_that_of_the_generation)
{
    begin(gpus[_i]);
    fault(true, false);
    submit(0xf0000 | FAULTED | (_i == VOLTA ? 0xf000 : 0));
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert(!faulted().pbdma_faulted);
    check_machine_end(&check);
}
END_TEST

/* ---- the bit is not there yet ---------------------------------------------------------------- */

START_TEST(it_waits_for_the_bit_and_looks_at_each_microsecond)
{
    const struct log_event *wait;
    gfe_ps set_ps;

    begin(gpus[_i]);
    submit(FAULTED);
    run_for(100);
    ck_assert(!went_on());
    ck_assert_uint_ne(pbdma_reg(SEM_EXECUTE) & ACQUIRE_FAIL, 0);
    ck_assert_uint_eq(pbdma_reg(METHOD0), 0x80400084);
    fault(false, true); /* the other bit */
    run_for(100);
    ck_assert(!went_on());
    set_ps = machine_now(check.machine);
    fault(true, false);
    pbdma_write(INTR_0, 1u << INTR_METHOD); /* not pending: no reason to look earlier */
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert(!faulted().pbdma_faulted);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + SEM_EXECUTE) & ACQUIRE_FAIL,
                      0);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CLEAR_FAULTED), 1);
    if (_i == 0)
        golden_log_check(&check, "rule_nv_clear_faulted.events");
    wait = check_machine_event(&check, EVENT_WAIT, 0);
    for (uint32_t n = 1; wait && wait->rule != RULE_NV_CLEAR_FAULTED; n++)
        wait = check_machine_event(&check, EVENT_WAIT, n);
    ck_assert_ptr_nonnull(wait);
    ck_assert_uint_eq(wait->time_ps, (set_ps / TICK + 1) * TICK);
    ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_CHANNEL);
    ck_assert_uint_eq(event_wait_of(wait).blocker_id, FAULTED);
    check_machine_end(&check);
}
END_TEST

START_TEST(behind_its_deadline_it_is_an_error)
{
    gfe_ps from_ps;

    begin(gpus[_i]);
    ck_assert_uint_eq(machine_read32(check.machine, CLEAR_FAULTED_TIMEOUT),
                      DETECTION | PERIOD_RESET);
    machine_write32(check.machine, CLEAR_FAULTED_TIMEOUT, DETECTION | 300);
    submit(FAULTED);
    check_machine_run(&check);
    expect_error(FAULTED);
    from_ps = (pbdma_reg(ACQUIRE_DEADLINE) - 300) * TICK;
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->time_ps,
                      from_ps + 301 * TICK);
    ck_assert_uint_lt(from_ps, check_machine_event(&check, EVENT_NV_GP_FETCH, 0)->time_ps + 2 * US);
    pbdma_write(METHOD0, NOP_METHOD);
    ck_assert(!went_on());
    clear_interrupt(INTR_CLEAR_FAULTED_ERROR);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 1);
    check_machine_end(&check);
}
END_TEST

/* Cleared without being mended it waits once more, as long as before. */
START_TEST(an_error_that_nobody_mended_comes_again)
{
    gfe_ps cleared_ps;

    begin(gpus[_i]);
    machine_write32(check.machine, CLEAR_FAULTED_TIMEOUT, DETECTION | 300);
    submit(FAULTED);
    check_machine_run(&check);
    cleared_ps = machine_now(check.machine);
    clear_interrupt(INTR_CLEAR_FAULTED_ERROR);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 2);
    ck_assert_uint_gt(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 1)->time_ps,
                      cleared_ps + 300 * TICK);
    ck_assert(!went_on());
    fault(true, false);
    clear_interrupt(INTR_CLEAR_FAULTED_ERROR);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

START_TEST(without_detection_it_waits_for_ever)
{
    begin(gpus[_i]);
    machine_write32(check.machine, CLEAR_FAULTED_TIMEOUT, 10);
    submit(FAULTED);
    check_machine_run(&check);
    ck_assert(!went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PBDMA_INTR), 0);
    fault(true, false);
    check_machine_run(&check);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

START_TEST(a_handle_of_no_channel_is_an_error)
{
    begin("rtx2080ti");
    submit(0xffff);
    check_machine_run(&check);
    expect_error(0xffff);
    check_machine_end(&check);
}
END_TEST

/* ASSUMED: the method is dropped. */
START_TEST(an_error_that_does_not_stall_drops_the_method)
{
    begin(gpus[_i]);
    pbdma_write(INTR_STALL, pbdma_reg(INTR_STALL) & ~(1u << INTR_CLEAR_FAULTED_ERROR));
    submit(FAULTED);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(pbdma_reg(INTR_0), 1u << INTR_CLEAR_FAULTED_ERROR);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CLEAR_FAULTED), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- leaving --------------------------------------------------------------------------------- */

START_TEST(it_leaves_when_it_is_preempted_and_waits_on)
{
    uint32_t deadline;

    begin(gpus[_i]);
    submit(FAULTED);
    run_for(100);
    deadline = pbdma_reg(ACQUIRE_DEADLINE);
    machine_write32(check.machine, 0x2634, 1u << 24 | TSG);
    run_for(300);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2); /* still pending */
    ck_assert_uint_eq(pbdma_reg(ACQUIRE_DEADLINE), deadline);
    ck_assert_uint_ne(pbdma_reg(SEM_EXECUTE) & ACQUIRE_FAIL, 0);
    check_machine_run(&check);
    expect_interrupt(INTR_CLEAR_FAULTED_ERROR);
    ck_assert_uint_eq(check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0)->time_ps,
                      (deadline + UINT64_C(1)) * TICK);
    check_machine_end(&check);
}
END_TEST

/* The faulted channel is a third's; that of the other TSG gets its turn when the slice ends. */
START_TEST(its_slice_ends_while_it_waits)
{
    begin(gpus[_i]);
    check_machine_channel(&check, 2);
    machine_write32(check.machine, CLEAR_FAULTED_TIMEOUT, DETECTION | 100000);
    submit(2);
    run_for(100);
    CHECK_SUBMIT(&check, 1, PB_INC(0, 0x50, 1), 0x99);
    run_for(3000);
    ck_assert_uint_eq(check_machine_peek_vram(&check, RAMFC_REF + 0x1000), 0x99);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_END, RULE_B_T1), 1);
    ck_assert(!went_on());
    nv_channel_fault(&check.gpu->host, 2, true, false);
    check_machine_run(&check);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* ---- other generations ----------------------------------------------------------------------- */

static const char *const from_ampere[] = {"a100", "orin", "rtx6000ada", "h100"};

START_TEST(from_ampere_on_it_is_left_to_software)
{
    begin(from_ampere[_i]);
    nv_channel_fault(&check.gpu->host, FAULTED, true, false);
    submit(FAULTED);
    check_machine_run(&check);
    expect_interrupt(INTR_METHOD);
    ck_assert_uint_eq(pbdma_reg(METHOD0), 0x80400084);
    ck_assert_uint_eq(pbdma_reg(DATA0), FAULTED);
    pbdma_write(METHOD0, NOP_METHOD);
    clear_interrupt(INTR_METHOD);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* Without a deadline, and with slices that end: nobody gets anywhere, and the run ends. */
START_TEST(two_tsgs_that_wait_for_ever_let_the_run_end)
{
    begin(gpus[_i]);
    machine_write32(check.machine, CLEAR_FAULTED_TIMEOUT, 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK_SUBMIT(&check, i, PB_INC(0, 0x84, 1), 2);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CLEAR_FAULTED), 0);
    nv_channel_fault(&check.gpu->host, 2, true, false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CLEAR_FAULTED), 1);
    check_machine_end(&check);
}
END_TEST

Suite *nv_pbdma_faulted_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_faulted");
    TCase *tcase = tcase_create("clear_faulted");

    tcase_add_loop_test(tcase, it_clears_the_bit_of_its_type_and_no_other, 0, 2 * GPUS);
    tcase_add_loop_test(tcase, the_tsg_of_the_faulted_channel_is_scheduled_again, 0, GPUS);
    tcase_add_loop_test(tcase, the_handle_is_that_of_the_generation, 0, GPUS);
    tcase_add_loop_test(tcase, it_waits_for_the_bit_and_looks_at_each_microsecond, 0, GPUS);
    tcase_add_loop_test(tcase, behind_its_deadline_it_is_an_error, 0, GPUS);
    tcase_add_loop_test(tcase, an_error_that_nobody_mended_comes_again, 0, GPUS);
    tcase_add_loop_test(tcase, without_detection_it_waits_for_ever, 0, GPUS);
    tcase_add_test(tcase, a_handle_of_no_channel_is_an_error);
    tcase_add_loop_test(tcase, an_error_that_does_not_stall_drops_the_method, 0, GPUS);
    tcase_add_loop_test(tcase, it_leaves_when_it_is_preempted_and_waits_on, 0, GPUS);
    tcase_add_loop_test(tcase, its_slice_ends_while_it_waits, 0, GPUS);
    tcase_add_loop_test(tcase, from_ampere_on_it_is_left_to_software, 0, 4);
    tcase_add_loop_test(tcase, two_tsgs_that_wait_for_ever_let_the_run_end, 0, GPUS);
    suite_add_tcase(suite, tcase);
    return suite;
}
