/* SPDX-License-Identifier: MIT */
/* The output of gfe live (cmd_live_print.c). */
#ifndef GFE_EMU_PROGRAM_CMD_LIVE_H
#define GFE_EMU_PROGRAM_CMD_LIVE_H

#include <stdio.h>

#include "emu/faults/live_outcome.h"

struct live_report {
    const char *gpu, *program;
    const char *const *faults;
    const bool *changes;         /* for each fault: it changes a value */
    const char *const *subjects; /* the kind of each fault's subject; NULL: none */
    uint32_t fault_count;
    const struct live_observation *golden, *faulty;
    const struct live_outcome *outcome;
    const char *output, *errors; /* of the run with faults */
    size_t output_bytes, error_bytes;
    unsigned left_count;
};

void live_print(FILE *file, const struct live_report *report);
/* Prints the report as JSON.  Returns false if memory is short, or if the file cannot be written.
 */
bool live_print_json(FILE *file, const struct live_report *report);

#endif
