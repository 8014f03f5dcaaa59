/* SPDX-License-Identifier: MIT */
/*
 * Registers as rows of a view (emu/engine/inspect.h), for any vendor: offset, name, value, fields.
 */
#ifndef GFE_EMU_ENGINE_INSPECT_REGS_H
#define GFE_EMU_ENGINE_INSPECT_REGS_H

#include "emu/engine/inspect.h"
#include "emu/engine/reg_assign.h"

/* Build and print `regs UNIT`: all registers of a unit, by the unit's name in gfe regs.  UNIT[1] is
 * one of several. */
json_t *inspect_regs_build(const struct inspect_subject *subject);
void inspect_regs_print(FILE *file, const json_t *view);

/* Writes "FIELD=3(NAME) ..." for a register, for builders: the text of reg_format() after the first
 * word. */
void inspect_fields_text(const struct reg_assign *reg, uint32_t word, char *text, size_t bytes);
/* Returns {"FIELD": number, ...}, or NULL when memory is short. */
json_t *inspect_fields_json(const struct reg_assign *reg, uint32_t word);
/* Returns the row of one register, or NULL when memory is short. */
json_t *inspect_register_row(struct machine *machine, const struct reg_assign *reg);
/* Adds a row for each register of a window.  Elements of arrays that hold their reset value are
 * counted in *left_out instead.  Returns false when memory is short. */
bool inspect_window_add(json_t *view, struct machine *machine, const struct mmio_window *window,
                        uint32_t *left_out);

#endif
