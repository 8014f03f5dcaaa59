/* SPDX-License-Identifier: MIT */
/*
 * The tables of this build as pages to read: register lists (`gfe regs`), and rules, parameters and
 * choice points (`gfe rules`).  Knows the tables' form only, not who fills them.
 */
#ifndef GFE_EMU_DESCRIBE_H
#define GFE_EMU_DESCRIBE_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/engine/reg.h"
#include "emu/log/rule.h"

/* Variants are masks, as in emu/engine/reg.h: only what one of them has is printed. */

/* One line per list. */
void describe_reg_lists(FILE *file, const struct reg_list *const *lists, uint32_t list_count,
                        uint32_t variants);
/* The list's name and source, and its registers with their fields and values.  `word`: only the
 * register of that name, or if there is none, those whose names contain it, in whatever case; NULL:
 * all.  Returns how many registers were printed; when 0, nothing was. */
uint32_t describe_registers(FILE *file, const struct reg_list *list, uint32_t variants,
                            const char *word);
/* The variants whose names begin with the word, in whatever case, of all lists; 0 = none. */
uint32_t describe_variants(const struct reg_list *const *lists, uint32_t list_count,
                           const char *word);

/* Rules, parameters and choice points of some families.  `label`: only the row of that label or id,
 * or all whose label begins with it and a dot; NULL: all.  Returns how many rows were printed; when
 * 0, nothing was. */
uint32_t describe_rules(FILE *file, const struct table_set *const *sets, uint32_t set_count,
                        const char *label);
/* The same as JSON: {"rules": [...], "parameters": [...], "choice_points": [...]}; the caller's
 * reference.  NULL when memory is short. */
json_t *describe_rules_json(const struct table_set *const *sets, uint32_t set_count,
                            const char *label);

/* Prints the text in lines of at most 100 columns, each after `indent` spaces. */
void describe_wrapped(FILE *file, int indent, const char *text);

#endif
