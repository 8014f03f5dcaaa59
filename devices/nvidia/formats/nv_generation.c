/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_generation.h"

#include <assert.h>
#include <stddef.h>

#include "devices/nvidia/formats/nv_class.h"

const char *const nv_generation_names[] = {
    "Kepler",         "Maxwell",        "Pascal", "Volta",  "Turing",
    "Ampere (GA100)", "Ampere (GA10x)", "Ada",    "Hopper", NULL,
};

/* What the generations that runlists have blocks in have in common. */
#define FROM_AMPERE(usermode)                                                                      \
    .usermode_class = (usermode), .virtual_function_base = 0xb80000, .runlist_entry_bytes = 16,    \
    .runlist_form = NV_RUNLIST_FORM_GA100, .tsg_length_max = 128, .pbdma_stride = 0x800,           \
    .channels_per_runlist = true, .mem_op = NV_MEM_OP_D_ACTS, .token_has_runlist = true,           \
    .runlists_have_blocks = true, .channels_in_tsgs_only = true, .lces_in_ptop = true,             \
    .turing_gobs = true, .load_is_6 = true

/* Rows of one class by rising chip_from.  TSG lengths: nvgpu hw_ram_gp10b.h (a field of six bits of
 * which 0x20 is the largest value), open-gpu-doc tu104 dev_ram (1..128). */
static const struct nv_generation generations[] = {
    {.host_class = KEPLER_CHANNEL_GPFIFO_A,
     .bit = NV_KEPLER,
     .runlist_entry_bytes = 8,
     .tsg_length_max = 32,
     .pbdma_stride = 0x2000,
     .mem_op = NV_MEM_OP_B_ACTS},
    {.host_class = MAXWELL_CHANNEL_GPFIFO_A,
     .bit = NV_MAXWELL,
     .runlist_entry_bytes = 8,
     .tsg_length_max = 32,
     .pbdma_stride = 0x2000,
     .mem_op = NV_MEM_OP_D_ACTS_OLD},
    {.host_class = PASCAL_CHANNEL_GPFIFO_A,
     .bit = NV_PASCAL,
     .runlist_entry_bytes = 8,
     .tsg_length_max = 32,
     .pbdma_stride = 0x2000,
     .mem_op = NV_MEM_OP_D_ACTS,
     .lces_in_ptop = true},
    {.host_class = VOLTA_CHANNEL_GPFIFO_A,
     .bit = NV_VOLTA,
     .usermode_class = 0xc361,
     .usermode_base = 0x810000,
     .runlist_entry_bytes = 16,
     .runlist_form = NV_RUNLIST_FORM_GV100,
     .tsg_length_max = 128,
     .pbdma_stride = 0x2000,
     .mem_op = NV_MEM_OP_D_ACTS,
     .channels_in_tsgs_only = true,
     .lces_in_ptop = true},
    /* The user-mode window stands at 0x810000 as on Volta, and in the physical function's alias of
     * VF space, where nouveau rings it. */
    {.host_class = TURING_CHANNEL_GPFIFO_A,
     .bit = NV_TURING,
     .usermode_class = 0xc461,
     .usermode_base = 0x810000,
     .virtual_function_base = 0xb80000,
     .runlist_entry_bytes = 16,
     .runlist_form = NV_RUNLIST_FORM_GV100,
     .tsg_length_max = 128,
     .pbdma_stride = 0x2000,
     .mem_op = NV_MEM_OP_D_ACTS,
     .token_has_runlist = true,
     .runlists_submit_apart = true,
     .channels_in_tsgs_only = true,
     .lces_in_ptop = true,
     .turing_gobs = true},
    /* AMPERE_CHANNEL_GPFIFO_A, of three generations; _B, of GA10B; HOPPER_CHANNEL_GPFIFO_A. */
    {.host_class = 0xc56f, .bit = NV_GA100, FROM_AMPERE(0xc561)},
    {.host_class = 0xc56f, .chip_from = 0x171, .bit = NV_GA10X, FROM_AMPERE(0xc561)},
    {.host_class = 0xc56f, .chip_from = 0x190, .bit = NV_ADA, FROM_AMPERE(0xc561)},
    {.host_class = 0xc76f, .bit = NV_GA10X, FROM_AMPERE(0xc561)},
    {.host_class = 0xc86f, .bit = NV_HOPPER, FROM_AMPERE(0xc661)},
};

const struct nv_generation *nv_generation_of(uint32_t host_class, uint32_t chip_id)
{
    const struct nv_generation *found = NULL;

    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++)
        if (generations[i].host_class == host_class && generations[i].chip_from <= chip_id)
            found = &generations[i];
    assert(found);
    return found;
}
