/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of simulations: a machine's snapshot with what it was taken of, in memory and as a file
 * (.gfs).  The simulation's log must be kept in memory.  emu/engine/snapshot.h says what is in it,
 * and what of a file is believed.
 */
#ifndef GFE_DEVICES_SIMULATION_SNAPSHOT_H
#define GFE_DEVICES_SIMULATION_SNAPSHOT_H

#include "emu/sim/any_simulation.h"

struct simulation_snapshot {
    struct machine_snapshot *machine;
    struct snapshot_identity identity;
};

/* Between two events.  NULL with a message. */
struct simulation_snapshot *any_simulation_take(struct any_simulation *simulation,
                                                struct gfe_error *error);
/* Into the simulation that it was taken of or another of the same program, GPU and options.  `name`
 * is for messages.  When memory is short in the middle, the simulation can only be restored again.
 */
bool any_simulation_restore(struct any_simulation *simulation,
                            const struct simulation_snapshot *snapshot, const char *name,
                            struct gfe_error *error);
/* The file appears whole or not at all. */
bool simulation_snapshot_save(const struct simulation_snapshot *snapshot, const char *path,
                              struct gfe_error *error);
struct simulation_snapshot *simulation_snapshot_load(const char *path, struct gfe_error *error);
void simulation_snapshot_free(struct simulation_snapshot *snapshot);

#endif
