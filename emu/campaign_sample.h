/* SPDX-License-Identifier: MIT */
/*
 * What a campaign draws by chance: sample i depends on the plan's hash and i alone, so that any part
 * of a campaign can be made anywhere, in any order, and again.
 */
#ifndef GFE_EMU_CAMPAIGN_SAMPLE_H
#define GFE_EMU_CAMPAIGN_SAMPLE_H

#include <stdint.h>

/* The seed of a plan, from the hash's first 16 hexadecimal digits. */
uint64_t campaign_seed(const char *hash);
/* One of 0 ... bound - 1 for sample i, each exactly as likely as any other; bound is not 0
 * (asserted). */
uint64_t campaign_draw(uint64_t seed, uint64_t i, uint64_t bound);
/* Experiments first ... last - 1 of shard `shard` of `shards`, from 1. */
void campaign_shard(uint64_t count, uint32_t shard, uint32_t shards, uint64_t *first,
                    uint64_t *last);

#endif
