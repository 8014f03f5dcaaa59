/* SPDX-License-Identifier: MIT */
/*
 * The files in which a user-mode driver finds the GPU: the device node and its place in sysfs. They
 * are made under a directory of the recording; the preloaded library redirects paths to it.
 *
 * The GPU is at PCI address 0000:01:00.0 and has the render node 226:128.  It has no card node, so
 * a program that wants to show pictures on a screen finds none.
 */
#ifndef GFE_TRACES_RECORD_RECORD_TREE_H
#define GFE_TRACES_RECORD_RECORD_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/error.h"

struct record_board;

#define RECORD_TREE_NODE "/dev/dri/renderD128"
enum { RECORD_TREE_MAJOR = 226, RECORD_TREE_MINOR = 128 };

/* Makes the files in `root`, which exists and is empty.  Returns false with a message on error. */
bool record_tree_make(const char *root, const struct record_board *board, struct gfe_error *error);

/* Returns true if the path (absolute, as the program wrote it) belongs to the tree. */
bool record_tree_has(const char *path);
/* Returns true if one of the prefixes is the path or a directory above it.  NULL ends the list.  A
 * prefix that ends in ':' may be the beginning of a name. */
bool record_tree_path_begins(const char *path, const char *const *prefixes);

/* Deletes a directory and everything in it, following no links.  Goes on after an error; returns
 * false if a file is left. */
bool record_tree_remove(const char *directory);

#endif
