/* SPDX-License-Identifier: MIT */
/*
 * Sites of injected faults (emu/faults/inject.h) in the block dispatcher, which the vendors share.
 * A vendor's list of sites begins with these rows.
 */
#ifndef GFE_DEVICES_CORE_CORE_INJECT_H
#define GFE_DEVICES_CORE_CORE_INJECT_H

#include "emu/engine/passage.h"

enum core_inject_site {
    CORE_INJECT_BLOCK_END = INJECT_SITE_VENDOR,
    CORE_INJECT_GRID_END,
    CORE_INJECT_END, /* first of a vendor's own sites */
};

/* clang-format off */
#define CORE_INJECT_ROWS                                                                             \
    {.name = "block_end", .place = INJECT_PASSAGE, .models = INJECT_BIT(INJECT_DROP),                \
     .unit = "dispatcher", .subject = "grid",                                                        \
     .doc = "a block's end: without it the block goes on for ever, and keeps its room (all: the grid hangs)"},     \
    {.name = "grid_end", .place = INJECT_PASSAGE, .models = INJECT_BIT(INJECT_DROP),                 \
     .unit = "dispatcher", .subject = "grid",                                                        \
     .doc = "the dispatcher's word to the front end that a grid is complete"}
/* clang-format on */

#endif
