/* SPDX-License-Identifier: MIT */
/*
 * An event log as a picture's contents: tracks (CPU threads, channels, PBDMAs, engines, SMs) with
 * items (intervals and instants), independent of how they are drawn (show_text.h, show_svg.h).
 *
 * Of AMD's GPUs a track of SHOW_CHANNEL is an HSA queue, or one of SDMA, by its doorbell; engines
 * are those of SDMA, SMs are CUs (emu/log/gpu_words.h), and there are the hardware's slots of
 * queues.
 *
 * Memory is 48 bytes for each item in the window; what lies outside it is not kept.  A log that
 * needs more than SHOW_ITEMS_MAX, or whose numbers no machine has, is refused with a message.
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
    SHOW_TRACK_IDS = 16384, /* thread, PBDMA, engine and SM numbers lie below; so many channels */
    SHOW_OPEN_MAX = 4096,   /* blocks on one SM, segments in one PBDMA, at a time */
    SHOW_LANES_MAX = 8,     /* what overlaps still more shares the last lane */
};

#define SHOW_NONE   UINT32_MAX
#define SHOW_NO_TSG 0x40000000u /* plus the channel's number: as in NV_TSG_START */

/* From the program down to the SMs: the order in which tracks are drawn. */
enum show_track_kind {
    SHOW_THREAD,
    SHOW_CHANNEL, /* or a queue */
    SHOW_SLOT,    /* of queues (HQD), by slot_id */
    SHOW_PBDMA,
    SHOW_GR, /* engine of grids and draws */
    SHOW_CE, /* copy engine */
    SHOW_SM,
    SHOW_RUNLIST, /* which time-slice group is on; only of show_load_all() */
    SHOW_TRACK_KINDS,
};

enum show_item_kind {
    /* intervals; later kinds are drawn over earlier ones */
    SHOW_CPU_WAIT,    /* thread: it waits for the GPU; number: submission waited for */
    SHOW_SUBMIT,      /* thread: a call of the driver; number: submission */
    SHOW_IN_RING,     /* queue: packets stand in its ring that have not been taken up */
    SHOW_QUEUED,      /* channel: an operation was handed over and has not started */
    SHOW_OPERATION,   /* channel, engine: it runs */
    SHOW_PACKET,      /* queue: a packet that is no dispatch is worked on; number: AQL's type */
    SHOW_DISPATCHING, /* queue: not all blocks of a dispatch have started yet */
    SHOW_WAIT,        /* anywhere; number: index of show.waits */
    SHOW_LOADED,      /* PBDMA, slot: a channel or queue is in its registers; number: channel */
    SHOW_LOADING,     /* the channel and its context are being loaded; number: channel */
    SHOW_LEAVING,     /* slot: its queue has to leave; number: queue, as in the next ones */
    SHOW_SAVING,      /* slot: the queue's waves are saved to memory */
    SHOW_RESTORING,   /* slot: they are read from there */
    SHOW_SEGMENT,     /* PBDMA: a GP entry's methods are processed; number: its index */
    SHOW_BLOCK,       /* SM; number: block index */
    SHOW_SLICE,       /* runlist; number: the group (TSG), SHOW_NO_TSG and up: a channel without */
    /* instants on channels; address and number (the value) say more */
    SHOW_DOORBELL,
    SHOW_INLINE_WRITE,
    SHOW_ACQUIRE,
    SHOW_RELEASE,
    SHOW_INTERRUPT,
    SHOW_ERROR,
};

struct show_item {
    gfe_ps begin_ps, end_ps; /* equal: an instant */
    union {
        struct {
            uint32_t bottom, height; /* of a block, in threads of its SM */
        };
        uint32_t lane;        /* of an operation or a wait: those of a lane do not overlap */
        uint32_t has_fetched; /* of a loaded channel, while it is open */
        uint64_t address;     /* of an instant */
    };
    uint32_t operation; /* index of show.operations, or SHOW_NONE */
    uint32_t number;
    uint32_t sequence; /* order of equal items */
    uint32_t channel_id;
    uint8_t kind;       /* enum show_item_kind */
    uint8_t unfinished; /* the log ends before the item does */
};

/* Kinds of items that lie in lanes of their track; all others share the first. */
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
    uint32_t top;                         /* of an SM: the most threads stacked on it at a time */
    uint32_t lane_count, wait_lane_count; /* of operations, of waits; SHOW_LANES_MAX at most */
    uint64_t written, taken;              /* while loading: packets of a queue's ring */
    bool no_packets;                      /* it is of PM4 */
    struct show_open *open;               /* while loading */
    uint32_t open_count, open_capacity;
};

enum show_operation_kind { SHOW_GRID, SHOW_COPY, SHOW_WORK, SHOW_OPERATION_KINDS };

struct show_operation {
    uint64_t id;
    gfe_ps queued_ps, start_ps, end_ps;                           /* GFE_PS_NEVER: did not happen */
    uint64_t byte_count;                                          /* of a copy */
    uint32_t block_count, block_threads, shared_bytes, registers; /* of a grid */
    uint32_t class_id, method;                                    /* of other work */
    uint32_t number; /* within its kind, from 1: K1, C1, D1 */
    uint32_t channel_id, engine_id;
    enum show_operation_kind kind;
    uint32_t lane, lane_track; /* while lanes are given: where the operation lies on a track */
};

/* Something could run but did not. */
struct show_wait {
    gfe_ps begin_ps, end_ps;
    uint64_t subject_id, blocker_id;
    uint16_t rule;
    uint8_t subject_kind, blocker_kind; /* enum event_subject */
    uint8_t unfinished;                 /* it had not ended when nothing was left to do */
};

struct show {
    const struct event_log_reader *log; /* borrowed: names, rules */
    struct gpu_words words;
    struct show_track *tracks; /* by kind, then id */
    uint32_t track_count, track_capacity;
    struct show_operation *operations; /* in the order in which they were queued */
    uint32_t operation_count, operation_capacity;
    struct show_wait *waits; /* in the window, in the order of their ends */
    uint32_t wait_count, wait_capacity;
    uint32_t item_count;               /* of all tracks */
    gfe_ps from_ps, to_ps;             /* the window: as asked, narrowed to where something is */
    gfe_ps asked_from_ps, asked_to_ps; /* as asked */
    gfe_ps end_ps;                     /* time of the last event */
    uint64_t submission_count;
    bool with_runlists;     /* by show_load_all() */
    struct streams streams; /* names of a scenario's operations; empty of a recording */
};

/* Reads the log to its end and keeps what intersects the window [from_ps, to_ps]. */
bool show_load(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
               struct gfe_error *error);
/* The same, and tracks of runlists, which not all pictures have room for. */
bool show_load_all(struct show *show, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error);
void show_fini(struct show *show);

enum { SHOW_NAME_BYTES = STREAMS_NAME_BYTES };

/* K1, C2 or D3, as the pictures label operations; in logs of scenarios as the program calls them:
 * "K4", "S1/copy" (emu/analysis/streams.h). */
void show_operation_name(const struct show *show, const struct show_operation *operation, char *to,
                         size_t bytes);
/* Who waits, or who is in the way: "K1", "channel 2".  `found` as from show_load(). */
void show_subject_name(const struct show *show, uint32_t subject_kind, uint64_t subject_id,
                       char *to, size_t bytes);
/* The rule's label, "-" when the wait has none. */
const char *show_rule_label(const struct show *show, uint32_t rule);

#endif
