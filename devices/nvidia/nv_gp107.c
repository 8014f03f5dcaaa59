/* SPDX-License-Identifier: MIT */
/*
 * GP107 (Pascal): GeForce GTX 1050 (5 SMs) and GTX 1050 Ti (6 SMs).  Host is taken to be GP106's.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GP107_COMMON                                                                               \
    .chip = "GP107", .chip_id = 0x137, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .pce_count = 4, .pce_to_lce = {0, 1, 2, 3}, .sm = {NV_SM_6_1},                                 \
    .channel_count = 4096, .pbdma_count = 4, .runlist_count = 7, .engine_count = 8,                \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4, 1u << 5 | 1u << 6},\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 0, 0x400000, 0},                             \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 21, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 22, 0x104000, 2},                           \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 1, 3, 15, 15, 20, 0x084000, 0},                            \
        {"NVENC0", NV_CHIP_NVENC, 0, 2, 4, 18, 16, 25, 0x1c8000, 0},                            \
        {"SEC", NV_CHIP_SEC, 0, 3, 5, 14, 14, 29, 0x087000, 0},                                 \
        {"LCE2", NV_CHIP_LCE, 2, 5, 6, 21, 7, 27, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 6, 7, 22, 10, 28, 0x104000, 0},                                \
    },                                                                                             \
    .class_3d = PASCAL_B, .class_compute = PASCAL_COMPUTE_B, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = PASCAL_DMA_COPY_B,                                     \
    .class_copy_older = PASCAL_DMA_COPY_A, .class_host = PASCAL_CHANNEL_GPFIFO_A,                  \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GP107_FIGURES                                                                              \
    {"runlists, PBDMAs, engines to runlists", "7, 4, as listed", ASSUMED, "gfe: as on GP106"},     \
    {"channels", "4096", ASSUMED, "gfe: as on GP106"},                                             \
    {"PBDMA to runlists", "0: 0; 1: 0; 2: 1-4; 3: 5-6", ASSUMED, "gfe: as on GP106"},              \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", ASSUMED, "gfe: not published for Pascal"},                      \
    NV_OLD_ID_FIGURES,                                                                             \
    {"PCEs, PCE to LCE", "4, each LCE its own", ASSUMED, "gfe: not published"},                    \
    NV_SM_FIGURES("6.1", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 48 KiB", "32"),                   \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_gtx1050 = {
    .name = "gtx1050", .title = "GeForce GTX 1050", .pci_id = 0x10de1c81,
    .vram_bytes = UINT64_C(2) << 30, .gpc_count = 2, .tpc_count = 5, .sm_count = 5,
    .sm_hz = 1354000000, .host_hz = 1354000000,
    .pce_bytes_per_second = UINT64_C(1354000000) * 32,
    .local_bytes_per_second = UINT64_C(112000000000),
    GP107_COMMON,
    .figures = {
        {"SMs", "5", INFERRED, NV_CORES("640", "128")},
        {"GPCs, TPCs", "2, 5", INFERRED, "reviews of the GTX 1050 Ti (ithardware.pl, notebookinfo.de, 2016): GPCs of three SMs"},
        {"ROP partitions", "4", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "1354 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "112 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1354 MHz", "43.328 GB/s a PCE"),
        GP107_FIGURES,
    },
};

const struct nv_chip nv_gtx1050ti = {
    .name = "gtx1050ti", .title = "GeForce GTX 1050 Ti", .pci_id = 0x10de1c82,
    .vram_bytes = UINT64_C(4) << 30, .gpc_count = 2, .tpc_count = 6, .sm_count = 6,
    .sm_hz = 1290000000, .host_hz = 1290000000,
    .pce_bytes_per_second = UINT64_C(1290000000) * 32,
    .local_bytes_per_second = UINT64_C(112000000000),
    GP107_COMMON,
    .figures = {
        {"SMs", "6", INFERRED, NV_CORES("768", "128")},
        {"GPCs, TPCs", "2, 6", INFERRED, "reviews of the GTX 1050 Ti (ithardware.pl, notebookinfo.de, 2016): GPCs of three SMs"},
        {"ROP partitions", "4", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "1290 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "112 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1290 MHz", "41.28 GB/s a PCE"),
        GP107_FIGURES,
    },
};
/* clang-format on */
