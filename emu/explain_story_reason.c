/* SPDX-License-Identifier: MIT */
/* Reasons of the lives of all operations of a name, added up. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/explain_story_dispatch.h"

/* The name of who was in the way: launches of one name are one. */
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

static void piece_add(const struct story *story, struct story_reasons *reasons,
                      const struct story_piece *piece)
{
    const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
    const uint32_t by = name_of(story, piece);
    struct story_reason *reason;
    uint32_t at = 0;

    while (at < reasons->count &&
           (reasons->reasons[at].what != piece->what || reasons->reasons[at].rule != piece->rule ||
            reasons->reasons[at].via != piece->via ||
            reasons->reasons[at].engine != piece->engine || reasons->reasons[at].by != by))
        at++;
    if (at == STORY_REASONS_MAX)
        at--;
    reason = &reasons->reasons[at];
    if (at == reasons->count) {
        *reason = (struct story_reason){.what = piece->what,
                                        .rule = piece->rule,
                                        .via = piece->via,
                                        .engine = piece->engine,
                                        .by = by};
        reasons->count++;
    }
    reason->ps += took_ps;
    reason->count++;
    if (took_ps > reason->longest_ps)
        reason->longest_ps = took_ps;
}

static void stages_add(const struct story *story, struct story_reasons *reasons, uint32_t work)
{
    const struct story_dispatch *dispatch =
        work == STORY_NONE ? NULL : story_dispatch_of(story, work);

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
    }
    story_life_fini(&life);
    qsort(reasons->reasons, reasons->count, sizeof reasons->reasons[0], reason_order);
    return good;
}
