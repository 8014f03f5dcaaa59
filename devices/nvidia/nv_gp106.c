/* SPDX-License-Identifier: MIT */
/*
 * GP106: GeForce GTX 1060 with 6 GB (10 SMs) and with 3 GB (9 SMs, the one of Bakita and Anderson
 * 2024, Table II).  Both have the same runlists here (ASSUMED for the 6 GB card).
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/nv_gpu.h"

#define TABLE_II   "Bakita and Anderson 2024, Table II"
#define NVGPU_PROJ "nvgpu hw_proj_gp106.h @6ecfb593"

/* clang-format off */
#define GP106_COMMON                                                                               \
    .chip = "GP106", .chip_id = 0x136,                                                             \
    .sysmem_bytes = UINT64_C(16) << 30,                                                            \
    .sm_hz = 1506000000, .host_hz = 1506000000,                                                    \
    .pce_bytes_per_second = UINT64_C(48192000000),                                                 \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .local_bytes_per_second = UINT64_C(192000000000),                                              \
    .pce_count = 4, .pce_to_lce = {0, 1, 2, 3},                                                    \
    .sm = {NV_SM_6_1}, .gpc_count = 2,                                                             \
    .context_switch = {.load_cycles = 20000, .save_ps_per_kib = 5333, .load_ps_per_kib = 5333},    \
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
    .class_3d = 0xc197, .class_compute = 0xc1c0, .class_inline = 0xa140, .class_2d = 0x902d,       \
    .class_copy = 0xc1b5, .class_copy_older = 0xc0b5, .class_host = 0xc06f,                        \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GP106_FIGURES                                                                              \
    {"graphics clock", "1506 MHz (base)", INFERRED, NV_PRODUCT},                                   \
    {"memory bandwidth", "192 GB/s", INFERRED, NV_PRODUCT},                                        \
    NV_ASSUMED_FIGURES("1506 MHz", "48.192 GB/s a PCE"),                                           \
    {"context switch", "13.3 us; 10.7 ns for each KiB", ASSUMED,                                   \
     "gfe: 20 turns each of two processes in 80 ms leave 57 us at most (" NV_BAKITA ", Fig. 6); "  \
     "state at the rate of the memory"},                                                           \
    {"PCEs, PCE to LCE", "4, each LCE its own", ASSUMED,                                           \
     "gfe: not published; Bakita and Anderson 2024 saw no sharing on GTX 1080 Ti"},                \
    {"runlists", "7", DOCUMENTED, NVGPU_PROJ},                                                     \
    {"PBDMAs", "4", DOCUMENTED, NVGPU_PROJ},                                                       \
    {"channels", "4096", DOCUMENTED, "nvgpu hw_ccsr_gp106.h @6ecfb593"},                           \
    {"PBDMA to runlists", "0: 0; 1: 0; 2: 1-4; 3: 5-6", ASSUMED,                                   \
     "gfe: values of PBDMA_MAP on GP106 are not published"},                                       \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", ASSUMED, "gfe: not published for Pascal"},                      \
    NV_OLD_ID_FIGURES,                                                                             \
    {"GPCs", "2", ASSUMED, "gfe: chosen to fit the SMs"},                                          \
    {"ROP partitions", "6", ASSUMED, "gfe: as many as 32-bit memory channels"},                    \
    NV_SM_FIGURES("6.1", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 48 KiB", "32"),                   \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_gtx1060 = {
    .name = "gtx1060", .title = "GeForce GTX 1060 6GB", .pci_id = 0x10de1c03,
    .vram_bytes = UINT64_C(6) << 30, .sm_count = 10, .tpc_count = 10,
    GP106_COMMON,
    .figures = {
        {"SMs", "10", INFERRED, NV_CORES("1280", "128")},
        {"engines to runlists", "as listed", ASSUMED, TABLE_II ", which is of the 3 GB card"},
        GP106_FIGURES,
    },
};

const struct nv_chip nv_gtx1060_3gb = {
    .name = "gtx1060-3gb", .title = "GeForce GTX 1060 3GB", .pci_id = 0x10de1c02,
    .vram_bytes = UINT64_C(3) << 30, .sm_count = 9, .tpc_count = 9,
    GP106_COMMON,
    .figures = {
        {"SMs", "9", INFERRED, NV_CORES("1152", "128")},
        {"engines to runlists", "as listed", MEASURED, TABLE_II},
        GP106_FIGURES,
    },
};
/* clang-format on */
