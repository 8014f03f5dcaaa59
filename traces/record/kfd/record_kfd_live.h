/* SPDX-License-Identifier: MIT */
/*
 * The stand-in for KFD with a GPU behind it that is emulated while the program runs (`gfe live`):
 * what the program asks for and rings goes to the emulation, as the records that a recording would
 * have, and the emulation reads and writes the program's memory, sets its events and lets its calls
 * fail.  The queues' own work (record_kfd.h) is not done, and nothing is recorded.
 *
 * Kernels that ROCr brings for copies and fills have their effect when the emulation begins them
 * (record_kfd_blit.c); those of the program have none.
 *
 * Events of exceptions carry what the kernel's do (kfd_ioctl.h, kfd_hsa_memory_exception_data and
 * kfd_hsa_hw_exception_data).  ASSUMED: hardware exceptions come with their data, as in kernels of
 * 2023.
 *
 * Not thread safe: the caller holds the lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_KFD_LIVE_H
#define GFE_TRACES_RECORD_KFD_LIVE_H

#include "traces/record/kfd/record_kfd.h"

/* The emulation, by its owner.  Times are of the recording. */
struct record_kfd_live_ops {
    /* What a record says was asked for; 0, or a negative errno: then it was not done.  To *takes_ns
     * is added how long the call should take. */
    int (*act)(void *live, uint64_t now_ns, const struct trace_record *record, uint64_t *takes_ns);
    /* All that is due.  *next_ns: when something will be, UINT64_MAX: never; *waits: somebody waits
     * for memory of the program.  True when something was done. */
    bool (*run)(void *live, uint64_t now_ns, uint64_t *next_ns, bool *waits);
    /* The GPU's counter. */
    uint64_t (*clock)(void *live, uint64_t now_ns);
    /* What was told goes into a file; `last`: the process ends. */
    void (*flush)(void *live, uint64_t now_ns, bool last);
};

/* From now on.  Borrows both. */
void record_kfd_live(struct record_kfd *kfd, const struct record_kfd_live_ops *ops, void *live);
/* ops->flush(), if there is an emulation. */
void record_kfd_live_flush(struct record_kfd *kfd, const struct record_caller *caller, bool last);

/* ---- for the emulation, from within these calls ------------------------------------------------
 */

/* The program's memory by the GPU's address; false: nothing is there, or not all of it.  Words of
 * up to 8 bytes that are aligned are read and written at once. */
bool record_kfd_live_read(struct record_kfd *kfd, uint64_t va, void *data, size_t bytes);
bool record_kfd_live_write(struct record_kfd *kfd, uint64_t va, const void *data, size_t bytes);
/* A kernel begins. */
void record_kfd_live_kernel(struct record_kfd *kfd, uint64_t kernel, uint64_t arguments);
/* An interrupt with the number of an event. */
void record_kfd_live_event(struct record_kfd *kfd, uint32_t event_id);

enum { RECORD_KFD_HW_EXCEPTION = 3, RECORD_KFD_MEMORY_EXCEPTION = 8 }; /* types of events */
struct record_kfd_exception {
    uint32_t type;
    uint64_t address;
    bool not_present, read_only; /* of memory */
    bool is_reset;               /* of the GPU: its memory is lost */
};
/* All events of its type are set; their number. */
uint32_t record_kfd_live_exception(struct record_kfd *kfd,
                                   const struct record_kfd_exception *exception);

/* Who links an emulation: makes it for this process's KFD and calls record_kfd_live(), if the
 * recording's directory says so.  False with a message.  (emu/live/live_preload.c; with
 * RECORD_LIVE)
 */
bool record_process_live(struct record_kfd *kfd, const char *gpu, const char *directory,
                         struct gfe_error *error);

#endif
