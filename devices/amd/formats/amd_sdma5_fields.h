/* SPDX-License-Identifier: MIT */
/*
 * The fields of SDMA 5 packets (gfx10) that differ from SDMA 4's (amd_sdma_fields.h) or are new.
 * Those with _DCC are the packets whose bit DCC is set: three dwords more.  The packets with _BC
 * take surfaces tiled as before gfx9.
 *
 * Source: amdgpu driver (freebsd/drm-kmod @129bf0f2) navi10_sdma_pkt_open.h.  That the three dwords
 * of metadata are left out without DCC: mesa src/amd/vulkan/radv_sdma.c.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA5_FIELDS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA5_FIELDS_H

#include "devices/amd/formats/amd_layout.h"

/* clang-format off */
#define AMD_SDMA5_COPY_LINEAR_FIELDS(F, R)                                                         \
    F(SDMA5_COPY_LINEAR, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_LINEAR, BACKWARDS, 0, 25, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                          \
    F(SDMA5_COPY_LINEAR, DST_SW, 2, 16, 2, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_COPY_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_COPY_LINEAR_BC_FIELDS(F, R)                                                      \
    F(SDMA5_COPY_LINEAR_BC, COUNT, 1, 0, 22, 0, LESS1, NULL)                                         \
    F(SDMA5_COPY_LINEAR_BC, DST_SW, 2, 16, 2, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR_BC, DST_HA, 2, 22, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR_BC, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR_BC, SRC_HA, 2, 30, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_LINEAR_BC, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA5_COPY_LINEAR_BC, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_COPY_DIRTY_PAGE_FIELDS(F, R)                                                     \
    F(SDMA5_COPY_DIRTY_PAGE, TMZ, 0, 18, 1, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_DIRTY_PAGE, ALL, 0, 31, 1, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_DIRTY_PAGE, COUNT, 1, 0, 22, 0, LESS1, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, DST_MTYPE, 2, 3, 3, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_DIRTY_PAGE, DST_L2_POLICY, 2, 6, 2, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_MTYPE, 2, 11, 3, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_L2_POLICY, 2, 14, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_DIRTY_PAGE, DST_SW, 2, 16, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_DIRTY_PAGE, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_DIRTY_PAGE, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_DIRTY_PAGE, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA5_COPY_DIRTY_PAGE, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_COPY_PHYSICAL_LINEAR_FIELDS(F, R)                                                \
    F(SDMA5_COPY_PHYSICAL_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_PHYSICAL_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_MTYPE, 2, 3, 3, 0, DEC, NULL)                                \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_L2_POLICY, 2, 6, 2, 0, DEC, NULL)                            \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_MTYPE, 2, 11, 3, 0, DEC, NULL)                               \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_L2_POLICY, 2, 14, 2, 0, DEC, NULL)                           \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_SW, 2, 16, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_LOG, 2, 21, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                               \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_GCC, 2, 27, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                               \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_PHYSICAL_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                \
    F(SDMA5_COPY_PHYSICAL_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_COPY_LINEAR_SUBWIN_FIELDS(F, R)                                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_LINEAR_SUBWIN, ELEMENTSIZE, 0, 29, 3, 0, DEC, NULL)                               \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_X, 3, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_PITCH, 4, 13, 19, 0, LESS1, NULL)                              \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_SLICE_PITCH, 5, 0, 28, 0, LESS1, NULL)                         \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_ADDR, 6, 0, 64, 0, HEX, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_X, 8, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_Y, 8, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_Z, 9, 0, 13, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_PITCH, 9, 13, 19, 0, LESS1, NULL)                              \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_SLICE_PITCH, 10, 0, 28, 0, LESS1, NULL)                        \
    F(SDMA5_COPY_LINEAR_SUBWIN, RECT_X, 11, 0, 14, 0, LESS1, NULL)                                 \
    F(SDMA5_COPY_LINEAR_SUBWIN, RECT_Y, 11, 16, 14, 0, LESS1, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN, RECT_Z, 12, 0, 13, 0, LESS1, NULL)                                 \
    F(SDMA5_COPY_LINEAR_SUBWIN, DST_SW, 12, 16, 2, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_LINEAR_SUBWIN, SRC_SW, 12, 24, 2, 0, DEC, NULL)

#define AMD_SDMA5_COPY_LINEAR_SUBWIN_BC_FIELDS(F, R)                                               \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, ELEMENTSIZE, 0, 29, 3, 0, DEC, NULL)                            \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                               \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_X, 3, 0, 14, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_Z, 4, 0, 11, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_PITCH, 4, 13, 14, 0, DEC, NULL)                             \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_SLICE_PITCH, 5, 0, 28, 0, DEC, NULL)                        \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_ADDR, 6, 0, 64, 0, HEX, NULL)                               \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_X, 8, 0, 14, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_Y, 8, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_Z, 9, 0, 11, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_PITCH, 9, 13, 14, 0, DEC, NULL)                             \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_SLICE_PITCH, 10, 0, 28, 0, DEC, NULL)                       \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, RECT_X, 11, 0, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, RECT_Y, 11, 16, 14, 0, DEC, NULL)                               \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, RECT_Z, 12, 0, 11, 0, DEC, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_SW, 12, 16, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, DST_HA, 12, 22, 1, 0, DEC, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_SW, 12, 24, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_LINEAR_SUBWIN_BC, SRC_HA, 12, 30, 1, 0, DEC, NULL)

#define AMD_SDMA5_COPY_TILED_FIELDS(F, R)                                                          \
    F(SDMA5_COPY_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                               \
    F(SDMA5_COPY_TILED, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED, DETILE, 0, 31, 1, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_TILED, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA5_COPY_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_TILED, DEPTH, 4, 16, 13, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_TILED, MIP_MAX, 5, 16, 4, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                 \
    F(SDMA5_COPY_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                                \
    F(SDMA5_COPY_TILED, Z, 7, 0, 13, 0, DEC, NULL)                                                 \
    F(SDMA5_COPY_TILED, LINEAR_SW, 7, 16, 2, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED, LINEAR_CC, 7, 20, 1, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED, TILE_SW, 7, 24, 2, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_TILED, LINEAR_ADDR, 8, 0, 64, 0, HEX, NULL)                                       \
    F(SDMA5_COPY_TILED, LINEAR_PITCH, 10, 0, 19, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED, LINEAR_SLICE_PITCH, 11, 0, 32, 0, HEX, NULL)                               \
    F(SDMA5_COPY_TILED, COUNT, 12, 0, 22, 0, LESS1, NULL)

#define AMD_SDMA5_COPY_TILED_BC_FIELDS(F, R)                                                       \
    F(SDMA5_COPY_TILED_BC, DETILE, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED_BC, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA5_COPY_TILED_BC, WIDTH, 3, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_TILED_BC, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED_BC, DEPTH, 4, 16, 11, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED_BC, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_BC, ARRAY_MODE, 5, 3, 4, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_TILED_BC, MIT_MODE, 5, 8, 3, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_TILED_BC, TILESPLIT_SIZE, 5, 11, 3, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_BC, BANK_W, 5, 15, 2, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED_BC, BANK_H, 5, 18, 2, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_TILED_BC, NUM_BANK, 5, 21, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_TILED_BC, MAT_ASPT, 5, 24, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_TILED_BC, PIPE_CONFIG, 5, 26, 5, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_BC, X, 6, 0, 14, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_TILED_BC, Y, 6, 16, 14, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_TILED_BC, Z, 7, 0, 11, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_TILED_BC, LINEAR_SW, 7, 16, 2, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_TILED_BC, TILE_SW, 7, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_TILED_BC, LINEAR_ADDR, 8, 0, 64, 0, HEX, NULL)                                    \
    F(SDMA5_COPY_TILED_BC, LINEAR_PITCH, 10, 0, 19, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_BC, COUNT, 11, 2, 20, 0, DEC, NULL)

#define AMD_SDMA5_COPY_L2T_BROADCAST_FIELDS(F, R)                                                  \
    F(SDMA5_COPY_L2T_BROADCAST, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_L2T_BROADCAST, TMZ, 0, 18, 1, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_L2T_BROADCAST, VIDEOCOPY, 0, 26, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_L2T_BROADCAST, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_L2T_BROADCAST, TILED_ADDR0, 1, 0, 64, 0, HEX, NULL)                               \
    F(SDMA5_COPY_L2T_BROADCAST, TILED_ADDR1, 3, 0, 64, 0, HEX, NULL)                               \
    F(SDMA5_COPY_L2T_BROADCAST, WIDTH, 5, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_L2T_BROADCAST, HEIGHT, 6, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_L2T_BROADCAST, DEPTH, 6, 16, 13, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_L2T_BROADCAST, ELEMENT_SIZE, 7, 0, 3, 0, DEC, NULL)                               \
    F(SDMA5_COPY_L2T_BROADCAST, SWIZZLE_MODE, 7, 3, 5, 0, DEC, NULL)                               \
    F(SDMA5_COPY_L2T_BROADCAST, DIMENSION, 7, 9, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_L2T_BROADCAST, MIP_MAX, 7, 16, 4, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_L2T_BROADCAST, X, 8, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_L2T_BROADCAST, Y, 8, 16, 14, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_L2T_BROADCAST, Z, 9, 0, 13, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_L2T_BROADCAST, DST2_SW, 10, 8, 2, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_L2T_BROADCAST, LINEAR_SW, 10, 16, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_L2T_BROADCAST, TILE_SW, 10, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_L2T_BROADCAST, LINEAR_ADDR, 11, 0, 64, 0, HEX, NULL)                              \
    F(SDMA5_COPY_L2T_BROADCAST, LINEAR_PITCH, 13, 0, 19, 0, DEC, NULL)                             \
    F(SDMA5_COPY_L2T_BROADCAST, LINEAR_SLICE_PITCH, 14, 0, 32, 0, HEX, NULL)                       \
    F(SDMA5_COPY_L2T_BROADCAST, COUNT, 15, 0, 22, 0, LESS1, NULL)

#define AMD_SDMA5_COPY_T2T_FIELDS(F, R)                                                            \
    F(SDMA5_COPY_T2T, TMZ, 0, 18, 1, 0, DEC, NULL)                                                 \
    F(SDMA5_COPY_T2T, DCC, 0, 19, 1, 0, DEC, NULL)                                                 \
    F(SDMA5_COPY_T2T, DCC_DIR, 0, 31, 1, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                            \
    F(SDMA5_COPY_T2T, SRC_X, 3, 0, 14, 0, DEC, NULL)                                               \
    F(SDMA5_COPY_T2T, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_T2T, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                               \
    F(SDMA5_COPY_T2T, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T, SRC_DEPTH, 5, 16, 13, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T, SRC_SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T, SRC_DIMENSION, 6, 9, 2, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_T2T, SRC_MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T, SRC_MIP_ID, 6, 20, 4, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                            \
    F(SDMA5_COPY_T2T, DST_X, 9, 0, 14, 0, DEC, NULL)                                               \
    F(SDMA5_COPY_T2T, DST_Y, 9, 16, 14, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_T2T, DST_Z, 10, 0, 13, 0, DEC, NULL)                                              \
    F(SDMA5_COPY_T2T, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T, DST_DEPTH, 11, 16, 13, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T, DST_SWIZZLE_MODE, 12, 3, 5, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T, DST_DIMENSION, 12, 9, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T, DST_MIP_MAX, 12, 16, 4, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_T2T, DST_MIP_ID, 12, 20, 4, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T, RECT_X, 13, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_T2T, RECT_Z, 14, 0, 13, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T, DST_SW, 14, 16, 2, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T, SRC_SW, 14, 24, 2, 0, DEC, NULL)

#define AMD_SDMA5_COPY_T2T_BC_FIELDS(F, R)                                                         \
    F(SDMA5_COPY_T2T_BC, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_COPY_T2T_BC, SRC_X, 3, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_T2T_BC, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_BC, SRC_Z, 4, 0, 11, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_T2T_BC, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T_BC, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T_BC, SRC_DEPTH, 5, 16, 11, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T_BC, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_T2T_BC, SRC_ARRAY_MODE, 6, 3, 4, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T_BC, SRC_MIT_MODE, 6, 8, 3, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, SRC_TILESPLIT_SIZE, 6, 11, 3, 0, DEC, NULL)                               \
    F(SDMA5_COPY_T2T_BC, SRC_BANK_W, 6, 15, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T_BC, SRC_BANK_H, 6, 18, 2, 0, DEC, NULL)                                       \
    F(SDMA5_COPY_T2T_BC, SRC_NUM_BANK, 6, 21, 2, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_BC, SRC_MAT_ASPT, 6, 24, 2, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_BC, SRC_PIPE_CONFIG, 6, 26, 5, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_T2T_BC, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_COPY_T2T_BC, DST_X, 9, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA5_COPY_T2T_BC, DST_Y, 9, 16, 14, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_BC, DST_Z, 10, 0, 11, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_BC, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, DST_DEPTH, 11, 16, 12, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_T2T_BC, DST_ARRAY_MODE, 12, 3, 4, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_T2T_BC, DST_MIT_MODE, 12, 8, 3, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_BC, DST_TILESPLIT_SIZE, 12, 11, 3, 0, DEC, NULL)                              \
    F(SDMA5_COPY_T2T_BC, DST_BANK_W, 12, 15, 2, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, DST_BANK_H, 12, 18, 2, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_BC, DST_NUM_BANK, 12, 21, 2, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T_BC, DST_MAT_ASPT, 12, 24, 2, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T_BC, DST_PIPE_CONFIG, 12, 26, 5, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_T2T_BC, RECT_X, 13, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_BC, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_BC, RECT_Z, 14, 0, 11, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_BC, DST_SW, 14, 16, 2, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_BC, SRC_SW, 14, 24, 2, 0, DEC, NULL)

#define AMD_SDMA5_COPY_TILED_SUBWIN_FIELDS(F, R)                                                   \
    F(SDMA5_COPY_TILED_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_TILED_SUBWIN, DCC, 0, 19, 1, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_TILED_SUBWIN, DETILE, 0, 31, 1, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED_SUBWIN, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN, TILED_X, 3, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN, TILED_Y, 3, 16, 14, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_TILED_SUBWIN, TILED_Z, 4, 0, 13, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN, WIDTH, 4, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED_SUBWIN, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED_SUBWIN, DEPTH, 5, 16, 13, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED_SUBWIN, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN, SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN, DIMENSION, 6, 9, 2, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_TILED_SUBWIN, MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN, MIP_ID, 6, 20, 4, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_Z, 10, 0, 13, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                        \
    F(SDMA5_COPY_TILED_SUBWIN, RECT_X, 12, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN, RECT_Y, 12, 16, 14, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_TILED_SUBWIN, RECT_Z, 13, 0, 13, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN, TILE_SW, 13, 24, 2, 0, DEC, NULL)

#define AMD_SDMA5_COPY_TILED_SUBWIN_BC_FIELDS(F, R)                                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, DETILE, 0, 31, 1, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                              \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILED_X, 3, 0, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILED_Y, 3, 16, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILED_Z, 4, 0, 11, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_BC, WIDTH, 4, 16, 14, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, DEPTH, 5, 16, 11, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_BC, ARRAY_MODE, 6, 3, 4, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_BC, MIT_MODE, 6, 8, 3, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILESPLIT_SIZE, 6, 11, 3, 0, DEC, NULL)                          \
    F(SDMA5_COPY_TILED_SUBWIN_BC, BANK_W, 6, 15, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, BANK_H, 6, 18, 2, 0, DEC, NULL)                                  \
    F(SDMA5_COPY_TILED_SUBWIN_BC, NUM_BANK, 6, 21, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, MAT_ASPT, 6, 24, 2, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, PIPE_CONFIG, 6, 26, 5, 0, DEC, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_Z, 10, 0, 11, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                          \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                     \
    F(SDMA5_COPY_TILED_SUBWIN_BC, RECT_X, 12, 0, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_BC, RECT_Y, 12, 16, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_BC, RECT_Z, 13, 0, 11, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_BC, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                              \
    F(SDMA5_COPY_TILED_SUBWIN_BC, TILE_SW, 13, 24, 2, 0, DEC, NULL)

#define AMD_SDMA5_WRITE_TILED_FIELDS(F, R)                                                         \
    F(SDMA5_WRITE_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                          \
    F(SDMA5_WRITE_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA5_WRITE_TILED, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_WRITE_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA5_WRITE_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA5_WRITE_TILED, DEPTH, 4, 16, 13, 0, DEC, NULL)                                           \
    F(SDMA5_WRITE_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                      \
    F(SDMA5_WRITE_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                      \
    F(SDMA5_WRITE_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                         \
    F(SDMA5_WRITE_TILED, MIP_MAX, 5, 16, 4, 0, DEC, NULL)                                          \
    F(SDMA5_WRITE_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                \
    F(SDMA5_WRITE_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                               \
    F(SDMA5_WRITE_TILED, Z, 7, 0, 13, 0, DEC, NULL)                                                \
    F(SDMA5_WRITE_TILED, SW, 7, 24, 2, 0, DEC, NULL)                                               \
    F(SDMA5_WRITE_TILED, COUNT, 8, 0, 20, 0, LESS1, NULL)

#define AMD_SDMA5_WRITE_TILED_BC_FIELDS(F, R)                                                      \
    F(SDMA5_WRITE_TILED_BC, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA5_WRITE_TILED_BC, WIDTH, 3, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA5_WRITE_TILED_BC, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                        \
    F(SDMA5_WRITE_TILED_BC, DEPTH, 4, 16, 11, 0, DEC, NULL)                                        \
    F(SDMA5_WRITE_TILED_BC, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                   \
    F(SDMA5_WRITE_TILED_BC, ARRAY_MODE, 5, 3, 4, 0, DEC, NULL)                                     \
    F(SDMA5_WRITE_TILED_BC, MIT_MODE, 5, 8, 3, 0, DEC, NULL)                                       \
    F(SDMA5_WRITE_TILED_BC, TILESPLIT_SIZE, 5, 11, 3, 0, DEC, NULL)                                \
    F(SDMA5_WRITE_TILED_BC, BANK_W, 5, 15, 2, 0, DEC, NULL)                                        \
    F(SDMA5_WRITE_TILED_BC, BANK_H, 5, 18, 2, 0, DEC, NULL)                                        \
    F(SDMA5_WRITE_TILED_BC, NUM_BANK, 5, 21, 2, 0, DEC, NULL)                                      \
    F(SDMA5_WRITE_TILED_BC, MAT_ASPT, 5, 24, 2, 0, DEC, NULL)                                      \
    F(SDMA5_WRITE_TILED_BC, PIPE_CONFIG, 5, 26, 5, 0, DEC, NULL)                                   \
    F(SDMA5_WRITE_TILED_BC, X, 6, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA5_WRITE_TILED_BC, Y, 6, 16, 14, 0, DEC, NULL)                                            \
    F(SDMA5_WRITE_TILED_BC, Z, 7, 0, 11, 0, DEC, NULL)                                             \
    F(SDMA5_WRITE_TILED_BC, SW, 7, 24, 2, 0, DEC, NULL)                                            \
    F(SDMA5_WRITE_TILED_BC, COUNT, 8, 2, 20, 0, LESS1, NULL)

#define AMD_SDMA5_PTEPDE_COPY_FIELDS(F, R)                                                         \
    F(SDMA5_PTEPDE_COPY, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA5_PTEPDE_COPY, PTEPDE_OP, 0, 31, 1, 0, DEC, NULL)                                        \
    F(SDMA5_PTEPDE_COPY, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_PTEPDE_COPY, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA5_PTEPDE_COPY, MASK, 5, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA5_PTEPDE_COPY, COUNT, 7, 0, 19, 0, DEC, NULL)

#define AMD_SDMA5_PTEPDE_RMW_FIELDS(F, R)                                                          \
    F(SDMA5_PTEPDE_RMW, MTYPE, 0, 16, 3, 0, DEC, NULL)                                             \
    F(SDMA5_PTEPDE_RMW, GCC, 0, 19, 1, 0, DEC, NULL)                                               \
    F(SDMA5_PTEPDE_RMW, SYS, 0, 20, 1, 0, DEC, NULL)                                               \
    F(SDMA5_PTEPDE_RMW, SNP, 0, 22, 1, 0, DEC, NULL)                                               \
    F(SDMA5_PTEPDE_RMW, GPA, 0, 23, 1, 0, DEC, NULL)                                               \
    F(SDMA5_PTEPDE_RMW, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                                         \
    F(SDMA5_PTEPDE_RMW, ADDR, 1, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA5_PTEPDE_RMW, MASK, 3, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA5_PTEPDE_RMW, VALUE, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_INDIRECT_FIELDS(F, R)                                                            \
    F(SDMA5_INDIRECT, VMID, 0, 16, 4, 0, DEC, NULL)                                                \
    F(SDMA5_INDIRECT, PRIV, 0, 31, 1, 0, DEC, NULL)                                                \
    F(SDMA5_INDIRECT, IB_BASE, 1, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA5_INDIRECT, IB_SIZE, 3, 0, 20, 0, DEC, NULL)                                             \
    F(SDMA5_INDIRECT, CSA_ADDR, 4, 0, 64, 0, HEX, NULL)

#define AMD_SDMA5_FENCE_FIELDS(F, R)                                                               \
    F(SDMA5_FENCE, MTYPE, 0, 16, 3, 0, DEC, NULL)                                                  \
    F(SDMA5_FENCE, GCC, 0, 19, 1, 0, DEC, NULL)                                                    \
    F(SDMA5_FENCE, SYS, 0, 20, 1, 0, DEC, NULL)                                                    \
    F(SDMA5_FENCE, SNP, 0, 22, 1, 0, DEC, NULL)                                                    \
    F(SDMA5_FENCE, GPA, 0, 23, 1, 0, DEC, NULL)                                                    \
    F(SDMA5_FENCE, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                                              \
    F(SDMA5_FENCE, ADDR, 1, 0, 64, 0, HEX, NULL)                                                   \
    F(SDMA5_FENCE, DATA, 3, 0, 32, 0, HEX, NULL)

#define AMD_SDMA5_SRBM_WRITE_FIELDS(F, R)                                                          \
    F(SDMA5_SRBM_WRITE, BYTE_EN, 0, 28, 4, 0, HEX, NULL)                                           \
    F(SDMA5_SRBM_WRITE, ADDR, 1, 0, 18, 0, HEX, NULL)                                              \
    F(SDMA5_SRBM_WRITE, APERTUREID, 1, 20, 12, 0, DEC, NULL)                                       \
    F(SDMA5_SRBM_WRITE, DATA, 2, 0, 32, 0, HEX, NULL)

#define AMD_SDMA5_GPUVM_INV_FIELDS(F, R)                                                           \
    F(SDMA5_GPUVM_INV, PER_VMID_INV_REQ, 1, 0, 16, 0, DEC, NULL)                                   \
    F(SDMA5_GPUVM_INV, FLUSH_TYPE, 1, 16, 3, 0, DEC, NULL)                                         \
    F(SDMA5_GPUVM_INV, L2_PTES, 1, 19, 1, 0, DEC, NULL)                                            \
    F(SDMA5_GPUVM_INV, L2_PDE0, 1, 20, 1, 0, DEC, NULL)                                            \
    F(SDMA5_GPUVM_INV, L2_PDE1, 1, 21, 1, 0, DEC, NULL)                                            \
    F(SDMA5_GPUVM_INV, L2_PDE2, 1, 22, 1, 0, DEC, NULL)                                            \
    F(SDMA5_GPUVM_INV, L1_PTES, 1, 23, 1, 0, DEC, NULL)                                            \
    F(SDMA5_GPUVM_INV, CLR_PROTECTION_FAULT_STATUS_ADDR, 1, 24, 1, 0, HEX, NULL)                   \
    F(SDMA5_GPUVM_INV, LOG_REQUEST, 1, 25, 1, 0, DEC, NULL)                                        \
    F(SDMA5_GPUVM_INV, FOUR_KILOBYTES, 1, 26, 1, 0, DEC, NULL)                                     \
    F(SDMA5_GPUVM_INV, S, 2, 0, 1, 0, DEC, NULL)                                                   \
    F(SDMA5_GPUVM_INV, PAGE_VA, 2, 1, 36, 12, HEX, NULL)

#define AMD_SDMA5_COPY_T2T_DCC_FIELDS(F, R)                                                        \
    F(SDMA5_COPY_T2T_DCC, TMZ, 0, 18, 1, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T_DCC, DCC, 0, 19, 1, 0, DEC, NULL)                                             \
    F(SDMA5_COPY_T2T_DCC, DCC_DIR, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_DCC, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA5_COPY_T2T_DCC, SRC_X, 3, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_DCC, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_DCC, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_DCC, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_DCC, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_DCC, SRC_DEPTH, 5, 16, 13, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_DCC, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_T2T_DCC, SRC_SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_T2T_DCC, SRC_DIMENSION, 6, 9, 2, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T_DCC, SRC_MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, SRC_MIP_ID, 6, 20, 4, 0, DEC, NULL)                                      \
    F(SDMA5_COPY_T2T_DCC, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA5_COPY_T2T_DCC, DST_X, 9, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA5_COPY_T2T_DCC, DST_Y, 9, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_DCC, DST_Z, 10, 0, 13, 0, DEC, NULL)                                          \
    F(SDMA5_COPY_T2T_DCC, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, DST_DEPTH, 11, 16, 13, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                \
    F(SDMA5_COPY_T2T_DCC, DST_SWIZZLE_MODE, 12, 3, 5, 0, DEC, NULL)                                \
    F(SDMA5_COPY_T2T_DCC, DST_DIMENSION, 12, 9, 2, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_T2T_DCC, DST_MIP_MAX, 12, 16, 4, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_T2T_DCC, DST_MIP_ID, 12, 20, 4, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, RECT_X, 13, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_DCC, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                        \
    F(SDMA5_COPY_T2T_DCC, RECT_Z, 14, 0, 13, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_DCC, DST_SW, 14, 16, 2, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_DCC, SRC_SW, 14, 24, 2, 0, DEC, NULL)                                         \
    F(SDMA5_COPY_T2T_DCC, META_ADDR, 15, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA5_COPY_T2T_DCC, DATA_FORMAT, 17, 0, 7, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, COLOR_TRANSFORM_DISABLE, 17, 7, 1, 0, DEC, NULL)                         \
    F(SDMA5_COPY_T2T_DCC, ALPHA_IS_ON_MSB, 17, 8, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_T2T_DCC, NUMBER_TYPE, 17, 9, 3, 0, DEC, NULL)                                     \
    F(SDMA5_COPY_T2T_DCC, SURFACE_TYPE, 17, 12, 2, 0, DEC, NULL)                                   \
    F(SDMA5_COPY_T2T_DCC, MAX_COMP_BLOCK_SIZE, 17, 24, 2, 0, DEC, NULL)                            \
    F(SDMA5_COPY_T2T_DCC, MAX_UNCOMP_BLOCK_SIZE, 17, 26, 2, 0, DEC, NULL)                          \
    F(SDMA5_COPY_T2T_DCC, WRITE_COMPRESS_ENABLE, 17, 28, 1, 0, DEC, NULL)                          \
    F(SDMA5_COPY_T2T_DCC, META_TMZ, 17, 29, 1, 0, DEC, NULL)

#define AMD_SDMA5_COPY_TILED_SUBWIN_DCC_FIELDS(F, R)                                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TMZ, 0, 18, 1, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, DCC, 0, 19, 1, 0, DEC, NULL)                                    \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, DETILE, 0, 31, 1, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TILED_X, 3, 0, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TILED_Y, 3, 16, 14, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TILED_Z, 4, 0, 13, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, WIDTH, 4, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, DEPTH, 5, 16, 13, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                            \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                            \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, DIMENSION, 6, 9, 2, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, MIP_ID, 6, 20, 4, 0, DEC, NULL)                                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                            \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                              \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_Z, 10, 0, 13, 0, DEC, NULL)                              \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                         \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                    \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, RECT_X, 12, 0, 14, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, RECT_Y, 12, 16, 14, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, RECT_Z, 13, 0, 13, 0, DEC, NULL)                                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, TILE_SW, 13, 24, 2, 0, DEC, NULL)                               \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, META_ADDR, 14, 0, 64, 0, HEX, NULL)                             \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, DATA_FORMAT, 16, 0, 7, 0, DEC, NULL)                            \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, COLOR_TRANSFORM_DISABLE, 16, 7, 1, 0, DEC, NULL)                \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, ALPHA_IS_ON_MSB, 16, 8, 1, 0, DEC, NULL)                        \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, NUMBER_TYPE, 16, 9, 3, 0, DEC, NULL)                            \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, SURFACE_TYPE, 16, 12, 2, 0, DEC, NULL)                          \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, MAX_COMP_BLOCK_SIZE, 16, 24, 2, 0, DEC, NULL)                   \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, MAX_UNCOMP_BLOCK_SIZE, 16, 26, 2, 0, DEC, NULL)                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, WRITE_COMPRESS_ENABLE, 16, 28, 1, 0, DEC, NULL)                 \
    F(SDMA5_COPY_TILED_SUBWIN_DCC, META_TMZ, 16, 29, 1, 0, DEC, NULL)

#define AMD_SDMA5_PACKETS(P)                                                                       \
    P(COPY_LINEAR)                                                                                 \
    P(COPY_LINEAR_BC)                                                                              \
    P(COPY_DIRTY_PAGE)                                                                             \
    P(COPY_PHYSICAL_LINEAR)                                                                        \
    P(COPY_LINEAR_SUBWIN)                                                                          \
    P(COPY_LINEAR_SUBWIN_BC)                                                                       \
    P(COPY_TILED)                                                                                  \
    P(COPY_TILED_BC)                                                                               \
    P(COPY_L2T_BROADCAST)                                                                          \
    P(COPY_T2T)                                                                                    \
    P(COPY_T2T_BC)                                                                                 \
    P(COPY_TILED_SUBWIN)                                                                           \
    P(COPY_TILED_SUBWIN_BC)                                                                        \
    P(WRITE_TILED)                                                                                 \
    P(WRITE_TILED_BC)                                                                              \
    P(PTEPDE_COPY)                                                                                 \
    P(PTEPDE_RMW)                                                                                  \
    P(INDIRECT)                                                                                    \
    P(FENCE)                                                                                       \
    P(SRBM_WRITE)                                                                                  \
    P(GPUVM_INV)                                                                                   \
    P(COPY_T2T_DCC)                                                                                \
    P(COPY_TILED_SUBWIN_DCC)
/* clang-format on */

#endif
