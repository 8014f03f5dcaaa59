/* SPDX-License-Identifier: MIT */
/*
 * libgfe-record: the library that `gfe record` preloads into the program (LD_PRELOAD).
 *
 * It takes the place of the nouveau kernel driver.  Paths of the device node and its sysfs files
 * lead to a tree made by `gfe record` (record_tree.h).  The opened node is a memfd
 * (record_memory.h), and record_nouveau.h answers ioctls on it.  With `--passthrough` the node
 * and its driver are the real ones, and ioctls on it are recorded by record_pass.h.  All other
 * calls go on to the next library.  It writes to no descriptor of the program.
 *
 * With one of AMD's GPUs it takes the place of KFD and amdgpu instead (record_kfd.h,
 * record_kfd_tree.h).  The nodes are then empty files of the tree, and mappings of them are
 * mappings of a memfd of the process.  From the first mapping of doorbells on the library has a
 * handler for SIGSEGV, which passes other faults on to the program's own.  With the first queue it
 * has a thread. Without doorbells and queues it installs no handler and makes no thread.
 *
 * Every process that uses the node records, each into a part of its own (record_process.h).  They
 * share the state of the device (record_shared.h).
 */
#ifndef GFE_TRACES_RECORD_RECORD_PRELOAD_H
#define GFE_TRACES_RECORD_RECORD_PRELOAD_H

/* Environment variables, set by `gfe record`.  A second recorder that plays the real driver below
 * the tested one (RECORD_UNDER) has names of its own. */
#ifdef RECORD_UNDER
#define RECORD_ENV "GFE_UNDER_"
#else
#define RECORD_ENV "GFE_RECORD_"
#endif
#define RECORD_ENV_DIRECTORY RECORD_ENV "DIRECTORY"
#define RECORD_ENV_GPU       RECORD_ENV "GPU"
#define RECORD_ENV_NODE      RECORD_ENV "NODE" /* device:inode of the memory, which is the node */
#define RECORD_ENV_PASSING   RECORD_ENV "PASSING" /* major:minor of a real node; no GPU, NODE */
#define RECORD_ENV_COMMAND   RECORD_ENV "COMMAND" /* only if the trace has the command line */
#define RECORD_ENV_BREAK     RECORD_ENV "BREAK"   /* only with RECORD_BROKEN */

/* Names in the recording's directory. */
#define RECORD_NAME_LOCK    "lock" /* flock: exclusive for --recover and --clean, shared for users */
#define RECORD_NAME_TREE    "tree"    /* record_tree.h */
#define RECORD_NAME_STATE   "state-"  /* and a pid: record_state_file.h */
#define RECORD_NAME_NEW     "new.gft" /* a part that is being made */
#define RECORD_NAME_PROBLEM "problem" /* why recording stopped, in words */

/* The part of the trace that one process wrote, without END; numbered as they were made. */
#define RECORD_PART_FORMAT  "part-%06u.gft"
#define RECORD_PART_PATTERN "part-*.gft"
enum { RECORD_PART_NAME_BYTES = 32 };

#define RECORD_EXPORT __attribute__((visibility("default")))

#endif
