/* SPDX-License-Identifier: MIT */
/*
 * The workload managers: one in each shader engine, which places the blocks that ACEs have staged
 * there on the CUs.
 *
 * A.D3: it has one slot for each ACE, so no ACE can keep another from staging.  Which of the blocks
 * that fit somewhere is placed first is choice point amd.wlm_arbitration (ideally, the paper has
 * from the vendor, round robin).  A.D4: a block for which no CU has room keeps its slot, and blocks
 * of other slots that do fit cut ahead of it.  A.D5: room comes back with each wave (choice point
 * amd.release, whose other alternative shows the predictions without this rule).  Which of the CUs
 * with room gets a block is choice point amd.block_to_cu.  A block takes amd.wave_dispatch_cycles
 * for each of its waves; then the next block can be placed.
 *
 * Not modelled: wave limits of pipes, and several shader arrays in a shader engine
 * (amd_dispatch.h).
 */
#ifndef GFE_DEVICES_AMD_AMD_WORKLOAD_MANAGER_H
#define GFE_DEVICES_AMD_AMD_WORKLOAD_MANAGER_H

#include "devices/amd/amd_dispatch.h"

/* Alternatives of amd.release. */
enum amd_release { AMD_RELEASE_WAVE, AMD_RELEASE_BLOCK };
/* The alternative of amd.block_to_cu that depends on what CUs hold. */
enum { AMD_BLOCK_TO_CU_MOST_FREE };

/* Puts a block of a dispatch into its ACE's slot, which is empty (asserted).  `saved` is 1 + record
 * of a block that continues, or 0. */
void amd_workload_manager_stage(struct amd_dispatch *dispatch, uint32_t se, struct amd_grid *grid,
                                uint64_t block_index, uint32_t saved);
/* Takes the block in an ACE's slot back.  Returns what the slot held. */
struct amd_slot amd_workload_manager_unstage(struct amd_dispatch *dispatch, uint32_t se,
                                             uint32_t ace);
/* Places as many blocks as possible. */
void amd_workload_manager_place(struct amd_dispatch *dispatch, uint32_t se);
/* Shortcut of the two functions above for a block that meets no other: none is staged in the shader
 * engine or waits for its CUs, the manager can place a block now, and the first CU of the policy
 * has room. amd_workload_manager_glance() returns that CU for the dispatch's next block, or
 * `AMD_NO_GLANCE` if the two functions have to be called. amd_workload_manager_pass() places the
 * block there; it must have been logged as staged. */
enum { AMD_NO_GLANCE = UINT32_MAX };
uint32_t amd_workload_manager_glance(struct amd_dispatch *dispatch, const struct amd_grid *grid);
void amd_workload_manager_pass(struct amd_dispatch *dispatch, uint32_t se,
                               const struct amd_grid *grid, uint64_t block_index, uint32_t cu);
/* Logs that the dispatch's block is staged. */
void amd_workload_manager_log_stage(const struct amd_dispatch *dispatch, uint32_t se,
                                    const struct amd_grid *grid, uint64_t block_index);
/* Called after waves have ended on a CU, which has been advanced to now. */
void amd_workload_manager_ended(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Called after a CU has got room in another way. */
void amd_workload_manager_freed(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Called after a block has started on a CU. */
void amd_workload_manager_taken(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Called after blocks have stopped on a CU: they hold their room, and the others run faster. */
void amd_workload_manager_stopped(struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);
/* Returns the time at which a block that waits for the CU may fit there.  `GFE_PS_NEVER` means that
 * none waits. */
gfe_ps amd_workload_manager_wants_ps(const struct amd_dispatch *dispatch, uint32_t se, uint32_t cu);

#endif
