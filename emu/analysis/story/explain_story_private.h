/* SPDX-License-Identifier: MIT */
/*
 * Shared by the parts that load a log for stories:
 *
 *   - explain_story.c takes the events of the runtime;
 *   - explain_story_work.c takes the events of grids and copies;
 *   - explain_story_name.c takes what the log's head says.
 *
 * Each story_take_*() function handles a record of the model, and returns false when the error is
 * set.
 */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_PRIVATE_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_PRIVATE_H

#include "emu/analysis/model/model.h"
#include "emu/analysis/story/explain_story.h"

struct story_build {
    struct story *story;
    struct gfe_error *error;
    const struct log_event *event; /* the event that is being taken */
    uint64_t event_number;
    gfe_ps now_ps;
};

/* explain_story_role.c: finds the roles of the log's rules. */
void story_roles_find(struct story *story);
/* Sets the error.  Returns false. */
bool story_no_memory(const struct story_build *build);
/* Makes room for one more element of an array of at most `limit` elements.  `array` is the address
 * of the array's pointer.  Returns false when the error is set. */
bool story_room(const struct story_build *build, void *array, uint32_t count, uint32_t *capacity,
                size_t element_bytes, uint32_t limit);
/* Notes that the work, or its blocks, stand still from now on.  Returns false when the error is
 * set. */
bool story_stop(const struct story_build *build, struct story_work *work);

/* Returns the stream's index, which is new if need be, or STORY_NONE when the error is set. */
uint32_t story_stream_at(const struct story_build *build, uint64_t id);
bool story_take_operation(struct story_build *build,
                          const struct model_stream_operation *operation);

/* Like story_take_operation(), but under a name of its own.  If `name` is NULL, the name is that of
 * the call. */
bool story_take_operation_named(struct story_build *build,
                                const struct model_stream_operation *operation, const char *name);
/* Adds a wait to a chain of waits.  Returns false when the error is set. */
bool story_wait_add(const struct story_build *build, uint32_t *first, uint32_t *last,
                    const struct story_wait *wait);

/* ---- explain_story_packet.c -------------------------------------------------------------------
 */

enum { STORY_SIGNAL_VALUE = 8 /* offset of the value in a signal, in bytes */ };
/* Returns the index of the queue of a doorbell, which is new if need be, or STORY_NONE when the
 * error is set. */
uint32_t story_queue_at(const struct story_build *build, uint64_t doorbell);
/* Returns when the packet's doorbell was rung, or `now_ps` if the log does not have it. */
gfe_ps story_rung_at(struct story_queue *queue, uint64_t packet, gfe_ps now_ps);
/* Notes that the signal goes down because that work is complete. */
bool story_signal_set(const struct story_build *build, uint64_t address, uint32_t work);
bool story_take_signal(struct story_build *build, const struct model_record *record);
bool story_take_ring(struct story_build *build, const struct model_ring *ring);
bool story_take_hws_map(struct story_build *build, const struct model_record *record);
bool story_take_hws_preempt(struct story_build *build, const struct model_record *record);
bool story_take_queue_leave(struct story_build *build, const struct model_record *record);
bool story_take_queue_load(struct story_build *build, const struct model_record *record);
bool story_take_queue_save(struct story_build *build, const struct model_record *record);
bool story_take_save_refused(struct story_build *build, const struct model_record *record);
bool story_take_queue_restore(struct story_build *build, const struct model_record *record);
bool story_take_amd_launch(struct story_build *build, const struct model_record *record);
bool story_take_packet_end(struct story_build *build, const struct model_record *record);
/* Takes a wait of the queue of that doorbell, which is over. */
bool story_queue_wait(const struct story_build *build, uint64_t doorbell,
                      const struct story_wait *wait);

/* ---- explain_story_sdma.c ---------------------------------------------------------------------
 */

bool story_take_sdma_map(struct story_build *build, const struct model_record *record);
bool story_take_sdma_load(struct story_build *build, const struct model_record *record);
bool story_take_sdma_leave(struct story_build *build, const struct model_record *record);
bool story_take_sdma_write(struct story_build *build, const struct model_record *record);
/* Takes a copy that has come from that doorbell's ring, from the place `read` on.  The copy may be
 * that of an SDMA queue.  Returns false when the error is set. */
bool story_sdma_copy(struct story_build *build, uint32_t work, uint64_t doorbell, uint64_t read);
void story_sdma_copy_end(const struct story_build *build, uint32_t work);

/* ---- explain_story_hip.c ----------------------------------------------------------------------
 */

bool story_take_hip_queue(struct story_build *build, const struct model_record *record);
bool story_take_hip_launch(struct story_build *build, const struct model_record *record);
bool story_take_hip_submit(struct story_build *build, const struct model_record *record);
bool story_take_hip_return(struct story_build *build, const struct model_record *record);
/* Notes that the GPU has made a grid of that packet.  The packet may be that of a launch. */
void story_hip_grid(const struct story_build *build, uint32_t work, uint64_t doorbell,
                    uint64_t packet);

/* ---- explain_story_ahead.c ---------------------------------------------------------------------
 */

/* Notes that the operation is handed to its channel, with that GP entry.  Returns false when the
 * error is set. */
bool story_ahead_hand(const struct story_build *build, struct story_channel *channel,
                      uint32_t index);
/* Returns the operation that ends with that GP entry, or STORY_NONE if there is none. */
uint32_t story_ahead_find(const struct story *story, uint64_t channel_id, uint64_t gp_sequence);
/* Notes that the operation has become work of the GPU, or is complete. */
void story_ahead_serve(const struct story_build *build, uint32_t index);

/* ---- explain_story_name.c ----------------------------------------------------------------------
 */

/* Loads what the head says of the program. */
bool story_program_load(const struct story_build *build);
/* Sets kind, name and number of a new operation. */
bool story_name_give(const struct story_build *build, uint32_t operation);
/* Like story_name_give(), with a name that no call has. */
bool story_name_own(const struct story_build *build, uint32_t operation, const char *name);

/* ---- explain_story_work.c ----------------------------------------------------------------------
 */

bool story_take_grid_queue(struct story_build *build, const struct model_record *record);
bool story_take_grid_cost(struct story_build *build, const struct model_record *record);
bool story_take_grid_dispatched(struct story_build *build, const struct model_record *record);
/* The next four are for grids and copies. */
bool story_take_suspended(struct story_build *build, const struct model_record *record);
bool story_take_resumed(struct story_build *build, const struct model_record *record);
bool story_take_ended(struct story_build *build, const struct model_record *record);
bool story_take_dropped(struct story_build *build, const struct model_record *record);
bool story_take_block_start(struct story_build *build, const struct model_record *record);
bool story_take_block_end(struct story_build *build, const struct model_record *record);
bool story_take_copy_queue(struct story_build *build, const struct model_record *record);
bool story_take_copy_start(struct story_build *build, const struct model_record *record);
/* Sorts the blocks by their grids.  Returns false when the error is set. */
bool story_works_finish(const struct story_build *build);

#endif
