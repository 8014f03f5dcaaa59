/* SPDX-License-Identifier: MIT */
/*
 * Recording above a real nouveau kernel driver (`gfe record --passthrough`).  Calls go on to the
 * real driver, and their effects go into the trace.  Nothing is answered here.
 *
 * Each call is examined twice: before it goes down, and when it has succeeded.  The first look
 * finds the memory that the CPU changed and the objects that the call names.  The lock of all
 * processes is not held in between, so a wait blocks no other thread.  Submissions of one open file
 * go down one after the other, as the kernel takes them, so that the trace has their order.  A call
 * that fails leaves at most records of changed memory, which the next submission would have
 * brought.
 *
 * An open file is known by a mark: a shared lock on one byte at an offset far after all others. The
 * lock belongs to the file description, so it follows dup(2), fork(2), exec(2) and SCM_RIGHTS, and
 * ends with the description.  /proc/thread-self/fdinfo shows which mark a descriptor has, and a
 * conflicting lock shows whether a mark still exists.  Descriptors of synchronisation objects have
 * such marks, too.  dma-bufs are known by their inode.
 *
 * Addresses, placement and map_handle are the real driver's; with VM_BIND, the client's.  Objects
 * that a program has mapped are compared with saved copies.  The library reads them through
 * mappings of its own by system calls, because a page may fail.  The contents at the first mapping
 * are taken as known: no recorded program wrote them, and they may be another program's secret.
 *
 * Writes of the GPU: at each call the library looks in mapped memory for completion values that the
 * submissions' methods name (record_walk.h).  It records those that are there as GPU_WRITE; such
 * words are never recorded as the CPU's.  A value that was overwritten before the library looked is
 * not recorded.  Any other write of the GPU to mapped memory looks like a write of the CPU and is
 * recorded as MEM with the next submission.
 *
 * Not recorded: other nodes than the one that was found (the card node), legacy notifiers'
 * contents, objects that the library cannot map, methods in memory that no program has mapped (the
 * submission is, with a MARK).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_H

#include <pthread.h>

#include "traces/record/nouveau/record_nouveau.h"

/* The real driver as gfe record found it; in the memory that all processes share. */
struct record_pass_device {
    uint32_t is_used; /* 0: the stand-in is used instead */
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
    /* Returns 0 or a negative errno. */
    int (*ioctl)(void *context, int fd, unsigned long request, void *argument);
    /* Returns a shared mapping for reading and writing, or NULL. */
    void *(*map)(void *context, int fd, uint64_t offset, uint64_t bytes);
};

/* Puts `nouveau`, which is new and has no file, above the real driver.  Borrows the device, copies
 * `next`.  Returns false if memory is short. */
bool record_pass_begin(struct record_nouveau *nouveau, const struct record_pass_device *device,
                       const struct record_pass_next *next);

/* Forgets, in a process that was forked, the mappings and awaited values of its parent. */
void record_pass_forked(struct record_nouveau *nouveau);

/* One call on its way, with the state from before it went down. */
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

/* Returns true if calls with this request must go down in the order of their records. */
bool record_pass_is_ordered(unsigned long request);
/* Returns the mutex that such calls on `fd` hold from before record_pass_before() until after
 * record_pass_after().  It is shared by processes and robust.  Returns NULL if there are too many
 * files. */
pthread_mutex_t *record_pass_order(struct record_nouveau *nouveau,
                                   const struct record_caller *caller, int fd);
/* Record a call; call the first before the real call and the second after it.  `call` has fd,
 * request and argument set and the rest zero.  `result` is the real driver's: not negative, or a
 * negative errno. */
void record_pass_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                        struct record_pass_call *call);
void record_pass_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct record_pass_call *call, int result);

/* Notes that the program mapped `bytes` from `offset` on of the node.  With `is_node` false it
 * mapped another descriptor, which may be a dma-buf. */
void record_pass_mapped(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                        bool is_node, uint64_t offset, uint64_t bytes);
/* Returns false if no dma-buf of the recording has that inode.  Only reads, and needs no lock.
 * `table` is the argument of record_nouveau_new(). */
bool record_pass_may_be_dmabuf(const void *table, uint64_t device, uint64_t inode);
/* Record the completion values that have come since the last look.  The second function is for
 * times when no call is being recorded. */
void record_pass_look(struct record_nouveau *nouveau, const struct record_caller *caller);
void record_pass_look_idle(struct record_nouveau *nouveau, const struct record_caller *caller);

#endif
