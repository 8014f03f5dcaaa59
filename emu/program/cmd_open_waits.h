/* SPDX-License-Identifier: MIT */
/* What a run left that waits for ever, for commands whose runs keep no log. */
#ifndef GFE_EMU_PROGRAM_CMD_OPEN_WAITS_H
#define GFE_EMU_PROGRAM_CMD_OPEN_WAITS_H

#include "emu/analysis/open_waits.h"
#include "emu/sim/any_simulation.h"

struct cmd_open_waits {
    struct open_waits open;
    struct event_log_reader *log; /* with the words; NULL if nothing was read */
};

/* Has the units of a run that has ended with work left report it once more, into a log of its own.
 * The run's log and the machine's observers see nothing of that.  Returns what was reported, which
 * the caller frees, or NULL with a message.  Of a run without work left it is empty. */
struct cmd_open_waits *cmd_open_waits_new(struct any_simulation *simulation,
                                          struct gfe_error *error);
void cmd_open_waits_free(struct cmd_open_waits *waits);

#endif
