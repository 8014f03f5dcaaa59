/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_runlist_entry.h"

#include "devices/nvidia/formats/nv_ram.h"
#include "emu/engine/memory.h"

uint32_t nv_runlist_slice_units(uint32_t timeout, uint32_t scale)
{
    const uint32_t units = timeout << scale;

    return units ? units : 1;
}

/* TARGET of a pointer: 0 video memory (1 too, through NVLink), 2 and 3 system memory. */
static enum memory_aperture nv_runlist_entry_aperture(uint32_t target)
{
    return target >= 2 ? MEMORY_SYSMEM : MEMORY_VRAM;
}

static void nv_runlist_entry_decode_gk104(const uint32_t *words, struct nv_runlist_entry *entry)
{
    *entry = (struct nv_runlist_entry){
        .is_tsg = REG_GET(words[0], NV_RAMRL_ENTRY_TYPE) == NV_RAMRL_ENTRY_TYPE_TSG,
        .id = REG_GET(words[0], NV_RAMRL_ENTRY_ID),
    };
    if (entry->is_tsg) {
        entry->length = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_LENGTH);
        entry->slice_units =
            nv_runlist_slice_units(REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT),
                                   REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE));
    } else {
        entry->runqueue = REG_GET(words[0], NV_RAMRL_ENTRY_CHAN_RUNQUEUE);
    }
}

/* USERD and instance block of a channel. */
static void nv_runlist_entry_decode_pointers(const uint32_t *words, struct nv_runlist_entry *entry)
{
    entry->userd_address = (uint64_t)REG_GET(words[1], NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_HI)
                               << 32 |
                           (uint64_t)REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_LO) << 8;
    entry->userd_aperture =
        nv_runlist_entry_aperture(REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_TARGET));
    entry->inst_address = (uint64_t)words[3] << 32 |
                          (uint64_t)REG_GET(words[2], NV_RAMRL_GV100_ENTRY_CHAN_INST_PTR_LO) << 12;
    entry->inst_aperture =
        nv_runlist_entry_aperture(REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_INST_TARGET));
}

static void nv_runlist_entry_decode_gv100(const struct nv_generation *generation,
                                          const uint32_t *words, struct nv_runlist_entry *entry)
{
    const bool ga100 = generation->runlist_form == NV_RUNLIST_FORM_GA100;

    *entry = (struct nv_runlist_entry){
        .is_tsg = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TYPE) == NV_RAMRL_GV100_ENTRY_TYPE_TSG,
        .id = REG_GET(words[2], NV_RAMRL_GV100_ENTRY_ID) & (ga100 ? 0x7ff : 0xfff),
    };
    if (entry->is_tsg) {
        entry->length = REG_GET(words[1], NV_RAMRL_GV100_ENTRY_TSG_LENGTH);
        entry->slice_units =
            nv_runlist_slice_units(REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT),
                                   REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE));
        return;
    }
    entry->runqueue = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE);
    if (ga100)
        nv_runlist_entry_decode_pointers(words, entry);
}

void nv_runlist_entry_decode(const struct nv_generation *generation, const uint32_t *words,
                             struct nv_runlist_entry *entry)
{
    if (generation->runlist_form == NV_RUNLIST_FORM_GK104)
        nv_runlist_entry_decode_gk104(words, entry);
    else
        nv_runlist_entry_decode_gv100(generation, words, entry);
    entry->timeslice_ps = (gfe_ps)entry->slice_units * NV_TIMESLICE_UNIT_NS * GFE_PS_PER_NS;
}
