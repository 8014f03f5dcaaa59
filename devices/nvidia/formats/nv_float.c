/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_float.h"

#include <stdbool.h>

#define SIGN         UINT32_C(0x80000000)
#define INFINITE     UINT32_C(0x7f800000)
#define NOT_A_NUMBER UINT32_C(0x7fffffff)

/* Significands are held with their leading one at bit 61: there is room for a carry above and for
 * 38 bits below the last that counts. */
enum { FRACTION_BITS = 23, TOP_BIT = 61, EXPONENT_MAX = 255 };

static uint32_t nv_float_exponent(uint32_t word)
{
    return (word & INFINITE) >> FRACTION_BITS;
}

static uint64_t nv_float_significand(uint32_t word)
{
    const uint64_t one = UINT64_C(1) << FRACTION_BITS;

    return nv_float_exponent(word) ? (one | (word & (one - 1))) << (TOP_BIT - FRACTION_BITS) : 0;
}

/* Shifts right; the last bit says whether anything was lost. */
static uint64_t nv_float_shift(uint64_t significand, uint32_t bits)
{
    uint64_t lost;

    if (bits == 0)
        return significand;
    if (bits > TOP_BIT)
        return significand != 0;
    lost = significand & ((UINT64_C(1) << bits) - 1);
    return significand >> bits | (lost != 0);
}

/* To the nearest, ties to even; `significand` is not 0. */
static uint32_t nv_float_pack(uint32_t sign, int32_t exponent, uint64_t significand)
{
    const uint32_t low_bits = TOP_BIT - FRACTION_BITS;
    const uint64_t half = UINT64_C(1) << (low_bits - 1);
    uint64_t rest;

    if (significand >> (TOP_BIT + 1)) {
        significand = nv_float_shift(significand, 1);
        exponent++;
    }
    while (!(significand >> TOP_BIT)) {
        significand <<= 1;
        exponent--;
    }
    rest = significand & (2 * half - 1);
    significand >>= low_bits;
    if (rest > half || (rest == half && significand & 1))
        significand++;
    if (significand >> (FRACTION_BITS + 1)) {
        significand >>= 1;
        exponent++;
    }
    if (exponent >= EXPONENT_MAX)
        return sign | INFINITE;
    if (exponent <= 0)
        return sign;
    return sign | (uint32_t)exponent << FRACTION_BITS |
           ((uint32_t)significand & ((1u << FRACTION_BITS) - 1));
}

/* One of them is infinite or not a number. */
static uint32_t nv_float_special(uint32_t a, uint32_t b)
{
    const bool a_infinite = (a & ~SIGN) == INFINITE, b_infinite = (b & ~SIGN) == INFINITE;

    if ((a & ~SIGN) > INFINITE || (b & ~SIGN) > INFINITE || (a_infinite && b_infinite && a != b))
        return NOT_A_NUMBER;
    return a_infinite ? a : b;
}

uint32_t nv_float_add(uint32_t a, uint32_t b)
{
    /* The larger in front. */
    const uint32_t big = (a & ~SIGN) >= (b & ~SIGN) ? a : b;
    const uint32_t small = big == a ? b : a;
    const uint32_t exponent = nv_float_exponent(big);
    uint64_t sum, part;

    if (exponent == EXPONENT_MAX)
        return nv_float_special(a, b);
    if (exponent == 0) /* zeroes only */
        return a & b & SIGN;
    if (nv_float_exponent(small) == 0)
        return big;
    part = nv_float_shift(nv_float_significand(small), exponent - nv_float_exponent(small));
    sum = nv_float_significand(big);
    sum = (a ^ b) & SIGN ? sum - part : sum + part;
    if (sum == 0)
        return 0;
    return nv_float_pack(big & SIGN, (int32_t)exponent, sum);
}
