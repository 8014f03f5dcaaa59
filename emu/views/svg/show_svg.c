/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/svg/show_svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/views/show_lists.h"
#include "emu/views/svg/show_svg_page.h"
#include "emu/views/svg/show_svg_sms.h"
#include "emu/views/svg/show_svg_threads.h"

enum {
    GROUP_GAP = 10, /* pixels */
    TRACK_GAP = 3,
    SM_GAP = 2,
    RECTANGLES_MAX = 40000, /* beyond, narrow ones are merged more */
};

/* ---- legend ---------------------------------------------------------------------------------- */

struct legend_row {
    uint8_t kind;
    const char *class;             /* NULL: an instant */
    const char *words, *amd_words; /* NULL: the same */
};

static const struct legend_row legend_rows[] = {
    {SHOW_SUBMIT, "submit", "driver call", NULL},
    {SHOW_CPU_WAIT, "cpuwait", "program waits for the GPU", NULL},
    {SHOW_IN_RING, "inring", "packets in the ring", NULL},
    {SHOW_PACKET, "packet", "barrier or other packet", NULL},
    {SHOW_DISPATCHING, "dispatching", "blocks still to start", NULL},
    {SHOW_LOADED, "loaded", "channel loaded", "queue in the slot"},
    {SHOW_LOADING, "loading", "channel being loaded", "queue being loaded"},
    {SHOW_LEAVING, "leaving", "has to leave the slot", NULL},
    {SHOW_SAVING, "saving", "waves saved", NULL},
    {SHOW_RESTORING, "restoring", "waves restored", NULL},
    {SHOW_SEGMENT, "segment", "methods of a GP entry", NULL},
    {SHOW_QUEUED, "queued", "queued", NULL},
    {SHOW_WAIT, "wait", "waits because of a rule", NULL},
    {SHOW_DOORBELL, NULL, "doorbell", NULL},
    {SHOW_INLINE_WRITE, NULL, "inline write", "write of a packet"},
    {SHOW_ACQUIRE, NULL, "semaphore acquired", NULL},
    {SHOW_RELEASE, NULL, "semaphore released", "completion signal"},
    {SHOW_INTERRUPT, NULL, "interrupt", NULL},
    {SHOW_ERROR, NULL, "error", NULL},
};

enum { LEGEND_ROWS = sizeof legend_rows / sizeof legend_rows[0] };

uint32_t svg_legend(struct svg_page *page, uint32_t y, uint32_t used, bool draw)
{
    uint32_t x = SVG_LEFT;

    for (uint32_t i = 0; i < LEGEND_ROWS; i++) {
        const struct legend_row *row = &legend_rows[i];
        const char *words =
            page->show->words.is_amd && row->amd_words ? row->amd_words : row->words;
        const uint32_t wide = 20 + (uint32_t)strlen(words) * SVG_LETTER_WIDTH + 14;
        if (!(used & UINT32_C(1) << row->kind))
            continue;
        if (x > SVG_LEFT && x + wide > page->width) {
            x = SVG_LEFT;
            y += SVG_LINE_HEIGHT;
        }
        if (draw && row->class)
            markup_print(page->file,
                         "<rect class=\"%s\" x=\"%" PRIu32 "\" y=\"%" PRIu32
                         "\" width=\"14\" height=\"10\"/>",
                         row->class, x, y - 9);
        else if (draw) {
            svg_mark(page->file, row->kind, (x + 8) * SVG_X, (y - 4) * SVG_X);
            fputs("</path>", page->file);
        }
        if (draw)
            markup_print(page->file, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">%s</text>\n",
                         x + 19, y, words);
        x += wide;
    }
    return y + SVG_LINE_HEIGHT;
}

/* What the rows of SMs mean, if there are any, and what is missing, from y on; returns where it
 * ends. What is merged and which names there are is known when all is drawn. */
static uint32_t words_put(const struct svg_page *page, uint32_t y)
{
    char words[SVG_BLOCK_WORDS + 80] = "";
    size_t used;

    if (page->sm_count > 0)
        svg_block_words(page, words);
    used = strlen(words);
    if (page->merged_count > 0)
        (void)snprintf(words + used, sizeof words - used,
                       "%s%" PRIu64 " items narrower than a pixel are merged.", used ? " " : "",
                       page->merged_count);
    return svg_words(page, y, words, true);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* An SM's row is as high as leaves a page of reasonable length. */
static uint32_t sm_height(uint32_t sm_count)
{
    static const struct {
        uint32_t count, height;
    } rows[] = {{2, 110}, {4, 76}, {8, 46}, {16, 30}, {32, 22}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (sm_count <= rows[i].count)
            return rows[i].height;
    return 16;
}

static bool page_init(struct svg_page *page, FILE *file, const struct show *show,
                      const struct show_svg_options *options, struct gfe_error *error)
{
    *page = (struct svg_page){
        .file = file,
        .show = show,
        .title = options->title,
        .width = options->width,
        .least_x = SVG_X,
        .threads_top = 1,
    };
    for (uint32_t t = 0; t < show->track_count; t++) {
        page->sm_count += show->tracks[t].kind == SHOW_SM;
        if (show->tracks[t].top > page->threads_top)
            page->threads_top = show->tracks[t].top;
    }
    page->sm_height = sm_height(page->sm_count);
    if (!svg_loads_init(page))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    if (!show_scale_init(&page->scale, show, (options->width - SVG_LEFT - SVG_RIGHT) * SVG_X,
                         SVG_CUT_WIDTH * SVG_X, !options->to_scale, error))
        return false;
    while (svg_wide_count(page, page->least_x) > RECTANGLES_MAX)
        page->least_x *= 2;
    return true;
}

static uint32_t gap_before(const struct show *show, uint32_t t)
{
    if (t == 0)
        return 0;
    if (show->tracks[t].kind == SHOW_SLOT && show->tracks[t - 1].kind == SHOW_SLOT)
        return SM_GAP;
    if (show->tracks[t].kind == show->tracks[t - 1].kind)
        return show->tracks[t].kind == SHOW_SM ? SM_GAP : TRACK_GAP;
    /* The engines belong together. */
    return show->tracks[t].kind == SHOW_CE && show->tracks[t - 1].kind == SHOW_GR ? TRACK_GAP
                                                                                  : GROUP_GAP;
}

static uint32_t tracks_height(const struct svg_page *page)
{
    uint32_t height = 0;

    for (uint32_t t = 0; t < page->show->track_count; t++)
        height += gap_before(page->show, t) + svg_track_height(page, &page->show->tracks[t]);
    return height;
}

/* Kinds that the legend will have to explain. */
static uint32_t kinds_used(const struct show *show)
{
    uint32_t used = 0;

    for (uint32_t t = 0; t < show->track_count; t++)
        for (uint32_t i = 0; i < show->tracks[t].item_count; i++)
            used |= UINT32_C(1) << show->tracks[t].items[i].kind;
    return used;
}

static void tracks_draw(struct svg_page *page, uint32_t top,
                        void (*draw)(struct svg_page *, const struct show_track *, uint32_t))
{
    for (uint32_t t = 0; t < page->show->track_count; t++) {
        top += gap_before(page->show, t);
        draw(page, &page->show->tracks[t], top);
        top += svg_track_height(page, &page->show->tracks[t]);
    }
}

static bool page_draw(struct svg_page *page)
{
    const uint32_t used = kinds_used(page->show);
    const uint32_t top = SVG_TITLE_HEIGHT + (page->scale.cut_count ? SVG_CUT_LABEL_HEIGHT : 0);
    const uint32_t bottom = top + tracks_height(page) + 4;
    uint32_t rules_y;

    if (!svg_body_begin(page))
        return false;
    tracks_draw(page, top, svg_lane);
    svg_axis(page, top, bottom);
    tracks_draw(page, top, svg_track);
    svg_cuts(page, top, bottom);
    rules_y = words_put(page, svg_legend(page, bottom + SVG_AXIS_HEIGHT + 8, used, true)) + 4;
    svg_rules(page, rules_y);
    page->height = rules_y - SVG_LINE_HEIGHT + 8 + svg_rules_height(page);
    return !page->no_memory &&
           svg_body_end(
               page,
               page->show->words.is_amd
                   ? "What the program, the queues, the slots of queues, the SDMA engines and "
                     "the CUs of a GPU did over time"
                   : "What the program, the channels, the PBDMAs, the engines and the SMs of a "
                     "GPU did over time");
}

bool show_svg(FILE *file, const struct show *show, const struct show_svg_options *options,
              struct gfe_error *error)
{
    struct svg_page page;

    if (options->view == SHOW_SVG_SMS)
        return show_svg_sms(file, show, options, error);
    if (options->view == SHOW_SVG_THREADS)
        return show_svg_threads(file, show, options, error);
    bool good = page_init(&page, file, show, options, error);

    if (good && !page_draw(&page))
        good = error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    show_scale_fini(&page.scale);
    free(page.loads);
    return good;
}
