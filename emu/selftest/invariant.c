/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/invariant.h"

#include <stdarg.h>
#include <stdio.h>

const struct invariant invariants[] = {
    {"ends", "A run comes to its end; one with faults may pass a bound.", false, invariant_ends},
    {"waits",
     "Every wait ends and has a rule, or what was not done is left behind by a named wait.", true,
     invariant_waits},
    {"put", "No GP entry and no packet is taken up that was not submitted, and none twice.", true,
     invariant_put},
    {"work", "Each block, copy, draw and release that the program asks for is done once.", true,
     invariant_work},
    {"slices", "The times in which a block runs add up to its work.", true, invariant_slices},
    {"turns", "Turns of a runlist follow each other, are as long as they say, and end in time.",
     true, invariant_turns},
    {"room", "No SM holds more threads, warps, blocks or shared memory than it has.", true,
     invariant_room},
    {"check", "gfe check finds no broken rule.", true, invariant_check},
    {"explain", "The pieces of the life of each operation touch and add up to the whole.", true,
     invariant_explain},
    {"batch", "The log is the same with --batch-limit 1.", true, invariant_batch},
    {"snapshot", "A snapshot at any event, restored into another machine, gives the same rest.",
     true, invariant_snapshot},
};
const uint32_t invariant_count = sizeof invariants / sizeof invariants[0];

bool invariant_wrong(char says[INVARIANT_SAYS_BYTES], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(says, INVARIANT_SAYS_BYTES, format, arguments);
    va_end(arguments);
    return false;
}
