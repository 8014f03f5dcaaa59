/* SPDX-License-Identifier: MIT */
/*
 * The status registers of PFIFO, up to Turing: the current and the next context of each engine and
 * PBDMA, their instance blocks and USERDs, and what the last submit found running.
 *
 * CTX_STATUS and CHAN_STATUS have LOAD as 5 and SAVE as 6.  From Ampere on these two codes are
 * exchanged (nv_runlist_status.h).  A TSG is shown by its number, a channel outside TSGs by its
 * own.  Described in open-gpu-doc gv100 and tu104 dev_fifo.ref.txt ("Context TSG tear-down
 * procedure" says how software reads them).  INFERRED: the NEXT fields are zero while no switch is
 * under way, and a PBDMA that loads a channel shows it as NEXT_ID alone, as an engine does.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PFIFO_STATUS_H
#define GFE_DEVICES_NVIDIA_NV_PFIFO_STATUS_H

#include <stdint.h>

struct nv_engine;
struct nv_host;

enum { NV_PFIFO_ENGINES = 16 }; /* elements of the arrays by engine */

/* Returns what a register reads: state if it shows state, otherwise the stored word. */
uint32_t nv_pfifo_status(const struct nv_host *host, uint32_t offset, uint32_t stored);
/* Returns INTR_CTXSW_TIMEOUT_INFO for the current switch. */
uint32_t nv_pfifo_timeout_info(const struct nv_engine *engine);

#endif
