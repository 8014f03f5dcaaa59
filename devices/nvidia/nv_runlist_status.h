/* SPDX-License-Identifier: MIT */
/*
 * The status registers in a runlist's block, from Ampere on: the current and the next context of
 * each of its engines and PBDMAs, their instance blocks and USERDs; what the last submit found
 * running, and what is idle.  Up to Turing: nv_pfifo_status.h.
 *
 * LOAD is 6 and SAVE 5; up to Turing these codes are exchanged.  There are only TSGs.  Described in
 * open-gpu-doc ga100 dev_runlist.ref.txt and dev_pbdma.ref.txt (STATUS_SCHED).  INFERRED: fields of
 * the next context are zero while no switch is under way; an interrupt of an idle runlist is armed
 * while its event is still to come.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_STATUS_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_STATUS_H

#include <stdint.h>

struct nv_engine;
struct nv_pbdma;
struct nv_runlist;

/* Returns the n-th engine of the runlist, or NULL if it has fewer. */
const struct nv_engine *nv_runlist_status_engine(const struct nv_runlist *runlist,
                                                 uint32_t rleng_id);
/* Returns what a register of the n-th engine reads: state, or the stored word.  `offset` is that of
 * engine 0. */
uint32_t nv_runlist_status_of_engine(const struct nv_runlist *runlist, uint32_t rleng_id,
                                     uint32_t offset, uint32_t stored);
/* Returns what a register of a PBDMA's window from STATUS_NEXT_INST on reads: Host's state, or the
 * stored word. */
uint32_t nv_runlist_status_of_pbdma(const struct nv_pbdma *pbdma, uint32_t offset, uint32_t stored);
/* Returns ENGINE_CTXSW_TIMEOUT_INFO for the current switch. */
uint32_t nv_runlist_timeout_info(const struct nv_engine *engine);
/* Return INFO and SUBMIT_INFO.  Turing's RUNLIST_INFO and RUNLIST_SUBMIT_INFO have the same layout.
 */
uint32_t nv_runlist_info(const struct nv_runlist *runlist);
uint32_t nv_runlist_submit_info(const struct nv_runlist *runlist);

#endif
