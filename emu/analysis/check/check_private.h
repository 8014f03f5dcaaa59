/* SPDX-License-Identifier: MIT */
/* The inside of a check.  Private to check.c, check_block.c and check_copy.c, for logs, and to
 * check_result*.c, for measurements.  Both share the report and the account of an SM. */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_PRIVATE_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_PRIVATE_H

#include "emu/base/mask128.h"
#include "emu/analysis/check/check.h"
#include "emu/log/event_fields.h"
#include "emu/base/id_map.h"

#define CHECK_NONE UINT32_MAX

enum {
    CHECK_ENGINES_MAX = 256,
    CHECK_SMS_MAX = 256,
    CHECK_SLOTS_MAX = 64,
    CHECK_RUNLISTS_MAX = 128, /* with the second runqueue of each of 64 */
    CHECK_LEVELS_MAX = 8,
};

/* A block that has started and not ended. */
struct check_block {
    uint64_t block_index;
    uint32_t sm, slot;
    uint32_t split_bytes; /* of the SM, when the block started there; 0: not known */
};

struct check_grid {
    uint64_t grid_id, channel_id;
    uint64_t process; /* UINT64_MAX: the process is not known */
    uint64_t block_count, started, ended;
    uint32_t threads, warps, registers, shared_bytes; /* what a block takes */
    uint32_t warp_registers;                          /* what each of its warps takes */
    /* Shared memory that an SM has to have at least for its blocks, and that it gets if they find
     * it empty; 0: the log does not say. */
    uint32_t least_split_bytes, chosen_split_bytes;
    uint32_t queue, level; /* index; priority */
    uint32_t next_queued;  /* the grid behind it in its queue */
    struct mask128 mask;   /* of what its descriptor disables; a bit stands for sms_per_bit SMs */
    uint32_t sms_per_bit;  /* 0: no mask */
    bool dispatched, over, suspended;
    bool is_passed;    /* kernels with another mask may pass it (CORE.MASK_PASSED) */
    uint32_t cluster;  /* blocks that start together; 0: no clusters */
    gfe_ps cluster_ps; /* when the last cluster's first block started */
    uint64_t cluster_sms[CHECK_SMS_MAX / 64]; /* a bit for each SM that it has */
    struct check_event queued;
    struct check_block *blocks; /* owned */
    uint32_t running, capacity;
};

/* A process that is a client of MPS (check_client.c). */
struct check_client {
    uint32_t sm_limit;              /* 0: the client has no limit */
    uint32_t sm_count;              /* the number of SMs on which the client has blocks */
    uint32_t blocks[CHECK_SMS_MAX]; /* the client's blocks on each SM */
};

/* The kernels of one address space, which is that of one time-slice group. */
struct check_queue {
    uint64_t group; /* runlist << 32 | TSG; 0: the log has no groups */
    uint32_t first[CHECK_LEVELS_MAX], last[CHECK_LEVELS_MAX]; /* grids, by priority */
    uint64_t running;                                         /* blocks on the SMs */
    uint32_t resident; /* grids that have started and not ended */
};

/* Sizes of the registers of a warp, in units; larger ones are counted as the largest. */
enum { CHECK_WARP_SIZES = 33 };

struct check_sm {
    uint32_t threads, warps, registers, shared_bytes, blocks;
    uint32_t warps_of_size[CHECK_WARP_SIZES]; /* warps by the registers that each takes */
    uint64_t slots;
    uint32_t split_bytes;    /* the shared memory that it has; 0: not known */
    struct check_event last; /* the last block that started here */
};

/* The copy that one engine runs, or the one that started last. */
struct check_engine {
    uint64_t engine_id, copy_id;
    bool busy;
    struct check_event start;
};

struct check_copy {
    uint64_t copy_id, channel_id, engine_id;
    uint32_t state; /* enum check_copy_state */
    struct check_event queued;
};

/* A call that put an operation into a stream's queue. */
struct check_operation {
    uint64_t operation_id;
    uint32_t stream;     /* index */
    uint32_t next;       /* the operation behind it in its stream's queue */
    uint32_t work;       /* the grid or copy that the GPU made of it */
    uint64_t channel_id; /* that it was handed to */
    bool is_kernel, submitted, over;
    bool is_record; /* of an event: the GPU only releases a semaphore for it */
    bool is_inline; /* the pushbuffer brought the data of a copy, and they are in memory */
    struct check_event called;
};

struct check_stream {
    uint64_t stream_id, process_id, kind;
    uint64_t channel_id;  /* the channel that the stream holds */
    uint32_t first, last; /* operations */
    uint64_t handed_id;   /* the operation that was handed over last; 0: none */
    bool holds;           /* one of the pool (B.R2) */
    bool is_static;       /* the channel is the stream's for ever (CUDA.CHANNEL_TURN) */
    struct check_event held;
};

/* A channel that streams have for ever. */
struct check_static {
    uint64_t channel_id;
    uint64_t operation_id; /* the last one that was handed to it; 0: none */
    uint32_t next; /* index of the channel of the stream that was made next; or CHECK_NONE */
    struct check_event handed, followed;
};

struct check {
    struct event_log_reader *log;
    uint64_t most_ahead; /* cuda.send_ahead; 0: not looked up yet */
    const struct check_limits *limits;
    struct check_report *report;
    gfe_ps now;
    bool no_memory;
    struct check_grid *grids;
    struct check_queue *queues;
    struct check_copy *copies;
    struct check_engine *engines;
    uint32_t grid_count, grid_capacity, queue_count, queue_capacity;
    uint32_t copy_count, copy_capacity, engine_count, engine_capacity;
    struct id_map grid_ids, copy_ids, channel_ids, group_queues, fifo_ids;
    uint32_t *channel_queues; /* owned; for each channel that was loaded, the queue of its group */
    uint32_t channel_count, channel_capacity;
    struct check_stream *streams;
    struct check_operation *operations;
    uint32_t stream_count, stream_capacity, operation_count, operation_capacity;
    /* submit_ids: from channel and GP entry to operation. */
    struct id_map stream_ids, operation_ids, submit_ids;
    struct check_static *statics; /* owned; static_ids: by channel */
    uint32_t static_count, static_capacity;
    struct id_map static_ids;
    uint32_t turn_stream; /* 1 + the stream whose turn was last, which is not a NULL stream */
    struct check_sm sms[CHECK_SMS_MAX];
    struct check_client *clients; /* owned; by process; NULL: no process has a share */
    uint32_t last_queue;          /* the queue whose blocks were on the SMs last */
    struct check_event last;      /* the start of the last of those blocks */
    struct check_event tsgs[CHECK_RUNLISTS_MAX];
    uint64_t tsg_ids[CHECK_RUNLISTS_MAX];
    bool tsg_on[CHECK_RUNLISTS_MAX];
    /* The copies that were queued and have not started, oldest first, for each channel and engine.
     */
    struct check_fifo *fifos;
    uint32_t fifo_count, fifo_capacity;
    struct check_dispatch *dispatch; /* owned; for a GPU of AMD's: check_dispatch.h */
};

/* The copies of a channel on an engine, by index. */
struct check_fifo {
    uint32_t *copies; /* owned */
    uint32_t first, count, capacity;
};

/* Returns an event of that time, with a text that is cut where it gets too long. */
struct check_event check_event_at(gfe_ps time_ps, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes a violation of a rule by two events; `first` may be NULL. */
void check_violation(struct check *check, const char *rule, const struct check_event *first,
                     const struct check_event *second, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Like check_violation(), but needs only the report. */
void check_report_add(struct check_report *report, const char *rule,
                      const struct check_event *first, const struct check_event *second,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Allocates the findings of a report.  Returns false when memory is short. */
bool check_report_init(struct check_report *report);
/* Makes room for one more element of `bytes`, and returns the array, which may have moved.  Returns
 * NULL, and sets no_memory, when memory is short; then `array` is still valid. */
void *check_room(struct check *check, void *array, uint32_t count, uint32_t *capacity,
                 size_t bytes);

/* check_block.c: events of kernels and blocks.  `values` holds the arguments that the event's row
 * names. */
void check_grid_queue(struct check *check, const uint64_t *values);
void check_grid_cost(struct check *check, const uint64_t *values);
void check_grid_split(struct check *check, const uint64_t *values);
void check_grid_mask(struct check *check, const uint64_t *values);
void check_grid_cluster(struct check *check, const uint64_t *values);
/* Returns the kernel of that number, or NULL after it has said that there is none. */
struct check_grid *check_grid_of(struct check *check, uint64_t grid_id, const char *what);
void check_grid_dispatched(struct check *check, const uint64_t *values);
void check_grid_end(struct check *check, const uint64_t *values);
void check_grid_drop(struct check *check, const uint64_t *values);
void check_grid_suspend(struct check *check, const uint64_t *values);
void check_grid_resume(struct check *check, const uint64_t *values);
void check_block_start(struct check *check, const uint64_t *values);
void check_block_end(struct check *check, const uint64_t *values);
/* Functions for what a block takes, from the values of a GRID_QUEUE.  check_grid_absurd() returns
 * true if no GPU has such blocks.  check_grid_need() sets what a block of the grid takes.
 * check_grid_limits() notes a violation if no SM of this GPU could hold the block. */
bool check_grid_absurd(const uint64_t *values);
void check_grid_need(const struct check_limits *limits, struct check_grid *grid,
                     const uint64_t *values);
void check_grid_limits(struct check_report *report, const struct check_limits *limits,
                       const struct check_grid *grid, const uint64_t *values);
/* check_sm_take() gives a block of the grid to the SM, or takes it away.  check_sm_limits() notes a
 * violation when the SM holds more than it has. */
void check_sm_take(const struct check_limits *limits, struct check_sm *sm,
                   const struct check_grid *grid, uint32_t slot, bool takes);
void check_sm_limits(struct check_report *report, const struct check_limits *limits,
                     const struct check_sm *sm, uint32_t index, const struct check_event *event);
/* check_stream.c: events of streams, and of what the GPU makes of their operations. */
void check_stream_new(struct check *check, const uint64_t *values);
void check_operation_call(struct check *check, const uint64_t *values);
void check_operation_submit(struct check *check, const uint64_t *values);
void check_operation_record(struct check *check, const uint64_t *values);
void check_operation_complete(struct check *check, const uint64_t *values);
void check_channel_hold(struct check *check, const uint64_t *values);
void check_channel_free(struct check *check, const uint64_t *values);
void check_channel_of_stream(struct check *check, const uint64_t *values);
void check_inline_write(struct check *check, const uint64_t *values);
void check_operation_work(struct check *check, bool is_kernel, uint32_t work, uint64_t channel_id,
                          uint64_t gp_sequence);
/* check_client.c: shares of the clients of MPS. */
void check_client_new(struct check *check, const uint64_t *values);
/* Notes that a block of the grid comes on an SM (`takes`), or leaves the SM. */
void check_client_take(struct check *check, const struct check_grid *grid, uint32_t sm, bool takes);
/* check_cluster.c: tells of a block that does not start with its cluster, or on the SM of another
 * one. */
void check_cluster_block(struct check *check, struct check_grid *grid, uint64_t block, uint32_t sm,
                         const struct check_event *event);
/* check_mask.c: tells of a block on an SM that its kernel's descriptor disables. */
void check_mask_block(struct check *check, const struct check_grid *grid, uint32_t sm,
                      const struct check_event *event);
/* Returns true if `other` need not wait for `waits`, which is in front of it: its mask leaves it no
 * place, and the other has another mask. */
bool check_mask_passed(const struct check *check, const struct check_grid *waits,
                       const struct check_grid *other);
/* Notes a violation when a block of the grid has started and its client has more SMs than its
 * share. */
void check_client_share(struct check *check, const struct check_grid *grid,
                        const struct check_event *event);
/* Returns true if a grid that waits in a queue does not hold up `other`.  That is so when the
 * client of the waiting grid has its whole share, and `other` is of another process. */
bool check_client_passed(const struct check *check, const struct check_grid *waits,
                         const struct check_grid *other);
/* check_copy.c: events of copies and time-slice groups. */
bool check_copy_is_over(const struct check *check, uint32_t index);
void check_copy_queue(struct check *check, const uint64_t *values);
void check_copy_start(struct check *check, const uint64_t *values);
void check_copy_stop(struct check *check, const uint64_t *values);
void check_copy_resume(struct check *check, const uint64_t *values);
void check_copy_end(struct check *check, const uint64_t *values);
void check_copy_drop(struct check *check, const uint64_t *values);
void check_tsg_start(struct check *check, const uint64_t *values);
void check_tsg_end(struct check *check, const uint64_t *values);
void check_channel_load(struct check *check, const uint64_t *values);

#endif
