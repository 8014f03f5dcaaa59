/* SPDX-License-Identifier: MIT */
/* Lives in logs made by hand, piece by piece; names of operations; logs that cannot be. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_tables.h"
#include "emu/analysis/explain/explain_print.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "tests/check_explain.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

/* A log made by hand, loaded. */
struct made {
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct explain explain;
};

static void made_load(struct made *made)
{
    struct gfe_error error = {0};

    log_fixture_end(&made->fixture);
    made->log = event_log_open(made->fixture.path, &error);
    ck_assert_msg(made->log != NULL, "%s", error.text);
    ck_assert_msg(explain_load(&made->explain, made->log, &error), "%s", error.text);
}

static void made_end(struct made *made)
{
    explain_fini(&made->explain);
    event_log_close(made->log);
    log_fixture_remove(&made->fixture);
}

/* ---- logs made by hand ----------------------------------------------------------------------- */

/* What a piece has to be. */
struct wanted {
    gfe_ps end_ps;
    enum explain_what what;
    const char *rule, *by; /* of a wait */
};

static void life_is(const struct explain *explain, const char *name, gfe_ps birth_ps,
                    const struct wanted *wanted, uint32_t count)
{
    struct explain_life life = {0};
    char by[EXPLAIN_NAME_BYTES];
    struct explain_ref ref;

    ck_assert_msg(explain_find(explain, name, &ref), "%s", name);
    check_explain_life(explain, ref, &life, true);
    ck_assert_uint_eq(life.birth_ps, birth_ps);
    ck_assert_msg(life.count == count, "%s has %u pieces", name, life.count);
    for (uint32_t i = 0; i < count; i++) {
        const struct explain_piece *piece = &life.pieces[i];
        ck_assert_msg(piece->end_ps == wanted[i].end_ps && piece->what == wanted[i].what,
                      "%s: piece %u is %s to %llu", name, i, explain_whats[piece->what].text,
                      (unsigned long long)piece->end_ps);
        if (piece->what != EXPLAIN_WAIT)
            continue;
        ck_assert_str_eq(explain_rule(explain, piece->rule), wanted[i].rule);
        ck_assert_str_eq(explain_by_name(explain, piece->by, by), wanted[i].by);
    }
    explain_life_fini(&life);
}

#define LIFE_IS(explain, name, birth_ps, ...)                                                      \
    life_is((explain), (name), (birth_ps), (const struct wanted[]){__VA_ARGS__},                   \
            sizeof((const struct wanted[]){__VA_ARGS__}) / sizeof(struct wanted))

/* Two launches on one SM that holds one block; the second is behind the first. */
START_TEST(blocks_wait_for_launches_blocks_and_the_sm)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 100, EVENT_NV_LAUNCH, RULE_NONE, 0, 0x100, 0);
    LOG_ADD(log, 120, EVENT_NV_LAUNCH, RULE_NONE, 0, 0x200, 0);
    LOG_ADD(log, 200, EVENT_GRID_QUEUE, RULE_NONE, 5, 0, 2, 32, 0, 8, 0, 0x100);
    LOG_ADD(log, 200, EVENT_GRID_START, RULE_NONE, 5, 0);
    LOG_ADD(log, 200, EVENT_BLOCK_START, RULE_T_R1, 5, 0, 0, 0);
    LOG_ADD(log, 220, EVENT_GRID_QUEUE, RULE_NONE, 6, 0, 1, 32, 0, 8, 0, 0x200);
    LOG_ADD(log, 300, EVENT_BLOCK_END, RULE_NONE, 5, 0, 0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R2, 210, SUBJECT_GRID, 5, SUBJECT_NONE, 0);
    LOG_ADD(log, 300, EVENT_BLOCK_START, RULE_T_R1, 5, 1, 0, 0);
    LOG_ADD(log, 300, EVENT_GRID_DISPATCHED, RULE_T_G3, 5, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_X1, 220, SUBJECT_GRID, 6, SUBJECT_NONE, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_END, RULE_NONE, 5, 1, 0, 0);
    LOG_ADD(log, 400, EVENT_GRID_END, RULE_NONE, 5, 0, 200, 200);
    LOG_ADD(log, 400, EVENT_WAIT, RULE_T_R2, 310, SUBJECT_GRID, 6, SUBJECT_NONE, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_START, RULE_T_R1, 6, 0, 0, 0);
    LOG_ADD(log, 400, EVENT_GRID_DISPATCHED, RULE_T_G3, 6, 0);
    LOG_ADD(log, 450, EVENT_BLOCK_END, RULE_NONE, 6, 0, 0, 0);
    LOG_ADD(log, 450, EVENT_GRID_END, RULE_NONE, 6, 0, 220, 400);
    made_load(&made);
    LIFE_IS(&made.explain, "launch:5", 100, {200, EXPLAIN_START, 0, 0}, {210, EXPLAIN_PLACE, 0, 0},
            {300, EXPLAIN_WAIT, "T.R2", "block:5.0"}, {400, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "launch:6", 120, {220, EXPLAIN_START, 0, 0},
            {300, EXPLAIN_WAIT, "T.X1", "launch:5"}, {310, EXPLAIN_PLACE, 0, 0},
            {400, EXPLAIN_WAIT, "T.R2", "block:5.1"}, {450, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:5.0", 200, {300, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:5.1", 200, {210, EXPLAIN_PLACE, 0, 0},
            {300, EXPLAIN_WAIT, "T.R2", "block:5.0"}, {400, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:6.0", 220, {300, EXPLAIN_WAIT, "T.X1", "launch:5"},
            {310, EXPLAIN_PLACE, 0, 0}, {400, EXPLAIN_WAIT, "T.R2", "block:5.1"},
            {450, EXPLAIN_EXECUTE, 0, 0});
    made_end(&made);
}
END_TEST

/* The SM's last block is in the way unless the log says who is: here a copy engine's channel. */
START_TEST(a_block_waits_for_whom_the_log_names)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    LOG_ADD(log, 200, EVENT_GRID_QUEUE, RULE_NONE, 5, 0, 2, 32, 0, 8, 0, 0x100);
    LOG_ADD(log, 200, EVENT_GRID_START, RULE_NONE, 5, 0);
    LOG_ADD(log, 200, EVENT_BLOCK_START, RULE_T_R1, 5, 0, 0, 0);
    LOG_ADD(log, 300, EVENT_BLOCK_END, RULE_NONE, 5, 0, 0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R2, 210, SUBJECT_GRID, 5, SUBJECT_CHANNEL, 4);
    LOG_ADD(log, 300, EVENT_BLOCK_START, RULE_T_R1, 5, 1, 0, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_END, RULE_NONE, 5, 1, 0, 0);
    LOG_ADD(log, 400, EVENT_GRID_END, RULE_NONE, 5, 0, 200, 200);
    made_load(&made);
    LIFE_IS(&made.explain, "block:5.1", 200, {210, EXPLAIN_PLACE, 0, 0},
            {300, EXPLAIN_WAIT, "T.R2", "channel 4"}, {400, EXPLAIN_EXECUTE, 0, 0});
    made_end(&made);
}
END_TEST

/* Two blocks, one placed in each of two slices; the second slice ends before they do, and the log
 * does when a third has begun and ended. */
START_TEST(blocks_stand_still_while_another_context_is_on)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    LOG_ADD(log, 200, EVENT_GRID_QUEUE, RULE_T_Q, 5, 0, 2, 32, 0, 8, 0, 0x100);
    LOG_ADD(log, 200, EVENT_GRID_START, RULE_NONE, 5, 0);
    LOG_ADD(log, 200, EVENT_BLOCK_START, RULE_T_R1, 5, 0, 0, 0);
    LOG_ADD(log, 250, EVENT_WAIT, RULE_T_R2, 210, SUBJECT_GRID, 5, SUBJECT_NONE, 0);
    LOG_ADD(log, 250, EVENT_GRID_SUSPEND, RULE_T_P1, 5, 0, 1);
    LOG_ADD(log, 400, EVENT_GRID_RESUME, RULE_T_P1, 5, 0, 250, 4);
    LOG_ADD(log, 400, EVENT_WAIT, RULE_T_P1, 250, SUBJECT_GRID, 5, SUBJECT_CHANNEL, 4);
    LOG_ADD(log, 410, EVENT_BLOCK_START, RULE_T_R1, 5, 1, 1, 0);
    LOG_ADD(log, 450, EVENT_GRID_SUSPEND, RULE_T_P1, 5, 0, 2);
    LOG_ADD(log, 700, EVENT_GRID_RESUME, RULE_T_P1, 5, 0, 450, UINT32_MAX);
    LOG_ADD(log, 720, EVENT_BLOCK_END, RULE_NONE, 5, 0, 0, 0);
    LOG_ADD(log, 750, EVENT_GRID_SUSPEND, RULE_T_P1, 5, 0, 1);
    LOG_ADD(log, 800, EVENT_NV_DOORBELL, RULE_NONE, 4, 1);
    made_load(&made);
    LIFE_IS(&made.explain, "block:5.0", 200, {250, EXPLAIN_EXECUTE, 0, 0},
            {400, EXPLAIN_WAIT, "T.P1", "channel 4"}, {450, EXPLAIN_EXECUTE, 0, 0},
            {700, EXPLAIN_WAIT, "T.P1", ""}, {720, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "block:5.1", 200, {210, EXPLAIN_PLACE, 0, 0},
            {250, EXPLAIN_WAIT, "T.R2", ""}, {400, EXPLAIN_WAIT, "T.P1", "channel 4"},
            {410, EXPLAIN_PLACE, 0, 0}, {450, EXPLAIN_EXECUTE, 0, 0},
            {700, EXPLAIN_WAIT, "T.P1", ""}, {750, EXPLAIN_EXECUTE, 0, 0},
            {800, EXPLAIN_WAIT, "T.P1", ""});
    LIFE_IS(&made.explain, "launch:5", 200, {210, EXPLAIN_PLACE, 0, 0},
            {250, EXPLAIN_WAIT, "T.R2", ""}, {400, EXPLAIN_WAIT, "T.P1", "channel 4"},
            {410, EXPLAIN_PLACE, 0, 0}, {450, EXPLAIN_EXECUTE, 0, 0},
            {700, EXPLAIN_WAIT, "T.P1", ""}, {750, EXPLAIN_EXECUTE, 0, 0},
            {800, EXPLAIN_WAIT, "T.P1", ""});
    made_end(&made);
}
END_TEST

/* A reset of their engine ends them where they are: one on the engine, one off it, one that has not
 * begun. */
START_TEST(what_a_reset_drops_is_over)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    LOG_ADD(log, 200, EVENT_GRID_QUEUE, RULE_T_Q, 5, 0, 1, 32, 0, 8, 0, 0x100);
    LOG_ADD(log, 200, EVENT_GRID_START, RULE_NONE, 5, 0);
    LOG_ADD(log, 200, EVENT_BLOCK_START, RULE_T_R1, 5, 0, 0, 0);
    LOG_ADD(log, 210, EVENT_GRID_SUSPEND, RULE_T_P1, 5, 0, 1);
    LOG_ADD(log, 240, EVENT_GRID_RESUME, RULE_T_P1, 5, 0, 210, 4);
    LOG_ADD(log, 250, EVENT_WORK_START, RULE_NONE, 9, 0, 0, 0xc197, 0x19d0, 0);
    LOG_ADD(log, 260, EVENT_GRID_QUEUE, RULE_T_Q, 6, 0, 1, 32, 0, 8, 0, 0x200);
    LOG_ADD(log, 300, EVENT_GRID_SUSPEND, RULE_NONE, 5, 0, 1);
    LOG_ADD(log, 300, EVENT_GRID_DROP, RULE_NONE, 5, 0);
    LOG_ADD(log, 300, EVENT_GRID_DROP, RULE_NONE, 6, 0);
    LOG_ADD(log, 300, EVENT_WORK_SUSPEND, RULE_NONE, 9, 0, 0);
    LOG_ADD(log, 300, EVENT_WORK_DROP, RULE_NONE, 9, 0, 0);
    LOG_ADD(log, 800, EVENT_NV_DOORBELL, RULE_NONE, 4, 1);
    made_load(&made);
    LIFE_IS(&made.explain, "block:5.0", 200, {210, EXPLAIN_EXECUTE, 0, 0},
            {240, EXPLAIN_WAIT, "T.P1", "channel 4"}, {300, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "launch:5", 200, {210, EXPLAIN_EXECUTE, 0, 0},
            {240, EXPLAIN_WAIT, "T.P1", "channel 4"}, {300, EXPLAIN_EXECUTE, 0, 0});
    LIFE_IS(&made.explain, "launch:6", 260, {300, EXPLAIN_PLACE, 0, 0});
    LIFE_IS(&made.explain, "draw:9", 250, {300, EXPLAIN_DRAWING, 0, 0});
    made_end(&made);
}
END_TEST

/* One stops inside; the next waits for it, and then for its context, before it starts. */
START_TEST(draws_stand_still_or_wait_while_another_context_is_on)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    LOG_ADD(log, 100, EVENT_WORK_START, RULE_NONE, 9, 0, 0, 0xc197, 0x19d0, 0);
    LOG_ADD(log, 130, EVENT_WORK_SUSPEND, RULE_T_P1, 9, 0, 0);
    LOG_ADD(log, 180, EVENT_WORK_RESUME, RULE_T_P1, 9, 0, 0, 130, 4);
    LOG_ADD(log, 200, EVENT_WORK_END, RULE_NONE, 9, 0, 0);
    LOG_ADD(log, 300, EVENT_WORK_START, RULE_NONE, 10, 0, 0, 0xc197, 0x19d0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R3, 110, SUBJECT_WORK, 10, SUBJECT_ENGINE, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_P1, 200, SUBJECT_WORK, 10, SUBJECT_CHANNEL, 4);
    LOG_ADD(log, 330, EVENT_WORK_END, RULE_NONE, 10, 0, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "draw:9", 100, {130, EXPLAIN_DRAWING, 0, 0},
            {180, EXPLAIN_WAIT, "T.P1", "channel 4"}, {200, EXPLAIN_DRAWING, 0, 0});
    LIFE_IS(&made.explain, "draw:10", 110, {200, EXPLAIN_WAIT, "T.R3", "draw:9"},
            {300, EXPLAIN_WAIT, "T.P1", "channel 4"}, {330, EXPLAIN_DRAWING, 0, 0});
    made_end(&made);
}
END_TEST

/* One entry: rung, pending behind another channel, scanned for, loaded, read, worked on. */
static void one_entry(struct log_fixture *log, uint64_t channel, uint64_t at)
{
    LOG_ADD(log, at, EVENT_NV_DOORBELL, RULE_NONE, channel, 1);
    LOG_ADD(log, at + 30, EVENT_WAIT, RULE_NONE, at + 10, SUBJECT_CHANNEL, channel, SUBJECT_NONE,
            0);
    LOG_ADD(log, at + 30, EVENT_NV_TSG_START, RULE_NONE, 0, 32 + channel, 1000);
    LOG_ADD(log, at + 40, EVENT_NV_CHANNEL_LOAD, RULE_NONE, channel, 0, 0, 0, 1);
    LOG_ADD(log, at + 60, EVENT_NV_GP_FETCH, RULE_T_C2, channel, 0, 0, 0x1000, 8, 0, 0, 20);
    LOG_ADD(log, at + 75, EVENT_NV_PB_FETCH, RULE_NONE, channel, 0, 0x1000, 8, 15);
    LOG_ADD(log, at + 90, EVENT_NV_SEGMENT_END, RULE_NONE, channel, 0, 0, 4, 0);
}

/* A fault stops it in its entry; software clears its faulted bit, and it comes back.  The rule is
 * one that these logs have. */
START_TEST(a_channel_that_goes_on_has_waited_for_that)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 3, 0x1000);
    LOG_ADD(log, 100, EVENT_NV_DOORBELL, RULE_NONE, 3, 1);
    LOG_ADD(log, 130, EVENT_WAIT, RULE_NONE, 110, SUBJECT_CHANNEL, 3, SUBJECT_NONE, 0);
    LOG_ADD(log, 130, EVENT_NV_TSG_START, RULE_NONE, 0, 35, 1000);
    LOG_ADD(log, 140, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 3, 0, 0, 0, 1);
    LOG_ADD(log, 160, EVENT_NV_GP_FETCH, RULE_T_C2, 3, 0, 0, 0x1000, 8, 0, 0, 20);
    LOG_ADD(log, 175, EVENT_NV_PB_FETCH, RULE_NONE, 3, 0, 0x1000, 8, 15);
    LOG_ADD(log, 190, EVENT_NV_CHANNEL_STOP, RULE_NONE, 3, 0);
    LOG_ADD(log, 210, EVENT_NV_CHANNEL_SAVE, RULE_NONE, 3, 0, 0, 1, 1);
    LOG_ADD(log, 210, EVENT_NV_TSG_END, RULE_NONE, 0, 35, 80);
    LOG_ADD(log, 400, EVENT_NV_CHANNEL_GO_ON, RULE_T_R2, 3);
    LOG_ADD(log, 430, EVENT_WAIT, RULE_NONE, 400, SUBJECT_CHANNEL, 3, SUBJECT_NONE, 0);
    LOG_ADD(log, 430, EVENT_NV_TSG_START, RULE_NONE, 0, 35, 1000);
    LOG_ADD(log, 440, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 3, 0, 0, 1, 1);
    LOG_ADD(log, 800, EVENT_NV_DOORBELL, RULE_NONE, 4, 1);
    made_load(&made);
    LIFE_IS(&made.explain, "gp:3:0", 100, {110, EXPLAIN_DOORBELL, 0, 0}, {130, EXPLAIN_SCAN, 0, 0},
            {140, EXPLAIN_RAMFC_LOAD, 0, 0}, {160, EXPLAIN_GP_FETCH, 0, 0},
            {175, EXPLAIN_PB_FETCH, 0, 0}, {190, EXPLAIN_METHODS, 0, 0},
            {210, EXPLAIN_RAMFC_SAVE, 0, 0}, {400, EXPLAIN_WAIT, "T.R2", ""},
            {430, EXPLAIN_SCAN, 0, 0}, {440, EXPLAIN_RAMFC_LOAD, 0, 0},
            {800, EXPLAIN_METHODS, 0, 0});
    made_end(&made);
}
END_TEST

START_TEST(a_channel_waits_for_the_one_on_its_pbdma)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 3, 0x1000);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 4, 0x2000);
    one_entry(log, 3, 100);
    LOG_ADD(log, 195, EVENT_NV_DOORBELL, RULE_NONE, 4, 1);
    LOG_ADD(log, 250, EVENT_NV_CHANNEL_SAVE, RULE_NONE, 3, 0, 0, 1, 1);
    LOG_ADD(log, 250, EVENT_NV_TSG_END, RULE_NONE, 0, 35, 120);
    LOG_ADD(log, 270, EVENT_WAIT, RULE_T_X1, 205, SUBJECT_CHANNEL, 4, SUBJECT_NONE, 0);
    LOG_ADD(log, 270, EVENT_NV_TSG_START, RULE_NONE, 0, 36, 1000);
    LOG_ADD(log, 280, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 4, 0, 0, 0, 1);
    LOG_ADD(log, 280, EVENT_NV_CONTEXT_LOAD, RULE_NONE, 0, 36, 4, 100);
    LOG_ADD(log, 400, EVENT_NV_GP_FETCH, RULE_T_C2, 4, 0, 0, 0x1000, 8, 0, 0, 20);
    LOG_ADD(log, 410, EVENT_NV_PB_FETCH, RULE_NONE, 4, 0, 0x1000, 8, 10);
    LOG_ADD(log, 420, EVENT_WAIT, RULE_T_R2, 415, SUBJECT_CHANNEL, 4, SUBJECT_ENGINE, 7);
    LOG_ADD(log, 425, EVENT_NV_PB_FETCH, RULE_NONE, 4, 0, 0x1020, 8, 3);
    LOG_ADD(log, 430, EVENT_NV_SEGMENT_END, RULE_NONE, 4, 0, 0, 4, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "gp:3:0", 100, {110, EXPLAIN_DOORBELL, 0, 0}, {130, EXPLAIN_SCAN, 0, 0},
            {140, EXPLAIN_RAMFC_LOAD, 0, 0}, {160, EXPLAIN_GP_FETCH, 0, 0},
            {175, EXPLAIN_PB_FETCH, 0, 0}, {190, EXPLAIN_METHODS, 0, 0});
    LIFE_IS(&made.explain, "gp:4:0", 195, {205, EXPLAIN_DOORBELL, 0, 0},
            {250, EXPLAIN_WAIT, "T.X1", "channel 3"}, {270, EXPLAIN_SCAN, 0, 0},
            {280, EXPLAIN_RAMFC_LOAD, 0, 0}, {380, EXPLAIN_CONTEXT_LOAD, 0, 0},
            {400, EXPLAIN_GP_FETCH, 0, 0}, {410, EXPLAIN_PB_FETCH, 0, 0},
            {415, EXPLAIN_METHODS, 0, 0}, {420, EXPLAIN_WAIT, "T.R2", "engine 7"},
            {422, EXPLAIN_METHODS, 0, 0}, {425, EXPLAIN_PB_FETCH, 0, 0},
            {430, EXPLAIN_METHODS, 0, 0});
    made_end(&made);
}
END_TEST

/* A submission of two entries: the call, the ring, what is still running behind the last. */
START_TEST(a_submission_lives_until_its_last_work_has_ended)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    LOG_ADD(log, 10, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 2, 64, 0);
    LOG_ADD(log, 50, EVENT_WAIT, RULE_T_R3, 20, SUBJECT_SUBMISSION, 1, SUBJECT_RING, 0);
    LOG_ADD(log, 60, EVENT_DRIVER_GP_ENTRY, RULE_NONE, 0, 0, 0, 0x1000, 8, 1);
    one_entry(log, 0, 60);
    LOG_ADD(log, 150, EVENT_NV_REPORT, RULE_NONE, 0, 0x9000, 0xc197, 0);
    LOG_ADD(log, 170, EVENT_DRIVER_GP_ENTRY, RULE_NONE, 0, 1, 1, 0x2000, 8, 1);
    LOG_ADD(log, 170, EVENT_NV_DOORBELL, RULE_NONE, 0, 2);
    LOG_ADD(log, 200, EVENT_NV_GP_FETCH, RULE_T_C2, 0, 0, 1, 0x1000, 8, 0, 1, 20);
    LOG_ADD(log, 205, EVENT_NV_PB_FETCH, RULE_NONE, 0, 0, 0x1000, 8, 5);
    LOG_ADD(log, 210, EVENT_WORK_START, RULE_NONE, 9, 0, 0, 0xc197, 0x19d0, 1);
    LOG_ADD(log, 215, EVENT_NV_SEGMENT_END, RULE_NONE, 0, 0, 1, 4, 1);
    LOG_ADD(log, 216, EVENT_CPU_SUBMIT_RETURN, RULE_NONE, 1, 0, 0);
    LOG_ADD(log, 300, EVENT_WORK_END, RULE_NONE, 9, 0, 0);
    LOG_ADD(log, 300, EVENT_WAIT, RULE_T_R1, 150, SUBJECT_SEMAPHORE, 0x9000, SUBJECT_ENGINE, 0);
    LOG_ADD(log, 320, EVENT_NV_RELEASE, RULE_NONE, 0, 0x9000, 3, 4, 0xc197, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "submission:1", 10, {20, EXPLAIN_DRIVER_CALL, 0, 0},
            {50, EXPLAIN_WAIT, "T.R3", "the ring of channel 0"}, {60, EXPLAIN_DRIVER_CALL, 0, 0},
            {70, EXPLAIN_DOORBELL, 0, 0}, {90, EXPLAIN_SCAN, 0, 0}, {100, EXPLAIN_RAMFC_LOAD, 0, 0},
            {120, EXPLAIN_GP_FETCH, 0, 0}, {135, EXPLAIN_PB_FETCH, 0, 0},
            {150, EXPLAIN_METHODS, 0, 0}, {170, EXPLAIN_DRIVER_ENTRY, 0, 0},
            {180, EXPLAIN_DOORBELL, 0, 0}, {200, EXPLAIN_GP_FETCH, 0, 0},
            {205, EXPLAIN_PB_FETCH, 0, 0}, {215, EXPLAIN_METHODS, 0, 0},
            {300, EXPLAIN_WAIT, "T.R1", "draw:9"}, {320, EXPLAIN_WRITE, 0, 0});
    LIFE_IS(&made.explain, "gp:0:1", 170, {180, EXPLAIN_DOORBELL, 0, 0},
            {200, EXPLAIN_GP_FETCH, 0, 0}, {205, EXPLAIN_PB_FETCH, 0, 0},
            {215, EXPLAIN_METHODS, 0, 0});
    LIFE_IS(&made.explain, "D1", 210, {300, EXPLAIN_DRAWING, 0, 0});
    LIFE_IS(&made.explain, "semaphore:1", 150, {300, EXPLAIN_WAIT, "T.R1", "draw:9"},
            {320, EXPLAIN_WRITE, 0, 0});
    made_end(&made);
}
END_TEST

START_TEST(an_acquire_waits_for_who_releases)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 100);
    LOG_ADD(log, 190, EVENT_NV_GP_FETCH, RULE_T_C2, 0, 0, 1, 0x1000, 8, 0, 1, 0);
    LOG_ADD(log, 195, EVENT_NV_PB_FETCH, RULE_NONE, 0, 0, 0x1000, 8, 5);
    LOG_ADD(log, 250, EVENT_NV_RELEASE, RULE_NONE, 1, 0x7000, 3, 4, 0xc1b5, 0);
    LOG_ADD(log, 260, EVENT_WAIT, RULE_T_X1, 200, SUBJECT_CHANNEL, 0, SUBJECT_SEMAPHORE, 0x7000);
    LOG_ADD(log, 260, EVENT_NV_ACQUIRE, RULE_NONE, 0, 0x7000, 3, 1);
    LOG_ADD(log, 270, EVENT_WAIT, RULE_T_R2, 265, SUBJECT_CHANNEL, 0, SUBJECT_ENGINE, 0);
    LOG_ADD(log, 280, EVENT_NV_MEM_OP, RULE_NONE, 0, 33, 10, 1);
    LOG_ADD(log, 280, EVENT_NV_RELEASE, RULE_NONE, 0, 0x8000, 4, 4, 0xc06f, 1);
    LOG_ADD(log, 290, EVENT_WAIT_OPEN, RULE_T_R3, 285, SUBJECT_CHANNEL, 0, SUBJECT_SEMAPHORE,
            0x7000);
    made_load(&made);
    LIFE_IS(&made.explain, "semaphore:2", 200, {260, EXPLAIN_WAIT, "T.X1", "semaphore:1"});
    LIFE_IS(&made.explain, "semaphore:3", 265, {270, EXPLAIN_WAIT, "T.R2", "engine 0"},
            {280, EXPLAIN_BARRIER, 0, 0});
    LIFE_IS(&made.explain, "gp:0:1", 190, {195, EXPLAIN_PB_FETCH, 0, 0},
            {200, EXPLAIN_METHODS, 0, 0}, {260, EXPLAIN_WAIT, "T.X1", "semaphore:1"},
            {265, EXPLAIN_METHODS, 0, 0}, {270, EXPLAIN_WAIT, "T.R2", "engine 0"},
            {280, EXPLAIN_BARRIER, 0, 0}, {285, EXPLAIN_METHODS, 0, 0},
            {290, EXPLAIN_WAIT, "T.R3", "a value at 0x7000"});
    made_end(&made);
}
END_TEST

/* Time that nothing in the log explains is not passed over. */
START_TEST(what_the_log_does_not_say_is_unattributed)
{
    struct made made;
    struct log_fixture *log = &made.fixture;
    char *text = NULL;
    size_t bytes;

    log_fixture_begin(log);
    LOG_ADD(log, 10, EVENT_COPY_QUEUE, RULE_NONE, 1, 0, 2, 64, 0, 0, 0);
    LOG_ADD(log, 25, EVENT_WAIT, RULE_T_C2, 18, SUBJECT_COPY, 1, SUBJECT_ENGINE, 2);
    LOG_ADD(log, 25, EVENT_COPY_START, RULE_T_C2, 1, 0, 2, 64);
    LOG_ADD(log, 30, EVENT_COPY_END, RULE_NONE, 1, 0, 2, 64);
    LOG_ADD(log, 40, EVENT_COPY_QUEUE, RULE_NONE, 2, 0, 2, 64, 0, 0, 0);
    LOG_ADD(log, 44, EVENT_COPY_START, RULE_T_C2, 2, 0, 2, 64);
    LOG_ADD(log, 50, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "C1", 10, {18, EXPLAIN_UNATTRIBUTED, 0, 0},
            {25, EXPLAIN_WAIT, "T.C2", "engine 2"}, {30, EXPLAIN_COPYING, 0, 0});
    LIFE_IS(&made.explain, "C2", 40, {44, EXPLAIN_WAIT, "T.C2", "engine 2"},
            {50, EXPLAIN_COPYING, 0, 0});
    FILE *memory = open_memstream(&text, &bytes);
    ck_assert(explain_text_list(
        &(struct explain_print){.file = memory, .explain = &made.explain, .only = EXPLAIN_KINDS}));
    ck_assert_int_eq(fclose(memory), 0);
    ck_assert_ptr_nonnull(strstr(text, "partly unattributed\n"));
    ck_assert_ptr_nonnull(strstr(text, "does not end\n"));
    free(text);
    made_end(&made);
}
END_TEST

/* A copy that has started waits for its turn on a PCE, and for its context; the log's rules here
 * are those of the core, whatever they are. */
START_TEST(a_copy_waits_after_its_start_too)
{
    struct made made;
    struct log_fixture *log = &made.fixture;

    log_fixture_begin(log);
    LOG_ADD(log, 10, EVENT_COPY_QUEUE, RULE_NONE, 1, 0, 2, 64, 0, 0, 0);
    LOG_ADD(log, 10, EVENT_COPY_START, RULE_T_C2, 1, 0, 2, 64);
    LOG_ADD(log, 12, EVENT_COPY_QUEUE, RULE_NONE, 2, 1, 3, 64, 0, 0, 0);
    LOG_ADD(log, 12, EVENT_COPY_START, RULE_T_C2, 2, 1, 3, 64);
    LOG_ADD(log, 20, EVENT_WAIT, RULE_CORE_COPY_SHARE, 14, SUBJECT_COPY, 2, SUBJECT_COPY, 1);
    LOG_ADD(log, 30, EVENT_WAIT, RULE_CORE_COPY_SHARE, 20, SUBJECT_COPY, 1, SUBJECT_COPY, 2);
    LOG_ADD(log, 34, EVENT_COPY_SUSPEND, RULE_T_C2, 1, 0, 2, 32);
    LOG_ADD(log, 40, EVENT_COPY_END, RULE_NONE, 2, 1, 3, 64);
    LOG_ADD(log, 50, EVENT_WAIT, RULE_T_C2, 34, SUBJECT_COPY, 1, SUBJECT_ENGINE, 9);
    LOG_ADD(log, 50, EVENT_COPY_RESUME, RULE_T_C2, 1, 0, 2, 32, 0, 1);
    LOG_ADD(log, 60, EVENT_COPY_END, RULE_NONE, 1, 0, 2, 64);
    LOG_ADD(log, 60, EVENT_RUN_END, RULE_NONE, 0, 0, 0, 0);
    made_load(&made);
    LIFE_IS(&made.explain, "C1", 10, {20, EXPLAIN_COPYING, 0, 0},
            {30, EXPLAIN_WAIT, "CORE.COPY_SHARE", "copy:2"}, {34, EXPLAIN_COPYING, 0, 0},
            {50, EXPLAIN_WAIT, "T.C2", "engine 9"}, {60, EXPLAIN_COPYING, 0, 0});
    LIFE_IS(&made.explain, "C2", 12, {14, EXPLAIN_COPYING, 0, 0},
            {20, EXPLAIN_WAIT, "CORE.COPY_SHARE", "copy:1"}, {40, EXPLAIN_COPYING, 0, 0});
    made_end(&made);
}
END_TEST

START_TEST(a_long_queue_is_cut_short)
{
    enum { LAUNCHES = 100 };
    struct explain_life life = {0};
    struct explain_ref ref;
    struct made made;

    log_fixture_begin(&made.fixture);
    for (uint64_t i = 1; i <= LAUNCHES; i++)
        LOG_ADD(&made.fixture, 10, EVENT_GRID_QUEUE, RULE_NONE, i, 0, 1, 32, 0, 8, 0, 0);
    for (uint64_t i = 1; i <= LAUNCHES; i++) {
        if (i > 1)
            LOG_ADD(&made.fixture, 10 * i, EVENT_WAIT, RULE_T_X1, 10, SUBJECT_GRID, i, SUBJECT_NONE,
                    0);
        LOG_ADD(&made.fixture, 10 * i, EVENT_BLOCK_START, RULE_NONE, i, 0, 0, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_BLOCK_END, RULE_NONE, i, 0, 0, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_GRID_DISPATCHED, RULE_NONE, i, 0);
        LOG_ADD(&made.fixture, 10 * i + 10, EVENT_GRID_END, RULE_NONE, i, 0, 0, 0);
    }
    made_load(&made);
    check_explain_all(&made.explain, true);
    ck_assert(explain_find(&made.explain, "launch:100", &ref));
    ck_assert(explain_life(&made.explain, ref, &life));
    ck_assert_uint_eq(life.count, EXPLAIN_CROWD_MAX + 2);
    ck_assert_int_eq(life.pieces[EXPLAIN_CROWD_MAX].by.kind, EXPLAIN_BY_OTHERS);
    explain_life_fini(&life);
    made_end(&made);
}
END_TEST

/* Launch n waits until n * 7 modulo a prime: the longest first, of any number of operations. */
START_TEST(the_longest_waits_of_many_come_first)
{
    enum { LAUNCHES = 5003, TOP = 3 };
    static uint32_t launch_of[LAUNCHES]; /* by the wait's length */
    char *text = NULL, line[64];
    struct made made;
    size_t bytes, at = 0;

    log_fixture_begin(&made.fixture);
    for (uint64_t i = 1; i < LAUNCHES; i++)
        LOG_ADD(&made.fixture, 10, EVENT_GRID_QUEUE, RULE_NONE, i, 0, 1, 32, 0, 8, 0, 0);
    for (uint32_t i = 1; i < LAUNCHES; i++)
        launch_of[i * 7 % LAUNCHES] = i;
    for (uint64_t took = 1; took < LAUNCHES; took++)
        LOG_ADD(&made.fixture, 10 + took, EVENT_WAIT, RULE_T_R2, 10, SUBJECT_GRID, launch_of[took],
                SUBJECT_NONE, 0);
    made_load(&made);
    FILE *memory = open_memstream(&text, &bytes);
    ck_assert(explain_json_list(&(struct explain_print){
        .file = memory, .explain = &made.explain, .only = EXPLAIN_KINDS, .top = TOP}));
    ck_assert_int_eq(fclose(memory), 0);
    for (uint32_t i = 0; i < TOP; i++) {
        const char *found;

        snprintf(line, sizeof line, "{\"name\": \"launch:%u\"", launch_of[LAUNCHES - 1 - i]);
        found = strstr(text + at, line);
        ck_assert_msg(found, "%s", line);
        at = (size_t)(found - text) + 1;
    }
    ck_assert_ptr_null(strstr(text + at, "{\"name\": "));
    free(text);
    made_end(&made);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

START_TEST(operations_have_names)
{
    static const char *const none[] = {"",
                                       "gp",
                                       "gp:",
                                       "gp:0",
                                       "gp:0:2",
                                       "gp:0:0:0",
                                       "gp:0.2:0",
                                       "gp:0.1",
                                       "launch:",
                                       "launch:7",
                                       "launch:1.0",
                                       "block:1",
                                       "block:1.9",
                                       "block:9.0",
                                       "K2",
                                       "K",
                                       "K0",
                                       "X1",
                                       "draw:1",
                                       "semaphore:",
                                       "nothing:1",
                                       ":1",
                                       "launch:-1",
                                       "launch: 1",
                                       "launch:0x1",
                                       "gp:0:99999999999999999999999",
                                       "launch:18446744073709551616",
                                       "-1"};
    struct made made;
    struct log_fixture *log = &made.fixture;
    struct explain_ref ref;
    char name[EXPLAIN_NAME_BYTES];

    log_fixture_begin(log);
    LOG_ADD(log, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 100);
    LOG_ADD(log, 200, EVENT_NV_CHANNEL_BIND, RULE_NONE, 0, 0x1000);
    one_entry(log, 0, 300);
    LOG_ADD(log, 400, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 400, EVENT_BLOCK_START, RULE_NONE, 1, 0, 3, 0);
    made_load(&made);
    check_explain_all(&made.explain, true);
    ck_assert(explain_find(&made.explain, "gp:0.1:0", &ref));
    ck_assert_uint_eq(made.explain.operations[ref.index].birth_ps, 300);
    ck_assert(explain_find(&made.explain, "K1", &ref));
    ck_assert_str_eq(explain_name(&made.explain, ref, name), "launch:1");
    ck_assert(explain_find(&made.explain, "block:1.0", &ref));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        ck_assert_msg(!explain_find(&made.explain, none[i], &ref), "'%s'", none[i]);
    made_end(&made);
}
END_TEST

/* ---- logs that cannot be --------------------------------------------------------------------- */

static void add_second_start(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
}

static void add_second_submission(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_CPU_SUBMIT, RULE_NONE, 1, 0, 0, 0, 0);
}

static void add_second_fetch(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, 0, 0);
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, 0, 0);
}

static void add_far_channel(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_DOORBELL, RULE_NONE, EVENT_CHANNEL_IDS, 0);
}

static void add_far_entry(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_NV_GP_FETCH, RULE_NONE, 0, 0, 0, 0, 8, 0, UINT64_C(1) << 44, 0);
}

static void add_unknown_block(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(log, 1, EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
}

static void add_unknown_copy(struct log_fixture *log)
{
    LOG_ADD(log, 1, EVENT_COPY_END, RULE_NONE, 1, 0, 0, 0);
}

static void (*const impossible[])(struct log_fixture *) = {
    add_second_start, add_second_submission, add_second_fetch, add_far_channel,
    add_far_entry,    add_unknown_block,     add_unknown_copy};

/* From Ampere on the log's number of a channel has its runlist above the channel's own. */
START_TEST(channels_of_any_runlist_are_explained)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct log_fixture fixture;
    struct explain explain;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1, EVENT_NV_DOORBELL, RULE_NONE, 2 << 16 | 1, 0);
    LOG_ADD(&fixture, 1, EVENT_NV_DOORBELL, RULE_NONE, 63 << 16 | 0xffff, 0);
    LOG_ADD(&fixture, 2, EVENT_NV_DOORBELL, RULE_NONE, 2 << 16 | 1, 0);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_ptr_nonnull(log);
    ck_assert_msg(explain_load(&explain, log, &error), "%s", error.text);
    ck_assert_uint_eq(explain.channel_count, 2);
    ck_assert_uint_eq(explain.channels[1].id, 63 << 16 | 0xffff);
    explain_fini(&explain);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(a_log_that_cannot_be_is_refused_in_one_line)
{
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct explain explain;
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    impossible[_i](&fixture);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_ptr_nonnull(log);
    ck_assert(!explain_load(&explain, log, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "test.gfl: event ") && !strchr(error.text, '\n'), "%s",
                  error.text);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *explain_life_suite(void)
{
    Suite *suite = suite_create("explain_life");
    TCase *tcase;

    tcase = tcase_create("made by hand");
    tcase_add_test(tcase, blocks_wait_for_launches_blocks_and_the_sm);
    tcase_add_test(tcase, a_block_waits_for_whom_the_log_names);
    tcase_add_test(tcase, blocks_stand_still_while_another_context_is_on);
    tcase_add_test(tcase, what_a_reset_drops_is_over);
    tcase_add_test(tcase, draws_stand_still_or_wait_while_another_context_is_on);
    tcase_add_test(tcase, a_channel_that_goes_on_has_waited_for_that);
    tcase_add_test(tcase, a_channel_waits_for_the_one_on_its_pbdma);
    tcase_add_test(tcase, a_submission_lives_until_its_last_work_has_ended);
    tcase_add_test(tcase, an_acquire_waits_for_who_releases);
    tcase_add_test(tcase, what_the_log_does_not_say_is_unattributed);
    tcase_add_test(tcase, a_copy_waits_after_its_start_too);
    tcase_add_test(tcase, a_long_queue_is_cut_short);
    tcase_add_test(tcase, the_longest_waits_of_many_come_first);
    tcase_add_test(tcase, operations_have_names);
    tcase_add_test(tcase, channels_of_any_runlist_are_explained);
    tcase_add_loop_test(tcase, a_log_that_cannot_be_is_refused_in_one_line, 0,
                        sizeof impossible / sizeof impossible[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
