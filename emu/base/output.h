/* SPDX-License-Identifier: MIT */
/*
 * Output files that appear whole or not at all.
 *
 * Output goes to a file without a name in the target's directory (O_TMPFILE), to which
 * output_commit() gives the target's name.  A program that is killed at any moment leaves nothing.
 * Where the file system cannot do that, a file .gfe-PID-N.tmp stands beside the target until the
 * commit.  Only a signal can leave that file in place.  A file that replaces another has such a
 * name for the time between two calls; only SIGKILL can leave it there then.
 *
 * A file that existed keeps its old contents until the commit and passes its permissions on.
 * Symbolic links are followed.  "-" is standard output.  Devices and pipes are written to directly.
 */
#ifndef GFE_EMU_BASE_OUTPUT_H
#define GFE_EMU_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/error.h"

struct output {
    FILE *file;      /* write here, or to `fd` if to nothing else; NULL if not open */
    int fd;          /* the file's descriptor */
    char *path;      /* the target, as messages name it */
    char *target;    /* the target, links resolved; NULL if it is written to directly */
    char *temporary; /* NULL if the file has no name yet */
};

/* Opens an output for bytes.  Returns false after recording an error; there is nothing to commit or
 * abort then. */
bool output_open(struct output *output, const char *path, struct gfe_error *error);
/* Opens an output for text: characters that command a terminal are shown (emu/base/visible.h). */
bool output_open_text(struct output *output, const char *path, struct gfe_error *error);
/* Does the same for what may hold private data: the file's owner alone may read it (mode 0600),
 * also if it replaces a file that others may read. */
bool output_open_private(struct output *output, const char *path, struct gfe_error *error);
/* Returns false, with an error, if both names lead to one regular file: the input must not be
 * replaced. */
bool output_differs(const char *output_path, const char *input_path, struct gfe_error *error);
/* Completes the file and closes the output, whatever the result.  Returns false if anything could
 * not be written; no file has appeared then. */
bool output_commit(struct output *output, struct gfe_error *error);
/* Drops what was written.  May also be called after output_commit(), and on a zeroed struct. */
void output_abort(struct output *output);
/* Flushes stdout and reports a failure of this or of any earlier write.  For code that prints to
 * stdout without output_open(). */
bool output_flush_stdout(struct gfe_error *error);

#endif
