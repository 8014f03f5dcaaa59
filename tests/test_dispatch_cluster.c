/* SPDX-License-Identifier: MIT */
/*
 * Clusters of blocks: CORE.CLUSTER.  The SMs are those of an H100 (tests/hardware/data/h100,
 * clusters of blocks and gpcs of sm_order).
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/cuda_run.h"
#include "tests/suites.h"

#define US GFE_PS_PER_US

static struct cuda_run run;

static void begin(const char *gpu, uint32_t blocks, uint32_t threads, uint32_t shared,
                  uint32_t cluster)
{
    char text[1024];
    const char *const files[] = {text, NULL};

    ck_assert_int_lt(
        snprintf(text, sizeof text,
                 "{\"gfe_scenario\":1,\"processes\":[{\"streams\":[{\"name\":\"a\"}],\"tasks\":[{"
                 "\"name\":\"t\",\"calls\":[{\"launch\":{\"name\":\"K\",\"blocks\":%u,\"threads\":"
                 "%u,\"shared_memory\":%u,\"max_dynamic_shared_memory\":%u,\"spin\":0.0005,"
                 "\"cluster\":%u}}]}]}]}",
                 blocks, threads, shared, shared, cluster),
        (int)sizeof text);
    cuda_run_begin(&run, gpu, 0, files, NULL);
}

/* PROMISE (program): Clusters of blocks start together, on the SMs of a real H100's. */
START_TEST(clusters_start_on_the_measured_sms)
{
    static const struct {
        uint32_t cluster, threads, shared, blocks;
        uint32_t sms[20]; /* of the first blocks, measured (gpcs) */
    } cases[] = {
        {4, 128, 204800, 120, {0,  1,  16, 17, 2,  3,  18, 19, 4,  5,
                               20, 21, 6,  7,  22, 23, 8,  9,  24, 25}},
        {8, 1024, 0, 240, {0,  1,  16, 17, 32, 33, 48, 49, 2,  3,
                           18, 19, 34, 35, 50, 51, 4,  5,  20, 21}},
        {16, 1024, 0, 224, {2,  3,  18, 19, 34,  35,  50, 51, 64, 65,
                            78, 79, 92, 93, 106, 107, 4,  5,  20, 21}},
    };
    struct cuda_run_operation of;

    begin("h100", cases[_i].blocks, cases[_i].threads, cases[_i].shared, cases[_i].cluster);
    cuda_run_kernel(&run, "K", 0, &of);
    for (uint32_t i = 0; i < 20; i++)
        ck_assert_uint_eq(of.blocks[i].sm, cases[_i].sms[i]);
    for (uint32_t i = 0; i < cases[_i].blocks; i++) {
        ck_assert_uint_eq(of.blocks[i].start_ps, of.blocks[i - i % cases[_i].cluster].start_ps);
        ck_assert_uint_lt(of.blocks[i].start_ps, 400 * US); /* they all fit at once */
    }
    cuda_run_end(&run);
}
END_TEST

/* One cluster more than fit waits for CORE.CLUSTER, though SMs have room: measured with
 * cudaOccupancyMaxActiveClusters (gpcs: clusters_fit), 66, 30, 15 and 7 with one block on an SM. */
START_TEST(as_many_clusters_fit_as_measured)
{
    static const uint32_t fit[][2] = {{2, 66}, {4, 30}, {8, 15}, {16, 7}};
    const uint32_t cluster = fit[_i][0], count = fit[_i][1];
    struct cuda_run_operation of;

    begin("h100", cluster * (count + 1), 128, 204800, cluster);
    cuda_run_kernel(&run, "K", 0, &of);
    ck_assert_uint_lt(of.blocks[cluster * count - 1].start_ps, 400 * US);
    ck_assert_uint_gt(of.blocks[cluster * count].start_ps, 500 * US);
    if (cluster > 2) /* of two all SMs are taken */
        ck_assert_uint_gt(cuda_run_waited(&run, SUBJECT_GRID, of.hardware_id, RULE_CORE_CLUSTER),
                          400 * US);
    cuda_run_end(&run);
}
END_TEST

#define NOWHERE                                                                                    \
    "{\"launch\":{\"blocks\":32,\"threads\":1024,\"cluster\":16,\"sm_mask\":\"~3\"},"              \
    "\"stream\":\"a\"}"
#define BEHIND                                                                                     \
    "{\"sleep\":0.01},{\"launch\":{\"name\":\"M\",\"blocks\":32,\"threads\":1024,"                 \
    "\"spin\":0.0005},\"stream\":\"b\"}"
#define PROCESS(calls)                                                                              \
    "{\"streams\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"tasks\":[{\"name\":\"t\",\"calls\":[" calls \
    "]}]}"

/* Counts the grids that wait for ever by a rule. */
static uint32_t left_by(uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < run.event_count; i++)
        count += run.events[i].kind == EVENT_WAIT_OPEN && run.events[i].rule == rule &&
                 event_wait_open_of(&run.events[i]).subject_kind == SUBJECT_GRID;
    return count;
}

/* Clusters of 16 have no place on the four SMs of a mask.  Two processes of such kernels do not
 * take turns for ever, and the rule is told; what they hold up does not go on either. */
START_TEST(clusters_that_fit_nowhere_are_told)
{
    static const char *const files[] = {"{\"gfe_scenario\":1,\"processes\":[" PROCESS(
                                            NOWHERE
                                            "," BEHIND) "," PROCESS(NOWHERE "," BEHIND) "]}",
                                        NULL};
    static const char *const settings[][3] = {{"core.masked_grids", "hold", NULL}, {NULL}};
    struct cuda_run_operation of;

    cuda_run_begin(&run, "h100", 0, files, settings[_i]);
    ck_assert_uint_eq(left_by(RULE_GFE_LOST), 0);
    ck_assert_uint_ge(left_by(RULE_CORE_CLUSTER), 1); /* the other process may be off */
    for (uint32_t i = 0; _i == 1 && i < 2; i++)
        cuda_run_kernel(&run, "M", i, &of); /* has ended */
    for (uint32_t i = 0; _i == 0 && i < run.event_count; i++)
        ck_assert_uint_ne(run.events[i].kind, EVENT_BLOCK_START);
    cuda_run_end(&run);
}
END_TEST

/* A client of MPS has no more SMs than its share, and one whose share is smaller than a cluster
 * waits for ever. */
START_TEST(clusters_keep_to_a_share)
{
    static const struct {
        uint32_t percent, cluster;
    } cases[] = {{50, 4}, {10, 16}};
    char text[512];
    const char *const files[] = {text, NULL};
    struct cuda_run_operation of;
    bool has[256] = {false};
    uint32_t count = 0;

    ck_assert_int_lt(
        snprintf(
            text, sizeof text,
            "{\"gfe_scenario\":1,\"mps\":true,\"processes\":[{\"mps_thread_percentage\":%u,"
            "\"streams\":[{\"name\":\"a\"}],\"tasks\":[{\"name\":\"t\",\"calls\":[{\"launch\":"
            "{\"name\":\"K\",\"blocks\":192,\"threads\":1024,\"spin\":0.0005,\"cluster\":%u}}]}]}]}",
            cases[_i].percent, cases[_i].cluster),
        (int)sizeof text);
    cuda_run_begin(&run, "h100", 0, files, NULL);
    if (_i == 1) {
        ck_assert_uint_eq(left_by(RULE_CORE_CLIENT_SHARE), 1);
        cuda_run_end(&run);
        return;
    }
    cuda_run_kernel(&run, "K", 0, &of);
    for (uint32_t i = 0; i < 192; i++)
        if (of.blocks[i].start_ps < 400 * US && !has[of.blocks[i].sm]) {
            has[of.blocks[i].sm] = true;
            count++;
        }
    ck_assert(count >= 32 && count <= 66); /* half of the SMs, less what is no whole cluster */
    cuda_run_end(&run);
}
END_TEST

Suite *dispatch_cluster_suite(void)
{
    Suite *suite = suite_create("dispatch_cluster");
    TCase *tcase = tcase_create("clusters");

    tcase_add_loop_test(tcase, clusters_start_on_the_measured_sms, 0, 3);
    tcase_add_loop_test(tcase, as_many_clusters_fit_as_measured, 0, 4);
    tcase_add_loop_test(tcase, clusters_that_fit_nowhere_are_told, 0, 2);
    tcase_add_loop_test(tcase, clusters_keep_to_a_share, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
