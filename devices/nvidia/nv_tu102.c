/* SPDX-License-Identifier: MIT */
/*
 * TU102 (Turing): GeForce RTX 2080 Ti. Runlists and channels are those of TU104, whose manuals
 * are public; two of the runlists that TU106 uses for more video decoders have no engine here.
 * The copy engines' map is the one that NVIDIA's open kernel driver programs when no NVLink is
 * up.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define TU102_COMMON                                                                               \
    .chip = "TU102", .chip_id = 0x162, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 4, .pce_to_lce = {NV_CHIP_PCE_UNUSED, 4, 2, 3}, .grce = {{4, true}, {3, true}},       \
    .sm = {NV_SM_7_5},                                                                             \
    .channel_count = 4096, .pbdma_count = 12, .runlist_count = 11, .engine_count = 9,              \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4, 1u << 5,              \
                       1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10},                              \
    .class_3d = TURING_A, .class_compute = TURING_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = TURING_DMA_COPY_A, .class_host = TURING_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 64, 0x400000, 0},                            \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 15, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 16, 0x104000, 2},                           \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 21, 7, 17, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 2, 4, 22, 10, 18, 0x104000, 0},                                \
        {"LCE4", NV_CHIP_LCE, 4, 3, 5, 23, 11, 19, 0x104000, 0},                                \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 4, 6, 15, 15, 10, 0x830000, 0},                            \
        {"NVENC0", NV_CHIP_NVENC, 0, 7, 7, 18, 16, 11, 0x1c8000, 0},                            \
        {"SEC2", NV_CHIP_SEC, 0, 8, 8, 14, 14, 14, 0x840000, 0},                                \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define TU102_FIGURES                                                                              \
    {"runlists", "11", INFERRED, "open-gpu-doc tu104/dev_fifo.ref.txt (RUNLIST_BASE_LO), of TU104"},\
    {"PBDMAs", "12", DOCUMENTED, NV_OPEN_RM "turing/tu102/hwproject.h (NV_HOST_NUM_PBDMA)"},       \
    {"channels", "4096", INFERRED, "open-gpu-doc tu104/dev_fifo.ref.txt (CFG1), of TU104"},        \
    {"engines", "as listed", DOCUMENTED, NV_OPEN_RM "g_gpu_class_list.c (TU102): 5 LCEs, NVDEC0, NVENC0; SEC2 by nouveau"},\
    {"engines to runlists", "as listed", ASSUMED, "gfe: one each, beside graphics; as on TU106"},  \
    {"PBDMA to runlists", "0 and 1: 0; 2: 1; ... 11: 10", INFERRED, "gfe: the only way for these numbers"},\
    {"PCEs, PCE to LCE", "4: 1 to 4, 2 to 2, 3 to 3; 0 unused", DOCUMENTED, NV_OPEN_RM "kernel_ce_tu102.c, default without NVLink"},\
    {"GRCEs", "0 shares with LCE4, 1 with LCE3", DOCUMENTED, NV_OPEN_RM "kernel_ce_tu102.c, default without NVLink"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", DOCUMENTED, NV_OPEN_RM "turing/tu102/dev_fault.h"},             \
    NV_OLD_ID_FIGURES,                                                                             \
    NV_SM_FIGURES("7.5", "1024, 32, 16", "65536, 65536, 255", "64 KiB, 64 KiB", "128"),                   \
    NV_SPLITS_FIGURE("7.5", "32, 64"),                                                                  \
    {"PCI id", "as in the heading", DOCUMENTED, NV_OPEN_RM "g_nv_name_released.h"}

const struct nv_chip nv_rtx2080ti = {
    .name = "rtx2080ti", .title = "GeForce RTX 2080 Ti", .pci_id = 0x10de1e04,
    .vram_bytes = UINT64_C(11) << 30, .gpc_count = 6, .tpc_count = 34, .sm_count = 68,
    .sm_hz = 1350000000, .host_hz = 1350000000,
    .pce_bytes_per_second = UINT64_C(1350000000) * 32,
    .local_bytes_per_second = UINT64_C(616000000000),
    .system_bytes_per_second = NV_PCIE_3_BYTES,
    TU102_COMMON,
    .figures = {
        {"SMs", "68", INFERRED, NV_CORES("4352", "64")},
        {"GPCs, TPCs", "6, 34", INFERRED, NV_WHITE_PAPER("Turing GPU Architecture")},
        {"ROP partitions", "11", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "1350 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "616 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1350 MHz", "43.2 GB/s a PCE"),
        TU102_FIGURES,
    },
};
/* clang-format on */
