/* SPDX-License-Identifier: MIT */
/* The parser of a fault's text (emu/faults/inject.h): functions that its files share. */
#ifndef GFE_EMU_FAULTS_INJECT_TRIGGER_H
#define GFE_EMU_FAULTS_INJECT_TRIGGER_H

#include "emu/faults/inject.h"

/* Parses the trigger after the model, with its @; "" means that there is none. */
bool inject_trigger_parse(const struct machine *machine, const struct inject_sites *sites,
                          char *word, bool is_passage, struct inject_trigger *trigger,
                          struct gfe_error *error);

/* Finds a register, or its field, as a mask of the word at *offset.  In inject_parse.c. */
bool inject_reg(const struct machine *machine, const char *place, uint32_t *offset, uint32_t *mask,
                struct gfe_error *error);
/* Parses the name of a bank before a slash, and moves *text to after the slash. */
bool inject_bank(const struct machine *machine, const struct inject_sites *sites, char **text,
                 uint32_t *bank, struct gfe_error *error);
/* Finds a field of a site.  NULL for `name` stands for all bits of the passage. */
bool inject_field_parse(const struct machine *machine, const struct inject_site *site,
                        const char *name, struct inject_fault *fault, struct gfe_error *error);

#endif
