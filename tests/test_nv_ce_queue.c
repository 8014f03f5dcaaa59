/* SPDX-License-Identifier: MIT */
/* Copies whose context leaves the engine and comes back: where they stop, what is in memory then,
 * and that nothing is lost, neither bytes nor time. */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "tests/check_copy.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

/* Channels 1 and 2, in TSGs 33 and 34, on runlist 5: that of LCE2 (the third copy engine). */
enum { FIRST = 1, SECOND = 2, TSG_1 = 33, TSG_2 = 34, SPLIT = 65536 };
enum { CONFIG_NO_SPLIT = 1 << 4, CONFIG_NO_THROTTLE = 1 << 5, LCE2_BASE = 0x104500 };

static struct check_machine check;
static uint32_t suspensions;

static void suspended(void *context)
{
    (void)context;
    suspensions++;
}

static struct nv_ce *ce(void)
{
    return &check.gpu->ces[2];
}

static void setup(void)
{
    check_machine_begin(&check, false);
    copy_map(&check);
    check_machine_channel(&check, FIRST);
    check_machine_channel(&check, SECOND);
    check_machine_runlist(&check, 5, 2, (const uint32_t[]){FIRST, SECOND});
    suspensions = 0;
}

/* Nobody but the test takes contexts off and on. */
static void setup_alone(void)
{
    setup();
    nv_engine_connect(ce()->engine, NULL, NULL);
    ce()->engine = NULL;
    ce()->suspended = suspended;
}

static void teardown(void)
{
    check_machine_end(&check);
}

/* Time goes on to `at_ps`, with an event that nobody minds. */
static void run_to(gfe_ps at_ps)
{
    machine_schedule(check.machine, ce()->unit, at_ps, NV_CE_RESUME, 0);
    ck_assert(machine_run(check.machine, at_ps + 1));
    ck_assert_uint_eq(machine_now(check.machine), at_ps);
    check_machine_read_log(&check);
}

static void configure(uint32_t channel_id, uint32_t config)
{
    check_machine_poke_vram(&check, CHECK_INSTANCES + 0x1000 * channel_id + 0xf4, config);
}

/* The first copy begins to move its bytes there. */
static gfe_ps moving_from(uint64_t copy_id)
{
    const gfe_ps setup_ps = UINT64_C(753) * GFE_PS_PER_S / 1506000000;

    return copy_event(&check, EVENT_COPY_START, copy_id, 0)->time_ps + setup_ps;
}

/* Starts a download of `bytes` by a channel and goes to `after` of its first byte. */
static uint64_t start_and_run(uint32_t channel_id, uint32_t bytes, gfe_ps after)
{
    copy_fill(&check, COPY_LOCAL + (32 << 20), bytes, channel_id);
    CHECK_SUBMIT(&check, channel_id, SEMAPHORE_AT(SEMAPHORE, 77), PB_INC(4, 0x400, 8), 0,
                 COPY_LOCAL + (32 << 20), 0, COPY_SYSTEM + (32 << 20), 0, 0, bytes, 1,
                 LAUNCH(PITCH_TO_PITCH | ONE_WORD));
    while (ce()->state->phase == NV_CE_RESTS)
        ck_assert(machine_step(check.machine));
    check_machine_read_log(&check);
    run_to(moving_from(1) + after);
    return 1;
}

/* The first `moved` bytes are there, and not one more. */
static void expect_moved(uint32_t bytes, uint32_t moved)
{
    uint8_t *from = copy_fetch(&check, COPY_LOCAL + (32 << 20), bytes);
    uint8_t *to = copy_fetch(&check, COPY_SYSTEM + (32 << 20), bytes);

    ck_assert_mem_eq(from, to, moved);
    memset(from, 0, bytes);
    ck_assert_mem_eq(from, to + moved, bytes - moved);
    free(from);
    free(to);
}

/* ---- where it stops -------------------------------------------------------------------------- */

static const struct {
    uint32_t config, split;
    gfe_ps after;
    uint32_t moved; /* 960,000 bytes at 12 a nanosecond */
} stops[] = {
    {0, SPLIT, 20 * GFE_PS_PER_US, 4 * SPLIT}, /* 240,000 are done */
    {0, SPLIT, GFE_PS_PER_NS, SPLIT},          /* hardly any is */
    {0, SPLIT, 79 * GFE_PS_PER_US, 960000},    /* no place is left but the end */
    {0, 1 << 20, 19 * GFE_PS_PER_US, 240000},  /* THROTTLE: 120,000 in 10 us */
    {0, 1 << 20, 21 * GFE_PS_PER_US, 360000},
    {CONFIG_NO_THROTTLE, 1 << 20, 20 * GFE_PS_PER_US, 960000},
    {CONFIG_NO_THROTTLE, 240000, 30 * GFE_PS_PER_US, 480000},
    {CONFIG_NO_SPLIT, SPLIT, 20 * GFE_PS_PER_US, 960000},
    {0, 0, 20 * GFE_PS_PER_US, 0}, /* 0 is taken as one byte: anywhere */
};

START_TEST(a_copy_stops_where_host_would_have_split_it)
{
    uint32_t moved = stops[_i].moved, word;
    gfe_ps stopped;

    ck_assert(machine_set_parameter(check.machine, "nv.ce.split_bytes", stops[_i].split));
    configure(FIRST, stops[_i].config);
    (void)start_and_run(FIRST, 960000, stops[_i].after);
    nv_ce_suspend(ce(), TSG_1);
    check_machine_run(&check);
    ck_assert_uint_eq(suspensions, 1);
    ck_assert(!nv_ce_busy(ce()));
    if (moved == 0) {
        moved = (uint32_t)event_copy_suspend_of(copy_event(&check, EVENT_COPY_SUSPEND, 1, 0))
                    .moved_bytes;
        ck_assert_uint_ge(moved, 239980);
        ck_assert_uint_le(moved, 240020);
    }
    expect_moved(960000, moved);
    ck_assert_int_eq(nv_ce_has_work(ce(), TSG_1), moved < 960000);
    ck_assert(!nv_ce_has_work(ce(), TSG_2));
    if (moved == 960000) {
        ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
        return;
    }
    /* The semaphore comes behind the last byte. */
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 0);
    stopped = copy_event(&check, EVENT_COPY_SUSPEND, 1, 0)->time_ps;
    ck_assert_uint_eq(
        event_copy_suspend_of(copy_event(&check, EVENT_COPY_SUSPEND, 1, 0)).moved_bytes, moved);
    ck_assert_uint_ge(stopped, moving_from(1) + UINT64_C(1000) * moved / 12);
    ck_assert_uint_le(stopped, moving_from(1) + UINT64_C(1000) * moved / 12 + 1);
    /* What is moved is not read again. */
    word = check_machine_peek(&check, COPY_LOCAL + (32 << 20));
    check_machine_poke(&check, COPY_LOCAL + (32 << 20), ~word);
    nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
    check_machine_run(&check);
    check_machine_poke(&check, COPY_LOCAL + (32 << 20), word);
    expect_moved(960000, 960000);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 77);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
}
END_TEST

/* A set-up is begun again; nothing was moved. */
START_TEST(a_set_up_can_be_broken_off)
{
    CHECK_SUBMIT(&check, FIRST, COPY_DOWNLOAD(960000));
    while (!check_machine_count(&check, EVENT_COPY_START)) {
        ck_assert(machine_step(check.machine));
        check_machine_read_log(&check);
    }
    nv_ce_suspend(ce(), TSG_1);
    ck_assert_uint_eq(suspensions, 1);
    check_machine_run(&check);
    ck_assert_uint_eq(
        event_copy_suspend_of(copy_event(&check, EVENT_COPY_SUSPEND, 1, 0)).moved_bytes, 0);
    nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
}
END_TEST

/* Lines and tiles stop within a line, at whole elements, and the rest is right. */
/* PROMISE (nvidia): Suspended copies of every shape go on where they stopped. */
START_TEST(copies_of_every_shape_stop_and_go_on)
{
    uint8_t *once, *again;
    const uint32_t lines = 700, length = 300;

    /* Elements of three bytes out of one, swizzled; pitch to tiled. */
    const uint32_t words[] = {PB_INC(4, 0x708, 1),
                              0x2000000 | 4 << 4,
                              PB_INC(4, 0x700, 1),
                              0x5a,
                              COPY(0, TARGET, 512, 1024, length, lines),
                              SURFACE(0x70c, 2 << 4, 1024, 1024, 1, 0, 3, 5),
                              LAUNCH(PITCH_TO_TILED | REMAP)};

    ck_assert(machine_set_parameter(check.machine, "nv.ce.split_bytes", 1000));
    ck_assert(machine_set_parameter(check.machine, "core.copy_setup_cycles", 0));
    copy_fill(&check, CHECK_DATA, 512 * lines, 9);
    check_machine_submit(&check, FIRST, words, sizeof words / sizeof words[0]);
    check_machine_run(&check);
    once = copy_fetch(&check, CHECK_DATA + TARGET, 3 << 20);
    teardown();
    setup_alone();
    ck_assert(machine_set_parameter(check.machine, "nv.ce.split_bytes", 1000));
    ck_assert(machine_set_parameter(check.machine, "core.copy_setup_cycles", 0));
    copy_fill(&check, CHECK_DATA, 512 * lines, 9);
    check_machine_submit(&check, FIRST, words, sizeof words / sizeof words[0]);
    for (uint32_t i = 0; i < 10000; i++) {
        if (ce()->state->phase == NV_CE_MOVES && i % 2) {
            run_to(machine_now(check.machine) + 100 * GFE_PS_PER_NS);
            nv_ce_suspend(ce(), TSG_1);
        }
        if (!machine_step(check.machine) && !nv_ce_has_work(ce(), TSG_1))
            break;
        if (suspensions) {
            suspensions = 0;
            nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
        }
    }
    check_machine_run(&check);
    ck_assert_uint_ge(check_machine_count(&check, EVENT_COPY_SUSPEND), 10);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    again = copy_fetch(&check, CHECK_DATA + TARGET, 3 << 20);
    ck_assert_mem_eq(once, again, 3 << 20);
    free(once);
    free(again);
}
END_TEST

/* ---- what holds it --------------------------------------------------------------------------- */

/* A blocking interrupt behind the copy: the context stays until software clears it. */
START_TEST(an_interrupt_keeps_the_context_on_the_engine)
{
    CHECK_SUBMIT(&check, FIRST, COPY_LINE(COPY_LOCAL, COPY_SYSTEM, 4096),
                 LAUNCH(PITCH_TO_PITCH | 1 << 5), LAUNCH(PITCH_TO_PITCH));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    nv_ce_suspend(ce(), TSG_1);
    check_machine_run(&check);
    ck_assert_uint_eq(suspensions, 0);
    machine_write32(check.machine, LCE2_BASE + NV_CE_LCE_INTR_STATUS, 1);
    ck_assert_uint_eq(suspensions, 1);
    ck_assert(nv_ce_has_work(ce(), TSG_1));
    nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 3);
}
END_TEST

/* ENGCTL: no further copy is taken up; STALLACK when the one that moves has ended. */
START_TEST(software_can_stall_the_engine)
{
    const uint32_t engctl = LCE2_BASE + NV_CE_LCE_ENGCTL;

    CHECK_SUBMIT(&check, FIRST, COPY_DOWNLOAD(960000), LAUNCH(PITCH_TO_PITCH));
    run_to(20 * GFE_PS_PER_US);
    ck_assert_uint_eq(machine_read32(check.machine, LCE2_BASE + NV_CE_LCE_BIND_STATUS),
                      1 | (CHECK_INSTANCES + 0x1000) >> 12 << 1);
    machine_write32(check.machine, engctl, UINT32_MAX);
    ck_assert_uint_eq(machine_read32(check.machine, engctl), 1 << 8);
    check_machine_run(&check);
    ck_assert_uint_eq(machine_read32(check.machine, engctl), 3 << 8);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    ck_assert_uint_eq(machine_read32(check.machine, LCE2_BASE + NV_CE_LCE_STATUS), 1);
    run_to(machine_now(check.machine) + GFE_PS_PER_US);
    machine_write32(check.machine, engctl, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CE_INTR), 1);
}
END_TEST

/* No translation in the part that was to be brought to memory: the channel stops, the context
 * leaves without it. */
START_TEST(a_fault_on_the_way_out_ends_the_copy)
{
    CHECK_SUBMIT(&check, FIRST,
                 COPY_LINE(COPY_LOCAL, COPY_SYSTEM + COPY_MAPPED_BYTES - 4096, 960000));
    ck_assert(machine_run(check.machine, 4 * GFE_PS_PER_US));
    run_to(20 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_1);
    check_machine_run(&check);
    ck_assert_uint_eq(suspensions, 1);
    ck_assert(!nv_ce_has_work(ce(), TSG_1));
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(
        event_nv_mmu_fault_of(check_machine_event(&check, EVENT_NV_MMU_FAULT, 0)).address,
        COPY_SYSTEM + COPY_MAPPED_BYTES);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 0);
}
END_TEST

/* ---- contexts -------------------------------------------------------------------------------- */

/* Launches behind the one that stops go and come with it, in their order. */
START_TEST(launches_behind_it_keep_their_order)
{
    ck_assert(machine_set_parameter(check.machine, "nv.ce.credits", 8));
    CHECK_SUBMIT(&check, FIRST, COPY_DOWNLOAD(960000), COPY_DOWNLOAD(4000), COPY_DOWNLOAD(8000),
                 COPY_DOWNLOAD(12000));
    run_to(40 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_1);
    run_to(60 * GFE_PS_PER_US);
    ck_assert_uint_eq(suspensions, 1);
    ck_assert_uint_eq(ce()->saved->free_count, NV_CE_SAVED - 4);
    CHECK_SUBMIT(&check, SECOND, COPY_DOWNLOAD(16000), COPY_DOWNLOAD(20000));
    run_to(80 * GFE_PS_PER_US);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
    check_machine_run(&check);
    ck_assert_uint_eq(ce()->saved->free_count, NV_CE_SAVED);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(
            event_copy_end_of(check_machine_event(&check, EVENT_COPY_END, i)).byte_count,
            ((const uint32_t[]){16000, 20000, 960000, 4000, 8000, 12000})[i]);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_R4), 4);
    golden_log_check(&check, "rule_b_r4.events");
}
END_TEST

/* Two contexts take turns a thousand times: each copy gets its time alone, no more and no less, and
 * nothing is left behind. */
START_TEST(no_time_is_lost_over_a_thousand_turns)
{
    const uint32_t turns = 1000;
    uint32_t tsg = TSG_1;
    gfe_ps on[2] = {0, 0}, since;

    ck_assert(machine_set_parameter(check.machine, "core.copy_setup_cycles", 0));
    ck_assert(machine_set_parameter(check.machine, "nv.ce.split_bytes", 1000));
    CHECK_SUBMIT(&check, FIRST, COPY_UPLOAD(30000000));
    run_to(3 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_1);
    run_to(6 * GFE_PS_PER_US);
    ck_assert_uint_eq(suspensions, 1);
    CHECK_SUBMIT(&check, SECOND, COPY_UPLOAD(30000000));
    run_to(9 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_2);
    run_to(12 * GFE_PS_PER_US);
    ck_assert_uint_eq(suspensions, 2);
    for (uint32_t i = 0; i < turns; i++) {
        since = machine_now(check.machine);
        nv_ce_resume(ce(), tsg, tsg - 32, check.space_id);
        run_to(since + 1234567 + i);
        nv_ce_suspend(ce(), tsg);
        while (suspensions < 3 + i)
            ck_assert(machine_step(check.machine));
        on[tsg - TSG_1] += machine_now(check.machine) - since;
        tsg = TSG_1 + TSG_2 - tsg;
    }
    ck_assert_uint_le(check.machine->queue.state->peak_count, 16);
    for (tsg = TSG_1; tsg <= TSG_2; tsg++) {
        since = machine_now(check.machine);
        nv_ce_resume(ce(), tsg, tsg - 32, check.space_id);
        check_machine_run(&check);
        on[tsg - TSG_1] += copy_event(&check, EVENT_COPY_END, tsg - 32, 0)->time_ps - since;
        on[tsg - TSG_1] += copy_event(&check, EVENT_COPY_SUSPEND, tsg - 32, 0)->time_ps -
                           copy_event(&check, EVENT_COPY_START, tsg - 32, 0)->time_ps;
        /* Each stop is at the picosecond behind its last byte, each start at a cycle of the clock.
         */
        ck_assert_uint_ge(on[tsg - TSG_1], 2500 * GFE_PS_PER_US);
        ck_assert_uint_le(on[tsg - TSG_1], 2500 * GFE_PS_PER_US + turns / 2 * 666);
    }
}
END_TEST

/* Many contexts, each with its own launches, and the end of the room for them. */
START_TEST(thousands_of_contexts_find_their_launches)
{
    struct nv_ce_state *state = ce()->state;
    const uint32_t contexts = NV_CE_SAVED / 2;

    for (uint32_t tsg = 0; tsg < contexts; tsg++) {
        for (uint32_t i = 0; i < 2; i++)
            state->copies[state->count++] = (struct nv_ce_copy){
                .copy_id = 2 * tsg + i + 1, .tsg_id = tsg, .channel_id = FIRST, .byte_count = 0};
        nv_ce_suspend(ce(), tsg);
        ck_assert_uint_eq(suspensions, tsg + 1);
    }
    ck_assert_uint_eq(ce()->saved->free_count, 0);
    /* No room: what is on the engine runs on, then its context leaves. */
    CHECK_SUBMIT(&check, SECOND, COPY_DOWNLOAD(960000), LAUNCH(PITCH_TO_PITCH));
    run_to(20 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_2);
    run_to(50 * GFE_PS_PER_US);
    ck_assert_uint_eq(suspensions, contexts);
    check_machine_run(&check);
    ck_assert_uint_eq(suspensions, contexts + 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    for (uint32_t n = 0; n < contexts; n++) {
        const uint32_t tsg = (n * 577 + 13) % contexts;

        ck_assert(nv_ce_has_work(ce(), tsg));
        ce()->regs->storage[NV_CE_LCE_ENGCTL / 4] = 1 << 8; /* nothing runs */
        nv_ce_resume(ce(), tsg, FIRST, check.space_id);
        ck_assert_uint_eq(state->count, 2);
        ck_assert_uint_eq(state->copies[state->head].copy_id, 2 * tsg + 1);
        ck_assert_uint_eq(state->copies[state->head + 1].copy_id, 2 * tsg + 2);
        state->count = state->head = 0;
        ck_assert(!nv_ce_has_work(ce(), tsg));
        ck_assert_uint_eq(ce()->saved->free_count, 2 * (n + 1));
    }
}
END_TEST

/* A context that leaves while its copy waits for its turn on a PCE. */
START_TEST(a_copy_that_waits_for_a_pce_can_be_suspended)
{
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    machine_write32(check.machine, 0x104034, 0x8 | 2); /* GRCE0 shares LCE2's */
    CHECK_SUBMIT(&check, 0, COPY_UPLOAD(COPY_LINK_BYTES / 10));
    CHECK_SUBMIT(&check, FIRST, COPY_DOWNLOAD(COPY_LINK_BYTES / 10));
    for (uint32_t i = 0; i < 3; i++) {
        run_to((gfe_ps)(30 + 33 * i) * GFE_PS_PER_US);
        nv_ce_suspend(ce(), TSG_1);
        while (suspensions < i + 1)
            ck_assert(machine_step(check.machine));
        nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
    }
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND), 3);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
}
END_TEST

START_TEST(a_snapshot_carries_suspended_copies)
{
    struct machine_snapshot *snapshot;
    char whole[65], again[65];

    (void)start_and_run(FIRST, 960000, 20 * GFE_PS_PER_US);
    nv_ce_suspend(ce(), TSG_1);
    run_to(60 * GFE_PS_PER_US);
    snapshot = machine_take(check.machine);
    for (uint32_t i = 0; i < 2; i++) {
        if (i)
            ck_assert(machine_restore(check.machine, snapshot));
        CHECK_SUBMIT(&check, SECOND, COPY_DOWNLOAD(4000));
        run_to(80 * GFE_PS_PER_US);
        nv_ce_resume(ce(), TSG_1, FIRST, check.space_id);
        check_machine_run(&check);
        ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
        check_machine_log_hash(check.machine, i ? again : whole);
        check.put[SECOND] = check.push_at[SECOND] = 0;
    }
    ck_assert_str_eq(whole, again);
    machine_snapshot_free(snapshot);
}
END_TEST

/* Bakita and Anderson 2024, Fig. 7: the copies of two programs on one runlist alternate, a slice of
 * 1,048.576 us each (B.T1), cut at the next split. */
START_TEST(two_programs_copy_in_slices)
{
    const gfe_ps slice = UINT64_C(1048576000);
    gfe_ps last = 0;

    CHECK_SUBMIT(&check, FIRST, COPY_UPLOAD(30000000));
    CHECK_SUBMIT(&check, SECOND, COPY_UPLOAD(30000000));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_SUSPEND),
                      check_machine_count(&check, EVENT_COPY_RESUME));
    ck_assert_uint_ge(check_machine_count(&check, EVENT_COPY_SUSPEND), 3);
    for (uint32_t i = 0; i < 4; i++) {
        const struct log_event *cut = check_machine_event(&check, EVENT_COPY_SUSPEND, i);

        if (!cut)
            break;
        ck_assert_uint_eq(event_copy_suspend_of(cut).channel_id, i % 2 ? SECOND : FIRST);
        ck_assert_uint_eq(event_copy_suspend_of(cut).moved_bytes % SPLIT, 0);
        if (i > 0) {
            ck_assert_uint_ge(cut->time_ps - last, slice);
            ck_assert_uint_le(cut->time_ps - last, slice + 20 * GFE_PS_PER_US);
        }
        last = cut->time_ps;
    }
    /* What a copy waits for its context and what it moves is all of its life. */
    for (uint64_t copy = 1; copy <= 2; copy++)
        ck_assert_uint_le(copy_took(&check, copy) - copy_waited(&check, copy, RULE_B_R4),
                          2500 * GFE_PS_PER_US + 4 * GFE_PS_PER_US);
}
END_TEST

START_TEST(the_state_of_an_engine_grows_with_its_pces)
{
    ck_assert_uint_eq(nv_ce_state_bytes(ce(), TSG_1), 135 * (13 * 4 + 2));
}
END_TEST

Suite *nv_ce_queue_suite(void)
{
    Suite *suite = suite_create("nv_ce_queue");
    TCase *places = tcase_create("places"), *contexts = tcase_create("contexts");
    TCase *turns = tcase_create("turns");

    tcase_add_checked_fixture(places, setup_alone, teardown);
    tcase_add_loop_test(places, a_copy_stops_where_host_would_have_split_it, 0,
                        sizeof stops / sizeof stops[0]);
    tcase_add_test(places, a_set_up_can_be_broken_off);
    tcase_add_test(places, copies_of_every_shape_stop_and_go_on);
    tcase_add_test(places, an_interrupt_keeps_the_context_on_the_engine);
    tcase_add_test(places, software_can_stall_the_engine);
    tcase_add_test(places, a_fault_on_the_way_out_ends_the_copy);
    tcase_add_checked_fixture(contexts, setup_alone, teardown);
    tcase_add_test(contexts, launches_behind_it_keep_their_order);
    tcase_add_test(contexts, no_time_is_lost_over_a_thousand_turns);
    tcase_add_test(contexts, thousands_of_contexts_find_their_launches);
    tcase_add_test(contexts, a_copy_that_waits_for_a_pce_can_be_suspended);
    tcase_add_test(contexts, a_snapshot_carries_suspended_copies);
    tcase_add_test(contexts, the_state_of_an_engine_grows_with_its_pces);
    suite_add_tcase(suite, places);
    suite_add_tcase(suite, contexts);
    tcase_add_checked_fixture(turns, setup, teardown);
    tcase_add_test(turns, two_programs_copy_in_slices);
    suite_add_tcase(suite, turns);
    return suite;
}
