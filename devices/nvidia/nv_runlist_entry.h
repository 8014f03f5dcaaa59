/* SPDX-License-Identifier: MIT */
/*
 * Entries of a runlist, decoded from their bytes in the form of the chip's generation.
 *
 *   Kepler to Pascal: 8 bytes; a TSG header has up to 32 channels; channels may stand alone.
 *   Volta and Turing: 16 bytes; a TSG header has 1 to 128 channels; pointers to USERD and instance
 *       block are there, and the hardware ignores them.
 *   Ampere and later: the same 16 bytes; ids have 11 bits, and the hardware uses the pointers.
 *
 * Described in nvgpu hw_ram_gp10b.h @6ecfb593, nouveau gk110.c and gp100.c (8 bytes), open-gpu-doc
 * tu104/dev_ram.ref.txt and ga100/dev_ram.ref.txt "Runlist" (16 bytes), ga100/dev_runlist.ref.txt
 * (INTR_BAD_TSG).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "emu/base/clock.h"
#include "emu/engine/memory.h"

enum { NV_RUNLIST_ENTRY_WORDS = 4 };

/* An entry of any form.  Members that its kind or form does not have are 0. */
struct nv_runlist_entry {
    bool is_tsg;
    uint32_t id;          /* TSGID or CHID, as in the entry */
    uint32_t runqueue;    /* of a channel: RUNQUEUE_SELECTOR, n-th PBDMA of the runlist */
    uint32_t length;      /* of a TSG: channel entries that follow */
    uint32_t slice_units; /* of a TSG: its slice, in units of 1,024 ns; 1 and up */
    gfe_ps timeslice_ps;  /* the same */
    /* For a channel, from Ampere on; before, the hardware ignores them. */
    enum memory_aperture inst_aperture, userd_aperture;
    uint64_t inst_address, userd_address;
};

/* Errors in a list: the codes of ga100 NV_RUNLIST_INTR_BAD_TSG.  PFIFO has one code for all. */
enum nv_runlist_bad_tsg {
    NV_RUNLIST_BAD_NOTHING,
    NV_RUNLIST_BAD_ZERO_LENGTH,
    NV_RUNLIST_BAD_MAX_LENGTH,
    NV_RUNLIST_BAD_OVERFLOW,            /* the list ends before the TSG's last channel */
    NV_RUNLIST_BAD_EXPECTED_CHID,       /* another TSG begins before the TSG's last channel */
    NV_RUNLIST_BAD_EXPECTED_TSG_HEADER, /* a channel outside TSGs */
    NV_RUNLIST_BAD_INVALID_RUNQUEUE,
};

/* Returns (timeout << scale), where 0 counts as 1 (tu104 dev_ram, "Runlist TSG Entry Type");
 * timeout at most 255, scale 15. */
uint32_t nv_runlist_slice_units(uint32_t timeout, uint32_t scale);

/* Decodes generation->runlist_entry_bytes / 4 words.  Any words are a valid entry. */
void nv_runlist_entry_decode(const struct nv_generation *generation, const uint32_t *words,
                             struct nv_runlist_entry *entry);

#endif
