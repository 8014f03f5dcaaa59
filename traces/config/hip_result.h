/* SPDX-License-Identifier: MIT */
/*
 * Result files of hip_plugin_framework: when the blocks of a kernel started and ended.
 *
 * The form is that of cuda_scheduling_examiner (examiner_result.h), from which the tool descends,
 * with other names and without the SM of each block.  Only a kernel's shape and its block_times are
 * read here.  They are start and end of block 0, of block 1 and so on, in millions of cycles with
 * six digits that count.  The CUs do not share one counter: times of different blocks do not
 * compare (emu/explore/block_order.h).
 */
#ifndef GFE_TRACES_CONFIG_HIP_RESULT_H
#define GFE_TRACES_CONFIG_HIP_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

enum { HIP_RESULT_TEXT_BYTES_MAX = 16 << 20 };

/* A block's times, each in cycles of the clock that its CU reads. */
struct hip_result_block {
    int64_t start_cycles, end_cycles;
};

/* The first kernel of a file. */
struct hip_result {
    uint32_t threads;                /* of a block */
    uint32_t block_count;            /* 1 or more */
    struct hip_result_block *blocks; /* by index; owned */
};

/* Reads a text.  Returns false with a message if the text has no kernel with times of blocks.  Call
 * hip_result_free() in any case. */
bool hip_result_parse(struct hip_result *result, const char *text, size_t bytes, const char *name,
                      struct gfe_error *error);
/* Reads a file, or standard input if `path` is "-", in the same way. */
bool hip_result_load(struct hip_result *result, const char *path, struct gfe_error *error);
void hip_result_free(struct hip_result *result);

#endif
