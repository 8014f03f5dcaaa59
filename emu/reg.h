/* SPDX-License-Identifier: MIT */
/*
 * Register lists.  A unit's registers are declared once, in an X-macro named after the manual's
 * unit; constants, storage, access rules, decoding to text and `gfe regs` all come from it:
 *
 *     #define NV_X_REGS(REG, FIELD, VALUE)                                          \
 *         REG(NV_X_FOO, 0x014, 1, 4, RW, 0x00000000, "what it is")                  \
 *           FIELD(NV_X_FOO_BAR, 7, 0, "what it means")                              \
 *             VALUE(NV_X_FOO_BAR_ON, 1, "")
 *
 * REG's arguments: name, byte offset from the unit's base, number of registers, stride in bytes,
 * access, reset value, text.  A field belongs to the register above it, a value to the field.
 */
#ifndef GFE_EMU_REG_H
#define GFE_EMU_REG_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reg_access {
    REG_RO,  /* writes are ignored */
    REG_RW,  /* reads back what was written */
    REG_WO,  /* reads as zero */
    REG_W1C, /* writing 1 clears the bit */
    REG_HOOK /* as RW, and the unit's hook decides what is stored */
};

struct reg_row {
    enum reg_row_kind { ROW_REG, ROW_FIELD, ROW_VALUE } kind;
    const char *name, *doc;
    uint32_t number; /* byte offset, or value */
    uint32_t count, stride_bytes;
    uint32_t reset;
    uint8_t access, hi, lo;
};

struct reg_list {
    const char *name;   /* of the unit, such as nv_pbdma */
    const char *source; /* the manual */
    const struct reg_row *rows;
    uint32_t row_count;
};

#define REG_CONST(name, at, count, stride, access, reset, doc) name = (at),
#define FIELD_CONST(name, hi, lo, doc) name##_HI = (hi), name##_LO = (lo),
#define VALUE_CONST(name, number, doc) name = (number),
#define REG_ROW(name, at, count, stride, access, reset, doc)                                       \
    {ROW_REG, #name, doc, at, count, stride, reset, REG_##access, 31, 0},
#define FIELD_ROW(name, hi, lo, doc) {ROW_FIELD, #name, doc, 0, 0, 0, 0, 0, hi, lo},
#define VALUE_ROW(name, number, doc) {ROW_VALUE, #name, doc, number, 0, 0, 0, 0, 0, 0},

/* Field of a word.  0 <= lo <= hi <= 31. */
static inline uint32_t reg_get(uint32_t word, unsigned hi, unsigned lo)
{
    return (word >> lo) & (UINT32_MAX >> (31 - (hi - lo)));
}

/* The word with the field replaced; the value must fit (asserted). */
static inline uint32_t reg_put(uint32_t word, unsigned hi, unsigned lo, uint32_t value)
{
    const uint32_t mask = UINT32_MAX >> (31 - (hi - lo));

    assert(value <= mask);
    return (word & ~(mask << lo)) | value << lo;
}

#define REG_GET(word, field) reg_get((word), field##_HI, field##_LO)
#define REG_PUT(word, field, value) reg_put((word), field##_HI, field##_LO, (value))

/* Row of the register at a byte offset, and which of an array it is; NULL when there is none. */
const struct reg_row *reg_find(const struct reg_list *list, uint32_t offset, uint32_t *index);
/* Writes "NAME=0001001f FIELD=31(VALUE) ..." with names cut of the register's own prefix; what
 * does not fit is cut off. */
void reg_format(const struct reg_list *list, const struct reg_row *row, uint32_t index,
                uint32_t value, char *text, size_t text_bytes);

#endif
