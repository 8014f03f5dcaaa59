/* SPDX-License-Identifier: MIT */
/*
 * Compute wave save and restore (CWSR): the dispatches of a queue are stopped wherever they are,
 * and continue later in whatever slot the queue then gets.
 *
 * On hardware the driver's trap handler runs in each wave.  Vector and scalar registers, LDS and
 * the state of the hardware go into the queue's context save area, with an entry for each wave on a
 * control stack.  The blocks that had no wave yet are dispatched when the queue is back
 * (COMPUTE_RESTART).  Here a saved block is the remaining work of its waves, to the picosecond: no
 * work is lost and none is done twice.  Contents of registers are not modelled, so none are
 * written.
 *
 * Order of calls (made by amd_mec_save.c):
 *
 *     amd_cwsr_hold()     nothing more is staged; running waves continue (grace period)
 *     amd_cwsr_stop()     waves stop and hold their room; blocks in slots of workload managers are
 *                         taken back; the dispatches belong to a saved context
 *     amd_cwsr_release()  the save has ended: the room is free
 *     amd_cwsr_resume()   the dispatches belong to a queue again: saved blocks are staged before
 *                         others, in the order of their numbers (A.O1); or
 *     amd_cwsr_drop(), amd_cwsr_forget()
 *                         the dispatches are thrown away
 *
 * Sources: amdkfd kfd_mqd_manager_v9.c, cwsr_trap_handler_gfx9.asm (what is saved), ROCR-Runtime
 * libhsakmt queues.c (sizes).  ASSUMED: a saved block waits for a CU that could hold all of it; the
 * place where it continues (choice point amd.restore); blocks that were staged and had not begun go
 * back to their shader engine.
 */
#ifndef GFE_DEVICES_AMD_AMD_CWSR_H
#define GFE_DEVICES_AMD_AMD_CWSR_H

#include "devices/amd/amd_dispatch.h"

/* Alternatives of amd.restore. */
enum amd_restore { AMD_RESTORE_SAME_ENGINE, AMD_RESTORE_CYCLIC };

struct amd_cwsr_size {
    uint64_t bytes; /* of the waves' state, without the control stack */
    uint32_t blocks, waves;
};

/* Stops the staging of the queue's dispatches. */
void amd_cwsr_hold(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
/* Allows the staging of the queue's dispatches again. */
void amd_cwsr_let(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
/* Finds what stopping the queue now would save.  Returns false if there is no room for that many
 * blocks. */
bool amd_cwsr_measure(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue,
                      struct amd_cwsr_size *size);
/* Stops the queue's dispatches, which then belong to that context (not 0, and not in use).  There
 * must be room (asserted).  The queue is empty afterwards, and no longer held. */
void amd_cwsr_stop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue, uint32_t context);
/* Frees the room that the context's waves held. */
void amd_cwsr_release(struct amd_dispatch *dispatch, uint32_t context);
/* Continues the dispatches of a released context in that queue, on CUs of these masks.  If the
 * masks enable no CU, the dispatches keep their earlier masks (ASSUMED). */
void amd_cwsr_resume(struct amd_dispatch *dispatch, uint32_t context, uint32_t ace, uint32_t queue,
                     const uint32_t cu_masks[AMD_SHADER_ENGINES_MAX]);
/* Throw away the dispatches of a queue, or of a context, released or not. */
void amd_cwsr_drop(struct amd_dispatch *dispatch, uint32_t ace, uint32_t queue);
void amd_cwsr_forget(struct amd_dispatch *dispatch, uint32_t context);

/* ---- for the ACE and the dispatcher ---------------------------------------------------------- */

/* Work on a dispatch with saved blocks. amd_cwsr_engine() returns the shader engine of the next
 * saved block. amd_cwsr_stage() stages that block; it returns false if the dispatch has nothing
 * left to stage. */
uint32_t amd_cwsr_engine(const struct amd_dispatch *dispatch, const struct amd_grid *grid);
bool amd_cwsr_stage(struct amd_dispatch *dispatch, struct amd_grid *grid);
/* Continues the saved block of a slot on a CU that has room for it.  Returns false if the block had
 * not begun; the caller then starts it as a new one. */
bool amd_cwsr_go_on(struct amd_dispatch *dispatch, const struct amd_slot *slot, uint32_t se,
                    uint32_t cu_index, uint32_t rule);

#endif
