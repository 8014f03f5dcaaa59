/* SPDX-License-Identifier: MIT */
/*
 * The model of a log: it folds the log's events into records of operations, occupancies and waits.
 *
 * The views and analyses read records, never kinds of events.  A record has a type and named
 * members; model_list.h says which event becomes which record.  The model looks kinds and arguments
 * up by name in the log's own tables.  A log of another version may lack a kind; then the record
 * never comes.  Or it may lack an argument; then the member is 0.
 *
 * The model also keeps the state that several readers need:
 *
 *   - which queue is in which of AMD's hardware slots (a dispatch names only the slot; `struct
 *     model_grid` adds the queue);
 *   - from when a suspended grid or work waited, and for which channel (MODEL_WAIT_SUSPENDED).
 *
 * The model streams: model_take() hands each event's records to the listener at once and keeps
 * none.  So a log of any length needs only the memory of the table of slots.
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
#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"

#define MODEL_NONE UINT64_MAX

#define MODEL_TYPE(type, member, meaning) MODEL_##type,
enum model_type { MODEL_RECORDS(MODEL_TYPE) MODEL_TYPES };

enum model_operation { MODEL_NO_OPERATION, MODEL_GRID, MODEL_COPY, MODEL_WORK };

/* ---- the program ----------------------------------------------------------------------------- */

struct model_submission {
    uint64_t id, thread, channel_id;
    uint64_t push_count, push_bytes; /* segments of the pushbuffer, and their bytes */
};

struct model_cpu_wait {
    uint64_t id, thread, submission_id;
    uint64_t inferred;  /* of a begin: the wait was not recorded, but found by its effect */
    uint64_t waited_ps; /* of an end: the length of the wait */
};

struct model_store {
    uint64_t submission_id, byte_count;
};

struct model_entry {
    uint64_t channel_id, gp_sequence, gp_index, address, dword_count, submission_id;
};

struct model_place {
    uint64_t channel_id, address;
};

struct model_fence {
    uint64_t reached;
};

struct model_unmodelled {
    uint64_t what;
};

struct model_run {
    uint64_t recorded_wait_count, inferred_wait_count; /* CPU waits of the program */
};

/* ---- waits ----------------------------------------------------------------------------------- */

/* A wait from begin_ps until now.  The kinds are of enum event_subject.  The rule is that of the
 * record. */
struct model_wait {
    uint64_t begin_ps, subject_kind, subject_id, blocker_kind, blocker_id;
};

/* ---- operations ------------------------------------------------------------------------------ */

struct model_grid {
    uint64_t id;
    uint64_t channel_id; /* AMD: the number of the hardware's slot */
    uint64_t block_count, block_threads, shared_bytes, registers, gp_sequence;
    uint64_t queue_id; /* AMD: the queue in that slot; MODEL_NONE: the log does not say */
};

struct model_cost {
    uint64_t id, priority; /* a higher priority goes first */
};

struct model_copy {
    uint64_t id, channel_id, engine_id, byte_count, gp_sequence;
};

struct model_work {
    uint64_t id, channel_id, engine_id, class_id, method, gp_sequence;
};

/* What happens to an operation that the log has already named. */
struct model_done {
    uint64_t id;
    uint64_t engine_id;            /* of a copy or work */
    uint64_t limited_by, pce_bits; /* of a copy that starts or resumes */
    uint64_t from_ps;              /* of a grid or work that resumes: since when it stood still */
    /* The channel that was on the engine meanwhile; EVENT_CHANNEL_IDS and up: none. */
    uint64_t by_channel_id;
};

/* ---- occupancies ----------------------------------------------------------------------------- */

struct model_block {
    uint64_t grid_id, index;
    uint64_t sm, slot; /* the SM or CU, and the slot on it */
};

struct model_staged {
    uint64_t grid_id, index;
    uint64_t engine, ace; /* shader engine */
};

struct model_channel {
    uint64_t channel_id, enabled;
};

/* The event that a PBDMA loads or saves a channel. */
struct model_loaded {
    uint64_t channel_id, pbdma_id, runlist_id;
};

struct model_stopped {
    uint64_t channel_id, intr_bits;
};

struct model_runlist {
    uint64_t runlist_id, entry_count, disabled;
};

/* A group (TSG) has its runlist.  See NV_TSG_START for groups of one channel alone. */
struct model_slice {
    uint64_t runlist_id, tsg_id, timeslice_ps;
};

/* An engine holds a context. */
struct model_context {
    uint64_t engine_id, channel_id, tsg_id, load_ps;
};

struct model_reset {
    uint64_t engine_id, in_reset;
};

struct model_fault {
    uint64_t channel_id;
    uint64_t where; /* the address or method; 0: the fault has none */
    uint64_t code;
};

struct model_pbdma {
    uint64_t channel_id, pbdma_id, method, intr_bit;
};

/* ---- methods --------------------------------------------------------------------------------- */

struct model_doorbell {
    uint64_t channel_id;
    uint64_t value; /* GP_PUT, or the token */
};

struct model_fetched {
    uint64_t channel_id, pbdma_id, gp_index, address, dword_count, entry1_flags, gp_sequence;
    uint64_t fetch_ps; /* duration of the fetch, which ends now */
};

/* A subchannel of the channel gets a class. */
struct model_object {
    uint64_t channel_id, subchannel, class_id;
};

struct model_segment {
    uint64_t channel_id, pbdma_id, gp_index, gp_sequence;
};

struct model_mem_op {
    uint64_t channel_id, operation, took_ps;
};

struct model_method {
    uint64_t channel_id, address, value, byte_count, source_class, gp_sequence;
};

/* ---- AMD ------------------------------------------------------------------------------------- */

/* The firmware names a slot by its pipe, and the queue by the driver's number. */
struct model_slot {
    uint64_t pipe, index, driver_queue_id;
    uint64_t busy; /* of a queue that has to leave: it has to leave although it has work */
};

/* A slot holds a queue. */
struct model_queue {
    uint64_t slot_id, queue_id;
    uint64_t read_index, is_aql, vmid; /* of a queue that is loaded only */
    uint64_t byte_count, duration_ps;  /* only of waves that are saved or restored */
};

struct model_ring {
    uint64_t queue_id, write_index;
};

struct model_packet {
    uint64_t queue_id, index;
    uint64_t is_aql, code; /* of a packet that is taken up */
    uint64_t grid_id;      /* of a packet that launches */
};

struct model_written {
    uint64_t queue_id, address, value, byte_count;
    uint64_t packet_index; /* of a signal */
};

struct model_dispatch {
    uint64_t grid_id, ace, queue, wave_count, cu_mask_lo, cu_mask_hi;
};

struct model_turn {
    uint64_t ace, queue, grid_id;
};

/* A slot of an SDMA engine holds a queue. */
struct model_sdma {
    uint64_t engine, slot, queue_id, read_index, write_index;
};

/* ---- runtimes -------------------------------------------------------------------------------- */

struct model_client {
    uint64_t process, context;
};

struct model_stream {
    uint64_t id, process, kind, priority;
};

struct model_stream_operation {
    uint64_t id, stream_id, task, call, iteration;
};

struct model_stream_channel {
    uint64_t stream_id, channel_id;
};

struct model_stream_operation_submit {
    uint64_t id, channel_id, gp_sequence;
};

struct model_task {
    uint64_t task, call, begin_ps;
};

struct model_hip_queue {
    uint64_t stream, hsa_queue, queue_id, process, has_mask;
};

struct model_hip_launch {
    uint64_t plugin, iteration;
};

struct model_hip_submit {
    uint64_t stream, queue_id, packet_index;
    uint64_t code; /* AQL's type of the packet */
};

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

/* How one kind of the log becomes a record. */
struct model_row {
    uint8_t type, operation;
    uint8_t count;  /* number of members */
    bool as_logged; /* the event's first arguments are the members in their order */
    bool is_state;  /* the model itself looks at such records */
    uint8_t position[MODEL_MEMBERS_MAX];
};

struct model {
    struct model_row *rows; /* by the number that the log gives the kind */
    uint32_t row_count;
    bool is_amd;
    uint64_t event_count;           /* events that were taken */
    uint64_t queue_in[MODEL_SLOTS]; /* 1 + the queue in each slot; 0: none */
    model_listener *listener;
    void *context; /* of the listener; borrowed */
};

/* Binds the model to the log's tables, which must outlive it.  Returns false when memory is short.
 */
bool model_init(struct model *model, const struct event_log_reader *log, model_listener *listener,
                void *context, struct gfe_error *error);
void model_fini(struct model *model);
/* Hands the event's records, at least one, to the listener.  Returns false if the listener did. */
bool model_take(struct model *model, const struct log_event *event);
/* Reads the log to its end.  Returns false with the reader's error, or if the listener returned
 * false.  In that case the listener has set its own error. */
bool model_read(struct model *model, struct event_log_reader *log, struct gfe_error *error);
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
