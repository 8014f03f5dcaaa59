/* SPDX-License-Identifier: MIT */
/* What gfe inject prints.  Private to cmd_inject.c and cmd_inject_print.c. */
#ifndef GFE_EMU_CMD_INJECT_H
#define GFE_EMU_CMD_INJECT_H

#include <stdio.h>

#include "emu/inject.h"
#include "emu/outcome.h"

/* The sites of the engine, then those of each vendor. */
struct inject_vendor {
    const char *name;
    const struct inject_sites *sites;
};
void inject_list(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* False: no memory, nothing was printed. */
bool inject_list_json(FILE *file, const struct inject_vendor *vendors, uint32_t count);
/* What the faults of a run did, and its outcome. */
void inject_print(FILE *file, const struct inject *inject, const struct outcome *outcome);
bool inject_print_json(FILE *file, const struct inject *inject, const struct outcome *outcome);

#endif
