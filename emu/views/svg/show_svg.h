/* SPDX-License-Identifier: MIT */
/*
 * A log as an SVG picture for papers and web pages.  Blocks are rectangles on their SMs, as high as
 * the threads that they occupy, stacked as in Amert et al. 2017, figures 3 to 9.  Above them are
 * engines, PBDMAs, channels and CPU threads.  The picture is one file without scripts and without
 * fonts of its own.  It follows the reader's light or dark colour scheme and has tooltips with
 * details.  Colours are Okabe and Ito's, which people with any colour vision can tell apart.
 *
 * Items that are narrower than a pixel are merged with their neighbours; the picture states their
 * number.
 */
#ifndef GFE_EMU_VIEWS_SVG_SHOW_SVG_H
#define GFE_EMU_VIEWS_SVG_SHOW_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/views/show.h"

enum { SHOW_SVG_WIDTH_MIN = 400, SHOW_SVG_WIDTH_MAX = 20000 };

enum show_svg_view {
    SHOW_SVG_ALL,     /* every track */
    SHOW_SVG_SMS,     /* SMs with their blocks, copies and launches, by stream */
    SHOW_SVG_THREADS, /* active threads over time, by kernel (show_svg_threads.h) */
};

struct show_svg_options {
    uint32_t width; /* pixels */
    bool to_scale;  /* cut no gaps out of the time axis */
    enum show_svg_view view;
    uint32_t sm_count, threads_per_sm; /* of the GPU, for SHOW_SVG_SMS; 0 if not known */
    const char *title;                 /* NULL for the names of the log and the GPU */
};

/* Writes the picture.  Returns false with `error` set on failure. */
bool show_svg(FILE *file, const struct show *show, const struct show_svg_options *options,
              struct gfe_error *error);

#endif
