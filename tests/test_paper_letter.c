/* SPDX-License-Identifier: MIT */
/*
 * What the papers say of their experiments, sentence by sentence, on scenarios/: Amert et al. 2017,
 * Figs. 9 and 10; Bakita and Anderson 2024, Fig. 6, note 14 and s. VI-A and VI-B.  The figures that
 * are compared stand in these papers.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware-models/rm/rm_tables.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
#define S  (1000 * MS)

static struct cuda_run run;

static void begin(const char *gpu, const char *file, const char *const *settings)
{
    const char *const files[] = {file, NULL};

    cuda_run_begin(&run, gpu, 0, files, settings);
}

static struct cuda_run_operation *kernel(const char *name, uint32_t n)
{
    struct cuda_run_operation *found = calloc(1, sizeof *found);

    ck_assert_ptr_nonnull(found);
    cuda_run_kernel(&run, name, n, found);
    return found;
}

static uint32_t count(uint32_t kind, gfe_ps from_ps, gfe_ps to_ps)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        found += run.events[i].kind == kind && run.events[i].time_ps >= from_ps &&
                 run.events[i].time_ps < to_ps;
    return found;
}

static const struct log_event *event(uint32_t kind, uint32_t n)
{
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind == kind && n-- == 0)
            return &run.events[i];
    ck_abort_msg("there is no such event");
}

/* ---- Amert et al. 2017, app. A ---------------------------------------------------------------
 */

/* "The total number of threads that appeared to have been assigned": from each block's start to its
 * end, as the block itself sees them. */
static uint32_t threads_at(const struct cuda_run_operation *of, gfe_ps at_ps)
{
    uint32_t threads = 0;

    for (uint32_t i = 0; i < of->block_count; i++)
        threads += of->blocks[i].start_ps <= at_ps && at_ps < of->blocks[i].end_ps ? 512 : 0;
    return threads;
}

static gfe_ps worst_block(const struct cuda_run_operation *of)
{
    gfe_ps worst_ps = 0;

    for (uint32_t i = 0; i < of->block_count; i++)
        if (of->blocks[i].end_ps - of->blocks[i].start_ps > worst_ps)
            worst_ps = of->blocks[i].end_ps - of->blocks[i].start_ps;
    return worst_ps;
}

/* Fig. 9, top: "4,096 threads from each kernel appear to be fairly consistently running together",
 * though the TX2 has no more than 4,096. */
/* PROMISE (sim): The figures of Amert et al. 2017's appendix: twice the threads that fit, and block
 * times more than doubled. */
START_TEST(kernels_of_two_processes_seem_to_run_together)
{
    struct cuda_run_operation *first, *second;
    uint32_t together = 0, samples = 0;

    begin("tx2", "amert2017-fig9-processes", NULL);
    first = kernel("P1", 0);
    second = kernel("P2", 0);
    for (gfe_ps at_ps = 20 * MS; at_ps < first->ended_ps && at_ps < second->ended_ps;
         at_ps += MS / 3) {
        ck_assert_uint_le(threads_at(first, at_ps), 4096);
        ck_assert_uint_le(threads_at(second, at_ps), 4096);
        together += threads_at(first, at_ps) == 4096 && threads_at(second, at_ps) == 4096;
        samples++;
    }
    ck_assert_uint_gt(samples, 1000);
    ck_assert_uint_ge(together, samples * 9 / 10);
    free(first);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* Fig. 9, bottom: "all blocks from one kernel were fully dispatched before the second kernel began
 * execution". */
START_TEST(kernels_of_two_tasks_follow_each_other)
{
    struct cuda_run_operation *first, *second, *swap;

    begin("tx2", "amert2017-fig9-tasks", NULL);
    first = kernel("T1", 0);
    second = kernel("T2", 0);
    if (second->started_ps < first->started_ps) {
        swap = first;
        first = second;
        second = swap;
    }
    ck_assert_uint_ge(second->started_ps, first->dispatched_ps);
    for (gfe_ps at_ps = 20 * MS; at_ps < second->ended_ps; at_ps += MS)
        ck_assert_uint_le(threads_at(first, at_ps) + threads_at(second, at_ps), 4096);
    free(first);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* Fig. 10: "the worst-case block times for the Process curves is over twice that of the Task
 * curves". */
START_TEST(block_times_of_processes_are_more_than_doubled)
{
    struct cuda_run_operation *task, *process;

    begin("tx2", "amert2017-fig9-tasks", NULL);
    task = kernel("T1", 0);
    cuda_run_end(&run);
    begin("tx2", "amert2017-fig9-processes", NULL);
    process = kernel("P1", 0);
    cuda_run_end(&run);
    ck_assert_uint_ge(worst_block(task), 100 * MS);
    ck_assert_uint_gt(worst_block(process), 2 * worst_block(task));
    ck_assert_uint_lt(worst_block(process), 3 * worst_block(task));
    free(task);
    free(process);
}
END_TEST

/* ---- Bakita and Anderson 2024, Fig. 6 and note 14 ----------------------------------------------
 */

/* "Logger 1's execution is interrupted several times before Logger 2 completes initialization and
 * launches its kernel", for about 100 ms; then slices of about 2 ms, "approximately 20 timeslices
 * per 80 ms" each. */
/* PROMISE (drivers): Rule B.D1 in scenarios: a process that begins interrupts compute of others
 * while its context is made, and by large allocations. */
START_TEST(a_process_that_begins_interrupts_compute)
{
    struct cuda_run_operation *second;

    begin("gtx1060-3gb", "bakita2024-fig6", NULL);
    second = kernel("log 2", 0);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 0, 20 * MS), 0);
    ck_assert_uint_eq(count(EVENT_RM_CONTEXT_INIT, 20 * MS, 120 * MS), 8);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 20 * MS, 120 * MS), 8);
    ck_assert_int_eq(event(EVENT_RM_CONTEXT_INIT, 0)->rule, RULE_B_D1);
    ck_assert_uint_eq(event(EVENT_RM_CONTEXT_READY, 0)->time_ps, 120 * MS);
    ck_assert_uint_ge(second->called_ps, 120 * MS);
    ck_assert_uint_le(second->called_ps, 121 * MS);
    /* Of both, so 40 in 80 ms. */
    ck_assert_uint_ge(count(EVENT_GRID_SUSPEND, 122 * MS, 162 * MS), 18);
    ck_assert_uint_le(count(EVENT_GRID_SUSPEND, 122 * MS, 162 * MS), 20);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* "compute is still hindered during context initialization (as in Fig. 6); curiously, it is also
 * briefly interrupted when copy_monitor does large, GPU-device-mapped memory allocations", though
 * copies have a runlist of their own and do not hinder it. */
START_TEST(a_large_allocation_interrupts_compute_once)
{
    const char *const larger[] = {"rm.large_allocation_bytes", "200000000", NULL};
    struct cuda_run_operation *log;

    begin("gtx1060-3gb", "bakita2024-note14", _i == 0 ? NULL : larger);
    log = kernel("log", 0);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 0, 110 * MS), 8);
    ck_assert_uint_eq(count(EVENT_RM_ALLOCATION, 0, GFE_PS_NEVER), _i == 0);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 110 * MS, GFE_PS_NEVER), _i == 0);
    ck_assert_uint_eq(count(EVENT_COPY_START, 0, GFE_PS_NEVER), 1);
    ck_assert_uint_eq(count(EVENT_COPY_SUSPEND, 0, GFE_PS_NEVER), 0);
    ck_assert_uint_lt(event(EVENT_COPY_END, 0)->time_ps, log->ended_ps);
    if (_i == 0) {
        ck_assert_int_eq(event(EVENT_RM_ALLOCATION, 0)->rule, RULE_B_D1);
        ck_assert_uint_eq(event_rm_allocation_of(event(EVENT_RM_ALLOCATION, 0)).byte_count,
                          134217728);
        /* Briefly: less than a slice until it is back. */
        ck_assert_uint_lt(event(EVENT_GRID_RESUME, 8)->time_ps,
                          event(EVENT_GRID_SUSPEND, 8)->time_ps + 500 * GFE_PS_PER_US);
    }
    free(log);
    cuda_run_end(&run);
}
END_TEST

/* ---- Bakita and Anderson 2024, s. VI ----------------------------------------------------------
 */

#define OFF(at, channel) "poke", at "s disable_channel " channel
#define ON(at, channel)  "poke", at "s enable_channel " channel
/* The manager's edits of the compute runlist: task 1's channels are off while task 2 executes. */
#define COMPUTE_OFF(from, to)                                                                      \
    OFF(from, "0"), OFF(from, "1"), OFF(from, "2"), OFF(from, "3"), "poke",                        \
        from "s preempt_tsg 0", ON(to, "0"), ON(to, "1"), ON(to, "2"), ON(to, "3")

static void task_2_is_in_time(gfe_ps called_ps, uint32_t n)
{
    struct cuda_run_operation *second = kernel("task 2", n);

    ck_assert_uint_ge(second->called_ps, called_ps);
    ck_assert_uint_le(second->called_ps, called_ps + MS);
    ck_assert_uint_le(second->completed_ps, called_ps + 2 * S);
    /* It never left the SMs. */
    ck_assert_uint_lt(second->ended_ps - second->started_ps, 1990 * MS + MS);
    free(second);
}

/* S. VI-B: "even though Task 1 is no longer active on the compute runlist, its copies may continue
 * unhindered on other runlists", R5.  What these do to task 2 ("co-running copies have been shown
 * to severely delay compute work") the model cannot show: docs/scenarios.md says why. */
/* PROMISE (sim): EDF by edits of the compute runlist leaves the other task's copies running, which
 * edits of the copies' runlist would stop. */
START_TEST(edf_by_runlist_edits_overlooks_copies)
{
    const char *const settings[] = {COMPUTE_OFF("0.5", "2.5"), COMPUTE_OFF("3.5", "5.5"), NULL};
    struct cuda_run_operation *first;

    begin("xavier", "bakita2024-edf", settings);
    task_2_is_in_time(S / 2, 0);
    task_2_is_in_time(7 * S / 2, 1);
    first = kernel("task 1", 0);
    ck_assert_uint_eq(count(EVENT_GRID_SUSPEND, 0, 3 * S), 1);
    ck_assert_uint_eq(count(EVENT_GRID_RESUME, 0, 2500 * MS), 0);
    ck_assert_uint_le(first->completed_ps, 3 * S);
    ck_assert_uint_eq(count(EVENT_COPY_END, 0, 500 * MS), 10);
    ck_assert_uint_eq(count(EVENT_COPY_END, 500 * MS, 2500 * MS), 40);
    ck_assert_uint_eq(count(EVENT_COPY_SUSPEND, 0, GFE_PS_NEVER), 0);
    free(first);
    cuda_run_end(&run);
}
END_TEST

/* Without the manager the tasks are time-sliced, and task 2 misses its deadline. */
START_TEST(without_the_manager_the_deadline_is_missed)
{
    struct cuda_run_operation *second;

    begin("xavier", "bakita2024-edf", NULL);
    second = kernel("task 2", 0);
    ck_assert_uint_gt(second->completed_ps, 2500 * MS + 400 * MS);
    free(second);
    cuda_run_end(&run);
}
END_TEST

/* "If R3, R5, and R7 were taken into account, the second runlist would not have been overlooked,
 * could have been preempted": with task 1's copy channels off, too, nothing is copied meanwhile. */
START_TEST(edits_of_both_runlists_stop_the_copies)
{
    const char *const settings[] = {COMPUTE_OFF("0.5", "2.5"),
                                    OFF("0.5", "4"),
                                    OFF("0.5", "5"),
                                    OFF("0.5", "6"),
                                    OFF("0.5", "7"),
                                    ON("2.5", "4"),
                                    ON("2.5", "5"),
                                    ON("2.5", "6"),
                                    ON("2.5", "7"),
                                    NULL};

    begin("xavier", "bakita2024-edf", settings);
    task_2_is_in_time(S / 2, 0);
    ck_assert_uint_eq(count(EVENT_COPY_END, 0, 500 * MS), 10);
    ck_assert_uint_eq(count(EVENT_COPY_END, 500 * MS, 2500 * MS), 0);
    ck_assert_uint_gt(count(EVENT_COPY_END, 2500 * MS, 3 * S), 40);
    cuda_run_end(&run);
}
END_TEST

/* S. VI-A: "ten streams and a longer K3": K3 of each stream takes longer than the others, and a
 * later kernel may cut ahead: stream 10 can get a channel before stream 9. */
START_TEST(ten_streams_have_a_longer_k3)
{
    uint32_t tenth_first = 0;

    for (uint64_t seed = 0; seed < 8; seed++) {
        const char *const files[] = {"bakita2024-ten-streams", NULL};
        struct cuda_run_operation *k2, *k3, *ninth, *tenth;

        cuda_run_begin(&run, "gtx1060-3gb", seed, files, NULL);
        k2 = kernel("S1 K2", 0);
        k3 = kernel("S1 K3", 0);
        ninth = kernel("S9 K1", 0);
        tenth = kernel("S10 K1", 0);
        ck_assert_uint_gt(k3->ended_ps - k3->started_ps, 3 * (k2->ended_ps - k2->started_ps) / 2);
        ck_assert_uint_lt(ninth->called_ps, tenth->called_ps);
        tenth_first += tenth->started_ps < ninth->started_ps;
        free(k2);
        free(k3);
        free(ninth);
        free(tenth);
        cuda_run_end(&run);
    }
    ck_assert_uint_gt(tenth_first, 0);
    ck_assert_uint_lt(tenth_first, 8);
}
END_TEST

/* ---- Bakita and Anderson 2024, s. V-C and V-D: R5 to R7 ---------------------------------------
 */

/* Where a context's TSGs go: to the runlist to which their engine is bound (R7, Tables II to IV);
 * where copies have no engine with a runlist of its own, into compute's (R6; the TX2's only
 * runlist); where there are fewer such runlists than TSGs, several to one (R5).  On the RTX 6000
 * Ada two LCEs have a PCE (Fig. 11). */
/* PROMISE (drivers): Rules B.R5 to B.R7 decide on which runlist a context's channel groups are. */
START_TEST(a_contexts_groups_go_where_the_engines_are_bound)
{
    static const struct {
        const char *gpu;
        uint32_t runlists[4], rules[4];
    } rows[] = {
        {"gtx1060-3gb", {0, 5, 6, 5}, {RULE_B_R7, RULE_B_R7, RULE_B_R7, RULE_B_R5}},
        {"rtx6000ada", {0, 1, 2, 1}, {RULE_B_R7, RULE_B_R7, RULE_B_R7, RULE_B_R5}},
        {"xavier", {0, 1, 1, 1}, {RULE_B_R7, RULE_B_R7, RULE_B_R5, RULE_B_R5}},
        {"tx2", {0, 0, 0, 0}, {RULE_B_R7, RULE_B_R6, RULE_B_R6, RULE_B_R6}},
    };

    begin(rows[_i].gpu, "copy_monitor", NULL);
    for (uint32_t i = 0; i < 4; i++) {
        const struct log_event *tsg = event(EVENT_RM_TSG, i);

        ck_assert_uint_eq(event_rm_tsg_of(tsg).which, i);
        ck_assert_uint_eq(event_rm_tsg_of(tsg).runlist_id, rows[_i].runlists[i]);
        ck_assert_uint_eq(tsg->rule, rows[_i].rules[i]);
    }
    cuda_run_end(&run);
}
END_TEST

Suite *paper_letter_suite(void)
{
    Suite *suite = suite_create("paper_letter");
    TCase *amert = tcase_create("amert"), *bakita = tcase_create("bakita");

    tcase_add_test(amert, kernels_of_two_processes_seem_to_run_together);
    tcase_add_test(amert, kernels_of_two_tasks_follow_each_other);
    tcase_add_test(amert, block_times_of_processes_are_more_than_doubled);
    suite_add_tcase(suite, amert);
    tcase_add_test(bakita, a_process_that_begins_interrupts_compute);
    tcase_add_loop_test(bakita, a_large_allocation_interrupts_compute_once, 0, 2);
    tcase_add_test(bakita, edf_by_runlist_edits_overlooks_copies);
    tcase_add_test(bakita, without_the_manager_the_deadline_is_missed);
    tcase_add_test(bakita, edits_of_both_runlists_stop_the_copies);
    tcase_add_test(bakita, ten_streams_have_a_longer_k3);
    tcase_add_loop_test(bakita, a_contexts_groups_go_where_the_engines_are_bound, 0, 4);
    suite_add_tcase(suite, bakita);
    return suite;
}
