/* SPDX-License-Identifier: MIT */
/*
 * For fuzz targets that run whole simulations: machines that are wired once and used for every
 * input (emu/sim/simulation_base.h), and GPUs alone, of which an input needs the names of
 * registers.
 */
#ifndef TESTS_FUZZ_FUZZ_POOL_H
#define TESTS_FUZZ_FUZZ_POOL_H

#include "emu/sim/bare_gpu.h"
#include "emu/sim/simulation.h"

/* Returns the pool, which is never freed. */
struct simulation_pool *fuzz_pool(void);
/* Returns a GPU alone, wired at the first call, which nobody may run; NULL if there is none of that
 * name. */
struct bare_gpu *fuzz_bare_gpu(const char *name);
/* The GPUs of this build for import_bus(), wired once. */
extern const struct import_bus_chips fuzz_bare_chips;

#endif
