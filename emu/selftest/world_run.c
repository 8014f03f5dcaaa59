/* SPDX-License-Identifier: MIT */
/* A run of a world, and its log. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/selftest/invariant.h"
#include "emu/sim/gpus.h"

static bool log_write(struct world_run *run, struct gfe_error *error)
{
    struct chunk_writer *writer;
    bool done;

    run->log_fd = memfd_create("log", MFD_CLOEXEC);
    if (run->log_fd < 0)
        return error_set_errno(error, errno, "the log of a world");
    writer = chunk_writer_new(run->log_fd, "the log of a world", error);
    done = writer && any_simulation_log_write(&run->simulation, writer, error);
    chunk_writer_free(writer);
    return done;
}

struct event_log_reader *world_run_log(const struct world_run *run, struct gfe_error *error)
{
    char path[64];

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", run->log_fd);
    return event_log_open(path, error);
}

static bool event_add(struct world_run *run, const struct log_event *event)
{
    if (run->event_count == run->event_capacity) {
        const uint32_t capacity = run->event_capacity ? 2 * run->event_capacity : 4096;
        struct log_event *events = realloc(run->events, capacity * sizeof *events);

        if (!events)
            return false;
        run->events = events;
        run->event_capacity = capacity;
    }
    run->events[run->event_count++] = *event;
    return true;
}

static bool log_read(struct world_run *run, struct gfe_error *error)
{
    struct event_log_reader *log = world_run_log(run, error);
    enum event_log_result result = EVENT_LOG_FAILED;
    struct log_event event;

    while (log && (result = event_log_read(log, &event, error)) == EVENT_LOG_GOT)
        if (!event_add(run, &event)) {
            error_set(error, ERROR_SYSTEM, "no memory for the events of a world");
            result = EVENT_LOG_FAILED;
            break;
        }
    event_log_close(log);
    return result == EVENT_LOG_AT_END;
}

bool world_run_make(struct world_run *run, const struct world_loaded *loaded,
                    struct gfe_error *error)
{
    *run = (struct world_run){.loaded = loaded,
                              .kind = world_kind(loaded->world),
                              .disturbance = world_disturbance(loaded->world),
                              .log_fd = -1};
    if (!gpu_find_limits(world_gpu(loaded->world), NULL, &run->limits))
        return error_set(error, ERROR_INPUT, "no GPU is called so");
    if (!world_wire(loaded, 0, &run->simulation, error))
        return false;
    if (!any_simulation_run(&run->simulation, GFE_PS_NEVER, &run->stopped))
        return run->stopped.kind != ERROR_SYSTEM || error_set(error, ERROR_SYSTEM, "no memory");
    run->open_count = run->simulation.machine->state->open_count;
    return log_write(run, error) && log_read(run, error);
}

void world_run_fini(struct world_run *run)
{
    any_simulation_free(&run->simulation);
    if (run->log_fd >= 0)
        (void)close(run->log_fd);
    free(run->events);
    *run = (struct world_run){.log_fd = -1};
}
