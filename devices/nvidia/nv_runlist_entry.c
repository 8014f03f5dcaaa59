/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_runlist_entry.h"

#include "devices/nvidia/nv_generation.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_ram.h"

uint32_t nv_runlist_slice_units(uint32_t timeout, uint32_t scale)
{
    const uint32_t units = timeout << scale;

    return units ? units : 1;
}

static void nv_runlist_entry_gk104(const uint32_t *words, struct nv_runlist_entry *entry)
{
    *entry = (struct nv_runlist_entry){
        .is_tsg = REG_GET(words[0], NV_RAMRL_ENTRY_TYPE) == NV_RAMRL_ENTRY_TYPE_TSG,
        .id = REG_GET(words[0], NV_RAMRL_ENTRY_ID),
    };
    if (!entry->is_tsg) {
        entry->runqueue = REG_GET(words[0], NV_RAMRL_ENTRY_CHAN_RUNQUEUE);
        return;
    }
    entry->length = REG_GET(words[0], NV_RAMRL_ENTRY_TSG_LENGTH);
    entry->slice_units =
        nv_runlist_slice_units(REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT),
                               REG_GET(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE));
}

static void nv_runlist_entry_gv100(const uint32_t *words, struct nv_runlist_entry *entry)
{
    *entry = (struct nv_runlist_entry){
        .is_tsg = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TYPE) == NV_RAMRL_GV100_ENTRY_TYPE_TSG,
        .id = REG_GET(words[2], NV_RAMRL_GV100_ENTRY_ID),
    };
    if (!entry->is_tsg) {
        entry->runqueue = REG_GET(words[0], NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE);
        return;
    }
    entry->length = REG_GET(words[1], NV_RAMRL_GV100_ENTRY_TSG_LENGTH);
    entry->slice_units =
        nv_runlist_slice_units(REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT),
                               REG_GET(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE));
}

void nv_runlist_entry_decode(const struct nv_generation *generation, const uint32_t *words,
                             struct nv_runlist_entry *entry)
{
    if (generation->runlist_entry_bytes == NV_RAMRL_ENTRY_BYTES)
        nv_runlist_entry_gk104(words, entry);
    else
        nv_runlist_entry_gv100(words, entry);
    entry->timeslice_ps = (gfe_ps)entry->slice_units * NV_TIMESLICE_UNIT_NS * GFE_PS_PER_NS;
}
