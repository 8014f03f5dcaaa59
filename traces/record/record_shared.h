/* SPDX-License-Identifier: MIT */
/*
 * The state that all processes of a recording share: a file in memory that each maps
 * (record_state_file.h).  It holds the lock, the number of the next record of the whole recording,
 * the processes, and the tables of the stand-in (record_memory.h, record_nouveau.h).
 *
 * The lock is robust: if its holder dies, the next process that takes it learns of that, and
 * repairs tables that may be half changed.  The GPU's memory is two files without a name
 * (record_memory.h); `gfe record` makes them and holds them open.  A process gets them through
 * /proc/PID/fd of gfe record or of any other process in the list.
 */
#ifndef GFE_TRACES_RECORD_RECORD_SHARED_H
#define GFE_TRACES_RECORD_RECORD_SHARED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "traces/record/kfd/record_kfd.h"
#include "traces/record/kfd/record_kfd_pass.h"
#include "traces/record/record_memory.h"
#include "traces/record/nouveau/record_pass.h"

enum { RECORD_SHARED_PROCESSES_MAX = 4096, RECORD_SHARED_PROBLEM_BYTES = 500 };

/* A process that can give the memory's files; entry 0 is gfe record. */
struct record_shared_process {
    int32_t pid;     /* 0: no entry */
    uint32_t number; /* in the trace: the pid, unless the pid was another process's before */
    uint64_t start;  /* clock ticks since boot: distinguishes processes that reuse a pid */
    struct record_memory_files files;
};

struct record_shared {
    uint64_t magic; /* RECORD_SHARED_MAGIC, stored last when it is made */
    uint64_t bytes;
    pthread_mutex_t lock;
    uint64_t directory_device, directory_inode; /* of the recording's directory */
    uint64_t memory_device, memory_inode, saved_device, saved_inode;
    uint64_t start_ns; /* CLOCK_MONOTONIC */
    uint64_t sequence; /* of the next record */
    uint32_t part_count;
    uint32_t repair_due;          /* a process died with the lock: the tables are to be repaired */
    _Atomic uint32_t prime_count; /* PRIME descriptors ever made */
    _Atomic uint32_t opened;      /* 1: a process has opened a node of a GPU of AMD's */
    _Atomic uint32_t over;        /* 1: the recording is over, nothing more is recorded */
    char problem[RECORD_SHARED_PROBLEM_BYTES]; /* why recording stopped; the first reason stays */
    struct record_kfd_numbers kfd;
    struct record_pass_device device; /* the real device, if there is one */
    struct record_kfd_device kfd_device;
    uint32_t process_count, pid_reuse_count;
    struct record_shared_process processes[RECORD_SHARED_PROCESSES_MAX];
    struct record_memory_table memory;
    /* The driver's table, of record_nouveau_table_bytes(), follows at record_shared_driver(). */
};

/* Makes the state and the memory of a new recording, and enters this process.  `directory` is the
 * recording's.  Returns NULL with a message on error.  The caller keeps `files` open as long as
 * processes are to find them. */
struct record_shared *record_shared_make(const char *directory, struct record_memory_files *files,
                                         struct gfe_error *error);
/* Maps the state of the recording in that directory.  The caller gets the descriptor if `state_fd`
 * is not NULL.  Returns NULL if there is no such directory; returns NULL with a message if no
 * process that has the state can be reached, or only one of another version. */
struct record_shared *record_shared_open(const char *directory, int *state_fd,
                                         struct gfe_error *error);
void record_shared_close(struct record_shared *shared);
/* Returns the driver's table. */
void *record_shared_driver(struct record_shared *shared);

/* Takes the lock.  Returns true if its last holder died with it; the caller then repairs the
 * tables.
 */
bool record_shared_lock(struct record_shared *shared);
void record_shared_unlock(struct record_shared *shared);

/* ---- under the lock -------------------------------------------------------------------------- */

/* Opens the memory's files; exec(2) closes the descriptors.  Returns false with a message if no
 * process of the list can be reached. */
bool record_shared_files_open(const struct record_shared *shared, struct record_memory_files *files,
                              struct gfe_error *error);
/* Enters this process, or finds its entry (after exec(2), and updates its open files).  Returns its
 * number in the trace. */
uint32_t record_shared_enter(struct record_shared *shared, const struct record_memory_files *files);

/* Returns the entry of a process that has that pid and started at that time; for tests. */
struct record_shared_process *record_shared_entry(struct record_shared *shared, int32_t pid,
                                                  uint64_t start);

#endif
