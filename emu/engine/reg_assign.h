/* SPDX-License-Identifier: MIT */
/*
 * Registers by their manual's names, as people write them: on the command line (gfe run --poke) and
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
 * NAME(i) means NAME[i].  A FIELD is named in full or by what its register's name does not say; a
 * VALUE is a number, or the name of one of the field's values, likewise.  Blanks may stand around
 * the signs.  Names are looked up in the registers that the machine has: those of its generation.
 */
#ifndef GFE_EMU_REG_ASSIGN_H
#define GFE_EMU_REG_ASSIGN_H

#include "emu/engine/mmio.h"

enum { REG_ASSIGN_BYTES = 1024 /* a text is shorter */ };

struct reg_assign {
    uint32_t offset;           /* BAR0, bytes */
    uint32_t value;            /* bits outside the mask are 0 */
    uint32_t mask;             /* UINT32_MAX: the whole word is written without a read */
    const struct reg_row *row; /* of the register; NULL: the offset was given, no list has it */
    const struct reg_list *list;
    uint32_t variants; /* of the list, that the machine has */
    uint32_t index;    /* of an array */
};

/* What was wrong, in words without a full stop or newline. */
struct reg_assign_message {
    char text[256];
};

/* Parses an assignment.  False with a message. */
bool reg_assign_parse(const struct mmio *mmio, const char *text, struct reg_assign *assign,
                      struct reg_assign_message *message);
/* The register at an offset, of the machine's lists; false: there is none. */
bool reg_assign_find(const struct mmio *mmio, uint32_t offset, struct reg_assign *assign);

/* ---- by name, for code that works on every generation ---------------------------------------- */

#define REG_ASSIGN_ANY_UNIT UINT32_MAX

/* The register of that name: of the unit with that instance number, or of the first that has it;
 * `index` of an array.  False: this machine has none. */
bool reg_assign_named(const struct mmio *mmio, const char *name, uint32_t instance, uint32_t index,
                      struct reg_assign *assign);
/* A field of a register's word, named as above.  False, with *value 0: it has no such field. */
bool reg_assign_field(const struct reg_assign *assign, uint32_t word, const char *field,
                      uint32_t *value);
/* The word with that field set to a value that fits (asserted); unchanged when there is none. */
uint32_t reg_assign_put(const struct reg_assign *assign, uint32_t word, const char *field,
                        uint32_t value);

#endif
