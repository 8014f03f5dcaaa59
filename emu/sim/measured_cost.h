/* SPDX-License-Identifier: MIT */
/*
 * What a block of a benchmark takes, from a result file that cuda_scheduling_examiner or
 * hip_plugin_framework wrote on a real machine (--cost-from).
 *
 * Both write JSON with the name of the benchmark (benchmark_name, or plugin_name), and for each
 * kernel its block_count, thread_count and block_times: begin and end of each block, in seconds.
 * The median of the blocks' durations is taken.  On NVIDIA's GPUs that is the cost of a block.
 *
 * On AMD's GPUs a cost is the work of a whole CU (devices/amd/amd_cu.h).  A block that had w of the
 * W waves on its CU got w of max(W, amd.full_rate_waves) parts of it; the cost is that part of the
 * block's duration.  W follows from the kernel and from compute_unit_count,
 * threads_per_compute_unit and warp_size of the file.  ASSUMED: nothing else ran, and blocks were
 * spread evenly.
 *
 * The names in the files are for people.  A cost has the name of the library: "Timer Spin" is
 * timer_spin, "Backprop (Rodinia)" is backprop, and "In-order Walk" and "Mandelbrot Set" of the
 * examiner are inorder_walk and mandelbrot (the get_name() functions of both tools).
 *
 * Refused: the examiner's matrix_multiply, whose block_times are SM cycles, and files without
 * block_times (omit_block_times).
 */
#ifndef GFE_EMU_SIM_MEASURED_COST_H
#define GFE_EMU_SIM_MEASURED_COST_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"

enum { MEASURED_COST_NAME_BYTES = 64 };

struct measured_cost {
    char name[MEASURED_COST_NAME_BYTES]; /* the library's */
    gfe_ps block_ps;                     /* the cost of a block */
    size_t sample_count;                 /* blocks of which that is the median */
};

/* Reads a file.  Returns false with a message on error. */
bool measured_cost_read(const char *path, struct measured_cost *cost, struct gfe_error *error);

#endif
