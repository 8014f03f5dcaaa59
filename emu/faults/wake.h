/* SPDX-License-Identifier: MIT */
/*
 * The wake of a fault: the spread of its effects, unit by unit.  It is found from two logs of one
 * program, without the fault (golden) and with it.
 *
 * Each unit of the hardware, and each driver and program, has its own sequence of events.  The
 * fault has reached a unit where its two sequences begin to differ: by the same event at another
 * time, by another event, by an event that no longer comes, or by one that the golden run lacks.
 * The first differences of all units, in the order of time, are the path from the fault to the
 * outcome. Differences at one time in two units are in the order of the log.
 *
 * The comparison covers the kind of event and its arguments.  It leaves out running numbers (of
 * grids, copies, waits), which shift when an earlier one is lost.  It also leaves out durations and
 * times that events quote, which add nothing to the events' own times.  The injector's own event is
 * left out.
 */
#ifndef GFE_EMU_FAULTS_WAKE_H
#define GFE_EMU_FAULTS_WAKE_H

#include "emu/log/event_log.h"

enum wake_what {
    WAKE_TIME,    /* the same event, earlier or later */
    WAKE_OTHER,   /* another event, or with other arguments, comes in its place */
    WAKE_EXTRA,   /* the golden run has no event in its place: its sequence ends before */
    WAKE_MISSING, /* the golden run's event never comes */
    WAKE_WHATS,
};

struct wake_step {
    enum wake_what what;
    struct log_event event; /* of the faulty run; WAKE_MISSING: the golden run's */
    gfe_ps golden_ps;       /* time of the golden run's event; GFE_PS_NEVER: it has none */
    uint32_t golden_kind;   /* WAKE_OTHER: kind of the golden run's event */
    uint64_t order;         /* its place in the log */
};

struct wake {
    struct wake_step
        *steps; /* owned; in the order of time, at most two a unit: first another time, then more */
    uint32_t step_count;
    uint64_t same_events,
        golden_events; /* events that are the same, with their times; all events */
};

/* Reads both logs, which must have the same tables, to their ends.  Returns false with a message if
 * a log is damaged, if they are of different programs, or if memory is short.  Call wake_fini() in
 * any case. */
bool wake_make(struct wake *wake, struct event_log_reader *golden, struct event_log_reader *faulty,
               struct gfe_error *error);
void wake_fini(struct wake *wake);
/* Returns the time at which the two runs first differ there: the earlier of both times. */
gfe_ps wake_step_ps(const struct wake_step *step);
/* Returns a word or two for a message, such as "another time". */
const char *wake_what_text(enum wake_what what);

#endif
