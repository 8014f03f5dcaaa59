/* SPDX-License-Identifier: MIT */
/* The register lists as data, for registers' storage, decoding and `gfe regs`. */
#include <config.h>

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_compute_regs.h"
#include "devices/amd/amd_cp_regs.h"
#include "devices/amd/amd_hqd_regs.h"
#include "devices/amd/amd_ih_regs.h"
#include "devices/amd/amd_sdma_regs.h"
#include "devices/amd/amd_variants.h"

/* The first are NVIDIA's bits. */
const char *const amd_variant_names[] = {"", "", "",       "",       "",       "",  "",
                                         "", "", "",       "",       "",       "",  "",
                                         "", "", "gfx906", "gfx908", "gfx90a", NULL};

uint32_t amd_variant_of(const struct amd_chip *chip)
{
    uint32_t bit = 0;

    while (amd_variant_names[bit] && strcmp(amd_variant_names[bit], chip->isa) != 0)
        bit++;
    assert(amd_variant_names[bit]);
    return UINT32_C(1) << bit;
}

#define GC_HEADER                                                                                  \
    "amdgpu driver (freebsd/drm-kmod @129bf0f2) gc_9_0_offset.h, gc_9_0_sh_mask.h, "               \
    "gc_9_0_default.h; byte offset in the register BAR"
#define IH_HEADER                                                                                  \
    "amdgpu driver (torvalds/linux) osssys_4_0_offset.h, osssys_4_0_sh_mask.h; byte offset in the "\
    "register BAR"
#define SDMA_HEADER                                                                                \
    "amdgpu driver (freebsd/drm-kmod @129bf0f2) sdma0_4_2_offset.h, sdma0_4_2_sh_mask.h; byte "    \
    "offset from 0x4980 (SDMA0) or 0x6180 (SDMA1)"

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
ROWS(amd_ih, AMD_IH_REGS);
ROWS(amd_sdma, AMD_SDMA_REGS);
ROWS(amd_sdma_queue, AMD_SDMA_QUEUE_REGS);

LIST(amd_grbm, AMD_GFX9, GC_HEADER);
LIST(amd_cp, AMD_GFX9, GC_HEADER);
LIST(amd_hqd, AMD_GFX9, GC_HEADER);
LIST(amd_compute, AMD_GFX9, GC_HEADER);
LIST(amd_spi, AMD_GFX9, GC_HEADER);
LIST(amd_ih, AMD_GFX9, IH_HEADER);
LIST(amd_sdma, AMD_GFX906, SDMA_HEADER);
LIST(amd_sdma_queue, AMD_GFX906, SDMA_HEADER);
