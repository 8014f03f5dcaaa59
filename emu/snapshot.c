/* SPDX-License-Identifier: MIT */
/* Snapshots of a machine: see emu/machine.h, "snapshots". */
#include <config.h>

#include "emu/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/digest.h"

struct machine_snapshot {
    struct memory_image *memory;
    struct event_log_image *log;
    size_t arena_bytes;
    uint8_t arena[];
};

struct machine_snapshot *machine_take(struct machine *machine)
{
    struct machine_snapshot *snapshot = malloc(sizeof *snapshot + machine->arena.used_bytes);

    assert(machine->arena.sealed);
    if (!snapshot)
        return NULL;
    snapshot->log = event_log_take(&machine->log);
    snapshot->memory = snapshot->log ? memory_take(&machine->memory) : NULL;
    if (!snapshot->memory) {
        event_log_image_free(snapshot->log);
        free(snapshot);
        return NULL;
    }
    snapshot->arena_bytes = machine->arena.used_bytes;
    memcpy(snapshot->arena, machine->arena.base, machine->arena.used_bytes);
    return snapshot;
}

bool machine_restore(struct machine *machine, const struct machine_snapshot *snapshot)
{
    assert(machine->arena.used_bytes == snapshot->arena_bytes);
    assert(!machine->log.writer);
    if (!memory_restore(&machine->memory, snapshot->memory) ||
        !event_log_restore(&machine->log, snapshot->log)) {
        machine_fail(machine, ERROR_SYSTEM, "no memory for restoring a snapshot");
        return false;
    }
    memcpy(machine->arena.base, snapshot->arena, snapshot->arena_bytes);
    machine->error = (struct gfe_error){0};
    return true;
}

void machine_snapshot_free(struct machine_snapshot *snapshot)
{
    if (!snapshot)
        return;
    memory_image_free(snapshot->memory);
    event_log_image_free(snapshot->log);
    free(snapshot);
}

static void machine_hash_page(void *context, enum memory_aperture aperture, uint64_t address,
                              const uint8_t *page)
{
    uint8_t head[16];

    for (unsigned i = 0; i < 8; i++) {
        head[i] = (uint8_t)((uint64_t)aperture >> (8 * i));
        head[8 + i] = (uint8_t)(address >> (8 * i));
    }
    digest_add(context, head, sizeof head);
    digest_add(context, page, MEMORY_PAGE_BYTES);
}

bool machine_hash(struct machine *machine, char hex[65])
{
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, machine->arena.base, machine->arena.used_bytes);
    if (!memory_visit(&machine->memory, machine_hash_page, &digest))
        return false;
    digest_end_hex(&digest, hex);
    return true;
}
