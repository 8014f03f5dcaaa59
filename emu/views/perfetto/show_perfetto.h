/* SPDX-License-Identifier: MIT */
/*
 * A log as a trace for Perfetto's viewer and its SQL (docs/perfetto.md says which track means
 * what).
 *
 * It is written while the log is read: what has begun and has not ended is kept, and little else
 * (a number of the last submissions, releases and ended operations, so that what follows can be
 * joined to them), so memory does not grow with the log (of a scenario: by about
 * 120 bytes for each operation of a stream, for their names).  A slice is written when it ends, and
 * a slice with others in it when the first of them does; readers sort by time.
 *
 * Times in the trace are nanoseconds, rounded down; each slice has begin_ps and duration_ps as
 * annotations, which are exact.
 */
#ifndef GFE_EMU_VIEWS_PERFETTO_SHOW_PERFETTO_H
#define GFE_EMU_VIEWS_PERFETTO_SHOW_PERFETTO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_log.h"

enum {
    SHOW_PERFETTO_OPEN_MAX = 1 << 20, /* operations that have not ended, at a time */
    SHOW_PERFETTO_LANES_MAX = 4096,   /* what overlaps on one track */
};

/* Reads the log to its end and writes what intersects [from_ps, to_ps].  A write that fails ends
 * it: then the result is false and *error is as it was; ferror(file) tells. */
bool show_perfetto(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error);

/* The same, event by event; for whoever has the events already. */
struct show_perfetto;
struct show_perfetto *show_perfetto_new(FILE *file, const struct event_log_reader *log,
                                        gfe_ps from_ps, gfe_ps to_ps, struct gfe_error *error);
bool show_perfetto_take(struct show_perfetto *show, const struct log_event *event);
/* Ends what is open and writes out what is buffered. */
bool show_perfetto_finish(struct show_perfetto *show);
void show_perfetto_free(struct show_perfetto *show);

#endif
