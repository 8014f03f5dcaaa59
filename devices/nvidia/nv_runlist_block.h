/* SPDX-License-Identifier: MIT */
/*
 * The effects of a runlist's block of registers, NV_RUNLIST, and its channel RAM, NV_CHRAM, from
 * Ampere on (nv_runlist_regs.h lists them): submits, preemptions, interrupts and their vectors,
 * timeouts of context switches.  Before Ampere PFIFO and CCSR have these registers (nv_pfifo.h,
 * nv_ccsr.h).  Described in open-gpu-doc ga100 dev_runlist.ref.txt.
 *
 * Not modelled: clock gating (BLKCG, BLKCG1), strengths of semaphore accesses and L2 eviction
 * (CONFIG), and types of PREEMPT other than RUNLIST and TSG.  Such writes are reported.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_BLOCK_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_BLOCK_H

#include <stdbool.h>

#include "devices/nvidia/nv_runlist.h"

struct nv_engine;
struct nv_host;

/* Adds the blocks and channel RAMs of all runlists.  Does nothing before Ampere.  Host, runlists
 * and PBDMAs must be wired. */
void nv_runlist_block_wire(struct nv_host *host);
/* Does the work of nv_host_runlist_event() in these generations. */
void nv_runlist_block_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code);
/* Returns the address of the register that submits the runlist's list, in any generation. */
uint32_t nv_runlist_block_submit_at(const struct nv_runlist *runlist);
/* Returns false if a channel's selector is beyond the runlist's PBDMAs, and the generation does not
 * treat that as 0 (nv_runlist_entry.h). */
bool nv_runlist_block_has_runqueue(const struct nv_runlist *runlist, uint32_t runqueue);
/* Adds a channel to the runlist, from Ampere on.  Its entry has the addresses of instance block and
 * USERD. */
void nv_runlist_block_enlist(struct nv_runlist *runlist, uint32_t channel_id,
                             const struct nv_runlist_entry *entry);
/* Raises the vectors of trees that have become pending.  Called after a change of the interrupts of
 * the runlist or of its PBDMAs, or of their enables. */
void nv_runlist_block_update(struct nv_runlist *runlist);
/* Returns the time that a channel without work stays on its PBDMA, in Host's cycles:
 * nv.host.idle_cycles.  From Ampere on it is scaled by IDLE_FILTER's PERIOD relative to its reset
 * value (ASSUMED: the unit of PERIOD is not published). */
uint64_t nv_runlist_block_idle_cycles(const struct nv_runlist *runlist);
/* Updates CTXSW_TIMEOUT_INFO after a reset of the engine has ended the switch. */
void nv_runlist_block_ctxsw_reset(const struct nv_engine *engine);
/* Does the work of nv_host_ctxsw_timeout_ps() in these generations: ENGINE_CTXSW_TIMEOUT_CONFIG. */
gfe_ps nv_runlist_block_ctxsw_timeout_ps(const struct nv_engine *engine);
/* Returns the runlist with that RUNLIST_ID in a doorbell's word, or NULL if there is none. */
struct nv_runlist *nv_runlist_block_by_doorbell(const struct nv_host *host, uint32_t doorbell_id);
/* Finds the channel that a doorbell's VECTOR reaches: VIRTUAL_CHANNEL_CFG(0).  Returns false if
 * there is none. */
bool nv_runlist_block_vector(const struct nv_runlist *runlist, uint32_t vector, uint32_t *chid);

#endif
