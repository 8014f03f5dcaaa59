/* SPDX-License-Identifier: MIT */
/* How far gfe compare and gfe calibrate have come, as a line on a terminal that is written over. */
#ifndef GFE_EMU_PROGRAM_CMD_FIT_PROGRESS_H
#define GFE_EMU_PROGRAM_CMD_FIT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/fit/experiment.h"

struct cmd_fit_progress {
    const char *command; /* "calibrate" */
    bool always;         /* show each step, also where stderr is no terminal */
    bool shows;
    uint64_t begin_ms, said_ms;
};

/* Has the machine's runs shown, if stderr is a terminal or `progress->always`. */
void cmd_fit_progress_begin(struct cmd_fit_progress *progress, struct fit_machine *machine);
/* Clears the line, if one was shown. */
void cmd_fit_progress_end(const struct cmd_fit_progress *progress);

#endif
