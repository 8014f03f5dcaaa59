/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of simulations: a machine's snapshot with the identity of its simulation, in memory and
 * as a file (.gfs).  The simulation's log must be kept in memory.  emu/engine/snapshot.h describes
 * the contents, and which parts of a file are trusted.
 */
#ifndef GFE_EMU_SIM_SIMULATION_SNAPSHOT_H
#define GFE_EMU_SIM_SIMULATION_SNAPSHOT_H

#include "emu/sim/any_simulation.h"

struct simulation_snapshot {
    struct machine_snapshot *machine;
    struct snapshot_identity identity;
};

/* Takes a snapshot between two events.  Returns NULL with a message on error. */
struct simulation_snapshot *any_simulation_take(struct any_simulation *simulation,
                                                struct gfe_error *error);
/* Restores a snapshot into the simulation that it was taken of, or into another of the same
 * program, GPU and options.  `name` is for messages.  Returns false with a message on error.  If
 * memory runs short in the middle, the simulation can only be restored again. */
bool any_simulation_restore(struct any_simulation *simulation,
                            const struct simulation_snapshot *snapshot, const char *name,
                            struct gfe_error *error);
/* Writes a snapshot to a file, which appears whole or not at all.  Returns false with a message on
 * error. */
bool simulation_snapshot_save(const struct simulation_snapshot *snapshot, const char *path,
                              struct gfe_error *error);
struct simulation_snapshot *simulation_snapshot_load(const char *path, struct gfe_error *error);
void simulation_snapshot_free(struct simulation_snapshot *snapshot);

#endif
