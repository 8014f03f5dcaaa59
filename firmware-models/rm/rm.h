/* SPDX-License-Identifier: MIT */
/*
 * The resource manager: NVIDIA's own kernel driver as far as the front end sees it, over registers
 * and memory only, Pascal to Hopper.
 *
 * It makes channels (instance block with RAMFC, USERD), puts them into time-slice groups (TSGs) and
 * these on runlists, of which it keeps two buffers each; and it recovers from errors ("robust
 * channels").  A machine at layer BUS has no driver; with choice rm.recovery this one answers its
 * interrupts, and tears down the TSG of any channel in error, whoever made it: runlists are read
 * where the registers say that they are.
 *
 * Sources: open-gpu-kernel-modules 595.45 @df1c9a3d (kernel_rc.c, kernel_channel.c, kernel_fifo:
 * what a channel has; default timeslice); open-gpu-doc tu104 and ga100 dev_ram, dev_fifo and
 * dev_runlist; nvgpu common/fifo/runlist.c, hal/rc/rc_gv11b.c @6ecfb593 (interleaving, recovery).
 * What the driver's firmware does is not published: ASSUMED are all addresses and times, that ids
 * are given lowest first, and that a TSG in error is torn down whole.
 */
#ifndef GFE_FIRMWARE_MODELS_RM_H
#define GFE_FIRMWARE_MODELS_RM_H

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
    uint32_t fault_id; /* RM_NONE: none is told */
    uint32_t reset_id; /* likewise */
};

struct rm_runlist {
    uint64_t buffer; /* physical; two of them; EXTENT_NONE: no memory yet */
    uint32_t turn;   /* which of them was submitted last */
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
    uint32_t polls, reset;    /* 1: what it was on has been reset */
    uint32_t innocent;        /* 1: torn down for another's error, xid */
    uint32_t clears, because; /* 1: so are all that follow, for this Xid */
    uint32_t reserved;
    gfe_ps since_ps;
};

/* A CUDA context that is being initialised (rm_context_init.c). */
struct rm_context_init {
    uint32_t used, channel; /* index */
    uint32_t piece, pieces; /* the next, and how many there are */
    uint64_t ring_physical;
    uint64_t physical, va; /* a page */
    gfe_ps since_ps;
};

struct rm_state {
    struct extents vram;
    uint64_t userd_pool; /* physical; EXTENT_NONE: not yet, or none is needed */
    uint32_t engine_count, runlist_count;
    uint32_t started, engines_told;
    struct rm_engine engines[RM_ENGINES_MAX];
    struct rm_runlist runlists[RM_RUNLISTS_MAX];
    struct rm_tsg tsgs[RM_TSGS_MAX];
    struct rm_channel channels[RM_CHANNELS_MAX];
    struct rm_recovery recoveries[RM_RUNLISTS_MAX];
    struct rm_context_init inits[RM_CONTEXT_INITS_MAX];
};
GFE_STATE_END

struct rm {
    struct machine *machine;
    const struct rm_chip *chip;
    uint32_t unit;
    bool recovers;
    uint64_t lce_mask; /* logical copy engines that a physical one serves; 0: all */
    uint32_t chid_end; /* channels of the chip, from Ampere on of a runlist; 0: not told */
    struct rm_state *state;
};

/* Joins a machine that is being wired as a unit; with `recovers` it takes its interrupts, from the
 * first event on.  chip_id is what PMC_BOOT_0 will say.  The last 128 MiB of video memory become
 * its own.  NULL with a message. */
struct rm *rm_new(struct machine *machine, uint32_t chip_id, bool recovers,
                  struct gfe_error *error);
void rm_free(struct rm *rm);
/* Reads PTOP, once; every function below does so itself.  False, with the machine failed, when the
 * table makes no sense. */
bool rm_start(struct rm *rm);

/* ---- channel groups and channels (rm_channel.c) ---------------------------------------------- */

/* NVA06C_CTRL_CMD_SET_TIMESLICE: the fields of a runlist entry for a slice in units of 1,024 ns,
 * which the drivers call microseconds: shifted right until it fits eight bits, what falls out is
 * lost. */
void rm_timeslice_encode(uint64_t units, uint32_t *timeout, uint32_t *scale);
/* A TSG with the default timeslice (rm.timeslice_units), not scheduled.  Its index, RM_NONE: no
 * such runlist, or no number is free. */
uint32_t rm_tsg_new(struct rm *rm, uint32_t runlist_id);
/* Take effect with the runlist's next update, which they make if the TSG is scheduled. */
void rm_tsg_set_timeslice(struct rm *rm, uint32_t tsg, uint64_t units);
void rm_tsg_set_interleave(struct rm *rm, uint32_t tsg, enum rm_interleave interleave);
/* NVA06C_CTRL_CMD_GPFIFO_SCHEDULE: enables its channels and puts it on its runlist; or disables
 * them and takes it off, without waiting for its end.  False: no room in the list. */
bool rm_tsg_schedule(struct rm *rm, uint32_t tsg, bool scheduled);

struct rm_channel_options {
    uint64_t page_directory; /* physical, video memory: the space's root */
    uint64_t gpfifo;         /* virtual */
    uint64_t context;        /* virtual: the graphics engine's image; 0: none */
    uint32_t gpfifo_entries; /* a power of two */
    uint32_t runqueue;
};
/* A channel in a TSG that is not scheduled: instance block, RAMFC, USERD, notifier; bound (CCSR).
 * Its index, RM_NONE: no number, no memory, or the TSG is full. */
uint32_t rm_channel_new(struct rm *rm, uint32_t tsg, const struct rm_channel_options *options);
/* Stores GP_PUT and rings as a program does. */
void rm_channel_kick(struct rm *rm, uint32_t channel, uint32_t gp_put);
/* Its number as the events of the devices have it: from Ampere on with its runlist's in the upper
 * half. */
uint32_t rm_channel_full_id(const struct rm *rm, uint32_t channel);
/* The register with the channel's state, CCSR or CHRAM, by its numbers in hardware. */
uint32_t rm_channel_register(struct rm *rm, uint32_t runlist_id, uint32_t chid);
void rm_channel_enable(struct rm *rm, uint32_t runlist_id, uint32_t chid, bool enabled);

/* ---- runlists (rm_runlist.c) ----------------------------------------------------------------- */

/* A list as its registers name it. */
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

/* The list that was submitted last; length 0: none. */
void rm_runlist_find(struct rm *rm, uint32_t runlist_id, struct rm_list *list);
/* False: it lies outside the memory. */
bool rm_runlist_entry(struct rm *rm, const struct rm_list *list, uint32_t index,
                      struct rm_entry *entry);
/* Writes the scheduled TSGs, interleaved by their levels, into the buffer that is not in use, and
 * submits it.  False: there are too many entries, or no memory. */
bool rm_runlist_update(struct rm *rm, uint32_t runlist_id);
/* The same of the list that is submitted, whoever wrote it, without a TSG or, where tsg_id is
 * RM_NONE, without a channel outside TSGs. */
bool rm_runlist_remove(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid);
/* Which channel an instance block is bound to; false: none that is on a runlist. */
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

/* What making a CUDA context leaves in the GPU: a TSG with eight compute channels on the graphics
 * engine's runlist (SET_TIMESLICE rm.compute_timeslice_units), and three with four channels each on
 * copy engines' own runlists, all scheduled.  False, with the machine failed: no room. */
struct rm_context_options {
    uint32_t compute_count; /* 1 to RM_CONTEXT_COMPUTE_MAX */
    uint32_t copy_count;    /* of each of the other TSGs, 1 to RM_CONTEXT_COPY */
    uint64_t heap_bytes;    /* in whole pages; 0: RM_CONTEXT_HEAP_BYTES */
    /* NULL, or a context whose TSGs this one's channels join, in an address space of its own: a
     * subcontext of it, as those of clients of MPS from Volta on. */
    const struct rm_cuda_context *server;
};
bool rm_cuda_context_build_with(struct rm *rm, struct rm_cuda_context *context,
                                const struct rm_context_options *options);
/* B.D1 (rm_context_init.c): initialises it from now on, for rm.context_init_ps, with the first
 * rm.context_init_pieces GP entries of the last compute channel, which is free when
 * RM_CONTEXT_READY stands in the log; others may be used before.  False, with the machine failed:
 * more than 64 pieces, or too many contexts are being made. */
bool rm_cuda_context_init(struct rm *rm, const struct rm_cuda_context *context);

/* ---- recovery (rm_recover.c, rm_interrupt.c) ------------------------------------------------- */

/* Numbers of nverror.h: ROBUST_CHANNEL_*. */
enum {
    RM_XID_FIFO_ERROR_MMU_ERR_FLT = 31,
    RM_XID_PBDMA_ERROR = 32,
    RM_XID_PREEMPTIVE_REMOVAL = 45,
    RM_XID_PBDMA_CRC_MISMATCH = 80,
    RM_XID_CTXSW_TIMEOUT_ERROR = 109,
};

/* Numbers in EVENT_RM_XID_MMU_FAULT: engine is kind + which, access is the register's, of Pascal
 * RM_FAULT_OLD_ACCESS and up. */
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

/* The n-th PBDMA; false: there are not so many. */
bool rm_pbdma_find(struct rm *rm, uint32_t n, struct rm_pbdma *pbdma);
/* Tears down the TSG of a channel (tsg_id RM_NONE: the channel alone), now or after the one of the
 * runlist that is being torn down. */
void rm_recover(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid, uint32_t xid);
/* The same of one that has done nothing, for the Xid of another; none is under way (asserted). */
void rm_recover_innocent(struct rm *rm, uint32_t runlist_id, uint32_t tsg_id, uint32_t chid,
                         uint32_t xid);
/* Looks whether it is off, and goes on. */
void rm_recover_step(struct rm *rm, uint32_t runlist_id);
/* Enables interrupts; the interrupt line rose; what the driver then does; its part for PBDMAs. */
void rm_interrupt_start(struct rm *rm);
void rm_interrupt(void *rm);
void rm_interrupt_handler(struct rm *rm);
void rm_interrupt_pbdmas(struct rm *rm);
/* rm_reset.c: an engine that a TSG in error is still on, off and on; all engines, and all TSGs of
 * all runlists are torn down; the next of these. */
void rm_reset_engine(struct rm *rm, const struct rm_engine *engine, uint32_t tsg_id);
void rm_reset_gpu(struct rm *rm, uint32_t runlist_id);
void rm_reset_clear(struct rm *rm, uint32_t runlist_id);
/* rm_timeout.c: context switches that took too long, by PFIFO's INTR_0 or that of a runlist. */
void rm_timeouts_pfifo(struct rm *rm, uint32_t intr_0);
void rm_timeouts_runlist(struct rm *rm, uint32_t runlist_id, uint32_t intr_0);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum rm_event { RM_INTERRUPT, RM_RECOVER, RM_CONTEXT_INIT };
/* The next piece of a context's initialisation. */
void rm_context_init_step(struct rm *rm, uint32_t index);

/* rm_top.c */
bool rm_top_read(struct rm *rm);
/* The n-th runlist of an engine of that type that has no graphics engine, or, of graphics, the
 * first one's; RM_NONE: there are not so many. */
uint32_t rm_top_runlist(const struct rm *rm, uint32_t type, uint32_t n);
/* The engine with that id at the MMU, NULL: none. */
const struct rm_engine *rm_top_by_fault_id(const struct rm *rm, uint32_t fault_id);
/* rm.c: memory as the CPU reaches it; video memory unless an aperture is given. */
void rm_poke(struct rm *rm, uint64_t address, uint32_t value);
/* Video memory, of whole pages; EXTENT_NONE: there is none. */
uint64_t rm_take(struct rm *rm, uint64_t bytes);
/* Zeroes video memory. */
void rm_clear(struct rm *rm, uint64_t address, uint64_t bytes);

#endif
