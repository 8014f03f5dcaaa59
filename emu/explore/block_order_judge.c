/* SPDX-License-Identifier: MIT */
/*
 * The second method of docs/block-order.md: what each alternative predicts when starts are recorded
 * late, and whether there is a lateness that explains all figures.
 */
#include <config.h>

#include "emu/explore/block_order.h"

#include <stdlib.h>

enum {
    SEEDS = 4,
};

/* Mean lateness that is tried: none, and powers of the root of 2. */
static const uint32_t late_cycles[] = {0,   32,   45,   64,   91,   128,  181,  256,  362,   512,
                                       724, 1024, 1448, 2048, 2896, 4096, 5793, 8192, 11585, 16384};
enum { LATE_COUNT = sizeof late_cycles / sizeof late_cycles[0] };

/* The replays of an alternative. */
struct replays {
    const struct block_order *order;
    uint32_t window;
    const uint32_t *windows; /* that are counted */
    int64_t *starts;         /* of one replay */
};

enum { ALL = BLOCK_ORDER_WINDOWS };

/* Counts the i-th window, or all, of a row with that lateness: the mean of all seeds.  Returns
 * false if memory is short. */
static bool predict_row(const struct replays *replays, uint32_t late, uint32_t only, uint32_t row,
                        uint32_t means[BLOCK_ORDER_WINDOWS])
{
    const struct block_order *order = replays->order;
    const int64_t error_cycles = order->error_cycles << row;

    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
        means[i] = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct block_order_late law = {late, seed};
        uint32_t counts[BLOCK_ORDER_WINDOWS] = {0};

        (void)block_order_replay(order, replays->window, &law, replays->starts);
        if (only == ALL ? !block_order_count(order, replays->starts, error_cycles, counts)
                        : !block_order_fewest(order, replays->starts, error_cycles,
                                              replays->windows[only], &counts[only]))
            return false;
        for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
            means[i] += counts[i];
    }
    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
        means[i] = (means[i] + SEEDS / 2) / SEEDS;
    return true;
}

/* The same of all rows. */
static bool predict(const struct replays *replays, uint32_t late, uint32_t only,
                    struct block_order_counts *means)
{
    for (uint32_t row = 0; row < BLOCK_ORDER_ERRORS; row++)
        if (!predict_row(replays, late, only, row, means->rows[row]))
            return false;
    return true;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static uint32_t share(const struct block_order *order, uint32_t ppm)
{
    return (uint32_t)((uint64_t)order->block_count * ppm / 1000000);
}

/* The i-th figure of a row, or all, are near enough to the measured ones. */
static bool row_fits(const struct block_order *order, const uint32_t measured[BLOCK_ORDER_WINDOWS],
                     const uint32_t predicted[BLOCK_ORDER_WINDOWS], uint32_t only)
{
    const uint32_t near = share(order, BLOCK_ORDER_NEAR_PPM);

    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++) {
        const uint32_t half = predicted[i] / 2;

        if ((only == ALL || only == i) &&
            apart(measured[i], predicted[i]) > (half > near ? half : near))
            return false;
    }
    return true;
}

/* Counts the i-th window, or all, with that lateness row by row, as long as rows fit.  Returns
 * false if memory is short. */
static bool late_fits(const struct replays *replays, uint32_t late, uint32_t only,
                      const struct block_order_counts *measured, struct block_order_counts *means,
                      bool *fit)
{
    *fit = true;
    for (uint32_t row = 0; row < BLOCK_ORDER_ERRORS && *fit; row++) {
        if (!predict_row(replays, late, only, row, means->rows[row]))
            return false;
        *fit = row_fits(replays->order, measured->rows[row], means->rows[row], only);
    }
    return true;
}

/* How far F(1) is from the measured one, over all rows. */
static uint32_t distance(const struct block_order_counts *measured,
                         const struct block_order_counts *predicted)
{
    uint32_t sum = 0;

    for (uint32_t row = 0; row < BLOCK_ORDER_ERRORS; row++)
        sum += apart(measured->rows[row][0], predicted->rows[row][0]);
    return sum;
}

/* So many blocks are out of order that none fits with this lateness or more: some F(1) is above
 * twice the measured one, and is not near. */
static bool is_beyond(const struct block_order *order, const struct block_order_counts *measured,
                      const struct block_order_counts *predicted)
{
    uint32_t bound = 0, sum = 0;

    for (uint32_t row = 0; row < BLOCK_ORDER_ERRORS; row++) {
        bound += 2 * measured->rows[row][0] + share(order, BLOCK_ORDER_NEAR_PPM);
        sum += predicted->rows[row][0];
    }
    return sum > bound;
}

/* Tries a lateness, the figures that cost least and tell most first.  Takes it if all fit, or if
 * F(1) is nearer than with the one so far. */
static bool late_try(const struct replays *replays, uint32_t late,
                     const struct block_order_counts *measured,
                     struct block_order_prediction *prediction, uint32_t *nearest, bool *beyond)
{
    static const uint32_t order[] = {0, 3, ALL}; /* 0: one more time, which costs little */
    struct block_order_counts counts;
    bool fit = true;
    uint32_t away;

    if (!predict(replays, late, 0, &counts))
        return false;
    *beyond = is_beyond(replays->order, measured, &counts);
    away = distance(measured, &counts);
    for (uint32_t i = 0; i < sizeof order / sizeof order[0] && fit; i++)
        if (!late_fits(replays, late, order[i], measured, &prediction->counts, &fit))
            return false;
    if (!fit && away >= *nearest)
        return true;
    *nearest = away;
    prediction->fits = fit;
    prediction->late_cycles = late;
    return true;
}

/* Looks for the least lateness with which all figures fit; else takes the one with the nearest
 * F(1). */
static bool judge_alternative(const struct block_order *order, uint32_t window, int64_t *starts,
                              const struct block_order_report *report,
                              struct block_order_prediction *prediction)
{
    const struct replays replays = {order, window, report->windows, starts};
    const struct block_order_late never = {0, 0};
    uint32_t nearest = UINT32_MAX;
    bool beyond = false;

    for (uint32_t i = 0; i < LATE_COUNT && !beyond && !prediction->fits; i++)
        if (!late_try(&replays, late_cycles[i], &report->measured, prediction, &nearest, &beyond))
            return false;
    prediction->cycles = block_order_replay(order, window, &never, starts);
    /* All of what fits is counted already. */
    return prediction->fits || predict(&replays, prediction->late_cycles, ALL, &prediction->counts);
}

static bool measured_count(const struct block_order *order, int64_t *starts,
                           struct block_order_report *report)
{
    for (uint32_t n = 0; n < order->block_count; n++)
        starts[n] = order->blocks[n].start_cycles;
    for (uint32_t row = 0; row < BLOCK_ORDER_ERRORS; row++) {
        report->error_cycles[row] = order->error_cycles << row;
        if (!block_order_count(order, starts, report->error_cycles[row],
                               report->measured.rows[row]))
            return false;
    }
    return true;
}

static enum block_order_verdict verdict_of(const struct block_order_report *report)
{
    const bool staged = report->predictions[BLOCK_ORDER_STAGED].fits;
    const bool placed = report->predictions[BLOCK_ORDER_PLACED].fits;

    if (staged && placed)
        return BLOCK_ORDER_BOTH;
    return staged ? BLOCK_ORDER_STAGED : placed ? BLOCK_ORDER_PLACED : BLOCK_ORDER_NEITHER;
}

bool block_order_judge(const struct block_order *order, struct block_order_report *report,
                       struct gfe_error *error)
{
    struct block_order_prediction *predictions = report->predictions;
    int64_t *starts = calloc(order->block_count, sizeof starts[0]);
    bool good;

    *report = (struct block_order_report){0};
    block_order_windows(order, report->windows);
    good = starts && measured_count(order, starts, report) &&
           judge_alternative(order, order->shape.engines, starts, report,
                             &predictions[BLOCK_ORDER_STAGED]) &&
           judge_alternative(order, 1, starts, report, &predictions[BLOCK_ORDER_PLACED]);
    report->verdict = verdict_of(report);
    free(starts);
    return good || error_set(error, ERROR_SYSTEM, "no memory to count blocks");
}
