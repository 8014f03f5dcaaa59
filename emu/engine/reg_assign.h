/* SPDX-License-Identifier: MIT */
/*
 * Registers by their manual's names, as people write them on the command line (gfe run --poke) and
 * in register-level programs (gfe import bus).
 *
 *     place       NAME                   NV_PFIFO_SCHED_DISABLE
 *                 NAME[i]                one of an array, or of several like units: the i-th
 *                                        PBDMA's NV_PPBDMA_INTR_0[i]
 *                 NAME[i][j]             both: first which unit, then which register
 *                 0xOFFSET               a BAR0 offset, in bytes, whether a list has it or not
 *     assignment  PLACE = NUMBER         the whole register
 *                 PLACE.FIELD = VALUE    one field; the rest stays as it is read
 *                 PLACE FIELD=VALUE ...  the whole register, of these fields; other bits are 0
 *
 * NAME(i) means NAME[i].  A FIELD is its full name, or the part after its register's name.  A VALUE
 * is a number, or the name of one of the field's values, in full or without the field's name.
 * Blanks may stand around the signs.  Names are looked up in the registers that the machine has:
 * those of its generation.
 */
#ifndef GFE_EMU_ENGINE_REG_ASSIGN_H
#define GFE_EMU_ENGINE_REG_ASSIGN_H

#include "emu/engine/mmio.h"

enum { REG_ASSIGN_BYTES = 1024 /* texts are shorter than this */ };

struct reg_assign {
    uint32_t offset; /* BAR0, bytes */
    uint32_t value;  /* bits outside the mask are 0 */
    uint32_t mask;   /* UINT32_MAX means that the whole word is written without a read */
    /* of the register; NULL if only the offset was given and no list has it */
    const struct reg_row *row;
    const struct reg_list *list;
    uint32_t variants; /* bit of the list's variant that the machine has */
    uint32_t index;    /* index in an array */
};

/* A message in words, without a full stop or newline. */
struct reg_assign_message {
    char text[256];
};

/* Parses an assignment.  Returns false with a message. */
bool reg_assign_parse(const struct mmio *mmio, const char *text, struct reg_assign *assign,
                      struct reg_assign_message *message);
/* Finds the register at an offset in the machine's lists.  Returns false if there is none. */
bool reg_assign_find(const struct mmio *mmio, uint32_t offset, struct reg_assign *assign);

/* ---- by name, for code that works on every generation ---------------------------------------- */

#define REG_ASSIGN_ANY_UNIT UINT32_MAX

/* Finds the register of that name: of the unit with that instance number, or of the first unit that
 * has it for `REG_ASSIGN_ANY_UNIT`.  `index` is the index in an array.  Returns false if this
 * machine has no such register. */
bool reg_assign_named(const struct mmio *mmio, const char *name, uint32_t instance, uint32_t index,
                      struct reg_assign *assign);
/* Moves from a register of an array that was found to the next one of it.  Returns false, without a
 * change, at the end of the array or of the unit. */
bool reg_assign_next(const struct mmio *mmio, struct reg_assign *assign);
/* Reads a field of a register's word; the field is named as above.  Returns false, with *value 0,
 * if the register has no such field. */
bool reg_assign_field(const struct reg_assign *assign, uint32_t word, const char *field,
                      uint32_t *value);
/* Returns the word with that field set to a value that fits (asserted).  Returns it unchanged if
 * there is no such field. */
uint32_t reg_assign_put(const struct reg_assign *assign, uint32_t word, const char *field,
                        uint32_t value);

#endif
