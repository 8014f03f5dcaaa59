/* SPDX-License-Identifier: MIT */
/*
 * The way of interrupts to the CPU from Turing on.  Vectors are bits of leaves; two leaves are a
 * subtree, which is a bit of the top.
 *
 * A unit raises a vector, which sets its bit in a leaf; software clears it there.  A bit raises the
 * line if it is enabled in its leaf, and its subtree is enabled in the top.  A unit whose interrupt
 * is still pending afterwards raises its vector again when software requests it (INTR_RETRIGGER).
 * Described in open-gpu-doc tu104 and ga100 dev_vm.ref.txt, dev_ctrl.ref.txt.
 *
 * Vectors: bits of NV_PMC_INTR are 128 and up (dev_vm: PFIFO 136); stalling interrupts of engines
 * 192 and up (dev_ctrl).  The vectors of runlists and of NON_STALL_INTERRUPT are in registers.
 * ASSUMED: on Turing the line rises for what PMC and PFIFO let through, whether its vector is
 * enabled or not, because driver models need not use the tree there; from Ampere on the tree
 * decides.  Not modelled: virtual functions; NV_CTRL's registers of the others read as zero.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INTR_H
#define GFE_DEVICES_NVIDIA_NV_INTR_H

#include <stdint.h>

struct nv_host;
struct nv_pbdma;

enum {
    NV_INTR_PMC_VECTOR = 128,    /* + bit of NV_PMC_INTR(0) */
    NV_INTR_ENGINE_VECTOR = 192, /* + interrupt id of the engine; the bit is ASSUMED */
    NV_INTR_VECTORS = 512,
};

/* Adds the windows of NV_VIRTUAL_FUNCTION and NV_CTRL.  Does nothing before Turing. */
void nv_intr_wire(struct nv_host *host);
/* Raises a unit's vector.  Vectors that no leaf has are ignored (UNDOCUMENTED), and all vectors
 * before Turing. */
void nv_intr_raise(struct nv_host *host, uint32_t vector);
/* Raises the interrupt of a NON_STALL_INTERRUPT method: PFIFO's CHANNEL_INTR; from Ampere on the
 * PBDMA's INTR_NOTIFY. */
void nv_intr_channel(struct nv_pbdma *pbdma);

#endif
