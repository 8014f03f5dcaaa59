/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU, its firmware and its kernel driver, emulated below a program that is running now:
 * what `gfe live` preloads (emu/live/live_preload.c).
 *
 *     program -> ROCr -> calls, doorbells (record_kfd.h) -> live_kfd -> amd_node -> amd_mec ...
 *             <- memory, events, errors of calls <---------------------------------------'
 *
 * The GPU sees the program's own memory (emu/engine/machine.h, struct machine_host): packets,
 * signals and data are the same bytes for both, at the addresses that the program gave them.  Where
 * the program waits for a signal it is the emulation that writes it, when its time has come.
 *
 * Time: the emulation's is the host's, counted from the start of the recording.  What is due is
 * done at the next live_kfd_run() or call; an emulation that is slower than its model lags behind
 * and goes on from there.  A call of the driver that takes time (a queue is made: the list is taken
 * off and put on again) is done at once, and its thread has to wait for as long before it returns;
 * of seconds, which the driver waits for firmware that does not answer, it waits for
 * LIVE_TAKES_MAX_PS, and the emulation's clock is ahead of the host's from then on.
 *
 * Kernels of the program are not executed: they take their time, and change nothing.  Those that
 * ROCr brings for copies and fills do what they should, when they begin.
 *
 * Stores of the program to memory that packets wait for are looked for at each run.  ASSUMED: a
 * word that changes and changes back in between is not missed by who waits for it;
 * read-modify-write of the GPU's (signals, atomics) is not atomic against the program's.
 *
 * Faults (emu/faults/inject.h): the sites of the engine, AMD's (devices/amd/amd_inject.h), and of
 * this driver doorbell and map.
 *
 * Not modelled: several GPUs, several processes on one (each has its own), PM4 queues, the GPU
 * after a reset (its calls fail).
 */
#ifndef GFE_DEVICES_LIVE_KFD_H
#define GFE_DEVICES_LIVE_KFD_H

#include "emu/sim/amd_node.h"
#include "emu/live/live_machine.h"
#include "emu/sim/simulation.h"
#include "emu/faults/inject.h"
#include "traces/format/trace.h"

/* An exception, as the kernel interface has it (kfd_ioctl.h). */
struct live_exception {
    uint32_t type;    /* AMDGPU_EVENT_MEMORY, AMDGPU_EVENT_HW_EXCEPTION */
    uint64_t address; /* memory: of the page */
    bool not_present, read_only;
    bool is_reset; /* the GPU is reset, and its memory is lost */
};

/* The program's side.  All of it is called from within the functions below. */
struct live_program {
    /* Its memory, by the GPU's address; false: nothing is there. */
    bool (*read)(void *program, uint64_t va, void *data, size_t bytes);
    bool (*write)(void *program, uint64_t va, const void *data, size_t bytes);
    /* A kernel begins: its descriptor's address, and its arguments'. */
    void (*kernel)(void *program, uint64_t kernel, uint64_t arguments);
    /* An interrupt with the number of an event. */
    void (*event)(void *program, uint32_t event_id);
    /* Events of that type are set; their number. */
    uint32_t (*exception)(void *program, const struct live_exception *exception);
    void *program;
};

enum {
    LIVE_QUEUES_MAX = 1024,
    LIVE_RINGS_MAX = 4096,
    LIVE_WATCHES_MAX = 512,
    LIVE_MAPS_MAX = 16384
};

struct live_queue {
    bool used;
    uint32_t queue_id;  /* the recorder's */
    uint32_t kfd_queue; /* of the driver's table */
};

/* A store to a doorbell that is on its way. */
struct live_ring {
    uint32_t kfd_queue;
    uint64_t value;
};

/* A word that somebody waits for, as it was when it was looked at last. */
struct live_watch {
    uint64_t address;
    uint32_t aperture, unit, kind, value;
    uint64_t round; /* of looking */
};

/* An address that page tables have; of a mapping that an injected fault has lost they have none. */
struct live_map {
    uint64_t va, bytes; /* as they have it */
    uint64_t asked_va;  /* as the program does */
    bool lost;
};

struct live_kfd {
    struct live_machine base;
    struct machine *machine; /* the base's */
    const struct amd_chip *chip;
    struct amd_node node;
    struct inject_site site_rows[INJECT_SITES_MAX];
    struct inject_sites sites;
    uint32_t map_site; /* its number */
    struct machine_host host;
    struct live_program program;
    uint32_t unit, space_id, process;
    uint64_t round;
    uint32_t map_count; /* ever */
    bool is_called, was_exception;
    enum kfd_result called;
    uint32_t ring_first, ring_count, queue_count, watch_count, map_used;
    struct live_queue queues[LIVE_QUEUES_MAX];
    struct live_ring rings[LIVE_RINGS_MAX];
    struct live_watch watches[LIVE_WATCHES_MAX];
    struct live_map maps[LIVE_MAPS_MAX];
};

/* The sites that faults have here: AMD's (devices/amd/amd_inject.h), and those of this driver.
 * Fills the rows. */
struct inject_sites live_kfd_sites(struct inject_site rows[INJECT_SITES_MAX]);

/* A GPU by name with nothing in it; `faults` are texts of emu/inject.h.  Options: seed, parameters,
 * choices, log (borrowed; its head is written).  NULL with a message. */
struct live_kfd *live_kfd_new(const char *gpu, const struct simulation_options *options,
                              const char *const *faults, uint32_t fault_count,
                              const struct live_program *program, struct gfe_error *error);
void live_kfd_free(struct live_kfd *live);

/* What the program did at `now_ps` of the host's time, as the recorder tells it
 * (traces/format/trace.h): AS_MAP, AS_UNMAP, QUEUE, QUEUE_UPDATE, CU_MASK, QUEUE_END, DOORBELL;
 * nothing comes of others. 0, or a negative errno for the program, and then nothing was done.  The
 * thread that called should go on only after live->base.takes_ps. */
int live_kfd_do(struct live_kfd *live, gfe_ps now_ps, const struct trace_record *record);
/* Does all that is due.  *next_ps: by the host's time, when something is next; GFE_PS_NEVER when
 * nothing is.  True when a look at the program's memory may be worth while before that.  False with
 * a message when the emulation had to stop. */
bool live_kfd_run(struct live_kfd *live, gfe_ps now_ps, gfe_ps *next_ps, bool *waits,
                  struct gfe_error *error);
/* The GPU's counter (REFCLK), which time stamps of signals and copies are read from. */
uint64_t live_kfd_clock(const struct live_kfd *live, gfe_ps now_ps);
/* What still waits goes into the log, and its end. */
bool live_kfd_end(struct live_kfd *live, gfe_ps now_ps, struct gfe_error *error);

/* ---- between its parts ------------------------------------------------------------------------
 */

/* Everything that is due by then; returns the emulation's time. */
void live_kfd_flush_exception(struct live_kfd *live);
gfe_ps live_kfd_advance(struct live_kfd *live, gfe_ps now_ps);
/* live_kfd_watch.c: is somebody waiting for memory of the program?  Who sees it changed is told. */
bool live_kfd_look(struct live_kfd *live);
/* live_kfd_call.c */
void live_kfd_ring_now(struct live_kfd *live);

enum live_event { LIVE_NOW, LIVE_RING };

#endif
