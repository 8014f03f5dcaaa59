/* SPDX-License-Identifier: MIT */
/*
 * GA10B (Ampere): Jetson AGX Orin 64GB, in two readings. Table III of Bakita and Anderson 2024 as
 * extracted has Graphics/Compute 1 on runlist 2, with LCE3; its text says that every runlist but
 * the first has one engine alone, which would be runlist 3. The 6 PBDMAs that nvgpu tells fit the
 * second: two for each graphics engine, one for each of the other copy engines. GR1 is for SMC,
 * which is not modelled: it has no SMs.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GA10B_COMMON                                                                               \
    .chip = "GA10B", .chip_id = 0x17b, .sysmem_bytes = UINT64_C(64) << 30,                         \
    .pce_count = 4, .pce_to_lce = {0, 1, 2, 3}, .sm = {NV_SM_8_7},                                 \
    .channel_count = 2048, .pbdma_count = 6, .engine_count = 6,                                    \
    .runlists = {NV_RUNLISTS_IN_BLOCKS},                                                           \
    .class_3d = AMPERE_B, .class_compute = AMPERE_COMPUTE_B, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = AMPERE_DMA_COPY_B, .class_host = AMPERE_CHANNEL_GPFIFO_B,\
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GA10B_ENGINES                                                                              \
    {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 0, 64, 0x400000, 0},                                 \
    {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 13, 1, 15, 0x104000, 1},                              \
    {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 14, 2, 16, 0x104000, 2},                              \
    {"LCE2", NV_CHIP_LCE, 2, 1, 3, 15, 3, 17, 0x104000, 0},                                     \
    {"LCE3", NV_CHIP_LCE, 3, 2, 4, 16, 4, 18, 0x104000, 0}

#define GA10B_FIGURES                                                                              \
    {"engines, PBDMAs", "6, 6", DOCUMENTED, NV_PROJ("ga10b")},                                     \
    {"GR1", "without SMs", DOCUMENTED, "nvgpu grmgr_ga10b.c: of SMC, which is not modelled"},      \
    {"PCEs, PCE to LCE", "4, each LCE its own", ASSUMED, "gfe: not published"},                    \
    {"classes", "c76f, c797, c7c0, c7b5", DOCUMENTED, "nvgpu class.h @6ecfb593 and hal/class/class_ga10b"},\
    {"MMU fault ids", "as listed", INFERRED, NV_OPEN_RM "ampere/ga100/dev_fault.h, of GA100"},     \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    NV_NEW_ID_FIGURES,                                                                             \
    NV_SM_GUIDE_FIGURES("8.7", "1536, 48, 16", "65536, 65536, 255", "164 KiB, 163 KiB", "128"),           \
    NV_SPLITS_FIGURE("8.7", "0, 8, 16, 32, 64, 100, 132, 164"),                                         \
    {"PCI id", "none", INFERRED, "nvgpu platform_ga10b_tegra.c: a platform device of the Tegra Orin"}

const struct nv_chip nv_orin = {
    .name = "orin", .title = "Jetson AGX Orin 64GB", .pci_id = 0x0,
    .vram_bytes = UINT64_C(64) << 30, .gpc_count = 2, .tpc_count = 8, .sm_count = 16,
    .sm_hz = 1300000000, .host_hz = 1300000000,
    .pce_bytes_per_second = UINT64_C(1300000000) * 32,
    .local_bytes_per_second = UINT64_C(204800000000),
    .system_bytes_per_second = UINT64_C(102400000000),
    .runlist_count = 3,
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 2, 0},
    .engines = {
        GA10B_ENGINES,
        {"GR1", NV_CHIP_GRAPHICS, 1, 2, 5, 17, 5, NV_CHIP_ID_NONE, 0x400000, 1},
    },
    GA10B_COMMON,
    .figures = {
        {"engines to runlists", "GR1 on runlist 2, with LCE3", MEASURED, NV_BAKITA ", Table III as extracted; its text contradicts: see orin-runlist3"},
        {"PBDMA to runlists", "0, 1: 0; 2: 1; 3, 4: 2; 5: none", ASSUMED, "gfe: a runlist has two at most (nvgpu hw_runlist_ga10b.h)"},
        {"runlists", "3", MEASURED, NV_BAKITA ", Table III as extracted"},
        {"SMs", "16", INFERRED, NV_CORES("2048", "128")},
        {"GPCs, TPCs", "2, 8", INFERRED, NV_PROJ("ga10b")},
        {"ROP partitions", "2", ASSUMED, NV_PROJ("ga10b") ", two FBPs"},
        {"graphics clock", "1300 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "204.8 GB/s", INFERRED, NV_PRODUCT},
        NV_INTEGRATED_FIGURES("1300 MHz", "41.6 GB/s a PCE", "102.4 GB/s a direction"),
        GA10B_FIGURES,
    },
};

const struct nv_chip nv_orin_runlist3 = {
    .name = "orin-runlist3", .title = "Jetson AGX Orin, GR1 apart", .pci_id = 0x0,
    .vram_bytes = UINT64_C(64) << 30, .gpc_count = 2, .tpc_count = 8, .sm_count = 16,
    .sm_hz = 1300000000, .host_hz = 1300000000,
    .pce_bytes_per_second = UINT64_C(1300000000) * 32,
    .local_bytes_per_second = UINT64_C(204800000000),
    .system_bytes_per_second = UINT64_C(102400000000),
    .runlist_count = 4,
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 3},
    .engines = {
        GA10B_ENGINES,
        {"GR1", NV_CHIP_GRAPHICS, 1, 3, 5, 17, 5, NV_CHIP_ID_NONE, 0x400000, 0},
    },
    GA10B_COMMON,
    .figures = {
        {"engines to runlists", "GR1 on runlist 3, alone", INFERRED, NV_BAKITA ", section V-D: one engine a runlist but for runlist 0; its Table III contradicts: see orin"},
        {"PBDMA to runlists", "0, 1: 0; 2: 1; 3: 2; 4, 5: 3", INFERRED, "gfe: two for each graphics engine, one for each other runlist"},
        {"runlists", "4", INFERRED, NV_BAKITA ", section V-D"},
        {"SMs", "16", INFERRED, NV_CORES("2048", "128")},
        {"GPCs, TPCs", "2, 8", INFERRED, NV_PROJ("ga10b")},
        {"ROP partitions", "2", ASSUMED, NV_PROJ("ga10b") ", two FBPs"},
        {"graphics clock", "1300 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "204.8 GB/s", INFERRED, NV_PRODUCT},
        NV_INTEGRATED_FIGURES("1300 MHz", "41.6 GB/s a PCE", "102.4 GB/s a direction"),
        GA10B_FIGURES,
    },
};
/* clang-format on */
