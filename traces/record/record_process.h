/* SPDX-License-Identifier: MIT */
/*
 * The state of libgfe-record in a process: its part of the trace, its descriptors, and the
 * functions of the libraries behind.  Interposed functions have no argument that could carry it, so
 * it is the one mutable state with static storage in the project.
 *
 * The library's own descriptors are moved to high numbers, are checked before each use, and are
 * opened again when the program has closed them.  While a thread is in the library its signals and
 * its cancellation wait.  A forked child begins a part of its own with its first call.
 *
 * Above a real driver (record_pass.h) the node is the real one, and calls go on to it.
 */
#ifndef GFE_TRACES_RECORD_PROCESS_H
#define GFE_TRACES_RECORD_PROCESS_H

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

/* Never NULL; a member is NULL when the C library has no such function. */
const struct record_real *record_process_real(void);

/* True when this process is in a recording and so sees the stand-in. */
bool record_process_standing_in(void);
/* True when there is a real driver, to which calls go on. */
bool record_process_passing(void);
/* True when this process has a part in the trace. */
bool record_process_recording(void);
/* True while the calling thread is in the library: its calls are to pass. */
bool record_process_inside(void);
/* Where the files of the tree are; "" when not under gfe record. */
const char *record_process_tree(void);

/* True when a path of the program's belongs to the tree. */
bool record_process_tree_has(const char *path);

/* open(2) of the node. */
int record_process_open(int flags);
/* True for the status of a descriptor of the node, wherever this process has it from. */
bool record_process_status_is_node(const struct stat *status);
/* ioctl(2) of a DRM request on `fd`, a descriptor of the node. */
int record_process_ioctl(int fd, unsigned long request, uint64_t argument);
/* True for the status of a descriptor that stands for a buffer object (PRIME); then *fd is the
 * memory's file, which is the library's, and *offset where the object begins there. */
bool record_process_prime(const struct stat *status, int *fd, uint64_t *offset);

/* The device number that stat(2) is to tell for a node of the stand-in's, by what it says of its
 * file.  False for any other file. */
bool record_process_node_number(const struct stat *status, dev_t *number);

/* True when KFD and amdgpu are stood in for, not nouveau. */
bool record_process_is_kfd(void);
/* ioctl(2) on a descriptor; false when it is not of KFD's or a render node: `result` is then not
 * set. */
/* This process opened one of the stand-in's files. */
void record_process_kfd_opened(int fd);
bool record_process_kfd_ioctl(int fd, unsigned long request, uint64_t argument, int *result);
/* mmap(2) of a descriptor with such a status, likewise. */
/* mmap(2) above a real driver. */
void *record_process_kfd_pass_map(void *at, size_t bytes, int protection, int flags, int fd,
                                  off_t offset);
bool record_process_kfd_map(const struct stat *status, void *at, size_t bytes, int protection,
                            int flags, off_t offset, void **mapped);

/* The program mapped a part of a descriptor above a real driver; nothing when that is neither the
 * node's nor a dma-buf. */
void record_process_mapped(int fd, off_t offset, size_t bytes);

/* The process ends, or may: all that it recorded goes into the file, now and from here on. */
void record_process_end(void);

/* A wait in a library call. */
struct record_process_wait {
    uint64_t begin_ns;
    uint32_t submission_id;
};

/* False when this process does not record: then there is nothing to end. */
bool record_process_wait_begin(struct record_process_wait *wait);
void record_process_wait_end(const struct record_process_wait *wait, const char *call);

#endif
