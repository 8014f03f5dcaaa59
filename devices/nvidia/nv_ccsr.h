/* SPDX-License-Identifier: MIT */
/*
 * CCSR, up to Turing: two registers for each channel of the chip.
 *
 * NV_PCCSR_CHANNEL_INST binds an instance block to the channel.  NV_PCCSR_CHANNEL enables and
 * disables the channel, makes it the next of its TSG, requests that its context be loaded again,
 * and clears its faulted bits (or, on Turing, sets them).  It also shows the channel's state.
 * STATUS has a code for each way to be pending, on a PBDMA, on an engine, and to have a context
 * reload or a failed acquire outstanding.  From Ampere on bits show the same: nv_chram.h.
 *
 * Described in open-gpu-doc gv100 and tu104 dev_fifo.ref.txt (NV_PCCSR) and, for Kepler to Pascal,
 * nvgpu hw_ccsr_gp106.h.  The meaning of the codes is INFERRED from their names.  INFERRED: a write
 * sets NEXT to the value written, and a faulted bit that the write both forces and clears is clear.
 * Binding with TARGET 1, which no memory has, is the bind error INVALID_CTX_TGT from Volta on.  Not
 * modelled: UNBIND_WHILE_PARKED and INVALID_RUNLIST (their meaning is not published).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CCSR_H
#define GFE_DEVICES_NVIDIA_NV_CCSR_H

#include <stdint.h>

struct nv_channel_status;
struct nv_host;

/* Returns the code of NV_PCCSR_CHANNEL_STATUS. */
uint32_t nv_ccsr_status(const struct nv_channel_status *status);
/* Returns what a register of the window reads.  `offset` counts bytes from NV_PCCSR_BASE; `stored`
 * is the stored word. */
uint32_t nv_ccsr_read(const struct nv_host *host, uint32_t offset, uint32_t stored);
/* Handles a write to a register; `old` is the word stored before.  Writes for channels that the
 * chip does not have are ignored. */
void nv_ccsr_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);

#endif
