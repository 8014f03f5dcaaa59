/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_wave_rank.h"

#include <stdbool.h>
#include <string.h>

enum {
    AMD_KEY_BITS = 27,
    AMD_KEYS_AT_ONCE = 4, /* that a processor compares */
    AMD_KEYS_PARTS = AMD_BLOCK_WAVES_MAX / AMD_KEYS_AT_ONCE,
};
typedef int32_t amd_keys __attribute__((vector_size(AMD_KEYS_AT_ONCE * sizeof(int32_t))));

/* Each one's place is counted, without a branch. */
static void amd_rank_far(uint32_t count, const uint64_t *work_ps,
                         uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    for (uint32_t i = 0; i < count; i++) {
        places[i] = 0;
        for (uint32_t n = 0; n < count; n++)
            places[i] += work_ps[n] < work_ps[i] || (work_ps[n] == work_ps[i] && n < i);
    }
}

/* `parts` is a constant, so that the counts stay in registers. */
static inline void amd_rank_keys(const int32_t keys[AMD_BLOCK_WAVES_MAX], uint32_t parts,
                                 uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    amd_keys before[AMD_KEYS_PARTS] = {{0}}, all[AMD_KEYS_PARTS];

    memcpy(all, keys, sizeof all);
    for (uint32_t n = 0; n < parts; n++)
        for (uint32_t part = 0; part < AMD_KEYS_AT_ONCE; part++) {
            const int32_t one = all[n][part];
            const amd_keys key = {one, one, one, one};

            for (uint32_t i = 0; i < parts; i++)
                before[i] -= key < all[i]; /* -1 where it is so */
        }
    memcpy(places, before, sizeof before);
}

/* Ranks waves whose work lies within 67 us of the first wave's.  Work and number of a wave then fit
 * into 32 bits, and processors compare several such words at once.  Returns false for other work.
 */
static bool amd_rank_near(uint32_t count, const uint64_t *work_ps,
                          uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    const uint64_t half = UINT64_C(1) << (AMD_KEY_BITS - 1);
    int32_t keys[AMD_BLOCK_WAVES_MAX];
    uint64_t far = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t beyond = work_ps[i] - work_ps[0] + half;

        far |= beyond >> AMD_KEY_BITS;
        keys[i] = (int32_t)(beyond % (2 * half) * AMD_BLOCK_WAVES_MAX + i);
    }
    for (uint32_t i = count; i < AMD_BLOCK_WAVES_MAX; i++)
        keys[i] = INT32_MAX; /* behind all */
    if (count <= AMD_KEYS_AT_ONCE)
        amd_rank_keys(keys, 1, places);
    else
        amd_rank_keys(keys, AMD_KEYS_PARTS, places);
    return far == 0;
}

void amd_wave_rank(uint32_t count, const uint64_t *work_ps, uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    places[0] = 0;
    if (count > 1 && !amd_rank_near(count, work_ps, places))
        amd_rank_far(count, work_ps, places);
}
