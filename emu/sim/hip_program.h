/* SPDX-License-Identifier: MIT */
/* Describes a hip_plugin_framework configuration for the head of a log (emu/log/program.h): each
 * plugin is a task with one call, its kernel. */
#ifndef GFE_EMU_SIM_HIP_PROGRAM_H
#define GFE_EMU_SIM_HIP_PROGRAM_H

#include "traces/config/hip_config.h"

/* Returns the JSON text, which the caller frees.  Returns NULL if memory is short. */
char *hip_program_json(const struct hip_config *config);

#endif
