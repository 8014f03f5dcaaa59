/* SPDX-License-Identifier: MIT */
/*
 * An SM's row: a box for each block that is wide enough.  What is narrower is merged, by column and
 * colour, to areas as high as its threads are on average; they lie on the boxes.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg_sms.h"
#include "emu/base/markup.h"
#include "emu/base/text.h"

/* Merged blocks of one colour in a column. */
struct sms_load {
    uint64_t threads_x; /* threads times places */
    uint32_t count;     /* of blocks that begin here */
    const struct show_item *first;
};

static uint32_t styles_of(const struct svg_sms *sms)
{
    return sms->owner_count < SVG_OWNER_STYLES ? sms->owner_count : SVG_OWNER_STYLES;
}

static uint32_t columns_of(const struct svg_sms *sms)
{
    return sms->page.width / sms->bucket + 1;
}

static uint32_t width_of(const struct svg_sms *sms, const struct show_item *item)
{
    return svg_x(&sms->page, item->end_ps) - svg_x(&sms->page, item->begin_ps);
}

static bool is_wide(const struct svg_sms *sms, const struct show_item *item)
{
    return width_of(sms, item) >= sms->page.least_x;
}

/* Height of so many threads, in places. */
static uint32_t threads_y(const struct svg_sms *sms, uint64_t threads)
{
    const uint64_t full = (uint64_t)(sms->page.sm_height - 1) * SVG_X;

    return threads > sms->page.threads_top ? (uint32_t)full
                                           : (uint32_t)(full * threads / sms->page.threads_top);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

static void box_title(struct svg_sms *sms, const struct show_track *track,
                      const struct show_item *item)
{
    const struct show_operation *grid = &sms->view.operations[item->operation];
    FILE *file = sms->page.file;
    char kernel[SHOW_NAME_BYTES], from[48], to[48], took[48];

    show_operation_name(&sms->view, grid, kernel, sizeof kernel);
    fputs("<title>", file);
    markup_text(file, kernel);
    markup_print(file, ":%" PRIu32 ", block %" PRIu32 " of %" PRIu32 " of kernel ", item->number,
                 item->number, grid->block_count);
    markup_text(file, kernel);
    fputs(" (", file);
    markup_text(file, sms->owners[sms->owner_of[item->operation]].words);
    markup_print(file, ") on %s: %" PRIu32 " threads, from %s to %s%s (%s)</title>", track->name,
                 item->height, text_time_exact(from, sizeof from, item->begin_ps, 1000),
                 text_time_exact(to, sizeof to, item->end_ps, 1000),
                 item->unfinished ? " and on" : "",
                 text_time(took, sizeof took, item->end_ps - item->begin_ps));
}

static void box_label(struct svg_sms *sms, const struct show_item *item, const struct svg_box *box,
                      const char *class)
{
    char label[SHOW_NAME_BYTES + 16];
    size_t used;

    show_operation_name(&sms->view, &sms->view.operations[item->operation], label, SHOW_NAME_BYTES);
    used = strlen(label);
    (void)snprintf(label + used, sizeof label - used, ":%" PRIu32, item->number);
    if (svg_label(&sms->page, box, class, label)) {
        sms->page.named_blocks++;
        return;
    }
    label[used] = '\0'; /* the kernel alone may fit */
    (void)svg_label(&sms->page, box, class, label);
}

/* Lines around what is not much higher than a line would be all that one sees.  CUs have many
 * blocks and low rows. */
static bool is_thin(const struct svg_sms *sms, const struct svg_box *box)
{
    return sms->view.words.is_amd && box->height < 4 * SVG_X;
}

/* The block, in as many pieces as the stack has given it. */
static void block_draw(struct svg_sms *sms, const struct show_track *track,
                       const struct show_item *item, uint32_t floor_y)
{
    char class[16], thin[24];

    sms_class(class, sizeof class, sms->owner_of[item->operation]);
    (void)snprintf(thin, sizeof thin, "m %s", class);
    for (uint32_t i = 0; i < sms->stack.piece_count; i++) {
        const struct show_stack_piece *piece = &sms->stack.pieces[i];
        const uint32_t top = threads_y(sms, (uint64_t)piece->bottom + piece->height);
        const uint32_t height = top - threads_y(sms, piece->bottom);
        const struct svg_box box = {.x = svg_x(&sms->page, item->begin_ps),
                                    .y = floor_y - top,
                                    .width = width_of(sms, item),
                                    .height = height < SVG_X / 4 ? SVG_X / 4 : height};
        svg_rect_open(&sms->page, &box, is_thin(sms, &box) ? thin : class);
        box_title(sms, track, item);
        fputs("</rect>", sms->page.file);
        box_label(sms, item, &box, class);
        fputc('\n', sms->page.file);
    }
}

/* How high boxes are, by pixel. */
static void tops_raise(struct svg_sms *sms, const struct show_item *item)
{
    const struct show_stack_piece *last = &sms->stack.pieces[sms->stack.piece_count - 1];
    const uint32_t from = svg_x(&sms->page, item->begin_ps) / SVG_X;
    const uint32_t to = (svg_x(&sms->page, item->end_ps) + SVG_X - 1) / SVG_X;

    for (uint32_t x = from; x < to && x <= sms->page.width; x++)
        if (last->bottom + last->height > sms->tops[x])
            sms->tops[x] = last->bottom + last->height;
}

/* ---- what is merged -------------------------------------------------------------------------- */

static void load_add(struct svg_sms *sms, const struct show_item *item)
{
    const uint32_t style = sms->owner_of[item->operation] % SVG_OWNER_STYLES;
    const uint32_t column_x = sms->bucket * SVG_X, columns = columns_of(sms);
    uint32_t from = svg_x(&sms->page, item->begin_ps), begins = 1;
    const uint32_t end = svg_x(&sms->page, item->end_ps);
    const uint32_t to = end > from ? end : from + 1; /* an instant still shows */

    for (uint32_t column = from / column_x; from < to && column < columns; column++) {
        const uint32_t next = (column + 1) * column_x < to ? (column + 1) * column_x : to;
        struct sms_load *load = &sms->loads[(size_t)column * styles_of(sms) + style];
        load->threads_x += (uint64_t)(next - from) * item->height;
        if (begins && load->count++ == 0)
            load->first = item;
        begins = 0;
        from = next;
    }
}

/* The row's merged blocks; false: there are none. */
static bool loads_fill(struct svg_sms *sms, const struct show_track *track)
{
    bool any = false;

    memset(sms->loads, 0, (size_t)columns_of(sms) * styles_of(sms) * sizeof *sms->loads);
    for (uint32_t i = 0; i < track->item_count; i++)
        if (!is_wide(sms, &track->items[i])) {
            load_add(sms, &track->items[i]);
            any = true;
        }
    return any;
}

/* An area of one colour over one or more columns; places above the row's floor. */
struct area {
    uint32_t column, count; /* of columns */
    uint32_t low, high;
    uint32_t blocks;               /* that begin here */
    const struct show_item *first; /* of them; NULL: none does */
};

static void area_draw(struct svg_sms *sms, const struct show_track *track, uint32_t style,
                      const struct area *area, uint32_t floor_y)
{
    const uint32_t column_x = sms->bucket * SVG_X;
    const struct svg_box box = {.x = area->column * column_x,
                                .y = floor_y - area->high,
                                .width = area->count * column_x,
                                .height = area->high - area->low};
    char class[24] = "m ", first[2 * SHOW_NAME_BYTES];

    sms_class(class + 2, sizeof class - 2, style);
    svg_rect_open(&sms->page, &box, class);
    markup_print(sms->page.file, "<title>%s: %" PRIu32 " block%s", track->name, area->blocks,
                 area->blocks == 1 ? " begins" : "s begin");
    fputs(" here, too narrow to be drawn", sms->page.file);
    if (area->first) {
        svg_item_name(first, sizeof first, &sms->view, area->first);
        fputs(area->blocks == 1 ? ": " : ", the first is ", sms->page.file);
        markup_text(sms->page.file, first);
    }
    if (sms->owner_count <= SVG_OWNER_STYLES) {
        fputs("; ", sms->page.file);
        markup_text(sms->page.file, sms->owners[style].words);
    }
    fputs("</title></rect>\n", sms->page.file);
}

/* Where the column's areas begin: on its boxes, but under the ceiling. */
static uint32_t column_floor(const struct svg_sms *sms, uint32_t column, uint64_t threads)
{
    uint32_t top = 0;

    for (uint32_t x = column * sms->bucket; x < (column + 1) * sms->bucket; x++)
        if (x <= sms->page.width && sms->tops[x] > top)
            top = sms->tops[x];
    if (top + threads > sms->page.threads_top)
        return threads < sms->page.threads_top ? sms->page.threads_top - (uint32_t)threads : 0;
    return top;
}

/* Rounded to half pixels. */
static uint32_t half_pixels(uint32_t y)
{
    return (y + SVG_X / 4) / (SVG_X / 2) * (SVG_X / 2);
}

/* The column's area of each style. */
static void column_areas(const struct svg_sms *sms, uint32_t column, struct area *areas)
{
    const struct sms_load *loads = &sms->loads[(size_t)column * styles_of(sms)];
    const uint32_t column_x = sms->bucket * SVG_X;
    uint64_t all = 0, below;

    for (uint32_t style = 0; style < styles_of(sms); style++)
        all += loads[style].threads_x;
    below = (uint64_t)column_floor(sms, column, all / column_x) * column_x;
    for (uint32_t style = 0; style < styles_of(sms); style++) {
        const uint32_t low = half_pixels(threads_y(sms, below / column_x));
        below += loads[style].threads_x;
        uint32_t high = half_pixels(threads_y(sms, below / column_x));
        if (high == low && loads[style].threads_x > 0) /* whatever is there shows */
            high = low + SVG_X / 2;
        areas[style] = (struct area){column, 1, low, high, loads[style].count, loads[style].first};
    }
}

/* Neighbouring columns that look the same are one area; returns how many there are.  Draw false:
 * only counts. */
static uint32_t areas_draw(struct svg_sms *sms, const struct show_track *track, uint32_t floor_y,
                           bool draw)
{
    struct area open[SVG_OWNER_STYLES] = {{0}}, next[SVG_OWNER_STYLES] = {{0}};
    const uint32_t columns = columns_of(sms);
    uint32_t count = 0;

    for (uint32_t column = 0; column <= columns; column++) {
        if (column < columns)
            column_areas(sms, column, next);
        else
            memset(next, 0, sizeof next);
        for (uint32_t style = 0; style < styles_of(sms); style++) {
            struct area *area = &open[style];
            if (area->low == next[style].low && area->high == next[style].high) {
                area->count++;
                area->blocks += next[style].blocks;
                area->first = area->first ? area->first : next[style].first;
                continue;
            }
            if (area->high > area->low) {
                count++;
                if (draw)
                    area_draw(sms, track, style, area, floor_y);
            }
            *area = next[style];
        }
    }
    return count;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* The most threads at a time on any SM, as they are stacked; or (boxes) whether a box of those that
 * will be drawn is in pieces. */
static bool stack_measure(struct svg_sms *sms, bool boxes)
{
    for (uint32_t row = 0; row < sms->row_count; row++) {
        const struct show_track *track = sms->rows[row].track;

        show_stack_clear(&sms->stack);
        for (uint32_t i = 0; track && i < track->item_count; i++) {
            const struct show_item *item = &track->items[i];
            if (boxes && !is_wide(sms, item))
                continue;
            if (!show_stack_put(&sms->stack, item->begin_ps, item->end_ps, item->height))
                return false;
            sms->in_pieces |= boxes && sms->stack.piece_count > 1;
            const struct show_stack_piece *last = &sms->stack.pieces[sms->stack.piece_count - 1];
            if (last->bottom + last->height > sms->page.threads_top)
                sms->page.threads_top = last->bottom + last->height;
        }
    }
    return true;
}

static uint64_t areas_count(struct svg_sms *sms)
{
    uint64_t count = 0;

    for (uint32_t row = 0; row < sms->row_count; row++)
        if (sms->rows[row].track && loads_fill(sms, sms->rows[row].track))
            count += areas_draw(sms, sms->rows[row].track, 0, false);
    return count;
}

bool sms_blocks_init(struct svg_sms *sms, struct gfe_error *error)
{
    sms->bucket = 1;
    sms->page.threads_top =
        sms->options->threads_per_sm ? sms->options->threads_per_sm : sms->view.ceiling;
    show_stack_init(&sms->stack, sms->page.threads_top, sms->view.wave_threads);
    sms->tops = calloc((size_t)sms->page.width + 1, sizeof *sms->tops);
    sms->loads = calloc(((size_t)sms->page.width + 1) * (styles_of(sms) + 1), sizeof *sms->loads);
    if (!sms->tops || !sms->loads || !stack_measure(sms, false))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
    while (svg_wide_count(&sms->page, sms->page.least_x) > SMS_RECTANGLES_MAX)
        sms->page.least_x *= 2;
    if (!stack_measure(sms, true))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
    while (sms->bucket < sms->page.width && areas_count(sms) > SMS_RECTANGLES_MAX)
        sms->bucket *= 2;
    for (uint32_t row = 0; row < sms->row_count; row++)
        for (uint32_t i = 0; sms->rows[row].track && i < sms->rows[row].track->item_count; i++) {
            const struct show_item *item = &sms->rows[row].track->items[i];
            sms->owners[sms->owner_of[item->operation]].used = true;
            sms->merged_blocks += !is_wide(sms, item);
        }
    return true;
}

bool sms_blocks(struct svg_sms *sms, const struct show_track *track, uint32_t top,
                struct gfe_error *error)
{
    const uint32_t floor_y = (top + sms->page.sm_height) * SVG_X;
    bool any_merged = false;

    show_stack_clear(&sms->stack);
    memset(sms->tops, 0, ((size_t)sms->page.width + 1) * sizeof *sms->tops);
    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        if (!is_wide(sms, item)) {
            any_merged = true;
            continue;
        }
        if (!show_stack_put(&sms->stack, item->begin_ps, item->end_ps, item->height))
            return error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
        tops_raise(sms, item);
        block_draw(sms, track, item, floor_y);
    }
    if (any_merged && loads_fill(sms, track))
        (void)areas_draw(sms, track, floor_y, true);
    return true;
}
