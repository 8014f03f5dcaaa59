/* SPDX-License-Identifier: MIT */
/*
 * The fields of SDMA packets, one list for each packet (amd_layout.h describes the lists).  Dword 0
 * begins with the opcode (7:0) and sub-opcode (15:8).
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_SDMA_FIELDS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_SDMA_FIELDS_H

#include "devices/amd/formats/amd_layout.h"

/* clang-format off */
#define AMD_SDMA_NOP_FIELDS(F, R)                                                                  \
    F(SDMA_NOP, COUNT, 0, 16, 14, 0, DEC, NULL)

#define AMD_SDMA_COPY_LINEAR_FIELDS(F, R)                                                          \
    F(SDMA_COPY_LINEAR, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                           \
    F(SDMA_COPY_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                               \
    F(SDMA_COPY_LINEAR, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                         \
    F(SDMA_COPY_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                           \
    F(SDMA_COPY_LINEAR, DST_SW, 2, 16, 2, 0, DEC, NULL)                                            \
    F(SDMA_COPY_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                            \
    F(SDMA_COPY_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA_COPY_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_COPY_BROADCAST_LINEAR_FIELDS(F, R)                                                \
    F(SDMA_COPY_BROADCAST_LINEAR, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                 \
    F(SDMA_COPY_BROADCAST_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                     \
    F(SDMA_COPY_BROADCAST_LINEAR, BROADCAST, 0, 27, 1, 0, DEC, NULL)                               \
    F(SDMA_COPY_BROADCAST_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                 \
    F(SDMA_COPY_BROADCAST_LINEAR, DST2_SW, 2, 8, 2, 0, DEC, NULL)                                  \
    F(SDMA_COPY_BROADCAST_LINEAR, DST1_SW, 2, 16, 2, 0, DEC, NULL)                                 \
    F(SDMA_COPY_BROADCAST_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                  \
    F(SDMA_COPY_BROADCAST_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                \
    F(SDMA_COPY_BROADCAST_LINEAR, DST1_ADDR, 5, 0, 64, 0, HEX, NULL)                               \
    F(SDMA_COPY_BROADCAST_LINEAR, DST2_ADDR, 7, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_COPY_TILED_FIELDS(F, R)                                                           \
    F(SDMA_COPY_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                            \
    F(SDMA_COPY_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                                \
    F(SDMA_COPY_TILED, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                          \
    F(SDMA_COPY_TILED, MIP_MAX, 0, 20, 4, 0, DEC, NULL)                                            \
    F(SDMA_COPY_TILED, DETILE, 0, 31, 1, 0, DEC, NULL)                                             \
    F(SDMA_COPY_TILED, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                         \
    F(SDMA_COPY_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                              \
    F(SDMA_COPY_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA_COPY_TILED, DEPTH, 4, 16, 11, 0, DEC, NULL)                                             \
    F(SDMA_COPY_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                        \
    F(SDMA_COPY_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                        \
    F(SDMA_COPY_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                           \
    F(SDMA_COPY_TILED, EPITCH, 5, 16, 16, 0, DEC, NULL)                                            \
    F(SDMA_COPY_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                  \
    F(SDMA_COPY_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                                 \
    F(SDMA_COPY_TILED, Z, 7, 0, 11, 0, DEC, NULL)                                                  \
    F(SDMA_COPY_TILED, LINEAR_SW, 7, 16, 2, 0, DEC, NULL)                                          \
    F(SDMA_COPY_TILED, TILE_SW, 7, 24, 2, 0, DEC, NULL)                                            \
    F(SDMA_COPY_TILED, LINEAR_ADDR, 8, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA_COPY_TILED, LINEAR_PITCH, 10, 0, 19, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED, LINEAR_SLICE_PITCH, 11, 0, 32, 0, HEX, NULL)                                \
    F(SDMA_COPY_TILED, COUNT, 12, 0, 20, 0, LESS1, NULL)

#define AMD_SDMA_COPY_L2T_BROADCAST_FIELDS(F, R)                                                   \
    F(SDMA_COPY_L2T_BROADCAST, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                    \
    F(SDMA_COPY_L2T_BROADCAST, TMZ, 0, 18, 1, 0, DEC, NULL)                                        \
    F(SDMA_COPY_L2T_BROADCAST, MIP_MAX, 0, 20, 4, 0, DEC, NULL)                                    \
    F(SDMA_COPY_L2T_BROADCAST, VIDEOCOPY, 0, 26, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_L2T_BROADCAST, BROADCAST, 0, 27, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_L2T_BROADCAST, TILED_ADDR0, 1, 0, 64, 0, HEX, NULL)                                \
    F(SDMA_COPY_L2T_BROADCAST, TILED_ADDR1, 3, 0, 64, 0, HEX, NULL)                                \
    F(SDMA_COPY_L2T_BROADCAST, WIDTH, 5, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA_COPY_L2T_BROADCAST, HEIGHT, 6, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA_COPY_L2T_BROADCAST, DEPTH, 6, 16, 11, 0, DEC, NULL)                                     \
    F(SDMA_COPY_L2T_BROADCAST, ELEMENT_SIZE, 7, 0, 3, 0, DEC, NULL)                                \
    F(SDMA_COPY_L2T_BROADCAST, SWIZZLE_MODE, 7, 3, 5, 0, DEC, NULL)                                \
    F(SDMA_COPY_L2T_BROADCAST, DIMENSION, 7, 9, 2, 0, DEC, NULL)                                   \
    F(SDMA_COPY_L2T_BROADCAST, EPITCH, 7, 16, 16, 0, DEC, NULL)                                    \
    F(SDMA_COPY_L2T_BROADCAST, X, 8, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA_COPY_L2T_BROADCAST, Y, 8, 16, 14, 0, DEC, NULL)                                         \
    F(SDMA_COPY_L2T_BROADCAST, Z, 9, 0, 11, 0, DEC, NULL)                                          \
    F(SDMA_COPY_L2T_BROADCAST, DST2_SW, 10, 8, 2, 0, DEC, NULL)                                    \
    F(SDMA_COPY_L2T_BROADCAST, LINEAR_SW, 10, 16, 2, 0, DEC, NULL)                                 \
    F(SDMA_COPY_L2T_BROADCAST, TILE_SW, 10, 24, 2, 0, DEC, NULL)                                   \
    F(SDMA_COPY_L2T_BROADCAST, LINEAR_ADDR, 11, 0, 64, 0, HEX, NULL)                               \
    F(SDMA_COPY_L2T_BROADCAST, LINEAR_PITCH, 13, 0, 19, 0, DEC, NULL)                              \
    F(SDMA_COPY_L2T_BROADCAST, LINEAR_SLICE_PITCH, 14, 0, 32, 0, HEX, NULL)                        \
    F(SDMA_COPY_L2T_BROADCAST, COUNT, 15, 0, 20, 0, LESS1, NULL)

#define AMD_SDMA_COPY_STRUCT_FIELDS(F, R)                                                          \
    F(SDMA_COPY_STRUCT, TMZ, 0, 18, 1, 0, DEC, NULL)                                               \
    F(SDMA_COPY_STRUCT, DETILE, 0, 31, 1, 0, DEC, NULL)                                            \
    F(SDMA_COPY_STRUCT, SB_ADDR, 1, 0, 64, 0, HEX, NULL)                                           \
    F(SDMA_COPY_STRUCT, START_INDEX, 3, 0, 32, 0, DEC, NULL)                                       \
    F(SDMA_COPY_STRUCT, COUNT, 4, 0, 32, 0, DEC, NULL)                                             \
    F(SDMA_COPY_STRUCT, STRIDE, 5, 0, 11, 0, DEC, NULL)                                            \
    F(SDMA_COPY_STRUCT, LINEAR_SW, 5, 16, 2, 0, DEC, NULL)                                         \
    F(SDMA_COPY_STRUCT, STRUCT_SW, 5, 24, 2, 0, DEC, NULL)                                         \
    F(SDMA_COPY_STRUCT, LINEAR_ADDR, 6, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_COPY_LINEAR_SUBWIN_FIELDS(F, R)                                                   \
    F(SDMA_COPY_LINEAR_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                        \
    F(SDMA_COPY_LINEAR_SUBWIN, ELEMENTSIZE, 0, 29, 3, 0, DEC, NULL)                                \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                   \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_X, 3, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_Z, 4, 0, 11, 0, DEC, NULL)                                      \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_PITCH, 4, 13, 19, 0, LESS1, NULL)                               \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_SLICE_PITCH, 5, 0, 28, 0, LESS1, NULL)                          \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_ADDR, 6, 0, 64, 0, HEX, NULL)                                   \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_X, 8, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_Y, 8, 16, 14, 0, DEC, NULL)                                     \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_Z, 9, 0, 11, 0, DEC, NULL)                                      \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_PITCH, 9, 13, 19, 0, LESS1, NULL)                               \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_SLICE_PITCH, 10, 0, 28, 0, LESS1, NULL)                         \
    F(SDMA_COPY_LINEAR_SUBWIN, RECT_X, 11, 0, 14, 0, LESS1, NULL)                                  \
    F(SDMA_COPY_LINEAR_SUBWIN, RECT_Y, 11, 16, 14, 0, LESS1, NULL)                                 \
    F(SDMA_COPY_LINEAR_SUBWIN, RECT_Z, 12, 0, 11, 0, LESS1, NULL)                                  \
    F(SDMA_COPY_LINEAR_SUBWIN, DST_SW, 12, 16, 2, 0, DEC, NULL)                                    \
    F(SDMA_COPY_LINEAR_SUBWIN, SRC_SW, 12, 24, 2, 0, DEC, NULL)

#define AMD_SDMA_COPY_TILED_SUBWIN_FIELDS(F, R)                                                    \
    F(SDMA_COPY_TILED_SUBWIN, TMZ, 0, 18, 1, 0, DEC, NULL)                                         \
    F(SDMA_COPY_TILED_SUBWIN, MIP_MAX, 0, 20, 4, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, MIP_ID, 0, 24, 4, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED_SUBWIN, DETILE, 0, 31, 1, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED_SUBWIN, TILED_ADDR, 1, 0, 64, 0, HEX, NULL)                                  \
    F(SDMA_COPY_TILED_SUBWIN, TILED_X, 3, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, TILED_Y, 3, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA_COPY_TILED_SUBWIN, TILED_Z, 4, 0, 11, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, WIDTH, 4, 16, 14, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED_SUBWIN, HEIGHT, 5, 0, 14, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED_SUBWIN, DEPTH, 5, 16, 11, 0, DEC, NULL)                                      \
    F(SDMA_COPY_TILED_SUBWIN, ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                 \
    F(SDMA_COPY_TILED_SUBWIN, SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                 \
    F(SDMA_COPY_TILED_SUBWIN, DIMENSION, 6, 9, 2, 0, DEC, NULL)                                    \
    F(SDMA_COPY_TILED_SUBWIN, EPITCH, 6, 16, 16, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_ADDR, 7, 0, 64, 0, HEX, NULL)                                 \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_X, 9, 0, 14, 0, DEC, NULL)                                    \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_Y, 9, 16, 14, 0, DEC, NULL)                                   \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_Z, 10, 0, 11, 0, DEC, NULL)                                   \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_PITCH, 10, 16, 14, 0, DEC, NULL)                              \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_SLICE_PITCH, 11, 0, 28, 0, DEC, NULL)                         \
    F(SDMA_COPY_TILED_SUBWIN, RECT_X, 12, 0, 14, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, RECT_Y, 12, 16, 14, 0, DEC, NULL)                                    \
    F(SDMA_COPY_TILED_SUBWIN, RECT_Z, 13, 0, 11, 0, DEC, NULL)                                     \
    F(SDMA_COPY_TILED_SUBWIN, LINEAR_SW, 13, 16, 2, 0, DEC, NULL)                                  \
    F(SDMA_COPY_TILED_SUBWIN, TILE_SW, 13, 24, 2, 0, DEC, NULL)

#define AMD_SDMA_COPY_T2T_FIELDS(F, R)                                                             \
    F(SDMA_COPY_T2T, TMZ, 0, 18, 1, 0, DEC, NULL)                                                  \
    F(SDMA_COPY_T2T, MIP_MAX, 0, 20, 4, 0, DEC, NULL)                                              \
    F(SDMA_COPY_T2T, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA_COPY_T2T, SRC_X, 3, 0, 14, 0, DEC, NULL)                                                \
    F(SDMA_COPY_T2T, SRC_Y, 3, 16, 14, 0, DEC, NULL)                                               \
    F(SDMA_COPY_T2T, SRC_Z, 4, 0, 11, 0, DEC, NULL)                                                \
    F(SDMA_COPY_T2T, SRC_WIDTH, 4, 16, 14, 0, DEC, NULL)                                           \
    F(SDMA_COPY_T2T, SRC_HEIGHT, 5, 0, 14, 0, DEC, NULL)                                           \
    F(SDMA_COPY_T2T, SRC_DEPTH, 5, 16, 11, 0, DEC, NULL)                                           \
    F(SDMA_COPY_T2T, SRC_ELEMENT_SIZE, 6, 0, 3, 0, DEC, NULL)                                      \
    F(SDMA_COPY_T2T, SRC_SWIZZLE_MODE, 6, 3, 5, 0, DEC, NULL)                                      \
    F(SDMA_COPY_T2T, SRC_DIMENSION, 6, 9, 2, 0, DEC, NULL)                                         \
    F(SDMA_COPY_T2T, SRC_EPITCH, 6, 16, 16, 0, DEC, NULL)                                          \
    F(SDMA_COPY_T2T, DST_ADDR, 7, 0, 64, 0, HEX, NULL)                                             \
    F(SDMA_COPY_T2T, DST_X, 9, 0, 14, 0, DEC, NULL)                                                \
    F(SDMA_COPY_T2T, DST_Y, 9, 16, 14, 0, DEC, NULL)                                               \
    F(SDMA_COPY_T2T, DST_Z, 10, 0, 11, 0, DEC, NULL)                                               \
    F(SDMA_COPY_T2T, DST_WIDTH, 10, 16, 14, 0, DEC, NULL)                                          \
    F(SDMA_COPY_T2T, DST_HEIGHT, 11, 0, 14, 0, DEC, NULL)                                          \
    F(SDMA_COPY_T2T, DST_DEPTH, 11, 16, 11, 0, DEC, NULL)                                          \
    F(SDMA_COPY_T2T, DST_ELEMENT_SIZE, 12, 0, 3, 0, DEC, NULL)                                     \
    F(SDMA_COPY_T2T, DST_SWIZZLE_MODE, 12, 3, 5, 0, DEC, NULL)                                     \
    F(SDMA_COPY_T2T, DST_DIMENSION, 12, 9, 2, 0, DEC, NULL)                                        \
    F(SDMA_COPY_T2T, DST_EPITCH, 12, 16, 16, 0, DEC, NULL)                                         \
    F(SDMA_COPY_T2T, RECT_X, 13, 0, 14, 0, DEC, NULL)                                              \
    F(SDMA_COPY_T2T, RECT_Y, 13, 16, 14, 0, DEC, NULL)                                             \
    F(SDMA_COPY_T2T, RECT_Z, 14, 0, 11, 0, DEC, NULL)                                              \
    F(SDMA_COPY_T2T, DST_SW, 14, 16, 2, 0, DEC, NULL)                                              \
    F(SDMA_COPY_T2T, SRC_SW, 14, 24, 2, 0, DEC, NULL)

#define AMD_SDMA_COPY_DIRTY_PAGE_FIELDS(F, R)                                                      \
    F(SDMA_COPY_DIRTY_PAGE, TMZ, 0, 18, 1, 0, DEC, NULL)                                           \
    F(SDMA_COPY_DIRTY_PAGE, ALL, 0, 31, 1, 0, DEC, NULL)                                           \
    F(SDMA_COPY_DIRTY_PAGE, COUNT, 1, 0, 22, 0, LESS1, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, DST_SW, 2, 16, 2, 0, DEC, NULL)                                        \
    F(SDMA_COPY_DIRTY_PAGE, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                                     \
    F(SDMA_COPY_DIRTY_PAGE, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                        \
    F(SDMA_COPY_DIRTY_PAGE, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                                     \
    F(SDMA_COPY_DIRTY_PAGE, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                       \
    F(SDMA_COPY_DIRTY_PAGE, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA_COPY_DIRTY_PAGE, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_COPY_PHYSICAL_LINEAR_FIELDS(F, R)                                                 \
    F(SDMA_COPY_PHYSICAL_LINEAR, TMZ, 0, 18, 1, 0, DEC, NULL)                                      \
    F(SDMA_COPY_PHYSICAL_LINEAR, COUNT, 1, 0, 22, 0, LESS1, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_SW, 2, 16, 2, 0, DEC, NULL)                                   \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_GCC, 2, 19, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_SYS, 2, 20, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_LOG, 2, 21, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_SNOOP, 2, 22, 1, 0, DEC, NULL)                                \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_GPA, 2, 23, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_SW, 2, 24, 2, 0, DEC, NULL)                                   \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_GCC, 2, 27, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_SYS, 2, 28, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_SNOOP, 2, 30, 1, 0, DEC, NULL)                                \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_GPA, 2, 31, 1, 0, DEC, NULL)                                  \
    F(SDMA_COPY_PHYSICAL_LINEAR, SRC_ADDR, 3, 0, 64, 0, HEX, NULL)                                 \
    F(SDMA_COPY_PHYSICAL_LINEAR, DST_ADDR, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_WRITE_UNTILED_FIELDS(F, R)                                                        \
    F(SDMA_WRITE_UNTILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                         \
    F(SDMA_WRITE_UNTILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                             \
    F(SDMA_WRITE_UNTILED, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA_WRITE_UNTILED, COUNT, 3, 0, 20, 0, LESS1, NULL)                                         \
    F(SDMA_WRITE_UNTILED, SW, 3, 24, 2, 0, DEC, NULL)

#define AMD_SDMA_WRITE_TILED_FIELDS(F, R)                                                          \
    F(SDMA_WRITE_TILED, ENCRYPT, 0, 16, 1, 0, DEC, NULL)                                           \
    F(SDMA_WRITE_TILED, TMZ, 0, 18, 1, 0, DEC, NULL)                                               \
    F(SDMA_WRITE_TILED, MIP_MAX, 0, 20, 4, 0, DEC, NULL)                                           \
    F(SDMA_WRITE_TILED, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA_WRITE_TILED, WIDTH, 3, 0, 14, 0, DEC, NULL)                                             \
    F(SDMA_WRITE_TILED, HEIGHT, 4, 0, 14, 0, DEC, NULL)                                            \
    F(SDMA_WRITE_TILED, DEPTH, 4, 16, 11, 0, DEC, NULL)                                            \
    F(SDMA_WRITE_TILED, ELEMENT_SIZE, 5, 0, 3, 0, DEC, NULL)                                       \
    F(SDMA_WRITE_TILED, SWIZZLE_MODE, 5, 3, 5, 0, DEC, NULL)                                       \
    F(SDMA_WRITE_TILED, DIMENSION, 5, 9, 2, 0, DEC, NULL)                                          \
    F(SDMA_WRITE_TILED, EPITCH, 5, 16, 16, 0, DEC, NULL)                                           \
    F(SDMA_WRITE_TILED, X, 6, 0, 14, 0, DEC, NULL)                                                 \
    F(SDMA_WRITE_TILED, Y, 6, 16, 14, 0, DEC, NULL)                                                \
    F(SDMA_WRITE_TILED, Z, 7, 0, 11, 0, DEC, NULL)                                                 \
    F(SDMA_WRITE_TILED, SW, 7, 24, 2, 0, DEC, NULL)                                                \
    F(SDMA_WRITE_TILED, COUNT, 8, 0, 20, 0, LESS1, NULL)

#define AMD_SDMA_INDIRECT_FIELDS(F, R)                                                             \
    F(SDMA_INDIRECT, VMID, 0, 16, 4, 0, DEC, NULL)                                                 \
    F(SDMA_INDIRECT, IB_BASE, 1, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA_INDIRECT, IB_SIZE, 3, 0, 20, 0, DEC, NULL)                                              \
    F(SDMA_INDIRECT, CSA_ADDR, 4, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_FENCE_FIELDS(F, R)                                                                \
    F(SDMA_FENCE, ADDR, 1, 0, 64, 0, HEX, NULL)                                                    \
    F(SDMA_FENCE, DATA, 3, 0, 32, 0, HEX, NULL)

#define AMD_SDMA_TRAP_FIELDS(F, R)                                                                 \
    F(SDMA_TRAP, INT_CONTEXT, 1, 0, 28, 0, DEC, NULL)

#define AMD_SDMA_SEMAPHORE_FIELDS(F, R)                                                            \
    F(SDMA_SEMAPHORE, WRITE_ONE, 0, 29, 1, 0, DEC, NULL)                                           \
    F(SDMA_SEMAPHORE, SIGNAL, 0, 30, 1, 0, DEC, NULL)                                              \
    F(SDMA_SEMAPHORE, MAILBOX, 0, 31, 1, 0, DEC, NULL)                                             \
    F(SDMA_SEMAPHORE, ADDR, 1, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_HDP_FLUSH_FIELDS(F, R)                                                            \
    F(SDMA_HDP_FLUSH, LOW, 1, 0, 32, 0, HEX, NULL)                                                 \
    F(SDMA_HDP_FLUSH, KEY, 2, 0, 32, 0, HEX, NULL)

#define AMD_SDMA_POLL_REGMEM_FIELDS(F, R)                                                          \
    F(SDMA_POLL_REGMEM, HDP_FLUSH, 0, 26, 1, 0, DEC, NULL)                                         \
    F(SDMA_POLL_REGMEM, FUNC, 0, 28, 3, 0, DEC, amd_functions)                                     \
    F(SDMA_POLL_REGMEM, MEM_POLL, 0, 31, 1, 0, DEC, poll_kinds)                                    \
    F(SDMA_POLL_REGMEM, ADDR, 1, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA_POLL_REGMEM, VALUE, 3, 0, 32, 0, HEX, NULL)                                             \
    F(SDMA_POLL_REGMEM, MASK, 4, 0, 32, 0, HEX, NULL)                                              \
    F(SDMA_POLL_REGMEM, INTERVAL, 5, 0, 16, 0, DEC, NULL)                                          \
    F(SDMA_POLL_REGMEM, RETRY_COUNT, 5, 16, 12, 0, DEC, NULL)

#define AMD_SDMA_POLL_REG_WRITE_MEM_FIELDS(F, R)                                                   \
    F(SDMA_POLL_REG_WRITE_MEM, SRC_ADDR, 1, 2, 30, 2, HEX, NULL)                                   \
    F(SDMA_POLL_REG_WRITE_MEM, DST_ADDR, 2, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_POLL_DBIT_WRITE_MEM_FIELDS(F, R)                                                  \
    F(SDMA_POLL_DBIT_WRITE_MEM, EA, 0, 16, 2, 0, DEC, NULL)                                        \
    F(SDMA_POLL_DBIT_WRITE_MEM, ADDR, 1, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA_POLL_DBIT_WRITE_MEM, START_PAGE, 3, 4, 28, 4, HEX, NULL)                                \
    F(SDMA_POLL_DBIT_WRITE_MEM, PAGE_NUM, 4, 0, 32, 0, DEC, NULL)

#define AMD_SDMA_POLL_MEM_VERIFY_FIELDS(F, R)                                                      \
    F(SDMA_POLL_MEM_VERIFY, MODE, 0, 31, 1, 0, DEC, NULL)                                          \
    F(SDMA_POLL_MEM_VERIFY, PATTERN, 1, 0, 32, 0, HEX, NULL)                                       \
    F(SDMA_POLL_MEM_VERIFY, CMP0_START, 2, 0, 64, 0, HEX, NULL)                                    \
    F(SDMA_POLL_MEM_VERIFY, CMP0_END, 4, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA_POLL_MEM_VERIFY, CMP1_START, 6, 0, 64, 0, HEX, NULL)                                    \
    F(SDMA_POLL_MEM_VERIFY, CMP1_END, 8, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA_POLL_MEM_VERIFY, REC, 10, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_COND_EXE_FIELDS(F, R)                                                             \
    F(SDMA_COND_EXE, ADDR, 1, 0, 64, 0, HEX, NULL)                                                 \
    F(SDMA_COND_EXE, REFERENCE, 3, 0, 32, 0, HEX, NULL)                                            \
    F(SDMA_COND_EXE, EXEC_COUNT, 4, 0, 14, 0, DEC, NULL)

#define AMD_SDMA_ATOMIC_FIELDS(F, R)                                                               \
    F(SDMA_ATOMIC, LOOP, 0, 16, 1, 0, DEC, NULL)                                                   \
    F(SDMA_ATOMIC, TMZ, 0, 18, 1, 0, DEC, NULL)                                                    \
    F(SDMA_ATOMIC, ATOMIC_OP, 0, 25, 7, 0, DEC, amd_atomics)                                       \
    F(SDMA_ATOMIC, ADDR, 1, 0, 64, 0, HEX, NULL)                                                   \
    F(SDMA_ATOMIC, SRC_DATA, 3, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_ATOMIC, CMP_DATA, 5, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_ATOMIC, LOOP_INTERVAL, 7, 0, 13, 0, DEC, NULL)

#define AMD_SDMA_CONSTANT_FILL_FIELDS(F, R)                                                        \
    F(SDMA_CONSTANT_FILL, SW, 0, 16, 2, 0, DEC, NULL)                                              \
    F(SDMA_CONSTANT_FILL, FILLSIZE, 0, 30, 2, 0, DEC, fill_sizes)                                  \
    F(SDMA_CONSTANT_FILL, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                        \
    F(SDMA_CONSTANT_FILL, SRC_DATA, 3, 0, 32, 0, HEX, NULL)                                        \
    F(SDMA_CONSTANT_FILL, COUNT, 4, 0, 22, 0, LESS1, NULL)

#define AMD_SDMA_DATA_FILL_MULTI_FIELDS(F, R)                                                      \
    F(SDMA_DATA_FILL_MULTI, MEMLOG_CLR, 0, 31, 1, 0, DEC, NULL)                                    \
    F(SDMA_DATA_FILL_MULTI, BYTE_STRIDE, 1, 0, 32, 0, DEC, NULL)                                   \
    F(SDMA_DATA_FILL_MULTI, DMA_COUNT, 2, 0, 32, 0, DEC, NULL)                                     \
    F(SDMA_DATA_FILL_MULTI, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                      \
    F(SDMA_DATA_FILL_MULTI, COUNT, 5, 0, 26, 0, DEC, NULL)

#define AMD_SDMA_WRITE_INCR_FIELDS(F, R)                                                           \
    F(SDMA_WRITE_INCR, DST_ADDR, 1, 0, 64, 0, HEX, NULL)                                           \
    F(SDMA_WRITE_INCR, MASK, 3, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_WRITE_INCR, INIT, 5, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_WRITE_INCR, INCR, 7, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_WRITE_INCR, COUNT, 9, 0, 19, 0, DEC, NULL)

#define AMD_SDMA_PTEPDE_COPY_FIELDS(F, R)                                                          \
    F(SDMA_PTEPDE_COPY, PTEPDE_OP, 0, 31, 1, 0, DEC, NULL)                                         \
    F(SDMA_PTEPDE_COPY, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA_PTEPDE_COPY, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                          \
    F(SDMA_PTEPDE_COPY, MASK, 5, 0, 64, 0, HEX, NULL)                                              \
    F(SDMA_PTEPDE_COPY, COUNT, 7, 0, 19, 0, DEC, NULL)

#define AMD_SDMA_PTEPDE_RMW_FIELDS(F, R)                                                           \
    F(SDMA_PTEPDE_RMW, GCC, 0, 19, 1, 0, DEC, NULL)                                                \
    F(SDMA_PTEPDE_RMW, SYS, 0, 20, 1, 0, DEC, NULL)                                                \
    F(SDMA_PTEPDE_RMW, SNP, 0, 22, 1, 0, DEC, NULL)                                                \
    F(SDMA_PTEPDE_RMW, GPA, 0, 23, 1, 0, DEC, NULL)                                                \
    F(SDMA_PTEPDE_RMW, ADDR, 1, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_PTEPDE_RMW, MASK, 3, 0, 64, 0, HEX, NULL)                                               \
    F(SDMA_PTEPDE_RMW, VALUE, 5, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_PTEPDE_COPY_BACKWARDS_FIELDS(F, R)                                                \
    F(SDMA_PTEPDE_COPY_BACKWARDS, PTE_SIZE, 0, 28, 2, 0, DEC, NULL)                                \
    F(SDMA_PTEPDE_COPY_BACKWARDS, DIRECTION, 0, 30, 1, 0, DEC, NULL)                               \
    F(SDMA_PTEPDE_COPY_BACKWARDS, PTEPDE_OP, 0, 31, 1, 0, DEC, NULL)                               \
    F(SDMA_PTEPDE_COPY_BACKWARDS, SRC_ADDR, 1, 0, 64, 0, HEX, NULL)                                \
    F(SDMA_PTEPDE_COPY_BACKWARDS, DST_ADDR, 3, 0, 64, 0, HEX, NULL)                                \
    F(SDMA_PTEPDE_COPY_BACKWARDS, MASK_FIRST_XFER, 5, 0, 8, 0, HEX, NULL)                          \
    F(SDMA_PTEPDE_COPY_BACKWARDS, MASK_LAST_XFER, 5, 8, 8, 0, HEX, NULL)                           \
    F(SDMA_PTEPDE_COPY_BACKWARDS, COUNT, 6, 0, 17, 0, DEC, NULL)

#define AMD_SDMA_TIMESTAMP_SET_FIELDS(F, R)                                                        \
    F(SDMA_TIMESTAMP_SET, INIT_DATA, 1, 0, 64, 0, HEX, NULL)

#define AMD_SDMA_TIMESTAMP_GET_FIELDS(F, R)                                                        \
    F(SDMA_TIMESTAMP_GET, WRITE_ADDR, 1, 3, 61, 3, HEX, NULL)

#define AMD_SDMA_TIMESTAMP_GET_GLOBAL_FIELDS(F, R)                                                 \
    F(SDMA_TIMESTAMP_GET_GLOBAL, WRITE_ADDR, 1, 3, 61, 3, HEX, NULL)

#define AMD_SDMA_SRBM_WRITE_FIELDS(F, R)                                                           \
    F(SDMA_SRBM_WRITE, BYTE_EN, 0, 28, 4, 0, HEX, NULL)                                            \
    F(SDMA_SRBM_WRITE, ADDR, 1, 0, 18, 0, HEX, NULL)                                               \
    F(SDMA_SRBM_WRITE, DATA, 2, 0, 32, 0, HEX, NULL)

#define AMD_SDMA_PRE_EXE_FIELDS(F, R)                                                              \
    F(SDMA_PRE_EXE, DEV_SEL, 0, 16, 8, 0, DEC, NULL)                                               \
    F(SDMA_PRE_EXE, EXEC_COUNT, 1, 0, 14, 0, DEC, NULL)

#define AMD_SDMA_DUMMY_TRAP_FIELDS(F, R)                                                           \
    F(SDMA_DUMMY_TRAP, INT_CONTEXT, 1, 0, 28, 0, DEC, NULL)

#define AMD_SDMA_GCR_FIELDS(F, R)                                                                  \
    F(SDMA_GCR, BASE_VA, 1, 7, 41, 7, HEX, NULL)                                                   \
    F(SDMA_GCR, GCR_CONTROL, 2, 16, 19, 0, HEX, NULL)                                              \
    F(SDMA_GCR, LIMIT_VA, 3, 7, 41, 7, HEX, NULL)                                                  \
    F(SDMA_GCR, VMID, 4, 24, 4, 0, DEC, NULL)

#define AMD_SDMA_PACKETS(P)                                                                        \
    P(NOP)                                                                                         \
    P(COPY_LINEAR)                                                                                 \
    P(COPY_BROADCAST_LINEAR)                                                                       \
    P(COPY_TILED)                                                                                  \
    P(COPY_L2T_BROADCAST)                                                                          \
    P(COPY_STRUCT)                                                                                 \
    P(COPY_LINEAR_SUBWIN)                                                                          \
    P(COPY_TILED_SUBWIN)                                                                           \
    P(COPY_T2T)                                                                                    \
    P(COPY_DIRTY_PAGE)                                                                             \
    P(COPY_PHYSICAL_LINEAR)                                                                        \
    P(WRITE_UNTILED)                                                                               \
    P(WRITE_TILED)                                                                                 \
    P(INDIRECT)                                                                                    \
    P(FENCE)                                                                                       \
    P(TRAP)                                                                                        \
    P(SEMAPHORE)                                                                                   \
    P(HDP_FLUSH)                                                                                   \
    P(POLL_REGMEM)                                                                                 \
    P(POLL_REG_WRITE_MEM)                                                                          \
    P(POLL_DBIT_WRITE_MEM)                                                                         \
    P(POLL_MEM_VERIFY)                                                                             \
    P(COND_EXE)                                                                                    \
    P(ATOMIC)                                                                                      \
    P(CONSTANT_FILL)                                                                               \
    P(DATA_FILL_MULTI)                                                                             \
    P(WRITE_INCR)                                                                                  \
    P(PTEPDE_COPY)                                                                                 \
    P(PTEPDE_RMW)                                                                                  \
    P(PTEPDE_COPY_BACKWARDS)                                                                       \
    P(TIMESTAMP_SET)                                                                               \
    P(TIMESTAMP_GET)                                                                               \
    P(TIMESTAMP_GET_GLOBAL)                                                                        \
    P(SRBM_WRITE)                                                                                  \
    P(PRE_EXE)                                                                                     \
    P(DUMMY_TRAP)                                                                                  \
    P(GCR)
/* clang-format on */

#define AMD_SDMA_CONSTANTS(packet)                                                                 \
    enum { AMD_SDMA_##packet##_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };
AMD_SDMA_PACKETS(AMD_SDMA_CONSTANTS)

#endif
