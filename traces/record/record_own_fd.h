/* SPDX-License-Identifier: MIT */
/*
 * File descriptors of libgfe-record's own in a program that does not know of them.  They have high
 * numbers and are identified by device and inode, because the program may close them and reuse
 * their numbers.
 */
#ifndef GFE_TRACES_RECORD_RECORD_OWN_FD_H
#define GFE_TRACES_RECORD_RECORD_OWN_FD_H

#include <stdbool.h>
#include <sys/types.h>

struct record_own_fd {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};

/* Takes over a descriptor and moves it to a number that the program is unlikely to use.  It keeps
 * its number if there is no room.  Returns false if `fd` is not open. */
bool record_own_fd_take(struct record_own_fd *own, int fd);
/* Returns true if the number still stands for the same file. */
bool record_own_fd_good(const struct record_own_fd *own);

#endif
