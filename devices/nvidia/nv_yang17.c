/* SPDX-License-Identifier: MIT */
/*
 * The GPU of Yang and Anderson's poster ("Response-time Bounds for Concurrent GPU Scheduling",
 * 2017): m threads in one pool, blocks of any size up to m, no other limit (rule Y.R1).  No such
 * chip was made.  Its front end is that of GP106, so that everything else is as on a real one; its
 * SMs are one of m threads, with warps of one thread and a slot for each.
 */
#include <config.h>

#include "devices/nvidia/nv_chips.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_gpu.h"

#define POSTER   "Yang and Anderson 2017, system model"
#define AS_GP106 "gfe: the front end of a GTX 1060 around the poster's pool of threads"

/* clang-format off */
#define YANG17(threads, text)                                                                      \
    .title = "Poster's GPU of " text " threads", .pci_id = 0,                                      \
    .chip = "GP106", .chip_id = 0x136,                                                             \
    .vram_bytes = UINT64_C(6) << 30, .sysmem_bytes = UINT64_C(16) << 30,                           \
    .sm_count = 1, .tpc_count = 1, .gpc_count = 1,                                                 \
    .sm_hz = 1506000000, .host_hz = 1506000000,                                                    \
    .pce_bytes_per_second = UINT64_C(48192000000),                                                 \
    .system_bytes_per_second = NV_PCIE_3_BYTES,                                              \
    .local_bytes_per_second = UINT64_C(192000000000),                                              \
    .context_switch = {.load_cycles = 20000, .save_ps_per_kib = 5333, .load_ps_per_kib = 5333},    \
    .pce_count = 4, .pce_to_lce = {0, 1, 2, 3},                                                    \
    .sm = {.threads_per_sm = (threads), .warps_per_sm = (threads), .blocks_per_sm = (threads),     \
           .registers_per_sm = 1 << 14, .registers_per_block = 1 << 14,                            \
           .registers_per_thread = 255, .shared_bytes_per_sm = 1 << 30,                            \
           .shared_bytes_per_block = 96 << 10, .threads_per_block = (threads),                     \
           .threads_per_warp = 1, .register_unit = 1, .partitions = 1, .shared_unit_bytes = 1,     \
           .one_pool = 1, .grids = UINT32_MAX},                           \
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
    .class_3d = PASCAL_B, .class_compute = PASCAL_COMPUTE_B,                                       \
    .class_inline = KEPLER_INLINE_TO_MEMORY_B, .class_2d = FERMI_TWOD_A,                           \
    .class_copy = PASCAL_DMA_COPY_B, .class_copy_older = PASCAL_DMA_COPY_A,                        \
    .class_host = PASCAL_CHANNEL_GPFIFO_A,                                                         \
    .wire = nv_gpu_wire, .unwire = nv_gpu_unwire, .costs = nv_gpu_costs,                           \
    .figures = {                                                                                   \
        {"threads", text " in one pool", ASSUMED, POSTER},                                         \
        {"SM limits", "one SM of all threads, a slot for each", ASSUMED, POSTER},                  \
        {"runlists, PBDMAs, engines", "as listed", ASSUMED, AS_GP106},                             \
        {"clocks, rates, classes, ids", "as listed", ASSUMED, AS_GP106},                           \
    }

const struct nv_chip nv_yang17 = {.name = "yang17", YANG17(10, "10")};
const struct nv_chip nv_yang17_7 = {.name = "yang17-7", YANG17(7, "7")};
const struct nv_chip nv_yang17_32 = {.name = "yang17-32", YANG17(32, "32")};
/* clang-format on */
