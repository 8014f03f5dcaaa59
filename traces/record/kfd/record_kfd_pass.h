/* SPDX-License-Identifier: MIT */
/*
 * Recording above a real KFD (`gfe record --passthrough` with a GPU of AMD's): calls go on to it,
 * and what they did goes into the trace.  Nothing is answered here.
 *
 * Each call is looked at before it goes down and when it has succeeded; what the stand-in's tables
 * say then says what the real driver has.  Calls of one process go down one after the other, but
 * for WAIT_EVENTS, as in the kernel, which has a lock for each process.
 *
 * Doorbells are the GPU's.  The program sees their page for reading only; its store is decoded in
 * the handler of the SIGSEGV, the packets that it shows are recorded, then the value, then the
 * library stores it through a mapping of its own.  A store that cannot be decoded makes the page
 * writable: from there on the write indices say what was shown.
 *
 * Memory is seen through mappings of the library's own, made with the render node that the program
 * gave to ACQUIRE_VM.  Video memory that the CPU may not map is not seen: the packets are recorded,
 * kernels and arguments that lie there are not (a MARK says so).
 *
 * What the GPU wrote: completion signals that packets name, and 32 bits of SDMA's FENCE packets,
 * are looked at whenever a call or a doorbell comes by, and from a thread meanwhile (every 20 to
 * 500 us); when they have gone down by no more than packets would make them, each step is a
 * GPU_WRITE, in the order in which the packets were shown; such values are never told as the CPU's.
 * A value that was overwritten before anybody looked is not recorded.  Signals end at 0 (ASSUMED,
 * as ROCm uses them): of more packets than a signal's value the oldest have been done.  Mailboxes
 * are emptied by the kernel driver, so what lay there is not recorded; nor are times that the GPU
 * writes into signals.
 *
 * Never seen on hardware: see docs/quality.md.  Not recorded: packets of compute queues without
 * AQL, SVM, IPC, dma-bufs (a MARK), other contents of memory that kernels wrote.
 */
#ifndef GFE_TRACES_RECORD_KFD_PASS_H
#define GFE_TRACES_RECORD_KFD_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "traces/record/kfd/record_kfd_board.h"
#include "traces/record/record_out.h"

struct record_kfd;

/* What gfe record found of the real driver (record_kfd_probe.h); in the memory that all processes
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

/* What the library needs of the process. */
struct record_kfd_next {
    void *context;
    /* A shared mapping of a real descriptor for reading and writing, or NULL. */
    void *(*map)(void *context, int fd, uint64_t offset, uint64_t bytes);
    /* The store of 4 or 8 bytes to a mapped doorbell. */
    void (*store)(void *context, void *address, uint64_t value, unsigned bytes);
};

/* The boards that stand for real GPUs; borrows the names. */
void record_kfd_pass_boards(const struct record_kfd_device *device,
                            struct record_kfd_board boards[RECORD_KFD_GPUS_MAX]);
/* From here on `kfd`, which is new, is above the real driver.  Borrows the device, copies `next`.
 * False when memory is short. */
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

/* True when calls with this request may take long and go down beside others. */
bool record_kfd_pass_is_wait(unsigned long request);
/* Around the real call; `call` has request and argument set and the rest zero.  `result` is the
 * real driver's: not negative, or a negative errno. */
void record_kfd_pass_before(struct record_kfd *kfd, const struct record_caller *caller,
                            struct record_kfd_call *call);
void record_kfd_pass_after(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_call *call, int result);

/* Is the page at this offset of the node one of doorbells?  Then of which GPU. */
bool record_kfd_pass_is_doorbells(const struct record_kfd *kfd, uint64_t offset, unsigned *gpu);
/* The program sees it at `at`, we at `own`; NULL: stores there are the program's own, not seen. */
void record_kfd_pass_doorbells(struct record_kfd *kfd, const struct record_caller *caller,
                               unsigned gpu, void *at, size_t bytes, void *own);

#endif
