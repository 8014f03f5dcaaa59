/* SPDX-License-Identifier: MIT */
/*
 * Stories of the operations of CUDA programs, from the log of a scenario (gfe run CONFIG.json).  A
 * story says what became of a call, from the call to the completion, what was in the way, and why.
 *
 * The log's head names tasks and calls ("program").  Its events lead from a call to the completion:
 *
 *   - CUDA_OPERATION: the call;
 *   - CUDA_SUBMIT: the channel to which the call is handed;
 *   - the events of the grid or copy that the GPU makes of the call;
 *   - CUDA_COMPLETE: the completion.
 *
 * A story is a sequence of pieces that touch and do not overlap.  It is of the whole operation or
 * of one block of a kernel.  A piece is service by a unit, or a wait, which has a rule.  The
 * lengths of the pieces add up to the whole, to the picosecond.  The story of a kernel is that of
 * the block that ends last.
 *
 * Names:
 *
 *   - K4 is the kernel's name, and means its first launch; K4#3 is the third launch;
 *   - K4:0 and K4#3:0 are block 0 of these launches;
 *   - operations that are no kernels have their task's name and what they are: S1/copy, S1/copy#2,
 *     S1/memset, S1/record, S1/wait;
 *   - kernels whose name another task has, too, are named like that: S1/K2.
 *
 * Pictures and lists use the same names (emu/log/program.h, emu/analysis/streams.h).
 *
 * Memory is 60 bytes for each block, 48 for each wait, and about 100 for each operation and grid.
 * A log that needs more than STORY_*_MAX is refused with a message.
 */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/analysis/check/check.h"
#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"
#include "emu/analysis/hip_calls.h"
#include "emu/base/id_map.h"
#include "emu/log/program.h"

enum {
    STORY_OPERATIONS_MAX = 8 << 20,
    STORY_BLOCKS_MAX = 16 << 20,
    STORY_WAITS_MAX = 32 << 20,
    STORY_CALLS_MAX = 1 << 20,
    STORY_STREAMS_MAX = 1 << 16,
    STORY_SMS_MAX = 256,
    STORY_CLIENTS_MAX = 64,
    STORY_NAME_BYTES = 160,
    STORY_ACES_MAX = 8,
    STORY_ENGINES_MAX = 8, /* shader engines */
    STORY_CROWD_MAX = 64,  /* blockers are listed one by one up to this number */
};

#define STORY_NONE UINT32_MAX

enum story_kind {
    STORY_KERNEL,
    STORY_COPY,
    STORY_MEMSET,
    STORY_RECORD,
    STORY_AWAIT,
    STORY_OTHER,
    STORY_KINDS,
};

/* The kinds of pieces of a story. */
enum story_what {
    STORY_UNATTRIBUTED, /* the log does not explain the piece */
    STORY_WAIT,         /* a rule was in the way */
    /* service */
    STORY_RUNTIME,   /* the runtime hands the operation to its channel */
    STORY_FRONT_END, /* doorbell, runlist, PBDMA, launch */
    STORY_SETUP,     /* the copy engine takes the copy */
    STORY_PLACE,     /* the dispatcher places blocks */
    STORY_RUN,       /* the block runs on its SM */
    STORY_SAVE,      /* the block's waves are stopped and saved (AMD) */
    STORY_RESTORE,   /* the saved waves are read back */
    STORY_REST,      /* the block is over, and other blocks of its kernel are not (AMD) */
    STORY_COPYING,
    STORY_COMPLETION, /* from the GPU's end to the end for the stream */
    STORY_WHATS,
};

/* The roles of rules: what a rule is about. */
enum story_role {
    STORY_ROLE_OTHER,
    STORY_ROLE_STREAM,   /* T.G2, Y.R2, T.C1: behind other operations of its stream */
    STORY_ROLE_NULL,     /* T.N1, T.N2 */
    STORY_ROLE_EVENT,    /* CUDA.EVENT */
    STORY_ROLE_CHANNEL,  /* B.R2 */
    STORY_ROLE_ORDER,    /* CUDA.CHANNEL_ORDER: behind another stream's call in their channel */
    STORY_ROLE_ACQUIRE,  /* CUDA.STREAM_ACQUIRE: in its channel, for the one in front in its stream
                          */
    STORY_ROLE_HEAD,     /* T.X1 */
    STORY_ROLE_HIGHER,   /* T.A2 */
    STORY_ROLE_RESOURCE, /* T.R2, Y.R1, T.R3, T.REG, T.SLOT, CORE.SM_MASK */
    STORY_ROLE_SHARE,    /* CORE.CLIENT_SHARE */
    STORY_ROLE_GRIDS,    /* CORE.GRIDS: as many grids as the chip keeps are resident */
    STORY_ROLE_TURN,     /* T.P1, T.P2 */
    STORY_ROLE_COPY,     /* T.C2 */
    STORY_ROLE_BLOCKS,   /* T.G4: the other blocks of its kernel */
    /* AMD: emu/analysis/story/explain_story_dispatch.h */
    STORY_ROLE_RING,   /* A.Q1: packets ahead of it in its queue */
    STORY_ROLE_ACE,    /* A.D1: turns of queues */
    STORY_ROLE_ENGINE, /* A.D2: turns of shader engines */
    STORY_ROLE_SLOT,   /* A.D3 */
    STORY_ROLE_CUT,    /* A.D4 */
    STORY_ROLE_CU,     /* A.D5, A.R1 */
    STORY_ROLE_GRACE,  /* AMD.GRACE */
    STORY_ROLE_QUEUE,  /* A.H2 and other rules for what a queue of packets waits for */
    STORY_ROLES,
};

enum story_by_kind {
    STORY_BY_NOBODY,
    STORY_BY_OPERATION, /* index of operations */
    STORY_BY_WORK,      /* index of works */
    STORY_BY_BLOCK,     /* index of blocks */
    STORY_BY_CHANNEL,   /* channel id */
    STORY_BY_CU,        /* of STORY_RUN: the CU on which the block runs */
};

struct story_piece {
    gfe_ps begin_ps, end_ps;
    enum story_what what;
    uint32_t rule; /* rule of a wait; RULE_NONE: the log names none */
    enum story_by_kind by;
    uint64_t by_id;
    uint64_t signal; /* AMD: as in story_wait */
    uint32_t via;    /* AMD: the rule why the slot of the shader engine stays taken; RULE_NONE */
    uint32_t engine; /* the shader engine; STORY_NONE: none in particular */
};

struct story_wait {
    gfe_ps begin_ps, end_ps;
    uint64_t by_id;      /* as in the event */
    uint64_t signal;     /* AMD: address of the signal, or of what else in memory, that the wait was
                            for; 0: none */
    uint32_t rule, next; /* next: the next wait of the same subject */
    uint32_t by_kind;    /* enum event_subject */
    uint32_t subject_kind; /* while loading */
};

struct story_operation {
    uint64_t operation_id, iteration, gp_sequence;
    gfe_ps called_ps, submitted_ps, completed_ps; /* GFE_PS_NEVER: not in the log */
    uint32_t stream;                              /* index of streams */
    uint32_t task, call;                          /* numbers that may lie beyond the program's */
    uint32_t name, number; /* name: index of names; number: which of the operations of that name it
                              is, from 1 */
    uint32_t channel;      /* the channel that it was handed to; STORY_NONE */
    uint32_t work;         /* index of works; STORY_NONE */
    uint32_t first_wait, last_wait; /* its own waits and those of its channel */
    uint32_t next, previous;        /* in its stream; STORY_NONE */
    uint32_t before, following;     /* handed to its channel before it and after it; STORY_NONE */
    uint16_t call_rule, submit_rule, complete_rule; /* rules of its events; RULE_NONE */
    enum story_kind kind;
};

/* A grid or a copy. */
struct story_work {
    uint64_t id, byte_count, block_count;
    gfe_ps queued_ps, started_ps, dispatched_ps, end_ps; /* GFE_PS_NEVER: not in the log */
    uint32_t operation, channel; /* operation STORY_NONE: it belongs to no operation */
    uint32_t first_wait, last_wait, first_stop, last_stop;
    uint32_t first_block, started; /* first_block: index of block_order; started: the number of
                                      blocks that have started */
    uint32_t last_ended;           /* index of blocks */
    uint32_t block_threads, shared_bytes, registers, priority;
    uint32_t dispatch; /* index of dispatches; STORY_NONE: it is not a dispatch of AMD's */
    /* For a dispatch that a packet asks for.  rung_ps is when the packet's doorbell was rung;
     * GFE_PS_NEVER: it was not rung. first_front is the first of the queue's waits after its last
     * launch.  before_in_queue is that launch. */
    gfe_ps rung_ps;
    uint64_t packet;
    uint32_t first_front, before_in_queue;
    bool is_copy, dropped;
};

struct story_block {
    gfe_ps start_ps, end_ps; /* GFE_PS_NEVER: the log ends before that */
    uint32_t work, index;
    uint32_t sm;
    uint32_t order; /* its place among the grid's blocks in the order of starts, from 0 */
    uint32_t freed; /* the block that ended on the SM when this one started; STORY_NONE: none did */
    uint32_t stage; /* AMD: index of stages; STORY_NONE: it is in none, or is stopped */
};

struct story_stream {
    uint64_t stream_id;
    uint32_t process, kind, priority; /* kind: as in CUDA_STREAM */
    uint32_t context;                 /* the process whose channels it uses */
    uint32_t first, last;             /* operations */
    uint32_t hsa_queue; /* the queue of a HIP thread's stream; for is_sdma: the engine */
    bool is_hip, has_mask;
    bool is_sdma;  /* AMD: is_queue is set, and the queue is of an SDMA engine */
    bool is_queue; /* AMD: the log has only packets of this program; the id is the doorbell of the
                      queue */
};

/* A queue of packets (AMD), by its doorbell, while loading. */
struct story_ring {
    gfe_ps time_ps;
    uint64_t write_index;
};
struct story_queue {
    struct story_ring *rings;
    gfe_ps left_ps;           /* when it left its slot; GFE_PS_NEVER: it is in one, or never was */
    gfe_ps grace_ps;          /* since then nothing of it is staged, because it has to leave */
    uint32_t slot, left_rule; /* its slot; the rule why it left the slot */
    uint32_t live;            /* dispatches that it launched and that are not over */
    uint32_t first_ring, ring_count, ring_capacity;
    uint32_t first_wait, last_wait; /* waits since its last launch */
    uint32_t work;                  /* the work that it launched last */
    uint32_t ended;                 /* the work of it that completed last; STORY_NONE */
    uint32_t engine;                /* the SDMA engine; STORY_NONE: the queue is not of SDMA */
};
enum { STORY_PIPES = 8, STORY_PIPE_SLOTS = 8, STORY_SDMA_ENGINES = 16 };
/* The last event of a signal, while loading. */
struct story_signal {
    gfe_ps time_ps;
    uint32_t work; /* the work whose completion it signals; STORY_NONE */
};

/* The time in which a stream holds a channel. */
struct story_hold {
    gfe_ps from_ps, to_ps; /* to_ps GFE_PS_NEVER: to the end of the log */
    uint32_t stream, channel, rule;
};

struct story_name {
    char *text;
    uint32_t count; /* the number of operations that have the name */
};

struct story_channel {
    uint32_t operation; /* the first that it is not done with, or else the last; STORY_NONE */
    uint32_t hold;      /* index of holds; STORY_NONE: no stream holds it */
    uint32_t last;      /* the operation that was handed to it last; STORY_NONE */
    bool is_pooled;     /* a stream has given it back (B.C1) */
};

struct story_dispatch;
struct story_dispatch_load;
struct story_stage;
struct story_turn;
struct story_visit;

struct story {
    const struct event_log_reader *log; /* borrowed */
    const struct check_limits *limits;  /* borrowed; NULL: the GPU is not known */
    json_t *head;                       /* of the log */
    const json_t *tasks, *calls;        /* of its program; arrays, or NULL */
    struct program program;             /* the same program; its labels are the operations' names */
    struct story_operation *operations; /* in the order of the calls */
    struct story_work *works;           /* in the order in which they join their queues */
    struct story_block *blocks;         /* in the order of their starts */
    struct story_wait *waits;
    struct story_stream *streams;
    struct story_hold *holds; /* in the order in which they begin */
    struct story_name *names;
    struct story_channel *channels;
    struct story_dispatch *dispatches; /* in the order in which they join their queues */
    struct story_stage *stages;        /* in the order of the staging */
    struct story_turn *turns;
    struct story_visit *visits;
    struct story_dispatch_load *load; /* while loading; NULL: no dispatch of AMD's has come yet */
    struct hip_calls hip;             /* while loading */
    struct story_queue *queues;       /* while loading */
    uint32_t queue_count, queue_capacity;
    /* While loading, by slot: rules of the last HWS_MAP and HWS_PREEMPT. */
    uint32_t map_rules[STORY_PIPES * STORY_PIPE_SLOTS], leave_rules[STORY_PIPES * STORY_PIPE_SLOTS];
    uint32_t sdma_rules[STORY_SDMA_ENGINES * STORY_PIPE_SLOTS]; /* while loading: HWS_SDMA_MAP */
    uint32_t sdma_ended[STORY_SDMA_ENGINES]; /* while loading: 1 + the copy that completed last */
    struct story_signal *signals;            /* while loading */
    uint32_t signal_count, signal_capacity;
    struct id_map queue_by_doorbell, signal_by_address;
    uint32_t *dispatched;  /* works in the order in which they leave their queues */
    uint32_t *block_order; /* blocks, grid by grid, in the order of their starts */
    uint32_t *call_names;  /* by call: 1 + its name */
    uint32_t operation_count, operation_capacity, work_count, work_capacity;
    uint32_t block_count, block_capacity, wait_count, wait_capacity;
    uint32_t stream_count, stream_capacity, hold_count, hold_capacity;
    uint32_t name_count, name_capacity, channel_count, channel_capacity;
    uint32_t dispatched_count, dispatched_capacity, call_count, sm_count;
    uint32_t dispatch_count, dispatch_capacity, stage_count, stage_capacity;
    uint32_t turn_count, turn_capacity, visit_count, visit_capacity;
    uint32_t first_turns[STORY_ACES_MAX]; /* for each ACE: 1 + index of turns; 0: none */
    uint32_t first_stages[STORY_ACES_MAX][STORY_ENGINES_MAX]; /* 1 + index of stages; 0: none */
    uint32_t clients[STORY_CLIENTS_MAX]; /* clients of MPS, by process: 1 + its context; 0: the
                                            process is not a client */
    uint32_t order_rule;                 /* T.G4; RULE_NONE: the log has none */
    uint32_t last_ended[STORY_SMS_MAX];  /* index of blocks; while loading */
    uint8_t roles[TABLE_END];            /* enum story_role */
    uint16_t role_rules[STORY_ROLES];    /* the first rule of each; RULE_NONE: none */
    gfe_ps end_ps;                       /* of the log */
    struct id_map operation_by_id, operation_by_entry, grid_by_id, copy_by_id, block_by_id,
        stream_by_id, channel_by_id, name_by_text;
};

/* Returns true if the log has stories: its head has a program, or it has AMD's packets. */
bool story_is_told(const struct event_log_reader *log);
/* Reads the log to its end.  `log` and `limits` are borrowed and must outlive `story`. `limits` is
 * what an SM has; NULL means that it is not known.  Returns false with a message on an error; then
 * there is nothing to release. */
bool story_load(struct story *story, struct event_log_reader *log,
                const struct check_limits *limits, struct gfe_error *error);
void story_fini(struct story *story);

/* ---- whose story ------------------------------------------------------------------------------
 */

struct story_subject {
    uint32_t operation;
    uint32_t block; /* index of blocks; STORY_NONE: the whole operation */
};

/* Finds the operation or block of a name.  The name may have any form of
 * emu/analysis/explain/operation_name.h but those by number, which explain_find() knows.  Returns
 * false if there is none. */
bool story_find(const struct story *story, const char *name, struct story_subject *subject);
/* Writes the name that pictures use, where that is another name: K3, K3:7.  The name is empty if
 * pictures use no other name.  Returns `to`. */
char *story_drawn_name(const struct story *story, struct story_subject subject,
                       char to[STORY_NAME_BYTES]);
/* Writes the name by which story_find() finds the subject.  This function and those below return
 * `to`. */
char *story_name(const struct story *story, struct story_subject subject,
                 char to[STORY_NAME_BYTES]);
/* Writes the name of a stream, as in "stream 2" or "the NULL stream". */
char *story_stream_name(const struct story *story, uint32_t stream, char to[STORY_NAME_BYTES]);
/* Writes the name of the operation of a grid or copy.  A grid or copy without an operation is
 * called by its number, as in "grid 5". */
char *story_work_name(const struct story *story, uint32_t work, char to[STORY_NAME_BYTES]);
/* Writes the name of what was in the way in a piece.  The name is empty if nothing was. */
char *story_by_name(const struct story *story, const struct story_piece *piece,
                    char to[STORY_NAME_BYTES]);
/* Writes all names, in one line that is cut where it gets long. */
char *story_names(const struct story *story, char *to, size_t bytes);
/* Returns the task's name, or "" if the program has no such task. */
const char *story_task_name(const struct story *story, uint32_t task);
/* Returns the alternative of a choice point, or "" if the log does not have it. */
const char *story_choice(const struct story *story, const char *name);
/* Returns the role of a rule of the log. */
enum story_role story_role(const struct story *story, uint32_t rule);
/* Returns the log's first rule of that role, or RULE_NONE. */
static inline uint32_t story_role_rule(const struct story *story, enum story_role role)
{
    return story->role_rules[role];
}
/* Returns the rule's label, or "-" if there is no rule. */
const char *story_rule(const struct story *story, uint32_t rule);
const char *story_kind_name(enum story_kind kind);
/* Writes what the operation is, as in "2 blocks of 256 threads" or "4096 bytes to host", and
 * returns `to`.  The text may be empty. */
char *story_describe(const struct story *story, uint32_t operation, char to[STORY_NAME_BYTES]);

/* ---- lives ------------------------------------------------------------------------------------
 */

struct story_life {
    struct story_piece *pieces; /* no gap, no overlap, none empty */
    uint32_t count, capacity;
    gfe_ps begin_ps, end_ps, at_ps; /* at_ps: end of the last piece */
    bool unfinished;                /* the log ends before the life does */
    bool failed;                    /* memory is short */
};

/* Makes the story's pieces.  `life` is all zeroes or from a former call.  The caller releases it
 * with story_life_fini().  Returns false when memory is short. */
bool story_life(const struct story *story, struct story_subject subject, struct story_life *life);
void story_life_fini(struct story_life *life);
/* Adds a piece from the end of the last piece up to its own `end_ps`, but no further than the whole
 * life.  A piece that is like the last one makes the last one longer. */
void story_life_add(struct story_life *life, const struct story_piece *piece);
/* Adds the waits of an operation in its channel, if it was handed over before those in front of it
 * were complete. */
void story_ahead_life(const struct story *story, struct story_life *life, uint32_t operation);
/* Returns the first of the grid's blocks that starts at that time or later.  Returns STORY_NONE if
 * none does. */
uint32_t story_block_from(const struct story *story, uint32_t work, gfe_ps time_ps);
/* Returns true if the stream is of a client of MPS. */
bool story_client(const struct story *story, uint32_t stream);
/* Returns the process of a grid or copy, or STORY_NONE if it is not known.  Clients of MPS share
 * queues and SMs, so for all of them the function returns process 0. */
uint32_t story_process(const struct story *story, uint32_t work);
/* Returns the next work from `from` on that was a resident grid of the waiter's process just before
 * `at_ps`: it had started, had not ended, and was not suspended.  STORY_NONE: there is none. */
uint32_t story_resident_next(const struct story *story, uint32_t waiter, gfe_ps at_ps,
                             uint32_t from);

enum { STORY_RULES_MAX = 32 };
struct story_total {
    gfe_ps total_ps, service_ps, unattributed_ps;
    struct {
        uint32_t rule, count; /* count: pieces */
        gfe_ps ps, longest_ps;
    } waits[STORY_RULES_MAX]; /* in the order in which they begin; the last entry takes the rest */
    uint32_t wait_count;
};
/* Adds up the pieces of a life, and returns the sums. */
struct story_total story_total(const struct story_life *life);

#endif
