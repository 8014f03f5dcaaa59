/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the nouveau kernel driver.  It answers ioctls, keeps buffer objects and channels,
 * and records the actions of the user-mode driver.
 *
 * Interface: DRM driver "nouveau" 1.4.0 with NVIF and GEM_PUSHBUF, as Mesa's GL driver uses it, and
 * with VM_INIT, VM_BIND, EXEC and synchronisation objects, as NVK does (record_uapi.h).  Everything
 * else is refused with EINVAL, as a kernel without it does, and noted once in the trace as a MARK.
 *
 * A submission is executed when it is made, but only its writes of completion values are made
 * (record_walk.h), in the stream's order.  So no wait ever waits.
 *
 * All processes use one device, whose state lies in memory that they share (`table`).  Each open(2)
 * of the node has handles, channels and an address space of its own, and is a client in the trace.
 * Copies of its descriptor by dup(2), fork(2), exec(2) and SCM_RIGHTS are the same client.  An
 * object has the same address wherever it is mapped (the stand-in's choice, not nouveau's), and one
 * number in the trace (AS_MAP.handle), which is not its handle.  The kernel frees objects when the
 * last descriptor is closed, also by kill -9; the stand-in frees them when the next process opens
 * the node.  Only a client's process, and the processes that fork from it later, know its own
 * bindings (VM_BIND).  Handles of synchronisation objects are the device's, not a client's.
 *
 * Not modelled: legacy notifiers, memory pressure, faults.  Not thread safe: the caller holds the
 * lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_H

#include "traces/record/nouveau/record_board.h"
#include "traces/record/record_memory.h"
#include "traces/record/record_out.h"

#define RECORD_NOUVEAU_DRIVER "nouveau 1.4.0"

struct record_nouveau;

/* Returns the size of a table in bytes.  A table of all zeros is that of a new device. */
size_t record_nouveau_table_bytes(void);
/* Makes a stand-in that borrows all arguments.  If `table` is NULL it has a table of its own.
 * Descriptors for objects (PRIME) get their files in `directory`; NULL means that there are no such
 * descriptors.  The caller writes META.  Returns NULL if memory is short. */
struct record_nouveau *record_nouveau_new(const struct record_board *board,
                                          struct record_memory *memory, struct record_out *out,
                                          void *table, const char *directory);
void record_nouveau_free(struct record_nouveau *nouveau);
/* Repairs the table after a process died with the lock held. */
void record_nouveau_repair(struct record_nouveau *nouveau);

/* Carries out open(2) of the node.  Returns a descriptor or a negative errno.  Of `flags` only
 * O_CLOEXEC counts. */
int record_nouveau_open(struct record_nouveau *nouveau, const struct record_caller *caller,
                        int flags);
/* Carries out one ioctl(2) on a descriptor of the node.  Returns 0 or a negative errno.  `argument`
 * is checked before it is used.  RECORD_NOUVEAU_AGAIN means that the call waits for an action of
 * another thread; call again later. */
enum { RECORD_NOUVEAU_AGAIN = 1 };
int record_nouveau_ioctl(struct record_nouveau *nouveau, const struct record_caller *caller, int fd,
                         unsigned long request, uint64_t argument);
/* Finds the object that a PRIME descriptor, known by its file, stands for.  *offset is where the
 * object begins in the memory's file.  Returns false if the file stands for no object. */
bool record_nouveau_prime(const struct record_nouveau *nouveau, uint64_t device, uint64_t inode,
                          uint64_t *offset);
/* Ends the clients that no process has open. */
void record_nouveau_reap(struct record_nouveau *nouveau, const struct record_caller *caller);
/* Makes the client of a descriptor of the node the current one.  Returns false if there are too
 * many clients. */
bool record_nouveau_file_enter(struct record_nouveau *nouveau, const struct record_caller *caller,
                               int fd);

/* Returns the number of the last submission, 0 before the first. */
uint32_t record_nouveau_submission(const struct record_nouveau *nouveau);

/* Records a wait that the program made through a library call; `call` is its name.  The wait was
 * for all submissions up to `submission_id`. */
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
    RECORD_FAULT_SILENT, /* answers without recording: the baseline of bench_record */
};
#ifdef RECORD_BROKEN
void record_nouveau_break(struct record_nouveau *nouveau, enum record_nouveau_fault fault);
#endif

#endif
