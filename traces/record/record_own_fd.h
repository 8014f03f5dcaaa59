/* SPDX-License-Identifier: MIT */
/*
 * File descriptors that libgfe-record has for itself in a program that does not know of them: at
 * high numbers, and known by what they are of, because the program may close them and use their
 * numbers.
 */
#ifndef GFE_TRACES_RECORD_OWN_FD_H
#define GFE_TRACES_RECORD_OWN_FD_H

#include <stdbool.h>
#include <sys/types.h>

struct record_own_fd {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};

/* Takes over a descriptor and moves it out of the way of the program's; keeps its number if there
 * is no room.  False when it is none (-1). */
bool record_own_fd_take(struct record_own_fd *own, int fd);
/* Is it still what it was? */
bool record_own_fd_good(const struct record_own_fd *own);

#endif
