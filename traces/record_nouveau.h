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
 * One device: all clients in the process share one set of handles.  What a client manages itself
 * (VM_INIT) is its own.  Not modelled: handles per client, the end of a client when its last
 * descriptor is closed, FLINK names, legacy notifiers, CPU mappings of
 * exported PRIME descriptors (they carry identity and size only), memory pressure, faults.
 * Not thread safe: the caller holds a lock.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_H
#define GFE_TRACES_RECORD_NOUVEAU_H

#include "traces/record_board.h"
#include "traces/record_memory.h"
#include "traces/record_out.h"

#define RECORD_NOUVEAU_DRIVER "nouveau 1.4.0"

struct record_nouveau;

/* Borrows all three.  Writes CLIENT and AS_CREATE; META is the caller's. */
struct record_nouveau *record_nouveau_new(const struct record_board *board,
                                          struct record_memory *memory, struct record_out *out,
                                          const struct record_caller *caller);
void record_nouveau_free(struct record_nouveau *nouveau);

/* One ioctl(2) on the node: 0, or a negative errno.  `argument` is checked before it is used.
 * RECORD_NOUVEAU_AGAIN: the call waits for what another thread has yet to do; ask again. */
enum { RECORD_NOUVEAU_AGAIN = 1 };
int record_nouveau_ioctl(struct record_nouveau *nouveau, const struct record_caller *caller,
                         unsigned long request, uint64_t argument);

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
};
#ifdef RECORD_BROKEN
void record_nouveau_break(struct record_nouveau *nouveau, enum record_nouveau_fault fault);
#endif

#endif
