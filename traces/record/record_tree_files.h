/* SPDX-License-Identifier: MIT */
/*
 * Makes the files of a tree (record_tree.c, record_kfd_tree.c).  After the first failure, which is
 * reported, no more files are made.
 */
#ifndef GFE_TRACES_RECORD_RECORD_TREE_FILES_H
#define GFE_TRACES_RECORD_RECORD_TREE_FILES_H

#include "traces/record/record_tree.h"

enum { RECORD_TREE_FILE_BYTES = 2048 };

struct record_tree {
    int root_fd;
    const char *root;
    struct gfe_error *error;
    bool failed;
};

/* Begins a tree.  Returns false with a message on error.  Otherwise the caller ends the tree with
 * record_tree_done(), which returns false if a failure was reported. */
bool record_tree_begin(struct record_tree *tree, const char *root, struct gfe_error *error);
bool record_tree_done(struct record_tree *tree);

/* Makes the directories on the way to `path`, and `path` itself if it ends with a slash. */
void record_tree_directories(struct record_tree *tree, const char *path);
/* Makes a new file of at most RECORD_TREE_FILE_BYTES - 1 bytes. */
void record_tree_file(struct record_tree *tree, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void record_tree_link(struct record_tree *tree, const char *path, const char *to);

#endif
