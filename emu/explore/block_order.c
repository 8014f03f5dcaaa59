/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/block_order.h"

#include <stdlib.h>
#include <string.h>

#include "emu/engine/random.h"

/* ---- clocks ---------------------------------------------------------------------------------- */

/* The n-th block of the CU, in the first rounds, in which each CU has its turn. */
static uint32_t round_block(const struct block_order_shape *shape, uint32_t se, uint32_t cu,
                            uint32_t round)
{
    return (round * shape->cus + cu) * shape->engines + se;
}

/* The clock of the block's CU at the kernel's begin, if the block was not late. */
static int64_t begin_cycles(const struct block_order *order, uint32_t block)
{
    return order->blocks[block].start_cycles -
           (int64_t)order->shape.ramp_cycles * (block / order->shape.engines);
}

static int by_value(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The clock whose CUs' offsets are sorted[0] to sorted[count - 1]. */
static void clock_add_cus(struct block_order_clocks *clocks, const int64_t *sorted, uint32_t count)
{
    clocks->offsets[clocks->count] = sorted[count / 2];
    clocks->cus[clocks->count++] = count;
}

/* The clock nearest to an offset. */
static uint32_t clock_nearest(const struct block_order_clocks *clocks, int64_t offset)
{
    uint32_t nearest = 0;

    for (uint32_t i = 1; i < clocks->count; i++)
        if (llabs(clocks->offsets[i] - offset) < llabs(clocks->offsets[nearest] - offset))
            nearest = i;
    return nearest;
}

static void clocks_find(struct block_order *order, uint32_t se)
{
    struct block_order_clocks *clocks = &order->clocks[se];
    const uint32_t cus = order->shape.cus;
    int64_t offsets[BLOCK_ORDER_CUS_MAX], sorted[BLOCK_ORDER_CUS_MAX];
    uint32_t from = 0;

    for (uint32_t cu = 0; cu < cus; cu++) {
        const int64_t first = begin_cycles(order, round_block(&order->shape, se, cu, 0));
        const int64_t second = begin_cycles(order, round_block(&order->shape, se, cu, 1));
        const int64_t apart = llabs(first - second);

        if (apart > order->error_cycles)
            order->error_cycles = apart;
        sorted[cu] = offsets[cu] = first < second ? first : second;
    }
    qsort(sorted, cus, sizeof sorted[0], by_value);
    for (uint32_t cu = 1; cu <= cus; cu++)
        if (cu == cus || sorted[cu] - sorted[cu - 1] > BLOCK_ORDER_NEAR_CYCLES) {
            clock_add_cus(clocks, sorted + from, cu - from);
            from = cu;
        }
    for (uint32_t cu = 0; cu < cus; cu++)
        clocks->of_cu[cu] = clock_nearest(clocks, offsets[cu]);
}

bool block_order_init(struct block_order *order, const struct block_order_shape *shape,
                      const struct hip_result *result, const char *name, struct gfe_error *error)
{
    const uint32_t round = shape->engines * shape->cus;

    *order = (struct block_order){.shape = *shape,
                                  .block_count = result->block_count,
                                  .blocks = result->blocks,
                                  .error_cycles = BLOCK_ORDER_LEAST_ERROR};
    if (shape->places < 2)
        return error_set(error, ERROR_INPUT,
                         "%s: a CU holds only one block of %u threads; two are needed, to find the "
                         "clocks of the CUs",
                         name, (unsigned)result->threads);
    if (result->block_count <= shape->places * round)
        return error_set(error, ERROR_INPUT,
                         "%s: %u blocks: all start at once; more than %u are needed, so that some "
                         "have to wait",
                         name, (unsigned)result->block_count, (unsigned)(shape->places * round));
    if (result->block_count > BLOCK_ORDER_BLOCKS_MAX)
        return error_set(error, ERROR_LIMIT, "%s: %u blocks; no more than %d are counted", name,
                         (unsigned)result->block_count, BLOCK_ORDER_BLOCKS_MAX);
    for (uint32_t se = 0; se < shape->engines; se++)
        clocks_find(order, se);
    return true;
}

/* ---- replay ---------------------------------------------------------------------------------- */

/* Places of a shader engine: when each is free.  Place i is on CU i modulo their number. */
struct places {
    int64_t free_cycles[BLOCK_ORDER_CUS_MAX * 64];
    int64_t last_cycles; /* when the manager can place again */
};

static uint32_t places_first(const struct places *places, uint32_t count)
{
    uint32_t first = 0;

    for (uint32_t i = 1; i < count; i++)
        if (places->free_cycles[i] < places->free_cycles[first])
            first = i;
    return first;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Draws from an exponential law with that mean.  Octave k holds 2^-k of what octave 0 holds; all
 * are as long, and within one the draws are even.  Blocks before `first` run on an empty GPU, and
 * are not late. */
static int64_t draw_late(const struct block_order_late *late, uint32_t first, uint32_t block)
{
    const uint64_t bits = random_splitmix64(late->seed << 32 | block);
    uint32_t octave = 0;

    if (block < first)
        return 0;
    while (octave < 32 && !(bits >> octave & 1))
        octave++;
    /* Octaves have a mean of 1, and the place in an octave, in 2^20, one of 1/2. */
    return (int64_t)((((uint64_t)octave << 20) + (bits >> 44)) * late->mean_cycles * 2 / 3 >> 20);
}

int64_t block_order_replay(const struct block_order *order, uint32_t window,
                           const struct block_order_late *late, int64_t *starts)
{
    const struct block_order_shape *shape = &order->shape;
    const uint32_t place_count = shape->cus * shape->places;
    struct places places[BLOCK_ORDER_ENGINES_MAX];
    int64_t highest[2 * BLOCK_ORDER_ENGINES_MAX] = {0}, end = 0;

    memset(places, 0, sizeof places);
    for (uint32_t n = 0; n < order->block_count; n++) {
        const uint32_t se = n % shape->engines;
        const uint32_t place = places_first(&places[se], place_count);
        /* highest[n % window] is that of all blocks up to n - window. */
        const int64_t start = larger(larger(places[se].free_cycles[place], places[se].last_cycles),
                                     highest[n % window]);

        places[se].last_cycles = start + shape->ramp_cycles;
        places[se].free_cycles[place] =
            start + order->blocks[n].end_cycles - order->blocks[n].start_cycles;
        end = larger(end, places[se].free_cycles[place]);
        starts[n] = start + draw_late(late, 2 * shape->engines * shape->cus, n) +
                    order->clocks[se].offsets[order->clocks[se].of_cu[place % shape->cus]];
        highest[n % window] = larger(n > 0 ? highest[(n - 1) % window] : 0, start);
    }
    return end;
}
