/* SPDX-License-Identifier: MIT */
/* What gfe's own readers say of the log: the check, and the lives that explain makes. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/selftest/invariant_private.h"
#include "emu/sim/gpus.h"

/* Work that is left is no broken rule where software, or the program itself, left it. */
bool invariant_check(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct check_report report = {0};
    struct event_log_reader *log;
    bool holds;

    if (run->disturbance == WORLD_FAULTY)
        return true;
    log = world_run_log(run, &error);
    holds = log && check_log(log, &run->limits, &report, &error);
    if (!holds)
        invariant_wrong(says, "the check cannot read the log: %.180s", error.text);
    for (uint32_t i = 0; holds && i < report.finding_count; i++) {
        const struct check_finding *finding = &report.findings[i];

        if (strcmp(finding->rule, "LIVE") != 0)
            holds = invariant_wrong(says, "%s: %.100s (%" PRIu64 " ps: %.80s)", finding->rule,
                                    finding->says, finding->first.time_ps, finding->first.text);
    }
    check_report_fini(&report);
    event_log_close(log);
    return holds;
}

/* ---- lives ----------------------------------------------------------------------------------- */

/* A life as both readers have it: where it is, and what its pieces are. */
struct walk {
    gfe_ps at_ps, sum_ps;
    bool whole; /* pieces touch, and none is empty */
};

static void walk_piece(struct walk *walk, gfe_ps begin_ps, gfe_ps end_ps)
{
    walk->whole = walk->whole && begin_ps == walk->at_ps && end_ps > begin_ps;
    walk->at_ps = end_ps;
    walk->sum_ps += end_ps - begin_ps;
}

static bool walk_ends(const struct walk *walk, gfe_ps begin_ps, gfe_ps end_ps, const char *name,
                      char says[INVARIANT_SAYS_BYTES])
{
    if (walk->whole && walk->at_ps == end_ps && walk->sum_ps == end_ps - begin_ps)
        return true;
    return invariant_wrong(says,
                           "the pieces of %.100s add up to %" PRIu64 " ps up to %" PRIu64
                           " ps; its life is from %" PRIu64 " to %" PRIu64 " ps",
                           name, walk->sum_ps, walk->at_ps, begin_ps, end_ps);
}

bool invariant_life_adds_up(const struct explain_life *life, const struct explain_total *total,
                            const char *name, char says[INVARIANT_SAYS_BYTES])
{
    struct walk walk = {.at_ps = life->birth_ps, .whole = true};

    for (uint32_t i = 0; i < life->count; i++)
        walk_piece(&walk, life->pieces[i].begin_ps, life->pieces[i].end_ps);
    if (!walk_ends(&walk, life->birth_ps, life->end_ps, name, says))
        return false;
    return (total->total_ps == walk.sum_ps &&
            total->service_ps + total->wait_ps + total->unattributed_ps == total->total_ps) ||
           invariant_wrong(says, "the sums of %.100s are not its life", name);
}

static bool explained(const struct explain *explain, struct explain_ref ref,
                      struct explain_life *life, char says[INVARIANT_SAYS_BYTES])
{
    char name[EXPLAIN_NAME_BYTES];
    struct explain_total total;

    if (!explain_life(explain, ref, life))
        return invariant_wrong(says, "no memory for a life");
    total = explain_total(life);
    return invariant_life_adds_up(life, &total, explain_name(explain, ref, name), says);
}

static bool all_explained(struct event_log_reader *log, char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct explain_life life = {0};
    struct explain explain;
    bool holds = true;

    if (!explain_load(&explain, log, &error))
        return invariant_wrong(says, "explain cannot read the log: %.180s", error.text);
    for (uint32_t i = 0; holds && i < explain.operation_count; i++)
        holds = explained(&explain,
                          (struct explain_ref){(enum explain_kind)explain.operations[i].kind, i},
                          &life, says);
    for (uint32_t i = 0; holds && i < explain.block_count; i++)
        holds = explained(&explain, (struct explain_ref){EXPLAIN_BLOCK, i}, &life, says);
    explain_life_fini(&life);
    explain_fini(&explain);
    return holds;
}

bool invariant_story_adds_up(const struct story_life *life, const char *name,
                             char says[INVARIANT_SAYS_BYTES])
{
    struct walk walk = {.at_ps = life->begin_ps, .whole = true};

    for (uint32_t i = 0; i < life->count; i++)
        walk_piece(&walk, life->pieces[i].begin_ps, life->pieces[i].end_ps);
    return walk_ends(&walk, life->begin_ps, life->end_ps, name, says);
}

static bool told(const struct story *story, struct story_subject subject, struct story_life *life,
                 char says[INVARIANT_SAYS_BYTES])
{
    char name[STORY_NAME_BYTES];

    if (!story_life(story, subject, life))
        return invariant_wrong(says, "no memory for a story");
    return invariant_story_adds_up(life, story_name(story, subject, name), says);
}

static bool all_told(struct event_log_reader *log, const struct check_limits *limits,
                     char says[INVARIANT_SAYS_BYTES])
{
    struct gfe_error error = {0};
    struct story_life life = {0};
    struct story story;
    bool holds = true;

    if (!story_load(&story, log, limits, &error))
        return invariant_wrong(says, "stories cannot be read from the log: %.180s", error.text);
    for (uint32_t i = 0; holds && i < story.operation_count; i++)
        holds = told(&story, (struct story_subject){i, STORY_NONE}, &life, says);
    story_life_fini(&life);
    story_fini(&story);
    return holds;
}

bool invariant_explain(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    const struct gpu_vendor *vendor = gpu_vendor_of(world_gpu(run->loaded->world));
    struct gfe_error error = {0};
    struct event_log_reader *log = world_run_log(run, &error);
    bool holds = log != NULL;

    if (holds && vendor && vendor->has_methods)
        holds = all_explained(log, says);
    else if (!holds)
        invariant_wrong(says, "explain cannot open the log: %.180s", error.text);
    event_log_close(log);
    log = holds ? world_run_log(run, &error) : NULL;
    if (log && story_is_told(log))
        holds = all_told(log, &run->limits, says);
    event_log_close(log);
    return holds;
}
