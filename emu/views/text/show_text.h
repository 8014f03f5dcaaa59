/* SPDX-License-Identifier: MIT */
/*
 * A log as a timeline of characters for a terminal, with what ran and what waited listed below.
 * One row for each track; rows of SMs that look the same are drawn once.
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
    bool ascii;       /* no character beyond ASCII */
    bool to_scale;    /* cut nothing out */
    bool tracks_only; /* neither title, legend nor lists */
};

bool show_text(FILE *file, const struct show *show, const struct show_text_options *options,
               struct gfe_error *error);

#endif
