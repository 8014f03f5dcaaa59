/* SPDX-License-Identifier: MIT */
/*
 * When a condition (INJECT_AT_VALUE of emu/faults/inject.h) first holds in the run without faults,
 * so that experiments that wait for it need not start at the beginning.
 *
 * Who waits for a register reads it behind each event, and a read may do something.  So the run is
 * made once more with somebody who waits: an experiment may start at a point at which he still
 * waits and all is as it was without him.
 */
#ifndef GFE_DEVICES_CAMPAIGN_CONDITION_H
#define GFE_DEVICES_CAMPAIGN_CONDITION_H

#include "emu/faults/campaign_run.h"

/* Learns of the condition of a fault's trigger, once for all faults that have it; nothing is done
 * for other triggers, nor beyond CAMPAIGN_CONDITIONS_MAX.  False with a message. */
bool campaign_condition_learn(struct campaign_run *run, const struct inject_fault *fault,
                              struct gfe_error *error);
/* The point from which an experiment may start; UINT32_MAX: it never holds.  0 where nothing has
 * been learned. */
uint32_t campaign_condition_start(const struct campaign_run *run,
                                  const struct inject_trigger *trigger);

#endif
