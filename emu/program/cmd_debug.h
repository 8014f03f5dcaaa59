/* SPDX-License-Identifier: MIT */
/* What gfe debug's parts share.  Private to cmd_debug*.c. */
#ifndef GFE_EMU_CMD_DEBUG_H
#define GFE_EMU_CMD_DEBUG_H

#include <signal.h>

#include "emu/debug/debug_command.h"

/* cmd_debug_terminal.c: is there somebody who types?  Has the terminal no cursor to move? */
bool cmd_debug_is_terminal(void);
bool cmd_debug_is_dumb(void);
/* Ctrl-C stays pending from now on, and is asked for (debug_on_interrupt()). */
void cmd_debug_hold_interrupts(sigset_t *before);
bool cmd_debug_asked(void *context);
/* Lines from a terminal, until quit or its end. */
bool cmd_debug_terminal(struct debug_shell *shell, struct gfe_error *error);

/* cmd_debug_screen.c: the same with panes; `said` stands among what commands have said.  False:
 * there is no terminal that could show them, and nothing has been done. */
bool cmd_debug_screen(struct debug_shell *shell, const char *said);

#endif
