/* SPDX-License-Identifier: MIT */
/*
 * The parts of Host (nv_host*.c) share this header.  Other units use nv_host.h.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_HOST_PRIVATE_H
#define GFE_DEVICES_NVIDIA_NV_HOST_PRIVATE_H

#include "devices/nvidia/nv_host.h"

/* Reads the class table of the chip's Host.  Defined in nv_host_wire.c. */
void nv_host_learn_class(struct nv_host *host);
/* Handle a store through BAR1; a store to NOTIFY_CHANNEL_PENDING; a read of that window.  Defined
 * in nv_host_doorbell.c. */
void nv_host_snoop(void *host, uint64_t bar_offset, uint32_t value);
void nv_host_notify(struct nv_host *host, uint32_t token);
/* Makes the doorbell store for code that has only the channel: GP_PUT of its USERD through BAR1, or
 * the token to NOTIFY_CHANNEL_PENDING. */
void nv_host_ring(void *host, uint32_t channel_id, uint64_t value);
/* Returns what a register of the user-mode window reads.  `stored` is the stored word. */
uint32_t nv_host_read_usermode(const struct nv_host *host, uint32_t offset, uint32_t stored);

#endif
