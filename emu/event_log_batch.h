/* SPDX-License-Identifier: MIT */
/*
 * Events on their way to the thread that writes the log.
 *
 * A long log is encoded, compressed and written by its writer's second thread; the simulation then
 * only notes each event, as words, and hands them over by the batch.  The thread cuts the same
 * chunks as the event log does by itself, so nobody can tell from the file.  Private to the event
 * log and the machine.
 */
#ifndef GFE_EMU_EVENT_LOG_BATCH_H
#define GFE_EMU_EVENT_LOG_BATCH_H

#include <assert.h>

#include "emu/event_log.h"

enum {
    EVENT_LOG_BATCH_WORDS = 32 << 10,
    EVENT_LOG_BATCH_EVENT_WORDS = 2 + EVENT_ARGUMENTS_MAX, /* of one event, at most */
};

struct event_log_batch {
    struct chunk_writer *writer; /* borrowed */
    uint32_t word_count;
    struct chunk_buffer words; /* uint64_t[EVENT_LOG_BATCH_WORDS + EVENT_LOG_BATCH_EVENT_WORDS] */
    struct event_log_encoder *encoder; /* the thread's, until event_log_batch_end() */
};

/* For events behind a complete chunk; NULL when memory is short. */
struct event_log_batch *event_log_batch_new(struct chunk_writer *writer);
/* Hands over what there is. */
bool event_log_batch_pass(struct event_log_batch *batch, struct gfe_error *error);
/* The same, and what is open becomes a chunk. */
bool event_log_batch_end(struct event_log_batch *batch, struct gfe_error *error);
/* Waits for the thread.  The writer must still be there; NULL: nothing happens. */
void event_log_batch_free(struct event_log_batch *batch);

/* Notes an event: its time, then kind, unit, rule, origin and number of arguments in 16, 16, 16, 8
 * and 8 bits, then these.  True when the batch is full and has to be passed on. */
static inline bool event_log_batch_put(struct event_log_batch *batch,
                                       const struct event_log_source *event,
                                       const uint64_t *arguments)
{
    uint64_t *word = (uint64_t *)batch->words.data + batch->word_count;

    word[0] = event->time_ps;
    word[1] = (uint64_t)event->kind | (uint64_t)event->unit << 16 | (uint64_t)event->rule << 32 |
              (uint64_t)event->origin << 48 | (uint64_t)event->argument_count << 56;
    for (uint32_t i = 0; i < event->argument_count; i++)
        word[2 + i] = arguments[i];
    batch->word_count += 2 + event->argument_count;
    return batch->word_count >= EVENT_LOG_BATCH_WORDS;
}

/* Encodes an event at once: there is no batch. */
void event_log_keep(struct event_log *log, const struct event_log_source *event,
                    const uint64_t *arguments);

/* event_log_append(), for the machine to have it inline; `arguments` has at least argument_count.
 */
static inline void event_log_put(struct event_log *log, const struct event_log_source *event,
                                 const uint64_t *arguments)
{
    assert(event->kind < EVENT_LOG_KINDS_MAX && event->argument_count <= EVENT_ARGUMENTS_MAX);
    log->cursor->event_count++;
    if (!log->batch)
        event_log_keep(log, event, arguments);
    else if (event_log_batch_put(log->batch, event, arguments))
        (void)event_log_batch_pass(log->batch, &log->error);
}

#endif
