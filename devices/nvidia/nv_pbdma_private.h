/* SPDX-License-Identifier: MIT */
/*
 * What the parts of a PBDMA (nv_pbdma*.c) share.  nv_pbdma.h has what other units see of it.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_PRIVATE_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_PRIVATE_H

#include "devices/nvidia/nv_pbdma.h"

struct nv_method;

enum nv_pbdma_fetching {
    NV_PBDMA_FETCHES_NOTHING,
    NV_PBDMA_FETCHES_ENTRIES,
    NV_PBDMA_FETCHES_DWORDS
};

/* flags of struct nv_pbdma_entry */
enum {
    NV_PBDMA_ENTRY_COMMITTED = 1, /* GP_GET has passed it */
    NV_PBDMA_ENTRY_SKIPPED = 2,   /* conditional, and the subdevice was inactive */
    NV_PBDMA_ENTRY_HELD = 4,      /* its SYNC_WAIT has held reading */
    NV_PBDMA_ENTRY_FAULT = 8,     /* what follows `fetched` could not be read */
};

/* fetch_error when memory could not be read. */
enum { NV_PBDMA_FETCH_FAULT = 64 };

/* ---- nv_pbdma.c ------------------------------------------------------------------------------ */

/* A passage of the channel that is on (emu/faults/inject.h). */
static inline bool nv_pbdma_passes(struct nv_pbdma *pbdma, uint32_t site, void *data, size_t bytes)
{
    return machine_inject(pbdma->machine, pbdma->unit, site, pbdma->state->channel_id, data, bytes);
}

/* An access of the channel found no translation: logged, the channel stops. */
void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind);
uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter);
/* The next step is an event, `cycles` after where the private steps have come. */
void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles);
/* Where the private steps have come. */
gfe_ps nv_pbdma_local(const struct nv_pbdma *pbdma);
/* Private steps count from now on. */
void nv_pbdma_start_batch(struct nv_pbdma *pbdma);
void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value);
/* Sets a bit; when software clears it, or at once if it does not stall, the PBDMA goes on in that
 * phase. */
void nv_pbdma_interrupt_in(struct nv_pbdma *pbdma, uint32_t intr_bit, enum nv_pbdma_phase after);
/* Software has written a register that processing uses: PRI, unless the PBDMA is idle or frozen. */
void nv_pbdma_unsafe(struct nv_pbdma *pbdma);
/* True while a bit of INTR_0 or INTR_1 is set that stalls. */
static inline bool nv_pbdma_frozen(const struct nv_pbdma *pbdma)
{
    const uint32_t *stalling = pbdma->state->stalling;

    return ((nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) & stalling[0]) |
            (nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) & stalling[1])) != 0;
}
/* A channel is on it, and no interrupt freezes it. */
static inline bool nv_pbdma_processes(const struct nv_pbdma *pbdma)
{
    switch (pbdma->state->phase) {
    case NV_PBDMA_EMPTY:
    case NV_PBDMA_LOADING:
    case NV_PBDMA_SAVING:
    case NV_PBDMA_STOPPED:
        return false;
    default:
        return !nv_pbdma_frozen(pbdma);
    }
}

/* nv_pbdma_fetch.c: asks for what comes next, if there is something, room, and no other request. */
void nv_pbdma_fetch_more(struct nv_pbdma *pbdma, gfe_ps from_ps);
/* A request is answered. */
void nv_pbdma_fetched(struct nv_pbdma *pbdma);
/* Forgets everything that was read and not processed. */
void nv_pbdma_forget(struct nv_pbdma *pbdma);
/* The ring: its address, and its number of entries less one. */
static inline uint64_t nv_pbdma_ring_base(const struct nv_pbdma *pbdma)
{
    return (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE_HI), NV_PPBDMA_GP_BASE_HI_OFFSET)
               << 32 |
           (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE), NV_PPBDMA_GP_BASE_OFFSET) << 3;
}
static inline uint32_t nv_pbdma_ring_mask(const struct nv_pbdma *pbdma)
{
    return (1u << REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE_HI), NV_PPBDMA_GP_BASE_HI_LIMIT2)) -
           1;
}
/* The entry that is being processed; there must be one. */
static inline struct nv_pbdma_entry *nv_pbdma_current(struct nv_pbdma *pbdma)
{
    return &pbdma->state->entries[pbdma->state->entry_head % NV_PBDMA_ENTRIES];
}

/* nv_pbdma_entry.c: takes the next GP entry, or waits for one, or is idle. */
void nv_pbdma_next_entry(struct nv_pbdma *pbdma);
/* Goes on with the current segment: works on what is latched, waits for more, or ends it. */
void nv_pbdma_segment(struct nv_pbdma *pbdma);
void nv_pbdma_segment_end(struct nv_pbdma *pbdma);
/* The rest of the current segment is ignored. */
void nv_pbdma_discard_segment(struct nv_pbdma *pbdma);
/* A pair of registers that hold an address. */
uint64_t nv_pbdma_get_address(const struct nv_pbdma *pbdma, uint32_t low, uint32_t high);
/* GET, TOP_LEVEL_GET and PB_FETCH as processing stands. */
void nv_pbdma_store_get(struct nv_pbdma *pbdma);
/* Goes on where RAMFC says that the channel left: at METHOD0, within a segment, or in its ring. */
void nv_pbdma_continue(struct nv_pbdma *pbdma);

/* host_step of a method that gets no answer. */
#define NV_PBDMA_STEP_LOST UINT32_MAX

/* nv_pbdma_check.c: the bit of INTR_0 or INTR_1 that a channel raises which has just been loaded;
 * NV_PBDMA_INTRS: it can run. */
uint32_t nv_pbdma_wrong(const struct nv_pbdma *pbdma);
/* TARGET says that the loaded channel has what that engine needs: always, up to Pascal. */
bool nv_pbdma_has_context(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* SUBCH4 of NV_RUNLIST_CONFIG: always, up to Turing. */
bool nv_pbdma_takes_subchannel_4(const struct nv_pbdma *pbdma);

/* nv_pbdma.c: the engines that the channel needs are to have its context; then it goes on. */
void nv_pbdma_take_engines(struct nv_pbdma *pbdma);

/* nv_pbdma_method.c: what the sinks are, at the wiring. */
void nv_pbdma_wire_sinks(struct nv_pbdma *pbdma);
/* Brings PB_CRC up to date.  It is left behind because hardly anybody looks at it before the next
 * segment begins. */
void nv_pbdma_fold_latch(struct nv_pbdma *pbdma);
static inline void nv_pbdma_fold_crc(struct nv_pbdma *pbdma)
{
    if (pbdma->state->crc_left > 0)
        nv_pbdma_fold_latch(pbdma);
}
/* Works through latched dwords until something can be seen from outside. */
void nv_pbdma_advance(struct nv_pbdma *pbdma);
/* A method comes that is not private. */
void nv_pbdma_method_here(struct nv_pbdma *pbdma);
/* SUBDEVICE_STATUS changes. */
void nv_pbdma_mask(struct nv_pbdma *pbdma);
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
void nv_pbdma_end_wait(struct nv_pbdma *pbdma);
static inline void nv_pbdma_unblock(struct nv_pbdma *pbdma)
{
    if (pbdma->state->block_rule != RULE_NONE)
        nv_pbdma_end_wait(pbdma);
}
/* Nothing is left to happen: logs the wait that did not end. */
void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma);
/* Event kind that tries METHOD0 again (for machine_watch()). */
enum {
    NV_PBDMA_EVENT_STEP,
    NV_PBDMA_EVENT_WATCH,
    NV_PBDMA_EVENT_TIMEOUT,
    NV_PBDMA_EVENT_FETCH,
    NV_PBDMA_EVENT_WATCH_HI, /* of the upper half of a semaphore of 64 bits */
    NV_PBDMA_EVENT_LOST,     /* a request has had no answer for too long */
};
/* Id by which TARGET names the graphics engine and the runqueue's copy engine. */
enum { NV_TARGET_GR = 0 };
/* True while the loaded channel's runlist has the graphics engine. */
static inline bool nv_pbdma_has_graphics(const struct nv_pbdma *pbdma)
{
    return pbdma->state->primary == NV_TARGET_GR;
}
/* Where the copies of the loaded channel go; NULL: nowhere. */
static inline struct nv_ce *nv_pbdma_ce(const struct nv_pbdma *pbdma)
{
    return pbdma->ce_of_runlist[pbdma->state->runlist_id];
}
/* True for the number of the engine to which the channel's copies go. */
bool nv_pbdma_is_ce(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* Do methods of the loaded channel go to that engine, on some subchannel? */
bool nv_pbdma_serves(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* The channel is new here: does TARGET name an engine of it? */
void nv_pbdma_check_target(struct nv_pbdma *pbdma);
/* True when the engine that got the last method is idle; else this PBDMA is resumed when it is. */
bool nv_pbdma_target_idle(struct nv_pbdma *pbdma);

/* nv_pbdma_host.c: Host's methods, byte offset below 0x100, SET_OBJECT excepted.  True when the
 * method is done; false when METHOD0 has to wait (block_rule is set) or an interrupt was raised. */
bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data);
/* True for those that only set a register, and that the chip's Host has. */
bool nv_pbdma_host_private(const struct nv_pbdma *pbdma, uint32_t method);

/* Logs, once for each method, that something of it is not modelled (enum unmodelled_what). */
void nv_pbdma_unmodelled(struct nv_pbdma *pbdma, uint32_t method, uint32_t data, uint32_t what);

/* nv_pbdma_semaphore.c: SEMAPHORED, and SEM_EXECUTE.  They return as nv_pbdma_host_method(). */
bool nv_pbdma_semaphore(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_sem_execute(struct nv_pbdma *pbdma, uint32_t data);
/* Virtual address in SEMAPHOREA and B. */
uint64_t nv_pbdma_semaphore_address(const struct nv_pbdma *pbdma);
/* An acquire looks again at its next poll. */
void nv_pbdma_poll_later(struct nv_pbdma *pbdma);
/* The event of a deadline, of an acquire or of CLEAR_FAULTED. */
void nv_pbdma_semaphore_timeout(struct nv_pbdma *pbdma);
/* ACQUIRE_FAIL: METHOD0 has been tried, and its deadline stands. */
bool nv_pbdma_acquire_failed(const struct nv_pbdma *pbdma);
void nv_pbdma_set_acquire_failed(struct nv_pbdma *pbdma, bool failed);
/* Unit of ACQUIRE's timeout and of ACQUIRE_DEADLINE: 1,024 ns. */
enum { NV_PBDMA_TICK_PS = 1024 * 1000 };
/* The channel leaves at an acquire that has failed: it waits off the PBDMA. */
void nv_pbdma_acquire_park(struct nv_pbdma *pbdma);
/* Polls no more, for now: the deadline stays in its register. */
void nv_pbdma_acquire_stop(struct nv_pbdma *pbdma);
/* A Host method is done: the next acquire is a new one. */
void nv_pbdma_semaphore_done(struct nv_pbdma *pbdma);

/* nv_pbdma_faulted.c.  It returns as nv_pbdma_host_method(). */
bool nv_pbdma_clear_faulted(struct nv_pbdma *pbdma, uint32_t data);
/* The channel for whose fault METHOD0 waits. */
uint32_t nv_pbdma_awaited_fault(const struct nv_pbdma *pbdma);
/* METHOD0 is tried again at the next microsecond. */
void nv_pbdma_retry_at_tick(struct nv_pbdma *pbdma);

/* nv_pbdma_memop.c.  They return as nv_pbdma_host_method(). */
bool nv_pbdma_mem_op(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_fb_flush(struct nv_pbdma *pbdma);
/* Waits until the engine that got the last method is idle, and then for a system memory barrier. */
bool nv_pbdma_idle_and_flushed(struct nv_pbdma *pbdma);
/* `operation` of EVENT_NV_MEM_OP: that of MEM_OP_D, and two that are not in it. */
enum { NV_MEM_OP_FB_FLUSH = 32, NV_MEM_OP_SYSMEMBAR };

#endif
