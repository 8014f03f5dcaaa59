/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA: reads a channel's GP entries and pushbuffer segments and turns them into methods.
 *
 * The architectural state is the register window, whose first 256 bytes are loaded from and saved
 * to RAMFC; the header being processed lives in PB_HEADER and PB_COUNT, so that a channel can leave
 * between a header and its data.  Methods below 0x100 are Host's own (nv_pbdma_host.c); the others
 * go to the engine that the subchannel stands for.  Private steps (headers, class state) run in a
 * batch (nv_pbdma_decode.h); whatever another unit, the CPU or the log can see is an event of its
 * own.
 *
 * Reading runs ahead of processing, in requests: of up to NV_PBDMA_REQUEST_ENTRIES GP entries, and
 * of up to NV_PBDMA_REQUEST_DWORDS dwords of the segments behind each other, which are latched when
 * they are read.  SYNC_WAIT holds reading until all before is processed; a conditional segment is
 * passed over if SUBDEVICE_STATUS is inactive when it would be read.  Software that changes entries
 * in the ring must leave as many NOPs before them as are read ahead.  GP_GET moves when an entry
 * begins to be processed.
 *
 * A bit of INTR_0 or INTR_1 that stalls freezes the PBDMA (nv_pbdma_intr.h: which there are, and
 * what INTR_STALL does); when software clears it, the PBDMA goes on as the manual says for that
 * bit: METHOD, METHODCRC, DEVICE, SEMAPHORE and ACQUIRE try METHOD0 again, GPENTRY, GPCRC and PBCRC
 * take the next entry (on Volta a GPENTRY of an entry with a length ends the channel), PBENTRY and
 * PBSEG go on with PB_HEADER and PB_COUNT as they then are, GPPTR, GPFIFO, PBPTR and SIGNATURE
 * check again.  A fault stops the channel when processing comes to what could not be read
 * (ASSUMED); from Volta on it is saved where it stands, and tries again when software has cleared
 * its faulted bit (nv_fault.h).  A channel can leave at METHOD0 and within a segment: GET says
 * where it goes on.
 *
 * Described in open-gpu-doc gv100/dev_pbdma.ref.txt, tu104/dev_pbdma.ref.txt,
 * tu104/dev_ram.ref.txt. Not modelled: METHOD1 to METHOD3 and PB_DATA (there is one method at a
 * time, and an instruction that means nothing is in HDR_SHADOW; no manual says where PB_DATA lies),
 * engines that are neither graphics nor copy engines (what is sent to them is dropped, Host checks
 * none of it, and the log says so once for each), the PRIV bit of entries; registers read within a
 * batch show its end.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_H

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_crc.h"
#include "devices/nvidia/nv_pbdma_decode.h"
#include "devices/nvidia/nv_pbdma_intr.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "emu/engine/machine.h"

struct nv_ce;
struct nv_fe;
struct nv_host;
struct nv_runlist;

enum {
    NV_PBDMA_LATCH_DWORDS = 2048,
    NV_PBDMA_REQUEST_DWORDS = 1024, /* asked for at once, when there is room for so many */
    NV_PBDMA_ENTRIES = 32,
    NV_PBDMA_REQUEST_ENTRIES = 16, /* one line of 128 bytes */
};

enum nv_pbdma_phase {
    NV_PBDMA_EMPTY,   /* no channel */
    NV_PBDMA_LOADING, /* RAMFC is being read, the engine's context loaded */
    NV_PBDMA_LOADED,  /* ... is to be checked again */
    NV_PBDMA_ENGINES, /* the engines that the channel needs are to have its context */
    NV_PBDMA_ENTRY,   /* wants a GP entry: one is being read */
    NV_PBDMA_FETCH,   /* wants dwords of the segment: they are being read */
    NV_PBDMA_NEXT,    /* takes the next GP entry */
    NV_PBDMA_SEGMENT, /* goes on with the segment: takes what is latched */
    NV_PBDMA_DWORDS,  /* works through latched dwords; the batch was cut here */
    NV_PBDMA_METHOD,  /* METHOD0 holds a method that is not private */
    NV_PBDMA_MASK,    /* SUBDEVICE_STATUS changes */
    NV_PBDMA_ERROR,   /* an interrupt is due */
    NV_PBDMA_SEGMENT_END,
    NV_PBDMA_BLOCKED, /* METHOD0 waits, or an interrupt freezes all */
    NV_PBDMA_IDLE,    /* GP_GET == GP_PUT; leaves after a while */
    NV_PBDMA_SAVING,
    NV_PBDMA_STOPPED, /* an error; only software can take the channel off */
};

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

GFE_STATE_BEGIN
/* A GP entry that has been read. */
struct nv_pbdma_entry {
    uint32_t word[2];
    uint64_t address; /* of its segment */
    uint32_t index;   /* in the ring */
    uint32_t flags;
    uint32_t length;  /* dwords to process; 0: a control entry, or skipped */
    uint32_t asked;   /* of them in the request under way */
    uint32_t fetched; /* of them latched, ever */
    uint32_t done;    /* of them processed */
};

struct nv_pbdma_state {
    uint32_t phase;
    uint32_t channel_id;
    uint32_t runlist_id;
    uint32_t tsg_id;
    uint32_t space_id;   /* address space of the channel */
    uint32_t generation; /* counts wake-ups, so that stale events are recognised */
    uint64_t instance;   /* address of the instance block */
    uint32_t instance_aperture;
    uint32_t segment_methods;
    uint32_t block_rule;  /* why METHOD0 waits */
    uint32_t after_block; /* phase to go on in; 0: METHOD0 is tried again */
    uint32_t due_intr;    /* bit of INTR_0, in phase NV_PBDMA_ERROR */
    uint32_t due_method;  /* METHOD0 and DATA0 to be, in phase NV_PBDMA_METHOD; 0: they are */
    uint32_t due_data;
    uint32_t due_subdevice; /* SUBDEVICE to be, in phase NV_PBDMA_MASK */
    uint32_t batch_count;   /* private steps since the last event */
    uint32_t preempt;       /* 1: has to leave as soon as it can */
    uint32_t bad_header;    /* 1: HDR_SHADOW means nothing, and PB_HEADER has not been mended */
    uint32_t first;         /* 1: no instruction of the segment has been seen */
    /* Entries read, by counters: [head] is processed, [cursor] is read next, [tail] is free. */
    uint32_t entry_head, entry_cursor, entry_tail;
    /* The request under way. */
    uint32_t fetching;     /* enum nv_pbdma_fetching */
    uint32_t fetch_count;  /* entries or dwords */
    uint32_t fetch_first;  /* counter of the entry with the first of the dwords */
    uint32_t fetch_serial; /* counts requests, so that stale events are recognised */
    uint32_t fetch_late;   /* 1: it has come while the PBDMA was frozen */
    uint32_t fetch_error;  /* why nothing more is read: a bit of INTR_0 + 1, or _FAULT */
    uint32_t latch_at;     /* place in `latch` of the next dword to be processed */
    uint32_t latch_count;
    uint32_t batch_left;  /* dwords that were there when the batch began, still to do */
    uint32_t batch_taken; /* dwords done in the batch: their places are free when it ends */
    uint32_t crc_left;    /* dwords done, right before latch_at, that PB_CRC does not hold yet */
    uint64_t fault_address;
    gfe_ps fetch_from_ps; /* when the request began */
    gfe_ps want_from_ps;  /* since when processing wants what is being read */
    gfe_ps waited_ps;     /* for how long it has waited for the entry that it takes next */
    gfe_ps block_from_ps;
    uint64_t block_id;      /* who is in the way: an engine, a semaphore's address */
    uint32_t block_kind;    /* enum event_subject */
    uint32_t host_step;     /* how far a Host method of several steps has come */
    gfe_ps step_ps;         /* when the step that is scheduled is due */
    uint64_t after_cycles;  /* what was left until then when PRI froze it */
    gfe_ps local_ps;        /* where the private steps started ... */
    uint64_t local_cycles;  /* ... and how far they have come since */
    uint64_t acquire_tries; /* polls of the semaphore so far */
    gfe_ps acquire_from_ps; /* the last of them that was made, not inferred; 0 = none */
    gfe_ps host_from_ps;    /* when the step of host_step began */
    uint32_t acquire_timer; /* 1: an event NV_PBDMA_EVENT_TIMEOUT is on its way */
    uint32_t acquire_switch, acquire_wide; /* of the acquire that has failed */
    uint32_t in_segment;                   /* 1: what RAMFC says of a segment has been taken up */
    uint32_t primary;     /* number of the engine that the channel's runlist is for; 31 = none */
    uint32_t unmodelled;  /* bit per engine that was said not to be modelled */
    uint32_t stalling[2]; /* bits of INTR_0 and INTR_1 that froze when they were raised */
    uint32_t injected;    /* bits of INTR_0 that the next request of their kind is to raise */
    uint32_t lost;        /* 1 + the bit that the request without an answer will raise */
    uint32_t lost_serial; /* counts those, so that stale events are recognised */
    uint32_t saves;       /* 1, in phase NV_PBDMA_STOPPED: the channel is saved when it leaves */
    struct nv_pbdma_entry entries[NV_PBDMA_ENTRIES];
    uint32_t latch[NV_PBDMA_LATCH_DWORDS];
};
GFE_STATE_END

/* fetch_error when memory could not be read. */
enum { NV_PBDMA_FETCH_FAULT = 64 };

struct nv_pbdma {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host *host;
    struct nv_runlist *runlists;
    struct nv_fe *fe;
    /* By runlist, the copy engine to which this PBDMA sends methods: of its runqueue on a graphics
     * runlist, of the runlist on another; NULL = none.  Constant after the wiring. */
    struct nv_ce *ce_of_runlist[NV_CHIP_RUNLISTS_MAX];
    uint32_t primary_of_runlist[NV_CHIP_RUNLISTS_MAX]; /* likewise, what `primary` will be */
    uint32_t pbdma_id;
    uint32_t unit;
    char name[16];
    struct mmio_window *regs;
    /* Constant after the wiring.  Sinks while TARGET names no engine, graphics, the runqueue's copy
     * engine beside graphics, the runlist's own copy engine, one that is not modelled. */
    struct nv_crc crc;
    struct nv_pbdma_sinks sinks, graphics_sinks, grcopy_sinks, copy_sinks, unmodelled_sinks;
    struct nv_pbdma_state *state;
};

void nv_pbdma_wire(struct nv_pbdma *pbdma, struct nv_host *host, struct nv_fe *fe,
                   uint32_t pbdma_id);
bool nv_pbdma_is_free(const struct nv_pbdma *pbdma);
/* Starts loading a channel; the PBDMA must be free (asserted). */
void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id);
/* The channel has to leave: at once when it is idle, waits, or is stopped (then nothing is saved,
 * but behind a fault from Volta on: ASSUMED), else behind the method that it is at; when an
 * interrupt freezes it, once that is cleared. */
void nv_pbdma_expel(struct nv_pbdma *pbdma);
/* GP_PUT of the loaded channel was stored again. */
void nv_pbdma_doorbell(struct nv_pbdma *pbdma);
/* What METHOD0 waited for has happened: try it again, now. */
void nv_pbdma_resume(struct nv_pbdma *pbdma);
/* An access of the channel found no translation: logged, the channel stops. */
void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind);
static inline uint32_t nv_pbdma_reg(const struct nv_pbdma *pbdma, uint32_t offset)
{
    return pbdma->regs->storage[offset / 4];
}
/* A passage of the channel that is on (emu/faults/inject.h). */
static inline bool nv_pbdma_passes(struct nv_pbdma *pbdma, uint32_t site, void *data, size_t bytes)
{
    return machine_inject(pbdma->machine, pbdma->unit, site, pbdma->state->channel_id, data, bytes);
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
/* The channel on the PBDMA will not run on; what was read ahead is forgotten. */
void nv_pbdma_stop(struct nv_pbdma *pbdma);
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
/* At the wiring, of each runlist that the PBDMA serves: where its copies go; NULL: nowhere. */
void nv_pbdma_route(struct nv_pbdma *pbdma, uint32_t runlist_id, struct nv_ce *ce);
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
/* A channel has become faulted: whoever waits for that looks again. */
void nv_pbdma_fault_seen(struct nv_host *host);

/* nv_pbdma_memop.c.  They return as nv_pbdma_host_method(). */
bool nv_pbdma_mem_op(struct nv_pbdma *pbdma, uint32_t data);
bool nv_pbdma_fb_flush(struct nv_pbdma *pbdma);
/* Waits until the engine that got the last method is idle, and then for a system memory barrier. */
bool nv_pbdma_idle_and_flushed(struct nv_pbdma *pbdma);
/* `operation` of EVENT_NV_MEM_OP: that of MEM_OP_D, and two that are not in it. */
enum { NV_MEM_OP_FB_FLUSH = 32, NV_MEM_OP_SYSMEMBAR };

#endif
