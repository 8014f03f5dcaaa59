/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the KFD kernel driver (/dev/kfd, amdgpu's compute part) with one or more GPUs.  It
 * answers ioctls, keeps memory, events and user-mode queues, and records the actions of a user-mode
 * driver (ROCr, below HIP).
 *
 * Interface: KFD 1.9, as ROCm 5.2 to 6 use it (record_kfd_uapi.h).  SVM, SMI, IPC, dma-bufs,
 * debugger and CRIU are refused with EINVAL, as a kernel without them does, and noted once as a
 * MARK.
 *
 * Layer RING: the queues' rings are the program's memory.  At each doorbell the stand-in records
 * the packets up to its value (PACKET), with the data that they point to: kernel arguments and
 * signals (MEM), code (KERNEL), indirect buffers.  The DOORBELL follows.  Doorbells may be rung out
 * of order; the highest value counts, as for HSA's queues of several producers.
 *
 * Effects of packets: barriers and POLL_REGMEM wait; signals, fences, atomics, copies and fills of
 * SDMA are carried out.  So are the three kernels that ROCr brings for copies and fills.  Other
 * kernels are not executed: they end when they begin.  Each queue works strictly in order, each
 * packet in its turn; durations, waves, HQDs, priorities and CU masks have no effect here.
 *
 * All state belongs to one process, as in the real driver: queues and memory end with it, and a
 * forked child begins with nothing.  Numbers of clients, queues, address spaces and memory objects
 * count in the whole recording (record_kfd_numbers).  Not thread safe: the caller holds the lock of
 * all processes.
 *
 * Not modelled: faults of the GPU's (an unmapped address is noted as a MARK), memory
 * pressure, XNACK.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "traces/record/kfd/record_kfd_board.h"
#include "traces/record/kfd/record_kfd_uapi.h"
#include "traces/record/record_out.h"

#define RECORD_KFD_DRIVER "kfd 1." KFD_STRING(KFD_MINOR)

/* The counters that the processes of a recording share. */
struct record_kfd_numbers {
    uint32_t clients, queues, objects;
};

struct record_kfd;

/* Makes a stand-in that borrows all arguments.  Returns NULL if memory is short. */
struct record_kfd *record_kfd_new(const struct record_kfd_board *const *boards,
                                  unsigned board_count, struct record_out *out,
                                  struct record_kfd_numbers *numbers);
/* Frees the stand-in.  Nothing may be using its memory any longer. */
void record_kfd_free(struct record_kfd *kfd);

/* The state of a thread's call that waits.  Zero it before a call. */
struct record_kfd_wait {
    uint64_t deadline_ns; /* of the recording; UINT64_MAX: for ever */
    uint64_t since;       /* how often events had been set when the call began to wait */
    bool waits;
    uint64_t takes_ns; /* the call should return only after that; 0 unless the GPU is emulated */
};

/* Carry out ioctl(2) on KFD's node, and on the render node of a GPU.  Return 0 or a negative errno.
 * RECORD_KFD_AGAIN means that WAIT_EVENTS has to wait until an event is set or wait->deadline_ns.
 * Call again then, with `wait` and the caller's `begin_ns` unchanged. */
enum { RECORD_KFD_AGAIN = 1 };
int record_kfd_ioctl(struct record_kfd *kfd, const struct record_caller *caller,
                     unsigned long request, uint64_t argument, struct record_kfd_wait *wait);
int record_kfd_drm(struct record_kfd *kfd, const struct record_caller *caller, unsigned gpu,
                   unsigned long request, uint64_t argument);

/* The file range that mmap(2) of a node at an offset is to map. */
struct record_kfd_mapping {
    int fd; /* borrowed */
    off_t offset;
    bool is_doorbells; /* map it for reading only, then call record_kfd_doorbells_at() */
    unsigned gpu;
};
/* Finds the range for an mmap(2) of the node.  Returns false if the offset stands for nothing. */
bool record_kfd_map(struct record_kfd *kfd, uint64_t offset, uint64_t bytes,
                    struct record_kfd_mapping *mapping);
/* Notes where the program sees the page of doorbells; NULL means nowhere.  Unless `is_caught`, the
 * stand-in has to look for the program's stores. */
void record_kfd_doorbells_at(struct record_kfd *kfd, unsigned gpu, void *at, size_t bytes,
                             bool is_caught);
/* Returns true if an address is in a page of doorbells. */
bool record_kfd_is_doorbell(const struct record_kfd *kfd, const void *address);
/* Handles a store to a doorbell: records the packets up to its value, and the doorbell itself. */
void record_kfd_ring(struct record_kfd *kfd, const struct record_caller *caller,
                     const void *address, uint64_t value, unsigned bytes);
/* Gives up catching stores to that page.  From now on its doorbells are polled, and the write
 * indices count.  Returns the page's address, which the caller makes writable, and its size. */
void *record_kfd_poll(struct record_kfd *kfd, const struct record_caller *caller,
                      const void *address, size_t *bytes);

/* Lets each queue do the work that it can do now.  Returns what is left. */
enum record_kfd_left {
    RECORD_KFD_IDLE,    /* nothing, until a doorbell rings */
    RECORD_KFD_WAITING, /* packets that wait for memory to change: call again soon */
    RECORD_KFD_BUSY,    /* some work was done: there may be more */
};
enum record_kfd_left record_kfd_step(struct record_kfd *kfd, const struct record_caller *caller);
/* Returns a futex word that rises whenever a waiter in WAIT_EVENTS may go on. */
uint32_t *record_kfd_event_word(struct record_kfd *kfd);
/* Returns true if there is a queue. */
bool record_kfd_has_queues(const struct record_kfd *kfd);

/* Faults that a test can put into the stand-in, to prove that the tests notice them.  Without
 * RECORD_BROKEN (the library that is installed) there are none. */
enum record_kfd_fault {
    RECORD_KFD_SOUND,
    RECORD_KFD_FAULT_COPY,     /* copies end 64 bytes early */
    RECORD_KFD_FAULT_FILL,     /* fills end 4 bytes early */
    RECORD_KFD_FAULT_AND,      /* barrier-and packets wait for nothing */
    RECORD_KFD_FAULT_OR,       /* nor do barrier-or packets */
    RECORD_KFD_FAULT_BARRIER,  /* a packet with the barrier bit overtakes the one before it */
    RECORD_KFD_FAULT_POLL,     /* SDMA's POLL_REGMEM waits for nothing */
    RECORD_KFD_FAULT_FENCE,    /* SDMA's FENCE writes nothing */
    RECORD_KFD_FAULT_TWICE,    /* completion signals lose two */
    RECORD_KFD_FAULT_DOORBELL, /* the last value counts, not the highest */
    RECORD_KFD_FAULT_DROP,     /* every seventh doorbell is not seen */
    RECORD_KFD_FAULT_READ,     /* the read index is one too high */
    RECORD_KFD_FAULT_SCRATCH,  /* no scratch is requested */
    RECORD_KFD_FAULT_EVENT,    /* the GPU's events are lost */
    RECORD_KFD_FAULT_UNTOLD,   /* every seventh doorbell is not recorded */
};
#ifdef RECORD_BROKEN
void record_kfd_break(struct record_kfd *kfd, enum record_kfd_fault fault);
#endif

#endif
