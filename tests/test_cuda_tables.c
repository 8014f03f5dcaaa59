/* SPDX-License-Identifier: MIT */
/*
 * The experiments of Amert et al. 2017 (Tables 1 to 5, Figs. 3 to 8) on the model of the TX2: which
 * blocks run together, who waits for whom, by which rule, as the text of the paper tells it.
 */
/* PROMISE (drivers): Tables 1 to 5 of Amert et al. (2017) come out as in the paper. */
#include <config.h>

#include <check.h>

#include "tests/cuda_run.h"
#include "tests/suites.h"

#define MS   (1000 * GFE_PS_PER_US)
#define S    (1000 * MS)
/* What the launch of a kernel takes here, and blocks of one kernel that start together differ by.
 */
#define SOON MS

static struct cuda_run run;
static struct cuda_run_operation k[10]; /* by the numbers of the paper */

static void begin(const char *file, uint32_t kernels)
{
    const char *const files[] = {file, NULL};
    /* Fig. 4 (d): a copy of 256 MiB still runs 0.12 s after its start. */
    const char *const settings[] = {"core.copy_rate_percent", "5", NULL};
    char name[4] = "K0";

    cuda_run_begin(&run, "tx2", 0, files, settings);
    for (uint32_t i = 1; i <= kernels; i++) {
        name[1] = (char)('0' + i);
        cuda_run_kernel(&run, name, 0, &k[i]);
    }
}

/* Blocks first to last of the kernel start within SOON of that time and take so long. */
static void blocks_run(uint32_t kernel, uint32_t first, uint32_t last, gfe_ps at_ps,
                       gfe_ps takes_ps)
{
    for (uint32_t i = first; i <= last; i++) {
        const struct cuda_run_block *block = &k[kernel].blocks[i];

        ck_assert_msg(block->start_ps >= at_ps && block->start_ps < at_ps + SOON,
                      "K%u:%u starts at %g s, not %g s", kernel, i, (double)block->start_ps / S,
                      (double)at_ps / S);
        ck_assert_uint_eq(block->end_ps - block->start_ps, takes_ps);
    }
    ck_assert_uint_ge(k[kernel].block_count, last + 1);
}

/* It waited for that rule, so long (within SOON), and as a grid or copy for no other. */
static void waits_only(const struct cuda_run_operation *of, uint32_t kind, uint32_t rule,
                       gfe_ps for_ps)
{
    const gfe_ps waited_ps = cuda_run_waited(&run, kind, of->hardware_id, rule);

    ck_assert_uint_eq(waited_ps, cuda_run_waited(&run, kind, of->hardware_id, RULE_NONE));
    ck_assert_msg(waited_ps <= for_ps + SOON && waited_ps + SOON >= for_ps, "%g s, not %g s",
                  (double)waited_ps / S, (double)for_ps / S);
}

/* In its stream's queue. */
static void waits_in_stream(const struct cuda_run_operation *of, uint32_t rule, gfe_ps for_ps)
{
    const gfe_ps waited_ps = cuda_run_waited(&run, SUBJECT_OPERATION, of->operation_id, rule);

    ck_assert_msg(waited_ps <= for_ps + SOON && waited_ps + SOON >= for_ps, "%g s, not %g s",
                  (double)waited_ps / S, (double)for_ps / S);
}

/* Table 1, Figs. 3 and 4. */
START_TEST(table_1_kernels_and_copies_in_three_streams)
{
    struct cuda_run_operation c2o, c3i, c3o, c5o, c6o;

    begin("amert2017-table1", 6);
    cuda_run_copy(&run, "S1", 0, &c2o);
    cuda_run_copy(&run, "S1", 1, &c3i);
    cuda_run_copy(&run, "S1", 2, &c3o);
    cuda_run_copy(&run, "S2", 0, &c6o);
    cuda_run_copy(&run, "S3", 0, &c5o);
    /* Two blocks of K1 on each SM; the other two wait for threads (R2). */
    blocks_run(1, 0, 3, 0, S);
    ck_assert_uint_eq(k[1].blocks[0].sm + k[1].blocks[1].sm + k[1].blocks[2].sm + k[1].blocks[3].sm,
                      2);
    blocks_run(1, 4, 5, S, S);
    waits_only(&k[1], SUBJECT_GRID, RULE_T_R2, S);
    /* K4 would fit, but K1 is at the head (X1); then all its blocks fit beside K1's. */
    blocks_run(4, 0, 3, S, S);
    waits_only(&k[4], SUBJECT_GRID, RULE_T_X1, 800 * MS);
    ck_assert_uint_ge(k[4].blocks[0].start_ps, k[1].dispatched_ps);
    /* K5 waits behind K4 (X1), and from 1 s on for shared memory (R3) until K4 ends. */
    blocks_run(5, 0, 1, 2 * S, S);
    ck_assert_uint_ge(k[5].blocks[0].start_ps, k[4].blocks[3].end_ps - SOON);
    waits_in_stream(&k[5], RULE_NONE, 0);
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[5].hardware_id, RULE_T_R3), S - SOON);
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[5].hardware_id, RULE_T_X1),
                      600 * MS - SOON);
    /* K2 joins the queue when K1 has completed (G2, G4), and is dispatched at once. */
    waits_in_stream(&k[2], RULE_T_G2, 2 * S);
    ck_assert_uint_ge(k[2].queued_ps, k[1].completed_ps);
    ck_assert_uint_ge(k[1].completed_ps, k[1].blocks[5].end_ps);
    blocks_run(2, 0, 1, 2 * S, S);
    waits_only(&k[2], SUBJECT_GRID, RULE_NONE, 0);
    /* K6, issued at 2.8 s, goes through. */
    blocks_run(6, 0, 1, 2800 * MS, S);
    waits_only(&k[6], SUBJECT_GRID, RULE_NONE, 0);
    /* C5o was enqueued before C2o, which waits for the only copy engine (C1, C2). */
    ck_assert_uint_lt(c5o.queued_ps, c2o.queued_ps);
    ck_assert_uint_ge(c2o.started_ps, c5o.ended_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_COPY, c2o.hardware_id, RULE_T_C2), 100 * MS);
    ck_assert_uint_ge(c5o.queued_ps, k[5].completed_ps);
    ck_assert_uint_ge(c2o.queued_ps, k[2].completed_ps);
    /* C3i behind C2o and K3 behind C3i in their stream (C1, C4, G2). */
    ck_assert_uint_ge(c3i.queued_ps, c2o.completed_ps);
    ck_assert_uint_ge(c2o.completed_ps, c2o.ended_ps);
    ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_OPERATION, c3i.operation_id, RULE_T_C1), 3 * S);
    ck_assert_uint_ge(k[3].queued_ps, c3i.completed_ps);
    blocks_run(3, 0, 1, c3i.completed_ps, S);
    /* At 4.0 s of the figure K3 and K6 are dispatched; C6o and C3o follow them. */
    ck_assert_uint_lt(k[3].dispatched_ps, 3800 * MS);
    ck_assert_uint_ge(c6o.queued_ps, k[6].completed_ps);
    ck_assert_uint_ge(c3o.queued_ps, k[3].completed_ps);
    cuda_run_golden(&run, "amert2017_table1.events");
    cuda_run_end(&run);
}
END_TEST

/* Table 2, Fig. 5. */
START_TEST(table_2_the_null_stream)
{
    begin("amert2017-table2", 6);
    blocks_run(1, 0, 3, 0, S);
    blocks_run(1, 4, 5, S, S);
    /* K2, of the NULL stream, waits for K1 (N1), and all others for K2 (N2). */
    waits_in_stream(&k[2], RULE_T_N1, 1800 * MS);
    ck_assert_uint_ge(k[2].queued_ps, k[1].completed_ps);
    blocks_run(2, 0, 0, 2 * S, S);
    waits_in_stream(&k[3], RULE_T_N2, 2600 * MS);
    ck_assert_uint_ge(k[3].queued_ps, k[2].completed_ps);
    blocks_run(3, 0, 3, 3 * S, S);
    ck_assert_uint_ge(k[4].queued_ps, k[3].completed_ps);
    blocks_run(4, 0, 3, 4 * S, S);
    /* K5 waits for K3 and K4; K6, which could have run with K1, K3 or K4, for K2 and K5. */
    ck_assert_uint_ge(k[5].queued_ps, k[4].completed_ps);
    blocks_run(5, 0, 0, 5 * S, S);
    waits_in_stream(&k[6], RULE_T_N2, 5200 * MS);
    ck_assert_uint_ge(k[6].queued_ps, k[5].completed_ps);
    blocks_run(6, 0, 1, 6 * S, S);
    cuda_run_golden(&run, "amert2017_table2.events");
    cuda_run_end(&run);
}
END_TEST

/* Table 3, Fig. 6. */
START_TEST(table_3_a_high_priority_starves_a_low_one)
{
    begin("amert2017-table3", 3);
    blocks_run(1, 0, 3, 0, 500 * MS);
    /* K2 effectively preempts K1 when its first four blocks end, and then K3. */
    for (uint32_t i = 0; i < 4; i++) {
        blocks_run(2, 4 * i, 4 * i + 3, (500 + 500 * i) * MS, 500 * MS);
        blocks_run(3, 4 * i, 4 * i + 3, (2500 + 500 * i) * MS, 500 * MS);
    }
    blocks_run(1, 4, 7, 4500 * MS, 500 * MS);
    ck_assert_uint_ge(k[3].blocks[0].start_ps, k[2].blocks[12].end_ps - SOON);
    /* First for threads, from K2's launch on for the queue of the higher priority (A2). */
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[1].hardware_id, RULE_T_A2),
                      3800 * MS - SOON);
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[1].hardware_id, RULE_T_R2),
                      200 * MS - SOON);
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[3].hardware_id, RULE_T_X1),
                      1500 * MS - SOON);
    cuda_run_golden(&run, "amert2017_table3.events");
    cuda_run_end(&run);
}
END_TEST

/* Table 4, Fig. 7: no priority is neither above nor below low. */
START_TEST(table_4_no_priority_is_low_priority)
{
    begin("amert2017-table4", 4);
    blocks_run(1, 0, 3, 0, 500 * MS);
    blocks_run(3, 0, 3, 500 * MS, 500 * MS);
    blocks_run(3, 4, 7, 1000 * MS, 500 * MS);
    blocks_run(1, 4, 7, 1500 * MS, 500 * MS);
    blocks_run(2, 0, 3, 2000 * MS, 500 * MS);
    blocks_run(2, 4, 7, 2500 * MS, 500 * MS);
    blocks_run(4, 0, 3, 3000 * MS, 500 * MS);
    blocks_run(4, 4, 7, 3500 * MS, 500 * MS);
    /* K2 behind K1 until that has all its blocks, and then for threads. */
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[2].hardware_id, RULE_T_X1),
                      1300 * MS - SOON);
    ck_assert_uint_ge(cuda_run_waited(&run, SUBJECT_GRID, k[4].hardware_id, RULE_T_X1),
                      1300 * MS - SOON);
    cuda_run_end(&run);
}
END_TEST

/* Table 5, Fig. 8: who does not fit holds up lower priorities all the same. */
START_TEST(table_5_a_high_kernel_that_does_not_fit_blocks_low_ones)
{
    begin("amert2017-table5", 9);
    for (uint32_t i = 1; i <= 7; i++)
        blocks_run(i, 0, 0, (i - 1) * 100 * MS, S);
    /* When K1 ends 512 threads are free on each SM: K8 needs 1,024 of one, and K9 waits for K8. */
    ck_assert_uint_ne(k[1].blocks[0].sm, k[2].blocks[0].sm);
    blocks_run(8, 0, 0, 1100 * MS, 500 * MS);
    ck_assert_uint_ge(k[8].blocks[0].start_ps, k[2].blocks[0].end_ps);
    waits_only(&k[8], SUBJECT_GRID, RULE_T_R2, 450 * MS);
    blocks_run(9, 0, 0, 1100 * MS, S);
    waits_only(&k[9], SUBJECT_GRID, RULE_T_A2, 400 * MS);
    cuda_run_golden(&run, "amert2017_table5.events");
    cuda_run_end(&run);
}
END_TEST

Suite *cuda_tables_suite(void)
{
    Suite *suite = suite_create("cuda_tables");
    TCase *tcase = tcase_create("tables");

    tcase_add_test(tcase, table_1_kernels_and_copies_in_three_streams);
    tcase_add_test(tcase, table_2_the_null_stream);
    tcase_add_test(tcase, table_3_a_high_priority_starves_a_low_one);
    tcase_add_test(tcase, table_4_no_priority_is_low_priority);
    tcase_add_test(tcase, table_5_a_high_kernel_that_does_not_fit_blocks_low_ones);
    suite_add_tcase(suite, tcase);
    return suite;
}
