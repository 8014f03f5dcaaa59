/* SPDX-License-Identifier: MIT */
/*
 * What only the picture of an AMD GPU's CUs has: shader engines at the left of their CUs, and below
 * them the hardware's slots of queues, in the colours of those whose queues they hold.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "emu/views/svg/show_svg_sms.h"
#include "emu/base/markup.h"

enum {
    ENGINE_X = 34, /* pixels: where a shader engine's name ends, */
    LINE_X = 42,   /* and the line along its CUs is */
    NUMBER_LEAST = 8,
    SLOTS_MAX = 64, /* of one page */
};

/* ---- whose queues ---------------------------------------------------------------------------- */

static uint32_t owner_of_queue(const struct svg_page *page, uint32_t queue)
{
    const struct svg_sms *sms = (const struct svg_sms *)page; /* its first member */
    const uint32_t at = id_map_find(&sms->queue_map, queue);

    return at == ID_MAP_NONE ? SHOW_NONE : sms->queue_owners[at];
}

/* Streams may share a queue: it then has no colour. */
bool sms_queues_init(struct svg_sms *sms, struct gfe_error *error)
{
    const struct show *show = &sms->view;
    bool good = true;

    if (!show->words.is_amd)
        return true;
    sms->queue_owners = calloc((size_t)show->operation_count + 1, sizeof *sms->queue_owners);
    good = sms->queue_owners != NULL;
    for (uint32_t i = 0; i < show->operation_count && good; i++) {
        const uint32_t queue = show->operations[i].channel_id, owner = sms->owner_of[i];
        const uint32_t at = id_map_find(&sms->queue_map, queue);
        if (owner == SHOW_NONE)
            continue;
        if (at != ID_MAP_NONE) {
            if (sms->queue_owners[at] != owner)
                sms->queue_owners[at] = SHOW_NONE;
            continue;
        }
        sms->queue_owners[sms->queue_map.count] = owner;
        good = id_map_add(&sms->queue_map, queue, sms->queue_map.count);
    }
    sms->page.owner_of_queue = owner_of_queue;
    return good || error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
}

void sms_queues_use(struct svg_sms *sms)
{
    for (uint32_t i = 0; i < sms->queue_map.count; i++)
        if (sms->queue_owners[i] != SHOW_NONE)
            sms->owners[sms->queue_owners[i]].used = true;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Those of programs' queues, which hold one meanwhile: the second micro engine's are the driver's
 * own.
 */
static bool is_drawn(const struct svg_sms *sms, const struct show_track *track)
{
    bool any = false;

    for (uint32_t i = 0; track->kind == SHOW_SLOT && i < track->item_count && !any; i++)
        any = track->items[i].end_ps > sms->view.from_ps &&
              track->items[i].begin_ps < sms->view.to_ps;
    return any && track->id < GPU_WORDS_MEC_QUEUES;
}

uint32_t sms_slots(struct svg_sms *sms, uint32_t top, bool bands, bool draw)
{
    uint32_t count = 0;

    for (uint32_t t = 0; t < sms->view.track_count && count < SLOTS_MAX; t++) {
        const struct show_track *track = &sms->view.tracks[t];
        if (!is_drawn(sms, track))
            continue;
        const uint32_t height = svg_track_height(&sms->page, track);
        if (draw && bands)
            svg_band(&sms->page, track->name, top, height, height / 2);
        else if (draw)
            svg_track(&sms->page, track, top);
        top += height + 1;
        count++;
    }
    return top;
}

uint32_t sms_slots_kinds(const struct svg_sms *sms)
{
    uint32_t used = 0;

    for (uint32_t t = 0; t < sms->view.track_count; t++) {
        const struct show_track *track = &sms->view.tracks[t];
        const uint32_t count = is_drawn(sms, track) ? track->item_count : 0;
        for (uint32_t i = 0; i < count; i++)
            if (track->items[i].end_ps > sms->view.from_ps &&
                track->items[i].begin_ps < sms->view.to_ps)
                used |= SVG_BIT(track->items[i].kind);
    }
    /* What a slot holds, its label and the words say. */
    return used & ~SVG_BIT(SHOW_LOADED);
}

/* ---- shader engines -------------------------------------------------------------------------- */

uint32_t sms_engine_of(const struct svg_sms *sms, uint32_t row)
{
    uint32_t engine, index;

    return gpu_words_engine(&sms->view.words, sms->rows[row].id, &engine, &index) ? engine
                                                                                  : SHOW_NONE;
}

static void engine_put(struct svg_sms *sms, uint32_t engine, uint32_t from, uint32_t to)
{
    markup_print(sms->page.file,
                 "<path class=\"line\" d=\"M%d %" PRIu32 "h-4V%" PRIu32 "h4\"/>"
                 "<text class=\"name\" x=\"%d\" y=\"%" PRIu32 "\">SE %" PRIu32 "</text>\n",
                 LINE_X, from, to, ENGINE_X, (from + to) / 2 + 4, engine);
}

/* A row's number within its shader engine; "CU 3" of one whose engines the log does not tell. */
static void row_name(const struct svg_sms *sms, uint32_t row, char to[GPU_WORDS_BYTES])
{
    uint32_t engine, index;

    if (gpu_words_engine(&sms->view.words, sms->rows[row].id, &engine, &index))
        (void)snprintf(to, GPU_WORDS_BYTES, "CU %" PRIu32, index);
    else
        (void)gpu_words_sm(&sms->view.words, sms->rows[row].id, to);
}

void sms_engine_lanes(struct svg_sms *sms, uint32_t top)
{
    const uint32_t height = sms->page.sm_height;
    uint32_t first = 0;

    for (uint32_t i = 0; i < sms->row_count; i++) {
        const uint32_t engine = sms_engine_of(sms, i), y = top + sms->rows[i].top;
        char name[GPU_WORDS_BYTES] = "";
        row_name(sms, i, name);
        svg_band(&sms->page, "", y, height, 0);
        if (height >= NUMBER_LEAST)
            markup_print(sms->page.file,
                         "<text class=\"threads\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n",
                         SVG_LEFT - 6, y + height / 2 + 3, name);
        sms_threads_put(sms, y);
        if (i + 1 < sms->row_count && sms_engine_of(sms, i + 1) == engine)
            continue;
        if (engine != SHOW_NONE)
            engine_put(sms, engine, top + sms->rows[first].top, y + height);
        first = i + 1;
    }
}
