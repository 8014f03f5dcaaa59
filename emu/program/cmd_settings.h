/* SPDX-License-Identifier: MIT */
/*
 * Options of commands that run a program: --param and --policy ID=VALUE, --cost NAME=TIME.
 * Arguments are split in place.  Private to cmd_*.c.
 */
#ifndef GFE_EMU_PROGRAM_CMD_SETTINGS_H
#define GFE_EMU_PROGRAM_CMD_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/sim/measured_cost.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/base/args.h"

enum { CMD_SETTINGS_MAX = 64 };

/* Each adds an entry to a list of *count.  Returns false after wrong usage; args has the message.
 */
bool cmd_settings_add(struct args *args, struct simulation_setting settings[CMD_SETTINGS_MAX],
                      uint32_t *count, const char *id, const char *value);
bool cmd_settings_take(struct args *args, struct simulation_setting settings[CMD_SETTINGS_MAX],
                       uint32_t *count);
bool cmd_settings_cost(struct args *args, struct scenario_cost costs[SCENARIO_COSTS_MAX],
                       uint32_t *count);
/* Adds the cost that a result file has (--cost-from), says on standard error what it is, and keeps
 * its name in names[*count]. */
bool cmd_settings_cost_from(struct args *args, struct scenario_cost costs[SCENARIO_COSTS_MAX],
                            char names[SCENARIO_COSTS_MAX][MEASURED_COST_NAME_BYTES],
                            uint32_t *count);

#endif
