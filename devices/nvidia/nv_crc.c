/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_crc.h"

#define NV_CRC_POLYNOMIAL UINT32_C(0x04c11db7)

void nv_crc_init(struct nv_crc *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte << 24;

        for (unsigned bit = 0; bit < 8; bit++)
            value = value << 1 ^ (value >> 31 ? NV_CRC_POLYNOMIAL : 0);
        crc->table[0][byte] = value;
    }
    for (uint32_t n = 1; n < NV_CRC_TABLES; n++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t before = crc->table[n - 1][byte];

            crc->table[n][byte] = before << 8 ^ crc->table[0][before >> 24];
        }
}

/* What the four bytes of a word, least significant first, add with `further` bytes behind them. */
static inline uint32_t nv_crc_word(const struct nv_crc *crc, uint32_t word, unsigned further)
{
    return crc->table[further + 3][word & 0xff] ^ crc->table[further + 2][word >> 8 & 0xff] ^
           crc->table[further + 1][word >> 16 & 0xff] ^ crc->table[further][word >> 24];
}

static uint32_t nv_crc_swap(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

uint32_t nv_crc_dwords(const struct nv_crc *crc, uint32_t value, const uint32_t *dwords,
                       size_t count)
{
    /* Three words at a time: only the first waits for the value before. */
    for (; count >= 3; count -= 3, dwords += 3)
        value = nv_crc_word(crc, dwords[1], 4) ^ nv_crc_word(crc, dwords[2], 0) ^
                nv_crc_word(crc, dwords[0] ^ nv_crc_swap(value), 8);
    for (; count > 0; count--, dwords++)
        value = nv_crc_word(crc, *dwords ^ nv_crc_swap(value), 0);
    return value;
}

/* What the two bytes of a method's subchannel and address add. */
static inline uint32_t nv_crc_address(const struct nv_crc *crc, uint32_t subchannel,
                                      uint32_t method, unsigned further)
{
    const uint32_t address = (method >> 2 & 0xfff) | subchannel << 12;

    return crc->table[further + 1][address & 0xff] ^ crc->table[further][address >> 8];
}

uint32_t nv_crc_methods(const struct nv_crc *crc, uint32_t value, uint32_t subchannel,
                        uint32_t method, uint32_t step, uint32_t steps, const uint32_t *data,
                        size_t count)
{
    /* Two methods at a time: only the first waits for the value before. */
    for (; count >= 2; count -= 2, data += 2) {
        const uint32_t second = method + step;

        value = nv_crc_word(crc, data[1], 2) ^ nv_crc_address(crc, subchannel, second, 0) ^
                nv_crc_address(crc, subchannel, method, 6) ^
                nv_crc_word(crc, data[0] ^ nv_crc_swap(value), 8);
        method = second + steps;
        step = steps;
    }
    if (count > 0)
        value = nv_crc_address(crc, subchannel, method, 0) ^
                nv_crc_word(crc, *data ^ nv_crc_swap(value), 2);
    return value;
}
