/* SPDX-License-Identifier: MIT */
/*
 * The stand-in for KFD with a GPU that is emulated while the program runs (`gfe live`).  The
 * program's requests and doorbells go to the emulation, as the records that a recording would have.
 * The emulation reads and writes the program's memory, sets its events and lets its calls fail. The
 * stand-in does not do the queues' work (record_kfd.h), and records nothing.
 *
 * Kernels that ROCr brings for copies and fills have their effect when the emulation begins them
 * (record_kfd_blit.c); the program's own kernels have none.
 *
 * Events of exceptions carry the kernel's data (kfd_ioctl.h, kfd_hsa_memory_exception_data and
 * kfd_hsa_hw_exception_data).  ASSUMED: hardware exceptions come with their data, as in kernels of
 * 2023.
 *
 * Not thread safe: the caller holds the lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_LIVE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_LIVE_H

#include "traces/record/kfd/record_kfd.h"

/* The functions of the emulation.  Times count from the start of the recording. */
struct record_kfd_live_ops {
    /* Carries out the request of a record.  Returns 0, or a negative errno if it was not carried
     * out. Adds to *takes_ns how long the call should take. */
    int (*act)(void *live, uint64_t now_ns, const struct trace_record *record, uint64_t *takes_ns);
    /* Does all work that is due, and returns true if there was any.  *next_ns is when the next work
     * will be due; UINT64_MAX means never.  *waits is true if the GPU waits for memory of the
     * program. */
    bool (*run)(void *live, uint64_t now_ns, uint64_t *next_ns, bool *waits);
    /* Returns the GPU's counter. */
    uint64_t (*clock)(void *live, uint64_t now_ns);
    /* Writes the collected records into a file.  `last` is true if the process ends. */
    void (*flush)(void *live, uint64_t now_ns, bool last);
};

/* Attaches an emulation from now on.  Borrows both. */
void record_kfd_live(struct record_kfd *kfd, const struct record_kfd_live_ops *ops, void *live);
/* Calls ops->flush() if there is an emulation. */
void record_kfd_live_flush(struct record_kfd *kfd, const struct record_caller *caller, bool last);

/* ---- for the emulation, from within these calls ------------------------------------------------
 */

/* Read and write the program's memory by the GPU's address.  Return false if a part of the range is
 * not mapped.  Aligned words of up to 8 bytes are read and written in one access. */
bool record_kfd_live_read(struct record_kfd *kfd, uint64_t va, void *data, size_t bytes);
bool record_kfd_live_write(struct record_kfd *kfd, uint64_t va, const void *data, size_t bytes);
/* Carries out the effect of a kernel that begins. */
void record_kfd_live_kernel(struct record_kfd *kfd, uint64_t kernel, uint64_t arguments);
/* Delivers an interrupt with the number of an event. */
void record_kfd_live_event(struct record_kfd *kfd, uint32_t event_id);

enum { RECORD_KFD_HW_EXCEPTION = 3, RECORD_KFD_MEMORY_EXCEPTION = 8 }; /* types of events */
struct record_kfd_exception {
    uint32_t type;
    uint64_t address;
    bool not_present, read_only; /* of memory */
    bool is_reset;               /* of the GPU: its memory is lost */
};
/* Sets all events of the exception's type, and returns their number. */
uint32_t record_kfd_live_exception(struct record_kfd *kfd,
                                   const struct record_kfd_exception *exception);

/* Makes an emulation for this process's KFD and calls record_kfd_live(), if the recording's
 * directory asks for one.  Returns false with a message on error.  The library with the emulation
 * defines it (emu/live/live_preload.c; with RECORD_LIVE). */
bool record_process_live(struct record_kfd *kfd, const char *gpu, const char *directory,
                         struct gfe_error *error);

#endif
