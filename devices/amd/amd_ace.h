/* SPDX-License-Identifier: MIT */
/*
 * The asynchronous compute engines (ACEs; "pipes" in the driver): each has some queues, and gives
 * the blocks of the dispatches at their heads to shader engines.
 *
 * A.D1: it alternates between its queues that have work.  When it turns to the next one is choice
 * point amd.ace_turn; how long a slice is (amd.ace_slice_ps) is not published.
 * A.D2: consecutive blocks of a dispatch go to consecutive shader engines, of those that its CU
 * mask leaves any CU in, and none is passed over, however long it takes.  Whether the next shader
 * engine has its turn when a block has been staged in this one's workload manager or when it has
 * been placed on a CU is choice point amd.baton.  ASSUMED: each dispatch begins with the first
 * shader engine.
 */
#ifndef GFE_DEVICES_AMD_AMD_ACE_H
#define GFE_DEVICES_AMD_AMD_ACE_H

#include "devices/amd/amd_dispatch.h"

/* alternatives of amd.ace_turn and amd.baton, in the order of their names */
enum amd_ace_turn { AMD_TURN_TIMESLICE, AMD_TURN_BLOCK, AMD_TURN_DISPATCH };
enum amd_baton { AMD_BATON_STAGED, AMD_BATON_PLACED };

/* A dispatch joins the queue; its first shader engine is set. */
void amd_ace_enqueue(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* A dispatch that was stopped joins its queue again, to go on with the next of its blocks. */
void amd_ace_requeue(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* A.D2: the turn goes on to the dispatch's next shader engine. */
void amd_ace_pass(const struct amd_dispatch *dispatch, struct amd_grid *grid);
/* The dispatch waits no longer for its turn: what it has waited is logged. */
void amd_ace_log_wait(const struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Stages as many blocks as it can. */
void amd_ace_stage(struct amd_dispatch *dispatch, uint32_t ace);
/* The slice of the current queue is over. */
void amd_ace_slice_end(struct amd_dispatch *dispatch, uint32_t ace);
/* A block of the ACE has left its slot. */
void amd_ace_placed(struct amd_dispatch *dispatch, uint32_t ace);

#endif
