/* SPDX-License-Identifier: MIT */
/* The grids that are in the way under CORE.GRIDS: those that may have blocks at that time. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/story/explain_story_print.h"
#include "emu/analysis/story/explain_story_private.h"

enum { GRIDS_TOLD = 4 };

/* Its context was off the SMs just before that time. */
static bool stands_still(const struct story *story, const struct story_work *grid, gfe_ps at_ps)
{
    for (uint32_t i = grid->first_stop; i != STORY_NONE; i = story->waits[i].next)
        if (story->waits[i].begin_ps < at_ps && story->waits[i].end_ps >= at_ps)
            return true;
    return false;
}

uint32_t story_resident_next(const struct story *story, uint32_t waiter, gfe_ps at_ps,
                             uint32_t from)
{
    for (uint32_t i = from; i < story->work_count; i++) {
        const struct story_work *grid = &story->works[i];

        if (i != waiter && !grid->is_copy && grid->started_ps < at_ps && grid->end_ps >= at_ps &&
            story_process(story, i) == story_process(story, waiter) &&
            !stands_still(story, grid, at_ps))
            return i;
    }
    return STORY_NONE;
}

static void add_grid(struct story_words *words, const struct story *story, uint32_t work)
{
    const struct story_piece by = {.by = STORY_BY_WORK, .by_id = work};
    char name[STORY_NAME_BYTES];

    story_add(words, "%s", story_by_name(story, &by, name));
}

void story_add_residents(struct story_words *words, const struct story *story, uint32_t waiter,
                         const struct story_piece *piece)
{
    uint32_t count = 0, first = STORY_NONE, told = 0;

    story_add(words, "to be resident (%s)", story_rule(story, piece->rule));
    for (uint32_t i = story_resident_next(story, waiter, piece->end_ps, 0); i != STORY_NONE;
         i = story_resident_next(story, waiter, piece->end_ps, i + 1), count++)
        if (first == STORY_NONE || story->works[i].end_ps < story->works[first].end_ps)
            first = i;
    if (count == 0)
        return;
    story_add(words, ": its context had %" PRIu32 " resident grid%s, ", count,
              count == 1 ? "" : "s");
    for (uint32_t i = story_resident_next(story, waiter, piece->end_ps, 0);
         i != STORY_NONE && told < GRIDS_TOLD;
         i = story_resident_next(story, waiter, piece->end_ps, i + 1), told++) {
        story_add(words, "%s", told == 0 ? "" : told + 1 == count ? " and " : ", ");
        add_grid(words, story, i);
    }
    if (told < count)
        story_add(words, " and %" PRIu32 " more", count - told);
    if (story->works[first].end_ps != piece->end_ps)
        return;
    story_add(words, ", until ");
    add_grid(words, story, first);
    story_add(words, " ended at ");
    story_add_time(words, piece->end_ps);
}
