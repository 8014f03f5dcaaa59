/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_generation.h"

#include <assert.h>
#include <stddef.h>

#include "devices/nvidia/nv_class.h"

static const struct nv_generation generations[] = {
    {.host_class = KEPLER_CHANNEL_GPFIFO_A, .runlist_entry_bytes = 8, .mem_op = NV_MEM_OP_B_ACTS},
    {.host_class = MAXWELL_CHANNEL_GPFIFO_A,
     .runlist_entry_bytes = 8,
     .mem_op = NV_MEM_OP_D_ACTS_OLD},
    {.host_class = PASCAL_CHANNEL_GPFIFO_A,
     .runlist_entry_bytes = 8,
     .mem_op = NV_MEM_OP_D_ACTS,
     .lces_in_ptop = true},
    {.host_class = VOLTA_CHANNEL_GPFIFO_A,
     .usermode_class = 0xc361,
     .usermode_base = 0x810000,
     .runlist_entry_bytes = 16,
     .mem_op = NV_MEM_OP_D_ACTS,
     .channels_in_tsgs_only = true,
     .lces_in_ptop = true},
    /* At 0x810000 as on Volta, and as seen through the physical function's alias of VF space, where
     * nouveau rings it. */
    {.host_class = TURING_CHANNEL_GPFIFO_A,
     .usermode_class = 0xc461,
     .usermode_base = 0xbb0000,
     .runlist_entry_bytes = 16,
     .mem_op = NV_MEM_OP_D_ACTS,
     .token_has_runlist = true,
     .runlists_submit_apart = true,
     .channels_in_tsgs_only = true,
     .lces_in_ptop = true,
     .turing_gobs = true},
};

const struct nv_generation *nv_generation_of(uint32_t host_class)
{
    size_t i = 0;

    while (generations[i].host_class != host_class) {
        i++;
        assert(i < sizeof generations / sizeof generations[0]);
    }
    return &generations[i];
}
