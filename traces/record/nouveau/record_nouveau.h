/* SPDX-License-Identifier: MIT */
/*
 * The nouveau kernel driver as the stand-in plays it: answers ioctls, keeps buffer objects and
 * channels, and records what the user-mode driver does through them.
 *
 * Interface: DRM driver "nouveau" 1.4.0 with NVIF and GEM_PUSHBUF, as Mesa's GL driver uses it, and
 * with VM_INIT, VM_BIND, EXEC and synchronisation objects, as NVK does (record_uapi.h).  Everything
 * else is refused with EINVAL, as a kernel without it does, and noted once in the trace as a MARK.
 *
 * A submission is executed when it is made, and only in this respect: the writes that tell of
 * completion are made (record_walk.h), in the stream's order.  So no wait ever waits.
 *
 * One device for all processes: what it knows lies in memory that they share (`table`).  Each
 * open(2) of the node has handles, channels and an address space of its own, and is a client in the
 * trace; what dup(2), fork(2), exec(2) and SCM_RIGHTS make of its descriptor is the same client. An
 * object has the same address wherever it is mapped (the stand-in's choice, not nouveau's), and one
 * number in the trace (AS_MAP.handle), which is not its handle.  What the kernel frees when the
 * last descriptor is closed, also by kill -9, is freed when the next process opens the node.
 * What a client has bound in an address space of its own (VM_BIND) only its process knows, and
 * those that fork from it then.  Handles of synchronisation objects are the device's, not a
 * client's.
 *
 * Not modelled: legacy notifiers, memory pressure, faults.  Not thread safe: the caller holds the
 * lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_H
#define GFE_TRACES_RECORD_NOUVEAU_H

#include "traces/record/nouveau/record_board.h"
#include "traces/record/record_memory.h"
#include "traces/record/record_out.h"

#define RECORD_NOUVEAU_DRIVER "nouveau 1.4.0"

struct record_nouveau;

/* Bytes of a table; all zeros is that of a new device. */
size_t record_nouveau_table_bytes(void);
/* Borrows all.  `table` NULL: one of its own.  `directory` is where descriptors for objects (PRIME)
 * get their files; NULL: there are none.  META is the caller's.  NULL when memory is short. */
struct record_nouveau *record_nouveau_new(const struct record_board *board,
                                          struct record_memory *memory, struct record_out *out,
                                          void *table, const char *directory);
void record_nouveau_free(struct record_nouveau *nouveau);
/* After a process died with the lock held: makes the table whole again. */
void record_nouveau_repair(struct record_nouveau *nouveau);

/* open(2) of the node: a descriptor, or a negative errno.  Of `flags` only O_CLOEXEC counts. */
int record_nouveau_open(struct record_nouveau *nouveau, const struct record_caller *caller,
                        int flags);
/* One ioctl(2) on a descriptor of the node: 0, or a negative errno.  `argument` is checked before
 * it is used.  RECORD_NOUVEAU_AGAIN: the call waits for what another thread has yet to do; ask
 * again. */
enum { RECORD_NOUVEAU_AGAIN = 1 };
int record_nouveau_ioctl(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                         unsigned long request, uint64_t argument);
/* Where the object begins in the memory's file that a PRIME descriptor, known by its file, stands
 * for.  False when it stands for none. */
bool record_nouveau_prime(const struct record_nouveau *nouveau, uint64_t device, uint64_t inode,
                          uint64_t *offset);
/* Ends what no process has open any more. */
void record_nouveau_reap(struct record_nouveau *nouveau, const struct record_caller *caller);
/* The client that a descriptor of the node is of answers from here on.  False when there are too
 * many. */
bool record_nouveau_file_enter(struct record_nouveau *nouveau, const struct record_caller *caller,
                               int fd);

/* Number of the last submission, 0 before the first. */
uint32_t record_nouveau_submission(const struct record_nouveau *nouveau);

/* A wait that the program made through a library call; `call` is its name.  Waited for is
 * everything up to `submission_id`. */
void record_nouveau_wait(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const char *call, uint64_t begin_ns, uint32_t submission_id);

/*
 * Faults that a test can put into the stand-in, to prove that the tests notice them.  Without
 * RECORD_BROKEN (the library that is installed) there are none.
 */
enum record_nouveau_fault {
    RECORD_FAULT_NONE,
    RECORD_FAULT_FENCE,  /* completion values are never written */
    RECORD_FAULT_OFFSET, /* map_handle is one page too high */
    RECORD_FAULT_PAGES,  /* every second changed run is dropped */
    RECORD_FAULT_SILENT, /* answers without recording: what bench_record compares with */
};
#ifdef RECORD_BROKEN
void record_nouveau_break(struct record_nouveau *nouveau, enum record_nouveau_fault fault);
#endif

#endif
