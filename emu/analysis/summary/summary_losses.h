/* SPDX-License-Identifier: MIT */
/* What a run used and the model left out, by name: methods, fields of descriptors, packets. */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_LOSSES_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_LOSSES_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/log/event_loss.h"

enum { SUMMARY_LOSSES_MAX = 192 };

struct summary_loss {
    struct event_loss loss;
    uint64_t count;
};

/* In the order of their first use.  More than SUMMARY_LOSSES_MAX are counted as one. */
struct summary_losses {
    struct summary_loss rows[SUMMARY_LOSSES_MAX];
    uint32_t count;
};

/* Counts what an UNMODELLED event names (enum unmodelled_what).  Registers, engines and memory have
 * no names here. */
void summary_losses_take(struct summary_losses *losses, uint64_t what, uint64_t address,
                         uint64_t value);
/* Counts work of which only the time is modelled, by the method that starts it. */
void summary_losses_take_work(struct summary_losses *losses, uint64_t class_id, uint64_t method);

/* Prints a line for each thing that is lost, and below it the names with their counts. */
void summary_losses_print(FILE *file, const struct summary_losses *losses);
/* Returns the list, or NULL when memory is short. */
json_t *summary_losses_json(const struct summary_losses *losses);

#endif
