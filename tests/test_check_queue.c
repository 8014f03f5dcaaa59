/* SPDX-License-Identifier: MIT */
/*
 * gfe check of AMD's queues: barrier bits and barrier packets, more queues than slots, copies by
 * SDMA. Logs made by hand obey the rules, and each of many changes to them breaks the one that is
 * named; so do logs of whole runs.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/event_list.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_steps.h"
#include "tests/hip_run.h"
#include "tests/suites.h"

enum { DISPATCH = 2, BARRIER_AND = 3, BARRIER_OR = 5 };

#define LOAD(slot, doorbell, r)           STEP(EVENT_AMD_QUEUE_LOAD, slot, doorbell, 8, 1, 0, 0, r)
#define LEAVE(slot, doorbell, request, r) STEP(EVENT_AMD_QUEUE_LEAVE, slot, doorbell, request, r)
#define PACKET(n, code, barrier)          STEP(EVENT_AMD_PACKET, 2, 1024, n, 1, code, 0, barrier)
#define DEPENDS(n, code, value)           STEP(EVENT_AMD_DEPENDS, 1024, n, code, 0x1000, value)
#define END(n, code)                      STEP(EVENT_AMD_PACKET_END, 2, 1024, n, code)
#define QUEUE(grid)                       STEP(EVENT_GRID_QUEUE, grid, 0, 0, 64, 0, 24, 0, 0)
#define LAUNCH(n, grid)                   STEP(EVENT_AMD_LAUNCH, 2, 1024, n, grid, 0)

static const struct check_step barriers[] = {
    /*  0 */ LOAD(2, 1024, 0),
    /*  1 */ PACKET(0, DISPATCH, 1),
    /*  2 */ QUEUE(1),
    /*  3 */ LAUNCH(0, 1),
    /*  4 */ PACKET(1, DISPATCH, 0), /* beside the one in front */
    /*  5 */ QUEUE(2),
    /*  6 */ LAUNCH(1, 2),
    /*  7 */ END(1, DISPATCH),
    /*  8 */ END(0, DISPATCH),
    /*  9 */ PACKET(2, BARRIER_AND, 1),
    /* 10 */ DEPENDS(2, BARRIER_AND, 0),
    /* 11 */ DEPENDS(2, BARRIER_AND, 0),
    /* 12 */ END(2, BARRIER_AND),
    /* 13 */ PACKET(3, BARRIER_OR, 1),
    /* 14 */ DEPENDS(3, BARRIER_OR, 3),
    /* 15 */ DEPENDS(3, BARRIER_OR, 0),
    /* 16 */ END(3, BARRIER_OR),
    /* 17 */ PACKET(4, BARRIER_OR, 0), /* without signals */
    /* 18 */ END(4, BARRIER_OR),
    /* 19 */ PACKET(5, DISPATCH, 1),
    /* 20 */ QUEUE(3),
    /* 21 */ LAUNCH(5, 3),
    /* 22 */ LEAVE(2, 1024, 2, 6), /* and its dispatch is thrown away */
    /* 23 */ LOAD(2, 1024, 6),
    /* 24 */ PACKET(6, DISPATCH, 1),
};

static const struct check_change barrier_changes[] = {
    {"A.Q3", 4, SET, 6, 1},  /* the barrier bit, before the one in front is complete */
    {"A.Q3", 7, DROP, 0, 0}, /* the barrier packet, likewise */
    {"A.Q3", 8, SWAP, 9, 0},
    {"A.Q3", 12, DROP, 0, 0}, /* behind a barrier that is not complete */
    {"A.Q3", 22, SET, 2, 3},  /* it is saved, and not complete */
    {"LOG", 8, TWICE, 0, 0},
    {"LOG", 10, SET, 1, 1},
    {"LOG", 10, SWAP, 8, 0},
    {"LOG", 9, SET, 4, 4},
    {"AMD.DEPENDS", 10, SET, 4, 1},
    {"AMD.DEPENDS", 11, SET, 4, UINT64_MAX},
    {"AMD.DEPENDS", 15, SET, 4, 1},
    {"AMD.DEPENDS", 15, DROP, 0, 0},
};

#define LIST(chained)        STEP(EVENT_HWS_RUN_LIST, 1, 3, 2, chained)
#define MAP(queue, slot)     STEP(EVENT_HWS_MAP, queue, 100, 0, slot, 8, 0)
#define QUANTUM(ps)          STEP(EVENT_HWS_QUANTUM, ps)
#define PREEMPT(queue, slot) STEP(EVENT_HWS_PREEMPT, queue, 100, 0, slot, 1)
#define UNMAP(queue, slot)   STEP(EVENT_HWS_UNMAP, queue, 100, 0, slot)

/* Three queues on two slots; events are a picosecond apart. */
static const struct check_step rotation[] = {
    /*  0 */ LIST(1),
    /*  1 */ MAP(1, 2),
    /*  2 */ MAP(2, 3),
    /*  3 */ QUANTUM(4),
    /*  4 */ LOAD(2, 1024, 0),
    /*  5 */ PACKET(0, DISPATCH, 1),
    /*  6 */ STEP(EVENT_WAIT, 5, SUBJECT_QUEUE, 1024, SUBJECT_NONE, 0),
    /*  7 */ PREEMPT(1, 2),
    /*  8 */ PREEMPT(2, 3),
    /*  9 */ STEP(EVENT_AMD_QUEUE_SAVE, 2, 1024, 1, 1, 64, 2),
    /* 10 */ UNMAP(2, 3),
    /* 11 */ LEAVE(2, 1024, 3, 1),
    /* 12 */ UNMAP(1, 2),
    /* 13 */ MAP(3, 2),
    /* 14 */ MAP(1, 3),
    /* 15 */ QUANTUM(100),
    /* 16 */ STEP(EVENT_KFD_UNMAP, 3),
    /* 17 */ PREEMPT(3, 2), /* by the driver: at once */
    /* 18 */ PREEMPT(1, 3),
    /* 19 */ UNMAP(3, 2),
    /* 20 */ UNMAP(1, 3),
    /* 21 */ LIST(0),
    /* 22 */ MAP(2, 2),
};

static const struct check_change rotation_changes[] = {
    {"A.H2", 3, SET, 0, 5},   /* they leave before it is over */
    {"A.H2", 3, SET, 0, 1},   /* they stay beyond it */
    {"A.H2", 3, SET, 0, 3},   /* one picosecond */
    {"A.H2", 12, DROP, 0, 0}, /* others come before it has left */
    {"A.H2", 12, SWAP, 13, 0},
    {"A.H2", 14, SET, 0, 2},    /* not its turn: queue 1 had a slot before */
    {"A.H2", 16, DROP, 0, 0},   /* nobody takes the list off */
    {"AMD.CWSR", 9, SET, 5, 3}, /* it leaves before its waves are saved */
};

#define REFUSED(queue, slot) STEP(EVENT_HWS_REFUSED, queue, 100, 0, slot)

/* Queue 1 does not leave, and keeps its slot.  Told again, it makes no other queue wait
 * (A.H.REFUSED). */
static const struct check_step refusal[] = {
    /*  0 */ LIST(1),
    /*  1 */ MAP(1, 2),
    /*  2 */ MAP(2, 3),
    /*  3 */ QUANTUM(1),
    /*  4 */ PREEMPT(1, 2),
    /*  5 */ PREEMPT(2, 3),
    /*  6 */ UNMAP(2, 3),
    /*  7 */ REFUSED(1, 2),
    /*  8 */ MAP(3, 3),
    /*  9 */ QUANTUM(1),
    /* 10 */ PREEMPT(1, 2),
    /* 11 */ PREEMPT(3, 3),
    /* 12 */ UNMAP(3, 3),
    /* 13 */ MAP(2, 3),
};

static const struct check_change refusal_changes[] = {
    {"A.H2", 7, DROP, 0, 0}, /* it has not left when queue 3 comes */
    {"A.H2", 12, SWAP, 13, 0},
};

#define SDMA_LOAD(slot, doorbell, r)    STEP(EVENT_AMD_SDMA_LOAD, 0, slot, doorbell, 8, 0, 4096, r, 0)
#define SDMA_LEAVE(slot, doorbell, r)   STEP(EVENT_AMD_SDMA_LEAVE, 0, slot, doorbell, r)
#define SDMA_PACKET(slot, doorbell, r)  STEP(EVENT_AMD_SDMA_PACKET, 0, slot, doorbell, r, 1, 0)
#define SDMA_WRITE(slot, doorbell)      STEP(EVENT_AMD_SDMA_WRITE, 0, slot, doorbell, 0, 1, 4)
#define COPY(id, doorbell, bytes, r)    STEP(EVENT_COPY_QUEUE, id, doorbell, 0, bytes, 0, 0, r)
#define COPY_BEGIN(id, doorbell, bytes) STEP(EVENT_COPY_START, id, doorbell, 0, bytes, 0, 1, 0)
#define COPY_DONE(id, doorbell, bytes)  STEP(EVENT_COPY_END, id, doorbell, 0, bytes, 1)

static const struct check_step sdma[] = {
    /*  0 */ SDMA_LOAD(0, 1280, 0),
    /*  1 */ SDMA_LOAD(1, 1281, 64),
    /*  2 */ SDMA_PACKET(0, 1280, 0),
    /*  3 */ COPY(1, 1280, 8, 0),
    /*  4 */ COPY_BEGIN(1, 1280, 8),
    /*  5 */ COPY_DONE(1, 1280, 8),
    /*  6 */ SDMA_PACKET(0, 1280, 28),
    /*  7 */ SDMA_WRITE(0, 1280),
    /*  8 */ SDMA_PACKET(1, 1281, 64),
    /*  9 */ COPY(2, 1281, 8, 64),
    /* 10 */ COPY_BEGIN(2, 1281, 8),
    /* 11 */ STEP(EVENT_COPY_SPEED, 2, 1281, 0, 500000, 3),
    /* 12 */ STEP(EVENT_COPY_DROP, 2, 1281, 0),
    /* 13 */ SDMA_LEAVE(0, 1280, 44),
    /* 14 */ SDMA_LOAD(2, 1280, 44),
};

static const struct check_change sdma_changes[] = {
    {"A.H1", 1, SET, 1, 0}, /* another queue's place */
    {"A.H1", 14, SET, 1, 1},
    {"A.H1", 13, DROP, 0, 0},
    {"A.H1", 13, SET, 0, 1},
    {"A.H1", 2, SET, 2, 1282},
    {"A.H1", 3, SET, 1, 1282},
    {"A.Q1", 14, SET, 6, 0}, /* not where it was */
    {"A.Q1", 3, SET, 6, 28}, /* of another packet */
    {"A.Q1", 8, SET, 3, 60},
    {"AMD.SDMA_ENGINE", 5, DROP, 0, 0},      /* the next packet before its end */
    {"AMD.SDMA_ENGINE", 5, SWAP, 7, 0},      /* the fence before it */
    {"AMD.SDMA_ENGINE", 5, SWAP, 13, 0},     /* the queue leaves before it */
    {"AMD.SDMA_ENGINE", 4, SET, 4, 4 << 20}, /* 4 MiB in a picosecond */
    {"LOG", 5, SET, 3, 4},
    {"LOG", 5, SET, 0, 2},
    {"LOG", 5, TWICE, 0, 0},
    {"LOG", 0, SET, 0, 16},
};

static void good(const struct check_step *steps, uint32_t count)
{
    struct check_step made[CHECK_STEPS_MAX];
    struct check_report report;

    check_steps_amd(made, check_steps_make(made, steps, count, NULL), &report);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_eq(report.event_count, count);
    check_report_fini(&report);
}

static void broken(const struct check_step *steps, uint32_t count,
                   const struct check_change *change)
{
    struct check_step made[CHECK_STEPS_MAX];
    struct check_report report;
    bool found = false;

    check_steps_amd(made, check_steps_make(made, steps, count, change), &report);
    ck_assert_uint_gt(report.finding_count, 0);
    for (uint32_t i = 0; i < report.finding_count; i++)
        found |= strcmp(report.findings[i].rule, change->rule) == 0;
    ck_assert_msg(found, "%s, not %s: %s (%s)", report.findings[0].rule, change->rule,
                  report.findings[0].says, report.findings[0].second.text);
    check_report_fini(&report);
}

START_TEST(barriers_obey_the_rules)
{
    good(barriers, COUNT(barriers));
}
END_TEST

START_TEST(a_broken_barrier_is_rejected)
{
    broken(barriers, COUNT(barriers), &barrier_changes[_i]);
}
END_TEST

START_TEST(rotation_obeys_the_rules)
{
    good(rotation, COUNT(rotation));
}
END_TEST

START_TEST(a_broken_rotation_is_rejected)
{
    broken(rotation, COUNT(rotation), &rotation_changes[_i]);
}
END_TEST

START_TEST(a_refusal_obeys_the_rules)
{
    good(refusal, COUNT(refusal));
}
END_TEST

START_TEST(a_broken_refusal_is_rejected)
{
    broken(refusal, COUNT(refusal), &refusal_changes[_i]);
}
END_TEST

START_TEST(copies_obey_the_rules)
{
    good(sdma, COUNT(sdma));
}
END_TEST

START_TEST(a_broken_copy_is_rejected)
{
    broken(sdma, COUNT(sdma), &sdma_changes[_i]);
}
END_TEST

/* What a user reads of each of them. */
START_TEST(what_is_said_names_the_events_that_clash)
{
    check_steps_findings("check_barriers.txt", barriers, COUNT(barriers), barrier_changes,
                         COUNT(barrier_changes), check_steps_amd);
    check_steps_findings("check_rotation.txt", rotation, COUNT(rotation), rotation_changes,
                         COUNT(rotation_changes), check_steps_amd);
    check_steps_findings("check_sdma.txt", sdma, COUNT(sdma), sdma_changes, COUNT(sdma_changes),
                         check_steps_amd);
}
END_TEST

/* A copy of queue 1281, in slot 1 of engine 0, and the queue leaves in the middle of it. */
START_TEST(no_queue_leaves_an_engine_that_copies_for_it)
{
    static const struct check_step leaves[] = {
        SDMA_LOAD(1, 1281, 64), SDMA_PACKET(1, 1281, 64), COPY(2, 1281, 8, 64),
        COPY_BEGIN(2, 1281, 8), SDMA_LEAVE(1, 1281, 92),
    };
    struct check_report report;

    check_steps_amd(leaves, COUNT(leaves), &report);
    ck_assert_uint_eq(report.finding_count, 1);
    ck_assert_str_eq(report.findings[0].rule, "AMD.SDMA_ENGINE");
    ck_assert_str_eq(report.findings[0].says, "its copy is not complete");
    check_report_fini(&report);
}
END_TEST

/* Violations of a log with one copy of so many bytes, at that share of its speed, by a GPU whose
 * memory has that rate (0: a Radeon VII's). */
static uint64_t violations_of_a_copy(uint64_t bytes, uint64_t ppm, gfe_ps took_ps, uint64_t rate)
{
    const struct check_step steps[] = {
        SDMA_LOAD(0, 1280, 0),
        SDMA_PACKET(0, 1280, 0),
        COPY(1, 1280, bytes, 0),
        STEP(EVENT_COPY_START, 1, 1280, 0, bytes, bytes, 1, 0),
        STEP(EVENT_COPY_SPEED, 1, 1280, 0, ppm, 3),
    };
    struct check_report report;
    struct gfe_error error = {0};
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct check_limits limits;
    uint64_t violations;
    char *head;

    check_steps_amd_head(&head, &limits);
    if (rate != 0)
        limits.local_bytes_per_second = rate;
    log_fixture_begin_with(&fixture, head);
    free(head);
    for (uint32_t i = 0; i < COUNT(steps); i++)
        log_fixture_add(&fixture, 10 + i, steps[i].kind, RULE_NONE, steps[i].argument_count,
                        steps[i].arguments);
    LOG_ADD(&fixture, 13 + took_ps, EVENT_COPY_END, RULE_NONE, 1, 1280, 0, bytes, 1);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log && check_log(log, &limits, &report, &error), "%s", error.text);
    violations = report.violation_count;
    check_report_fini(&report);
    event_log_close(log);
    log_fixture_remove(&fixture);
    return violations;
}

/* A copy that takes a hundred times what its bytes allow; beside others it may be slower. */
/* PROMISE (analysis): A copy that takes longer than its bytes allow is rejected. */
START_TEST(a_copy_is_no_slower_than_its_bytes_allow)
{
    ck_assert_uint_eq(violations_of_a_copy(0, 1000000, 100 * GFE_PS_PER_US, 0), 1);
    ck_assert_uint_eq(violations_of_a_copy(0, 10, 100 * GFE_PS_PER_US, 0), 0);
}
END_TEST

/* A copy within memory reads and writes it, so 400,000 bytes of 4 GB/s take 200 us. */
START_TEST(a_copy_within_memory_has_half_of_its_rate)
{
    const uint64_t rate = UINT64_C(4000000000);

    ck_assert_uint_eq(violations_of_a_copy(400000, 1000000, 190 * GFE_PS_PER_US, rate), 0);
    ck_assert_uint_eq(violations_of_a_copy(400000, 1000000, 230 * GFE_PS_PER_US, rate), 1);
}
END_TEST

/* Rotation, saved queues, barriers and SDMA of simulated and recorded programs. */
/* PROMISE (analysis): Runs whose queues are saved and restored, and a recorded program with
 * copies by SDMA, obey the rules of queues. */
/* LIMIT (analysis): A GPU's reset ends quanta and copies; what it does to slots is not judged. */
START_TEST(whole_runs_obey_the_rules)
{
    struct gfe_error error = {0};
    struct check_report report;
    struct hip_run run;

    if (_i == 0)
        hip_run_begin(&run, hip_run_long, NULL);
    else
        hip_run_replay_of(&run, "hip_streams");
    ck_assert_msg(check_log(run.log, &run.limits, &report, &error), "%s", error.text);
    if (report.finding_count > 0)
        ck_abort_msg("%s: %s (%s)", report.findings[0].rule, report.findings[0].says,
                     report.findings[0].second.text);
    ck_assert_uint_eq(report.copy_count, _i == 0 ? 0 : 4);
    check_report_fini(&report);
    hip_run_end(&run);
}
END_TEST

Suite *check_queue_suite(void);

Suite *check_queue_suite(void)
{
    Suite *suite = suite_create("check_queue");
    TCase *hand = tcase_create("by hand"), *whole = tcase_create("whole runs");

    tcase_add_test(hand, barriers_obey_the_rules);
    tcase_add_loop_test(hand, a_broken_barrier_is_rejected, 0, (int)COUNT(barrier_changes));
    tcase_add_test(hand, rotation_obeys_the_rules);
    tcase_add_loop_test(hand, a_broken_rotation_is_rejected, 0, (int)COUNT(rotation_changes));
    tcase_add_test(hand, a_refusal_obeys_the_rules);
    tcase_add_loop_test(hand, a_broken_refusal_is_rejected, 0, COUNT(refusal_changes));
    tcase_add_test(hand, copies_obey_the_rules);
    tcase_add_loop_test(hand, a_broken_copy_is_rejected, 0, (int)COUNT(sdma_changes));
    tcase_add_test(hand, what_is_said_names_the_events_that_clash);
    tcase_add_test(hand, no_queue_leaves_an_engine_that_copies_for_it);
    tcase_add_test(hand, a_copy_is_no_slower_than_its_bytes_allow);
    tcase_add_test(hand, a_copy_within_memory_has_half_of_its_rate);
    suite_add_tcase(suite, hand);
    tcase_set_timeout(whole, 120);
    tcase_add_loop_test(whole, whole_runs_obey_the_rules, 0, 2);
    suite_add_tcase(suite, whole);
    return suite;
}
