/* SPDX-License-Identifier: MIT */
/*
 * The picture of active threads over time, as in Otterness and Anderson 2022, Fig. 7: for each
 * kernel of the program an area, as high as the threads of its blocks that are on SMs (of AMD:
 * CUs), stacked.  Private to show_svg*.c.
 *
 * Launches of one name are one area; kernels beyond SHOW_THREADS_AREAS share the last.  A column is
 * a pixel, and shows the mean over its time, so the picture's size does not depend on how many
 * blocks there are.  The log has the ends of blocks, not those of single waves: threads of a block
 * count until it ends.
 */
#ifndef GFE_EMU_VIEWS_SVG_SHOW_SVG_THREADS_H
#define GFE_EMU_VIEWS_SVG_SHOW_SVG_THREADS_H

#include "emu/views/svg/show_svg.h"

enum { SHOW_THREADS_AREAS = 7 };

/* show_svg() of SHOW_SVG_THREADS. */
bool show_svg_threads(FILE *file, const struct show *show, const struct show_svg_options *options,
                      struct gfe_error *error);

#endif
