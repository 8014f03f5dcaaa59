/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record_board.h"

#include <stddef.h>
#include <string.h>

static const struct record_board boards[] = {
    {
        .gpu = "gtx1060",
        .chip_name = "GP106",
        .name = "GeForce GTX 1060 6GB",
        .chipset = 0x136,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c03,
        .pci_revision = 0xa1,
        .family = 10,
        .vram_mib = 6144,
        .gpc_count = 2,  /* ASSUMED */
        .tpc_count = 10, /* one SM each */
        .rop_count = 6,  /* ASSUMED */
        .copy_class = 0xc1b5,
        .classes = {0x902d, 0xa140, 0xc197, 0xc1c0, 0xc1b5},
    },
    {
        .gpu = "gtx1060-3gb",
        .chip_name = "GP106",
        .name = "GeForce GTX 1060 3GB",
        .chipset = 0x136,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c02,
        .pci_revision = 0xa1,
        .family = 10,
        .vram_mib = 3072,
        .gpc_count = 2, /* ASSUMED */
        .tpc_count = 9, /* one SM each */
        .rop_count = 6, /* ASSUMED */
        .copy_class = 0xc1b5,
        .classes = {0x902d, 0xa140, 0xc197, 0xc1c0, 0xc1b5},
    },
};

const struct record_board *record_board_find(const char *gpu)
{
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (strcmp(boards[i].gpu, gpu) == 0)
            return &boards[i];
    return NULL;
}

const struct record_board *record_board_at(unsigned index)
{
    return index < sizeof boards / sizeof boards[0] ? &boards[index] : NULL;
}
