/* SPDX-License-Identifier: MIT */
/*
 * The registry: every table, every register list and every GPU of this build, of all vendors.  Only
 * this unit and the program's commands know every vendor.
 */
#ifndef GFE_EMU_SIM_GPUS_H
#define GFE_EMU_SIM_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

struct check_limits;

/* The tables of rules, parameters, choice points and events, for `gfe rules`. */
extern const struct table_set *const gfe_table_sets[];
extern const uint32_t gfe_table_set_count;
/* The lists of registers, for `gfe regs`. */
extern const struct reg_list *const gfe_reg_lists[];
extern const uint32_t gfe_reg_list_count;

/* Sets the user's error (ERROR_USAGE) for a name that no NVIDIA chip has.  Returns false. */
bool gpu_missing(const char *name, struct gfe_error *error);
/*
 * Writes the limits of blocks on a GPU of any vendor, for the check that computes occupancy a
 * second time (emu/analysis/check/check.h).  Returns false if no GPU has that name or alias, or if
 * `name` is NULL.
 */
bool gpu_limits_by_name(const char *name, struct check_limits *limits);

#endif
