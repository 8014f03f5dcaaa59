/* SPDX-License-Identifier: MIT */
/*
 * The files that AMD's user-mode drivers look at to find the GPUs: /dev/kfd, the render nodes,
 * KFD's topology, the module's, made under a directory of ours; the preloaded library sends paths
 * there.
 *
 * Node 0 of the topology is the CPU with the host's count of processors, nodes 1 to n are the GPUs.
 * The nodes' files are empty and ours: a descriptor of one is known by device and inode, so that
 * dup(2), fork(2), exec(2) and SCM_RIGHTS need no help.
 */
#ifndef GFE_TRACES_RECORD_KFD_TREE_H
#define GFE_TRACES_RECORD_KFD_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/error.h"
#include "traces/record/kfd/record_kfd_board.h"

#define RECORD_KFD_NODE "/dev/kfd"
enum { RECORD_KFD_MAJOR = 235, RECORD_KFD_RENDER_MINOR = 128 }; /* the major is dynamic: ASSUMED */

/* Makes the files in `root`, which exists and is empty. */
bool record_kfd_tree_make(const char *root, const struct record_kfd_board *const *boards,
                          unsigned board_count, struct gfe_error *error);
/* True when the path (absolute, as the program wrote it) belongs to the tree. */
bool record_kfd_tree_has(const char *path);
/* Path of a node in the tree: `index` 0 is KFD's, n the render node of the n-th GPU. */
void record_kfd_tree_node(char *path, size_t bytes, unsigned index);

#endif
