/* SPDX-License-Identifier: MIT */
/*
 * The files that recorded processes left in the recording's directory, and the trace of them.
 */
#ifndef GFE_TRACES_RECORD_RECORD_PARTS_H
#define GFE_TRACES_RECORD_RECORD_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/output.h"
#include "traces/record/record_directory.h"
#include "traces/record/record_finish.h"

/* Returns true if there are parts, or if that cannot be told. */
bool record_parts_exist(const struct record_directory *directory);
/* Opens the trace's file: for the user alone, because it can hold private memory of the program.
 * Returns false with a message on error. */
bool record_parts_output(struct output *output, const char *path, struct gfe_error *error);
/* Makes the trace of the parts and commits `output`, which messages call `name`.  With `salvage`
 * what is damaged is left out.  Returns false with a message on error; the parts stay in any case.
 */
bool record_parts_join(const struct record_directory *directory, bool salvage,
                       struct output *output, const char *name, const struct trace_end *end,
                       struct record_totals *totals, struct gfe_error *error);
/* Reads the reason that a recorded process left for stopping into `text`, of `room` bytes.  Returns
 * false if there is none. */
bool record_parts_problem(const struct record_directory *directory, char *text, size_t room);

#endif
