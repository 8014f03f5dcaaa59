/* SPDX-License-Identifier: MIT */
/*
 * Files that are opened for reading before a process gives up the right to open any.
 *
 * A command behind the sandbox (emu/program/sandbox.h) opens the files of its command line first,
 * and keeps them at descriptors from OPENED_FIRST on.  From then on the kernel refuses open(), and
 * who reads a path gets a copy of the kept descriptor, which is found by the file's device and
 * inode: no table is needed.  Copies share one file offset, so regular files are read by offsets of
 * the reader's own (pread, input_at).
 */
#ifndef GFE_EMU_BASE_OPENED_H
#define GFE_EMU_BASE_OPENED_H

#include <stdbool.h>

enum {
    OPENED_FIRST = 64, /* descriptor of the first file that is kept */
    OPENED_MOST = 256, /* files */
};

/* Opens the file and keeps it, if it can be read.  Call it while no other descriptor from
 * OPENED_FIRST on is open.  Returns false if there are too many: open() must stay allowed then. */
bool opened_keep(const char *path);

/* Opens a file for reading, close-on-exec; one that is kept, if the kernel refuses (EPERM). Returns
 * the descriptor, which the caller closes; -1 on error, with errno. */
int opened_read(const char *path);

/* Like opened_read(), but does not wait for the writer of a pipe. */
int opened_read_now(const char *path);

/* Returns a copy of the descriptor that is kept for the file at `path`, or that /proc/self/fd/N
 * names; -1 if there is none, with errno: what open() would have said, as far as stat() and
 * access() tell. */
int opened_find(const char *path);

#endif
