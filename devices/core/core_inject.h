/* SPDX-License-Identifier: MIT */
/*
 * Where faults are injected (emu/faults/inject.h) into what vendors share: the block dispatcher.  A
 * vendor's list of sites begins with these rows.
 */
#ifndef GFE_DEVICES_CORE_CORE_INJECT_H
#define GFE_DEVICES_CORE_CORE_INJECT_H

#include "emu/engine/passage.h"

enum core_inject_site {
    CORE_INJECT_BLOCK_END = INJECT_SITE_VENDOR,
    CORE_INJECT_GRID_END,
    CORE_INJECT_END, /* a vendor's own begin here */
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
