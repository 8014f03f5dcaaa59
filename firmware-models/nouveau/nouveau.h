/* SPDX-License-Identifier: MIT */
/*
 * The nouveau kernel driver, Linux 6.2 to about 6.15, on Kepler to Turing.  The model turns the
 * requests of a user-mode driver (memory objects, channels, pushes) into the register and memory
 * writes that the real driver makes.  nouveau_chip.h has the differences between chips; the
 * following describes Pascal.
 *
 * A channel gets an instance block with RAMFC (gk104_chan_ramfc's values), and a USERD page slot
 * seen through BAR1.  One buffer in system memory holds the kernel's own 64 KiB push buffer, and
 * the GPFIFO of 1024 entries after it.  The channel has a TSG of its own with timeslice 128 << 3.
 * The driver then makes the CCSR bind, the enable and a runlist update, in that order.  A
 * submission takes one GP entry and one GP_PUT store for each push, then one more of each for the
 * fence that the kernel adds.  The driver answers PFIFO's interrupts.  Clients that manage their
 * addresses themselves (VM_INIT) submit jobs instead: nouveau_job.h.
 *
 * Sources (nouveau's MIT-licensed code, read as facts): nouveau_dma.c, nouveau_chan.c in
 * intel-lab-lkp/linux @375a9d04b874eb94df07d7dbe9f7e77a2382af0d; nvkm/engine/fifo gk104.c
 * @3499af52, gf100.c @c8d4849a, gk110.c and uchan.c @0604aa87, gp100.c @06db7fde; nvc0_fence.c
 * @3499af52; sw/chan.c
 * @2c55d703, sw/gf100.c @01d64afc.
 *
 * With choice nouveau.recovery the driver gives a channel up and resets the engine after an MMU
 * fault, and when an engine does not end a context switch (nouveau_recover.c, nouveau_fault.c).
 *
 * ASSUMED: every virtual and physical address that it chooses, all its times.  Not modelled:
 * engines other than graphics (such a channel is refused), page tables in memory, buffer validation
 * and eviction; from Volta on, USERD that user space allocates (it lies in the same pool as before)
 * and the buffer for methods of faulted copies; on Turing, the tree of interrupts above PFIFO's,
 * and the register that switches the doorbell on.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_H

#include "firmware-models/driver.h"
#include "emu/engine/machine.h"
#include "firmware-models/extent.h"
#include "firmware-models/nouveau/nouveau_chip.h"
#include "firmware-models/nouveau/nouveau_fence.h"
#include "firmware-models/nouveau/nouveau_job.h"

enum {
    NOUVEAU_OBJECTS_MAX = 16384,
    NOUVEAU_SPACES_MAX = 1000,
    NOUVEAU_RING_ENTRIES_MAX = 2048, /* so that the ring of fences is not overtaken */
    NOUVEAU_QUEUE_MAX = 64,          /* threads that wait for the driver's lock */
    NOUVEAU_RUNLISTS = 16,
    NOUVEAU_ENGINES = 32,
    NOUVEAU_FAULT_PACKETS_MAX = 512, /* of the buffer for MMU faults */
    NOUVEAU_FENCES = 2048,           /* submissions remembered per channel */
    NOUVEAU_SPANS_MAX = 16,          /* of a channel; older ones are merged */
};

GFE_STATE_BEGIN
/* A memory object of the program in one address space; in another it has an entry of its own, with
 * the same memory. */
struct nouveau_object {
    uint64_t va, size_bytes, physical;
    uint32_t handle, as_id;
    uint32_t aperture, used;
};

/* The addresses of a submission's commands: all its pushes, from the lowest address to the highest.
 */
struct nouveau_span {
    uint64_t begin, end;  /* virtual; of a client that binds memory itself nouveau_physical_key() */
    uint32_t fence_value; /* of the fence after it */
    uint32_t reserved;
};

struct nouveau_spans {
    struct nouveau_span span[NOUVEAU_SPANS_MAX]; /* oldest first */
    uint32_t count;
    uint32_t reserved;
};

/* How far the recovery of a channel's group is (nvkm cgrp.h). */
enum nouveau_rc { NOUVEAU_RC_NONE, NOUVEAU_RC_PENDING, NOUVEAU_RC_RUNNING };

struct nouveau_channel {
    uint32_t used, user_id; /* user_id: the number that the program knows */
    uint32_t tsg_id, runlist_id;
    uint32_t as_id, space_id;
    uint64_t instance;     /* physical, video memory */
    gfe_ps going_since_ps; /* while `going` */
    uint64_t buffer;       /* physical, system memory: push buffer and GPFIFO */
    uint64_t buffer_va, context_va, context_physical;
    uint32_t put;         /* next free GP entry */
    uint32_t fence_value; /* of the last fence */
    uint32_t killed;      /* given up after an error: none of its work completes any more */
    uint32_t removed;     /* off its runlist, by recovery */
    uint32_t recovery;    /* enum nouveau_rc */
    uint32_t reserved;
    uint32_t has_software_object;
    uint32_t going; /* 1 + the thread that waits for it to leave its PBDMA; 0: none */
    uint64_t gp_sequence;
    uint64_t fence_physical, fence_va;
    struct nouveau_spans spans;                 /* of the last submissions */
    uint32_t fence_submissions[NOUVEAU_FENCES]; /* submission of fence value i % NOUVEAU_FENCES */
};

/* The submission that holds the driver's lock. */
struct nouveau_submission {
    uint32_t active;
    uint32_t thread_index; /* the thread that the record belongs to */
    uint32_t channel;      /* index into channels */
    uint32_t next_push;
    gfe_ps ring_wait_from_ps; /* GFE_PS_NEVER = is not waiting */
};

/* An engine as PTOP describes it.  NOUVEAU_NO_ID means that PTOP names no such id. */
struct nouveau_engine {
    uint32_t engine_id, runlist_id, reset_id, fault_id;
};

struct nouveau_runlist {
    uint32_t blocked;          /* how often it was blocked; SCHED_DISABLE is off at 0 */
    uint32_t pending, running; /* groups that wait for the worker; groups that it recovers now */
    uint32_t triggered;        /* faults that the driver asked for, and that have not come yet */
    gfe_ps stopped_ps;         /* when the first of them was flagged */
    gfe_ps since_ps;           /* of the worker's run */
};

struct nouveau_waiter {
    uint32_t thread_index, reserved;
    gfe_ps since_ps;
};

struct nouveau_state {
    struct extents vram, sysmem;
    uint64_t userd_pool, userd_bar1; /* physical, and offset in BAR1 */
    uint64_t runlist_memory[NOUVEAU_RUNLISTS];
    uint32_t runlist_turn[NOUVEAU_RUNLISTS];
    uint32_t runlist_rotation[NOUVEAU_RUNLISTS];
    uint64_t fence_memory;
    uint32_t engine_count, fault_packets; /* in the buffer for MMU faults; 0: there is none */
    struct nouveau_engine engines[NOUVEAU_ENGINES];
    struct nouveau_runlist runlists[NOUVEAU_RUNLISTS];
    uint32_t object_count;
    uint32_t queue_count;
    uint32_t interrupt_pending;
    uint32_t orphan_count;
    uint32_t object_space, reserved;          /* of TRACE_AS_OBJECTS: no channel has it; 0 = none */
    uint32_t space_ids[NOUVEAU_SPACES_MAX];   /* by as_id; 0 = none (0 is BAR1's) */
    uint32_t space_is_vm[NOUVEAU_SPACES_MAX]; /* 1: its client manages it */
    uint64_t space_kernel_va[NOUVEAU_SPACES_MAX]; /* where the kernel's part begins */
    struct nouveau_submission submission;
    struct nouveau_waiter queue[NOUVEAU_QUEUE_MAX];
    struct nouveau_channel channels[NOUVEAU_CHANNELS_MAX];
    struct nouveau_object objects[NOUVEAU_OBJECTS_MAX]; /* sorted by handle, then space */
    struct nouveau_object orphans[NOUVEAU_ORPHANS_MAX]; /* their handles are gone */
    struct nouveau_jobs jobs;
};
GFE_STATE_END

struct nouveau {
    struct machine *machine;
    struct driver_client client;
    /* Returns the record of the call that a thread of the replay is in: SUBMIT, EXEC or VM_BIND.
     * MARK means that the trace can no longer be read and the run stops. */
    const struct trace_record *(*record)(void *context, uint32_t thread_index);
    const struct nouveau_chip *chip;
    uint32_t unit;
    /* Objects lie in the program's own memory (struct machine_host), by address. */
    bool host_memory;
    struct nouveau_state *state;
};

/* Adds the driver as a unit to a machine that is being wired, and takes the machine's interrupts.
 * chip_id is the value that PMC_BOOT_0 will have.  Returns NULL with a message on error. */
struct nouveau *nouveau_new(struct machine *machine, uint32_t chip_id, struct gfe_error *error);
void nouveau_free(struct nouveau *nouveau);
/* Checks the parameters once they are set.  Returns false with a message if the driver cannot run
 * with them. */
bool nouveau_check_parameters(const struct nouveau *nouveau, struct gfe_error *error);
/* Returns the driver's interface for the replay. */
struct driver nouveau_driver(struct nouveau *nouveau);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum nouveau_event {
    NOUVEAU_SUBMIT_STEP,
    NOUVEAU_INTERRUPT,
    NOUVEAU_RING_MOVED,
    NOUVEAU_TEARDOWN,
    NOUVEAU_JOB_STEP,
    NOUVEAU_BIND_CALL,
    NOUVEAU_BIND_RETURN,
    NOUVEAU_WAKE,
    NOUVEAU_RECOVER,
};
enum { NOUVEAU_NO_ID = 0xffff };

/* nouveau_channel.c */
bool nouveau_channel_create(void *nouveau, const struct trace_channel *record);
bool nouveau_channel_destroy(void *nouveau, const struct trace_channel_end *record,
                             uint32_t thread_index);
/* Checks whether a channel that is going has left its PBDMA, and ends it then. */
void nouveau_channel_teardown(struct nouveau *nouveau, uint32_t channel_id);
bool nouveau_object_create(void *nouveau, const struct trace_object *record);
/* Returns the channel that the program calls user_id; NULL means that there is none. */
struct nouveau_channel *nouveau_channel_by_user(struct nouveau *nouveau, uint32_t user_id);
/* Rings the doorbell, on chips that have one. */
void nouveau_ring(struct nouveau *nouveau, const struct nouveau_channel *channel);
/* Returns the hardware channel number. */
uint32_t nouveau_channel_id(const struct nouveau *nouveau, const struct nouveau_channel *channel);
/* Returns the number of its channel group as the driver prints it; GK104 has no groups. */
uint32_t nouveau_group_id(const struct nouveau *nouveau, const struct nouveau_channel *channel);
/* Writes a new runlist into the buffer that is not in use, and submits it.  Each update starts one
 * TSG later than the one before (nv50_runl_update). */
void nouveau_runlist_update(struct nouveau *nouveau, uint32_t runlist_id);
/* Gives a channel up (nvkm_chan_error and nouveau_channel_killed): disables it, and ends all waits
 * for its fences.  intr_bits are the interrupt bits of the PBDMA that caused it. */
void nouveau_channel_kill(struct nouveau *nouveau, struct nouveau_channel *channel, uint32_t rule,
                          uint32_t intr_bits);
/* nouveau_submit.c */
bool nouveau_submit(void *nouveau, const struct trace_submit *record, uint32_t thread_index);
bool nouveau_exec(void *nouveau, const struct trace_exec *record, uint32_t thread_index);
void nouveau_submit_step(struct nouveau *nouveau);
/* Puts a push of a job into the channel's ring. */
void nouveau_submit_push(struct nouveau *nouveau, struct nouveau_channel *channel,
                         const struct nouveau_item *push, uint32_t submission_id);
/* Puts the job's fence into the channel's ring, and returns the fence's value. */
uint32_t nouveau_submit_fence(struct nouveau *nouveau, struct nouveau_channel *channel,
                              uint32_t submission_id);
/* Handles a write of GP_GET of the ring that a submission waits for. */
void nouveau_ring_moved(struct nouveau *nouveau);
void nouveau_submit_finish(struct nouveau *nouveau);
/* Returns true if the driver reports what the call of that thread waits for (driver_ops). */
bool nouveau_reports(void *driver, uint32_t thread_index);
/* Finds the last of a channel's submissions up to last_id that is not in the ring yet.  Returns how
 * many fences later its fence will be, and sets *submission_id.  0 means that there is none. */
uint32_t nouveau_in_flight(struct nouveau *nouveau, const struct nouveau_channel *channel,
                           uint32_t last_id, uint32_t *submission_id);
/* nouveau.c */
void nouveau_arm(void *nouveau);
/* nouveau_interrupt.c */
void nouveau_interrupt(void *nouveau);
void nouveau_interrupt_handler(struct nouveau *nouveau);
/* Handles errors of PFIFO itself: reads the code, logs it, and acknowledges the interrupt. */
void nouveau_fifo_error(struct nouveau *nouveau, uint32_t bits, uint32_t code_register);
/* nouveau_top.c */
void nouveau_top_read(struct nouveau *nouveau);
/* Returns the engine with that id at the MMU; NULL means that there is none. */
const struct nouveau_engine *nouveau_engine_by_fault(const struct nouveau *nouveau,
                                                     uint32_t fault_id);
/* nouveau_fault.c: nouveau_faults_start() sets up the registers and the buffer.  nouveau_faults()
 * handles the faults that an interrupt may be for; `pending` is what is pending in PFIFO's INTR_0.
 */
void nouveau_faults_start(struct nouveau *nouveau);
void nouveau_faults(struct nouveau *nouveau, uint32_t pending);
/* nouveau_recover.c: schedules the recovery of the channel's group (nvkm_runl_rc_cgrp).  Does
 * nothing without choice nouveau.recovery. */
void nouveau_recover_channel(struct nouveau *nouveau, struct nouveau_channel *channel);
/* Handle a context switch that took too long: of any engine up to Volta, of the engines in the mask
 * on Turing. */
void nouveau_recover_timeouts(struct nouveau *nouveau);
void nouveau_recover_timeouts_info(struct nouveau *nouveau, uint32_t engines);
/* Returns true if the driver itself asked for the fault of that MMU engine. */
bool nouveau_recover_triggered(struct nouveau *nouveau, uint32_t fault_id);
/* Runs the worker of a runlist. */
void nouveau_recover_step(struct nouveau *nouveau, uint32_t runlist_id);
/* nouveau_memory.c */
bool nouveau_as_create(void *nouveau, const struct trace_as_create *record);
bool nouveau_as_map(void *nouveau, const struct trace_as_map *record);
bool nouveau_as_unmap(void *nouveau, const struct trace_as_unmap *record);
bool nouveau_store(void *nouveau, const struct trace_mem *record);
const struct nouveau_object *nouveau_object_find(const struct nouveau *nouveau, uint32_t as_id,
                                                 uint32_t handle);
/* nouveau_overwrite.c */
bool nouveau_overwrites(void *nouveau, const struct trace_mem *record, struct driver_fence *fence);
/* Notes the addresses of a push that goes into the ring for the submission that is being made. */
void nouveau_note_span(struct nouveau_channel *channel, uint64_t va, uint64_t bytes);
/* Like nouveau_note_span(), for a channel whose client binds memory itself.  It notes physical
 * addresses, because the memory there may have other virtual addresses. */
void nouveau_note_physical(struct nouveau *nouveau, struct nouveau_channel *channel, uint64_t va,
                           uint64_t bytes);
/* Writes a word of video or system memory as the CPU does. */
void nouveau_poke(struct nouveau *nouveau, enum memory_aperture aperture, uint64_t address,
                  uint32_t value);

#endif
