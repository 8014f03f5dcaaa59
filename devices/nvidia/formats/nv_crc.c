/* SPDX-License-Identifier: MIT */
/*
 * Two ways to the same value.  Tables: what each byte adds, by its distance from the end, sixteen
 * bytes at a time.  Folding, where the processor multiplies without carries: a block of 16 bytes,
 * as a polynomial A * x^64 + B, counts D bits further on as A * x^(D+64) + B * x^D, and the two
 * powers may be taken modulo the CRC's polynomial, which makes them 32 bits long.  So blocks are
 * multiplied and added on those D bits behind, until one is left for the tables.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_crc.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define NV_CRC_HAS_FOLD 1
#else
#define NV_CRC_HAS_FOLD 0
#endif

#define NV_CRC_POLYNOMIAL UINT32_C(0x04c11db7)

/* ---- constants ------------------------------------------------------------------------------- */

/* value * x modulo the polynomial, whose x^32 is not written. */
static uint32_t nv_crc_times_x(uint32_t value)
{
    return value << 1 ^ (value >> 31 ? NV_CRC_POLYNOMIAL : 0);
}

/* x^n modulo the polynomial. */
static uint32_t nv_crc_power(unsigned n)
{
    uint32_t value = 1;

    while (n-- > 0)
        value = nv_crc_times_x(value);
    return value;
}

void nv_crc_init(struct nv_crc *crc)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte << 24;

        for (unsigned bit = 0; bit < 8; bit++)
            value = nv_crc_times_x(value);
        crc->table[0][byte] = value;
    }
    for (uint32_t n = 1; n < NV_CRC_TABLES; n++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t before = crc->table[n - 1][byte];

            crc->table[n][byte] = before << 8 ^ crc->table[0][before >> 24];
        }
    for (unsigned half = 0; half < 2; half++) {
        crc->next_block[half] = nv_crc_power(NV_CRC_BLOCK_BITS + 64 * half);
        crc->next_row[half] = nv_crc_power(NV_CRC_ROW_BLOCKS * NV_CRC_BLOCK_BITS + 64 * half);
    }
#if NV_CRC_HAS_FOLD
    crc->folds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
#else
    crc->folds = false;
#endif
}

/* ---- tables ---------------------------------------------------------------------------------- */

static inline uint32_t nv_crc_load(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
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

static uint32_t nv_crc_by_table(const struct nv_crc *crc, uint32_t value, const uint8_t *bytes,
                                size_t count)
{
    /* Four or three words at a time: only the first waits for the value before. */
    for (; count >= 16; count -= 16, bytes += 16)
        value = nv_crc_word(crc, nv_crc_load(bytes + 4), 8) ^
                nv_crc_word(crc, nv_crc_load(bytes + 8), 4) ^
                nv_crc_word(crc, nv_crc_load(bytes + 12), 0) ^
                nv_crc_word(crc, nv_crc_load(bytes) ^ nv_crc_swap(value), 12);
    for (; count >= 12; count -= 12, bytes += 12)
        value = nv_crc_word(crc, nv_crc_load(bytes + 4), 4) ^
                nv_crc_word(crc, nv_crc_load(bytes + 8), 0) ^
                nv_crc_word(crc, nv_crc_load(bytes) ^ nv_crc_swap(value), 8);
    for (; count >= 4; count -= 4, bytes += 4)
        value = nv_crc_word(crc, nv_crc_load(bytes) ^ nv_crc_swap(value), 0);
    for (; count > 0; count--, bytes++)
        value = value << 8 ^ crc->table[0][value >> 24 ^ *bytes];
    return value;
}

/* ---- folding --------------------------------------------------------------------------------- */

#if NV_CRC_HAS_FOLD

#define NV_CRC_FOLD_TARGET __attribute__((target("pclmul,ssse3")))

/* A block as a polynomial, the first bit of the stream on top; and back. */
NV_CRC_FOLD_TARGET static inline __m128i nv_crc_reverse(__m128i block)
{
    return _mm_shuffle_epi8(block,
                            _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

NV_CRC_FOLD_TARGET static inline __m128i nv_crc_block(const uint8_t *bytes, size_t block)
{
    return nv_crc_reverse(_mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * block)));
}

/* A block, as far on as `powers` say, added to the one there. */
NV_CRC_FOLD_TARGET static inline __m128i nv_crc_fold_onto(__m128i block, __m128i powers,
                                                          __m128i there)
{
    return _mm_xor_si128(there, _mm_xor_si128(_mm_clmulepi64_si128(block, powers, 0x00),
                                              _mm_clmulepi64_si128(block, powers, 0x11)));
}

/* `blocks` (at least a row of them) folded into one with the same CRC from 0. */
NV_CRC_FOLD_TARGET static void nv_crc_fold(const struct nv_crc *crc, uint32_t value,
                                           const uint8_t *bytes, size_t blocks, uint8_t rest[16])
{
    const __m128i next_row = _mm_loadu_si128((const __m128i *)(const void *)crc->next_row);
    const __m128i next_block = _mm_loadu_si128((const __m128i *)(const void *)crc->next_block);
    /* A value to go on from is the same as that value added to the first 32 bits. */
    __m128i a = _mm_xor_si128(nv_crc_block(bytes, 0), _mm_set_epi32((int)value, 0, 0, 0));
    __m128i b = nv_crc_block(bytes, 1);
    __m128i c = nv_crc_block(bytes, 2);
    __m128i d = nv_crc_block(bytes, 3);
    size_t at = NV_CRC_ROW_BLOCKS;

    for (; blocks - at >= NV_CRC_ROW_BLOCKS; at += NV_CRC_ROW_BLOCKS) {
        a = nv_crc_fold_onto(a, next_row, nv_crc_block(bytes, at));
        b = nv_crc_fold_onto(b, next_row, nv_crc_block(bytes, at + 1));
        c = nv_crc_fold_onto(c, next_row, nv_crc_block(bytes, at + 2));
        d = nv_crc_fold_onto(d, next_row, nv_crc_block(bytes, at + 3));
    }
    b = nv_crc_fold_onto(a, next_block, b);
    c = nv_crc_fold_onto(b, next_block, c);
    d = nv_crc_fold_onto(c, next_block, d);
    for (; at < blocks; at++)
        d = nv_crc_fold_onto(d, next_block, nv_crc_block(bytes, at));
    _mm_storeu_si128((__m128i *)(void *)rest, nv_crc_reverse(d));
}

#else

/* Never called: `folds` is false. */
static void nv_crc_fold(const struct nv_crc *crc, uint32_t value, const uint8_t *bytes,
                        size_t blocks, uint8_t rest[16])
{
    (void)crc, (void)value, (void)bytes, (void)blocks, (void)rest;
}

#endif

uint32_t nv_crc_bytes(const struct nv_crc *crc, uint32_t value, const uint8_t *bytes, size_t count)
{
    const size_t blocks = count / 16;
    uint8_t rest[16];

    if (crc->folds && blocks >= NV_CRC_ROW_BLOCKS) {
        nv_crc_fold(crc, value, bytes, blocks, rest);
        value = nv_crc_by_table(crc, 0, rest, sizeof rest);
        bytes += 16 * blocks;
        count -= 16 * blocks;
    }
    return nv_crc_by_table(crc, value, bytes, count);
}

/* ---- dwords and methods ---------------------------------------------------------------------- */

uint32_t nv_crc_dwords(const struct nv_crc *crc, uint32_t value, const uint32_t *dwords,
                       size_t count)
{
#if NV_CRC_HAS_FOLD /* a little-endian host: they lie there as the bytes of the stream */
    return nv_crc_bytes(crc, value, (const uint8_t *)dwords, 4 * count);
#else
    for (; count > 0; count--, dwords++)
        value = nv_crc_word(crc, *dwords ^ nv_crc_swap(value), 0);
    return value;
#endif
}

uint32_t nv_crc_method(const struct nv_crc *crc, uint32_t value, uint32_t subchannel,
                       uint32_t method, uint32_t data)
{
    uint8_t message[NV_CRC_MESSAGE_ROOM];

    nv_crc_put_message(message, nv_crc_message(subchannel, method, data));
    return nv_crc_by_table(crc, value, message, NV_CRC_METHOD_BYTES);
}
