/* SPDX-License-Identifier: MIT */
/*
 * Work whose context is off its engine: it is drawn in pieces, and what lies between two of them is
 * a wait.  A block comes back to where it was on its SM, if that place is free (show_place.c).
 */
#include <config.h>

#include "emu/views/show_private.h"

/* The entry of the block that comes back: those of a grid come back in the order in which they
 * left, so the search goes on where the last one ended. */
static struct show_off *off_of(struct show_build *build, uint64_t key)
{
    for (uint32_t i = 0; i < build->off_count; i++) {
        struct show_off *off = &build->offs[(build->off_next + i) % build->off_count];

        if (off->is_back || off->key != key)
            continue;
        build->off_next = (uint32_t)(off - build->offs) + 1;
        return off;
    }
    return NULL;
}

static bool off_add(struct show_build *build, uint64_t key)
{
    while (build->off_count > 0 && build->offs[build->off_count - 1].is_back)
        build->off_count--;
    if (!show_build_room(build, &build->offs, build->off_count, &build->off_capacity,
                         sizeof *build->offs))
        return false;
    build->offs[build->off_count++] = (struct show_off){.key = key};
    return true;
}

bool show_build_block_off(struct show_build *build, const struct model_record *record)
{
    struct show_track *track = show_build_track(build, SHOW_SM, record->block.sm);
    const uint64_t key = show_build_block_key(&record->block);
    const uint32_t at = track ? show_build_find_open(track, SHOW_BLOCK, key) : SHOW_NONE;

    if (at == SHOW_NONE)
        return track != NULL;
    return off_add(build, key) && show_build_close(build, track, SHOW_BLOCK, key, record->now_ps);
}

bool show_build_block_back(struct show_build *build, const struct model_record *record)
{
    struct show_off *off = off_of(build, show_build_block_key(&record->block));

    if (!off)
        return true; /* it began before the log */
    off->is_back = true;
    return show_build_block(build, record, true);
}

bool show_build_suspend(struct show_build *build, const struct model_record *record)
{
    const struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                            SHOW_OPERATION, operation->id, record->now_ps) &&
           show_build_close(build, show_build_engine(build, operation), SHOW_OPERATION,
                            operation->id, record->now_ps);
}

/* What begins again is not open yet: a log may say anything. */
static bool piece_open(struct show_build *build, struct show_track *track,
                       const struct show_operation *operation, gfe_ps now_ps)
{
    struct show_item item = show_build_instant(SHOW_OPERATION, now_ps, operation->channel_id);

    item.operation = (uint32_t)(operation - build->show->operations);
    if (!track || show_build_find_open(track, SHOW_OPERATION, operation->id) != SHOW_NONE)
        return track != NULL;
    return show_build_open(build, track, operation->id, &item);
}

bool show_build_go_on(struct show_build *build, const struct model_record *record)
{
    const struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    return piece_open(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                      operation, record->now_ps) &&
           piece_open(build, show_build_engine(build, operation), operation, record->now_ps);
}
