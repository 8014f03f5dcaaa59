/* SPDX-License-Identifier: MIT */
/* What gfe explain prints.  docs/explain.md describes the JSON forms.  Their members keep their
 * names and meanings; more members may be added. */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_PRINT_H
#define GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_PRINT_H

#include <stdio.h>

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/explain/explain_against.h"

enum { EXPLAIN_TEXT_PIECES = 60 }; /* a longer life is cut in the middle, unless `all` is set */

struct explain_print {
    FILE *file;
    const struct explain *explain;
    struct gfe_error *error;
    enum explain_kind only;          /* list only this kind; EXPLAIN_KINDS: all kinds */
    uint64_t top;                    /* how many to list, longest waits first; 0: all, in order */
    struct explain_against *against; /* compare the listed operations; NULL: nothing is compared */
    bool exact;                      /* text: times in picoseconds */
    bool blocks;                     /* list blocks too */
    bool all;                        /* text: all pieces */
    bool with_pieces;                /* JSON: the pieces of listed operations */
};

/* Print one line or object for each operation.  All functions of this group return false when
 * memory is short. */
bool explain_text_list(const struct explain_print *print);
bool explain_json_list(const struct explain_print *print);
/* Print one operation, piece by piece. */
bool explain_text_one(const struct explain_print *print, struct explain_ref ref);
bool explain_json_one(const struct explain_print *print, struct explain_ref ref);
/* Print all waits, added up rule by rule and for each kind of operation. */
bool explain_text_rules(const struct explain_print *print);
bool explain_json_rules(const struct explain_print *print);

/* ---- for both forms -------------------------------------------------------------------------- */

/* Calls `take` for each operation to be listed, in the order asked for.  `depth` is 0 for a
 * submission, and more for what is below it.  Stops when `take` returns false.  Returns false then,
 * or when memory is short. */
typedef bool explain_list_take(const struct explain_print *print, struct explain_ref ref,
                               const struct explain_life *life, uint32_t depth, void *context);
bool explain_list(const struct explain_print *print, explain_list_take *take, void *context);

/* Waits of one kind of operation under one rule. */
struct explain_rule_row {
    uint32_t rule;
    enum explain_kind kind;
    uint64_t operation_count; /* operations that waited under the rule */
    uint64_t piece_count;
    gfe_ps total_ps, longest_ps;
    struct explain_ref longest; /* the operation or block that has the longest wait */
    uint64_t counted;           /* while adding up: the operation that was counted last */
    struct explain_by by;
};
enum { EXPLAIN_RULE_ROWS = 256 };
/* Fills `rows`, longest total first within a kind.  Returns the number of rows, or UINT32_MAX when
 * memory is short. */
uint32_t explain_rules(const struct explain_print *print,
                       struct explain_rule_row rows[EXPLAIN_RULE_ROWS]);

#endif
