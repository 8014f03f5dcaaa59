/* SPDX-License-Identifier: MIT */
/*
 * Entries of a runlist, whatever their form in memory: two words up to Pascal, four from Volta on.
 * The fields are in nv_ram.h.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/clock.h"
#include "emu/memory.h"

struct nv_generation;

enum { NV_RUNLIST_ENTRY_WORDS = 4 };

struct nv_runlist_entry {
    bool is_tsg;
    uint32_t id;          /* TSGID or CHID, as it stands in the entry */
    uint32_t runqueue;    /* of a channel: RUNQUEUE_SELECTOR */
    uint32_t length;      /* of a TSG: channel entries that follow */
    uint32_t slice_units; /* of a TSG: its slice, in units of 1,024 ns; 1 and up */
    gfe_ps timeslice_ps;  /* the same */
    /* Of a channel, from Volta on; used from Ampere on. */
    enum memory_aperture inst_aperture, userd_aperture;
    uint64_t inst_address, userd_address;
};

/* (timeout << scale), 0 counts as 1 (tu104/dev_ram.ref.txt); timeout at most 255, scale 15. */
uint32_t nv_runlist_slice_units(uint32_t timeout, uint32_t scale);
/* The entry in generation->runlist_entry_bytes at `words`. */
void nv_runlist_entry_decode(const struct nv_generation *generation, const uint32_t *words,
                             struct nv_runlist_entry *entry);

#endif
