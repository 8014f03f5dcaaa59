/* SPDX-License-Identifier: MIT */
/* The rows of all classes: see nv_class.h. */
#include <config.h>

#include "devices/nvidia/formats/nv_class.h"

/* NVIDIA's names begin with "NV", four digits and "_". */
#define PREFIX_CHARS 7

/* clang-format off */
/* First expansion: method names become numbers, so that a field's row can hold its offset. */
#define NV_CLASS(name, id)
#define NV_CONSTANT(name, number)
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
 * would have to be relocated, 56,000 of them, each time that a program starts.
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

/* Fourth expansion: the rows.  A name without the front that its owner's row says. */
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

static const struct nv_class_row rows_902d[] = {
#include "devices/nvidia/formats/nv_class_902d.h"
};
static const struct nv_class_row rows_906e[] = {
#include "devices/nvidia/formats/nv_class_906e.h"
};
static const struct nv_class_row rows_a040[] = {
#include "devices/nvidia/formats/nv_class_a040.h"
};
static const struct nv_class_row rows_a06f[] = {
#include "devices/nvidia/formats/nv_class_a06f.h"
};
static const struct nv_class_row rows_a097[] = {
#include "devices/nvidia/formats/nv_class_a097.h"
};
static const struct nv_class_row rows_a0b5[] = {
#include "devices/nvidia/formats/nv_class_a0b5.h"
};
static const struct nv_class_row rows_a0c0[] = {
#include "devices/nvidia/formats/nv_class_a0c0.h"
};
static const struct nv_class_row rows_a140[] = {
#include "devices/nvidia/formats/nv_class_a140.h"
};
static const struct nv_class_row rows_b06f[] = {
#include "devices/nvidia/formats/nv_class_b06f.h"
};
static const struct nv_class_row rows_b0b5[] = {
#include "devices/nvidia/formats/nv_class_b0b5.h"
};
static const struct nv_class_row rows_b197[] = {
#include "devices/nvidia/formats/nv_class_b197.h"
};
static const struct nv_class_row rows_b1c0[] = {
#include "devices/nvidia/formats/nv_class_b1c0.h"
};
static const struct nv_class_row rows_c06f[] = {
#include "devices/nvidia/formats/nv_class_c06f.h"
};
static const struct nv_class_row rows_c097[] = {
#include "devices/nvidia/formats/nv_class_c097.h"
};
static const struct nv_class_row rows_c0b5[] = {
#include "devices/nvidia/formats/nv_class_c0b5.h"
};
static const struct nv_class_row rows_c0c0[] = {
#include "devices/nvidia/formats/nv_class_c0c0.h"
};
static const struct nv_class_row rows_c197[] = {
#include "devices/nvidia/formats/nv_class_c197.h"
};
static const struct nv_class_row rows_c1b5[] = {
#include "devices/nvidia/formats/nv_class_c1b5.h"
};
static const struct nv_class_row rows_c1c0[] = {
#include "devices/nvidia/formats/nv_class_c1c0.h"
};
static const struct nv_class_row rows_c36f[] = {
#include "devices/nvidia/formats/nv_class_c36f.h"
};
static const struct nv_class_row rows_c397[] = {
#include "devices/nvidia/formats/nv_class_c397.h"
};
static const struct nv_class_row rows_c3b5[] = {
#include "devices/nvidia/formats/nv_class_c3b5.h"
};
static const struct nv_class_row rows_c3c0[] = {
#include "devices/nvidia/formats/nv_class_c3c0.h"
};
static const struct nv_class_row rows_c46f[] = {
#include "devices/nvidia/formats/nv_class_c46f.h"
};
static const struct nv_class_row rows_c56f[] = {
#include "devices/nvidia/formats/nv_class_c56f.h"
};
static const struct nv_class_row rows_c597[] = {
#include "devices/nvidia/formats/nv_class_c597.h"
};
static const struct nv_class_row rows_c5b5[] = {
#include "devices/nvidia/formats/nv_class_c5b5.h"
};
static const struct nv_class_row rows_c5c0[] = {
#include "devices/nvidia/formats/nv_class_c5c0.h"
};
static const struct nv_class_row rows_c697[] = {
#include "devices/nvidia/formats/nv_class_c697.h"
};
static const struct nv_class_row rows_c6b5[] = {
#include "devices/nvidia/formats/nv_class_c6b5.h"
};
static const struct nv_class_row rows_c6c0[] = {
#include "devices/nvidia/formats/nv_class_c6c0.h"
};
static const struct nv_class_row rows_c76f[] = {
#include "devices/nvidia/formats/nv_class_c76f.h"
};
static const struct nv_class_row rows_c797[] = {
#include "devices/nvidia/formats/nv_class_c797.h"
};
static const struct nv_class_row rows_c7b5[] = {
#include "devices/nvidia/formats/nv_class_c7b5.h"
};
static const struct nv_class_row rows_c7c0[] = {
#include "devices/nvidia/formats/nv_class_c7c0.h"
};
static const struct nv_class_row rows_c86f[] = {
#include "devices/nvidia/formats/nv_class_c86f.h"
};
static const struct nv_class_row rows_c8b5[] = {
#include "devices/nvidia/formats/nv_class_c8b5.h"
};
static const struct nv_class_row rows_c997[] = {
#include "devices/nvidia/formats/nv_class_c997.h"
};
static const struct nv_class_row rows_c9c0[] = {
#include "devices/nvidia/formats/nv_class_c9c0.h"
};
static const struct nv_class_row rows_cb97[] = {
#include "devices/nvidia/formats/nv_class_cb97.h"
};
static const struct nv_class_row rows_cbc0[] = {
#include "devices/nvidia/formats/nv_class_cbc0.h"
};

#define CLASS(name, id) {#name, 0x##id, rows_##id, sizeof rows_##id / sizeof rows_##id[0]},
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
