/* SPDX-License-Identifier: MIT */
/*
 * The words of the debugger: a table of commands in gdb's spirit above a session
 * (emu/debug/debug.h), the same for lines from a file, a pipe and a terminal.  A command's name may
 * be cut as long as it is one command's; some have a short name of their own.
 */
#ifndef GFE_DEVICES_DEBUG_COMMAND_H
#define GFE_DEVICES_DEBUG_COMMAND_H

#include "emu/debug/debug.h"

struct debug_shell {
    struct debug *debug;
    bool quit; /* told to */
};

/* Carries out one line; what it has to say goes to the file.  Blank lines and those that begin with
 * # do nothing.  False with a message: there is no such command, or it could not be done; the
 * session stands as before. */
bool debug_command(struct debug_shell *shell, const char *line, FILE *file,
                   struct gfe_error *error);
/* One line for each command, or all about one. */
bool debug_help(const struct debug_shell *shell, const char *topic, FILE *file,
                struct gfe_error *error);
/* Calls take() for each word that the last word of the line can become. */
void debug_complete(const struct debug_shell *shell, const char *line,
                    void (*take)(void *context, const char *word), void *context);

#endif
