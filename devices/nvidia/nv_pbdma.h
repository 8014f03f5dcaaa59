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
/* Routes the copies of a runlist that the PBDMA serves, at the wiring; NULL means nowhere. */
void nv_pbdma_route(struct nv_pbdma *pbdma, uint32_t runlist_id, struct nv_ce *ce);
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
/* Stops the channel on the PBDMA, which will not run on, and forgets what was read ahead. */
void nv_pbdma_stop(struct nv_pbdma *pbdma);
/* Lets each PBDMA that waits for a faulted channel look again: one has become faulted. */
void nv_pbdma_fault_seen(struct nv_host *host);

static inline uint32_t nv_pbdma_reg(const struct nv_pbdma *pbdma, uint32_t offset)
{
    return pbdma->regs->storage[offset / 4];
}
static inline void nv_pbdma_set_reg(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    pbdma->regs->storage[offset / 4] = value;
}

#endif
