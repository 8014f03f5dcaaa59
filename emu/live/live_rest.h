/* SPDX-License-Identifier: MIT */
/*
 * What a GPU does after its program's end, so that one can say what would wait for ever.
 *
 * The end of a program cuts off what is under way.  To tell that from what could never have ended,
 * the machine goes on by itself until nothing is left to do.  A wait that is open then can never
 * end.  The program's memory is only read; what the GPU writes goes to a copy of the
 * page, which the GPU alone sees.
 */
#ifndef GFE_EMU_LIVE_LIVE_REST_H
#define GFE_EMU_LIVE_LIVE_REST_H

#include <stdbool.h>

#include "emu/engine/machine.h"

enum {
    LIVE_REST_EVENTS = 1 << 20, /* events that the machine goes on for, at most */
    LIVE_REST_PAGES = 1 << 14,  /* pages of the program's that it may change: 64 MiB */
};
/* Simulated time that it goes on for, at most: more than any time limit of a driver. */
#define LIVE_REST_PS (UINT64_C(100000000) * GFE_PS_PER_US)

/* Lets the machine go on until it rests.  Returns false if it did not come to rest within these
 * limits, or failed. */
bool live_rest(struct machine *machine);

#endif
