/* SPDX-License-Identifier: MIT */
/*
 * Every rule that gfe prints decides something that a test has seen: its label stands in a golden
 * log, or a test asserts on events with its number.  What is in neither is listed with the reason.
 * A rule with a log of its own has to stay in it.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/rule.h"
#include "emu/sim/gpus.h"
#include "tests/suites.h"

static const char *const golden_logs[] = {"clear.events",
                                          "triangle.events",
                                          "compute.events",
                                          "gtx680.events",
                                          "rtx2060.events",
                                          "fig6_contexts.events",
                                          "amert2017_table1.events",
                                          "amert2017_table2.events",
                                          "amert2017_table3.events",
                                          "amert2017_table5.events",
                                          "bakita2024_fig5.events",
                                          "yang2017.events",
                                          "cuda_mps.events",
                                          "rule_cuda_event.events",
                                          "rule_cuda_per_thread.events",
                                          "rule_t_p2.events",
                                          "rule_t_reg_slot.events"};

/* Small ones, of test machines (golden_log.h): each shows the rule that it is named after. */
static const struct {
    const char *label, *file;
} rule_logs[] = {
    {"AMD.SDMA_ENGINE", "rule_amd_sdma_engine.events"},
    {"AMD.SDMA_POLL", "rule_amd_sdma_poll.events"},
    {"AMD.SDMA_HALT", "rule_amd_sdma_halt.events"},
    {"A.H.SDMA", "kfd_sdma.events"},
    {"AMDGPU.IH", "rule_amdgpu_ih.events"},
    {"KFD.EVICT", "rule_kfd_evict.events"},
    {"KFD.USERPTR", "rule_kfd_userptr.events"},
    {"A.D1", "rule_a_d1.events"},
    {"A.D2", "rule_a_d2.events"},
    {"A.D3", "rule_a_d3.events"},
    {"A.D4", "rule_a_d4.events"},
    {"A.D5", "rule_a_d5.events"},
    {"A.M1", "rule_a_m1.events"},
    {"A.M2", "rule_a_m2.events"},
    {"A.O1", "rule_a_o1.events"},
    {"A.Q2", "rule_a_q2.events"},
    {"A.R1", "rule_a_r1.events"},
    {"A.H2", "rule_a_h2.events"},
    {"A.H1", "rule_a_h2.events"},
    {"A.Q1", "rule_a_q1.events"},
    {"A.Q3", "rule_a_q3.events"},
    {"AMD.CWSR", "rule_amd_cwsr.events"},
    {"AMD.DEPENDS", "rule_amd_depends.events"},
    {"AMD.DEQUEUE", "rule_amd_dequeue.events"},
    {"AMD.FLUSH", "rule_amd_flush.events"},
    {"AMD.GRACE", "rule_amd_grace.events"},
    {"AMD.INVALID", "rule_amd_invalid.events"},
    {"AMD.NO_CU", "rule_amd_no_cu.events"},
    {"AMD.PIPE", "rule_amd_pipe.events"},
    {"AMD.SAVE_ROOM", "rule_amd_save_room.events"},
    {"AMD.SCRATCH", "rule_amd_scratch.events"},
    {"AMD.WRM", "rule_amd_wrm.events"},
    {"AMD.SCHEDULER", "rule_amd_scheduler.events"},
    {"A.H.UNMAP", "rule_a_h_unmap.events"},
    {"A.H.REFUSED", "rule_a_h_refused.events"},
    {"A.H3", "rule_a_h3.events"},
    {"B.R1", "rule_b_r1.events"},
    {"B.R3", "rule_b_r3.events"},
    {"B.R4", "rule_b_r4.events"},
    {"B.R8", "rule_b_r8.events"},
    {"B.S1", "rule_b_s1.events"},
    {"B.T1", "rule_b_t1.events"},
    {"B.T2", "rule_b_t2.events"},
    {"CORE.CLIENT_SHARE", "rule_core_client_share.events"},
    {"NV.ACQ", "rule_nv_acq.events"},
    {"NV.BAD_TSG", "rule_nv_bad_tsg.events"},
    {"NV.CE_INTR", "rule_nv_ce_intr.events"},
    {"NV.CLEAR_FAULTED", "rule_nv_clear_faulted.events"},
    {"NV.CONDITIONAL", "rule_nv_conditional.events"},
    {"NV.FAULTED", "rule_nv_faulted.events"},
    {"NV.FE_ACQ", "rule_nv_fe_acq.events"},
    {"NV.INTR", "rule_nv_intr.events"},
    {"NV.PBDMA_SHARED", "rule_nv_pbdma_shared.events"},
    {"NV.PREEMPT", "rule_nv_preempt.events"},
    {"NV.RING", "rule_nv_ring.events"},
    {"NV.SUBDEVICE", "rule_nv_subdevice.events"},
    {"NV.SUBMIT", "rule_nv_submit.events"},
    {"NV.SYNC", "rule_nv_sync.events"},
    {"NV.TSG", "rule_nv_tsg.events"},
    {"NV.YIELD", "rule_nv_yield.events"},
};

/* Rules that need more than one recorded program: the test that sees them, and how it names them.
 */
static const struct {
    const char *label, *file, *name;
} seen_by_tests[] = {
    {"AMD.STOPPED", "test_amd_mec_aql.c", "RULE_AMD_STOPPED"},
    {"GFE.LOST", "test_kfd_simulation.c", "[GFE.LOST]"},
    {"BARE.TSG", "test_bare.c", "RULE_BARE_TSG"},
    {"BARE.RUNLIST", "test_bare.c", "RULE_BARE_RUNLIST"},
    {"BARE.RING", "test_bare.c", "RULE_BARE_RING"},
    {"BARE.WAIT", "test_bare.c", "RULE_BARE_WAIT"},
    {"GFE.PROGRAM", "test_replay.c", "RULE_GFE_PROGRAM"},
    {"GFE.INFERRED", "test_replay.c", "RULE_GFE_INFERRED"},
    {"GFE.UNMAP", "test_nouveau.c", "RULE_GFE_UNMAP"},
    {"GFE.OVERWRITE", "test_replay.c", "RULE_GFE_OVERWRITE"},
    {"GFE.SUBMITTED", "test_nouveau_job.c", "RULE_GFE_SUBMITTED"},
    {"NOUVEAU.SYNC", "test_nouveau_job.c", "RULE_NOUVEAU_SYNC"},
    {"NOUVEAU.QUEUE", "test_nouveau_job.c", "RULE_NOUVEAU_QUEUE"},
    {"NOUVEAU.CREDITS", "test_nouveau_job.c", "RULE_NOUVEAU_CREDITS"},
    {"RM.RC", "test_rm_recover.c", "RULE_RM_RC"},
    {"CORE.COPY_SHARE", "test_nv_pce.c", "RULE_CORE_COPY_SHARE"},
    {"CORE.CLUSTER", "test_dispatch_cluster.c", "RULE_CORE_CLUSTER"},
    {"CORE.MASK_PASSED", "test_dispatch_mask.c", "RULE_CORE_MASK_PASSED"},
    {"CORE.SM_MASK", "test_dispatch.c", "RULE_CORE_SM_MASK"},
    {"CUDA.AHEAD", "test_cuda_ahead.c", "RULE_CUDA_AHEAD"},
    {"CUDA.EVENT_CHANNEL", "test_cuda_ahead.c", "RULE_CUDA_EVENT_CHANNEL"},
    {"CUDA.STREAM_ACQUIRE", "test_cuda_ahead.c", "RULE_CUDA_STREAM_ACQUIRE"},
    {"CUDA.CHANNEL_ORDER", "test_cuda_channel.c", "RULE_CUDA_CHANNEL_ORDER"},
    {"CUDA.CHANNEL_TURN", "test_cuda_channel.c", "RULE_CUDA_CHANNEL_TURN"},
    {"NOUVEAU.KILL", "test_nv_pbdma.c", "RULE_NOUVEAU_KILL"},
    {"NV.CLASS", "test_nv_class_error.c", "RULE_NV_CLASS"},
    {"NV.FE_FULL", "test_nv_fe.c", "RULE_NV_FE_FULL"},
    {"NOUVEAU.LOCK", "test_nouveau.c", "RULE_NOUVEAU_LOCK"},
    {"NOUVEAU.RC", "test_live_nouveau.c", "RULE_NOUVEAU_RC"},
    {"AMD.ROOM", "test_amd_mec_aql.c", "RULE_AMD_ROOM"},
    {"CORE.SAVED", "test_dispatch.c", "RULE_CORE_SAVED"},
    {"CORE.GRIDS", "test_dispatch.c", "RULE_CORE_GRIDS"},
    {"CORE.SM_SPLIT", "test_dispatch.c", "RULE_CORE_SM_SPLIT"},
};

/* Rules that no event carries. */
static const struct {
    const char *label, *reason;
} not_in_logs[] = {
    {"-", "stands for no rule at all"},
};

static bool file_contains(const char *folder, const char *name, const char *text)
{
    const char *top = getenv("top_srcdir");
    char path[4096], line[4096];
    bool found = false;
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/%s%s", top ? top : ".", folder, name);
    file = fopen(path, "rbe");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    while (!found && fgets(line, sizeof line, file))
        found = strstr(line, text) != NULL;
    fclose(file);
    return found;
}

static bool in_golden_logs(const char *label)
{
    char text[64];

    snprintf(text, sizeof text, "[%s]", label);
    for (size_t i = 0; i < sizeof golden_logs / sizeof golden_logs[0]; i++)
        if (file_contains("golden/", golden_logs[i], text))
            return true;
    for (size_t i = 0; i < sizeof rule_logs / sizeof rule_logs[0]; i++)
        if (strcmp(rule_logs[i].label, label) == 0)
            return file_contains("golden/", rule_logs[i].file, text);
    return false;
}

static bool in_tests(const char *label)
{
    for (size_t i = 0; i < sizeof seen_by_tests / sizeof seen_by_tests[0]; i++)
        if (strcmp(seen_by_tests[i].label, label) == 0)
            return file_contains("", seen_by_tests[i].file, seen_by_tests[i].name);
    return false;
}

static bool excused(const char *label)
{
    for (size_t i = 0; i < sizeof not_in_logs / sizeof not_in_logs[0]; i++)
        if (strcmp(not_in_logs[i].label, label) == 0)
            return true;
    return false;
}

/* PROMISE (log): Every rule that `gfe rules` prints has decided something in a test. */
START_TEST(every_rule_has_decided_something_in_a_test)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->rule_count; i++) {
            const char *label = gfe_table_sets[s]->rules[i].label;

            ck_assert_msg(in_golden_logs(label) + in_tests(label) + excused(label) > 0,
                          "no test has seen %s", label);
        }
}
END_TEST

static bool known(const char *label)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->rule_count; i++)
            if (strcmp(gfe_table_sets[s]->rules[i].label, label) == 0)
                return true;
    return false;
}

/* What --param allows includes each default, and half of 64 bits has room for some thousand of it.
 */
START_TEST(every_parameter_has_a_bound_above_its_default)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->parameter_count; i++) {
            const struct parameter *parameter = &gfe_table_sets[s]->parameters[i];

            ck_assert_msg(parameter->value <= parameter_highest(parameter), "%s", parameter->id);
            ck_assert_uint_lt(parameter_highest(parameter), UINT64_MAX / 16);
        }
}
END_TEST

/* Also one that other logs show. */
START_TEST(each_rule_log_shows_its_rule)
{
    for (size_t i = 0; i < sizeof rule_logs / sizeof rule_logs[0]; i++) {
        char text[64];

        snprintf(text, sizeof text, "[%s]", rule_logs[i].label);
        ck_assert_msg(file_contains("golden/", rule_logs[i].file, text), "%s lacks %s",
                      rule_logs[i].file, text);
    }
}
END_TEST

START_TEST(the_lists_name_rules_that_exist)
{
    for (size_t i = 0; i < sizeof rule_logs / sizeof rule_logs[0]; i++)
        ck_assert_msg(known(rule_logs[i].label), "%s", rule_logs[i].label);
    for (size_t i = 0; i < sizeof seen_by_tests / sizeof seen_by_tests[0]; i++)
        ck_assert_msg(known(seen_by_tests[i].label) && !in_golden_logs(seen_by_tests[i].label),
                      "%s", seen_by_tests[i].label);
    for (size_t i = 0; i < sizeof not_in_logs / sizeof not_in_logs[0]; i++)
        ck_assert_msg(known(not_in_logs[i].label) && !in_golden_logs(not_in_logs[i].label), "%s",
                      not_in_logs[i].label);
}
END_TEST

Suite *rules_suite(void)
{
    Suite *suite = suite_create("rules");
    TCase *tcase = tcase_create("coverage");

    tcase_add_test(tcase, every_rule_has_decided_something_in_a_test);
    tcase_add_test(tcase, each_rule_log_shows_its_rule);
    tcase_add_test(tcase, the_lists_name_rules_that_exist);
    tcase_add_test(tcase, every_parameter_has_a_bound_above_its_default);
    suite_add_tcase(suite, tcase);
    return suite;
}
