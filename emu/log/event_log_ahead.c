/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_log_ahead.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/base/handoff.h"

/* Some events, and the result after them; EVENT_LOG_GOT means that there may be more. */
struct batch {
    uint32_t count;
    enum event_log_result result;
    struct gfe_error error;
    struct log_event events[EVENT_LOG_AHEAD_BATCH];
};

struct event_log_ahead {
    struct event_log_reader *log;
    struct handoff *handoff; /* NULL: batches are decoded when they are wanted */
    bool may_start, has_taken;
    struct batch *at; /* the last one taken */
    uint64_t event_count;
    struct batch batches[HANDOFF_SLOTS];
};

struct event_log_ahead *event_log_ahead_new(struct event_log_reader *log, struct gfe_error *error)
{
    struct event_log_ahead *ahead = malloc(sizeof *ahead);

    if (!ahead) {
        (void)error_set_errno(error, ENOMEM, "%s", event_log_name(log));
        return NULL;
    }
    ahead->log = log;
    ahead->handoff = NULL;
    ahead->may_start = event_log_is_regular(log);
    ahead->has_taken = false;
    ahead->at = NULL;
    ahead->event_count = 0;
    return ahead;
}

static void batch_fill(struct event_log_reader *log, struct batch *batch)
{
    batch->count = 0;
    batch->error = (struct gfe_error){0};
    do
        batch->result = event_log_read(log, &batch->events[batch->count], &batch->error);
    while (batch->result == EVENT_LOG_GOT && ++batch->count < EVENT_LOG_AHEAD_BATCH);
}

static void decode_ahead(struct handoff *handoff, void *context)
{
    struct event_log_ahead *ahead = context;
    uint32_t number;
    bool more = true;

    while (more && (number = handoff_fill(handoff)) != HANDOFF_NONE) {
        batch_fill(ahead->log, &ahead->batches[number]);
        more = ahead->batches[number].result == EVENT_LOG_GOT;
        handoff_filled(handoff);
    }
}

/* The next batch; the one before is given up. */
static struct batch *batch_next(struct event_log_ahead *ahead)
{
    if (ahead->may_start && ahead->event_count >= EVENT_LOG_AHEAD_FROM_EVENTS) {
        ahead->may_start = false;
        ahead->handoff = handoff_start(decode_ahead, ahead);
    }
    if (!ahead->handoff) {
        batch_fill(ahead->log, &ahead->batches[0]);
        return &ahead->batches[0];
    }
    if (ahead->has_taken)
        handoff_taken(ahead->handoff);
    ahead->has_taken = true;
    return &ahead->batches[handoff_take(ahead->handoff)];
}

enum event_log_result event_log_ahead_read(struct event_log_ahead *ahead,
                                           const struct log_event **events, uint32_t *count,
                                           struct gfe_error *error)
{
    /* What ended stays ended. */
    if (!ahead->at || ahead->at->result == EVENT_LOG_GOT) {
        ahead->at = batch_next(ahead);
        ahead->event_count += ahead->at->count;
        *events = ahead->at->events;
        *count = ahead->at->count;
        if (*count > 0)
            return EVENT_LOG_GOT;
    }
    if (ahead->at->result == EVENT_LOG_FAILED)
        (void)error_set(error, ahead->at->error.kind, "%s", ahead->at->error.text);
    return ahead->at->result;
}

void event_log_ahead_free(struct event_log_ahead *ahead)
{
    if (ahead && ahead->handoff) {
        handoff_stop(ahead->handoff);
        handoff_end(ahead->handoff);
    }
    free(ahead);
}
