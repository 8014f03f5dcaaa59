/* SPDX-License-Identifier: MIT */
/*
 * Encoding of one event into bytes, in the form that emu/log/event_log.h describes.  Private to the
 * event log.  Its own file writes events as they come; emu/log/event_log_batch.c writes those of
 * another thread.
 */
#ifndef GFE_EMU_LOG_EVENT_LOG_ENCODE_H
#define GFE_EMU_LOG_EVENT_LOG_ENCODE_H

#include <string.h>

#include "emu/log/event_log.h"

enum {
    EVENT_LOG_CHUNK_BYTES = 256 << 10, /* the event that reaches this size closes the chunk */
    EVENT_LOG_VARINT_BYTES_MAX = 10,
    EVENT_LOG_EVENT_BYTES_MAX = (4 + EVENT_ARGUMENTS_MAX) * EVENT_LOG_VARINT_BYTES_MAX,
};

/* Writes a variable-length integer, at most EVENT_LOG_VARINT_BYTES_MAX bytes.  Returns the end. */
static inline uint8_t *event_log_put_varint(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/* Returns the difference as a number that is small if the difference is small, with the sign in bit
 * 0. */
static inline uint64_t event_log_fold(uint64_t difference)
{
    return difference << 1 ^ (0 - (difference >> 63));
}

/* Encodes an event, in at most EVENT_LOG_EVENT_BYTES_MAX bytes, and returns their end.  Updates the
 * cursor, so that the next event of that kind is stored as a difference to this one. */
static inline uint8_t *event_log_encode(uint8_t *to, const struct event_log_source event,
                                        const uint64_t *arguments, struct event_log_cursor *cursor)
{
    struct event_log_last *last = &cursor->last[event.kind];
    const uint32_t source = (uint32_t)event.unit << 2 | event.origin;
    const bool as_before = last->source == source && last->rule == event.rule;
    const uint64_t elapsed_ps = event.time_ps - cursor->last_ps;

    cursor->last_ps = event.time_ps;
    to = event_log_put_varint(to, (uint64_t)event.kind << 1 | as_before);
    to = event_log_put_varint(to, elapsed_ps);
    if (!as_before) {
        to = event_log_put_varint(to, source);
        to = event_log_put_varint(to, event.rule);
        last->source = source;
        last->rule = event.rule;
    }
    for (uint32_t i = 0; i < event.argument_count; i++) {
        const uint64_t argument = arguments[i], before = last->argument[i];

        last->argument[i] = argument;
        to = event_log_put_varint(to, event_log_fold(argument - before));
    }
    return to;
}

/* Resets the cursor for a new chunk, which does not depend on the chunk before. */
static inline void event_log_chunk_ends(struct event_log_cursor *cursor)
{
    cursor->chunk_start = cursor->byte_count;
    cursor->last_ps = 0;
    memset(cursor->last, 0, sizeof cursor->last);
}

#endif
