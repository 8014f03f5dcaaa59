/* SPDX-License-Identifier: MIT */
/*
 * The graphics engine's front end (FE): takes the methods of subchannels 0 to 3 in order, keeps
 * class state, and starts work: grids through the block dispatcher, inline writes to memory, report
 * semaphores, and draws, clears and blits as opaque work of a default cost.
 *
 * Each subchannel has one class (3D, compute, inline-to-memory, 2D); class state is the last word
 * written to each method (`shadow`).  Private methods only set that state.  Work is counted; a report
 * is released when the work in front of it is complete, a wait-for-idle holds the PBDMA until all is.
 * The PBDMAs of the graphics runlist's two runqueues share it, class state too; that state may be private
 * to a batch only because a runlist has one channel on its PBDMAs at a time (nv_runlist.h).
 * Described in open-gpu-doc classes/3d, compute, inline-to-memory, twod (methods), facts of the
 * classes in nv_class.h.  Not modelled: what a draw draws, macros (reported), conditional rendering,
 * caches and membars, what reports count, where in the pipeline they stand (both reported).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_FE_H
#define GFE_DEVICES_NVIDIA_NV_FE_H

#include "devices/core/dispatch.h"
#include "devices/nvidia/nv_inline.h"
#include "emu/machine.h"

struct gpu_model;
struct nv_host;
struct nv_pbdma;

enum {
    NV_FE_SUBCHANNELS = 4,
    NV_FE_METHODS = 0x1000, /* dwords of a class's method space */
    NV_FE_LAUNCHES = 16,    /* launches between SEND_SIGNALING_PCAS_B and the dispatcher */
    NV_FE_WORKS = 64,
    NV_FE_REPORTS = 64,
    NV_FE_OUTSTANDING = 128,
};

/* A method on its way to an engine. */
struct nv_method {
    uint32_t channel_id, space_id, tsg_id;
    uint32_t pbdma_id;
    uint32_t subchannel;
    uint32_t method; /* byte offset */
    uint32_t data;
    uint64_t gp_sequence;
};

GFE_STATE_BEGIN
struct nv_fe_work { /* opaque work, one at a time, in order */
    uint64_t work_id, gp_sequence, order;
    gfe_ps queued_ps;
    uint32_t channel_id, class_id, method, started;
};

/* What a report does when its turn has come. */
enum nv_fe_report_kind { NV_FE_RELEASE, NV_FE_COUNTER, NV_FE_TRAP, NV_FE_NOTIFIER };

struct nv_fe_report {
    uint64_t address, gp_sequence, order;
    uint64_t queued_ps;
    uint32_t channel_id, space_id;
    uint32_t payload, remaining; /* remaining: operations in front of it that still run */
    uint32_t class_id;
    uint32_t data;               /* of the method that asked for it */
    uint32_t kind;               /* enum nv_fe_report_kind */
    uint32_t scheduled;
};

/* RELEASE0 and RELEASE1 of a QMD: written when its grid is complete. */
struct nv_fe_grid_release {
    uint64_t address;
    uint32_t payload;
    uint8_t enable, four_words, reduces, is_signed;
    uint32_t reduction;
    uint32_t reserved;
};

struct nv_fe_grid_end {
    struct nv_fe_grid_release release[2];
    uint32_t channel_id, space_id, class_id;
    uint32_t membar; /* 1: RELEASE_MEMBAR_TYPE FE_SYSMEMBAR */
    uint64_t gp_sequence;
};

struct nv_fe_launch {
    uint64_t block_count, gp_sequence, descriptor_address, order;
    uint32_t channel_id, block_threads, shared_bytes, registers;
    struct exec_need need;
    struct nv_fe_grid_end end;
};

struct nv_fe_outstanding {
    uint64_t operation_id; /* 0 = free */
    uint64_t order;
    struct nv_fe_grid_end end; /* of a grid */
};

struct nv_fe_state {
    uint64_t order;         /* counts launches, works and reports */
    uint32_t waiting_pbdmas; /* bit per PBDMA that was refused */
    uint32_t context_channel; /* whose context is loaded; UINT32_MAX = none */
    uint32_t context_tsg;
    uint32_t context_space; /* address space of its image */
    uint64_t context_instance; /* its instance block: channel numbers are used again */
    uint32_t launch_count, launch_head;
    uint32_t work_count, work_head;
    uint32_t report_count, report_head;
    uint32_t outstanding_count;
    uint32_t constant_bytes; /* LOAD_CONSTANT_BUFFER bytes not logged yet */
    uint32_t constant_channel;
    uint32_t inline_indices; /* 1: this BEGIN's inline indices have made their draw */
    uint64_t constant_address;
    uint64_t constant_sequence;
    struct nv_fe_launch launches[NV_FE_LAUNCHES];
    struct nv_fe_work works[NV_FE_WORKS];
    struct nv_fe_report reports[NV_FE_REPORTS];
    struct nv_fe_outstanding outstanding[NV_FE_OUTSTANDING];
    struct nv_inline inlines[NV_FE_SUBCHANNELS];
    uint8_t inline_buffers[NV_FE_SUBCHANNELS][NV_INLINE_BYTES];
    uint32_t objects[NV_FE_SUBCHANNELS]; /* class by SET_OBJECT, 0 = none yet */
    uint32_t reported[NV_FE_SUBCHANNELS][NV_FE_METHODS / 32]; /* methods said to be unmodelled */
    uint32_t shadow[NV_FE_SUBCHANNELS][NV_FE_METHODS];
};
GFE_STATE_END

struct nv_fe {
    struct machine *machine;
    const struct gpu_model *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct dispatch *dispatch;
    uint32_t unit;
    struct mmio_window *regs;
    /* What each method of the class on each subchannel asks for (nv_fe_prepare()).  Made from the
     * class tables, never state. */
    uint32_t action_class[NV_FE_SUBCHANNELS];
    uint8_t actions[NV_FE_SUBCHANNELS][NV_FE_METHODS];
    struct nv_fe_state *state;
};

void nv_fe_wire(struct nv_fe *fe, struct nv_host *host, struct dispatch *dispatch);
/* Brings `actions` up to date with the classes on the subchannels; before nv_fe_take(). */
void nv_fe_prepare(struct nv_fe *fe);
/* A method: sets class state and is true, unless it can be seen from outside: then nothing is done
 * (struct nv_pbdma_sink). */
bool nv_fe_take(void *fe, uint32_t subchannel, uint32_t method, uint32_t data);
/* Any other method, now.  False: refused, *rule says why; the PBDMA is resumed when it is worth
 * trying again. */
bool nv_fe_method(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
/* True when no work and no report is on its way.  If not, and `pbdma_id` is a PBDMA's, that one is
 * resumed when it becomes so. */
bool nv_fe_idle(struct nv_fe *fe, uint32_t pbdma_id);
/* Loads the context of a channel's TSG; returns how long that takes (0: it is loaded already). */
gfe_ps nv_fe_context_load(struct nv_fe *fe, uint32_t channel_id, uint32_t tsg_id,
                          uint32_t space_id);
/* Virtual address of the channel's context image (the instance block's GR_WFI pointer), 0 = none.  The
 * real layout is not published; here it holds the front end's state in NV_FE_IMAGE_BYTES. */
enum { NV_FE_IMAGE_BYTES = 0x10400 };
uint64_t nv_fe_context_image(const struct nv_fe *fe, uint32_t channel_id);

/* ---- between the parts of the front end ------------------------------------------------------ */

enum nv_fe_event {
    NV_FE_LAUNCH,
    NV_FE_WORK_END,
    NV_FE_REPORT,
    NV_FE_RESUME,
    NV_FE_GRID_RELEASE, /* argument: index in `outstanding` */
    NV_FE_ACQUIRE,      /* and up: a word that PBDMA 0 (and so on) waits for is written */
};

uint32_t nv_fe_class(const struct nv_fe *fe, uint32_t subchannel);
uint32_t nv_fe_shadow(const struct nv_fe *fe, uint32_t subchannel, uint32_t method);
/* Address from a pair of methods: upper bits in `method`, lower ones in the next. */
uint64_t nv_fe_address(const struct nv_fe *fe, uint32_t subchannel, uint32_t method,
                       uint32_t upper_mask);
/* Refuses: the PBDMA will be resumed. */
bool nv_fe_refuse(struct nv_fe *fe, const struct nv_method *method, uint32_t rule_id,
                  uint32_t *rule);
void nv_fe_resume_waiting(struct nv_fe *fe);
void nv_fe_unmodelled(struct nv_fe *fe, const struct nv_method *method, uint32_t what);
/* An error of the channel that the engine sees: logged, the channel stops. */
void nv_fe_error(struct nv_fe *fe, const struct nv_method *method, uint32_t code);
void nv_fe_fault(struct nv_fe *fe, uint32_t channel_id, uint64_t address, bool is_write);
void nv_fe_stop_channel(struct nv_fe *fe, uint32_t channel_id);
/* An operation starts to count; false when the table is full. */
bool nv_fe_outstanding_add(struct nv_fe *fe, uint64_t operation_id, uint64_t order);
void nv_fe_outstanding_done(struct nv_fe *fe, uint64_t operation_id);

/* nv_fe_work.c */
bool nv_fe_is_draw(uint32_t class_id, uint32_t method);
/* A word of a draw's inline indices. */
bool nv_fe_is_inline_index(uint32_t class_id, uint32_t method);
bool nv_fe_draw(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
void nv_fe_work_end(struct nv_fe *fe);
/* nv_fe_report.c */
bool nv_fe_report(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
bool nv_fe_notify(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
void nv_fe_report_due(struct nv_fe *fe);
void nv_fe_report_advance(struct nv_fe *fe);
/* A word that an ACQUIRE of this PBDMA's channel watches is written. */
void nv_fe_acquire_due(struct nv_fe *fe, uint32_t pbdma_id);
/* Sets bits of NV_PGRAPH_INTR or, if `nonstall`, of INTR_NONSTALL; logged. */
void nv_fe_interrupt(struct nv_fe *fe, uint32_t channel_id, uint32_t bits, bool nonstall);
/* nv_compute.c */
bool nv_compute_launch(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
void nv_compute_launch_due(struct nv_fe *fe);
void nv_compute_grid_done(void *fe, uint64_t grid_id);
void nv_compute_release_due(struct nv_fe *fe, uint64_t index);

/* code of EVENT_NV_ENGINE_ERROR */
enum nv_fe_error {
    NV_FE_ERROR_METHOD = 1,  /* the class has no such method */
    NV_FE_ERROR_QMD_VERSION, /* a descriptor of an unknown version */
    NV_FE_ERROR_QMD_LIMITS,  /* a block that no SM can hold */
};

#endif
