/* SPDX-License-Identifier: MIT */
/*
 * The CRCs that Host keeps: over GP entries (GP_CRC), over the dwords of a segment (PB_CRC) and
 * over the methods sent to engines (METHOD_CRC).
 *
 * All use IEEE 802.3's polynomial 0x04c11db7 on a stream of bytes, most significant bit first, from
 * 0, without reflection or final inversion; words are taken in little-endian order (open-gpu-doc
 * tu104/dev_pbdma.ref.txt "CRC_CHECK").  A method is six bytes: the data, then the dword address in
 * the lower and the subchannel above it in the upper half of a 16-bit word.  That order of the
 * three is ASSUMED: the manual gives their widths only.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_CRC_H
#define GFE_DEVICES_NVIDIA_NV_CRC_H

#include <stddef.h>
#include <stdint.h>

enum { NV_CRC_TABLES = 12, NV_CRC_METHOD_BYTES = 6 };

/* table[n][b]: what byte b adds when n further bytes follow it.  Constant after nv_crc_init(). */
struct nv_crc {
    uint32_t table[NV_CRC_TABLES][256];
};

void nv_crc_init(struct nv_crc *crc);
/* The CRC after `count` further dwords. */
uint32_t nv_crc_dwords(const struct nv_crc *crc, uint32_t value, const uint32_t *dwords,
                       size_t count);

/* The CRC after methods of one header: `method` is the byte offset of the first, `step` what leads
 * to the second, `steps` to each further one. */
uint32_t nv_crc_methods(const struct nv_crc *crc, uint32_t value, uint32_t subchannel,
                        uint32_t method, uint32_t step, uint32_t steps, const uint32_t *data,
                        size_t count);

#endif
