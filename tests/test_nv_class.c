/* SPDX-License-Identifier: MIT */
/* The class tables: whole, in order, and saying what NVIDIA's headers say. */
#include <config.h>

#include <check.h>
#include <stdint.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "tests/suites.h"

/*
 * Rows of each class, counted in open-gpu-doc @c8607fe5 with grep, not with the script that made
 * the tables: `#define NV<CLASS>_` lines with a four-digit offset, with hi:lo, with an eight-digit
 * value.  They add up to all the `#define NV<CLASS>_` lines of each header; of a Host class's
 * (c06f: 215) one is a TYPEDEF, one field stands there twice (DMA_IMMD_DATA) and three are
 * constants.  The copy classes write offsets as they write values: there the sums were counted
 * (c1b5: 233).  Headers of video end with codes that engines report, which are not counted.  906e:
 * nouveau's nine.  c86f: c76f's rows, with the two more that the open kernel driver's excerpt has,
 * EXTENDED_BASE's operand and opcode.  c96f: one more, L2_SYSMEM_NCOH_INVALIDATE.
 */
static const struct {
    uint32_t id;
    uint32_t method_count, field_count, value_count;
} expected[] = {
    {0x902d, 180, 243, 258},   {0x9039, 100, 110, 58},    {0x906e, 9, 9, 0},
    {0x906f, 14, 72, 64},      {0x9097, 545, 871, 1820},  {0x90b5, 37, 77, 108},
    {0x90c0, 166, 219, 224},   {0x9197, 547, 876, 1827},  {0x91c0, 167, 223, 232},
    {0x9297, 557, 894, 1874},  {0xa040, 72, 82, 51},      {0xa06f, 14, 71, 62},
    {0xa097, 562, 888, 1771},  {0xa0b5, 35, 62, 125},     {0xa0c0, 149, 201, 113},
    {0xa140, 72, 82, 51},      {0xa16f, 15, 74, 73},      {0xa197, 564, 891, 1773},
    {0xa1c0, 155, 208, 117},   {0xa26f, 17, 78, 68},      {0xa297, 579, 929, 1892},
    {0xb06f, 15, 75, 77},      {0xb097, 571, 919, 1871},  {0xb0b5, 35, 63, 123},
    {0xb0c0, 173, 225, 115},   {0xb197, 599, 971, 1962},  {0xb1c0, 181, 233, 121},
    {0xc06f, 19, 86, 105},     {0xc097, 607, 981, 1967},  {0xc0b5, 35, 65, 121},
    {0xc0c0, 190, 242, 121},   {0xc197, 619, 999, 1983},  {0xc1b5, 39, 71, 123},
    {0xc1c0, 193, 248, 127},   {0xc36f, 23, 102, 143},    {0xc397, 614, 999, 1994},
    {0xc3b5, 39, 74, 125},     {0xc3c0, 166, 220, 117},   {0xc46f, 23, 101, 141},
    {0xc56f, 22, 101, 144},    {0xc597, 655, 1077, 2269}, {0xc5b0, 75, 92, 39},
    {0xc5b5, 39, 75, 128},     {0xc5b7, 84, 104, 32},     {0xc5c0, 169, 229, 131},
    {0xc697, 655, 1077, 2269}, {0xc6b0, 80, 98, 40},      {0xc6b5, 39, 77, 126},
    {0xc6c0, 154, 214, 141},   {0xc76f, 22, 102, 147},    {0xc797, 666, 1105, 2356},
    {0xc7b0, 138, 164, 63},    {0xc7b5, 43, 82, 139},     {0xc7b7, 94, 117, 37},
    {0xc7c0, 179, 255, 201},   {0xc86f, 22, 103, 148},    {0xc8b5, 51, 92, 150},
    {0xc96f, 22, 103, 149},    {0xc997, 666, 1105, 2356}, {0xc9b0, 140, 168, 63},
    {0xc9b5, 51, 91, 148},     {0xc9b7, 101, 125, 38},    {0xc9c0, 179, 255, 201},
    {0xc9d1, 24, 35, 22},      {0xca6f, 22, 103, 149},    {0xcab5, 51, 93, 157},
    {0xcb97, 667, 1106, 2352}, {0xcbc0, 179, 254, 197},   {0xcd97, 665, 1105, 2344},
    {0xcdc0, 171, 237, 167},   {0xce97, 671, 1111, 2344}, {0xcec0, 180, 251, 181},
    {0xe7d0, 18, 29, 22},
};
#define EXPECTED_COUNT (sizeof expected / sizeof expected[0])

/* PROMISE (nvidia): No method of NVIDIA's published headers is missing in the class tables. */
START_TEST(no_row_of_a_header_is_missing)
{
    ck_assert_uint_eq(nv_class_count(), EXPECTED_COUNT);
    for (size_t i = 0; i < EXPECTED_COUNT; i++) {
        const struct nv_class *nv_class = nv_class_find(expected[i].id);
        const struct nv_class_row *row = NULL;
        uint32_t counts[NV_ROW_FORMAT + 1] = {0};

        ck_assert_ptr_nonnull(nv_class);
        while ((row = nv_class_row_after(nv_class, row)) != NULL)
            counts[row->kind]++;
        ck_assert_uint_eq(counts[NV_ROW_METHOD], expected[i].method_count);
        ck_assert_uint_eq(counts[NV_ROW_FIELD], expected[i].field_count);
        ck_assert_uint_eq(counts[NV_ROW_VALUE], expected[i].value_count);
        ck_assert_uint_eq(counts[NV_ROW_FORMAT], (expected[i].id & 0xff) == 0x6f ? 3 : 0);
    }
}
END_TEST

START_TEST(classes_are_listed_in_order_and_found)
{
    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);

        ck_assert_ptr_eq(nv_class_find(nv_class->id), nv_class);
        if (i > 0)
            ck_assert_uint_lt(nv_class_at(i - 1)->id, nv_class->id);
    }
    ck_assert_ptr_null(nv_class_at(nv_class_count()));
    ck_assert_ptr_null(nv_class_find(0xcd40));
    ck_assert_str_eq(nv_class_find(0xc1c0)->name, "PASCAL_COMPUTE_B");
    ck_assert_uint_eq(PASCAL_COMPUTE_B, 0xc1c0);
}
END_TEST

static void check_method_row(const struct nv_class_row *row, const struct nv_class_row *previous)
{
    if (previous != NULL) /* sorted, and no offset twice */
        ck_assert_uint_lt(previous->offset, row->offset);
    ck_assert_uint_eq(row->offset % 4, 0);
    ck_assert_uint_ge(row->count, 1);
    ck_assert(row->count == 1 || row->stride > 0); /* c597 has arrays of one element */
    ck_assert_uint_le(row->offset + (row->count - 1u) * row->stride, 0x3ffc);
    ck_assert_uint_le(row->inner_count * row->inner_stride, row->stride);
}

START_TEST(rows_are_in_order_and_within_their_limits)
{
    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);
        const struct nv_class_row *row = NULL, *method = NULL, *field = NULL;

        while ((row = nv_class_row_after(nv_class, row)) != NULL) {
            ck_assert_uint_gt(strlen(nv_class_row_name(row)), 0);
            if (row->kind == NV_ROW_METHOD)
                check_method_row(row, method);
            if (row->kind == NV_ROW_METHOD || row->kind == NV_ROW_FORMAT) {
                method = row;
                continue;
            }
            ck_assert_ptr_nonnull(method);
            ck_assert_uint_eq(row->offset, method->offset);
            if (row->kind == NV_ROW_FIELD) {
                field = row;
                ck_assert_uint_le(row->hi, 31);
                ck_assert_uint_le(row->lo, row->hi);
            } else {
                ck_assert_uint_le(row->number, UINT32_MAX >> (31 - (field->hi - field->lo)));
            }
        }
    }
}
END_TEST

START_TEST(every_element_of_every_method_is_found_as_itself)
{
    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);
        const struct nv_class_row *row = NULL;

        while ((row = nv_class_row_after(nv_class, row)) != NULL) {
            for (uint32_t n = 0; row->kind == NV_ROW_METHOD && n < row->count; n++) {
                struct nv_class_method method;

                ck_assert(nv_class_lookup(nv_class, row->offset + n * row->stride, &method));
                ck_assert_ptr_eq(method.row, row);
                ck_assert_uint_eq(method.index, n);
                ck_assert(!method.beyond);
            }
        }
    }
}
END_TEST

static const struct nv_class_row *find_row(const struct nv_class *nv_class,
                                           const struct nv_class_row *like)
{
    const struct nv_class_row *row = NULL;

    while ((row = nv_class_row_after(nv_class, row)) != NULL)
        if (row->kind == like->kind && row->offset == like->offset && row->number == like->number &&
            strcmp(nv_class_row_name(row), nv_class_row_name(like)) == 0)
            return row;
    return NULL;
}

/*
 * nv_methods.h relies on it: Pascal's second classes have what the first ones have, with three
 * exceptions.  c097 has wider CACHE_LINES_PER_SM twice, c0b5 another name for bits 31:28 of
 * LAUNCH_DMA.
 */
START_TEST(the_b_classes_hold_the_a_classes)
{
    static const struct {
        uint32_t a, b;
        size_t different;
    } pairs[] = {{0xc097, 0xc197, 2}, {0xc0c0, 0xc1c0, 0}, {0xc0b5, 0xc1b5, 1}};

    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        const struct nv_class *a = nv_class_find(pairs[p].a);
        const struct nv_class_row *row = NULL;
        size_t different = 0;

        while ((row = nv_class_row_after(a, row)) != NULL) {
            const struct nv_class_row *same = find_row(nv_class_find(pairs[p].b), row);

            if (same == NULL || row->hi != same->hi || row->lo != same->lo)
                different++;
            if (same != NULL)
                ck_assert_uint_eq(row->stride, same->stride);
        }
        ck_assert_uint_eq(different, pairs[p].different);
    }
}
END_TEST

/*
 * Behaviour code has the offsets and fields of one class of each kind (nv_methods.h).  What it uses
 * lies in the same place in the classes of all other chips; exceptions are listed.  Upper halves of
 * addresses are left out: older classes have eight bits of them, later ones more.
 */
static const char *const used_3d[] = {"SET_OBJECT",
                                      "WAIT_FOR_IDLE",
                                      "SET_NOTIFY_A",
                                      "NOTIFY",
                                      "LINE_LENGTH_IN",
                                      "LAUNCH_DMA",
                                      "LOAD_INLINE_DATA",
                                      "BEGIN",
                                      "CLEAR_SURFACE",
                                      "DRAW_AUTO",
                                      "DRAW_INDEX_BUFFER",
                                      "DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_FIRST",
                                      "DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_FIRST",
                                      "DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST",
                                      "DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_SUBSEQUENT",
                                      "DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_SUBSEQUENT",
                                      "DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_SUBSEQUENT",
                                      "DRAW_INLINE_INDEX",
                                      "DRAW_INLINE_INDEX2X16",
                                      "DRAW_INLINE_INDEX4X8",
                                      "DRAW_VERTEX_ARRAY",
                                      "DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_FIRST",
                                      "DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_SUBSEQUENT",
                                      "LOAD_CONSTANT_BUFFER",
                                      "LOAD_CONSTANT_BUFFER_OFFSET",
                                      "SET_CONSTANT_BUFFER_SELECTOR_B",
                                      "SET_REPORT_SEMAPHORE_A",
                                      "SET_REPORT_SEMAPHORE_C",
                                      "SET_REPORT_SEMAPHORE_D",
                                      "CALL_MME_MACRO",
                                      NULL};
static const char *const used_compute[] = {"SET_OBJECT",
                                           "WAIT_FOR_IDLE",
                                           "SET_NOTIFY_A",
                                           "NOTIFY",
                                           "LINE_LENGTH_IN",
                                           "LINE_COUNT",

                                           "OFFSET_OUT",
                                           "PITCH_OUT",
                                           "SET_DST_BLOCK_SIZE",
                                           "LAUNCH_DMA",
                                           "LOAD_INLINE_DATA",
                                           "SET_I2M_SEMAPHORE_A",
                                           "SET_I2M_SEMAPHORE_C",
                                           "SEND_PCAS_A",
                                           "SEND_SIGNALING_PCAS_B",
                                           "SET_REPORT_SEMAPHORE_A",
                                           "SET_REPORT_SEMAPHORE_D",
                                           NULL};
static const char *const used_inline[] = {"NOTIFY",
                                          "LINE_LENGTH_IN",
                                          "LINE_COUNT",
                                          "OFFSET_OUT",
                                          "PITCH_OUT",
                                          "SET_DST_BLOCK_SIZE",
                                          "SET_DST_WIDTH",
                                          "SET_DST_HEIGHT",
                                          "SET_DST_DEPTH",
                                          "SET_DST_LAYER",
                                          "LAUNCH_DMA",
                                          "LOAD_INLINE_DATA",
                                          "SET_I2M_SEMAPHORE_B",
                                          "SET_I2M_SEMAPHORE_C",
                                          NULL};
static const char *const used_copy[] = {"SET_SEMAPHORE_B",
                                        "SET_SEMAPHORE_PAYLOAD",
                                        "SET_RENDER_ENABLE_A",
                                        "SET_RENDER_ENABLE_C",
                                        "SET_SRC_PHYS_MODE",
                                        "SET_DST_PHYS_MODE",
                                        "LAUNCH_DMA",
                                        "OFFSET_IN_LOWER",
                                        "OFFSET_OUT_LOWER",
                                        "PITCH_IN",
                                        "PITCH_OUT",
                                        "LINE_LENGTH_IN",
                                        "LINE_COUNT",
                                        "SET_REMAP_CONST_A",
                                        "SET_REMAP_COMPONENTS",
                                        "SET_DST_BLOCK_SIZE",
                                        "SET_SRC_BLOCK_SIZE",
                                        "SET_DST_WIDTH",
                                        "SET_DST_ORIGIN",
                                        "SET_SRC_ORIGIN",
                                        "SET_DST_LAYER",
                                        NULL};
static const char *const used_host[] = {
    "SET_OBJECT",          "ILLEGAL",  "NOP",           "SEMAPHOREA", "SEMAPHOREB", "SEMAPHOREC",
    "NON_STALL_INTERRUPT", "FB_FLUSH", "SET_REFERENCE", "CRC_CHECK",  "YIELD",      NULL};

/* Fields that an older class lacks; an emulated chip of it sees their bits as 0 or reserved. */
static bool may_be_missing(uint32_t id, const char *name)
{
    static const struct {
        uint32_t id;
        const char *name;
    } missing[] = {{0xc097, "INSTANCE_ITERATE_ENABLE"},
                   {0xa097, "INSTANCE_ITERATE_ENABLE"},
                   {0xb197, "INSTANCE_ITERATE_ENABLE"},
                   {0xc0b5, "VPRMODE"},
                   {0xc0b5, "RESERVED_START_OF_COPY"},
                   {0xc0b5, "RESERVED_ERR_CODE"},
                   {0xa0b5, "FORCE_RMWDISABLE"},
                   {0xa0b5, "SRC_BYPASS_L2"},
                   {0xa0b5, "DST_BYPASS_L2"},
                   {0xa0b5, "VPRMODE"},
                   {0xa0b5, "RESERVED_START_OF_COPY"},
                   {0xa0b5, "RESERVED_ERR_CODE"},
                   {0xb0b5, "SRC_BYPASS_L2"},
                   {0xb0b5, "DST_BYPASS_L2"},
                   {0xb0b5, "VPRMODE"},
                   {0xb0b5, "RESERVED_START_OF_COPY"},
                   {0xb0b5, "RESERVED_ERR_CODE"},
                   {0xc6b5, "SRC_BYPASS_L2"},
                   {0xc6b5, "DST_BYPASS_L2"},
                   {0xc7b5, "SRC_BYPASS_L2"},
                   {0xc7b5, "DST_BYPASS_L2"},
                   {0xc8b5, "SRC_BYPASS_L2"},
                   {0xc8b5, "DST_BYPASS_L2"}};

    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        if (missing[i].id == id && strcmp(missing[i].name, name) == 0)
            return true;
    return false;
}

/* Hopper's addresses have 57 bits, of which behaviour takes the 40 of the others, and VPRMODE of
 * its copies has one bit. */
static bool may_differ(uint32_t id, const struct nv_class_row *field)
{
    return ((id == 0xcb97 || id == 0xcbc0 || id == 0xc8b5) && field->hi == 24) ||
           (id == 0xc8b5 && strcmp(nv_class_row_name(field), "VPRMODE") == 0);
}

/* Ampere's Host has no CRC of methods (open-gpu-doc ga100/dev_pbdma.ref.txt). */
static bool may_be_gone(uint32_t id, const char *method)
{
    return (id == 0xc56f || id == 0xc76f || id == 0xc86f) && strcmp(method, "CRC_CHECK") == 0;
}

static const struct nv_class_row *find_method(const struct nv_class *nv_class, const char *name)
{
    const struct nv_class_row *row = NULL;

    while ((row = nv_class_row_after(nv_class, row)) != NULL)
        if (row->kind == NV_ROW_METHOD && strcmp(nv_class_row_name(row), name) == 0)
            return row;
    return NULL;
}

static void check_method(const struct nv_class *model, const struct nv_class *other,
                         const char *name)
{
    const struct nv_class_row *row = find_method(model, name);
    const struct nv_class_row *same = find_method(other, name);

    if (!same && may_be_gone(other->id, name))
        return;
    ck_assert_msg(row && same && row->offset == same->offset && row->stride == same->stride,
                  "%s of %04x", name, other->id);
    while ((row = nv_class_next(row, NV_ROW_FIELD)) != NULL) {
        const struct nv_class_row *field = same;

        do
            field = nv_class_next(field, NV_ROW_FIELD);
        while (field && strcmp(nv_class_row_name(field), nv_class_row_name(row)) != 0);
        ck_assert_msg(field || may_be_missing(other->id, nv_class_row_name(row)), "%s %s of %04x",
                      name, nv_class_row_name(row), other->id);
        if (field)
            ck_assert_msg((field->hi == row->hi || may_differ(other->id, field)) &&
                              field->lo == row->lo,
                          "%s %s of %04x", name, nv_class_row_name(row), other->id);
    }
}

START_TEST(other_generations_have_the_methods_that_behaviour_uses)
{
    static const struct {
        uint32_t model;
        uint32_t others[9];
        const char *const *used;
    } kinds[] = {
        {0xc197, {0xa097, 0xb197, 0xc097, 0xc397, 0xc597, 0xc697, 0xc797, 0xcb97}, used_3d},
        {0xc1c0, {0xa0c0, 0xb1c0, 0xc0c0, 0xc3c0, 0xc5c0, 0xc6c0, 0xc7c0, 0xcbc0}, used_compute},
        {0xa140, {0xa040}, used_inline},
        {0xc1b5, {0xa0b5, 0xb0b5, 0xc0b5, 0xc3b5, 0xc5b5, 0xc6b5, 0xc7b5, 0xc8b5}, used_copy},
        {0xc06f, {0xa06f, 0xb06f, 0xc36f, 0xc46f, 0xc56f, 0xc76f, 0xc86f}, used_host},
    };

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (size_t o = 0; kinds[k].others[o]; o++)
            for (size_t u = 0; kinds[k].used[u]; u++)
                check_method(nv_class_find(kinds[k].model), nv_class_find(kinds[k].others[o]),
                             kinds[k].used[u]);
}
END_TEST

/* What a second decoder made of recorded streams of Mesa 22.3.6 (nouveau) and 25.0.7 (NVK). */
static const struct {
    uint32_t id, offset;
    const char *name;
} recorded[] = {
    {0x906e, 0x0000, "SET_OBJECT"},
    {0x902d, 0x02ac, "SET_OPERATION"},
    {0x902d, 0x0888, "SET_PIXELS_FROM_MEMORY_SAFE_OVERLAP"},
    {0xa140, 0x01b4, "LOAD_INLINE_DATA"},
    {0xc1b5, 0x0300, "LAUNCH_DMA"},
    {0xc1b5, 0x0708, "SET_REMAP_COMPONENTS"},
    {0xc1c0, 0x0248, "SET_CWD_REF_COUNTER"},
    {0xc1c0, 0x02bc, "SEND_SIGNALING_PCAS_B"},
    {0xc197, 0x0114, "LOAD_MME_INSTRUCTION_RAM_POINTER"},
    {0xc197, 0x02d0, "SET_PRIM_CIRCULAR_BUFFER_THROTTLE"},
    {0xc197, 0x0ce8, "SET_VIEWPORT_CLIP_MIN_Z(14)"},
    {0xc197, 0x0d28, "SET_WINDOW_CLIP_HORIZONTAL(5)"},
    {0xc197, 0x0ec0, "SET_SCISSOR_ENABLE(12)"},
    {0xc197, 0x12d8, "SET_L2_CACHE_CONTROL_FOR_ROP_NONINTERLOCKED_WRITE_REQUESTS"},
    {0xc197, 0x19ec, "SET_COLOR_COMPRESSION(3)"},
    {0xc197, 0x1b0c, "SET_REPORT_SEMAPHORE_D"},
    {0xc197, 0x2390, "LOAD_CONSTANT_BUFFER(0)"},
    {0xc197, 0x2490, "BIND_GROUP_CONSTANT_BUFFER(4)"},
    {0xc197, 0x3828, "CALL_MME_MACRO(5)"},
    {0xc197, 0x38ac, "CALL_MME_DATA(21)"},
};

START_TEST(methods_have_the_names_of_the_recorded_streams)
{
    char name[128];

    for (size_t i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        nv_class_method_name(recorded[i].id, recorded[i].offset, name, sizeof name);
        ck_assert_str_eq(name, recorded[i].name);
    }
    nv_class_method_name(0xc197, 0x2800 + 3 * 128 + 7 * 4, name, sizeof name);
    ck_assert_str_eq(name, "SET_STREAM_OUT_LAYOUT_SELECT(3,7)");
}
END_TEST

/* 15b4 stands in recorded streams and in no header: only an overrun array would reach it. */
START_TEST(an_index_past_its_array_is_marked)
{
    struct nv_class_method method;
    char name[128];

    ck_assert(nv_class_lookup(nv_class_find(0xc197), 0x15b4, &method));
    ck_assert(method.beyond);
    nv_class_method_name(0xc197, 0x15b4, name, sizeof name);
    ck_assert_str_eq(name, "SET_ITERATED_BLEND_CONSTANT_GREEN(19)?");
}
END_TEST

START_TEST(host_methods_are_hosts_on_every_class)
{
    char name[64];

    nv_class_method_name(nv_class_of_method(0xc06f, 0xc197, 0x001c), 0x001c, name, sizeof name);
    ck_assert_str_eq(name, "SEMAPHORED");
    nv_class_method_name(nv_class_of_method(0xc06f, 0x906e, 0x0020), 0x0020, name, sizeof name);
    ck_assert_str_eq(name, "NON_STALL_INTERRUPT");
    nv_class_method_name(nv_class_of_method(0xc46f, 0xa140, 0x006c), 0x006c, name, sizeof name);
    ck_assert_str_eq(name, "SEM_EXECUTE");
    nv_class_method_name(nv_class_of_method(0xc06f, 0xa140, 0x006c), 0x006c, name, sizeof name);
    ck_assert_str_eq(name, "UNKNOWN_006c");
    ck_assert_uint_eq(nv_class_of_method(0xc06f, 0xc197, 0), 0xc197);
    ck_assert_uint_eq(nv_class_of_method(0xc06f, 0xc1b5, 0), 0xc06f);
    ck_assert_uint_eq(nv_class_of_method(0xc46f, 0xcdfa, 0), 0xc46f);
    ck_assert_uint_eq(nv_class_of_method(0xc46f, 0xcdfa, 0x100), 0xcdfa);
    ck_assert_uint_eq(nv_class_of_method(0xc46f, 0xcd40, 0), 0xcd40);
    ck_assert_uint_eq(nv_class_of_method(0xc06f, 0xc197, 0x100), 0xc197);
}
END_TEST

START_TEST(unknown_methods_and_classes_say_so)
{
    struct nv_class_method method;
    char text[64];

    ck_assert(!nv_class_lookup(nv_class_find(0xa140), 0x1ffc, &method));
    ck_assert_ptr_null(method.row);
    ck_assert(!nv_class_lookup(NULL, 0x100, &method));
    ck_assert(!nv_class_lookup(nv_class_find(0xa140), 0x102, &method));
    ck_assert(!nv_class_lookup(nv_class_find(0xa140), 0xfffffffc, &method));
    nv_class_method_name(0xcefa, 0x100, text, sizeof text);
    ck_assert_str_eq(text, "UNKNOWN_0100");
    nv_class_format(0xa140, 0x1ffc, 5, text, sizeof text);
    ck_assert_str_eq(text, "no such method in class a140");
}
END_TEST

/*
 * Classes of which NVIDIA's open kernel driver has the number (595.45.04, g_gpu_class_list.c, and
 * clc4c0.h), and no publication the methods: on GB100 cd40, cdb0, cdd1, cdfa; GB10B ced0; GB202
 * cfb0, cfb7, cfd1; GB20B d1b0.  85b5 and 50c0 are Tesla's, older than all tables; c361 is the
 * doorbells' window.
 */
START_TEST(a_class_without_a_table_is_read_by_the_nearest_older_one_of_its_kind)
{
    static const struct {
        uint32_t id, nearest;
    } rows[] = {
        {0xcd40, 0xa140}, {0xcdb0, 0xc9b0}, {0xcdd1, 0xc9d1}, {0xcdfa, 0},      {0xced0, 0xc9d1},
        {0xcfb0, 0xc9b0}, {0xcfb7, 0xc9b7}, {0xcfd1, 0xc9d1}, {0xd1b0, 0xc9b0}, {0xc4c0, 0xc3c0},
        {0x85b5, 0},      {0x50c0, 0},      {0xc361, 0},      {0, 0},           {0xcab5, 0xcab5},
        {0xe7d0, 0xe7d0}, {0xc4d1, 0xe7d0}, {0xa0d0, 0},      {0xd16f, 0xca6f},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nv_class *nearest = nv_class_nearest(rows[i].id);

        ck_assert_msg((nearest ? nearest->id : 0) == rows[i].nearest, "%x", (unsigned)rows[i].id);
    }
}
END_TEST

/* PROMISE (nvidia): A class without a table is read by the nearest older class of its kind, and
 * never said to lack a method. */
START_TEST(a_class_without_a_table_is_never_said_to_lack_a_method)
{
    static const struct {
        uint32_t id, offset;
        const char *name, *text;
    } rows[] = {
        {0xcd40, 0x01b4, "LOAD_INLINE_DATA", "0x7"},
        {0xcd40, 0x1ffc, "UNKNOWN_1ffc",
         "no table of class cd40, and no such method in class a140"},
        {0xcdfa, 0x0300, "UNKNOWN_0300", "no table of class cdfa"},
        {0, 0x0300, "UNKNOWN_0300", "no class is known here"},
    };
    char text[128];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nv_class_method_name(rows[i].id, rows[i].offset, text, sizeof text);
        ck_assert_str_eq(text, rows[i].name);
        nv_class_format(rows[i].id, rows[i].offset, 7, text, sizeof text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

/* Typed from the headers: open-gpu-doc classes/ @c8607fe5; clc96f.h and clca6f.h of the open kernel
 * driver 595.45.04. */
START_TEST(fermis_blackwells_and_videos_methods_have_their_names)
{
    static const struct {
        uint32_t id, offset, data;
        const char *name, *text;
    } rows[] = {
        {0x906f, 0x001c, 0x2, "SEMAPHORED", "OPERATION=RELEASE"},
        {0x9039, 0x0300, 0x0, "LAUNCH_DMA", NULL},
        {0x90b5, 0x0300, 0x0, "LAUNCH_DMA", NULL},
        {0x90c0, 0x0368, 0x1, "LAUNCH", "CTA_PARAM=1"},
        {0x9097, 0x1b00, 0x0, "SET_REPORT_SEMAPHORE_A", NULL},
        {0xb097, 0x1b0c, 0x0, "SET_REPORT_SEMAPHORE_D", NULL},
        {0xa26f, 0x0078, 0x0, "WFI", NULL},
        {0xc96f, 0x0034, 0x88000000, "MEM_OP_D", "OPERATION=L2_SYSMEM_NCOH_INVALIDATE"},
        {0xca6f, 0x006c, 0x1, "SEM_EXECUTE", "OPERATION=RELEASE"},
        {0xcab5, 0x0300, 0x182, "LAUNCH_DMA", NULL},
        {0xcec0, 0x02c0, 0x9, "SEND_SIGNALING_PCAS2_B", "PCAS_ACTION=PREFETCH_SCHEDULE"},
        {0xcec0, 0x1464, 0x107, "SET_MME_TASK_EVENT_STATE", "FLUSH_MACRO=7 TSG_EVENT_ENABLE=TRUE"},
        {0xc9b0, 0x0200, 0x7, "SET_APPLICATION_ID", "ID=HEVC"},
        {0xc9b0, 0x0c08, 0x5, "SET_CONTENT_INITIAL_VECTOR(2)", "5"},
        {0xc5b7, 0x0200, 0x3, "SET_APPLICATION_ID", "ID=NVENC_H265"},
        {0xc9d1, 0x0750, 0x1, "SET_PER_CORE_SET_CORE_INDEX(2)", "INDEX=1"},
        {0xe7d0, 0x0200, 0x1, "SET_APPLICATION_ID", "ID=NVJPG_DECODER"},
    };
    char text[256];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nv_class_method_name(rows[i].id, rows[i].offset, text, sizeof text);
        ck_assert_str_eq(text, rows[i].name);
        nv_class_format(rows[i].id, rows[i].offset, rows[i].data, text, sizeof text);
        if (rows[i].text)
            ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

static const struct {
    uint32_t id, offset, data;
    const char *text;
} formats[] = {
    {0xa140, 0x01b0, 0x00001001, "DST_MEMORY_LAYOUT=PITCH SEMAPHORE_STRUCT_SIZE=ONE_WORD"},
    {0xc1c0, 0x01b0, 0x00000011, "DST_MEMORY_LAYOUT=PITCH COMPLETION_TYPE=FLUSH_ONLY"},
    {0xc1c0, 0x02b4, 0x0102e400, "QMD_ADDRESS_SHIFTED8=0x102e400"},
    {0xc1c0, 0x02bc, 0x00000003, "INVALIDATE=TRUE SCHEDULE=TRUE"},
    {0xc1c0, 0x0110, 0x00000000, "0"},
    {0xc197, 0x1b0c, 0x1000f010,
     "RELEASE=AFTER_ALL_PRECEEDING_WRITES_COMPLETE PIPELINE_LOCATION=ALL STRUCTURE_SIZE=ONE_WORD"},
    {0xc197, 0x19ec, 0x00000003, "ENABLE=TRUE RSVD=0x2"},
    {0xc197, 0x0d28, 0x00000000, "XMIN=0 XMAX=0"},
    {0xc197, 0x0a00, 0x43000000, "0x43000000"},
    {0xc06f, 0x001c, 0x00100002, "OPERATION=RELEASE RELEASE_WFI=DIS"},
    {0xc46f, 0x006c, 0x00100001, "OPERATION=RELEASE RELEASE_WFI=EN"},
    {0xc1b5, 0x0300, 0x00000606,
     "DATA_TRANSFER_TYPE=NON_PIPELINED FLUSH_ENABLE=TRUE SRC_MEMORY_LAYOUT=BLOCKLINEAR "
     "DST_MEMORY_LAYOUT=BLOCKLINEAR MULTI_LINE_ENABLE=TRUE REMAP_ENABLE=TRUE"},
};

START_TEST(data_words_are_spelled_out_by_field)
{
    char text[512];

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        nv_class_format(formats[i].id, formats[i].offset, formats[i].data, text, sizeof text);
        ck_assert_str_eq(text, formats[i].text);
    }
}
END_TEST

START_TEST(a_text_that_does_not_fit_is_cut_and_its_length_returned)
{
    char text[8] = "xxxxxxx";

    ck_assert_uint_eq(nv_class_format(0xc1c0, 0x02bc, 3, text, sizeof text), 29);
    ck_assert_str_eq(text, "INVALID");
    ck_assert_uint_eq(nv_class_format(0xc1c0, 0x02bc, 3, NULL, 0), 29);
    ck_assert_uint_eq(nv_class_method_name(0xc197, 0x19ec, text, sizeof text), 24);
    ck_assert_str_eq(text, "SET_COL");
}
END_TEST

/* Every offset of every class with several data words: nothing may fall over. */
START_TEST(any_method_and_data_can_be_written)
{
    static const uint32_t data[] = {0, 1, 0x80000000, 0xffffffff, 0x12345678};
    char text[2048];

    for (size_t i = 0; i < nv_class_count(); i++)
        for (uint32_t offset = 0; offset <= 0x4000; offset += 4)
            for (size_t d = 0; d < sizeof data / sizeof data[0]; d++) {
                const size_t length =
                    nv_class_format(nv_class_at(i)->id, offset, data[d], text, sizeof text);

                ck_assert_uint_eq(length, strlen(text));
                ck_assert_uint_gt(nv_class_method_name(nv_class_at(i)->id, offset, text, 16), 0);
            }
}
END_TEST

START_TEST(constants_and_rows_are_the_same_facts)
{
    ck_assert_uint_eq(NVA0C0_SEND_PCAS_A, 0x2b4);
    ck_assert_uint_eq(NVA0C0_SEND_SIGNALING_PCAS_B, 0x2bc);
    ck_assert_uint_eq(NVA097_SET_REPORT_SEMAPHORE_A, 0x1b00);
    ck_assert_uint_eq(NVA040_LAUNCH_DMA, 0x1b0);
    ck_assert_uint_eq(nv_field(0x00100002u, NVB06F_SEMAPHORED_RELEASE_WFI),
                      NVB06F_SEMAPHORED_RELEASE_WFI_DIS);
    ck_assert_uint_eq(nv_field(0xffffffffu, NVA06F_NOP_HANDLE), 0xffffffff);
    ck_assert_uint_eq(nv_field_put(NVB06F_SEMAPHORED_OPERATION, 0xffu), 0x1f);
}
END_TEST

START_TEST(the_known_methods_are_those_that_are_found)
{
    for (size_t i = 0; i < nv_class_count(); i++) {
        uint32_t bits[NV_CLASS_METHODS / 32] = {0};

        nv_class_known(nv_class_at(i), bits);
        for (uint32_t m = 0; m < NV_CLASS_METHODS; m++) {
            struct nv_class_method found;

            ck_assert_msg(nv_class_lookup(nv_class_at(i), 4 * m, &found) ==
                              (bits[m / 32] >> m % 32 & 1),
                          "%s %04x", nv_class_at(i)->name, 4 * m);
        }
    }
}
END_TEST

START_TEST(no_class_knows_no_method)
{
    uint32_t bits[NV_CLASS_METHODS / 32] = {0};

    nv_class_known(NULL, bits);
    for (size_t i = 0; i < NV_CLASS_METHODS / 32; i++)
        ck_assert_uint_eq(bits[i], 0);
}
END_TEST

Suite *nv_class_suite(void)
{
    Suite *suite = suite_create("nv_class");
    TCase *tcase = tcase_create("tables");

    tcase_add_test(tcase, no_row_of_a_header_is_missing);
    tcase_add_test(tcase, classes_are_listed_in_order_and_found);
    tcase_add_test(tcase, rows_are_in_order_and_within_their_limits);
    tcase_add_test(tcase, every_element_of_every_method_is_found_as_itself);
    tcase_add_test(tcase, the_b_classes_hold_the_a_classes);
    tcase_add_test(tcase, other_generations_have_the_methods_that_behaviour_uses);
    tcase_add_test(tcase, constants_and_rows_are_the_same_facts);
    tcase_add_test(tcase, the_known_methods_are_those_that_are_found);
    tcase_add_test(tcase, no_class_knows_no_method);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("text");
    tcase_add_test(tcase, methods_have_the_names_of_the_recorded_streams);
    tcase_add_test(tcase, an_index_past_its_array_is_marked);
    tcase_add_test(tcase, host_methods_are_hosts_on_every_class);
    tcase_add_test(tcase, unknown_methods_and_classes_say_so);
    tcase_add_test(tcase, a_class_without_a_table_is_read_by_the_nearest_older_one_of_its_kind);
    tcase_add_test(tcase, a_class_without_a_table_is_never_said_to_lack_a_method);
    tcase_add_test(tcase, fermis_blackwells_and_videos_methods_have_their_names);
    tcase_add_test(tcase, data_words_are_spelled_out_by_field);
    tcase_add_test(tcase, a_text_that_does_not_fit_is_cut_and_its_length_returned);
    tcase_add_test(tcase, any_method_and_data_can_be_written);
    suite_add_tcase(suite, tcase);
    return suite;
}
