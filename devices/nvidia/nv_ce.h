/* SPDX-License-Identifier: MIT */
/*
 * A copy engine as a channel sees it: methods describe a copy, LAUNCH_DMA queues it.
 *
 * Everything is taken from the class state when LAUNCH_DMA comes; copies run one after another.  A
 * copy has lines, in pitch or block-linear layout on either side, moved as bytes or as elements whose
 * components are remapped.  Its bytes are read and written when it ends, in pieces of at most
 * NV_CE_PIECE_BYTES of a line, each read whole before it is written: that is what happens when source
 * and destination overlap.  At a fault everything in front of the byte without a translation has been
 * written, and the channel is stopped.  Then comes the semaphore, then the interrupt.
 *
 * Host itself decodes the class's methods (open-gpu-doc tu104/dev_pbdma.ref.txt, "HCE"): it refuses
 * methods that the class does not have, physical addresses without privilege, and bad conditions, and
 * keeps in HCE_CTRL whether copies are switched off by SET_RENDER_ENABLE.  A launch that the engine
 * cannot do raises LAUNCHERR and holds the engine until software clears it (tu104/dev_ce.ref.txt; what
 * exactly is checked is INFERRED from the names of the codes).  Methods: open-gpu-doc
 * classes/dma-copy/cla0b5.h to clc5b5.h.  How long copies take: devices/core/copy.h.
 *
 * Without effect, because there are no caches here: FLUSH_ENABLE (but for its time), SRC_BYPASS_L2,
 * DST_BYPASS_L2, FORCE_RMWDISABLE.  Not modelled: VPRMODE and the reserved fields (reported),
 * PM_TRIGGER, two engines on one PCE, CE_SPLIT and THROTTLE of Host.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CE_H
#define GFE_DEVICES_NVIDIA_NV_CE_H

#include "devices/core/copy.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_tile.h"
#include "emu/machine.h"

enum {
    NV_CE_METHODS = 0x1000, /* dwords of the class's method space */
    NV_CE_PIECE_BYTES = 4096,
    NV_CE_QUEUE = 8, /* launches that the engine can hold; nv.ce.credits may make it fewer */
    NV_CE_CLASSES = 2,
    NV_CE_STATE_METHODS = 0x800 / 4, /* those that hold state, and go with their channel */
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
    uint64_t byte_count; /* bytes that it writes */
    uint64_t semaphore_address;
    gfe_ps queued_ps;
    gfe_ps waiting_ps; /* since when nothing has been told about its waiting */
    struct nv_ce_side from, to;
    uint32_t channel_id, space_id;
    uint32_t line_elements, line_count; /* both 0 when nothing is moved */
    uint32_t semaphore_payload, launch;
    uint32_t remap, constant_a, constant_b; /* SET_REMAP_COMPONENTS and its constants */
    uint32_t launch_error;                  /* NV_CE_LCE_LAUNCHERR_REPORT_* */
    uint32_t limited_by;                    /* enum copy_limit, once it runs */
    uint32_t reads_source;                  /* some component comes from the source */
};

struct nv_ce_state {
    uint32_t waiting_pbdmas; /* bit per PBDMA that was refused */
    uint32_t object;         /* class by SET_OBJECT, 0 = none yet */
    uint32_t head, count;    /* of `copies`; the one at the head runs */
    uint32_t running;        /* 1: the head has started */
    uint32_t reserved;
    struct copy_carry carry;
    struct nv_ce_copy copies[NV_CE_QUEUE];
    uint32_t reported[NV_CE_METHODS / 32];
    uint32_t shadow[NV_CE_METHODS];
};
GFE_STATE_END

struct nv_ce {
    struct machine *machine;
    const struct gpu_model *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct nv_fe *fe; /* knows the channel's context image, and how to stop a channel */
    uint32_t engine_id;
    uint32_t instance; /* number of the LCE */
    uint32_t unit;
    char name[16];
    struct mmio_window *shared, *regs; /* of all LCEs, of this one */
    /* Methods that the classes have: the chip's own, then GP100's; constant after the wiring. */
    uint32_t known[NV_CE_CLASSES][NV_CE_METHODS / 32];
    struct nv_ce_state *state;
};

void nv_ce_wire(struct nv_ce *ce, struct nv_host *host, struct nv_fe *fe, uint32_t engine_id,
                uint32_t instance);
/* Places the registers that all copy engines share; `ces` are wired already. */
void nv_ce_wire_shared(struct nv_ce *ces, uint32_t count);
bool nv_ce_visible(const struct nv_ce *ce, uint32_t method);
void nv_ce_private(struct nv_ce *ce, const struct nv_method *method);
/* True for what Host refuses in the copy engine's stead; *bit is that of INTR_1. */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *bit);
/* As nv_fe_method(). */
bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule);
/* As nv_fe_idle(). */
bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id);
/* The channel's class state goes into its context image, behind the front end's, and comes back. */
void nv_ce_context_save(struct nv_ce *ce, uint32_t channel_id, uint32_t space_id);
void nv_ce_context_load(struct nv_ce *ce, uint32_t channel_id, uint32_t space_id);

/* ---- between the parts of the copy engine ---------------------------------------------------- */

static inline uint32_t nv_ce_shadow(const struct nv_ce *ce, uint32_t method)
{
    return ce->state->shadow[method / 4];
}
uint32_t nv_ce_class(const struct nv_ce *ce);
/* The PCEs that serve this LCE, one bit each. */
uint32_t nv_ce_pces(const struct nv_ce *ce);

/* nv_ce_launch.c: the copy that LAUNCH_DMA describes; `transfers` false: no bytes are moved. */
struct nv_ce_copy nv_ce_decode(struct nv_ce *ce, const struct nv_method *method, bool transfers);
/* What the memory at SET_RENDER_ENABLE says.  False: no translation at *fault_address. */
bool nv_ce_condition(struct nv_ce *ce, const struct nv_method *method, bool *enabled,
                     uint64_t *fault_address);
/* Address from a pair of methods. */
uint64_t nv_ce_address(const struct nv_ce *ce, uint32_t upper);

/* nv_ce_signal.c: true if one of these bits of INTR_STATUS holds the engine; while one does. */
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

/* nv_ce_move.c: reads and writes the copy's bytes.  False: no translation at *fault_address. */
bool nv_ce_move(struct machine *machine, const struct nv_ce_copy *copy, uint64_t *fault_address,
                bool *is_write);
/* What the copy moves, in whole sectors, and where its sides lie. */
struct copy_traffic nv_ce_traffic(struct machine *machine, const struct nv_ce_copy *copy);

#endif
