/* SPDX-License-Identifier: MIT */
/*
 * The AMD boards that the stand-in for KFD can play: the figures that the amdgpu kernel driver
 * would report, in the topology's files and in its answers.
 *
 * Nothing here was read from a card.  Compute units, engines, clocks, PCI ids and memory are those
 * of the GPU's model, amd_chip, which has each figure with its basis (`gfe gpus NAME`).  The test
 * of these boards compares them.  16 MiB of the memory are the driver's.  The rest is ASSUMED:
 * firmware versions, capability bits, cache list, counts of GWS, memory clock and width, revisions,
 * GB_ADDR_CONFIG.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_BOARD_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_BOARD_H

#include <stdint.h>

enum { RECORD_KFD_GPUS_MAX = 8, RECORD_KFD_NAMES_BYTES = 256 };

struct record_kfd_board {
    const char *gpu;      /* gfe's name, such as radeon-vii */
    const char *chip;     /* the kernel's name of the chip */
    uint32_t gfx_version; /* gfx_target_version: 90006 is gfx906 */
    uint16_t pci_device, pci_revision;
    uint32_t drm_family, drm_revision; /* AMDGPU_FAMILY_*, external_rev */
    uint32_t vram_mib;
    uint32_t cu_count, engine_count; /* working CUs; shader engines, one array each */
    uint32_t cus_per_array;          /* with the CUs that are switched off */
    uint32_t clock_mhz, memory_clock_mhz, memory_bits;
    uint32_t sdma_engines, xgmi_sdma_engines;
    uint32_t l2_kib, waves_per_simd;
    uint32_t firmware, sdma_firmware; /* versions: ASSUMED */
    uint32_t counter_khz;
    uint32_t gb_addr_config; /* ASSUMED */
};

/* Returns the board of that name, or NULL. */
const struct record_kfd_board *record_kfd_board_find(const char *gpu);
/* Returns the index-th board, or NULL after the last. */
const struct record_kfd_board *record_kfd_board_at(unsigned index);
/* Finds the boards of a list of names with commas ("radeon-vii,mi50").  Returns their number; 0
 * means that a name is unknown or that there are more than RECORD_KFD_GPUS_MAX. */
unsigned record_kfd_board_list(const char *names,
                               const struct record_kfd_board *boards[RECORD_KFD_GPUS_MAX]);

/* Return KFD's number of the index-th GPU of a machine, which is never 0, and its place on PCI. */
uint32_t record_kfd_gpu_id(unsigned index);
uint32_t record_kfd_location(unsigned index);

#endif
