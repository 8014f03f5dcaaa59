/* SPDX-License-Identifier: MIT */
/* What invariant_explain() asks of one life. */
#ifndef GFE_EMU_SELFTEST_INVARIANT_PRIVATE_H
#define GFE_EMU_SELFTEST_INVARIANT_PRIVATE_H

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/story/explain_story.h"
#include "emu/selftest/invariant.h"

/* Return true if the pieces of a life touch, none is empty, and they add up to the life; of
 * `total`, also that the sums are those of the pieces.  Else `says` tells what of `name` is wrong.
 */
bool invariant_life_adds_up(const struct explain_life *life, const struct explain_total *total,
                            const char *name, char says[INVARIANT_SAYS_BYTES]);
bool invariant_story_adds_up(const struct story_life *life, const char *name,
                             char says[INVARIANT_SAYS_BYTES]);

#endif
