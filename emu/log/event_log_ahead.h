/* SPDX-License-Identifier: MIT */
/*
 * The events of a log, decoded ahead.
 *
 * For readers that do much work on each event.  Once a log proves to be long, a second thread
 * decodes batches of events while the caller works on earlier ones.  The events and errors are
 * those of event_log_read(), in the same order.
 *
 * Not for logs that are fed.  A log that is not a regular file is read without a thread: a pipe may
 * never end, and the thread could then not be waited for.
 */
#ifndef GFE_EMU_LOG_EVENT_LOG_AHEAD_H
#define GFE_EMU_LOG_EVENT_LOG_AHEAD_H

#include "emu/log/event_log.h"

enum {
    /* Number of events that go from thread to thread together.  Fewer would cost more than they
     * save. */
    EVENT_LOG_AHEAD_BATCH = 4096,
    EVENT_LOG_AHEAD_FROM_EVENTS = 16384, /* a second thread is not worthwhile for less */
};

struct event_log_ahead;

/* Starts to read on in `log`, which is borrowed.  Until event_log_ahead_free() nothing else may
 * read events from `log`; only its tables, name and head may be read.  Returns NULL when memory is
 * short. */
struct event_log_ahead *event_log_ahead_new(struct event_log_reader *log, struct gfe_error *error);
/* Returns the next events, one or more, which stay valid until the next call.  The result is that
 * of event_log_read(). */
enum event_log_result event_log_ahead_read(struct event_log_ahead *ahead,
                                           const struct log_event **events, uint32_t *count,
                                           struct gfe_error *error);
/* Waits for the thread and frees; may be called at any time.  NULL is ignored. */
void event_log_ahead_free(struct event_log_ahead *ahead);

#endif
