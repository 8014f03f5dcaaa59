/* SPDX-License-Identifier: MIT */
/*
 * libgfe-record: what `gfe record` preloads into the program (LD_PRELOAD).
 *
 * It takes the place of the nouveau kernel driver: paths of the device node and its sysfs files
 * lead to a tree made by `gfe record` (record_tree.h), the opened node is a memfd
 * (record_memory.h), ioctls on it are answered by record_nouveau.h.  All other calls go on to the
 * next library.  It writes to no descriptor of the program and installs no signal handler.
 *
 * The first process that opens the node records; it claims the recording with a file.  In all
 * others (children inherit the preloaded library, and a forked child the descriptors) every call
 * passes through.
 */
#ifndef GFE_TRACES_RECORD_PRELOAD_H
#define GFE_TRACES_RECORD_PRELOAD_H

/* Environment, set by `gfe record`. */
#define RECORD_ENV_DIRECTORY "GFE_RECORD_DIRECTORY"
#define RECORD_ENV_GPU       "GFE_RECORD_GPU"
#define RECORD_ENV_BREAK     "GFE_RECORD_BREAK" /* only with RECORD_BROKEN */

/* Names in the recording's directory. */
#define RECORD_NAME_LOCK    "lock"     /* flock: exclusive for the sweeper, shared for users */
#define RECORD_NAME_TREE    "tree"     /* record_tree.h */
#define RECORD_NAME_CLAIM   "claim"    /* made by the process that records */
#define RECORD_NAME_PART    "part.gft" /* the trace, without END */
#define RECORD_NAME_PROBLEM "problem"  /* why recording stopped, in words */

#define RECORD_EXPORT __attribute__((visibility("default")))

#endif
