/* SPDX-License-Identifier: MIT */
/* Where blocks lie on their SMs. */
#include <config.h>

#include <errno.h>

#include "emu/views/show.h"
#include "emu/views/show_stack.h"

uint32_t show_threads_top(const struct show *show)
{
    uint32_t top = 1;

    for (uint32_t t = 0; t < show->track_count; t++)
        if (show->tracks[t].threads_top > top)
            top = show->tracks[t].threads_top;
    return show->wave_threads > 0 && top > show->ceiling ? show->ceiling : top;
}

/* Returns where the block lay before it left, or the ceiling if the window does not have it. */
static uint32_t place_before(const struct show_track *track, uint32_t at, uint32_t ceiling)
{
    for (uint32_t i = at; i > 0; i--)
        if (track->items[i - 1].operation == track->items[at].operation &&
            track->items[i - 1].number == track->items[at].number)
            return track->items[i - 1].bottom;
    return ceiling;
}

static bool track_place(struct show_track *track, struct show_stack *stack)
{
    track->top = 0;
    for (uint32_t i = 0; i < track->item_count; i++) {
        struct show_item *item = &track->items[i];
        if (item->kind != SHOW_BLOCK)
            continue;
        const uint32_t bottom =
            item->is_back ? place_before(track, i, stack->ceiling) : stack->ceiling;

        if (!show_stack_put_at(stack, item->begin_ps, item->end_ps, item->height, bottom))
            return false;
        const struct show_stack_piece *last = &stack->pieces[stack->piece_count - 1];
        item->bottom = stack->pieces[0].bottom;
        item->in_pieces = stack->piece_count > 1;
        if (last->bottom + last->height > track->top)
            track->top = last->bottom + last->height;
    }
    return true;
}

bool show_place_blocks(struct show *show, uint32_t threads_per_sm, uint32_t wave_threads,
                       struct gfe_error *error)
{
    struct show_stack stack;
    bool good = true;

    show->wave_threads = 0;
    show->ceiling = show_threads_top(show);
    if (threads_per_sm > 0 && show->words.is_amd)
        show->wave_threads = wave_threads;
    if (threads_per_sm > show->ceiling || show->wave_threads > 0)
        show->ceiling = threads_per_sm;
    show_stack_init(&stack, show->ceiling, show->wave_threads);
    for (uint32_t t = 0; good && t < show->track_count; t++) {
        if (show->tracks[t].kind != SHOW_SM)
            continue;
        show_stack_clear(&stack);
        good = track_place(&show->tracks[t], &stack);
    }
    show_stack_fini(&stack);
    return good || error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
}
