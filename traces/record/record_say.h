/* SPDX-License-Identifier: MIT */
/*
 * What `gfe record` says on standard error: one line each.
 */
#ifndef GFE_TRACES_RECORD_RECORD_SAY_H
#define GFE_TRACES_RECORD_RECORD_SAY_H

#include "emu/base/error.h"
#include "traces/record/record_finish.h"

/* Prints "gfe: ", the text and a newline. */
void record_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints an error.  Returns its exit status. */
int record_say_error(const struct gfe_error *error);
/* Prints what a trace has. */
void record_say_summary(const char *output, const struct record_totals *totals);

#endif
