/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU, its firmware and its kernel driver, emulated below a program while it runs.  `gfe
 * live` preloads it (emu/live/live_preload.c).
 *
 *     program -> ROCr -> calls, doorbells (record_kfd.h) -> live_kfd -> amd_node -> amd_mec ...
 *             <- memory, events, errors of calls <-------------'
 *
 * The GPU sees the program's own memory (emu/engine/machine.h, struct machine_host).  Packets,
 * signals and data are the same bytes for both, at the addresses that the program gave them.  If
 * the program waits for a signal, the emulation writes it when its time has come.
 *
 * The emulation's time is the host's, counted from the start of the recording.  Work that is due is
 * done at the next live_kfd_run() or call.  An emulation that is slower than its model lags and
 * goes on from there.  A call of the driver that takes time (such as making a queue, which takes
 * the list off and puts it on again) is done at once.  Its thread then waits for that time before
 * it returns. If the driver waits for seconds, for firmware that does not answer, the thread waits
 * only for LIVE_TAKES_MAX_PS; the emulation's clock is then ahead of the host's.
 *
 * Kernels of the program are not executed: they take their time, and change nothing.  Kernels that
 * ROCr brings for copies and fills have their effect when they begin.
 *
 * Each run looks for stores of the program to memory that packets wait for.  ASSUMED: a packet's
 * wait does not miss a word that changes and changes back in between; read-modify-write operations
 * of the GPU (signals, atomics) are not atomic against the program's.
 *
 * Faults (emu/faults/inject.h): the sites of the engine, AMD's (devices/amd/amd_inject.h), and of
 * this driver doorbell and map.
 *
 * Not modelled: several GPUs, several processes on one (each has its own), PM4 queues, the GPU
 * after a reset (its calls fail).
 */
#ifndef GFE_EMU_LIVE_LIVE_KFD_H
#define GFE_EMU_LIVE_LIVE_KFD_H

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

/* Callbacks to the program's side.  The functions below call them. */
struct live_program {
    /* Read and write the program's memory by the GPU's address.  Return false if nothing is mapped
     * there. */
    bool (*read)(void *program, uint64_t va, void *data, size_t bytes);
    bool (*write)(void *program, uint64_t va, const void *data, size_t bytes);
    /* Carries out a kernel that begins, by the addresses of its descriptor and its arguments. */
    void (*kernel)(void *program, uint64_t kernel, uint64_t arguments);
    /* Delivers an interrupt with the number of an event. */
    void (*event)(void *program, uint32_t event_id);
    /* Sets all events of that type, and returns their number. */
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

/* A word that a unit waits for, with its value at the last look. */
struct live_watch {
    uint64_t address;
    uint32_t aperture, unit, kind, value;
    uint64_t round; /* number of the last look */
};

/* A mapping in the page tables; a mapping that an injected fault has lost is not in them. */
struct live_map {
    uint64_t va, bytes; /* the mapping in the page tables */
    uint64_t asked_va;  /* the address that the program asked for */
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

/* Fills the rows of the sites for faults: AMD's (devices/amd/amd_inject.h), and those of this
 * driver.
 */
struct inject_sites live_kfd_sites(struct inject_site rows[INJECT_SITES_MAX]);

/* Makes an empty GPU, by its name.  `faults` are texts of emu/faults/inject.h.  Options: seed,
 * parameters, choices, log (borrowed; its head is written).  Returns NULL with a message on error.
 */
struct live_kfd *live_kfd_new(const char *gpu, const struct simulation_options *options,
                              const char *const *faults, uint32_t fault_count,
                              const struct live_program *program, struct gfe_error *error);
void live_kfd_free(struct live_kfd *live);

/* Carries out an action of the program at `now_ps` of the host's time, as a record of the recorder
 * (traces/format/trace.h): AS_MAP, AS_UNMAP, QUEUE, QUEUE_UPDATE, CU_MASK, QUEUE_END, DOORBELL;
 * others have no effect.  Returns 0, or a negative errno for the program if nothing was done.  The
 * calling thread should go on only after live->base.takes_ps. */
int live_kfd_do(struct live_kfd *live, gfe_ps now_ps, const struct trace_record *record);
/* Does all work that is due.  *next_ps is the host's time of the next work; `GFE_PS_NEVER` means
 * that there is none.  *waits is true if a look at the program's memory may be useful before that.
 * Returns false with a message if the emulation had to stop. */
bool live_kfd_run(struct live_kfd *live, gfe_ps now_ps, gfe_ps *next_ps, bool *waits,
                  struct gfe_error *error);
/* Returns the GPU's counter (REFCLK), the source of time stamps of signals and copies. */
uint64_t live_kfd_clock(const struct live_kfd *live, gfe_ps now_ps);
/* Logs the open waits and the end. */
bool live_kfd_end(struct live_kfd *live, gfe_ps now_ps, struct gfe_error *error);

/* ---- between its parts ------------------------------------------------------------------------
 */

void live_kfd_flush_exception(struct live_kfd *live);
/* Does all work that is due by then.  Returns the emulation's time. */
gfe_ps live_kfd_advance(struct live_kfd *live, gfe_ps now_ps);
/* live_kfd_watch.c: wakes the units whose awaited words of the program's memory have changed.
 * Returns true if there was any unit that waits for such a word. */
bool live_kfd_look(struct live_kfd *live);
/* live_kfd_call.c */
void live_kfd_ring_now(struct live_kfd *live);

enum live_event { LIVE_NOW, LIVE_RING };

#endif
