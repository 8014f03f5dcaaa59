/* SPDX-License-Identifier: MIT */
/*
 * Register lists.  A unit's registers are declared once, in an X-macro named after the manual's
 * unit.  Constants, storage, access rules, decoding to text and `gfe regs` all come from it:
 *
 *     #define NV_X_REGS(REG, FIELD, VALUE)                                           \
 *         REG(NV_X_FOO, 0x014, 1, 4, RW, 0x00000000, "what it is")                    \
 *           FIELD(NV_X_FOO_BAR, 7, 0, "what it means")                                \
 *             VALUE(NV_X_FOO_BAR_ON, 1, "")
 *
 * REG's arguments: name, byte offset from the unit's base, number of registers, stride in bytes,
 * access, reset value, text.  A field belongs to the register above it, and a value to the field
 * above it.
 *
 * A unit has several variants if chips differ in its registers.  One list holds them all.  A mask
 * with a bit for each variant (the device's own numbering) may stand before the text:
 *
 *         REG(NV_X_FOO, 0x014, 1, 4, RW, 0x00000000, NV_X_OLD, "what it is")
 *           FIELD(NV_X_FOO_BAR, 7, 0, RO, "read only, whatever the register is")
 *           FIELD(NV_X_FOO_BAZ, 8, 8, RW, NV_X_NEW, "the same, on some variants")
 *
 * So two registers may lie at one offset, and two fields on one bit, if no variant has both.
 */
#ifndef GFE_EMU_ENGINE_REG_H
#define GFE_EMU_ENGINE_REG_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reg_access {
    REG_RO,    /* writes are ignored */
    REG_RW,    /* reads back what was written */
    REG_WO,    /* reads as zero */
    REG_W1C,   /* writing 1 clears the bit */
    REG_HOOK,  /* like RW, but the unit's hook decides what is stored */
    REG_INERT, /* like RW, without effect on anything here: a write that changes it is reported */
    /* writing 1 sets the bit in the target register, whose offset stands for the reset value and
     * may be this register's own; reads as the target, or as zero if the target is RO */
    REG_SET,
    REG_CLEAR, /* like REG_SET, but clears the bit */
    REG_SAME   /* of a field: same as its register */
};

/* In a mask of variants: all variants. */
#define REG_ALL_VARIANTS UINT32_MAX

struct reg_row {
    enum reg_row_kind { ROW_REG, ROW_FIELD, ROW_VALUE } kind;
    const char *name, *doc;
    uint32_t number; /* byte offset, or value */
    uint32_t count, stride_bytes;
    uint32_t reset;
    uint32_t variants; /* a bit for each variant of the unit that has it */
    uint8_t access, hi, lo;
};

struct reg_list {
    const char *name;   /* of the unit, such as nv_pbdma */
    const char *source; /* the manual */
    const struct reg_row *rows;
    uint32_t row_count;
    /* True if the fields are all that the manual has.  The other bits of a register with fields are
     * then reserved and read as zero, and a write of ones to them is reported. */
    bool complete;
    uint32_t variants; /* variants that have the unit; 0 means all */
    /* by bit number, ends with NULL; NULL if there are no variants */
    const char *const *variant_names;
};

/* What a write does to a register's bits, and which of them have no meaning. */
struct reg_masks {
    uint32_t stored;   /* bits that take the value written */
    uint32_t cleared;  /* bits cleared by writing 1 */
    uint32_t set;      /* bits set by writing 1 */
    uint32_t readable; /* bits that read as they are stored; the others read as zero */
    uint32_t inert;    /* those of `stored` that have no effect */
    /* bits in no field; 0 where software writes ones to all bits that it may have to clear */
    uint32_t reserved;
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

/* Pick the last of the arguments, and those that may stand before it. */
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

/* Returns a field of a word. 0 <= lo <= hi <= 31. */
static inline uint32_t reg_get(uint32_t word, unsigned hi, unsigned lo)
{
    return (word >> lo) & (UINT32_MAX >> (31 - (hi - lo)));
}

/* Returns the word with the field replaced.  The value must fit (asserted). */
static inline uint32_t reg_put(uint32_t word, unsigned hi, unsigned lo, uint32_t value)
{
    const uint32_t mask = UINT32_MAX >> (31 - (hi - lo));

    assert(value <= mask);
    return (word & ~(mask << lo)) | value << lo;
}

#define REG_GET(word, field)        reg_get((word), field##_HI, field##_LO)
#define REG_PUT(word, field, value) reg_put((word), field##_HI, field##_LO, (value))

/* In the functions below variants are masks: REG_ALL_VARIANTS, or the bit of one variant. */

/* Returns the row of the register at a byte offset, or NULL if there is none. *index is its index
 * in an array. */
const struct reg_row *reg_find(const struct reg_list *list, uint32_t variants, uint32_t offset,
                               uint32_t *index);
/* Returns the row of the register of that name (case is ignored), or NULL if there is none. */
const struct reg_row *reg_by_name(const struct reg_list *list, uint32_t variants, const char *name);
/* Returns the next field of the register that some of the variants have.  `row` is the register or
 * one of its fields.  Returns NULL if there is no further field. */
const struct reg_row *reg_next_field(const struct reg_list *list, uint32_t variants,
                                     const struct reg_row *row);
/* Returns the offset of the word that holds the bits of the register at that offset.  It differs
 * from `offset` for REG_SET and REG_CLEAR. */
static inline uint32_t reg_held_at(const struct reg_row *row, uint32_t offset)
{
    return row->access == REG_SET || row->access == REG_CLEAR ? row->reset + offset - row->number
                                                              : offset;
}
/* Returns the masks that follow from the access of a register and its fields.  A register without
 * fields has no reserved bits. */
struct reg_masks reg_masks(const struct reg_list *list, uint32_t variants,
                           const struct reg_row *row);
/* Returns the part of a field's name after the name of its register, or of a value's name after
 * that of its field.  One underscore separates them, or two in AMD's names. */
const char *reg_short_name(const char *name, const char *prefix);
/* Returns the short name of a field's value, or NULL if it has none. */
const char *reg_value_name(const struct reg_list *list, const struct reg_row *field,
                           uint32_t value);
/* Writes "NAME=0001001f FIELD=31(VALUE) ...", with field names shortened by the register's own
 * prefix.  Text that does not fit is cut off. */
void reg_format(const struct reg_list *list, uint32_t variants, const struct reg_row *row,
                uint32_t index, uint32_t value, char *text, size_t text_bytes);

#endif
