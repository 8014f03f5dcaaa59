/* SPDX-License-Identifier: MIT */
/*
 * Prints the tables of this build: register lists (`gfe regs`), and rules, parameters and choice
 * points (`gfe rules`).  The code depends only on the tables' form, not on the units that fill
 * them.
 */
#ifndef GFE_EMU_SIM_DESCRIBE_H
#define GFE_EMU_SIM_DESCRIBE_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/engine/reg.h"
#include "emu/log/rule.h"

/* Variants are masks, as in emu/engine/reg.h.  Only rows of one of the variants are printed. */

/* Prints one line per list. */
void describe_reg_lists(FILE *file, const struct reg_list *const *lists, uint32_t list_count,
                        uint32_t variants);
/* Prints the list's name and source, and its registers with their fields and values.  If `word` is
 * not NULL, it prints only the register of that name or, if there is none, the registers whose
 * names contain it.  Case does not matter.  Returns how many registers were printed; for 0 it
 * prints nothing. */
uint32_t describe_registers(FILE *file, const struct reg_list *list, uint32_t variants,
                            const char *word);
/* Returns the variants of all lists whose names begin with the word; case does not matter.  0 means
 * none. */
uint32_t describe_variants(const struct reg_list *const *lists, uint32_t list_count,
                           const char *word);

/* Which rows of the tables are printed, and for which GPU. */
struct describe_question {
    /* Only the row of that label or id, or the rows whose label begins with it and a dot; NULL: all
     * rows. */
    const char *label;
    /* A GPU and its chip: what was seen on others is carried over to it.  NULL: what was seen is
     * not compared. */
    const char *gpu, *chip;
};
/* Prints rules, parameters and choice points of some families.  Returns how many rows were printed;
 * for 0 it prints nothing. */
uint32_t describe_rules(FILE *file, const struct table_set *const *sets, uint32_t set_count,
                        const struct describe_question *question);
/* Returns the same rows as JSON: {"rules": [...], "parameters": [...], "choice_points": [...]}. The
 * caller owns the reference.  Returns NULL if memory is short. */
json_t *describe_rules_json(const struct table_set *const *sets, uint32_t set_count,
                            const struct describe_question *question);

/* Prints the text in lines of at most 100 columns, each after `indent` spaces. */
void describe_wrapped(FILE *file, int indent, const char *text);

#endif
