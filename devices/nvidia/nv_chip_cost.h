/* SPDX-License-Identifier: MIT */
/*
 * What a chip's work costs where it has not been measured on that chip: the costs of one that has
 * been measured, carried over by a stated rule.
 *
 * A context switch is an H100's.  It takes as long on an H200, whose memory is 1.43 times as fast,
 * so it does not go by the memory's rate.  It is taken to go by the number of SMs, with the time
 * for which work runs on: two processes on a GTX 1060 have 20 turns each in 80 ms (Bakita and
 * Anderson 2024, Fig. 6), which leaves 57 us for both at most, and two processes on an A100 that
 * launch and wait by turns take about 150 us for a switch (README of tests/hardware/data).  State
 * is moved at a rate that is not the memory's either, for the same reason; it is taken to go by the
 * number of SMs and the clock, as long as the memory can follow.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHIP_COST_H
#define GFE_DEVICES_NVIDIA_NV_CHIP_COST_H

#include "devices/nvidia/nv_chip.h"

enum { NV_CHIP_COST_ROWS = 3, NV_CHIP_COST_BYTES = 128 };

struct nv_chip_costs {
    struct nv_chip_switch context_switch;
    uint64_t copy_ps_per_kib; /* nv.ce.save_ps_per_kib, nv.ce.load_ps_per_kib */
    uint64_t draw_ps;         /* nv.draw_ps */
};

/* Returns the costs of the chip: those of its table, and the others carried over. */
struct nv_chip_costs nv_chip_costs(const struct nv_chip *chip);

/* The costs that are carried over, for the reader: like nv_chip.figures. */
struct nv_chip_cost_figures {
    struct chip_figure rows[NV_CHIP_COST_ROWS + 1]; /* ends with name NULL */
    char values[NV_CHIP_COST_ROWS][NV_CHIP_COST_BYTES];
};
/* Fills in the figures.  Their values stay valid as long as `figures`. */
void nv_chip_cost_figures(const struct nv_chip *chip, struct nv_chip_cost_figures *figures);

#endif
