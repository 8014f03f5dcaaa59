/* SPDX-License-Identifier: MIT */
/*
 * What a command that only reads gives up before it reads: run, show, decode, explain, check, diff,
 * inspect, hash, scrub, campaign report.
 *
 * A file of a stranger that found a fault of gfe could then not open other files, connect, or start
 * a program.  Two walls of Linux stand, each where the kernel has it and lets a process raise it:
 *   - Landlock (from 5.13 on): files may be opened that the command line names, for reading;
 * folders of outputs that it names, and TMPDIR, may be written.  Nothing else can be opened.
 *   - seccomp: a list of system calls.  No socket, no process, no program, no executable memory, no
 *     ptrace; nothing is opened for writing if the command line names no output, but for a file
 *     without a name (O_TMPFILE) for what does not fit into memory.
 * Where neither is to be had (an old kernel, some containers) the command goes on without.  Other
 * calls than those of the list fail with EPERM.  --no-sandbox leaves both out.  Builds with a
 * sanitizer have no sandbox, because its runtime opens files and starts a symbolizer; gfe --version
 * says so.
 */
#ifndef GFE_EMU_PROGRAM_SANDBOX_H
#define GFE_EMU_PROGRAM_SANDBOX_H

#include <stdbool.h>

/* What stands; 0 is none. */
enum { SANDBOX_LANDLOCK = 1, SANDBOX_SECCOMP = 2 };

/* The row of --no-sandbox for a command's list of options.  main() takes the option out of the
 * command line, so that the command never sees it. */
enum { SANDBOX_OPTION_ID = 1100 };
#define SANDBOX_OPTION                                                                             \
    {                                                                                              \
        SANDBOX_OPTION_ID, "no-sandbox", NULL,                                                     \
            "do not give up the rights that reading does not need\n"                               \
            "(docs/sandbox.md)"                                                                    \
    }

/* Returns false if this build has no sandbox. */
bool sandbox_is_built(void);
/* Gives up the rights.  The words of the command line that name files, also behind "=", may be
 * read; those of options that write (-o, --output, --snapshot, --strings, --times) may be written.
 * If `reads_all` every file may be read: one that is read names another.  Call it before a thread
 * is started.  Returns what stands now. */
int sandbox_enter(int argc, char **argv, bool reads_all);

#endif
