/* SPDX-License-Identifier: MIT */
/* Tracks of a scenario's streams: what was called and is not complete, in lanes. */
#include <config.h>

#include <stdlib.h>

#include "emu/views/html/show_html_private.h"

static bool item_add(struct show_track *track, const struct show_item *item)
{
    if (track->item_count == track->item_capacity) {
        const uint32_t capacity = track->item_capacity ? 2 * track->item_capacity : 16;
        void *grown = realloc(track->items, capacity * sizeof *track->items);
        if (!grown)
            return false;
        track->items = grown;
        track->item_capacity = capacity;
    }
    track->items[track->item_count] = *item;
    track->items[track->item_count].sequence = track->item_count;
    track->item_count++;
    return true;
}

/* Two items: from the call until it is handed to the GPU's queue, and from there to its end. */
static bool operation_add(const struct html *html, struct show_track *track, uint32_t i)
{
    const struct story_operation *operation = &html->story.operations[i];
    const struct show *show = html->show;
    struct show_item item = {.operation = html->is_of[i], .kind = SHOW_QUEUED, .lane = 0};
    const gfe_ps end_ps =
        operation->completed_ps == GFE_PS_NEVER ? show->end_ps : operation->completed_ps;
    const gfe_ps submitted_ps = operation->submitted_ps < end_ps ? operation->submitted_ps : end_ps;

    if (item.operation == SHOW_NONE || operation->called_ps > show->to_ps ||
        end_ps < show->from_ps || operation->called_ps > submitted_ps)
        return true;
    item.begin_ps = operation->called_ps;
    item.end_ps = submitted_ps;
    item.unfinished = operation->submitted_ps == GFE_PS_NEVER;
    if (item.begin_ps < item.end_ps && !item_add(track, &item))
        return false;
    item.kind = SHOW_OPERATION;
    item.begin_ps = submitted_ps;
    item.end_ps = end_ps;
    item.unfinished = operation->completed_ps == GFE_PS_NEVER;
    return operation->submitted_ps == GFE_PS_NEVER || item_add(track, &item);
}

static int item_order(const void *left, const void *right)
{
    const struct show_item *a = left, *b = right;

    if (a->begin_ps != b->begin_ps)
        return a->begin_ps < b->begin_ps ? -1 : 1;
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Both items of an operation in one lane; lanes are given in the order of the calls. */
static void lanes_give(struct show_track *track)
{
    gfe_ps free_ps[SHOW_LANES_MAX] = {0};

    for (uint32_t i = 0; i < track->item_count; i++) {
        struct show_item *item = &track->items[i];
        const bool goes_on = i > 0 && item->operation == item[-1].operation;
        uint32_t lane = 0;

        if (goes_on)
            lane = item[-1].lane;
        else
            while (lane < SHOW_LANES_MAX - 1 && free_ps[lane] > item->begin_ps)
                lane++;
        item->lane = lane;
        free_ps[lane] = item->end_ps > free_ps[lane] ? item->end_ps : free_ps[lane];
        if (lane >= track->lane_count)
            track->lane_count = lane + 1;
    }
}

bool html_streams_make(struct html *html)
{
    const struct story *story = &html->story;
    bool good = true;

    if (!html->is_story || story->stream_count == 0 || story->streams[0].is_queue)
        return true;
    html->streams = calloc(story->stream_count, sizeof *html->streams);
    if (!html->streams)
        return false;
    html->stream_count = story->stream_count;
    for (uint32_t s = 0; s < story->stream_count && good; s++) {
        struct show_track *track = &html->streams[s];

        track->kind = (enum show_track_kind)HTML_STREAM;
        track->id = s;
        for (uint32_t i = story->streams[s].first; i != STORY_NONE && good;
             i = story->operations[i].next)
            good = operation_add(html, track, i);
        lanes_give(track);
        if (track->item_count > 0)
            qsort(track->items, track->item_count, sizeof *track->items, item_order);
    }
    return good;
}

void html_streams_fini(struct html *html)
{
    for (uint32_t s = 0; s < html->stream_count; s++)
        free(html->streams[s].items);
    free(html->streams);
}
