/* SPDX-License-Identifier: MIT */
/* Which decision is the first that differs between the two alternatives, and by which rule. */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "emu/explore/discriminate_private.h"

/* Finds the rule under which the two stories of an operation wait most differently; "-" means none.
 * Returns false when memory is short. */
static bool rule_of_operation(const struct story *a, const struct story *b, uint32_t operation,
                              const char **rule)
{
    const struct story *const stories[2] = {a, b};
    struct story_life lives[2] = {{0}, {0}};
    struct story_total totals[2];
    gfe_ps most_ps = 0;
    bool good = true;

    for (uint32_t i = 0; i < 2; i++) {
        const struct story_subject subject = {operation, STORY_NONE};

        good = good && story_life(stories[i], subject, &lives[i]);
        totals[i] = story_total(&lives[i]);
    }
    *rule = "-";
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t w = 0; w < totals[i].wait_count; w++) {
            gfe_ps other_ps = 0, ps = totals[i].waits[w].ps;

            for (uint32_t o = 0; o < totals[1 - i].wait_count; o++)
                if (totals[1 - i].waits[o].rule == totals[i].waits[w].rule)
                    other_ps = totals[1 - i].waits[o].ps;
            if (ps > other_ps && ps - other_ps > most_ps) {
                most_ps = ps - other_ps;
                *rule = story_rule(stories[i], totals[i].waits[w].rule);
            }
        }
    story_life_fini(&lives[0]);
    story_life_fini(&lives[1]);
    return good;
}

/* No decision is another, but operations take another time: finds the rule of the first that does
 * by more than the margin.  Returns false when memory is short. */
static bool rule_of_times(const struct diff *diff, const char **rule)
{
    for (uint32_t i = 0; i < diff->row_count; i++) {
        const struct diff_row *row = &diff->rows[i];
        const gfe_ps change_ps = row->took_ps[0] > row->took_ps[1]
                                     ? row->took_ps[0] - row->took_ps[1]
                                     : row->took_ps[1] - row->took_ps[0];

        if (change_ps > DISCRIMINATE_MARGIN_PS)
            return rule_of_operation(diff->story[0], diff->story[1], row->operation[0], rule);
    }
    *rule = "-";
    return true;
}

static bool take(struct discriminate *discriminate, const struct diff *diff,
                 struct gfe_error *error)
{
    const char *rule = diff->decision.rule;

    if ((diff->decision.kind == DIFF_NOTHING || strcmp(rule, "-") == 0) &&
        !rule_of_times(diff, &rule))
        return error_set(error, ERROR_SYSTEM, "no memory for the stories");
    discriminate->decision = diff->decision;
    (void)snprintf(discriminate->rule, sizeof discriminate->rule, "%s", rule);
    discriminate->decision.rule = discriminate->rule;
    return true;
}

bool discriminate_why(struct discriminate *discriminate, const struct scenario *scenario,
                      struct gfe_error *error)
{
    struct event_log_reader *logs[2] = {NULL, NULL};
    struct story stories[2];
    uint32_t loaded = 0;
    struct diff diff;
    bool good = false;

    for (; loaded < 2; loaded++) {
        logs[loaded] = discriminate_log(discriminate, scenario, loaded, error);
        if (!logs[loaded] || !story_load(&stories[loaded], logs[loaded], NULL, error))
            break;
    }
    if (loaded == 2 && diff_make(&diff, &stories[0], &stories[1], error)) {
        good = take(discriminate, &diff, error);
        diff_fini(&diff);
    }
    while (loaded > 0)
        story_fini(&stories[--loaded]);
    event_log_close(logs[0]);
    event_log_close(logs[1]);
    return good;
}
