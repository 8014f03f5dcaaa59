/* SPDX-License-Identifier: MIT */
/*
 * What the parts of Host (nv_host*.c) share.  nv_host.h has what other units see of it.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_HOST_PRIVATE_H
#define GFE_DEVICES_NVIDIA_NV_HOST_PRIVATE_H

#include "devices/nvidia/nv_host.h"

/* nv_host_wire.c: what the class table of the chip's Host says. */
void nv_host_learn_class(struct nv_host *host);
/* nv_host_doorbell.c: a store through BAR1; one to NOTIFY_CHANNEL_PENDING; a read of the window. */
void nv_host_snoop(void *host, uint64_t bar_offset, uint32_t value);
void nv_host_notify(struct nv_host *host, uint32_t token);
/* The same store by somebody who knows the channel alone: GP_PUT of its USERD through BAR1, or the
 * token to NOTIFY_CHANNEL_PENDING. */
void nv_host_ring(void *host, uint32_t channel_id, uint64_t value);
uint32_t nv_host_read_usermode(const struct nv_host *host, uint32_t offset, uint32_t stored);

#endif
