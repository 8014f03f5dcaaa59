/* SPDX-License-Identifier: MIT */
/* Reasons of the lives of all operations of a name, added up. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/analysis/story/explain_story_dispatch.h"

/* Returns the name of what was in the way; launches of one name count as one. */
static uint32_t name_of(const struct story *story, const struct story_piece *piece)
{
    uint32_t operation = STORY_NONE;

    if (piece->by == STORY_BY_OPERATION)
        operation = (uint32_t)piece->by_id;
    else if (piece->by == STORY_BY_WORK)
        operation = story->works[piece->by_id].operation;
    else if (piece->by == STORY_BY_BLOCK)
        operation = story->works[story->blocks[piece->by_id].work].operation;
    return operation == STORY_NONE ? STORY_NONE : story->operations[operation].name;
}

static bool same_reason(const struct story_reason *one, const struct story_reason *other)
{
    return one->what == other->what && one->rule == other->rule && one->via == other->via &&
           one->engine == other->engine;
}

/* Returns the reason to add the wanted one to.  If all places are taken, that is one of its kind,
 * which then names no blocker. */
static struct story_reason *reason_at(struct story_reasons *reasons,
                                      const struct story_reason *wanted)
{
    struct story_reason *same = NULL;

    for (uint32_t i = 0; i < reasons->count; i++) {
        if (!same_reason(&reasons->reasons[i], wanted))
            continue;
        same = &reasons->reasons[i];
        if (same->by == wanted->by ||
            (same->by == STORY_NONE && reasons->count == STORY_REASONS_MAX))
            return same;
    }
    if (reasons->count < STORY_REASONS_MAX) {
        reasons->reasons[reasons->count] = *wanted;
        return &reasons->reasons[reasons->count++];
    }
    if (!same)
        return &reasons->reasons[STORY_REASONS_MAX - 1];
    same->by = STORY_NONE;
    return same;
}

static void piece_add(const struct story *story, struct story_reasons *reasons,
                      const struct story_piece *piece)
{
    const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
    const struct story_reason wanted = {.what = piece->what,
                                        .rule = piece->rule,
                                        .via = piece->via,
                                        .engine = piece->engine,
                                        .by = name_of(story, piece)};
    struct story_reason *reason = reason_at(reasons, &wanted);

    reason->ps += took_ps;
    reason->count++;
    if (took_ps > reason->longest_ps)
        reason->longest_ps = took_ps;
}

static void stages_add(const struct story *story, struct story_reasons *reasons, uint32_t work)
{
    const struct story_dispatch *dispatch =
        work == STORY_NONE ? NULL : story_dispatch_of(story, work);

    for (uint32_t i = dispatch ? dispatch->first_visit : STORY_NONE; i != STORY_NONE;
         i = story->visits[i].next) {
        reasons->slots |=
            UINT64_C(1) << (story->visits[i].ace * STORY_PIPE_SLOTS + story->visits[i].queue) % 64;
        reasons->saves += story->visits[i].stop_ps != GFE_PS_NEVER;
    }
    for (uint32_t i = dispatch ? dispatch->first_stage : STORY_NONE; i != STORY_NONE;
         i = story->stages[i].next) {
        reasons->engine_blocks[story->stages[i].engine]++;
        reasons->engine_cuts[story->stages[i].engine] += story->stages[i].cut_count;
    }
}

static int reason_order(const void *a, const void *b)
{
    const struct story_reason *one = a, *other = b;

    if (one->ps != other->ps)
        return one->ps > other->ps ? -1 : 1;
    if (one->rule != other->rule)
        return one->rule < other->rule ? -1 : 1;
    if (one->via != other->via)
        return one->via < other->via ? -1 : 1;
    if (one->engine != other->engine)
        return one->engine < other->engine ? -1 : 1;
    return one->by < other->by ? -1 : one->by > other->by;
}

bool story_reasons_of(const struct story *story, uint32_t name, struct story_reasons *reasons)
{
    struct story_life life = {0};
    bool good = true;

    *reasons = (struct story_reasons){.least_ps = GFE_PS_NEVER, .first_operation = STORY_NONE};
    for (uint32_t i = 0; i < story->operation_count && good; i++) {
        gfe_ps took_ps;

        if (story->operations[i].name != name)
            continue;
        good = story_life(story, (struct story_subject){i, STORY_NONE}, &life);
        took_ps = life.end_ps - life.begin_ps;
        if (reasons->operation_count++ == 0)
            reasons->first_operation = i;
        reasons->total_ps += took_ps;
        reasons->least_ps = took_ps < reasons->least_ps ? took_ps : reasons->least_ps;
        reasons->most_ps = took_ps > reasons->most_ps ? took_ps : reasons->most_ps;
        for (uint32_t k = 0; k < life.count; k++)
            piece_add(story, reasons, &life.pieces[k]);
        stages_add(story, reasons, story->operations[i].work);
        if (story->operations[i].work != STORY_NONE)
            reasons->byte_count += story->works[story->operations[i].work].byte_count;
    }
    story_life_fini(&life);
    qsort(reasons->reasons, reasons->count, sizeof reasons->reasons[0], reason_order);
    return good;
}

enum { GATHER_PERCENT = 10, GATHER_COUNT = 4 };

/* Is it one of those that are told together? */
static bool is_small(const struct story_reasons *reasons, uint32_t i, const struct story_reason *of)
{
    const struct story_reason *reason = &reasons->reasons[i];

    return reason->by != STORY_NONE && same_reason(reason, of) &&
           reason->ps / GATHER_PERCENT < reasons->total_ps / 100;
}

void story_reasons_gather(struct story_reasons *reasons)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < reasons->count; i++) {
        struct story_reason sum = reasons->reasons[i];
        uint32_t count = 0;

        for (uint32_t k = i; k < reasons->count; k++)
            count += is_small(reasons, k, &sum);
        if (!is_small(reasons, i, &sum) || count < GATHER_COUNT) {
            reasons->reasons[kept++] = sum;
            continue;
        }
        for (uint32_t k = i + 1; k < reasons->count; k++) {
            struct story_reason *other = &reasons->reasons[k];

            if (!is_small(reasons, k, &sum))
                continue;
            sum.ps += other->ps;
            sum.count += other->count;
            sum.longest_ps =
                other->longest_ps > sum.longest_ps ? other->longest_ps : sum.longest_ps;
            *other = reasons->reasons[--reasons->count];
            k--;
        }
        sum.by = STORY_NONE;
        sum.others = count;
        reasons->reasons[kept++] = sum;
    }
    qsort(reasons->reasons, reasons->count, sizeof reasons->reasons[0], reason_order);
}
