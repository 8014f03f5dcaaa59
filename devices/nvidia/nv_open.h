/* SPDX-License-Identifier: MIT */
/* What keeps a TSG or a channel from Host and engines when nothing is left to happen: for the units
 * that report what they hold (struct unit_ops, finish). */
#ifndef GFE_DEVICES_NVIDIA_NV_OPEN_H
#define GFE_DEVICES_NVIDIA_NV_OPEN_H

#include "emu/engine/machine.h"

struct nv_engine;
struct nv_host;

/* Returns the rule by which the TSG, which has work, is on no engine, and sets the blocker of
 * `wait`.  Returns RULE_GFE_LOST if nothing is in its way: then it should have come back. */
uint32_t nv_open_tsg(const struct nv_host *host, uint32_t tsg_id, struct machine_wait *wait);
/* The same for a pending channel that is on no PBDMA. */
uint32_t nv_open_channel(const struct nv_host *host, uint32_t channel_id,
                         struct machine_wait *wait);
/* Reports the semaphores that the channel, which waits, would release if it went on
 * (machine_log_holds()).  Defined in nv_open_ahead.c. */
void nv_open_ahead(struct nv_host *host, uint32_t channel_id);
/* Reports a switch of contexts that does not end. */
void nv_open_engine(const struct nv_engine *engine);

#endif
