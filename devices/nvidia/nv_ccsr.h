/* SPDX-License-Identifier: MIT */
/*
 * CCSR, up to Turing: two registers for each channel of the chip.
 *
 * NV_PCCSR_CHANNEL_INST binds an instance block to the channel; NV_PCCSR_CHANNEL enables and
 * disables it, makes it the next of its TSG, asks for its context to be loaded again, clears its
 * faulted bits (or, on Turing, sets them), and shows where it is: STATUS has a code for each way to
 * be pending, on a PBDMA, on an engine, and to have a context reload or a failed acquire
 * outstanding.  The same as bits from Ampere on: nv_chram.h.  Described in open-gpu-doc gv100 and
 * tu104 dev_fifo.ref.txt (NV_PCCSR) and, of Kepler to Pascal, nvgpu hw_ccsr_gp106.h; what the codes
 * mean is INFERRED from their names.  INFERRED: a write sets NEXT to what it has there, and a
 * faulted bit that it both forces and clears is clear; binding
 * with TARGET 1, which no memory has, is the bind error INVALID_CTX_TGT from Volta on.  Not
 * modelled: UNBIND_WHILE_PARKED and INVALID_RUNLIST (what they mean is not published).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CCSR_H
#define GFE_DEVICES_NVIDIA_NV_CCSR_H

#include <stdint.h>

struct nv_channel_status;
struct nv_host;

/* The code of NV_PCCSR_CHANNEL_STATUS. */
uint32_t nv_ccsr_status(const struct nv_channel_status *status);
/* A register of the window: byte offset from NV_PCCSR_BASE, what is stored there. */
uint32_t nv_ccsr_read(const struct nv_host *host, uint32_t offset, uint32_t stored);
/* A write to one of them; `old` is what was stored.  Channels that the chip does not have are
 * ignored. */
void nv_ccsr_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);

#endif
