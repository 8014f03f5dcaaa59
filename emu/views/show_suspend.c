/* SPDX-License-Identifier: MIT */
/*
 * Work whose context is off its engine: it is drawn in pieces, and what lies between two of them is
 * a wait.  A block comes back to where it was on its SM.
 */
#include <config.h>

#include "emu/views/show_private.h"

/* Ends the items of the operation's blocks that run, and notes where they were. */
static bool blocks_stop(struct show_build *build, uint32_t operation, gfe_ps now_ps)
{
    for (uint32_t t = 0; t < build->show->track_count; t++) {
        struct show_track *track = &build->show->tracks[t];
        uint32_t kept = 0;

        if (track->kind != SHOW_SM)
            continue;
        for (uint32_t i = 0; i < track->open_count; i++) {
            struct show_open open = track->open[i];
            if (open.item.operation != operation) {
                track->open[kept++] = open;
                continue;
            }
            if (!show_build_room(build, &build->stopped, build->stopped_count,
                                 &build->stopped_capacity, sizeof *build->stopped))
                return false;
            build->stopped[build->stopped_count++] = (struct show_stopped){t, open};
            open.item.end_ps = now_ps;
            if (!show_build_keep(build, track, &open.item))
                return false;
        }
        track->open_count = kept;
    }
    return true;
}

/* Where in the list of an SM's blocks one with that bottom belongs. */
static uint32_t place_of(const struct show_track *track, uint32_t bottom)
{
    uint32_t at = 0;

    while (at < track->open_count && track->open[at].item.bottom < bottom)
        at++;
    return at;
}

static bool blocks_go_on(struct show_build *build, uint32_t operation, gfe_ps now_ps)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < build->stopped_count; i++) {
        struct show_stopped stopped = build->stopped[i];
        struct show_track *track = &build->show->tracks[stopped.track];

        if (stopped.open.item.operation != operation) {
            build->stopped[kept++] = stopped;
            continue;
        }
        stopped.open.item.begin_ps = now_ps;
        if (!show_build_open_at(build, track, place_of(track, stopped.open.item.bottom),
                                stopped.open.key, &stopped.open.item))
            return false;
    }
    build->stopped_count = kept;
    return true;
}

bool show_build_suspend(struct show_build *build, const struct model_record *record)
{
    const struct show_operation *operation = show_build_done_operation(build, record);

    if (!operation)
        return false;
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, operation->channel_id),
                            SHOW_OPERATION, operation->id, record->now_ps) &&
           show_build_close(build, show_build_engine(build, operation), SHOW_OPERATION,
                            operation->id, record->now_ps) &&
           (operation->kind != SHOW_GRID ||
            blocks_stop(build, (uint32_t)(operation - build->show->operations), record->now_ps));
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
           piece_open(build, show_build_engine(build, operation), operation, record->now_ps) &&
           (operation->kind != SHOW_GRID ||
            blocks_go_on(build, (uint32_t)(operation - build->show->operations), record->now_ps));
}
