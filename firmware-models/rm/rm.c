/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/rm/rm.h"

#include <stdlib.h>

#include "firmware-models/rm/rm_tables.h"

static void rm_event(void *unit, const struct event *event)
{
    if (event->kind == RM_INTERRUPT)
        rm_interrupt_handler(unit);
    else if (event->kind == RM_CONTEXT_INIT)
        rm_context_init_step(unit, (uint32_t)event->argument);
    else
        rm_recover_step(unit, (uint32_t)event->argument);
}

static void rm_first(void *unit)
{
    struct rm *rm = unit;

    if (rm->recovers && rm_start(rm))
        rm_interrupt_start(rm);
}

static const struct unit_ops rm_ops = {
    .event = rm_event,
    .interrupt = rm_interrupt,
    .start = rm_first,
};

static struct rm *rm_wire(struct machine *machine, const struct rm_chip *chip, uint32_t chip_id,
                          struct gfe_error *error)
{
    struct rm *rm = calloc(1, sizeof *rm);

    if (!rm) {
        error_set(error, ERROR_SYSTEM, "no memory for the resource-manager model");
        return NULL;
    }
    rm->chip = chip;
    rm->machine = machine;
    machine_add_tables(machine, &rm_tables);
    if (chip_id == RM_CHIP_GP10B) /* B.T1b */
        machine->parameters[PARAM_RM_COMPUTE_TIMESLICE_UNITS] = 1000;
    rm->unit = machine_add_unit(machine, "rm", &rm_ops, rm);
    rm->state = machine_alloc(machine, sizeof *rm->state);
    extents_init(&rm->state->vram, machine->config.vram_bytes - RM_VRAM_BYTES, RM_VRAM_BYTES);
    rm->state->userd_pool = EXTENT_NONE;
    for (uint32_t i = 0; i < RM_RUNLISTS_MAX; i++)
        rm->state->runlists[i].buffer = EXTENT_NONE;
    return rm;
}

struct rm *rm_new(struct machine *machine, uint32_t chip_id, bool recovers, struct gfe_error *error)
{
    const struct rm_chip *chip = rm_chip_find(chip_id);
    struct rm *rm;

    if (!chip || chip->bare_only || machine->config.vram_bytes <= RM_VRAM_BYTES) {
        error_set(
            error, ERROR_USAGE,
            "the model of NVIDIA's resource manager drives chips from Pascal on, which gfe gpus "
            "lists, not chip 0x%x",
            chip_id);
        return NULL;
    }
    rm = rm_wire(machine, chip, chip_id, error);
    if (rm && recovers) {
        rm->recovers = true;
        machine->interrupt_unit = rm->unit;
    }
    return rm;
}

struct rm *rm_new_bare(struct machine *machine, uint32_t chip_id, struct gfe_error *error)
{
    const struct rm_chip *chip = rm_chip_find(chip_id);
    struct rm *rm = NULL;

    if (!chip || machine->config.vram_bytes <= RM_VRAM_BYTES)
        error_set(error, ERROR_USAGE, "no bare channel can be made on chip 0x%x", chip_id);
    else
        rm = rm_wire(machine, chip, chip_id, error);
    if (rm)
        rm->is_bare = true;
    return rm;
}

void rm_free(struct rm *rm)
{
    free(rm);
}

bool rm_start(struct rm *rm)
{
    if (!rm->state->started && !rm_top_read(rm))
        return false;
    rm->state->started = 1;
    return true;
}

void rm_poke(struct rm *rm, uint64_t address, uint32_t value)
{
    (void)machine_write(rm->machine, MEMORY_VRAM, address, &value, sizeof value);
}

void rm_clear(struct rm *rm, uint64_t address, uint64_t bytes)
{
    static const uint8_t zeroes[MEMORY_PAGE_BYTES];

    for (uint64_t at = 0; at < bytes; at += MEMORY_PAGE_BYTES)
        (void)machine_write(rm->machine, MEMORY_VRAM, address + at, zeroes,
                            bytes - at < sizeof zeroes ? (size_t)(bytes - at) : sizeof zeroes);
}

uint64_t rm_take(struct rm *rm, uint64_t bytes)
{
    const uint64_t pages = (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;

    return extent_take(&rm->state->vram, pages * MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
}
