/* SPDX-License-Identifier: MIT */
/*
 * A log as an SVG picture for papers and web pages: blocks as rectangles on their SMs, their height
 * the threads that they occupy, stacked as in Amert et al. 2017, figures 3 to 9; above them
 * engines, PBDMAs, channels and CPU threads.  One file, no scripts, no fonts of its own; follows
 * the reader's light or dark colour scheme; details in tooltips.  Colours are Okabe and Ito's,
 * which people with any colour vision can tell apart.
 *
 * What is narrower than a pixel is merged with its neighbours, and the picture says how many.
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
    SHOW_SVG_THREADS, /* active threads over time, by kernel: show_svg_threads.h */
};

struct show_svg_options {
    uint32_t width; /* pixels */
    bool to_scale;  /* cut nothing out */
    enum show_svg_view view;
    uint32_t sm_count, threads_per_sm; /* of the GPU, for SHOW_SVG_SMS; 0: not known */
    const char *title;                 /* what stands above; NULL: the names of log and GPU */
};

bool show_svg(FILE *file, const struct show *show, const struct show_svg_options *options,
              struct gfe_error *error);

#endif
