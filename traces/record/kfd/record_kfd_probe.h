/* SPDX-License-Identifier: MIT */
/*
 * What a machine's real KFD says of itself (`gfe record --passthrough`): version of its interface,
 * and the GPUs of the topology in sysfs that this process may use.
 */
#ifndef GFE_TRACES_RECORD_KFD_PROBE_H
#define GFE_TRACES_RECORD_KFD_PROBE_H

#include <stdbool.h>

#include "emu/base/error.h"
#include "traces/record/kfd/record_kfd_pass.h"

/* Is there a node? */
bool record_kfd_probe_is_there(void);
/* `names` are the GPUs' in the trace, with commas, in the topology's order, or NULL: those of their
 * chips.  False with a message when no GPU can be used. */
bool record_kfd_probe(const char *names, struct record_kfd_device *device, struct gfe_error *error);
/* Its part for a topology: nodes/N/{gpu_id,properties,mem_banks/M/properties} in a directory. */
bool record_kfd_probe_topology(const char *directory, const char *names,
                               struct record_kfd_device *device, struct gfe_error *error);

#endif
