/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/block_order.h"

#include <stdlib.h>
#include <string.h>

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

int64_t block_order_replay(const struct block_order *order, uint32_t window, int64_t *starts)
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
        starts[n] = start + order->clocks[se].offsets[order->clocks[se].of_cu[place % shape->cus]];
        highest[n % window] = larger(n > 0 ? highest[(n - 1) % window] : 0, start);
    }
    return end;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static bool is_near(uint32_t measured, uint32_t expected, uint32_t noise)
{
    const uint32_t apart = measured > expected ? measured - expected : expected - measured;

    return apart <= (expected / 2 > noise ? expected / 2 : noise);
}

/* The rule of decision of docs/block-order.md, for one error bound. */
static enum block_order_verdict row_verdict(const struct block_order_row *row, uint32_t noise)
{
    const bool placed = row->measured[0] <= noise;
    bool staged = true;

    if (row->staged[0] <= 2 * noise)
        return BLOCK_ORDER_BOTH;
    for (uint32_t i = 0; i < 3; i++)
        staged = staged && is_near(row->measured[i], row->staged[i], noise);
    staged = staged && row->measured[3] <= noise;
    if (staged)
        return placed ? BLOCK_ORDER_BOTH : BLOCK_ORDER_STAGED;
    return placed ? BLOCK_ORDER_PLACED : BLOCK_ORDER_NEITHER;
}

struct timelines {
    int64_t *measured, *staged, *placed;
};

static bool row_count(const struct block_order *order, const struct timelines *timelines,
                      struct block_order_row *row)
{
    return block_order_count(order, timelines->measured, row->error_cycles, row->measured) &&
           block_order_count(order, timelines->staged, row->error_cycles, row->staged) &&
           block_order_count(order, timelines->placed, row->error_cycles, row->placed);
}

bool block_order_judge(const struct block_order *order, struct block_order_report *report,
                       struct gfe_error *error)
{
    const uint32_t count = order->block_count;
    int64_t *starts = calloc((size_t)3 * count, sizeof starts[0]);
    const struct timelines timelines = {starts, starts + count, starts + 2 * (size_t)count};
    bool good = starts != NULL;

    *report = (struct block_order_report){
        .noise_blocks = (uint32_t)((uint64_t)count * BLOCK_ORDER_NOISE_PPM / 1000000),
        .agreed = true};
    block_order_windows(order, report->windows);
    for (uint32_t n = 0; good && n < count; n++)
        timelines.measured[n] = order->blocks[n].start_cycles;
    if (good) {
        report->staged_cycles = block_order_replay(order, order->shape.engines, timelines.staged);
        report->placed_cycles = block_order_replay(order, 1, timelines.placed);
    }
    for (uint32_t i = 0; good && i < BLOCK_ORDER_ERRORS; i++) {
        struct block_order_row *row = &report->rows[i];

        row->error_cycles = order->error_cycles << i;
        good = row_count(order, &timelines, row);
        row->verdict = row_verdict(row, report->noise_blocks);
        report->agreed = report->agreed && row->verdict == report->rows[0].verdict;
    }
    report->verdict = report->agreed ? report->rows[0].verdict : BLOCK_ORDER_BOTH;
    free(starts);
    return good || error_set(error, ERROR_SYSTEM, "no memory to count blocks");
}
