/* SPDX-License-Identifier: MIT */
/*
 * GP10B (Pascal): Jetson TX2. Graphics and the only copy engine share the only runlist, which one
 * PBDMA serves (nvgpu), so compute and copy interfere (Bakita and Anderson 2024, Fig. 9).
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GP10B_COMMON                                                                               \
    .chip = "GP10B", .chip_id = 0x13b, .sysmem_bytes = UINT64_C(8) << 30,                          \
    .pce_count = 1, .pce_to_lce = {0}, .sm = {NV_SM_6_2},                                          \
    .channel_count = 512, .pbdma_count = 1, .runlist_count = 1, .engine_count = 2,                 \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0},                                                                   \
    .class_3d = PASCAL_A, .class_compute = PASCAL_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = PASCAL_DMA_COPY_A, .class_host = PASCAL_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 0, 0x400000, 0},                             \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 27, 0x104000, 1},                           \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GP10B_FIGURES                                                                              \
    {"runlists", "1", DOCUMENTED, "nvgpu hw_fifo_gp10b.h @6ecfb593 (ENG_RUNLIST)"},                \
    {"PBDMAs, engines", "1, 2", DOCUMENTED, NV_PROJ("gp10b")},                                     \
    {"engines to runlists", "as listed", MEASURED, NV_BAKITA " section V-C: compute and copy share one runlist"},\
    {"channels", "512", DOCUMENTED, "nvgpu hw_ccsr_gp10b.h @6ecfb593"},                            \
    {"copy engine", "one LCE, on the graphics runlist", INFERRED, "nouveau device/base.c (nv13b_chipset)"},\
    {"context switch", "15.4 us; 10.7 ns for each KiB", ASSUMED, "carried over from gtx1060 by generation"},\
    {"PCEs, PCE to LCE", "1, its own", ASSUMED, "gfe: not published"},                             \
    {"classes", "c06f, c097, c0c0, c0b5", DOCUMENTED, "nvgpu class.h @6ecfb593 and hal/class/class_gp10b"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", ASSUMED, "gfe: not published for Pascal"},                      \
    NV_OLD_ID_FIGURES,                                                                             \
    NV_SM_FIGURES("6.2", "2048, 64, 32", "65536, 32768, 255", "64 KiB, 48 KiB", "16"),                   \
    {"PCI id", "none", ASSUMED, "gfe: a part of the Tegra X2"}

const struct nv_chip nv_tx2 = {
    .name = "tx2", .title = "Jetson TX2", .pci_id = 0x0,
    .vram_bytes = UINT64_C(8) << 30, .gpc_count = 1, .tpc_count = 2, .sm_count = 2,
    .context_switch = {.load_cycles = 20000, .save_ps_per_kib = 5333, .load_ps_per_kib = 5333},
    .sm_hz = 1300000000, .host_hz = 1300000000,
    .pce_bytes_per_second = UINT64_C(1300000000) * 32,
    .local_bytes_per_second = UINT64_C(59700000000),
    .system_bytes_per_second = UINT64_C(29850000000),
    GP10B_COMMON,
    .figures = {
        {"SMs", "2", INFERRED, NV_CORES("256", "128")},
        {"GPCs, TPCs", "1, 2", INFERRED, NV_PROJ("gp10b")},
        {"ROP partitions", "1", ASSUMED, NV_PROJ("gp10b") ", one FBP"},
        {"graphics clock", "1300 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "59.7 GB/s", INFERRED, NV_PRODUCT},
        NV_INTEGRATED_FIGURES("1300 MHz", "41.6 GB/s a PCE", "29.85 GB/s a direction"),
        GP10B_FIGURES,
    },
};
/* clang-format on */
