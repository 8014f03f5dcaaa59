/* SPDX-License-Identifier: MIT */
/*
 * Makes the experiments of a campaign in several processes.  Each process is a copy of this one,
 * with the golden runs and their points.  It makes one range of experiments after another, in the
 * order of their starts.  If a process dies, only its own last experiments are lost.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_WORKERS_H
#define GFE_EMU_FAULTS_CAMPAIGN_WORKERS_H

#include "emu/faults/campaign_space.h"
#include "emu/faults/campaign_row.h"

enum { CAMPAIGN_WORKERS_MAX = 256, CAMPAIGN_RANGE_MAX = 512 };

struct campaign_work {
    const struct campaign_space *space;
    /* Sets the next range of experiments to make, of at most `most`.  Returns false if none is
     * left. */
    bool (*next)(void *context, uint64_t most, uint64_t *first, uint64_t *last);
    /* Returns an upper bound of the experiments that next() has not returned yet. */
    uint64_t (*left)(void *context);
    /* Takes the result of an experiment, in any order.  Returns false to stop; *error says why. */
    bool (*done)(void *context, const struct campaign_row *row, struct gfe_error *error);
    /* Called from time to time.  Returns false to stop. */
    bool (*look)(void *context, struct gfe_error *error);
    void *context;
};

/* Makes experiment `id` of a space.  Returns false with a message if memory is short. */
bool campaign_work_one(const struct campaign_space *space, uint64_t id, struct campaign_row *row,
                       struct gfe_error *error);
/* Sorts experiments first ... last - 1, at most CAMPAIGN_RANGE_MAX, into the fastest order.
 * Experiments from the same snapshot follow each other, because restoring the last snapshot again,
 * with its pages in the caches, costs least. */
void campaign_work_order(const struct campaign_space *space, uint64_t first, uint64_t last,
                         uint64_t *ids);
/* Makes all experiments, in `count` processes besides this one.  Returns false with a message on
 * error.
 */
bool campaign_work(const struct campaign_work *work, uint32_t count, struct gfe_error *error);

#endif
