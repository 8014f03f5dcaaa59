/* SPDX-License-Identifier: MIT */
/* Functions that the parts of gfe debug share.  Private to cmd_debug*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_DEBUG_H
#define GFE_EMU_PROGRAM_CMD_DEBUG_H

#include <signal.h>

#include "emu/debug/debug_command.h"

/* cmd_debug_terminal.c: return true if standard input and output are a terminal; and if the
 * terminal has no cursor to move. */
bool cmd_debug_is_terminal(void);
bool cmd_debug_is_dumb(void);
/* Keeps Ctrl-C pending from now on; cmd_debug_asked() checks for it (debug_on_interrupt()). */
void cmd_debug_hold_interrupts(sigset_t *before);
bool cmd_debug_asked(void *context);
/* Carries out lines from a terminal, until quit or its end. */
bool cmd_debug_terminal(struct debug_shell *shell, struct gfe_error *error);

/* cmd_debug_screen.c: the same with panes.  `said` is the first text in the console pane.  Returns
 * false, and does nothing, if the terminal cannot show panes. */
bool cmd_debug_screen(struct debug_shell *shell, const char *said);

#endif
