/* SPDX-License-Identifier: MIT */
/*
 * Finds when a condition (INJECT_AT_VALUE of emu/faults/inject.h) first holds in the run without
 * faults, so that experiments that wait for it need not start at the beginning.
 *
 * A wait for a register reads it after each event, and a read may have side effects.  So the run is
 * made once more with such a wait.  An experiment may start at a point at which the condition has
 * not held yet, and at which the machine is the same as without the wait.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_CONDITION_H
#define GFE_EMU_FAULTS_CAMPAIGN_CONDITION_H

#include "emu/faults/campaign_run.h"

/* Learns when the condition of a fault's trigger holds, once for all faults with that condition.
 * Does nothing for other triggers, or after CAMPAIGN_CONDITIONS_MAX conditions.  Returns false with
 * a message on error. */
bool campaign_condition_learn(struct campaign_run *run, const struct inject_fault *fault,
                              struct gfe_error *error);
/* Returns the point from which an experiment may start.  UINT32_MAX means that the condition never
 * holds; 0 means that nothing has been learned. */
uint32_t campaign_condition_start(const struct campaign_run *run,
                                  const struct inject_trigger *trigger);

#endif
