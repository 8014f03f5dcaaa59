/* SPDX-License-Identifier: MIT */
/*
 * The resource manager: NVIDIA's own kernel driver as far as the front end sees it, over registers
 * and memory only, Pascal to Hopper.
 *
 * The model makes channels (instance block with RAMFC, USERD), puts them into time-slice groups
 * (TSGs), and puts these on runlists, with two buffers for each runlist.  It also recovers from
 * errors ("robust channels").  A machine at layer BUS has no driver.  With choice rm.recovery this
 * model answers the machine's interrupts, and tears down the TSG of any channel in error, even one
 * that it did not make.  For that it reads runlists at the addresses in the registers.
 *
 * Sources: open-gpu-kernel-modules 595.45 @df1c9a3d (kernel_rc.c, kernel_channel.c, kernel_fifo:
 * what a channel has; default timeslice); open-gpu-doc tu104 and ga100 dev_ram, dev_fifo and
 * dev_runlist; nvgpu common/fifo/runlist.c, hal/rc/rc_gv11b.c @6ecfb593 (interleaving, recovery).
 * The driver's firmware is not published.  ASSUMED: all addresses and times, that ids are given
 * lowest first, and that a TSG in error is torn down whole.  Not modelled: Xids other than 31, 32,
 * 45, 80 and 109; after a reset of the GPU, the driver's work on memory and its own channels.
 */
#ifndef GFE_FIRMWARE_MODELS_RM_RM_H
#define GFE_FIRMWARE_MODELS_RM_RM_H

#include "emu/engine/machine.h"
#include "firmware-models/extent.h"
#include "firmware-models/rm/rm_chip.h"

#define RM_NONE UINT32_MAX

enum {
    RM_ENGINES_MAX = 64,
    RM_RUNLISTS_MAX = 32,
    RM_TSGS_MAX = 256,
    RM_CHANNELS_MAX = 2048,
    RM_USERD_BYTES = 4096,          /* a page for each channel, except in BAR1's pool */
    RM_RUNLIST_BYTES = 1 << 20,     /* one of a runlist's two buffers */
    RM_RUNLIST_ENTRIES_MAX = 65535, /* what LENGTH can say, of 16 bytes */
    RM_SOFTWARE_MAX = 64,           /* software classes that channels have bound */
    RM_CONTEXT_INITS_MAX = 8,       /* CUDA contexts that are being initialised */
};

/* NVA06C_CTRL_INTERLEAVE_LEVEL_*. */
enum rm_interleave { RM_INTERLEAVE_LOW, RM_INTERLEAVE_MEDIUM, RM_INTERLEAVE_HIGH };

GFE_STATE_BEGIN
/* A device of PTOP that Host drives. */
struct rm_engine {
    uint32_t type, instance; /* TYPE_ENUM of dev_top */
    uint32_t engine_id;      /* Host's number; from Ampere on RLENG_ID, counted in its runlist */
    uint32_t runlist_id;
    uint32_t fault_id; /* RM_NONE: PTOP names none */
    uint32_t reset_id; /* RM_NONE: PTOP names none */
};

struct rm_runlist {
    uint64_t buffer; /* physical; two of them; EXTENT_NONE: no memory yet */
    uint32_t turn;   /* the buffer that was submitted last */
    uint32_t base;   /* from Ampere on: NV_RUNLIST in BAR0; RM_NONE: no engine named it */
};

struct rm_tsg {
    uint32_t used, tsg_id;
    uint32_t runlist_id, interleave;
    uint32_t timeout, scale; /* of its timeslice */
    uint32_t scheduled;      /* it is on its runlist */
    uint32_t reserved;
};

struct rm_channel {
    uint32_t used, chid;
    uint32_t tsg; /* index */
    uint32_t runqueue;
    uint64_t instance, userd; /* physical, video memory */
    uint64_t notifier;        /* physical, video memory: an NvNotification */
};

/* A teardown that is under way on a runlist, and the next. */
struct rm_recovery {
    uint32_t active, tsg_id; /* RM_NONE: a channel outside TSGs */
    uint32_t xid, channel_id;
    uint32_t has_next, next_tsg_id;
    uint32_t next_xid, next_channel_id;
    uint32_t polls, reset;    /* looks so far; 1: the engines that it was on have been reset */
    uint32_t innocent;        /* 1: torn down for another TSG's error, xid */
    uint32_t clears, because; /* 1: all TSGs are torn down after it, for this Xid */
    uint32_t reserved;
    gfe_ps since_ps;
};

/* A CUDA context that is being initialised (rm_context_init.c). */
struct rm_context_init {
    uint32_t used, channel; /* index */
    uint32_t piece, pieces; /* the next piece, and the number of pieces */
    uint64_t ring_physical;
    uint64_t physical, va; /* a page */
    gfe_ps since_ps;
};

/* A software class that a channel has bound to a subchannel. */
struct rm_software {
    uint32_t channel; /* 1 + number; 0: none */
    uint32_t runlist_id, subchannel, class_id;
};

struct rm_state {
    struct extents vram;
    uint64_t userd_pool; /* physical; EXTENT_NONE: not yet, or none is needed */
    uint32_t engine_count, runlist_count;
    uint32_t started, engines_told;
    struct rm_engine engines[RM_ENGINES_MAX];
    struct rm_runlist runlists[RM_RUNLISTS_MAX];
    uint32_t tsg_end, channel_end; /* ends of what was used of the next two */
    struct rm_tsg tsgs[RM_TSGS_MAX];
    struct rm_channel channels[RM_CHANNELS_MAX];
    struct rm_recovery recoveries[RM_RUNLISTS_MAX];
    struct rm_context_init inits[RM_CONTEXT_INITS_MAX];
    struct rm_software software[RM_SOFTWARE_MAX];
    uint32_t software_count, software_reserved; /* bound so far; the oldest are forgotten */
};
GFE_STATE_END

struct rm {
    struct machine *machine;
    const struct rm_chip *chip;
    uint32_t unit;
    bool recovers;
    bool is_bare;
    uint64_t lce_mask; /* logical copy engines that a physical one serves; 0: all */
    uint32_t chid_end; /* channels of the chip, from Ampere on of a runlist; 0: not told */
    struct rm_state *state;
};

/* What of video memory, at its end, is the model's own (ASSUMED). */
#define RM_VRAM_BYTES (UINT64_C(128) << 20)

/* Adds the model as a unit to a machine that is being wired.  With `recovers` it takes the
 * machine's interrupts, from the first event on.  chip_id is the value that PMC_BOOT_0 will have.
 * The last 128 MiB of video memory become its own.  Returns NULL with a message on error. */
struct rm *rm_new(struct machine *machine, uint32_t chip_id, bool recovers,
                  struct gfe_error *error);
/* The same for bare channels (firmware-models/bare), from Kepler on: no driver, so it takes no
 * interrupts and logs no steps of one. */
struct rm *rm_new_bare(struct machine *machine, uint32_t chip_id, struct gfe_error *error);
void rm_free(struct rm *rm);
/* Reads PTOP once; every function below does so itself.  Returns false, and fails the machine, if
 * the table makes no sense. */
bool rm_start(struct rm *rm);

/* ---- channel groups and channels (rm_channel.c) ---------------------------------------------- */

/* Encodes a timeslice for a runlist entry, as NVA06C_CTRL_CMD_SET_TIMESLICE does.  The slice is in
 * units of 1,024 ns, which the drivers call microseconds.  It is shifted right until it fits eight
 * bits; the bits that fall out are lost. */
void rm_timeslice_encode(uint64_t units, uint32_t *timeout, uint32_t *scale);
/* Makes a TSG with the default timeslice (rm.timeslice_units), not scheduled.  Returns its index,
 * or RM_NONE if there is no such runlist or no number is free. */
uint32_t rm_tsg_new(struct rm *rm, uint32_t runlist_id);
/* Set the timeslice and the interleave level.  They take effect with the runlist's next update,
 * which these functions make if the TSG is scheduled. */
void rm_tsg_set_timeslice(struct rm *rm, uint32_t tsg, uint64_t units);
void rm_tsg_set_interleave(struct rm *rm, uint32_t tsg, enum rm_interleave interleave);
/* Carries out NVA06C_CTRL_CMD_GPFIFO_SCHEDULE.  Enables the TSG's channels and puts it on its
 * runlist, or disables them and takes it off without waiting for its end.  Returns false if the
 * list is full. */
bool rm_tsg_schedule(struct rm *rm, uint32_t tsg, bool scheduled);

struct rm_channel_options {
    uint64_t page_directory; /* physical, video memory: the space's root */
    uint64_t gpfifo;         /* virtual */
    uint64_t context;        /* virtual: the graphics engine's image; 0: none */
    uint32_t gpfifo_entries; /* a power of two */
    uint32_t runqueue;
};
/* Makes a channel in a TSG that is not scheduled: instance block, RAMFC, USERD, notifier; and binds
 * it (CCSR).  Returns its index, or RM_NONE if there is no number, no memory, or the TSG is full.
 */
uint32_t rm_channel_new(struct rm *rm, uint32_t tsg, const struct rm_channel_options *options);
/* Stores GP_PUT and rings the doorbell as a program does. */
void rm_channel_kick(struct rm *rm, uint32_t channel, uint32_t gp_put);
/* Returns the channel's number as the events of the devices have it.  From Ampere on the upper half
 * is its runlist's number. */
uint32_t rm_channel_full_id(const struct rm *rm, uint32_t channel);
/* Returns the register with the channel's state, CCSR or CHRAM, by its numbers in hardware. */
uint32_t rm_channel_register(struct rm *rm, uint32_t runlist_id, uint32_t chid);
void rm_channel_enable(struct rm *rm, uint32_t runlist_id, uint32_t chid, bool enabled);

/* ---- runlists (rm_runlist.c) ----------------------------------------------------------------- */

/* A runlist as its registers describe it. */
struct rm_list {
    uint64_t base;
    uint32_t aperture, length;
};

struct rm_entry {
    bool is_tsg;
    uint32_t id, length; /* channels that follow a TSG */
    uint64_t instance;   /* of a channel; physical */
    uint32_t words[4];   /* as they stand in memory */
};

/* Finds the list that was submitted last.  Length 0 means that there is none. */
void rm_runlist_find(struct rm *rm, uint32_t runlist_id, struct rm_list *list);
/* Reads an entry of a list.  Returns false if the entry lies outside the memory. */
bool rm_runlist_entry(struct rm *rm, const struct rm_list *list, uint32_t index,
                      struct rm_entry *entry);
/* Writes the scheduled TSGs, interleaved by their levels, into the buffer that is not in use, and
 * submits it.  Returns false if there are too many entries, or no memory. */
bool rm_runlist_update(struct rm *rm, uint32_t runlist_id);
/* Submits a copy of the current list without a TSG or, if tsg_id is RM_NONE, without a channel
 * outside TSGs.  The current list may be one that this model did not write. */
bool rm_runlist_remove(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid);
/* Finds the channel that an instance block is bound to.  Returns false if none on a runlist is. */
bool rm_runlist_channel_of(struct rm *rm, uint64_t instance, uint32_t *runlist_id, uint32_t *tsg_id,
                           uint32_t *chid);
/* Finds a channel on a runlist by its number or, with RM_NONE, by its instance block; *tsg_id is
 * RM_NONE outside TSGs. */
bool rm_runlist_search(struct rm *rm, uint32_t runlist_id, uint32_t wanted, uint64_t instance,
                       uint32_t *tsg_id, uint32_t *chid);

/* ---- the channels of a CUDA context (rm_context.c) ------------------------------------------- */

enum {
    RM_CONTEXT_TSGS = 4,
    RM_CONTEXT_COPY = 4,         /* channels of each TSG but the first */
    RM_CONTEXT_COMPUTE = 8,      /* of the first, by default */
    RM_CONTEXT_COMPUTE_MAX = 32, /* CUDA_DEVICE_MAX_CONNECTIONS */
    RM_CONTEXT_CHANNELS = RM_CONTEXT_COMPUTE + (RM_CONTEXT_TSGS - 1) * RM_CONTEXT_COPY,
    RM_CONTEXT_CHANNELS_MAX = RM_CONTEXT_COMPUTE_MAX + (RM_CONTEXT_TSGS - 1) * RM_CONTEXT_COPY,
    RM_CONTEXT_RING_ENTRIES = 1024,
    RM_CONTEXT_HEAP_BYTES = 16 << 20,
};

/* Rings and pushbuffers of a context's channels lie one after the other. */
struct rm_context_channel {
    uint32_t channel; /* index */
    uint32_t is_compute;
    uint64_t ring_physical, ring_va; /* RM_CONTEXT_RING_ENTRIES of 8 bytes */
};

struct rm_cuda_context {
    uint32_t tsgs[RM_CONTEXT_TSGS];        /* indices: compute, then three of copies */
    uint32_t compute_count, channel_count; /* compute channels come first */
    uint32_t copy_count, reserved;         /* of each TSG of copies */
    struct rm_context_channel channels[RM_CONTEXT_CHANNELS_MAX];
    uint32_t space_id;                           /* the machine's */
    uint64_t heap_physical, heap_va, heap_bytes; /* video memory mapped for pushbuffers and data */
    uint64_t init_physical, init_va;             /* a page for its initialisation */
};

/* What a CUDA context has in the GPU.  By default that is a TSG with eight compute channels on the
 * graphics engine's runlist (SET_TIMESLICE rm.compute_timeslice_units), and three TSGs with four
 * channels each on copy engines' own runlists, all scheduled. */
struct rm_context_options {
    uint32_t compute_count; /* 1 to RM_CONTEXT_COMPUTE_MAX */
    uint32_t copy_count;    /* of each of the other TSGs, 1 to RM_CONTEXT_COPY */
    uint64_t heap_bytes;    /* in whole pages; 0: RM_CONTEXT_HEAP_BYTES */
    /* True if the context launches nothing: its channels are "copy-exclusive".  INFERRED: the
     * runtime sets the slice of a context that computes, so where copies share the compute TSG, as
     * on a TX2, a context that only copies keeps the default (Bakita and Anderson 2024, s. V-C). */
    bool copies_only;
    /* NULL, or a context whose TSGs the new channels join.  The new context is then a subcontext
     * with an address space of its own, like those of clients of MPS from Volta on. */
    const struct rm_cuda_context *server;
};
/* Makes the channels of a CUDA context.  Returns false, and fails the machine, if there is no room.
 */
bool rm_cuda_context_build_with(struct rm *rm, struct rm_cuda_context *context,
                                const struct rm_context_options *options);
/* Initialises a context from now on, for rm.context_init_ps (B.D1; rm_context_init.c).  The
 * initialisation takes the first rm.context_init_pieces GP entries of the last compute channel.
 * That channel is free once RM_CONTEXT_READY stands in the log; the others may be used before.
 * Returns false, and fails the machine, if there are more than 64 pieces, or too many contexts are
 * being made. */
bool rm_cuda_context_init(struct rm *rm, const struct rm_cuda_context *context);
/* Allocates device-mapped memory for a context.  If it is large (rm.large_allocation_bytes), the
 * graphics engine is needed once with the context (B.D1): that takes GP entry `put` of the last
 * compute channel.  Returns true if it does. */
bool rm_cuda_context_allocate(struct rm *rm, const struct rm_cuda_context *context, uint32_t put,
                              uint64_t bytes);

/* ---- recovery (rm_recover.c, rm_interrupt.c) ------------------------------------------------- */

/* Numbers of nverror.h: ROBUST_CHANNEL_*. */
enum {
    RM_XID_GR_EXCEPTION = 13,
    RM_XID_FIFO_ERROR_MMU_ERR_FLT = 31,
    RM_XID_PBDMA_ERROR = 32,
    RM_XID_PREEMPTIVE_REMOVAL = 45,
    RM_XID_PBDMA_CRC_MISMATCH = 80,
    RM_XID_CTXSW_TIMEOUT_ERROR = 109,
};

/* Numbers in EVENT_RM_XID_MMU_FAULT.  `engine` is the kind plus the engine's number.  `access` is
 * the register's value, on Pascal RM_FAULT_OLD_ACCESS plus it. */
enum {
    RM_FAULT_GRAPHICS = 0,
    RM_FAULT_HOST = 256,
    RM_FAULT_CE = 512,
    RM_FAULT_OTHER = 1024, /* + the MMU's number */
    RM_FAULT_OLD_ACCESS = 32,
};

struct rm_pbdma {
    uint32_t base; /* of its registers in BAR0 */
    uint32_t number;
    uint32_t runlist_id; /* from Ampere on; else RM_NONE */
};

/* Finds the n-th PBDMA.  Returns false if there are fewer. */
bool rm_pbdma_find(struct rm *rm, uint32_t n, struct rm_pbdma *pbdma);
/* Returns the number of PBDMAs that serve a runlist: its runqueues. */
uint32_t rm_runqueue_count(struct rm *rm, uint32_t runlist_id);
/* Tears down the TSG of a channel, or the channel alone if tsg_id is RM_NONE.  Begins now, or after
 * the teardown that is under way on the runlist. */
void rm_recover(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid, uint32_t xid);
/* Tears down a TSG without an error of its own, for the Xid of another.  No teardown may be under
 * way (asserted). */
void rm_recover_innocent(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid,
                         uint32_t xid);
/* Checks whether the TSG has left its PBDMAs and engines, and goes on with the teardown then. */
void rm_recover_step(struct rm *rm, uint32_t runlist_id);
/* rm_interrupt_start() enables interrupts.  rm_interrupt() is called when the interrupt line rises.
 * rm_interrupt_handler() is the driver's handler, and rm_interrupt_pbdmas() its part for PBDMAs. */
void rm_interrupt_start(struct rm *rm);
void rm_interrupt(void *rm);
void rm_interrupt_handler(struct rm *rm);
void rm_interrupt_pbdmas(struct rm *rm);
/* rm_reset.c: rm_reset_engine() switches an engine off and on that a TSG in error is still on.
 * rm_reset_gpu() resets all engines and begins to tear down all TSGs of all runlists;
 * rm_reset_clear() tears down the next of them. */
void rm_reset_engine(struct rm *rm, const struct rm_engine *engine, uint32_t tsg_id);
void rm_reset_gpu(struct rm *rm, uint32_t runlist_id);
void rm_reset_clear(struct rm *rm, uint32_t runlist_id);
/* rm_gr.c: rm_gr_start() enables the graphics engine's interrupts, rm_gr_interrupt() handles them.
 */
void rm_gr_start(struct rm *rm);
void rm_gr_interrupt(struct rm *rm);
/* rm_software.c: returns true if the driver answers the method in METHOD0 of a PBDMA that raised
 * DEVICE: it binds one of its software classes, or goes to one that is bound. */
bool rm_software_answers(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t chid);
/* rm_timeout.c: handle context switches that took too long, by INTR_0 of PFIFO or of a runlist. */
void rm_timeouts_pfifo(struct rm *rm, uint32_t intr_0);
void rm_timeouts_runlist(struct rm *rm, uint32_t runlist_id, uint32_t intr_0);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum rm_event { RM_INTERRUPT, RM_RECOVER, RM_CONTEXT_INIT };
/* Sends the next piece of a context's initialisation. */
void rm_context_init_step(struct rm *rm, uint32_t index);

/* rm_top.c */
bool rm_top_read(struct rm *rm);
/* Returns the runlist of the n-th engine of that type.  Engines that share a runlist with a
 * graphics engine do not count, unless the type is graphics.  RM_NONE means that there are fewer.
 */
uint32_t rm_top_runlist(const struct rm *rm, uint32_t type, uint32_t n);
/* Returns the engine with that id at the MMU; NULL means that there is none. */
const struct rm_engine *rm_top_by_fault_id(const struct rm *rm, uint32_t fault_id);
/* rm.c: writes a word of video memory as the CPU does. */
void rm_poke(struct rm *rm, uint64_t address, uint32_t value);
/* Takes whole pages of video memory and returns their address; EXTENT_NONE means that none is free.
 */
uint64_t rm_take(struct rm *rm, uint64_t bytes);
/* Zeroes video memory. */
void rm_clear(struct rm *rm, uint64_t address, uint64_t bytes);

#endif
