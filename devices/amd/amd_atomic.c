/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_atomic.h"

/* Operations of the L2 cache (vega10_enum.h, TC_OP_ATOMIC_*_RTN_32; + 0x20: 64 bits). */
enum { ATOMIC_SWAP = 0x07, ATOMIC_COMPARE_SWAP, ATOMIC_ADD = 0x0f, ATOMIC_SUB };

bool amd_compares(uint32_t function, uint64_t value, uint64_t reference)
{
    switch (function) {
    case 1:
        return value < reference;
    case 2:
        return value <= reference;
    case 3:
        return value == reference;
    case 4:
        return value != reference;
    case 5:
        return value >= reference;
    case 6:
        return value > reference;
    default:
        return true;
    }
}

bool amd_atomic(uint32_t operation, uint64_t source, uint64_t compared, uint64_t *value)
{
    switch (operation & 0x1f) {
    case ATOMIC_SWAP:
        *value = source;
        return true;
    case ATOMIC_COMPARE_SWAP:
        *value = *value == (operation & 0x20 ? compared : (uint32_t)compared) ? source : *value;
        return true;
    case ATOMIC_ADD:
        *value += source;
        return true;
    case ATOMIC_SUB:
        *value -= source;
        return true;
    default:
        return false;
    }
}
