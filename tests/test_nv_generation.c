/* SPDX-License-Identifier: MIT */
/* What the chips do differently, on each of them: doorbells, runlists, Host's methods, copy
 * classes. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/nv_pbdma.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum {
    INTR_CLEAR_FAULTED_ERROR = 20,
    INTR_METHOD = 21,
    INTR_SEMAPHORE = 25,
    ILLEGAL_CLASS = NV_PBDMA_INTR_1 + 4,
    ILLEGAL_METHOD = NV_PBDMA_INTR_1 + 3,
    SCHED_ERROR = 0x254c,
    BAD_TSG = 0x20,
    CONFIG_PRIVILEGED = 1 << 8,
};
#define DATA(offset)           ((uint32_t)CHECK_DATA + (offset))
/* SEMAPHOREA to D: a plain release of four bytes, which every generation has. */
#define RELEASE(offset, value) PB_INC(0, 0x10, 4), 0, DATA(offset), (value), 0x01100002
/* SEM_ADDR_LO, HI, PAYLOAD_LO, HI, EXECUTE. */
#define SEM(offset, low, high, execute)                                                            \
    PB_INC(0, 0x5c, 5), DATA(offset), 0, (low), (high), (execute)
/* What stands behind the method being tested: it tells whether the PBDMA went on. */
#define BEHIND PB_IMMD(1, 0x188, 7)

static struct check_machine check;

static void begin(const char *gpu)
{
    const uint32_t channel_id = 0;

    check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, channel_id);
    check_machine_runlist(&check, 0, 1, &channel_id);
}

static bool went_on(void)
{
    return nv_fe_shadow(&check.gpu->fe, 1, 0x188) == 7;
}

/* The interrupt that the PBDMA raised; -1 for none. */
static int interrupt(void)
{
    const struct log_event *event = check_machine_event(&check, EVENT_NV_PBDMA_INTR, 0);

    return event ? (int)event_nv_pbdma_intr_of(event).intr_bit : -1;
}

/* ---- every chip ------------------------------------------------------------------------------ */

START_TEST(every_gpus_host_has_a_row_and_every_class_a_table)
{
    const struct nv_chip *model = nv_chips[_i];
    const uint16_t classes[] = {model->class_host,   model->class_3d, model->class_compute,
                                model->class_inline, model->class_2d, model->class_copy};
    const struct nv_generation *generation = nv_generation_of(model->class_host, model->chip_id);

    for (uint32_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        ck_assert_ptr_nonnull(nv_class_find(classes[i]));
    ck_assert_uint_eq(generation->host_class, model->class_host);
    ck_assert_int_eq(generation->runlists_have_blocks, model->runlists[0].pri_base != 0);
    ck_assert_int_eq(generation->usermode_base != 0,
                     model->chip_id >= 0x140 && model->chip_id < 0x170);
    ck_assert_int_eq(generation->virtual_function_base != 0, model->chip_id >= 0x160);
    ck_assert_uint_eq(generation->pbdma_stride, model->chip_id >= 0x170 ? 0x800 : 0x2000);
    ck_assert_int_eq(generation->load_is_6, model->chip_id >= 0x170);
    ck_assert_uint_eq(generation->runlist_entry_bytes, model->chip_id >= 0x140 ? 16 : 8);
}
END_TEST

START_TEST(a_channel_runs_on_every_gpu)
{
    const struct nv_chip *model = nv_chips[_i];
    const bool rings = model->chip_id >= 0x140;

    begin(model->name);
    ck_assert_uint_eq(machine_read32(check.machine, 0) >> 20, model->chip_id);
    if (!check.runlist_blocks)
        ck_assert_uint_eq(machine_read32(check.machine, 0x2004) & 0xff, model->pbdma_count);
    if (check.runlist_blocks) /* Hopper's Host has no other */
        CHECK_SUBMIT(&check, 0, SEM(0, 5, 0, 1), BEHIND);
    else
        CHECK_SUBMIT(&check, 0, RELEASE(0, 5), BEHIND);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_DOORBELL, RULE_NV_DOORBELL),
                      !rings);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_NOTIFY_PENDING, RULE_NV_NOTIFY),
                      rings);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).tsg_id, 32);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).timeslice_ps,
        1048576000);
    ck_assert_uint_eq(
        event_nv_release_of(check_machine_event(&check, EVENT_NV_RELEASE, 0)).source_class,
        model->class_host);
    check_machine_end(&check);
}
END_TEST

/* nv_ce_illegal: the chip's own copy class, and GP100's on GP10x. */
START_TEST(the_copy_engine_takes_the_class_of_its_chip_alone)
{
    static const uint32_t classes[] = {0xa0b5, 0xb0b5, 0xc0b5, 0xc1b5, 0xc3b5, 0xc5b5, 0};
    const struct nv_chip *model = nv_chips[_i];
    const bool gp10x = model->class_copy_older == 0xc0b5;

    if (model->runlists[0].pri_base != 0)
        return; /* Ampere and later */
    for (uint32_t c = 0; c < sizeof classes / sizeof classes[0]; c++) {
        const bool taken = classes[c] == model->class_copy || (gp10x && classes[c] == 0xc0b5);

        begin(model->name);
        CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), classes[c], BEHIND);
        check_machine_run(&check);
        ck_assert_msg(interrupt() == (taken ? -1 : ILLEGAL_CLASS), "%04x on %s: %d", classes[c],
                      model->name, interrupt());
        ck_assert_int_eq(went_on(), taken);
        check_machine_end(&check);
    }
}
END_TEST

/* ---- doorbells ------------------------------------------------------------------------------- */

START_TEST(from_volta_on_a_store_to_userd_is_no_doorbell)
{
    static const char *const gpus[] = {"titan-v", "rtx2060"};

    begin(gpus[_i]);
    check.doorbell = 0;
    CHECK_SUBMIT(&check, 0, RELEASE(0, 5));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    machine_write32(check.machine, _i ? 0xbb0090 : 0x810090, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
    check_machine_end(&check);
}
END_TEST

/* Volta: the channel alone; Turing: and a runlist, which may be ALL (15). */
START_TEST(tokens_that_name_nothing_are_ignored)
{
    static const struct {
        const char *gpu;
        uint32_t token;
        bool good;
    } tokens[] = {{"v100", 4096, false},
                  {"v100", 1 << 16, false},
                  {"v100", 3, true},
                  {"rtx2060", 3 | 10 << 16, true},
                  {"rtx2060", 3 | 15 << 16, true},
                  {"rtx2060", 3 | 11 << 16, false}};

    begin(tokens[_i].gpu);
    machine_write32(check.machine, check.doorbell, tokens[_i].token);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_NOTIFY_PENDING), tokens[_i].good);
    if (tokens[_i].good)
        ck_assert_uint_eq(
            event_nv_notify_pending_of(check_machine_event(&check, EVENT_NV_NOTIFY_PENDING, 0))
                .channel_id,
            3);
    check_machine_end(&check);
}
END_TEST

START_TEST(the_user_mode_window_tells_its_class_and_the_time)
{
    static const struct {
        const char *gpu;
        uint32_t base, class_id;
    } windows[] = {{"v100", 0x810000, 0xc361}, {"rtx2060", 0xbb0000, 0xc461}};
    uint64_t ns;

    begin(windows[_i].gpu);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 5));
    check_machine_run(&check);
    ns = machine_now(check.machine) / GFE_PS_PER_NS;
    ck_assert_uint_gt(ns, 32);
    ck_assert_uint_eq(machine_read32(check.machine, windows[_i].base), windows[_i].class_id);
    ck_assert_uint_eq(machine_read32(check.machine, windows[_i].base + 0x80), ns & ~UINT64_C(31));
    ck_assert_uint_eq(machine_read32(check.machine, windows[_i].base + 0x84), ns >> 32);
    ck_assert_uint_eq(machine_read32(check.machine, windows[_i].base + 0x90), 0);
    check_machine_end(&check);
}
END_TEST

/* ---- runlists -------------------------------------------------------------------------------- */

static const uint32_t bare_short[] = {1, 0, 0, 0};
static const uint32_t bare_long[] = {0, 0, 1, 0, 0, 0, 0, 0};

/* NV.BARE: each in its turn; the slice is RAMFC's, here (9 << 1) units of 1,024 ns. */
START_TEST(before_volta_channels_may_stand_outside_tsgs)
{
    static const char *const gpus[] = {"gtx680", "gtx980", "gtx1060"};
    const struct log_event *start;

    check_machine_begin_on(&check, gpus[_i]);
    for (uint32_t id = 0; id < 2; id++) {
        check_machine_channel(&check, id);
        check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 * id + 0xf8, 0x10001009);
    }
    check_machine_runlist_raw(&check, 0, 2, bare_short);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 5));
    CHECK_SUBMIT(&check, 1, RELEASE(4, 6));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4), 6);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_TSG_START, RULE_NV_BARE), 2);
    for (uint32_t n = 0; n < 2; n++) {
        start = check_machine_event(&check, EVENT_NV_TSG_START, n);
        ck_assert_uint_eq(event_nv_tsg_start_of(start).tsg_id,
                          (1u << 30) + 1 - n); /* the list begins with channel 1 */
        ck_assert_uint_eq(event_nv_tsg_start_of(start).timeslice_ps, 18 * 1024000);
    }
    check_machine_end(&check);
}
END_TEST

/* PBDMA_STATUS says that it is a channel; PREEMPT of that channel, and no other, takes it off. */
START_TEST(a_channel_outside_tsgs_is_preempted_by_its_number)
{
    check_machine_begin_on(&check, "gtx680");
    check_machine_channel(&check, 1);
    check_machine_runlist_raw(&check, 0, 1, bare_short);
    CHECK_SUBMIT(&check, 1, PB_INC(0, 0x10, 4), 0, DATA(0), 9, 1); /* acquire: never */
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x3080), 1 << 13 | 1);
    machine_write32(check.machine, 0x2634, 1 << 24 | 1); /* a TSG of that number */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PREEMPT), 0);
    machine_write32(check.machine, 0x2634, 1);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_PREEMPT), 1);
    check_machine_end(&check);
}
END_TEST

START_TEST(from_volta_on_a_channel_outside_tsgs_is_a_bad_tsg)
{
    static const char *const gpus[] = {"v100", "rtx2060"};

    check_machine_begin_on(&check, gpus[_i]);
    check_machine_channel(&check, 1);
    check_machine_runlist_raw(&check, 0, 1, bare_long);
    CHECK_SUBMIT(&check, 1, RELEASE(0, 5));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    ck_assert_uint_eq(machine_read32(check.machine, SCHED_ERROR), BAD_TSG);
    check_machine_end(&check);
}
END_TEST

/* Length 2 in word 1, ids in word 2, RUNQUEUE in bit 1: the second PBDMA of the runlist. */
START_TEST(entries_of_four_words_are_read_whole)
{
    const uint32_t words[] = {
        200u << 24 | 2 << 16 | 1, 2, 77, 0, 0x12345600, 0, 5 << 12 | 1, 0, 2, 0, 0x6000, 0};

    check_machine_begin_on(&check, "rtx2060");
    check_machine_channel(&check, 0);
    check_machine_runlist_raw(&check, 0, 3, words);
    CHECK_SUBMIT(&check, 0, RELEASE(0, 5));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 5);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).tsg_id, 77);
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_machine_event(&check, EVENT_NV_TSG_START, 0)).timeslice_ps,
        800 * 1024000);
    ck_assert_uint_eq(
        event_nv_channel_load_of(check_machine_event(&check, EVENT_NV_CHANNEL_LOAD, 0)).pbdma_id,
        1);
    check_machine_end(&check);
}
END_TEST

/* Turing: RUNLIST, Pascal's register, submits nothing. */
START_TEST(each_generation_submits_by_its_own_registers)
{
    begin("rtx2060");
    machine_write32(check.machine, 0x2270, 0x12345);
    machine_write32(check.machine, 0x2274, 1);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RUNLIST_SUBMIT), 1);
    check_machine_end(&check);
    begin("v100");
    machine_write32(check.machine, 0x2b08, 1);
    check_machine_read_log(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RUNLIST_SUBMIT), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- Host's methods -------------------------------------------------------------------------- */

/* A method that the class does not have raises METHOD, as does an operation that it does not have.
 */
START_TEST(host_has_the_methods_of_its_class)
{
    static const struct {
        const char *gpu;
        uint32_t method, data;
        int interrupt; /* -1: it goes on */
    } rows[] = {
        {"gtx680", 0x78, 0, INTR_METHOD}, /* WFI */
        {"gtx980", 0x78, 0, -1},
        {"rtx2060", 0x78, 0, -1},
        {"gtx680", 0x80, 0, -1}, /* YIELD: NOP, PBDMA_TIMESLICE, RUNLIST_TIMESLICE */
        {"gtx680", 0x80, 2, INTR_METHOD},
        {"gtx980", 0x80, 1, -1},
        {"gtx1060", 0x80, 1, -1},
        {"v100", 0x80, 1, INTR_METHOD},
        {"v100", 0x80, 2, -1},
        {"gtx680", 0x2c, 5u << 27, -1}, /* MEM_OP_B acts: SYSMEMBAR_FLUSH, SOFT_FLUSH */
        {"gtx680", 0x2c, 6u << 27, -1},
        {"gtx680", 0x2c, 0xau << 27, INTR_METHOD},
        {"gtx680", 0x34, 5u << 27, INTR_METHOD},
        {"gtx980", 0x28, 0, INTR_METHOD}, /* Maxwell has C and D alone */
        {"gtx980", 0x34, 5u << 27, -1},
        {"gtx980", 0x34, 6u << 27, INTR_METHOD},
        {"gtx980", 0x34, 0x15u << 27, INTR_METHOD},
        {"gtx1060", 0x34, 0x15u << 27, -1},
        {"gtx1060", 0x34, 0x16u << 27, INTR_METHOD},
        {"v100", 0x34, 0x16u << 27, -1},   /* ACCESS_COUNTER_CLR */
        {"gtx1060", 0x5c, 0, INTR_METHOD}, /* SEM_ADDR_LO */
        {"gtx980", 0x6c, 0, INTR_METHOD},  /* SEM_EXECUTE */
        {"v100", 0x5c, 0, -1},
        {"gtx1060", 0x84, 0, INTR_METHOD},           /* CLEAR_FAULTED */
        {"v100", 0x84, 0, INTR_CLEAR_FAULTED_ERROR}, /* nothing is faulted */
        {"rtx2060", 0x84, 0, INTR_CLEAR_FAULTED_ERROR},
        {"a100", 0x84, 0, INTR_METHOD},
        {"gtx1060", 0x70, 0, INTR_METHOD}, /* SYNCPOINTA, Tegra's; gone from Volta's class */
        {"v100", 0x70, 0, INTR_METHOD},
    };

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(rows[i].gpu);
        CHECK_SUBMIT(&check, 0, PB_INC(1, rows[i].method, 1), rows[i].data, BEHIND);
        check_machine_run(&check);
        ck_assert_msg(interrupt() == rows[i].interrupt, "%s: method %02x, %08x: %d", rows[i].gpu,
                      rows[i].method, rows[i].data, interrupt());
        ck_assert_int_eq(went_on(), rows[i].interrupt < 0);
        check_machine_end(&check);
    }
}
END_TEST

START_TEST(what_there_is_nothing_of_is_reported)
{
    begin("v100");
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x34, 1), 0x16u << 27, BEHIND); /* ACCESS_COUNTER_CLR */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(event_unmodelled_of(check_machine_event(&check, EVENT_UNMODELLED, 0)).address,
                      0xc36f0034);
    check_machine_end(&check);
}
END_TEST

/* Kepler's SEMAPHORED has no reductions. */
START_TEST(keplers_semaphores_do_not_reduce)
{
    static const struct {
        const char *gpu;
        int interrupt;
    } rows[] = {{"gtx680", INTR_SEMAPHORE}, {"gtx1060", -1}, {"rtx2060", -1}};

    begin(rows[_i].gpu);
    check_machine_poke(&check, CHECK_DATA, 40);
    /* REDUCTION, ADD, unsigned, four bytes, no wait for idle */
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, DATA(0), 2, 0x80000000 | 5 << 27 | 0x01100010,
                 BEHIND);
    check_machine_run(&check);
    ck_assert_int_eq(interrupt(), rows[_i].interrupt);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), rows[_i].interrupt < 0 ? 42 : 40);
    check_machine_end(&check);
}
END_TEST

/* A TLB invalidation in the old form has no fields for it to find fault with; it needs privilege.
 */
START_TEST(keplers_invalidation_takes_its_operand_from_a)
{
    begin("gtx680");
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0xf4, CONFIG_PRIVILEGED);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x28, 2), 0xffffffff, 9u << 27, BEHIND);
    check_machine_run(&check);
    ck_assert_int_eq(interrupt(), -1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MEM_OP), 1);
    ck_assert_uint_eq(event_nv_mem_op_of(check_machine_event(&check, EVENT_NV_MEM_OP, 0)).operation,
                      9);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_end(&check);
}
END_TEST

/* ---- SEM_EXECUTE ----------------------------------------------------------------------------- */

/* RELEASE: 32 or 64 bits, with the time or without. */
START_TEST(sem_execute_releases_as_many_bytes_as_it_says)
{
    static const struct {
        uint32_t execute, bytes, words[4];
    } rows[] = {
        {1, 4, {7, 0x55, 0x55, 0x55}},
        {1 | 1 << 24, 8, {7, 9, 0x55, 0x55}},
        {1 | 1 << 25, 16, {7, 0, 0, 0}},
        {1 | 1 << 24 | 1 << 25, 16, {7, 9, 0, 0}},
    };
    static const char *const gpus[] = {"v100", "rtx2060"};
    const struct log_event *release;

    begin(gpus[_i / 4]);
    for (uint32_t i = 0; i < 4; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 0x55);
    CHECK_SUBMIT(&check, 0, SEM(0, 7, 9, rows[_i % 4].execute), BEHIND);
    check_machine_run(&check);
    release = check_machine_event(&check, EVENT_NV_RELEASE, 0);
    ck_assert_ptr_nonnull(release);
    ck_assert_uint_eq(event_nv_release_of(release).byte_count, rows[_i % 4].bytes);
    for (uint32_t i = 0; i < (rows[_i % 4].bytes == 16 ? 2u : 4u); i++)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 4 * i), rows[_i % 4].words[i]);
    if (rows[_i % 4].bytes == 16)
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 8), release->time_ps / 1000);
    ck_assert(went_on());
    check_machine_end(&check);
}
END_TEST

/* RELEASE_WFI of 1 waits: the polarity is not SEMAPHORED's. */
START_TEST(sem_execute_waits_for_idle_when_its_bit_is_set)
{
    for (uint32_t waits = 0; waits < 2; waits++) {
        begin("rtx2060");
        /* A draw is on its way when the release comes. */
        CHECK_SUBMIT(&check, 0, PB_INC(0, 0x19d0, 1), 1, SEM(0, 7, 0, 1 | waits << 20), BEHIND);
        check_machine_run(&check);
        ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_WFI), waits);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
        check_machine_end(&check);
    }
}
END_TEST

/* The three ways in which Turing compares, in 64 bits: both halves count. */
START_TEST(sem_execute_acquires_in_64_bits)
{
    static const struct {
        uint32_t operation, low, high; /* of memory; the payload is 2 in the upper half, 5 below */
        bool passes;
    } rows[] = {
        {0, 5, 2, true}, {0, 5, 1, false}, {0, 5, 0x80000002, false}, /* ACQUIRE */
        {2, 0, 3, true}, {2, 6, 1, false}, {2, 0, 0x80000003, true},  /* ACQ_STRICT_GEQ */
        {3, 6, 2, true}, {3, 4, 2, false}, {3, 0, 0x80000003, false}, /* ACQ_CIRC_GEQ */
        {4, 0, 2, true}, {4, 2, 1, false},                            /* ACQ_AND */
        {5, 0, 0, true},
    };

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin("rtx2060");
        check_machine_poke(&check, CHECK_DATA, rows[i].low);
        check_machine_poke(&check, CHECK_DATA + 4, rows[i].high);
        CHECK_SUBMIT(&check, 0, SEM(0, 5, 2, rows[i].operation | 1 << 24), BEHIND);
        check_machine_run(&check);
        ck_assert_msg(went_on() == rows[i].passes, "row %u", i);
        check_machine_end(&check);
    }
}
END_TEST

/* Either half may be what is written last. */
START_TEST(a_write_to_either_half_wakes_an_acquire_of_64_bits)
{
    begin("v100");
    check_machine_poke(&check, CHECK_DATA + (_i ? 0 : 4), _i ? 5 : 2);
    CHECK_SUBMIT(&check, 0, SEM(0, 5, 2, 1 << 24), BEHIND);
    check_machine_run(&check);
    ck_assert(!went_on());
    check_machine_poke(&check, CHECK_DATA + (_i ? 4 : 0), _i ? 2 : 5);
    check_machine_run(&check);
    ck_assert(went_on());
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ACQUIRE), 1);
    ck_assert_uint_eq(event_nv_acquire_of(check_machine_event(&check, EVENT_NV_ACQUIRE, 0)).value,
                      UINT64_C(0x200000005));
    check_machine_end(&check);
}
END_TEST

/* Eight bytes need an address of eight, sixteen of sixteen. */
START_TEST(sem_execute_checks_its_address)
{
    static const struct {
        uint32_t offset, execute;
        int interrupt;
    } rows[] = {{4, 1, -1},
                {4, 1 | 1 << 24, INTR_SEMAPHORE},
                {8, 1 | 1 << 24, -1},
                {8, 1 | 1 << 25, INTR_SEMAPHORE},
                {0, 7, INTR_SEMAPHORE},                                  /* no such operation */
                {0, 6 | 1 << 24 | 6u << 27 | 1u << 31, INTR_SEMAPHORE}}; /* INC in 64 bits */

    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin("rtx2060");
        CHECK_SUBMIT(&check, 0, SEM(rows[i].offset, 1, 1, rows[i].execute), BEHIND);
        check_machine_run(&check);
        ck_assert_msg(interrupt() == rows[i].interrupt, "row %u: %d", i, interrupt());
        check_machine_end(&check);
    }
}
END_TEST

/* ---- copies ---------------------------------------------------------------------------------- */

/* Origins of 32 bits came with Pascal. */
START_TEST(the_copy_engine_has_the_methods_of_its_class)
{
    static const struct {
        const char *gpu;
        int interrupt;
    } rows[] = {{"gtx680", ILLEGAL_METHOD},
                {"gtx980", ILLEGAL_METHOD},
                {"gtx1060", -1},
                {"v100", -1},
                {"rtx2060", -1}};

    begin(rows[_i].gpu);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x744, 1), 3, BEHIND);
    check_machine_run(&check);
    ck_assert_int_eq(interrupt(), rows[_i].interrupt);
    check_machine_end(&check);
}
END_TEST

/* GRCE_CONFIG of Turing: GRCE0 uses what LCE1 has. */
START_TEST(a_grce_may_use_another_engines_pces)
{
    begin("rtx2060");
    ck_assert_uint_eq(nv_ce_pces(&check.gpu->ces[0]), 1 << 0);
    ck_assert_uint_eq(nv_ce_pces(&check.gpu->ces[1]), 1 << 0);
    machine_write32(check.machine, 0x104034, 1u << 30 | 2); /* 0 shares 2's, 1 shares 4's */
    machine_write32(check.machine, 0x104038, 1u << 30 | 4);
    ck_assert_uint_eq(nv_ce_pces(&check.gpu->ces[0]), 1 << 2);
    ck_assert_uint_eq(nv_ce_pces(&check.gpu->ces[1]), 1 << 1);
    machine_write32(check.machine, 0x104034, 0);
    ck_assert_uint_eq(nv_ce_pces(&check.gpu->ces[0]), 0);
    check_machine_end(&check);
}
END_TEST

/* A block-linear line of 32 bytes in row 1: its second half lies 32 bytes on, on Turing 64. */
START_TEST(turing_tiles_in_another_order)
{
    static const struct {
        const char *gpu;
        uint32_t at;
    } rows[] = {{"gtx680", 16 + 32}, {"v100", 16 + 32}, {"rtx2060", 16 + 64}};

    begin(rows[_i].gpu);
    for (uint32_t i = 0; i < 8; i++)
        check_machine_poke(&check, CHECK_DATA + 4 * i, 100 + i);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, DATA(0), 0, DATA(0x1000), 32, 32, 32, 1,
                 PB_INC(4, 0x70c, 6), 0x1000, 64, 8, 1, 0, 1u << 16, /* origin: row 1 */
                 PB_INC(4, 0x300, 1), 0x82);                         /* pitch to block linear */
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_ERROR), 0);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x1000 + 16 + 4 * i), 100 + i);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x1000 + rows[_i].at + 4 * i),
                          104 + i);
    }
    check_machine_end(&check);
}
END_TEST

/* ---- PTOP ------------------------------------------------------------------------------------ */

/* Two words for an engine before Pascal, and types COPY0 and up; then three, and type LCE. */
START_TEST(ptop_names_the_copy_engines_as_the_chip_does)
{
    begin("gtx680"); /* GR, CE2 */
    ck_assert_uint_eq(machine_read32(check.machine, 0x22700) & 3, 2);
    ck_assert_uint_eq(machine_read32(check.machine, 0x22704) >> 2, 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0x2270c) >> 2, 3);
    check_machine_end(&check);
    begin("rtx2060"); /* GR0, GRCE0, GRCE1 */
    ck_assert_uint_eq(machine_read32(check.machine, 0x22714) >> 2, 0x13);
    ck_assert_uint_eq(machine_read32(check.machine, 0x2271c) >> 26 & 0xf, 1);
    check_machine_end(&check);
}
END_TEST

Suite *nv_generation_suite(void)
{
    Suite *suite = suite_create("nv_generation");
    TCase *all = tcase_create("every chip"), *doorbells = tcase_create("doorbells");
    TCase *runlists = tcase_create("runlists"), *methods = tcase_create("Host's methods");
    TCase *semaphores = tcase_create("SEM_EXECUTE"), *copies = tcase_create("copies");

    tcase_add_loop_test(all, every_gpus_host_has_a_row_and_every_class_a_table, 0,
                        (int)nv_chip_count);
    tcase_add_loop_test(all, a_channel_runs_on_every_gpu, 0, (int)nv_chip_count);
    tcase_add_loop_test(all, the_copy_engine_takes_the_class_of_its_chip_alone, 0,
                        (int)nv_chip_count);
    tcase_add_test(all, ptop_names_the_copy_engines_as_the_chip_does);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(doorbells, from_volta_on_a_store_to_userd_is_no_doorbell, 0, 2);
    tcase_add_loop_test(doorbells, tokens_that_name_nothing_are_ignored, 0, 6);
    tcase_add_loop_test(doorbells, the_user_mode_window_tells_its_class_and_the_time, 0, 2);
    suite_add_tcase(suite, doorbells);
    tcase_add_loop_test(runlists, before_volta_channels_may_stand_outside_tsgs, 0, 3);
    tcase_add_test(runlists, a_channel_outside_tsgs_is_preempted_by_its_number);
    tcase_add_loop_test(runlists, from_volta_on_a_channel_outside_tsgs_is_a_bad_tsg, 0, 2);
    tcase_add_test(runlists, entries_of_four_words_are_read_whole);
    tcase_add_test(runlists, each_generation_submits_by_its_own_registers);
    suite_add_tcase(suite, runlists);
    tcase_add_test(methods, host_has_the_methods_of_its_class);
    tcase_add_test(methods, what_there_is_nothing_of_is_reported);
    tcase_add_loop_test(methods, keplers_semaphores_do_not_reduce, 0, 3);
    tcase_add_test(methods, keplers_invalidation_takes_its_operand_from_a);
    suite_add_tcase(suite, methods);
    tcase_add_loop_test(semaphores, sem_execute_releases_as_many_bytes_as_it_says, 0, 8);
    tcase_add_test(semaphores, sem_execute_waits_for_idle_when_its_bit_is_set);
    tcase_add_test(semaphores, sem_execute_acquires_in_64_bits);
    tcase_add_loop_test(semaphores, a_write_to_either_half_wakes_an_acquire_of_64_bits, 0, 2);
    tcase_add_test(semaphores, sem_execute_checks_its_address);
    suite_add_tcase(suite, semaphores);
    tcase_add_loop_test(copies, the_copy_engine_has_the_methods_of_its_class, 0, 5);
    tcase_add_test(copies, a_grce_may_use_another_engines_pces);
    tcase_add_loop_test(copies, turing_tiles_in_another_order, 0, 3);
    suite_add_tcase(suite, copies);
    return suite;
}
