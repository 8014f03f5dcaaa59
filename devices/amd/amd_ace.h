/* SPDX-License-Identifier: MIT */
/*
 * The asynchronous compute engines (ACEs; "pipes" in the driver).  Each has some queues, and gives
 * the blocks of the dispatches at their heads to shader engines.
 *
 * A.D1: it alternates between its queues that have work.  When it turns to the next queue is choice
 * point amd.ace_turn; the length of a slice (amd.ace_slice_ps) is not published.
 *
 * A.D2: consecutive blocks of a dispatch go to consecutive shader engines, among those in which its
 * CU mask leaves any CU.  None of these is passed over, however long it takes.  The turn passes to
 * the next shader engine when a block has been staged in this one's workload manager, or when it
 * has been placed on a CU; this is choice point amd.baton.  ASSUMED: each dispatch begins with the
 * first shader engine.
 *
 * Not modelled: priorities of queues and wave limits of pipes (amd_dispatch.h).
 */
#ifndef GFE_DEVICES_AMD_AMD_ACE_H
#define GFE_DEVICES_AMD_AMD_ACE_H

#include "devices/amd/amd_dispatch.h"

/* Alternatives of amd.ace_turn and amd.baton, in the order of their names. */
enum amd_ace_turn { AMD_TURN_TIMESLICE, AMD_TURN_BLOCK, AMD_TURN_DISPATCH };
enum amd_baton { AMD_BATON_STAGED, AMD_BATON_PLACED };

/* Adds a dispatch to its queue and sets its first shader engine. */
void amd_ace_enqueue(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Adds a dispatch that was stopped to its queue again, to continue with the next of its blocks. */
void amd_ace_requeue(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Passes the turn to the dispatch's next shader engine (A.D2). */
void amd_ace_pass(const struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Ends the dispatch's wait for its turn, and logs it. */
void amd_ace_log_wait(const struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Stages as many blocks as possible. */
void amd_ace_stage(struct amd_dispatch *dispatch, uint32_t ace);
/* Ends the slice of the current queue. */
void amd_ace_slice_end(struct amd_dispatch *dispatch, uint32_t ace);
/* Called when a block of the ACE has left its slot. */
void amd_ace_placed(struct amd_dispatch *dispatch, uint32_t ace);

#endif
