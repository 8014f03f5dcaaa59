/* SPDX-License-Identifier: MIT */
/*
 * The events of a log, decoded ahead.
 *
 * For whoever does much with each event: once a log proves to be long, a second thread decodes, by
 * the batch, while the events before are worked on.  What comes out is what event_log_read() gives,
 * in the same order, and so is what fails.
 *
 * Not for logs that are fed.  A log that is no regular file is read without a thread: a pipe may
 * never come to its end, and then nobody could wait for the thread.
 */
#ifndef GFE_EMU_EVENT_LOG_AHEAD_H
#define GFE_EMU_EVENT_LOG_AHEAD_H

#include "emu/log/event_log.h"

enum {
    EVENT_LOG_AHEAD_BATCH = 4096, /* events that go from thread to thread together: fewer cost more
                              than they save */
    EVENT_LOG_AHEAD_FROM_EVENTS = 16384, /* for less a second thread is not worth it */
};

struct event_log_ahead;

/* Reads on in `log`, which is borrowed: until event_log_ahead_free() nobody else may read events,
 * and tables, name and head alone may be looked at.  NULL when memory is short. */
struct event_log_ahead *event_log_ahead_new(struct event_log_reader *log, struct gfe_error *error);
/* The next events, one or more, good until the next call; the result is that of event_log_read().
 */
enum event_log_result event_log_ahead_read(struct event_log_ahead *ahead,
                                           const struct log_event **events, uint32_t *count,
                                           struct gfe_error *error);
/* Waits for the thread; may come at any time.  NULL: nothing happens. */
void event_log_ahead_free(struct event_log_ahead *ahead);

#endif
