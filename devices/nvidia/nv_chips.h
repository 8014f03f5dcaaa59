/* SPDX-License-Identifier: MIT */
/*
 * The models of the NVIDIA chips, one nv_<chip>.c each, and what several of them have in common:
 * the limits of an SM by compute capability, and sources.  Private to devices/nvidia.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHIPS_H
#define GFE_DEVICES_NVIDIA_NV_CHIPS_H

struct nv_chip;
extern const struct nv_chip nv_gtx680;
extern const struct nv_chip nv_gtx980;
extern const struct nv_chip nv_gtx1060, nv_gtx1060_3gb;
extern const struct nv_chip nv_gtx1050, nv_gtx1050ti;
extern const struct nv_chip nv_tx2;
extern const struct nv_chip nv_gtx1080ti;
extern const struct nv_chip nv_v100, nv_titanv;
extern const struct nv_chip nv_xavier;
extern const struct nv_chip nv_rtx2060;
extern const struct nv_chip nv_rtx2080ti;
extern const struct nv_chip nv_a100;
extern const struct nv_chip nv_orin, nv_orin_runlist3;
extern const struct nv_chip nv_rtx6000ada;
extern const struct nv_chip nv_h100, nv_h200;
extern const struct nv_chip nv_yang17, nv_yang17_7, nv_yang17_32;

/* clang-format off */
#define NV_PCI_IDS "PCI id repository, Debian pci.ids 0.0~2023.04.11-1"
#define NV_PRODUCT "NVIDIA, product page of the card or module, specifications"
#define NV_CORES(count, of_sm) count " CUDA cores (NVIDIA, product page), " of_sm " an SM"
#define NV_WHITE_PAPER(chip) "NVIDIA " chip " white paper"
#define NV_GUIDE(cc) "CUDA C++ Programming Guide, technical specifications, cc " cc
#define NV_OPEN_RM "NVIDIA open-gpu-kernel-modules @df1c9a3d "
#define NV_PROJ(chip) "nvgpu hw_proj_" chip ".h @6ecfb593"
#define NV_BAKITA "Bakita and Anderson 2024"
#define NV_OCCUPANCY(cc) "tmcdonell/cuda Device.chs @0786f269 (vendor occupancy calculator), cc " cc

/* struct exec_limits of a compute capability.  block_shared_kib is what a program may have, and
 * driver_shared_kib what CUDA's driver has of a block beside it. */
#define NV_SM_LIMITS(threads, blocks, thread_registers, sm_shared_kib, block_shared_kib)           \
    NV_SM_LIMITS_OF(threads, blocks, 65536, thread_registers, sm_shared_kib, block_shared_kib, 0, 256)
#define NV_SM_LIMITS_OF(threads, blocks, block_registers, thread_registers, sm_shared_kib,         \
                        block_shared_kib, driver_shared_kib, shared_unit)                          \
    .threads_per_sm = (threads), .warps_per_sm = (threads) / 32, .blocks_per_sm = (blocks),        \
    .registers_per_sm = 65536, .registers_per_block = (block_registers),                                       \
    .registers_per_thread = (thread_registers),                                                    \
    .shared_bytes_per_sm = (sm_shared_kib) << 10,                                                  \
    .shared_bytes_per_block = ((block_shared_kib) + (driver_shared_kib)) << 10,                    \
    .threads_per_block = 1024, .threads_per_warp = 32,                                             \
    .register_unit = 256, .partitions = 4, .shared_unit_bytes = (shared_unit)
/* Shared memory that an SM may have of what it and L1 share: CUDA C++ Programming Guide, shared memory
 * by compute capability. */
#define NV_SM_SPLITS_7_0 .splits_kib = {0, 8, 16, 32, 64, 96}, .split_count = 6
#define NV_SM_SPLITS_7_2 NV_SM_SPLITS_7_0
#define NV_SM_SPLITS_7_5 .splits_kib = {32, 64}, .split_count = 2
#define NV_SM_SPLITS_8_0 .splits_kib = {0, 8, 16, 32, 64, 100, 132, 164}, .split_count = 8
#define NV_SM_SPLITS_8_7 NV_SM_SPLITS_8_0
#define NV_SM_SPLITS_8_9 .splits_kib = {0, 8, 16, 32, 64, 100}, .split_count = 6
#define NV_SM_SPLITS_9_0 .splits_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, .split_count = 10
#define NV_SM_3_0 NV_SM_LIMITS(2048, 16, 63, 48, 48), .grids = 16
#define NV_SM_5_2 NV_SM_LIMITS(2048, 32, 255, 96, 48), .has_half_mode = 1, .grids = 32
#define NV_SM_6_1 NV_SM_LIMITS(2048, 32, 255, 96, 48), .has_half_mode = 1, .grids = 32
#define NV_SM_6_2 NV_SM_LIMITS_OF(2048, 32, 32768, 255, 64, 48, 0, 256), .has_half_mode = 1, .grids = 16
#define NV_SM_7_0 NV_SM_LIMITS(2048, 32, 255, 96, 96), .grids = 128, NV_SM_SPLITS_7_0
#define NV_SM_7_2 NV_SM_LIMITS(2048, 32, 255, 96, 96), .grids = 16, NV_SM_SPLITS_7_2
#define NV_SM_7_5 NV_SM_LIMITS(1024, 16, 255, 64, 64), .grids = 128, NV_SM_SPLITS_7_5
#define NV_SM_8_0 NV_SM_LIMITS_OF(2048, 32, 65536, 255, 164, 163, 1, 128), .grids = 128, NV_SM_SPLITS_8_0
#define NV_SM_8_7 NV_SM_LIMITS_OF(1536, 16, 65536, 255, 164, 163, 1, 128), .grids = 128, NV_SM_SPLITS_8_7
#define NV_SM_8_9 NV_SM_LIMITS_OF(1536, 24, 65536, 255, 100, 99, 1, 128), .grids = 128, NV_SM_SPLITS_8_9
#define NV_SM_9_0 NV_SM_LIMITS_OF(2048, 32, 65536, 255, 228, 227, 1, 128), .grids = 128, NV_SM_SPLITS_9_0

/* The same figures for the reader. */
#define NV_SM_FIGURES(cc, sm, registers, shared, grids)                                                   \
    {"threads, warps, blocks per SM", sm, DOCUMENTED, NV_OCCUPANCY(cc)},                           \
    {"registers per SM, block, thread", registers, DOCUMENTED, NV_OCCUPANCY(cc)},                  \
    {"shared memory per SM, block", shared, DOCUMENTED, NV_OCCUPANCY(cc)},                         \
    NV_GRIDS_FIGURE(cc, grids)
/* From Volta on. */
#define NV_SPLITS_FIGURE(cc, kib)                                                                  \
    {"shared memory beside L1", kib " KiB", DOCUMENTED, NV_GUIDE(cc)}

#define NV_GRIDS_FIGURE(cc, grids)                                                                 \
    {"resident grids", grids, DOCUMENTED, NV_GUIDE(cc)}

/* An engine's other ids, up to Turing. */
#define NV_OLD_ID_FIGURES                                                                          \
    {"reset and interrupt ids", "as listed", INFERRED,                                             \
     "nouveau mc/gf100.c and nvgpu hw_mc_gp10b.h @6ecfb593 for graphics, CE0 to CE2 and the Fermi "\
     "video engines; the others ASSUMED"},                                                         \
    {"PRI bases of engines", "as listed", INFERRED,                                                \
     "graphics and copy: nvgpu hw_gr, hw_ce; the others ASSUMED (nouveau's falcons)"}

/* Up to Turing: runlists have no block of registers, and their own number at the doorbell. */
#define NV_RUNLISTS_BY_NUMBER                                                                      \
    {0, 0},  {0, 1},  {0, 2},  {0, 3},  {0, 4},  {0, 5},  {0, 6},  {0, 7},                         \
    {0, 8},  {0, 9},  {0, 10}, {0, 11}, {0, 12}, {0, 13}, {0, 14}, {0, 15}

/* For capabilities that the occupancy calculator's copy above does not have. */
#define NV_SM_GUIDE_FIGURES(cc, sm, registers, shared, grids)                                             \
    {"threads, warps, blocks per SM", sm, DOCUMENTED, NV_GUIDE(cc)},                               \
    {"registers per SM, block, thread", registers, DOCUMENTED, NV_GUIDE(cc)},                      \
    {"shared memory per SM, block", shared, DOCUMENTED, NV_GUIDE(cc)},                             \
    NV_GRIDS_FIGURE(cc, grids)

/* From Ampere on a runlist has a block of registers.  Its place is not published. */
#define NV_RUNLIST_BLOCK(i) {0xc00000u + 0x4000u * (i), (i)}
#define NV_RUNLISTS_IN_BLOCKS                                                                      \
    NV_RUNLIST_BLOCK(0),  NV_RUNLIST_BLOCK(1),  NV_RUNLIST_BLOCK(2),  NV_RUNLIST_BLOCK(3),         \
    NV_RUNLIST_BLOCK(4),  NV_RUNLIST_BLOCK(5),  NV_RUNLIST_BLOCK(6),  NV_RUNLIST_BLOCK(7),         \
    NV_RUNLIST_BLOCK(8),  NV_RUNLIST_BLOCK(9),  NV_RUNLIST_BLOCK(10), NV_RUNLIST_BLOCK(11),        \
    NV_RUNLIST_BLOCK(12), NV_RUNLIST_BLOCK(13), NV_RUNLIST_BLOCK(14), NV_RUNLIST_BLOCK(15),        \
    NV_RUNLIST_BLOCK(16), NV_RUNLIST_BLOCK(17), NV_RUNLIST_BLOCK(18), NV_RUNLIST_BLOCK(19),        \
    NV_RUNLIST_BLOCK(20), NV_RUNLIST_BLOCK(21), NV_RUNLIST_BLOCK(22), NV_RUNLIST_BLOCK(23),        \
    NV_RUNLIST_BLOCK(24), NV_RUNLIST_BLOCK(25), NV_RUNLIST_BLOCK(26), NV_RUNLIST_BLOCK(27),        \
    NV_RUNLIST_BLOCK(28), NV_RUNLIST_BLOCK(29), NV_RUNLIST_BLOCK(30), NV_RUNLIST_BLOCK(31)
#define NV_NEW_ID_FIGURES                                                                          \
    {"PRI bases of runlists", "as listed", ASSUMED, "gfe: not published; 16 KiB each"},            \
    {"doorbell ids of runlists", "the runlist's number", ASSUMED, "gfe: not published"},           \
    {"reset and interrupt ids", "as listed", ASSUMED,                                              \
     "gfe: not published, but that graphics has 12 (nvgpu hw_mc)"},                                \
    {"PRI bases of engines", "as listed", INFERRED,                                                \
     "graphics and copy: nvgpu hw_gr, hw_ce; the others ASSUMED (nouveau's falcons)"},             \
    {"channels", "2048 a runlist", DOCUMENTED,                                                     \
     "open-gpu-doc ga100/dev_runlist.ref.txt (CHANNEL_CONFIG)"}

/* Figures assumed for every chip. */
#define NV_ASSUMED_FIGURES(host_clock, copy_rate)                                                  \
    NV_ASSUMED_BUT_LINK_FIGURES(host_clock, copy_rate), NV_PCIE_3_FIGURE
/* What copies get of a link of 16 lanes by its generation, as measured on one card of each: of an
 * H100's line of 63.0 GB/s (PCIe 5.0) 88 %, of an A100's of 31.5 (PCIe 4.0) 79 %, of a P100's of 15.75
 * (PCIe 3.0) 77 %. */
#define NV_PCIE_3_BYTES UINT64_C(12000000000)
#define NV_PCIE_4_BYTES UINT64_C(25000000000)
#define NV_PCIE_3_FIGURE                                                                           \
    {"link to system memory", "12 GB/s a direction", ASSUMED,                                      \
     "carried over by generation (PCIe 3.0 x16) from a V100, 12 GB/s (Qureshi et al. 2023, "        \
     "BaM, and ZaidQureshi/bam issue 54), and a P100, 12.15 and 12.89 (mpicbg-scicomp/gearshifft pull "     \
     "request 82)"}
#define NV_PCIE_4_FIGURE                                                                           \
    {"link to system memory", "25 GB/s a direction", ASSUMED,                                      \
     "carried over by generation (PCIe 4.0 x16) from an A100, 25 GB/s (Qureshi et al. 2023, "       \
     "BaM, and ZaidQureshi/bam issue 54)"}
/* For a chip whose link has a row of its own. */
#define NV_ASSUMED_BUT_LINK_FIGURES(host_clock, copy_rate)                                         \
    {"host clock", host_clock, ASSUMED, "gfe: not published; taken equal to the graphics clock"},  \
    {"copy engine rate", copy_rate, ASSUMED, "gfe: a sector of 32 bytes a clock"},                 \
    NV_TRAFFIC_FIGURE
/* A Tegra has one memory: what is video memory here is a part of the system's. */
#define NV_INTEGRATED_FIGURES(host_clock, copy_rate, system_rate)                                  \
    {"host clock", host_clock, ASSUMED, "gfe: not published; taken equal to the graphics clock"},  \
    {"copy engine rate", copy_rate, ASSUMED, "gfe: a sector of 32 bytes a clock"},                 \
    {"link to system memory", system_rate, ASSUMED,                                                \
     "gfe: half of the memory's rate, as a copy reads and writes it"},                             \
    {"memory", "shown as video and as system memory", ASSUMED,                                     \
     "gfe: an integrated GPU has none of its own; the two are apart here"},                        \
    NV_TRAFFIC_FIGURE
#define NV_TRAFFIC_FIGURE                                                                          \
    {"unit of memory traffic", "sectors of 32 bytes", INFERRED,                                    \
     "CUDA C++ Best Practices Guide: 32-byte transactions, of compute"}
/* clang-format on */

#endif
