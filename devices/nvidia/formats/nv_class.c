/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_class.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct nv_class *nv_class_find(uint32_t id)
{
    size_t low = 0, high = nv_class_count();

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (nv_class_at(middle)->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nv_class_count() && nv_class_at(low)->id == id ? nv_class_at(low) : NULL;
}

/* NVJPG has two low bytes, d0 in Tegras and d1 in others. */
static uint32_t class_kind(uint32_t id)
{
    return (id & 0xff) == 0xd1 ? 0xd0 : id & 0xff;
}

/* Ids rise with time; only those of Host1x clients begin with e.  NVE7D0 is of the Tegra X1, a
 * Maxwell, so it is older than Pascal's c0. */
static uint32_t class_age(uint32_t id)
{
    return id >= 0xe000 ? id - 0x3000 : id;
}

const struct nv_class *nv_class_nearest(uint32_t id)
{
    const struct nv_class *nearest = nv_class_find(id);

    for (size_t i = 0; !nearest || nearest->id != id; i++) {
        const struct nv_class *other = nv_class_at(i);

        if (!other)
            break;
        if (class_kind(other->id) == class_kind(id) && class_age(other->id) < class_age(id) &&
            (!nearest || class_age(other->id) > class_age(nearest->id)))
            nearest = other;
    }
    return nearest;
}

uint32_t nv_class_of_method(uint32_t host_id, uint32_t id, uint32_t offset)
{
    const struct nv_class *bound = nv_class_nearest(id);
    const bool has_set_object =
        bound != NULL && bound->index->methods[NV_CLASS_SET_OBJECT / 4] != 0;

    return offset < NV_CLASS_HOST_END && (offset != NV_CLASS_SET_OBJECT || !has_set_object)
               ? host_id
               : id;
}

/* Is offset an element of this row, were the array as long as need be? */
static bool class_element(const struct nv_class_row *row, uint32_t offset,
                          struct nv_class_method *method)
{
    const uint32_t distance = offset - row->offset;
    const uint32_t inside = row->stride > 0 ? distance % row->stride : distance;

    method->index = (uint16_t)(row->stride > 0 ? distance / row->stride : 0);
    method->inner_index = 0;
    method->beyond = row->stride > 0 && method->index >= row->count;
    if (inside == 0)
        return true;
    if (row->inner_stride == 0 || inside % row->inner_stride != 0)
        return false;
    method->inner_index = (uint16_t)(inside / row->inner_stride);
    return method->inner_index < row->inner_count;
}

/* Sets *slot to the last slot at or before *slot that has a method; false if there is none. */
static bool class_back_to_method(const struct nv_class_index *index, size_t *slot)
{
    size_t at = *slot + 1;

    while (at > 0) {
        if (index->methods[at - 1] != 0) {
            *slot = at - 1;
            return true;
        }
        at--;
        while (at > 0 && at % NV_CLASS_BLOCK == 0 && index->blocks[at / NV_CLASS_BLOCK - 1] == 0)
            at -= NV_CLASS_BLOCK;
    }
    return false;
}

bool nv_class_lookup(const struct nv_class *nv_class, uint32_t offset,
                     struct nv_class_method *method)
{
    size_t slot = offset / 4;

    *method = (struct nv_class_method){.nv_class = nv_class};
    if (nv_class == NULL || offset % 4 != 0 || offset > 0x3ffc)
        return false;
    /*
     * The nearest method first.  Only elements of arrays make this go further back, and offsets
     * that the class does not have: those walk the table, and are rare.  Arrays end where others
     * begin, so an index past its array is never nearer than one within.
     */
    while (class_back_to_method(nv_class->index, &slot)) {
        const struct nv_class_row *row = &nv_class_rows[nv_class->index->methods[slot]];

        if (class_element(row, offset, method)) {
            method->row = row;
            return true;
        }
        if (slot-- == 0)
            break;
    }
    *method = (struct nv_class_method){.nv_class = nv_class};
    return false;
}

/* The first slot from `slot` on that has a method, or NV_CLASS_SLOTS. */
static size_t class_on_to_method(const struct nv_class_index *index, size_t slot)
{
    while (slot < NV_CLASS_SLOTS && index->methods[slot] == 0) {
        slot++;
        while (slot < NV_CLASS_SLOTS && slot % NV_CLASS_BLOCK == 0 &&
               index->blocks[slot / NV_CLASS_BLOCK] == 0)
            slot += NV_CLASS_BLOCK;
    }
    return slot < NV_CLASS_SLOTS ? slot : NV_CLASS_SLOTS;
}

static void class_mark(uint32_t bits[NV_CLASS_METHODS / 32], uint32_t offset)
{
    if (offset < 4 * NV_CLASS_METHODS && offset % 4 == 0)
        bits[offset / 128] |= 1u << offset / 4 % 32;
}

void nv_class_known(const struct nv_class *nv_class, uint32_t bits[NV_CLASS_METHODS / 32])
{
    size_t slot = nv_class ? class_on_to_method(nv_class->index, 0) : NV_CLASS_METHODS;

    for (; slot < NV_CLASS_METHODS; slot = class_on_to_method(nv_class->index, slot + 1)) {
        const struct nv_class_row *row = &nv_class_rows[nv_class->index->methods[slot]];
        uint32_t offset = row->offset;

        do {
            class_mark(bits, offset);
            for (uint32_t inner = 1; inner < row->inner_count; inner++)
                if (row->stride == 0 || inner * row->inner_stride < row->stride)
                    class_mark(bits, offset + inner * row->inner_stride);
            offset += row->stride;
        } while (row->stride > 0 && offset < 4 * NV_CLASS_METHODS);
        if (row->stride == 4)
            return; /* its elements are all methods that there are behind it */
    }
}

static bool class_is_owned(const struct nv_class_row *row)
{
    return row->kind == NV_ROW_FIELD || row->kind == NV_ROW_VALUE;
}

const struct nv_class_row *nv_class_row_after(const struct nv_class *nv_class,
                                              const struct nv_class_row *row)
{
    size_t slot;

    if (row != NULL && class_is_owned(row + 1))
        return row + 1;
    slot = class_on_to_method(nv_class->index, row ? row->offset / 4u + 1 : 0);
    return slot < NV_CLASS_SLOTS ? &nv_class_rows[nv_class->index->methods[slot]] : NULL;
}

const struct nv_class_row *nv_class_next(const struct nv_class_row *row,
                                         enum nv_class_row_kind kind)
{
    for (row++; class_is_owned(row); row++)
        if (row->kind == kind)
            return row;
    return NULL;
}

const char *nv_class_value_name(const struct nv_class_row *field, uint32_t value)
{
    for (const struct nv_class_row *row = field + 1; row->kind == NV_ROW_VALUE; row++)
        if (row->number == value)
            return nv_class_row_name(row);
    return NULL;
}

/* A text that grows in the caller's buffer; used may pass size, as snprintf counts. */
struct class_text {
    char *out;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void class_print(struct class_text *text,
                                                              const char *format, ...)
{
    const size_t at = text->used < text->size ? text->used : text->size;
    va_list list;

    va_start(list, format);
    const int length =
        vsnprintf(text->size > 0 ? text->out + at : NULL, text->size - at, format, list);
    va_end(list);
    if (length > 0)
        text->used += (size_t)length;
}

size_t nv_class_method_name(uint32_t id, uint32_t offset, char *out, size_t size)
{
    struct class_text text = {out, size, 0};
    struct nv_class_method method;

    if (!nv_class_lookup(nv_class_nearest(id), offset, &method)) {
        class_print(&text, "UNKNOWN_%04x", (unsigned)offset);
        return text.used;
    }
    class_print(&text, "%s", nv_class_row_name(method.row));
    if (method.row->inner_count > 0)
        class_print(&text, "(%u,%u)", method.index, method.inner_index);
    else if (method.row->stride > 0)
        class_print(&text, "(%u)", method.index);
    if (method.beyond)
        class_print(&text, "?");
    return text.used;
}

static uint32_t class_field_mask(const struct nv_class_row *field)
{
    return (UINT32_MAX >> (31 - (field->hi - field->lo))) << field->lo;
}

/* Is this a number that people read in hex? */
static bool class_is_hex(const char *name, uint32_t value)
{
    static const char *const parts[] = {"ADDR", "OFFSET",  "UPPER", "LOWER", "POINTER", "SHIFT",
                                        "MASK", "PAYLOAD", "COLOR", "CLASS", "DATA",    "LOAD_"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i]) != NULL)
            return true;
    return value > 0xffffff;
}

static void class_format_field(struct class_text *text, const struct nv_class_method *method,
                               const struct nv_class_row *field, uint32_t data, bool lone)
{
    const uint32_t value = (data & class_field_mask(field)) >> field->lo;
    const char *value_name = nv_class_value_name(field, value);
    const char *name = nv_class_row_name(field);

    if (text->used > 0)
        class_print(text, " ");
    if (!lone || (strcmp(name, "V") != 0 && strcmp(name, "VALUE") != 0))
        class_print(text, "%s=", name);
    if (value_name != NULL)
        class_print(text, "%s", value_name);
    else if (class_is_hex(name, value) || class_is_hex(nv_class_row_name(method->row), value))
        class_print(text, "0x%x", (unsigned)value);
    else
        class_print(text, "%u", (unsigned)value);
}

/* Only a class with a table can be said to lack a method. */
static void class_no_method(struct class_text *text, const struct nv_class *nv_class, uint32_t id)
{
    if (id == 0)
        class_print(text, "no class is known here");
    else if (!nv_class)
        class_print(text, "no table of class %04x", (unsigned)id);
    else if (nv_class->id != id)
        class_print(text, "no table of class %04x, and no such method in class %04x", (unsigned)id,
                    nv_class->id);
    else
        class_print(text, "no such method in class %04x", (unsigned)id);
}

size_t nv_class_format(uint32_t id, uint32_t offset, uint32_t data, char *out, size_t size)
{
    const struct nv_class *nv_class = nv_class_nearest(id);
    const struct nv_class_row *field;
    struct class_text text = {out, size, 0};
    struct nv_class_method method;
    uint32_t known_bits = 0;

    if (size > 0)
        out[0] = '\0';
    if (!nv_class_lookup(nv_class, offset, &method)) {
        class_no_method(&text, nv_class, id);
        return text.used;
    }
    const struct nv_class_row *first = nv_class_next(method.row, NV_ROW_FIELD);
    const bool lone = first != NULL && nv_class_next(first, NV_ROW_FIELD) == NULL;

    for (field = first; field != NULL; field = nv_class_next(field, NV_ROW_FIELD)) {
        known_bits |= class_field_mask(field);
        if (lone || data == 0 || (data & class_field_mask(field)) != 0 ||
            strstr(nv_class_row_name(field), "LAYOUT") != NULL)
            class_format_field(&text, &method, field, data, lone);
    }
    if ((data & ~known_bits) != 0)
        class_print(&text, "%sRSVD=0x%x", text.used > 0 ? " " : "", (unsigned)(data & ~known_bits));
    return text.used;
}
