/* SPDX-License-Identifier: MIT */
/*
 * The experiments behind Figs. 6 to 10 of Bakita and Anderson, "Demystifying NVIDIA GPU Internals"
 * (RTAS 2024), as programs of register writes (tests/bus_build.h).  The texts are also files,
 * tests/golden/fig*.bus, and docs/figures.md shows how to run these by hand.  test_figures.c runs
 * the programs and measures what the figures show.
 *
 * Kernels take FIGURE_WARP_CYCLES for each warp of a block (core.block_warp_cycles; nothing else).
 * So the number of threads determines their duration.  Copies are between video memory and
 * BUS_SYSTEM.
 */
#ifndef TESTS_FIGURE_BUILD_H
#define TESTS_FIGURE_BUILD_H

#include "tests/bus_build.h"

/* 5 ms of a GTX 1060's SM clock. */
#define FIGURE_WARP_CYCLES "7530000"

/* Channels, by CHID.  The first channel of TSG n is n - 7. */
enum { FIGURE_CH1 = 1, FIGURE_CH2, FIGURE_CH3, FIGURE_CH4, FIGURE_CH5, FIGURE_TSG = 7 };

/* Parts of an experiment, a bit each, that can be left out: the work of a channel, and Fig. 6's
 * initialisation of the second task's context. */
#define FIGURE_WORK(chid) (1 << (chid))
enum { FIGURE_ALL = ~0, FIGURE_INIT = 1 << 16 };

/* Two tasks that compute, on runlist 0 of a GTX 1060 3GB: channel 1 from 1 ms on, channel 2 from
 * 110 ms on.  Channel 2's context is made from 10 ms on: a new runlist, then some methods every
 * 12.5 ms. */
void figure_6(struct bus_build *build, int parts);
enum { FIGURE_6_INITS = 8 };
/* Two tasks that copy, on runlist 5 of a GTX 1060 3GB: channel 1 from 100 us, 2 from 3 ms on. */
void figure_7(struct bus_build *build, int parts);
/* Four tasks on a GTX 1080 Ti: channel 1 computes; channels 2 and 3 are one task, which computes
 * and copies; channels 4 and 5 copy.  Runlist 0 has 1 and 2, runlist 5 the others. */
void figure_8(struct bus_build *build, int parts);
/* Jetson TX2, one runlist: channel 1 computes (slices of 250 << 2), channel 2 copies. */
void figure_9(struct bus_build *build, int parts);
/* Channel 1 downloads on an LCE's runlist, four times, 3 ms apart; channel 2 uploads textures on a
 * GRCE of runlist 0 from 6.5 ms on.  On the RTX 6000 Ada the LCE is LCE3 of runlist 2, which shares
 * its PCE with that GRCE.  On a GTX 1080 Ti the LCE is LCE3 of runlist 6. */
void figure_10(struct bus_build *build, const char *gpu, int parts);
/* B.R1 on a GTX 1060 3GB: channels 1 (compute, runlist 0), 2 (copy, runlist 5) and 3 (the driver's
 * own for page tables, runlist 6) are one task; channel 4 computes for another, from 1 ms on.  At
 * 2 ms the task launches a kernel, copies, and maps memory: channel 3 writes an entry of a page
 * table, FIGURE_PTE at *pte, and invalidates translations. */
void figure_r1(struct bus_build *build, uint64_t *pte);
enum { FIGURE_PTE = 0x0badcafe };

#endif
