/* SPDX-License-Identifier: MIT */
/*
 * A log as a page for a browser: one HTML file that asks for nothing else, neither from the network
 * nor from disk.  A time line of every track to zoom and to search; what an operation waited for,
 * as gfe explain tells it; what stands in queues, runlists, slots and SMs at the time of the
 * cursor.
 *
 * The page is emu/views/html/show_html_page.html with style, program and data put into it
 * (docs/html.md says how it is used).  The data are deflated and in base64, so nothing that a log
 * says can be taken for HTML; and the page's Content-Security-Policy lets the browser run the one
 * program whose hash it has, use the one style sheet, and load nothing.
 *
 * Three parts, each zlib data (RFC 1950):
 *
 *   head     a JSON object: names, tracks, rules, idle times to leave out, names of operations
 *   items    columns: a 32-bit number of bytes (little endian) and the column, which is bytes or
 *            variable-length integers of 7 bits (show_html_items.c lists them)
 *   stories  a JSON list of what gfe explain says of operations: HTML_STORIES_MAX at most
 *
 * Times in the page are picoseconds as JavaScript's numbers: exact up to 2^53 ps, 2.5 hours.
 * A log that gfe explain refuses has a page without stories, which says why.
 * Of a recording the stories are lives (emu/analysis/explain/explain.h), else stories
 * (emu/analysis/story/explain_story.h); pieces that are shorter than a 200th of a long story are
 * told together.
 */
#ifndef GFE_EMU_VIEWS_HTML_SHOW_HTML_H
#define GFE_EMU_VIEWS_HTML_SHOW_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/analysis/check/check.h"
#include "emu/views/show.h"

enum { HTML_STORIES_MAX = 20000 };

struct show_html_options {
    struct event_log_reader *again;    /* the same log, from its beginning: for the stories */
    const struct check_limits *limits; /* of the GPU; NULL: not known */
    uint32_t threads_per_sm;           /* likewise; 0 */
};

/* `show` as from show_load_all(). */
bool show_html(FILE *file, const struct show *show, const struct show_html_options *options,
               struct gfe_error *error);

#endif
