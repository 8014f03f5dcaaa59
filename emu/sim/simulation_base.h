/* SPDX-License-Identifier: MIT */
/*
 * What a simulation is built on: a machine with the GPU and the model of the driver that its
 * program needs, but without the program.  A pool keeps bases that are used again:
 * each goes back to its mark (emu/engine/machine_mark.h) for the next program, so that a short run
 * does not pay for the wiring.  A run from a pool gives the same log as any other.
 *
 * The pool is for code that makes many short runs in one thread.  The pool watches the arena of
 * each of its machines (emu/engine/arena_watch.h), so the code that runs one must not start a
 * second watch.
 */
#ifndef GFE_EMU_SIM_SIMULATION_BASE_H
#define GFE_EMU_SIM_SIMULATION_BASE_H

#include <stdbool.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/engine/machine.h"

struct amd_chip;
struct amd_node;
struct bare;
struct machine_mark;
struct nouveau;
struct rm;

/* The model that drives the GPU below the program. */
enum simulation_driver {
    SIMULATION_NOUVEAU,
    SIMULATION_BARE,      /* another driver's stream, in bare channels */
    SIMULATION_RM,        /* the resource manager: below CUDA, or with choice rm.recovery */
    SIMULATION_NO_DRIVER, /* records of layer BUS drive the GPU */
    SIMULATION_KFD        /* AMD's kernel driver */
};

struct simulation_base {
    const struct nv_chip *model; /* NULL for an AMD GPU */
    const struct amd_chip *chip; /* NULL for an NVIDIA GPU */
    enum simulation_driver driver;
    struct machine *machine;
    void *gpu;               /* NVIDIA's */
    struct amd_node *node;   /* AMD's GPU, driver and firmware */
    struct nouveau *nouveau; /* NULL, like the next two, unless the driver is or has one */
    struct bare *bare;
    struct rm *rm;
    struct machine_mark *mark; /* NULL if the base is of no pool */
    bool is_used;              /* by a simulation, if it is of a pool */
};

/* Makes a base; with a pool (else NULL) one that is kept there, if the pool has room for it.
 * Returns NULL with a message on error. */
struct simulation_pool;
struct simulation_base *simulation_base_take(struct simulation_pool *pool,
                                             const struct nv_chip *model,
                                             enum simulation_driver driver,
                                             const struct machine_config *config,
                                             struct gfe_error *error);
/* The same with an AMD GPU and the driver SIMULATION_KFD.  The functions that the node calls are
 * the caller's to set. */
struct simulation_base *simulation_base_take_kfd(struct simulation_pool *pool,
                                                 const struct amd_chip *chip,
                                                 const struct machine_config *config,
                                                 struct gfe_error *error);
/* Gives a base back to its pool, or frees it.  NULL is ignored. */
void simulation_base_give(struct simulation_base *base);

/* Creates an empty pool.  Returns NULL with a message when memory is short. */
struct simulation_pool *simulation_pool_new(struct gfe_error *error);
/* Frees the pool and its machines, none of which may be used any more (asserted). */
void simulation_pool_free(struct simulation_pool *pool);

#endif
