/* SPDX-License-Identifier: MIT */
/*
 * Names of operations in gfe explain, gfe debug, pictures and the page:
 *
 *   by their number in the log    submission:4, gp:0:17, launch:2, draw:5, copy:1, semaphore:3
 *   by their turn                 K1, C2, D3: the first kernel of the log, the second copy, ...
 *   by a label                    K4, S1/copy#2, Q1024/kernel: as the program, or their queue,
 *                                 calls them
 *   block 0 of one                K1:0, K4#3:0, launch:2:0, block:2.0
 *
 * Only this file knows how such names are written.  Whether such an operation exists is known only
 * after the log has been read: explain_find(), story_find().  A name by turn may be a label, too;
 * then it means the label.
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
    enum explain_kind kind; /* by number or turn; the kind of a block is that of its launch */
    uint64_t number; /* by number, or by turn, from 1; for a GP entry its number in its ring */
    /* for a GP entry; `binding` counts the channels of that number, from 0 */
    uint64_t channel, binding;
    size_t bytes; /* length of the name without its block, as in "K1" of "K1:0" */
    bool has_block;
    uint32_t block;
};

/* Takes `text` apart.  Returns false if nothing can be called that; `name->form` is right all the
 * same. */
bool operation_name_read(const char *text, struct operation_name *name);
/* Returns true if the name is one by number, which an operation of the GPU has and no program
 * gives. */
bool operation_name_is_number(const char *text);

#endif
