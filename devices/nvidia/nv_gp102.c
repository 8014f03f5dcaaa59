/* SPDX-License-Identifier: MIT */
/*
 * GP102 (Pascal): GeForce GTX 1080 Ti. Host is taken to be GP106's, of which nvgpu tells 9
 * engines; the one that the GTX 1060 lacks, on runlist 4, is taken to be the second video
 * encoder. The copy engines are connected as on the GTX 1060 (Bakita and Anderson 2024, Fig. 11).
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GP102_COMMON                                                                               \
    .chip = "GP102", .chip_id = 0x132, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 4, .pce_to_lce = {0, 1, 2, 3}, .sm = {NV_SM_6_1},                                 \
    .channel_count = 4096, .pbdma_count = 4, .runlist_count = 7, .engine_count = 9,                \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4, 1u << 5 | 1u << 6},\
    .class_3d = PASCAL_B, .class_compute = PASCAL_COMPUTE_B, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = PASCAL_DMA_COPY_B, .class_copy_older = PASCAL_DMA_COPY_A,\
    .class_host = PASCAL_CHANNEL_GPFIFO_A,                                                         \
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 0, 0x400000, 0},                             \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 21, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 22, 0x104000, 2},                           \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 1, 3, 15, 15, 20, 0x084000, 0},                            \
        {"NVENC0", NV_CHIP_NVENC, 0, 2, 4, 18, 16, 25, 0x1c8000, 0},                            \
        {"SEC", NV_CHIP_SEC, 0, 3, 5, 14, 14, 29, 0x087000, 0},                                 \
        {"NVENC1", NV_CHIP_NVENC, 1, 4, 6, 9, 23, 26, 0x1cc000, 0},                             \
        {"LCE2", NV_CHIP_LCE, 2, 5, 7, 21, 7, 27, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 6, 8, 22, 10, 28, 0x104000, 0},                                \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GP102_FIGURES                                                                              \
    {"runlists, PBDMAs, engines", "7, 4, 9", INFERRED, NV_PROJ("gp106") ", of GP106"},             \
    {"engines to runlists", "as listed", ASSUMED, "gfe: as on GTX 1060; NVENC1 on its empty runlist 4"},\
    {"engines", "as listed", INFERRED, "nouveau device/base.c (nv134_chipset): 4 LCEs, 2 NVENC"},  \
    {"channels", "4096", INFERRED, "nvgpu hw_ccsr_gp106.h @6ecfb593, of GP106"},                   \
    {"PBDMA to runlists", "0: 0; 1: 0; 2: 1-4; 3: 5-6", ASSUMED, "gfe: as on GP106"},              \
    {"PCEs, PCE to LCE", "4, each LCE its own", ASSUMED, NV_BAKITA ", Fig. 11: as GTX 1060 3GB; Fig. 10: no sharing"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", ASSUMED, "gfe: not published for Pascal"},                      \
    NV_OLD_ID_FIGURES,                                                                             \
    NV_SM_FIGURES("6.1", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 48 KiB", "32"),                   \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_gtx1080ti = {
    .name = "gtx1080ti", .title = "GeForce GTX 1080 Ti", .pci_id = 0x10de1b06,
    .vram_bytes = UINT64_C(11) << 30, .gpc_count = 6, .tpc_count = 28, .sm_count = 28,
    .sm_hz = 1480000000, .host_hz = 1480000000,
    .pce_bytes_per_second = UINT64_C(1480000000) * 32,
    .local_bytes_per_second = UINT64_C(484000000000),
    .system_bytes_per_second = NV_PCIE_3_BYTES,
    GP102_COMMON,
    .figures = {
        {"SMs", "28", INFERRED, NV_CORES("3584", "128")},
        {"GPCs, TPCs", "6, 28", INFERRED, NV_WHITE_PAPER("GeForce GTX 1080") ": GPCs of five SMs in Pascal; GP102 has 30, of which 28 are on"},
        {"ROP partitions", "11", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "1480 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "484 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1480 MHz", "47.36 GB/s a PCE"),
        GP102_FIGURES,
    },
};
/* clang-format on */
