/* SPDX-License-Identifier: MIT */
/*
 * A log as a timeline of characters for a terminal, with lists of what ran and what waited below.
 * Each track has a row; SMs whose rows look the same share one row.
 */
#ifndef GFE_EMU_VIEWS_TEXT_SHOW_TEXT_H
#define GFE_EMU_VIEWS_TEXT_SHOW_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/views/show.h"

enum { SHOW_TEXT_WIDTH_MIN = 60, SHOW_TEXT_WIDTH_MAX = 1000 };

struct show_text_options {
    uint32_t width;   /* columns */
    bool ascii;       /* print only ASCII characters */
    bool to_scale;    /* cut no gaps out of the time axis */
    bool tracks_only; /* print neither title, legend nor lists */
};

/* Prints the timeline.  Returns false with `error` set on failure. */
bool show_text(FILE *file, const struct show *show, const struct show_text_options *options,
               struct gfe_error *error);

#endif
