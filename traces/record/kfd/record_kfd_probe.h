/* SPDX-License-Identifier: MIT */
/*
 * Looks for a machine's real KFD (`gfe record --passthrough`): the version of its interface, and
 * the GPUs of the topology in sysfs that this process may use.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_PROBE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_PROBE_H

#include <stdbool.h>

#include "emu/base/error.h"
#include "traces/record/kfd/record_kfd_pass.h"

/* Returns true if there is a node. */
bool record_kfd_probe_is_there(void);
/* Describes the machine's KFD.  `names` are the GPUs' names in the trace, with commas, in the
 * topology's order; NULL stands for the names of their chips.  Returns false with a message if no
 * GPU can be used. */
bool record_kfd_probe(const char *names, struct record_kfd_device *device, struct gfe_error *error);
/* Reads only a topology: nodes/N/{gpu_id,properties,mem_banks/M/properties} in a directory. */
bool record_kfd_probe_topology(const char *directory, const char *names,
                               struct record_kfd_device *device, struct gfe_error *error);

#endif
