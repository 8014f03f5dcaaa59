/* SPDX-License-Identifier: MIT */
/*
 * A log as a page for a browser: one HTML file that loads nothing else, neither from the network
 * nor from disk.  The page shows:
 *
 *   - a timeline of every track, to zoom and to search
 *   - what an operation waited for, as gfe explain reports it
 *   - the contents of queues, runlists, slots and SMs at the time of the cursor
 *
 * The page is emu/views/html/show_html_page.html with style, program and data put into it
 * (docs/html.md describes its use).  The data are deflated and in base64, so a browser cannot take
 * a text of the log for HTML.  The page's Content-Security-Policy lets the browser run only the
 * program whose hash it has, use only the page's style sheet, and load nothing.
 *
 * The data have three parts, each zlib data (RFC 1950):
 *
 *   head     a JSON object: names, tracks, rules, idle times to leave out, names of operations
 *   items    columns: a 32-bit number of bytes (little endian) and the column, which is bytes or
 *            variable-length integers of 7 bits (show_html_items.c lists the columns)
 *   stories  a JSON list of what gfe explain says of operations: HTML_STORIES_MAX at most
 *
 * Times in the page are picoseconds as JavaScript's numbers: exact up to 2^53 ps, 2.5 hours.
 * If gfe explain refuses a log, the page has no stories and states the reason.
 * The stories of a recording are lives (emu/analysis/explain/explain.h); other logs have stories
 * (emu/analysis/story/explain_story.h).  Pieces that are shorter than a 200th of a long story are
 * merged.
 */
#ifndef GFE_EMU_VIEWS_HTML_SHOW_HTML_H
#define GFE_EMU_VIEWS_HTML_SHOW_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/analysis/check/check.h"
#include "emu/views/show.h"

enum { HTML_STORIES_MAX = 20000 };

struct show_html_options {
    struct event_log_reader *again;    /* the same log, at its beginning; read for the stories */
    const struct check_limits *limits; /* the GPU's limits; NULL if they are not known */
    uint32_t threads_per_sm;           /* of the GPU; 0 if not known */
};

/* Writes the page.  `show` must come from show_load_all().  Returns false with `error` set on
 * failure. */
bool show_html(FILE *file, const struct show *show, const struct show_html_options *options,
               struct gfe_error *error);

#endif
