/* SPDX-License-Identifier: MIT */
/*
 * An NVIDIA GPU and its kernel driver, emulated below an OpenGL program that is running now: what
 * `gfe live` preloads (emu/live/live_preload.c).
 *
 *     program -> Mesa -> calls (record_nouveau.h) -> live_nouveau -> nouveau -> Host ...
 *             <- memory, errors of calls, fences <----------------------------------'
 *
 * The GPU sees the program's own buffer objects (emu/engine/machine.h, struct machine_host):
 * pushbuffers, reports and data are the same bytes for both.  What the kernel driver keeps for
 * itself (rings, instance blocks, its fences) lies in the emulated GPU's memory.
 *
 * Time as in emu/live/live_kfd.h: the host's; a call has its thread sleep for what it takes.
 *
 * A channel that the driver gives up - after an error of its PBDMA, an MMU fault, or a context
 * switch that it holds up (choice nouveau.recovery, which is on here unless it is set) - takes no
 * submissions any more (ENODEV), and nobody waits for its fences (nouveau_chan.c,
 * nouveau_channel_killed; nouveau_fence.c, nouveau_fence_context_kill).
 *
 * Shaders, draws and macros are not executed: they take their time, and change nothing; copies,
 * inline data, clears of nothing, semaphores and reports are as in a replay.
 *
 * Faults (emu/faults/inject.h): the sites of the engine, NVIDIA's (devices/nvidia/nv_inject.h), and
 * of this driver map.
 *
 * Not modelled: VM_INIT and what comes of it (Vulkan); several processes on one GPU; a wait of
 * units for memory that the program's CPU writes; memory that goes while the GPU works on it: the
 * call lets the GPU finish first, where the kernel would keep the memory.
 */
#ifndef GFE_DEVICES_LIVE_NOUVEAU_H
#define GFE_DEVICES_LIVE_NOUVEAU_H

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
    bool is_called; /* a call has not returned yet: of this record */
    bool is_news;   /* a channel was killed, or a call failed: the log should be in its file before
                     * the program can end of it */
    uint32_t killed_count;
    gfe_ps woken_ps; /* when the interrupt handler last woke who sleeps for a fence; 0: never */
    struct trace_record record;
    struct trace_push pushes[LIVE_PUSHES_MAX];
};

/* The sites that faults have here.  Fills the rows. */
struct inject_sites live_nouveau_sites(struct inject_site rows[INJECT_SITES_MAX]);

/* A GPU by name with nothing in it, above memory of the program's by the GPU's address; `faults`
 * are texts of emu/inject.h.  Options: seed, parameters, choices, log (borrowed; its head is
 * written).  NULL with a message. */
struct live_nouveau *live_nouveau_new(const char *gpu, const struct simulation_options *options,
                                      const char *const *faults, uint32_t fault_count,
                                      const struct machine_host *host, struct gfe_error *error);
void live_nouveau_free(struct live_nouveau *live);

/* What the program asked for at `now_ps` of the host's time, as the recorder tells it: AS_CREATE,
 * AS_MAP, AS_UNMAP, CHANNEL, CHANNEL_END, OBJECT, SUBMIT, VM_INIT; nothing comes of others.  0, or
 * a negative errno for the program, and then nothing was done.  The thread that called should go on
 * only after live->base.takes_ps. */
int live_nouveau_do(struct live_nouveau *live, gfe_ps now_ps, const struct trace_record *record);
/* Does all that is due; *next_ps: by the host's time, when something is next (GFE_PS_NEVER: nothing
 * is).  False with a message when the emulation had to stop. */
bool live_nouveau_run(struct live_nouveau *live, gfe_ps now_ps, gfe_ps *next_ps,
                      struct gfe_error *error);
/* Is the wait of a thread, since `begin_ps`, for the driver's fence behind a submission over?  At
 * its begin it looks for itself; later it sleeps until the interrupt handler wakes it. */
bool live_nouveau_is_done(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id,
                          gfe_ps begin_ps);
/* Lets the GPU finish the submission, if it still does anything; as live_nouveau_do(). */
void live_nouveau_finish(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id);
/* What still waits goes into the log, and its end. */
bool live_nouveau_end(struct live_nouveau *live, gfe_ps now_ps, struct gfe_error *error);

#endif
