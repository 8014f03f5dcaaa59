/* SPDX-License-Identifier: MIT */
/* What the files of inspection.h share. */
#ifndef GFE_EMU_DEBUG_INSPECTION_PRIVATE_H
#define GFE_EMU_DEBUG_INSPECTION_PRIVATE_H

#include "emu/debug/inspection.h"

/* Reads the head's costs, which are split in place: `text` must outlive them.  Returns how many
 * there are. */
uint32_t inspection_costs(char *text, struct scenario_cost costs[SCENARIO_COSTS_MAX]);
/* Loads the scenario that the log is of, by its paths, a line each: as they are, or with `beside`
 * by their names in the log's folder.  Sets inspection->scenario if the scenario is the log's; else
 * returns false with the reason in inspection->trace_error. */
bool inspection_scenario(struct inspection *inspection, const char *paths, bool beside);

#endif
