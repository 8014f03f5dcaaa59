/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_stack.h"

#include <stdlib.h>
#include <string.h>

/* A piece of a block; sorted by bottom. */
struct show_stack_entry {
    gfe_ps begin_ps, end_ps;
    uint32_t bottom, height;
    uint32_t kept; /* threads that the block does not give back before its end */
};

void show_stack_init(struct show_stack *stack, uint32_t ceiling, uint32_t wave_threads)
{
    *stack = (struct show_stack){.ceiling = ceiling, .wave_threads = wave_threads};
}

void show_stack_fini(struct show_stack *stack)
{
    free(stack->entries);
    free(stack->pieces);
    *stack = (struct show_stack){0};
}

void show_stack_clear(struct show_stack *stack)
{
    stack->count = 0;
}

static bool room(void **array, uint32_t count, uint32_t *capacity, size_t bytes)
{
    const uint32_t wanted = *capacity ? 2 * *capacity : 32;
    void *moved;

    if (count < *capacity)
        return true;
    moved = realloc(*array, wanted * bytes);
    if (!moved)
        return false;
    *array = moved;
    *capacity = wanted;
    return true;
}

static void ended_drop(struct show_stack *stack, gfe_ps now_ps)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < stack->count; i++)
        if (stack->entries[i].end_ps > now_ps)
            stack->entries[kept++] = stack->entries[i];
    stack->count = kept;
}

/* The gap below the entry, or below the ceiling: false when it is empty. */
static bool gap_below(const struct show_stack *stack, uint32_t at, struct show_stack_piece *gap)
{
    const struct show_stack_entry *before = at > 0 ? &stack->entries[at - 1] : NULL;
    const uint32_t bottom = before ? before->bottom + before->height : 0;
    const uint32_t top = at < stack->count ? stack->entries[at].bottom : stack->ceiling;

    *gap = (struct show_stack_piece){bottom, top > bottom ? top - bottom : 0};
    return gap->height > 0;
}

static bool piece_add(struct show_stack *stack, uint32_t bottom, uint32_t height)
{
    void *pieces = stack->pieces;
    const bool good =
        room(&pieces, stack->piece_count, &stack->piece_capacity, sizeof *stack->pieces);

    stack->pieces = pieces;
    if (good)
        stack->pieces[stack->piece_count++] = (struct show_stack_piece){bottom, height};
    return good;
}

/* Above everything, and above the ceiling. */
static uint32_t top_of(const struct show_stack *stack)
{
    const struct show_stack_entry *last = stack->count ? &stack->entries[stack->count - 1] : NULL;
    const uint32_t top = last ? last->bottom + last->height : 0;

    return top > stack->ceiling ? top : stack->ceiling;
}

static uint32_t room_left(const struct show_stack *stack)
{
    uint32_t taken = 0;

    for (uint32_t i = 0; i < stack->count; i++)
        taken += stack->entries[i].height;
    return taken < stack->ceiling ? stack->ceiling - taken : 0;
}

/* Takes up to `height` threads, from the top of the piece that began first of those that have any
 * to give back.  Returns how many. */
static uint32_t oldest_shrink(struct show_stack *stack, uint32_t height)
{
    struct show_stack_entry *oldest = NULL;

    for (uint32_t i = 0; i < stack->count; i++)
        if (stack->entries[i].height > stack->entries[i].kept &&
            (!oldest || stack->entries[i].begin_ps < oldest->begin_ps))
            oldest = &stack->entries[i];
    if (!oldest)
        return 0;
    const uint32_t spare = oldest->height - oldest->kept, given = spare < height ? spare : height;
    oldest->height -= given;
    if (oldest->height == 0) {
        const size_t after = (size_t)(&stack->entries[stack->count] - oldest - 1);
        memmove(oldest, oldest + 1, after * sizeof *oldest);
        stack->count--;
    }
    return given;
}

/* Makes room for that many threads among blocks whose waves end one by one. */
static void room_make(struct show_stack *stack, uint32_t height)
{
    const uint32_t left = room_left(stack);
    uint32_t lacks = left < height ? height - left : 0, given = 1;

    while (stack->wave_threads > 0 && lacks > 0 && given > 0) {
        given = oldest_shrink(stack, lacks);
        lacks -= given;
    }
}

static bool pieces_find(struct show_stack *stack, uint32_t height)
{
    struct show_stack_piece gap;

    stack->piece_count = 0;
    room_make(stack, height);
    for (uint32_t at = 0; at <= stack->count; at++)
        if (gap_below(stack, at, &gap) && gap.height >= height)
            return piece_add(stack, gap.bottom, height);
    for (uint32_t at = 0; at <= stack->count && height > 0; at++) {
        if (!gap_below(stack, at, &gap))
            continue;
        const uint32_t part = gap.height < height ? gap.height : height;
        if (!piece_add(stack, gap.bottom, part))
            return false;
        height -= part;
    }
    return height == 0 || piece_add(stack, top_of(stack), height);
}

static bool entry_add(struct show_stack *stack, const struct show_stack_entry *entry)
{
    void *entries = stack->entries;
    const bool good = room(&entries, stack->count, &stack->capacity, sizeof *stack->entries);
    uint32_t at = stack->count;

    stack->entries = entries;
    if (!good)
        return false;
    while (at > 0 && stack->entries[at - 1].bottom > entry->bottom)
        at--;
    memmove(&stack->entries[at + 1], &stack->entries[at],
            (stack->count - at) * sizeof *stack->entries);
    stack->entries[at] = *entry;
    stack->count++;
    return true;
}

static bool is_free(const struct show_stack *stack, uint32_t bottom, uint32_t height)
{
    if ((uint64_t)bottom + height > stack->ceiling)
        return false;
    for (uint32_t i = 0; i < stack->count; i++)
        if (stack->entries[i].bottom < bottom + height &&
            bottom < stack->entries[i].bottom + stack->entries[i].height)
            return false;
    return true;
}

/* The lowest piece keeps a wave to the block's end. */
static bool pieces_enter(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps)
{
    for (uint32_t i = 0; i < stack->piece_count; i++) {
        const struct show_stack_piece *piece = &stack->pieces[i];
        const uint32_t wave =
            stack->wave_threads < piece->height ? stack->wave_threads : piece->height;
        const struct show_stack_entry entry = {begin_ps, end_ps, piece->bottom, piece->height,
                                               i == 0 ? wave : 0};

        if (!entry_add(stack, &entry))
            return false;
    }
    return true;
}

bool show_stack_put(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height)
{
    ended_drop(stack, begin_ps);
    return pieces_find(stack, height) && pieces_enter(stack, begin_ps, end_ps);
}

bool show_stack_put_at(struct show_stack *stack, gfe_ps begin_ps, gfe_ps end_ps, uint32_t height,
                       uint32_t bottom)
{
    ended_drop(stack, begin_ps);
    if (!is_free(stack, bottom, height))
        return pieces_find(stack, height) && pieces_enter(stack, begin_ps, end_ps);
    stack->piece_count = 0;
    return piece_add(stack, bottom, height) && pieces_enter(stack, begin_ps, end_ps);
}
