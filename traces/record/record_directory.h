/* SPDX-License-Identifier: MIT */
/*
 * The directory of one recording, under $TMPDIR or /tmp: gfe-record-XXXXXX.  `gfe record` and the
 * recorded process hold its lock file (shared) as long as they live.  A directory that no process
 * holds is the remains of a `gfe record` that was killed.
 */
#ifndef GFE_TRACES_RECORD_RECORD_DIRECTORY_H
#define GFE_TRACES_RECORD_RECORD_DIRECTORY_H

#include <stdbool.h>

#include "emu/base/error.h"

struct record_directory {
    char *path;  /* absolute, links resolved; NULL: there is none */
    int lock_fd; /* -1: not held */
};

/* Makes a new directory and holds it.  Returns false with a message on error. */
bool record_directory_make(struct record_directory *directory, struct gfe_error *error);
/* Takes over a directory that a killed `gfe record` left.  Returns false with a message if it is in
 * use, or is not a directory of a recording. */
bool record_directory_take(struct record_directory *directory, const char *path,
                           struct gfe_error *error);
/* Deletes the directory with all its contents, and releases it.  May be called again. */
void record_directory_remove(struct record_directory *directory);
/* Finds a held directory again that was given another name meanwhile.  Returns false if it was
 * deleted. */
bool record_directory_follow(struct record_directory *directory);
/* Returns true if no other process holds the directory, so that none records there any longer. */
bool record_directory_alone(const struct record_directory *directory);
/* Releases the directory, which stays. */
void record_directory_leave(struct record_directory *directory);

/* Deletes the directories that killed recordings of this user left, in $TMPDIR or /tmp, and no
 * others.  Calls `told` with each path. */
void record_directory_clean(void (*told)(void *context, const char *path, bool removed),
                            void *context);
/* Returns how many such directories there are.  The caller frees *first, the path of one of them;
 * NULL if there is none. */
unsigned record_directory_left(char **first);

/* Returns "path/name", which the caller frees; NULL if memory is short. */
char *record_directory_file(const struct record_directory *directory, const char *name);

#endif
