/* SPDX-License-Identifier: MIT */
/*
 * A simulation of any kind: a recording or a scenario on an NVIDIA GPU (simulation.h), a recording
 * of user-mode queues (kfd_simulation.h) or a configuration of hip_plugin_framework
 * (hip_simulation.h) on an AMD GPU.  It serves callers that make many runs of one program, with
 * faults or from snapshots, and treat all kinds alike:
 *
 *     any_simulation_new(&program, &options, &simulation, &error)
 *     inject_arm(simulation.machine->inject, ...)        with options.injects: emu/faults/inject.h
 *     outcome_observe(&observer, simulation.machine)     emu/faults/outcome.h
 *     any_simulation_run(&simulation, until_ps, &error)  the events before that time
 *     machine_take(), machine_restore()                  of simulation.machine, between two events;
 *                                                        any_simulation_take() also notes the
 *                                                        program that the snapshot is of
 *     any_simulation_free(&simulation)
 *
 * All state lies in the machine, so that a snapshot of one fits any other of the same program and
 * options.
 */
#ifndef GFE_EMU_SIM_ANY_SIMULATION_H
#define GFE_EMU_SIM_ANY_SIMULATION_H

#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/engine/inspect.h"

/* The program to run: one of the three, borrowed. */
struct any_program {
    const struct replay_input *input;
    const struct scenario *scenario;
    const char *hip_path; /* a configuration for AMD's GPUs; `costs` are the times of its blocks */
    const struct scenario_cost *costs;
    uint32_t cost_count;
};

struct any_simulation;
struct gpu_vendor;

/* A kind of simulation.  Code that treats kinds differently reads its facts from this row. */
struct any_simulation_ops {
    const struct gpu_vendor *vendor; /* of the GPU: emu/sim/gpus.h */
    const char *driver_model;        /* as the heads of such logs have it; NULL: any other name */
    bool has_pokes;                  /* options.pokes act */
    bool has_scenario;               /* its program is a scenario, of one file or several */
    /* Makes the simulation of a program of this kind. */
    bool (*make)(const struct any_program *program, const struct simulation_options *options,
                 struct any_simulation *simulation, struct gfe_error *error);
    /* Writes the hash of a program's file, as logs have it.  NULL means that the program is a
     * recording, which is loaded, with its hash, before the simulation is made. */
    bool (*file_hash)(const char *path, char hash[65], struct gfe_error *error);
    bool (*run)(void *simulation, gfe_ps until_ps, struct gfe_error *error);
    bool (*log_head)(void *simulation, const char *hash, struct gfe_error *error);
    bool (*log_end)(void *simulation, struct gfe_error *error);
    /* Writes the identity that snapshots of it carry (emu/sim/simulation_snapshot.h). */
    void (*identity)(const void *simulation, const char *hash, struct snapshot_identity *identity);
    /* Describes the simulation for views (emu/engine/inspect.h). */
    void (*subject)(void *simulation, struct inspect_subject *subject);
    /* Drops the borrowed texts of the options' pokes.  NULL if the simulation borrows none. */
    void (*forget_pokes)(void *simulation);
    void (*free)(void *simulation);
};

struct any_simulation {
    struct machine *machine;
    const struct any_simulation_ops *ops;
    void *simulation;            /* the simulation of its own kind */
    const char *hash;            /* of the program, as logs have it */
    const char *name;            /* of the program, for messages */
    const struct replay *replay; /* of a recording; else NULL */
};

/* Returns the kind of simulation that runs the program. */
const struct any_simulation_ops *any_simulation_of_program(const struct any_program *program);
/* Returns the kind of simulation that a log is of, by the driver model in the log's head. */
const struct any_simulation_ops *any_simulation_of_log(const char *driver_model);
/* Returns the vendor whose GPU runs a file that is no recording: that of the GPU, if its programs
 * are configurations; else the file's contents decide.  `gpu` may be NULL or no GPU's name. */
const struct gpu_vendor *any_simulation_file_vendor(const char *gpu, const struct gpu *described,
                                                    const char *path);
/* Wires a machine.  The program, and the data that `options` points to, stay the caller's and must
 * outlive the simulation.  options->gpu names the GPU of scenarios and configurations.  Returns
 * false with a message on error; *simulation is then empty. */
bool any_simulation_new(const struct any_program *program, const struct simulation_options *options,
                        struct any_simulation *simulation, struct gfe_error *error);
void any_simulation_free(struct any_simulation *simulation);
/* Lets the caller free the pokes of the options that the simulation was made with. */
void any_simulation_forget_pokes(struct any_simulation *simulation);
/* Runs the events before until_ps.  Once no event is left, logs the open waits.  Returns false with
 * a message if the run had to stop. */
bool any_simulation_run(struct any_simulation *simulation, gfe_ps until_ps,
                        struct gfe_error *error);
/* Runs the simulation to its end, with head and end of the log, which goes through a writer.
 * Returns false with a message on error. */
bool any_simulation_run_logged(struct any_simulation *simulation, struct gfe_error *error);
/* Looks at a run now and then.  look() is called after slices of simulated time, whose length it
 * may change, and returns false to end the run there. */
struct any_simulation_watch {
    void *context;
    bool (*look)(void *context, gfe_ps *slice_ps);
};
/* Like any_simulation_run_logged(), with somebody to look.  A run that ends early logs RUN_CUT, its
 * open waits and its end. */
bool any_simulation_run_watched(struct any_simulation *simulation,
                                const struct any_simulation_watch *watch, struct gfe_error *error);
/* Returns its machine and GPU for views.  The caller sets number, argument and error. */
struct inspect_subject any_simulation_subject(const struct any_simulation *simulation);
/* Returns true if no event is left and the end is logged. */
bool any_simulation_ended(const struct any_simulation *simulation);
/* Returns true if it ended with something that waits although nothing is left to do
 * (machine_log_open()).  Returns false for a run that was ended early:
 * what waits in it might have gone on. */
bool any_simulation_work_left(const struct any_simulation *simulation);
/* Writes all of a log that was kept in memory, with head, end and index, through a new writer.
 * Leaves the log unchanged. */
bool any_simulation_log_write(struct any_simulation *simulation, struct chunk_writer *writer,
                              struct gfe_error *error);

#endif
