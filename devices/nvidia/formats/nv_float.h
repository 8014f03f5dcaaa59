/* SPDX-License-Identifier: MIT */
/*
 * The addition of the reduction FADD: IEEE 754 binary32, to the nearest, ties to even, in integers.
 *
 * Numbers below 2^-126 count as zero of their sign, as operands and as results, and the result NaN
 * is 0x7fffffff.  NVIDIA's PTX manual describes atom.add.f32 on global memory in this way.  For
 * copies this is INFERRED, because the L2 cache does both.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_FLOAT_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_FLOAT_H

#include <stdint.h>

/* Returns the bits of a + b, for numbers given by their bits. */
uint32_t nv_float_add(uint32_t a, uint32_t b);

#endif
