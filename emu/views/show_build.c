/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool show_build_absurd(struct show_build *build, const char *what, uint64_t number)
{
    return error_set(build->error, ERROR_INPUT, "%s: event %" PRIu64 " (%s): %s %" PRIu64,
                     event_log_name(build->show->log), build->event_number,
                     event_log_kind(build->show->log, build->event_kind)->name, what, number);
}

bool show_build_no_memory(struct show_build *build)
{
    return error_set_errno(build->error, ENOMEM, "%s", event_log_name(build->show->log));
}

bool show_build_room(struct show_build *build, void *array, uint32_t count, uint32_t *capacity,
                     size_t element_bytes)
{
    void *old, *grown;

    if (count < *capacity)
        return true;
    memcpy(&old, array, sizeof old);
    const uint32_t wanted = *capacity ? 2 * *capacity : 16;
    grown = realloc(old, wanted * element_bytes);
    if (!grown)
        return show_build_no_memory(build);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}

/* ---- tracks ---------------------------------------------------------------------------------- */

/* An engine has the chip's own name for it, when the log knows it. */
static void track_name(const struct show *show, struct show_track *track)
{
    static const char *const words[SHOW_TRACK_KINDS] = {
        [SHOW_THREAD] = "CPU thread", [SHOW_PBDMA] = "PBDMA", [SHOW_GR] = "GR"};
    const char *engine = track->kind == SHOW_GR || track->kind == SHOW_CE
                             ? event_log_engine(show->log, track->id)
                             : NULL;
    const char *word = track->kind == SHOW_CHANNEL ? show->words.channel
                       : track->kind == SHOW_CE    ? show->words.copier
                                                   : words[track->kind];

    if (engine)
        (void)snprintf(track->name, sizeof track->name, "%s", engine);
    else if (track->kind == SHOW_SM)
        (void)gpu_words_sm(&show->words, track->id, track->name);
    else if (track->kind == SHOW_SLOT)
        (void)gpu_words_slot(track->id, track->name);
    else if (track->kind == SHOW_RUNLIST)
        (void)gpu_words_runlist(track->id, track->name);
    else
        (void)snprintf(track->name, sizeof track->name, "%s %" PRIu32, word, track->id);
}

struct show_track *show_build_track(struct show_build *build, enum show_track_kind kind,
                                    uint64_t id)
{
    struct show *show = build->show;

    uint32_t index = id_map_find(&build->tracks[kind], id);

    if (index != ID_MAP_NONE)
        return &show->tracks[index];
    if (id >= (kind == SHOW_CHANNEL ? EVENT_CHANNEL_IDS : SHOW_TRACK_IDS) ||
        build->tracks[kind].count >= SHOW_TRACK_IDS) {
        (void)show_build_absurd(build, "no machine has so many: number", id);
        return NULL;
    }
    index = show->track_count;
    if (!show_build_room(build, &show->tracks, index, &show->track_capacity, sizeof *show->tracks))
        return NULL;
    if (!id_map_add(&build->tracks[kind], id, index)) {
        (void)show_build_no_memory(build);
        return NULL;
    }
    show->tracks[index] = (struct show_track){.kind = kind, .id = (uint32_t)id};
    track_name(show, &show->tracks[index]);
    show->track_count++;
    return &show->tracks[index];
}

bool show_build_keep(struct show_build *build, struct show_track *track,
                     const struct show_item *item)
{
    struct show *show = build->show;

    if (item->end_ps < show->from_ps || item->begin_ps > show->to_ps ||
        item->begin_ps > item->end_ps) /* what stood still to the end */
        return true;
    /* An interval that only touches the window from outside is not in it. */
    if (item->begin_ps < item->end_ps &&
        (item->end_ps == show->from_ps || item->begin_ps == show->to_ps))
        return true;
    if (show->item_count == SHOW_ITEMS_MAX)
        return error_set(build->error, ERROR_LIMIT,
                         "%s: more than %d things to draw; choose a piece with --from and --to",
                         event_log_name(show->log), SHOW_ITEMS_MAX);
    if (!show_build_room(build, &track->items, track->item_count, &track->item_capacity,
                         sizeof *track->items))
        return false;
    track->items[track->item_count] = *item;
    track->items[track->item_count++].sequence = build->sequence++;
    show->item_count++;
    return true;
}

struct show_item show_build_instant(enum show_item_kind kind, gfe_ps now_ps, uint64_t channel_id)
{
    return (struct show_item){.begin_ps = now_ps,
                              .end_ps = now_ps,
                              .operation = SHOW_NONE,
                              .channel_id = (uint32_t)channel_id,
                              .kind = (uint8_t)kind};
}

/* ---- items that have begun ------------------------------------------------------------------- */

bool show_build_open(struct show_build *build, struct show_track *track, uint64_t key,
                     const struct show_item *item)
{
    if (!track)
        return false;
    if (track->open_count == SHOW_OPEN_MAX)
        return show_build_absurd(build, "too much at a time on one track: more than",
                                 SHOW_OPEN_MAX);
    if (!show_build_room(build, &track->open, track->open_count, &track->open_capacity,
                         sizeof *track->open))
        return false;
    track->open[track->open_count++] = (struct show_open){key, *item};
    return true;
}

uint32_t show_build_find_open(const struct show_track *track, enum show_item_kind kind,
                              uint64_t key)
{
    for (uint32_t i = 0; i < track->open_count; i++)
        if (track->open[i].key == key && track->open[i].item.kind == kind)
            return i;
    return SHOW_NONE;
}

static bool close_item(struct show_build *build, struct show_track *track, uint32_t at,
                       gfe_ps now_ps, bool unfinished)
{
    struct show_item item = track->open[at].item;

    item.end_ps = now_ps;
    item.unfinished = unfinished;
    memmove(&track->open[at], &track->open[at + 1],
            (track->open_count - at - 1) * sizeof *track->open);
    track->open_count--;
    if (item.kind == SHOW_BLOCK)
        track->threads -= item.height;
    return show_build_keep(build, track, &item);
}

bool show_build_close(struct show_build *build, struct show_track *track, enum show_item_kind kind,
                      uint64_t key, gfe_ps now_ps)
{
    const uint32_t at = track ? show_build_find_open(track, kind, key) : SHOW_NONE;

    return at == SHOW_NONE ? track != NULL : close_item(build, track, at, now_ps, false);
}

bool show_build_lose(struct show_build *build, struct show_track *track, enum show_item_kind kind,
                     uint64_t key, gfe_ps now_ps)
{
    const uint32_t at = track ? show_build_find_open(track, kind, key) : SHOW_NONE;

    return at == SHOW_NONE ? track != NULL : close_item(build, track, at, now_ps, true);
}

/* ---- operations -------------------------------------------------------------------------- */

struct show_operation *show_build_operation(struct show_build *build, enum show_operation_kind kind,
                                            uint64_t id)
{
    struct show *show = build->show;

    if (id_map_find(&build->operations[kind], id) != ID_MAP_NONE) {
        (void)show_build_absurd(build, "this number was given before:", id);
        return NULL;
    }
    if (show->operation_count == SHOW_OPERATIONS_MAX) {
        (void)error_set(build->error, ERROR_LIMIT, "%s: more than %d operations",
                        event_log_name(show->log), SHOW_OPERATIONS_MAX);
        return NULL;
    }
    if (!show_build_room(build, &show->operations, show->operation_count, &show->operation_capacity,
                         sizeof *show->operations))
        return NULL;
    if (!id_map_add(&build->operations[kind], id, show->operation_count)) {
        (void)show_build_no_memory(build);
        return NULL;
    }
    struct show_operation *operation = &show->operations[show->operation_count++];
    *operation = (struct show_operation){.id = id,
                                         .queued_ps = GFE_PS_NEVER,
                                         .start_ps = GFE_PS_NEVER,
                                         .end_ps = GFE_PS_NEVER,
                                         .number = ++build->operation_counts[kind],
                                         .kind = kind};
    return operation;
}

struct show_operation *show_build_find_operation(struct show_build *build,
                                                 enum show_operation_kind kind, uint64_t id)
{
    struct show_operation *last =
        build->last_operation ? &build->show->operations[build->last_operation - 1] : NULL;
    uint32_t index;

    if (last && last->id == id && last->kind == kind) /* blocks come in runs of one grid */
        return last;
    index = id_map_find(&build->operations[kind], id);
    if (index == ID_MAP_NONE) {
        (void)show_build_absurd(build, "nothing was queued with number", id);
        return NULL;
    }
    build->last_operation = index + 1;
    return &build->show->operations[index];
}

/* ---- order and lanes ------------------------------------------------------------------------- */

static int item_order(const void *left, const void *right)
{
    const struct show_item *a = left, *b = right;

    if (a->begin_ps != b->begin_ps)
        return a->begin_ps < b->begin_ps ? -1 : 1;
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Lowest lane that is free at begin_ps; it is taken until end_ps. */
static uint32_t lane_take(gfe_ps free_ps[SHOW_LANES_MAX], uint32_t *lane_count, gfe_ps begin_ps,
                          gfe_ps end_ps)
{
    uint32_t lane = 0;

    while (lane < SHOW_LANES_MAX - 1 && free_ps[lane] > begin_ps)
        lane++;
    if (end_ps > free_ps[lane])
        free_ps[lane] = end_ps;
    if (lane >= *lane_count)
        *lane_count = lane + 1;
    return lane;
}

/* An operation keeps one lane of the track while it is queued and while it runs. */
static uint32_t operation_lane(struct show *show, uint32_t t, gfe_ps free_ps[SHOW_LANES_MAX],
                               const struct show_item *item)
{
    struct show_operation *operation = &show->operations[item->operation];
    const gfe_ps end_ps = operation->end_ps == GFE_PS_NEVER ? show->end_ps : operation->end_ps;

    if (operation->lane_track == t + 1)
        return operation->lane;
    operation->lane_track = t + 1;
    operation->lane = lane_take(free_ps, &show->tracks[t].lane_count, item->begin_ps, end_ps);
    return operation->lane;
}

void show_build_finish_track(struct show *show, uint32_t t)
{
    struct show_track *track = &show->tracks[t];
    gfe_ps free_ps[SHOW_LANES_MAX] = {0}, waits_free_ps[SHOW_LANES_MAX] = {0};

    if (track->item_count > 0)
        qsort(track->items, track->item_count, sizeof *track->items, item_order);
    for (uint32_t i = 0; i < track->item_count; i++) {
        struct show_item *item = &track->items[i];
        if (item->kind == SHOW_OPERATION || item->kind == SHOW_QUEUED ||
            item->kind == SHOW_DISPATCHING)
            item->lane = operation_lane(show, t, free_ps, item);
        else if (item->kind == SHOW_PACKET)
            item->lane = lane_take(free_ps, &track->lane_count, item->begin_ps, item->end_ps);
        else if (item->kind == SHOW_WAIT)
            item->lane =
                lane_take(waits_free_ps, &track->wait_lane_count, item->begin_ps, item->end_ps);
    }
}

void show_build_fini(struct show_build *build)
{
    for (uint32_t i = 0; i < SHOW_OPERATION_KINDS; i++)
        id_map_fini(&build->operations[i]);
    for (uint32_t i = 0; i < SHOW_TRACK_KINDS; i++)
        id_map_fini(&build->tracks[i]);
    free(build->offs);
}

struct show_operation *show_build_done_operation(struct show_build *build,
                                                 const struct model_record *record)
{
    static const enum show_operation_kind kinds[] = {
        [MODEL_GRID] = SHOW_GRID, [MODEL_COPY] = SHOW_COPY, [MODEL_WORK] = SHOW_WORK};

    return show_build_find_operation(build, kinds[record->operation], record->done.id);
}
