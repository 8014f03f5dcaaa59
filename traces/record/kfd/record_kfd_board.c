/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/kfd/record_kfd_board.h"

#include <stddef.h>
#include <string.h>

/* AMDGPU_FAMILY_AI of amdgpu_drm.h. */
enum { FAMILY_AI = 141 };

/* What gfx906 boards have in common. */
#define VEGA20                                                                                     \
    .chip = "vega20", .gfx_version = 90006, .drm_family = FAMILY_AI, .drm_revision = 0x29,         \
    .engine_count = 4, .cus_per_array = 16, .sdma_engines = 2, .l2_kib = 4096,                     \
    .waves_per_simd = 10, .firmware = 472, .sdma_firmware = 145, .counter_khz = 25000,             \
    .gb_addr_config = 0x26114042, .memory_bits = 4096

static const struct record_kfd_board boards[] = {
    {
        .gpu = "radeon-vii",
        VEGA20,
        .pci_device = 0x66af,
        .pci_revision = 0xc1,
        .vram_mib = 16368, /* 16 GiB less what the driver keeps: ASSUMED */
        .cu_count = 60,
        .clock_mhz = 1801,
        .memory_clock_mhz = 1001,
    },
    {
        .gpu = "mi50",
        VEGA20,
        .pci_device = 0x66a1,
        .pci_revision = 0x02,
        .vram_mib = 16368,
        .cu_count = 60,
        .clock_mhz = 1725,
        .memory_clock_mhz = 1000,
    },
    {
        .gpu = "mi60",
        VEGA20,
        .pci_device = 0x66a0,
        .pci_revision = 0x00,
        .vram_mib = 32752,
        .cu_count = 64,
        .clock_mhz = 1800,
        .memory_clock_mhz = 1000,
    },
    {
        .gpu = "mi100",
        .chip = "arcturus",
        .gfx_version = 90008,
        .drm_family = FAMILY_AI,
        .drm_revision = 0x33,
        .pci_device = 0x738c,
        .pci_revision = 0x01,
        .vram_mib = 32752,
        .cu_count = 120,
        .engine_count = 8,
        .cus_per_array = 16,
        .clock_mhz = 1502,
        .memory_clock_mhz = 1200,
        .memory_bits = 4096,
        .sdma_engines = 2,
        .xgmi_sdma_engines = 6,
        .l2_kib = 8192,
        .waves_per_simd = 10,
        .firmware = 67,
        .sdma_firmware = 18,
        .counter_khz = 25000,
        .gb_addr_config = 0x26114042,
    },
    {
        .gpu = "mi210",
        .chip = "aldebaran",
        .gfx_version = 90010,
        .drm_family = FAMILY_AI,
        .drm_revision = 0x3d,
        .pci_device = 0x740f,
        .pci_revision = 0x02,
        .vram_mib = 65520,
        .cu_count = 104,
        .engine_count = 8,
        .cus_per_array = 14,
        .clock_mhz = 1700,
        .memory_clock_mhz = 1600,
        .memory_bits = 4096,
        .sdma_engines = 2,
        .xgmi_sdma_engines = 3,
        .l2_kib = 8192,
        .waves_per_simd = 8,
        .firmware = 78,
        .sdma_firmware = 8,
        .counter_khz = 100000,
        .gb_addr_config = 0x26114042,
    },
};

const struct record_kfd_board *record_kfd_board_find(const char *gpu)
{
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        if (strcmp(boards[i].gpu, gpu) == 0)
            return &boards[i];
    return NULL;
}

const struct record_kfd_board *record_kfd_board_at(unsigned index)
{
    return index < sizeof boards / sizeof boards[0] ? &boards[index] : NULL;
}

unsigned record_kfd_board_list(const char *names,
                               const struct record_kfd_board *found[RECORD_KFD_GPUS_MAX])
{
    char name[RECORD_KFD_NAMES_BYTES];
    unsigned count = 0;

    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");

        if (count == RECORD_KFD_GPUS_MAX || length >= sizeof name)
            return 0;
        memcpy(name, at, length);
        name[length] = 0;
        found[count] = record_kfd_board_find(name);
        if (!found[count++])
            return 0;
        at += length;
        if (!*at)
            return count;
    }
}

uint32_t record_kfd_gpu_id(unsigned index)
{
    return 34567 + 1000 * index;
}

uint32_t record_kfd_location(unsigned index)
{
    return (3 + index) << 8;
}
