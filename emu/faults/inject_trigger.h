/* SPDX-License-Identifier: MIT */
/* The text of a fault (emu/faults/inject.h), between the files that parse it. */
#ifndef GFE_EMU_INJECT_TRIGGER_H
#define GFE_EMU_INJECT_TRIGGER_H

#include "emu/faults/inject.h"

/* What stands behind a model, with its @, or "": none. */
bool inject_trigger_parse(const struct machine *machine, const struct inject_sites *sites,
                          char *word, bool is_passage, struct inject_trigger *trigger,
                          struct gfe_error *error);

/* In inject_parse.c.  A register, or its field, as a mask of the word at *offset. */
bool inject_reg(const struct machine *machine, const char *place, uint32_t *offset, uint32_t *mask,
                struct gfe_error *error);
/* What stands before a slash names a bank; *text moves behind it. */
bool inject_bank(const struct machine *machine, const struct inject_sites *sites, char **text,
                 uint32_t *bank, struct gfe_error *error);
/* Where a field of a site lies; NULL: all that passes there. */
bool inject_field_parse(const struct machine *machine, const struct inject_site *site,
                        const char *name, struct inject_fault *fault, struct gfe_error *error);

#endif
