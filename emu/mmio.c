/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/mmio.h"

#include <assert.h>
#include <stdlib.h>

void mmio_init(struct mmio *mmio, struct arena *arena)
{
    mmio->state = arena_alloc(arena, sizeof *mmio->state);
    mmio->window_count = 0;
}

void mmio_fini(struct mmio *mmio)
{
    for (uint32_t i = 0; i < mmio->window_count; i++)
        free(mmio->windows[i].row_of_word);
    mmio->window_count = 0;
}

static bool mmio_overlap(const struct mmio_window *a, const struct mmio_window *b)
{
    return a->base >= b->base ? a->base - b->base < b->size_bytes
                              : b->base - a->base < a->size_bytes;
}

struct mmio_window *mmio_add(struct mmio *mmio, struct arena *arena, struct mmio_window window,
                             struct gfe_error *error)
{
    const uint32_t words = window.size_bytes / 4;
    struct mmio_window *added = &mmio->windows[mmio->window_count];

    assert(mmio->window_count < MMIO_WINDOWS_MAX);
    for (uint32_t i = 0; i < mmio->window_count; i++)
        assert(!mmio_overlap(&window, &mmio->windows[i]));
    window.storage = arena_alloc(arena, window.size_bytes);
    window.row_of_word = calloc(words, sizeof *window.row_of_word);
    if (!window.row_of_word) {
        error_set(error, ERROR_SYSTEM, "no memory for the registers of %s", window.name);
        return NULL;
    }
    for (uint32_t i = 0; i < window.list->row_count; i++) {
        const struct reg_row *row = &window.list->rows[i];

        for (uint32_t n = 0; row->kind == ROW_REG && n < row->count; n++) {
            const uint32_t word = (row->number + n * row->stride_bytes) / 4;

            assert(word < words && !window.row_of_word[word]);
            window.row_of_word[word] = row;
            window.storage[word] = row->reset;
        }
    }
    *added = window;
    mmio->window_count++;
    return added;
}

struct mmio_window *mmio_find(struct mmio *mmio, uint32_t offset)
{
    for (uint32_t i = 0; i < mmio->window_count; i++) {
        struct mmio_window *window = &mmio->windows[i];

        if (offset >= window->base && offset - window->base < window->size_bytes)
            return window;
    }
    return NULL;
}

uint32_t mmio_stored_by_write(const struct reg_row *row, uint32_t old, uint32_t value)
{
    switch (row->access) {
    case REG_RO:
        return old;
    case REG_WO:
        return 0;
    case REG_W1C:
        return old & ~value;
    default:
        return value;
    }
}

bool mmio_report_once(struct mmio *mmio, uint32_t offset, bool is_write)
{
    struct mmio_state *state = mmio->state;
    const uint32_t key = (offset & ~UINT32_C(3)) | (is_write ? 1 : 0);

    for (uint32_t i = 0; i < state->reported_count; i++)
        if (state->reported[i] == key)
            return false;
    if (state->reported_count == MMIO_REPORTED_MAX) {
        state->unreported_count++;
        return false;
    }
    state->reported[state->reported_count++] = key;
    return true;
}
