/* SPDX-License-Identifier: MIT */
/* The output of gfe inject.  Private to cmd_inject.c, cmd_inject_print.c and cmd_inject_wake.c. */
#ifndef GFE_EMU_PROGRAM_CMD_INJECT_H
#define GFE_EMU_PROGRAM_CMD_INJECT_H

#include <jansson.h>
#include <stdio.h>

#include "emu/faults/inject_run.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"
#include "emu/faults/wake.h"
#include "emu/log/event_line.h"

/* A list of sites: the first is the engine's, then those of each vendor follow. */
struct inject_vendor {
    const char *name;
    const struct inject_sites *sites;
};
void inject_list(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* Prints the list as JSON.  Returns false, and prints nothing, if memory is short. */
bool inject_list_json(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* The lines of the kernel's log in a run: the first of them, and how many there are. */
enum { INJECT_LINES_KEPT = 64 };
struct inject_lines {
    struct {
        gfe_ps time_ps;
        char text[EVENT_LINE_BYTES];
    } line[INJECT_LINES_KEPT];
    uint64_t count;
};
/* Reads a log to its end for the lines of drivers.  Returns false with a message if it is damaged.
 */
bool inject_lines_make(struct inject_lines *lines, struct event_log_reader *log,
                       struct gfe_error *error);
/* Prints the lines as the kernel does, with seconds and microseconds before each. */
void inject_lines_print(FILE *file, const struct inject_lines *lines);
json_t *inject_lines_json(const struct inject_lines *lines);

/* The wake of the faults.  `log` is one of the run's logs, for names.  The wake is empty if the
 * faults changed nothing; `lines` are those of the run with faults. */
struct inject_wake {
    struct wake wake;
    struct event_log_reader *log; /* owned; NULL: there is none */
    struct inject_lines lines;
};
/* Compares the logs of both runs.  Returns false with a message on error.  Call inject_wake_fini()
 * in any case. */
bool inject_wake_make(struct inject_wake *wake, struct inject_run *run,
                      struct inject_experiment *experiment, struct gfe_error *error);
void inject_wake_fini(struct inject_wake *wake);
void inject_wake_print(FILE *file, const struct inject_wake *wake);
json_t *inject_wake_json(const struct inject_wake *wake);

/* Prints the effects of the faults of a run, and its outcome.  `stopped` says why the run could not
 * go to its end; NULL means that it did. */
void inject_print(FILE *file, const struct inject *inject, const struct outcome *outcome,
                  const struct inject_wake *wake, const char *stopped);
/* Prints the same as JSON.  Returns false, and prints nothing, if memory is short. */
bool inject_print_json(FILE *file, const struct inject *inject, const struct outcome *outcome,
                       const struct inject_wake *wake, const char *stopped);

#endif
