/* SPDX-License-Identifier: MIT */
/*
 * Entries of a runlist, decoded from their bytes in the form of the chip's generation.
 *
 *   Kepler to Pascal: 8 bytes; a TSG header has up to 32 channels; channels may stand alone.
 *   Volta and Turing: 16 bytes; a TSG header has 1 to 128 channels; pointers to USERD and instance
 *       block are there, and the hardware ignores them.
 *   Ampere and later: the same 16 bytes; ids have 11 bits, and the pointers are what is used.
 *
 * Described in nvgpu hw_ram_gp10b.h @6ecfb593, nouveau gk110.c and gp100.c (8 bytes),
 * open-gpu-doc tu104/dev_ram.ref.txt and ga100/dev_ram.ref.txt "Runlist" (16 bytes),
 * ga100/dev_runlist.ref.txt (INTR_BAD_TSG).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H
#define GFE_DEVICES_NVIDIA_NV_RUNLIST_ENTRY_H

#include <stdint.h>

#include "devices/nvidia/nv_generation.h"
#include "emu/arena.h"
#include "emu/clock.h"

enum { NV_RUNLIST_ENTRY_WORDS_MAX = 4 };

GFE_STATE_BEGIN
/* Whatever the form.  What an entry's kind or form does not have is 0. */
struct nv_runlist_entry {
    uint32_t is_tsg;            /* 1: a header, and `length` channels follow */
    uint32_t id;                /* of the TSG or channel, as the entry has it */
    uint32_t runqueue;          /* of a channel: n-th PBDMA of the runlist */
    uint32_t length;            /* of a TSG */
    gfe_ps timeslice_ps;        /* of a TSG */
    uint64_t instance;          /* of a channel, from Ampere on: address of its instance block */
    uint64_t userd;             /* ... and of its USERD */
    uint32_t instance_aperture; /* enum memory_aperture */
    uint32_t userd_aperture;
};
GFE_STATE_END

/* Code of NV_RUNLIST_INTR_BAD_TSG; up to Turing they all are SCHED_ERROR BAD_TSG. */
enum nv_bad_tsg {
    NV_BAD_TSG_NO_ERROR,
    NV_BAD_TSG_ZERO_LENGTH_TSG,
    NV_BAD_TSG_MAX_LENGTH_EXCEEDED,
    NV_BAD_TSG_RUNLIST_OVERFLOW,      /* the list ends before the TSG's last channel */
    NV_BAD_TSG_EXPECTED_A_CHID_ENTRY, /* ... or another TSG begins */
    NV_BAD_TSG_EXPECTED_A_TSG_HEADER, /* a channel outside TSGs */
    NV_BAD_TSG_INVALID_RUNQUEUE,
};

/* (timeout << scale) units of 1024 ns; 0 counts as one unit (tu104 dev_ram, "Runlist TSG Entry
 * Type").  timeout < 256, scale < 16. */
gfe_ps nv_runlist_timeslice_ps(uint32_t timeout, uint32_t scale);

/* Decodes generation->runlist_entry_bytes / 4 words.  Every value of the words is an entry. */
void nv_runlist_entry_decode(const struct nv_generation *generation, const uint32_t *words,
                             struct nv_runlist_entry *entry);
/* The words of an entry, of which those that the form does not have are dropped.  Fields that do
 * not fit are cut.  The timeslice is given as its two fields. */
void nv_runlist_entry_encode(const struct nv_generation *generation,
                             const struct nv_runlist_entry *entry, uint32_t timeout, uint32_t scale,
                             uint32_t words[NV_RUNLIST_ENTRY_WORDS_MAX]);
/* What is wrong with the TSG, or the channel outside TSGs, that begins at entry `at` (< count) of a
 * list.  runqueue_count: PBDMAs that serve the runlist; a selector beyond is an error from Ampere
 * on and counts as 0 before (INFERRED: ga100 dev_ram still says the latter, ga100 dev_runlist has
 * the code). */
enum nv_bad_tsg nv_runlist_entry_check(const struct nv_generation *generation,
                                       const struct nv_runlist_entry *entries, uint32_t count,
                                       uint32_t at, uint32_t runqueue_count);

#endif
