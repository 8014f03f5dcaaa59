/* SPDX-License-Identifier: MIT */
/* PCEs: which LCE they serve by the registers of each generation, and how copies share them. */
#include <config.h>

#include <check.h>
#include <stdlib.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "tests/check_copy.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

/* Of a GTX 1060: GRCE0 is on runlist 0, LCE2 on runlist 5, LCE3 on runlist 6; a PCE each. */
enum { GRCE0 = 1, LCE2 = 6, UPLOADER = 0, DOWNLOADER = 1, OTHER = 2 };
enum { PASCAL_PCE2LCE = 0x10402c, PASCAL_GRCE = 0x104034, SHARES_LCE2 = 0x8 | 2 };

static struct check_machine check;

static void channel_on(uint32_t channel_id, uint32_t runlist_id)
{
    check_machine_channel(&check, channel_id);
    check_machine_runlist(&check, runlist_id, 1, &channel_id);
}

static void setup(void)
{
    check_machine_begin(&check, false);
    copy_map(&check);
    channel_on(UPLOADER, 0);
    channel_on(DOWNLOADER, 5);
    channel_on(OTHER, 6);
}

static void teardown(void)
{
    check_machine_end(&check);
}

static void share(void)
{
    machine_write32(check.machine, PASCAL_GRCE, SHARES_LCE2);
}

static void expect_about(gfe_ps took, gfe_ps expected, gfe_ps tolerance)
{
    ck_assert_uint_ge(took, expected - tolerance);
    ck_assert_uint_le(took, expected + tolerance);
}

/* ---- B.R8 ------------------------------------------------------------------------------------ */

/* Bakita and Anderson 2024, Fig. 10: a copy from the GPU to the CPU beside texture uploads.  Where
 * both LCEs have the same PCE it takes about twice as long, in the other direction of the link
 * though it be; where each has its own, it takes what it takes alone. */
START_TEST(uploads_slow_downloads_on_a_shared_pce_only)
{
    const bool shared = _i & 1, beside = _i & 2;
    gfe_ps took;

    if (shared)
        share();
    for (uint32_t i = 0; beside && i < 4; i++)
        CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    check_machine_run(&check);
    took = copy_took(&check, copy_of_channel(&check, DOWNLOADER, 0));
    expect_about(took, shared && beside ? 2 * COPY_LINK_PS : COPY_LINK_PS, 20 * GFE_PS_PER_US);
    ck_assert_int_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_R8) > 0, shared && beside);
    if (shared && beside)
        golden_log_check(&check, "rule_b_r8.events");
}
END_TEST

/* The uploads of both suffer alike, and what is waited and what is served is all of it. */
START_TEST(both_need_twice_their_time_and_know_for_whom_they_wait)
{
    uint64_t up, down;

    share();
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    check_machine_run(&check);
    up = copy_of_channel(&check, UPLOADER, 0);
    down = copy_of_channel(&check, DOWNLOADER, 0);
    expect_about(copy_took(&check, up), 2 * COPY_LINK_PS, 20 * GFE_PS_PER_US);
    expect_about(copy_took(&check, down), 2 * COPY_LINK_PS, 20 * GFE_PS_PER_US);
    /* 500 ns of set-up, its time alone, its waits. */
    expect_about(copy_took(&check, up),
                 COPY_LINK_PS + GFE_PS_PER_US / 2 + copy_waited(&check, up, RULE_B_R8),
                 GFE_PS_PER_NS);
    expect_about(copy_took(&check, down),
                 COPY_LINK_PS + GFE_PS_PER_US / 2 + copy_waited(&check, down, RULE_B_R8),
                 GFE_PS_PER_NS);
    for (uint32_t i = 0; check_machine_event(&check, EVENT_WAIT, i); i++) {
        const struct log_event *wait = check_machine_event(&check, EVENT_WAIT, i);

        if (wait->rule != RULE_B_R8)
            continue;
        ck_assert_uint_eq(event_wait_of(wait).subject_kind, SUBJECT_COPY);
        ck_assert_uint_eq(event_wait_of(wait).blocker_kind, SUBJECT_COPY);
        ck_assert_uint_eq(event_wait_of(wait).subject_id + event_wait_of(wait).blocker_id,
                          up + down);
        ck_assert_uint_le(wait->time_ps - event_wait_of(wait).begin_ps, 10 * GFE_PS_PER_US);
    }
}
END_TEST

/* nv.pce.timeslice_short_ps on Pascal; the length of a wait is the other's turn. */
START_TEST(turns_last_as_long_as_the_parameter_says)
{
    const gfe_ps slice = (gfe_ps[]){GFE_PS_PER_US, 50 * GFE_PS_PER_US, 0}[_i];
    uint32_t whole = 0;

    ck_assert(machine_set_parameter(check.machine, "nv.pce.timeslice_short_ps", slice));
    share();
    /* One that takes no time is taken as the shortest there is: not many of those. */
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(slice ? COPY_LINK_BYTES : 96));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(slice ? COPY_LINK_BYTES : 960));
    check_machine_run(&check);
    for (uint32_t i = 0; check_machine_event(&check, EVENT_WAIT, i); i++) {
        const struct log_event *wait = check_machine_event(&check, EVENT_WAIT, i);

        if (wait->rule != RULE_B_R8)
            continue;
        ck_assert_uint_le(wait->time_ps - event_wait_of(wait).begin_ps, slice ? slice : 1);
        whole += wait->time_ps - event_wait_of(wait).begin_ps == slice;
    }
    if (slice)
        ck_assert_uint_ge(whole, (2 * COPY_LINK_PS - 60 * GFE_PS_PER_US) / slice - 4);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 2);
}
END_TEST

/* TIMESLICE of Turing: GRCE0 shares what LCE1 has. */
START_TEST(a_grce_says_whether_turns_are_long)
{
    const bool is_long = _i;
    gfe_ps longest = 0;

    teardown();
    check_machine_begin_on(&check, "rtx2060");
    copy_map(&check);
    channel_on(UPLOADER, 0);
    channel_on(DOWNLOADER, 1); /* LCE2 */
    machine_write32(check.machine, 0x104034, (uint32_t)is_long << 31 | 1u << 30 | 2);
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    check_machine_run(&check);
    for (uint32_t i = 0; check_machine_event(&check, EVENT_WAIT, i); i++) {
        const struct log_event *wait = check_machine_event(&check, EVENT_WAIT, i);

        if (wait->rule == RULE_B_R8 && wait->time_ps - event_wait_of(wait).begin_ps > longest)
            longest = wait->time_ps - event_wait_of(wait).begin_ps;
    }
    ck_assert_uint_eq(longest, (is_long ? 100 : 10) * GFE_PS_PER_US);
}
END_TEST

/* LCEs never share with LCEs. */
START_TEST(lces_do_not_slow_each_other_but_on_the_link)
{
    const bool same_way = _i;

    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    if (same_way)
        CHECK_SUBMIT(&check, OTHER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    else
        CHECK_SUBMIT(&check, OTHER, COPY_UPLOAD(COPY_LINK_BYTES));
    check_machine_run(&check);
    for (uint32_t channel = DOWNLOADER; channel <= OTHER; channel++)
        expect_about(copy_took(&check, copy_of_channel(&check, channel, 0)),
                     (same_way ? 2 : 1) * COPY_LINK_PS, 20 * GFE_PS_PER_US);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_R8), 0);
    /* Half of its speed by the link, and full speed when the other has ended. */
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_COPY_SPEED, RULE_CORE_COPY_SHARE) > 0,
                      same_way);
    if (same_way) {
        const struct event_copy_speed speed =
            event_copy_speed_of(check_machine_event(&check, EVENT_COPY_SPEED, 0));

        ck_assert_uint_eq(speed.speed_ppm, 500000);
        ck_assert_uint_eq(speed.limited_by, COPY_LIMIT_SYSTEM_WRITE);
    }
}
END_TEST

/* A copy that comes while another runs is slowed from then on, the other too; that one is as fast
 * as before when it has gone. */
START_TEST(speeds_change_when_copies_come_and_go)
{
    uint64_t slow, quick;

    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(2 * COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, OTHER, COPY_LINE(COPY_LOCAL, COPY_LOCAL + 0x100000, 4816 * 1000),
                 COPY_DOWNLOAD(COPY_LINK_BYTES / 2));
    check_machine_run(&check);
    slow = copy_of_channel(&check, DOWNLOADER, 0);
    quick = copy_of_channel(&check, OTHER, 1);
    /* The second has half of the link for 1 ms; the first loses half of that. */
    expect_about(copy_took(&check, quick), COPY_LINK_PS, GFE_PS_PER_US);
    expect_about(copy_took(&check, slow), 2 * COPY_LINK_PS + COPY_LINK_PS / 2, 2 * GFE_PS_PER_US);
    ck_assert_uint_eq(event_copy_speed_of(copy_event(&check, EVENT_COPY_SPEED, slow, 0)).speed_ppm,
                      500000);
    ck_assert_uint_eq(event_copy_speed_of(copy_event(&check, EVENT_COPY_SPEED, slow, 1)).speed_ppm,
                      1000000);
    ck_assert_ptr_null(copy_event(&check, EVENT_COPY_SPEED, slow, 2));
}
END_TEST

/* Both GRCEs on the PCE of LCE2: a third each. */
/* PROMISE (nvidia): Copy engines that share a PCE take turns (rule B.R8). */
START_TEST(three_take_turns_in_order)
{
    const uint32_t entries[] = {1u << 26 | 128u << 18 | 3u << 14 | 1u << 13 | 33, 0, 3 | 1u << 14,
                                (CHECK_INSTANCES + 0x3000) >> 12};
    uint64_t copies[3];

    /* Two channels on two runqueues of runlist 0. */
    const uint32_t list[] = {1u << 26 | 128u << 18 | 3u << 14 | 1u << 13 | 32,
                             0,
                             0,
                             CHECK_INSTANCES >> 12,
                             entries[0],
                             entries[1],
                             entries[2],
                             entries[3]};

    check_machine_channel(&check, 3);
    check_machine_runlist_raw(&check, 0, 4, list);
    machine_write32(check.machine, PASCAL_GRCE, SHARES_LCE2 << 8 | SHARES_LCE2);
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES / 4));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 3, COPY_UPLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    check_machine_run(&check);
    copies[0] = copy_of_channel(&check, UPLOADER, 0);
    copies[1] = copy_of_channel(&check, DOWNLOADER, 0);
    copies[2] = copy_of_channel(&check, 3, 0);
    expect_about(copy_took(&check, copies[0]), COPY_LINK_PS / 2, 20 * GFE_PS_PER_US);
    expect_about(copy_took(&check, copies[1]), 5 * COPY_LINK_PS / 4, 20 * GFE_PS_PER_US);
    expect_about(copy_took(&check, copies[2]), 2 * COPY_LINK_PS, 20 * GFE_PS_PER_US);
    ck_assert_uint_eq(
        event_copy_start_of(copy_event(&check, EVENT_COPY_START, copies[2], 0)).engine_id, 2);
}
END_TEST

/* ---- registers ------------------------------------------------------------------------------- */

static const struct {
    const char *gpu;
    uint32_t map, pce_at, grce_at;
    uint32_t pces[4], grces[2];
} resets[] = {
    {"gtx1060", 0xf, PASCAL_PCE2LCE, PASCAL_GRCE, {0x77773210}, {0}},
    {"v100", 0xff, 0x104040, 0x104034, {0, 1, 2, 3}, {0xf, 0xf}},
    {"rtx2060", 0xf, 0x104040, 0x104034, {1, 4, 2, 3}, {1u << 30 | 1, 0xf}},
    {"rtx2080ti", 0xf, 0x104040, 0x104034, {0xf, 4, 2, 3}, {1u << 30 | 4, 1u << 30 | 3}},
};

START_TEST(registers_begin_as_the_model_says)
{
    const bool packed = resets[_i].pce_at == PASCAL_PCE2LCE;

    teardown();
    check_machine_begin_on(&check, resets[_i].gpu);
    ck_assert_uint_eq(machine_read32(check.machine, 0x104028), resets[_i].map);
    for (uint32_t i = 0; i < (packed ? 1 : 4); i++)
        ck_assert_uint_eq(machine_read32(check.machine, resets[_i].pce_at + 4 * i),
                          resets[_i].pces[i]);
    for (uint32_t i = 0; i < (packed ? 1 : 2); i++)
        ck_assert_uint_eq(machine_read32(check.machine, resets[_i].grce_at + 4 * i),
                          resets[_i].grces[i]);
    machine_write32(check.machine, 0x104028, 0); /* read-only */
    ck_assert_uint_eq(machine_read32(check.machine, 0x104028), resets[_i].map);
}
END_TEST

/* Turing has no PCE 4: its register is not there. */
START_TEST(a_pce_that_is_not_there_has_no_register)
{
    teardown();
    check_machine_begin_on(&check, "rtx2060");
    for (uint32_t i = 0; i < 2; i++)
        machine_write32(check.machine, 0x104050, 2);
    check_machine_read_log(&check);
    ck_assert_uint_eq(machine_read32(check.machine, 0x104050), 0);
    ck_assert_uint_eq(nv_pce_serving(&check.gpu->pce, 2), 1 << 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(event_unmodelled_of(check_machine_event(&check, EVENT_UNMODELLED, 0)).address,
                      0x104050);
    machine_write32(check.machine, 0x10404c, 2); /* PCE 3 there is */
    ck_assert_uint_eq(nv_pce_serving(&check.gpu->pce, 2), 1 << 2 | 1 << 3);
}
END_TEST

/* Ampere and later: the words of GA102's manual, and those of the driver for H100. */
START_TEST(later_chips_have_a_word_for_each_pce)
{
    static const struct {
        const char *gpu;
        uint32_t map, pces[6], grces[2];
    } models[] = {
        {"rtx6000ada", 0x3f, {0xf, 0xf, 0xf, 0xf, 2, 3}, {1u << 30 | 3, 1u << 30 | 2}},
        {"h100", 0xffff, {4, 6, 4, 6, 4, 6}, {1u << 30 | 4, 1u << 30 | 6}},
        {"orin", 0xf, {0, 1, 2, 3, 0xf, 0xf}, {0xf, 0xf}},
    };
    const struct nv_chip *model = nv_chip_by_name(models[_i].gpu);
    const struct nv_ce_layout *layout = nv_ce_layout_of(model->class_host);

    ck_assert_ptr_eq(layout->shared, &nv_ce_ga100_list);
    ck_assert_uint_eq(layout->pce_at, 0x100);
    ck_assert_uint_eq(layout->grce_at, 0x1c0);
    ck_assert_uint_eq(nv_ce_reset_pce_map(model), models[_i].map);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(nv_ce_reset_pce_word(layout, model, i), models[_i].pces[i]);
    for (uint32_t i = 0; i < 2; i++)
        ck_assert_uint_eq(nv_ce_reset_grce_word(layout, model, i), models[_i].grces[i]);
}
END_TEST

/* Kepler: each copy engine is its own PCE, and its registers lie 0x1000 bytes apart.  On a GTX 1080
 * Ti each has its own, too (Bakita and Anderson 2024, Fig. 11). */
START_TEST(copy_engines_of_older_chips_share_nothing)
{
    teardown();
    check_machine_begin_on(&check, _i ? "gtx1080ti" : "gtx680");
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_uint_eq(nv_pce_serving(&check.gpu->pce, i), 1u << i);
    if (_i)
        return;
    machine_write32(check.machine, 0x106904, 0x5);
    ck_assert_uint_eq(machine_read32(check.machine, 0x106904), 0x5);
    ck_assert_uint_eq(machine_read32(check.machine, 0x104904), 0x7);
}
END_TEST

/* Several PCEs for one LCE, none, and a GRCE that shares an LCE without any. */
START_TEST(the_mapping_is_what_the_registers_say)
{
    struct nv_pce *pce = &check.gpu->pce;

    machine_write32(check.machine, PASCAL_PCE2LCE, 0x2272);
    ck_assert_uint_eq(nv_pce_serving(pce, 2), 1 << 0 | 1 << 2 | 1 << 3);
    ck_assert_uint_eq(nv_pce_serving(pce, 0), 0);
    ck_assert_uint_eq(nv_pce_serving(pce, 7), 0); /* 7 is none */
    machine_write32(check.machine, PASCAL_GRCE, 0x0b00 | SHARES_LCE2);
    ck_assert_uint_eq(nv_pce_serving(pce, 0), 1 << 0 | 1 << 2 | 1 << 3);
    ck_assert_uint_eq(nv_pce_serving(pce, 1), 0);        /* LCE3 has none */
    machine_write32(check.machine, PASCAL_GRCE, 0x0202); /* not shared */
    ck_assert_uint_eq(nv_pce_serving(pce, 0), 0);
}
END_TEST

/* Its rates add up: three PCEs are faster than the local memory for reading and writing. */
START_TEST(an_lce_may_have_several_pces)
{
    machine_write32(check.machine, PASCAL_PCE2LCE, _i ? 0x2222 : 0x7727);
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_LINE(COPY_LOCAL, COPY_LOCAL + (8 << 20), 4819200));
    check_machine_run(&check);
    expect_about(copy_took(&check, copy_of_channel(&check, DOWNLOADER, 0)),
                 _i ? GFE_PS_PER_US * 2 * 48192 / 1920 : 100 * GFE_PS_PER_US, GFE_PS_PER_US);
    ck_assert_uint_eq(
        event_copy_start_of(check_machine_event(&check, EVENT_COPY_START, 0)).pce_bits,
        _i ? 0xf : 1 << 1);
}
END_TEST

/* The copy that runs keeps its PCEs; the one behind it finds none. */
START_TEST(a_mapping_written_meanwhile_counts_from_the_next_copy_on)
{
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES), LAUNCH(PITCH_TO_PITCH));
    ck_assert(machine_run(check.machine, COPY_LINK_PS / 2));
    ck_assert_uint_eq(machine_read32(check.machine, 0x105058 + 2 * 0xc0), 0x1ff);
    ck_assert_uint_eq(machine_read32(check.machine, 0x105058 + 3 * 0xc0), 0);
    machine_write32(check.machine, PASCAL_PCE2LCE, 0x3710);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CE_LAUNCHERR), 1);
    ck_assert_uint_eq(
        event_nv_ce_launcherr_of(check_machine_event(&check, EVENT_NV_CE_LAUNCHERR, 0)).code,
        NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG);
    ck_assert_uint_eq(machine_read32(check.machine, NV_CE_LCE_BASE(2) + NV_CE_LCE_INTR_STATUS),
                      1 << 2 | 1 << 3);
    ck_assert_uint_eq(machine_read32(check.machine, 0x105058 + 2 * 0xc0), 0);
}
END_TEST

/* ---- whatever happens ------------------------------------------------------------------------ */

static uint32_t random_register(void)
{
    static const uint32_t registers[] = {
        PASCAL_PCE2LCE, PASCAL_GRCE, 0x104028, 0x104404, 0x10441c, 0x10450c, 0x104510, 0x104514,
        0x104518,       0x10451c,    0x104594, 0x10459c, 0x104410, 0x105058, 0x105118, 0x104034};

    return registers[(size_t)rand() % (sizeof registers / sizeof registers[0])];
}

/* Any word in any register at any time: nothing hangs, nothing is copied twice or elsewhere. */
START_TEST(hostile_registers_do_not_stop_the_machine)
{
    const uint32_t bytes = 1 << 20;
    uint32_t queued, ended, dropped;

    srand((unsigned)_i + 1);
    copy_fill(&check, COPY_LOCAL + (32 << 20), bytes, 5);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(bytes));
        CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(bytes));
        CHECK_SUBMIT(&check, OTHER, COPY_DOWNLOAD(bytes / 2));
    }
    for (uint32_t i = 0; i < 300; i++) {
        ck_assert(machine_run(check.machine, (gfe_ps)i * 5 * GFE_PS_PER_US));
        machine_write32(check.machine, random_register(),
                        (uint32_t)rand() << (rand() % 8) ^ (uint32_t)rand());
        (void)machine_read32(check.machine, random_register());
    }
    /* Everything as it should be: whatever was held goes on. */
    machine_write32(check.machine, PASCAL_PCE2LCE, 0x3210);
    machine_write32(check.machine, PASCAL_GRCE, 0);
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            machine_write32(check.machine, NV_CE_LCE_BASE(i) + NV_CE_LCE_ENGCTL, 0);
            machine_write32(check.machine, NV_CE_LCE_BASE(i) + NV_CE_LCE_INTR_STATUS, UINT32_MAX);
        }
        ck_assert(machine_run(check.machine, GFE_PS_NEVER));
    }
    check_machine_run(&check);
    queued = check_machine_count(&check, EVENT_COPY_QUEUE);
    ended = check_machine_count(&check, EVENT_COPY_END);
    dropped = check_machine_count(&check, EVENT_NV_CE_LAUNCHERR);
    ck_assert_uint_eq(queued, 18);
    ck_assert_uint_eq(ended + dropped, queued);
    for (uint32_t ce = 0; ce < check.gpu->ce_count; ce++)
        ck_assert(!nv_ce_busy(&check.gpu->ces[ce]));
}
END_TEST

/* Taken between any two events, while turns are taken and the link is shared. */
START_TEST(a_snapshot_goes_on_as_the_run_did)
{
    struct machine_snapshot *snapshots[40] = {0};
    char whole[65], again[65];
    uint32_t taken = 0;

    share();
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES / 16));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES / 16));
    CHECK_SUBMIT(&check, OTHER, COPY_DOWNLOAD(COPY_LINK_BYTES / 16));
    for (uint32_t i = 0; machine_step(check.machine); i++)
        if (i % 3 == 1 && taken < 40)
            snapshots[taken++] = machine_take(check.machine);
    check_machine_log_hash(check.machine, whole);
    ck_assert_uint_ge(taken, 10);
    for (uint32_t i = 0; i < taken; i++) {
        ck_assert(machine_restore(check.machine, snapshots[i]));
        ck_assert(machine_run(check.machine, GFE_PS_NEVER));
        check_machine_log_hash(check.machine, again);
        ck_assert_str_eq(whole, again);
        machine_snapshot_free(snapshots[i]);
    }
}
END_TEST

/* The queue of events does not fill with those of turns that never came. */
START_TEST(turns_leave_no_events_behind)
{
    uint32_t peak;

    ck_assert(machine_set_parameter(check.machine, "nv.pce.timeslice_short_ps", 200000));
    share();
    CHECK_SUBMIT(&check, UPLOADER, COPY_UPLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, DOWNLOADER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    CHECK_SUBMIT(&check, OTHER, COPY_DOWNLOAD(COPY_LINK_BYTES));
    ck_assert(machine_run(check.machine, COPY_LINK_PS / 10));
    peak = check.machine->queue.state->peak_count;
    check_machine_run(&check);
    ck_assert_uint_ge(check_machine_count_rule(&check, EVENT_WAIT, RULE_B_R8), 5000);
    ck_assert_uint_le(check.machine->queue.state->peak_count, peak);
    ck_assert_uint_le(peak, 16);
}
END_TEST

/* ---- suite ----------------------------------------------------------------------------------- */

Suite *nv_pce_suite(void)
{
    Suite *suite = suite_create("nv_pce");
    TCase *sharing = tcase_create("sharing"), *registers = tcase_create("registers");
    TCase *anything = tcase_create("anything");

    tcase_add_checked_fixture(sharing, setup, teardown);
    tcase_add_loop_test(sharing, uploads_slow_downloads_on_a_shared_pce_only, 0, 4);
    tcase_add_test(sharing, both_need_twice_their_time_and_know_for_whom_they_wait);
    tcase_add_loop_test(sharing, turns_last_as_long_as_the_parameter_says, 0, 3);
    tcase_add_loop_test(sharing, a_grce_says_whether_turns_are_long, 0, 2);
    tcase_add_loop_test(sharing, lces_do_not_slow_each_other_but_on_the_link, 0, 2);
    tcase_add_test(sharing, speeds_change_when_copies_come_and_go);
    tcase_add_test(sharing, three_take_turns_in_order);
    tcase_add_checked_fixture(registers, setup, teardown);
    tcase_add_loop_test(registers, registers_begin_as_the_model_says, 0,
                        sizeof resets / sizeof resets[0]);
    tcase_add_loop_test(registers, later_chips_have_a_word_for_each_pce, 0, 3);
    tcase_add_loop_test(registers, copy_engines_of_older_chips_share_nothing, 0, 2);
    tcase_add_test(registers, a_pce_that_is_not_there_has_no_register);
    tcase_add_test(registers, the_mapping_is_what_the_registers_say);
    tcase_add_loop_test(registers, an_lce_may_have_several_pces, 0, 2);
    tcase_add_test(registers, a_mapping_written_meanwhile_counts_from_the_next_copy_on);
    tcase_add_checked_fixture(anything, setup, teardown);
    tcase_add_loop_test(anything, hostile_registers_do_not_stop_the_machine, 0, 8);
    tcase_add_test(anything, a_snapshot_goes_on_as_the_run_did);
    tcase_add_test(anything, turns_leave_no_events_behind);
    suite_add_tcase(suite, sharing);
    suite_add_tcase(suite, registers);
    suite_add_tcase(suite, anything);
    return suite;
}
