/* SPDX-License-Identifier: MIT */
/*
 * What a runlist's block of registers shows, from Ampere on: whose context is on each of its
 * engines and PBDMAs, whose comes next, their instance blocks and USERDs; what the last submit
 * found running, and what is idle.  Up to Turing: nv_pfifo_status.h.
 *
 * LOAD is 6 and SAVE 5, up to Turing the other way round; there are TSGs only.  Described in
 * open-gpu-doc ga100 dev_runlist.ref.txt and dev_pbdma.ref.txt (STATUS_SCHED).  INFERRED: fields of
 * what comes next are zero while no switch is under way; an interrupt of an idle runlist is armed
 * while what it tells of is yet to come.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_STATUS_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_STATUS_H

#include <stdint.h>

struct nv_engine;
struct nv_pbdma;
struct nv_runlist;

/* The n-th engine of the runlist; NULL: it has fewer. */
const struct nv_engine *nv_runlist_status_engine(const struct nv_runlist *runlist,
                                                 uint32_t rleng_id);
/* A register of the n-th engine: offset of the 0-th one's; else what is stored. */
uint32_t nv_runlist_status_of_engine(const struct nv_runlist *runlist, uint32_t rleng_id,
                                     uint32_t offset, uint32_t stored);
/* A register of a PBDMA's window from STATUS_NEXT_INST on that shows what Host knows; others as
 * they are stored. */
uint32_t nv_runlist_status_of_pbdma(const struct nv_pbdma *pbdma, uint32_t offset, uint32_t stored);
/* What ENGINE_CTXSW_TIMEOUT_INFO holds of the switch that is under way. */
uint32_t nv_runlist_timeout_info(const struct nv_engine *engine);
/* INFO and SUBMIT_INFO, which Turing's RUNLIST_INFO and RUNLIST_SUBMIT_INFO are laid out like. */
uint32_t nv_runlist_info(const struct nv_runlist *runlist);
uint32_t nv_runlist_submit_info(const struct nv_runlist *runlist);

#endif
