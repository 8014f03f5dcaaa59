/* SPDX-License-Identifier: MIT */
/* Functions that the readers of measurements share.  Private to measured*.c. */
#ifndef GFE_EMU_FIT_MEASURED_PRIVATE_H
#define GFE_EMU_FIT_MEASURED_PRIVATE_H

#include <jansson.h>

#include "emu/fit/measured.h"
#include "traces/config/examiner_config_spot.h"

/* ---- measured_file.c ------------------------------------------------------------------------- */

/* Reads a file, unpacks it if it is of gzip, and returns its text, which the caller frees.  Returns
 * NULL with a message. */
char *fit_file_text(const char *path, size_t *bytes, struct gfe_error *error);

/* ---- measured_line.c ------------------------------------------------------------------------- */

/* Reads a number that may be missing; the value stays as it is then. */
bool fit_may_number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
                    const char *what, int64_t *value);
/* Returns true if the line has one of the forms that are read. */
bool fit_line_is_known(const json_t *line);
/* Reads a line into a part that is zeroed, with its times counted from `base`.  Returns false with
 * a message. */
bool fit_line_read(const struct spot *line, int64_t base, struct fit_part *part);
/* Returns the first time of a line whose times count from no beginning of the experiment, or
 * INT64_MAX. */
int64_t fit_line_first(const json_t *line);
void fit_part_free(struct fit_part *part);

/* ---- measured_supplement.c ------------------------------------------------------------------- */

/* Adds to an experiment what a supplement says.  Returns false with a message. */
bool fit_supplement_apply(const struct spot *supplement, struct fit_experiment *experiment);

#endif
