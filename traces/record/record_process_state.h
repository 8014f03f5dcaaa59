/* SPDX-License-Identifier: MIT */
/*
 * What the files of libgfe-record's process share (record_process.c, record_process_part.c,
 * record_process_pass.c): the state, and the way into the library and out again.
 */
#ifndef GFE_TRACES_RECORD_PROCESS_STATE_H
#define GFE_TRACES_RECORD_PROCESS_STATE_H

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
    unsigned kfd_board_count; /* 0: it is not KFD that is stood in for */
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
    pid_t pid;                   /* of which it is 1: a child of vfork(2) has another */
    _Atomic uint32_t submission; /* the last that this process made; read without the lock */
    struct record_own_fd memory_file, saved_file, part, hold;
    char part_path[PATH_MAX];
    bool ending; /* main has returned: nothing may wait in a buffer */
    struct record_memory *memory;
    struct record_out out; /* its writer is NULL until there is a part file */
    struct record_nouveau *nouveau;
    struct record_kfd *kfd;
    bool kfd_thread;   /* it has been started, in this process */
    uint32_t kfd_work; /* rises when its queues have something new: a futex */
    struct record_kfd_board kfd_real[RECORD_KFD_GPUS_MAX]; /* when there is a real driver */
    pthread_mutex_t kfd_turn;                              /* of calls to it */
    bool gpu_thread;   /* nouveau's GPU is emulated, and the thread that runs it started */
    uint32_t gpu_work; /* rises with each call to it: a futex */
    bool kfd_trapping; /* stores to doorbells come to us */
    struct sigaction kfd_fault_action; /* the program's own for SIGSEGV */
};

/* The one of this process. */
struct record_process_state *record_process_state(void);

/* The mapping that all processes share; NULL when this one is in no recording. */
struct record_shared *record_process_shared(void);
/* CLOCK_MONOTONIC. */
uint64_t record_process_clock_ns(void);
/* Who calls, now. */
struct record_caller record_process_caller(void);

/* What a thread puts aside while it is in the library.  A signal handler that came back here, or a
 * cancellation, would find the lock taken; a system call cannot be interrupted so either. */
struct record_process_guard {
    sigset_t signals;
    int cancel;
};
void record_process_enter(struct record_process_guard *guard);
void record_process_leave(const struct record_process_guard *guard);
/* In between: the lock of all processes is left and taken again, the rest stays aside. */
void record_process_lock(void);
void record_process_unlock(void);

/* Under the lock: all that an answer needs.  `fd` is the program's descriptor of the stand-in's
 * node, or -1. */
bool record_process_ready(int fd, struct gfe_error *error);
/* The part file is there and open, or recording has stopped. */
bool record_process_part_ready(struct gfe_error *error);
/* A file of the recording's directory. */
void record_process_path(char path[PATH_MAX], const char *name);
/* What went wrong is told once, and nobody records any further. */
void record_process_give_up(const char *text);
/* The last submission was made by the calling thread. */
void record_process_submitted(void);

/* ---- record_process_gpu.c: with an emulated GPU behind nouveau ---- */

/* Sleeps; signals do not end it. */
void record_process_nap(uint64_t ns);
/* Under the lock, with all signals blocked: there was a call; the GPU's thread goes on, and is
 * started by the first. */
void record_process_gpu_work(void);

/* ---- record_process_kfd.c ---- */

/* At the start: which files are the nodes. */
void record_process_kfd_nodes(void);
/* Under the lock: this process has a KFD of its own. */
bool record_process_kfd_make(struct gfe_error *error);

/* Under the lock: completion values that have come are recorded; nothing above the stand-in. */
void record_process_kfd_look(const struct record_caller *caller);

/* ---- record_process_pass.c ---- */

/* This process's driver is above the real one: false when memory is short. */
bool record_process_pass_begin(void);
/* ioctl(2) on a descriptor of the real node. */
/* Under the lock: completion values that have come are recorded; nothing above the stand-in. */
void record_process_pass_look(const struct record_caller *caller);
int record_process_pass_ioctl(int fd, unsigned long request, void *argument);

#endif
