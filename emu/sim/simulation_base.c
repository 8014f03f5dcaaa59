/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/simulation_base.h"

#include <assert.h>
#include <stdlib.h>

#include "devices/core/core_events.h"
#include "emu/engine/machine_mark.h"
#include "emu/sim/amd_node.h"
#include "firmware-models/bare/bare.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

enum { POOL_BASES_MAX = 32 };

struct simulation_pool {
    struct simulation_base *bases[POOL_BASES_MAX];
    uint32_t count;
    uint32_t next; /* which of a full pool has to make room */
};

/* What a base is of; two with the same kind are as good as each other. */
struct base_kind {
    const struct nv_chip *model;
    const struct amd_chip *chip;
    enum simulation_driver driver;
};

/* ---- wiring ---------------------------------------------------------------------------------- */

static bool base_wire_driver(struct simulation_base *base, struct gfe_error *error)
{
    struct machine *machine = base->machine;
    const uint32_t chip_id = base->model->chip_id;

    switch (base->driver) {
    case SIMULATION_NOUVEAU:
        return (base->nouveau = nouveau_new(machine, chip_id, error)) != NULL;
    case SIMULATION_BARE:
        return (base->rm = rm_new_bare(machine, chip_id, error)) != NULL &&
               (base->bare = bare_new(machine, base->rm, base->model, error)) != NULL;
    case SIMULATION_RM:
        return (base->rm = rm_new(machine, chip_id, true, error)) != NULL;
    case SIMULATION_NO_DRIVER:
        machine_add_tables(machine, &rm_tables);
        break;
    case SIMULATION_KFD:
        break;
    }
    return true;
}

static bool base_wire_kfd(struct simulation_base *base, struct gfe_error *error)
{
    base->node = calloc(1, sizeof *base->node);
    return (base->node && amd_node_wire(base->node, base->machine, base->chip)) ||
           error_set(error, ERROR_SYSTEM, "no memory for a simulation");
}

static bool base_wire(struct simulation_base *base, const struct machine_config *config,
                      struct gfe_error *error)
{
    base->machine = machine_new(config, error);
    if (!base->machine)
        return false;
    if (base->driver == SIMULATION_KFD)
        return base_wire_kfd(base, error);
    machine_add_tables(base->machine, &core_tables);
    base->gpu = base->model->wire(base->machine, base->model, error);
    return base->gpu && base_wire_driver(base, error);
}

static void base_free(struct simulation_base *base)
{
    if (!base)
        return;
    machine_mark_free(base->mark);
    if (base->node && base->node->machine)
        amd_node_unwire(base->node);
    machine_free(base->machine);
    if (base->gpu)
        base->model->unwire(base->gpu);
    nouveau_free(base->nouveau);
    bare_free(base->bare);
    rm_free(base->rm);
    free(base->node);
    free(base);
}

static struct simulation_base *
base_new(const struct base_kind *kind, const struct machine_config *config, struct gfe_error *error)
{
    struct simulation_base *base = calloc(1, sizeof *base);

    if (!base) {
        error_set(error, ERROR_SYSTEM, "no memory for a simulation");
        return NULL;
    }
    base->model = kind->model;
    base->chip = kind->chip;
    base->driver = kind->driver;
    if (base_wire(base, config, error))
        return base;
    base_free(base);
    return NULL;
}

/* ---- the pool -------------------------------------------------------------------------------- */

struct simulation_pool *simulation_pool_new(struct gfe_error *error)
{
    struct simulation_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        error_set(error, ERROR_SYSTEM, "no memory for simulations");
    return pool;
}

void simulation_pool_free(struct simulation_pool *pool)
{
    if (!pool)
        return;
    for (uint32_t i = 0; i < pool->count; i++) {
        assert(!pool->bases[i]->is_used);
        base_free(pool->bases[i]);
    }
    free(pool);
}

static void pool_drop(struct simulation_pool *pool, uint32_t at)
{
    base_free(pool->bases[at]);
    pool->bases[at] = pool->bases[--pool->count];
}

/* One base makes room, unless all are used. */
static bool pool_make_room(struct simulation_pool *pool)
{
    if (pool->count < POOL_BASES_MAX)
        return true;
    for (uint32_t i = 0; i < pool->count; i++) {
        const uint32_t at = pool->next++ % pool->count;

        if (!pool->bases[at]->is_used) {
            pool_drop(pool, at);
            return true;
        }
    }
    return false;
}

static bool pool_add(struct simulation_pool *pool, struct simulation_base *base,
                     struct gfe_error *error)
{
    if (!pool_make_room(pool))
        return true;
    base->mark = machine_mark_new(base->machine, error);
    if (!base->mark)
        return false;
    base->is_used = true;
    pool->bases[pool->count++] = base;
    return true;
}

/* Returns an unused base of that kind, taken back to its mark; NULL if there is none. */
static struct simulation_base *pool_find(struct simulation_pool *pool, const struct base_kind *kind,
                                         const struct machine_config *config)
{
    for (uint32_t i = 0; i < pool->count; i++) {
        struct simulation_base *base = pool->bases[i];

        if (base->is_used || base->model != kind->model || base->chip != kind->chip ||
            base->driver != kind->driver)
            continue;
        if (machine_mark_return(base->mark, config)) {
            base->is_used = true;
            return base;
        }
        pool_drop(pool, i--);
    }
    return NULL;
}

static struct simulation_base *base_take(struct simulation_pool *pool, const struct base_kind *kind,
                                         const struct machine_config *config,
                                         struct gfe_error *error)
{
    struct simulation_base *base = pool ? pool_find(pool, kind, config) : NULL;

    if (base)
        return base;
    base = base_new(kind, config, error);
    if (!base || !pool || pool_add(pool, base, error))
        return base;
    base_free(base);
    return NULL;
}

struct simulation_base *simulation_base_take(struct simulation_pool *pool,
                                             const struct nv_chip *model,
                                             enum simulation_driver driver,
                                             const struct machine_config *config,
                                             struct gfe_error *error)
{
    return base_take(pool, &(struct base_kind){.model = model, .driver = driver}, config, error);
}

struct simulation_base *simulation_base_take_kfd(struct simulation_pool *pool,
                                                 const struct amd_chip *chip,
                                                 const struct machine_config *config,
                                                 struct gfe_error *error)
{
    struct simulation_base *base =
        base_take(pool, &(struct base_kind){.chip = chip, .driver = SIMULATION_KFD}, config, error);

    if (base)
        base->node->gpu_id = AMD_NODE_GPU_ID; /* an earlier program may have had another number */
    return base;
}

void simulation_base_give(struct simulation_base *base)
{
    if (!base || !base->mark) {
        base_free(base);
        return;
    }
    event_log_fini(&base->machine->log); /* its writer is the simulation's caller's */
    base->is_used = false;
}
