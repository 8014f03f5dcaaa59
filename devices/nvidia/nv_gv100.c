/* SPDX-License-Identifier: MIT */
/*
 * GV100 (Volta): Tesla V100 (SXM2, 16 GB) and TITAN V, both with 80 SMs.  NVIDIA publishes the
 * number of runlists and PBDMAs.  14 PBDMAs for 13 runlists leave two for graphics and one for each
 * other, and 12 is also how many engines nouveau lists beside graphics and its two copy engines.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GV100_COMMON                                                                               \
    .chip = "GV100", .chip_id = 0x140, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .pce_count = 8, .pce_to_lce = {0, 1, 2, 3, 4, 5, 6, 7}, .sm = {NV_SM_7_0},                     \
    .channel_count = 4096, .pbdma_count = 14, .runlist_count = 13, .engine_count = 15,             \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0,  1u << 0,  1u << 1, 1u << 2, 1u << 3, 1u << 4,  1u << 5,           \
                       1u << 6,  1u << 7,  1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12},        \
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 64, 0x400000, 0},                            \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 15, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 16, 0x104000, 2},                           \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 21, 7, 17, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 2, 4, 22, 10, 18, 0x104000, 0},                                \
        {"LCE4", NV_CHIP_LCE, 4, 3, 5, 23, 11, 19, 0x104000, 0},                                \
        {"LCE5", NV_CHIP_LCE, 5, 4, 6, 24, 1, 20, 0x104000, 0},                                 \
        {"LCE6", NV_CHIP_LCE, 6, 5, 7, 25, 2, 21, 0x104000, 0},                                 \
        {"LCE7", NV_CHIP_LCE, 7, 6, 8, 26, 3, 22, 0x104000, 0},                                 \
        {"LCE8", NV_CHIP_LCE, 8, 7, 9, 27, 4, 23, 0x104000, 0},                                 \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 8, 10, 15, 15, 10, 0x084000, 0},                           \
        {"NVENC0", NV_CHIP_NVENC, 0, 9, 11, 18, 16, 11, 0x1c8000, 0},                           \
        {"NVENC1", NV_CHIP_NVENC, 1, 10, 12, 9, 23, 12, 0x1cc000, 0},                           \
        {"NVENC2", NV_CHIP_NVENC, 2, 11, 13, 10, 29, 13, 0x1d0000, 0},                          \
        {"SEC2", NV_CHIP_SEC, 0, 12, 14, 14, 14, 14, 0x087000, 0},                              \
    },                                                                                             \
    .class_3d = VOLTA_A, .class_compute = VOLTA_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = VOLTA_DMA_COPY_A,                                      \
    .class_host = VOLTA_CHANNEL_GPFIFO_A,                                                          \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GV100_FIGURES                                                                              \
    {"runlists", "13", DOCUMENTED, "open-gpu-doc gv100/dev_fifo.ref.txt" " (ENG_RUNLIST)"},        \
    {"PBDMAs", "14", DOCUMENTED, "open-gpu-doc gv100/dev_fifo.ref.txt" " (CFG0)"},                 \
    {"channels", "4096", DOCUMENTED, "open-gpu-doc gv100/dev_fifo.ref.txt" " (CFG1)"},             \
    {"engines", "as listed", INFERRED, "nouveau device/base.c (nv140_chipset): 9 LCEs, 1 NVDEC, "          \
     "3 NVENC, SEC2"},\
    {"engines to runlists", "as listed", ASSUMED, "gfe: one each, beside graphics"},               \
    {"PBDMA to runlists", "0 and 1: 0; 2: 1; ... 13: 12", INFERRED, "gfe: the only way for these numbers"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", INFERRED, "open RM @df1c9a3d volta/gv100/dev_fault.h; NVDEC, NVENC and SEC as on TU102"},\
    NV_OLD_ID_FIGURES,                                                                             \
    {"PCEs, PCE to LCE", "8, LCE 0 to 7 one each", ASSUMED, "gfe: not published"},                 \
    NV_SM_FIGURES("7.0", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 96 KiB", "128"),                   \
    NV_SPLITS_FIGURE("7.0", "0, 8, 16, 32, 64, 96"),                                                    \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_v100 = {
    .name = "v100", .title = "Tesla V100 SXM2 16GB", .pci_id = 0x10de1db1,
    .vram_bytes = UINT64_C(16) << 30, .gpc_count = 6, .tpc_count = 40, .sm_count = 80,
    .sm_hz = 1530000000, .host_hz = 1530000000,
    .pce_bytes_per_second = UINT64_C(1530000000) * 32,
    .local_bytes_per_second = UINT64_C(900000000000),
    GV100_COMMON,
    .figures = {
        {"SMs", "80", INFERRED, NV_CORES("5120", "64")},
        {"GPCs, TPCs", "6, 40", INFERRED, NV_WHITE_PAPER("Tesla V100 GPU Architecture")},
        {"ROP partitions", "8", ASSUMED, "gfe: chosen to fit the memory"},
        {"graphics clock", "1530 MHz (boost)", INFERRED, NV_WHITE_PAPER("Tesla V100 GPU Architecture")},
        {"memory bandwidth", "900 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_BUT_LINK_FIGURES("1530 MHz", "48.96 GB/s a PCE"),
        {"link to system memory", "12 GB/s a direction", PUBLISHED, "Qureshi et al. 2023 (BaM), and ZaidQureshi/bam issue 54: of a V100, PCIe 3.0 x16"},
        GV100_FIGURES,
    },
};

const struct nv_chip nv_titanv = {
    .name = "titan-v", .alias = "titanv", .title = "TITAN V", .pci_id = 0x10de1d81,
    .vram_bytes = UINT64_C(12) << 30, .gpc_count = 6, .tpc_count = 40, .sm_count = 80,
    .sm_hz = 1200000000, .host_hz = 1200000000,
    .pce_bytes_per_second = UINT64_C(1200000000) * 32,
    .local_bytes_per_second = UINT64_C(652800000000),
    GV100_COMMON,
    .figures = {
        {"SMs", "80", INFERRED, NV_CORES("5120", "64") "; GPGPU-Sim SM7_TITANV @667834cf"},
        {"GPCs, TPCs", "6, 40", INFERRED, NV_WHITE_PAPER("Tesla V100 GPU Architecture") ": two SMs a TPC"},
        {"ROP partitions", "6", ASSUMED, "gfe: chosen to fit the memory"},
        {"graphics clock", "1200 MHz (base)", INFERRED, NV_PRODUCT "; GPGPU-Sim SM7_TITANV @667834cf"},
        {"memory bandwidth", "652.8 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1200 MHz", "38.4 GB/s a PCE"),
        GV100_FIGURES,
    },
};
/* clang-format on */
