/* SPDX-License-Identifier: MIT */
/*
 * Every rule that gfe prints decides something that a test has seen: its label stands in a golden
 * log, or a test asserts on events with its number.  What is in neither is listed with the reason.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu_model.h"
#include "tests/suites.h"

static const char *const golden_logs[] = {"clear.events", "triangle.events", "compute.events",
                                          "gtx680.events", "rtx2060.events",
                                          "fig6_contexts.events"};

/* Rules that need more than one recorded program: the test that sees them, and how it names them.
 */
static const struct {
    const char *label, *file, *name;
} seen_by_tests[] = {
    {"GFE.PROGRAM", "test_replay.c", "RULE_GFE_PROGRAM"},
    {"GFE.INFERRED", "test_replay.c", "RULE_GFE_INFERRED"},
    {"GFE.UNMAP", "test_nouveau.c", "RULE_GFE_UNMAP"},
    {"GFE.OVERWRITE", "test_replay.c", "RULE_GFE_OVERWRITE"},
    {"GFE.SUBMITTED", "test_nouveau_job.c", "RULE_GFE_SUBMITTED"},
    {"NOUVEAU.SYNC", "test_nouveau_job.c", "RULE_NOUVEAU_SYNC"},
    {"NOUVEAU.QUEUE", "test_nouveau_job.c", "RULE_NOUVEAU_QUEUE"},
    {"NOUVEAU.CREDITS", "test_nouveau_job.c", "RULE_NOUVEAU_CREDITS"},
    {"B.T3", "test_rm.c", "RULE_B_T3"},
    {"RM.RC", "test_rm_recover.c", "RULE_RM_RC"},
    {"B.R4", "test_nv_ce_queue.c", "RULE_B_R4"},
    {"B.R8", "test_nv_pce.c", "RULE_B_R8"},
    {"CORE.COPY_SHARE", "test_nv_pce.c", "RULE_CORE_COPY_SHARE"},
    {"T.X1", "test_nv_fe.c", "RULE_T_X1"},
    {"T.R2", "test_nv_fe.c", "RULE_T_R2"},
    {"T.R3", "test_nv_fe.c", "RULE_T_R3"},
    {"T.REG", "test_nv_fe.c", "RULE_T_REG"},
    {"T.SLOT", "test_nv_fe.c", "RULE_T_SLOT"},
    {"B.R1", "test_nv_runlist.c", "RULE_B_R1"},
    {"B.S1", "test_nv_engine.c", "RULE_B_S1"},
    {"B.R3", "test_nv_runlist.c", "RULE_B_R3"},
    {"B.T1", "test_nv_runlist_slice.c", "RULE_B_T1"},
    {"NV.TSG", "test_nv_runlist_slice.c", "RULE_NV_TSG"},
    {"NV.SUBMIT", "test_nv_runlist_slice.c", "RULE_NV_SUBMIT"},
    {"NV.PREEMPT", "test_nv_channel.c", "RULE_NV_PREEMPT"},
    {"NV.FAULTED", "test_nv_channel.c", "RULE_NV_FAULTED"},
    {"NV.CLEAR_FAULTED", "test_nv_pbdma_faulted.c", "RULE_NV_CLEAR_FAULTED"},
    {"NV.BAD_TSG", "test_nv_runlist.c", "RULE_NV_BAD_TSG"},
    {"NV.PBDMA_SHARED", "test_nv_runlist.c", "RULE_NV_PBDMA_SHARED"},
    {"NV.ACQ", "test_nv_pbdma_semaphore.c", "RULE_NV_ACQ"},
    {"NV.INTR", "test_nv_pbdma_method.c", "RULE_NV_INTR"},
    {"NV.SYNC", "test_nv_pbdma_fetch.c", "RULE_NV_SYNC"},
    {"NV.CONDITIONAL", "test_nv_pbdma_entry.c", "RULE_NV_CONDITIONAL"},
    {"NV.SUBDEVICE", "test_nv_pbdma_method.c", "RULE_NV_SUBDEVICE"},
    {"NV.YIELD", "test_nv_pbdma_host.c", "RULE_NV_YIELD"},
    {"NOUVEAU.KILL", "test_nv_pbdma.c", "RULE_NOUVEAU_KILL"},
    {"NV.FE_ACQ", "test_nv_fe_report.c", "RULE_NV_FE_ACQ"},
    {"NV.FE_FULL", "test_nv_fe.c", "RULE_NV_FE_FULL"},
    {"NV.RING", "test_nouveau.c", "RULE_NV_RING"},
    {"NV.CE_INTR", "test_nv_ce.c", "RULE_NV_CE_INTR"},
    {"NOUVEAU.LOCK", "test_nouveau.c", "RULE_NOUVEAU_LOCK"},
    {"T.P1", "test_dispatch.c", "RULE_T_P1"},
    {"CORE.SAVED", "test_dispatch.c", "RULE_CORE_SAVED"},
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

START_TEST(the_lists_name_rules_that_exist)
{
    for (size_t i = 0; i < sizeof seen_by_tests / sizeof seen_by_tests[0]; i++)
        ck_assert_msg(known(seen_by_tests[i].label), "%s", seen_by_tests[i].label);
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
    tcase_add_test(tcase, the_lists_name_rules_that_exist);
    tcase_add_test(tcase, every_parameter_has_a_bound_above_its_default);
    suite_add_tcase(suite, tcase);
    return suite;
}
