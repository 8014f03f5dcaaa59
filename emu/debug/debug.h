/* SPDX-License-Identifier: MIT */
/*
 * A run under the eyes of a debugger: a simulation that goes forward and back, stops where it is
 * told to, and is looked at and changed between two events.  No terminal: what is asked for comes
 * as text.  gfe debug (emu/program/cmd_debug.c) is the command above it, emu/debug/debug_command.h
 * has the words.
 *
 * A step of the run is one event of the machine (emu/engine/event_queue.h); the last step is the
 * end of the run, at which what still waits is logged.  Private work of a PBDMA is cut into batches
 * of one (which changes nothing in the log), so that each method is a step of its own.  The
 * position is the number of steps since the start.
 *
 * Going back restores the nearest mark - a snapshot of the machine - and runs forward from there:
 * the run is the same each time, so every position is always the same state (debug_hash()).  Marks
 * are taken on the way, at most DEBUG_MARKS of them, further and further apart.
 *
 * Pokes are part of the session: each belongs to the position at which it was made, and is made
 * again whenever the run comes there.
 *
 * Looking changes nothing: what reads registers through the units, translates addresses or runs
 * ahead is done on a machine that is put back afterwards.  Exception: a watched NV_PPBDMA_PB_CRC is
 * brought up to date when it is looked at, which the hash of the state shows, and nothing else.
 */
#ifndef GFE_DEVICES_DEBUG_H
#define GFE_DEVICES_DEBUG_H

#include <stdio.h>

#include "emu/sim/any_simulation.h"

struct debug;

/* Program and options stay the caller's and must outlive the session; options->log and batch_limit
 * are not looked at.  NULL with a message. */
struct debug *debug_new(const struct any_program *program, const struct simulation_options *options,
                        struct gfe_error *error);
void debug_free(struct debug *debug);
/* Is asked now and then while the run goes on; true stops it where it is.  NULL: nobody asks. */
void debug_on_interrupt(struct debug *debug, bool (*asked)(void *context), void *context);

/* ---- where it is ----------------------------------------------------------------------------- */

uint64_t debug_position(const struct debug *debug);
/* Events in the log so far. */
uint64_t debug_event_count(const struct debug *debug);
gfe_ps debug_now_ps(const struct debug *debug);
/* Nothing is left to do. */
bool debug_at_end(const struct debug *debug);
bool debug_is_amd(const struct debug *debug);
/* SHA-256 over registers, state and memory, as hexadecimal digits; false: no memory. */
bool debug_hash(struct debug *debug, char hex[65]);

/* ---- going ----------------------------------------------------------------------------------- */

/* What a step may be: until the run comes behind ... */
enum debug_unit {
    DEBUG_EVENT,  /* an event of the log */
    DEBUG_TICK,   /* any step */
    DEBUG_METHOD, /* a method of a pushbuffer (NVIDIA) */
    DEBUG_PACKET, /* a GP entry is read (NVIDIA); a packet of a queue is taken up (AMD) */
    DEBUG_SLICE,  /* a TSG or channel goes on its PBDMA or leaves; a queue its slot (AMD) */
    DEBUG_KERNEL, /* a kernel starts or ends */
    DEBUG_UNITS,
};
const char *debug_unit_name(enum debug_unit unit);

/* Why the run stands where it stands. */
enum debug_why {
    DEBUG_DONE,        /* it is where it was told to go */
    DEBUG_STOPPED,     /* at a breakpoint or watch: `stop` and `text` */
    DEBUG_AT_END,      /* the run has ended */
    DEBUG_AT_START,    /* there is nothing before */
    DEBUG_INTERRUPTED, /* somebody asked */
    DEBUG_FAILED,      /* it cannot go on: `text` */
};
struct debug_halt {
    enum debug_why why;
    uint32_t stop; /* its number */
    char text[600];
};

/* Where to go. */
enum debug_goal_kind {
    DEBUG_TO_END,      /* or to the start, when going back */
    DEBUG_BY_UNIT,     /* `value` of `unit` */
    DEBUG_TO_TIME,     /* behind all events at or before `value` picoseconds */
    DEBUG_TO_EVENT,    /* behind the step that logs event `value`, from 1 */
    DEBUG_TO_POSITION, /* behind step `value` */
};
struct debug_goal {
    enum debug_goal_kind kind;
    enum debug_unit unit;
    uint64_t value;
};

/* Runs on until the goal or the first breakpoint or watch, whichever comes first.  False with a
 * message only when the host has no memory. */
bool debug_run(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
               struct gfe_error *error);
/* The same backwards: DEBUG_TO_END (to the last breakpoint before here, or the start) or
 * DEBUG_BY_UNIT, which heeds no breakpoints. */
bool debug_run_back(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                    struct gfe_error *error);
/* There, forward or back, past breakpoints. */
bool debug_goto(struct debug *debug, const struct debug_goal *goal, struct debug_halt *halt,
                struct gfe_error *error);

/* ---- breakpoints and watches (debug_stop.c) -------------------------------------------------- */

/*
 * Adds one; `text` is what follows the word break:
 *     event KIND [ARGUMENT=VALUE...]   an event of the log
 *     rule LABEL                       an event that names the rule, such as the end of a WAIT by
 * it channel N, queue N               an event of that channel or queue (AMD: by its doorbell)
 *     method NAME|OFFSET               the PBDMA has processed that method
 *     address PLACE [BYTES]            an event names an address in it, or memory there changes
 *     register PLACE                   its value changes
 *     fault                            an error, an injected fault, an interrupt of one
 * or, with is_watch, a register or memory whose changes are shown.  The number that it gets; 0 with
 * a message.
 */
uint32_t debug_break(struct debug *debug, const char *text, bool is_watch, struct gfe_error *error);
/* Takes one away, or all (0); false: there is none of that number. */
bool debug_delete(struct debug *debug, uint32_t number);
void debug_list_stops(const struct debug *debug, FILE *file);

/* ---- looking (debug_show.c, debug_why.c) ----------------------------------------------------- */

/* Position, time, what the last step logged, what comes next, and where each PBDMA stands in its
 * stream, with `context` dwords before and behind; on AMD's GPUs where each queue stands that has
 * something to do, with `context` packets behind the one at hand. */
bool debug_where(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error);
/* The last `count` events of the log. */
bool debug_events(struct debug *debug, uint32_t count, FILE *file, struct gfe_error *error);
/* What waits now, by which rule, behind whom, since when and, as the run goes on, for how long. */
bool debug_why_waits(struct debug *debug, FILE *file, struct gfe_error *error);
/* What is on each engine: PBDMAs or slots, copy engines, SMs or CUs, and the queues before them. */
bool debug_who(struct debug *debug, FILE *file, struct gfe_error *error);
/* A register with its fields, a field, memory, a parameter, a choice point, a rule. */
bool debug_print(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* Memory: PLACE [DWORDS]. */
bool debug_dump(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* A view of gfe inspect: runlist0, hqds, regs UNIT ... */
bool debug_view(struct debug *debug, const char *text, FILE *file, struct gfe_error *error);
/* Where the time of an operation that has ended went, as gfe explain says it; "": of all. */
bool debug_explain(struct debug *debug, const char *operation, FILE *file, struct gfe_error *error);

/* ---- for screens (debug_now.c) --------------------------------------------------------------- */

/* An event near the present. */
struct debug_row {
    uint64_t number; /* what goto event:N takes */
    uint32_t unit;   /* whose it is, for debug_register_unit(); UINT32_MAX: it has no registers */
    char text[240];  /* as debug_events() prints it, without a newline */
};
/* So many events before the present, and so many behind it, if they come soon: `rows` has room for
 * all, *row_count says how many there are.  Those up to debug_event_count() lie before. */
bool debug_around(struct debug *debug, uint32_t before, uint32_t behind, struct debug_row *rows,
                  uint32_t *row_count, struct gfe_error *error);
/* What ran up to now, as gfe show draws it: rows of channels or queues, engines, SMs or CUs. */
struct debug_chart {
    uint32_t columns;
    bool ascii;
    gfe_ps span_ps; /* how far back; 0: some hundred events */
};
bool debug_chart(struct debug *debug, const struct debug_chart *chart, FILE *file,
                 struct gfe_error *error);
/* The rule that the last event names which names one, and that event; nothing if none did lately.
 */
bool debug_last_rule(struct debug *debug, FILE *file, struct gfe_error *error);
/* How many units have registers; the name of one, as debug_view()'s `regs` has it; the one that has
 * logged the last event, UINT32_MAX: it has none. */
uint32_t debug_register_units(const struct debug *debug);
void debug_register_unit(const struct debug *debug, uint32_t index, char *name, size_t bytes);
uint32_t debug_unit_of_last(const struct debug *debug);
/* The place in memory that a PBDMA reads next; false: none does. */
bool debug_stream_place(const struct debug *debug, char *text, size_t bytes);
/* why and who run ahead by at most so many steps. */
void debug_look_ahead(struct debug *debug, uint32_t steps);

/* ---- changing (debug_poke.c) ----------------------------------------------------------------- */

/* Now: a register's assignment or a verb as gfe run --poke has them, without a time; or
 * memory PLACE = VALUE, a dword. */
bool debug_poke(struct debug *debug, const char *text, struct gfe_error *error);
void debug_list_pokes(const struct debug *debug, FILE *file);

#endif
