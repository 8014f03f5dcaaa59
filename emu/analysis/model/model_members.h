/* SPDX-License-Identifier: MIT */
/*
 * The members of the records that the model of a log makes (model.h), by family as in
 * model_list.h.
 *
 * Units: *_ps are picoseconds since the start of the run, *_bytes and byte_count are bytes.
 * Numbers of channels, queues, engines and so on are the log's own and are not checked: a damaged
 * log may hold any value.  The number of an AMD queue is the index of its doorbell.
 */
#ifndef GFE_EMU_ANALYSIS_MODEL_MODEL_MEMBERS_H
#define GFE_EMU_ANALYSIS_MODEL_MODEL_MEMBERS_H

#include <stdint.h>

#define MODEL_NONE UINT64_MAX

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
    uint64_t what, address, value; /* enum unmodelled_what */
};

struct model_cut {
    uint64_t next_ps; /* when something would have happened next */
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

#endif
