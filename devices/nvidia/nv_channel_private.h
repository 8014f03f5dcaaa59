/* SPDX-License-Identifier: MIT */
/*
 * What the parts of a channel share: write access to its members, and what follows from a change.
 * Other units read a channel (nv_channel_get()) and change it by the functions of nv_channel.h.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHANNEL_PRIVATE_H
#define GFE_DEVICES_NVIDIA_NV_CHANNEL_PRIVATE_H

#include "devices/nvidia/nv_host.h"

/* Returns the channel for writing, or NULL if there is no such channel. */
static inline struct nv_channel *nv_channel_of(const struct nv_host *host, uint32_t channel_id)
{
    const uint32_t slot = nv_host_slot(host, channel_id);

    return slot < host->channel_slots ? &host->channels[slot] : NULL;
}

/* Returns the number of the channel. */
uint32_t nv_channel_id(const struct nv_host *host, const struct nv_channel *channel);
/* Updates the TSG's count after a change that decides whether the channel can run. */
void nv_channel_changed(struct nv_host *host, struct nv_channel *channel);
/* Wakes its runlist after a change of the channel: the runlist may get somewhere. */
void nv_channel_stir(struct nv_host *host, const struct nv_channel *channel);
/* Cancels the events that would wake an acquire which is over, or tried again.  Defined in
 * nv_channel_acquire.c. */
void nv_channel_stop_acquire(struct nv_host *host, uint32_t channel_id);

#endif
