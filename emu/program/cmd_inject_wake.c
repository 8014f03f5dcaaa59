/* SPDX-License-Identifier: MIT */
/* The wake of faults as gfe inject prints it. */
#include <config.h>

#include "emu/program/cmd_inject.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/base/json_text.h"
#include "emu/views/show_events.h"
#include "emu/base/text.h"

enum { WAKE_TIME_BYTES = 48, WAKE_STEPS_SHOWN = 12 };

/* ---- comparing ------------------------------------------------------------------------------- */

/* A run's log, written out and opened. */
static struct event_log_reader *wake_log(struct inject_experiment *experiment, const char *name,
                                         struct gfe_error *error)
{
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct chunk_writer *writer = NULL;
    bool good = false;

    if (fd < 0)
        error_set_errno(error, errno, "%s", name);
    else
        writer = chunk_writer_new(fd, name, error);
    if (writer)
        good = any_simulation_log_write(&experiment->simulation, writer, error);
    chunk_writer_free(writer);
    if (good && lseek(fd, 0, SEEK_SET) != 0)
        good = error_set_errno(error, errno, "%s", name);
    if (good)
        return event_log_open_fd(fd, name, error);
    if (fd >= 0)
        (void)close(fd);
    return NULL;
}

bool inject_wake_make(struct inject_wake *wake, struct inject_run *run,
                      struct inject_experiment *experiment, struct gfe_error *error)
{
    const struct inject *inject = experiment->simulation.machine->inject;
    struct event_log_reader *golden, *again;
    bool acted = false, good;

    *wake = (struct inject_wake){0};
    for (uint32_t i = 0; i < inject->fault_count; i++)
        acted = acted || inject->state->faults[i].acted > 0;
    if (!acted)
        return true;
    golden = wake_log(&run->golden, "the log without the fault", error);
    wake->log = golden ? wake_log(experiment, "the log with the fault", error) : NULL;
    good = wake->log && wake_make(&wake->wake, golden, wake->log, error);
    event_log_close(golden);
    again = good ? wake_log(experiment, "the log with the fault", error) : NULL;
    good = again && inject_lines_make(&wake->lines, again, error);
    event_log_close(again);
    return good;
}

void inject_wake_fini(struct inject_wake *wake)
{
    wake_fini(&wake->wake);
    event_log_close(wake->log);
    *wake = (struct inject_wake){0};
}

/* ---- text ------------------------------------------------------------------------------------ */

static void step_print(FILE *file, const struct inject_wake *wake, const struct wake_step *step)
{
    char at[WAKE_TIME_BYTES], by[WAKE_TIME_BYTES];
    const gfe_ps time_ps = step->event.time_ps;

    fprintf(file, "           %s  %s: ", text_time(at, sizeof at, wake_step_ps(step)),
            event_log_unit(wake->log, step->event.unit));
    show_events_text(file, wake->log, &step->event);
    switch (step->what) {
    case WAKE_TIME:
        fprintf(file, ", %s %s",
                text_time(by, sizeof by,
                          time_ps > step->golden_ps ? time_ps - step->golden_ps
                                                    : step->golden_ps - time_ps),
                time_ps > step->golden_ps ? "later" : "earlier");
        break;
    case WAKE_OTHER:
        if (step->golden_kind == step->event.kind)
            fputs(", with other arguments", file);
        else
            fprintf(file, " instead of %s", event_log_kind(wake->log, step->golden_kind)->name);
        break;
    case WAKE_EXTRA:
        fputs(", where nothing more came", file);
        break;
    default:
        fputs(" never comes", file);
        break;
    }
    fputc('\n', file);
}

void inject_wake_print(FILE *file, const struct inject_wake *wake)
{
    const struct wake *of = &wake->wake;

    if (!wake->log)
        return;
    if (of->step_count == 0) {
        fprintf(file, "wake       none: all %" PRIu64 " events are as without it\n",
                of->golden_events);
        return;
    }
    fprintf(file,
            "wake       %" PRIu64 " of %" PRIu64 " events are as without it; in each unit first\n",
            of->same_events, of->golden_events);
    for (uint32_t i = 0; i < of->step_count && i < WAKE_STEPS_SHOWN; i++)
        step_print(file, wake, &of->steps[i]);
    if (of->step_count > WAKE_STEPS_SHOWN)
        fprintf(file, "           and %" PRIu32 " more (--json has all)\n",
                of->step_count - WAKE_STEPS_SHOWN);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *step_json(const struct inject_wake *wake, const struct wake_step *step)
{
    const struct event_log_kind *kind = event_log_kind(wake->log, step->event.kind);
    json_t *arguments = json_object();
    const bool has_golden = step->golden_ps != GFE_PS_NEVER;

    for (uint32_t i = 0; i < step->event.argument_count; i++)
        arguments = json_text_set(arguments, kind->arguments[i],
                                  json_integer((json_int_t)step->event.argument[i]));
    return json_pack(
        "{ss,sI,ss,ss,so,so,so}", "what", wake_what_text(step->what), "time_ps",
        (json_int_t)step->event.time_ps, "unit", event_log_unit(wake->log, step->event.unit),
        "event", kind->name, "arguments", arguments, "golden_ps",
        has_golden ? json_integer((json_int_t)step->golden_ps) : json_null(), "golden_event",
        step->what == WAKE_OTHER ? json_string(event_log_kind(wake->log, step->golden_kind)->name)
                                 : json_null());
}

json_t *inject_wake_json(const struct inject_wake *wake)
{
    json_t *steps;

    if (!wake->log)
        return json_null();
    steps = json_array();
    for (uint32_t i = 0; i < wake->wake.step_count; i++)
        steps = json_text_append(steps, step_json(wake, &wake->wake.steps[i]));
    return json_pack("{sI,sI,so}", "golden_events", (json_int_t)wake->wake.golden_events,
                     "same_events", (json_int_t)wake->wake.same_events, "steps", steps);
}
