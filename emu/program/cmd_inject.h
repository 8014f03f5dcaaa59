/* SPDX-License-Identifier: MIT */
/* What gfe inject prints.  Private to cmd_inject.c, cmd_inject_print.c and cmd_inject_wake.c. */
#ifndef GFE_EMU_CMD_INJECT_H
#define GFE_EMU_CMD_INJECT_H

#include <jansson.h>
#include <stdio.h>

#include "emu/faults/inject_run.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"
#include "emu/faults/wake.h"

/* The sites of the engine, then those of each vendor. */
struct inject_vendor {
    const char *name;
    const struct inject_sites *sites;
};
void inject_list(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* False: no memory, nothing was printed. */
bool inject_list_json(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* How far what the faults changed has come; log: one of the run's, for names.  Nothing when they
 * changed nothing. */
struct inject_wake {
    struct wake wake;
    struct event_log_reader *log; /* owned; NULL: there is none */
};
/* Compares the logs of both runs.  False with a message; inject_wake_fini() in any case. */
bool inject_wake_make(struct inject_wake *wake, struct inject_run *run,
                      struct inject_experiment *experiment, struct gfe_error *error);
void inject_wake_fini(struct inject_wake *wake);
void inject_wake_print(FILE *file, const struct inject_wake *wake);
json_t *inject_wake_json(const struct inject_wake *wake);

/* What the faults of a run did, and its outcome; why it could not be run to its end, NULL: it was.
 */
void inject_print(FILE *file, const struct inject *inject, const struct outcome *outcome,
                  const struct inject_wake *wake, const char *stopped);
/* False: no memory, nothing was printed. */
bool inject_print_json(FILE *file, const struct inject *inject, const struct outcome *outcome,
                       const struct inject_wake *wake, const char *stopped);

#endif
