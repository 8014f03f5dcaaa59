/* SPDX-License-Identifier: MIT */
/*
 * The workload managers: one in each shader engine, which places the blocks that ACEs have staged
 * there on the CUs.
 *
 * A.D3: it has one slot for each ACE, so no ACE can keep another from staging.  Which of the blocks
 * that fit somewhere is placed first is choice point amd.wlm_arbitration (ideally, the paper has
 * from the vendor, round robin).  A.D4: a block for which no CU has room keeps its slot, and blocks
 * of other slots that do fit cut ahead of it.  A.D5: room comes back with each wave (choice point
 * amd.release, whose other alternative is what it does to the predictions if it does not).
 * Which of the CUs with room gets a block is choice point amd.block_to_cu.
 * A block takes amd.wave_dispatch_cycles for each of its waves, then the next one can be placed.
 */
#ifndef GFE_DEVICES_AMD_AMD_WORKLOAD_MANAGER_H
#define GFE_DEVICES_AMD_AMD_WORKLOAD_MANAGER_H

#include "devices/amd/amd_dispatch.h"

/* alternatives of amd.release */
enum amd_release { AMD_RELEASE_WAVE, AMD_RELEASE_BLOCK };
/* the alternative of amd.block_to_cu that looks at what CUs hold */
enum { AMD_BLOCK_TO_CU_MOST_FREE };

/* Puts a block of a dispatch into its ACE's slot, which is empty (asserted).  saved: 1 + record of
 * a block that goes on, or 0. */
void amd_workload_manager_stage(struct amd_dispatch *dispatch, uint32_t se, struct amd_grid *grid,
                                uint64_t block_index, uint32_t saved);
/* Takes the block in an ACE's slot back; returns what the slot held. */
struct amd_slot amd_workload_manager_unstage(struct amd_dispatch *dispatch, uint32_t se,
                                             uint32_t ace);
/* Places what it can. */
void amd_workload_manager_place(struct amd_dispatch *dispatch, uint32_t se);
/* What the two above come to for a block that meets nobody: no other is staged in the shader engine
 * or waits for its CUs, it can place one now, and the first CU that the policy looks at has room.
 * glance: that CU for the dispatch's next block, or AMD_NO_GLANCE (then they have to be called);
 * pass: places the block there, which has been logged as staged. */
enum { AMD_NO_GLANCE = UINT32_MAX };
uint32_t amd_workload_manager_glance(struct amd_dispatch *dispatch, const struct amd_grid *grid);
void amd_workload_manager_pass(struct amd_dispatch *dispatch, uint32_t se,
                               const struct amd_grid *grid, uint64_t block_index, uint32_t cu);
/* The dispatch's block is staged. */
void amd_workload_manager_log_stage(const struct amd_dispatch *dispatch, uint32_t se,
                                    const struct amd_grid *grid, uint64_t block_index);
/* Waves have ended on a CU, which has come to now. */
void amd_workload_manager_ended(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* A CU has got room in another way. */
void amd_workload_manager_freed(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* A block has started on a CU. */
void amd_workload_manager_taken(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Blocks have stopped on a CU: they hold their room, and the others run faster. */
void amd_workload_manager_stopped(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* When a block that waits for the CU may fit there; GFE_PS_NEVER: none waits. */
gfe_ps amd_workload_manager_wants_ps(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);

#endif
