/* SPDX-License-Identifier: MIT */
/*
 * The state of libgfe-record in a process: its part of the trace, its descriptors, and the
 * functions of the next libraries.  Interposed functions have no argument that could carry it, so
 * it is the one mutable state with static storage in the project.
 *
 * The library's own descriptors are moved to high numbers, are checked before each use, and are
 * opened again when the program has closed them.  While a thread is in the library its signals and
 * its cancellation wait.  A forked child begins a part of its own with its first call.
 *
 * Above a real driver (record_pass.h) the node is the real one, and calls go on to it.
 */
#ifndef GFE_TRACES_RECORD_RECORD_PROCESS_H
#define GFE_TRACES_RECORD_RECORD_PROCESS_H

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* The next library's functions. */
struct record_real {
    int (*openat)(int, const char *, int, ...);
    int (*fstatat)(int, const char *, struct stat *, int);
    int (*fstat)(int, struct stat *);
    int (*statx)(int, const char *, int, unsigned, struct statx *);
    int (*ioctl)(int, unsigned long, ...);
    int (*faccessat)(int, const char *, int, int);
    int (*access)(const char *, int);
    ssize_t (*readlink)(const char *, char *, size_t);
    char *(*realpath)(const char *, char *);
    FILE *(*fopen)(const char *, const char *);
    FILE *(*fopen64)(const char *, const char *);
    DIR *(*opendir)(const char *);
    off_t (*lseek)(int, off_t, int);
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    void (*_exit)(int);
};

/* Returns the next library's functions, never NULL.  A member is NULL if the C library has no such
 * function. */
const struct record_real *record_process_real(void);

/* Returns true if this process is in a recording and so sees the stand-in. */
bool record_process_standing_in(void);
/* Returns true if there is a real driver, to which calls go on. */
bool record_process_passing(void);
/* Returns true if this process has a part in the trace. */
bool record_process_recording(void);
/* Returns true while the calling thread is in the library, so that its calls must pass unchanged.
 */
bool record_process_inside(void);
/* Returns the path of the tree's files; "" if the process does not run under gfe record. */
const char *record_process_tree(void);

/* Returns true if a path of the program's belongs to the tree. */
bool record_process_tree_has(const char *path);

/* Carries out open(2) of the node. */
int record_process_open(int flags);
/* Returns true for the status of a descriptor of the node, however this process got it. */
bool record_process_status_is_node(const struct stat *status);
/* Carries out ioctl(2) of a DRM request on `fd`, a descriptor of the node. */
int record_process_ioctl(int fd, unsigned long request, uint64_t argument);
/* Returns true for the status of a descriptor that stands for a buffer object (PRIME).  *fd is then
 * the memory's file, which is the library's, and *offset where the object begins there. */
bool record_process_prime(const struct stat *status, int *fd, uint64_t *offset);

/* Finds the device number that stat(2) is to report for a node of the stand-in's, by the status of
 * the node's file.  Returns false for any other file. */
bool record_process_node_number(const struct stat *status, dev_t *number);

/* Returns true if the stand-in plays KFD and amdgpu, not nouveau. */
bool record_process_is_kfd(void);
/* Notes that this process opened one of the stand-in's files. */
void record_process_kfd_opened(int fd);
/* Carries out ioctl(2) on a descriptor.  Returns false, and leaves *result unset, if it is neither
 * of KFD's node nor of a render node. */
bool record_process_kfd_ioctl(int fd, unsigned long request, uint64_t argument, int *result);
/* Carries out mmap(2) above a real driver. */
void *record_process_kfd_pass_map(void *at, size_t bytes, int protection, int flags, int fd,
                                  off_t offset);
/* Carries out mmap(2) of a descriptor with that status.  Returns false, and leaves *mapped unset,
 * if it is of no such node. */
bool record_process_kfd_map(const struct stat *status, void *at, size_t bytes, int protection,
                            int flags, off_t offset, void **mapped);

/* Notes that the program mapped a part of a descriptor above a real driver.  Does nothing if the
 * descriptor is neither the node's nor a dma-buf. */
void record_process_mapped(int fd, off_t offset, size_t bytes);

/* Writes all records into the file, now and from here on, because the process ends or may end. */
void record_process_end(void);

/* A wait of the program in a library call. */
struct record_process_wait {
    uint64_t begin_ns;
    uint32_t submission_id;
};

/* Begins a wait.  Returns false if this process does not record; then there is nothing to end. */
bool record_process_wait_begin(struct record_process_wait *wait);
void record_process_wait_end(const struct record_process_wait *wait, const char *call);

#endif
