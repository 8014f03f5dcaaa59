/* SPDX-License-Identifier: MIT */
/*
 * zlib data (RFC 1950) of whole buffers, for the chunk layer.
 *
 * libdeflate does the work if configure found it, and zlib if not.  Each reads what the other
 * wrote, but their compressed bytes differ.  For this reason identity is defined on raw data
 * (traces/format/hash.h).
 */
#ifndef GFE_EMU_BASE_DEFLATE_H
#define GFE_EMU_BASE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct deflate_packer;

/* Creates a packer, which the caller frees.  Returns NULL when memory is short. */
struct deflate_packer *deflate_packer_new(void);
/* Returns the largest number of bytes that `raw_bytes` can become. */
size_t deflate_bound(struct deflate_packer *packer, size_t raw_bytes);
/* Compresses into `to`, which has room for deflate_bound() bytes.  Returns the number of bytes
 * written. */
size_t deflate_pack(struct deflate_packer *packer, uint8_t *to, const void *raw, size_t raw_bytes);
void deflate_packer_free(struct deflate_packer *packer);

struct deflate_unpacker;

/* Creates an unpacker, which the caller frees.  Returns NULL when memory is short. */
struct deflate_unpacker *deflate_unpacker_new(void);
/* Unpacks into `raw`.  Returns true if the stored bytes are zlib data, all of them, of exactly
 * raw_bytes.  `raw` needs room for raw_bytes + 1; the value of the last byte is undefined. */
bool deflate_unpack(struct deflate_unpacker *unpacker, const uint8_t *stored, size_t stored_bytes,
                    uint8_t *raw, size_t raw_bytes);
void deflate_unpacker_free(struct deflate_unpacker *unpacker);

/* Returns the CRC-32 of `data` as zlib defines it, continued from `crc`.  Start with 0. */
uint32_t deflate_crc(uint32_t crc, const void *data, size_t bytes);

#endif
