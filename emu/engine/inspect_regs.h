/* SPDX-License-Identifier: MIT */
/*
 * Registers as rows of a view (emu/engine/inspect.h), of any vendor: offset, name, value, fields.
 */
#ifndef GFE_EMU_INSPECT_REGS_H
#define GFE_EMU_INSPECT_REGS_H

#include "emu/engine/inspect.h"
#include "emu/engine/reg_assign.h"

/* `regs UNIT`: all registers of a unit, as gfe regs names it; UNIT[1] is one of several. */
json_t *inspect_regs_build(const struct inspect_subject *subject);
void inspect_regs_print(FILE *file, const json_t *view);

/* For builders. "FIELD=3(NAME) ..." of a register: what reg_format() says behind the first word. */
void inspect_fields_text(const struct reg_assign *reg, uint32_t word, char *text, size_t bytes);
/* {"FIELD": number, ...}; NULL when memory is short. */
json_t *inspect_fields_json(const struct reg_assign *reg, uint32_t word);
/* One register; NULL when memory is short. */
json_t *inspect_register_row(struct machine *machine, const struct reg_assign *reg);
/* Adds each register of a window; elements of arrays that hold their reset value are counted, not
 * shown. */
bool inspect_window_add(json_t *view, struct machine *machine, const struct mmio_window *window,
                        uint32_t *left_out);

#endif
