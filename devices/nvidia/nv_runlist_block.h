/* SPDX-License-Identifier: MIT */
/*
 * What a runlist's block of registers, NV_RUNLIST, and its channel RAM, NV_CHRAM, do from Ampere on
 * (nv_runlist_regs.h lists them): submits, preemptions, interrupts and their vectors, timeouts of
 * context switches.  Before Ampere PFIFO and CCSR have these registers (nv_pfifo.h, nv_ccsr.h).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_BLOCK_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_BLOCK_H

#include <stdbool.h>

#include "devices/nvidia/nv_runlist.h"

struct nv_engine;
struct nv_host;

/* Adds the blocks and channel RAMs of all runlists, from Ampere on; nothing before.  Host, runlists
 * and PBDMAs are wired. */
void nv_runlist_block_wire(struct nv_host *host);
/* What nv_host_runlist_event() is there. */
void nv_runlist_block_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code);
/* Address of the register that submits the runlist's list, in any generation. */
uint32_t nv_runlist_block_submit_at(const struct nv_runlist *runlist);
/* False: a channel's selector is beyond the runlist's PBDMAs, and the generation does not take that
 * for 0 (nv_runlist_entry.h). */
bool nv_runlist_block_has_runqueue(const struct nv_runlist *runlist, uint32_t runqueue);
/* From Ampere on: a channel has come onto the runlist; its entry says where instance block and
 * USERD are. */
void nv_runlist_block_enlist(struct nv_runlist *runlist, uint32_t channel_id,
                             const struct nv_runlist_entry *entry);
/* Interrupts of the runlist, of its PBDMAs, or which of them are enabled have changed: raises the
 * vectors of the trees that have become pending. */
void nv_runlist_block_update(struct nv_runlist *runlist);
/* How long a channel without work stays on its PBDMA, in Host's cycles: nv.host.idle_cycles, from
 * Ampere on as many of it as IDLE_FILTER's PERIOD is of its reset value (ASSUMED: its unit is not
 * published). */
uint64_t nv_runlist_block_idle_cycles(const struct nv_runlist *runlist);
/* CTXSW_TIMEOUT_INFO: a reset of the engine has ended the switch. */
void nv_runlist_block_ctxsw_reset(const struct nv_engine *engine);
/* What nv_host_ctxsw_timeout_ps() is there: ENGINE_CTXSW_TIMEOUT_CONFIG. */
gfe_ps nv_runlist_block_ctxsw_timeout_ps(const struct nv_engine *engine);
/* The runlist with that RUNLIST_ID in a doorbell's word; NULL: there is none. */
struct nv_runlist *nv_runlist_block_by_doorbell(const struct nv_host *host, uint32_t doorbell_id);
/* The channel that a doorbell's VECTOR reaches: VIRTUAL_CHANNEL_CFG(0).  False: none. */
bool nv_runlist_block_vector(const struct nv_runlist *runlist, uint32_t vector, uint32_t *chid);

#endif
