/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_ce_layout.h"

#include <stddef.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/formats/nv_class.h"

#define NV_CE_LCE_BLOCK                                                                            \
    .block = &nv_lce_list, .block_base = NV_CE_LCE_BASE(0), .block_stride = NV_CE_LCE_BYTES,       \
    .block_bytes = NV_CE_LCE_BYTES, .intr_en = NV_CE_LCE_INTR_EN,                                  \
    .intr_status = NV_CE_LCE_INTR_STATUS, .launcherr = NV_CE_LCE_LAUNCHERR, .has_status = true

/* Latest first. */
static const struct nv_ce_layout layouts[] = {
    {.first_host_class = TURING_CHANNEL_GPFIFO_A + 1,
     .shared = &nv_ce_ga100_list,
     .pce_at = NV_CE_GA100_PCE2LCE_CONFIG,
     .pce_words = 24,
     .grce_at = NV_CE_GA100_GRCE_CONFIG,
     .grce_words = NV_CE_GRCES,
     NV_CE_LCE_BLOCK,
     .intr_en_reset = 0x8f,
     .opt_reset = 0xa},
    {.first_host_class = VOLTA_CHANNEL_GPFIFO_A,
     .shared = &nv_ce_gv100_list,
     .pce_at = NV_CE_GV100_PCE2LCE_CONFIG,
     .pce_words = 16,
     .grce_at = NV_CE_GV100_GRCE_CONFIG,
     .grce_words = NV_CE_GRCES,
     NV_CE_LCE_BLOCK,
     .intr_en_reset = 0xf,
     .opt_reset = 0x2},
    {.first_host_class = PASCAL_CHANNEL_GPFIFO_A,
     .shared = &nv_ce_list,
     .packed = true,
     .pce_at = NV_CE_PCE2LCE_CONFIG,
     .pce_words = 1,
     .grce_at = NV_CE_GRCE_CONFIG,
     .grce_words = 1,
     NV_CE_LCE_BLOCK,
     .intr_en_reset = 0xf,
     .opt_reset = 0x2},
    {.first_host_class = 0,
     .block = &nv_ce_gk104_list,
     .block_base = NV_CE_GK104_BASE(0),
     .block_stride = NV_CE_GK104_BYTES,
     .block_bytes = NV_CE_GK104_BYTES,
     .intr_en = NV_CE_GK104_INTR_EN,
     .intr_status = NV_CE_GK104_INTR_STATUS,
     .launcherr = NV_CE_GK104_LAUNCHERR,
     .intr_en_reset = 0x7},
};

const struct nv_ce_layout *nv_ce_layout_of(uint32_t host_class)
{
    size_t i = 0;

    while (host_class < layouts[i].first_host_class)
        i++;
    return &layouts[i];
}

uint32_t nv_ce_reset_pce_map(const struct nv_chip *model)
{
    return (uint32_t)((UINT64_C(1) << model->pce_count) - 1);
}

/* Four bits: the LCE of a PCE after reset, or the layout's number for none. */
static uint32_t nv_ce_reset_lce(const struct nv_ce_layout *layout, const struct nv_chip *model,
                                uint32_t pce)
{
    const uint32_t none = layout->packed ? NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE_NONE
                                         : NV_CE_GV100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE_NONE;

    if (pce >= model->pce_count || model->pce_to_lce[pce] == NV_CHIP_PCE_UNUSED)
        return none;
    return model->pce_to_lce[pce];
}

uint32_t nv_ce_reset_pce_word(const struct nv_ce_layout *layout, const struct nv_chip *model,
                              uint32_t index)
{
    uint32_t word = 0;

    if (!layout->packed)
        return nv_ce_reset_lce(layout, model, index);
    for (uint32_t i = 0; i < 8; i++)
        word |= nv_ce_reset_lce(layout, model, i) << 4 * i;
    return word;
}

uint32_t nv_ce_reset_grce_word(const struct nv_ce_layout *layout, const struct nv_chip *model,
                               uint32_t index)
{
    const struct nv_chip_grce *grce = &model->grce[index];
    uint32_t word = 0;

    if (!layout->packed)
        return grce->is_shared ? REG_PUT(grce->shared_lce, NV_CE_GV100_GRCE_CONFIG_SHARED, 1)
                               : NV_CE_GV100_GRCE_CONFIG_SHARED_LCE_NONE;
    for (uint32_t i = 0; i < NV_CE_GRCES; i++)
        word |= (model->grce[i].shared_lce | (uint32_t)model->grce[i].is_shared << 3) << 8 * i;
    return word;
}
