/* SPDX-License-Identifier: MIT */
/*
 * What differs between runs of a program without faults (`gfe live`) is no effect of a fault: the
 * first run is widened by each further one, and the output compared as far as they agree.
 */
#ifndef GFE_EMU_FAULTS_LIVE_CONTROL_H
#define GFE_EMU_FAULTS_LIVE_CONTROL_H

#include "emu/faults/live_outcome.h"

/* Adds another run without faults: counts, failed calls and the time become the largest of both,
 * and lines of the output that are not alike are noted.  Returns false if memory is short. */
bool live_control_add(struct live_observation *golden, const struct live_observation *control);

/* Compares the output of the run with faults.  A line that varies without faults is not compared;
 * if the number of lines varies, or of bytes that were kept, nothing is. */
struct live_compared live_control_compare(const struct live_observation *golden,
                                          const struct live_observation *faulty);

#endif
