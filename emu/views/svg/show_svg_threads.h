/* SPDX-License-Identifier: MIT */
/*
 * The picture of active threads over time, as in Otterness and Anderson 2022, Fig. 7.  Each kernel
 * of the program has an area, as high as the threads of its blocks that are on SMs (AMD: CUs).  The
 * areas are stacked.  Private to show_svg*.c.
 *
 * Launches with the same name share one area; kernels beyond SHOW_THREADS_AREAS share the last.  A
 * column is a pixel and shows the mean over its time, so the picture's size does not depend on the
 * number of blocks.  The log has the ends of blocks, not those of single waves, so the threads of a
 * block count until the block ends.
 */
#ifndef GFE_EMU_VIEWS_SVG_SHOW_SVG_THREADS_H
#define GFE_EMU_VIEWS_SVG_SHOW_SVG_THREADS_H

#include "emu/views/svg/show_svg.h"

enum { SHOW_THREADS_AREAS = 7 };

/* Writes the picture of SHOW_SVG_THREADS for show_svg().  Returns false with `error` set on
 * failure. */
bool show_svg_threads(FILE *file, const struct show *show, const struct show_svg_options *options,
                      struct gfe_error *error);

#endif
