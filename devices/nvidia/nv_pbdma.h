/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA: reads a channel's GP entries and pushbuffer segments and turns them into methods.
 *
 * The architectural state is the register window, whose first 256 bytes are loaded from and saved
 * to RAMFC.  The header being processed lives in PB_HEADER and PB_COUNT, so that a channel can
 * leave between a header and its data.  Methods below 0x100 are Host's own (nv_pbdma_host.c); the
 * others go to the engine that the subchannel stands for.  Private steps (headers, class state) run
 * in a batch (nv_pbdma_decode.h).  Each effect that is visible to another unit, the CPU or the log
 * is an event of its own.
 *
 * Reading runs ahead of processing, in requests.  A request reads up to NV_PBDMA_REQUEST_ENTRIES GP
 * entries, or up to NV_PBDMA_REQUEST_DWORDS dwords of consecutive segments, which are latched when
 * they are read.  SYNC_WAIT holds reading until all earlier entries are processed.  A conditional
 * segment is skipped if SUBDEVICE_STATUS is inactive when it would be read.  Software that changes
 * entries in the ring must leave as many NOPs before them as are read ahead.  GP_GET moves when the
 * processing of an entry begins.
 *
 * A stalling bit of INTR_0 or INTR_1 freezes the PBDMA (nv_pbdma_intr.h lists the bits and
 * describes INTR_STALL).  When software clears the bit, the PBDMA continues as the manual says for
 * that bit.  METHOD, METHODCRC, DEVICE, SEMAPHORE and ACQUIRE try METHOD0 again.  GPENTRY, GPCRC
 * and PBCRC take the next entry (on Volta a GPENTRY of an entry with a length ends the channel).
 * PBENTRY and PBSEG continue with PB_HEADER and PB_COUNT as they then are.  GPPTR, GPFIFO, PBPTR
 * and SIGNATURE check again.  A fault stops the channel when processing comes to the data that
 * could not be read (ASSUMED).  From Volta on the channel is saved where it stands, and tries again
 * when software has cleared its faulted bit (nv_fault.h).  A channel can leave at METHOD0 and
 * within a segment: GET has the place where it continues.
 *
 * Described in open-gpu-doc gv100/dev_pbdma.ref.txt, tu104/dev_pbdma.ref.txt,
 * tu104/dev_ram.ref.txt.  Not modelled: METHOD1 to METHOD3 and PB_DATA; engines that are neither
 * graphics nor copy engines; the PRIV bit of entries.  There is one method at a time, an invalid
 * instruction is in HDR_SHADOW, and no manual has the place of PB_DATA.  Methods to engines that
 * are not modelled are dropped.  Host checks none of them, and the log says so once for each
 * engine.  Registers read within a batch show its end.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_H

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_crc.h"
#include "devices/nvidia/nv_pbdma_decode.h"
#include "devices/nvidia/nv_pbdma_intr.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "emu/engine/machine.h"

struct nv_ce;
struct nv_fe;
struct nv_host;
struct nv_runlist;

enum {
    NV_PBDMA_LATCH_DWORDS = 2048,
    NV_PBDMA_REQUEST_DWORDS = 1024, /* requested at once, if there is room for them */
    NV_PBDMA_ENTRIES = 32,
    NV_PBDMA_REQUEST_ENTRIES = 16, /* one line of 128 bytes */
};

enum nv_pbdma_phase {
    NV_PBDMA_EMPTY,   /* no channel */
    NV_PBDMA_LOADING, /* RAMFC is being read, the engine's context loaded */
    NV_PBDMA_LOADED,  /* loaded; to be checked again */
    NV_PBDMA_ENGINES, /* the engines that the channel needs must get its context */
    NV_PBDMA_ENTRY,   /* needs a GP entry: one is being read */
    NV_PBDMA_FETCH,   /* needs dwords of the segment: they are being read */
    NV_PBDMA_NEXT,    /* takes the next GP entry */
    NV_PBDMA_SEGMENT, /* continues the segment: takes the latched dwords */
    NV_PBDMA_DWORDS,  /* processes latched dwords; the batch was cut here */
    NV_PBDMA_METHOD,  /* METHOD0 holds a method that is not private */
    NV_PBDMA_MASK,    /* SUBDEVICE_STATUS changes */
    NV_PBDMA_ERROR,   /* an interrupt will be raised */
    NV_PBDMA_SEGMENT_END,
    NV_PBDMA_BLOCKED, /* METHOD0 waits, or an interrupt freezes the PBDMA */
    NV_PBDMA_IDLE,    /* GP_GET == GP_PUT; the channel leaves after a while */
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
    uint32_t length;  /* dwords to process; 0 for a control entry, or a skipped one */
    uint32_t asked;   /* of them in the current request */
    uint32_t fetched; /* of them latched since the start */
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
    uint32_t after_block; /* phase after that; 0 means that METHOD0 is tried again */
    uint32_t due_intr;    /* bit of INTR_0, in phase NV_PBDMA_ERROR */
    /* next METHOD0 and DATA0, in phase NV_PBDMA_METHOD; 0 if they are set already */
    uint32_t due_method;
    uint32_t due_data;
    uint32_t due_subdevice; /* next SUBDEVICE, in phase NV_PBDMA_MASK */
    uint32_t batch_count;   /* private steps since the last event */
    uint32_t preempt;       /* 1 if the channel has to leave as soon as possible */
    uint32_t bad_header;    /* 1 if HDR_SHADOW is invalid and PB_HEADER has not been corrected */
    uint32_t first;         /* 1 if no instruction of the segment has been seen */
    /* Entries read, by counters: [head] is processed, [cursor] is read next, [tail] is free. */
    uint32_t entry_head, entry_cursor, entry_tail;
    /* The current request. */
    uint32_t fetching;     /* enum nv_pbdma_fetching */
    uint32_t fetch_count;  /* entries or dwords */
    uint32_t fetch_first;  /* counter of the entry that has the first of the dwords */
    uint32_t fetch_serial; /* counts requests, so that stale events are recognised */
    uint32_t fetch_late;   /* 1 if it arrived while the PBDMA was frozen */
    uint32_t fetch_error;  /* why reading has stopped: a bit of INTR_0 + 1, or _FAULT */
    uint32_t latch_at;     /* place in `latch` of the next dword to be processed */
    uint32_t latch_count;
    uint32_t batch_left;  /* dwords that existed when the batch began and are not done */
    uint32_t batch_taken; /* dwords done in the batch: their places are free when it ends */
    /* dwords done, directly before latch_at, that PB_CRC does not include yet */
    uint32_t crc_left;
    uint64_t fault_address;
    gfe_ps fetch_from_ps; /* time at which the request began */
    gfe_ps want_from_ps;  /* time since when processing needs what is being read */
    gfe_ps waited_ps;     /* time that it has waited for the entry that it takes next */
    gfe_ps block_from_ps;
    uint64_t block_id;      /* the blocker: an engine, or a semaphore's address */
    uint32_t block_kind;    /* enum event_subject */
    uint32_t host_step;     /* progress in a Host method of several steps */
    gfe_ps step_ps;         /* time of the scheduled step */
    uint64_t after_cycles;  /* cycles that were left until that step when PRI froze it */
    gfe_ps local_ps;        /* time at which the private steps started */
    uint64_t local_cycles;  /* cycles of the private steps since then */
    uint64_t acquire_tries; /* polls of the semaphore so far */
    gfe_ps acquire_from_ps; /* time of the last poll that was made, not inferred; 0 if none */
    gfe_ps host_from_ps;    /* time at which the step of host_step began */
    uint32_t acquire_timer; /* 1 if an event NV_PBDMA_EVENT_TIMEOUT is scheduled */
    uint32_t acquire_switch, acquire_wide; /* of the failed acquire */
    uint32_t in_segment;                   /* 1 after the segment in RAMFC has been taken up */
    uint32_t primary;     /* number of the engine of the channel's runlist; 31 if none */
    uint32_t unmodelled;  /* a bit for each engine that was reported as not modelled */
    uint32_t stalling[2]; /* bits of INTR_0 and INTR_1 that stalled when they were raised */
    uint32_t injected;    /* bits of INTR_0 that the next request of their kind will raise */
    uint32_t lost;        /* 1 + the bit that the request without an answer will raise */
    uint32_t lost_serial; /* counts such requests, so that stale events are recognised */
    uint32_t saves;       /* 1, in phase NV_PBDMA_STOPPED, if the channel is saved when it leaves */
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
    /* By runlist, the copy engine to which this PBDMA sends methods: that of its runqueue on a
     * graphics runlist, and that of the runlist on another.  NULL if there is none.  Constant after
     * the wiring. */
    struct nv_ce *ce_of_runlist[NV_CHIP_RUNLISTS_MAX];
    uint32_t primary_of_runlist[NV_CHIP_RUNLISTS_MAX]; /* by runlist, the value of `primary` */
    uint32_t pbdma_id;
    uint32_t unit;
    char name[16];
    struct mmio_window *regs;
    /* Constant after the wiring.  Sinks for: no engine in TARGET; graphics; the runqueue's copy
     * engine beside graphics; the runlist's own copy engine; an engine that is not modelled. */
    struct nv_crc crc;
    struct nv_pbdma_sinks sinks, graphics_sinks, grcopy_sinks, copy_sinks, unmodelled_sinks;
    struct nv_pbdma_state *state;
};

/* Adds a PBDMA as a unit, with its registers. */
void nv_pbdma_wire(struct nv_pbdma *pbdma, struct nv_host *host, struct nv_fe *fe,
                   uint32_t pbdma_id);
/* Returns true if no channel is on the PBDMA. */
bool nv_pbdma_is_free(const struct nv_pbdma *pbdma);
/* Sets the copy engine of a runlist that the PBDMA serves, at the wiring.  NULL means none. */
void nv_pbdma_route(struct nv_pbdma *pbdma, uint32_t runlist_id, struct nv_ce *ce);
/* Starts loading a channel.  The PBDMA must be free (asserted). */
void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id);
/* Makes the channel leave.  It leaves at once if it is idle, waits, or is stopped; a stopped
 * channel is not saved, except after a fault from Volta on (ASSUMED).  Otherwise it leaves after
 * its current method; if an interrupt freezes it, after that is cleared. */
void nv_pbdma_expel(struct nv_pbdma *pbdma);
/* Handles another store to GP_PUT of the loaded channel. */
void nv_pbdma_doorbell(struct nv_pbdma *pbdma);
/* Tries METHOD0 again now, because the event for which it waited has happened. */
void nv_pbdma_resume(struct nv_pbdma *pbdma);
/* Stops the channel on the PBDMA, and drops what was read ahead. */
void nv_pbdma_stop(struct nv_pbdma *pbdma);
/* Resumes PBDMAs that wait for a fault, after a channel has become faulted. */
void nv_pbdma_fault_seen(struct nv_host *host);

/* Returns the runqueue whose channel is on the PBDMA. */
static inline struct nv_runlist *nv_pbdma_queue(const struct nv_pbdma *pbdma)
{
    return nv_runlist_served_by(&pbdma->runlists[pbdma->state->runlist_id], pbdma->pbdma_id);
}
/* Returns the stored word of a register. */
static inline uint32_t nv_pbdma_reg(const struct nv_pbdma *pbdma, uint32_t offset)
{
    return pbdma->regs->storage[offset / 4];
}
/* Sets the stored word of a register. */
static inline void nv_pbdma_set_reg(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    pbdma->regs->storage[offset / 4] = value;
}

#endif
