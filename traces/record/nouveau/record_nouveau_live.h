/* SPDX-License-Identifier: MIT */
/*
 * The stand-in for the nouveau kernel driver with a GPU behind it that is emulated while the
 * program runs (`gfe live`): what the program asks for goes to the emulation, as the records that a
 * recording would have.  The emulation reads and writes the program's buffer objects; completion
 * values come when it says so, waits in the kernel last until then, and calls can fail.  Nothing is
 * recorded.
 *
 * As nouveau_gem.c has it GEM_CPU_PREP waits for at most 30 s, then fails with EBUSY; with NOWAIT
 * it fails so at once.  Not modelled: processes that fork and go on with their parent's descriptor,
 * VM_INIT (refused with ENOSYS).
 *
 * Not thread safe: the caller holds the lock of all processes.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_LIVE_H
#define GFE_TRACES_RECORD_NOUVEAU_LIVE_H

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/format/trace.h"

/* The emulation, by its owner.  Times are of the recording. */
struct record_nouveau_live_ops {
    /* What a record says was asked for; 0, or a negative errno: then it was not done.  To *takes_ns
     * is added how long the call should take, here and in finish(). */
    int (*act)(void *live, uint64_t now_ns, const struct trace_record *record, uint64_t *takes_ns);
    /* All that is due.  *next_ns: when something will be, UINT64_MAX: never. */
    void (*run)(void *live, uint64_t now_ns, uint64_t *next_ns);
    /* Is the wait for a submission that began then over? */
    bool (*is_done)(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t begin_ns);
    /* Memory that the submission uses is going to be given back. */
    void (*finish)(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t *takes_ns);
    /* What was told goes into a file; `last`: the process ends. */
    void (*flush)(void *live, uint64_t now_ns, bool last);
};

/* From now on.  Borrows both. */
void record_nouveau_live(struct record_nouveau *nouveau, const struct record_nouveau_live_ops *ops,
                         void *live);
/* Is there an emulation? */
bool record_nouveau_is_live(const struct record_nouveau *nouveau);
/* The functions of the emulation, if there is one; run: else *next_ns is UINT64_MAX. */
void record_nouveau_live_run(struct record_nouveau *nouveau, uint64_t now_ns, uint64_t *next_ns);
void record_nouveau_live_flush(struct record_nouveau *nouveau, uint64_t now_ns, bool last);
/* How long the last call should take yet, when it has returned. */
uint64_t record_nouveau_live_takes(struct record_nouveau *nouveau);

/* ---- for the emulation, from within these calls ------------------------------------------------
 */

/* The program's buffer objects by the GPU's address; false: nothing is there, or not all of it.
 * Aligned words of 4 and 8 bytes are read and written at once. */
bool record_nouveau_live_read(struct record_nouveau *nouveau, uint64_t va, void *data,
                              size_t bytes);
bool record_nouveau_live_write(struct record_nouveau *nouveau, uint64_t va, const void *data,
                               size_t bytes);

/* Who links an emulation: makes it for this process's device and calls record_nouveau_live(), if
 * the recording's directory says so.  False with a message.  (emu/live/live_preload_nouveau.c; with
 * RECORD_LIVE) */
bool record_process_live_nouveau(struct record_nouveau *nouveau, const char *gpu,
                                 const char *directory, struct gfe_error *error);

#endif
