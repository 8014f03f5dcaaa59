/* SPDX-License-Identifier: MIT */
/* The rows of all classes: see nv_class.h. */
#include <config.h>

#include "devices/nvidia/formats/nv_class.h"

/* NVIDIA's names begin with "NV", four digits and "_". */
#define PREFIX_CHARS 7

/* clang-format off */
/* First expansion: method names become numbers, so that a field's row can hold its offset. */
#define NV_CLASS_FIRST(id)
#define NV_CLASS_LIKE(id, like)
#define NV_CONSTANT(name, number)
#define NV_REMOVED(name, at)
#define NV_METHOD(name, at, count, stride)   name = (at),
#define NV_METHOD_2(name, at, n, s, n2, s2)  name = (at),
#define NV_FORMAT(name, at)                  name = (at),
#define NV_FIELD(method, name, hi, lo)
#define NV_VALUE(method, field, name, value)

enum {
#include "devices/nvidia/formats/nv_class_all.h"
};

/*
 * Second and third: all names as one block of characters, of which rows hold offsets.  Pointers
 * would have to be relocated, 8,000 of them, each time that a program starts.
 */
#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
#define NV_METHOD(name, at, count, stride)   char method_##name[sizeof #name];
#define NV_METHOD_2(name, at, n, s, n2, s2)  char method_##name[sizeof #name];
#define NV_FORMAT(name, at)                  char method_##name[sizeof #name];
#define NV_FIELD(method, name, hi, lo)       char field_##name[sizeof #name];
#define NV_VALUE(method, field, name, value) char value_##name[sizeof #name];

struct class_names {
#include "devices/nvidia/formats/nv_class_all.h"
};

#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
#define NV_METHOD(name, at, count, stride)   #name,
#define NV_METHOD_2(name, at, n, s, n2, s2)  #name,
#define NV_FORMAT(name, at)                  #name,
#define NV_FIELD(method, name, hi, lo)       #name,
#define NV_VALUE(method, field, name, value) #name,

static const struct class_names class_names = {
#include "devices/nvidia/formats/nv_class_all.h"
};

/* Fourth: the place of each method's row among the rows of all classes.  The row at 0 is none. */
#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
#define NV_METHOD(name, at, count, stride)   place_##name,
#define NV_METHOD_2(name, at, n, s, n2, s2)  place_##name,
#define NV_FORMAT(name, at)                  place_##name,
#define NV_FIELD(method, name, hi, lo)       field_place_##name,
#define NV_VALUE(method, field, name, value) value_place_##name,

enum {
    place_none,
#include "devices/nvidia/formats/nv_class_all.h"
    place_end
};
_Static_assert(place_end <= UINT16_MAX, "an index holds places");

/* Fifth: the rows.  A name without the front that its owner's row says. */
#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
#define NAME_AT(member, skip_chars) (uint32_t)(offsetof(struct class_names, member) + (skip_chars))
#define NV_METHOD(name, at, count, stride) \
    {NAME_AT(method_##name, PREFIX_CHARS), 0, (at), (count), (stride), 0, 0, NV_ROW_METHOD, 0, 0},
#define NV_METHOD_2(name, at, n, s, n2, s2) \
    {NAME_AT(method_##name, PREFIX_CHARS), 0, (at), (n), (s), (n2), (s2), NV_ROW_METHOD, 0, 0},
#define NV_FORMAT(name, at) \
    {NAME_AT(method_##name, PREFIX_CHARS), 0, (at), 1, 0, 0, 0, NV_ROW_FORMAT, 0, 0},
#define NV_FIELD(method, name, hi, lo) \
    {NAME_AT(field_##name, sizeof #method), 0, method, 0, 0, 0, 0, NV_ROW_FIELD, (hi), (lo)},
#define NV_VALUE(method, field, name, value) \
    {NAME_AT(value_##name, sizeof #field), (value), method, 0, 0, 0, 0, NV_ROW_VALUE, 0, 0},

const struct nv_class_row nv_class_rows[] = {
    [place_none] = {.kind = NV_ROW_METHOD},
#include "devices/nvidia/formats/nv_class_all.h"
    [place_end] = {.kind = NV_ROW_METHOD}
};

/*
 * Sixth: for each class, where the rows of the method at offset / 4 begin, and which blocks of such
 * places have a method.  A class's own differences stand after those of the class before, so that
 * the last initializer is the one that holds: that is what an overridden initializer is for here.
 */
#undef NV_REMOVED
#undef NV_METHOD
#undef NV_METHOD_2
#undef NV_FORMAT
#undef NV_FIELD
#undef NV_VALUE
#define NV_CLASS_WITH_BEFORE
#define METHOD_AT(slot, place)               .methods[slot] = place, .blocks[(slot) / NV_CLASS_BLOCK] = 1,
#define NV_REMOVED(name, at)                 .methods[(at) / 4] = place_none,
#define NV_METHOD(name, at, count, stride)   METHOD_AT((at) / 4, place_##name)
#define NV_METHOD_2(name, at, n, s, n2, s2)  METHOD_AT((at) / 4, place_##name)
#define NV_FORMAT(name, at)                  METHOD_AT((at) / 4, place_##name)
#define NV_FIELD(method, name, hi, lo)
#define NV_VALUE(method, field, name, value)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"

static const struct nv_class_index index_902d = {
#include "devices/nvidia/formats/nv_class_902d.h"
};
static const struct nv_class_index index_9039 = {
#include "devices/nvidia/formats/nv_class_9039.h"
};
static const struct nv_class_index index_906e = {
#include "devices/nvidia/formats/nv_class_906e.h"
};
static const struct nv_class_index index_906f = {
#include "devices/nvidia/formats/nv_class_906f.h"
};
static const struct nv_class_index index_9097 = {
#include "devices/nvidia/formats/nv_class_9097.h"
};
static const struct nv_class_index index_90b5 = {
#include "devices/nvidia/formats/nv_class_90b5.h"
};
static const struct nv_class_index index_90c0 = {
#include "devices/nvidia/formats/nv_class_90c0.h"
};
static const struct nv_class_index index_9197 = {
#include "devices/nvidia/formats/nv_class_9197.h"
};
static const struct nv_class_index index_91c0 = {
#include "devices/nvidia/formats/nv_class_91c0.h"
};
static const struct nv_class_index index_9297 = {
#include "devices/nvidia/formats/nv_class_9297.h"
};
static const struct nv_class_index index_a040 = {
#include "devices/nvidia/formats/nv_class_a040.h"
};
static const struct nv_class_index index_a06f = {
#include "devices/nvidia/formats/nv_class_a06f.h"
};
static const struct nv_class_index index_a097 = {
#include "devices/nvidia/formats/nv_class_a097.h"
};
static const struct nv_class_index index_a0b5 = {
#include "devices/nvidia/formats/nv_class_a0b5.h"
};
static const struct nv_class_index index_a0c0 = {
#include "devices/nvidia/formats/nv_class_a0c0.h"
};
static const struct nv_class_index index_a140 = {
#include "devices/nvidia/formats/nv_class_a140.h"
};
static const struct nv_class_index index_a16f = {
#include "devices/nvidia/formats/nv_class_a16f.h"
};
static const struct nv_class_index index_a197 = {
#include "devices/nvidia/formats/nv_class_a197.h"
};
static const struct nv_class_index index_a1c0 = {
#include "devices/nvidia/formats/nv_class_a1c0.h"
};
static const struct nv_class_index index_a26f = {
#include "devices/nvidia/formats/nv_class_a26f.h"
};
static const struct nv_class_index index_a297 = {
#include "devices/nvidia/formats/nv_class_a297.h"
};
static const struct nv_class_index index_b06f = {
#include "devices/nvidia/formats/nv_class_b06f.h"
};
static const struct nv_class_index index_b097 = {
#include "devices/nvidia/formats/nv_class_b097.h"
};
static const struct nv_class_index index_b0b5 = {
#include "devices/nvidia/formats/nv_class_b0b5.h"
};
static const struct nv_class_index index_b0c0 = {
#include "devices/nvidia/formats/nv_class_b0c0.h"
};
static const struct nv_class_index index_b197 = {
#include "devices/nvidia/formats/nv_class_b197.h"
};
static const struct nv_class_index index_b1c0 = {
#include "devices/nvidia/formats/nv_class_b1c0.h"
};
static const struct nv_class_index index_c06f = {
#include "devices/nvidia/formats/nv_class_c06f.h"
};
static const struct nv_class_index index_c097 = {
#include "devices/nvidia/formats/nv_class_c097.h"
};
static const struct nv_class_index index_c0b5 = {
#include "devices/nvidia/formats/nv_class_c0b5.h"
};
static const struct nv_class_index index_c0c0 = {
#include "devices/nvidia/formats/nv_class_c0c0.h"
};
static const struct nv_class_index index_c197 = {
#include "devices/nvidia/formats/nv_class_c197.h"
};
static const struct nv_class_index index_c1b5 = {
#include "devices/nvidia/formats/nv_class_c1b5.h"
};
static const struct nv_class_index index_c1c0 = {
#include "devices/nvidia/formats/nv_class_c1c0.h"
};
static const struct nv_class_index index_c36f = {
#include "devices/nvidia/formats/nv_class_c36f.h"
};
static const struct nv_class_index index_c397 = {
#include "devices/nvidia/formats/nv_class_c397.h"
};
static const struct nv_class_index index_c3b5 = {
#include "devices/nvidia/formats/nv_class_c3b5.h"
};
static const struct nv_class_index index_c3c0 = {
#include "devices/nvidia/formats/nv_class_c3c0.h"
};
static const struct nv_class_index index_c46f = {
#include "devices/nvidia/formats/nv_class_c46f.h"
};
static const struct nv_class_index index_c56f = {
#include "devices/nvidia/formats/nv_class_c56f.h"
};
static const struct nv_class_index index_c597 = {
#include "devices/nvidia/formats/nv_class_c597.h"
};
static const struct nv_class_index index_c5b0 = {
#include "devices/nvidia/formats/nv_class_c5b0.h"
};
static const struct nv_class_index index_c5b5 = {
#include "devices/nvidia/formats/nv_class_c5b5.h"
};
static const struct nv_class_index index_c5b7 = {
#include "devices/nvidia/formats/nv_class_c5b7.h"
};
static const struct nv_class_index index_c5c0 = {
#include "devices/nvidia/formats/nv_class_c5c0.h"
};
static const struct nv_class_index index_c697 = {
#include "devices/nvidia/formats/nv_class_c697.h"
};
static const struct nv_class_index index_c6b0 = {
#include "devices/nvidia/formats/nv_class_c6b0.h"
};
static const struct nv_class_index index_c6b5 = {
#include "devices/nvidia/formats/nv_class_c6b5.h"
};
static const struct nv_class_index index_c6c0 = {
#include "devices/nvidia/formats/nv_class_c6c0.h"
};
static const struct nv_class_index index_c76f = {
#include "devices/nvidia/formats/nv_class_c76f.h"
};
static const struct nv_class_index index_c797 = {
#include "devices/nvidia/formats/nv_class_c797.h"
};
static const struct nv_class_index index_c7b0 = {
#include "devices/nvidia/formats/nv_class_c7b0.h"
};
static const struct nv_class_index index_c7b5 = {
#include "devices/nvidia/formats/nv_class_c7b5.h"
};
static const struct nv_class_index index_c7b7 = {
#include "devices/nvidia/formats/nv_class_c7b7.h"
};
static const struct nv_class_index index_c7c0 = {
#include "devices/nvidia/formats/nv_class_c7c0.h"
};
static const struct nv_class_index index_c86f = {
#include "devices/nvidia/formats/nv_class_c86f.h"
};
static const struct nv_class_index index_c8b5 = {
#include "devices/nvidia/formats/nv_class_c8b5.h"
};
static const struct nv_class_index index_c96f = {
#include "devices/nvidia/formats/nv_class_c96f.h"
};
static const struct nv_class_index index_c997 = {
#include "devices/nvidia/formats/nv_class_c997.h"
};
static const struct nv_class_index index_c9b0 = {
#include "devices/nvidia/formats/nv_class_c9b0.h"
};
static const struct nv_class_index index_c9b5 = {
#include "devices/nvidia/formats/nv_class_c9b5.h"
};
static const struct nv_class_index index_c9b7 = {
#include "devices/nvidia/formats/nv_class_c9b7.h"
};
static const struct nv_class_index index_c9c0 = {
#include "devices/nvidia/formats/nv_class_c9c0.h"
};
static const struct nv_class_index index_c9d1 = {
#include "devices/nvidia/formats/nv_class_c9d1.h"
};
static const struct nv_class_index index_ca6f = {
#include "devices/nvidia/formats/nv_class_ca6f.h"
};
static const struct nv_class_index index_cab5 = {
#include "devices/nvidia/formats/nv_class_cab5.h"
};
static const struct nv_class_index index_cb97 = {
#include "devices/nvidia/formats/nv_class_cb97.h"
};
static const struct nv_class_index index_cbc0 = {
#include "devices/nvidia/formats/nv_class_cbc0.h"
};
static const struct nv_class_index index_cd97 = {
#include "devices/nvidia/formats/nv_class_cd97.h"
};
static const struct nv_class_index index_cdc0 = {
#include "devices/nvidia/formats/nv_class_cdc0.h"
};
static const struct nv_class_index index_ce97 = {
#include "devices/nvidia/formats/nv_class_ce97.h"
};
static const struct nv_class_index index_cec0 = {
#include "devices/nvidia/formats/nv_class_cec0.h"
};
static const struct nv_class_index index_e7d0 = {
#include "devices/nvidia/formats/nv_class_e7d0.h"
};

#pragma GCC diagnostic pop

#define CLASS(name, id, before) {#name, 0x##id, 0x##before, &index_##id},
static const struct nv_class classes[] = {NV_CLASSES(CLASS)};
/* clang-format on */

size_t nv_class_count(void)
{
    return sizeof classes / sizeof classes[0];
}

const struct nv_class *nv_class_at(size_t index)
{
    return index < nv_class_count() ? &classes[index] : NULL;
}

const char *nv_class_row_name(const struct nv_class_row *row)
{
    return (const char *)&class_names + row->name;
}
