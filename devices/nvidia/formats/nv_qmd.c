/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_qmd.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"

/* clang-format off */
/* First expansion: each layout's rows begin at a number of their own. */
#define NV_QMD_LAYOUT(layout)                                 layout##_BEGIN,
#define NV_QMD_FIELD(layout, name, hi, lo, count, stride)     name##_ROW,
#define NV_QMD_VALUE(layout, field, name, value)              name##_ROW,
enum {
#include "devices/nvidia/formats/nv_qmd_layouts_a0c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c1c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c3c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c5c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c6c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_cbc0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_cdc0.h"
    LAYOUT_END
};
#undef NV_QMD_LAYOUT
#undef NV_QMD_FIELD
#undef NV_QMD_VALUE

/* Second expansion: the rows of all layouts; a layout's own name stands before its first row. */
#define NV_QMD_LAYOUT(layout) {#layout, 0, 0, 0, 0, 0, NV_QMD_ROW_VALUE},
#define NV_QMD_FIELD(layout, name, hi, lo, count, stride) \
    {&#name[sizeof #layout], 0, (hi), (lo), (count), (stride), NV_QMD_ROW_FIELD},
#define NV_QMD_VALUE(layout, field, name, value) \
    {&#name[sizeof #field], (value), 0, 0, 0, 0, NV_QMD_ROW_VALUE},
static const struct nv_qmd_row all_rows[] = {
#include "devices/nvidia/formats/nv_qmd_layouts_a0c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c1c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c3c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c5c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_c6c0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_cbc0.h"
#include "devices/nvidia/formats/nv_qmd_layouts_cdc0.h"
};
/* clang-format on */

#define LAYOUT_ROWS(begin, end) &all_rows[(begin) + 1], (size_t)((end) - (begin)-1)

enum { LAYOUTS = 13 };

static const struct nv_qmd_layout layouts[LAYOUTS] = {
    {"V00_06", 0, 6, NV_QMD_DWORDS, LAYOUT_ROWS(NVA0C0_QMDV00_06_BEGIN, NVA0C0_QMDV01_06_BEGIN)},
    {"V01_06", 1, 6, NV_QMD_DWORDS, LAYOUT_ROWS(NVA0C0_QMDV01_06_BEGIN, NVC1C0_QMDV01_07_BEGIN)},
    {"V01_07", 1, 7, NV_QMD_DWORDS, LAYOUT_ROWS(NVC1C0_QMDV01_07_BEGIN, NVC1C0_QMDV02_00_BEGIN)},
    {"V02_00", 2, 0, NV_QMD_DWORDS, LAYOUT_ROWS(NVC1C0_QMDV02_00_BEGIN, NVC1C0_QMDV02_01_BEGIN)},
    {"V02_01", 2, 1, NV_QMD_DWORDS, LAYOUT_ROWS(NVC1C0_QMDV02_01_BEGIN, NVC3C0_QMDV02_02_BEGIN)},
    {"V02_02", 2, 2, NV_QMD_DWORDS, LAYOUT_ROWS(NVC3C0_QMDV02_02_BEGIN, NVC5C0_QMDV02_03_BEGIN)},
    {"V02_03", 2, 3, NV_QMD_DWORDS, LAYOUT_ROWS(NVC5C0_QMDV02_03_BEGIN, NVC6C0_QMDV02_04_BEGIN)},
    {"V02_04", 2, 4, NV_QMD_DWORDS, LAYOUT_ROWS(NVC6C0_QMDV02_04_BEGIN, NVC6C0_QMDV03_00_BEGIN)},
    {"V03_00", 3, 0, NV_QMD_DWORDS, LAYOUT_ROWS(NVC6C0_QMDV03_00_BEGIN, NVCBC0_QMDV04_00_BEGIN)},
    {"V04_00", 4, 0, NV_QMD_MAX_DWORDS,
     LAYOUT_ROWS(NVCBC0_QMDV04_00_BEGIN, NVCDC0_QMDV05_00_BEGIN)},
    {"V04_01", 4, 1, NV_QMD_MAX_DWORDS, LAYOUT_ROWS(NVCDC0_QMDV04_01_BEGIN, LAYOUT_END)},
    {"V05_00", 5, 0, NV_QMD_MAX_DWORDS,
     LAYOUT_ROWS(NVCDC0_QMDV05_00_BEGIN, NVCDC0_QMDV05_01_BEGIN)},
    {"V05_01", 5, 1, NV_QMD_MAX_DWORDS,
     LAYOUT_ROWS(NVCDC0_QMDV05_01_BEGIN, NVCDC0_QMDV04_01_BEGIN)},
};

/* MAJOR and VERSION, in two places; tests/test_nv_qmd.c checks this. */
#define VERSION_HI     583
#define VERSION_LO     576
#define VERSION_V05_HI 471
#define VERSION_V05_LO 464

uint32_t nv_qmd_bits(const uint32_t words[NV_QMD_DWORDS], unsigned hi, unsigned lo)
{
    const unsigned width = hi - lo + 1;
    const unsigned word = lo / 32, shift = lo % 32;

    assert(lo <= hi && width <= 32 && hi < 32 * NV_QMD_MAX_DWORDS);
    uint64_t pair = words[word];
    if (shift + width > 32)
        pair |= (uint64_t)words[word + 1] << 32;
    return (uint32_t)(pair >> shift) & (UINT32_MAX >> (32 - width));
}

void nv_qmd_bits_put(uint32_t words[NV_QMD_DWORDS], unsigned hi, unsigned lo, uint32_t value)
{
    const unsigned width = hi - lo + 1;
    const unsigned word = lo / 32, shift = lo % 32;
    const uint64_t mask = (uint64_t)(UINT32_MAX >> (32 - width)) << shift;
    const uint64_t bits = (uint64_t)value << shift & mask;

    assert(lo <= hi && width <= 32 && hi < 32 * NV_QMD_MAX_DWORDS);
    words[word] = (words[word] & ~(uint32_t)mask) | (uint32_t)bits;
    if (shift + width > 32)
        words[word + 1] = (words[word + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);
}

const struct nv_qmd_layout *nv_qmd_layout_at(size_t index)
{
    return index < nv_qmd_layout_count() ? &layouts[index] : NULL;
}

size_t nv_qmd_layout_count(void)
{
    return sizeof layouts / sizeof layouts[0];
}

/* Has a QMD header (clc4c0qmd.h), but no table of methods. */
enum { VOLTA_COMPUTE_B = 0xc4c0 };

/* Which versions a compute class has, as nibbles of MAJOR and VERSION, and what 0.0 stands for
 * there, if it does. */
static const struct qmd_versions {
    uint16_t class_id;
    uint8_t unset;
    uint8_t known[4];
} qmd_versions[] = {
    {KEPLER_COMPUTE_A, 0x06, {0x06, 0x16, 0x17}},
    {KEPLER_COMPUTE_B, 0x06, {0x06, 0x17}},
    {MAXWELL_COMPUTE_A, 0x06, {0x06, 0x17}},
    {MAXWELL_COMPUTE_B, 0x06, {0x06, 0x17}},
    {PASCAL_COMPUTE_A, 0x21, {0x17, 0x20, 0x21}},
    {PASCAL_COMPUTE_B, 0x21, {0x17, 0x20, 0x21}},
    {VOLTA_COMPUTE_A, 0, {0x22}},
    {VOLTA_COMPUTE_B, 0, {0x22}},
    {TURING_COMPUTE_A, 0, {0x22, 0x23}},
    {AMPERE_COMPUTE_A, 0, {0x23, 0x24, 0x30}},
    {AMPERE_COMPUTE_B, 0, {0x23, 0x24, 0x30}},
    {ADA_COMPUTE_A, 0, {0x24, 0x30}},
    {HOPPER_COMPUTE_A, 0, {0x30, 0x40}},
    {BLACKWELL_COMPUTE_A, 0, {0x41, 0x50, 0x51}},
    {BLACKWELL_COMPUTE_B, 0, {0x41, 0x50, 0x51}},
};

static const struct qmd_versions *qmd_versions_of(uint32_t class_id)
{
    for (size_t i = 0; i < sizeof qmd_versions / sizeof qmd_versions[0]; i++)
        if (qmd_versions[i].class_id == class_id)
            return &qmd_versions[i];
    return NULL;
}

static const struct nv_qmd_layout *qmd_layout_find(uint32_t version)
{
    for (size_t i = 0; i < LAYOUTS; i++)
        if (((uint32_t)layouts[i].major << 4 | layouts[i].minor) == version)
            return &layouts[i];
    return NULL;
}

/* Does the class know the version?  A class without a row may be a later one, which may have any.
 */
static bool qmd_is_known(const struct qmd_versions *versions, uint32_t version)
{
    if (!versions)
        return qmd_layout_find(version) != NULL;
    for (size_t i = 0; i < sizeof versions->known; i++)
        if (version != 0 && versions->known[i] == version)
            return true;
    return false;
}

uint32_t nv_qmd_version(const uint32_t words[NV_QMD_DWORDS])
{
    return nv_qmd_bits(words, VERSION_HI, VERSION_LO);
}

const struct nv_qmd_layout *nv_qmd_layout_of(uint32_t class_id, const uint32_t words[NV_QMD_DWORDS])
{
    const struct qmd_versions *versions = qmd_versions_of(class_id);
    const uint32_t v05 = nv_qmd_bits(words, VERSION_V05_HI, VERSION_V05_LO);
    uint32_t version = nv_qmd_version(words);

    if ((class_id & 0xff) != (KEPLER_COMPUTE_A & 0xff) || class_id < KEPLER_COMPUTE_A)
        return NULL;
    if (v05 >> 4 == 5 && qmd_is_known(versions, v05))
        return qmd_layout_find(v05);
    if (version == 0 && versions)
        version = versions->unset;
    return version >> 4 < 5 && qmd_is_known(versions, version) ? qmd_layout_find(version) : NULL;
}

const struct nv_qmd_row *nv_qmd_find(const struct nv_qmd_layout *layout, const char *name)
{
    for (size_t i = 0; i < layout->row_count; i++)
        if (layout->rows[i].kind == NV_QMD_ROW_FIELD && layout->rows[i].name[0] == name[0] &&
            strcmp(layout->rows[i].name, name) == 0)
            return &layout->rows[i];
    return NULL;
}

uint32_t nv_qmd_get(const uint32_t words[NV_QMD_DWORDS], const struct nv_qmd_row *field,
                    unsigned index)
{
    assert(index < field->count);
    return nv_qmd_bits(words, field->hi + index * field->stride, field->lo + index * field->stride);
}

/* ---- what a launch needs --------------------------------------------------------------------- */

/* Fields by number, so that no name is looked up for a launch.  First those that every layout has
 * by this name, then what the layouts before V03_00 call so. */
#define QMD_FIELDS(FIELD, layout)                                                                  \
    FIELD(layout, CTA_THREAD_DIMENSION0)                                                           \
    FIELD(layout, CTA_THREAD_DIMENSION1)                                                           \
    FIELD(layout, CTA_THREAD_DIMENSION2)                                                           \
    FIELD(layout, SHARED_MEMORY_SIZE)                                                              \
    FIELD(layout, BARRIER_COUNT)                                                                   \
    FIELD(layout, SHADER_LOCAL_MEMORY_LOW_SIZE)                                                    \
    FIELD(layout, SHADER_LOCAL_MEMORY_HIGH_SIZE)                                                   \
    FIELD(layout, CONSTANT_BUFFER_VALID)

#define QMD_FIELDS_TO_V03(FIELD, layout)                                                           \
    FIELD(layout, CTA_RASTER_WIDTH)                                                                \
    FIELD(layout, CTA_RASTER_HEIGHT)                                                               \
    FIELD(layout, CTA_RASTER_DEPTH)                                                                \
    FIELD(layout, CONSTANT_BUFFER_ADDR_UPPER)                                                      \
    FIELD(layout, CONSTANT_BUFFER_ADDR_LOWER)

#define QMD_FIELDS_TO_V02(FIELD, layout)                                                           \
    FIELD(layout, RELEASE_MEMBAR_TYPE)                                                             \
    FIELD(layout, SEMAPHORE_RELEASE_ENABLE0)                                                       \
    FIELD(layout, RELEASE0_STRUCTURE_SIZE)                                                         \
    FIELD(layout, RELEASE0_REDUCTION_ENABLE)                                                       \
    FIELD(layout, RELEASE0_REDUCTION_OP)                                                           \
    FIELD(layout, RELEASE0_REDUCTION_FORMAT)                                                       \
    FIELD(layout, RELEASE0_ADDRESS_UPPER)                                                          \
    FIELD(layout, RELEASE0_ADDRESS_LOWER)                                                          \
    FIELD(layout, RELEASE0_PAYLOAD)                                                                \
    FIELD(layout, SEMAPHORE_RELEASE_ENABLE1)                                                       \
    FIELD(layout, RELEASE1_STRUCTURE_SIZE)                                                         \
    FIELD(layout, RELEASE1_REDUCTION_ENABLE)                                                       \
    FIELD(layout, RELEASE1_REDUCTION_OP)                                                           \
    FIELD(layout, RELEASE1_REDUCTION_FORMAT)                                                       \
    FIELD(layout, RELEASE1_ADDRESS_UPPER)                                                          \
    FIELD(layout, RELEASE1_ADDRESS_LOWER)                                                          \
    FIELD(layout, RELEASE1_PAYLOAD)

#define QMD_FIELD_NUMBER(layout, name) QMD_##name,
#define QMD_FIELD_ROW(layout, name)    [QMD_##name] = layout##_##name##_ROW,
enum qmd_field {
    QMD_FIELDS(QMD_FIELD_NUMBER, ) QMD_FIELDS_TO_V03(QMD_FIELD_NUMBER, )
        QMD_FIELDS_TO_V02(QMD_FIELD_NUMBER, )
    /* Those whose names differ, or that a layout does not have: row 0. */
    QMD_CONSTANT_BUFFER_SIZE,
    QMD_REGISTER_COUNT,
    QMD_SM_DISABLE_MASK_UPPER,
    QMD_SM_DISABLE_MASK_LOWER,
    QMD_SHADER_LOCAL_MEMORY_CRS_SIZE,
    QMD_PROGRAM_LOWER,
    QMD_PROGRAM_UPPER,
    QMD_MIN_SM_CONFIG_SHARED_MEM_SIZE,
    QMD_TARGET_SM_CONFIG_SHARED_MEM_SIZE,
    QMD_FIELD_COUNT
};

/* Release 1 has its fields as far behind release 0's, in the order above. */
enum { QMD_RELEASE_FIELDS = QMD_SEMAPHORE_RELEASE_ENABLE1 - QMD_SEMAPHORE_RELEASE_ENABLE0 };

/* From Volta on. */
#define QMD_ROWS_SPLIT(layout, prefix)                                                             \
    [QMD_MIN_SM_CONFIG_SHARED_MEM_SIZE] = layout##_##prefix##MIN_SM_CONFIG_SHARED_MEM_SIZE_ROW,    \
    [QMD_TARGET_SM_CONFIG_SHARED_MEM_SIZE] =                                                       \
        layout##_##prefix##TARGET_SM_CONFIG_SHARED_MEM_SIZE_ROW

/* Kepler to Pascal; from Volta on programs have addresses, and more registers a field of its own.
 */
#define QMD_ROWS_OFFSET(layout, size)                                                              \
    QMD_FIELDS(QMD_FIELD_ROW, layout)                                                              \
    QMD_FIELDS_TO_V03(QMD_FIELD_ROW, layout)                                                       \
    QMD_FIELDS_TO_V02(QMD_FIELD_ROW, layout)                                                       \
    [QMD_CONSTANT_BUFFER_SIZE] = layout##_CONSTANT_BUFFER_##size##_ROW,                            \
    [QMD_REGISTER_COUNT] = layout##_REGISTER_COUNT_ROW,                                            \
    [QMD_SHADER_LOCAL_MEMORY_CRS_SIZE] = layout##_SHADER_LOCAL_MEMORY_CRS_SIZE_ROW,                \
    [QMD_PROGRAM_LOWER] = layout##_PROGRAM_OFFSET_ROW
#define QMD_ROWS_ADDRESS(layout, registers)                                                        \
    QMD_FIELDS(QMD_FIELD_ROW, layout)                                                              \
    [QMD_CONSTANT_BUFFER_SIZE] = layout##_CONSTANT_BUFFER_SIZE_SHIFTED4_ROW,                       \
    [QMD_REGISTER_COUNT] = layout##_##registers##_ROW,                                             \
    [QMD_PROGRAM_LOWER] = layout##_PROGRAM_ADDRESS_LOWER_ROW,                                      \
    [QMD_PROGRAM_UPPER] = layout##_PROGRAM_ADDRESS_UPPER_ROW, QMD_ROWS_SPLIT(layout, )
#define QMD_ROWS_V02(layout)                                                                       \
    QMD_FIELDS_TO_V03(QMD_FIELD_ROW, layout)                                                       \
    QMD_FIELDS_TO_V02(QMD_FIELD_ROW, layout)                                                       \
    QMD_ROWS_ADDRESS(layout, REGISTER_COUNT_V)

/* A release of V03_00, and one of V04_00, where most of its fields are elements of an array. */
#define QMD_ROWS_RELEASE_V03(layout, n)                                                            \
    [QMD_SEMAPHORE_RELEASE_ENABLE##n] = layout##_RELEASE##n##_ENABLE_ROW,                          \
    [QMD_RELEASE##n##_STRUCTURE_SIZE] = layout##_RELEASE##n##_STRUCTURE_SIZE_ROW,                  \
    [QMD_RELEASE##n##_REDUCTION_ENABLE] = layout##_RELEASE##n##_REDUCTION_ENABLE_ROW,              \
    [QMD_RELEASE##n##_REDUCTION_OP] = layout##_RELEASE##n##_REDUCTION_OP_ROW,                      \
    [QMD_RELEASE##n##_REDUCTION_FORMAT] = layout##_RELEASE##n##_REDUCTION_FORMAT_ROW,              \
    [QMD_RELEASE##n##_ADDRESS_UPPER] = layout##_RELEASE##n##_ADDRESS_UPPER_ROW,                    \
    [QMD_RELEASE##n##_ADDRESS_LOWER] = layout##_RELEASE##n##_ADDRESS_LOWER_ROW,                    \
    [QMD_RELEASE##n##_PAYLOAD] = layout##_RELEASE##n##_PAYLOAD_LOWER_ROW
#define QMD_ROWS_RELEASE_V04(layout, n)                                                            \
    [QMD_SEMAPHORE_RELEASE_ENABLE##n] = layout##_RELEASE_ENABLE_ROW,                               \
    [QMD_RELEASE##n##_STRUCTURE_SIZE] = layout##_RELEASE_STRUCTURE_SIZE_ROW,                       \
    [QMD_RELEASE##n##_REDUCTION_ENABLE] = layout##_RELEASE_REDUCTION_ENABLE_ROW,                   \
    [QMD_RELEASE##n##_REDUCTION_OP] = layout##_RELEASE_REDUCTION_OP_ROW,                           \
    [QMD_RELEASE##n##_REDUCTION_FORMAT] = layout##_RELEASE_REDUCTION_FORMAT_ROW,                   \
    [QMD_RELEASE##n##_ADDRESS_UPPER] = layout##_RELEASE_SEMAPHORE##n##_ADDR_UPPER_ROW,             \
    [QMD_RELEASE##n##_ADDRESS_LOWER] = layout##_RELEASE_SEMAPHORE##n##_ADDR_LOWER_ROW,             \
    [QMD_RELEASE##n##_PAYLOAD] = layout##_RELEASE_SEMAPHORE##n##_PAYLOAD_LOWER_ROW
#define QMD_ROWS_V03(layout)                                                                       \
    QMD_FIELDS_TO_V03(QMD_FIELD_ROW, layout)                                                       \
    QMD_ROWS_ADDRESS(layout, REGISTER_COUNT_V),                                                    \
        [QMD_RELEASE_MEMBAR_TYPE] = layout##_RELEASE0_MEMBAR_TYPE_ROW,                             \
        QMD_ROWS_RELEASE_V03(layout, 0), QMD_ROWS_RELEASE_V03(layout, 1)
#define QMD_ROWS_V04(layout)                                                                       \
    QMD_ROWS_ADDRESS(layout, REGISTER_COUNT),                                                      \
        [QMD_CTA_RASTER_WIDTH] = layout##_GRID_WIDTH_ROW,                                          \
        [QMD_CTA_RASTER_HEIGHT] = layout##_GRID_HEIGHT_ROW,                                        \
        [QMD_CTA_RASTER_DEPTH] = layout##_GRID_DEPTH_ROW,                                          \
        [QMD_CONSTANT_BUFFER_ADDR_UPPER] = layout##_CONSTANT_BUFFER_ADDR_UPPER_SHIFTED6_ROW,       \
        [QMD_CONSTANT_BUFFER_ADDR_LOWER] = layout##_CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6_ROW,       \
        [QMD_RELEASE_MEMBAR_TYPE] = layout##_RELEASE_MEMBAR_TYPE_ROW,                              \
        QMD_ROWS_RELEASE_V04(layout, 0), QMD_ROWS_RELEASE_V04(layout, 1)

/* V05: sizes and addresses in units; V05_01 has its sub-tasks' in arrays, of which element 0 is the
 * first sub-task's, and none of the older layouts' constant buffers. */
#define QMD_ROWS_V05(layout, prefix)                                                               \
    [QMD_CTA_THREAD_DIMENSION0] = layout##_##prefix##CTA_THREAD_DIMENSION0_ROW,                    \
    [QMD_CTA_THREAD_DIMENSION1] = layout##_##prefix##CTA_THREAD_DIMENSION1_ROW,                    \
    [QMD_CTA_THREAD_DIMENSION2] = layout##_##prefix##CTA_THREAD_DIMENSION2_ROW,                    \
    [QMD_SHARED_MEMORY_SIZE] = layout##_##prefix##SHARED_MEMORY_SIZE_SHIFTED7_ROW,                 \
    [QMD_BARRIER_COUNT] = layout##_##prefix##BARRIER_COUNT_ROW,                                    \
    [QMD_SHADER_LOCAL_MEMORY_LOW_SIZE] =                                                           \
        layout##_##prefix##SHADER_LOCAL_MEMORY_LOW_SIZE_SHIFTED4_ROW,                              \
    [QMD_SHADER_LOCAL_MEMORY_HIGH_SIZE] =                                                          \
        layout##_##prefix##SHADER_LOCAL_MEMORY_HIGH_SIZE_SHIFTED4_ROW,                             \
    [QMD_REGISTER_COUNT] = layout##_##prefix##REGISTER_COUNT_ROW,                                  \
    [QMD_PROGRAM_LOWER] = layout##_##prefix##PROGRAM_ADDRESS_LOWER_SHIFTED4_ROW,                   \
    [QMD_PROGRAM_UPPER] = layout##_##prefix##PROGRAM_ADDRESS_UPPER_SHIFTED4_ROW,                   \
    QMD_ROWS_SPLIT(layout, prefix), [QMD_CTA_RASTER_WIDTH] = layout##_##prefix##GRID_WIDTH_ROW,    \
    [QMD_CTA_RASTER_HEIGHT] = layout##_##prefix##GRID_HEIGHT_ROW,                                  \
    [QMD_CTA_RASTER_DEPTH] = layout##_##prefix##GRID_DEPTH_ROW,                                    \
    [QMD_RELEASE_MEMBAR_TYPE] = layout##_RELEASE_MEMBAR_TYPE_ROW, QMD_ROWS_RELEASE_V04(layout, 0)
#define QMD_ROWS_BUFFERS_V05(layout)                                                               \
    [QMD_CONSTANT_BUFFER_VALID] = layout##_CONSTANT_BUFFER_VALID_ROW,                              \
    [QMD_CONSTANT_BUFFER_SIZE] = layout##_CONSTANT_BUFFER_SIZE_SHIFTED4_ROW,                       \
    [QMD_CONSTANT_BUFFER_ADDR_UPPER] = layout##_CONSTANT_BUFFER_ADDR_UPPER_SHIFTED6_ROW,           \
    [QMD_CONSTANT_BUFFER_ADDR_LOWER] = layout##_CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6_ROW

/* V00_06 and the layouts from V04_00 on have none. */
#define QMD_ROWS_MASK(layout)                                                                      \
    [QMD_SM_DISABLE_MASK_UPPER] = layout##_SM_DISABLE_MASK_UPPER_ROW,                              \
    [QMD_SM_DISABLE_MASK_LOWER] = layout##_SM_DISABLE_MASK_LOWER_ROW

/* Where each layout has them; in the order of `layouts`. */
static const struct qmd_rows {
    uint16_t row[QMD_FIELD_COUNT]; /* of all_rows */
    uint8_t size_shift;            /* of CONSTANT_BUFFER_SIZE */
    uint8_t address_shift;         /* of CONSTANT_BUFFER_ADDR */
} qmd_rows[LAYOUTS] = {
    {{QMD_ROWS_OFFSET(NVA0C0_QMDV00_06, SIZE)}, 0, 0},
    {{QMD_ROWS_OFFSET(NVA0C0_QMDV01_06, SIZE), QMD_ROWS_MASK(NVA0C0_QMDV01_06)}, 0, 0},
    {{QMD_ROWS_OFFSET(NVC1C0_QMDV01_07, SIZE), QMD_ROWS_MASK(NVC1C0_QMDV01_07)}, 0, 0},
    {{QMD_ROWS_OFFSET(NVC1C0_QMDV02_00, SIZE_SHIFTED4), QMD_ROWS_MASK(NVC1C0_QMDV02_00)}, 4, 0},
    {{QMD_ROWS_OFFSET(NVC1C0_QMDV02_01, SIZE_SHIFTED4), QMD_ROWS_MASK(NVC1C0_QMDV02_01)}, 4, 0},
    {{QMD_ROWS_V02(NVC3C0_QMDV02_02), QMD_ROWS_MASK(NVC3C0_QMDV02_02),
      [QMD_SHADER_LOCAL_MEMORY_CRS_SIZE] = NVC3C0_QMDV02_02_SHADER_LOCAL_MEMORY_CRS_SIZE_ROW},
     4,
     0},
    {{QMD_ROWS_V02(NVC5C0_QMDV02_03), QMD_ROWS_MASK(NVC5C0_QMDV02_03)}, 4, 0},
    {{QMD_ROWS_V02(NVC6C0_QMDV02_04), QMD_ROWS_MASK(NVC6C0_QMDV02_04)}, 4, 0},
    {{QMD_ROWS_V03(NVC6C0_QMDV03_00), QMD_ROWS_MASK(NVC6C0_QMDV03_00)}, 4, 0},
    {{QMD_ROWS_V04(NVCBC0_QMDV04_00)}, 4, 6},
    {{QMD_ROWS_V04(NVCDC0_QMDV04_01)}, 4, 6},
    {{QMD_ROWS_V05(NVCDC0_QMDV05_00, ), QMD_ROWS_RELEASE_V04(NVCDC0_QMDV05_00, 1),
      QMD_ROWS_BUFFERS_V05(NVCDC0_QMDV05_00)},
     4,
     6},
    {{QMD_ROWS_V05(NVCDC0_QMDV05_01, SUB_TASK_)}, 4, 6},
};

/* A descriptor and how to read it, while it is decoded. */
struct qmd_source {
    const struct qmd_rows *rows;
    const uint32_t *words;
};

static uint32_t qmd_value(const struct qmd_source *source, enum qmd_field field, unsigned index)
{
    const uint16_t row = source->rows->row[field];

    return row ? nv_qmd_get(source->words, &all_rows[row], index) : 0;
}

static struct nv_qmd_constant_buffer qmd_constant_buffer(const struct qmd_source *source,
                                                         unsigned index)
{
    return (struct nv_qmd_constant_buffer){
        .valid = qmd_value(source, QMD_CONSTANT_BUFFER_VALID, index) != 0,
        .address = ((uint64_t)qmd_value(source, QMD_CONSTANT_BUFFER_ADDR_UPPER, index) << 32 |
                    qmd_value(source, QMD_CONSTANT_BUFFER_ADDR_LOWER, index))
                   << source->rows->address_shift,
        .bytes = qmd_value(source, QMD_CONSTANT_BUFFER_SIZE, index) << source->rows->size_shift,
    };
}

/* A field of release n: a row of its own, or an element of the one row that there is. */
static uint32_t qmd_release_value(const struct qmd_source *source, enum qmd_field of_0, unsigned n)
{
    const uint32_t field = of_0 + n * QMD_RELEASE_FIELDS;
    const bool is_array = all_rows[source->rows->row[field]].count > 1;

    return qmd_value(source, (enum qmd_field)field, is_array ? n : 0);
}

/* STRUCTURE_SIZE: 0 four words, 1 one word, and from V03_00 on 2 two words. */
static struct nv_qmd_release qmd_release(const struct qmd_source *source, unsigned n)
{
    const uint32_t size = qmd_release_value(source, QMD_RELEASE0_STRUCTURE_SIZE, n);

    return (struct nv_qmd_release){
        .enable = qmd_release_value(source, QMD_SEMAPHORE_RELEASE_ENABLE0, n) != 0,
        .one_word = size != 0,
        .reduction_enable = qmd_release_value(source, QMD_RELEASE0_REDUCTION_ENABLE, n) != 0,
        .reduction_op = (uint8_t)qmd_release_value(source, QMD_RELEASE0_REDUCTION_OP, n),
        .reduction_format = (uint8_t)qmd_release_value(source, QMD_RELEASE0_REDUCTION_FORMAT, n),
        .address = (uint64_t)qmd_release_value(source, QMD_RELEASE0_ADDRESS_UPPER, n) << 32 |
                   qmd_release_value(source, QMD_RELEASE0_ADDRESS_LOWER, n),
        .payload = qmd_release_value(source, QMD_RELEASE0_PAYLOAD, n),
    };
}

/* The units in the names of V05's fields: _SHIFTED7 and _SHIFTED4. */
static void qmd_v05_units(struct nv_qmd *qmd)
{
    qmd->shared_bytes <<= 7;
    qmd->local_low_bytes <<= 4;
    qmd->local_high_bytes <<= 4;
    qmd->program_offset <<= 4;
}

/* V03_00 of clc9c0qmd.h, for chips of up to 72 TPCs: SM_DISABLE_MASK_EXT_LOWER and _UPPER. */
enum { EXT_LOWER_HI = 377, EXT_LOWER_LO = 372, EXT_UPPER_HI = 380, EXT_UPPER_LO = 379 };

/* Returns the mask of TPCs: SM_DISABLE_MASK of 64 bits up to V03_00, of 72 in Ada's V03_00, or
 * TPC_DISABLE_MASK, if that is valid.  Of its words the first 128 bits are read. */
static struct mask128 qmd_mask(const struct qmd_source *source, const struct nv_qmd_layout *layout,
                               uint32_t class_id)
{
    const struct nv_qmd_row *valid = nv_qmd_find(layout, "TPC_DISABLE_MASK_VALID");
    const struct nv_qmd_row *words = valid ? nv_qmd_find(layout, "TPC_DISABLE_MASK") : NULL;
    struct mask128 mask = {{0, 0}};

    if (!valid)
        mask.word[0] = (uint64_t)qmd_value(source, QMD_SM_DISABLE_MASK_UPPER, 0) << 32 |
                       qmd_value(source, QMD_SM_DISABLE_MASK_LOWER, 0);
    if (class_id == ADA_COMPUTE_A && layout->major == 3)
        mask.word[1] = nv_qmd_bits(source->words, EXT_UPPER_HI, EXT_UPPER_LO) << 6 |
                       nv_qmd_bits(source->words, EXT_LOWER_HI, EXT_LOWER_LO);
    for (unsigned i = 0; words && nv_qmd_get(source->words, valid, 0) && i < 4; i++)
        mask.word[i / 2] |= (uint64_t)nv_qmd_get(source->words, words, i) << 32 * (i % 2);
    return mask;
}

static const uint8_t qmd_groups[NV_QMD_LEVELS] = {63, 37, 11, 10, 9, 8};

uint32_t nv_qmd_group_of(uint32_t level)
{
    return qmd_groups[level < NV_QMD_LEVELS ? level : NV_QMD_LEVELS - 1];
}

uint32_t nv_qmd_level_of(uint32_t group_id)
{
    for (uint32_t i = 0; i < NV_QMD_LEVELS; i++)
        if (qmd_groups[i] == group_id)
            return i;
    return NV_QMD_NO_LEVEL;
}

/* QMD_GROUP_ID of V04_00 (clcbc0qmd.h). */
enum { GROUP_ID_HI = 21, GROUP_ID_LO = 16 };
/* QMD_TYPE, its value GRID_GPC_CGA, and GPC_CGA_WIDTH, _HEIGHT and _DEPTH of
 * QMD V04_00 (clcbc0qmd.h). */
enum { TYPE_HI = 25, TYPE_LO = 23, TYPE_GPC_CGA = 3, CGA_HI = 2149, CGA_LO = 2144, CGA_STRIDE = 8 };

bool nv_qmd_decode(uint32_t class_id, const uint32_t words[NV_QMD_DWORDS], struct nv_qmd *out)
{
    const struct nv_qmd_layout *layout = nv_qmd_layout_of(class_id, words);

    *out = (struct nv_qmd){.layout = layout};
    if (layout == NULL)
        return false;
    const struct qmd_source source = {&qmd_rows[layout - layouts], words};
    out->grid[0] = qmd_value(&source, QMD_CTA_RASTER_WIDTH, 0);
    out->grid[1] = qmd_value(&source, QMD_CTA_RASTER_HEIGHT, 0);
    out->grid[2] = qmd_value(&source, QMD_CTA_RASTER_DEPTH, 0);
    out->block[0] = qmd_value(&source, QMD_CTA_THREAD_DIMENSION0, 0);
    out->block[1] = qmd_value(&source, QMD_CTA_THREAD_DIMENSION1, 0);
    out->block[2] = qmd_value(&source, QMD_CTA_THREAD_DIMENSION2, 0);
    out->shared_bytes = qmd_value(&source, QMD_SHARED_MEMORY_SIZE, 0);
    out->registers = qmd_value(&source, QMD_REGISTER_COUNT, 0);
    out->least_split = qmd_value(&source, QMD_MIN_SM_CONFIG_SHARED_MEM_SIZE, 0);
    out->chosen_split = qmd_value(&source, QMD_TARGET_SM_CONFIG_SHARED_MEM_SIZE, 0);
    out->tpc_disable_mask = qmd_mask(&source, layout, class_id);
    out->group_id = layout->major == 4 ? nv_qmd_bits(words, GROUP_ID_HI, GROUP_ID_LO) : 0;
    if (layout->major == 4 && nv_qmd_bits(words, TYPE_HI, TYPE_LO) == TYPE_GPC_CGA)
        for (uint32_t i = 0; i < 3; i++)
            out->cluster[i] = nv_qmd_bits(words, CGA_HI + CGA_STRIDE * i, CGA_LO + CGA_STRIDE * i);
    out->barriers = qmd_value(&source, QMD_BARRIER_COUNT, 0);
    out->local_low_bytes = qmd_value(&source, QMD_SHADER_LOCAL_MEMORY_LOW_SIZE, 0);
    out->local_high_bytes = qmd_value(&source, QMD_SHADER_LOCAL_MEMORY_HIGH_SIZE, 0);
    out->crs_bytes = qmd_value(&source, QMD_SHADER_LOCAL_MEMORY_CRS_SIZE, 0);
    out->program_offset = (uint64_t)qmd_value(&source, QMD_PROGRAM_UPPER, 0) << 32 |
                          qmd_value(&source, QMD_PROGRAM_LOWER, 0);
    if (layout->major == 5)
        qmd_v05_units(out);
    out->release_sysmembar = qmd_value(&source, QMD_RELEASE_MEMBAR_TYPE, 0) != 0;
    out->release[0] = qmd_release(&source, 0);
    out->release[1] = qmd_release(&source, 1);
    for (unsigned i = 0; i < NV_QMD_CONSTANT_BUFFERS; i++)
        out->constant_buffers[i] = qmd_constant_buffer(&source, i);
    return true;
}

static const char *qmd_value_name(const struct nv_qmd_layout *layout, size_t field, uint32_t value)
{
    for (size_t i = field + 1; i < layout->row_count && layout->rows[i].kind == NV_QMD_ROW_VALUE;
         i++)
        if (layout->rows[i].number == value)
            return layout->rows[i].name;
    return NULL;
}

bool nv_qmd_next(const struct nv_qmd_layout *layout, const uint32_t words[NV_QMD_DWORDS],
                 struct nv_qmd_item *item)
{
    while (item->next_row < layout->row_count) {
        const struct nv_qmd_row *row = &layout->rows[item->next_row];

        if (row->kind != NV_QMD_ROW_FIELD || item->next_index >= row->count) {
            item->next_row++;
            item->next_index = 0;
            continue;
        }
        item->field = row;
        item->index = item->next_index++;
        item->value = nv_qmd_get(words, row, item->index);
        item->value_name = qmd_value_name(layout, item->next_row, item->value);
        if (item->value != 0)
            return true;
    }
    return false;
}

size_t nv_qmd_item_format(const struct nv_qmd_item *item, char *out, size_t size)
{
    const char *name = item->field->name;
    const bool hex = strstr(name, "ADDR") != NULL || strstr(name, "OFFSET") != NULL ||
                     strstr(name, "POINTER") != NULL || strstr(name, "MASK") != NULL ||
                     strstr(name, "SPARE") != NULL || strstr(name, "RESERVED") != NULL ||
                     strstr(name, "DEBUG") != NULL || item->value > 0xffffff;
    char index[16] = "", value[32];

    if (item->field->count > 1)
        snprintf(index, sizeof index, "(%u)", item->index);
    snprintf(value, sizeof value, hex ? "0x%x" : "%u", (unsigned)item->value);
    const int length = snprintf(out, size, "%s%s=%s", name, index,
                                item->value_name != NULL ? item->value_name : value);
    return length > 0 ? (size_t)length : 0;
}

bool nv_qmd_is_scheduled(uint32_t class_id, uint32_t method, uint32_t data)
{
    if (method == NVA0C0_SEND_SIGNALING_PCAS_B && class_id >= KEPLER_COMPUTE_A)
        return nv_field(data, NVA0C0_SEND_SIGNALING_PCAS_B_SCHEDULE) != 0;
    if (method != NVC6C0_SEND_SIGNALING_PCAS2_B || class_id < AMPERE_COMPUTE_A)
        return false;
    switch (nv_field(data, NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION)) {
    case NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_SCHEDULE:
    case NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_INVALIDATE_COPY_SCHEDULE:
    case NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_PREFETCH_SCHEDULE:
    case NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_INVALIDATE_PREFETCH_COPY_SCHEDULE:
    case NVC6C0_SEND_SIGNALING_PCAS2_B_PCAS_ACTION_INVALIDATE_PREFETCH_COPY_FORCE_REQUIRE_SCHEDULING:
        return true;
    default:
        return false;
    }
}
