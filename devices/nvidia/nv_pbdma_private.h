/* SPDX-License-Identifier: MIT */
/*
 * The parts of a PBDMA (nv_pbdma*.c) share this header.  Other units use nv_pbdma.h.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_PRIVATE_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_PRIVATE_H

#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_pbdma.h"

struct nv_method;

enum nv_pbdma_fetching {
    NV_PBDMA_FETCHES_NOTHING,
    NV_PBDMA_FETCHES_ENTRIES,
    NV_PBDMA_FETCHES_DWORDS
};

/* Flags of struct nv_pbdma_entry. */
enum {
    NV_PBDMA_ENTRY_COMMITTED = 1, /* GP_GET has passed it */
    NV_PBDMA_ENTRY_SKIPPED = 2,   /* conditional, and the subdevice was inactive */
    NV_PBDMA_ENTRY_HELD = 4,      /* its SYNC_WAIT has held reading */
    NV_PBDMA_ENTRY_FAULT = 8,     /* the data after `fetched` could not be read */
};

/* Value of fetch_error after memory could not be read. */
enum { NV_PBDMA_FETCH_FAULT = 64 };

/* ---- nv_pbdma.c ------------------------------------------------------------------------------ */

/* Passes data of the loaded channel through a site of injected faults (emu/faults/inject.h).
 * Returns false if the data is lost. */
static inline bool nv_pbdma_passes(struct nv_pbdma *pbdma, uint32_t site, void *data, size_t bytes)
{
    return machine_inject(pbdma->machine, pbdma->unit, site, pbdma->state->channel_id, data, bytes);
}

/* Logs a missing translation for an access of the channel, and stops the channel. */
void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind);
/* Returns the value of a parameter. */
uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter);
/* Schedules the next step as an event, `cycles` after the local time of the private steps. */
void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles);
/* Returns the local time of the private steps. */
gfe_ps nv_pbdma_local(const struct nv_pbdma *pbdma);
/* Starts a batch: local time = now. */
void nv_pbdma_start_batch(struct nv_pbdma *pbdma);
/* Writes a word to the channel's USERD. */
void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value);
/* Raises an interrupt.  The PBDMA continues in phase `after` when software clears the bit, or at
 * once if it does not stall. */
void nv_pbdma_interrupt_in(struct nv_pbdma *pbdma, uint32_t intr_bit, enum nv_pbdma_phase after);
/* Raises PRI after software has written a register that processing uses, unless the PBDMA is idle
 * or frozen. */
void nv_pbdma_unsafe(struct nv_pbdma *pbdma);
/* Returns true while a stalling bit of INTR_0 or INTR_1 is set. */
static inline bool nv_pbdma_frozen(const struct nv_pbdma *pbdma)
{
    const uint32_t *stalling = pbdma->state->stalling;

    return ((nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) & stalling[0]) |
            (nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_1) & stalling[1])) != 0;
}
/* Returns true if a channel is on the PBDMA and no interrupt freezes it. */
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

/* Requests the next data, if there is any, there is room, and no other request is open.  Defined in
 * nv_pbdma_fetch.c. */
void nv_pbdma_fetch_more(struct nv_pbdma *pbdma, gfe_ps from_ps);
/* Handles the answer to a request. */
void nv_pbdma_fetched(struct nv_pbdma *pbdma);
/* Drops everything that was read and not processed. */
void nv_pbdma_forget(struct nv_pbdma *pbdma);
/* Return the ring's address, and its number of entries less one. */
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
/* Returns the entry that is being processed; there must be one. */
static inline struct nv_pbdma_entry *nv_pbdma_current(struct nv_pbdma *pbdma)
{
    return &pbdma->state->entries[pbdma->state->entry_head % NV_PBDMA_ENTRIES];
}

/* Takes the next GP entry, or waits for one, or becomes idle.  Defined in nv_pbdma_entry.c. */
void nv_pbdma_next_entry(struct nv_pbdma *pbdma);
/* Are all dwords of the segment taken, so that it has only to end? */
bool nv_pbdma_is_at_end(struct nv_pbdma *pbdma);
/* Continues the current segment: processes latched dwords, waits for more, or ends it. */
void nv_pbdma_segment(struct nv_pbdma *pbdma);
/* Ends the current segment and logs it. */
void nv_pbdma_segment_end(struct nv_pbdma *pbdma);
/* Skips the rest of the current segment. */
void nv_pbdma_discard_segment(struct nv_pbdma *pbdma);
/* Returns the address in a pair of registers. */
uint64_t nv_pbdma_get_address(const struct nv_pbdma *pbdma, uint32_t low, uint32_t high);
/* Stores the place of processing in GET, TOP_LEVEL_GET and PB_FETCH. */
void nv_pbdma_store_get(struct nv_pbdma *pbdma);
/* Continues where RAMFC says that the channel left: at METHOD0, within a segment, or in its ring.
 */
void nv_pbdma_continue(struct nv_pbdma *pbdma);

/* Value of host_step for a method that gets no answer. */
#define NV_PBDMA_STEP_LOST UINT32_MAX

/* Returns the bit of INTR_0 or INTR_1 that a channel raises which has just been loaded.
 * `NV_PBDMA_INTRS` means that the channel can run.  Defined in nv_pbdma_check.c. */
uint32_t nv_pbdma_wrong(const struct nv_pbdma *pbdma);
/* Returns true if TARGET says that the loaded channel has the context that the engine needs. Always
 * true up to Pascal. */
bool nv_pbdma_has_context(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* Returns SUBCH4 of NV_RUNLIST_CONFIG.  Always true up to Turing. */
bool nv_pbdma_takes_subchannel_4(const struct nv_pbdma *pbdma);

/* Requests the channel's context on the engines that it needs; then the channel continues.  Defined
 * in nv_pbdma.c. */
void nv_pbdma_take_engines(struct nv_pbdma *pbdma);

/* Sets up the sinks, at the wiring.  Defined in nv_pbdma_method.c. */
void nv_pbdma_wire_sinks(struct nv_pbdma *pbdma);
/* Updates PB_CRC.  This is delayed because PB_CRC is rarely read before the next segment begins. */
void nv_pbdma_fold_latch(struct nv_pbdma *pbdma);
static inline void nv_pbdma_fold_crc(struct nv_pbdma *pbdma)
{
    if (pbdma->state->crc_left > 0)
        nv_pbdma_fold_latch(pbdma);
}
/* Processes latched dwords until an effect is visible from outside. */
void nv_pbdma_advance(struct nv_pbdma *pbdma);
/* Handles a method that is not private. */
void nv_pbdma_method_here(struct nv_pbdma *pbdma);
/* Changes SUBDEVICE_STATUS. */
void nv_pbdma_mask(struct nv_pbdma *pbdma);
/* Executes METHOD0, which is visible from outside. */
void nv_pbdma_execute(struct nv_pbdma *pbdma);
/* Returns the method in METHOD0 and DATA0. */
struct nv_method nv_pbdma_method(const struct nv_pbdma *pbdma);
/* Saves the channel and takes another one, at any place in its segment: between methods, or while
 * METHOD0 waits. */
void nv_pbdma_leave(struct nv_pbdma *pbdma);
/* Makes METHOD0 wait; nv_pbdma_resume() tries again.  Defined in nv_pbdma_wait.c. */
void nv_pbdma_block(struct nv_pbdma *pbdma, uint32_t rule);
/* Ends and logs the wait of METHOD0, if there is one. */
void nv_pbdma_end_wait(struct nv_pbdma *pbdma);
static inline void nv_pbdma_unblock(struct nv_pbdma *pbdma)
{
    if (pbdma->state->block_rule != RULE_NONE)
        nv_pbdma_end_wait(pbdma);
}
/* Logs a wait that has not ended when nothing is left to happen. */
void nv_pbdma_log_open_wait(struct nv_pbdma *pbdma);
/* Kinds of events.  WATCH tries METHOD0 again (for machine_watch()). */
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
/* Returns true while the loaded channel's runlist has the graphics engine. */
static inline bool nv_pbdma_has_graphics(const struct nv_pbdma *pbdma)
{
    return pbdma->state->primary == NV_TARGET_GR;
}
/* Returns the copy engine for the loaded channel's copies, or NULL if there is none. */
static inline struct nv_ce *nv_pbdma_ce(const struct nv_pbdma *pbdma)
{
    return pbdma->ce_of_runlist[pbdma->state->runlist_id];
}
/* Returns that copy engine, which must exist, turned to the loaded channel's class state. */
static inline struct nv_ce *nv_pbdma_hce(const struct nv_pbdma *pbdma)
{
    struct nv_ce *ce = nv_pbdma_ce(pbdma);

    nv_ce_turn_to(ce, nv_pbdma_queue(pbdma)->runqueue);
    return ce;
}
/* Returns true for the number of the engine to which the channel's copies go. */
bool nv_pbdma_is_ce(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* Returns true if methods of the loaded channel go to that engine on some subchannel. */
bool nv_pbdma_serves(const struct nv_pbdma *pbdma, uint32_t engine_id);
/* Checks whether TARGET names an engine of a channel that is new here. */
void nv_pbdma_check_target(struct nv_pbdma *pbdma);
/* Returns true if the engine that got the last method is idle.  If not, this PBDMA is resumed when
 * it is. */
bool nv_pbdma_target_idle(struct nv_pbdma *pbdma);

/* Executes Host's methods (byte offset below 0x100, except SET_OBJECT).  Returns true when the
 * method is done.  Returns false when METHOD0 has to wait (block_rule is set) or an interrupt was
 * raised.  Defined in nv_pbdma_host.c. */
bool nv_pbdma_host_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t data);
/* Returns true for methods that only set a register, and that the chip's Host has. */
bool nv_pbdma_host_private(const struct nv_pbdma *pbdma, uint32_t method);

/* Logs that a part of the method is not modelled (enum unmodelled_what). */
void nv_pbdma_unmodelled(struct nv_pbdma *pbdma, uint32_t method, uint32_t data, uint32_t what);

/* Execute SEMAPHORED and SEM_EXECUTE.  Return the same as nv_pbdma_host_method().  Defined in
 * nv_pbdma_semaphore.c. */
bool nv_pbdma_semaphore(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_sem_execute(struct nv_pbdma *pbdma, uint32_t data);
/* Returns the virtual address in SEMAPHOREA and B. */
/* The bits that Host keeps of a semaphore's upper address. */
uint32_t nv_pbdma_semaphore_upper(const struct nv_pbdma *pbdma);
uint64_t nv_pbdma_semaphore_address(const struct nv_pbdma *pbdma);
/* Schedules the next poll of an acquire. */
void nv_pbdma_poll_later(struct nv_pbdma *pbdma);
/* Handles the event of a deadline, of an acquire or of CLEAR_FAULTED. */
void nv_pbdma_semaphore_timeout(struct nv_pbdma *pbdma);
/* Read and set ACQUIRE_FAIL: METHOD0 has been tried, and its deadline stands. */
bool nv_pbdma_acquire_failed(const struct nv_pbdma *pbdma);
void nv_pbdma_set_acquire_failed(struct nv_pbdma *pbdma, bool failed);
/* Unit of ACQUIRE's timeout and of ACQUIRE_DEADLINE: 1,024 ns. */
enum { NV_PBDMA_TICK_PS = 1024 * 1000 };
/* Makes the channel leave at a failed acquire; it waits off the PBDMA. */
void nv_pbdma_acquire_park(struct nv_pbdma *pbdma);
/* Stops polling for now; the deadline stays in its register. */
void nv_pbdma_acquire_stop(struct nv_pbdma *pbdma);
/* Ends a Host method: the next acquire is a new one. */
void nv_pbdma_semaphore_done(struct nv_pbdma *pbdma);

/* Executes CLEAR_FAULTED.  Returns the same as nv_pbdma_host_method().  Defined in
 * nv_pbdma_faulted.c. */
bool nv_pbdma_clear_faulted(struct nv_pbdma *pbdma, uint32_t data);
/* Returns the channel for whose fault METHOD0 waits. */
uint32_t nv_pbdma_awaited_fault(const struct nv_pbdma *pbdma);
/* Tries METHOD0 again at the next microsecond. */
void nv_pbdma_retry_at_tick(struct nv_pbdma *pbdma);

/* Execute memory operations.  Return the same as nv_pbdma_host_method().  Defined in
 * nv_pbdma_memop.c. */
bool nv_pbdma_mem_op(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_fb_flush(struct nv_pbdma *pbdma);
/* Waits until the engine that got the last method is idle, and then for a system memory barrier. */
bool nv_pbdma_idle_and_flushed(struct nv_pbdma *pbdma);
/* Values of `operation` of EVENT_NV_MEM_OP: those of MEM_OP_D, and two that it does not have. */
enum { NV_MEM_OP_FB_FLUSH = 32, NV_MEM_OP_SYSMEMBAR };

#endif
