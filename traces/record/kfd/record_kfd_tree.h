/* SPDX-License-Identifier: MIT */
/*
 * The files in which AMD's user-mode drivers find the GPUs: /dev/kfd, the render nodes, KFD's
 * topology, the module's.  They are made under a directory of the recording; the preloaded library
 * redirects paths to it.
 *
 * Node 0 of the topology is the CPU with the host's count of processors, nodes 1 to n are the GPUs.
 * The files of the device nodes are empty files of the recording.  A descriptor of one is known by
 * device and inode, so dup(2), fork(2), exec(2) and SCM_RIGHTS need no help.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_TREE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/error.h"
#include "traces/record/kfd/record_kfd_board.h"

#define RECORD_KFD_NODE "/dev/kfd"
enum { RECORD_KFD_MAJOR = 235, RECORD_KFD_RENDER_MINOR = 128 }; /* the major is dynamic: ASSUMED */

/* Makes the files in `root`, which exists and is empty.  Returns false with a message on error. */
bool record_kfd_tree_make(const char *root, const struct record_kfd_board *const *boards,
                          unsigned board_count, struct gfe_error *error);
/* Returns true if the path (absolute, as the program wrote it) belongs to the tree. */
bool record_kfd_tree_has(const char *path);
/* Writes the path of a node in the tree.  `index` 0 is KFD's node, n the render node of the n-th
 * GPU.
 */
void record_kfd_tree_node(char *path, size_t bytes, unsigned index);

#endif
