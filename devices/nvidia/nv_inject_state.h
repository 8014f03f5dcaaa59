/* SPDX-License-Identifier: MIT */
/*
 * State of an NVIDIA GPU that faults are injected into (nv_inject.h), by what it belongs to: a
 * channel's bits in Host, its USERD and RAMFC as they lie in memory, and which copy engine a PCE
 * serves.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INJECT_STATE_H
#define GFE_DEVICES_NVIDIA_NV_INJECT_STATE_H

#include "emu/engine/machine.h"

struct nv_host;

/* Bits of a channel's word.  From ON_PBDMA on they follow from others, and cannot be written. */
enum nv_channel_ram_bit {
    NV_CHANNEL_RAM_ENABLE,
    NV_CHANNEL_RAM_NEXT,
    NV_CHANNEL_RAM_PENDING,
    NV_CHANNEL_RAM_PBDMA_FAULTED,
    NV_CHANNEL_RAM_ENG_FAULTED,
    NV_CHANNEL_RAM_CTX_RELOAD,
    NV_CHANNEL_RAM_ON_PBDMA,
    NV_CHANNEL_RAM_ON_ENG,
    NV_CHANNEL_RAM_ACQUIRE, /* it waits, off the PBDMA, for an acquire that failed */
    NV_CHANNEL_RAM_BUSY,
};

/* The machine's Host; NULL: it has none. */
struct nv_host *nv_inject_host(const struct machine *machine);

/* inject_site.read_state and write_state, of channels and PCEs. */
bool nv_inject_state_channel(struct machine *machine, uint64_t subject, uint32_t index,
                             uint32_t *word);
void nv_inject_state_set_channel(struct machine *machine, uint64_t subject, uint32_t index,
                                 uint32_t word);
bool nv_inject_state_userd(struct machine *machine, uint64_t subject, uint32_t index,
                           uint32_t *word);
void nv_inject_state_set_userd(struct machine *machine, uint64_t subject, uint32_t index,
                               uint32_t word);
bool nv_inject_state_ramfc(struct machine *machine, uint64_t subject, uint32_t index,
                           uint32_t *word);
void nv_inject_state_set_ramfc(struct machine *machine, uint64_t subject, uint32_t index,
                               uint32_t word);
bool nv_inject_state_pce(struct machine *machine, uint64_t subject, uint32_t index, uint32_t *word);
void nv_inject_state_set_pce(struct machine *machine, uint64_t subject, uint32_t index,
                             uint32_t word);

#endif
