/* SPDX-License-Identifier: MIT */
/*
 * GV11B (Volta): Jetson AGX Xavier. nvgpu tells 4 engines, 2 runlists and 3 PBDMAs: two runqueues
 * for graphics and its two copy engines, and one for a copy engine of its own.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GV11B_COMMON                                                                               \
    .chip = "GV11B", .chip_id = 0x15b, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 3, .pce_to_lce = {0, 1, 2}, .sm = {NV_SM_7_2},                                    \
    .channel_count = 512, .pbdma_count = 3, .runlist_count = 2, .engine_count = 4,                 \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1},                                                 \
    .class_3d = VOLTA_A, .class_compute = VOLTA_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = VOLTA_DMA_COPY_A, .class_host = VOLTA_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 64, 0x400000, 0},                            \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 15, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 16, 0x104000, 2},                           \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 21, 7, 17, 0x104000, 0},                                 \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GV11B_FIGURES                                                                              \
    {"runlists", "2", DOCUMENTED, "nvgpu hw_fifo_gv11b.h @6ecfb593 (ENG_RUNLIST)"},                \
    {"PBDMAs, engines", "3, 4", DOCUMENTED, NV_PROJ("gv11b")},                                     \
    {"engines, engines to runlists", "as listed", ASSUMED, "gfe: two copy engines beside graphics, one apart"},\
    {"PBDMA to runlists", "0 and 1: 0; 2: 1", INFERRED, "gfe: two runqueues for graphics, one for the copy engine"},\
    {"channels", "512", DOCUMENTED, "nvgpu hw_ccsr_gv11b.h @6ecfb593"},                            \
    {"PCEs, PCE to LCE", "3, each LCE its own", ASSUMED, "gfe: not published"},                    \
    {"classes", "c36f, c397, c3c0, c3b5", DOCUMENTED, "nvgpu class.h @6ecfb593 and hal/class/class_gv11b"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", DOCUMENTED, NV_OPEN_RM "volta/gv100/dev_fault.h"},              \
    NV_OLD_ID_FIGURES,                                                                             \
    NV_SM_FIGURES("7.2", "2048, 64, 32", "65536, 65536, 255", "96 KiB, 96 KiB", "16"),                   \
    NV_SPLITS_FIGURE("7.2", "0, 8, 16, 32, 64, 96"),                                                    \
    {"PCI id", "none", ASSUMED, "gfe: a part of the Tegra Xavier"}

const struct nv_chip nv_xavier = {
    .name = "xavier", .title = "Jetson AGX Xavier", .pci_id = 0x0,
    .vram_bytes = UINT64_C(16) << 30, .gpc_count = 1, .tpc_count = 4, .sm_count = 8,
    .sm_hz = 1377000000, .host_hz = 1377000000,
    .pce_bytes_per_second = UINT64_C(1377000000) * 32,
    .local_bytes_per_second = UINT64_C(137000000000),
    .system_bytes_per_second = UINT64_C(68500000000),
    GV11B_COMMON,
    .figures = {
        {"SMs", "8", INFERRED, NV_CORES("512", "64")},
        {"GPCs, TPCs", "1, 4", INFERRED, NV_PROJ("gv11b")},
        {"ROP partitions", "1", ASSUMED, NV_PROJ("gv11b") ", one FBP"},
        {"graphics clock", "1377 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "137 GB/s", INFERRED, NV_PRODUCT},
        NV_INTEGRATED_FIGURES("1377 MHz", "44.064 GB/s a PCE", "68.5 GB/s a direction"),
        GV11B_FIGURES,
    },
};
/* clang-format on */
