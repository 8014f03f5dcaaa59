/* SPDX-License-Identifier: MIT */
/* A world that is ready to be run: its program is read, and machines can be wired for it. */
#ifndef GFE_EMU_SELFTEST_WORLD_LOAD_H
#define GFE_EMU_SELFTEST_WORLD_LOAD_H

#include "emu/selftest/world.h"
#include "emu/sim/any_simulation.h"

enum { WORLD_SETTINGS_MAX = 64, WORLD_POKES_MAX = 64, WORLD_RUN_EVENTS_MAX = 300000 };

struct world_loaded {
    const json_t *world; /* borrowed */
    struct any_program program;
    struct scenario *scenario;
    struct replay_input *input;
    int fd; /* of a configuration, in memory; -1: none */
    char path[64];
    /* The settings' texts; what stands before and after the "=" is apart by a zero. */
    char *texts[2 * WORLD_SETTINGS_MAX];
    struct simulation_setting policies[WORLD_SETTINGS_MAX], parameters[WORLD_SETTINGS_MAX];
    const char *pokes[WORLD_POKES_MAX];
    uint32_t text_count;
    struct simulation_options options;
};

/* Reads the world's program and settings.  Returns false with a message if the program is refused.
 * Call world_unload() in either case.  `world` must outlive what is loaded. */
bool world_load(struct world_loaded *loaded, const json_t *world, struct gfe_error *error);
void world_unload(struct world_loaded *loaded);
/* Wires a machine, with its faults armed.  Its log is kept in memory, and a run of more than
 * WORLD_RUN_EVENTS_MAX events stops.  Returns false with a message if it is refused. */
bool world_wire(const struct world_loaded *loaded, uint32_t batch_limit,
                struct any_simulation *simulation, struct gfe_error *error);

#endif
