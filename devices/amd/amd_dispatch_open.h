/* SPDX-License-Identifier: MIT */
/* Dispatches that are not complete when nothing is left to do. */
#ifndef GFE_DEVICES_AMD_AMD_DISPATCH_OPEN_H
#define GFE_DEVICES_AMD_AMD_DISPATCH_OPEN_H

#include "devices/amd/amd_dispatch.h"

/* unit_ops.finish */
void amd_dispatch_finish(void *dispatch);
/* Returns the dispatch of that id, or NULL if the dispatcher has none. */
const struct amd_grid *amd_dispatch_find(const struct amd_dispatch *dispatch, uint64_t grid_id);

#endif
