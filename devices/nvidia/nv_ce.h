/* SPDX-License-Identifier: MIT */
/*
 * A copy engine as a channel sees it: methods describe a copy, LAUNCH_DMA queues it.  Every LCE is
 * a copy engine, including those of the graphics runlist (GRCEs).  PCEs (nv_pce.h) do the copying.
 *
 * All parameters are taken from the class state when LAUNCH_DMA comes; copies run one after
 * another.  A copy has lines, in pitch or block-linear layout on either side, moved as bytes or as
 * elements whose components are remapped.  Its bytes are read and written when it ends or is
 * suspended, in their order, up to its current place.  They are moved in pieces of at most
 * NV_CE_PIECE_BYTES of a line, each read whole before it is written; this decides the result when
 * source and destination overlap.  At a fault everything before the byte without a translation has
 * been written, and the channel is stopped.  After its last byte comes the semaphore, then the
 * interrupt.
 *
 * Host itself decodes the class's methods (open-gpu-doc tu104/dev_pbdma.ref.txt, "HCE"): each
 * PBDMA for the channel that it has, so two runqueues that feed one engine do not mix.  Host
 * rejects methods that the class does not have, physical addresses without privilege, and bad
 * conditions.  Host keeps in HCE_CTRL whether SET_RENDER_ENABLE has switched copies off.  A launch
 * that the engine cannot do raises LAUNCHERR and holds the engine until software clears it
 * (tu104/dev_ce.ref.txt; what exactly is checked is INFERRED from the names of the codes).
 * Methods: open-gpu-doc classes/dma-copy/cla0b5.h to clc5b5.h.  Times of copies:
 * devices/core/copy.h, copy_share.h.
 *
 * An engine works for one context (TSG) at a time.  When its context has to leave, the running copy
 * continues to the next place where Host would have split it: a multiple of nv.ce.split_bytes or,
 * with THROTTLE, what it copies alone in nv.ce.throttle_ps if that is less.  Without CE_SPLIT it
 * continues to its end.  The rest of the copy and the later launches are kept, and continue when
 * the context is on again.  An interrupt that holds the engine keeps the context on it.
 *
 * Without effect, because there are no caches here: FLUSH_ENABLE (except its time), SRC_BYPASS_L2,
 * DST_BYPASS_L2, FORCE_RMWDISABLE.  Not modelled: VPRMODE, COPY_TYPE, scrubbing,
 * payloads of 64 bits, the reserved fields, PM_TRIGGER, the memory of other GPUs (each use is
 * logged, nv_effect_list.h); the buffer for methods of a faulted channel (ENG_METHOD_BUFFER).
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
    NV_CE_METHODS = 0x1000, /* size of the class's method space in dwords */
    NV_CE_PIECE_BYTES = 4096,
    NV_CE_QUEUE = 8, /* launches that the engine can hold; nv.ce.credits may reduce it */
    NV_CE_CLASSES = 2,
    NV_CE_SAVED = 4096, /* launches of contexts that are off their engines, in the whole GPU */
    NV_CE_SAVED_CHAINS = 1024,
};

GFE_STATE_BEGIN
/* One side of a copy. */
struct nv_ce_side {
    uint64_t base;
    uint64_t pitch; /* modulo 2^64: it may be negative */
    struct nv_surface surface;
    uint32_t element_bytes;      /* 1, or the size of a remapped element */
    uint32_t origin_x, origin_y; /* bytes, rows */
    uint32_t layer;
    uint32_t block_linear;
    uint32_t aperture; /* of a physical address; MEMORY_APERTURE_COUNT if the address is virtual */
};

struct nv_ce_copy {
    uint64_t copy_id, gp_sequence;
    uint64_t byte_count;  /* bytes that it writes */
    uint64_t moved;       /* bytes that are in memory */
    uint64_t split_bytes; /* it can stop at multiples of this; 0 means only at its end */
    uint64_t stop_at;     /* place to stop while its context has to leave; otherwise its end */
    uint64_t semaphore_address;
    gfe_ps queued_ps;
    gfe_ps waiting_ps; /* time since when its wait has not been logged */
    gfe_ps alone_ps;   /* time that its bytes take alone, once it runs */
    struct nv_ce_side from, to;
    uint32_t channel_id, space_id, tsg_id;
    uint32_t started;                   /* 1 after its start was logged */
    uint32_t splits, throttled;         /* CE_SPLIT and CE_THROTTLE_MODE of Host at the launch */
    uint32_t line_elements, line_count; /* both 0 if nothing is moved */
    uint32_t semaphore_payload, launch;
    uint32_t remap, constant_a, constant_b; /* SET_REMAP_COMPONENTS and its constants */
    uint32_t launch_error;                  /* NV_CE_LCE_LAUNCHERR_REPORT_* */
    uint32_t limited_by;                    /* enum copy_limit, once it runs */
    uint32_t reads_source;                  /* 1 if any component comes from the source */
};

struct nv_ce_state {
    uint64_t waiting_pbdmas; /* a bit for each PBDMA that was refused */
    uint32_t feed;           /* number of the one whose methods come at the moment */
    uint32_t head, count;    /* of `copies`; the one at the head runs */
    uint32_t phase;          /* enum nv_ce_phase, of the copy at the head */
    uint32_t tsg_id;         /* TSG whose context is on; UINT32_MAX allows any that sends methods */
    uint32_t suspending;     /* 1 if the context has to leave */
    uint32_t bound_channel;  /* BIND_STATUS; UINT32_MAX if none */
    uint32_t reserved;
    struct copy_carry carry;
    struct nv_ce_copy copies[NV_CE_QUEUE];
};

/* Class state of the channel that a PBDMA has, as that PBDMA decodes it. */
struct nv_ce_feed {
    uint32_t object;      /* class set by SET_OBJECT; 0 if none yet */
    uint32_t shadow_used; /* 0 if all words of `shadow` that belong to a channel are zero */
    uint32_t shadow[NV_CE_METHODS];
};

/* A launch of a context that is off. */
struct nv_ce_saved {
    struct nv_ce_copy copy;
    uint32_t ce;   /* number of the copy engine among all */
    uint32_t next; /* 1 + the next one in its chain, or in the free list; 0 means none */
};

struct nv_ce_saved_state {
    /* free_count counts all free records. first_free is 1 + number of one that was used before.
     * Records from used_count up were never used, and are not touched until then. */
    uint32_t free_count, first_free, used_count, reserved;
    uint32_t heads[NV_CE_SAVED_CHAINS], tails[NV_CE_SAVED_CHAINS]; /* 1 + number; 0 means none */
    struct nv_ce_saved saved[NV_CE_SAVED];
};
GFE_STATE_END

enum nv_ce_phase {
    NV_CE_RESTS,
    NV_CE_MOVES,   /* nv_pce.h runs it */
    NV_CE_FLUSHES, /* an event marks its end */
};

struct nv_ce {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct nv_fe *fe;   /* for stopping a channel */
    struct nv_hce *hce; /* class state that belongs to channels; one for the whole GPU */
    struct nv_pce *pce; /* one for the whole GPU */
    struct nv_ce_saved_state *saved; /* one for the whole GPU, in the arena */
    const struct nv_ce_layout *layout;
    uint32_t number; /* among all copy engines of the GPU */
    uint32_t engine_id;
    uint32_t instance; /* number of the LCE */
    uint32_t unit;
    char name[16];
    struct mmio_window *regs;
    struct nv_engine *engine; /* NULL if contexts are not switched */
    /* Reports that nv_ce_suspend() has completed, at once or later. */
    void (*suspended)(void *context);
    void *suspended_context;
    /* Methods that the classes have: first the chip's own class, then GP100's.  Constant after the
     * wiring. */
    uint32_t known[NV_CE_CLASSES][NV_CE_METHODS / 32];
    struct nv_ce_state *state;
    struct nv_ce_feed *feeds; /* one for each runqueue that feeds the engine, in the arena */
    uint32_t feed_count;
};

/* Parts that all copy engines of a GPU share.  They are wired for the first engine. */
struct nv_ce_common {
    struct nv_host *host;
    struct nv_fe *fe;
    struct nv_hce *hce;
    struct nv_pce *pce;
};
/* Wires copy engine `number` of `ces`.  The engines must be wired in their order. */
void nv_ce_wire(struct nv_ce *ces, uint32_t number, const struct nv_ce_common *common,
                uint32_t engine_id, uint32_t instance);
/* Names the runqueue whose channel the next methods, checks and contexts are of. */
static inline void nv_ce_turn_to(struct nv_ce *ce, uint32_t runqueue)
{
    ce->state->feed = runqueue < ce->feed_count ? runqueue : 0;
}
/* Returns true if the method has effects outside the class state. */
bool nv_ce_visible(const struct nv_ce *ce, uint32_t method, uint32_t data);
/* Handles a method that only sets class state. */
void nv_ce_private(struct nv_ce *ce, const struct nv_method *method);
/* Returns true for methods that Host rejects instead of the copy engine; *bit is the bit of INTR_1.
 */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *bit);
/* Handles a method like nv_fe_method(). */
bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule);
/* Returns true if the engine is idle, like nv_fe_idle(). */
bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id);
/* Save and load the class state of a channel that leaves its PBDMA or comes onto it. */
void nv_ce_context_save(struct nv_ce *ce, uint32_t channel_id);
void nv_ce_context_load(struct nv_ce *ce, uint32_t channel_id);

/* Connects the copy engine to an engine of a runlist, which then calls the functions below. */
void nv_ce_connect(struct nv_ce *ce, struct nv_engine *engine);
/* Makes the context of a TSG leave the engine; ce->suspended() reports when it has left.  Meanwhile
 * nothing else is taken up. */
void nv_ce_suspend(void *ce, uint32_t tsg_id);
/* Puts the context of a TSG on the engine, which must have none; the rest of its copies continues.
 */
void nv_ce_resume(void *ce, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id);
/* Returns true while a copy is under way or waits, or an interrupt holds the engine. */
bool nv_ce_busy(void *ce);
/* Returns true while any of that continues by itself: no interrupt holds it. */
bool nv_ce_runs(void *ce);
/* Returns true if the TSG has copies here, including suspended ones. */
bool nv_ce_has_work(void *ce, uint32_t tsg_id);
/* Returns the bytes that saving or loading the context moves. nvgpu reserves that much for the
 * methods of a copy engine (gv11b_tsg_init_eng_method_buffers @6ecfb593; INFERRED: no size of the
 * context is published). */
uint64_t nv_ce_state_bytes(void *ce, uint32_t tsg_id);
/* Drops the copies on the engine, with the bytes that are not in memory yet, and the copies kept
 * for the TSG. */
void nv_ce_reset(void *ce, uint32_t tsg_id);
/* Called by nv_pce.h when the copy has reached its goal. */
void nv_ce_moved(struct nv_ce *ce);

/* ---- between the parts of the copy engine ---------------------------------------------------- */

/* Returns the class state of nv_ce_turn_to(). */
static inline struct nv_ce_feed *nv_ce_feed(const struct nv_ce *ce)
{
    return &ce->feeds[ce->state->feed];
}
/* Returns the last word written to a method. */
static inline uint32_t nv_ce_shadow(const struct nv_ce *ce, uint32_t method)
{
    return nv_ce_feed(ce)->shadow[method / 4];
}
/* Returns the class of the engine's object; the chip's own class before any SET_OBJECT. */
uint32_t nv_ce_class(const struct nv_ce *ce);
enum nv_ce_event { NV_CE_COPY_END, NV_CE_RESUME };
/* Sets the registers that differ by generation to their reset values. */
void nv_ce_reset_registers(struct nv_ce *ce);
/* Takes up the copy at the head, unless something is in the way.  Defined in nv_ce_queue.c. */
void nv_ce_advance(struct nv_ce *ce);
/* Ends the copy at the head: stores its last bytes and signals its end. */
void nv_ce_copy_end(struct nv_ce *ce);
/* Reports that a launch of that TSG has come or gone, for the scheduler, which depends on the first
 * and the last one. */
void nv_ce_work_changed(struct nv_ce *ce, uint32_t tsg_id);
/* Logs for every queued copy what it has been waiting for until now. */
void nv_ce_tell_waiting(struct nv_ce *ce, uint32_t rule, uint32_t blocker_kind, uint64_t blocker);
/* Returns the PCEs that serve this LCE, one bit each. */
uint32_t nv_ce_pces(const struct nv_ce *ce);

/* Returns the copy that LAUNCH_DMA describes.  `transfers` false means that no bytes are moved.
 * Defined in nv_ce_launch.c. */
struct nv_ce_copy nv_ce_decode(struct nv_ce *ce, const struct nv_method *method, bool transfers);
/* Evaluates the condition in memory at SET_RENDER_ENABLE.  Returns false if there is no translation
 * at *fault_address. */
bool nv_ce_condition(struct nv_ce *ce, const struct nv_method *method, bool *enabled,
                     uint64_t *fault_address);
/* Returns an address from a pair of methods. */
uint64_t nv_ce_address(const struct nv_ce *ce, uint32_t upper);

/* Return true if one of these bits of INTR_STATUS holds the engine; if such a bit is set, or
 * software has requested a stall.  Defined in nv_ce_signal.c. */
bool nv_ce_holds(uint32_t intr_status);
bool nv_ce_held(const struct nv_ce *ce);
/* Updates PMC after a change of INTR_STATUS or INTR_EN. */
void nv_ce_interrupt_changed(struct nv_ce *ce);
/* Sets bits of INTR_STATUS, and logs them with the code of LAUNCHERR. */
void nv_ce_interrupt(struct nv_ce *ce, uint32_t channel_id, uint32_t bits, uint32_t code);
/* Stops the channel after a missing translation, or an access beyond the memory of a physical
 * address. */
void nv_ce_fault(struct nv_ce *ce, uint32_t channel_id, uint64_t address, bool is_write,
                 bool physical);
/* Writes the semaphore of a copy whose bytes are in memory, and raises its interrupt. */
void nv_ce_signal(struct nv_ce *ce, const struct nv_ce_copy *copy);

/* Reads and writes the copy's bytes from copy->moved to `end` (whole elements).  Returns false if
 * there is no translation at *fault_address.  Defined in nv_ce_move.c. */
bool nv_ce_move(struct machine *machine, const struct nv_ce_copy *copy, uint64_t end,
                uint64_t *fault_address, bool *is_write);
/* Returns the bytes that the copy moves, in whole sectors, and where its sides lie. */
struct copy_traffic nv_ce_traffic(struct machine *machine, const struct nv_ce_copy *copy);

#endif
