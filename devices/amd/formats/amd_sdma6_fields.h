/* SPDX-License-Identifier: MIT */
/*
 * The fields of SDMA 6 packets (gfx11), and with them of SDMA 7 (gfx12), that differ from SDMA 5's
 * or are new.  Source: amdgpu driver (freebsd/drm-kmod @129bf0f2) sdma_v6_0_0_pkt_open.h, which
 * sdma_v7_0.c includes as well.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA6_FIELDS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA6_FIELDS_H

#include "devices/amd/formats/amd_layout.h"

/* clang-format off */
#define AMD_SDMA6_COPY_LINEAR_FIELDS(F, R)                                                         \
    F(SDMA6_COPY_LINEAR, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_LINEAR, CPV, 0, 19, 1, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_LINEAR, BACKWARDS, 0, 25, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR, COUNT, 1, 0, 30, 0, LESS1, NULL)                                          \
    F(SDMA6_COPY_LINEAR, DST_SW, 2, 16, 2, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_LINEAR, DST_CACHE_POLICY, 2, 18, 3, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_LINEAR, SRC_CACHE_POLICY, 2, 26, 3, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA6_COPY_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_COPY_LINEAR_BC_FIELDS(F, R)                                                      \
    F(SDMA6_COPY_LINEAR_BC, COUNT, 1, 0, 22, 0, LESS1, NULL)                                         \
    F(SDMA6_COPY_LINEAR_BC, DST_SW, 2, 16, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR_BC, DST_HA, 2, 19, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR_BC, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR_BC, SRC_HA, 2, 27, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_LINEAR_BC, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA6_COPY_LINEAR_BC, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_COPY_DIRTY_PAGE_FIELDS(F, R)                                                     \
    F(SDMA6_COPY_DIRTY_PAGE, TMZ, 0, 18, 1, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_DIRTY_PAGE, CPV, 0, 19, 1, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_DIRTY_PAGE, ALL, 0, 31, 1, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_DIRTY_PAGE, COUNT, 1, 0, 22, 0, LESS1, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, DST_MTYPE, 2, 3, 3, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_DIRTY_PAGE, DST_L2_POLICY, 2, 6, 2, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_DIRTY_PAGE, DST_LLC, 2, 8, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_MTYPE, 2, 11, 3, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_L2_POLICY, 2, 14, 2, 0, DEC, NULL)                                \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_LLC, 2, 16, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, DST_SW, 2, 17, 2, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_DIRTY_PAGE, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_DIRTY_PAGE, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_DIRTY_PAGE, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_COPY_DIRTY_PAGE, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_COPY_PHYSICAL_LINEAR_FIELDS(F, R)                                                \
    F(SDMA6_COPY_PHYSICAL_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_PHYSICAL_LINEAR, CPV, 0, 19, 1, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_PHYSICAL_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, ADDR_PAIR_NUM, 1, 24, 8, 0, HEX, NULL)                           \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_MTYPE, 2, 3, 3, 0, DEC, NULL)                                \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_L2_POLICY, 2, 6, 2, 0, DEC, NULL)                            \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_LLC, 2, 8, 1, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_MTYPE, 2, 11, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_L2_POLICY, 2, 14, 2, 0, DEC, NULL)                           \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_LLC, 2, 16, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_SW, 2, 17, 2, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_LOG, 2, 21, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                               \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_GCC, 2, 27, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                               \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_PHYSICAL_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                \
    F(SDMA6_COPY_PHYSICAL_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_COPY_BROADCAST_LINEAR_FIELDS(F, R)                                               \
    F(SDMA6_COPY_BROADCAST_LINEAR, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                \
    F(SDMA6_COPY_BROADCAST_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_BROADCAST_LINEAR, CPV, 0, 19, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_BROADCAST_LINEAR, BROADCAST, 0, 27, 1, 0, DEC, NULL)                              \
    F(SDMA6_COPY_BROADCAST_LINEAR, COUNT, 1, 0, 30, 0, LESS1, NULL)                                \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST2_SW, 2, 8, 2, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST2_CACHE_POLICY, 2, 10, 3, 0, DEC, NULL)                      \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST1_SW, 2, 16, 2, 0, DEC, NULL)                                \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST1_CACHE_POLICY, 2, 18, 3, 0, DEC, NULL)                      \
    F(SDMA6_COPY_BROADCAST_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_BROADCAST_LINEAR, SRC_CACHE_POLICY, 2, 26, 3, 0, DEC, NULL)                       \
    F(SDMA6_COPY_BROADCAST_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                               \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST1_ADDR, 5, 0, 64, 0, HEX, NULL)                              \
    F(SDMA6_COPY_BROADCAST_LINEAR, DST2_ADDR, 7, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_COPY_LINEAR_SUBWIN_FIELDS(F, R)                                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_LINEAR_SUBWIN, CPV, 0, 19, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_LINEAR_SUBWIN, ELEMENTSIZE, 0, 29, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_X, 3, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_PITCH, 4, 13, 19, 0, LESS1, NULL)                              \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_SLICE_PITCH, 5, 0, 28, 0, LESS1, NULL)                         \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_ADDR, 6, 0, 64, 0, HEX, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_X, 8, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_Y, 8, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_Z, 9, 0, 13, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_PITCH, 9, 13, 19, 0, LESS1, NULL)                              \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_SLICE_PITCH, 10, 0, 28, 0, LESS1, NULL)                        \
    F(SDMA6_COPY_LINEAR_SUBWIN, RECT_X, 11, 0, 14, 0, LESS1, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN, RECT_Y, 11, 16, 14, 0, LESS1, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN, RECT_Z, 12, 0, 13, 0, LESS1, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_SW, 12, 16, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_LINEAR_SUBWIN, DST_CACHE_POLICY, 12, 18, 3, 0, DEC, NULL)                         \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_SW, 12, 24, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_LINEAR_SUBWIN, SRC_CACHE_POLICY, 12, 26, 3, 0, DEC, NULL)

#define AMD_SDMA6_COPY_LINEAR_SUBWIN_BC_FIELDS(F, R)                                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, ELEMENTSIZE, 0, 29, 3, 0, DEC, NULL)                            \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_X, 3, 0, 14, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_Z, 4, 0, 11, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_PITCH, 4, 13, 14, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_SLICE_PITCH, 5, 0, 28, 0, DEC, NULL)                        \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_ADDR, 6, 0, 64, 0, HEX, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_X, 8, 0, 14, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_Y, 8, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_Z, 9, 0, 11, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_PITCH, 9, 13, 14, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_SLICE_PITCH, 10, 0, 28, 0, DEC, NULL)                       \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, RECT_X, 11, 0, 14, 0, DEC, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, RECT_Y, 11, 16, 14, 0, DEC, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, RECT_Z, 12, 0, 11, 0, DEC, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_SW, 12, 16, 2, 0, DEC, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, DST_HA, 12, 19, 1, 0, DEC, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_SW, 12, 24, 2, 0, DEC, NULL)                                \
    F(SDMA6_COPY_LINEAR_SUBWIN_BC, SRC_HA, 12, 27, 1, 0, DEC, NULL)

#define AMD_SDMA6_COPY_TILED_FIELDS(F, R)                                                          \
    F(SDMA6_COPY_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                               \
    F(SDMA6_COPY_TILED, CPV, 0, 19, 1, 0, DEC, NULL)                                               \
    F(SDMA6_COPY_TILED, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED, DETILE, 0, 31, 1, 0, DEC, NULL)                                            \
    F(SDMA6_COPY_TILED, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA6_COPY_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA6_COPY_TILED, DEPTH, 4, 16, 13, 0, DEC, NULL)                                            \
    F(SDMA6_COPY_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_TILED, MIP_MAX, 5, 16, 4, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                 \
    F(SDMA6_COPY_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                                \
    F(SDMA6_COPY_TILED, Z, 7, 0, 13, 0, DEC, NULL)                                                 \
    F(SDMA6_COPY_TILED, LINEAR_SW, 7, 16, 2, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED, LINEAR_CACHE_POLICY, 7, 18, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED, TILE_SW, 7, 24, 2, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_TILED, TILE_CACHE_POLICY, 7, 26, 3, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED, LINEAR_ADDR, 8, 0, 64, 0, HEX, NULL)                                       \
    F(SDMA6_COPY_TILED, LINEAR_PITCH, 10, 0, 19, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED, LINEAR_SLICE_PITCH, 11, 0, 32, 0, HEX, NULL)                               \
    F(SDMA6_COPY_TILED, COUNT, 12, 0, 30, 0, LESS1, NULL)

#define AMD_SDMA6_COPY_TILED_BC_FIELDS(F, R)                                                       \
    F(SDMA6_COPY_TILED_BC, DETILE, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED_BC, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_COPY_TILED_BC, WIDTH, 3, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_TILED_BC, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED_BC, DEPTH, 4, 16, 11, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED_BC, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_BC, ARRAY_MODE, 5, 3, 4, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_TILED_BC, MIT_MODE, 5, 8, 3, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_TILED_BC, TILESPLIT_SIZE, 5, 11, 3, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_BC, BANK_W, 5, 15, 2, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED_BC, BANK_H, 5, 18, 2, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_TILED_BC, NUM_BANK, 5, 21, 2, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_TILED_BC, MAT_ASPT, 5, 24, 2, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_TILED_BC, PIPE_CONFIG, 5, 26, 5, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_BC, X, 6, 0, 14, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_TILED_BC, Y, 6, 16, 14, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_TILED_BC, Z, 7, 0, 11, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_TILED_BC, LINEAR_SW, 7, 16, 2, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_TILED_BC, TILE_SW, 7, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_TILED_BC, LINEAR_ADDR, 8, 0, 64, 0, HEX, NULL)                                    \
    F(SDMA6_COPY_TILED_BC, LINEAR_PITCH, 10, 0, 19, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_TILED_BC, LINEAR_SLICE_PITCH, 11, 0, 32, 0, DEC, NULL)                            \
    F(SDMA6_COPY_TILED_BC, COUNT, 12, 2, 20, 0, DEC, NULL)

#define AMD_SDMA6_COPY_L2T_BROADCAST_FIELDS(F, R)                                                  \
    F(SDMA6_COPY_L2T_BROADCAST, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_L2T_BROADCAST, TMZ, 0, 18, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_L2T_BROADCAST, CPV, 0, 19, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_L2T_BROADCAST, VIDEOCOPY, 0, 26, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_L2T_BROADCAST, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_L2T_BROADCAST, TILED_ADDR0, 1, 0, 64, 0, HEX, NULL)                               \
    F(SDMA6_COPY_L2T_BROADCAST, TILED_ADDR1, 3, 0, 64, 0, HEX, NULL)                               \
    F(SDMA6_COPY_L2T_BROADCAST, WIDTH, 5, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_L2T_BROADCAST, HEIGHT, 6, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_L2T_BROADCAST, DEPTH, 6, 16, 13, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_L2T_BROADCAST, ELEMENT_SIZE, 7, 0, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_L2T_BROADCAST, SWIZZLE_MODE, 7, 3, 5, 0, DEC, NULL)                               \
    F(SDMA6_COPY_L2T_BROADCAST, DIMENSION, 7, 9, 2, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_L2T_BROADCAST, MIP_MAX, 7, 16, 4, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_L2T_BROADCAST, X, 8, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_L2T_BROADCAST, Y, 8, 16, 14, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_L2T_BROADCAST, Z, 9, 0, 13, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_L2T_BROADCAST, DST2_SW, 10, 8, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_L2T_BROADCAST, DST2_CACHE_POLICY, 10, 10, 3, 0, DEC, NULL)                        \
    F(SDMA6_COPY_L2T_BROADCAST, LINEAR_SW, 10, 16, 2, 0, DEC, NULL)                                \
    F(SDMA6_COPY_L2T_BROADCAST, LINEAR_CACHE_POLICY, 10, 18, 3, 0, DEC, NULL)                      \
    F(SDMA6_COPY_L2T_BROADCAST, TILE_SW, 10, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_L2T_BROADCAST, TILE_CACHE_POLICY, 10, 26, 3, 0, DEC, NULL)                        \
    F(SDMA6_COPY_L2T_BROADCAST, LINEAR_ADDR, 11, 0, 64, 0, HEX, NULL)                              \
    F(SDMA6_COPY_L2T_BROADCAST, LINEAR_PITCH, 13, 0, 19, 0, DEC, NULL)                             \
    F(SDMA6_COPY_L2T_BROADCAST, LINEAR_SLICE_PITCH, 14, 0, 32, 0, HEX, NULL)                       \
    F(SDMA6_COPY_L2T_BROADCAST, COUNT, 15, 0, 30, 0, LESS1, NULL)

#define AMD_SDMA6_COPY_T2T_FIELDS(F, R)                                                            \
    F(SDMA6_COPY_T2T, TMZ, 0, 18, 1, 0, DEC, NULL)                                                 \
    F(SDMA6_COPY_T2T, DCC, 0, 19, 1, 0, DEC, NULL)                                                 \
    F(SDMA6_COPY_T2T, CPV, 0, 28, 1, 0, DEC, NULL)                                                 \
    F(SDMA6_COPY_T2T, DCC_DIR, 0, 31, 1, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                            \
    F(SDMA6_COPY_T2T, SRC_X, 3, 0, 14, 0, DEC, NULL)                                               \
    F(SDMA6_COPY_T2T, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_T2T, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                               \
    F(SDMA6_COPY_T2T, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T, SRC_DEPTH, 5, 16, 13, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T, SRC_SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T, SRC_DIMENSION, 6, 9, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_T2T, SRC_MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T, SRC_MIP_ID, 6, 20, 4, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                            \
    F(SDMA6_COPY_T2T, DST_X, 9, 0, 14, 0, DEC, NULL)                                               \
    F(SDMA6_COPY_T2T, DST_Y, 9, 16, 14, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_T2T, DST_Z, 10, 0, 13, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_T2T, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T, DST_DEPTH, 11, 16, 13, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_T2T, DST_SWIZZLE_MODE, 12, 3, 5, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_T2T, DST_DIMENSION, 12, 9, 2, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_T2T, DST_MIP_MAX, 12, 16, 4, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_T2T, DST_MIP_ID, 12, 20, 4, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T, RECT_X, 13, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                            \
    F(SDMA6_COPY_T2T, RECT_Z, 14, 0, 13, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T, DST_SW, 14, 16, 2, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T, DST_CACHE_POLICY, 14, 18, 3, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_T2T, SRC_SW, 14, 24, 2, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T, SRC_CACHE_POLICY, 14, 26, 3, 0, DEC, NULL)

#define AMD_SDMA6_COPY_TILED_SUBWIN_FIELDS(F, R)                                                   \
    F(SDMA6_COPY_TILED_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_TILED_SUBWIN, DCC, 0, 19, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_TILED_SUBWIN, CPV, 0, 28, 1, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_TILED_SUBWIN, DETILE, 0, 31, 1, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED_SUBWIN, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN, TILED_X, 3, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN, TILED_Y, 3, 16, 14, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_TILED_SUBWIN, TILED_Z, 4, 0, 13, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN, WIDTH, 4, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED_SUBWIN, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED_SUBWIN, DEPTH, 5, 16, 13, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED_SUBWIN, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN, SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN, DIMENSION, 6, 9, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_TILED_SUBWIN, MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN, MIP_ID, 6, 20, 4, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_Z, 10, 0, 13, 0, DEC, NULL)                                  \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                             \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                        \
    F(SDMA6_COPY_TILED_SUBWIN, RECT_X, 12, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN, RECT_Y, 12, 16, 14, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_TILED_SUBWIN, RECT_Z, 13, 0, 13, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN, LINEAR_CACHE_POLICY, 13, 18, 3, 0, DEC, NULL)                       \
    F(SDMA6_COPY_TILED_SUBWIN, TILE_SW, 13, 24, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_TILED_SUBWIN, TILE_CACHE_POLICY, 13, 26, 3, 0, DEC, NULL)

#define AMD_SDMA6_COPY_STRUCT_FIELDS(F, R)                                                         \
    F(SDMA6_COPY_STRUCT, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_STRUCT, CPV, 0, 28, 1, 0, DEC, NULL)                                              \
    F(SDMA6_COPY_STRUCT, DETILE, 0, 31, 1, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_STRUCT, SB_ADDR, 1, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA6_COPY_STRUCT, START_INDEX, 3, 0, 32, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_STRUCT, COUNT, 4, 0, 32, 0, DEC, NULL)                                            \
    F(SDMA6_COPY_STRUCT, STRIDE, 5, 0, 11, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_STRUCT, LINEAR_SW, 5, 16, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_STRUCT, LINEAR_CACHE_POLICY, 5, 18, 3, 0, DEC, NULL)                              \
    F(SDMA6_COPY_STRUCT, STRUCT_SW, 5, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_STRUCT, STRUCT_CACHE_POLICY, 5, 26, 3, 0, DEC, NULL)                              \
    F(SDMA6_COPY_STRUCT, LINEAR_ADDR, 6, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_WRITE_UNTILED_FIELDS(F, R)                                                       \
    F(SDMA6_WRITE_UNTILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                        \
    F(SDMA6_WRITE_UNTILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                            \
    F(SDMA6_WRITE_UNTILED, CPV, 0, 28, 1, 0, DEC, NULL)                                            \
    F(SDMA6_WRITE_UNTILED, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                       \
    F(SDMA6_WRITE_UNTILED, COUNT, 3, 0, 20, 0, LESS1, NULL)                                        \
    F(SDMA6_WRITE_UNTILED, SW, 3, 24, 2, 0, DEC, NULL)                                             \
    F(SDMA6_WRITE_UNTILED, CACHE_POLICY, 3, 26, 3, 0, DEC, NULL)

#define AMD_SDMA6_WRITE_TILED_FIELDS(F, R)                                                         \
    F(SDMA6_WRITE_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                          \
    F(SDMA6_WRITE_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA6_WRITE_TILED, CPV, 0, 28, 1, 0, DEC, NULL)                                              \
    F(SDMA6_WRITE_TILED, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA6_WRITE_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA6_WRITE_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA6_WRITE_TILED, DEPTH, 4, 16, 13, 0, DEC, NULL)                                           \
    F(SDMA6_WRITE_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                      \
    F(SDMA6_WRITE_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                      \
    F(SDMA6_WRITE_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                         \
    F(SDMA6_WRITE_TILED, MIP_MAX, 5, 16, 4, 0, DEC, NULL)                                          \
    F(SDMA6_WRITE_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                \
    F(SDMA6_WRITE_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                               \
    F(SDMA6_WRITE_TILED, Z, 7, 0, 13, 0, DEC, NULL)                                                \
    F(SDMA6_WRITE_TILED, SW, 7, 24, 2, 0, DEC, NULL)                                               \
    F(SDMA6_WRITE_TILED, CACHE_POLICY, 7, 26, 3, 0, DEC, NULL)                                     \
    F(SDMA6_WRITE_TILED, COUNT, 8, 0, 20, 0, LESS1, NULL)

#define AMD_SDMA6_PTEPDE_COPY_FIELDS(F, R)                                                         \
    F(SDMA6_PTEPDE_COPY, TMZ, 0, 18, 1, 0, DEC, NULL)                                              \
    F(SDMA6_PTEPDE_COPY, CPV, 0, 28, 1, 0, DEC, NULL)                                              \
    F(SDMA6_PTEPDE_COPY, PTEPDE_OP, 0, 31, 1, 0, DEC, NULL)                                        \
    F(SDMA6_PTEPDE_COPY, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA6_PTEPDE_COPY, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA6_PTEPDE_COPY, MASK, 5, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA6_PTEPDE_COPY, COUNT, 7, 0, 19, 0, DEC, NULL)                                            \
    F(SDMA6_PTEPDE_COPY, DST_CACHE_POLICY, 7, 22, 3, 0, DEC, NULL)                                 \
    F(SDMA6_PTEPDE_COPY, SRC_CACHE_POLICY, 7, 29, 3, 0, DEC, NULL)

#define AMD_SDMA6_PTEPDE_RMW_FIELDS(F, R)                                                          \
    F(SDMA6_PTEPDE_RMW, MTYPE, 0, 16, 3, 0, DEC, NULL)                                             \
    F(SDMA6_PTEPDE_RMW, GCC, 0, 19, 1, 0, DEC, NULL)                                               \
    F(SDMA6_PTEPDE_RMW, SYS, 0, 20, 1, 0, DEC, NULL)                                               \
    F(SDMA6_PTEPDE_RMW, SNP, 0, 22, 1, 0, DEC, NULL)                                               \
    F(SDMA6_PTEPDE_RMW, GPA, 0, 23, 1, 0, DEC, NULL)                                               \
    F(SDMA6_PTEPDE_RMW, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                                         \
    F(SDMA6_PTEPDE_RMW, LLC_POLICY, 0, 26, 1, 0, DEC, NULL)                                        \
    F(SDMA6_PTEPDE_RMW, CPV, 0, 28, 1, 0, DEC, NULL)                                               \
    F(SDMA6_PTEPDE_RMW, ADDR, 1, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_PTEPDE_RMW, MASK, 3, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_PTEPDE_RMW, VALUE, 5, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA6_PTEPDE_RMW, NUM_OF_PTE, 7, 0, 32, 0, DEC, NULL)

#define AMD_SDMA6_WRITE_INCR_FIELDS(F, R)                                                          \
    F(SDMA6_WRITE_INCR, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                                      \
    F(SDMA6_WRITE_INCR, CPV, 0, 28, 1, 0, DEC, NULL)                                               \
    F(SDMA6_WRITE_INCR, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA6_WRITE_INCR, MASK, 3, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_WRITE_INCR, INIT, 5, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_WRITE_INCR, INCR, 7, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_WRITE_INCR, COUNT, 9, 0, 19, 0, DEC, NULL)

#define AMD_SDMA6_FENCE_FIELDS(F, R)                                                               \
    F(SDMA6_FENCE, MTYPE, 0, 16, 3, 0, DEC, NULL)                                                  \
    F(SDMA6_FENCE, GCC, 0, 19, 1, 0, DEC, NULL)                                                    \
    F(SDMA6_FENCE, SYS, 0, 20, 1, 0, DEC, NULL)                                                    \
    F(SDMA6_FENCE, SNP, 0, 22, 1, 0, DEC, NULL)                                                    \
    F(SDMA6_FENCE, GPA, 0, 23, 1, 0, DEC, NULL)                                                    \
    F(SDMA6_FENCE, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                                              \
    F(SDMA6_FENCE, LLC_POLICY, 0, 26, 1, 0, DEC, NULL)                                             \
    F(SDMA6_FENCE, CPV, 0, 28, 1, 0, DEC, NULL)                                                    \
    F(SDMA6_FENCE, ADDR, 1, 0, 64, 0, HEX, NULL)                                                   \
    F(SDMA6_FENCE, DATA, 3, 0, 32, 0, HEX, NULL)

#define AMD_SDMA6_COND_EXE_FIELDS(F, R)                                                            \
    F(SDMA6_COND_EXE, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                                        \
    F(SDMA6_COND_EXE, CPV, 0, 28, 1, 0, DEC, NULL)                                                 \
    F(SDMA6_COND_EXE, ADDR, 1, 0, 64, 0, HEX, NULL)                                                \
    F(SDMA6_COND_EXE, REFERENCE, 3, 0, 32, 0, HEX, NULL)                                           \
    F(SDMA6_COND_EXE, EXEC_COUNT, 4, 0, 14, 0, DEC, NULL)

#define AMD_SDMA6_CONSTANT_FILL_FIELDS(F, R)                                                       \
    F(SDMA6_CONSTANT_FILL, SW, 0, 16, 2, 0, DEC, NULL)                                             \
    F(SDMA6_CONSTANT_FILL, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                                   \
    F(SDMA6_CONSTANT_FILL, CPV, 0, 28, 1, 0, DEC, NULL)                                            \
    F(SDMA6_CONSTANT_FILL, FILLSIZE, 0, 30, 2, 0, DEC, fill_sizes)                                 \
    F(SDMA6_CONSTANT_FILL, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                       \
    F(SDMA6_CONSTANT_FILL, SRC_DATA, 3, 0, 32, 0, HEX, NULL)                                       \
    F(SDMA6_CONSTANT_FILL, COUNT, 4, 0, 30, 0, LESS1, NULL)

#define AMD_SDMA6_DATA_FILL_MULTI_FIELDS(F, R)                                                     \
    F(SDMA6_DATA_FILL_MULTI, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                                 \
    F(SDMA6_DATA_FILL_MULTI, CPV, 0, 28, 1, 0, DEC, NULL)                                          \
    F(SDMA6_DATA_FILL_MULTI, MEMLOG_CLR, 0, 31, 1, 0, DEC, NULL)                                   \
    F(SDMA6_DATA_FILL_MULTI, BYTE_STRIDE, 1, 0, 32, 0, DEC, NULL)                                  \
    F(SDMA6_DATA_FILL_MULTI, DMA_COUNT, 2, 0, 32, 0, DEC, NULL)                                    \
    F(SDMA6_DATA_FILL_MULTI, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_DATA_FILL_MULTI, COUNT, 5, 0, 26, 0, DEC, NULL)

#define AMD_SDMA6_POLL_REGMEM_FIELDS(F, R)                                                         \
    F(SDMA6_POLL_REGMEM, CACHE_POLICY, 0, 20, 3, 0, DEC, NULL)                                     \
    F(SDMA6_POLL_REGMEM, CPV, 0, 24, 1, 0, DEC, NULL)                                              \
    F(SDMA6_POLL_REGMEM, HDP_FLUSH, 0, 26, 1, 0, DEC, NULL)                                        \
    F(SDMA6_POLL_REGMEM, FUNC, 0, 28, 3, 0, DEC, amd_functions)                                    \
    F(SDMA6_POLL_REGMEM, MEM_POLL, 0, 31, 1, 0, DEC, poll_kinds)                                   \
    F(SDMA6_POLL_REGMEM, ADDR, 1, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA6_POLL_REGMEM, VALUE, 3, 0, 32, 0, HEX, NULL)                                            \
    F(SDMA6_POLL_REGMEM, MASK, 4, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA6_POLL_REGMEM, INTERVAL, 5, 0, 16, 0, DEC, NULL)                                         \
    F(SDMA6_POLL_REGMEM, RETRY_COUNT, 5, 16, 12, 0, DEC, NULL)

#define AMD_SDMA6_POLL_REG_WRITE_MEM_FIELDS(F, R)                                                  \
    F(SDMA6_POLL_REG_WRITE_MEM, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                              \
    F(SDMA6_POLL_REG_WRITE_MEM, CPV, 0, 28, 1, 0, DEC, NULL)                                       \
    F(SDMA6_POLL_REG_WRITE_MEM, SRC_ADDR, 1, 2, 30, 2, HEX, NULL)                                  \
    F(SDMA6_POLL_REG_WRITE_MEM, DST_ADDR, 2, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_POLL_DBIT_WRITE_MEM_FIELDS(F, R)                                                 \
    F(SDMA6_POLL_DBIT_WRITE_MEM, EA, 0, 16, 2, 0, DEC, NULL)                                       \
    F(SDMA6_POLL_DBIT_WRITE_MEM, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                             \
    F(SDMA6_POLL_DBIT_WRITE_MEM, CPV, 0, 28, 1, 0, DEC, NULL)                                      \
    F(SDMA6_POLL_DBIT_WRITE_MEM, ADDR, 1, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_POLL_DBIT_WRITE_MEM, START_PAGE, 3, 4, 28, 4, HEX, NULL)                               \
    F(SDMA6_POLL_DBIT_WRITE_MEM, PAGE_NUM, 4, 0, 32, 0, DEC, NULL)

#define AMD_SDMA6_POLL_MEM_VERIFY_FIELDS(F, R)                                                     \
    F(SDMA6_POLL_MEM_VERIFY, CACHE_POLICY, 0, 24, 3, 0, DEC, NULL)                                 \
    F(SDMA6_POLL_MEM_VERIFY, CPV, 0, 28, 1, 0, DEC, NULL)                                          \
    F(SDMA6_POLL_MEM_VERIFY, MODE, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA6_POLL_MEM_VERIFY, PATTERN, 1, 0, 32, 0, HEX, NULL)                                      \
    F(SDMA6_POLL_MEM_VERIFY, CMP0_START, 2, 0, 64, 0, HEX, NULL)                                   \
    F(SDMA6_POLL_MEM_VERIFY, CMP0_END, 4, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_POLL_MEM_VERIFY, CMP1_START, 6, 0, 64, 0, HEX, NULL)                                   \
    F(SDMA6_POLL_MEM_VERIFY, CMP1_END, 8, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA6_POLL_MEM_VERIFY, REC, 10, 0, 64, 0, HEX, NULL)

#define AMD_SDMA6_ATOMIC_FIELDS(F, R)                                                              \
    F(SDMA6_ATOMIC, LOOP, 0, 16, 1, 0, DEC, NULL)                                                  \
    F(SDMA6_ATOMIC, TMZ, 0, 18, 1, 0, DEC, NULL)                                                   \
    F(SDMA6_ATOMIC, CACHE_POLICY, 0, 20, 3, 0, DEC, NULL)                                          \
    F(SDMA6_ATOMIC, CPV, 0, 24, 1, 0, DEC, NULL)                                                   \
    F(SDMA6_ATOMIC, ATOMIC_OP, 0, 25, 7, 0, DEC, amd_atomics)                                      \
    F(SDMA6_ATOMIC, ADDR, 1, 0, 64, 0, HEX, NULL)                                                  \
    F(SDMA6_ATOMIC, SRC_DATA, 3, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_ATOMIC, CMP_DATA, 5, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA6_ATOMIC, LOOP_INTERVAL, 7, 0, 13, 0, DEC, NULL)

#define AMD_SDMA6_TIMESTAMP_GET_FIELDS(F, R)                                                       \
    F(SDMA6_TIMESTAMP_GET, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                                      \
    F(SDMA6_TIMESTAMP_GET, LLC_POLICY, 0, 26, 1, 0, DEC, NULL)                                     \
    F(SDMA6_TIMESTAMP_GET, CPV, 0, 28, 1, 0, DEC, NULL)                                            \
    F(SDMA6_TIMESTAMP_GET, WRITE_ADDR, 1, 3, 61, 3, HEX, NULL)

#define AMD_SDMA6_TIMESTAMP_GET_GLOBAL_FIELDS(F, R)                                                \
    F(SDMA6_TIMESTAMP_GET_GLOBAL, L2_POLICY, 0, 24, 2, 0, DEC, NULL)                               \
    F(SDMA6_TIMESTAMP_GET_GLOBAL, LLC_POLICY, 0, 26, 1, 0, DEC, NULL)                              \
    F(SDMA6_TIMESTAMP_GET_GLOBAL, CPV, 0, 28, 1, 0, DEC, NULL)                                     \
    F(SDMA6_TIMESTAMP_GET_GLOBAL, WRITE_ADDR, 1, 3, 61, 3, HEX, NULL)

#define AMD_SDMA6_COPY_T2T_DCC_FIELDS(F, R)                                                        \
    F(SDMA6_COPY_T2T_DCC, TMZ, 0, 18, 1, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T_DCC, DCC, 0, 19, 1, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T_DCC, CPV, 0, 28, 1, 0, DEC, NULL)                                             \
    F(SDMA6_COPY_T2T_DCC, DCC_DIR, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T_DCC, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA6_COPY_T2T_DCC, SRC_X, 3, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_T2T_DCC, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T_DCC, SRC_Z, 4, 0, 13, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_T2T_DCC, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_T2T_DCC, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_T2T_DCC, SRC_DEPTH, 5, 16, 13, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_T2T_DCC, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_T2T_DCC, SRC_SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_T2T_DCC, SRC_DIMENSION, 6, 9, 2, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_T2T_DCC, SRC_MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, SRC_MIP_ID, 6, 20, 4, 0, DEC, NULL)                                      \
    F(SDMA6_COPY_T2T_DCC, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA6_COPY_T2T_DCC, DST_X, 9, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA6_COPY_T2T_DCC, DST_Y, 9, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T_DCC, DST_Z, 10, 0, 13, 0, DEC, NULL)                                          \
    F(SDMA6_COPY_T2T_DCC, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, DST_DEPTH, 11, 16, 13, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                \
    F(SDMA6_COPY_T2T_DCC, DST_SWIZZLE_MODE, 12, 3, 5, 0, DEC, NULL)                                \
    F(SDMA6_COPY_T2T_DCC, DST_DIMENSION, 12, 9, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_T2T_DCC, DST_MIP_MAX, 12, 16, 4, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_T2T_DCC, DST_MIP_ID, 12, 20, 4, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, RECT_X, 13, 0, 14, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T_DCC, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                        \
    F(SDMA6_COPY_T2T_DCC, RECT_Z, 14, 0, 13, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T_DCC, DST_SW, 14, 16, 2, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T_DCC, DST_CACHE_POLICY, 14, 18, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_T2T_DCC, SRC_SW, 14, 24, 2, 0, DEC, NULL)                                         \
    F(SDMA6_COPY_T2T_DCC, SRC_CACHE_POLICY, 14, 26, 3, 0, DEC, NULL)                               \
    F(SDMA6_COPY_T2T_DCC, META_ADDR, 15, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA6_COPY_T2T_DCC, DATA_FORMAT, 17, 0, 7, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, COLOR_TRANSFORM_DISABLE, 17, 7, 1, 0, DEC, NULL)                         \
    F(SDMA6_COPY_T2T_DCC, ALPHA_IS_ON_MSB, 17, 8, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_T2T_DCC, NUMBER_TYPE, 17, 9, 3, 0, DEC, NULL)                                     \
    F(SDMA6_COPY_T2T_DCC, SURFACE_TYPE, 17, 12, 2, 0, DEC, NULL)                                   \
    F(SDMA6_COPY_T2T_DCC, META_LLC, 17, 14, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_T2T_DCC, MAX_COMP_BLOCK_SIZE, 17, 24, 2, 0, DEC, NULL)                            \
    F(SDMA6_COPY_T2T_DCC, MAX_UNCOMP_BLOCK_SIZE, 17, 26, 2, 0, DEC, NULL)                          \
    F(SDMA6_COPY_T2T_DCC, WRITE_COMPRESS_ENABLE, 17, 28, 1, 0, DEC, NULL)                          \
    F(SDMA6_COPY_T2T_DCC, META_TMZ, 17, 29, 1, 0, DEC, NULL)                                       \
    F(SDMA6_COPY_T2T_DCC, PIPE_ALIGNED, 17, 31, 1, 0, DEC, NULL)

#define AMD_SDMA6_COPY_TILED_SUBWIN_DCC_FIELDS(F, R)                                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TMZ, 0, 18, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, DCC, 0, 19, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, CPV, 0, 28, 1, 0, DEC, NULL)                                    \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, DETILE, 0, 31, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                             \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILED_X, 3, 0, 14, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILED_Y, 3, 16, 14, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILED_Z, 4, 0, 13, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, WIDTH, 4, 16, 14, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, DEPTH, 5, 16, 13, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                            \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                            \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, DIMENSION, 6, 9, 2, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, MIP_MAX, 6, 16, 4, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, MIP_ID, 6, 20, 4, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                            \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                              \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_Z, 10, 0, 13, 0, DEC, NULL)                              \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                         \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                    \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, RECT_X, 12, 0, 14, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, RECT_Y, 12, 16, 14, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, RECT_Z, 13, 0, 13, 0, DEC, NULL)                                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                             \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, LINEAR_CACHE_POLICY, 13, 18, 3, 0, DEC, NULL)                   \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILE_SW, 13, 24, 2, 0, DEC, NULL)                               \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, TILE_CACHE_POLICY, 13, 26, 3, 0, DEC, NULL)                     \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, META_ADDR, 14, 0, 64, 0, HEX, NULL)                             \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, DATA_FORMAT, 16, 0, 7, 0, DEC, NULL)                            \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, COLOR_TRANSFORM_DISABLE, 16, 7, 1, 0, DEC, NULL)                \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, ALPHA_IS_ON_MSB, 16, 8, 1, 0, DEC, NULL)                        \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, NUMBER_TYPE, 16, 9, 3, 0, DEC, NULL)                            \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, SURFACE_TYPE, 16, 12, 2, 0, DEC, NULL)                          \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, META_LLC, 16, 14, 1, 0, DEC, NULL)                              \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, MAX_COMP_BLOCK_SIZE, 16, 24, 2, 0, DEC, NULL)                   \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, MAX_UNCOMP_BLOCK_SIZE, 16, 26, 2, 0, DEC, NULL)                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, WRITE_COMPRESS_ENABLE, 16, 28, 1, 0, DEC, NULL)                 \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, META_TMZ, 16, 29, 1, 0, DEC, NULL)                              \
    F(SDMA6_COPY_TILED_SUBWIN_DCC, PIPE_ALIGNED, 16, 31, 1, 0, DEC, NULL)

#define AMD_SDMA6_COPY_LINEAR_SUBWIN_LARGE_FIELDS(F, R)                                            \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, TMZ, 0, 18, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, CPV, 0, 19, 1, 0, DEC, NULL)                                 \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                            \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_X, 3, 0, 32, 0, DEC, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_Y, 4, 0, 32, 0, DEC, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_Z, 5, 0, 32, 0, DEC, NULL)                               \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_PITCH, 6, 0, 32, 0, DEC, NULL)                           \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_SLICE_PITCH, 7, 0, 48, 0, HEX, NULL)                     \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_ADDR, 9, 0, 64, 0, HEX, NULL)                            \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_X, 11, 0, 32, 0, DEC, NULL)                              \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_Y, 12, 0, 32, 0, DEC, NULL)                              \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_Z, 13, 0, 32, 0, DEC, NULL)                              \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_PITCH, 14, 0, 32, 0, DEC, NULL)                          \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_SLICE_PITCH, 15, 0, 48, 0, HEX, NULL)                    \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_SW, 16, 16, 2, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, DST_POLICY, 16, 18, 3, 0, DEC, NULL)                         \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_SW, 16, 24, 2, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, SRC_POLICY, 16, 26, 3, 0, DEC, NULL)                         \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, RECT_X, 17, 0, 32, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, RECT_Y, 18, 0, 32, 0, DEC, NULL)                             \
    F(SDMA6_COPY_LINEAR_SUBWIN_LARGE, RECT_Z, 19, 0, 32, 0, DEC, NULL)

#define AMD_SDMA6_VM_INVALIDATION_FIELDS(F, R)                                                     \
    F(SDMA6_VM_INVALIDATION, GFX_ENG_ID, 0, 16, 5, 0, DEC, NULL)                                   \
    F(SDMA6_VM_INVALIDATION, MM_ENG_ID, 0, 24, 5, 0, DEC, NULL)                                    \
    F(SDMA6_VM_INVALIDATION, INVALIDATEREQ, 1, 0, 32, 0, HEX, NULL)                                \
    F(SDMA6_VM_INVALIDATION, ADDRESSRANGELO, 2, 0, 32, 0, HEX, NULL)                               \
    F(SDMA6_VM_INVALIDATION, INVALIDATEACK, 3, 0, 16, 0, HEX, NULL)                                \
    F(SDMA6_VM_INVALIDATION, ADDRESSRANGEHI, 3, 16, 5, 0, HEX, NULL)                               \
    F(SDMA6_VM_INVALIDATION, RESERVED, 3, 23, 9, 0, DEC, NULL)

#define AMD_SDMA6_PACKETS(P)                                                                       \
    P(COPY_LINEAR)                                                                                 \
    P(COPY_LINEAR_BC)                                                                              \
    P(COPY_DIRTY_PAGE)                                                                             \
    P(COPY_PHYSICAL_LINEAR)                                                                        \
    P(COPY_BROADCAST_LINEAR)                                                                       \
    P(COPY_LINEAR_SUBWIN)                                                                          \
    P(COPY_LINEAR_SUBWIN_BC)                                                                       \
    P(COPY_TILED)                                                                                  \
    P(COPY_TILED_BC)                                                                               \
    P(COPY_L2T_BROADCAST)                                                                          \
    P(COPY_T2T)                                                                                    \
    P(COPY_TILED_SUBWIN)                                                                           \
    P(COPY_STRUCT)                                                                                 \
    P(WRITE_UNTILED)                                                                               \
    P(WRITE_TILED)                                                                                 \
    P(PTEPDE_COPY)                                                                                 \
    P(PTEPDE_RMW)                                                                                  \
    P(WRITE_INCR)                                                                                  \
    P(FENCE)                                                                                       \
    P(COND_EXE)                                                                                    \
    P(CONSTANT_FILL)                                                                               \
    P(DATA_FILL_MULTI)                                                                             \
    P(POLL_REGMEM)                                                                                 \
    P(POLL_REG_WRITE_MEM)                                                                          \
    P(POLL_DBIT_WRITE_MEM)                                                                         \
    P(POLL_MEM_VERIFY)                                                                             \
    P(ATOMIC)                                                                                      \
    P(TIMESTAMP_GET)                                                                               \
    P(TIMESTAMP_GET_GLOBAL)                                                                        \
    P(COPY_T2T_DCC)                                                                                \
    P(COPY_TILED_SUBWIN_DCC)                                                                       \
    P(COPY_LINEAR_SUBWIN_LARGE)                                                                    \
    P(VM_INVALIDATION)

/* SDMA 7: with CPV a linear copy has a dword about compression (SDMA_DCC_*; sdma_v7_0.c writes it for
 * each copy with CPV and for none without). */
#define AMD_SDMA7_COPY_LINEAR_CPV_FIELDS(F, R)                                                     \
    F(SDMA7_COPY_LINEAR_CPV, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                      \
    F(SDMA7_COPY_LINEAR_CPV, TMZ, 0, 18, 1, 0, DEC, NULL)                                          \
    F(SDMA7_COPY_LINEAR_CPV, CPV, 0, 19, 1, 0, DEC, NULL)                                          \
    F(SDMA7_COPY_LINEAR_CPV, BACKWARDS, 0, 25, 1, 0, DEC, NULL)                                    \
    F(SDMA7_COPY_LINEAR_CPV, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                    \
    F(SDMA7_COPY_LINEAR_CPV, COUNT, 1, 0, 30, 0, LESS1, NULL)                                      \
    F(SDMA7_COPY_LINEAR_CPV, DST_SW, 2, 16, 2, 0, DEC, NULL)                                       \
    F(SDMA7_COPY_LINEAR_CPV, DST_CACHE_POLICY, 2, 18, 3, 0, DEC, NULL)                             \
    F(SDMA7_COPY_LINEAR_CPV, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                       \
    F(SDMA7_COPY_LINEAR_CPV, SRC_CACHE_POLICY, 2, 26, 3, 0, DEC, NULL)                             \
    F(SDMA7_COPY_LINEAR_CPV, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA7_COPY_LINEAR_CPV, DST_ADDR, 5, 0, 64, 0, HEX, NULL)                                     \
    F(SDMA7_COPY_LINEAR_CPV, DCC_DATA_FORMAT, 7, 0, 6, 0, DEC, NULL)                               \
    F(SDMA7_COPY_LINEAR_CPV, DCC_NUM_TYPE, 7, 9, 3, 0, DEC, NULL)                                  \
    F(SDMA7_COPY_LINEAR_CPV, DCC_READ_CM, 7, 16, 2, 0, DEC, NULL)                                  \
    F(SDMA7_COPY_LINEAR_CPV, DCC_WRITE_CM, 7, 18, 2, 0, DEC, NULL)                                 \
    F(SDMA7_COPY_LINEAR_CPV, DCC_MAX_COM, 7, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA7_COPY_LINEAR_CPV, DCC_MAX_UCOM, 7, 26, 1, 0, DEC, NULL)

#define AMD_SDMA7_PACKETS(P)                                                                       \
    P(COPY_LINEAR_CPV)
/* clang-format on */

#endif
