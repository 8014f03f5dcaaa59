/* SPDX-License-Identifier: MIT */
/*
 * PMC's switches: which engines are held in reset.
 *
 * NV_PMC_ENABLE, up to Turing, and NV_PMC_DEVICE_ENABLE, from Ampere on, have one bit per device:
 * that of an engine is the reset id of its row of PTOP (nv_top.h).  While it is 0 the engine is in
 * reset (nv_engine.h).  Described in open-gpu-doc gv100 and tu104/dev_master.ref.txt,
 * tu104/dev_top.ref.txt, ga100/dev_boot.ref.txt; used so by nouveau (gk104_mc_reset, ga100.c) and
 * nvgpu (mc_gp10b, mc_intr_ga10b).  ASSUMED: Hopper has Ampere's register (open RM says that GH100
 * does without, not what it has); every device is enabled from the first event on, as recordings
 * begin behind the driver's start.  Not modelled: devices that are no engines, PFIFO itself among
 * them (reported), and engines with a reset id beyond the register's 32 bits.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PMC_H
#define GFE_DEVICES_NVIDIA_NV_PMC_H

#include <stdint.h>

struct nv_host;

/* At the wiring, behind the window's own: identity, and all devices enabled. */
void nv_pmc_wire(struct nv_host *host);
/* A write to a register of PMC; `old` is what was stored. */
void nv_pmc_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);

#endif
