/* SPDX-License-Identifier: MIT */
/*
 * HCE, the part of Host that decodes the methods of the copy class.  Their data belongs to the
 * channel, and comes back when the channel is loaded again.
 *
 * Where the hardware keeps it is not published. (RAMFC has only HCE_CTRL, and up to Pascal a copy
 * engine has no context image: nouveau gk104.c @3499af52.) Here it lies outside guest memory, one
 * record for each channel (ASSUMED).  A channel that is bound anew begins with zeroes.  Decoding
 * itself is in nv_ce.h.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_HCE_H
#define GFE_DEVICES_NVIDIA_NV_HCE_H

#include "devices/nvidia/formats/nv_effect.h"
#include "emu/engine/arena.h"
#include "emu/engine/machine.h"

enum {
    NV_HCE_METHODS = 80,         /* enough for any two copy classes together (asserted) */
    NV_HCE_METHODS_END = 0x1000, /* size of the class's method space in dwords */
};

GFE_STATE_BEGIN
struct nv_hce_record {
    uint64_t instance; /* instance block and number of the binding for which the record is valid */
    uint32_t binding;
    uint32_t valid;
    uint32_t words[NV_HCE_METHODS];
};
GFE_STATE_END

struct nv_hce {
    /* Constant after the wiring. */
    uint32_t channel_count, method_count;
    uint16_t methods[NV_HCE_METHODS]; /* dword numbers, rising */
    struct nv_hce_record *records;    /* in the arena, one for each channel */
    struct nv_losses losses[2];       /* of the chip's copy class, and of the older one */
};

/* Makes room for `channel_count` channels, which are those of all runlists.  `known` has one bit
 * for each method whose word is kept. */
void nv_hce_wire(struct nv_hce *hce, struct machine *machine, uint32_t channel_count,
                 const uint32_t known[NV_HCE_METHODS_END / 32]);
/* Saves the channel's words of `shadow`, which has one word for each method. */
void nv_hce_save(struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding,
                 const uint32_t *shadow);
/* Clears the channel's words: they are zero. */
void nv_hce_save_nothing(struct nv_hce *hce, uint32_t channel);
/* Returns true if words are kept for that binding. */
bool nv_hce_has(const struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding);
/* Loads the words into `shadow`.  Loads zeroes, and returns false, if none are kept for that
 * binding. */
bool nv_hce_load(const struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding,
                 uint32_t *shadow);

#endif
