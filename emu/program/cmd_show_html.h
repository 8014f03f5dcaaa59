/* SPDX-License-Identifier: MIT */
/* gfe show --as html: reads a log twice, for its tracks and for its stories.  Input that cannot be
 * read twice is kept in memory meanwhile. */
#ifndef GFE_EMU_PROGRAM_CMD_SHOW_HTML_H
#define GFE_EMU_PROGRAM_CMD_SHOW_HTML_H

#include <stdbool.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/base/limits.h"

/* Reads the log and writes the page.  Returns false with a message on error. */
bool cmd_show_html(const char *log_path, const char *output_path, gfe_ps from_ps, gfe_ps to_ps,
                   const struct limits *limits, struct gfe_error *error);

#endif
