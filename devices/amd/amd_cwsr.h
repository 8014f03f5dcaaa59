/* SPDX-License-Identifier: MIT */
/*
 * Compute wave save and restore (CWSR): the dispatches of a queue are stopped wherever they are,
 * and go on later, in whatever slot the queue gets then.
 *
 * On hardware the driver's trap handler runs in each wave: vector and scalar registers, LDS and the
 * state of the hardware go into the queue's context save area, with an entry for each wave on a
 * control stack; the blocks that had no wave yet are dispatched when the queue is back
 * (COMPUTE_RESTART).  Here a saved block is what its waves have not done yet, to the picosecond: no
 * work is lost and none is done twice.  Contents of registers are not modelled, so none are
 * written.
 *
 * The order of things (who calls: amd_mec_save.c):
 *     amd_cwsr_hold()     nothing more is staged; what runs goes on (grace period)
 *     amd_cwsr_stop()     waves stop; they hold their room, blocks in slots of workload managers
 * are taken back; the dispatches belong to a saved context amd_cwsr_release()  the save has come to
 * its end: the room is free amd_cwsr_resume()   the dispatches belong to a queue again: saved
 * blocks are staged before others, in the order of their numbers (A.O1) or amd_cwsr_drop(),
 * amd_cwsr_forget(): they are thrown away.
 *
 * Sources: amdkfd kfd_mqd_manager_v9.c, cwsr_trap_handler_gfx9.asm (what is saved), ROCR-Runtime
 * libhsakmt queues.c (sizes).  ASSUMED: a saved block waits for a CU that could hold all of it;
 * where it goes on (choice point amd.restore); blocks that were staged and had not begun go back to
 * their shader engine.
 */
#ifndef GFE_DEVICES_AMD_AMD_CWSR_H
#define GFE_DEVICES_AMD_AMD_CWSR_H

#include "devices/amd/amd_dispatch.h"

/* alternatives of amd.restore */
enum amd_restore { AMD_RESTORE_SAME_ENGINE, AMD_RESTORE_CYCLIC };

struct amd_cwsr_size {
    uint64_t bytes; /* of the waves' state, without the control stack */
    uint32_t blocks, waves;
};

/* Nothing more of the queue's dispatches is staged. */
void amd_cwsr_hold(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
/* Not so any more. */
void amd_cwsr_let(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
/* What stopping the queue now would save.  False: there is no room for so many blocks. */
bool amd_cwsr_measure(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue,
                      struct amd_cwsr_size *size);
/* Stops the queue's dispatches: they belong to that context (not 0, of nothing else).  There is
 * room (asserted).  The queue is empty then, and held no more. */
void amd_cwsr_stop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue, uint32_t context);
/* What the context's waves held is free. */
void amd_cwsr_release(struct amd_dispatch *dispatch, uint32_t context);
/* The dispatches of the context, which has been released, go on in that queue, on CUs of these
 * masks; where these enable none on those of before (ASSUMED). */
void amd_cwsr_resume(struct amd_dispatch *dispatch, uint32_t context, uint32_t ace, uint32_t queue,
                     const uint32_t cu_masks[AMD_SHADER_ENGINES_MAX]);
/* Throws away the dispatches of a queue, or of a context, released or not. */
void amd_cwsr_drop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
void amd_cwsr_forget(struct amd_dispatch *dispatch, uint32_t context);

/* ---- for the ACE and the dispatcher ---------------------------------------------------------- */

/* Of a dispatch with saved blocks: the shader engine of the next one; staging it, false: nothing of
 * the dispatch is left to stage. */
uint32_t amd_cwsr_engine(const struct amd_dispatch *dispatch, const struct amd_grid *grid);
bool amd_cwsr_stage(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* The saved block of a slot goes on, on a CU with room for it.  False: it has not begun yet, and is
 * to be started as a new one. */
bool amd_cwsr_go_on(struct amd_dispatch *dispatch, const struct amd_slot *slot, uint32_t se,
                    uint32_t cu_index, uint32_t rule);

#endif
