/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/html/show_html_page.h"

/* Made of the files by make: page_frame, page_style, page_script. */
#include "emu/views/html/show_html_page.inc"

const struct html_source html_frame = {page_frame, sizeof page_frame};
const struct html_source html_style = {page_style, sizeof page_style};
const struct html_source html_script = {page_script, sizeof page_script};
