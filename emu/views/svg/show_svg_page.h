/* SPDX-License-Identifier: MIT */
/*
 * What the parts of an SVG picture share.  Private to show_svg*.c:
 *
 *     show_svg.c         the page: which tracks, one below the other; its legend
 *     show_svg_page.c    style, title, axis and cuts, rules
 *     show_svg_tracks.c  a track: lanes of intervals, marks
 *     show_svg_item.c    one interval: box, colour, label, tooltip
 *     show_svg_blocks.c  an SM with its blocks, among all the rest
 *     show_svg_sms*.c    another page: SMs and copies alone (show_svg_sms.h)
 */
#ifndef GFE_EMU_VIEWS_SVG_SHOW_SVG_PAGE_H
#define GFE_EMU_VIEWS_SVG_SHOW_SVG_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "emu/views/show.h"
#include "emu/views/show_scale.h"

enum {
    SVG_X = 1000,   /* places in a pixel */
    SVG_LEFT = 104, /* pixels: where the time axis begins */
    SVG_RIGHT = 20,
    SVG_COLOURS = 7,
    SVG_OWNER_STYLES = 4 * SVG_COLOURS, /* colours of streams, with patterns */
    SVG_TITLE_HEIGHT = 46,              /* pixels */
    SVG_CUT_LABEL_HEIGHT = 14,
    SVG_AXIS_HEIGHT = 30,
    SVG_LINE_HEIGHT = 16,
    SVG_CUT_WIDTH = 26,
    SVG_LETTER_WIDTH = 6, /* of the labels' font, roughly */
};

struct svg_page {
    FILE *file;
    FILE *behind; /* where the picture goes, while its body is kept; NULL: no body is */
    char *body;
    size_t body_bytes;
    const struct show *show;
    struct show_scale scale;
    const char *title;      /* NULL: the names of log and GPU */
    uint32_t width, height; /* pixels */
    uint32_t least_x;       /* what is narrower is merged with its neighbours */
    uint64_t merged_count;  /* so many were */
    uint32_t used;          /* bit for each item kind that was drawn */
    uint32_t sm_count;      /* rows of SMs */
    uint32_t threads_top;   /* full height of an SM */
    uint64_t named_blocks;  /* so many have their names in their boxes: K1:0 */
    uint32_t sm_height;     /* the same in pixels */
    const uint32_t *owners; /* of operations, which give their colours; NULL: each has its own */
    /* Who alone uses a queue; SHOW_NONE: more than one.  NULL: slots have no colours. */
    uint32_t (*owner_of_queue)(const struct svg_page *page, uint32_t queue);
    struct svg_load *loads; /* one for each pixel of an SM's row */
};

/* "12.34" pixels out of places. */
#define SVG_PX       "%" PRIu32 ".%02" PRIu32
#define SVG_PX_OF(x) (x) / SVG_X, (x) % SVG_X / 10

static inline uint32_t svg_x(const struct svg_page *page, gfe_ps time_ps)
{
    return SVG_LEFT * SVG_X + show_scale_x(&page->scale, time_ps);
}

#define SVG_BIT(kind) (UINT32_C(1) << (kind))

struct svg_box {
    uint32_t x, y, width, height; /* places */
    uint32_t number;              /* of a lane */
};

/* show_svg_page.c */

/* Text with what XML needs escaped. */
void svg_text(FILE *file, const char *text);
extern const char *const svg_colours[SVG_COLOURS];
/* Begins the picture, whose height is known: style, background, title; `about` says of what it is a
 * picture, for who does not see it. */
void svg_open(struct svg_page *page, const char *about);
/* What is drawn from here on is kept, until the picture's height is known.  False: no memory. */
bool svg_body_begin(struct svg_page *page);
/* svg_open(), what was kept, and the end of the picture.  False: no memory. */
bool svg_body_end(struct svg_page *page, const char *about);
/* Ticks and their times at the bottom, lines up to the top; what is cut out of it.  Pixels. */
void svg_axis(struct svg_page *page, uint32_t top, uint32_t bottom);
void svg_cuts(struct svg_page *page, uint32_t top, uint32_t bottom);
/* A paragraph below the picture, broken so that it fits the width; y of the line behind it.  draw
 * false: only that. */
uint32_t svg_words(const struct svg_page *page, uint32_t y, const char *words, bool draw);
/* What the boxes of blocks mean: their names, where there are any, else what gfe explain calls
 * them; and how high they are. */
enum { SVG_BLOCK_WORDS = 320 };
void svg_block_words(const struct svg_page *page, char to[SVG_BLOCK_WORDS]);
/* The rules under which most was waited, a line each, from y on; how many pixels they take. */
void svg_rules(struct svg_page *page, uint32_t y);
uint32_t svg_rules_height(const struct svg_page *page);

/* show_svg.c */

/* The legend of those kinds of items, a bit each, from y on; draw false: only where it would end.
 */
uint32_t svg_legend(struct svg_page *page, uint32_t y, uint32_t used, bool draw);

/* show_svg_tracks.c */

/* Height of a track with all its lanes, pixels. */
uint32_t svg_track_height(const struct svg_page *page, const struct show_track *track);
/* A row's background, and its name so far below its top; the same of a track; then, over the axis,
 * what is on it. */
void svg_band(const struct svg_page *page, const char *name, uint32_t top, uint32_t height,
              uint32_t middle);
void svg_lane(struct svg_page *page, const struct show_track *track, uint32_t top);
void svg_track(struct svg_page *page, const struct show_track *track, uint32_t top);
/* Draws an instant's mark around a point. */
void svg_mark(FILE *file, uint8_t kind, uint32_t x, uint32_t y);
/* Items of all tracks that are at least that wide. */
uint64_t svg_wide_count(const struct svg_page *page, uint32_t least_x);

/* show_svg_item.c */

/* Class of an item's box: operations and blocks have the colour of their operation. */
void svg_class(char *to, size_t bytes, const struct svg_page *page, const struct show_item *item);
/* What an item is called in its box and tooltip: "K1", "K1:0", "GP entry 3"; may be empty. */
void svg_item_name(char *to, size_t bytes, const struct show *show, const struct show_item *item);
/* Text in the middle of a box; false: it does not fit there. */
bool svg_label(struct svg_page *page, const struct svg_box *box, const char *class,
               const char *label);
/* Begins a box; what is in it, and its end, are the caller's. */
void svg_rect_open(struct svg_page *page, const struct svg_box *box, const char *class);
/* The whole of an item: box, tooltip, label. */
void svg_item(struct svg_page *page, const struct show_track *track, const struct show_item *item,
              const struct svg_box *box);

/* show_svg_blocks.c */

/* Room for what svg_sm() needs of an SM's row; false: no memory. */
bool svg_loads_init(struct svg_page *page);
void svg_sm(struct svg_page *page, const struct show_track *track, uint32_t top);

#endif
