/* SPDX-License-Identifier: MIT */
/*
 * Recording above a real KFD (`gfe record --passthrough` with a GPU of AMD's).  Calls go on to the
 * real driver, and their effects go into the trace.  Nothing is answered here.
 *
 * Each call is examined before it goes down, and again when it has succeeded.  The stand-in's
 * tables then describe the state of the real driver.  Calls of one process go down one after the
 * other, except WAIT_EVENTS, as in the kernel, which has a lock for each process.
 *
 * Doorbells are the GPU's.  The program sees their page for reading only, and the handler of the
 * SIGSEGV decodes its store.  The library records the packets up to that value, then the value, and
 * then stores it through a mapping of its own.  A store that cannot be decoded makes the page
 * writable; from then on the write indices say which packets are ready.
 *
 * A packet whose doorbell is stored before the packet in front of it is written (queues with
 * several producers) is recorded at the next look.  If the GPU has taken it by then, it is not
 * recorded, and nothing in the trace says so.
 *
 * Memory is seen through mappings of the library's own, made with the render node that the program
 * gave to ACQUIRE_VM.  Video memory that the CPU may not map is not seen: the packets are recorded,
 * but kernels and arguments that lie there are not (a MARK says so).
 *
 * Writes of the GPU: the library checks completion signals that packets name, and 32 bits of SDMA's
 * FENCE packets, at each call and doorbell, and from a thread meanwhile (every 20 to 500 us).  If
 * they have gone down by no more than the packets would make them, each step is a GPU_WRITE, in the
 * order of the packets.  Such values are never recorded as the CPU's.  A value that was overwritten
 * before the library looked is not recorded.  Signals end at 0 (ASSUMED, as ROCm uses them): if
 * there are more packets than a signal's value, the oldest have been done.  The kernel driver
 * empties mailboxes, so their contents are not recorded.  Times that the GPU writes into signals
 * are not recorded either.
 *
 * Never seen on hardware: see docs/quality.md.  Not recorded: packets of compute queues without
 * AQL, SVM, IPC, dma-bufs (a MARK), other contents of memory that kernels wrote.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_PASS_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/record/kfd/record_kfd_board.h"
#include "traces/record/record_out.h"

struct record_kfd;

/* The real driver as gfe record found it (record_kfd_probe.h); in the memory that all processes
 * share. */
struct record_kfd_real_gpu {
    char gpu[32]; /* gfe's name, "" when it has none */
    uint32_t gpu_id, location_id, gfx_version, vram_mib;
    uint16_t pci_device;
};
struct record_kfd_device {
    uint32_t gpu_count, major, minor; /* of the node */
    char driver[32];                  /* name and version of the interface */
    struct record_kfd_real_gpu gpus[RECORD_KFD_GPUS_MAX];
};

/* The services of the process that the library needs. */
struct record_kfd_next {
    void *context;
    /* Returns a shared mapping of a real descriptor for reading and writing, or NULL. */
    void *(*map)(void *context, int fd, uint64_t offset, uint64_t bytes);
    /* Stores 4 or 8 bytes to a mapped doorbell. */
    void (*store)(void *context, void *address, uint64_t value, unsigned bytes);
};

/* Fills in the boards that stand for real GPUs; borrows the names. */
void record_kfd_pass_boards(const struct record_kfd_device *device,
                            struct record_kfd_board boards[RECORD_KFD_GPUS_MAX]);
/* Puts `kfd`, which is new, above the real driver.  Borrows the device, copies `next`.  Returns
 * false if memory is short. */
bool record_kfd_pass_begin(struct record_kfd *kfd, const struct record_kfd_device *device,
                           const struct record_kfd_next *next);

/* One ioctl on its way to the real node. */
enum { RECORD_KFD_CALL_BYTES = 512 };
struct record_kfd_call {
    unsigned long request;
    uint64_t argument;                                        /* the caller's */
    uint64_t words[RECORD_KFD_CALL_BYTES / sizeof(uint64_t)]; /* of the argument, before */
    uint64_t begin_ns;
    bool is_looked_at; /* there is something to record */
};

/* Returns true if calls with this request may take long and go down in parallel with others. */
bool record_kfd_pass_is_wait(unsigned long request);
/* Record a call; call the first before the real call and the second after it.  `call` has request
 * and argument set and the rest zero.  `result` is the real driver's: not negative, or a negative
 * errno.
 */
void record_kfd_pass_before(struct record_kfd *kfd, const struct record_caller *caller,
                            struct record_kfd_call *call);
void record_kfd_pass_after(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_call *call, int result);

/* Returns true if the page at this offset of the node is one of doorbells.  *gpu is then its GPU.
 */
bool record_kfd_pass_is_doorbells(const struct record_kfd *kfd, uint64_t offset, unsigned *gpu);
/* Notes that the program sees the page at `at`, and the library at `own`.  NULL for `own` means
 * that the program's stores go to the GPU unseen. */
void record_kfd_pass_doorbells(struct record_kfd *kfd, const struct record_caller *caller,
                               unsigned gpu, void *at, size_t bytes, void *own);

#endif
