/* SPDX-License-Identifier: MIT */
/* Calls for tests that join several steps; commands do more between these steps. */
#ifndef GFE_TESTS_SIMULATION_CALLS_H
#define GFE_TESTS_SIMULATION_CALLS_H

#include "emu/sim/hip_simulation.h"
#include "emu/sim/simulation.h"

/* Runs a simulation to its end, and writes the log's head and end.  Returns false with `error` set
 * on failure. */
bool hip_simulation_run(struct hip_simulation *simulation, struct gfe_error *error);
/* Writes a whole log that was kept in memory, with its index, through a new writer.  The log itself
 * does not change. */
bool simulation_log_write(struct simulation *simulation, const char *trace_hash,
                          struct chunk_writer *writer, struct gfe_error *error);

#endif
