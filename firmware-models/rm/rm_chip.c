/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/rm/rm_chip.h"

#include <stddef.h>

#define FROM_AMPERE                                                                                \
    .form = RM_RUNLIST_GA100, .tsg_length_max = 128, .blocks = true, .doorbell = 0xbb0090,         \
    .token_has_runlist = true, .fault_info = 0xb83080, .host_fault_id = 32

static const struct rm_chip chips[] = {
    {.first = 0x0e4,
     .last = 0x0e7,
     .form = RM_RUNLIST_GP100,
     .tsg_length_max = 1,
     .bare_only = true,
     .old_page_tables = true,
     .no_tsgs = true,
     .ccsr_runlist = true},
    {.first = 0x117,
     .last = 0x12b,
     .form = RM_RUNLIST_GP100,
     .tsg_length_max = 1,
     .bare_only = true,
     .no_tsgs = true},
    {.first = 0x130,
     .last = 0x138,
     .form = RM_RUNLIST_GP100,
     .tsg_length_max = 32,
     .host_fault_id = 6},
    {.first = RM_CHIP_GP10B,
     .last = RM_CHIP_GP10B,
     .form = RM_RUNLIST_GP100,
     .tsg_length_max = 32,
     .host_fault_id = 6},
    {.first = 0x140,
     .last = 0x15b,
     .form = RM_RUNLIST_GV100,
     .tsg_length_max = 128,
     .doorbell = 0x810090,
     .fault_info = 0x100e4c,
     .fault_enable = 0x100a2c,
     .host_fault_id = 32},
    {.first = 0x162,
     .last = 0x168,
     .form = RM_RUNLIST_GV100,
     .tsg_length_max = 128,
     .runlists_apart = true,
     .doorbell = 0xbb0090,
     .token_has_runlist = true,
     .fault_info = 0xb83080,
     .host_fault_id = 32},
    {.first = 0x170, .last = 0x17b, FROM_AMPERE},
    /* A CUDA context on an H100 copies by LCE2, LCE3 and LCE4 (tests/hardware/data, h100: the copy
     * objects of its channels), of which the default map has PCEs for LCE4 alone.  ASSUMED: which
     * PCEs the driver gives to the other two. */
    {.first = 0x180, .last = 0x180, FROM_AMPERE, .pce_count = 2, .pces = {{10, 2}, {11, 3}}},
    {.first = 0x192, .last = 0x197, FROM_AMPERE},
};

const struct rm_chip *rm_chip_find(uint32_t chip_id)
{
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (chip_id >= chips[i].first && chip_id <= chips[i].last)
            return &chips[i];
    return NULL;
}
