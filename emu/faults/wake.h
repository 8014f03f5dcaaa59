/* SPDX-License-Identifier: MIT */
/*
 * The wake of a fault: how far what it changed has come, unit by unit, from two logs of one
 * program, without the fault (golden) and with it.
 *
 * Each unit of the hardware, and each driver and program, has its own sequence of events.  Where a
 * unit's sequences are no longer the same, the fault has reached it: with the same event at another
 * time, with another event, with one that no longer comes, or one that the golden run has not.  The
 * first of each unit, in the order of time, is the path from the fault to the outcome.  What
 * happens at one time in two units is in the order of the log.
 *
 * Compared are the kind of event and its arguments; not compared are running numbers (of grids,
 * copies, waits), which shift when something before is lost, nor durations and times that events
 * quote, which say nothing that the events' own times do not.  The event that the injector itself
 * logs is left out.
 */
#ifndef GFE_EMU_WAKE_H
#define GFE_EMU_WAKE_H

#include "emu/log/event_log.h"

enum wake_what {
    WAKE_TIME,    /* the same event, earlier or later */
    WAKE_OTHER,   /* another event, or with other arguments, comes in its place */
    WAKE_EXTRA,   /* nothing is in its place in the golden run: that ends before */
    WAKE_MISSING, /* the golden run's event never comes */
    WAKE_WHATS,
};

struct wake_step {
    enum wake_what what;
    struct log_event event; /* of the faulty run; WAKE_MISSING: the golden run's */
    gfe_ps golden_ps;       /* when the golden run's comes; GFE_PS_NEVER: never */
    uint32_t golden_kind;   /* of WAKE_OTHER: what it is */
    uint64_t order;         /* its place in the log */
};

struct wake {
    struct wake_step
        *steps; /* owned; in the order of time, at most two a unit: first another time, then more */
    uint32_t step_count;
    uint64_t same_events, golden_events; /* of these so many are the same, with their times */
};

/* Reads both logs, which must have the same tables, to their ends.  False with a message: a log is
 * damaged, they are of different programs, or memory is short.  wake_fini() in any case. */
bool wake_make(struct wake *wake, struct event_log_reader *golden, struct event_log_reader *faulty,
               struct gfe_error *error);
void wake_fini(struct wake *wake);
/* When the runs part there: the earlier of both times. */
gfe_ps wake_step_ps(const struct wake_step *step);
/* A word or two: "another time". */
const char *wake_what_text(enum wake_what what);

#endif
