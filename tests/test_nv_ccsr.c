/* SPDX-License-Identifier: MIT */
/* CCSR: the codes of STATUS, what writes do, bind errors. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_ccsr.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_host.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

/* Bits and codes of tu104/dev_fifo.ref.txt. */
enum {
    ENABLE = 1 << 0,
    NEXT = 1 << 1,
    FORCE_CTX_RELOAD = 1 << 8,
    ENABLE_SET = 1 << 10,
    ENABLE_CLR = 1 << 11,
    FORCE_PBDMA_FAULTED = 1 << 20,
    FORCE_ENG_FAULTED = 1 << 21,
    PBDMA_FAULTED = 1 << 22,
    ENG_FAULTED = 1 << 23,
    BUSY = 1 << 28,
    INTR_0 = 0x2100,
    BIND_ERROR = 0x252c,
};
#define STATUS(word)           ((word) >> 24 & 15)
#define INST(channel)          (0x800000u + 8 * (channel))
#define CHANNEL(channel)       (0x800004u + 8 * (channel))
#define DATA(offset)           ((uint32_t)CHECK_DATA + (offset))
/* SEMAPHOREA to D: releases a word; acquires one, with ACQUIRE_SWITCH_ENABLED. */
#define RELEASE(offset, value) PB_INC(0, 0x10, 4), 0, DATA(offset), (value), 0x01000002
#define ACQUIRE(offset, value) PB_INC(0, 0x10, 4), 0, DATA(offset), (value), 0x1001

static struct check_machine check;

static void begin(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    for (uint32_t i = 0; i < 3; i++)
        check_machine_channel(&check, i);
}

static void tear_down(void)
{
    check_machine_end(&check);
}

static uint32_t channel(uint32_t channel_id)
{
    return machine_read32(check.machine, CHANNEL(channel_id));
}

static void write_channel(uint32_t channel_id, uint32_t value)
{
    machine_write32(check.machine, CHANNEL(channel_id), value);
}

/* ---- STATUS ---------------------------------------------------------------------------------- */

static const struct {
    struct nv_channel_status status;
    uint32_t code;
} codes[] = {
    {{.pending = false}, 0},
    {{.pending = true}, 1},
    {{.pending = true, .ctx_reload = true}, 2},
    {{.ctx_reload = true}, 2},
    {{.pending = true, .pending_acquire = true}, 3},
    {{.pending = true, .pending_acquire = true, .ctx_reload = true}, 4},
    {{.on_pbdma = true}, 5},
    {{.on_pbdma = true, .on_eng = true}, 6},
    {{.on_pbdma = true, .on_eng = true, .pending = true}, 6},
    {{.on_eng = true}, 7},
    {{.on_eng = true, .pending = true, .pending_acquire = true}, 8},
    {{.on_eng = true, .pending = true}, 9},
    {{.on_pbdma = true, .ctx_reload = true}, 10},
    {{.on_pbdma = true, .on_eng = true, .ctx_reload = true}, 11},
    {{.on_eng = true, .ctx_reload = true}, 12},
    {{.on_eng = true, .pending = true, .ctx_reload = true}, 13},
    {{.on_eng = true, .pending = true, .pending_acquire = true, .ctx_reload = true}, 14},
};

/* PROMISE (nvidia): CCSR shows every state of a channel by its code. */
START_TEST(every_state_has_its_code)
{
    ck_assert_uint_eq(nv_ccsr_status(&codes[_i].status), codes[_i].code);
}
END_TEST

static const char *const gpus[] = {"gtx1060", "v100", "rtx2060"};

START_TEST(a_channel_that_waits_shows_for_what)
{
    begin(gpus[_i]);
    ck_assert_uint_eq(channel(0), ENABLE);
    CHECK_SUBMIT(&check, 0, ACQUIRE(0, 7), RELEASE(32, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(STATUS(channel(0)), 1); /* on no runlist: PENDING */
    ck_assert_uint_eq(channel(0) & BUSY, BUSY);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_run(&check);
    ck_assert_uint_eq(STATUS(channel(0)), 3); /* PENDING_ACQUIRE */
    ck_assert_uint_eq(STATUS(channel(1)), 0);
    write_channel(0, FORCE_CTX_RELOAD);
    ck_assert_uint_eq(STATUS(channel(0)), 4); /* PENDING_ACQ_CTX_RELOAD */
    CHECK_SUBMIT(&check, 1, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 32), 9);
    ck_assert_uint_eq(channel(0), ENABLE);
    write_channel(0, ENABLE_CLR); /* what it waits for now is no acquire */
    CHECK_SUBMIT(&check, 0, RELEASE(48, 1));
    check_machine_run(&check);
    ck_assert_uint_eq(STATUS(channel(0)), 1);
}
END_TEST

START_TEST(a_channel_that_is_on_shows_where)
{
    begin(gpus[_i]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_IMMD(0, 0x04, 0)); /* ILLEGAL: stops, with its channel on */
    check_machine_run(&check);
    ck_assert_uint_eq(STATUS(channel(0)), 6); /* ON_PBDMA_AND_ENG */
    ck_assert_uint_eq(channel(0) & BUSY, BUSY);
}
END_TEST

/* ---- writes ---------------------------------------------------------------------------------- */

START_TEST(enable_has_a_bit_to_set_and_one_to_clear_it)
{
    begin(gpus[_i]);
    write_channel(0, 0);
    ck_assert_uint_eq(channel(0) & ENABLE, ENABLE);
    write_channel(0, ENABLE_CLR);
    ck_assert_uint_eq(channel(0) & ENABLE, 0);
    write_channel(0, ENABLE); /* read only */
    ck_assert_uint_eq(channel(0) & ENABLE, 0);
    write_channel(0, ENABLE_SET);
    ck_assert_uint_eq(channel(0) & ENABLE, ENABLE);
}
END_TEST

/* Channels of one TSG: the second goes first, and NEXT is gone. */
START_TEST(next_is_used_once)
{
    /* A TSG of two channels, as gp106 has them. */
    const uint32_t words[] = {5 | 1u << 13 | 3 << 14 | 128u << 18 | 2u << 26, 0, 0, 0, 1, 0};
    const struct log_event *load;

    check_machine_begin(&check, false);
    for (uint32_t i = 0; i < 2; i++)
        check_machine_channel(&check, i);
    write_channel(1, NEXT);
    ck_assert_uint_eq(channel(1) & NEXT, NEXT);
    write_channel(1, 0);
    ck_assert_uint_eq(channel(1) & NEXT, 0);
    write_channel(1, NEXT);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    CHECK_SUBMIT(&check, 1, RELEASE(16, 8));
    check_machine_runlist_raw(&check, 0, 3, words);
    check_machine_run(&check);
    load = check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0);
    ck_assert_ptr_nonnull(load);
    ck_assert_uint_eq(event_nv_channel_load_of(load).channel_id, 1);
    ck_assert_uint_eq(channel(1) & NEXT, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 2);
}
END_TEST

START_TEST(a_context_reload_makes_the_channel_run)
{
    begin(gpus[_i]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    write_channel(0, FORCE_CTX_RELOAD);
    ck_assert_uint_eq(STATUS(channel(0)), 2); /* PENDING_CTX_RELOAD */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
    ck_assert_uint_eq(STATUS(channel(0)), 0);
}
END_TEST

/* A faulted bit holds the channel until software writes a one to it; Turing's can be forced. */
START_TEST(faulted_bits_are_cleared_by_ones)
{
    const uint32_t bit = _i % 2 ? ENG_FAULTED : PBDMA_FAULTED, other = PBDMA_FAULTED ^ ENG_FAULTED;

    begin(gpus[_i / 2]);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    nv_channel_fault(&check.gpu->host, 0, bit == PBDMA_FAULTED, bit == ENG_FAULTED);
    ck_assert_uint_eq(channel(0) & other, bit);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 7));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    write_channel(0, bit ^ other);
    ck_assert_uint_eq(channel(0) & other, bit);
    write_channel(0, bit);
    ck_assert_uint_eq(channel(0) & other, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
}
END_TEST

START_TEST(turing_can_force_faulted_bits)
{
    const bool turing = _i == 2;

    begin(gpus[_i]);
    write_channel(0, FORCE_PBDMA_FAULTED);
    ck_assert_uint_eq(channel(0) & (PBDMA_FAULTED | ENG_FAULTED), turing ? PBDMA_FAULTED : 0);
    write_channel(0, PBDMA_FAULTED);
    write_channel(0, FORCE_ENG_FAULTED);
    ck_assert_uint_eq(channel(0) & (PBDMA_FAULTED | ENG_FAULTED), turing ? ENG_FAULTED : 0);
}
END_TEST

START_TEST(channels_that_the_chip_does_not_have_stay_zero)
{
    begin("tx2");
    ck_assert_uint_lt(check.model->channel_count, 4096);
    write_channel(check.model->channel_count, ENABLE_SET | NEXT | FORCE_CTX_RELOAD);
    ck_assert_uint_eq(channel(check.model->channel_count), 0);
    write_channel(4095, ENABLE_SET | NEXT);
    ck_assert_uint_eq(channel(4095), 0);
}
END_TEST

/* ---- binding --------------------------------------------------------------------------------- */

START_TEST(an_instance_block_has_to_be_in_some_memory)
{
    const bool has_code = _i > 0;

    begin(gpus[_i]);
    machine_write32(check.machine, INST(5), 0x90000100); /* BIND, TARGET 1 */
    ck_assert_uint_eq(machine_read32(check.machine, INTR_0) & 1, has_code);
    ck_assert_uint_eq(machine_read32(check.machine, BIND_ERROR), has_code ? 6 : 0);
    ck_assert_uint_eq(nv_channel_get(&check.gpu->host, 5)->bound, !has_code);
}
END_TEST

Suite *nv_ccsr_suite(void)
{
    Suite *suite = suite_create("nv_ccsr");
    TCase *pure = tcase_create("codes"), *tcase = tcase_create("ccsr");

    tcase_add_loop_test(pure, every_state_has_its_code, 0, sizeof codes / sizeof codes[0]);
    suite_add_tcase(suite, pure);
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_loop_test(tcase, a_channel_that_waits_shows_for_what, 0, 3);
    tcase_add_loop_test(tcase, a_channel_that_is_on_shows_where, 0, 3);
    tcase_add_loop_test(tcase, enable_has_a_bit_to_set_and_one_to_clear_it, 0, 3);
    tcase_add_test(tcase, next_is_used_once);
    tcase_add_loop_test(tcase, a_context_reload_makes_the_channel_run, 0, 3);
    tcase_add_loop_test(tcase, faulted_bits_are_cleared_by_ones, 0, 6);
    tcase_add_loop_test(tcase, turing_can_force_faulted_bits, 0, 3);
    tcase_add_test(tcase, channels_that_the_chip_does_not_have_stay_zero);
    tcase_add_loop_test(tcase, an_instance_block_has_to_be_in_some_memory, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
