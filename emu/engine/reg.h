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
 *
 * A unit has several variants when chips differ in its registers.  One list holds them all, and a
 * mask with a bit for each variant (the device's own numbering) may stand before the text:
 *
 *         REG(NV_X_FOO, 0x014, 1, 4, RW, 0x00000000, NV_X_OLD, "what it is")
 *           FIELD(NV_X_FOO_BAR, 7, 0, RO, "read only, whatever the register is")
 *           FIELD(NV_X_FOO_BAZ, 8, 8, RW, NV_X_NEW, "the same, on some variants")
 *
 * So two registers may lie at one offset, and two fields on one bit, when no variant has both.
 */
#ifndef GFE_EMU_REG_H
#define GFE_EMU_REG_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reg_access {
    REG_RO,    /* writes are ignored */
    REG_RW,    /* reads back what was written */
    REG_WO,    /* reads as zero */
    REG_W1C,   /* writing 1 clears the bit */
    REG_HOOK,  /* as RW, and the unit's hook decides what is stored */
    REG_INERT, /* as RW, without effect on anything here: a write that changes it is reported */
    REG_SET, /* writing 1 sets the bit in the register at the offset that stands for a reset value,
              * which may be itself; reads as that one, or as zero if that one is RO */
    REG_CLEAR, /* likewise, and clears it */
    REG_SAME   /* of a field: as its register */
};

/* In a mask of variants: all there are. */
#define REG_ALL_VARIANTS UINT32_MAX

struct reg_row {
    enum reg_row_kind { ROW_REG, ROW_FIELD, ROW_VALUE } kind;
    const char *name, *doc;
    uint32_t number; /* byte offset, or value */
    uint32_t count, stride_bytes;
    uint32_t reset;
    uint32_t variants; /* bit per variant of the unit that has it */
    uint8_t access, hi, lo;
};

struct reg_list {
    const char *name;   /* of the unit, such as nv_pbdma */
    const char *source; /* the manual */
    const struct reg_row *rows;
    uint32_t row_count;
    /* The fields are all that the manual has: other bits of a register with fields are reserved,
     * read as zero, and a write of ones to them is reported. */
    bool complete;
    uint32_t variants;                /* those that have the unit; 0 = all */
    const char *const *variant_names; /* by bit number, ends with NULL; NULL = no variants */
};

/* What a write does to a register's bits, and which of them mean nothing. */
struct reg_masks {
    uint32_t stored;   /* take the bit that is written */
    uint32_t cleared;  /* are cleared by writing 1 */
    uint32_t set;      /* are set by writing 1 */
    uint32_t readable; /* read as they are stored; the others as zero */
    uint32_t inert;    /* of `stored`, those without effect */
    uint32_t reserved; /* in no field; 0 where software writes ones to all it may have to clear */
};

#define REG_CONST(name, at, count, stride, access, reset, ...) name = (at),
#define FIELD_CONST(name, hi, lo, ...)                         name##_HI = (hi), name##_LO = (lo),
#define VALUE_CONST(name, number, ...)                         name = (number),
// clang-format off
#define REG_ROW(name, at, count, stride, access, reset, ...)                                       \
    {ROW_REG, #name, REG_DOC(__VA_ARGS__), at, count, stride, reset, REG_VARIANTS(__VA_ARGS__),    \
     REG_##access, 31, 0},
#define FIELD_ROW(name, hi, lo, ...)                                                               \
    {ROW_FIELD, #name, FIELD_DOC(__VA_ARGS__), 0, 0, 0, 0, FIELD_VARIANTS(__VA_ARGS__),            \
     FIELD_ACCESS(__VA_ARGS__), hi, lo},
#define VALUE_ROW(name, number, ...)                                                               \
    {ROW_VALUE, #name, REG_DOC(__VA_ARGS__), number, 0, 0, 0, REG_VARIANTS(__VA_ARGS__),           \
     REG_SAME, 0, 0},
// clang-format on

/* The last of the arguments, and those that may stand before it. */
#define REG_PICK_3(a, b, c, picked, ...) picked
#define REG_DOC_1(doc)                   doc
#define REG_DOC_2(a, doc)                doc
#define REG_DOC_3(a, b, doc)             doc
#define REG_NO_VARIANTS(...)             REG_ALL_VARIANTS
#define REG_VARIANTS_2(variants, doc)    (variants)
#define REG_DOC(...)                     REG_PICK_3(__VA_ARGS__, REG_DOC_3, REG_DOC_2, REG_DOC_1, 0)(__VA_ARGS__)
#define REG_VARIANTS(...)                                                                          \
    REG_PICK_3(__VA_ARGS__, 0, REG_VARIANTS_2, REG_NO_VARIANTS, 0)(__VA_ARGS__)
#define FIELD_ACCESS_1(...)                     REG_SAME
#define FIELD_ACCESS_2(access, ...)             REG_##access
#define FIELD_VARIANTS_3(access, variants, doc) (variants)
#define FIELD_DOC(...)                          REG_DOC(__VA_ARGS__)
#define FIELD_ACCESS(...)                                                                          \
    REG_PICK_3(__VA_ARGS__, FIELD_ACCESS_2, FIELD_ACCESS_2, FIELD_ACCESS_1, 0)(__VA_ARGS__)
#define FIELD_VARIANTS(...)                                                                        \
    REG_PICK_3(__VA_ARGS__, FIELD_VARIANTS_3, REG_NO_VARIANTS, REG_NO_VARIANTS, 0)(__VA_ARGS__)

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

#define REG_GET(word, field)        reg_get((word), field##_HI, field##_LO)
#define REG_PUT(word, field, value) reg_put((word), field##_HI, field##_LO, (value))

/* Variants are masks here: REG_ALL_VARIANTS, or the bit of one. */

/* Row of the register at a byte offset, and which of an array it is; NULL when there is none. */
const struct reg_row *reg_find(const struct reg_list *list, uint32_t variants, uint32_t offset,
                               uint32_t *index);
/* Row of the register of that name (without regard to case); NULL when there is none. */
const struct reg_row *reg_by_name(const struct reg_list *list, uint32_t variants, const char *name);
/* The next field of the register that some of the variants have, behind `row`, which is the
 * register or one of its fields; NULL when there is none. */
const struct reg_row *reg_next_field(const struct reg_list *list, uint32_t variants,
                                     const struct reg_row *row);
/* Offset of the word that holds the bits of the register at that offset: REG_SET, REG_CLEAR. */
static inline uint32_t reg_held_at(const struct reg_row *row, uint32_t offset)
{
    return row->access == REG_SET || row->access == REG_CLEAR ? row->reset + offset - row->number
                                                              : offset;
}
/* What its access and its fields' make of a register.  One without fields has no reserved bits. */
struct reg_masks reg_masks(const struct reg_list *list, uint32_t variants,
                           const struct reg_row *row);
/* The part of a field's name that its register's name (or of a value's that its field's) does not
 * say already: behind one underscore, or two as AMD has them. */
const char *reg_short_name(const char *name, const char *prefix);
/* Short name of a field's value; NULL when it has none. */
const char *reg_value_name(const struct reg_list *list, const struct reg_row *field,
                           uint32_t value);
/* Writes "NAME=0001001f FIELD=31(VALUE) ..." with names cut of the register's own prefix; what
 * does not fit is cut off. */
void reg_format(const struct reg_list *list, uint32_t variants, const struct reg_row *row,
                uint32_t index, uint32_t value, char *text, size_t text_bytes);

#endif
