/* SPDX-License-Identifier: MIT */
/*
 * A log as a trace for Perfetto's viewer and its SQL (docs/perfetto.md explains the tracks).
 *
 * The trace is written while the log is read.  The writer keeps what has begun and has not ended.
 * It also keeps a fixed number of recent submissions, releases and ended operations, so that later
 * events can be joined to them.  So memory does not grow with the log.  The exception is a
 * scenario: each operation of a stream takes about 120 bytes for its name.
 *
 * A slice is written when it ends.  A slice with others in it is begun when the first of them ends.
 * Readers sort by time.
 *
 * Times in the trace are nanoseconds, rounded down.  Each slice has begin_ps and duration_ps as
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

enum { SHOW_PERFETTO_LANES_MAX = 4096 }; /* slices that overlap on one track */

/* Reads the log to its end and writes what intersects [from_ps, to_ps].  Returns false with `error`
 * set on failure.  If a write fails, it returns false and leaves *error unchanged; then
 * ferror(file) is true. */
bool show_perfetto(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                   struct gfe_error *error);

struct show_perfetto;
/* Begins a trace for a caller that has the log's events already.  The caller passes each event to
 * show_perfetto_take() and frees the result with show_perfetto_free().  `file` and `log` are
 * borrowed.  Returns NULL with `error` set on failure. */
struct show_perfetto *show_perfetto_new(FILE *file, const struct event_log_reader *log,
                                        gfe_ps from_ps, gfe_ps to_ps, struct gfe_error *error);
/* Takes the next event.  Returns false on failure. */
bool show_perfetto_take(struct show_perfetto *show, const struct log_event *event);
/* Ends open slices and writes the buffered bytes to the file.  Returns false on failure. */
bool show_perfetto_finish(struct show_perfetto *show);
void show_perfetto_free(struct show_perfetto *show);

#endif
