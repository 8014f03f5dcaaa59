/* SPDX-License-Identifier: MIT */
/* What the head of a log tells of a hip_plugin_framework configuration (emu/log/program.h): each
 * plugin is a task with one call, its kernel. */
#ifndef GFE_DEVICES_HIP_PROGRAM_H
#define GFE_DEVICES_HIP_PROGRAM_H

#include "traces/config/hip_config.h"

/* The JSON text; the caller frees it.  NULL when memory is short. */
char *hip_program_json(const struct hip_config *config);

#endif
