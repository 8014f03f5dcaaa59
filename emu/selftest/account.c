/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/account.h"

#include <inttypes.h>
#include <stdlib.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"

/* The events of grids, blocks, copies and draws begin with the work's id. */
static uint64_t id_of(const struct log_event *event)
{
    return event_grid_end_from(event->argument).grid_id;
}

static void wrong(struct account *account, const struct log_event *event, const char *what,
                  uint64_t id)
{
    if (account->says[0] == '\0')
        invariant_wrong(account->says, "%s %" PRIu64 " %s at %" PRIu64 " ps",
                        event->kind == EVENT_BLOCK_START || event->kind == EVENT_BLOCK_END
                            ? "a block of grid"
                            : "work",
                        id, what, event->time_ps);
}

/* The work of an event whose first argument is its id; NULL, after a note, if there is none of that
 * kind under way. */
static struct account_work *work_of(struct account *account, const struct log_event *event,
                                    enum account_kind kind)
{
    const uint64_t id = id_of(event);

    if (id < account->count && account->works[id].kind == kind && !account->works[id].ended &&
        !account->works[id].dropped)
        return &account->works[id];
    wrong(account, event, "is not under way", id);
    return NULL;
}

static struct account_work *work_new(struct account *account, const struct log_event *event,
                                     enum account_kind kind)
{
    const uint64_t id = id_of(event);

    if (id >= account->count || account->works[id].kind != ACCOUNT_NOTHING) {
        wrong(account, event, "begins twice", id);
        return NULL;
    }
    account->works[id] = (struct account_work){.kind = kind, .stopped_ps = GFE_PS_NEVER};
    return &account->works[id];
}

/* ---- grids ----------------------------------------------------------------------------------- */

static void grid_queue(struct account *account, const struct log_event *event)
{
    const struct event_grid_queue queue = event_grid_queue_of(event);
    struct account_work *grid = work_new(account, event, ACCOUNT_GRID);
    struct account_block *blocks;

    if (!grid)
        return;
    grid->blocks = (uint32_t)queue.block_count;
    grid->threads = (uint32_t)queue.block_threads;
    grid->shared_bytes = (uint32_t)queue.shared_bytes;
    grid->first_block = (uint32_t)account->block_count;
    blocks = realloc(account->blocks, (account->block_count + grid->blocks) * sizeof *blocks);
    if (!blocks && grid->blocks > 0) {
        account->no_memory = true;
        grid->blocks = 0;
        return;
    }
    account->blocks = blocks;
    for (uint32_t i = 0; i < grid->blocks; i++)
        account->blocks[account->block_count++] = (struct account_block){.started = false};
}

static void block_start(struct account *account, const struct log_event *event)
{
    const struct event_block_start start = event_block_start_of(event);
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);
    struct account_block *block;

    if (!grid)
        return;
    if (start.block_index >= grid->blocks ||
        account->blocks[grid->first_block + start.block_index].started) {
        wrong(account, event, "starts that may not", start.grid_id);
        return;
    }
    block = &account->blocks[grid->first_block + start.block_index];
    *block = (struct account_block){
        .started = true, .start_ps = event->time_ps, .sm = (uint32_t)start.sm_index};
    grid->blocks_started++;
    if (grid->stopped_ps != GFE_PS_NEVER)
        wrong(account, event, "starts though the grid is suspended", start.grid_id);
}

static void block_end(struct account *account, const struct log_event *event)
{
    const struct event_block_end end = event_block_end_of(event);
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);
    struct account_block *block;

    if (!grid)
        return;
    block = end.block_index < grid->blocks ? &account->blocks[grid->first_block + end.block_index]
                                           : NULL;
    if (!block || !block->started || block->ended) {
        wrong(account, event, "ends that does not run", end.grid_id);
        return;
    }
    block->ended = true;
    block->end_ps = event->time_ps;
    grid->blocks_ended++;
    if (grid->stopped_ps != GFE_PS_NEVER)
        wrong(account, event, "ends though the grid is suspended", end.grid_id);
}

static void grid_end(struct account *account, const struct log_event *event)
{
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);

    if (!grid)
        return;
    grid->ended = true;
    if (grid->blocks_ended != grid->blocks)
        wrong(account, event, "ends before its blocks", id_of(event));
}

static void grid_cost(struct account *account, const struct log_event *event)
{
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);

    if (!grid)
        return;
    grid->block_ps = event_grid_cost_of(event).block_ps;
    grid->block_cycles = event_grid_cost_of(event).block_cycles;
}

static void grid_suspend(struct account *account, const struct log_event *event)
{
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);

    if (!grid)
        return;
    if (grid->stopped_ps != GFE_PS_NEVER)
        wrong(account, event, "is suspended twice", id_of(event));
    if (event_grid_suspend_of(event).block_count != grid->blocks_started - grid->blocks_ended)
        wrong(account, event, "is suspended with other blocks than run", id_of(event));
    grid->stopped_ps = event->time_ps;
}

static void grid_resume(struct account *account, const struct log_event *event)
{
    struct account_work *grid = work_of(account, event, ACCOUNT_GRID);

    if (!grid)
        return;
    if (grid->stopped_ps == GFE_PS_NEVER) {
        wrong(account, event, "goes on that is not suspended", id_of(event));
        return;
    }
    for (uint32_t i = 0; i < grid->blocks; i++) {
        struct account_block *block = &account->blocks[grid->first_block + i];

        if (!block->started || block->ended)
            continue;
        block->rest_ps += event->time_ps - grid->stopped_ps;
        block->stops++;
    }
    grid->stopped_ps = GFE_PS_NEVER;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void work_ends(struct account *account, const struct log_event *event,
                      enum account_kind kind, bool drops)
{
    struct account_work *work = work_of(account, event, kind);

    if (!work)
        return;
    work->ended = !drops;
    work->dropped = drops;
}

static void copy_queue(struct account *account, const struct log_event *event)
{
    struct account_work *copy = work_new(account, event, ACCOUNT_COPY);

    if (copy)
        copy->bytes = event_copy_queue_of(event).byte_count;
}

static void take(struct account *account, const struct log_event *event)
{
    switch (event->kind) {
    case EVENT_GRID_QUEUE:
        grid_queue(account, event);
        break;
    case EVENT_GRID_COST:
        grid_cost(account, event);
        break;
    case EVENT_BLOCK_START:
        block_start(account, event);
        break;
    case EVENT_BLOCK_END:
        block_end(account, event);
        break;
    case EVENT_GRID_SUSPEND:
        grid_suspend(account, event);
        break;
    case EVENT_GRID_RESUME:
        grid_resume(account, event);
        break;
    case EVENT_GRID_END:
        grid_end(account, event);
        break;
    case EVENT_GRID_DROP:
        work_ends(account, event, ACCOUNT_GRID, true);
        break;
    case EVENT_COPY_QUEUE:
        copy_queue(account, event);
        break;
    case EVENT_COPY_END:
    case EVENT_COPY_DROP:
    case EVENT_NV_CE_LAUNCHERR:
        work_ends(account, event, ACCOUNT_COPY, event->kind != EVENT_COPY_END);
        break;
    case EVENT_WORK_START:
        (void)work_new(account, event, ACCOUNT_DRAW);
        break;
    case EVENT_WORK_END:
    case EVENT_WORK_DROP:
        work_ends(account, event, ACCOUNT_DRAW, event->kind == EVENT_WORK_DROP);
        break;
    default:
        break;
    }
}

/* Numbers of operations are given one by one, and each has an event at least. */
void account_make(struct account *account, const struct world_run *run)
{
    *account = (struct account){.count = run->event_count + UINT64_C(2)};
    account->works = calloc(account->count, sizeof *account->works);
    if (!account->works) {
        account->count = 0;
        account->no_memory = true;
        return;
    }
    for (uint32_t i = 0; i < run->event_count; i++)
        take(account, &run->events[i]);
    if (account->no_memory)
        invariant_wrong(account->says, "no memory for an account of the work");
}

void account_fini(struct account *account)
{
    free(account->works);
    free(account->blocks);
    *account = (struct account){0};
}

bool account_has_refusal(const struct world_run *run)
{
    for (uint32_t i = 0; i < run->event_count; i++)
        if (run->events[i].kind == EVENT_NV_CHANNEL_STOP ||
            run->events[i].kind == EVENT_NV_CE_LAUNCHERR ||
            run->events[i].kind == EVENT_NV_SCHED_ERROR ||
            run->events[i].kind == EVENT_NV_ENGINE_ERROR)
            return true;
    return false;
}
