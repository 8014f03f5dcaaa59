/* SPDX-License-Identifier: MIT */
/*
 * An event log as lines of text, one an event, in order: time, unit, kind, arguments by name, rule,
 * origin.  For grep, for golden logs, for reading what a picture leaves out.
 */
#ifndef GFE_EMU_VIEWS_SHOW_EVENTS_H
#define GFE_EMU_VIEWS_SHOW_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/log/event_list.h"
#include "emu/log/event_log.h"

/* Calls `take` for each event in [from_ps, to_ps], with its origin or that of the GP entry it
 * belongs to. */
typedef void show_events_take(void *context, const struct log_event *event,
                              enum event_origin origin);
bool show_events_each(struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                      show_events_take *take, void *context, struct gfe_error *error);

/* Prints kind, arguments and rule of an event, without a new line. */
void show_events_text(FILE *file, const struct event_log_reader *log,
                      const struct log_event *event);

/* Prints the events in [from_ps, to_ps]; reads the log to its end. */
bool show_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                 struct gfe_error *error);

#endif
