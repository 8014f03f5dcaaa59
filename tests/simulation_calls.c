/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/simulation_calls.h"

bool hip_simulation_run(struct hip_simulation *simulation, struct gfe_error *error)
{
    return hip_simulation_log_head(simulation, error) &&
           hip_simulation_run_until(simulation, GFE_PS_NEVER, error) &&
           hip_simulation_log_end(simulation, error);
}

/* It goes through a writer for once. */
bool simulation_log_write(struct simulation *simulation, const char *trace_hash,
                          struct chunk_writer *writer, struct gfe_error *error)
{
    struct event_log *log = &simulation->machine->log;
    const uint64_t bytes_from = log->bytes_from;
    const uint32_t chunk_end_count = log->chunk_end_count;
    bool done;

    log->writer = writer;
    done = simulation_log_head(simulation, trace_hash, error) &&
           simulation_log_end(simulation, error) && chunk_writer_finish(writer, error);
    log->writer = NULL;
    log->bytes_from = bytes_from;
    log->chunk_end_count = chunk_end_count;
    return done;
}
