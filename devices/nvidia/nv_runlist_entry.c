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

/* ---- encoding -------------------------------------------------------------------------------- */

/* A field with as much of the value as fits. */
#define NV_CUT(word, field, value)                                                                 \
    REG_PUT((word), field, reg_get((uint32_t)(value), field##_HI - field##_LO, 0))

static void nv_runlist_entry_encode_gk104(const struct nv_runlist_entry *entry, uint32_t timeout,
                                          uint32_t scale, uint32_t *words)
{
    words[0] = NV_CUT(0, NV_RAMRL_ENTRY_ID, entry->id);
    words[0] = REG_PUT(words[0], NV_RAMRL_ENTRY_TYPE, entry->is_tsg);
    if (!entry->is_tsg) {
        words[0] = NV_CUT(words[0], NV_RAMRL_ENTRY_CHAN_RUNQUEUE, entry->runqueue);
        words[1] = (uint32_t)(entry->inst_address >> 12);
        return;
    }
    words[0] = NV_CUT(words[0], NV_RAMRL_ENTRY_TSG_LENGTH, entry->length);
    words[0] = NV_CUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT, timeout);
    words[0] = NV_CUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE, scale);
}

static uint32_t nv_runlist_entry_target(enum memory_aperture aperture)
{
    return aperture == MEMORY_SYSMEM ? 2 : 0;
}

static void nv_runlist_entry_encode_gv100(const struct nv_runlist_entry *entry, uint32_t timeout,
                                          uint32_t scale, uint32_t *words)
{
    words[0] = REG_PUT(0, NV_RAMRL_GV100_ENTRY_TYPE, entry->is_tsg);
    words[2] = NV_CUT(0, NV_RAMRL_GV100_ENTRY_ID, entry->id);
    if (entry->is_tsg) {
        words[0] = NV_CUT(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT, timeout);
        words[0] = NV_CUT(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE, scale);
        words[1] = NV_CUT(0, NV_RAMRL_GV100_ENTRY_TSG_LENGTH, entry->length);
        return;
    }
    words[0] = NV_CUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE, entry->runqueue);
    words[0] = REG_PUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_INST_TARGET,
                       nv_runlist_entry_target(entry->inst_aperture));
    words[0] = REG_PUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_TARGET,
                       nv_runlist_entry_target(entry->userd_aperture));
    words[0] = NV_CUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_LO, entry->userd_address >> 8);
    words[1] = NV_CUT(0, NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_HI, entry->userd_address >> 32);
    words[2] = NV_CUT(words[2], NV_RAMRL_GV100_ENTRY_CHAN_INST_PTR_LO, entry->inst_address >> 12);
    words[3] = (uint32_t)(entry->inst_address >> 32);
}

void nv_runlist_entry_encode(const struct nv_generation *generation,
                             const struct nv_runlist_entry *entry, uint32_t timeout, uint32_t scale,
                             uint32_t words[NV_RUNLIST_ENTRY_WORDS])
{
    for (uint32_t i = 0; i < NV_RUNLIST_ENTRY_WORDS; i++)
        words[i] = 0;
    if (generation->runlist_form == NV_RUNLIST_FORM_GK104)
        nv_runlist_entry_encode_gk104(entry, timeout, scale, words);
    else
        nv_runlist_entry_encode_gv100(entry, timeout, scale, words);
}

/* ---- checking -------------------------------------------------------------------------------- */

enum nv_runlist_bad_tsg nv_runlist_entry_check(const struct nv_generation *generation,
                                               const struct nv_runlist_entry *entries,
                                               uint32_t count, uint32_t at, uint32_t runqueue_count)
{
    const struct nv_runlist_entry *header = &entries[at];
    const bool selects = generation->runlist_form == NV_RUNLIST_FORM_GA100;

    if (!header->is_tsg)
        return generation->channels_in_tsgs_only ? NV_RUNLIST_BAD_EXPECTED_TSG_HEADER
                                                 : NV_RUNLIST_BAD_NOTHING;
    if (header->length == 0)
        return NV_RUNLIST_BAD_ZERO_LENGTH;
    if (header->length > generation->tsg_length_max)
        return NV_RUNLIST_BAD_MAX_LENGTH;
    if (header->length > count - at - 1)
        return NV_RUNLIST_BAD_OVERFLOW;
    for (uint32_t i = at + 1; i <= at + header->length; i++) {
        if (entries[i].is_tsg)
            return NV_RUNLIST_BAD_EXPECTED_CHID;
        if (selects && entries[i].runqueue >= runqueue_count)
            return NV_RUNLIST_BAD_INVALID_RUNQUEUE;
    }
    return NV_RUNLIST_BAD_NOTHING;
}
