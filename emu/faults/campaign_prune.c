/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_prune.h"

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes of the word that hold the fault's bits. */
static uint32_t flipped_bytes(const struct inject_fault *fault)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < fault->bits_given; i++)
        bytes |= 1u << fault->bits[i] / 8;
    return bytes;
}

static void start_memory(const struct campaign_run *run, const struct inject_fault *fault,
                         struct campaign_start *start)
{
    const gfe_ps time_ps = fault->trigger.time_ps;
    const enum memory_aperture aperture = (enum memory_aperture)fault->aperture;
    const uint64_t word = (uint64_t)aperture << 63 | fault->address / 4;
    gfe_ps met_ps;
    const enum campaign_fate fate = campaign_access_fate(&run->accesses, aperture, fault->address,
                                                         flipped_bytes(fault), time_ps, &met_ps);

    if (fate == CAMPAIGN_FATE_UNKNOWN)
        return;
    start->pruned = fate == CAMPAIGN_FATE_DEAD ||
                    (fate == CAMPAIGN_FATE_LEFT && outcome_is_own(&run->golden, word));
    start->acted = start->pruned;
    start->first_ps = time_ps;
    if (!start->pruned && met_ps > time_ps) {
        const uint32_t later = campaign_run_point_at(run, met_ps);

        start->moved = run->points[later].time_ps > time_ps;
        start->point = start->moved ? later : start->point;
    }
}

/* ---- what passes ----------------------------------------------------------------------------- */

/* The passage at which the fault's trigger holds first; passages->count: it never does. */
static uint32_t first_due(const struct campaign_passages *passages,
                          const struct inject_fault *fault)
{
    uint64_t left = fault->trigger.count;

    if (fault->trigger.when == INJECT_AT_TIME)
        return campaign_run_passage_at(passages, fault->trigger.time_ps);
    for (uint32_t i = 0; i < passages->count; i++)
        if ((fault->subject == INJECT_ANY || passages->rows[i].subject == fault->subject) &&
            --left == 0)
            return i;
    return passages->count;
}

static bool is_stuck(const struct inject_fault *fault)
{
    return fault->model == INJECT_STUCK_0 || fault->model == INJECT_STUCK_1;
}

/* From its trigger on the fault does nothing before the first passage that it changes; one that
 * gives a value has its turn at the first alone. */
static void start_same(const struct campaign_run *run, const struct inject_fault *fault,
                       struct campaign_start *start)
{
    const struct campaign_passages *passages = &run->passages[fault->site];

    for (uint32_t i = first_due(passages, fault); i < passages->count; i++) {
        const struct campaign_passage *row = &passages->rows[i];

        if (fault->subject != INJECT_ANY && row->subject != fault->subject)
            continue;
        if (row->contents_at == SIZE_MAX ||
            inject_would_change(fault, run->contents.data + row->contents_at, row->bytes)) {
            start->point = row->point;
            return;
        }
        if (!is_stuck(fault))
            break;
    }
    start->pruned = true;
}

/* ---- a start --------------------------------------------------------------------------------- */

static struct campaign_start start_alone(const struct campaign_run *run,
                                         const struct inject_fault *fault)
{
    const struct inject_site *site =
        inject_site(&run->simulation.machine->inject->sites, fault->site);
    const enum inject_when when = fault->trigger.when;
    struct campaign_start start = {.point = campaign_run_start(run, fault)};

    if (!run->prunes || start.point == UINT32_MAX)
        return start;
    if (site->place == INJECT_MEMORY && fault->model == INJECT_FLIP && when == INJECT_AT_TIME &&
        fault->aperture < MEMORY_APERTURE_COUNT)
        start_memory(run, fault, &start);
    else if (site->place == INJECT_PASSAGE && (is_stuck(fault) || fault->model == INJECT_VALUE) &&
             (when == INJECT_AT_PASSAGE || when == INJECT_AT_TIME))
        start_same(run, fault, &start);
    return start;
}

/* Returns the point to start from, before the earliest of several faults.  A fault that waits for a
 * condition looks at the machine after each event, which may change when it acts.  So such an
 * experiment starts where that is known, or at the beginning. */
static uint32_t start_point(const struct campaign_run *run, const struct inject_fault *faults,
                            uint32_t count)
{
    uint32_t first = UINT32_MAX, conditions = 0, held = UINT32_MAX;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t point = campaign_run_start(run, &faults[i]);

        first = point < first ? point : first;
        if (faults[i].trigger.when == INJECT_AT_VALUE) {
            conditions++;
            held = point;
        }
    }
    return first == UINT32_MAX || conditions == 0 || (conditions == 1 && held == first) ? first : 0;
}

struct campaign_start campaign_start(const struct campaign_run *run,
                                     const struct inject_fault *faults, uint32_t count)
{
    struct campaign_start all = {.pruned = run->prunes, .first_ps = GFE_PS_NEVER};

    if (count == 1)
        return start_alone(run, faults);
    all.point = start_point(run, faults, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct campaign_start one = start_alone(run, &faults[i]);

        all.pruned = all.pruned && (one.pruned || one.point == UINT32_MAX);
        all.acted += one.acted;
        if (one.acted > 0 && one.first_ps < all.first_ps)
            all.first_ps = one.first_ps;
    }
    return all;
}
