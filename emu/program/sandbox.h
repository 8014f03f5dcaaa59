/* SPDX-License-Identifier: MIT */
/*
 * What a command that only reads gives up before it reads: run, show, decode, explain, check, diff,
 * inspect, hash, scrub, campaign report.
 *
 * A file of a stranger that found a fault of gfe could then not open other files, connect, or start
 * a program.  What the command line names is opened first (emu/base/opened.h); then two walls of
 * Linux stand, each where the kernel has it and lets a process raise it:
 *   - seccomp: a list of system calls.  No socket, no process, no program, no executable memory, no
 *     ptrace.  No file is opened for reading any more, and for writing only if the command line
 * names an output; but a file without a name (O_TMPFILE) for what does not fit into memory.
 *   - Landlock (from 5.13 on): of all files, those that the command line names may be read; folders
 * of outputs that it names, and TMPDIR, may be written. Two commands still open files that they
 * read, which Landlock alone decides about then: gfe inspect, whose log names a trace, and gfe
 * campaign report of a database that a journal lies beside.
 *
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
/* Opens the files that words of the command line name, also behind "=", for opened_read(), and
 * gives up the rights.  Files of options that write (-o, --output, --snapshot, --strings, --times)
 * may be written.  If `reads_all` every file may be read: one that is read names another.  Call it
 * before a thread is started or a file is opened.  Returns what stands now. */
int sandbox_enter(int argc, char **argv, bool reads_all);

#endif
