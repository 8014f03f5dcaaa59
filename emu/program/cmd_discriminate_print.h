/* SPDX-License-Identifier: MIT */
/* The output of gfe discriminate, as text and as JSON.  Private to cmd_discriminate*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_DISCRIMINATE_PRINT_H
#define GFE_EMU_PROGRAM_CMD_DISCRIMINATE_PRINT_H

#include "emu/explore/discriminate.h"

struct discriminate_report {
    const struct discriminate *discriminate;
    const char *config, *cuda;                  /* texts; NULL if nothing was found */
    const struct discriminate_outcome *outcome; /* measured; NULL: none */
    enum discriminate_verdict verdict;          /* on the outcome */
    const char *directory;                      /* folder of the files; NULL: print them */
};

void discriminate_print_text(FILE *file, const struct discriminate_report *report);
/* Prints the report as JSON.  Returns false if memory is short. */
bool discriminate_print_json(FILE *file, const struct discriminate_report *report);

#endif
