/* SPDX-License-Identifier: MIT */
/* What the parts of an SVG picture share.  Private to show_svg.c and show_svg_tracks.c. */
#ifndef GFE_EMU_SHOW_SVG_PAGE_H
#define GFE_EMU_SHOW_SVG_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "emu/show.h"
#include "emu/show_scale.h"

enum {
    SVG_X = 1000,   /* places in a pixel */
    SVG_LEFT = 104, /* pixels: where the time axis begins */
    SVG_RIGHT = 20,
    SVG_COLOURS = 7,
};

struct svg_page {
    FILE *file;
    const struct show *show;
    struct show_scale scale;
    uint32_t width, height; /* pixels */
    uint32_t least_x;       /* what is narrower is merged with its neighbours */
    uint64_t merged_count;  /* so many were */
    uint32_t used;          /* bit for each item kind that was drawn */
    uint32_t sm_count;      /* rows of SMs */
    uint32_t threads_top;   /* full height of an SM */
    uint32_t sm_height;     /* the same in pixels */
    struct svg_load *loads; /* one for each pixel of an SM's row */
};

/* "12.34" pixels out of places. */
#define SVG_PX       "%" PRIu32 ".%02" PRIu32
#define SVG_PX_OF(x) (x) / SVG_X, (x) % SVG_X / 10

static inline uint32_t svg_x(const struct svg_page *page, gfe_ps time_ps)
{
    return SVG_LEFT * SVG_X + show_scale_x(&page->scale, time_ps);
}

/* Text with what XML needs escaped. */
void svg_text(FILE *file, const char *text);
/* Height of a track with all its lanes, pixels. */
uint32_t svg_track_height(const struct svg_page *page, const struct show_track *track);
/* Its background and name; then, over the axis, what is on it. */
void svg_lane(struct svg_page *page, const struct show_track *track, uint32_t top);
void svg_track(struct svg_page *page, const struct show_track *track, uint32_t top);
/* Draws an instant's mark around a point. */
void svg_mark(FILE *file, uint8_t kind, uint32_t x, uint32_t y);
/* Items of all tracks that are at least that wide. */
uint64_t svg_wide_count(const struct svg_page *page, uint32_t least_x);
/* Room for what svg_track() needs of an SM's row; false: no memory. */
bool svg_loads_init(struct svg_page *page);

#endif
