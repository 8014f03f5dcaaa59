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
 * An interrupt bit in INTR_0 or INTR_1 freezes the PBDMA.  METHOD, METHODCRC, DEVICE, SEMAPHORE and
 * ACQUIRE leave METHOD0 for software to mend: when the bit is cleared it is tried again.  Other
 * errors stop the channel.  A channel can leave at METHOD0 and within a segment: GET says where it
 * goes on.  Described in open-gpu-doc gv100/dev_pbdma.ref.txt, tu104/dev_ram.ref.txt.  Not modelled
 * yet: CRC checks of entries and segments, conditional fetch, subdevice masks other than "active",
 * prefetch, timeouts of memory, ACQUIRE_SWITCH (a failed acquire keeps the PBDMA, where the hardware
 * tries the TSG's other channels and then other TSGs), slices among the channels of a TSG.
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
    uint64_t block_id;       /* who is in the way: an engine, a semaphore's address */
    uint32_t block_kind;     /* enum event_subject */
    uint32_t host_step;      /* how far a Host method of several steps has come */
    gfe_ps local_ps;         /* where the private steps started ... */
    uint64_t local_cycles;   /* ... and how far they have come since */
    uint64_t acquire_tries;  /* polls of the semaphore so far */
    gfe_ps acquire_from_ps;  /* the last of them that was made, not inferred; 0 = none */
    gfe_ps host_from_ps;     /* when the step of host_step began */
    uint32_t acquire_timer;  /* 1: an event NV_PBDMA_EVENT_TIMEOUT is on its way */
    uint32_t yields;         /* 1: leaves behind METHOD0 */
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
/* Saves the channel and takes another, wherever in its segment it is; between methods, or while
 * METHOD0 waits. */
void nv_pbdma_leave(struct nv_pbdma *pbdma);
/* nv_pbdma_wait.c: METHOD0 has to wait; nv_pbdma_resume() tries again. */
void nv_pbdma_block(struct nv_pbdma *pbdma, uint32_t rule);
/* It waits no more: logged.  Nothing if it did not wait. */
void nv_pbdma_unblock(struct nv_pbdma *pbdma);
/* The channel on the PBDMA will not run on. */
void nv_pbdma_stop(struct nv_pbdma *pbdma);
/* Nothing is left to happen: logs the wait that did not end. */
void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma);
/* Event kind that tries METHOD0 again (for machine_watch()). */
enum { NV_PBDMA_EVENT_STEP, NV_PBDMA_EVENT_WATCH, NV_PBDMA_EVENT_TIMEOUT };
/* Id by which TARGET names the graphics engine and the runqueue's copy engine. */
enum { NV_TARGET_GR = 0 };
/* True when the engine that got the last method is idle; else this PBDMA is resumed when it is. */
bool nv_pbdma_target_idle(struct nv_pbdma *pbdma);

/* nv_pbdma_host.c: Host's methods, byte offset below 0x100, SET_OBJECT excepted.  True when the
 * method is done; false when METHOD0 has to wait (block_rule is set) or an interrupt was raised. */
bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data);
/* True for those that only set a register. */
bool nv_pbdma_host_private(uint32_t method);

/* Logs, once for each method, that something of it is not modelled (enum event_unmodelled). */
void nv_pbdma_unmodelled(struct nv_pbdma *pbdma, uint32_t method, uint32_t data, uint32_t what);

/* nv_pbdma_semaphore.c: SEMAPHORED.  Returns as nv_pbdma_host_method(). */
bool nv_pbdma_semaphore(struct nv_pbdma *pbdma, uint32_t data);
/* Virtual address in SEMAPHOREA and B. */
uint64_t nv_pbdma_semaphore_address(const struct nv_pbdma *pbdma);
/* An acquire looks again at its next poll. */
void nv_pbdma_poll_later(struct nv_pbdma *pbdma);
/* The event of a deadline. */
void nv_pbdma_semaphore_timeout(struct nv_pbdma *pbdma);
/* Polls no more, for now: the deadline stays in its register. */
void nv_pbdma_acquire_stop(struct nv_pbdma *pbdma);
/* A Host method is done: the next acquire is a new one. */
void nv_pbdma_semaphore_done(struct nv_pbdma *pbdma);

/* nv_pbdma_memop.c.  They return as nv_pbdma_host_method(). */
bool nv_pbdma_mem_op(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_fb_flush(struct nv_pbdma *pbdma);
/* Waits until the engine that got the last method is idle, and then for a system memory barrier. */
bool nv_pbdma_idle_and_flushed(struct nv_pbdma *pbdma);
/* `operation` of EVENT_NV_MEM_OP: that of MEM_OP_D, and two that are not in it. */
enum { NV_MEM_OP_FB_FLUSH = 32, NV_MEM_OP_SYSMEMBAR };

/* unit_kind of EVENT_NV_MMU_FAULT. */
enum { NV_FAULT_HOST, NV_FAULT_GR, NV_FAULT_CE };

#endif
