/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/simulation_snapshot.h"

#include <stdio.h>
#include <stdlib.h>

#include "emu/base/output.h"

struct simulation_snapshot *any_simulation_take(struct any_simulation *simulation,
                                                struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = calloc(1, sizeof *snapshot);

    if (snapshot)
        snapshot->machine = machine_take(simulation->machine);
    if (!snapshot || !snapshot->machine) {
        free(snapshot);
        error_set(error, ERROR_SYSTEM, "no memory for a snapshot");
        return NULL;
    }
    simulation->ops->identity(simulation->simulation, simulation->hash, &snapshot->identity);
    return snapshot;
}

bool any_simulation_restore(struct any_simulation *simulation,
                            const struct simulation_snapshot *snapshot, const char *name,
                            struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    struct snapshot_identity identity;

    simulation->ops->identity(simulation->simulation, simulation->hash, &identity);
    if (!snapshot_identity_fits(&snapshot->identity, &identity, name, error) ||
        !snapshot_fits(snapshot->machine, machine, name, error))
        return false;
    if (!machine_restore(machine, snapshot->machine))
        return error_set(error, machine->error.kind, "%s: %s", name, machine->error.text);
    return true;
}

bool simulation_snapshot_save(const struct simulation_snapshot *snapshot, const char *path,
                              struct gfe_error *error)
{
    struct output output = {0};
    struct chunk_writer *writer = NULL;
    bool done = false;

    if (output_open_private(&output, path, error))
        writer = chunk_writer_new(output.fd, path, error);
    if (writer)
        done = snapshot_write(snapshot->machine, &snapshot->identity, writer, error) &&
               chunk_writer_finish(writer, error) && output_commit(&output, error);
    chunk_writer_free(writer);
    output_abort(&output);
    return done;
}

struct simulation_snapshot *simulation_snapshot_load(const char *path, struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = calloc(1, sizeof *snapshot);
    struct chunk_reader *reader = snapshot ? chunk_reader_open(path, error) : NULL;

    if (!snapshot)
        error_set(error, ERROR_SYSTEM, "no memory for a snapshot");
    if (reader)
        snapshot->machine = snapshot_read(reader, &snapshot->identity, error);
    chunk_reader_free(reader);
    if (snapshot && snapshot->machine)
        return snapshot;
    free(snapshot);
    return NULL;
}

void simulation_snapshot_free(struct simulation_snapshot *snapshot)
{
    if (!snapshot)
        return;
    machine_snapshot_free(snapshot->machine);
    free(snapshot);
}
