/* SPDX-License-Identifier: MIT */
/*
 * An event log as lines of text, one line for each event, in order.  A line has the event's time,
 * unit, kind, arguments by name, rule and origin.  It serves grep, golden logs, and readers who
 * need what a picture leaves out.
 */
#ifndef GFE_EMU_VIEWS_SHOW_EVENTS_H
#define GFE_EMU_VIEWS_SHOW_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/log/event_list.h"
#include "emu/log/event_log.h"

/* Takes one event.  `origin` is the event's origin, or that of the GP entry it belongs to. */
typedef void show_events_take(void *context, const struct log_event *event,
                              enum event_origin origin);
/* Calls `take` with `context` for each event in [from_ps, to_ps].  Returns false with `error` set
 * if the log cannot be read. */
bool show_events_each(struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                      show_events_take *take, void *context, struct gfe_error *error);

/* Prints an event's kind, arguments and rule, without a newline. */
void show_events_text(FILE *file, const struct event_log_reader *log,
                      const struct log_event *event);
/* Writes the same into a text, which is cut where `bytes` end.  Needs no memory. */
void show_events_words(char *text, size_t bytes, const struct event_log_reader *log,
                       const struct log_event *event);

/* Reads the log to its end and prints the events in [from_ps, to_ps].  Returns false with `error`
 * set if the log cannot be read. */
bool show_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                 struct gfe_error *error);

#endif
