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
    struct event_log_encoder *encoder;  /* the thread's, until event_log_batch_end() */
};

/* For events behind a complete chunk; NULL when memory is short.  `notes`: where it keeps them, for
 * who notes events by itself, as long as it lives; NULL: it does not matter. */
struct event_log_batch *event_log_batch_new(struct chunk_writer *writer,
                                            struct event_log_notes *notes);
/* Hands over what there is. */
bool event_log_batch_pass(struct event_log_batch *batch, struct gfe_error *error);
/* The same, and what is open becomes a chunk. */
bool event_log_batch_end(struct event_log_batch *batch, struct gfe_error *error);
/* Waits for the thread.  The writer must still be there; NULL: nothing happens. */
void event_log_batch_free(struct event_log_batch *batch);

_Static_assert(sizeof(struct event_log_source) == 2 * sizeof(uint64_t),
               "an event without its arguments is two words");

/* Notes an event, for which there is room, as two words, then its arguments. */
static inline void event_log_note(struct event_log_notes *notes, struct event_log_source event,
                                  const uint64_t arguments[EVENT_ARGUMENTS_MAX])
{
    uint64_t *word = notes->next;

    *(struct event_log_source *)(void *)word = event;
    /* All that there may be, which is quicker to copy; the next event lies over the rest. */
    memcpy(&word[2], arguments, EVENT_ARGUMENTS_MAX * sizeof *arguments);
    notes->next = word + 2 + event.argument_count;
}

/* The same for arguments whose count is a constant: each is stored once, where it belongs. */
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

/* Appending an event, in two parts, for the machine to have the first inline.  Counts an event and
 * notes it unless nobody hears of it; false when event_log_put_rest() has to follow: there is no
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
/* False when the log has failed. */
bool event_log_put_rest(struct event_log *log, struct event_log_source event,
                        const uint64_t arguments[EVENT_ARGUMENTS_MAX]);

#endif
