/* SPDX-License-Identifier: MIT */
/*
 * Random worlds: a program, the GPU and the settings that it runs with, and what happens to it.
 *
 * A world is a JSON object that follows from its seed alone, on every machine:
 *
 *     {"kind": "cuda" | "hip" | "bus", "gpu": NAME, "seed": N, "program": {...},
 *      "policies": ["ID=NAME", ...], "parameters": ["ID=N", ...],
 *      "snapshot": N, "pokes": [...], "faults": [...], "lose_event": N}
 *
 * The program of kind cuda is a scenario (docs/scenario.schema.json), of kind hip a configuration
 * of hip_plugin_framework, of kind bus that of emu/selftest/world_bus.h.  "seed" is that of the
 * choice points.  "snapshot" says in
 * millionths of the run's events where one is taken.  The last three are optional, and disturb the
 * program.
 *
 * A world's file is one that gfe run takes itself (after gfe import bus, for kind bus).  A comment
 * in it holds the rest of the world, and the command line with which gfe run makes the same run.
 */
#ifndef GFE_EMU_SELFTEST_WORLD_H
#define GFE_EMU_SELFTEST_WORLD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/error.h"

enum world_kind { WORLD_CUDA, WORLD_HIP, WORLD_BUS, WORLD_KINDS };

/* How far a world is disturbed from outside. */
enum world_disturbance {
    WORLD_CALM,     /* only its program acts */
    WORLD_SOFTWARE, /* software preempts, disables, submits lists anew; what runs obeys all rules */
    WORLD_FAULTY,   /* faults, any registers written, an event lost: rules may be broken */
    WORLD_DISTURBANCES,
};

/* Makes the world of a seed.  Returns NULL with a message when memory is short.  The caller
 * releases it with json_decref(). */
json_t *world_make(uint64_t seed, struct gfe_error *error);
/* Takes away what the world's machine refuses: faults and register writes whose names or numbers
 * its GPU does not have, and settings.  Returns false with a message when memory is short. */
bool world_settle(json_t *world, struct gfe_error *error);

enum world_kind world_kind(const json_t *world);
enum world_disturbance world_disturbance(const json_t *world);
const char *world_disturbance_name(enum world_disturbance disturbance);
const char *world_gpu(const json_t *world);
const json_t *world_program(const json_t *world);

/* Writes the world's file.  `name` is what the file is to be called, for the command line in it.
 * Returns false with a message when memory is short. */
bool world_write(const json_t *world, const char *name, FILE *file, struct gfe_error *error);
/* Reads a world's file.  Returns NULL with a message if it cannot be read, or holds no world. */
json_t *world_read(const char *path, struct gfe_error *error);

#endif
