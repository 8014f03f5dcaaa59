/* SPDX-License-Identifier: MIT */
/*
 * The CRCs that Host computes: over GP entries (GP_CRC), over the dwords of a segment (PB_CRC) and
 * over the methods sent to engines (METHOD_CRC).
 *
 * All use IEEE 802.3's polynomial 0x04c11db7 on a stream of bytes, most significant bit first, from
 * 0, without reflection or final inversion.  Words are taken in little-endian order (open-gpu-doc
 * tu104/dev_pbdma.ref.txt "CRC_CHECK").  A method is six bytes: the data, then a 16-bit word with
 * the dword address in the lower half and the subchannel above it in the upper half.  That order of
 * the three is ASSUMED: the manual gives only their widths.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_CRC_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NV_CRC_TABLES = 16,
    NV_CRC_METHOD_BYTES = 6,
    NV_CRC_BLOCK_BITS = 128, /* bits folded at once, and number of such blocks side by side */
    NV_CRC_ROW_BLOCKS = 4,
};

/* Tables, constant after nv_crc_init(), except that a test may clear `folds`. */
struct nv_crc {
    /* table[n][b] is the contribution of byte b if n further bytes follow it. */
    uint32_t table[NV_CRC_TABLES][256];
    /* x^D and x^(D+64) modulo the polynomial, D the bits of a block, and of a row of them. */
    uint64_t next_block[2], next_row[2];
    bool folds; /* true if the processor multiplies without carries; otherwise tables are used */
};

/* Fills the tables. */
void nv_crc_init(struct nv_crc *crc);
/* Returns the CRC after `count` further bytes. */
uint32_t nv_crc_bytes(const struct nv_crc *crc, uint32_t value, const uint8_t *bytes, size_t count);
/* Returns the CRC after `count` further dwords. */
uint32_t nv_crc_dwords(const struct nv_crc *crc, uint32_t value, const uint32_t *dwords,
                       size_t count);
/* Returns the CRC after one further method; `method` is its byte offset. */
uint32_t nv_crc_method(const struct nv_crc *crc, uint32_t value, uint32_t subchannel,
                       uint32_t method, uint32_t data);

/* Returns a method's bytes as a number, the first byte lowest.  A step of `step` bytes to the next
 * method adds `step` times NV_CRC_MESSAGE_STEP. */
#define NV_CRC_MESSAGE_STEP (UINT64_C(1) << 30)
static inline uint64_t nv_crc_message(uint32_t subchannel, uint32_t method, uint32_t data)
{
    return (uint64_t)((method >> 2 & 0xfff) | subchannel << 12) << 32 | data;
}

/* Writes a method's bytes, to collect many for nv_crc_bytes().  Also writes two more bytes after
 * them, so that it is one store. */
enum { NV_CRC_MESSAGE_ROOM = 8 };
static inline void nv_crc_put_message(uint8_t to[NV_CRC_MESSAGE_ROOM], uint64_t message)
{
    to[0] = (uint8_t)message;
    to[1] = (uint8_t)(message >> 8);
    to[2] = (uint8_t)(message >> 16);
    to[3] = (uint8_t)(message >> 24);
    to[4] = (uint8_t)(message >> 32);
    to[5] = (uint8_t)(message >> 40);
    to[6] = (uint8_t)(message >> 48);
    to[7] = (uint8_t)(message >> 56);
}

#endif
