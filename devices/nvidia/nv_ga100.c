/* SPDX-License-Identifier: MIT */
/*
 * GA100 (Ampere): A100 40GB SXM. 26 engines and 32 PBDMAs (nvgpu), 24 runlists (NVIDIA's
 * interrupt map): eight graphics engines with two PBDMAs and a runlist each, of which all but the
 * first are for MIG; two copy engines on the first one's runlist; and eight copy engines, five
 * decoders and three more with one each. MIG is not modelled: GR1 to GR7 have no SMs.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GA100_COMMON                                                                               \
    .chip = "GA100", .chip_id = 0x170, .sysmem_bytes = UINT64_C(16) << 30,                         \
    .pce_count = 18,                                                                               \
    .pce_to_lce = {NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED,                 \
                   NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED,                 \
                   NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED,                 \
                   NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, NV_CHIP_PCE_UNUSED, 2, 3},          \
    .grce = {{2, true}, {3, true}}, .sm = {NV_SM_8_0},                                             \
    .channel_count = 2048, .pbdma_count = 32, .runlist_count = 24, .engine_count = 26,             \
    .runlists = {NV_RUNLISTS_IN_BLOCKS},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 0, 1u << 1, 1u << 1, 1u << 2, 1u << 2, 1u << 3,              \
                       1u << 3, 1u << 4, 1u << 4, 1u << 5, 1u << 5, 1u << 6, 1u << 6,              \
                       1u << 7, 1u << 7, 1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12,           \
                       1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19,       \
                       1u << 20, 1u << 21, 1u << 22, 1u << 23},                                    \
    .class_3d = AMPERE_A, .class_compute = AMPERE_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_B,\
    .class_2d = FERMI_TWOD_A, .class_copy = AMPERE_DMA_COPY_A, .class_host = AMPERE_CHANNEL_GPFIFO_A,\
    .engines = {                                                                                   \
        {"GR0", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 0, 64, 0x400000, 0},                             \
        {"GR1", NV_CHIP_GRAPHICS, 1, 1, 11, 13, 11, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR2", NV_CHIP_GRAPHICS, 2, 2, 12, 14, 12, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR3", NV_CHIP_GRAPHICS, 3, 3, 13, 15, 13, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR4", NV_CHIP_GRAPHICS, 4, 4, 14, 16, 14, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR5", NV_CHIP_GRAPHICS, 5, 5, 15, 17, 15, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR6", NV_CHIP_GRAPHICS, 6, 6, 16, 18, 16, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GR7", NV_CHIP_GRAPHICS, 7, 7, 17, 19, 17, NV_CHIP_ID_NONE, 0x400000, 0},                  \
        {"GRCE0/LCE0", NV_CHIP_GRCE, 0, 0, 1, 20, 1, 15, 0x104000, 1},                          \
        {"GRCE1/LCE1", NV_CHIP_GRCE, 1, 0, 2, 21, 2, 16, 0x104000, 2},                          \
        {"LCE2", NV_CHIP_LCE, 2, 8, 3, 22, 3, 17, 0x104000, 0},                                 \
        {"LCE3", NV_CHIP_LCE, 3, 9, 4, 23, 4, 18, 0x104000, 0},                                 \
        {"LCE4", NV_CHIP_LCE, 4, 10, 5, 24, 5, 19, 0x104000, 0},                                \
        {"LCE5", NV_CHIP_LCE, 5, 11, 6, 25, 6, 20, 0x104000, 0},                                \
        {"LCE6", NV_CHIP_LCE, 6, 12, 7, 26, 7, 21, 0x104000, 0},                                \
        {"LCE7", NV_CHIP_LCE, 7, 13, 8, 27, 8, 22, 0x104000, 0},                                \
        {"LCE8", NV_CHIP_LCE, 8, 14, 9, 28, 9, 23, 0x104000, 0},                                \
        {"LCE9", NV_CHIP_LCE, 9, 15, 10, 29, 10, 24, 0x104000, 0},                              \
        {"NVDEC0", NV_CHIP_NVDEC, 0, 16, 18, 30, 18, 25, 0x848000, 0},                          \
        {"NVDEC1", NV_CHIP_NVDEC, 1, 17, 19, 31, 19, 26, 0x84c000, 0},                          \
        {"NVDEC2", NV_CHIP_NVDEC, 2, 18, 20, 32, 20, 27, 0x850000, 0},                          \
        {"NVDEC3", NV_CHIP_NVDEC, 3, 19, 21, 33, 21, 28, 0x854000, 0},                          \
        {"NVDEC4", NV_CHIP_NVDEC, 4, 20, 22, 34, 22, 29, 0x858000, 0},                          \
        {"NVJPG0", NV_CHIP_NVJPG, 0, 21, 23, 35, 23, 30, 0x830000, 0},                          \
        {"OFA0", NV_CHIP_OFA, 0, 22, 24, 36, 24, 10, 0x844000, 0},                              \
        {"SEC2", NV_CHIP_SEC, 0, 23, 25, 37, 25, 14, 0x840000, 0},                              \
    },                                                                                             \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GA100_FIGURES                                                                              \
    {"engines, PBDMAs", "26, 32", DOCUMENTED, NV_PROJ("ga100")},                                   \
    {"runlists", "24", DOCUMENTED, "open-gpu-doc ampere/host/ampere_interrupt_map.csv (Runlist tree0)"},\
    {"engines", "as listed", DOCUMENTED, NV_OPEN_RM "g_gpu_class_list.c (GA100): 8 GR, 10 LCEs, 5 NVDEC, NVJPG, OFA; SEC2 is the 26th"},\
    {"engines to runlists", "as listed", INFERRED, "gfe: the only way for these numbers, in this order ASSUMED"},\
    {"PBDMA to runlists", "two for each GR, else one", INFERRED, "gfe: the only way for these numbers, in this order ASSUMED"},\
    {"GR1 to GR7", "without SMs", ASSUMED, "gfe: those of MIG, which is not modelled"},                \
    {"PCEs", "18", DOCUMENTED, NV_OPEN_RM "ampere/ga100/dev_ce_base.h"},                           \
    {"PCE to LCE", "16 to 2, 17 to 3", DOCUMENTED, NV_OPEN_RM "kernel_ce_ga100.c, default without NVLink"},\
    {"GRCEs", "0 shares with LCE2, 1 with LCE3", INFERRED, NV_OPEN_RM "kernel_ce_ga100.c: they share when the PCEs for system memory are taken; which takes which ASSUMED"},\
    {"MMU fault ids", "as listed; none told for GR1 to GR7", DOCUMENTED, NV_OPEN_RM "ampere/ga100/dev_fault.h"},\
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: a dump of another GA100 card has graphics, then LCEs"},\
    NV_NEW_ID_FIGURES,                                                                             \
    NV_SM_FIGURES("8.0", "2048, 64, 32", "65536, 65536, 255", "164 KiB, 163 KiB", "128"),                 \
    NV_SPLITS_FIGURE("8.0", "0, 8, 16, 32, 64, 100, 132, 164"),                                         \
    {"PCI id", "as in the heading", DOCUMENTED, NV_OPEN_RM "g_nv_name_released.h"}

const struct nv_chip nv_a100 = {
    .name = "a100", .title = "A100 SXM4 40GB", .pci_id = 0x10de20b0,
    .vram_bytes = UINT64_C(40) << 30, .gpc_count = 7, .tpc_count = 54, .sm_count = 108,
    .sm_hz = 1095000000, .host_hz = 1095000000,
    .pce_bytes_per_second = UINT64_C(1095000000) * 32,
    .local_bytes_per_second = UINT64_C(1555000000000),
    .system_bytes_per_second = NV_PCIE_4_BYTES,
    GA100_COMMON,
    .figures = {
        {"SMs", "108", INFERRED, NV_CORES("6912", "64")},
        {"GPCs, TPCs", "7, 54", INFERRED, NV_WHITE_PAPER("A100 Tensor Core GPU Architecture")},
        {"ROP partitions", "10", ASSUMED, "gfe: chosen to fit the memory"},
        {"graphics clock", "1095 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "1555 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_BUT_LINK_FIGURES("1095 MHz", "35.04 GB/s a PCE"),
        {"link to system memory", "25 GB/s a direction", PUBLISHED, "Qureshi et al. 2023 (BaM), and ZaidQureshi/bam issue 54: the measured peak of an A100, PCIe 4.0 x16"},
        GA100_FIGURES,
    },
};
/* clang-format on */
