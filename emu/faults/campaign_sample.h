/* SPDX-License-Identifier: MIT */
/*
 * The random numbers of a campaign.  Sample i depends on the plan's hash and i alone, so that any
 * part of a campaign can be made anywhere, in any order, and again.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_SAMPLE_H
#define GFE_EMU_FAULTS_CAMPAIGN_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes of spaces of several faults, up to CAMPAIGN_WIDE_MAX. */
typedef unsigned __int128 campaign_wide;
#define CAMPAIGN_WIDE_MAX   ((campaign_wide)1 << 126)
#define CAMPAIGN_WIDE_BYTES 40 /* of one in decimal */
void campaign_wide_text(campaign_wide number, char text[CAMPAIGN_WIDE_BYTES]);
/* Parses a number.  Returns false if it is not a decimal number, or is above CAMPAIGN_WIDE_MAX. */
bool campaign_wide_parse(const char *text, campaign_wide *number);

/* Returns the seed of a plan, from the hash's first 16 hexadecimal digits. */
uint64_t campaign_seed(const char *hash);
/* Returns one of 0 ... bound - 1 for sample i, each exactly as likely as any other.  bound is not 0
 * (asserted). */
uint64_t campaign_draw(uint64_t seed, uint64_t i, uint64_t bound);
/* Like campaign_draw(), for a bound up to CAMPAIGN_WIDE_MAX.  For a bound below 2^64 it returns the
 * same number. */
campaign_wide campaign_draw_wide(uint64_t seed, uint64_t i, campaign_wide bound);
/* Returns how many sets of `count` there are among `of` different things; `of` is at most 2^62.  A
 * result above CAMPAIGN_WIDE_MAX means too many. */
campaign_wide campaign_sets(uint64_t of, uint32_t count);
/* Writes the things, from 0, of the index-th of these sets, each once, the last first.  index is
 * below the number of sets (asserted).  Each set has one index (combinatorial number system). */
void campaign_set(uint64_t of, uint32_t count, campaign_wide index, uint64_t *things);
/* Sets the experiments first ... last - 1 of shard `shard`, from 1, of `shards`. */
void campaign_shard(uint64_t count, uint32_t shard, uint32_t shards, uint64_t *first,
                    uint64_t *last);

#endif
