/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_board.h"

#include <stddef.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"

/* NVIF_DEVICE_INFO_V0_*. */
enum {
    FAMILY_KEPLER = 8,
    FAMILY_MAXWELL = 9,
    FAMILY_PASCAL = 10,
    FAMILY_VOLTA = 11,
    FAMILY_TURING = 12,
};

/* nouveau nvkm/engine/gr and ce: what each chip registers. */
#define CLASSES(inline_data, threed, compute, copy)                                                \
    .copy_class = (copy), .classes = {FERMI_TWOD_A, (inline_data), (threed), (compute), (copy)}
#define GK104_CLASSES                                                                              \
    CLASSES(KEPLER_INLINE_TO_MEMORY_A, KEPLER_A, KEPLER_COMPUTE_A, KEPLER_DMA_COPY_A)
#define GM204_CLASSES                                                                              \
    CLASSES(KEPLER_INLINE_TO_MEMORY_B, MAXWELL_B, MAXWELL_COMPUTE_B, MAXWELL_DMA_COPY_A)
#define GP106_CLASSES                                                                              \
    CLASSES(KEPLER_INLINE_TO_MEMORY_B, PASCAL_B, PASCAL_COMPUTE_B, PASCAL_DMA_COPY_B)
#define GP107_CLASSES GP106_CLASSES
#define GV100_CLASSES CLASSES(KEPLER_INLINE_TO_MEMORY_B, VOLTA_A, VOLTA_COMPUTE_A, VOLTA_DMA_COPY_A)
#define TU106_CLASSES                                                                              \
    CLASSES(KEPLER_INLINE_TO_MEMORY_B, TURING_A, TURING_COMPUTE_A, TURING_DMA_COPY_A)

/* In the order of the chips; the figures' basis: gfe gpus, from the GPU's model. */
static const struct record_board boards[] = {
    {
        .gpu = "gtx680",
        .chip_name = "GK104",
        .name = "GeForce GTX 680",
        .chipset = 0xe4,
        .pci_vendor = 0x10de,
        .pci_device = 0x1180,
        .pci_revision = 0xa1,
        .family = FAMILY_KEPLER,
        .vram_mib = 2048,
        .gpc_count = 4,
        .tpc_count = 8,
        .rop_count = 4,
        GK104_CLASSES,
    },
    {
        .gpu = "gtx980",
        .chip_name = "GM204",
        .name = "GeForce GTX 980",
        .chipset = 0x124,
        .pci_vendor = 0x10de,
        .pci_device = 0x13c0,
        .pci_revision = 0xa1,
        .family = FAMILY_MAXWELL,
        .vram_mib = 4096,
        .gpc_count = 4,
        .tpc_count = 16,
        .rop_count = 4,
        GM204_CLASSES,
    },
    {
        .gpu = "gtx1060",
        .chip_name = "GP106",
        .name = "GeForce GTX 1060 6GB",
        .chipset = 0x136,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c03,
        .pci_revision = 0xa1,
        .family = FAMILY_PASCAL,
        .vram_mib = 6144,
        .gpc_count = 2,
        .tpc_count = 10,
        .rop_count = 6,
        GP106_CLASSES,
    },
    {
        .gpu = "gtx1060-3gb",
        .chip_name = "GP106",
        .name = "GeForce GTX 1060 3GB",
        .chipset = 0x136,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c02,
        .pci_revision = 0xa1,
        .family = FAMILY_PASCAL,
        .vram_mib = 3072,
        .gpc_count = 2,
        .tpc_count = 9,
        .rop_count = 6,
        GP106_CLASSES,
    },
    {
        .gpu = "gtx1050",
        .chip_name = "GP107",
        .name = "GeForce GTX 1050",
        .chipset = 0x137,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c81,
        .pci_revision = 0xa1,
        .family = FAMILY_PASCAL,
        .vram_mib = 2048,
        .gpc_count = 2,
        .tpc_count = 5,
        .rop_count = 4,
        GP107_CLASSES,
    },
    {
        .gpu = "gtx1050ti",
        .chip_name = "GP107",
        .name = "GeForce GTX 1050 Ti",
        .chipset = 0x137,
        .pci_vendor = 0x10de,
        .pci_device = 0x1c82,
        .pci_revision = 0xa1,
        .family = FAMILY_PASCAL,
        .vram_mib = 4096,
        .gpc_count = 2,
        .tpc_count = 6,
        .rop_count = 4,
        GP107_CLASSES,
    },
    {
        .gpu = "v100",
        .chip_name = "GV100",
        .name = "Tesla V100 SXM2 16GB",
        .chipset = 0x140,
        .pci_vendor = 0x10de,
        .pci_device = 0x1db1,
        .pci_revision = 0xa1,
        .family = FAMILY_VOLTA,
        .vram_mib = 16384,
        .gpc_count = 6,
        .tpc_count = 40,
        .rop_count = 8,
        GV100_CLASSES,
    },
    {
        .gpu = "titan-v",
        .alias = "titanv",
        .chip_name = "GV100",
        .name = "TITAN V",
        .chipset = 0x140,
        .pci_vendor = 0x10de,
        .pci_device = 0x1d81,
        .pci_revision = 0xa1,
        .family = FAMILY_VOLTA,
        .vram_mib = 12288,
        .gpc_count = 6,
        .tpc_count = 40,
        .rop_count = 6,
        GV100_CLASSES,
    },
    {
        .gpu = "rtx2060",
        .chip_name = "TU106",
        .name = "GeForce RTX 2060",
        .chipset = 0x166,
        .pci_vendor = 0x10de,
        .pci_device = 0x1f08,
        .pci_revision = 0xa1,
        .family = FAMILY_TURING,
        .vram_mib = 6144,
        .gpc_count = 3,
        .tpc_count = 15,
        .rop_count = 6,
        TU106_CLASSES,
    },
};

const struct record_board *record_board_find(const char *gpu)
{
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (strcmp(boards[i].gpu, gpu) == 0 ||
            (boards[i].alias && strcmp(boards[i].alias, gpu) == 0))
            return &boards[i];
    return NULL;
}

const struct record_board *record_board_of_chipset(uint32_t chipset)
{
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (boards[i].chipset == chipset)
            return &boards[i];
    return NULL;
}

const struct record_board *record_board_of_device(uint32_t chipset, uint32_t pci_device)
{
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (boards[i].chipset == chipset && boards[i].pci_device == pci_device)
            return &boards[i];
    return record_board_of_chipset(chipset);
}

const struct record_board *record_board_at(unsigned index)
{
    return index < sizeof boards / sizeof boards[0] ? &boards[index] : NULL;
}
