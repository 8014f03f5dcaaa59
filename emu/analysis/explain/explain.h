/* SPDX-License-Identifier: MIT */
/*
 * Where the time of each operation went: its life as service and waits, from an event log.
 *
 * An operation is a submission, a GP entry, a launch (grid), a draw, a copy, a semaphore operation
 * or a block.  Its life runs from its birth to its end.  The birth is the call, the entry in the
 * ring, or the method that starts the operation.
 *
 * A life is cut into pieces that touch and do not overlap.  Their lengths add up to the whole, to
 * the picosecond.  A piece is service (a unit works for the operation) or a wait.  A wait has a
 * rule and, where the log has it, what was in the way.  What the log does not explain is a piece of
 * its own, EXPLAIN_UNATTRIBUTED.
 *
 * The order of operations:
 *
 *   - A channel works through its entries one after another.  So each channel has one history of
 *     slices (scheduling, loading, fetching, methods, waiting).
 *   - An entry's life is a stretch of that history.  The work of other entries in the stretch is a
 *     wait behind them.
 *   - A submission's life is first the driver's call up to its first entry.  Then comes the
 *     channel's history up to the end of the submission's last entry, then what is still running.
 *     While the channel works, the rest of the call goes on beside it and is not counted.
 *   - A launch's life is that of the block that ends last.
 *   - While the context of a launch or a draw is off its engine, both wait (T.P1).
 *
 * Memory is, in bytes:
 *
 *   - 24 for each slice of a channel's history;
 *   - 48 for each block;
 *   - 40 for each wait and each suspension of a launch;
 *   - about 130 for every other operation.
 *
 * A log that needs more than EXPLAIN_*_MAX is refused with a message.
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
    EXPLAIN_IDS = 16384,    /* numbers of threads, engines, runlists and SMs lie below; also the
                               maximum number of channels */
    EXPLAIN_CROWD_MAX = 64, /* blockers are listed one by one up to this number */
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

/* The kinds of pieces of a life. */
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
    EXPLAIN_BARRIER, /* a barrier of Host, or a flush */
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
    const char *parameters[EXPLAIN_PARAMETERS]; /* parameters that set its cost; NULL: no (further)
                                                   parameter */
};
extern const struct explain_what_row explain_whats[EXPLAIN_WHATS];

/* The kinds of blockers: what was in the way. */
enum explain_by_kind {
    EXPLAIN_BY_NOBODY,
    EXPLAIN_BY_OPERATION, /* index of explain.operations */
    EXPLAIN_BY_BLOCK,     /* index of explain.blocks */
    EXPLAIN_BY_CHANNEL,   /* index of explain.channels: it was on the PBDMA */
    EXPLAIN_BY_ENGINE,    /* engine id */
    EXPLAIN_BY_THREAD,    /* thread index */
    EXPLAIN_BY_RING,      /* index of explain.channels */
    EXPLAIN_BY_DRIVER,    /* the driver's interrupt handler */
    EXPLAIN_BY_ADDRESS,   /* a value at that address */
    EXPLAIN_BY_GRIDS,     /* a time: the grids that were resident just before it */
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

/* Part of a channel's history.  A slice begins where the one before it ends. */
struct explain_slice {
    gfe_ps end_ps;
    uint64_t by_id;
    uint32_t entry; /* the operation that the slice is for; EXPLAIN_NONE: it is for the channel */
    uint16_t rule;
    uint8_t what, by_kind;
};

/* A channel.  A channel number may be used again: each binding is a channel of its own. */
struct explain_channel {
    uint32_t id, binding;  /* binding 0: the first channel of that number */
    gfe_ps from_ps, at_ps; /* the history reaches from from_ps to at_ps */
    struct explain_slice *slices;
    uint32_t *pauses; /* slices that are for no entry */
    uint32_t slice_count, slice_capacity, pause_count, pause_capacity;
    /* while loading */
    bool loaded;
    uint32_t entry;     /* the entry that the channel works on */
    uint32_t operation; /* the operation that a method started at operation_ps */
    gfe_ps operation_ps;
    gfe_ps rung_ps;    /* first doorbell since an entry was read; GFE_PS_NEVER: none */
    gfe_ps pending_ps; /* since then the channel waits to be scheduled; GFE_PS_NEVER: it does not
                          wait */
    uint64_t next_sequence;
    uint32_t pending_rule, order_rule, stop_rule, turn;
    uint32_t unit; /* the unit of its PBDMA */
    bool stopped;
};

/* A wait of an operation.  The waits of an operation are linked in the order of time. */
struct explain_wait {
    gfe_ps begin_ps, end_ps;
    struct explain_by by;
    uint32_t rule, next;
};

enum explain_semaphore { EXPLAIN_RELEASE, EXPLAIN_ACQUIRE, EXPLAIN_REPORT, EXPLAIN_NOTIFY };

struct explain_operation {
    uint64_t id; /* the number in the operation's name */
    gfe_ps birth_ps, end_ps;
    uint32_t parent, first_child, last_child, next_child; /* operations, or EXPLAIN_NONE */
    uint32_t first_wait, last_wait;                       /* of explain.waits */
    /* A part of its channel's history.  For an entry, it is the entry's own part.  For others, it
     * is what their method waited for. */
    uint32_t first_slice, slice_end;
    uint32_t channel; /* index, or EXPLAIN_NONE */
    uint32_t number;  /* within its kind, from 1 */
    uint8_t kind;
    bool unfinished; /* the log ends before the operation does, or the operation is dropped at
                        end_ps */
    union {
        struct {
            gfe_ps return_ps; /* GFE_PS_NEVER: not yet */
            uint64_t byte_count;
            uint32_t thread, push_count;
            uint32_t last; /* the operation that ends last of those below it */
        } submission;
        struct {
            gfe_ps fetch_ps; /* when reading the entry began; GFE_PS_NEVER: not yet */
            uint32_t dword_count;
            bool is_modelled; /* the entry is the driver model's own */
        } entry;
        struct {
            gfe_ps queued_ps;
            gfe_ps start_ps; /* of its first block; GFE_PS_NEVER: none has started */
            uint32_t block_count, block_threads;
            uint32_t last_started, last_ended; /* blocks, or EXPLAIN_NONE */
            uint32_t first_stop, last_stop;    /* of explain.waits: when its blocks stood still */
        } launch;
        struct {
            gfe_ps queued_ps, start_ps;
            uint64_t byte_count; /* of a copy */
            uint32_t engine;
            uint16_t class_id, method; /* of a draw */
        } work;
        struct {
            uint64_t address, value;
            gfe_ps taken_ps; /* when the unit that does it took it */
            uint32_t type;   /* enum explain_semaphore */
        } semaphore;
    };
};

struct explain_block {
    gfe_ps start_ps, end_ps; /* GFE_PS_NEVER: the log ends before */
    gfe_ps previous_ps;      /* start of the block before it; GFE_PS_NEVER: it is the first */
    uint32_t launch, index;
    uint32_t sm;
    uint32_t previous; /* the block that started before it */
    /* Indexes of explain.waits; EXPLAIN_NONE: none.  `wait` is the launch's last wait when this
     * block starts.  `stop` is the last time, before that, when the launch's blocks stood still. */
    uint32_t wait, stop;
};

/* The event that a launch leaves the dispatcher's queue. */
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
    uint32_t block_order_rule, head_rule, context_rule, grids_rule;
    gfe_ps end_ps; /* of the log */
    struct id_map by_id[EXPLAIN_KINDS], block_by_id;
    struct streams streams; /* names of a scenario's operations; empty for a recording */
};

/* Reads the log to its end.  The log is borrowed and must outlive `explain`, which the caller
 * releases with explain_fini().  Returns false with a message on an error; then there is nothing to
 * release. */
bool explain_load(struct explain *explain, struct event_log_reader *log, struct gfe_error *error);
void explain_fini(struct explain *explain);

/* ---- lives ----------------------------------------------------------------------------------- */

struct explain_ref {
    enum explain_kind kind;
    uint32_t index; /* of explain.blocks for a block, of explain.operations for others */
};

struct explain_life {
    struct explain_piece *pieces; /* no gap, no overlap, none empty; the first begins at birth_ps */
    uint32_t count, capacity;
    gfe_ps birth_ps, end_ps, at_ps; /* at_ps: end of the last piece */
    bool failed;                    /* memory is short */
};

/* Makes the operation's life.  `life` is all zeroes or from a former call, whose memory is used
 * again.  The caller releases it with explain_life_fini().  Returns false when memory is short. */
bool explain_life(const struct explain *explain, struct explain_ref ref, struct explain_life *life);
void explain_life_fini(struct explain_life *life);

/* The sums of a life. */
struct explain_total {
    gfe_ps total_ps, service_ps, wait_ps, unattributed_ps;
    uint32_t rule; /* the rule by which the operation waits longest in all */
    gfe_ps rule_ps;
    struct explain_by by; /* what was in the way in the longest piece of that rule */
};
/* Adds up the pieces of a life, and returns the sums. */
struct explain_total explain_total(const struct explain_life *life);

/* ---- names ----------------------------------------------------------------------------------- */

enum { EXPLAIN_NAME_BYTES = 64 };

/* Writes the name of an operation or block to `to`, and returns `to`.  The forms are submission:3,
 * gp:0:17, launch:5, draw:6, copy:7, semaphore:8 and block:5.12.  gp:0:17 is the 17th entry of
 * channel 0, counted from 0.  When the number is bound a third time, it is gp:0.2:17. */
char *explain_name(const struct explain *explain, struct explain_ref ref,
                   char to[EXPLAIN_NAME_BYTES]);
/* Finds the operation or block of a name, in any form of emu/analysis/explain/operation_name.h.
 * Returns false if there is none. */
bool explain_find(const struct explain *explain, const char *name, struct explain_ref *ref);
/* Writes the name of what was in the way to `to`, and returns `to`: "launch:5", "channel 2" or
 * "GRCE0/LCE0".  The name is empty if nothing was in the way. */
char *explain_by_name(const struct explain *explain, struct explain_by by,
                      char to[EXPLAIN_NAME_BYTES]);
/* Returns the next launch from operation `from` on that was resident just before `at_ps`: it had
 * started, had not ended, and its context was not off the engine.  EXPLAIN_NONE: there is none. */
uint32_t explain_resident_next(const struct explain *explain, gfe_ps at_ps, uint32_t from);
/* Writes which launches these are: the one that ends first, and the number of others. */
void explain_resident_words(const struct explain *explain, gfe_ps at_ps,
                            char to[EXPLAIN_NAME_BYTES]);
enum { EXPLAIN_WORDS_BYTES = STREAMS_NAME_BYTES + 96 };

/* Writes what the operation is, in a few words, to `to`, and returns `to`. */
char *explain_describe(const struct explain *explain, struct explain_ref ref,
                       char to[EXPLAIN_WORDS_BYTES]);
/* Returns the rule's label, or "-" if there is no rule. */
const char *explain_rule(const struct explain *explain, uint32_t rule);
/* Returns the index of a channel's entry by its number in the ring, or EXPLAIN_NONE if there is
 * none. */
uint32_t explain_channel_entry(const struct explain *explain, uint32_t channel, uint64_t sequence);
/* Returns the log's name without its folder. */
const char *explain_log_name(const struct explain *explain);
/* Returns the name of a kind of operation, as it stands before the colon. */
const char *explain_kind_name(enum explain_kind kind);

#endif
