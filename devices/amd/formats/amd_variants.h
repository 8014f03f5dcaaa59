/* SPDX-License-Identifier: MIT */
/*
 * The variants of AMD's register lists (emu/engine/reg.h): gfx9 chips by their instruction set.
 * NVIDIA's variants have the bits below 16, so that one mask distinguishes the registers of both
 * vendors.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_VARIANTS_H
#define GFE_DEVICES_AMD_FORMATS_AMD_VARIANTS_H

#include <stdint.h>

enum amd_variants {
    AMD_GFX906 = 1 << 16,
    AMD_GFX908 = 1 << 17,
    AMD_GFX90A = 1 << 18,
    AMD_GFX9 = AMD_GFX906 | AMD_GFX908 | AMD_GFX90A,
};
/* Their names, by bit number; ends with NULL. */
extern const char *const amd_variant_names[];

/* Returns the bit of the chips with an instruction set such as "gfx906"; asserts that there is one.
 */
uint32_t amd_variant_of(const char *isa);

#endif
