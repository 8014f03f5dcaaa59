/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/kfd_cu_mask.h"

#include <string.h>

/* Where a CU is. */
struct kfd_cu_place {
    uint32_t engine, array, cu; /* shader engine, shader array in it, CU in that */
};

/* CUs of one shader array.  The chip's table counts those of an engine; arrays share them evenly,
 * the first ones having what is left over. */
static uint32_t kfd_cu_mask_array_cus(const struct amd_chip *chip, uint32_t engine, uint32_t array)
{
    const uint32_t cus = chip->engine_cus[engine], arrays = chip->arrays_per_engine;

    return cus / arrays + (array < cus % arrays);
}

/* The next CU in the order in which bits are dealt; false behind the last.  Begin with cu, array
 * and engine 0. */
static bool kfd_cu_mask_seek(const struct amd_chip *chip, struct kfd_cu_place *at)
{
    for (; at->cu < AMD_CUS_PER_ENGINE_MAX; at->cu++, at->array = 0)
        for (; at->array < chip->arrays_per_engine; at->array++, at->engine = 0)
            for (; at->engine < chip->shader_engine_count; at->engine++)
                if (kfd_cu_mask_array_cus(chip, at->engine, at->array) > at->cu)
                    return true;
    return false;
}

uint32_t kfd_cu_mask_split(const struct amd_chip *chip, const uint32_t *mask, uint32_t bit_count,
                           uint32_t engines[AMD_SHADER_ENGINES_MAX])
{
    struct kfd_cu_place at = {0, 0, 0};
    uint32_t enabled = 0;

    memset(engines, 0, AMD_SHADER_ENGINES_MAX * sizeof engines[0]);
    for (uint32_t i = 0; i < bit_count && kfd_cu_mask_seek(chip, &at); i++, at.engine++)
        if (mask[i / 32] >> i % 32 & 1) {
            engines[at.engine] |= 1u << (at.cu + 16 * at.array);
            enabled++;
        }
    return enabled;
}

void kfd_cu_mask_all(uint32_t engines[AMD_SHADER_ENGINES_MAX])
{
    memset(engines, 0xff, AMD_SHADER_ENGINES_MAX * sizeof engines[0]);
}
