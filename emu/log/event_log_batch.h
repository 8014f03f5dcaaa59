/* SPDX-License-Identifier: MIT */
/*
 * Events on their way to the thread that writes the log.
 *
 * The writer's second thread encodes, compresses and writes a long log.  The simulation then only
 * notes each event as words and hands over batches.  The thread cuts the same chunks as the event
 * log itself does, so the file is the same.  Private to the event log and the machine.
 */
#ifndef GFE_EMU_LOG_EVENT_LOG_BATCH_H
#define GFE_EMU_LOG_EVENT_LOG_BATCH_H

#include <assert.h>
#include <string.h>

#include "emu/log/event_log.h"

enum {
    EVENT_LOG_BATCH_WORDS = 32 << 10,
    EVENT_LOG_BATCH_EVENT_WORDS = 2 + EVENT_ARGUMENTS_MAX, /* of one event, at most */
};

struct event_log_batch {
    struct chunk_writer *writer; /* borrowed */
    struct chunk_buffer words;   /* uint64_t[EVENT_LOG_BATCH_WORDS + EVENT_LOG_BATCH_EVENT_WORDS] */
    struct event_log_notes *notes, own; /* in `words` */
    struct event_log_encoder *encoder;  /* used by the thread until event_log_batch_end() */
};

/* Creates a batch for the events after a complete chunk.  Returns NULL when memory is short.
 * `notes` is the place where the caller notes events itself; it must live as long as the batch.
 * NULL means that the batch uses notes of its own. */
struct event_log_batch *event_log_batch_new(struct chunk_writer *writer,
                                            struct event_log_notes *notes);
/* Hands over the events noted so far.  Returns false after a failure. */
bool event_log_batch_pass(struct event_log_batch *batch, struct gfe_error *error);
/* Hands over the events noted so far, and completes the open chunk.  Returns false after a failure.
 */
bool event_log_batch_end(struct event_log_batch *batch, struct gfe_error *error);
/* Waits for the thread and frees.  The writer must still exist.  NULL is ignored. */
void event_log_batch_free(struct event_log_batch *batch);

_Static_assert(sizeof(struct event_log_source) == 2 * sizeof(uint64_t),
               "an event without its arguments is two words");

/* Notes an event as two words and its arguments.  There must be room for it. */
static inline void event_log_note(struct event_log_notes *notes, struct event_log_source event,
                                  const uint64_t arguments[EVENT_ARGUMENTS_MAX])
{
    uint64_t *word = notes->next;

    *(struct event_log_source *)(void *)word = event;
    /* Copies the largest number of arguments, which is faster; the next event overwrites the rest.
     */
    memcpy(&word[2], arguments, EVENT_ARGUMENTS_MAX * sizeof *arguments);
    notes->next = word + 2 + event.argument_count;
}

/* Notes an event whose argument count is a constant.  Each argument is stored once, at its place.
 */
static inline __attribute__((always_inline)) void
event_log_note_here(struct event_log_notes *notes, struct event_log_source event,
                    const uint64_t arguments[EVENT_ARGUMENTS_MAX], uint32_t count)
{
    uint64_t *word = notes->next;

    *(struct event_log_source *)(void *)word = event;
    word += 2;
    if (count > 0)
        word[0] = arguments[0];
    if (count > 1)
        word[1] = arguments[1];
    if (count > 2)
        word[2] = arguments[2];
    if (count > 3)
        word[3] = arguments[3];
    if (count > 4)
        word[4] = arguments[4];
    if (count > 5)
        word[5] = arguments[5];
    if (count > 6)
        word[6] = arguments[6];
    if (count > 7)
        word[7] = arguments[7];
    notes->next = word + count;
}

/* Appends an event: the first of two parts, inline for the machine.  Counts an event, and notes it
 * unless the log is unheard.  Returns false if event_log_put_rest() has to follow: there is no
 * batch, or it is full. */
static inline bool event_log_put(struct event_log *log, struct event_log_source event,
                                 const uint64_t arguments[EVENT_ARGUMENTS_MAX])
{
    struct event_log_notes *const notes = log->batch ? log->batch->notes : NULL;

    assert(event.kind < EVENT_LOG_KINDS_MAX && event.argument_count <= EVENT_ARGUMENTS_MAX);
    log->cursor->event_count++;
    if (!notes)
        return log->is_unheard;
    if (notes->next >= notes->full)
        return false;
    event_log_note(notes, event, arguments);
    return true;
}
/* Appends the event after event_log_put() has returned false.  Returns false when the log has
 * failed. */
bool event_log_put_rest(struct event_log *log, struct event_log_source event,
                        const uint64_t arguments[EVENT_ARGUMENTS_MAX]);

#endif
