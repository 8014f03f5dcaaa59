/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA: reads a channel's GP entries and pushbuffer segments and turns them into methods.
 *
 * The architectural state is the register window, whose first 256 bytes are loaded from and saved to
 * RAMFC; the header being processed lives in PB_HEADER and PB_COUNT, so that a channel can leave
 * between a header and its data.  Methods below 0x100 are Host's own (nv_pbdma_host.c); the others
 * go to the engine that the subchannel stands for.  Private steps (headers, class state) run in a
 * batch; whatever another unit, the CPU or the log can see is an event of its own.  Segment dwords
 * are latched when they are fetched, at most NV_PBDMA_LATCH_DWORDS at a time.
 *
 * An interrupt bit in INTR_0 freezes the PBDMA.  DEVICE (a software method) is cleared by the driver
 * and the PBDMA goes on; any other error stops the channel.  Described in open-gpu-doc
 * gv100/dev_pbdma.ref.txt, tu104/dev_ram.ref.txt.  Not modelled yet: CRC checks, conditional fetch,
 * subdevice masks other than "active", prefetch, timeouts, MEM_OP's effects, ACQUIRE_SWITCH (a failed
 * acquire keeps the PBDMA; the hardware tries the TSG's other channels).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_H

#include "emu/machine.h"

struct gpu_model;
struct nv_ce;
struct nv_fe;
struct nv_host;
struct nv_runlist;

enum { NV_PBDMA_LATCH_DWORDS = 1024 };

enum nv_pbdma_phase {
    NV_PBDMA_EMPTY,   /* no channel */
    NV_PBDMA_LOADING, /* RAMFC is being read, the engine's context loaded */
    NV_PBDMA_ENTRY,   /* wants the next GP entry */
    NV_PBDMA_FETCH,   /* wants the next dwords of the segment */
    NV_PBDMA_DWORDS,  /* works through latched dwords */
    NV_PBDMA_METHOD,  /* METHOD0 holds a method that is not private */
    NV_PBDMA_ERROR,   /* an interrupt is due */
    NV_PBDMA_SEGMENT_END,
    NV_PBDMA_BLOCKED, /* METHOD0 waits: an engine, a semaphore, an interrupt */
    NV_PBDMA_IDLE,    /* GP_GET == GP_PUT; leaves after a while */
    NV_PBDMA_SAVING,
    NV_PBDMA_STOPPED, /* an error; only software can take the channel off */
};

GFE_STATE_BEGIN
struct nv_pbdma_state {
    uint32_t phase;
    uint32_t channel_id;
    uint32_t runlist_id;
    uint32_t tsg_id;
    uint32_t space_id;       /* address space of the channel */
    uint32_t generation;     /* counts wake-ups, so that stale events are recognised */
    uint64_t instance;       /* address of the instance block */
    uint32_t instance_aperture;
    uint32_t latched, taken; /* dwords in `latch`, and how many of them are processed */
    uint32_t segment_left;   /* dwords of the segment behind the latched ones */
    uint32_t segment_methods;
    uint32_t segment_entry;  /* ring index of the segment's GP entry */
    uint32_t block_rule;     /* why METHOD0 waits */
    uint32_t due_intr;       /* bit of INTR_0, in phase NV_PBDMA_ERROR */
    uint32_t batch_count;    /* private steps since the last event */
    uint32_t preempt;        /* 1: has to leave behind this segment */
    uint64_t segment_at;     /* address behind the latched dwords */
    gfe_ps block_from_ps;
    gfe_ps fetch_from_ps;    /* when the read of a GP entry or of dwords began */
    uint32_t block_engine;   /* the engine that had the methods before METHOD0 */
    uint32_t reserved;
    gfe_ps local_ps;         /* where the private steps started ... */
    uint64_t local_cycles;   /* ... and how far they have come since */
    uint64_t acquire_tries;
    uint32_t latch[NV_PBDMA_LATCH_DWORDS];
};
GFE_STATE_END

struct nv_pbdma {
    struct machine *machine;
    const struct gpu_model *model;
    struct nv_host *host;
    struct nv_runlist *runlists;
    struct nv_fe *fe;
    struct nv_ce *ce; /* copy engine of this PBDMA's runqueue, NULL = none */
    uint32_t pbdma_id;
    uint32_t unit;
    char name[16];
    struct mmio_window *regs;
    struct nv_pbdma_state *state;
};

void nv_pbdma_wire(struct nv_pbdma *pbdma, struct nv_host *host, struct nv_fe *fe,
                   uint32_t pbdma_id);
bool nv_pbdma_is_free(const struct nv_pbdma *pbdma);
/* Starts loading a channel; the PBDMA must be free (asserted). */
void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id);
/* Software wants the channel off: at once when it is idle or stopped (then nothing is saved:
 * ASSUMED), else behind the segment that it works on. */
void nv_pbdma_preempt(struct nv_pbdma *pbdma);
/* GP_PUT of the loaded channel was stored again. */
void nv_pbdma_doorbell(struct nv_pbdma *pbdma);
/* What METHOD0 waited for has happened: try it again, now. */
void nv_pbdma_resume(struct nv_pbdma *pbdma);
/* Sets a bit of INTR_0 (0..31) or INTR_1 (NV_PBDMA_INTR_1 + 0..31), logs it and freezes. */
enum { NV_PBDMA_INTR_1 = 32 };
void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit);
/* An access of the channel found no translation: logged, the channel stops. */
void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind);
static inline uint32_t nv_pbdma_reg(const struct nv_pbdma *pbdma, uint32_t offset)
{
    return pbdma->regs->storage[offset / 4];
}
static inline void nv_pbdma_set_reg(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    pbdma->regs->storage[offset / 4] = value;
}

/* ---- between the parts of the PBDMA ---------------------------------------------------------- */

struct nv_method;

uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter);
/* The next step is an event, `cycles` after where the private steps have come. */
void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles);
/* Private steps count from now on. */
void nv_pbdma_start_batch(struct nv_pbdma *pbdma);
void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value);
/* The next GP entry, or idle. */
void nv_pbdma_next_entry(struct nv_pbdma *pbdma);
/* nv_pbdma_fetch.c: what the events of reading do. */
void nv_pbdma_entry(struct nv_pbdma *pbdma);
void nv_pbdma_next_fetch(struct nv_pbdma *pbdma);
void nv_pbdma_fetch(struct nv_pbdma *pbdma);
void nv_pbdma_segment_end(struct nv_pbdma *pbdma);
/* nv_pbdma_method.c: works through latched dwords until something can be seen from outside. */
void nv_pbdma_advance(struct nv_pbdma *pbdma);
/* Executes METHOD0, which can be seen from outside. */
void nv_pbdma_execute(struct nv_pbdma *pbdma);
/* What METHOD0 and DATA0 hold. */
struct nv_method nv_pbdma_method(const struct nv_pbdma *pbdma);
/* METHOD0 has to wait; nv_pbdma_resume() tries again. */
void nv_pbdma_block(struct nv_pbdma *pbdma, uint32_t rule);
/* Event kind that tries METHOD0 again (for machine_watch()). */
enum { NV_PBDMA_EVENT_STEP, NV_PBDMA_EVENT_WATCH };
/* Id by which TARGET names the graphics engine and the runqueue's copy engine. */
enum { NV_TARGET_GR = 0 };
/* True when the engine that got the last method is idle; else this PBDMA is resumed when it is. */
bool nv_pbdma_target_idle(struct nv_pbdma *pbdma);

/* nv_pbdma_host.c: Host's methods, byte offset below 0x100, SET_OBJECT excepted.  True when the
 * method is done; false when METHOD0 has to wait (block_rule is set) or an interrupt was raised. */
bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data);
/* True for those that only set a register. */
bool nv_pbdma_host_private(uint32_t method);

/* unit_kind of EVENT_NV_MMU_FAULT. */
enum { NV_FAULT_HOST, NV_FAULT_GR, NV_FAULT_CE };

#endif
