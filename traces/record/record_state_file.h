/* SPDX-License-Identifier: MIT */
/*
 * The file of the state that all processes of a recording map (record_shared.h): memory without a
 * name (memfd), never a file of $TMPDIR.  There a file with holes would make a full disk a SIGBUS
 * in the recorded program.
 *
 * Each process that has the file open leaves a link "state-PID" to /proc/PID/fd/N in the
 * recording's directory.  So a new process reaches the file as long as gfe record, or any process
 * that records, is there.  A pid may be another process's by now: the opener looks at what it got.
 */
#ifndef GFE_TRACES_RECORD_RECORD_STATE_FILE_H
#define GFE_TRACES_RECORD_RECORD_STATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Makes the file, of zeros.  Its size cannot be changed.  Returns its descriptor, or -1 and errno.
 */
int record_state_file_make(size_t bytes);
/* Leaves a link to this process's descriptor in the directory, in place of an earlier one.  Returns
 * false and errno on error. */
bool record_state_file_link(const char *directory, int fd);

/* The links of a directory, one after the other. */
struct record_state_links {
    const char *directory;
    int folder_fd;
    ssize_t bytes, at; /* of `entries` */
    _Alignas(8) char entries[2048];
};
/* Begins with the first link.  Returns false and errno if there is no such directory.  The caller
 * ends with record_state_links_end(). */
bool record_state_links_begin(struct record_state_links *links, const char *directory);
/* Opens what the next link leads to, a regular file of `bytes` bytes.  Links that lead to anything
 * else are skipped.  Returns the descriptor, which is the caller's; -1 at the end. */
int record_state_links_open(struct record_state_links *links, size_t bytes);
void record_state_links_end(struct record_state_links *links);

#endif
