/* SPDX-License-Identifier: MIT */
/*
 * The addition of the reduction FADD: IEEE 754 binary32, to the nearest, ties to even, in integers.
 *
 * Numbers below 2^-126 count as zero of their sign, going in and coming out, and a NaN comes out as
 * 0x7fffffff: so NVIDIA's PTX manual describes atom.add.f32 on global memory, and INFERRED from
 * that for copies, because both are done by the L2 cache.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_FLOAT_H
#define GFE_DEVICES_NVIDIA_NV_FLOAT_H

#include <stdint.h>

/* The bits of a + b, of numbers given by their bits. */
uint32_t nv_float_add(uint32_t a, uint32_t b);

#endif
