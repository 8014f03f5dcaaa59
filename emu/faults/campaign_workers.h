/* SPDX-License-Identifier: MIT */
/*
 * The experiments of a campaign, made by several processes: each is a copy of this one, with the
 * golden runs and their points, and makes a range of experiments after the other, in the order of
 * their starts.  One that dies takes the experiments of its last moments with it and nobody else's.
 */
#ifndef GFE_DEVICES_CAMPAIGN_WORKERS_H
#define GFE_DEVICES_CAMPAIGN_WORKERS_H

#include "emu/faults/campaign_space.h"
#include "emu/faults/campaign_row.h"

enum { CAMPAIGN_WORKERS_MAX = 256, CAMPAIGN_RANGE_MAX = 512 };

struct campaign_work {
    const struct campaign_space *space;
    /* Experiments left to do: the next range, at most `most` long; false: none is left. */
    bool (*next)(void *context, uint64_t most, uint64_t *first, uint64_t *last);
    /* How many next() has not given yet, or more. */
    uint64_t (*left)(void *context);
    /* The result of one, in any order.  False: stop, *error says why. */
    bool (*done)(void *context, const struct campaign_row *row, struct gfe_error *error);
    /* Called from time to time; false: stop. */
    bool (*look)(void *context, struct gfe_error *error);
    void *context;
};

/* Experiment `id` of a space; false with a message: no memory. */
bool campaign_work_one(const struct campaign_space *space, uint64_t id, struct campaign_row *row,
                       struct gfe_error *error);
/* Experiments first ... last - 1, at most CAMPAIGN_RANGE_MAX, in the order in which they are made
 * fastest: those that start from the same snapshot one behind the other, as restoring the last one
 * again, and what is in the caches of its pages, cost least. */
void campaign_work_order(const struct campaign_space *space, uint64_t first, uint64_t last,
                         uint64_t *ids);
/* Makes them all, in `count` processes besides this one.  False with a message. */
bool campaign_work(const struct campaign_work *work, uint32_t count, struct gfe_error *error);

#endif
