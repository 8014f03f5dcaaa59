/* SPDX-License-Identifier: MIT */
/* A session's machine, its marks, and how it goes forward and back. */
#include <config.h>

#include "emu/debug/debug_private.h"
#include "emu/engine/arena_watch.h"
#include "emu/sim/gpus.h"

#include <stdlib.h>
#include <string.h>

static const char *const unit_names[DEBUG_UNITS] = {"event",  "tick",  "method",
                                                    "packet", "slice", "kernel"};

const char *debug_unit_name(enum debug_unit unit)
{
    return unit_names[unit];
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* Every second one goes, the first stays. */
static void marks_thin(struct debug *debug)
{
    uint32_t kept = 1;

    for (uint32_t i = 1; i < debug->mark_count; i++)
        if (i % 2 == 0)
            debug->marks[kept++] = debug->marks[i];
        else
            machine_snapshot_free(debug->marks[i].snapshot);
    debug->mark_count = kept;
    debug->stride *= 2;
}

/* A mark here, if it is far enough behind the last one.  Without memory for one there is none: the
 * way back is longer then. */
static void mark_take(struct debug *debug)
{
    struct machine_snapshot *snapshot;

    if (debug->mark_count > 0 &&
        debug->position < debug->marks[debug->mark_count - 1].position + debug->stride)
        return;
    if (debug->mark_count == DEBUG_MARKS)
        marks_thin(debug);
    snapshot = machine_take(debug->machine);
    if (snapshot)
        debug->marks[debug->mark_count++] = (struct debug_mark){debug->position, snapshot};
}

void debug_forget_marks(struct debug *debug, uint64_t position)
{
    while (debug->mark_count > 1 && debug->marks[debug->mark_count - 1].position > position)
        machine_snapshot_free(debug->marks[--debug->mark_count].snapshot);
}

/* ---- a session ------------------------------------------------------------------------------- */

static bool session_init(struct debug *debug, const struct any_program *program,
                         const struct simulation_options *options, struct gfe_error *error)
{
    struct simulation_options own = *options;

    own.log = NULL;
    own.batch_limit = 1;
    if (!any_simulation_new(program, &own, &debug->simulation, error))
        return false;
    debug->machine = debug->simulation.machine;
    debug->is_amd = !debug->simulation.ops->vendor->has_methods;
    debug->stride = DEBUG_FIRST_STRIDE;
    debug->ahead_steps = DEBUG_AHEAD_STEPS;
    /* Each look takes a snapshot and restores it: then only pages that were written cost. */
    if (!debug->machine->arena.watch)
        (void)arena_watch(&debug->machine->arena, NULL);
    mark_take(debug);
    if (debug->mark_count == 0)
        return error_set(error, ERROR_SYSTEM, "no memory for a snapshot");
    if (!debug_stream_init(debug, error))
        return false;
    debug_kinds_init(debug);
    debug->seen = *debug->machine->log.cursor;
    return debug_words_load(debug, error);
}

struct debug *debug_new(const struct any_program *program, const struct simulation_options *options,
                        struct gfe_error *error)
{
    struct debug *debug = calloc(1, sizeof *debug);

    if (!debug)
        error_set(error, ERROR_SYSTEM, "no memory for a session");
    else if (session_init(debug, program, options, error))
        return debug;
    debug_free(debug);
    return NULL;
}

void debug_free(struct debug *debug)
{
    if (!debug)
        return;
    for (uint32_t i = 0; i < debug->mark_count; i++)
        machine_snapshot_free(debug->marks[i].snapshot);
    event_log_close(debug->words);
    any_simulation_free(&debug->simulation);
    debug_stream_fini(debug);
    free(debug);
}

void debug_on_interrupt(struct debug *debug, bool (*asked)(void *context), void *context)
{
    debug->interrupt = asked;
    debug->interrupt_context = context;
}

void debug_look_ahead(struct debug *debug, uint32_t steps)
{
    debug->ahead_steps = steps;
}

uint64_t debug_position(const struct debug *debug)
{
    return debug->position;
}

uint64_t debug_event_count(const struct debug *debug)
{
    return debug->machine->log.cursor->event_count;
}

gfe_ps debug_now_ps(const struct debug *debug)
{
    return machine_now(debug->machine);
}

bool debug_at_end(const struct debug *debug)
{
    return any_simulation_ended(&debug->simulation);
}

bool debug_is_amd(const struct debug *debug)
{
    return debug->is_amd;
}

bool debug_hash(struct debug *debug, char hex[65])
{
    return machine_hash(debug->machine, hex);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The machine's next event, or the end of the run. */
static bool machine_advance(struct debug *debug)
{
    struct gfe_error error = {0};

    if (machine_step(debug->machine))
        return true;
    if (!machine_failed(debug->machine))
        (void)any_simulation_run(&debug->simulation, GFE_PS_NEVER, &error);
    return !machine_failed(debug->machine);
}

bool debug_advance(struct debug *debug)
{
    struct gfe_error error = {0};

    if (debug_at_end(debug) || debug->failure[0] != '\0')
        return false;
    if (!machine_advance(debug)) {
        (void)snprintf(debug->failure, sizeof debug->failure, "%s", debug->machine->error.text);
        return false;
    }
    debug->position++;
    mark_take(debug);
    if (debug_pokes_apply(debug, &error))
        return true;
    (void)snprintf(debug->failure, sizeof debug->failure, "%s", error.text);
    return false;
}

bool debug_restore(struct debug *debug, uint64_t position, struct gfe_error *error)
{
    uint32_t i = debug->mark_count - 1;

    while (debug->marks[i].position > position)
        i--;
    if (!machine_restore(debug->machine, debug->marks[i].snapshot))
        return error_set(error, ERROR_SYSTEM, "%s", debug->machine->error.text);
    debug->position = debug->marks[i].position;
    debug->failure[0] = '\0';
    debug->logged = 0;
    return debug_pokes_apply(debug, error);
}

bool debug_move(struct debug *debug, uint64_t position, struct gfe_error *error)
{
    if ((position < debug->position || debug->failure[0] != '\0') &&
        !debug_restore(debug, position, error))
        return false;
    while (debug->position < position) {
        const uint64_t before = debug_event_count(debug);

        if (!debug_advance(debug))
            break;
        debug->logged = (uint32_t)(debug_event_count(debug) - before);
    }
    return debug->failure[0] == '\0' || error_set(error, ERROR_SYSTEM, "%s", debug->failure);
}

bool debug_machine_is_well(const struct debug *debug, struct gfe_error *error)
{
    const struct gfe_error *failure = &debug->machine->error;

    return failure->kind != ERROR_SYSTEM || error_set(error, ERROR_SYSTEM, "%s", failure->text);
}

/* ---- holding still --------------------------------------------------------------------------- */

struct machine_snapshot *debug_hold(struct debug *debug, struct gfe_error *error)
{
    struct machine_snapshot *snapshot = machine_take(debug->machine);

    if (!snapshot)
        error_set(error, ERROR_SYSTEM, "no memory for a snapshot");
    return snapshot;
}

bool debug_put_back(struct debug *debug, struct machine_snapshot *snapshot, struct gfe_error *error)
{
    const bool done = machine_restore(debug->machine, snapshot);

    machine_snapshot_free(snapshot);
    return done || error_set(error, ERROR_SYSTEM, "%s", debug->machine->error.text);
}
