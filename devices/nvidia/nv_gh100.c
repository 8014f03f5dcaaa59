/* SPDX-License-Identifier: MIT */
/*
 * GH100 (Hopper): H100 and H200 (SXM5), with 132 SMs. The chip has 45 PBDMAs (its MMU fault ids),
 * which is two for each of eight graphics engines and one for each other engine; the cards have 7
 * of the 8 decoders and no encoder, so 40 of them and 32 runlists here. MIG is not modelled: GR1
 * to GR7 have no SMs.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GH100_COMMON                                                                               \
    .chip = "GH100", .chip_id = 0x180, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 16, .pce_to_lce = {4, 6, 4, 6, 4, 6, 4, 6, 4, 4, 4, 6, 4, 6, 4, 6},               \
    .grce = {{4, true}, {6, true}}, .sm = {NV_SM_9_0}, .holds_split = true, .passes_masked = true,  \
    .context_switch = {285900, 550, 550, 79000, 766000, 40000000, 20000},                          \
    .launch_cycles = 3100, .copy_setup_cycles = 8000,                                              \
    .vgpc_count = 8, .vgpc_tpcs = {4, 8, 8, 8, 8, 8, 9, 9}, .singleton_tpcs = 4,                   \
    .channel_count = 2048, .pbdma_count = 40, .runlist_count = 32, .engine_count = 34,             \
    .runlists = {NV_RUNLISTS_IN_BLOCKS},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 2, 1u << 3, 1u << 4, 1u << 4,     \
                       1u << 5, 1u << 5, 1u << 6, 1u << 6, 1u << 7, 1u << 7, 1u << 8, 1u << 8,     \
                       1u << 9, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14,         \
                       1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,       \
                       1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28,       \
                       1u << 29, 1u << 30, 1u << 31},                                              \
    .class_3d = HOPPER_A, .class_compute = HOPPER_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = HOPPER_DMA_COPY_A, .class_host = HOPPER_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 0, 384, 0x400000, 0},                            \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 20, 1, 43, 0x104000, 1},                          \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 21, 2, 44, 0x104000, 2},                          \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 22, 3, 45, 0x104000, 0},                                 \
        {"GR1", NV_CHIP_GRAPHICS, 1, 2, 11, 13, 11, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"LCE3", NV_CHIP_LCE, 3, 3, 4, 23, 4, 46, 0x104000, 0},                                 \
        {"GR2", NV_CHIP_GRAPHICS, 2, 4, 12, 14, 12, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR3", NV_CHIP_GRAPHICS, 3, 5, 13, 15, 13, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR4", NV_CHIP_GRAPHICS, 4, 6, 14, 16, 14, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR5", NV_CHIP_GRAPHICS, 5, 7, 15, 17, 15, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR6", NV_CHIP_GRAPHICS, 6, 8, 16, 18, 16, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR7", NV_CHIP_GRAPHICS, 7, 9, 17, 19, 17, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"LCE4", NV_CHIP_LCE, 4, 10, 5, 24, 5, 47, 0x104000, 0},                                \
        {"LCE5", NV_CHIP_LCE, 5, 11, 6, 25, 6, 48, 0x104000, 0},                                \
        {"LCE6", NV_CHIP_LCE, 6, 12, 7, 26, 7, 49, 0x104000, 0},                                \
        {"LCE7", NV_CHIP_LCE, 7, 13, 8, 27, 8, 50, 0x104000, 0},                                \
        {"LCE8", NV_CHIP_LCE, 8, 14, 9, 28, 9, 51, 0x104000, 0},                                \
        {"LCE9", NV_CHIP_LCE, 9, 15, 10, 29, 10, 52, 0x104000, 0},                              \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 16, 18, 30, 18, 19, 0x848000, 0},                          \
        {"NVDEC1", NV_CHIP_NVDEC, 1, 17, 19, 31, 19, 20, 0x84c000, 0},                          \
        {"NVDEC2", NV_CHIP_NVDEC, 2, 18, 20, 32, 20, 21, 0x850000, 0},                          \
        {"NVDEC3", NV_CHIP_NVDEC, 3, 19, 21, 33, 21, 22, 0x854000, 0},                          \
        {"NVDEC4", NV_CHIP_NVDEC, 4, 20, 22, 34, 22, 23, 0x858000, 0},                          \
        {"NVDEC5", NV_CHIP_NVDEC, 5, 21, 23, 35, 23, 24, 0x85c000, 0},                          \
        {"NVDEC6", NV_CHIP_NVDEC, 6, 22, 24, 36, 24, 25, 0x860000, 0},                          \
        {"NVJPG0", NV_CHIP_NVJPG, 0, 23, 25, 37, 25, 27, 0x830000, 0},                          \
        {"NVJPG1", NV_CHIP_NVJPG, 1, 24, 26, 38, 26, 28, 0x831000, 0},                          \
        {"NVJPG2", NV_CHIP_NVJPG, 2, 25, 27, 39, 27, 29, 0x832000, 0},                          \
        {"NVJPG3", NV_CHIP_NVJPG, 3, 26, 28, 40, 28, 30, 0x833000, 0},                          \
        {"NVJPG4", NV_CHIP_NVJPG, 4, 27, 29, 41, 29, 31, 0x834000, 0},                          \
        {"NVJPG5", NV_CHIP_NVJPG, 5, 28, 30, 42, 30, 32, 0x835000, 0},                          \
        {"NVJPG6", NV_CHIP_NVJPG, 6, 29, 31, 43, 31, 33, 0x836000, 0},                          \
        {"OFA0", NV_CHIP_OFA, 0, 30, 32, 44, 32, 53, 0x844000, 0},                              \
        {"SEC2", NV_CHIP_SEC, 0, 31, 33, 45, 33, 6, 0x840000, 0},                               \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GH100_FIGURES                                                                              \
    {"engines of the chip", "8 GR, 10 LCEs, 8 NVDEC, 8 NVJPG, OFA, SEC2", DOCUMENTED, NV_OPEN_RM "g_gpu_class_list.c (GH100)"},\
    {"engines of the card", "7 NVDEC, 7 NVJPG", INFERRED, "NVIDIA H100 Tensor Core GPU data sheet, decoders"}, \
    {"runlists, PBDMAs", "32, 40", INFERRED, "gfe: as the engines ask for; 45 PBDMAs with the missing ones and 3 encoders, " NV_OPEN_RM "uvm hopper/gh100/dev_fault.h (HOST0 to HOST44)"},\
    {"runlists of LCE2, LCE3, LCE4", "1, 3, 10", MEASURED, "tests/hardware/data, h100: classes and doorbells of a CUDA context's copy channels"},\
    {"other engines to runlists", "as listed", ASSUMED, "gfe: one each, beside graphics"},         \
    {"GR1 to GR7", "without SMs", ASSUMED, "gfe: those of MIG, which is not modelled"},                \
    {"PCEs", "16", DOCUMENTED, NV_OPEN_RM "hopper/gh100/dev_ce_base.h"},                           \
    {"PCE to LCE", "all to 4 and 6", DOCUMENTED, NV_OPEN_RM "kernel_ce_gh100.c, default"},         \
    {"GRCEs", "0 shares with LCE4, 1 with LCE6", DOCUMENTED, NV_OPEN_RM "kernel_ce_gh100.c, default"},\
    {"classes", "c86f, cb97, cbc0, c8b5", DOCUMENTED, NV_OPEN_RM "g_gpu_class_list.c (GH100)"},    \
    {"MMU fault ids", "as listed; none told for GR1 to GR7", DOCUMENTED, NV_OPEN_RM "uvm hopper/gh100/dev_fault.h"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    NV_NEW_ID_FIGURES,                                                                             \
    {"virtual GPCs", "of 4, 8, 8, 8, 8, 8, 9, 9 TPCs; 4 TPCs in none", MEASURED, "tests/hardware/data, H100 and H200: the turns in which blocks start"},\
    NV_SM_GUIDE_FIGURES("9.0", "2048, 64, 32", "65536, 65536, 255", "228 KiB, 227 KiB", "128"),           \
    NV_SPLITS_FIGURE("9.0", "0, 8, 16, 32, 64, 100, 132, 164, 196, 228"),                               \
    {"context switch", "154.5 us; 1.1 ns for each KiB of registers and shared memory; shared memory by its own warps; work runs on for 40 us", MEASURED, "tests/hardware/data, slices: state (two processes alike)"},\
    {"launch", "1.6 us", MEASURED, "tests/hardware/data, launch_times: period_ready, kernels of one block (1.8 us from end to start)"},\
    {"set-up of a copy", "4.0 us", MEASURED, "tests/hardware/data, copy_times: 64 KiB to the device takes 5.3 us"},\
    {"PCI id", "as in the heading", DOCUMENTED, NV_OPEN_RM "g_nv_name_released.h"}

const struct nv_chip nv_h100 = {
    .name = "h100", .title = "H100 SXM5 80GB", .pci_id = 0x10de2330,
    .vram_bytes = UINT64_C(80) << 30, .gpc_count = 8, .tpc_count = 66, .sm_count = 132,
    .sm_hz = 1980000000, .host_hz = 1980000000,
    .pce_bytes_per_second = UINT64_C(1980000000) * 32,
    .local_bytes_per_second = UINT64_C(3350000000000),
    .system_bytes_per_second = UINT64_C(55300000000),
    GH100_COMMON,
    .figures = {
        {"SMs", "132", INFERRED, NV_CORES("16896", "128")},
        {"GPCs, TPCs", "8, 66", INFERRED, NV_WHITE_PAPER("H100 Tensor Core GPU Architecture")},
        {"ROP partitions", "10", ASSUMED, "gfe: chosen to fit the memory"},
        {"graphics clock", "1980 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "3350 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_BUT_LINK_FIGURES("1980 MHz", "63.36 GB/s a PCE"),
        {"link to system memory", "55.3 GB/s a direction", MEASURED, "tests/hardware/data, copy_times: from 4 to 64 MiB to the device (PCIe 5.0 x16)"},
        GH100_FIGURES,
    },
};

const struct nv_chip nv_h200 = {
    .name = "h200", .title = "H200 SXM 141GB", .pci_id = 0x10de2335,
    .vram_bytes = UINT64_C(141) << 30, .gpc_count = 8, .tpc_count = 66, .sm_count = 132,
    .sm_hz = 1980000000, .host_hz = 1980000000,
    .pce_bytes_per_second = UINT64_C(1980000000) * 32,
    .local_bytes_per_second = UINT64_C(4800000000000),
    .system_bytes_per_second = UINT64_C(53200000000),
    GH100_COMMON,
    .figures = {
        {"SMs", "132", INFERRED, NV_CORES("16896", "128")},
        {"GPCs, TPCs", "8, 66", INFERRED, NV_WHITE_PAPER("H100 Tensor Core GPU Architecture")},
        {"ROP partitions", "12", ASSUMED, "gfe: chosen to fit the memory"},
        {"graphics clock", "1980 MHz (boost)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "4800 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_BUT_LINK_FIGURES("1980 MHz", "63.36 GB/s a PCE"),
        {"link to system memory", "53.2 GB/s a direction", MEASURED, "tests/hardware/data, copy_times: from 4 to 64 MiB to the device (PCIe 5.0 x16)"},
        GH100_FIGURES,
    },
};
/* clang-format on */
