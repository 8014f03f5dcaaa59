/* SPDX-License-Identifier: MIT */
/*
 * What an experiment need not do, as the run without faults tells what would come of it:
 *
 *   dead        Bits of memory that are inverted at a time, and written over before anybody reads
 *               them; or never read nor written any more, in a word that says nothing about the
 *               program (emu/faults/outcome.h): Masked.
 *   sleeping    Bits of memory that nobody reads or writes for a time: it is the same whether
 *               they are inverted at its beginning or at its end, so the experiment starts there.
 *   inactive    Bits of what passes a site that are stuck at what they are anyway, whenever
 *               something passes, or are given the value that they have: the fault never acts,
 * which is Masked; or (stuck) acts only later.
 *
 * That is fault-list collapsing (Benso et al. 1998): no guess, so tests/test_campaign_prune.c makes
 * the experiments that were pruned and comes to the same.
 *
 * Nothing is known of memory by virtual address, as mappings change; of memory that somebody waits
 * for (a write of the fault wakes him); of registers, which units read without saying so; nor of
 * state that changes behind an event.
 *
 * A. Benso, M. Rebaudengo, L. Impagliazzo, P. Marmo: "Fault-List Collapsing for Fault-Injection
 * Experiments", RAMS 1998.
 */
#ifndef GFE_DEVICES_CAMPAIGN_PRUNE_H
#define GFE_DEVICES_CAMPAIGN_PRUNE_H

#include "emu/faults/campaign_run.h"

struct campaign_start {
    uint32_t point;  /* from which the experiment starts; UINT32_MAX: nothing can act */
    bool pruned;     /* it is not made */
    uint32_t acted;  /* of one that is pruned: faults that change something, */
    gfe_ps first_ps; /* and when the first does */
    bool moved;      /* it acts at the point instead of its time */
};

/* Of faults that act together, without pruning if run->prunes says so.  Each of several is looked
 * at as if it were alone; only when all of them leave the run as it is without faults, the
 * experiment is not made.  None of them is moved: another may meet it before. */
struct campaign_start campaign_start(const struct campaign_run *run,
                                     const struct inject_fault *faults, uint32_t count);

#endif
