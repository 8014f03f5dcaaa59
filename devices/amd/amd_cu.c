/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_cu.h"

#include <assert.h>

static uint32_t amd_round_up(uint32_t amount, uint32_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static uint32_t amd_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- room ----------------------------------------------------------------------------------- */

/* Further waves that a SIMD can take. */
static uint32_t amd_simd_room(const struct amd_chip *chip, const struct amd_simd *simd,
                              const struct amd_need *need)
{
    const uint32_t by_slots = chip->waves_per_simd - simd->waves;
    const uint32_t by_vgprs =
        need->vgprs ? (chip->vgprs_per_simd - simd->vgprs) / need->vgprs : by_slots;
    const uint32_t by_sgprs =
        need->sgprs ? (chip->sgprs_per_simd - simd->sgprs) / need->sgprs : by_slots;

    return amd_least(by_slots, amd_least(by_vgprs, by_sgprs));
}

/* Can each SIMD take so many? */
static bool amd_room_each(const struct amd_chip *chip, const struct amd_simd *simds,
                          const struct amd_need *need, uint32_t waves)
{
    bool room = true;

    for (uint32_t i = 0; i < chip->simds_per_cu; i++)
        room = room && simds[i].waves + waves <= chip->waves_per_simd &&
               simds[i].vgprs + waves * need->vgprs <= chip->vgprs_per_simd &&
               simds[i].sgprs + waves * need->sgprs <= chip->sgprs_per_simd;
    return room;
}

static bool amd_room(const struct amd_chip *chip, const struct amd_simd *simds,
                     const struct amd_need *need)
{
    uint32_t room = 0;

    /* Mostly it is evenly spread: no division then. */
    if (amd_room_each(chip, simds, need,
                      (need->waves + chip->simds_per_cu - 1) / chip->simds_per_cu))
        return true;
    for (uint32_t i = 0; i < chip->simds_per_cu; i++)
        room += amd_simd_room(chip, &simds[i], need);
    return room >= need->waves;
}

bool amd_need_make(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                   uint32_t block_threads, uint32_t vgprs, uint32_t sgprs, uint32_t lds_bytes,
                   struct amd_need *need)
{
    const struct amd_simd empty[AMD_SIMDS_MAX] = {{0}};

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

static struct amd_wave *amd_wave_at(struct amd_cu *cu, uint32_t n)
{
    return &cu->waves[(cu->first_wave + n) % AMD_WAVE_RING];
}

/* Waves that a picosecond of work is shared among. */
static uint64_t amd_sharers(const struct amd_cu_limits *limits, uint32_t waves)
{
    return waves > limits->full_rate_waves ? waves : limits->full_rate_waves;
}

/* Merges waves, sorted by their ends, into the ring: each behind those that end no later. */
static void amd_waves_insert(struct amd_cu *cu, const struct amd_wave *waves, uint32_t count)
{
    uint32_t to = cu->first_wave + cu->wave_count + count;
    uint32_t old = cu->wave_count, from = cu->first_wave + old;

    cu->wave_count += count;
    while (count > 0) {
        const struct amd_wave *wave = &waves[count - 1];
        const struct amd_wave *before = &cu->waves[(from - 1) % AMD_WAVE_RING];

        to--;
        if (old > 0 && before->end_work > wave->end_work) {
            cu->waves[to % AMD_WAVE_RING] = *before;
            from--;
            old--;
        } else {
            cu->waves[to % AMD_WAVE_RING] = *wave;
            count--;
        }
    }
}

/* The waves of a block, sorted by their ends; of equal ones the one with the lower number first.
 * Each one's place is counted, without a branch: who ends first cannot be foretold. */
static void amd_waves_sort(struct amd_wave *waves, uint32_t count, const uint64_t *work_ps,
                           const struct amd_wave *like, const uint8_t *simds)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t mine = work_ps[i];
        uint32_t place = 0;

        for (uint32_t n = 0; n < i; n++)
            place += work_ps[n] <= mine;
        for (uint32_t n = i + 1; n < count; n++)
            place += work_ps[n] < mine;
        waves[place] = (struct amd_wave){
            .end_work = like->end_work + mine, .block = like->block, .simd = simds[i]};
    }
    waves[count - 1].is_last = 1;
}

static void amd_simd_take(struct amd_simd *simd, const struct amd_need *need, uint32_t waves)
{
    simd->waves += waves;
    simd->vgprs += waves * need->vgprs;
    simd->sgprs += waves * need->sgprs;
}

static void amd_simd_give(struct amd_simd *simd, const struct amd_need *need, uint32_t waves)
{
    simd->waves -= waves;
    simd->vgprs -= waves * need->vgprs;
    simd->sgprs -= waves * need->sgprs;
}

/* Which SIMD each wave of the block goes to: the one that can take most further waves; among equals
 * the lowest. */
static void amd_pick_simds(const struct amd_chip *chip, struct amd_cu *cu, struct amd_block *block,
                           uint8_t simds[AMD_BLOCK_WAVES_MAX])
{
    /* Room, and below it what is the greater the lower the number is: so one comparison decides. */
    uint32_t room[AMD_SIMDS_MAX] = {0};

    for (uint32_t i = 0; i < chip->simds_per_cu; i++)
        room[i] = amd_simd_room(chip, &cu->simds[i], &block->need) * AMD_SIMDS_MAX + AMD_SIMDS_MAX -
                  1 - i;
    for (uint32_t wave = 0; wave < block->need.waves; wave++) {
        const uint32_t low = room[0] > room[1] ? room[0] : room[1];
        const uint32_t high = room[2] > room[3] ? room[2] : room[3];
        const uint32_t most = low > high ? low : high;
        const uint32_t best = AMD_SIMDS_MAX - 1 - most % AMD_SIMDS_MAX;

        assert(most >= AMD_SIMDS_MAX);
        room[best] -= AMD_SIMDS_MAX;
        block->simd_waves[best]++;
        simds[wave] = (uint8_t)best;
    }
    for (uint32_t i = 0; i < chip->simds_per_cu; i++) {
        amd_simd_take(&cu->simds[i], &block->need, block->simd_waves[i]);
        amd_simd_take(&cu->held[i], &block->need, block->simd_waves[i]);
    }
}

uint32_t amd_cu_start(const struct amd_chip *chip, struct amd_cu *cu, const struct amd_block *block,
                      const uint64_t *work_ps)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(~cu->slots);
    const uint32_t count = block->need.waves;
    struct amd_wave waves[AMD_BLOCK_WAVES_MAX];
    uint8_t simds[AMD_BLOCK_WAVES_MAX];

    assert(slot < AMD_CU_WAVES_MAX && count > 0);
    cu->slots |= UINT64_C(1) << slot;
    cu->block_count++;
    cu->blocks[slot] = *block;
    cu->lds_bytes += block->need.lds_bytes;
    amd_pick_simds(chip, cu, &cu->blocks[slot], simds);
    amd_waves_sort(waves, count, work_ps,
                   &(struct amd_wave){.end_work = cu->work_per_wave, .block = (uint16_t)slot},
                   simds);
    amd_waves_insert(cu, waves, count);
    return slot;
}

/* Gives back what the wave that ends first has. */
static uint64_t amd_wave_end(struct amd_cu *cu)
{
    struct amd_wave *wave = amd_wave_at(cu, 0);
    struct amd_block *block = &cu->blocks[wave->block];
    const uint64_t ended = (uint64_t)wave->is_last << wave->block;

    amd_simd_give(&cu->simds[wave->simd], &block->need, 1);
    block->waves--;
    cu->ended_waves++;
    *wave = (struct amd_wave){0};
    cu->first_wave = (cu->first_wave + 1) % AMD_WAVE_RING;
    cu->wave_count--;
    return ended;
}

uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps)
{
    uint64_t work = now_ps - cu->since_ps + cu->carry, ended = 0;

    cu->since_ps = now_ps;
    while (cu->wave_count > 0) {
        const uint64_t sharers = amd_sharers(limits, cu->wave_count);
        const uint64_t each = amd_wave_at(cu, 0)->end_work - cu->work_per_wave;

        if (each * sharers > work) {
            cu->work_per_wave += work / sharers;
            cu->carry = work % sharers;
            return ended;
        }
        work -= each * sharers;
        cu->work_per_wave += each;
        ended |= amd_wave_end(cu);
    }
    cu->carry = 0; /* nobody was there to do it */
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
        amd_simd_give(&cu->held[i], &block->need, block->simd_waves[i]);
    *block = (struct amd_block){0};
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
        amd_simd_give(&cu->simds[i], &block->need, block->simd_stopped[i]);
    cu->stopped_waves -= block->waves;
    cu->ended_waves += block->waves;
    block->waves = 0;
    amd_cu_remove(cu, slot);
}

gfe_ps amd_cu_next_ps(const struct amd_cu_limits *limits, const struct amd_cu *cu, uint32_t waves)
{
    uint64_t from = cu->work_per_wave, work = 0;
    uint32_t at = cu->first_wave;

    if (cu->wave_count == 0)
        return GFE_PS_NEVER;
    for (uint32_t left = cu->wave_count; left > 0 && waves > 0; left--, waves--, at++) {
        const struct amd_wave *wave = &cu->waves[at % AMD_WAVE_RING];

        work += (wave->end_work - from) * amd_sharers(limits, left);
        from = wave->end_work;
        if (wave->is_last)
            break;
    }
    return cu->since_ps + (work > cu->carry ? work - cu->carry : 0);
}
