/* SPDX-License-Identifier: MIT */
/*
 * Where the time of each operation went: its life as service and waits, from an event log.
 *
 * An operation is a submission, a GP entry, a launch (grid), a draw, a copy, a semaphore operation
 * or a block.  Its life runs from its birth (the call, the entry in the ring, the method that
 * starts it) to its end, cut into pieces that touch and do not overlap: their lengths add up to the
 * whole, to the picosecond.  A piece is service (a unit works for the operation) or a wait, which
 * has a rule and, where the log tells, who was in the way.  What the log does not explain is a
 * piece of its own, EXPLAIN_UNATTRIBUTED.
 *
 * What follows whom: a channel works through its entries one after another, so each channel has one
 * history of slices (scheduling, loading, fetching, methods, waiting).  An entry's life is a
 * stretch of that history; the work of other entries in it is a wait behind them.  A submission's
 * life is the driver's call up to its first entry, then the channel's history up to the end of its
 * last, then what is still running; while the channel works, the call's rest goes on beside it and
 * is not counted.  A launch's life is that of the block that ends last.  While the context of a
 * launch or a draw is off its engine, both wait (T.P1).
 *
 * Memory is 24 bytes for each slice of a channel's history, 48 for each block, 40 for each wait and
 * each suspension of a launch, about 130 for every other operation; a log that needs more than
 * EXPLAIN_*_MAX is refused with a message.
 */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_H
#define GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"
#include "emu/base/id_map.h"
#include "emu/analysis/streams.h"

enum {
    EXPLAIN_OPERATIONS_MAX = 8 << 20,
    EXPLAIN_BLOCKS_MAX = 16 << 20,
    EXPLAIN_SLICES_MAX = 32 << 20,
    EXPLAIN_CHANNELS_MAX = 1 << 16,
    EXPLAIN_IDS = 16384,    /* thread, engine, runlist and SM numbers lie below; so many channels */
    EXPLAIN_CROWD_MAX = 64, /* who was in the way is listed one by one up to here */
};

#define EXPLAIN_NONE UINT32_MAX

enum explain_kind {
    EXPLAIN_SUBMISSION,
    EXPLAIN_ENTRY,
    EXPLAIN_LAUNCH,
    EXPLAIN_DRAW,
    EXPLAIN_COPY,
    EXPLAIN_SEMAPHORE,
    EXPLAIN_BLOCK,
    EXPLAIN_KINDS,
};

/* What a piece of a life is. */
enum explain_what {
    EXPLAIN_UNATTRIBUTED, /* the log does not say */
    EXPLAIN_WAIT,         /* a rule was in the way */
    /* service */
    EXPLAIN_DRIVER_CALL,
    EXPLAIN_DRIVER_ENTRY,
    EXPLAIN_DRIVER_RETURN,
    EXPLAIN_DOORBELL,
    EXPLAIN_SCAN,
    EXPLAIN_RAMFC_LOAD,
    EXPLAIN_RAMFC_SAVE,
    EXPLAIN_CONTEXT_LOAD,
    EXPLAIN_GP_FETCH,
    EXPLAIN_PB_FETCH,
    EXPLAIN_METHODS,
    EXPLAIN_BARRIER, /* of Host, or a flush */
    EXPLAIN_MEM_OP,  /* another memory operation of Host */
    EXPLAIN_START,   /* a launch is handed to the dispatcher */
    EXPLAIN_PLACE,   /* the dispatcher places blocks */
    EXPLAIN_EXECUTE, /* a block runs */
    EXPLAIN_DRAWING,
    EXPLAIN_COPYING,
    EXPLAIN_WRITE, /* a semaphore's value on its way to memory */
    EXPLAIN_WHATS,
};

enum { EXPLAIN_PARAMETERS = 2 };
struct explain_what_row {
    const char *unit, *text;
    const char *parameters[EXPLAIN_PARAMETERS]; /* what it costs; NULL: no (further) parameter */
};
extern const struct explain_what_row explain_whats[EXPLAIN_WHATS];

/* Who was in the way. */
enum explain_by_kind {
    EXPLAIN_BY_NOBODY,
    EXPLAIN_BY_OPERATION, /* index of explain.operations */
    EXPLAIN_BY_BLOCK,     /* index of explain.blocks */
    EXPLAIN_BY_CHANNEL,   /* index of explain.channels: it was on the PBDMA */
    EXPLAIN_BY_ENGINE,    /* engine id */
    EXPLAIN_BY_THREAD,    /* thread index */
    EXPLAIN_BY_RING,      /* index of explain.channels */
    EXPLAIN_BY_DRIVER,    /* its interrupt handler */
    EXPLAIN_BY_ADDRESS,   /* a value at that address */
    EXPLAIN_BY_OTHERS,    /* more than EXPLAIN_CROWD_MAX, one after another */
};

struct explain_by {
    enum explain_by_kind kind;
    uint64_t id;
};

struct explain_piece {
    gfe_ps begin_ps, end_ps;
    enum explain_what what;
    uint32_t rule; /* of a wait; RULE_NONE: the log names none */
    struct explain_by by;
};

/* Part of a channel's history; it begins where the one before ends. */
struct explain_slice {
    gfe_ps end_ps;
    uint64_t by_id;
    uint32_t entry; /* operation it is for, or EXPLAIN_NONE: for the channel */
    uint16_t rule;
    uint8_t what, by_kind;
};

/* A channel number may be used again: each binding is a channel of its own. */
struct explain_channel {
    uint32_t id, binding;  /* 0: the first of that number */
    gfe_ps from_ps, at_ps; /* the history reaches from here to here */
    struct explain_slice *slices;
    uint32_t *pauses; /* slices that are for no entry */
    uint32_t slice_count, slice_capacity, pause_count, pause_capacity;
    /* while loading */
    bool loaded;
    uint32_t entry;     /* being worked on */
    uint32_t operation; /* started by a method at operation_ps */
    gfe_ps operation_ps;
    gfe_ps rung_ps;    /* first doorbell since an entry was read; GFE_PS_NEVER: none */
    gfe_ps pending_ps; /* since then it waits to be scheduled; GFE_PS_NEVER: it does not */
    uint64_t next_sequence;
    uint32_t pending_rule, order_rule, stop_rule, turn;
    uint32_t unit; /* of its PBDMA */
    bool stopped;
};

/* A wait of an operation, in the order of time. */
struct explain_wait {
    gfe_ps begin_ps, end_ps;
    struct explain_by by;
    uint32_t rule, next;
};

enum explain_semaphore { EXPLAIN_RELEASE, EXPLAIN_ACQUIRE, EXPLAIN_REPORT, EXPLAIN_NOTIFY };

struct explain_operation {
    uint64_t id; /* the number in its name */
    gfe_ps birth_ps, end_ps;
    uint32_t parent, first_child, last_child, next_child; /* operations, or EXPLAIN_NONE */
    uint32_t first_wait, last_wait;                       /* of explain.waits */
    /* Of its channel's history: an entry's own part; of others what their method waited for. */
    uint32_t first_slice, slice_end;
    uint32_t channel; /* index, or EXPLAIN_NONE */
    uint32_t number;  /* within its kind, from 1 */
    uint8_t kind;
    bool unfinished; /* the log ends before it does, or it is dropped at end_ps */
    union {
        struct {
            gfe_ps return_ps; /* GFE_PS_NEVER: not yet */
            uint64_t byte_count;
            uint32_t thread, push_count;
            uint32_t last; /* of the operations below it the one that ends last */
        } submission;
        struct {
            gfe_ps fetch_ps; /* when reading it began; GFE_PS_NEVER: not yet */
            uint32_t dword_count;
            bool is_modelled; /* the driver model's own */
        } entry;
        struct {
            gfe_ps queued_ps;
            uint32_t block_count, block_threads;
            uint32_t last_started, last_ended; /* blocks, or EXPLAIN_NONE */
            uint32_t first_stop, last_stop;    /* of explain.waits: its blocks stood still */
        } launch;
        struct {
            gfe_ps queued_ps, start_ps;
            uint64_t byte_count; /* of a copy */
            uint32_t engine;
            uint16_t class_id, method; /* of a draw */
        } work;
        struct {
            uint64_t address, value;
            gfe_ps taken_ps; /* by whoever does it */
            uint32_t type;   /* enum explain_semaphore */
        } semaphore;
    };
};

struct explain_block {
    gfe_ps start_ps, end_ps; /* GFE_PS_NEVER: the log ends before */
    gfe_ps previous_ps;      /* start of the block before it; GFE_PS_NEVER: it is the first */
    uint32_t launch, index;
    uint32_t sm;
    uint32_t previous; /* the block before it */
    /* Of explain.waits, EXPLAIN_NONE: none.  The launch's last wait, and the last time that its
     * blocks stood still, when this one starts. */
    uint32_t wait, stop;
};

/* A launch leaves the dispatcher's queue. */
struct explain_head {
    gfe_ps time_ps;
    uint32_t launch;
};

struct explain {
    const struct event_log_reader *log;   /* borrowed: names, rules */
    struct explain_operation *operations; /* in the order in which the log names them */
    struct explain_block *blocks;         /* in the order of their starts */
    struct explain_channel *channels;
    struct explain_wait *waits;
    struct explain_head *heads;
    uint32_t operation_count, operation_capacity, block_count, block_capacity;
    uint32_t channel_count, channel_capacity, wait_count, wait_capacity, head_count, head_capacity;
    uint32_t counts[EXPLAIN_KINDS];
    uint32_t block_order_rule, head_rule, context_rule;
    gfe_ps end_ps; /* of the log */
    struct id_map by_id[EXPLAIN_KINDS], block_by_id;
    struct streams streams; /* names of a scenario's operations; empty of a recording */
};

/* Reads the log to its end.  On false there is nothing to release. */
bool explain_load(struct explain *explain, struct event_log_reader *log, struct gfe_error *error);
void explain_fini(struct explain *explain);

/* ---- lives ----------------------------------------------------------------------------------- */

struct explain_ref {
    enum explain_kind kind;
    uint32_t index; /* of explain.blocks for a block, else of explain.operations */
};

struct explain_life {
    struct explain_piece *pieces; /* no gap, no overlap, none empty; the first begins at birth_ps */
    uint32_t count, capacity;
    gfe_ps birth_ps, end_ps, at_ps; /* at_ps: end of the last piece */
    bool failed;                    /* memory is short */
};

/* Makes the operation's life; `life` is zeroed or from a former call (its memory is used again).
 * False: no memory. */
bool explain_life(const struct explain *explain, struct explain_ref ref, struct explain_life *life);
void explain_life_fini(struct explain_life *life);

/* A life in short. */
struct explain_total {
    gfe_ps total_ps, service_ps, wait_ps, unattributed_ps;
    uint32_t rule; /* by which it waits longest in all */
    gfe_ps rule_ps;
    struct explain_by by; /* in the longest piece of that rule */
};
struct explain_total explain_total(const struct explain_life *life);

/* ---- names ----------------------------------------------------------------------------------- */

enum { EXPLAIN_NAME_BYTES = 64 };

/* submission:3, gp:0:17 (channel 0, 17th entry from 0; gp:0.2:17 when the number is bound a third
 * time), launch:5, draw:6, copy:7, semaphore:8, block:5.12. */
char *explain_name(const struct explain *explain, struct explain_ref ref,
                   char to[EXPLAIN_NAME_BYTES]);
/* The operation or block of that name, any of emu/analysis/explain/operation_name.h.  False: there
 * is none. */
bool explain_find(const struct explain *explain, const char *name, struct explain_ref *ref);
/* "launch:5", "channel 2", "GRCE0/LCE0"; empty for nobody. */
char *explain_by_name(const struct explain *explain, struct explain_by by,
                      char to[EXPLAIN_NAME_BYTES]);
enum { EXPLAIN_WORDS_BYTES = STREAMS_NAME_BYTES + 96 };

/* What the operation is, in a few words. */
char *explain_describe(const struct explain *explain, struct explain_ref ref,
                       char to[EXPLAIN_WORDS_BYTES]);
/* The rule's label, "-" when there is none. */
const char *explain_rule(const struct explain *explain, uint32_t rule);
/* Index of a channel's entry by its number in the ring; EXPLAIN_NONE: there is none. */
uint32_t explain_channel_entry(const struct explain *explain, uint32_t channel, uint64_t sequence);
/* The log's name without its folder. */
const char *explain_log_name(const struct explain *explain);
/* Name of a kind of operation, as before the colon. */
const char *explain_kind_name(enum explain_kind kind);

#endif
