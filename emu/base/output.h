/* SPDX-License-Identifier: MIT */
/*
 * Output files that appear whole or not at all.
 *
 * What is written goes to a file without a name in the target's directory (O_TMPFILE), which
 * output_commit() gives the target's name; a program killed at any moment leaves nothing.  Where
 * the file system cannot do that, a file .gfe-PID-N.tmp stands beside the target until then, and
 * only a signal can leave it behind.  A file that existed keeps its old contents until the commit
 * and passes its permissions on; symbolic links are followed.  "-" is standard output.  Devices,
 * pipes and the like are written to directly.
 */
#ifndef GFE_EMU_OUTPUT_H
#define GFE_EMU_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/error.h"

struct output {
    FILE *file;      /* write here, or to fileno(file) if to nothing else; NULL = not open */
    char *path;      /* the target, as messages name it */
    char *target;    /* the target, links resolved; NULL = written to directly */
    char *temporary; /* NULL = the file has no name yet */
};

/* On failure there is nothing to commit or abort. */
bool output_open(struct output *output, const char *path, struct gfe_error *error);
/* False when both names lead to one regular file: what is read must not be replaced. */
bool output_differs(const char *output_path, const char *input_path, struct gfe_error *error);
/* Completes the file; whatever the result, the output is closed.  False when anything could not be
 * written: then nothing has appeared. */
bool output_commit(struct output *output, struct gfe_error *error);
/* Drops what was written.  May also be called after commit, and on a zeroed struct. */
void output_abort(struct output *output);
/* For those who print to stdout without output_open(): writes out what is buffered and reports a
 * failure of this or of any earlier write. */
bool output_flush_stdout(struct gfe_error *error);

#endif
