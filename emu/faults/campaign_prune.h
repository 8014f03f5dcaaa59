/* SPDX-License-Identifier: MIT */
/*
 * The parts of an experiment that can be skipped, because the run without faults shows their
 * outcome:
 *
 *   dead        Bits of memory that are inverted at a time, and overwritten before they are
 *               read; or bits that are never accessed again, in a word that is no result of
 *               the program (emu/faults/outcome.h): Masked.
 *   sleeping    Bits of memory that are not accessed for a time.  The result is the same
 *               whether they are inverted at its beginning or at its end, so the experiment
 *               starts at its end.
 *   inactive    Bits of a passage that are stuck at the value that they have anyway in all
 *               passages, or that are given the value that they have.  The fault never acts,
 *               which is Masked; or (stuck) it acts only later.
 *
 * That is fault-list collapsing (Benso et al. 1998) and no guess.  tests/test_campaign_prune.c
 * makes the experiments that were pruned and gets the same outcomes.
 *
 * Nothing is known of memory by virtual address, because mappings change; of memory that a unit
 * waits for, because a write of the fault wakes it; of registers, because units read them without a
 * report; or of state that changes after an event.
 *
 * A. Benso, M. Rebaudengo, L. Impagliazzo, P. Marmo: "Fault-List Collapsing for Fault-Injection
 * Experiments", RAMS 1998.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_PRUNE_H
#define GFE_EMU_FAULTS_CAMPAIGN_PRUNE_H

#include "emu/faults/campaign_run.h"

struct campaign_start {
    uint32_t point;  /* from which the experiment starts; UINT32_MAX: no fault can act */
    bool pruned;     /* the experiment is not made */
    uint32_t acted;  /* if pruned: how many faults would act */
    gfe_ps first_ps; /* if pruned: when the first would act */
    bool moved;      /* the fault acts at the point instead of its time */
};

/* Returns the start of an experiment with faults that act together; prunes unless run->prunes is
 * false.  Each of several faults is examined as if it were alone.  The experiment is pruned only if
 * all of them leave the run as it is without faults.  None of several faults is moved, because
 * another fault may reach its place earlier. */
struct campaign_start campaign_start(const struct campaign_run *run,
                                     const struct inject_fault *faults, uint32_t count);

#endif
