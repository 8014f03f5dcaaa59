/* SPDX-License-Identifier: MIT */
/* gfe inject --from: repeats an experiment of a campaign.  Private to cmd_inject*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_INJECT_FROM_H
#define GFE_EMU_PROGRAM_CMD_INJECT_FROM_H

#include "emu/faults/campaign_plan.h"
#include "emu/faults/campaign_row.h"

struct inject_from {
    struct campaign_plan *plan; /* GPU, seed, ... */
    char *path;                 /* of the program */
    struct campaign_row row;    /* its fault, and its outcome in the campaign */
};

/* Reads the experiment.  Returns false with a message on error.  Call inject_from_fini() in any
 * case.
 */
bool inject_from_init(struct inject_from *from, const char *db, uint64_t id,
                      struct gfe_error *error);
void inject_from_fini(struct inject_from *from);

#endif
