/* SPDX-License-Identifier: MIT */
/*
 * The texts around a picture: its title, the operations, the waits by rule.  Their length is
 * bounded: a long list shows its longest-lasting entries and the number of all entries.
 */
#ifndef GFE_EMU_VIEWS_SHOW_LISTS_H
#define GFE_EMU_VIEWS_SHOW_LISTS_H

#include <stdint.h>
#include <stdio.h>

#include "emu/views/show.h"

/* Waits of one rule within the window. */
struct show_lists_rule {
    uint32_t rule;
    uint32_t count;
    gfe_ps total_ps, longest_ps;
};

enum { SHOW_LISTS_RULES_MAX = 64, SHOW_LISTS_WORDS = 256 };

/* Fills `rules`, sorted by total time, longest first.  Returns the number of rules. */
uint32_t show_lists_rules(const struct show *show,
                          struct show_lists_rule rules[SHOW_LISTS_RULES_MAX]);

/* Write what is shown: the counts, as in "2 submissions, 1 grid", and the window of time. */
void show_lists_counts(const struct show *show, char *to, size_t bytes);
void show_lists_window(const struct show *show, char *to, size_t bytes);
/* Writes the log's name, without its folder, and the GPU: "compute.gfl on gtx1060". */
void show_lists_name(const struct show *show, char *to, size_t bytes);
void show_lists_operations(FILE *file, const struct show *show, uint32_t width);
void show_lists_waits(FILE *file, const struct show *show, uint32_t width);

/* Writes what an operation is, in one line without its name: "30 blocks of 256 threads". */
void show_lists_operation(const struct show *show, const struct show_operation *operation, char *to,
                          size_t bytes);

#endif
