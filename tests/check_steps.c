/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_steps.h"

#include <check.h>
#include <stdlib.h>

#include "tests/check_limits.h"

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

void check_steps(const struct check_step *steps, uint32_t count, bool cuda,
                 struct check_report *report)
{
    struct gfe_error error = {0};
    struct log_fixture fixture;
    struct event_log_reader *log;
    char *head = cuda ? log_fixture_cuda_head(NULL) : log_fixture_head();

    log_fixture_begin_with(&fixture, head);
    free(head);
    for (uint32_t i = 0; i < count; i++)
        log_fixture_add(&fixture, 10 + i, steps[i].kind, RULE_NONE, steps[i].argument_count,
                        steps[i].arguments);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert_msg(log != NULL, "%s", error.text);
    ck_assert_msg(check_log(log, &check_limits_tx2, report, &error), "%s", error.text);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
