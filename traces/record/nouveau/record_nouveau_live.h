/* SPDX-License-Identifier: MIT */
/*
 * The stand-in for the nouveau kernel driver with a GPU that is emulated while the program runs
 * (`gfe live`).  The program's requests go to the emulation, as the records that a recording would
 * have.  The emulation reads and writes the program's buffer objects, and writes the completion
 * values.  Waits in the kernel last until then, and calls can fail.  Nothing is recorded.
 *
 * GEM_CPU_PREP waits for at most 30 s, then fails with EBUSY; with NOWAIT it fails at once, as in
 * nouveau_gem.c.  Not modelled: processes that fork and go on with their parent's descriptor,
 * VM_INIT (refused with ENOSYS).
 *
 * Not thread safe: the caller holds the lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_LIVE_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_LIVE_H

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/format/trace.h"

/* The functions of the emulation.  Times count from the start of the recording. */
struct record_nouveau_live_ops {
    /* Carries out the request of a record.  Returns 0, or a negative errno if it was not carried
     * out. Adds to *takes_ns how long the call should take, as does finish(). */
    int (*act)(void *live, uint64_t now_ns, const struct trace_record *record, uint64_t *takes_ns);
    /* Does all work that is due.  *next_ns is when the next work will be due; UINT64_MAX means
     * never.
     */
    void (*run)(void *live, uint64_t now_ns, uint64_t *next_ns);
    /* Returns true if the wait for a submission that began at begin_ns is over. */
    bool (*is_done)(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t begin_ns);
    /* Prepares for memory that the submission uses to be given back. */
    void (*finish)(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t *takes_ns);
    /* Writes the collected records into a file.  `last` is true if the process ends. */
    void (*flush)(void *live, uint64_t now_ns, bool last);
};

/* Attaches an emulation from now on.  Borrows both. */
void record_nouveau_live(struct record_nouveau *nouveau, const struct record_nouveau_live_ops *ops,
                         void *live);
/* Returns true if there is an emulation. */
bool record_nouveau_is_live(const struct record_nouveau *nouveau);
/* Call the emulation's functions of that name.  Without an emulation they do nothing, and *next_ns
 * is UINT64_MAX. */
void record_nouveau_live_run(struct record_nouveau *nouveau, uint64_t now_ns, uint64_t *next_ns);
void record_nouveau_live_flush(struct record_nouveau *nouveau, uint64_t now_ns, bool last);
/* Returns how many ns the last call, which has returned, should still take. */
uint64_t record_nouveau_live_takes(struct record_nouveau *nouveau);

/* ---- for the emulation, from within these calls ------------------------------------------------
 */

/* Read and write the program's buffer objects by the GPU's address.  Return false if a part of the
 * range is not mapped.  Aligned words of 4 and 8 bytes are read and written in one access. */
bool record_nouveau_live_read(struct record_nouveau *nouveau, uint64_t va, void *data,
                              size_t bytes);
bool record_nouveau_live_write(struct record_nouveau *nouveau, uint64_t va, const void *data,
                               size_t bytes);

/* Makes an emulation for this process's device and calls record_nouveau_live(), if the recording's
 * directory asks for one.  Returns false with a message on error.  The library with the emulation
 * defines it (emu/live/live_preload_nouveau.c; with RECORD_LIVE). */
bool record_process_live_nouveau(struct record_nouveau *nouveau, const char *gpu,
                                 const char *directory, struct gfe_error *error);

#endif
