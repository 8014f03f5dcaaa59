/* SPDX-License-Identifier: MIT */
/* The sources of the page: emu/views/html/show_html_page.html, .css and _*.js.  The program's files
 * are joined in one text.  Private to show_html.c and its tests. */
#ifndef GFE_EMU_VIEWS_HTML_SHOW_HTML_PAGE_H
#define GFE_EMU_VIEWS_HTML_SHOW_HTML_PAGE_H

#include <stddef.h>

struct html_source {
    const char *text; /* not terminated */
    size_t bytes;
};

extern const struct html_source html_frame, html_style, html_script;

#endif
