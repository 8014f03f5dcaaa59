/* SPDX-License-Identifier: MIT */
/*
 * The place of the copy engines' registers on a chip, by its generation, and their reset values.
 *
 *   Kepler, Maxwell   a block of 0x1000 bytes for each copy engine, from 0x104000; nothing is
 * shared Pascal            LCE blocks of 0x80 bytes from 0x104400; PCE2LCE_CONFIG is one word,
 *                     GRCE_CONFIG another
 *   Volta, Turing     a word for each PCE and each GRCE
 *   Ampere and later  the same at other addresses
 *
 * The model of a chip has the mapping of PCEs to LCEs at reset; afterwards registers have it.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CE_LAYOUT_H
#define GFE_DEVICES_NVIDIA_NV_CE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/reg.h"

struct nv_chip;

struct nv_ce_layout {
    uint16_t first_host_class; /* Host class of the first generation that has it */
    /* The registers that all engines share.  NULL means that nothing is shared. */
    const struct reg_list *shared;
    bool packed; /* one word for all PCEs, four bits each, and one for all GRCEs, eight bits each */
    uint32_t pce_at, pce_words, grce_at, grce_words;
    /* A copy engine's own block, with offsets in it. */
    const struct reg_list *block;
    uint32_t block_base, block_stride, block_bytes;
    uint32_t intr_en, intr_status, launcherr;
    bool has_status; /* true if it has STATUS, BIND_STATUS, OPT and ENGCTL of NV_CE_LCE */
    uint32_t intr_en_reset, opt_reset;
};

enum { NV_CE_GRCES = 2 }; /* copy engines that may share */

/* Returns the layout of the chips with that Host class. */
const struct nv_ce_layout *nv_ce_layout_of(uint32_t host_class);

/* Return words of the shared registers after reset; `index` counts words. */
uint32_t nv_ce_reset_pce_map(const struct nv_chip *model);
uint32_t nv_ce_reset_pce_word(const struct nv_ce_layout *layout, const struct nv_chip *model,
                              uint32_t index);
uint32_t nv_ce_reset_grce_word(const struct nv_ce_layout *layout, const struct nv_chip *model,
                               uint32_t index);

#endif
