/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_cu.h"

#include <assert.h>
#include <string.h>

enum {
    AMD_KEY_BITS = 27,
    AMD_KEYS_AT_ONCE = 4, /* that a processor compares */
};

static uint32_t amd_round_up(uint32_t amount, uint32_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static uint32_t amd_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- room ----------------------------------------------------------------------------------- */

static uint64_t amd_wave_need(const struct amd_need *need)
{
    return amd_simd_pack(1, need->vgprs, need->sgprs);
}

/* Further waves that a SIMD can take.  Mostly they are as many as it has slots for: then nothing
 * goes below 0 when all of them are taken, and no part borrows from the bit above it. */
static uint32_t amd_simd_room(const struct amd_chip *chip, uint64_t simd,
                              const struct amd_need *need)
{
    const uint64_t all =
        amd_simd_pack(chip->waves_per_simd, chip->vgprs_per_simd, chip->sgprs_per_simd);
    const uint64_t bits =
        amd_simd_pack(AMD_SIMD_PART_MAX + 1, AMD_SIMD_PART_MAX + 1, AMD_SIMD_PART_MAX + 1);
    const uint64_t left = all - simd;
    uint32_t room = amd_simd_part(left, AMD_SIMD_WAVES);

    if ((((left | bits) - room * amd_wave_need(need)) & bits) == bits)
        return room;
    if (need->vgprs != 0)
        room = amd_least(room, amd_simd_part(left, AMD_SIMD_VGPRS) / need->vgprs);
    if (need->sgprs != 0)
        room = amd_least(room, amd_simd_part(left, AMD_SIMD_SGPRS) / need->sgprs);
    return room;
}

static bool amd_room(const struct amd_chip *chip, const uint64_t *simds,
                     const struct amd_need *need)
{
    uint32_t room = 0;

    for (uint32_t i = 0; i < chip->simds_per_cu; i++)
        room += amd_simd_room(chip, simds[i], need);
    return room >= need->waves;
}

bool amd_need_make(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                   uint32_t block_threads, uint32_t vgprs, uint32_t sgprs, uint32_t lds_bytes,
                   struct amd_need *need)
{
    const uint64_t empty[AMD_SIMDS_MAX] = {0};

    *need = (struct amd_need){0};
    if (block_threads == 0 || block_threads > chip->threads_per_workgroup ||
        vgprs > chip->vgprs_per_wave || sgprs > chip->sgprs_per_wave ||
        lds_bytes > chip->lds_bytes_per_cu)
        return false;
    need->waves = amd_round_up(block_threads, chip->threads_per_wave) / chip->threads_per_wave;
    need->vgprs = amd_round_up(vgprs, chip->vgpr_unit);
    need->sgprs = amd_round_up(sgprs, chip->sgpr_unit);
    need->lds_bytes = amd_round_up(lds_bytes, chip->lds_unit_bytes);
    return need->waves <= amd_least(limits->waves, AMD_BLOCK_WAVES_MAX) &&
           need->lds_bytes <= chip->lds_bytes_per_cu && amd_room(chip, empty, need);
}

bool amd_cu_fits(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                 const struct amd_cu *cu, const struct amd_need *need)
{
    return cu->wave_count + cu->stopped_waves + need->waves <= limits->waves &&
           cu->block_count < AMD_CU_WAVES_MAX && /* also of blocks whose end was lost */
           cu->lds_bytes + need->lds_bytes <= chip->lds_bytes_per_cu &&
           amd_room(chip, cu->simds, need);
}

bool amd_cu_fits_whole(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                       const struct amd_cu *cu, const struct amd_need *need)
{
    return cu->ended_waves == 0 ||
           (cu->wave_count + cu->stopped_waves + cu->ended_waves + need->waves <= limits->waves &&
            amd_room(chip, cu->held, need));
}

/* ---- waves ---------------------------------------------------------------------------------- */

/* Waves that a picosecond of work is shared among. */
static uint64_t amd_sharers(const struct amd_cu_limits *limits, uint32_t waves)
{
    return waves > limits->full_rate_waves ? waves : limits->full_rate_waves;
}

/* Merges waves, sorted by their ends, into the ring: each behind those that end no later.  Without
 * a branch on which is later, which cannot be foretold. */
static void amd_waves_insert(struct amd_cu *cu, const struct amd_wave *waves, uint32_t count)
{
    uint32_t old = cu->wave_count, at = cu->first_wave + old;

    cu->wave_count += count;
    while (count > 0 && old > 0) {
        const struct amd_wave *wave = &waves[count - 1];
        const struct amd_wave *before = &cu->waves[(at - 1) % AMD_WAVE_RING];
        const bool moves = before->end_work > wave->end_work;

        cu->waves[(at + count - 1) % AMD_WAVE_RING] = *(moves ? before : wave);
        at -= moves;
        old -= moves;
        count -= !moves;
    }
    for (; count > 0; count--)
        cu->waves[(at + count - 1) % AMD_WAVE_RING] = waves[count - 1];
}

/* Places of the waves of a block by their ends; of equal ones the one with the lower number is
 * first.  Each one's place is counted, without a branch. */
static void amd_waves_rank(uint32_t count, const uint64_t *work_ps,
                           uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    for (uint32_t i = 0; i < count; i++) {
        places[i] = 0;
        for (uint32_t n = 0; n < count; n++)
            places[i] += work_ps[n] < work_ps[i] || (work_ps[n] == work_ps[i] && n < i);
    }
}

/* `width` is a constant, so that the sums stay in registers. */
static inline void amd_keys_rank(const int32_t keys[AMD_BLOCK_WAVES_MAX], uint32_t count,
                                 uint32_t width, uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    uint32_t counts[AMD_BLOCK_WAVES_MAX] = {0};

    for (uint32_t n = 0; n < count; n++)
        for (uint32_t i = 0; i < width; i++)
            counts[i] += keys[n] < keys[i];
    memcpy(places, counts, width * sizeof *counts);
}

/* The same if their work lies within 67 us of the first one's: then it fits, with the number of the
 * wave, into 32 bits, of which processors compare several at once. */
static bool amd_waves_rank_near(uint32_t count, const uint64_t *work_ps,
                                uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    const uint64_t half = UINT64_C(1) << (AMD_KEY_BITS - 1);
    int32_t keys[AMD_BLOCK_WAVES_MAX] = {0};
    uint64_t far = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t beyond = work_ps[i] - work_ps[0] + half;

        far |= beyond >> AMD_KEY_BITS;
        keys[i] = (int32_t)(beyond % (2 * half) * AMD_BLOCK_WAVES_MAX + i);
    }
    if (count <= AMD_KEYS_AT_ONCE)
        amd_keys_rank(keys, count, AMD_KEYS_AT_ONCE, places);
    else
        amd_keys_rank(keys, count, AMD_BLOCK_WAVES_MAX, places);
    return far == 0;
}

/* The waves of a block, sorted by their ends. */
static void amd_waves_sort(struct amd_wave *waves, uint32_t count, const uint64_t *work_ps,
                           const struct amd_wave *like, const uint8_t *simds)
{
    uint32_t places[AMD_BLOCK_WAVES_MAX] = {0};

    if (count > 1 && !amd_waves_rank_near(count, work_ps, places))
        amd_waves_rank(count, work_ps, places);
    for (uint32_t i = 0; i < count; i++)
        waves[places[i]] = (struct amd_wave){
            .end_work = like->end_work + work_ps[i], .block = like->block, .simd = simds[i]};
    waves[count - 1].is_last = 1;
}

/* Which SIMD each wave of the block goes to: the one that can take most further waves; among equals
 * the lowest.  So first go those that can take the most, in turn, until they can take as many as
 * the next ones. */
static void amd_pick_simds(const struct amd_chip *chip, struct amd_cu *cu, struct amd_block *block,
                           uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX])
{
    const uint64_t need = amd_wave_need(&block->need);
    uint32_t room[AMD_SIMDS_MAX] = {0}, level = 0, waves = 0;

    for (uint32_t i = 0; i < chip->simds_per_cu; i++) {
        room[i] = amd_simd_room(chip, cu->simds[i], &block->need);
        level = room[i] > level ? room[i] : level;
    }
    for (; waves < block->need.waves; level--) {
        assert(level > 0);
        for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++) {
            simds[waves] = (uint8_t)i;
            waves += room[i] >= level;
        }
    }
    for (uint32_t wave = 0; wave < block->need.waves; wave++)
        block->simd_waves[simds[wave]]++;
    for (uint32_t i = 0; i < chip->simds_per_cu; i++) {
        cu->simds[i] += need * block->simd_waves[i];
        cu->held[i] += need * block->simd_waves[i];
    }
}

uint32_t amd_cu_start(const struct amd_chip *chip, struct amd_cu *cu, const struct amd_block *block,
                      const uint64_t *work_ps)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(~cu->slots);
    const uint32_t count = block->need.waves;
    struct amd_wave waves[AMD_BLOCK_WAVES_MAX];
    uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX];

    assert(slot < AMD_CU_WAVES_MAX && count > 0);
    cu->slots |= UINT64_C(1) << slot;
    cu->block_count++;
    cu->blocks[slot] = *block;
    cu->blocks[slot].wave_need = amd_wave_need(&block->need);
    cu->lds_bytes += block->need.lds_bytes;
    amd_pick_simds(chip, cu, &cu->blocks[slot], simds);
    amd_waves_sort(waves, count, work_ps,
                   &(struct amd_wave){.end_work = cu->work_per_wave, .block = (uint16_t)slot},
                   simds);
    amd_waves_insert(cu, waves, count);
    return slot;
}

/* Gives back what a wave that ends has, but its place in the ring.  Returns the bit of its block's
 * slot if that ends, too. */
static uint64_t amd_wave_end(struct amd_cu *cu, struct amd_wave *wave)
{
    struct amd_block *block = &cu->blocks[wave->block];
    const uint64_t ended = (uint64_t)wave->is_last << wave->block;

    cu->simds[wave->simd] -= block->wave_need;
    block->waves--;
    *wave = (struct amd_wave){0};
    return ended;
}

uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps)
{
    uint64_t work = now_ps - cu->since_ps + cu->carry, done = cu->work_per_wave, ended = 0;
    uint32_t first = cu->first_wave, left = cu->wave_count;

    for (; left > 0; left--) {
        struct amd_wave *wave = &cu->waves[first];
        const uint64_t sharers = amd_sharers(limits, left);
        const uint64_t shared = (wave->end_work - done) * sharers;

        if (shared > work) {
            done += work / sharers;
            work %= sharers;
            break;
        }
        work -= shared;
        done = wave->end_work;
        ended |= amd_wave_end(cu, wave);
        first = (first + 1) % AMD_WAVE_RING;
    }
    cu->since_ps = now_ps;
    cu->work_per_wave = done;
    cu->carry = left > 0 ? work : 0; /* without waves nobody was there to do it */
    cu->ended_waves += cu->wave_count - left;
    cu->first_wave = first;
    cu->wave_count = left;
    return ended;
}

void amd_cu_remove(struct amd_cu *cu, uint32_t slot)
{
    struct amd_block *block = &cu->blocks[slot];

    assert(block->waves == 0 && cu->slots >> slot & 1);
    cu->lds_bytes -= block->need.lds_bytes;
    cu->ended_waves -= block->need.waves;
    cu->slots &= ~(UINT64_C(1) << slot);
    cu->block_count--;
    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        cu->held[i] -= block->wave_need * block->simd_waves[i];
    *block = (struct amd_block){0};
}

static struct amd_wave *amd_wave_at(struct amd_cu *cu, uint32_t n)
{
    return &cu->waves[(cu->first_wave + n) % AMD_WAVE_RING];
}

uint32_t amd_cu_stop(struct amd_cu *cu, uint32_t slot, uint64_t work_ps[AMD_BLOCK_WAVES_MAX])
{
    struct amd_block *block = &cu->blocks[slot];
    const uint32_t before = cu->wave_count;
    uint32_t stopped = 0, kept = 0;

    for (uint32_t n = 0; n < before; n++) {
        const struct amd_wave wave = *amd_wave_at(cu, n);

        if (wave.block != slot) {
            *amd_wave_at(cu, kept++) = wave;
            continue;
        }
        work_ps[stopped++] = wave.end_work - cu->work_per_wave;
        block->simd_stopped[wave.simd]++;
    }
    for (uint32_t n = kept; n < before; n++)
        *amd_wave_at(cu, n) = (struct amd_wave){0};
    assert(stopped == block->waves);
    cu->wave_count = kept;
    cu->stopped_waves += stopped;
    if (kept == 0)
        cu->carry = 0; /* nobody is there to do it */
    return stopped;
}

void amd_cu_release(struct amd_cu *cu, uint32_t slot)
{
    struct amd_block *block = &cu->blocks[slot];

    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        cu->simds[i] -= block->wave_need * block->simd_stopped[i];
    cu->stopped_waves -= block->waves;
    cu->ended_waves += block->waves;
    block->waves = 0;
    amd_cu_remove(cu, slot);
}

/*
 * Until wave n ends each wave before it has run to its end, and all that are left as far as wave n:
 * so the work is the sum of the first ones' ends, and the end of wave n for each of the others.  As
 * long as the CU is not busy a wave's end counts for nothing, and wave n runs as if there were
 * full_rate_waves.
 */
gfe_ps amd_cu_next_ps(const struct amd_cu_limits *limits, const struct amd_cu *cu, uint32_t waves)
{
    const uint32_t count = cu->wave_count, last = amd_least(count, waves) - 1;
    const uint32_t busy = count > limits->full_rate_waves ? count - limits->full_rate_waves : 0;
    const uint32_t summed = amd_least(last, busy);
    uint32_t at = cu->first_wave, n = 0;
    uint64_t work = 0;

    if (count == 0)
        return GFE_PS_NEVER;
    for (; n < summed && !cu->waves[at].is_last; n++, at = (at + 1) % AMD_WAVE_RING)
        work += cu->waves[at].end_work;
    for (; n < last && !cu->waves[at].is_last; n++)
        at = (at + 1) % AMD_WAVE_RING;
    work += cu->waves[at].end_work * amd_sharers(limits, count - n) -
            cu->work_per_wave * amd_sharers(limits, count);
    return cu->since_ps + (work > cu->carry ? work - cu->carry : 0);
}
