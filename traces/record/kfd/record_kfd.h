/* SPDX-License-Identifier: MIT */
/*
 * The KFD kernel driver (/dev/kfd, amdgpu's compute part) as the stand-in plays it, with one or
 * more GPUs: it answers ioctls, keeps memory, events and user-mode queues, and records what a
 * user-mode driver (ROCr, below HIP) does.
 *
 * Interface: KFD 1.8, as ROCm 5.2.3 uses it (record_kfd_uapi.h).  SVM, SMI, IPC, dma-bufs, debugger
 * and CRIU are refused with EINVAL, as a kernel without them does, and noted once as a MARK.
 *
 * Layer RING: the queues' rings are the program's memory.  At each doorbell the packets that it
 * shows are recorded (PACKET), with what they point to: kernel arguments and signals (MEM), code
 * (KERNEL), indirect buffers.  Then the DOORBELL.  Doorbells may be rung out of order; the highest
 * value counts, as for HSA's queues of several producers.
 *
 * What packets do: barriers and POLL_REGMEM wait; signals, fences, atomics, copies and fills of
 * SDMA are carried out; of kernels those three that ROCr brings for copies and fills.  Other
 * kernels are not executed: they end when they begin.  Each queue works strictly in order, each
 * packet when its turn comes: durations, waves, HQDs, priorities and CU masks have no effect here.
 *
 * All is of one process, as in the real one: queues and memory end with it, and a forked child
 * begins with nothing.  Numbers of clients, queues, address spaces and memory objects are of the
 * whole recording (record_kfd_numbers).  Not thread safe: the caller holds the lock of all
 * processes.
 *
 * Not modelled: faults of the GPU's (an address that nobody mapped is noted as a MARK), memory
 * pressure, XNACK.
 */
#ifndef GFE_TRACES_RECORD_KFD_H
#define GFE_TRACES_RECORD_KFD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "traces/record/kfd/record_kfd_board.h"
#include "traces/record/record_out.h"

#define RECORD_KFD_DRIVER "kfd 1.8"

/* What the processes of a recording have counted. */
struct record_kfd_numbers {
    uint32_t clients, queues, objects;
};

struct record_kfd;

/* Borrows all.  NULL when memory is short. */
struct record_kfd *record_kfd_new(const struct record_kfd_board *const *boards,
                                  unsigned board_count, struct record_out *out,
                                  struct record_kfd_numbers *numbers);
/* Nobody may be using its memory. */
void record_kfd_free(struct record_kfd *kfd);

/* A thread's call that waits; zeroes before a call. */
struct record_kfd_wait {
    uint64_t deadline_ns; /* of the recording; UINT64_MAX: for ever */
    uint64_t since;       /* how often events had been set when it began to wait */
    bool waits;
    uint64_t takes_ns; /* the call should return only after that; 0, but for an emulated GPU's */
};

/* ioctl(2) on KFD's node, and on the render node of a GPU: 0, or a negative errno.
 * RECORD_KFD_AGAIN: WAIT_EVENTS has to wait, until something happens or wait->deadline_ns; ask
 * again with `wait`, and `begin_ns` of the caller, as they were. */
enum { RECORD_KFD_AGAIN = 1 };
int record_kfd_ioctl(struct record_kfd *kfd, const struct record_caller *caller,
                     unsigned long request, uint64_t argument, struct record_kfd_wait *wait);
int record_kfd_drm(struct record_kfd *kfd, const struct record_caller *caller, unsigned gpu,
                   unsigned long request, uint64_t argument);

/* What mmap(2) of a node at an offset is to map. */
struct record_kfd_mapping {
    int fd; /* borrowed */
    off_t offset;
    bool is_doorbells; /* map it for reading only, then tell record_kfd_doorbells_at() */
    unsigned gpu;
};
/* False when there is no such thing. */
bool record_kfd_map(struct record_kfd *kfd, uint64_t offset, uint64_t bytes,
                    struct record_kfd_mapping *mapping);
/* The program sees the page of doorbells there; NULL: nowhere.  Stores that are not caught there
 * are looked for. */
void record_kfd_doorbells_at(struct record_kfd *kfd, unsigned gpu, void *at, size_t bytes,
                             bool is_caught);
/* True when an address is in a page of doorbells. */
bool record_kfd_is_doorbell(const struct record_kfd *kfd, const void *address);
/* A store to one: records what it shows and what it is. */
void record_kfd_ring(struct record_kfd *kfd, const struct record_caller *caller,
                     const void *address, uint64_t value, unsigned bytes);
/* Stores to that page are no longer seen: its doorbells are looked at from time to time, and the
 * write indices count.  Returns its address, to be made writable, and its size. */
void *record_kfd_poll(struct record_kfd *kfd, const struct record_caller *caller,
                      const void *address, size_t *bytes);

/* Lets each queue do what it can; what is left? */
enum record_kfd_left {
    RECORD_KFD_IDLE,    /* nothing, until a doorbell rings */
    RECORD_KFD_WAITING, /* packets that wait for memory to change: look again soon */
    RECORD_KFD_BUSY,    /* something was done: there may be more */
};
enum record_kfd_left record_kfd_step(struct record_kfd *kfd, const struct record_caller *caller);
/* Rises whenever a waiter in WAIT_EVENTS may have what it waits for: a futex. */
uint32_t *record_kfd_event_word(struct record_kfd *kfd);
/* Is there a queue? */
bool record_kfd_has_queues(const struct record_kfd *kfd);

/* Faults that a test can put into the stand-in, to prove that the tests notice them.  Without
 * RECORD_BROKEN (the library that is installed) there are none. */
enum record_kfd_fault {
    RECORD_KFD_SOUND,
    RECORD_KFD_FAULT_COPY,     /* copies end 64 bytes early */
    RECORD_KFD_FAULT_FILL,     /* fills end 4 bytes early */
    RECORD_KFD_FAULT_AND,      /* barrier-and packets wait for nothing */
    RECORD_KFD_FAULT_OR,       /* nor do barrier-or packets */
    RECORD_KFD_FAULT_BARRIER,  /* a packet with the barrier bit passes the one in front of it */
    RECORD_KFD_FAULT_POLL,     /* SDMA's POLL_REGMEM waits for nothing */
    RECORD_KFD_FAULT_FENCE,    /* SDMA's FENCE writes nothing */
    RECORD_KFD_FAULT_TWICE,    /* completion signals lose two */
    RECORD_KFD_FAULT_DOORBELL, /* the last value counts, not the highest */
    RECORD_KFD_FAULT_DROP,     /* every seventh doorbell is not seen */
    RECORD_KFD_FAULT_READ,     /* the read index is one too high */
    RECORD_KFD_FAULT_SCRATCH,  /* nobody is asked for scratch */
    RECORD_KFD_FAULT_EVENT,    /* the GPU's events are lost */
    RECORD_KFD_FAULT_UNTOLD,   /* every seventh doorbell is not recorded */
};
#ifdef RECORD_BROKEN
void record_kfd_break(struct record_kfd *kfd, enum record_kfd_fault fault);
#endif

#endif
