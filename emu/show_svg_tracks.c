/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/show_svg_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/show_lists.h"

enum {
    LANE_HEIGHT = 20, /* pixels: operations, segments, calls */
    LOW_LANE_HEIGHT = 12,
    WAIT_HEIGHT = 13,
    MARK_HEIGHT = 12,
    LANE_GAP = 2,
    LETTER_WIDTH = 6,        /* of the labels' font, roughly */
    MARK_NEAR_X = 4 * SVG_X, /* marks of a kind that are nearer are one */
};

/* Merged blocks in one pixel of an SM's row. */
struct svg_load {
    uint64_t threads_x; /* threads times places */
    uint32_t count;     /* of blocks that begin here */
    uint32_t operation; /* SHOW_NONE: of several grids */
    uint32_t bottom;    /* lowest */
};

/* ---- lanes ---------------------------------------------------------------------------------- */

static bool has_kinds(const struct show_track *track, uint32_t kinds)
{
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & UINT32_C(1) << track->items[i].kind)
            return true;
    return false;
}

#define BIT(kind) (UINT32_C(1) << (kind))
#define MARK_KINDS                                                                                 \
    (BIT(SHOW_DOORBELL) | BIT(SHOW_INLINE_WRITE) | BIT(SHOW_ACQUIRE) | BIT(SHOW_RELEASE) |         \
     BIT(SHOW_INTERRUPT) | BIT(SHOW_ERROR))

/* Where much overlaps, lanes are lower. */
static uint32_t lane_height(const struct show_track *track)
{
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

/* ---- one item ------------------------------------------------------------------------------- */

/* Class of an item's rectangle; operations and blocks have the colour of their operation. */
static void class_put(char *to, size_t bytes, const struct show *show, const struct show_item *item)
{
    static const char *const names[] = {
        [SHOW_SUBMIT] = "submit",  [SHOW_CPU_WAIT] = "cpuwait", [SHOW_QUEUED] = "queued",
        [SHOW_WAIT] = "wait",      [SHOW_LOADED] = "loaded",    [SHOW_LOADING] = "loading",
        [SHOW_SEGMENT] = "segment"};
    const struct show_operation *operation;

    if (item->kind != SHOW_OPERATION && item->kind != SHOW_BLOCK) {
        (void)snprintf(to, bytes, "%s", names[item->kind]);
        return;
    }
    operation = &show->operations[item->operation];
    if (operation->kind == SHOW_GRID)
        (void)snprintf(to, bytes, "k%" PRIu32, (operation->number - 1) % SVG_COLOURS);
    else
        (void)snprintf(to, bytes, "%s", operation->kind == SHOW_COPY ? "copy" : "draw");
}

static void label_of(char *to, size_t bytes, const struct show *show, const struct show_item *item)
{
    const size_t room = bytes / 2;

    *to = '\0';
    switch ((enum show_item_kind)item->kind) {
    case SHOW_OPERATION:
        show_operation_name(show, &show->operations[item->operation], to, bytes);
        break;
    case SHOW_BLOCK:
        show_operation_name(show, &show->operations[item->operation], to, room);
        (void)snprintf(to + strlen(to), room, ":%" PRIu32, item->number);
        break;
    case SHOW_WAIT:
        (void)snprintf(to, bytes, "%s", show_rule_label(show, show->waits[item->number].rule));
        break;
    case SHOW_SUBMIT:
        (void)snprintf(to, bytes, "submission %" PRIu32, item->number);
        break;
    case SHOW_CPU_WAIT:
        (void)snprintf(to, bytes, "waits");
        break;
    case SHOW_SEGMENT:
        (void)snprintf(to, bytes, "GP entry %" PRIu32, item->number);
        break;
    default:
        break;
    }
}

static void wait_title(FILE *file, const struct show *show, const struct show_wait *wait)
{
    const struct event_log_rule *rule =
        wait->rule == RULE_NONE ? NULL : event_log_rule(show->log, wait->rule);
    char waiter[SHOW_NAME_BYTES], blocker[SHOW_NAME_BYTES];

    show_subject_name(show, wait->subject_kind, wait->subject_id, waiter, sizeof waiter);
    show_subject_name(show, wait->blocker_kind, wait->blocker_id, blocker, sizeof blocker);
    svg_text(file, waiter);
    fputs(" waits", file);
    if (wait->blocker_kind != SUBJECT_NONE) {
        fputs(" for ", file);
        svg_text(file, blocker);
    }
    if (!rule)
        return;
    fputs(": ", file);
    svg_text(file, rule->label);
    fputs(": ", file);
    svg_text(file, rule->text);
}

static void title_put(struct svg_page *page, const struct show_track *track,
                      const struct show_item *item)
{
    const struct show *show = page->show;
    FILE *file = page->file;
    char what[2 * SHOW_NAME_BYTES], from[48], took[48];

    fputs("<title>", file);
    label_of(what, sizeof what, show, item);
    if (item->kind == SHOW_BLOCK) {
        svg_text(file, what);
        fprintf(file, " on %s: %" PRIu32 " threads", track->name, item->height);
    } else if (item->kind == SHOW_OPERATION || item->kind == SHOW_QUEUED) {
        show_operation_name(show, &show->operations[item->operation], what, sizeof what);
        svg_text(file, what);
        fputs(item->kind == SHOW_QUEUED ? ", queued: " : ": ", file);
        show_lists_operation(show, &show->operations[item->operation], what, sizeof what);
        fputs(what, file);
    } else if (item->kind == SHOW_WAIT)
        wait_title(file, show, &show->waits[item->number]);
    else if (item->kind == SHOW_SUBMIT)
        fprintf(file, "driver call of submission %" PRIu32, item->number);
    else if (item->kind == SHOW_CPU_WAIT)
        fprintf(file, "the program waits for submission %" PRIu32, item->number);
    else if (item->kind == SHOW_LOADED)
        fprintf(file, "channel %" PRIu32 " is loaded", item->number);
    else if (item->kind == SHOW_LOADING)
        fprintf(file, "channel %" PRIu32 " and its context are being loaded", item->number);
    else
        fprintf(file, "methods of GP entry %" PRIu32 " of channel %" PRIu32, item->number,
                item->channel_id);
    fprintf(file, "; from %s for %s%s</title>", show_time(from, sizeof from, item->begin_ps),
            show_time(took, sizeof took, item->end_ps - item->begin_ps),
            item->unfinished ? " and on" : "");
}

struct box {
    uint32_t x, y, width, height; /* places */
    uint32_t number;              /* of a lane */
};

static void rect_open(struct svg_page *page, const struct box *box, const char *class)
{
    fprintf(page->file,
            "<rect class=\"%s\" x=\"" SVG_PX "\" y=\"" SVG_PX "\" width=\"" SVG_PX
            "\" height=\"" SVG_PX "\">",
            class, SVG_PX_OF(box->x), SVG_PX_OF(box->y), SVG_PX_OF(box->width),
            SVG_PX_OF(box->height));
}

/* The item's label in the middle of its box, if it fits there. */
static bool box_label(struct svg_page *page, const struct box *box, const char *class,
                      const char *label)
{
    const uint32_t length_x = (uint32_t)strlen(label) * LETTER_WIDTH * SVG_X;
    const uint32_t middle_x = box->x + box->width / 2;
    const uint32_t middle_y =
        box->y + box->height / 2 + (box->height < 11 * SVG_X ? 3 * SVG_X : 7 * SVG_X / 2);

    if (!*label || length_x + 2 * SVG_X > box->width || box->height < 9 * SVG_X)
        return false;
    fprintf(page->file, "<text class=\"in%s t%s\" x=\"" SVG_PX "\" y=\"" SVG_PX "\">",
            box->height < 11 * SVG_X ? " low" : "", class, SVG_PX_OF(middle_x),
            SVG_PX_OF(middle_y));
    svg_text(page->file, label);
    fputs("</text>", page->file);
    return true;
}

static void item_draw(struct svg_page *page, const struct show_track *track,
                      const struct show_item *item, const struct box *box)
{
    char class[16], label[64];

    class_put(class, sizeof class, page->show, item);
    label_of(label, sizeof label, page->show, item);
    rect_open(page, box, class);
    title_put(page, track, item);
    fputs("</rect>", page->file);
    if (!box_label(page, box, class, label) && item->kind == SHOW_SUBMIT) {
        (void)snprintf(label, sizeof label, "%" PRIu32, item->number);
        (void)box_label(page, box, class, label);
    }
    fputc('\n', page->file);
}

/* ---- lanes of intervals --------------------------------------------------------------------- */

/* Neighbours too narrow to be drawn by themselves. */
struct merged {
    uint32_t from_x, to_x, count;
    const struct show_item *first;
};

static void merged_draw(struct svg_page *page, const struct show_track *track,
                        const struct merged *merged, const struct box *lane)
{
    const uint32_t width = merged->to_x - merged->from_x;
    const struct box box = {.x = merged->from_x,
                            .y = lane->y,
                            .width = width < SVG_X ? SVG_X : width,
                            .height = lane->height};
    char class[16];

    if (merged->count == 0)
        return;
    if (merged->count == 1) {
        item_draw(page, track, merged->first, &box);
        return;
    }
    class_put(class, sizeof class, page->show, merged->first);
    rect_open(page, &box, merged->first->kind == SHOW_OPERATION ? "merged" : class);
    fprintf(page->file, "<title>%" PRIu32 " of these, each narrower than a pixel</title></rect>\n",
            merged->count);
    page->merged_count += merged->count;
}

/* All items of one kind in a lane: its number, y and height are given. */
static void lane_draw(struct svg_page *page, const struct show_track *track, uint8_t kind,
                      const struct box *lane)
{
    const bool has_lanes = kind == SHOW_OPERATION || kind == SHOW_QUEUED || kind == SHOW_WAIT;
    struct merged merged = {0};

    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        if (item->kind != kind || (has_lanes && item->lane != lane->number))
            continue;
        const uint32_t from_x = svg_x(page, item->begin_ps), to_x = svg_x(page, item->end_ps);
        page->used |= BIT(kind);
        if (to_x - from_x >= page->least_x) {
            const struct box box = {from_x, lane->y, to_x - from_x, lane->height, 0};
            item_draw(page, track, item, &box);
            continue;
        }
        if (merged.count > 0 && from_x >= merged.to_x + SVG_X) {
            merged_draw(page, track, &merged, lane);
            merged.count = 0;
        }
        if (merged.count++ == 0)
            merged = (struct merged){from_x, to_x, 1, item};
        merged.to_x = to_x > merged.to_x ? to_x : merged.to_x;
    }
    merged_draw(page, track, &merged, lane);
}

/* ---- instants ------------------------------------------------------------------------------- */

static const char *const mark_words[][2] = {
    [SHOW_DOORBELL] = {"doorbell: the ring is filled up to entry", "doorbells"},
    [SHOW_INLINE_WRITE] = {"inline write, bytes:", "inline writes"},
    [SHOW_ACQUIRE] = {"semaphore acquired, value", "semaphores acquired"},
    [SHOW_RELEASE] = {"semaphore released, value", "semaphores released"},
    [SHOW_INTERRUPT] = {"PBDMA interrupt, bit", "PBDMA interrupts"},
    [SHOW_ERROR] = {"error, code", "errors"},
};

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

    fprintf(file, "<path class=\"%s\" d=\"M" SVG_PX " " SVG_PX "%s\">", rows[kind].class,
            SVG_PX_OF(x), SVG_PX_OF(y), rows[kind].path);
}

static void mark_draw(struct svg_page *page, const struct show_item *item, uint32_t count,
                      uint32_t y)
{
    char at[48];

    svg_mark(page->file, item->kind, svg_x(page, item->begin_ps), y);
    page->used |= BIT(item->kind);
    show_time(at, sizeof at, item->begin_ps);
    if (count > 1) {
        fprintf(page->file, "<title>%" PRIu32 " %s from %s on</title></path>\n", count,
                mark_words[item->kind][1], at);
        return;
    }
    fprintf(page->file, "<title>%s %" PRIu32, mark_words[item->kind][0], item->number);
    if (item->address)
        fprintf(page->file, " (address 0x%" PRIx64 ")", item->address);
    fprintf(page->file, "; at %s</title></path>\n", at);
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
            mark_draw(page, first, count, y);
        first = item;
        first_x = x;
        count = 1;
    }
    if (first)
        mark_draw(page, first, count, y);
}

/* ---- SMs ------------------------------------------------------------------------------------ */

bool svg_loads_init(struct svg_page *page)
{
    page->loads = calloc(page->width + 1, sizeof *page->loads);
    return page->loads != NULL;
}

static void load_add(struct svg_page *page, const struct show_item *item)
{
    uint32_t from = svg_x(page, item->begin_ps);
    const uint32_t to = svg_x(page, item->end_ps) + 1; /* an instant still shows */
    bool begins = true;

    for (uint32_t pixel = from / SVG_X; from < to && pixel <= page->width; pixel++) {
        const uint32_t next = (pixel + 1) * SVG_X < to ? (pixel + 1) * SVG_X : to;
        struct svg_load *load = &page->loads[pixel];
        if (load->threads_x == 0)
            *load = (struct svg_load){.operation = item->operation, .bottom = item->bottom};
        if (load->operation != item->operation)
            load->operation = SHOW_NONE;
        if (item->bottom < load->bottom)
            load->bottom = item->bottom;
        load->threads_x += (uint64_t)(next - from) * item->height;
        load->count += begins;
        begins = false;
        from = next;
    }
}

/* Height of so many threads, in places. */
static uint32_t threads_y(const struct svg_page *page, uint64_t threads)
{
    const uint64_t full = (uint64_t)(page->sm_height - 1) * SVG_X;

    return threads > page->threads_top ? (uint32_t)full
                                       : (uint32_t)(full * threads / page->threads_top);
}

static void block_draw(struct svg_page *page, const struct show_track *track,
                       const struct show_item *item, uint32_t floor_y)
{
    const uint32_t height = threads_y(page, item->height);
    const uint32_t from_x = svg_x(page, item->begin_ps);
    const struct box box = {.x = from_x,
                            .y = floor_y - threads_y(page, (uint64_t)item->bottom + item->height),
                            .width = svg_x(page, item->end_ps) - from_x,
                            .height = height < SVG_X / 4 ? SVG_X / 4 : height};

    item_draw(page, track, item, &box);
}

static bool same_load(const struct svg_page *page, const struct svg_load *a,
                      const struct svg_load *b)
{
    return a->operation == b->operation && a->bottom == b->bottom &&
           threads_y(page, a->threads_x / SVG_X) / SVG_X ==
               threads_y(page, b->threads_x / SVG_X) / SVG_X &&
           (a->threads_x == 0) == (b->threads_x == 0);
}

/* Merged blocks: neighbouring pixels that look the same are one rectangle. */
static void loads_draw(struct svg_page *page, uint32_t floor_y)
{
    uint32_t next;

    for (uint32_t from = 0; from <= page->width; from = next) {
        const struct svg_load *load = &page->loads[from];
        uint32_t count = load->count;
        for (next = from + 1; next <= page->width && same_load(page, load, &page->loads[next]);
             next++)
            count += page->loads[next].count;
        if (load->threads_x == 0)
            continue;
        const uint32_t height = threads_y(page, load->threads_x / SVG_X);
        const uint32_t shown = height < SVG_X ? SVG_X : height;
        const uint32_t bottom = threads_y(page, load->bottom);
        const uint32_t full = (page->sm_height - 1) * SVG_X;
        const struct box box = {.x = from * SVG_X,
                                .y = floor_y - (bottom + shown > full ? full : bottom + shown),
                                .width = (next - from) * SVG_X,
                                .height = shown};
        char class[16] = "merged";
        if (load->operation != SHOW_NONE)
            (void)snprintf(class, sizeof class, "m k%" PRIu32,
                           (page->show->operations[load->operation].number - 1) % SVG_COLOURS);
        rect_open(page, &box, class);
        fprintf(page->file,
                "<title>%" PRIu32 " blocks narrower than a pixel begin here</title></rect>\n",
                count);
    }
}

static void sm_draw(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    const uint32_t floor_y = (top + page->sm_height) * SVG_X;
    bool any_merged = false;

    memset(page->loads, 0, (page->width + 1) * sizeof *page->loads);
    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        page->used |= BIT(SHOW_BLOCK);
        if (svg_x(page, item->end_ps) - svg_x(page, item->begin_ps) >= page->least_x) {
            block_draw(page, track, item, floor_y);
        } else {
            load_add(page, item);
            page->merged_count++;
            any_merged = true;
        }
    }
    if (any_merged)
        loads_draw(page, floor_y);
}

/* ---- a track -------------------------------------------------------------------------------- */

static void lanes_draw(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    struct box lane = {.y = top * SVG_X, .height = lane_height(track) * SVG_X};

    for (lane.number = 0; lane.number == 0 || lane.number < track->lane_count; lane.number++) {
        /* In the order of enum show_item_kind; those without lanes lie in the first. */
        for (uint8_t kind = 0; kind < SHOW_WAIT; kind++)
            if (lane.number == 0 || kind == SHOW_QUEUED || kind == SHOW_OPERATION)
                lane_draw(page, track, kind, &lane);
        for (uint8_t kind = SHOW_LOADED; kind <= SHOW_SEGMENT && lane.number == 0; kind++)
            lane_draw(page, track, kind, &lane);
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

void svg_lane(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    const uint32_t height = svg_track_height(page, track);
    const uint32_t label_y = top + (track->kind == SHOW_SM ? height / 2 : LANE_HEIGHT / 2) + 4;

    fprintf(page->file,
            "<rect class=\"lane\" x=\"%d\" y=\"%" PRIu32 "\" width=\"%" PRIu32
            "\" height=\"%" PRIu32 "\"/>"
            "<text class=\"name\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n",
            SVG_LEFT, top, page->width - SVG_LEFT - SVG_RIGHT, height, SVG_LEFT - 8, label_y,
            track->name);
}

void svg_track(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    if (track->kind == SHOW_SM)
        sm_draw(page, track, top);
    else
        lanes_draw(page, track, top);
}
