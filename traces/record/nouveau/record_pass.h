/* SPDX-License-Identifier: MIT */
/*
 * Recording above a real nouveau kernel driver (`gfe record --passthrough`): calls go on to it, and
 * what they did goes into the trace.  Nothing is answered here.
 *
 * Each call is looked at twice: before it goes down (what must be known then: which memory the CPU
 * changed, which objects are meant) and when it has succeeded.  The lock of all processes is not
 * held in between, so a wait keeps nobody from working; submissions of one open file go down one
 * after the other, as the kernel takes them, so that the trace has their order.  A call that fails
 * leaves at most records of changed memory, which the next submission would have brought.
 *
 * An open file is known by a mark: a shared lock on one byte far behind everything, which belongs
 * to the file description and so follows dup(2), fork(2), exec(2) and SCM_RIGHTS, and ends with
 * it.  /proc/thread-self/fdinfo tells which mark a descriptor has, and a conflicting lock whether a
 * mark is still there.  Descriptors of synchronisation objects are marked likewise.  dma-bufs are
 * known by their inode.
 *
 * Addresses, placement and map_handle are the real driver's; with VM_BIND, the client's.  Compared
 * with saved copies are objects that a program has mapped, through mappings of the library's own
 * that are read by system calls, since a page may fail.  The contents at the first mapping are
 * taken as known: they are nobody's writing, and perhaps another program's secret.
 *
 * What the GPU wrote: completion values that the submissions' methods name (record_walk.h) are
 * looked for in mapped memory whenever a call comes by, and recorded as GPU_WRITE when they are
 * there; such words are never told as the CPU's.  A value that was overwritten before anybody
 * looked is not recorded.  Anything else that the GPU writes into mapped memory cannot be told from
 * a write of the CPU and is recorded as MEM with the next submission.
 *
 * Not recorded: other nodes than the one that was found (the card node), legacy notifiers'
 * contents, objects that the library cannot map, methods in memory that no program has mapped (the
 * submission is, with a MARK).
 */
#ifndef GFE_TRACES_RECORD_PASS_H
#define GFE_TRACES_RECORD_PASS_H

#include <pthread.h>

#include "traces/record/nouveau/record_nouveau.h"

/* What gfe record found of the real driver; in the memory that all processes share. */
struct record_pass_device {
    uint32_t is_used; /* 0: there is the stand-in instead */
    uint32_t major, minor;
    uint32_t chipset; /* as nouveau numbers it */
    uint32_t pci_vendor, pci_device;
    uint64_t vram_bytes;
    char gpu[32];    /* gfe's name of the GPU, "" when it has none */
    char driver[64]; /* name and version */
    char path[32];   /* of the node */
};

/* The functions that the calls go on to. */
struct record_pass_next {
    void *context;
    /* 0, or a negative errno. */
    int (*ioctl)(void *context, int fd, unsigned long request, void *argument);
    /* A shared mapping for reading and writing, or NULL. */
    void *(*map)(void *context, int fd, uint64_t offset, uint64_t bytes);
};

/* What a process knows of the real driver: from here on `nouveau`, which is new and has no file, is
 * above it.  Borrows the device, copies `next`.  False when memory is short. */
bool record_pass_begin(struct record_nouveau *nouveau, const struct record_pass_device *device,
                       const struct record_pass_next *next);

/* In a process that was forked: what its parent had mapped and looks for is the parent's. */
void record_pass_forked(struct record_nouveau *nouveau);

/* One call on its way: what was known before it went down. */
enum { RECORD_PASS_ARGUMENT_BYTES = 256 };
struct record_pass_call {
    int fd;
    unsigned long request;
    uint64_t argument;                                             /* the caller's */
    uint64_t words[RECORD_PASS_ARGUMENT_BYTES / sizeof(uint64_t)]; /* of the argument */
    uint64_t begin_ns;
    uint32_t file; /* serial */
    uint32_t submission_id, number;
    bool is_looked_at; /* there is something to record */
    void *lists;       /* of a submission, freed by record_pass_after() */
};

/* True when calls with this request must go down in the order of their records. */
bool record_pass_is_ordered(unsigned long request);
/* The mutex that such calls on `fd` hold from before record_pass_before() until after
 * record_pass_after(); shared by processes and robust.  NULL when there are too many files. */
pthread_mutex_t *record_pass_order(struct record_nouveau *nouveau,
                                   const struct record_caller *caller, int fd);
/* Around the real call; `call` has fd, request and argument set and the rest zero.  `result` is the
 * real driver's: not negative, or a negative errno. */
void record_pass_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                        struct record_pass_call *call);
void record_pass_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_pass_call *call, int result);

/* The program mapped `bytes` of the node, or with `is_node` false of another descriptor that may be
 * a dma-buf, from `offset` on. */
void record_pass_mapped(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                        bool is_node, uint64_t offset, uint64_t bytes);
/* False when no dma-buf of the recording has that inode; looks only, needs no lock.  `table` is the
 * one that record_nouveau_new() was given. */
bool record_pass_may_be_dmabuf(const void *table, uint64_t device, uint64_t inode);
/* Records the completion values that have come since the last look; the second when no call is
 * being recorded. */
void record_pass_look(struct record_nouveau *nouveau, const struct record_caller *caller);
void record_pass_look_idle(struct record_nouveau *nouveau, const struct record_caller *caller);

#endif
