/* SPDX-License-Identifier: MIT */
/*
 * An event log as a picture's contents: tracks (CPU threads, channels, PBDMAs, engines, SMs) with
 * items (intervals and instants), independent of how they are drawn (show_text.h, show_svg.h).
 *
 * In logs of AMD's GPUs a track of SHOW_CHANNEL is an HSA queue or an SDMA queue, identified by its
 * doorbell.  Engines are the SDMA engines, and SMs are CUs (emu/log/gpu_words.h).  Such logs also
 * have tracks for the hardware's queue slots.
 *
 * Each item in the window takes 48 bytes of memory; items outside the window are not kept.
 * Loading fails with a message if a log needs more than SHOW_ITEMS_MAX items, or if the log has
 * numbers that no machine has.
 */
#ifndef GFE_EMU_VIEWS_SHOW_H
#define GFE_EMU_VIEWS_SHOW_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "emu/log/gpu_words.h"
#include "emu/analysis/streams.h"

enum {
    SHOW_ITEMS_MAX = 16 << 20,
    SHOW_OPERATIONS_MAX = 4 << 20,
    SHOW_TRACK_IDS = 16384, /* limit of thread, PBDMA, engine and SM numbers, and of channels */
    SHOW_OPEN_MAX = 4096,   /* blocks on one SM, or segments in one PBDMA, at a time */
    SHOW_LANES_MAX = 8,     /* items that need further lanes share the last one */
};

#define SHOW_NONE   UINT32_MAX
#define SHOW_NO_TSG 0x40000000u /* plus the channel's number, as in NV_TSG_START */

/* Tracks are drawn in this order, from the program down to the SMs. */
enum show_track_kind {
    SHOW_THREAD,
    SHOW_CHANNEL, /* NVIDIA: channel; AMD: queue */
    SHOW_SLOT,    /* hardware queue slot (HQD), by slot_id */
    SHOW_PBDMA,
    SHOW_GR, /* engine that runs grids and draws */
    SHOW_CE, /* copy engine */
    SHOW_SM,
    SHOW_RUNLIST, /* shows the scheduled time-slice group; only show_load_all() makes this kind */
    SHOW_TRACK_KINDS,
};

enum show_item_kind {
    /* Intervals, each with its tracks and what `number` is.  Later kinds are drawn over earlier
     * ones. */
    SHOW_CPU_WAIT,    /* thread: it waits for the GPU; number: the awaited submission */
    SHOW_SUBMIT,      /* thread: it is in a call of the driver; number: submission */
    SHOW_IN_RING,     /* queue: its ring has packets that no packet processor has taken */
    SHOW_QUEUED,      /* channel: an operation was handed over and has not started */
    SHOW_OPERATION,   /* channel, engine: an operation runs */
    SHOW_PACKET,      /* queue: a packet other than a dispatch is processed; number: AQL type */
    SHOW_DISPATCHING, /* queue: not all blocks of a dispatch have started yet */
    SHOW_WAIT,        /* any track; number: index of show.waits */
    SHOW_LOADED,      /* PBDMA, slot: a channel or queue is in its registers; number: channel */
    SHOW_LOADING,     /* the channel and its context are being loaded; number: channel */
    SHOW_LEAVING,     /* slot: its queue has to leave; number: queue, as in the next two kinds */
    SHOW_SAVING,      /* slot: the queue's waves are saved to memory */
    SHOW_RESTORING,   /* slot: the queue's waves are read from memory */
    SHOW_SEGMENT,     /* PBDMA: a GP entry's methods are processed; number: the entry's index */
    SHOW_BLOCK,       /* SM; number: block index */
    SHOW_SLICE,       /* runlist; number: TSG, or from SHOW_NO_TSG on a channel without a TSG */
    /* Instants on channels.  `address` and `number` (the value) give the details. */
    SHOW_DOORBELL,
    SHOW_INLINE_WRITE,
    SHOW_ACQUIRE,
    SHOW_RELEASE,
    SHOW_INTERRUPT,
    SHOW_ERROR,
};

struct show_item {
    gfe_ps begin_ps, end_ps; /* equal for an instant */
    union {
        struct {
            uint32_t bottom, height; /* for a block, in threads of its SM (show_place_blocks()) */
        };
        uint32_t lane;        /* for an operation or a wait; items of a lane do not overlap */
        uint32_t has_fetched; /* for a loaded channel, while the item is open */
        uint64_t address;     /* for an instant */
    };
    uint32_t operation; /* index of show.operations, or SHOW_NONE */
    uint32_t number;
    uint32_t sequence; /* orders items that are otherwise equal */
    uint32_t channel_id;
    uint8_t kind;       /* enum show_item_kind */
    uint8_t unfinished; /* the log ends before the item does */
    uint8_t is_back;    /* for a block: it was off its SM with its grid's context before */
    uint8_t in_pieces;  /* for a block: no gap holds it whole; `bottom` is its lowest piece's */
};

/* Returns true if items of this kind are spread over the lanes of their track.  Items of all other
 * kinds share the first lane. */
static inline bool show_has_lanes(uint8_t kind)
{
    return kind == SHOW_QUEUED || kind == SHOW_OPERATION || kind == SHOW_PACKET ||
           kind == SHOW_DISPATCHING || kind == SHOW_WAIT;
}

struct show_track {
    enum show_track_kind kind;
    uint32_t id;
    char name[GPU_WORDS_BYTES];
    struct show_item *items; /* by begin_ps */
    uint32_t item_count, item_capacity;
    /* For an SM: the most threads on it at a time, and the highest place of a block. */
    uint32_t threads_top, top;
    uint32_t lane_count, wait_lane_count; /* lanes of operations and waits; max. SHOW_LANES_MAX */
    uint64_t written, taken;              /* while loading: packets of a queue's ring */
    uint32_t threads;                     /* while loading: of the blocks on the SM now */
    bool no_packets;                      /* the queue's ring holds PM4 instead of AQL packets */
    struct show_open *open;               /* while loading: items that have not ended */
    uint32_t open_count, open_capacity;
};

enum show_operation_kind { SHOW_GRID, SHOW_COPY, SHOW_WORK, SHOW_OPERATION_KINDS };

struct show_operation {
    uint64_t id;
    /* A time is GFE_PS_NEVER if the step did not happen. */
    gfe_ps queued_ps, start_ps, end_ps;
    uint64_t byte_count;                                          /* copy */
    uint32_t block_count, block_threads, shared_bytes, registers; /* grid */
    uint32_t class_id, method;                                    /* other work */
    uint32_t number; /* within its kind, from 1, as in K1, C1, D1 */
    uint32_t channel_id, engine_id;
    enum show_operation_kind kind;
    uint32_t lane, lane_track; /* during lane assignment: the operation's lane and track */
};

/* A time during which the subject could run but did not. */
struct show_wait {
    gfe_ps begin_ps, end_ps;
    uint64_t subject_id, blocker_id;
    uint16_t rule;
    uint8_t subject_kind, blocker_kind; /* enum event_subject */
    uint8_t unfinished;                 /* the run ended before the wait did */
};

struct show {
    const struct event_log_reader *log; /* borrowed; has the names and rules */
    struct gpu_words words;
    struct show_track *tracks; /* by kind, then id */
    uint32_t track_count, track_capacity;
    struct show_operation *operations; /* in the order in which they were queued */
    uint32_t operation_count, operation_capacity;
    struct show_wait *waits; /* those in the window, in the order of their ends */
    uint32_t wait_count, wait_capacity;
    uint32_t item_count;               /* on all tracks together */
    uint32_t ceiling, wave_threads;    /* of an SM, for places of blocks (show_stack.h) */
    gfe_ps from_ps, to_ps;             /* the requested window, narrowed to the items in it */
    gfe_ps asked_from_ps, asked_to_ps; /* the requested window */
    gfe_ps end_ps;                     /* time of the last event */
    uint64_t submission_count;
    bool with_runlists;     /* true after show_load_all() */
    struct streams streams; /* names of a scenario's operations; empty for a recording */
};

/* Reads the log to its end and keeps what intersects the window [from_ps, to_ps].  `show` borrows
 * `log`; the caller frees `show` with show_fini().  On failure it returns false with `error` set,
 * and there is nothing to free. */
bool show_load(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
               struct gfe_error *error);
/* Like show_load(), but also loads tracks of runlists, which not all pictures have room for. */
bool show_load_all(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error);
void show_fini(struct show *show);
/*
 * Places the blocks on their SMs: each as high as its number of threads, in the lowest gap that
 * holds it, or in pieces if no gap does (show_stack.h).  A block that comes back to its SM lies
 * where it was, if it can.  `threads_per_sm` is the GPU's; 0, if it is not known, stands for the
 * most threads that the log has on an SM at a time, as after show_load().  `wave_threads` is the
 * size of a wave on a GPU of AMD's.  Returns false with `error` set if memory is short.
 */
bool show_place_blocks(struct show *show, uint32_t threads_per_sm, uint32_t wave_threads,
                       struct gfe_error *error);
/* Returns the most threads on any SM at a time, at least 1.  On a GPU of AMD's waves of a block may
 * have ended before the block: there the number is at most the CU's. */
uint32_t show_threads_top(const struct show *show);

enum { SHOW_NAME_BYTES = STREAMS_NAME_BYTES };

/* Writes the label that pictures give an operation: "K1", "C2" or "D3".  In logs of scenarios the
 * label is the program's name of the operation: "K4", "S1/copy" (emu/analysis/streams.h). */
void show_operation_name(const struct show *show, const struct show_operation *operation, char *to,
                         size_t bytes);
/* Writes the name of a wait's subject or blocker: "K1", "channel 2". */
void show_subject_name(const struct show *show, uint32_t subject_kind, uint64_t subject_id,
                       char *to, size_t bytes);
/* Returns the rule's label, or "-" if the wait has no rule. */
const char *show_rule_label(const struct show *show, uint32_t rule);

#endif
