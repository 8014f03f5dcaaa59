/* SPDX-License-Identifier: MIT */
/* What gfe discriminate says, as text and as JSON.  Private to cmd_discriminate*.c. */
#ifndef GFE_EMU_CMD_DISCRIMINATE_PRINT_H
#define GFE_EMU_CMD_DISCRIMINATE_PRINT_H

#include "emu/explore/discriminate.h"

struct discriminate_report {
    const struct discriminate *discriminate;
    const char *config, *cuda;                  /* texts; NULL where nothing was found */
    const struct discriminate_outcome *outcome; /* measured; NULL: nothing was */
    enum discriminate_verdict verdict;          /* of it */
    const char *directory;                      /* where the files are; NULL: print them */
};

void discriminate_print_text(FILE *file, const struct discriminate_report *report);
/* False: no memory. */
bool discriminate_print_json(FILE *file, const struct discriminate_report *report);

#endif
