/* SPDX-License-Identifier: MIT */
/*
 * A simulation of whatever can be run: a recording or a scenario on an NVIDIA GPU (simulation.h), a
 * recording of user-mode queues (kfd_simulation.h) or a configuration of hip_plugin_framework
 * (hip_simulation.h) on an AMD GPU.  For who makes many runs of one program - with faults, from
 * snapshots - and does not care which it is:
 *
 *     any_simulation_new(&program, &options, &simulation, &error)
 *     inject_arm(simulation.machine->inject, ...)        with options.injects: emu/faults/inject.h
 *     outcome_observe(&observer, simulation.machine)     emu/faults/outcome.h
 *     any_simulation_run(&simulation, until_ps, &error)  the events before that time
 *     machine_take(), machine_restore()                  of simulation.machine, between two events;
 *                                                        any_simulation_take() knows what it is of
 *     any_simulation_free(&simulation)
 *
 * All state lies in the machine, so that a snapshot of one fits any other of the same program and
 * options.
 */
#ifndef GFE_DEVICES_ANY_SIMULATION_H
#define GFE_DEVICES_ANY_SIMULATION_H

#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/engine/inspect.h"

/* What is run: one of the three, borrowed. */
struct any_program {
    const struct replay_input *input;
    const struct scenario *scenario;
    const char *hip_path; /* a configuration for AMD's GPUs; its blocks work so long: */
    const struct scenario_cost *costs;
    uint32_t cost_count;
};

struct any_simulation_ops {
    bool (*run)(void *simulation, gfe_ps until_ps, struct gfe_error *error);
    bool (*log_head)(void *simulation, const char *hash, struct gfe_error *error);
    bool (*log_end)(void *simulation, struct gfe_error *error);
    /* What a snapshot of it fits (emu/sim/simulation_snapshot.h). */
    void (*identity)(const void *simulation, const char *hash, struct snapshot_identity *identity);
    /* What views are made of (emu/engine/inspect.h). */
    void (*subject)(void *simulation, struct inspect_subject *subject);
    void (*free)(void *simulation);
};

struct any_simulation {
    struct machine *machine;
    const struct any_simulation_ops *ops;
    void *simulation;            /* its own kind */
    const char *hash;            /* of the program, as logs have it */
    const char *name;            /* of the program, for messages */
    const struct replay *replay; /* of a recording; else NULL */
};

/* Wires a machine; the program, and what options point to, stay the caller's and must outlive it.
 * options->gpu names the GPU of scenarios and configurations.  False with a message; *simulation is
 * then empty. */
bool any_simulation_new(const struct any_program *program, const struct simulation_options *options,
                        struct any_simulation *simulation, struct gfe_error *error);
void any_simulation_free(struct any_simulation *simulation);
/* Runs the events before until_ps.  When nothing is left, logs what still waits, once. */
bool any_simulation_run(struct any_simulation *simulation, gfe_ps until_ps,
                        struct gfe_error *error);
/* Runs it to its end, with head and end of the log, which goes through a writer. */
bool any_simulation_run_logged(struct any_simulation *simulation, struct gfe_error *error);
/* Its machine and GPU, for views; number, argument and error are left to be set. */
struct inspect_subject any_simulation_subject(const struct any_simulation *simulation);
/* Nothing is left to do and the end is logged. */
bool any_simulation_ended(const struct any_simulation *simulation);
/* Writes all of a log that was kept in memory, with head, end and index, through a new writer; the
 * log stays as it was. */
bool any_simulation_log_write(struct any_simulation *simulation, struct chunk_writer *writer,
                              struct gfe_error *error);

#endif
