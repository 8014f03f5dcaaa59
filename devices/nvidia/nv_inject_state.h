/* SPDX-License-Identifier: MIT */
/*
 * The state of an NVIDIA GPU into which faults are injected (nv_inject.h): a channel's bits in
 * Host, its USERD and RAMFC in memory, and the copy engine that a PCE serves.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INJECT_STATE_H
#define GFE_DEVICES_NVIDIA_NV_INJECT_STATE_H

#include "emu/engine/machine.h"

struct nv_host;

/* Bits of a channel's word.  Those from ON_PBDMA up follow from other state and cannot be written.
 */
enum nv_channel_ram_bit {
    NV_CHANNEL_RAM_ENABLE,
    NV_CHANNEL_RAM_NEXT,
    NV_CHANNEL_RAM_PENDING,
    NV_CHANNEL_RAM_PBDMA_FAULTED,
    NV_CHANNEL_RAM_ENG_FAULTED,
    NV_CHANNEL_RAM_CTX_RELOAD,
    NV_CHANNEL_RAM_ON_PBDMA,
    NV_CHANNEL_RAM_ON_ENG,
    NV_CHANNEL_RAM_ACQUIRE, /* waits, off the PBDMA, for an acquire that failed */
    NV_CHANNEL_RAM_BUSY,
};

/* Returns the machine's Host, or NULL if it has none. */
struct nv_host *nv_inject_host(const struct machine *machine);

/* Returns a number of a channel's address space: what its instance block names as the root of the
 * page tables.  0 means that the channel is not bound. */
uint64_t nv_inject_state_space(const struct machine *machine, uint64_t channel_id);

/* Implement inject_site.read_state and write_state for channels and PCEs. */
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
