/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the resource-manager model. */
#ifndef GFE_FIRMWARE_MODELS_RM_TABLES_H
#define GFE_FIRMWARE_MODELS_RM_TABLES_H

#include "emu/rule.h"

/* clang-format off */
#define RM_EVENTS(EVENT)                                                                             \
    EVENT(EVENT_RM_CHANNEL, "RM_CHANNEL", "the resource manager makes a channel",                      \
          "channel_id", "tsg_id", "runlist_id", "instance_address", "gpfifo_address", "userd_address") \
    EVENT(EVENT_RM_RUNLIST, "RM_RUNLIST", "it writes a runlist into the buffer that is not in use, and submits it", \
          "runlist_id", "base_address", "entry_count")                                                 \
    EVENT(EVENT_RM_TIMESLICE, "RM_TIMESLICE", "SET_TIMESLICE: (timeout << scale) units of 1,024 ns",   \
          "runlist_id", "tsg_id", "timeout", "scale")

#define RM_RULES(RULE)                                                                               \
    RULE(RULE_B_T3, "B.T3", MEASURED, RUNTIME, "003 Fig. 6 (GTX 1060); facts of a recorded CUDA context: SET_TIMESLICE on the compute TSG", \
         "The compute TSG of a CUDA context has a timeslice of its own, 250 << 3 units of 1,024 ns.")

#define RM_PARAMETERS(PARAMETER)                                                                     \
    PARAMETER(PARAM_RM_TIMESLICE_UNITS, "rm.timeslice_units", "units", 1024, DOCUMENTED,               \
              "open-gpu-kernel-modules @df1c9a3d kernel_channel_group (128 << 3)",                     \
              "Timeslice of a new TSG, in units of 1,024 ns that the driver calls microseconds.")      \
    PARAMETER(PARAM_RM_COMPUTE_TIMESLICE_UNITS, "rm.compute_timeslice_units", "units", 2000, MEASURED, \
              "003 Fig. 6",                                                                            \
              "Timeslice of a CUDA context's compute TSG: 250 << 3.")
/* clang-format on */

enum { EVENT_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_EVENTS(EVENT_ID) };
enum { RULE_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_RULES(RULE_ID) };
enum { PARAM_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_PARAMETERS(PARAMETER_ID) };

extern const struct table_set rm_tables;

#endif
