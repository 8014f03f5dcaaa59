/* SPDX-License-Identifier: MIT */
/* Snapshots of a machine: see emu/engine/machine.h, "snapshots". */
#include <config.h>

#include "emu/engine/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/digest.h"

struct machine_snapshot *machine_take(struct machine *machine)
{
    struct machine_snapshot *snapshot = calloc(1, sizeof *snapshot);

    if (!snapshot)
        return NULL;
    snapshot->log = event_log_take(&machine->log);
    snapshot->arena = snapshot->log ? arena_take(&machine->arena) : NULL;
    snapshot->memory = snapshot->arena ? memory_take(&machine->memory) : NULL;
    snapshot->now_ps = machine_now(machine);
    snapshot->event_count = machine_event_count(machine);
    if (snapshot->memory)
        return snapshot;
    machine_snapshot_free(snapshot);
    return NULL;
}

bool machine_restore(struct machine *machine, const struct machine_snapshot *snapshot)
{
    assert(!machine->log.writer);
    if (!memory_restore(&machine->memory, snapshot->memory) ||
        !event_log_restore(&machine->log, snapshot->log)) {
        machine_fail(machine, ERROR_SYSTEM, "no memory for restoring a snapshot");
        return false;
    }
    arena_restore(&machine->arena, snapshot->arena);
    machine->error = (struct gfe_error){0};
    return true;
}

void machine_snapshot_free(struct machine_snapshot *snapshot)
{
    if (!snapshot)
        return;
    arena_image_free(snapshot->arena);
    memory_image_free(snapshot->memory);
    event_log_image_free(snapshot->log);
    free(snapshot);
}

/* ---- hash ------------------------------------------------------------------------------------ */

static void machine_hash_numbers(struct digest *context, uint64_t first, uint64_t second)
{
    uint8_t bytes[16];

    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(first >> (8 * i));
        bytes[8 + i] = (uint8_t)(second >> (8 * i));
    }
    digest_add(context, bytes, sizeof bytes);
}

static void machine_hash_page(void *context, enum memory_aperture aperture, uint64_t address,
                              const uint8_t *page)
{
    machine_hash_numbers(context, (uint64_t)aperture, address);
    digest_add(context, page, MEMORY_PAGE_BYTES);
}

/* Pages of zeroes, which are most, are passed over: the numbers of the others tell. */
static void machine_hash_arena(struct digest *context, const struct arena *arena)
{
    machine_hash_numbers(context, arena->used_bytes, arena->layout);
    for (uint32_t i = 0; i < arena_page_count(arena->used_bytes); i++) {
        const uint8_t *data = arena->base + (size_t)i * ARENA_PAGE_BYTES;
        const size_t bytes = arena_page_bytes(arena->used_bytes, i);

        if (arena_is_zero(data, bytes))
            continue;
        machine_hash_numbers(context, MEMORY_APERTURE_COUNT, i);
        digest_add(context, data, bytes);
    }
}

bool machine_hash(struct machine *machine, char hex[65])
{
    struct digest context;

    digest_start(&context);
    machine_hash_arena(&context, &machine->arena);
    if (!memory_visit(&machine->memory, machine_hash_page, &context))
        return false;
    digest_end_hex(&context, hex);
    return true;
}
