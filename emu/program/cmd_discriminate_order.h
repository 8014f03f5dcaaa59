/* SPDX-License-Identifier: MIT */
/* gfe discriminate of amd.baton: judges the timeline of an isolated kernel (docs/block-order.md).
 * Private to cmd_discriminate*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_DISCRIMINATE_ORDER_H
#define GFE_EMU_PROGRAM_CMD_DISCRIMINATE_ORDER_H

#include <stdbool.h>

#include "emu/base/error.h"

struct gpu;

/* The choice point that is judged so, and what the caller asks. */
#define DISCRIMINATE_ORDER_POINT "amd.baton"
struct discriminate_order_question {
    const char *gpu;
    const struct gpu *described; /* that GPU, if a file describes it; else NULL */
    bool swapped;                /* A is `placed` and B `staged`; else the other way round */
    bool json;
};

/* Returns true if that is the GPU of a vendor whose shader engines the choice point is about. */
bool discriminate_order_has(const char *gpu, const struct gpu *described);
/* Judges the file, and prints what was counted and the verdict.  Sets *decided if the verdict is
 * one of both alternatives.  Returns false with a message on error. */
bool discriminate_order(const struct discriminate_order_question *question, const char *path,
                        bool *decided, struct gfe_error *error);

#endif
