/* SPDX-License-Identifier: MIT */
/*
 * The fewest blocks that are out of order (F of block_order.h).
 *
 * Block n may have started at any of its candidates.  What matters for the blocks after it is the
 * latest start of all blocks up to n - w, up to n - w + 1, ..., up to n - 1: a state.  A block that
 * stays takes its earliest candidate that is not too early, because a later one can only make the
 * state worse.  If that candidate is later than all starts so far, the block may also be left out.
 * So each number of blocks left out has some states.  Only those matter than which no other, with
 * as many or fewer left out, is as early in all respects.  With w = 1 that is a single one, which
 * is a number; with more, STATES_MAX are kept.  Starts before the first candidate of all blocks to
 * come do not matter at all.
 *
 * Blocks of the first two rounds are not counted: they are what the offsets come from.
 */
#include <config.h>

#include "emu/explore/block_order.h"

#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 4, LEVELS_MAX = 16, WINDOW_MAX = 2 * BLOCK_ORDER_ENGINES_MAX };

struct state {
    int64_t latest[WINDOW_MAX]; /* of all blocks up to n - w, n - w + 1, ..., n - 1 */
};

/* The states in which that many blocks have been left out. */
struct states {
    uint32_t count;
    struct state list[STATES_MAX];
};

struct search {
    uint32_t window;
    int64_t error_cycles;
    const int64_t *floors;     /* block_order_count() */
    struct states *now, *next; /* by the number left out; `levels` of each */
    uint32_t first, levels;    /* the least number that has a state; one more than the highest */
    uint32_t capacity;
};

void block_order_windows(const struct block_order *order, uint32_t windows[BLOCK_ORDER_WINDOWS])
{
    const uint32_t engines = order->shape.engines;

    for (uint32_t i = 0; i < 3; i++)
        windows[i] = i + 1;
    windows[3] = engines;
    windows[4] = 2 * engines;
}

/* a is as early as b in all respects. */
static bool no_later(const struct state *a, const struct state *b, uint32_t window)
{
    for (uint32_t i = 0; i < window; i++)
        if (a->latest[i] > b->latest[i])
            return false;
    return true;
}

static void state_copy(struct state *to, const struct state *from, uint32_t window)
{
    for (uint32_t i = 0; i < window; i++)
        to->latest[i] = from->latest[i];
}

static int64_t sum(const struct state *state, uint32_t window)
{
    int64_t total = 0;

    for (uint32_t i = 0; i < window; i++)
        total += state->latest[i] / WINDOW_MAX;
    return total;
}

/* Adds a state unless one that is there is as good, and drops those that are no better. */
static void states_add(struct states *states, const struct state *state, uint32_t window)
{
    uint32_t kept = 0, worst = 0;

    for (uint32_t i = 0; i < states->count; i++)
        if (no_later(&states->list[i], state, window))
            return;
    for (uint32_t i = 0; i < states->count; i++)
        if (!no_later(state, &states->list[i], window))
            state_copy(&states->list[kept++], &states->list[i], window);
    states->count = kept;
    if (kept < STATES_MAX) {
        state_copy(&states->list[states->count++], state, window);
        return;
    }
    for (uint32_t i = 1; i < kept; i++)
        if (sum(&states->list[i], window) > sum(&states->list[worst], window))
            worst = i;
    if (sum(state, window) < sum(&states->list[worst], window))
        state_copy(&states->list[worst], state, window);
}

/* Sets `after` to the state after a block that starts at `start`; starts before `floor` do not
 * matter. */
static void state_after(struct state *after, const struct state *state, uint32_t window,
                        int64_t start, int64_t floor)
{
    const int64_t last = start > state->latest[window - 1] ? start : state->latest[window - 1];

    for (uint32_t i = 0; i + 1 < window; i++)
        after->latest[i] = state->latest[i + 1] > floor ? state->latest[i + 1] : floor;
    after->latest[window - 1] = last > floor ? last : floor;
}

/* The block's earliest candidate that is not before `earliest`; INT64_MAX: it has none. */
static int64_t candidate(const struct block_order_clocks *clocks, int64_t start, int64_t earliest)
{
    /* Offsets ascend, so candidates descend. */
    for (uint32_t i = clocks->count; i-- > 0;)
        if (start - clocks->offsets[i] >= earliest)
            return start - clocks->offsets[i];
    return INT64_MAX;
}

/* What may follow of a state in which `left_out` blocks have been left out. */
static void step_state(struct search *search, const struct block_order_clocks *clocks,
                       int64_t start, int64_t floor, uint32_t left_out, const struct state *state)
{
    const uint32_t window = search->window;
    const int64_t last = state->latest[window - 1];
    const int64_t at = candidate(clocks, start, state->latest[0] - search->error_cycles);
    struct state after;

    if (at != INT64_MAX) {
        state_after(&after, state, window, at, floor);
        states_add(&search->next[left_out], &after, window);
    }
    if (at > last && left_out + 1 < search->capacity) {
        state_after(&after, state, window, last, floor);
        states_add(&search->next[left_out + 1], &after, window);
    }
}

/* Drops the states that are no earlier than one with fewer left out. */
static void level_thin(struct states *level, const struct states *below, uint32_t window)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < level->count; i++) {
        bool good = true;

        for (uint32_t j = 0; j < below->count && good; j++)
            good = !no_later(&below->list[j], &level->list[i], window);
        if (good)
            state_copy(&level->list[kept++], &level->list[i], window);
    }
    level->count = kept;
}

static void step(struct search *search, const struct block_order_clocks *clocks, int64_t start,
                 int64_t floor)
{
    struct states *swap = search->now;
    uint32_t levels = search->levels < search->capacity ? search->levels + 1 : search->capacity;

    for (uint32_t i = search->first; i < levels; i++)
        search->next[i].count = 0;
    for (uint32_t i = search->first; i < search->levels; i++)
        for (uint32_t j = 0; j < search->now[i].count; j++)
            step_state(search, clocks, start, floor, i, &search->now[i].list[j]);
    search->now = search->next;
    search->next = swap;
    while (search->first + 1 < levels && search->now[search->first].count == 0)
        search->first++;
    for (uint32_t i = search->first + 1; i < levels; i++)
        level_thin(&search->now[i], &search->now[i - 1], search->window);
    if (search->window > 1 && levels > search->first + LEVELS_MAX)
        levels = search->first + LEVELS_MAX;
    while (levels > search->first + 1 && search->now[levels - 1].count == 0)
        levels--;
    search->levels = levels;
}

/* F(w) of `starts`. */
static uint32_t fewest(const struct block_order *order, const int64_t *starts,
                       struct search *search)
{
    struct states *begin = &search->now[0];

    search->first = 0;
    search->levels = 1;
    begin->count = 1;
    for (uint32_t i = 0; i < search->window; i++)
        begin->list[0].latest[i] = 0;
    for (uint32_t n = 2 * order->shape.engines * order->shape.cus; n < order->block_count; n++)
        step(search, &order->clocks[n % order->shape.engines], starts[n],
             search->floors[n] + search->error_cycles);
    return search->first;
}

/* ---- w = 1: the latest start so far is the whole state ------------------------------------------
 */

/* The latest start after a block, with one number of blocks left out: the earliest of what follows
 * of `as_many`, of which the block stays, and of `one_fewer`, of which it is left out.  INT64_MAX
 * stands for no state. */
static int64_t single_after(const struct block_order_clocks *clocks, int64_t start,
                            int64_t error_cycles, int64_t as_many, int64_t one_fewer)
{
    int64_t after = INT64_MAX;

    if (as_many != INT64_MAX) {
        const int64_t at = candidate(clocks, start, as_many - error_cycles);

        after = at > as_many ? at : as_many;
    }
    if (one_fewer < after && candidate(clocks, start, one_fewer - error_cycles) > one_fewer)
        after = one_fewer;
    return after;
}

/* F(1) of `starts`.  `latest` has room for one more than there are blocks. */
static uint32_t fewest_single(const struct block_order *order, const int64_t *starts,
                              int64_t error_cycles, const int64_t *floors, int64_t *latest)
{
    uint32_t first = 0, levels = 1;

    latest[0] = 0;
    for (uint32_t n = 2 * order->shape.engines * order->shape.cus; n < order->block_count; n++) {
        const int64_t floor = floors[n] + error_cycles;

        latest[levels] = INT64_MAX;
        for (uint32_t i = levels + 1; i-- > first;) {
            const int64_t after =
                single_after(&order->clocks[n % order->shape.engines], starts[n], error_cycles,
                             latest[i], i > first ? latest[i - 1] : INT64_MAX);

            latest[i] = after > floor ? after : floor;
        }
        levels++;
        while (latest[first] == INT64_MAX)
            first++;
        /* No more are left out than help. */
        while (levels > first + 1 && latest[levels - 1] >= latest[levels - 2])
            levels--;
    }
    return first;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Sets floors[n] to the earliest candidate of all blocks after n. */
static void floors_set(const struct block_order *order, const int64_t *starts, int64_t *floors)
{
    int64_t floor = INT64_MAX;

    for (uint32_t n = order->block_count; n-- > 0;) {
        const struct block_order_clocks *clocks = &order->clocks[n % order->shape.engines];

        floors[n] = floor == INT64_MAX ? 0 : floor;
        for (uint32_t i = 0; i < clocks->count; i++)
            if (starts[n] - clocks->offsets[i] < floor)
                floor = starts[n] - clocks->offsets[i];
    }
}

/* What counting takes. */
struct workspace {
    struct states *both; /* twice as many levels as there can be */
    int64_t *floors;
    int64_t *latest; /* as many and one more */
};

static bool workspace_init(const struct block_order *order, const int64_t *starts,
                           struct workspace *workspace)
{
    *workspace =
        (struct workspace){calloc((size_t)2 * (order->block_count + 1), sizeof workspace->both[0]),
                           calloc(order->block_count, sizeof workspace->floors[0]),
                           calloc((size_t)order->block_count + 1, sizeof workspace->latest[0])};
    if (!workspace->both || !workspace->floors || !workspace->latest)
        return false;
    floors_set(order, starts, workspace->floors);
    return true;
}

static void workspace_free(struct workspace *workspace)
{
    free(workspace->both);
    free(workspace->floors);
    free(workspace->latest);
}

static uint32_t count_one(const struct block_order *order, const int64_t *starts,
                          int64_t error_cycles, uint32_t window, const struct workspace *workspace)
{
    struct search search = {.window = window,
                            .error_cycles = error_cycles,
                            .floors = workspace->floors,
                            .now = workspace->both,
                            .next = workspace->both + order->block_count + 1,
                            .capacity = order->block_count + 1};

    return window == 1
               ? fewest_single(order, starts, error_cycles, workspace->floors, workspace->latest)
               : fewest(order, starts, &search);
}

bool block_order_fewest(const struct block_order *order, const int64_t *starts,
                        int64_t error_cycles, uint32_t window, uint32_t *count)
{
    struct workspace workspace;
    const bool good = workspace_init(order, starts, &workspace);

    if (good)
        *count = count_one(order, starts, error_cycles, window, &workspace);
    workspace_free(&workspace);
    return good;
}

bool block_order_count(const struct block_order *order, const int64_t *starts, int64_t error_cycles,
                       uint32_t counts[BLOCK_ORDER_WINDOWS])
{
    struct workspace workspace;
    uint32_t windows[BLOCK_ORDER_WINDOWS];
    const bool good = workspace_init(order, starts, &workspace);

    block_order_windows(order, windows);
    for (uint32_t i = 0; good && i < BLOCK_ORDER_WINDOWS; i++) {
        const bool wider = i > 0 && windows[i] > windows[i - 1];

        /* What is in order within a narrow window is so within a wider one. */
        counts[i] = wider && counts[i - 1] == 0
                        ? 0
                        : count_one(order, starts, error_cycles, windows[i], &workspace);
        if (wider && counts[i] > counts[i - 1])
            counts[i] = counts[i - 1];
    }
    workspace_free(&workspace);
    return good;
}
