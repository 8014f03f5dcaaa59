/* SPDX-License-Identifier: MIT */
/*
 * The model of a log: it folds the log's events into records of operations, occupancies and waits.
 *
 * The views and analyses read records, never kinds of events.  A record has a type and named
 * members; model_list.h says which event becomes which record.  The model looks kinds and arguments
 * up by name in the log's own tables.  A log of another version may lack a kind; then the record
 * never comes.  Or it may lack an argument; then the member is 0.
 *
 * The model also keeps the state that several readers need, and hands it out with the records:
 *
 *   - the operation that a record is about, from its hand-over to its end (`live`, model_live.h):
 *     when it was handed over, started and came to its engine, its number among its kind;
 *   - the blocks on SMs: where a block is and since when (`sm_place`, `since_ps`).  When a grid is
 *     suspended or resumes, or ends with blocks on SMs, each of these blocks gets a record
 *     (MODEL_BLOCK_OFF, MODEL_BLOCK_BACK), although the log has no event for it;
 *   - copies that a fault ends without a word in the log (MODEL_COPY_LOST);
 *   - which queue is in which of AMD's hardware slots (a dispatch names only the slot; `struct
 *     model_grid` adds the queue);
 *   - from when a suspended grid or work waited, and for which channel (MODEL_WAIT_SUSPENDED).
 *
 * The model streams: model_take() hands each event's records to the listener at once and keeps
 * none.  So a log of any length needs only the memory of what is open at a time.
 *
 * Units: *_ps are picoseconds since the start of the run, *_bytes and byte_count are bytes.
 * Numbers of channels, queues, engines and so on are the log's own and are not checked: a damaged
 * log may hold any value.  The number of an AMD queue is the index of its doorbell.
 */
#ifndef GFE_EMU_ANALYSIS_MODEL_MODEL_H
#define GFE_EMU_ANALYSIS_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/analysis/model/model_list.h"
#include "emu/analysis/model/model_live.h"
#include "emu/analysis/model/model_members.h"
#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"

#define MODEL_TYPE(type, member, meaning) MODEL_##type,
enum model_type { MODEL_RECORDS(MODEL_TYPE) MODEL_TYPES };

/* ---- records --------------------------------------------------------------------------------- */

enum { MODEL_MEMBERS_MAX = EVENT_ARGUMENTS_MAX };

/* One record.  The record and the event are valid until the listener returns. */
struct model_record {
    enum model_type type;
    enum model_operation operation; /* only of MODEL_OPERATION_RECORDS */
    gfe_ps now_ps;
    uint32_t rule;                 /* the rule that decided, or RULE_NONE */
    uint64_t event_number;         /* of the log's events, from 0 */
    const struct log_event *event; /* as logged: unit, origin; the arguments are for display only */
    /* The operation of an operation's record, and the grid of a block's.  Of a hand-over it is the
     * new one, of an end the one that ends now.  It is NULL
     * for one that began before the log, or that is not followed. */
    const struct model_live *live;
    gfe_ps since_ps;   /* of a block's record: on its SM since then; GFE_PS_NEVER: not known */
    uint16_t sm_place; /* of a block's record: its place on the SM, or MODEL_NO_PLACE */
    /* The log says what already holds: that the operation is handed over, starts, is suspended or
     * resumes.  Only a damaged log does. */
    bool again;
    union {
        uint64_t value[MODEL_MEMBERS_MAX]; /* the members in their order; private to model.c */
        struct model_submission submission;
        struct model_cpu_wait cpu_wait;
        struct model_store store;
        struct model_entry entry;
        struct model_place place;
        struct model_fence fence;
        struct model_unmodelled unmodelled;
        struct model_run run;
        struct model_cut cut;
        struct model_wait wait;
        struct model_grid grid;
        struct model_cost cost;
        struct model_copy copy;
        struct model_work work;
        struct model_done done;
        struct model_block block;
        struct model_staged staged;
        struct model_channel channel;
        struct model_loaded loaded;
        struct model_stopped stopped;
        struct model_runlist runlist;
        struct model_slice slice;
        struct model_context context;
        struct model_reset reset;
        struct model_fault fault;
        struct model_pbdma pbdma;
        struct model_doorbell doorbell;
        struct model_fetched fetched;
        struct model_object object;
        struct model_segment segment;
        struct model_mem_op mem_op;
        struct model_method method;
        struct model_slot slot;
        struct model_queue queue;
        struct model_ring ring;
        struct model_packet packet;
        struct model_written written;
        struct model_dispatch dispatch;
        struct model_turn turn;
        struct model_sdma sdma;
        struct model_client client;
        struct model_stream stream;
        struct model_stream_operation stream_operation;
        struct model_stream_channel stream_channel;
        struct model_stream_operation_submit stream_operation_submit;
        struct model_task task;
        struct model_hip_queue hip_queue;
        struct model_hip_launch hip_launch;
        struct model_hip_submit hip_submit;
    };
};

/* Takes a record.  Returns false to stop the fold; the reader then knows the reason. */
typedef bool model_listener(void *context, const struct model_record *record);

enum { MODEL_SLOTS = 256 }; /* of AMD's queues; slots of a damaged log beyond hold none */

enum { MODEL_UNITS = 1024 }; /* units whose copies are followed */

/* What the model itself does with a record before it hands it on. */
enum model_keeps {
    MODEL_KEEPS_NOTHING,
    MODEL_KEEPS_STATE,
    MODEL_KEEPS_BLOCK_THAT_COMES,
    MODEL_KEEPS_BLOCK_THAT_LEAVES,
};

/* How one kind of the log becomes a record. */
struct model_row {
    enum model_type type;
    enum model_operation operation;
    uint8_t count;  /* number of members */
    bool as_logged; /* the event's first arguments are the members in their order */
    uint8_t keeps;  /* enum model_keeps */
    uint8_t position[MODEL_MEMBERS_MAX];
};

struct model {
    struct model_row *rows; /* by the number that the log gives the kind */
    uint32_t row_count;
    bool is_amd;
    uint64_t event_count;           /* events that were taken */
    uint64_t queue_in[MODEL_SLOTS]; /* 1 + the queue in each slot; 0: none */
    struct model_lives lives;
    struct model_record record; /* of the event that is being taken */
    bool has_block;             /* `record` has a block's operation, place and time */
    struct model_unit {
        uint64_t copy_plus_1; /* the copy that it started last and that has not ended; 0: none */
        uint64_t engine_id;
    } units[MODEL_UNITS];
    model_listener *listener;
    void *context; /* of the listener; borrowed */
};

/* Binds the model to the log's tables, which must outlive it.  Returns false when memory is short.
 */
bool model_init(struct model *model, const struct event_log_reader *log, model_listener *listener,
                void *context, struct gfe_error *error);
void model_fini(struct model *model);
/* Leaves blocks unfollowed, for a reader that does not ask where they are, which is faster: records
 * of blocks have no operation, no place and no since_ps, and none is made for blocks that leave or
 * come back with their grid.  Call it before the first event. */
void model_skip_blocks(struct model *model);
/* Hands the event's records, at least one, to the listener.  Returns false if the listener did, or
 * if memory is short: model_no_memory() tells. */
bool model_take(struct model *model, const struct log_event *event);
/* Reads the log to its end.  Returns false with the reader's error, or if the listener returned
 * false.  In that case the listener has set its own error. */
bool model_read(struct model *model, struct event_log_reader *log, struct gfe_error *error);
static inline bool model_no_memory(const struct model *model)
{
    return model->lives.no_memory;
}
/* Returns the live operation of that number, or NULL.  Valid until the next event is taken. */
static inline const struct model_live *model_live(struct model *model,
                                                  enum model_operation operation, uint64_t id)
{
    return model_lives_find(&model->lives, operation, id);
}
/* Returns whether the log has a kind of event that becomes a record of that type. */
bool model_tells(const struct event_log_reader *log, enum model_type type);
/* Returns the type of record that an event of that name becomes, and sets `*operation` to its
 * operation.  Returns MODEL_OTHER for a name that the model does not fold. */
enum model_type model_type_of(const char *event, enum model_operation *operation);
/* Returns the name of the first kind of event that becomes such a record, or NULL if there is none.
 */
const char *model_event_of(enum model_type type);
/* Returns the channel of the grid, or AMD's queue.  If the log does not have the queue, it returns
 * the number of the slot. */
static inline uint64_t model_grid_channel(const struct model_grid *grid)
{
    return grid->queue_id == MODEL_NONE ? grid->channel_id : grid->queue_id;
}

#endif
