/* SPDX-License-Identifier: MIT */
/*
 * Words of the copy class for tests (source: open-gpu-doc classes/dma-copy/clc1b5.h), and bytes for
 * copies to move.  For tests of channel 0 on a struct check_machine.
 */
#ifndef TESTS_COPY_METHODS_H
#define TESTS_COPY_METHODS_H

#include <check.h>
#include <stdlib.h>

#include "tests/check_machine.h"

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum { TARGET = 0x100000, BACK = 0x200000, SEMAPHORE = 0x300000 };
/* LAUNCH_DMA: not pipelined, several lines, of pitch or block-linear layout. */
enum { PITCH_TO_PITCH = 0x382, PITCH_TO_TILED = 0x282, TILED_TO_PITCH = 0x302, TILED = 0x202 };
enum { ONE_WORD = 1 << 3, FOUR_WORDS = 2 << 3, REMAP = 1 << 10, REDUCTION = 1 << 19 };
enum { INTR_0 = 0x2100, INTR_0_MMU_FAULT = 1 << 28, PMC_INTR = 0x100, LCE0 = 0x104400 };
/* Address after the last byte of the mapped memory. */
#define END_OF_MEMORY (CHECK_VA + CHECK_MEMORY_BYTES)

#define COPY(from, to, pitch_from, pitch_to, length, lines)                                        \
    PB_INC(4, 0x400, 8), 0, DATA(from), 0, DATA(to), (uint32_t)(pitch_from), (uint32_t)(pitch_to), \
        (length), (lines)
#define LAUNCH(word)            PB_INC(4, 0x300, 1), (uint32_t)(word)
#define SEMAPHORE_AT(offset, n) PB_INC(4, 0x240, 3), 0, DATA(offset), (uint32_t)(n)
/* SET_DST_BLOCK_SIZE (0x70c) or SET_SRC_BLOCK_SIZE (0x728) and the five methods after it, of which
 * the last is an origin. */
#define SURFACE(at, block, width, height, depth, layer, x, y)                                      \
    PB_INC(4, at, 6), (block) | 0x1000, (width), (height), (depth), (layer), (x) | (y) << 16

/* Fills memory with bytes that differ from their neighbours near and far. */
static inline void copy_fill(struct check_machine *check, uint64_t va, uint32_t bytes,
                             uint32_t seed)
{
    uint8_t *data = malloc(bytes);

    ck_assert_ptr_nonnull(data);
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + (i >> 16) + seed);
    check_machine_fill(check, va, data, bytes);
    free(data);
}

/* Returns a copy of the machine's memory, which the caller frees. */
static inline uint8_t *copy_fetch(struct check_machine *check, uint64_t va, uint32_t bytes)
{
    uint8_t *data = malloc(bytes);

    ck_assert_ptr_nonnull(data);
    check_machine_fetch(check, va, data, bytes);
    return data;
}

#endif
