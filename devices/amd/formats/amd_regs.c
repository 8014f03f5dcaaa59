/* SPDX-License-Identifier: MIT */
/* The register lists as data, for registers' storage, decoding and `gfe regs`. */
#include <config.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/formats/amd_variants.h"
#include "devices/amd/formats/amd_vm_l2_regs.h"

/* The first are NVIDIA's bits. */
const char *const amd_variant_names[] = {"", "", "",       "",       "",       "",  "",
                                         "", "", "",       "",       "",       "",  "",
                                         "", "", "gfx906", "gfx908", "gfx90a", NULL};

uint32_t amd_variant_of(const char *isa)
{
    uint32_t bit = 0;

    while (amd_variant_names[bit] && strcmp(amd_variant_names[bit], isa) != 0)
        bit++;
    assert(amd_variant_names[bit]);
    return UINT32_C(1) << bit;
}

#define GC_HEADER                                                                                  \
    "amdgpu driver (freebsd/drm-kmod @129bf0f2) gc_9_0_offset.h, gc_9_0_sh_mask.h, "               \
    "gc_9_0_default.h; byte offset in the register BAR"
#define IH_HEADER                                                                                  \
    "amdgpu driver (torvalds/linux) osssys_4_0_offset.h, osssys_4_0_sh_mask.h; byte offset in "    \
    "the "                                                                                         \
    "register BAR"
#define VM_L2_HEADER                                                                               \
    "amdgpu driver (torvalds/linux @055e23e3) gc_9_0_offset.h, mmhub_1_0_offset.h, "               \
    "gc_9_0_sh_mask.h; byte offset in the register BAR"
#define SDMA_HEADER                                                                                \
    "amdgpu driver (freebsd/drm-kmod @129bf0f2) sdma0_4_2_offset.h, sdma0_4_2_sh_mask.h; byte "    \
    "offset from an engine's first register: 0x4980 (SDMA0), 0x6180 (SDMA1), 0x78000 (SDMA2), "    \
    "0x79000 (SDMA3), and so on"
#define SDMA_QUEUE_HEADER(version, files)                                                          \
    "amdgpu driver (freebsd/drm-kmod @129bf0f2) " files "; SDMA " version                          \
    "; byte offset as those of the engine"

#define ROWS(unit, list)                                                                           \
    static const struct reg_row unit##_rows[] = {list(REG_ROW, FIELD_ROW, VALUE_ROW)}
#define LIST(unit, chips, header)                                                                  \
    const struct reg_list unit##_list = {                                                          \
        .name = #unit,                                                                             \
        .source = header,                                                                          \
        .rows = unit##_rows,                                                                       \
        .row_count = sizeof unit##_rows / sizeof unit##_rows[0],                                   \
        .variants = (chips),                                                                       \
        .variant_names = amd_variant_names,                                                        \
    }

ROWS(amd_grbm, AMD_GRBM_REGS);
ROWS(amd_cp, AMD_CP_REGS);
ROWS(amd_hqd, AMD_HQD_REGS);
ROWS(amd_compute, AMD_COMPUTE_REGS);
ROWS(amd_spi, AMD_SPI_REGS);
ROWS(amd_vm_l2, AMD_VM_L2_REGS);
ROWS(amd_ih, AMD_IH_REGS);
ROWS(amd_sdma, AMD_SDMA_REGS);
ROWS(amd_sdma_queue, AMD_SDMA_QUEUE_REGS);

/* Closer to each other than those of SDMA 4.2. */
enum { START = 0x500, LATER_START = 0x4c0, LATER_STRIDE = 352 };
#define LATER_ROW(name, at, count, stride, ...)                                                    \
    REG_ROW(name, (at)-START + LATER_START, count, LATER_STRIDE, __VA_ARGS__)
static const struct reg_row amd_sdma_queue_4_2_2_rows[] = {
    AMD_SDMA_QUEUE_REGS(LATER_ROW, FIELD_ROW, VALUE_ROW)};
static const struct reg_row amd_sdma_queue_4_4_0_rows[] = {
    AMD_SDMA_QUEUE_4_4_REGS(LATER_ROW, FIELD_ROW, VALUE_ROW)};

LIST(amd_grbm, AMD_GFX9, GC_HEADER);
LIST(amd_cp, AMD_GFX9, GC_HEADER);
LIST(amd_hqd, AMD_GFX9, GC_HEADER);
LIST(amd_compute, AMD_GFX9, GC_HEADER);
LIST(amd_spi, AMD_GFX9, GC_HEADER);
LIST(amd_vm_l2, AMD_GFX9, VM_L2_HEADER);
LIST(amd_ih, AMD_GFX9, IH_HEADER);
LIST(amd_sdma, AMD_GFX9, SDMA_HEADER);
LIST(amd_sdma_queue, AMD_GFX906,
     SDMA_QUEUE_HEADER("4.2", "sdma0_4_2_offset.h, sdma0_4_2_sh_mask.h"));
LIST(amd_sdma_queue_4_2_2, AMD_GFX908,
     SDMA_QUEUE_HEADER("4.2.2", "sdma0_4_2_2_offset.h, sdma0_4_2_2_sh_mask.h"));
LIST(amd_sdma_queue_4_4_0, AMD_GFX90A,
     SDMA_QUEUE_HEADER("4.4.0", "sdma_4_4_0_offset.h, sdma_4_4_0_sh_mask.h"));

const struct amd_sdma_place *amd_sdma_place(uint32_t variant)
{
    static const struct amd_sdma_place places[] = {
        {&amd_sdma_queue_list, START, 384, false},
        {&amd_sdma_queue_4_2_2_list, LATER_START, LATER_STRIDE, false},
        {&amd_sdma_queue_4_4_0_list, LATER_START, LATER_STRIDE, true}};
    uint32_t i = 0;

    while (!(places[i].list->variants & variant))
        i++;
    return &places[i];
}

uint32_t amd_sdma_place_offset(const struct amd_sdma_place *place, uint32_t queue_id,
                               uint32_t offset)
{
    const uint32_t later = place->has_long_midcmd && offset == SDMA0_RLC0_MIDCMD_CNTL ? 8 : 0;

    return offset - START + later + place->start + queue_id * place->stride_bytes;
}

uint32_t amd_sdma_place_queue(const struct amd_sdma_place *place, uint32_t *offset)
{
    const uint32_t from = *offset - place->start;

    *offset = START + from % place->stride_bytes;
    return from / place->stride_bytes;
}
