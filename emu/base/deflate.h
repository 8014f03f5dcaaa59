/* SPDX-License-Identifier: MIT */
/*
 * zlib data (RFC 1950) of whole buffers, for the chunk layer: by libdeflate where configure found
 * it, else by zlib.  Both read what either wrote; the compressed bytes differ, which is why
 * identity is defined on raw data (traces/format/hash.h).
 */
#ifndef GFE_EMU_DEFLATE_H
#define GFE_EMU_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct deflate_packer;

/* NULL when memory is short. */
struct deflate_packer *deflate_packer_new(void);
/* The most that `raw_bytes` can become. */
size_t deflate_bound(struct deflate_packer *packer, size_t raw_bytes);
/* Compresses into `to`, which has deflate_bound() bytes; returns how many it took. */
size_t deflate_pack(struct deflate_packer *packer, uint8_t *to, const void *raw, size_t raw_bytes);
void deflate_packer_free(struct deflate_packer *packer);

struct deflate_unpacker;

struct deflate_unpacker *deflate_unpacker_new(void); /* likewise */
/* True when the stored bytes are zlib data, all of them, of exactly raw_bytes.  `raw` has room for
 * one byte more, whose value is then not defined. */
bool deflate_unpack(struct deflate_unpacker *unpacker, const uint8_t *stored, size_t stored_bytes,
                    uint8_t *raw, size_t raw_bytes);
void deflate_unpacker_free(struct deflate_unpacker *unpacker);

/* CRC-32 as zlib has it; 0 to begin with. */
uint32_t deflate_crc(uint32_t crc, const void *data, size_t bytes);

#endif
