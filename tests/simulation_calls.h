/* SPDX-License-Identifier: MIT */
/* What commands do in several steps, between which they do more. */
#ifndef GFE_TESTS_SIMULATION_CALLS_H
#define GFE_TESTS_SIMULATION_CALLS_H

#include "emu/sim/hip_simulation.h"
#include "emu/sim/simulation.h"

/* Runs it to its end, with head and end of the log. */
bool hip_simulation_run(struct hip_simulation *simulation, struct gfe_error *error);
/* Writes all of a log that was kept in memory, with its index, through a new writer; the log stays
 * as it was. */
bool simulation_log_write(struct simulation *simulation, const char *trace_hash,
                          struct chunk_writer *writer, struct gfe_error *error);

#endif
