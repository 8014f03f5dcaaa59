/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 64 << 10 };

/* While it grows, nothing has wrapped around yet: positions are indices. */
static bool ring_grow(struct trace_window *window, size_t bytes)
{
    const uint64_t wanted = window->position + bytes;
    size_t capacity = window->capacity ? window->capacity : FIRST_BYTES;

    if (window->capacity == window->limit_bytes || wanted <= window->capacity)
        return true;
    while (capacity < wanted && capacity < window->limit_bytes)
        capacity *= 2;
    if (capacity > window->limit_bytes)
        capacity = window->limit_bytes;
    uint8_t *ring = realloc(window->ring, capacity);
    if (!ring)
        return false;
    window->ring = ring;
    window->capacity = capacity;
    return true;
}

bool trace_window_add(struct trace_window *window, const uint8_t *data, size_t bytes)
{
    assert(bytes <= window->limit_bytes);
    if (!ring_grow(window, bytes))
        return false;
    while (bytes > 0) {
        const size_t at = (size_t)(window->position % window->capacity);
        const size_t room = window->capacity - at;
        const size_t part = bytes < room ? bytes : room;
        memcpy(window->ring + at, data, part);
        window->position += part;
        data += part;
        bytes -= part;
    }
    return true;
}

static void range_check(const struct trace_window *window, uint64_t position, size_t bytes)
{
    assert(position + bytes <= window->position);
    assert(window->position - position <= window->limit_bytes);
    (void)window, (void)position, (void)bytes;
}

void trace_window_copy(const struct trace_window *window, uint64_t position, uint8_t *to,
                       size_t bytes)
{
    range_check(window, position, bytes);
    while (bytes > 0) {
        const size_t at = (size_t)(position % window->capacity);
        const size_t room = window->capacity - at;
        const size_t part = bytes < room ? bytes : room;
        memcpy(to, window->ring + at, part);
        position += part;
        to += part;
        bytes -= part;
    }
}

bool trace_window_equals(const struct trace_window *window, uint64_t position, const uint8_t *data,
                         size_t bytes)
{
    range_check(window, position, bytes);
    while (bytes > 0) {
        const size_t at = (size_t)(position % window->capacity);
        const size_t room = window->capacity - at;
        const size_t part = bytes < room ? bytes : room;
        if (memcmp(window->ring + at, data, part) != 0)
            return false;
        position += part;
        data += part;
        bytes -= part;
    }
    return true;
}

void trace_window_free(struct trace_window *window)
{
    free(window->ring);
    *window = (struct trace_window){.limit_bytes = window->limit_bytes};
}
