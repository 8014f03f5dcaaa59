/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>

#include "emu/views/svg/show_svg_page.h"
#include "emu/base/markup.h"
#include "emu/base/text.h"

enum {
    LANE_HEIGHT = 20, /* pixels: operations, segments, calls */
    LOW_LANE_HEIGHT = 12,
    SLOT_HEIGHT = 13,
    WAIT_HEIGHT = 13,
    MARK_HEIGHT = 12,
    LANE_GAP = 2,
    STRIP_HEIGHT = 4,
    MARK_NEAR_X = 4 * SVG_X, /* marks of a kind that are nearer are one */
};

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool has_kinds(const struct show_track *track, uint32_t kinds)
{
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & UINT32_C(1) << track->items[i].kind)
            return true;
    return false;
}

#define MARK_KINDS                                                                                 \
    (SVG_BIT(SHOW_DOORBELL) | SVG_BIT(SHOW_INLINE_WRITE) | SVG_BIT(SHOW_ACQUIRE) |                 \
     SVG_BIT(SHOW_RELEASE) | SVG_BIT(SHOW_INTERRUPT) | SVG_BIT(SHOW_ERROR))

/* Where much overlaps, lanes are lower. */
static uint32_t lane_height(const struct show_track *track)
{
    if (track->kind == SHOW_SLOT)
        return SLOT_HEIGHT;
    return track->lane_count > 3 ? LOW_LANE_HEIGHT : LANE_HEIGHT;
}

static uint32_t lanes_height(const struct show_track *track)
{
    return track->lane_count > 1 ? track->lane_count * lane_height(track) : LANE_HEIGHT;
}

uint32_t svg_track_height(const struct svg_page *page, const struct show_track *track)
{
    uint32_t height = lanes_height(track);

    if (track->kind == SHOW_SM)
        return page->sm_height;
    if (track->kind == SHOW_SLOT)
        return SLOT_HEIGHT;
    if (track->wait_lane_count > 0)
        height += track->wait_lane_count * WAIT_HEIGHT + LANE_GAP;
    if (has_kinds(track, MARK_KINDS))
        height += MARK_HEIGHT + LANE_GAP;
    return height;
}

uint64_t svg_wide_count(const struct svg_page *page, uint32_t least_x)
{
    uint64_t count = 0;

    for (uint32_t t = 0; t < page->show->track_count; t++) {
        const struct show_track *track = &page->show->tracks[t];
        for (uint32_t i = 0; i < track->item_count; i++)
            count += svg_x(page, track->items[i].end_ps) - svg_x(page, track->items[i].begin_ps) >=
                     least_x;
    }
    return count;
}

/* ---- lanes of intervals ---------------------------------------------------------------------- */

/* Neighbours too narrow to be drawn by themselves. */
struct merged {
    uint32_t from_x, to_x, count;
    const struct show_item *first, *last;
};

/* "C1 to C3: 3 of these": what has a name, by it. */
static void merged_title(const struct svg_page *page, const struct merged *merged)
{
    const uint8_t kind = merged->first->kind;
    char name[2 * SHOW_NAME_BYTES];

    fputs("<title>", page->file);
    if (kind == SHOW_OPERATION || kind == SHOW_SUBMIT || kind == SHOW_SEGMENT) {
        svg_item_name(name, sizeof name, page->show, merged->first);
        markup_text(page->file, name);
        svg_item_name(name, sizeof name, page->show, merged->last);
        fputs(" to ", page->file);
        markup_text(page->file, name);
        fputs(": ", page->file);
    }
    markup_print(page->file, "%" PRIu32 " of these, each narrower than a pixel</title></rect>\n",
                 merged->count);
}

static void merged_draw(struct svg_page *page, const struct show_track *track,
                        const struct merged *merged, const struct svg_box *lane)
{
    const uint32_t width = merged->to_x - merged->from_x;
    const struct svg_box box = {.x = merged->from_x,
                                .y = lane->y,
                                .width = width < SVG_X ? SVG_X : width,
                                .height = lane->height};
    char class[16];

    if (merged->count == 0)
        return;
    if (merged->count == 1) {
        svg_item(page, track, merged->first, &box);
        return;
    }
    svg_class(class, sizeof class, page, merged->first);
    svg_rect_open(page, &box, merged->first->kind == SHOW_OPERATION ? "merged" : class);
    merged_title(page, merged);
    page->merged_count += merged->count;
}

/* All items of one kind in a lane: its number, y and height are given. */
static void lane_draw(struct svg_page *page, const struct show_track *track, uint8_t kind,
                      const struct svg_box *lane)
{
    struct merged merged = {0};

    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        if (item->kind != kind || (show_has_lanes(kind) && item->lane != lane->number))
            continue;
        const uint32_t from_x = svg_x(page, item->begin_ps), to_x = svg_x(page, item->end_ps);
        page->used |= SVG_BIT(kind);
        if (to_x - from_x >= page->least_x) {
            const struct svg_box box = {from_x, lane->y, to_x - from_x, lane->height, 0};
            svg_item(page, track, item, &box);
            continue;
        }
        if (merged.count > 0 && from_x >= merged.to_x + SVG_X) {
            merged_draw(page, track, &merged, lane);
            merged.count = 0;
        }
        if (merged.count++ == 0)
            merged = (struct merged){from_x, to_x, 1, item, item};
        merged.last = item;
        merged.to_x = to_x > merged.to_x ? to_x : merged.to_x;
    }
    merged_draw(page, track, &merged, lane);
}

/* ---- instants -------------------------------------------------------------------------------- */

/* Their address or number tells more; those of AMD's queues. */
static const char *const amd_mark_words[][2] = {
    [SHOW_DOORBELL] = {"doorbell: the ring is filled up to", "doorbells"},
    [SHOW_INLINE_WRITE] = {"a packet writes memory, bytes:", "writes of packets"},
    [SHOW_ACQUIRE] = {"", ""},
    [SHOW_RELEASE] = {"completion signal, value", "completion signals"},
    [SHOW_INTERRUPT] = {"interrupt", "interrupts"},
    [SHOW_ERROR] = {"fault", "faults"},
};

static const char *const mark_words[][2] = {
    [SHOW_DOORBELL] = {"doorbell: the ring is filled up to entry", "doorbells"},
    [SHOW_INLINE_WRITE] = {"inline write, bytes:", "inline writes"},
    [SHOW_ACQUIRE] = {"semaphore acquired, value", "semaphores acquired"},
    [SHOW_RELEASE] = {"semaphore released, value", "semaphores released"},
    [SHOW_INTERRUPT] = {"PBDMA interrupt, bit", "PBDMA interrupts"},
    [SHOW_ERROR] = {"error, code", "errors"},
};

/* A program's threads only have doorbells. */
static const char *const submit_words[2] = {"doorbell: submission", "doorbells: submissions"};

/* Marks are drawn around a point, 8 pixels high. */
void svg_mark(FILE *file, uint8_t kind, uint32_t x, uint32_t y)
{
    static const struct {
        const char *class, *path;
    } rows[] = {
        [SHOW_DOORBELL] = {"doorbell", "m-3.5-3h7l-3.5 6z"},
        [SHOW_INLINE_WRITE] = {"write", "m-2.5-2.5h5v5h-5z"},
        [SHOW_ACQUIRE] = {"acquire", "m-3-3.5v7l6-3.5z"},
        [SHOW_RELEASE] = {"release", "m-3.5 3h7l-3.5-6z"},
        [SHOW_INTERRUPT] = {"interrupt", "m1-5l-4 6h2.5l-1 4 4-6h-2.5z"},
        [SHOW_ERROR] = {"error", "m-3-3l6 6m0-6l-6 6"},
    };

    markup_print(file, "<path class=\"%s\" d=\"M" SVG_PX " " SVG_PX "%s\">", rows[kind].class,
                 SVG_PX_OF(x), SVG_PX_OF(y), rows[kind].path);
}

static void mark_draw(struct svg_page *page, const struct show_track *track,
                      const struct show_item *item, uint32_t count, uint32_t y)
{
    const char *const *words = track->kind == SHOW_THREAD ? submit_words
                               : page->show->words.is_amd ? amd_mark_words[item->kind]
                                                          : mark_words[item->kind];
    char at[48];

    svg_mark(page->file, item->kind, svg_x(page, item->begin_ps), y);
    page->used |= SVG_BIT(item->kind);
    text_time(at, sizeof at, item->begin_ps);
    if (count > 1) {
        markup_print(page->file, "<title>%" PRIu32 " %s from %s on</title></path>\n", count,
                     words[1], at);
        return;
    }
    markup_print(page->file, "<title>%s %" PRIu32, words[0], item->number);
    if (item->address)
        markup_print(page->file, " (address 0x%" PRIx64 ")", item->address);
    markup_print(page->file, "; at %s</title></path>\n", at);
}

static void marks_draw(struct svg_page *page, const struct show_track *track, uint8_t kind,
                       uint32_t y)
{
    const struct show_item *first = NULL;
    uint32_t first_x = 0, count = 0;

    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        if (item->kind != kind)
            continue;
        const uint32_t x = svg_x(page, item->begin_ps);
        if (first && x < first_x + MARK_NEAR_X) {
            count++;
            continue;
        }
        if (first)
            mark_draw(page, track, first, count, y);
        first = item;
        first_x = x;
        count = 1;
    }
    if (first)
        mark_draw(page, track, first, count, y);
}

/* ---- a track --------------------------------------------------------------------------------- */

/* That blocks are still to start, and that a slot's queue changes, lies over what is there. */
static void kind_draw(struct svg_page *page, const struct show_track *track, uint8_t kind,
                      const struct svg_box *lane)
{
    struct svg_box strip = *lane;

    if (kind == SHOW_DISPATCHING) {
        strip.height = STRIP_HEIGHT * SVG_X;
        strip.y += lane->height - strip.height;
    }
    lane_draw(page, track, kind, &strip);
}

static void lanes_draw(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    struct svg_box lane = {.y = top * SVG_X, .height = lane_height(track) * SVG_X};

    for (lane.number = 0; lane.number == 0 || lane.number < track->lane_count; lane.number++) {
        /* In the order of enum show_item_kind; those without lanes lie in the first. */
        for (uint8_t kind = 0; kind < SHOW_WAIT; kind++)
            if (lane.number == 0 || show_has_lanes(kind))
                kind_draw(page, track, kind, &lane);
        for (uint8_t kind = SHOW_LOADED; kind <= SHOW_SEGMENT && lane.number == 0; kind++)
            kind_draw(page, track, kind, &lane);
        lane.y += lane.height;
    }
    top += lanes_height(track) + LANE_GAP;
    lane.height = (WAIT_HEIGHT - 1) * SVG_X;
    for (lane.number = 0; lane.number < track->wait_lane_count; lane.number++) {
        lane.y = (top + lane.number * WAIT_HEIGHT) * SVG_X;
        lane_draw(page, track, SHOW_WAIT, &lane);
    }
    if (track->wait_lane_count > 0)
        top += track->wait_lane_count * WAIT_HEIGHT + LANE_GAP;
    for (uint8_t kind = SHOW_DOORBELL; kind <= SHOW_ERROR; kind++)
        marks_draw(page, track, kind, (top + MARK_HEIGHT / 2) * SVG_X);
}

void svg_band(const struct svg_page *page, const char *name, uint32_t top, uint32_t height,
              uint32_t middle)
{
    markup_print(page->file,
                 "<rect class=\"lane\" x=\"%d\" y=\"%" PRIu32 "\" width=\"%" PRIu32
                 "\" height=\"%" PRIu32 "\"/>"
                 "<text class=\"name\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n",
                 SVG_LEFT, top, page->width - SVG_LEFT - SVG_RIGHT, height, SVG_LEFT - 8,
                 top + middle + 4, name);
}

void svg_lane(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    const uint32_t height = svg_track_height(page, track);

    svg_band(page, track->name, top, height,
             track->kind == SHOW_SM || track->kind == SHOW_SLOT ? height / 2 : LANE_HEIGHT / 2);
}

void svg_track(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    if (track->kind == SHOW_SM)
        svg_sm(page, track, top);
    else
        lanes_draw(page, track, top);
}
