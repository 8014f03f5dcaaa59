/* SPDX-License-Identifier: MIT */
/*
 * What a command that only reads gives up before it reads: run, show, decode, explain, check, diff,
 * inspect, hash, scrub, campaign report, discriminate, and inject without --from.
 *
 * A file of a stranger that found a fault of gfe could then not open other files, connect, or start
 * a program.  What the command line names is opened first (emu/base/opened.h); then two walls of
 * Linux stand, each where the kernel has it and lets a process raise it:
 *   - seccomp: a list of system calls.  No socket, no process, no program, no executable memory, no
 *     ptrace.  No file is opened for reading any more, and for writing only if the command line
 * names an output; but a file without a name (O_TMPFILE) for what does not fit into memory.
 *   - Landlock (from 5.13 on): of all files, those that the command line names may be read; folders
 * of outputs that it names, and TMPDIR, may be written.
 * Two commands open files behind these walls, before sandbox_narrow() takes that right, too: gfe
 * inspect the trace that the head of its log names, and gfe campaign report a database that a
 * journal lies beside.
 *
 * Where seccomp is not to be had (an old kernel, some containers) the command goes on with Landlock
 * alone or with nothing, and main() says so.  Other calls than those of the list fail with EPERM.
 * --no-sandbox leaves both out.  Builds with a sanitizer have no sandbox, because its runtime opens
 * files and starts a symbolizer.  gfe --version says what there is.
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
/* Returns which walls the kernel lets a process raise here. */
int sandbox_possible(void);
/* Opens the files that words of the command line name, also behind "=", for opened_read(), and
 * gives up the rights.  Files of options that write (-o, --output, --snapshot, --strings, --times)
 * may be written.  If `reads_all` every file may be read: one that is read names another.  Call it
 * before a thread is started or a file is opened.  Returns what stands now. */
int sandbox_enter(int argc, char **argv, bool reads_all);
/* Takes the right to open files to read, if sandbox_enter() left it; and unless `writes` to open,
 * name and remove files at all.  Files without a name stay.  What is to be read was opened, or kept
 * for opened_read().  Does nothing where seccomp does not stand.  Call it before a thread is
 * started.  Returns false if the kernel or short memory refuses. */
bool sandbox_narrow(bool writes);

#endif
