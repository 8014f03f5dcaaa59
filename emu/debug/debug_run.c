/* SPDX-License-Identifier: MIT */
/* Running to where something happens, forward and back. */
#include <config.h>

#include "emu/debug/debug_private.h"

#include <stdio.h>

enum { INTERRUPT_STEPS = 256 }; /* so many from one question to the next */

static bool is_interrupted(struct debug *debug)
{
    return debug->position % INTERRUPT_STEPS == 0 && debug->interrupt &&
           debug->interrupt(debug->interrupt_context);
}

static bool goal_wants_methods(const struct debug_goal *goal)
{
    return goal->kind == DEBUG_BY_UNIT && goal->unit == DEBUG_METHOD;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Is it where it was to go? */
static bool goal_is_reached(const struct debug *debug, const struct debug_goal *goal)
{
    switch (goal->kind) {
    case DEBUG_TO_TIME: /* the end of the run has no time of its own */
        return machine_next_ps(debug->machine) != GFE_PS_NEVER &&
               machine_next_ps(debug->machine) > goal->value;
    case DEBUG_TO_EVENT:
        return debug_event_count(debug) >= goal->value;
    case DEBUG_TO_POSITION:
        return debug->position >= goal->value;
    default:
        return false;
    }
}

/* One step could not be made. */
static void halt_at_end(const struct debug *debug, struct debug_halt *halt)
{
    halt->why = debug->failure[0] != '\0' ? DEBUG_FAILED : DEBUG_AT_END;
    (void)snprintf(halt->text, sizeof halt->text, "%s", debug->failure);
}

static void forward(struct debug *debug, const struct debug_goal *goal, bool heeds_stops,
                    struct debug_halt *halt)
{
    const bool methods = goal_wants_methods(goal) || (heeds_stops && debug_has_method_stops(debug));
    uint64_t left = goal->value;

    debug_look_begin(debug);
    while (!goal_is_reached(debug, goal)) {
        const struct debug_stop *stop;

        if (!debug_advance(debug)) {
            halt_at_end(debug, halt);
            return;
        }
        stop = debug_look(debug, methods, halt);
        if (stop && heeds_stops) {
            halt->why = DEBUG_STOPPED;
            halt->stop = stop->number;
            return;
        }
        if (goal->kind == DEBUG_BY_UNIT && (debug->units >> goal->unit & 1) && --left == 0)
            break;
        if (is_interrupted(debug)) {
            halt->why = DEBUG_INTERRUPTED;
            return;
        }
    }
    halt->why = DEBUG_DONE;
}

/* A step that fails leaves the machine in the middle of it: back to where it was before. */
static bool mend(struct debug *debug, struct gfe_error *error)
{
    char failure[sizeof debug->failure];
    bool done;

    if (debug->failure[0] == '\0')
        return true;
    (void)snprintf(failure, sizeof failure, "%s", debug->failure);
    done = debug_move(debug, debug->position, error);
    (void)snprintf(debug->failure, sizeof debug->failure, "%s", failure);
    debug->seen = *debug->machine->log.cursor;
    return done;
}

bool debug_run(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
               struct gfe_error *error)
{
    *halt = (struct debug_halt){0};
    forward(debug, goal, true, halt);
    return mend(debug, error);
}

/* ---- back ------------------------------------------------------------------------------------ */

static bool is_hit(struct debug *debug, const struct debug_goal *goal, bool methods,
                   struct debug_halt *halt)
{
    const struct debug_stop *stop = debug_look(debug, methods, halt);

    if (goal->kind == DEBUG_BY_UNIT)
        return debug->units >> goal->unit & 1;
    halt->stop = stop ? stop->number : 0;
    return stop != NULL;
}

/* Walks a stretch of the run, from the present position up to, but without, `end`.  Stops after hit
 * number `wanted`.  Returns the number of hits. */
static uint64_t stretch_walk(struct debug *debug, const struct debug_goal *goal, uint64_t end,
                             uint64_t wanted, struct debug_halt *halt)
{
    const bool methods = goal_wants_methods(goal) || debug_has_method_stops(debug);
    uint64_t hits = 0;

    debug_look_begin(debug);
    while (hits < wanted && debug->position + 1 < end && debug_advance(debug))
        hits += is_hit(debug, goal, methods, halt);
    return hits;
}

/* Returns false with a message if the run could not come where it has been, which a short memory
 * alone can cause.  Brings the session back to between two steps then. */
static bool has_come(struct debug *debug, struct gfe_error *error)
{
    if (debug->failure[0] == '\0')
        return true;
    error_set(error, ERROR_SYSTEM, "%s", debug->failure);
    (void)mend(debug, error);
    return false;
}

/* To hit number `wanted`, counted back from `end`. */
static bool back_to(struct debug *debug, const struct debug_goal *goal, uint64_t end,
                    uint64_t wanted, struct debug_halt *halt, struct gfe_error *error)
{
    uint64_t from = end - 1;

    for (;;) {
        uint64_t hits;

        if (!debug_restore(debug, from, error))
            return false;
        from = debug->position;
        hits = stretch_walk(debug, goal, end, UINT64_MAX, halt);
        if (!has_come(debug, error))
            return false;
        if (hits >= wanted) {
            if (!debug_restore(debug, from, error))
                return false;
            (void)stretch_walk(debug, goal, end, hits - wanted + 1, halt);
            halt->why = goal->kind == DEBUG_BY_UNIT ? DEBUG_DONE : DEBUG_STOPPED;
            return has_come(debug, error);
        }
        wanted -= hits;
        if (from == 0 || (debug->interrupt && debug->interrupt(debug->interrupt_context)))
            break;
        end = from + 1; /* what the mark's own step did counts, too */
        from--;
    }
    halt->why = from == 0 ? DEBUG_AT_START : DEBUG_INTERRUPTED;
    return debug_move(debug, from, error);
}

bool debug_run_back(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                    struct gfe_error *error)
{
    const uint64_t end = debug->position;

    *halt = (struct debug_halt){0};
    debug->failure[0] = '\0';
    if (end == 0) {
        halt->why = DEBUG_AT_START;
        return true;
    }
    if (goal->kind == DEBUG_BY_UNIT && goal->unit == DEBUG_TICK) {
        halt->why = goal->value > end ? DEBUG_AT_START : DEBUG_DONE;
        return debug_move(debug, goal->value > end ? 0 : end - goal->value, error);
    }
    return back_to(debug, goal, end, goal->kind == DEBUG_BY_UNIT ? goal->value : 1, halt, error);
}

/* ---- there ----------------------------------------------------------------------------------- */

/* Returns true if the goal lies before the present position of the run. */
static bool goal_is_back(const struct debug *debug, const struct debug_goal *goal)
{
    switch (goal->kind) {
    case DEBUG_TO_TIME:
        return goal->value < debug_now_ps(debug);
    case DEBUG_TO_EVENT:
        return goal->value < debug_event_count(debug);
    case DEBUG_TO_POSITION:
        return goal->value < debug->position;
    default:
        return false;
    }
}

bool debug_goto(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                struct gfe_error *error)
{
    *halt = (struct debug_halt){0};
    if (goal_is_back(debug, goal) &&
        !debug_restore(debug, goal->kind == DEBUG_TO_POSITION ? goal->value : 0, error))
        return false;
    forward(debug, goal, false, halt);
    return mend(debug, error);
}
