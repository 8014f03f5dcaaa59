/* SPDX-License-Identifier: MIT */
/*
 * AD102 (Ada Lovelace): RTX 6000 Ada, whose engines and runlists are Table IV of Bakita and
 * Anderson 2024. Both GRCEs share the PCE of another copy engine (the paper, Fig. 11); which, and
 * which PCE serves which, is GA102's reset state, the nearest that NVIDIA publishes.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define AD102_COMMON                                                                               \
    .chip = "AD102", .chip_id = 0x192, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 6,                                                                                \
    .pce_to_lce = {NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, 2, 3},          \
    .grce = {{3, true}, {2, true}}, .sm = {NV_SM_8_9},                                             \
    .channel_count = 2048, .pbdma_count = 18, .runlist_count = 17, .engine_count = 18,             \
    .runlists = {NV_RUNLISTS_IN_BLOCKS},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5,              \
                       1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12,           \
                       1u << 13, 1u << 14, 1u << 15, 1u << 16},                                    \
    .class_3d = ADA_A, .class_compute = ADA_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,  \
    .class_2d = FERMI_TWOD_A, .class_copy = AMPERE_DMA_COPY_B, .class_host = AMPERE_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 0, 64, 0x400000, 0},                             \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 13, 1, 15, 0x104000, 1},                          \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 14, 2, 16, 0x104000, 2},                          \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 15, 3, 17, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 2, 4, 16, 4, 18, 0x104000, 0},                                 \
        {"LCE4", NV_CHIP_LCE, 4, 3, 5, 17, 5, 19, 0x104000, 0},                                 \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 4, 6, 18, 6, 25, 0x848000, 0},                             \
        {"NVDEC1", NV_CHIP_NVDEC, 1, 5, 7, 19, 7, 26, 0x84c000, 0},                             \
        {"NVDEC2", NV_CHIP_NVDEC, 2, 6, 8, 20, 8, 27, 0x850000, 0},                             \
        {"NVENC0", NV_CHIP_NVENC, 0, 8, 9, 21, 9, 11, 0x1c8000, 0},                             \
        {"NVENC1", NV_CHIP_NVENC, 1, 9, 10, 22, 10, 12, 0x1cc000, 0},                           \
        {"NVENC2", NV_CHIP_NVENC, 2, 10, 11, 23, 11, 13, 0x1d0000, 0},                          \
        {"NVJPG0", NV_CHIP_NVJPG, 0, 11, 12, 24, 12, 21, 0x830000, 0},                          \
        {"NVJPG1", NV_CHIP_NVJPG, 1, 12, 13, 25, 13, 22, 0x831000, 0},                          \
        {"NVJPG2", NV_CHIP_NVJPG, 2, 13, 14, 26, 14, 23, 0x832000, 0},                          \
        {"NVJPG3", NV_CHIP_NVJPG, 3, 14, 15, 27, 15, 24, 0x833000, 0},                          \
        {"OFA0", NV_CHIP_OFA, 0, 15, 16, 28, 16, 10, 0x844000, 0},                              \
        {"SEC", NV_CHIP_SEC, 0, 16, 17, 29, 17, 14, 0x840000, 0},                               \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define AD102_FIGURES                                                                              \
    {"engines, engines to runlists", "as listed", MEASURED, NV_BAKITA ", Table IV (the Sequencer is SEC)"},\
    {"PBDMAs, PBDMA to runlists", "18; 0 and 1: 0; 2: 1; ... 17: 16", ASSUMED, "gfe: two for graphics, one for each other runlist"},\
    {"PCEs", "6", INFERRED, "open-gpu-doc ga102/dev_ce.ref.txt, of GA102, which the open kernel driver takes for Ada too"},\
    {"PCE to LCE", "4 to 2, 5 to 3", INFERRED, "open-gpu-doc ga102/dev_ce.ref.txt (PCE2LCE_CONFIG), reset values of GA102"},\
    {"GRCEs", "0 shares with LCE3, 1 with LCE2", INFERRED, "open-gpu-doc ga102/dev_ce.ref.txt (GRCE_CONFIG), of GA102; " NV_BAKITA ", Fig. 11: both are shared"},\
    {"classes", "c56f, c997, c9c0, c7b5", DOCUMENTED, NV_OPEN_RM "g_gpu_class_list.c (AD102)"},    \
    {"MMU fault ids", "as listed", DOCUMENTED, NV_OPEN_RM "ada/ad102/dev_fault.h"},                \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    NV_NEW_ID_FIGURES,                                                                             \
    NV_SM_GUIDE_FIGURES("8.9", "1536, 48, 24", "65536, 65536, 255", "100 KiB, 99 KiB", "128"),            \
    NV_SPLITS_FIGURE("8.9", "0, 8, 16, 32, 64, 100"),                                                   \
    {"PCI id", "as in the heading", DOCUMENTED, NV_OPEN_RM "g_nv_name_released.h"}

const struct nv_chip nv_rtx6000ada = {
    .name = "rtx6000ada", .title = "RTX 6000 Ada Generation", .pci_id = 0x10de26b1,
    .vram_bytes = UINT64_C(48) << 30, .gpc_count = 12, .tpc_count = 71, .sm_count = 142,
    .sm_hz = 915000000, .host_hz = 915000000,
    .pce_bytes_per_second = UINT64_C(915000000) * 32,
    .local_bytes_per_second = UINT64_C(960000000000),
    .system_bytes_per_second = NV_PCIE_4_BYTES,
    AD102_COMMON,
    .figures = {
        {"SMs", "142", INFERRED, NV_CORES("18176", "128")},
        {"GPCs, TPCs", "12, 71", INFERRED, NV_WHITE_PAPER("Ada GPU Architecture") ": two SMs a TPC, 12 GPCs on AD102"},
        {"ROP partitions", "12", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "915 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "960 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_BUT_LINK_FIGURES("915 MHz", "29.28 GB/s a PCE"),
        NV_PCIE_4_FIGURE,
        AD102_FIGURES,
    },
};
/* clang-format on */
