/* SPDX-License-Identifier: MIT */
/*
 * What the parts of an SVG picture share.  Private to show_svg*.c:
 *
 *     show_svg.c         the page: the choice of tracks, one below the other; its legend
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

#include "emu/base/text_stream.h"
#include "emu/views/show.h"
#include "emu/views/show_scale.h"

enum {
    SVG_X = 1000,   /* places in a pixel */
    SVG_LEFT = 104, /* left end of the time axis, pixels */
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
    FILE *behind; /* the picture's file while a body is kept; NULL if no body is kept */
    struct text_stream body;
    const struct show *show;
    struct show_scale scale;
    const char *title;      /* NULL for the names of the log and the GPU */
    uint32_t width, height; /* pixels */
    uint32_t least_x;       /* narrower items are merged with their neighbours */
    uint64_t merged_count;  /* number of merged items */
    uint32_t used;          /* a bit for each item kind that was drawn */
    uint32_t sm_count;      /* rows of SMs */
    uint32_t threads_top;   /* full height of an SM, threads */
    uint64_t named_blocks;  /* number of blocks with a name (K1:0) in their boxes */
    uint32_t sm_height;     /* full height of an SM, pixels */
    const uint32_t *owners; /* by operation, for colours; NULL if each operation has its own */
    /* Returns the only owner that uses a queue, or SHOW_NONE if several do.  The pointer is NULL if
     * slots have no colours. */
    uint32_t (*owner_of_queue)(const struct svg_page *page, uint32_t queue);
    struct svg_load *loads; /* one for each pixel of an SM's row */
    bool no_memory;         /* for the pieces of a block */
};

/* Print places as pixels: "12.34". */
#define SVG_PX       "%" PRIu32 ".%02" PRIu32
#define SVG_PX_OF(x) (x) / SVG_X, (x) % SVG_X / 10

static inline uint32_t svg_x(const struct svg_page *page, gfe_ps time_ps)
{
    return SVG_LEFT * SVG_X + show_scale_x(&page->scale, time_ps);
}

#define SVG_BIT(kind) (UINT32_C(1) << (kind))

struct svg_box {
    uint32_t x, y, width, height; /* places */
    uint32_t number;              /* number of the box's lane */
};

/* show_svg_page.c */

extern const char *const svg_colours[SVG_COLOURS];
/* Begins the picture with style, background and title.  page->height must be known.  `about`
 * describes the picture for readers who cannot see it. */
void svg_open(struct svg_page *page, const char *about);
/* Begins the body: everything drawn from now on is kept in memory until the picture's height is
 * known.  Returns false if memory is short. */
bool svg_body_begin(struct svg_page *page);
/* Calls svg_open(), then writes the kept body and the end of the picture.  Returns false if memory
 * is short. */
bool svg_body_end(struct svg_page *page, const char *about);
/* Draw the axis and its cuts.  svg_axis() draws ticks and their times at `bottom`, with lines up to
 * `top`; svg_cuts() draws what is cut out of the time.  Both take pixels. */
void svg_axis(struct svg_page *page, uint32_t top, uint32_t bottom);
void svg_cuts(struct svg_page *page, uint32_t top, uint32_t bottom);
/* Draws a paragraph below the picture, broken into lines that fit the width.  Returns the y of the
 * line below the paragraph.  If `draw` is false it draws nothing and only returns that y. */
uint32_t svg_words(const struct svg_page *page, uint32_t y, const char *words, bool draw);
/* Writes what the boxes of blocks mean.  The text explains their names or, if no box has a name,
 * what gfe explain calls the blocks; it also explains the boxes' height. */
enum { SVG_BLOCK_WORDS = 320 };
void svg_block_words(const struct svg_page *page, char to[SVG_BLOCK_WORDS]);
/* Draw the rules with the longest waits, one line each, from y on.  svg_rules_height() returns the
 * height of these lines in pixels. */
void svg_rules(struct svg_page *page, uint32_t y);
uint32_t svg_rules_height(const struct svg_page *page);

/* show_svg.c */

/* Draws the legend of the kinds of items whose bits are set in `used`, from y on.  Returns the y at
 * which the legend ends.  If `draw` is false it draws nothing and only returns that y. */
uint32_t svg_legend(struct svg_page *page, uint32_t y, uint32_t used, bool draw);

/* show_svg_tracks.c */

/* Returns the height of a track with all its lanes, in pixels. */
uint32_t svg_track_height(const struct svg_page *page, const struct show_track *track);
/* Draw a row, in this order:
 *
 *   svg_band()     the background of a row, with its name `middle` pixels below `top`
 *   svg_lane()     the same for a track's row
 *   svg_track()    the track's items, which are drawn over the axis */
void svg_band(const struct svg_page *page, const char *name, uint32_t top, uint32_t height,
              uint32_t middle);
void svg_lane(struct svg_page *page, const struct show_track *track, uint32_t top);
void svg_track(struct svg_page *page, const struct show_track *track, uint32_t top);
/* Draws an instant's mark around a point. */
void svg_mark(FILE *file, uint8_t kind, uint32_t x, uint32_t y);
/* Returns the number of items, on all tracks, that are at least `least_x` wide. */
uint64_t svg_wide_count(const struct svg_page *page, uint32_t least_x);

/* show_svg_item.c */

/* Writes the class of an item's box.  Operations and blocks have the colour of their operation. */
void svg_class(char *to, size_t bytes, const struct svg_page *page, const struct show_item *item);
/* Writes an item's name in its box and tooltip: "K1", "K1:0", "GP entry 3".  It may be empty. */
void svg_item_name(char *to, size_t bytes, const struct show *show, const struct show_item *item);
/* Draws a text in the middle of a box.  Returns false if the text is empty or does not fit. */
bool svg_label(struct svg_page *page, const struct svg_box *box, const char *class,
               const char *label);
/* Begins a box.  The caller writes what is in the box, and its end. */
void svg_rect_open(struct svg_page *page, const struct svg_box *box, const char *class);
/* Draws a whole item: box, tooltip and label. */
void svg_item(struct svg_page *page, const struct show_track *track, const struct show_item *item,
              const struct svg_box *box);

/* show_svg_blocks.c */

/* Allocates page->loads, which svg_sm() needs for an SM's row.  Returns false if memory is short.
 */
bool svg_loads_init(struct svg_page *page);
void svg_sm(struct svg_page *page, const struct show_track *track, uint32_t top);

#endif
