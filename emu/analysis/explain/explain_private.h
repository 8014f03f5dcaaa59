/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts that load a log for gfe explain.  explain.c takes the events of the program
 * and the engines, explain_channel.c those of channels.
 *
 * Each explain_take_*() function handles a record of the model, and returns false when the error is
 * set.
 */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H
#define GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_PRIVATE_H

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/model/model.h"

/* The time of a channel on a PBDMA. */
struct explain_turn {
    gfe_ps from_ps, to_ps; /* to_ps GFE_PS_NEVER: the channel is still there */
    uint32_t channel, runlist, pbdma;
};

struct explain_build {
    struct explain *explain;
    struct gfe_error *error;
    uint64_t event_number; /* number and kind of the event that is being taken */
    uint32_t event_kind;
    gfe_ps now_ps;
    const struct log_event *event;
    struct id_map channel_of; /* from the number of a channel to its place in `channels` */
    uint32_t *channels; /* EXPLAIN_IDS: index of the channel that is bound to that number now */
    uint32_t *threads;  /* EXPLAIN_IDS: the submission that a thread is in */
    uint32_t *engines;  /* EXPLAIN_IDS: the operation that ended last on an engine */
    uint32_t *sms;      /* EXPLAIN_IDS: the block that ended last on an SM */
    gfe_ps *runlists;   /* EXPLAIN_IDS: when the TSG of a runlist went on */
    uint32_t *queue;    /* launches, then reports, taken and not yet seen again */
    uint32_t queue_count, queue_capacity, queue_head;
    struct explain_turn *turns;
    uint32_t turn_count, turn_capacity;
    uint32_t slice_count;
    uint32_t *releases; /* operations: the last release at each address */
    uint32_t release_count, release_capacity;
    struct id_map release_by_address;
};

/* Set the error, for a number that no machine has and for short memory.  Both return false. */
bool explain_build_absurd(struct explain_build *build, const char *what, uint64_t number);
bool explain_build_no_memory(struct explain_build *build);
/* Makes room for one more element of an array of at most `limit` elements.  `array` is the address
 * of the array's pointer.  Returns false when the error is set. */
bool explain_build_room(struct explain_build *build, void *array, uint32_t count,
                        uint32_t *capacity, size_t element_bytes, uint32_t limit);
/* Returns the index of the channel that is bound to that number now, or EXPLAIN_NONE. */
uint32_t explain_build_channel(const struct explain_build *build, uint64_t id);
/* Returns true if the number is below EXPLAIN_IDS.  Otherwise sets the error and returns false. */
bool explain_build_id(struct explain_build *build, uint64_t id);
/* Makes a new operation, born now, and returns its index.  Returns EXPLAIN_NONE when the error is
 * set. `key` is its number within its kind; UINT64_MAX means that it gets no number yet. */
uint32_t explain_build_operation(struct explain_build *build, enum explain_kind kind, uint64_t key);
/* Makes `operation` the last child of `parent`; does nothing if `parent` is EXPLAIN_NONE. */
void explain_build_parent(struct explain_build *build, uint32_t operation, uint32_t parent);
/* Adds a wait of an operation that ends now.  Returns false when the error is set. */
bool explain_build_wait(struct explain_build *build, uint32_t operation, gfe_ps begin_ps,
                        uint32_t rule, struct explain_by by);
/* explain_build_stop() notes that a launch's blocks, or a draw, stand still from now on.
 * explain_build_go_on() notes that they go on now. */
bool explain_build_stop(struct explain_build *build, struct explain_operation *operation);
void explain_build_go_on(struct explain_build *build, const struct explain_operation *operation,
                         uint64_t by_channel_id);
/* Returns the operation that ended last on an engine after `begin_ps`.  If there is none, returns
 * the engine itself. */
struct explain_by explain_build_engine(const struct explain_build *build, uint64_t engine,
                                       gfe_ps begin_ps);

/* ---- explain_channel.c ----------------------------------------------------------------------- */

/* Returns the index of the channel with that number, which is bound now if need be.  Returns
 * EXPLAIN_NONE when the error is set. */
uint32_t explain_channel_at(struct explain_build *build, uint64_t id);
bool explain_channel_bind(struct explain_build *build, const struct model_record *record);
/* Notes that a method of the channel starts that operation now.  What the method waited for becomes
 * a wait of the operation, too. */
void explain_channel_started(struct explain_build *build, uint32_t channel, uint32_t operation);
/* Adds a wait of a channel that ends now. */
bool explain_channel_wait(struct explain_build *build, uint32_t channel, gfe_ps begin_ps,
                          struct explain_by by);
/* Handles what has not ended by the end of the log. */
bool explain_channel_finish(struct explain_build *build, uint32_t channel);
bool explain_take_driver_entry(struct explain_build *build, const struct model_record *record);
bool explain_take_doorbell(struct explain_build *build, const struct model_record *record);
bool explain_take_tsg_start(struct explain_build *build, const struct model_record *record);
bool explain_take_channel_load(struct explain_build *build, const struct model_record *record);
bool explain_take_channel_save(struct explain_build *build, const struct model_record *record);
bool explain_take_channel_stop(struct explain_build *build, const struct model_record *record);
bool explain_take_channel_go_on(struct explain_build *build, const struct model_record *record);
bool explain_take_context_load(struct explain_build *build, const struct model_record *record);
bool explain_take_gp_fetch(struct explain_build *build, const struct model_record *record);
bool explain_take_pb_fetch(struct explain_build *build, const struct model_record *record);
bool explain_take_mem_op(struct explain_build *build, const struct model_record *record);
bool explain_take_segment_end(struct explain_build *build, const struct model_record *record);

/* ---- explain_work.c -------------------------------------------------------------------------- */

bool explain_take_launch(struct explain_build *build, const struct model_record *record);
bool explain_take_grid_queue(struct explain_build *build, const struct model_record *record);
bool explain_take_grid_dispatched(struct explain_build *build, const struct model_record *record);
/* The next four are for operations of any kind. */
bool explain_take_suspended(struct explain_build *build, const struct model_record *record);
bool explain_take_resumed(struct explain_build *build, const struct model_record *record);
bool explain_take_ended(struct explain_build *build, const struct model_record *record);
bool explain_take_dropped(struct explain_build *build, const struct model_record *record);
bool explain_take_copy_queue(struct explain_build *build, const struct model_record *record);
bool explain_take_copy_start(struct explain_build *build, const struct model_record *record);
bool explain_take_work_start(struct explain_build *build, const struct model_record *record);
bool explain_take_block_start(struct explain_build *build, const struct model_record *record);
bool explain_take_block_end(struct explain_build *build, const struct model_record *record);
bool explain_take_report(struct explain_build *build, const struct model_record *record);
bool explain_take_release(struct explain_build *build, const struct model_record *record);
bool explain_take_notify(struct explain_build *build, const struct model_record *record);
bool explain_take_acquire(struct explain_build *build, const struct model_record *record);
/* Takes a wait whose subject is a semaphore. */
bool explain_take_report_wait(struct explain_build *build, const struct model_record *record);

#endif
