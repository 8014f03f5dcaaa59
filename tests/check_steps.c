/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "tests/check_steps.h"

#include <check.h>
#include <stdlib.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log_head.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_limits.h"
#include "tests/golden_text.h"

/* Which of the good steps stands at that place. */
static uint32_t step_at(const struct check_change *change, uint32_t place)
{
    if (!change || change->kind != SWAP)
        return place;
    return change->step == place       ? change->argument
           : change->argument == place ? change->step
                                       : place;
}

uint32_t check_steps_make(struct check_step steps[CHECK_STEPS_MAX], const struct check_step *good,
                          uint32_t good_count, const struct check_change *change)
{
    uint32_t count = 0;

    ck_assert_uint_lt(good_count, CHECK_STEPS_MAX);
    for (uint32_t i = 0; i < good_count; i++) {
        const struct check_step *step = &good[step_at(change, i)];

        if (change && change->kind == DROP && change->step == i)
            continue;
        steps[count++] = *step;
        if (change && change->step == i && change->kind == SET)
            steps[count - 1].arguments[change->argument] = change->value;
        if (change && change->step == i && change->kind == TWICE)
            steps[count++] = *step;
    }
    return count;
}

void check_steps_with(const struct check_step *steps, uint32_t count, char *head,
                      const struct check_limits *limits, struct check_report *report)
{
    struct gfe_error error = {0};
    struct log_fixture fixture;
    struct event_log_reader *log;

    log_fixture_begin_with(&fixture, head);
    free(head);
    for (uint32_t i = 0; i < count; i++)
        log_fixture_add(&fixture, 10 + i, steps[i].kind, RULE_NONE, steps[i].argument_count,
                        steps[i].arguments);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    ck_assert_msg(check_log(log, limits, report, &error), "%s", error.text);
    event_log_close(log);
    log_fixture_remove(&fixture);
}

void check_steps(const struct check_step *steps, uint32_t count, bool cuda,
                 struct check_report *report)
{
    check_steps_with(steps, count, cuda ? log_fixture_cuda_head(NULL) : log_fixture_head(),
                     &check_limits_tx2, report);
}

void check_steps_amd_head(char **head, struct check_limits *limits)
{
    static const struct table_set *const sets[] = {&emu_tables,     &core_tables,     &amd_tables,
                                                   &amd_mec_tables, &amd_sdma_tables, &kfd_tables};
    static const char *const units[UNIT_COUNT] = {"a", "b", "c", "d", "e", "f"};

    *head = event_log_head_build(&(struct event_log_head){
        .units = units, .unit_count = UNIT_COUNT, .sets = sets, .set_count = COUNT(sets)});
    ck_assert(*head && gpu_find_limits("radeon-vii", NULL, limits));
}

void check_steps_amd(const struct check_step *steps, uint32_t count, struct check_report *report)
{
    struct check_limits limits;
    char *head;

    check_steps_amd_head(&head, &limits);
    check_steps_with(steps, count, head, &limits, report);
}

static void steps_tell(FILE *file, const struct check_change *change,
                       const struct check_report *report)
{
    static const char *const kinds[] = {"set", "drop", "swap", "twice"};

    fprintf(file, "step %u %s", change->step, kinds[change->kind]);
    if (change->kind == SET)
        fprintf(file, " value %u to %lld", change->argument, (long long)change->value);
    if (change->kind == SWAP)
        fprintf(file, " with %u", change->argument);
    fprintf(file, "\n");
    for (uint32_t i = 0; i < report->finding_count; i++) {
        const struct check_finding *finding = &report->findings[i];

        fprintf(file, "    %s: %s\n", finding->rule, finding->says);
        if (finding->first.text[0])
            fprintf(file, "        %llu ps %s\n", (unsigned long long)finding->first.time_ps,
                    finding->first.text);
        fprintf(file, "        %llu ps %s\n", (unsigned long long)finding->second.time_ps,
                finding->second.text);
    }
}

void check_steps_findings(const char *golden, const struct check_step *good, uint32_t good_count,
                          const struct check_change *changes, uint32_t change_count,
                          void (*run)(const struct check_step *steps, uint32_t count,
                                      struct check_report *report))
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    for (uint32_t i = 0; i < change_count; i++) {
        struct check_step steps[CHECK_STEPS_MAX];
        struct check_report report;

        run(steps, check_steps_make(steps, good, good_count, &changes[i]), &report);
        steps_tell(file, &changes[i], &report);
        check_report_fini(&report);
    }
    ck_assert_int_eq(fclose(file), 0);
    golden_text_check(golden, text, bytes);
    free(text);
}
