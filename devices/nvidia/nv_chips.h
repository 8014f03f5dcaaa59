/* SPDX-License-Identifier: MIT */
/*
 * The models of the NVIDIA chips, one nv_<chip>.c each, and what several of them have in common:
 * the limits of an SM by compute capability, and sources.  Private to devices/nvidia and gpu_model.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHIPS_H
#define GFE_DEVICES_NVIDIA_NV_CHIPS_H

struct gpu_model;
extern const struct gpu_model nv_gtx680;
extern const struct gpu_model nv_gtx980;
extern const struct gpu_model nv_gtx1060, nv_gtx1060_3gb;
extern const struct gpu_model nv_gtx1050, nv_gtx1050ti;
extern const struct gpu_model nv_v100, nv_titanv;
extern const struct gpu_model nv_rtx2060;

/* clang-format off */
#define NV_PCI_IDS "PCI id repository, Debian pci.ids 0.0~2023.04.11-1"
#define NV_PRODUCT "vendor's product page, general knowledge"
#define NV_OCCUPANCY(cc) "tmcdonell/cuda Device.chs @0786f269 (vendor occupancy calculator), cc " cc

/* struct exec_limits of a compute capability. */
#define NV_SM_LIMITS(threads, blocks, thread_registers, sm_shared_kib, block_shared_kib)           \
    .threads_per_sm = (threads), .warps_per_sm = (threads) / 32, .blocks_per_sm = (blocks),        \
    .registers_per_sm = 65536, .registers_per_block = 65536,                                       \
    .registers_per_thread = (thread_registers),                                                    \
    .shared_bytes_per_sm = (sm_shared_kib) << 10,                                                  \
    .shared_bytes_per_block = (block_shared_kib) << 10,                                            \
    .threads_per_block = 1024, .threads_per_warp = 32,                                             \
    .register_unit = 256, .warp_unit = 4, .shared_unit_bytes = 256
#define NV_SM_3_0 NV_SM_LIMITS(2048, 16, 63, 48, 48)
#define NV_SM_5_2 NV_SM_LIMITS(2048, 32, 255, 96, 48)
#define NV_SM_6_1 NV_SM_LIMITS(2048, 32, 255, 96, 48)
#define NV_SM_7_0 NV_SM_LIMITS(2048, 32, 255, 96, 96)
#define NV_SM_7_5 NV_SM_LIMITS(1024, 16, 255, 64, 64)

/* The same figures for the reader. */
#define NV_SM_FIGURES(cc, sm, registers, shared)                                                   \
    {"threads, warps, blocks per SM", sm, DOCUMENTED, NV_OCCUPANCY(cc)},                           \
    {"registers per SM, block, thread", registers, DOCUMENTED, NV_OCCUPANCY(cc)},                  \
    {"shared memory per SM, block", shared, DOCUMENTED, NV_OCCUPANCY(cc)}

/* The end of an engine's row: no reset, interrupt and fault ids, no address, the first engine. */
#define NV_NO_IDS GPU_ID_NONE, GPU_ID_NONE, GPU_ID_NONE, 0, 0

/* Up to Turing: runlists have no block of registers, and their own number at the doorbell. */
#define NV_RUNLISTS_BY_NUMBER                                                                      \
    {0, 0},  {0, 1},  {0, 2},  {0, 3},  {0, 4},  {0, 5},  {0, 6},  {0, 7},                         \
    {0, 8},  {0, 9},  {0, 10}, {0, 11}, {0, 12}, {0, 13}, {0, 14}, {0, 15}

/* What is assumed of every chip. */
#define NV_ASSUMED_FIGURES(host_clock, copy_rate)                                                  \
    {"host clock", host_clock, ASSUMED, "gfe: not published; taken equal to the graphics clock"},  \
    {"copy engine rate", copy_rate, ASSUMED, "gfe: a sector of 32 bytes a clock"},                 \
    {"link to system memory", "12 GB/s a direction", ASSUMED, "gfe: PCIe 3.0 x16 in practice"},    \
    {"unit of memory traffic", "sectors of 32 bytes", INFERRED,                                    \
     "CUDA C++ Best Practices Guide: 32-byte transactions, of compute"}
/* clang-format on */

#endif
