/* SPDX-License-Identifier: MIT */
/* Blocks on an SM among all other tracks: boxes of their height, and what is too narrow for one. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/show_stack.h"
#include "emu/base/markup.h"
#include "emu/views/svg/show_svg_page.h"

/* Merged blocks in one pixel of an SM's row. */
struct svg_load {
    uint64_t threads_x;            /* threads times places */
    uint32_t count;                /* of blocks that begin here */
    const struct show_item *first; /* of them; NULL: none does */
    uint32_t operation;            /* SHOW_NONE: of several grids */
    uint32_t bottom;               /* lowest */
};

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
        if (begins && load->count++ == 0)
            load->first = item;
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

static void piece_draw(struct svg_page *page, const struct show_track *track,
                       const struct show_item *item, const struct show_stack_piece *piece,
                       uint32_t floor_y)
{
    const uint32_t height = threads_y(page, piece->height);
    const uint32_t from_x = svg_x(page, item->begin_ps);
    const struct svg_box box = {.x = from_x,
                                .y = floor_y -
                                     threads_y(page, (uint64_t)piece->bottom + piece->height),
                                .width = svg_x(page, item->end_ps) - from_x,
                                .height = height < SVG_X / 4 ? SVG_X / 4 : height};

    svg_item(page, track, item, &box);
}

static bool same_load(const struct svg_page *page, const struct svg_load *a,
                      const struct svg_load *b)
{
    return a->operation == b->operation && a->bottom == b->bottom &&
           threads_y(page, a->threads_x / SVG_X) / SVG_X ==
               threads_y(page, b->threads_x / SVG_X) / SVG_X &&
           (a->threads_x == 0) == (b->threads_x == 0);
}

/* So many blocks begin there, the first of them first. */
static void load_title(const struct svg_page *page, const struct show_item *first, uint32_t count)
{
    char name[2 * SHOW_NAME_BYTES];

    markup_print(page->file, "<title>%" PRIu32 " block%s narrower than a pixel begin%s here", count,
                 count == 1 ? "" : "s", count == 1 ? "s" : "");
    if (first) {
        svg_item_name(name, sizeof name, page->show, first);
        fputs(count == 1 ? ": " : ", the first is ", page->file);
        markup_text(page->file, name);
    }
    fputs("</title></rect>\n", page->file);
}

/* Merged blocks: neighbouring pixels that look the same are one rectangle. */
static void loads_draw(struct svg_page *page, uint32_t floor_y)
{
    uint32_t next;

    for (uint32_t from = 0; from <= page->width; from = next) {
        const struct svg_load *load = &page->loads[from];
        const struct show_item *first = load->first;
        uint32_t count = load->count;
        for (next = from + 1; next <= page->width && same_load(page, load, &page->loads[next]);
             next++) {
            count += page->loads[next].count;
            first = first ? first : page->loads[next].first;
        }
        if (load->threads_x == 0)
            continue;
        const uint32_t height = threads_y(page, load->threads_x / SVG_X);
        const uint32_t shown = height < SVG_X ? SVG_X : height;
        const uint32_t bottom = threads_y(page, load->bottom);
        const uint32_t full = (page->sm_height - 1) * SVG_X;
        const struct svg_box box = {.x = from * SVG_X,
                                    .y = floor_y - (bottom + shown > full ? full : bottom + shown),
                                    .width = (next - from) * SVG_X,
                                    .height = shown};
        char class[16] = "merged";
        if (load->operation != SHOW_NONE)
            (void)snprintf(class, sizeof class, "m k%" PRIu32,
                           (page->show->operations[load->operation].number - 1) % SVG_COLOURS);
        svg_rect_open(page, &box, class);
        load_title(page, first, count);
    }
}

/* Puts the block onto the stack again, as show_place_blocks() did, and draws it if it is wide. */
static bool block_draw(struct svg_page *page, const struct show_track *track,
                       const struct show_item *item, struct show_stack *stack, uint32_t floor_y)
{
    const bool is_wide = svg_x(page, item->end_ps) - svg_x(page, item->begin_ps) >= page->least_x;

    page->no_memory |=
        !show_stack_put_at(stack, item->begin_ps, item->end_ps, item->height, item->bottom);
    for (uint32_t i = 0; is_wide && i < stack->piece_count; i++)
        piece_draw(page, track, item, &stack->pieces[i], floor_y);
    return is_wide;
}

void svg_sm(struct svg_page *page, const struct show_track *track, uint32_t top)
{
    const uint32_t floor_y = (top + page->sm_height) * SVG_X;
    struct show_stack stack;
    bool any_merged = false;

    show_stack_init(&stack, page->show->ceiling, page->show->wave_threads);
    memset(page->loads, 0, (page->width + 1) * sizeof *page->loads);
    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        page->used |= SVG_BIT(SHOW_BLOCK);
        if (block_draw(page, track, item, &stack, floor_y))
            continue;
        load_add(page, item);
        page->merged_count++;
        any_merged = true;
    }
    show_stack_fini(&stack);
    if (any_merged)
        loads_draw(page, floor_y);
}
