/* SPDX-License-Identifier: MIT */
/*
 * Channel RAM, from Ampere on: the state of a runlist's channels, one word each.
 *
 * A write sets the bits that are ones in it, or clears them if WRITE_CONTROL says so; the words
 * NV_CHRAM_CHANNEL_UPDATE_* are such masks.  CLEAR_CHANNEL, all ones, returns the channel to its
 * reset state: the last step of the teardown in ga100/dev_runlist.ref.txt.  BUSY, ON_PBDMA, ON_ENG,
 * PBDMA_BUSY and ENG_BUSY are read-only.  ASSUMED: setting PENDING is a doorbell without its delay;
 * setting ACQUIRE_FAIL has no effect (it is reported).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CHRAM_H
#define GFE_DEVICES_NVIDIA_NV_CHRAM_H

#include <stdint.h>

struct nv_host;

/* Returns the word of a channel; 0 if there is no such channel. */
uint32_t nv_chram_read(const struct nv_host *host, uint32_t channel_id);
/* Handles a write to the word of a channel.  Channels that do not exist are ignored. */
void nv_chram_write(struct nv_host *host, uint32_t channel_id, uint32_t written);

#endif
