/* SPDX-License-Identifier: MIT */
/*
 * PMC's switches: the engines that are held in reset.
 *
 * NV_PMC_ENABLE, up to Turing, and NV_PMC_DEVICE_ENABLE, from Ampere on, have one bit for each
 * device.  The bit of an engine is the reset id of its row of PTOP (nv_top.h).  While it is 0 the
 * engine is in reset (nv_engine.h).  Described in open-gpu-doc gv100 and tu104/dev_master.ref.txt,
 * tu104/dev_top.ref.txt, ga100/dev_boot.ref.txt; used in this way by nouveau (gk104_mc_reset,
 * ga100.c) and nvgpu (mc_gp10b, mc_intr_ga10b).  ASSUMED: Hopper has Ampere's register (open RM
 * says that GH100 does not use it, but not what it has); every device is enabled from the first
 * event on, because recordings begin after the driver's start.  Not modelled: devices other than
 * engines, including PFIFO itself (reported), and engines with a reset id beyond the register's 32
 * bits.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PMC_H
#define GFE_DEVICES_NVIDIA_NV_PMC_H

#include <stdint.h>

struct nv_host;

/* Sets identity, and enables all devices; at the wiring, after the window's own values. */
void nv_pmc_wire(struct nv_host *host);
/* Handles a write to a register of PMC; `old` is the word stored before. */
void nv_pmc_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);

#endif
