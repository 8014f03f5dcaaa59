/* SPDX-License-Identifier: MIT */
/*
 * State and functions that the files of libgfe-record's process share (record_process.c,
 * record_process_part.c, record_process_pass.c): the state, and entering and leaving the library.
 */
#ifndef GFE_TRACES_RECORD_RECORD_PROCESS_STATE_H
#define GFE_TRACES_RECORD_RECORD_PROCESS_STATE_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "traces/record/kfd/record_kfd.h"
#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/record_own_fd.h"
#include "traces/record/record_process.h"
#include "traces/record/record_shared.h"

struct record_process_state {
    pthread_once_t once;
    struct record_real real;
    char directory[PATH_MAX]; /* empty: not under gfe record */
    char tree[PATH_MAX];
    const struct record_board *board;
    const struct record_kfd_board *kfd_boards[RECORD_KFD_GPUS_MAX];
    unsigned kfd_board_count; /* 0: the stand-in does not play KFD */
    struct record_process_node {
        dev_t device;
        ino_t inode;
    } kfd_nodes[1 + RECORD_KFD_GPUS_MAX]; /* KFD's and the render nodes' files in the tree */
    dev_t node_device;                    /* of the memory, which is the node */
    ino_t node_inode;
    bool passing;        /* there is a real driver: */
    dev_t passing_node;  /* its node */
    _Atomic bool is_out; /* this process cannot take part */
    struct record_shared *_Atomic shared;

    /* Under the lock of all processes.  `alive` points to 1 in a page that a forked child finds
     * zeroed, however it was forked; a child of vfork(2) uses its parent's memory and state. */
    _Atomic uint32_t *alive;
    pid_t pid;                   /* the process that set `alive`: a child of vfork(2) has another */
    _Atomic uint32_t submission; /* the last that this process made; read without the lock */
    struct record_own_fd memory_file, saved_file, state_file, part, hold;
    char part_path[PATH_MAX];
    bool ending; /* main has returned: no record may stay in a buffer */
    struct record_memory *memory;
    struct record_out out; /* its writer is NULL until there is a part file */
    bool failure_told;     /* that `out` failed */
    struct record_nouveau *nouveau;
    struct record_kfd *kfd;
    bool kfd_thread;   /* it has been started, in this process */
    uint32_t kfd_work; /* a futex that rises when its queues have new work */
    struct record_kfd_board kfd_real[RECORD_KFD_GPUS_MAX]; /* when there is a real driver */
    pthread_mutex_t kfd_turn;                              /* of calls to it */
    bool gpu_thread;   /* nouveau's GPU is emulated, and the thread that runs it started */
    uint32_t gpu_work; /* a futex that rises with each call to it */
    bool kfd_trapping; /* the library catches stores to doorbells */
    struct sigaction kfd_fault_action; /* the program's own for SIGSEGV */
};

/* Returns the state of this process. */
struct record_process_state *record_process_state(void);

/* Returns the mapping that all processes share; NULL if this process is in no recording. */
struct record_shared *record_process_shared(void);
/* Returns CLOCK_MONOTONIC in ns. */
uint64_t record_process_clock_ns(void);
/* Returns the calling thread and the present time. */
struct record_caller record_process_caller(void);

/* The signals and the cancellation that a thread defers while it is in the library.  A signal
 * handler that entered the library again, or a cancellation, would find the lock taken.  It also
 * keeps system calls from being interrupted. */
struct record_process_guard {
    sigset_t signals;
    int cancel;
};
void record_process_enter(struct record_process_guard *guard);
void record_process_leave(const struct record_process_guard *guard);
/* Take and leave the lock of all processes in between; signals and cancellation stay deferred. */
void record_process_lock(void);
void record_process_unlock(void);

/* Prepares all that an answer needs.  `fd` is the program's descriptor of the stand-in's node, or
 * -1. Returns false with a message on error.  Called under the lock. */
bool record_process_ready(int fd, struct gfe_error *error);
/* Makes sure that the part file exists and is open, or that recording has stopped.  Returns false
 * with a message on error. */
bool record_process_part_ready(struct gfe_error *error);
/* Writes the path of a file of the recording's directory. */
void record_process_path(char path[PATH_MAX], const char *name);
/* Reports an error once, and stops recording. */
void record_process_give_up(const char *text);
/* Notes that the calling thread made the last submission. */
void record_process_submitted(void);

/* ---- record_process_gpu.c: nouveau with an emulated GPU ---- */

/* Sleeps; signals do not end the sleep. */
void record_process_nap(uint64_t ns);
/* Wakes the GPU's thread after a call, and starts it at the first call.  Called under the lock,
 * with all signals blocked. */
void record_process_gpu_work(void);

/* ---- record_process_kfd.c ---- */

/* Finds the files that are the nodes, at the start. */
void record_process_kfd_nodes(void);
/* Makes this process's KFD.  Returns false with a message on error.  Called under the lock. */
bool record_process_kfd_make(struct gfe_error *error);

/* Records completion values that have come.  Does nothing above the stand-in.  Called under the
 * lock.
 */
void record_process_kfd_look(const struct record_caller *caller);

/* ---- record_process_pass.c ---- */

/* Puts this process's driver above the real one.  Returns false if memory is short. */
bool record_process_pass_begin(void);
/* Records completion values that have come.  Does nothing above the stand-in.  Called under the
 * lock.
 */
void record_process_pass_look(const struct record_caller *caller);
/* Carries out ioctl(2) on a descriptor of the real node. */
int record_process_pass_ioctl(int fd, unsigned long request, void *argument);

#endif
