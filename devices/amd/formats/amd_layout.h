/* SPDX-License-Identifier: MIT */
/*
 * Packets and descriptors as tables: which bits of which dword are which field.  PM4, AQL and SDMA
 * packets, MQDs and kernel descriptors are all described so (amd_pm4.h and its neighbours);
 * constants for code, decoding for readers and the tests' round trips come from one list of each.
 *
 * A list is an X-macro of fields, with F for bits and R for a dword that is a register's value:
 *
 *     #define AMD_PM4_X_FIELDS(F, R)                                                    \
 *         F(PM4_X, ADDR, 1, 2, 46, 2, HEX, NULL)   dword 1, from bit 2 on, 46 bits, << 2 \
 *         R(PM4_X, INITIATOR, 3, COMPUTE_DISPATCH_INITIATOR)
 *
 * gives the constants AMD_PM4_X_ADDR and AMD_PM4_X_INITIATOR for amd_get() and amd_put().  A field
 * may go on in the next dwords, so an address in two is one field.
 */
#ifndef GFE_DEVICES_AMD_AMD_LAYOUT_H
#define GFE_DEVICES_AMD_AMD_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/reg.h"

/* Where a field is, as one number: first bit of the packet, how many (1 to 64), shift of its value.
 */
#define AMD_BITS(dword, lo, width, shift)                                                          \
    ((uint32_t)((dword)*32 + (lo)) | (uint32_t)(width) << 16 | (uint32_t)(shift) << 23)
#define AMD_BITS_FIRST(bits)  ((bits)&0xffff)
#define AMD_BITS_WIDTH(bits)  ((bits) >> 16 & 0x7f)
#define AMD_BITS_SHIFT(bits)  ((bits) >> 23 & 0x1f)
/* How many dwords there must be. */
#define AMD_BITS_DWORDS(bits) ((AMD_BITS_FIRST(bits) + AMD_BITS_WIDTH(bits) + 31) / 32)

#define AMD_FIELD_CONST(packet, field, dword, lo, width, shift, form, names)                       \
    AMD_##packet##_##field = AMD_BITS(dword, lo, width, shift),
#define AMD_FIELD_CONST_R(packet, field, dword, reg)                                               \
    AMD_##packet##_##field = AMD_BITS(dword, 0, 32, 0),
#define AMD_FIELD_ROW(packet, field, dword, lo, width, shift, form, names)                         \
    {#field, AMD_BITS(dword, lo, width, shift), AMD_##form, 0, names},
#define AMD_FIELD_ROW_R(packet, field, dword, reg)                                                 \
    {#field, AMD_BITS(dword, 0, 32, 0), AMD_HEX, reg, NULL},

enum amd_form {
    AMD_DEC,
    AMD_HEX,
    AMD_LESS1, /* decimal, and what is meant is one more */
};

/* Name of a value; a list ends with name NULL. */
struct amd_value {
    uint32_t number;
    const char *name;
};

struct amd_field {
    const char *name;
    uint32_t bits; /* AMD_BITS() */
    uint8_t form;
    uint32_t reg; /* byte offset of the register that it is the value of; 0 = none */
    const struct amd_value *values; /* NULL = no names */
};

/* What follows the fields. */
enum amd_tail {
    AMD_TAIL_NONE,
    AMD_TAIL_DATA,
    AMD_TAIL_REGISTERS, /* values of registers, from the field named OFFSET on */
};

struct amd_layout {
    uint32_t code; /* opcode or the like; of several with one code the first that fits */
    const char *name;
    uint16_t min_dwords, max_dwords; /* with the header, and without the tail */
    uint8_t tail;
    uint32_t reg_base;    /* AMD_TAIL_REGISTERS: byte offset of register 0 */
    uint32_t select_bits; /* 0, or a field that must be select_value */
    uint32_t select_value;
    const struct amd_field *fields;
    uint32_t field_count;
};

enum amd_problem {
    AMD_SOUND,
    AMD_UNKNOWN,   /* of no layout that is published: a header and data */
    AMD_TRUNCATED, /* the bytes end before it does */
    AMD_SHORT,     /* it says that it is shorter than its fields */
    AMD_LONG,      /* it says that it is longer */
};

/* How one is shown. */
enum amd_shape {
    AMD_SHAPE_PACKET, /* its fields in a line */
    AMD_SHAPE_LIST,   /* a field a line */
    AMD_SHAPE_SPARSE, /* likewise, those that are 0 left out */
};

/* A packet that was found; its dwords are the caller's. */
struct amd_packet {
    const char *name;
    const struct amd_layout *layout; /* NULL: unknown, or nothing but a header */
    enum amd_problem problem;
    uint32_t at; /* dwords from the start */
    const uint32_t *dwords;
    uint32_t dword_count; /* that are there; never 0 */
    uint32_t said_dwords; /* that it says it has, at least 1 */
    uint32_t code;
    enum amd_shape shape;
    uint32_t header_bits;         /* of dword 0, that are no field and yet not reserved */
    const struct amd_field *head; /* fields that all packets of the kind have; NULL = none */
    uint32_t head_count;
};

/* Dwords that hold packets, and how far they have been read. */
struct amd_reader {
    const uint32_t *dwords;
    uint32_t count, at;
};

enum amd_item_kind {
    AMD_ITEM_FIELD,
    AMD_ITEM_REGISTER, /* list and row may be NULL: a register without a name here */
    AMD_ITEM_DATA,     /* a dword behind the fields */
    AMD_ITEM_RESERVED, /* bits of a dword that are set and in no field, or in one that is cut off */
};

struct amd_item {
    enum amd_item_kind kind;
    const char *name; /* FIELD, REGISTER */
    uint64_t value;
    const char *value_name; /* FIELD: NULL = none */
    uint32_t width;         /* FIELD: bits */
    enum amd_form form;
    uint32_t dword; /* of the packet */
    uint32_t reg;   /* REGISTER: byte offset */
    const struct reg_list *list;
    const struct reg_row *row;
    uint32_t index;
};
typedef void amd_item_take(void *context, const struct amd_item *item);

/* A field of dwords, of which there must be AMD_BITS_DWORDS(): a part for each dword that the field
 * has bits in.  Without a loop, for most fields are constants, and then this is a load or two. */
static inline uint64_t amd_get(const uint32_t *dwords, uint32_t bits)
{
    const uint32_t first = AMD_BITS_FIRST(bits), width = AMD_BITS_WIDTH(bits), lo = first % 32;
    const uint32_t *const at = &dwords[first / 32];
    uint64_t value = at[0] >> lo;

    if (lo + width > 32)
        value |= (uint64_t)at[1] << (32 - lo);
    if (lo + width > 64)
        value |= (uint64_t)at[2] << (64 - lo);
    return (width < 64 ? value & ((UINT64_C(1) << width) - 1) : value) << AMD_BITS_SHIFT(bits);
}
/* Sets it; what does not fit is cut off. */
void amd_put(uint32_t *dwords, uint32_t bits, uint64_t value);
/* Name of the value, NULL when it has none. */
const char *amd_value_name(const struct amd_value *values, uint64_t number);
/* Of `count` layouts the first with that code whose selecting field is right and whose length fits;
 * if none fits in length, the first that is right otherwise; if none is, as the field may be cut
 * off, the first with that code; NULL when there is none. */
const struct amd_layout *amd_layout_select(const struct amd_layout *layouts, uint32_t count,
                                           uint32_t code, const uint32_t *dwords,
                                           uint32_t dword_count, uint32_t said_dwords);
/* Fills in name, layout and problem from the layout (NULL: unknown), which the dwords are to be. */
void amd_packet_judge(struct amd_packet *packet, const struct amd_layout *layout);
/* Gives each field that is there, then the tail, then what no field has. */
void amd_packet_items(const struct amd_packet *packet, amd_item_take *take, void *context);
/* What is wrong, as a word: "truncated"; NULL for AMD_SOUND. */
const char *amd_problem_name(enum amd_problem problem);
/* The register of a byte offset in the register BAR; false when no list has it. */
bool amd_register_find(uint32_t offset, const struct reg_list **list, const struct reg_row **row,
                       uint32_t *index);

#endif
