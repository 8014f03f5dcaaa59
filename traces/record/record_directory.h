/* SPDX-License-Identifier: MIT */
/*
 * The directory of one recording, under $TMPDIR or /tmp: gfe-record-XXXXXX, with a lock file that
 * `gfe record` and the recorded process hold (shared) as long as they live.  A directory that
 * nobody holds was left behind by a `gfe record` that was killed.
 */
#ifndef GFE_TRACES_RECORD_DIRECTORY_H
#define GFE_TRACES_RECORD_DIRECTORY_H

#include <stdbool.h>

#include "emu/base/error.h"

struct record_directory {
    char *path;  /* absolute, links resolved; NULL: there is none */
    int lock_fd; /* -1: not held */
};

/* Makes a new one and holds it. */
bool record_directory_make(struct record_directory *directory, struct gfe_error *error);
/* Takes over one that was left behind; refuses one that is in use, and what is none. */
bool record_directory_take(struct record_directory *directory, const char *path,
                           struct gfe_error *error);
/* Deletes it with all that is in it, and lets go.  Both may be called again. */
void record_directory_remove(struct record_directory *directory);
/* True when nobody else holds it: no process records there any more. */
bool record_directory_alone(const struct record_directory *directory);
/* Lets go; the directory stays. */
void record_directory_leave(struct record_directory *directory);

/* Deletes what was left behind by this user; `told` is called with each path. */
void record_directory_sweep(void (*told)(const char *path));

/* Allocated "path/name"; NULL when memory is short. */
char *record_directory_file(const struct record_directory *directory, const char *name);

#endif
