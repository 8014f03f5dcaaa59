/* SPDX-License-Identifier: MIT */
/*
 * TU106 (Turing): GeForce RTX 2060.  NVIDIA publishes TU104's manuals; TU106 is taken to have as
 * many runlists, PBDMAs and copy engines.  Two of the runlists have no engine here.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define TU106_COMMON                                                                               \
    .chip = "TU106", .chip_id = 0x166, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .pce_count = 4, .pce_to_lce = {1, 4, 2, 3}, .grce = {{1, true}}, .sm = {NV_SM_7_5},            \
    .channel_count = 4096, .pbdma_count = 12, .runlist_count = 11, .engine_count = 11,             \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 2, 1u << 3, 1u << 4,                       \
                       1u << 5, 1u << 6, 1u << 7, 1u << 8, 1u << 9, 1u << 10},                     \
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 64, 0x400000, 0},                            \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 6, 5, 15, 0x104000, 1},                           \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 7, 6, 16, 0x104000, 2},                           \
        {"LCE2", NV_CHIP_LCE, 2, 1, 3, 21, 7, 17, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 2, 4, 22, 10, 18, 0x104000, 0},                                \
        {"LCE4", NV_CHIP_LCE, 4, 3, 5, 23, 11, 19, 0x104000, 0},                                \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 4, 6, 15, 15, 10, 0x830000, 0},                            \
        {"NVDEC1", NV_CHIP_NVDEC, 1, 5, 7, 16, 19, 25, 0x834000, 0},                            \
        {"NVDEC2", NV_CHIP_NVDEC, 2, 6, 8, 19, 22, 26, 0x838000, 0},                            \
        {"NVENC0", NV_CHIP_NVENC, 0, 7, 9, 18, 16, 11, 0x1c8000, 0},                            \
        {"SEC2", NV_CHIP_SEC, 0, 8, 10, 14, 14, 14, 0x840000, 0},                               \
    },                                                                                             \
    .class_3d = TURING_A, .class_compute = TURING_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = TURING_DMA_COPY_A,                                     \
    .class_host = TURING_CHANNEL_GPFIFO_A,                                                         \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define TU106_FIGURES                                                                              \
    {"runlists", "11", INFERRED, "open-gpu-doc tu104/dev_fifo.ref.txt (RUNLIST_BASE_LO), of TU104"},\
    {"PBDMAs", "12", INFERRED, "open-gpu-doc tu104/dev_fifo.ref.txt (CFG0), of TU104"},            \
    {"channels", "4096", INFERRED, "open-gpu-doc tu104/dev_fifo.ref.txt (CFG1), of TU104"},        \
    {"engines", "as listed", INFERRED, "nouveau device/base.c (nv166_chipset): 5 LCEs, 3 NVDEC, "          \
     "1 NVENC, SEC2"},\
    {"engines to runlists", "as listed", ASSUMED, "gfe: one each, beside graphics"},               \
    {"PBDMA to runlists", "0 and 1: 0; 2: 1; ... 11: 10", INFERRED, "gfe: the only way for these numbers"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", INFERRED, "open RM @df1c9a3d turing/tu102/dev_fault.h, of TU102"},\
    NV_OLD_ID_FIGURES,                                                                             \
    {"PCEs, PCE to LCE", "4: 0 to 1, 1 to 4, 2 to 2, 3 to 3", INFERRED,                                   \
     "open-gpu-doc tu104/dev_ce.ref.txt (PCE2LCE_CONFIG), reset values of TU104"},\
    {"GRCE0", "shares LCE1's PCE", INFERRED,                                                              \
     "open-gpu-doc tu104/dev_ce.ref.txt (GRCE_CONFIG), reset values of TU104"},\
    NV_SM_FIGURES("7.5", "1024, 32, 16", "65536, 65536, 255", "64 KiB, 64 KiB", "128"),                   \
    NV_SPLITS_FIGURE("7.5", "32, 64"),                                                                  \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_rtx2060 = {
    .name = "rtx2060", .title = "GeForce RTX 2060", .pci_id = 0x10de1f08,
    .vram_bytes = UINT64_C(6) << 30, .gpc_count = 3, .tpc_count = 15, .sm_count = 30,
    .sm_hz = 1365000000, .host_hz = 1365000000,
    .pce_bytes_per_second = UINT64_C(1365000000) * 32,
    .local_bytes_per_second = UINT64_C(336000000000),
    TU106_COMMON,
    .figures = {
        {"SMs", "30", INFERRED, NV_CORES("1920", "64")},
        {"GPCs, TPCs", "3, 15", INFERRED, NV_WHITE_PAPER("Turing GPU Architecture")},
        {"ROP partitions", "6", ASSUMED, "gfe: as many as 32-bit memory channels"},
        {"graphics clock", "1365 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "336 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1365 MHz", "43.68 GB/s a PCE"),
        TU106_FIGURES,
    },
};
/* clang-format on */
