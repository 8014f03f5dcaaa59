/* SPDX-License-Identifier: MIT */
/*
 * An NVIDIA GPU and its kernel driver, emulated below an OpenGL program while it runs.  `gfe live`
 * preloads it (emu/live/live_preload.c).
 *
 *     program -> Mesa -> calls (record_nouveau.h) -> live_nouveau -> nouveau -> Host ...
 *             <- memory, errors of calls, fences <--------'
 *
 * The GPU sees the program's own buffer objects (emu/engine/machine.h, struct machine_host):
 * pushbuffers, reports and data are the same bytes for both.  The kernel driver's own memory
 * (rings, instance blocks, its fences) lies in the emulated GPU's memory.
 *
 * Time is the host's, as in emu/live/live_kfd.h; the thread of a call sleeps for the call's time.
 *
 * The driver gives a channel up after an error of its PBDMA, an MMU fault, or a context switch that
 * it holds up.  Choice nouveau.recovery is on here unless it is set.  Such a channel takes
 * no further submissions (ENODEV), and waits for its fences end (nouveau_chan.c,
 * nouveau_channel_killed; nouveau_fence.c, nouveau_fence_context_kill).
 *
 * Shaders, draws and macros are not executed: they take their time, and change nothing; copies,
 * inline data, clears of nothing, semaphores and reports are as in a replay.
 *
 * Faults (emu/faults/inject.h): the sites of the engine, NVIDIA's (devices/nvidia/nv_inject.h), and
 * this driver's site map.
 *
 * Not modelled: VM_INIT and the calls that need it (Vulkan); several processes on one GPU; a wait
 * of units for memory that the program's CPU writes; memory that is freed while the GPU works on
 * it: the call lets the GPU finish first, where the kernel would keep the memory.
 */
#ifndef GFE_EMU_LIVE_LIVE_NOUVEAU_H
#define GFE_EMU_LIVE_LIVE_NOUVEAU_H

#include "emu/live/live_machine.h"
#include "emu/sim/simulation.h"
#include "firmware-models/nouveau/nouveau.h"
#include "traces/format/trace.h"

enum { LIVE_PUSHES_MAX = 512 };

struct live_nouveau {
    struct live_machine base;
    struct machine *machine; /* the base's */
    const struct nv_chip *model;
    void *gpu;
    struct nouveau *nouveau;
    struct driver driver;
    struct inject_site site_rows[INJECT_SITES_MAX];
    struct inject_sites sites;
    uint32_t map_site, map_count;
    struct machine_host host;
    bool is_called; /* the call of `record` has not returned yet */
    bool is_news;   /* a channel was killed, or a call failed: the log should be in its file before
                     * that ends the program */
    uint32_t killed_count;
    gfe_ps woken_ps; /* when the handler last woke threads that sleep for a fence; 0: never */
    struct trace_record record;
    struct trace_push pushes[LIVE_PUSHES_MAX];
};

/* Fills the rows of the sites for faults. */
struct inject_sites live_nouveau_sites(struct inject_site rows[INJECT_SITES_MAX]);

/* Makes an empty GPU, by its name, that sees the program's memory by the GPU's address.  `faults`
 * are texts of emu/faults/inject.h.  Options: seed, parameters, choices, log (borrowed; its head is
 * written).  Returns NULL with a message on error. */
struct live_nouveau *live_nouveau_new(const char *gpu, const struct simulation_options *options,
                                      const char *const *faults, uint32_t fault_count,
                                      const struct machine_host *host, struct gfe_error *error);
void live_nouveau_free(struct live_nouveau *live);

/* Carries out a request of the program at `now_ps` of the host's time, as a record of the recorder:
 * AS_CREATE, AS_MAP, AS_UNMAP, CHANNEL, CHANNEL_END, OBJECT, SUBMIT, VM_INIT; others have no
 * effect. Returns 0, or a negative errno for the program if nothing was done.  The calling thread
 * should go on only after live->base.takes_ps. */
int live_nouveau_do(struct live_nouveau *live, gfe_ps now_ps, const struct trace_record *record);
/* Does all work that is due.  *next_ps is the host's time of the next work; `GFE_PS_NEVER` means
 * that there is none.  Returns false with a message if the emulation had to stop. */
bool live_nouveau_run(struct live_nouveau *live, gfe_ps now_ps, gfe_ps *next_ps,
                      struct gfe_error *error);
/* Returns true if the wait of a thread, since `begin_ps`, for the driver's fence after a submission
 * is over.  The thread checks the fence once at its beginning; later it sleeps until the interrupt
 * handler wakes it. */
bool live_nouveau_is_done(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id,
                          gfe_ps begin_ps);
/* Lets the GPU finish the submission if it still works on it.  The calling thread should go on only
 * after live->base.takes_ps. */
void live_nouveau_finish(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id);
/* Logs the open waits and the end. */
bool live_nouveau_end(struct live_nouveau *live, gfe_ps now_ps, struct gfe_error *error);

#endif
