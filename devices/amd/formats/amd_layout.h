/* SPDX-License-Identifier: MIT */
/*
 * Packets and descriptors as tables: the place of each field in its dword.
 *
 * PM4, AQL and SDMA packets, MQDs and kernel descriptors are all described in this way (amd_pm4.h
 * and its neighbours).  Constants for code, decoding for readers and the tests' round trips come
 * from one list of each.
 *
 * A list is an X-macro of fields, with F for bits and R for a dword that is a register's value:
 *
 *     #define AMD_PM4_X_FIELDS(F, R)                                                    \
 *         F(PM4_X, ADDR, 1, 2, 46, 2, HEX, NULL)   dword 1, from bit 2 on, 46 bits, << 2 \
 *         R(PM4_X, INITIATOR, 3, COMPUTE_DISPATCH_INITIATOR)
 *
 * gives the constants AMD_PM4_X_ADDR and AMD_PM4_X_INITIATOR for amd_get() and amd_put().  A field
 * may continue in the next dwords, so an address in two dwords is one field.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_LAYOUT_H
#define GFE_DEVICES_AMD_FORMATS_AMD_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/reg.h"

/* Generations of packets.  GPUs that gfe emulates are all of the first. */
enum amd_generation {
    AMD_GENERATION_GFX9,  /* SDMA 4 */
    AMD_GENERATION_GFX10, /* SDMA 5 */
    AMD_GENERATION_GFX11, /* SDMA 6 */
    AMD_GENERATION_GFX12, /* SDMA 7 */
    AMD_GENERATIONS
};

/* The place of a field as one number: first bit in the packet, number of bits (1 to 64), shift of
 * its value. */
#define AMD_BITS(dword, lo, width, shift)                                                          \
    ((uint32_t)((dword)*32 + (lo)) | (uint32_t)(width) << 16 | (uint32_t)(shift) << 23)
#define AMD_BITS_FIRST(bits)  ((bits)&0xffff)
#define AMD_BITS_WIDTH(bits)  ((bits) >> 16 & 0x7f)
#define AMD_BITS_SHIFT(bits)  ((bits) >> 23 & 0x1f)
/* Number of dwords needed to hold the field. */
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
    AMD_LESS1, /* decimal; the meaning is one more than the value */
};

/* Name of a value.  A list ends with name NULL. */
struct amd_value {
    uint32_t number;
    const char *name;
};

/* A list of its own file: AMD_NAMES(list, {0, "NONE"}, {1, "ALL"}); */
#define AMD_NAMES(list, ...) static const struct amd_value list[] = {__VA_ARGS__, {0, NULL}}
/* Names that PM4 and SDMA have alike: how a value is compared, and what an atomic operation does.
 */
extern const struct amd_value amd_functions[], amd_atomics[];

struct amd_field {
    const char *name;
    uint32_t bits; /* AMD_BITS() */
    uint8_t form;
    uint32_t reg; /* byte offset of the register whose value it is; 0 means none */
    const struct amd_value *values; /* NULL means that there are no names */
};

/* What follows the fields. */
enum amd_tail {
    AMD_TAIL_NONE,
    AMD_TAIL_DATA,
    AMD_TAIL_REGISTERS, /* values of registers, from the register of field OFFSET on */
};

struct amd_layout {
    uint32_t code; /* opcode or the like; of several rows with one code the first that fits */
    const char *name;
    uint16_t min_dwords, max_dwords; /* with the header, and without the tail */
    uint8_t tail;
    uint32_t reg_base;    /* AMD_TAIL_REGISTERS: byte offset of register 0 */
    uint32_t select_bits; /* 0, or a field that must equal select_value */
    uint32_t select_value;
    const struct amd_field *fields;
    uint32_t field_count;
};

/* The layouts of a generation: those that differ from the generation before, or are new. */
struct amd_layouts {
    const struct amd_layout *rows;
    uint32_t count;
    const struct amd_layouts *before; /* has the codes that no row here has; NULL for the first */
};
#define AMD_LAYOUTS(rows, before)                                                                  \
    {                                                                                              \
        rows, sizeof rows / sizeof rows[0], before                                                 \
    }

enum amd_problem {
    AMD_SOUND,
    AMD_UNKNOWN,   /* of no published layout: a header and data */
    AMD_TRUNCATED, /* the bytes end before the packet does */
    AMD_SHORT,     /* its stated length is less than its fields */
    AMD_LONG,      /* its stated length is greater than its fields */
};

/* How a packet is shown. */
enum amd_shape {
    AMD_SHAPE_PACKET, /* its fields in one line */
    AMD_SHAPE_LIST,   /* one field in each line */
    AMD_SHAPE_SPARSE, /* one field in each line, except those that are 0 */
};

/* A packet that was found.  Its dwords are the caller's. */
struct amd_packet {
    const char *name;
    const struct amd_layout *layout; /* NULL if unknown, or if the packet is only a header */
    enum amd_problem problem;
    uint32_t at; /* dwords from the start of the data */
    const uint32_t *dwords;
    uint32_t dword_count; /* dwords present; never 0 */
    uint32_t said_dwords; /* length that it states, at least 1 */
    uint32_t code;
    enum amd_shape shape;
    uint32_t header_bits; /* bits of dword 0 that are in no field but not reserved */
    enum amd_generation generation;
    /* fields that all packets of the kind have; NULL if there are none */
    const struct amd_field *head;
    uint32_t head_count;
};

/* Dwords that hold packets, with the reading position. */
struct amd_reader {
    const uint32_t *dwords;
    uint32_t count, at;
    enum amd_generation generation;
};

enum amd_item_kind {
    AMD_ITEM_FIELD,
    AMD_ITEM_REGISTER, /* list and row may be NULL: the register has no name here */
    AMD_ITEM_DATA,     /* a dword after the fields */
    /* bits of a dword that are set and in no field, or in a field that is cut off */
    AMD_ITEM_RESERVED,
};

struct amd_item {
    enum amd_item_kind kind;
    const char *name; /* FIELD, REGISTER */
    uint64_t value;
    const char *value_name; /* FIELD: NULL if there is none */
    uint32_t width;         /* FIELD: bits */
    enum amd_form form;
    uint32_t dword; /* of the packet */
    uint32_t reg;   /* REGISTER: byte offset */
    const struct reg_list *list;
    const struct reg_row *row;
    uint32_t index;
};
typedef void amd_item_take(void *context, const struct amd_item *item);

/* Returns a field.  `dwords` must have AMD_BITS_DWORDS() entries: one part for each dword in which
 * the field has bits.  There is no loop, because most fields are constants, for which this is then
 * a load or two. */
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
/* Sets a field.  Bits that do not fit are cut off. */
void amd_put(uint32_t *dwords, uint32_t bits, uint64_t value);
/* Returns the name of the value, or NULL if it has none. */
const char *amd_value_name(const struct amd_value *values, uint64_t number);
/* Selects among `count` layouts.  Returns the first with that code whose selecting field matches
 * and whose length fits.  If no length fits, returns the first whose selecting field matches.  If
 * none matches, because the field may be cut off, returns the first with that code.  Returns NULL
 * if there is none. */
const struct amd_layout *amd_layout_select(const struct amd_layout *layouts, uint32_t count,
                                           uint32_t code, const uint32_t *dwords,
                                           uint32_t dword_count, uint32_t said_dwords);
/* The same in the layouts of a generation: a code that has rows there is theirs alone. */
const struct amd_layout *amd_layouts_select(const struct amd_layouts *layouts, uint32_t code,
                                            const uint32_t *dwords, uint32_t dword_count,
                                            uint32_t said_dwords);
/* Returns the generation called "gfx10" or "sdma5"; case counts.  AMD_GENERATIONS if there is none.
 */
enum amd_generation amd_generation_find(const char *name);
/* Returns "gfx10". */
const char *amd_generation_name(enum amd_generation generation);
/* Sets name, layout and problem of a packet whose dwords should follow that layout.  NULL means
 * that the layout is unknown. */
void amd_packet_judge(struct amd_packet *packet, const struct amd_layout *layout);
/* Calls `take` for each field present, then for the tail, then for bits in no field.  Registers of
 * other generations than gfx9 have no names here. */
void amd_packet_items(const struct amd_packet *packet, amd_item_take *take, void *context);
/* Returns the problem as a word, such as "truncated", or NULL for AMD_SOUND. */
const char *amd_problem_name(enum amd_problem problem);
/* Finds the register at a byte offset in the register BAR.  Returns false if no list has it. */
bool amd_register_find(uint32_t offset, const struct reg_list **list, const struct reg_row **row,
                       uint32_t *index);

#endif
