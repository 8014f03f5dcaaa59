/* SPDX-License-Identifier: MIT */
/*
 * The words of the debugger: a table of commands like gdb's above a session (emu/debug/debug.h),
 * the same for lines from a file, a pipe and a terminal.  A command's name may be shortened as long
 * as it is unambiguous; some commands have a short name of their own.
 */
#ifndef GFE_EMU_DEBUG_DEBUG_COMMAND_H
#define GFE_EMU_DEBUG_DEBUG_COMMAND_H

#include "emu/debug/debug.h"

struct debug_shell {
    struct debug *debug;
    bool quit; /* the command quit was given */
};

/* Carries out one line; its output goes to the file.  Blank lines and lines that begin with # do
 * nothing.  Returns false with a message if there is no such command, or if it failed; the session
 * is then unchanged. */
bool debug_command(struct debug_shell *shell, const char *line, FILE *file,
                   struct gfe_error *error);
/* Prints one line for each command, or the full help of one. */
bool debug_help(const struct debug_shell *shell, const char *topic, FILE *file,
                struct gfe_error *error);
/* Calls take() for each word that the last word of the line can become. */
void debug_complete(const struct debug_shell *shell, const char *line,
                    void (*take)(void *context, const char *word), void *context);

#endif
