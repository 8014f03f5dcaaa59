/* SPDX-License-Identifier: MIT */
/*
 * What operations are called, in gfe explain, gfe debug, pictures and the page:
 *
 *   submission:4, gp:0:17, launch:2, draw:5, copy:1, semaphore:3   by their number in the log
 *   K1, C2, D3                    by their turn: the first kernel of the log, its second copy
 *   K4, S1/copy#2, Q1024/kernel   by what the program, or their queue, calls them (a label)
 *   K1:0, K4#3:0, launch:2:0, block:2.0   block 0 of one
 *
 * This file alone knows how such names are written; whether there is such an operation is known to
 * who has read the log: explain_find(), story_find().  A name by turn may be a label, too: labels
 * go first.
 */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_OPERATION_NAME_H
#define GFE_EMU_ANALYSIS_EXPLAIN_OPERATION_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/analysis/explain/explain.h"

enum operation_name_form { OPERATION_BY_NUMBER, OPERATION_BY_TURN, OPERATION_BY_LABEL };

struct operation_name {
    enum operation_name_form form;
    enum explain_kind kind; /* by number or turn; a block's is that of its launch */
    uint64_t number;        /* by number or turn, which counts from 1; a GP entry's in its ring */
    uint64_t channel, binding; /* of a GP entry; which of the channels of that number, from 0 */
    size_t bytes;              /* of the name without its block, as in "K1" of "K1:0" */
    bool has_block;
    uint32_t block;
};

/* Takes `text` apart.  False: nothing can be called so; name->form is right all the same. */
bool operation_name_read(const char *text, struct operation_name *name);
/* Is it a name by number, which an operation of the GPU has and no program gives? */
bool operation_name_is_number(const char *text);

#endif
