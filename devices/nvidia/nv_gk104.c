/* SPDX-License-Identifier: MIT */
/*
 * GK104 (Kepler): GeForce GTX 680.  Engines and runlists are those that nouveau lists for it; there
 * is one copy engine on the graphics runlist, CE2.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

/* clang-format off */
#define GK104_COMMON                                                                               \
    .chip = "GK104", .chip_id = 0xe4, .sysmem_bytes = UINT64_C(16) << 30,                          \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .pce_count = 3, .pce_to_lce = {0, 1, 2}, .sm = {NV_SM_3_0},                                    \
    .channel_count = 4096, .pbdma_count = 3, .runlist_count = 7, .engine_count = 8,                \
    .runlists = {NV_RUNLISTS_BY_NUMBER},                                                           \
    .pbdma_runlists = {1u << 0, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 6, 1u << 4 | 1u << 5},         \
    .engines = {                                                                                   \
        {"GR", NV_CHIP_GRAPHICS, 0, 0, 0, 12, 12, 0, 0x400000, 0},                              \
        {"CE2", NV_CHIP_GRCE, 2, 0, 3, 21, 7, 27, 0x106000, 1},                                 \
        {"MSVLD", NV_CHIP_MSVLD, 0, 1, 4, 15, 15, 16, 0x084000, 0},                             \
        {"MSPPP", NV_CHIP_MSPPP, 0, 2, 5, 1, 0, 17, 0x086000, 0},                               \
        {"MSPDEC", NV_CHIP_MSPDEC, 0, 3, 6, 17, 17, 20, 0x085000, 0},                           \
        {"CE0", NV_CHIP_LCE, 0, 4, 1, 6, 5, 21, 0x104000, 0},                                   \
        {"CE1", NV_CHIP_LCE, 1, 5, 2, 7, 6, 22, 0x105000, 0},                                   \
        {"MSENC", NV_CHIP_MSENC, 0, 6, 7, 18, 16, 25, 0x1c8000, 0},                             \
    },                                                                                             \
    .class_3d = KEPLER_A, .class_compute = KEPLER_COMPUTE_A, .class_inline = KEPLER_INLINE_TO_MEMORY_A,\
    .class_2d = FERMI_TWOD_A, .class_copy = KEPLER_DMA_COPY_A,                                     \
    .class_host = KEPLER_CHANNEL_GPFIFO_A,                                                         \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs

#define GK104_FIGURES                                                                              \
    {"runlists, engines to runlists", "7, as listed", INFERRED, "nouveau nvkm/engine/fifo/nve0.c @37a5d028 (fifo_engine)"},\
    {"channels", "4096", INFERRED, "nouveau gk104.c @3499af52 (gk104_fifo_chid_nr)"},              \
    {"PBDMAs, PBDMA to runlists", "3; 0: 0; 1: 1-3, 6; 2: 4-5", ASSUMED, "gfe: not published"},    \
    {"engine ids, PTOP row order", "as listed", ASSUMED, "gfe: no dump is published"},             \
    {"MMU fault ids", "as listed", INFERRED, "nouveau gk104.c (gk104_fifo_mmu_fault_engine)"},     \
    NV_OLD_ID_FIGURES,                                                                             \
    {"copy engines", "3, each its own", INFERRED, "nouveau ce/gk104.c: no shared physical engines"},\
    NV_SM_FIGURES("3.0", "2048, 64, 16", "65536, 65536, 63", "48 KiB, 48 KiB", "16"),                    \
    {"PCI id", "as in the heading", DOCUMENTED, NV_PCI_IDS}

const struct nv_chip nv_gtx680 = {
    .name = "gtx680", .title = "GeForce GTX 680", .pci_id = 0x10de1180,
    .vram_bytes = UINT64_C(2) << 30, .gpc_count = 4, .tpc_count = 8, .sm_count = 8,
    .sm_hz = 1006000000, .host_hz = 1006000000,
    .pce_bytes_per_second = UINT64_C(1006000000) * 32,
    .local_bytes_per_second = UINT64_C(192256000000),
    GK104_COMMON,
    .figures = {
        {"SMs", "8", INFERRED, NV_CORES("1536", "192")},
        {"GPCs, TPCs", "4, 8", INFERRED, NV_WHITE_PAPER("GeForce GTX 680")},
        {"ROP partitions", "4", INFERRED, NV_WHITE_PAPER("GeForce GTX 680") ": as many as memory controllers"},
        {"graphics clock", "1006 MHz (base)", INFERRED, NV_PRODUCT},
        {"memory bandwidth", "192.256 GB/s", INFERRED, NV_PRODUCT},
        NV_ASSUMED_FIGURES("1006 MHz", "32.192 GB/s a PCE"),
        GK104_FIGURES,
    },
};
/* clang-format on */
