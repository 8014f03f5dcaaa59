/* SPDX-License-Identifier: MIT */
/*
 * GM204 (Maxwell): GeForce GTX 980.  No list of its runlists is published: those of nouveau's
 * engines are ASSUMED, one each, with CE2 beside graphics as on GK104.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GM204_COMMON                                                                               \
    .chip = "GM204", .chip_id = 0x124, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .pce_count = 3, .pce_to_lce = {0, 1, 2}, .sm = {NV_SM_5_2},                                    \
    .channel_count = 4096, .pbdma_count = 4, .runlist_count = 7, .engine_count = 8,                \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 1, 1u << 2, 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6},          \
    .engines = {                                                                                   \
        {"GR", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 0, 0x400000, 0},                              \
        {"CE2", NV_CHIP_GRCE, 2, 0, 3, 21, 7, 27, 0x106000, 1},                                 \
        {"CE0", NV_CHIP_LCE, 0, 1, 1, 6, 5, 21, 0x104000, 0},                                   \
        {"CE1", NV_CHIP_LCE, 1, 2, 2, 7, 6, 22, 0x105000, 0},                                   \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 3, 4, 15, 15, 20, 0x084000, 0},                            \
        {"NVENC0", NV_CHIP_NVENC, 0, 4, 5, 18, 16, 25, 0x1c8000, 0},                            \
        {"NVENC1", NV_CHIP_NVENC, 1, 5, 6, 9, 23, 26, 0x1cc000, 0},                             \
        {"SEC", NV_CHIP_SEC, 0, 6, 7, 14, 14, 29, 0x087000, 0},                                 \
    },                                                                                             \
    .class_3d = MAXWELL_B, .class_compute = MAXWELL_COMPUTE_B, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = MAXWELL_DMA_COPY_A,                                    \
    .class_host = MAXWELL_CHANNEL_GPFIFO_A,                                                        \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GM204_FIGURES                                                                              \
    {"runlists, engines to runlists", "7, as listed", ASSUMED, "gfe: not published"},              \
    {"channels", "4096", INFERRED, "open RM of Maxwell and later; nouveau reads 0x2008"},          \
    {"PBDMAs, PBDMA to runlists", "4; 0: 0; 1: 1; 2: 2; 3: 3-6", ASSUMED, "gfe: not published"},   \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", INFERRED, "nouveau gk104.c (gk104_fifo_mmu_fault_engine), of Kepler"},\
    NV_OLD_ID_FIGURES,                                                                             \
    {"copy engines", "3, each its own", INFERRED, "nouveau device/base.c (nv124_chipset)"},        \
    NV_SM_FIGURES("5.2", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 48 KiB", "32"),                   \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_gtx980 = {
    .name = "gtx980", .title = "GeForce GTX 980", .pci_id = 0x10de13c0,
    .vram_bytes = UINT64_C(4) << 30, .gpc_count = 4, .tpc_count = 16, .sm_count = 16,
    .sm_hz = 1126000000, .host_hz = 1126000000,
    .pce_bytes_per_second = UINT64_C(1126000000) * 32,
    .local_bytes_per_second = UINT64_C(224000000000),
    GM204_COMMON,
    .figures = {
        {"SMs", "16", INFERRED, NV_CORES("2048", "128")},
        {"GPCs, TPCs", "4, 16", INFERRED, NV_WHITE_PAPER("GeForce GTX 980")},
        {"ROP partitions", "4", INFERRED, NV_WHITE_PAPER("GeForce GTX 980") ": as many as memory controllers"},
        {"graphics clock", "1126 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "224 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1126 MHz", "36.032 GB/s a PCE"),
        GM204_FIGURES,
    },
};
/* clang-format on */
