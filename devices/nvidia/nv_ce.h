/* SPDX-License-Identifier: MIT */
/*
 * A copy engine as a channel sees it: methods describe a copy, LAUNCH_DMA queues it.  Every LCE is
 * one, those of the graphics runlist (GRCEs) too; what copies is a PCE (nv_pce.h).
 *
 * Everything is taken from the class state when LAUNCH_DMA comes; copies run one after another.  A
 * copy has lines, in pitch or block-linear layout on either side, moved as bytes or as elements
 * whose components are remapped.  Its bytes are read and written when it ends or is suspended, in
 * their order, up to where it has come, in pieces of at most NV_CE_PIECE_BYTES of a line, each read
 * whole before it is written: that is what happens when source and destination overlap.  At a fault
 * everything in front of the byte without a translation has been written, and the channel is
 * stopped. Behind its last byte comes the semaphore, then the interrupt.
 *
 * Host itself decodes the class's methods (open-gpu-doc tu104/dev_pbdma.ref.txt, "HCE"): it refuses
 * methods that the class does not have, physical addresses without privilege, and bad conditions,
 * and keeps in HCE_CTRL whether copies are switched off by SET_RENDER_ENABLE.  A launch that the
 * engine cannot do raises LAUNCHERR and holds the engine until software clears it
 * (tu104/dev_ce.ref.txt; what exactly is checked is INFERRED from the names of the codes). Methods:
 * open-gpu-doc classes/dma-copy/cla0b5.h to clc5b5.h.  How long copies take: devices/core/copy.h,
 * copy_share.h.
 *
 * An engine works for one context (TSG) at a time.  To take it off, the copy that runs goes on to
 * the next place where Host would have split it (nv.ce.split_bytes, and with THROTTLE what it does
 * alone in nv.ce.throttle_ps if that is less; without CE_SPLIT to its end); what is left of it and
 * the launches behind it are kept, and go on when the context is on again.  An interrupt that holds
 * the engine keeps the context on it.
 *
 * Without effect, because there are no caches here: FLUSH_ENABLE (but for its time), SRC_BYPASS_L2,
 * DST_BYPASS_L2, FORCE_RMWDISABLE.  Not modelled: VPRMODE and the reserved fields (reported),
 * PM_TRIGGER, the buffer for methods of a faulted channel (ENG_METHOD_BUFFER).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CE_H
#define GFE_DEVICES_NVIDIA_NV_CE_H

#include "devices/core/copy.h"
#include "devices/nvidia/nv_ce_layout.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_hce.h"
#include "devices/nvidia/nv_pce.h"
#include "devices/nvidia/formats/nv_tile.h"
#include "emu/engine/machine.h"

enum {
    NV_CE_METHODS = 0x1000, /* dwords of the class's method space */
    NV_CE_PIECE_BYTES = 4096,
    NV_CE_QUEUE = 8, /* launches that the engine can hold; nv.ce.credits may make it fewer */
    NV_CE_CLASSES = 2,
    NV_CE_SAVED = 4096, /* launches of contexts that are off their engines, of the whole GPU */
    NV_CE_SAVED_CHAINS = 1024,
};

GFE_STATE_BEGIN
/* One side of a copy. */
struct nv_ce_side {
    uint64_t base;
    uint64_t pitch; /* modulo 2^64: it may be negative */
    struct nv_surface surface;
    uint32_t element_bytes;      /* 1, or those of a remapped element */
    uint32_t origin_x, origin_y; /* bytes, rows */
    uint32_t layer;
    uint32_t block_linear;
    uint32_t aperture; /* of a physical address; MEMORY_APERTURE_COUNT: it is virtual */
};

struct nv_ce_copy {
    uint64_t copy_id, gp_sequence;
    uint64_t byte_count;  /* bytes that it writes */
    uint64_t moved;       /* of them in memory */
    uint64_t split_bytes; /* it can stop at multiples of that; 0: at its end only */
    uint64_t stop_at;     /* where it does, while its context is to leave; else its end */
    uint64_t semaphore_address;
    gfe_ps queued_ps;
    gfe_ps waiting_ps; /* since when nothing has been told about its waiting */
    gfe_ps alone_ps;   /* what its bytes take when nobody is in the way, once it runs */
    struct nv_ce_side from, to;
    uint32_t channel_id, space_id, tsg_id;
    uint32_t started;                   /* 1: it has been told to start */
    uint32_t splits, throttled;         /* CE_SPLIT and CE_THROTTLE_MODE of Host at the launch */
    uint32_t line_elements, line_count; /* both 0 when nothing is moved */
    uint32_t semaphore_payload, launch;
    uint32_t remap, constant_a, constant_b; /* SET_REMAP_COMPONENTS and its constants */
    uint32_t launch_error;                  /* NV_CE_LCE_LAUNCHERR_REPORT_* */
    uint32_t limited_by;                    /* enum copy_limit, once it runs */
    uint32_t reads_source;                  /* some component comes from the source */
};

struct nv_ce_state {
    uint64_t waiting_pbdmas; /* bit per PBDMA that was refused */
    uint32_t object;         /* class by SET_OBJECT, 0 = none yet */
    uint32_t head, count;    /* of `copies`; the one at the head runs */
    uint32_t phase;          /* enum nv_ce_phase, of the head */
    uint32_t tsg_id;         /* whose context is on; UINT32_MAX: of any that sends something */
    uint32_t suspending;     /* 1: it is to go */
    uint32_t bound_channel;  /* BIND_STATUS; UINT32_MAX: none */
    uint32_t shadow_used;    /* 0: all of `shadow` that goes with a channel is zero */
    struct copy_carry carry;
    struct nv_ce_copy copies[NV_CE_QUEUE];
    uint32_t reported[NV_CE_METHODS / 32];
    uint32_t shadow[NV_CE_METHODS];
};

/* A launch of a context that is off. */
struct nv_ce_saved {
    struct nv_ce_copy copy;
    uint32_t ce;   /* number of the copy engine among all */
    uint32_t next; /* 1 + the one behind it in its chain, or of those that are free; 0 = none */
};

struct nv_ce_saved_state {
    /* free_count: of all; first_free: 1 + number, of those that were used before and are free
     * again; those from used_count on never were, and are not touched until then. */
    uint32_t free_count, first_free, used_count, reserved;
    uint32_t heads[NV_CE_SAVED_CHAINS], tails[NV_CE_SAVED_CHAINS]; /* 1 + number; 0 = none */
    struct nv_ce_saved saved[NV_CE_SAVED];
};
GFE_STATE_END

enum nv_ce_phase {
    NV_CE_RESTS,
    NV_CE_MOVES,   /* nv_pce.h has it */
    NV_CE_FLUSHES, /* its end is an event */
};

struct nv_ce {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct nv_fe *fe;   /* knows how to stop a channel */
    struct nv_hce *hce; /* what of the class's methods goes with their channel; of the whole GPU */
    struct nv_pce *pce; /* likewise */
    struct nv_ce_saved_state *saved; /* likewise, in the arena */
    const struct nv_ce_layout *layout;
    uint32_t number; /* among all copy engines of the GPU */
    uint32_t engine_id;
    uint32_t instance; /* number of the LCE */
    uint32_t unit;
    char name[16];
    struct mmio_window *regs;
    struct nv_engine *engine; /* NULL: nobody switches contexts */
    /* Told when nv_ce_suspend() is done, at once or later. */
    void (*suspended)(void *context);
    void *suspended_context;
    /* Methods that the classes have: the chip's own, then GP100's; constant after the wiring. */
    uint32_t known[NV_CE_CLASSES][NV_CE_METHODS / 32];
    struct nv_ce_state *state;
};

/* What all copy engines of a GPU have in common is wired for the first of them. */
struct nv_ce_common {
    struct nv_host *host;
    struct nv_fe *fe;
    struct nv_hce *hce;
    struct nv_pce *pce;
};
/* Wires copy engine `number` of `ces`, which must be wired in their order. */
void nv_ce_wire(struct nv_ce *ces, uint32_t number, const struct nv_ce_common *common,
                uint32_t engine_id, uint32_t instance);
bool nv_ce_visible(const struct nv_ce *ce, uint32_t method);
void nv_ce_private(struct nv_ce *ce, const struct nv_method *method);
/* True for what Host refuses in the copy engine's stead; *bit is that of INTR_1. */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *bit);
/* As nv_fe_method(). */
bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule);
/* As nv_fe_idle(). */
bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id);
/* The channel leaves its PBDMA, or comes onto it: so does its class state. */
void nv_ce_context_save(struct nv_ce *ce, uint32_t channel_id);
void nv_ce_context_load(struct nv_ce *ce, uint32_t channel_id);

/* Puts the copy engine behind an engine of a runlist: what follows is called for it. */
void nv_ce_connect(struct nv_ce *ce, struct nv_engine *engine);
/* The context of a TSG is to leave the engine; ce->suspended() says when it has.  Nothing else is
 * taken up meanwhile. */
void nv_ce_suspend(void *ce, uint32_t tsg_id);
/* The context of a TSG, none being on, is on the engine: what is left of its copies goes on. */
void nv_ce_resume(void *ce, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id);
/* True while a copy is under way or waits, or an interrupt holds the engine. */
bool nv_ce_busy(void *ce);
/* True while something of that goes on by itself: no interrupt holds it. */
bool nv_ce_runs(void *ce);
/* True when the TSG has copies here, suspended ones too. */
bool nv_ce_has_work(void *ce, uint32_t tsg_id);
/* What saving or loading the context moves: as much as nvgpu reserves for the methods of a copy
 * engine (gv11b_tsg_init_eng_method_buffers @6ecfb593; INFERRED: no size of the context is
 * published). */
uint64_t nv_ce_state_bytes(void *ce, uint32_t tsg_id);
/* The engine loses its copies, with what of them is not in memory yet, and those that are kept for
 * the TSG. */
void nv_ce_reset(void *ce, uint32_t tsg_id);
/* nv_pce.h: the copy has come to its goal. */
void nv_ce_moved(struct nv_ce *ce);

/* ---- between the parts of the copy engine ---------------------------------------------------- */

static inline uint32_t nv_ce_shadow(const struct nv_ce *ce, uint32_t method)
{
    return ce->state->shadow[method / 4];
}
uint32_t nv_ce_class(const struct nv_ce *ce);
enum nv_ce_event { NV_CE_COPY_END, NV_CE_RESUME };
/* Registers after reset that differ by generation. */
void nv_ce_reset_registers(struct nv_ce *ce);
/* nv_ce_queue.c: takes up what is at the head, unless something is in the way. */
void nv_ce_advance(struct nv_ce *ce);
void nv_ce_copy_end(struct nv_ce *ce);
/* A launch of that TSG has come or gone: whoever schedules it hears if it is the first or last. */
void nv_ce_work_changed(struct nv_ce *ce, uint32_t tsg_id);
/* Every queued copy tells what it has been waiting for until now. */
void nv_ce_tell_waiting(struct nv_ce *ce, uint32_t rule, uint32_t blocker_kind, uint64_t blocker);
/* The PCEs that serve this LCE, one bit each. */
uint32_t nv_ce_pces(const struct nv_ce *ce);

/* nv_ce_launch.c: the copy that LAUNCH_DMA describes; `transfers` false: no bytes are moved. */
struct nv_ce_copy nv_ce_decode(struct nv_ce *ce, const struct nv_method *method, bool transfers);
/* What the memory at SET_RENDER_ENABLE says.  False: no translation at *fault_address. */
bool nv_ce_condition(struct nv_ce *ce, const struct nv_method *method, bool *enabled,
                     uint64_t *fault_address);
/* Address from a pair of methods. */
uint64_t nv_ce_address(const struct nv_ce *ce, uint32_t upper);

/* nv_ce_signal.c: true if one of these bits of INTR_STATUS holds the engine; while one does, or
 * software has asked it to stall. */
bool nv_ce_holds(uint32_t intr_status);
bool nv_ce_held(const struct nv_ce *ce);
/* INTR_STATUS or INTR_EN has changed: PMC follows. */
void nv_ce_interrupt_changed(struct nv_ce *ce);
/* Sets bits of INTR_STATUS; logged with the code of LAUNCHERR. */
void nv_ce_interrupt(struct nv_ce *ce, uint32_t channel_id, uint32_t bits, uint32_t code);
/* No translation, or beyond the memory that a physical address names: the channel stops. */
void nv_ce_fault(struct nv_ce *ce, uint32_t channel_id, uint64_t address, bool is_write,
                 bool physical);
/* Semaphore and interrupt of a copy whose bytes are in memory. */
void nv_ce_signal(struct nv_ce *ce, const struct nv_ce_copy *copy);

/* nv_ce_move.c: reads and writes the copy's bytes from copy->moved up to `end` (whole elements).
 * False: no translation at *fault_address. */
bool nv_ce_move(struct machine *machine, const struct nv_ce_copy *copy, uint64_t end,
                uint64_t *fault_address, bool *is_write);
/* What the copy moves, in whole sectors, and where its sides lie. */
struct copy_traffic nv_ce_traffic(struct machine *machine, const struct nv_ce_copy *copy);

#endif
