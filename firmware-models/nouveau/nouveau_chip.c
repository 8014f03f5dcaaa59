/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/nouveau/nouveau_chip.h"

#include <stddef.h>

static const struct nouveau_chip chips[] = {
    {.first = 0x0e4, .last = 0x0e7, .entry_form = NOUVEAU_ENTRY_NUMBER, .ccsr_runlist = true},
    {.first = 0x117, .last = 0x11f, .entry_form = NOUVEAU_ENTRY_INSTANCE},
    {.first = 0x120, .last = 0x12b, .entry_form = NOUVEAU_ENTRY_INSTANCE, .big_pages_bit = true},
    {.first = 0x130,
     .last = 0x13b,
     .entry_form = NOUVEAU_ENTRY_INSTANCE,
     .groups = true,
     .big_pages_bit = true,
     .page_tables_2 = true,
     .lces = true},
    {.first = 0x140,
     .last = 0x14b,
     .entry_form = NOUVEAU_ENTRY_GV100,
     .groups = true,
     .big_pages_bit = true,
     .page_tables_2 = true,
     .gv100_ramfc = true,
     .lces = true,
     .preempts_runlists = true,
     .doorbell = 0x810090,
     .fault_buffer = 0x100e24,
     .fault_info = 0x100e4c,
     .fault_enable = 0x100a2c},
    {.first = 0x162,
     .last = 0x168,
     .entry_form = NOUVEAU_ENTRY_GV100,
     .groups = true,
     .big_pages_bit = true,
     .page_tables_2 = true,
     .gv100_ramfc = true,
     .lces = true,
     .runlists_apart = true,
     .token_has_runlist = true,
     .preempts_runlists = true,
     .doorbell = 0xbb0090,
     .fault_buffer = 0xb83000,
     .fault_info = 0xb83080},
};

const struct nouveau_chip *nouveau_chip_find(uint32_t chip_id)
{
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (chip_id >= chips[i].first && chip_id <= chips[i].last)
            return &chips[i];
    return NULL;
}
