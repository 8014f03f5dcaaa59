/* SPDX-License-Identifier: MIT */
/*
 * A run in a debugger: a simulation that goes forward and back, stops at breakpoints, and can be
 * read and changed between two events.  The unit has no terminal: requests are text.  gfe debug
 * (emu/program/cmd_debug.c) is the command above it; emu/debug/debug_command.h has the words.
 *
 * A step of the run is one event of the machine (emu/engine/event_queue.h).  The last step is the
 * end of the run, which logs the open waits.  Private work of a PBDMA is cut into batches of one
 * (which changes nothing in the log), so that each method is a step of its own.  The position is
 * the number of steps since the start.
 *
 * Going back restores the nearest mark, which is a snapshot of the machine, and runs forward from
 * there.  The run is the same each time, so every position is always the same state (debug_hash()).
 * Marks are taken on the way, at most DEBUG_MARKS of them, further and further apart.
 *
 * Pokes are part of the session.  Each belongs to the position at which it was made, and is made
 * again whenever the run comes there.
 *
 * Looking changes nothing.  Reads of registers through the units, translations of addresses and
 * runs ahead are made on a machine that is restored afterwards.  Exception: a watched
 * NV_PPBDMA_PB_CRC is brought up to date when it is read; only the hash of the state shows that.
 */
#ifndef GFE_EMU_DEBUG_DEBUG_H
#define GFE_EMU_DEBUG_DEBUG_H

#include <stdio.h>

#include "emu/sim/any_simulation.h"

struct debug;

/* Makes a session.  Program and options stay the caller's and must outlive the session;
 * options->log and batch_limit are ignored.  Returns NULL with a message on error. */
struct debug *debug_new(const struct any_program *program, const struct simulation_options *options,
                        struct gfe_error *error);
void debug_free(struct debug *debug);
/* Sets a callback that is called now and then while the run goes on.  true from it stops the run.
 * NULL removes it. */
void debug_on_interrupt(struct debug *debug, bool (*asked)(void *context), void *context);

/* ---- where it is ----------------------------------------------------------------------------- */

uint64_t debug_position(const struct debug *debug);
/* Returns the number of events in the log so far. */
uint64_t debug_event_count(const struct debug *debug);
gfe_ps debug_now_ps(const struct debug *debug);
/* Returns true if the run has ended. */
bool debug_at_end(const struct debug *debug);
bool debug_is_amd(const struct debug *debug);
/* Writes the SHA-256 over registers, state and memory, as hexadecimal digits.  Returns false if
 * memory is short. */
bool debug_hash(struct debug *debug, char hex[65]);

/* ---- going ----------------------------------------------------------------------------------- */

/* Units of stepping.  A step runs until after the next ... */
enum debug_unit {
    DEBUG_EVENT,  /* an event of the log */
    DEBUG_TICK,   /* any step */
    DEBUG_METHOD, /* a method of a pushbuffer (NVIDIA) */
    DEBUG_PACKET, /* a GP entry is read (NVIDIA); a packet of a queue is taken up (AMD) */
    DEBUG_SLICE,  /* a TSG or channel enters or leaves its PBDMA; a queue its slot (AMD) */
    DEBUG_KERNEL, /* a kernel starts or ends */
    DEBUG_UNITS,
};
const char *debug_unit_name(enum debug_unit unit);

/* The reason why the run has stopped. */
enum debug_why {
    DEBUG_DONE,        /* it has reached the goal */
    DEBUG_STOPPED,     /* at a breakpoint or watch: `stop` and `text` */
    DEBUG_AT_END,      /* the run has ended */
    DEBUG_AT_START,    /* the run is at its start */
    DEBUG_INTERRUPTED, /* the interrupt callback returned true */
    DEBUG_FAILED,      /* the run cannot go on: `text` */
};
struct debug_halt {
    enum debug_why why;
    uint32_t stop; /* its number */
    char text[600];
};

/* The goal of a run. */
enum debug_goal_kind {
    DEBUG_TO_END,      /* or to the start, when going back */
    DEBUG_BY_UNIT,     /* `value` of `unit` */
    DEBUG_TO_TIME,     /* after all events at or before `value` picoseconds */
    DEBUG_TO_EVENT,    /* after the step that logs event `value`, from 1 */
    DEBUG_TO_POSITION, /* after step `value` */
};
struct debug_goal {
    enum debug_goal_kind kind;
    enum debug_unit unit;
    uint64_t value;
};

/* Runs on until the goal or the first breakpoint or watch, whichever comes first.  Returns false
 * with a message only if the host's memory is short. */
bool debug_run(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
               struct gfe_error *error);
/* Runs backwards.  DEBUG_TO_END goes to the last breakpoint before here, or to the start.
 * DEBUG_BY_UNIT ignores breakpoints. */
bool debug_run_back(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                    struct gfe_error *error);
/* Goes to the goal, forward or back, and ignores breakpoints. */
bool debug_goto(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                struct gfe_error *error);

/* ---- breakpoints and watches (debug_stop.c) -------------------------------------------------- */

/*
 * Adds a breakpoint or a watch; `text` is the text after the word break:
 *     event KIND [ARGUMENT=VALUE...]   an event of the log
 *     rule LABEL                       an event that names the rule, such as the end of a WAIT
 *     channel N, queue N               an event of that channel or queue (AMD: by its doorbell)
 *     method NAME|OFFSET               the PBDMA has processed that method
 *     address PLACE [BYTES]            an event names an address in it, or memory there changes
 *     register PLACE                   its value changes
 *     fault                            an error, an injected fault, an interrupt of one
 * or, with is_watch, a register or memory whose changes are shown.  Returns its number, or 0 with a
 * message.
 */
uint32_t debug_break(struct debug *debug, const char *text, bool is_watch, struct gfe_error *error);
/* Removes one; 0 removes all.  Returns false if there is none of that number. */
bool debug_delete(struct debug *debug, uint32_t number);
void debug_list_stops(const struct debug *debug, FILE *file);

/* ---- looking (debug_show.c, debug_why.c) ----------------------------------------------------- */

/* Prints the position, the time, the events of the last step, the next event, and the place of each
 * PBDMA in its stream, with `context` dwords before and after it.  On AMD's GPUs it prints the
 * place of each queue with work, with `context` packets after the current one. */
bool debug_where(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error);
/* Prints the last `count` events of the log. */
bool debug_events(struct debug *debug, uint32_t count, FILE *file, struct gfe_error *error);
/* Prints all present waits: by which rule, for which subject, since when and, from the run ahead,
 * for how long. */
bool debug_why_waits(struct debug *debug, FILE *file, struct gfe_error *error);
/* Prints the work on each engine: PBDMAs or slots, copy engines, SMs or CUs, and the queues before
 * them. */
bool debug_who(struct debug *debug, FILE *file, struct gfe_error *error);
/* Prints a register with its fields, a field, memory, a parameter, a choice point, or a rule. */
bool debug_print(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* Prints memory: PLACE [DWORDS]. */
bool debug_dump(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* Prints a view of gfe inspect: runlist0, hqds, regs UNIT ... */
bool debug_view(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* Explains the time of an operation that has ended, as gfe explain does; "" stands for all. */
bool debug_explain(struct debug *debug, const char *operation, FILE *file, struct gfe_error *error);

/* ---- for screens (debug_now.c) --------------------------------------------------------------- */

/* An event near the present. */
struct debug_row {
    uint64_t number; /* the number for goto event:N */
    uint32_t unit;   /* its unit, for debug_register_unit(); UINT32_MAX: a unit without registers */
    char text[240];  /* as debug_events() prints it, without a newline */
};
/* Writes `before` events before the present, and `behind` after it if they come soon.  `rows` has
 * room for all; *row_count is their number.  Events up to number debug_event_count() lie before the
 * present.
 */
bool debug_around(struct debug *debug, uint32_t before, uint32_t behind, struct debug_row *rows,
                  uint32_t *row_count, struct gfe_error *error);
/* A chart of the work up to now, as gfe show draws it: rows of channels or queues, engines, SMs or
 * CUs.
 */
struct debug_chart {
    uint32_t columns;
    bool ascii;
    gfe_ps span_ps; /* how far back; 0: some hundred events */
};
bool debug_chart(struct debug *debug, const struct debug_chart *chart, FILE *file,
                 struct gfe_error *error);
/* Prints the last event that names a rule, and that rule.  Prints nothing if no recent event names
 * one.
 */
bool debug_last_rule(struct debug *debug, FILE *file, struct gfe_error *error);
/* Return the number of units with registers; the name of one, as `regs` of debug_view() takes it;
 * and the unit that has logged the last event.  UINT32_MAX means that this unit has no registers.
 */
uint32_t debug_register_units(const struct debug *debug);
void debug_register_unit(const struct debug *debug, uint32_t index, char *name, size_t bytes);
uint32_t debug_unit_of_last(const struct debug *debug);
/* Writes the place in memory that a PBDMA reads next.  Returns false if none reads. */
bool debug_stream_place(const struct debug *debug, char *text, size_t bytes);
/* Sets how many steps the commands why and who run ahead at most. */
void debug_look_ahead(struct debug *debug, uint32_t steps);

/* ---- changing (debug_poke.c) ----------------------------------------------------------------- */

/* Makes a change now: a register's assignment or a verb as gfe run --poke has them, without a time;
 * or memory PLACE = VALUE, a dword. */
bool debug_poke(struct debug *debug, const char *text, struct gfe_error *error);
void debug_list_pokes(const struct debug *debug, FILE *file);

#endif
