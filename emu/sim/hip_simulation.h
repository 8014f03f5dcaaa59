/* SPDX-License-Identifier: MIT */
/*
 * A simulation of a hip_plugin_framework configuration on an AMD GPU: its host threads, the HIP
 * runtime's model, and the GPU with its driver and firmware, wired into one machine.
 */
#ifndef GFE_EMU_SIM_HIP_SIMULATION_H
#define GFE_EMU_SIM_HIP_SIMULATION_H

#include <jansson.h>

#include <stdio.h>

#include "emu/sim/hip_threads.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"

struct hip_simulation {
    struct machine *machine;
    const char *name;   /* of the configuration, for messages */
    char *path, *costs; /* path of the file; "NAME=PS" for each cost, a line each, "" for none */
    struct hip_config *config;
    char hash[65];                 /* SHA-256 of the file */
    bool assumed[HIP_PLUGINS_MAX]; /* the work of the plugin's blocks is ASSUMED */
    char durations[256];           /* where they come from, for the summary */
    struct amd_node node;
    struct hip_threads threads;
    /* For hip_simulation_print(): what waits for ever (emu/analysis/open_waits.h), borrowed; NULL
     * means that it is not printed. */
    json_t *work_left;
    uint64_t open_count;
};

/* Returns true if the file holds such a configuration.  Returns false if it cannot be read. */
bool hip_simulation_is(const char *path);
/* Reads the configuration and wires a machine; options->gpu names the GPU.  costs[] has the work of
 * a block for each plugin's name, in picoseconds of a CU.  matrix_multiply's is measured; that of
 * another plugin without a cost is ASSUMED to be the same.  Returns NULL with a message on error.
 */
struct hip_simulation *hip_simulation_new(const char *path,
                                          const struct simulation_options *options,
                                          const struct scenario_cost *costs, uint32_t cost_count,
                                          struct gfe_error *error);
/* Writes the hash of a configuration, as logs have it.  Returns false with a message if the file
 * cannot be read. */
bool hip_simulation_hash(const char *path, char hash[65], struct gfe_error *error);
/* Runs the events before until_ps.  Once no event is left, logs the open waits.  Returns false with
 * a message if the run had to stop. */
bool hip_simulation_run_until(struct hip_simulation *simulation, gfe_ps until_ps,
                              struct gfe_error *error);
/* Write the head and the end of the event log through the machine's log. */
bool hip_simulation_log_head(struct hip_simulation *simulation, struct gfe_error *error);
bool hip_simulation_log_end(struct hip_simulation *simulation, struct gfe_error *error);
/* Prints a line for each plugin with its response times, or one JSON object if `json`. */
bool hip_simulation_print(struct hip_simulation *simulation, FILE *file, bool json,
                          struct gfe_error *error);
/* Prints the response time of each iteration so far, of the first HIP_SAMPLES_MAX of each plugin,
 * as CSV with a head: plugin, iteration (from 0), picoseconds. */
void hip_simulation_print_times(const struct hip_simulation *simulation, FILE *file);
/* Writes the identity that its snapshots carry: version, configuration, GPU, seed, costs, layout.
 */
void hip_simulation_identity(const struct hip_simulation *simulation,
                             struct snapshot_identity *identity);
void hip_simulation_free(struct hip_simulation *simulation);

#endif
