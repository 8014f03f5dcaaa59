/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_open_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Writes the log, whose events are what machine_finish() logs, through a writer. */
static bool report(struct any_simulation *simulation, struct event_log_cursor *cursor,
                   struct chunk_writer *writer, struct gfe_error *error)
{
    struct machine *machine = simulation->machine;
    const struct event_log kept = machine->log;
    struct inject *inject = machine->inject;
    bool done;

    event_log_init(&machine->log, cursor, writer);
    machine->inject = NULL; /* it hears nothing of this */
    done = simulation->ops->log_head(simulation->simulation, simulation->hash, error);
    machine_finish(machine);
    done = done && simulation->ops->log_end(simulation->simulation, error) &&
           chunk_writer_finish(writer, error);
    event_log_fini(&machine->log);
    machine->log = kept;
    machine->inject = inject;
    return done;
}

static bool log_read(struct cmd_open_waits *waits, struct any_simulation *simulation,
                     struct gfe_error *error)
{
    const int fd = memfd_create("open waits", MFD_CLOEXEC);
    struct event_log_cursor *cursor = calloc(1, sizeof *cursor);
    struct chunk_writer *writer = NULL;
    bool done = false;

    if (fd < 0)
        (void)error_set_errno(error, errno, "the open waits");
    else if (!cursor)
        (void)error_set(error, ERROR_SYSTEM, "no memory for the open waits");
    else
        writer = chunk_writer_new(fd, "the open waits", error);
    done = writer && report(simulation, cursor, writer, error);
    chunk_writer_free(writer);
    free(cursor);
    if (done)
        done = lseek(fd, 0, SEEK_SET) == 0 || error_set_errno(error, errno, "the open waits");
    if (!done) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    waits->log = event_log_open_fd(fd, "the open waits", error);
    return waits->log && open_waits_read(&waits->open, waits->log, error);
}

struct cmd_open_waits *cmd_open_waits_new(struct any_simulation *simulation,
                                          struct gfe_error *error)
{
    struct cmd_open_waits *waits = calloc(1, sizeof *waits);

    if (!waits) {
        (void)error_set(error, ERROR_SYSTEM, "no memory for the open waits");
        return NULL;
    }
    if (!any_simulation_work_left(simulation) || log_read(waits, simulation, error))
        return waits;
    cmd_open_waits_free(waits);
    return NULL;
}

void cmd_open_waits_free(struct cmd_open_waits *waits)
{
    if (!waits)
        return;
    if (waits->log)
        event_log_close(waits->log);
    free(waits);
}
