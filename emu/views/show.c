/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show.h"

#include <stdlib.h>

#include "emu/views/show_private.h"

/* The listener of the model. */
static bool record_take(void *context, const struct model_record *record)
{
    struct show_build *build = context;
    struct show *show = build->show;

    show->end_ps = record->now_ps;
    build->event_number = record->event_number;
    build->event_kind = record->event->kind;
    if (show->streams.program.call_count > 0 && !streams_take(&show->streams, record))
        return show_build_no_memory(build);
    return show_take(build, record);
}

/* What has not ended by the end of the log is drawn up to there.  Segments fetched ahead overlap
 * only while they are open; the later ones have not begun. */
static bool open_finish(struct show_build *build)
{
    struct show *show = build->show;

    for (uint32_t t = 0; t < show->track_count; t++) {
        bool segment_seen = false;
        for (uint32_t i = 0; i < show->tracks[t].open_count; i++) {
            struct show_item item = show->tracks[t].open[i].item;
            item.end_ps = show->end_ps;
            item.unfinished = 1;
            if (item.kind == SHOW_SEGMENT && segment_seen)
                continue;
            segment_seen |= item.kind == SHOW_SEGMENT;
            if (!show_build_keep(build, &show->tracks[t], &item))
                return false;
        }
    }
    return true;
}

static int track_order(const void *left, const void *right)
{
    const struct show_track *a = left, *b = right;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* Narrows the window to what is there: the machine's own set-up before the program's first call is
 * long and empty. */
static void window_fit(struct show *show)
{
    gfe_ps first = GFE_PS_NEVER, last = 0;

    for (uint32_t t = 0; t < show->track_count; t++)
        for (uint32_t i = 0; i < show->tracks[t].item_count; i++) {
            const struct show_item *item = &show->tracks[t].items[i];
            if (item->kind == SHOW_LOADED ||
                (show->words.is_amd && show->tracks[t].kind == SHOW_SLOT))
                continue;
            first = item->begin_ps < first ? item->begin_ps : first;
            last = item->end_ps > last ? item->end_ps : last;
        }
    if (first == GFE_PS_NEVER) {
        first = 0;
        last = show->end_ps;
    }
    show->from_ps = first > show->from_ps ? first : show->from_ps;
    show->to_ps = last < show->to_ps ? last : show->to_ps;
    if (show->to_ps < show->from_ps)
        show->to_ps = show->from_ps;
}

/* Queues that a program makes and does not use: an AMD runtime has some. */
static void tracks_drop(struct show *show)
{
    uint32_t kept = 0;

    for (uint32_t t = 0; t < show->track_count; t++) {
        struct show_track *track = &show->tracks[t];
        if (show->words.is_amd && track->kind == SHOW_CHANNEL && track->item_count == 0) {
            free(track->items);
            free(track->open);
        } else
            show->tracks[kept++] = *track;
    }
    show->track_count = kept;
}

static bool load(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                 bool with_runlists, struct gfe_error *error)
{
    struct gfe_error own = {0};
    struct show_build build = {.show = show, .error = &own};
    struct model model = {0};

    *show = (struct show){.log = log,
                          .from_ps = from_ps,
                          .to_ps = to_ps,
                          .asked_from_ps = from_ps,
                          .asked_to_ps = to_ps,
                          .with_runlists = with_runlists};
    gpu_words_init(&show->words, log);
    const bool loaded = streams_init(&show->streams, log, &own) &&
                        model_init(&model, log, record_take, &build, &own) &&
                        model_read(&model, log, &own) && open_finish(&build);
    model_fini(&model);
    show_build_fini(&build);
    if (!loaded) {
        show_fini(show);
        return error_set(error, own.kind, "%s", own.text);
    }
    tracks_drop(show);
    if (show->track_count > 0)
        qsort(show->tracks, show->track_count, sizeof *show->tracks, track_order);
    for (uint32_t t = 0; t < show->track_count; t++)
        show_build_finish_track(show, t);
    window_fit(show);
    if (!show_place_blocks(show, 0, 0, error)) {
        show_fini(show);
        return false;
    }
    return true;
}

bool show_load(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
               struct gfe_error *error)
{
    return load(show, log, from_ps, to_ps, false, error);
}

bool show_load_all(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error)
{
    return load(show, log, from_ps, to_ps, true, error);
}

void show_fini(struct show *show)
{
    for (uint32_t t = 0; t < show->track_count; t++) {
        free(show->tracks[t].items);
        free(show->tracks[t].open);
    }
    free(show->tracks);
    free(show->operations);
    free(show->waits);
    streams_fini(&show->streams);
    *show = (struct show){0};
}
