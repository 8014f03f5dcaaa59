/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/mmio.h"

#include <assert.h>
#include <stdlib.h>

void mmio_init(struct mmio *mmio, struct arena *arena)
{
    mmio->state = arena_alloc(arena, sizeof *mmio->state);
    mmio->window_count = 0;
}

void mmio_fini(struct mmio *mmio)
{
    for (uint32_t i = 0; i < mmio->window_count; i++) {
        free(mmio->windows[i].row_of_word);
        free(mmio->windows[i].masks);
    }
    mmio->window_count = 0;
}

static bool mmio_overlap(const struct mmio_window *a, const struct mmio_window *b)
{
    const uint32_t from_a = a->base + a->start, from_b = b->base + b->start;

    return from_a >= from_b ? from_a - from_b < b->size_bytes : from_b - from_a < a->size_bytes;
}

/* Rows, masks and reset values of a window whose memory is there. */
static void mmio_fill(struct mmio_window *window)
{
    for (uint32_t i = 0; i < window->list->row_count; i++) {
        const struct reg_row *row = &window->list->rows[i];

        if (row->kind != ROW_REG || !(row->variants & window->variants))
            continue;
        window->masks[i] = reg_masks(window->list, window->variants, row);
        for (uint32_t n = 0; n < row->count; n++) {
            const uint32_t offset = row->number + n * row->stride_bytes;
            const uint32_t word = mmio_word(window, offset);

            if (!mmio_has(window, offset)) {
                assert(window->is_part);
                continue;
            }
            assert(!window->row_of_word[word]);
            window->row_of_word[word] = row;
            if (row->access != REG_SET && row->access != REG_CLEAR)
                window->storage[word] = row->reset;
        }
    }
}

/* Where the n-th window of by_base begins. */
static uint32_t mmio_from(const struct mmio *mmio, uint32_t n)
{
    const struct mmio_window *window = &mmio->windows[mmio->by_base[n]];

    return window->base + window->start;
}

/* The new window's place in by_base. */
static void mmio_sort(struct mmio *mmio, uint32_t added)
{
    uint32_t at = mmio->window_count;

    for (;
         at > 0 && mmio_from(mmio, at - 1) > mmio->windows[added].base + mmio->windows[added].start;
         at--)
        mmio->by_base[at] = mmio->by_base[at - 1];
    mmio->by_base[at] = (uint8_t)added;
}

struct mmio_window *mmio_add(struct mmio *mmio, struct arena *arena, struct mmio_window window,
                             struct gfe_error *error)
{
    struct mmio_window *added = &mmio->windows[mmio->window_count];

    assert(mmio->window_count < MMIO_WINDOWS_MAX);
    for (uint32_t i = 0; i < mmio->window_count; i++)
        assert(!mmio_overlap(&window, &mmio->windows[i]));
    if (window.variants == 0)
        window.variants = REG_ALL_VARIANTS;
    window.storage = arena_alloc(arena, window.size_bytes);
    window.row_of_word = calloc(window.size_bytes / 4, sizeof *window.row_of_word);
    window.masks = calloc(window.list->row_count, sizeof *window.masks);
    if (!window.row_of_word || !window.masks) {
        free(window.row_of_word);
        free(window.masks);
        error_set(error, ERROR_SYSTEM, "no memory for the registers of %s", window.name);
        return NULL;
    }
    mmio_fill(&window);
    *added = window;
    mmio_sort(mmio, mmio->window_count);
    mmio->window_count++;
    return added;
}

struct mmio_window *mmio_find(struct mmio *mmio, uint32_t offset)
{
    uint32_t from = 0, to = mmio->window_count; /* the last whose base is not above the offset */
    struct mmio_window *window;

    while (from < to) {
        const uint32_t middle = (from + to) / 2;

        if (mmio_from(mmio, middle) <= offset)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == 0)
        return NULL;
    window = &mmio->windows[mmio->by_base[from - 1]];
    return mmio_has(window, offset - window->base) ? window : NULL;
}

uint32_t mmio_stored_by_write(const struct reg_masks *masks, uint32_t old, uint32_t value)
{
    return (((old & ~masks->stored) | (value & masks->stored)) & ~(value & masks->cleared)) |
           (value & masks->set);
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

uint32_t mmio_report_bits_once(struct mmio *mmio, uint32_t offset, uint32_t bits)
{
    struct mmio_state *state = mmio->state;
    const uint32_t key = (offset & ~UINT32_C(3)) | 2;
    uint32_t at = 0;

    while (at < state->reported_count && state->reported[at] != key)
        at++;
    if (at == MMIO_REPORTED_MAX) {
        state->unreported_count++;
        return 0;
    }
    if (at == state->reported_count) {
        state->reported[at] = key;
        state->reported_count++;
    }
    bits &= ~state->reported_bits[at];
    state->reported_bits[at] |= bits;
    return bits;
}
