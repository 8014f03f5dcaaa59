/* SPDX-License-Identifier: MIT */
/* What SMs hold.  Of AMD's CUs, whose waves come and go one by one, gfe check has an account. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "devices/core/core_events.h"
#include "emu/selftest/account.h"

enum { SMS = 256, WARP_THREADS = 32 };

struct sm {
    int64_t blocks, threads, warps, shared_bytes;
};

struct rooms {
    struct account account;
    struct sm sms[SMS];
    bool *is_on; /* by block of the account: it is on its SM */
};

static bool sm_fits(const struct sm *sm, const struct check_limits *limits)
{
    return sm->blocks <= limits->blocks_per_sm && sm->threads <= limits->threads_per_sm &&
           sm->warps <= limits->warps_per_sm && sm->shared_bytes <= limits->shared_bytes_per_sm;
}

/* A block comes to its SM, or leaves it. */
static void move(struct rooms *rooms, const struct account_work *grid, uint64_t index, bool comes)
{
    const uint64_t at = grid->first_block + index;
    struct sm *sm = &rooms->sms[rooms->account.blocks[at].sm % SMS];
    const int64_t sign = comes ? 1 : -1;

    if (rooms->is_on[at] == comes)
        return;
    rooms->is_on[at] = comes;
    sm->blocks += sign;
    sm->threads += sign * (int64_t)grid->threads;
    sm->warps += sign * (int64_t)((grid->threads + WARP_THREADS - 1) / WARP_THREADS);
    sm->shared_bytes += sign * (int64_t)grid->shared_bytes;
}

/* All running blocks of a grid leave, or come back. */
static void move_grid(struct rooms *rooms, const struct account_work *grid, gfe_ps now_ps,
                      bool comes)
{
    for (uint32_t i = 0; i < grid->blocks; i++) {
        const struct account_block *block = &rooms->account.blocks[grid->first_block + i];

        if (block->started && block->start_ps < now_ps && (!block->ended || block->end_ps > now_ps))
            move(rooms, grid, i, comes);
    }
}

static void take(struct rooms *rooms, const struct log_event *event)
{
    const struct event_block_start start = event_block_start_from(event->argument);
    const uint64_t id = start.grid_id; /* all of these events begin with it */
    const struct account_work *grid =
        id < rooms->account.count && rooms->account.works[id].kind == ACCOUNT_GRID
            ? &rooms->account.works[id]
            : NULL;

    if (!grid)
        return;
    switch (event->kind) {
    case EVENT_BLOCK_START:
    case EVENT_BLOCK_END:
        if (start.block_index < grid->blocks)
            move(rooms, grid, start.block_index, event->kind == EVENT_BLOCK_START);
        break;
    case EVENT_GRID_SUSPEND:
    case EVENT_GRID_RESUME:
        move_grid(rooms, grid, event->time_ps, event->kind == EVENT_GRID_RESUME);
        break;
    case EVENT_GRID_DROP:
        move_grid(rooms, grid, event->time_ps, false);
        break;
    default:
        break;
    }
}

static bool fits(const struct rooms *rooms, const struct world_run *run,
                 const struct log_event *event, char says[INVARIANT_SAYS_BYTES])
{
    for (uint32_t i = 0; event->kind == EVENT_BLOCK_START && i < SMS; i++) {
        const struct sm *sm = &rooms->sms[i];

        if (!sm_fits(sm, &run->limits))
            return invariant_wrong(says,
                                   "SM %u holds %" PRId64 " blocks, %" PRId64 " threads, %" PRId64
                                   " warps, %" PRId64 " bytes shared at %" PRIu64 " ps",
                                   i, sm->blocks, sm->threads, sm->warps, sm->shared_bytes,
                                   event->time_ps);
    }
    return true;
}

bool invariant_room(const struct world_run *run, char says[INVARIANT_SAYS_BYTES])
{
    struct rooms *rooms;
    bool holds = true;

    if (run->kind == WORLD_HIP || run->disturbance == WORLD_FAULTY)
        return true;
    rooms = calloc(1, sizeof *rooms);
    if (!rooms)
        return invariant_wrong(says, "no memory for an account of SMs");
    account_make(&rooms->account, run);
    rooms->is_on = calloc(rooms->account.block_count + 1, sizeof *rooms->is_on);
    if (!rooms->is_on)
        holds = invariant_wrong(says, "no memory for an account of SMs");
    for (uint32_t i = 0; holds && i < run->event_count; i++) {
        take(rooms, &run->events[i]);
        holds = fits(rooms, run, &run->events[i], says);
    }
    account_fini(&rooms->account);
    free(rooms->is_on);
    free(rooms);
    return holds;
}
