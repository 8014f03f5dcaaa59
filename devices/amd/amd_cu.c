/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_cu.h"

#include <assert.h>
#include <string.h>

enum {
    AMD_KEY_BITS = 27,
    AMD_KEYS_AT_ONCE = 4, /* that a processor compares */
    AMD_KEYS_PARTS = AMD_BLOCK_WAVES_MAX / AMD_KEYS_AT_ONCE,
};
typedef int32_t amd_keys __attribute__((vector_size(AMD_KEYS_AT_ONCE * sizeof(int32_t))));

static uint32_t amd_round_up(uint32_t amount, uint32_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static uint32_t amd_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- room ----------------------------------------------------------------------------------- */

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

    if (left & bits) /* more than there is would be in use if nothing had come back */
        return 0;
    if ((((left | bits) - room * need->wave) & bits) == bits)
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

    for (uint32_t i = 0; i < chip->simds_per_cu && room < need->waves; i++)
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
    need->wave = amd_simd_pack(1, need->vgprs, need->sgprs);
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

/* Of the width of addresses: compilers then see that a block's slot needs no shift to lead to it. */
static size_t amd_tag_block(size_t tag)
{
    return (tag & (AMD_TAG_LAST - 1)) >> AMD_TAG_BLOCK_SHIFT;
}

static size_t amd_tag_simd(size_t tag)
{
    return tag >> AMD_TAG_SIMD_SHIFT & (AMD_SIMDS_MAX - 1);
}

/* Waves that a picosecond of work is shared among. */
static uint64_t amd_sharers(const struct amd_cu_limits *limits, uint64_t waves)
{
    return waves > limits->full_rate_waves ? waves : limits->full_rate_waves;
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

/* `parts` is a constant, so that the counts stay in registers. */
static inline void amd_keys_rank(const int32_t keys[AMD_BLOCK_WAVES_MAX], uint32_t count,
                                 uint32_t parts, uint32_t places[AMD_BLOCK_WAVES_MAX])
{
    amd_keys before[AMD_KEYS_PARTS] = {0}, all[AMD_KEYS_PARTS];

    memcpy(all, keys, sizeof all);
    for (uint32_t n = 0; n < count; n++) {
        const amd_keys key = {keys[n], keys[n], keys[n], keys[n]};

        for (uint32_t i = 0; i < parts; i++)
            before[i] -= key < all[i]; /* -1 where it is so */
    }
    memcpy(places, before, sizeof before);
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
        amd_keys_rank(keys, count, 1, places);
    else
        amd_keys_rank(keys, count, AMD_KEYS_PARTS, places);
    return far == 0;
}

/* Places for the waves of any block behind the others.  Mostly there are. */
static void amd_waves_make_room(struct amd_cu *cu)
{
    const uint32_t first = cu->first_wave, old = cu->wave_count;

    if (first + old + AMD_BLOCK_WAVES_MAX <= AMD_WAVE_PLACES)
        return;
    assert(old <= first);
    memcpy(cu->ends, &cu->ends[first], old * sizeof *cu->ends);
    memcpy(cu->tags, &cu->tags[first], old * sizeof *cu->tags);
    memset(&cu->ends[first], 0, old * sizeof *cu->ends);
    memset(&cu->tags[first], 0, old * sizeof *cu->tags);
    cu->first_wave = 0;
}

/* Merges the last `count` waves, which are sorted as the others before them are, with these: each
 * behind those that end no later.  Without a branch on which is later, which cannot be foretold. */
static void amd_waves_merge(struct amd_cu *cu, uint32_t count)
{
    uint64_t ends[AMD_BLOCK_WAVES_MAX];
    uint16_t tags[AMD_BLOCK_WAVES_MAX];
    uint64_t *end = &cu->ends[cu->first_wave + cu->wave_count - count];
    uint16_t *tag = &cu->tags[cu->first_wave + cu->wave_count - count];
    const uint64_t *const first = &cu->ends[cu->first_wave];

    memcpy(ends, end, sizeof ends); /* as many as there may be: so it is done in line */
    memcpy(tags, tag, sizeof tags);
    while (count > 0 && end > first) {
        const uint64_t before = end[-1], mine = ends[count - 1];
        const uint32_t moves = before > mine;
        const uint64_t mask = 0 - (uint64_t)moves;

        end[count - 1] = mine ^ ((mine ^ before) & mask);
        tag[count - 1] =
            (uint16_t)(tags[count - 1] ^ ((tags[count - 1] ^ tag[-1]) & (uint32_t)mask));
        end -= moves;
        tag -= moves;
        count -= 1 - moves;
    }
    while (count-- > 0) {
        end[count] = ends[count];
        tag[count] = tags[count];
    }
}

/* From that wave on. */
static void amd_waves_find_last(struct amd_cu *cu, uint32_t from)
{
    const uint16_t *const tags = &cu->tags[cu->first_wave];

    if (from < cu->wave_count)
        while (!(tags[from] & AMD_TAG_LAST)) /* there is one */
            from++;
    cu->first_last = from;
}

/* Adds the waves of a block, which the CU has places for.  A new block's mostly end later than those
 * that have worked for a while. */
static void amd_waves_add(struct amd_cu *cu, uint32_t slot, uint32_t count, const uint64_t *work_ps,
                          const uint8_t *simds)
{
    const uint32_t old = cu->wave_count, tag = slot << AMD_TAG_BLOCK_SHIFT;
    const uint64_t done = cu->work_per_wave;
    uint64_t *const ends = &cu->ends[cu->first_wave + old];
    uint16_t *const tags = &cu->tags[cu->first_wave + old];
    uint32_t places[AMD_BLOCK_WAVES_MAX] = {0};

    if (count > 1 && !amd_waves_rank_near(count, work_ps, places))
        amd_waves_rank(count, work_ps, places);
    for (uint32_t i = 0; i < count; i++) {
        ends[places[i]] = done + work_ps[i];
        tags[places[i]] = (uint16_t)(tag | (uint32_t)simds[i] << AMD_TAG_SIMD_SHIFT);
    }
    tags[count - 1] |= AMD_TAG_LAST;
    cu->wave_count = old + count;
    if (old == 0) {
        cu->first_last = count - 1;
    } else if (ends[-1] > ends[0]) {
        amd_waves_merge(cu, count);
        amd_waves_find_last(cu, 0);
    }
}

/* The SIMDs of a mask in their order, how many they are, and a byte that is 1 for each. */
static const struct amd_simds_of {
    uint32_t count;
    uint8_t simds[AMD_SIMDS_MAX];
    uint32_t ones;
} amd_simds_of[1 << AMD_SIMDS_MAX] = {
    {0, {0, 0, 0, 0}, 0x00000000},
    {1, {0, 0, 0, 0}, 0x00000001},
    {1, {1, 0, 0, 0}, 0x00000100},
    {2, {0, 1, 0, 0}, 0x00000101},
    {1, {2, 0, 0, 0}, 0x00010000},
    {2, {0, 2, 0, 0}, 0x00010001},
    {2, {1, 2, 0, 0}, 0x00010100},
    {3, {0, 1, 2, 0}, 0x00010101},
    {1, {3, 0, 0, 0}, 0x01000000},
    {2, {0, 3, 0, 0}, 0x01000001},
    {2, {1, 3, 0, 0}, 0x01000100},
    {3, {0, 1, 3, 0}, 0x01000101},
    {2, {2, 3, 0, 0}, 0x01010000},
    {3, {0, 2, 3, 0}, 0x01010001},
    {3, {1, 2, 3, 0}, 0x01010100},
    {4, {0, 1, 2, 3}, 0x01010101},
};

/* Which SIMD each wave of the block goes to: the one that can take most further waves; among equals
 * the lowest.  So first go those that can take the most, in turn, until they can take as many as
 * the next ones. */
static void amd_pick_simds(const struct amd_chip *chip, struct amd_cu *cu, struct amd_block *block,
                           uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX])
{
    uint32_t room[AMD_SIMDS_MAX] = {0}, level = 0, waves = 0, counts = 0;

    for (uint32_t i = 0; i < chip->simds_per_cu; i++) {
        room[i] = amd_simd_room(chip, cu->simds[i], &block->need);
        level = room[i] > level ? room[i] : level;
    }
    for (; waves < block->need.waves; level--) {
        const uint32_t takes = (uint32_t)(room[0] >= level) | (uint32_t)(room[1] >= level) << 1 |
                               (uint32_t)(room[2] >= level) << 2 | (uint32_t)(room[3] >= level) << 3;

        assert(level > 0);
        memcpy(&simds[waves], amd_simds_of[takes].simds, AMD_SIMDS_MAX);
        waves += amd_simds_of[takes].count;
        counts += amd_simds_of[takes].ones;
    }
    for (; waves > block->need.waves; waves--)
        counts -= 1u << 8 * simds[waves - 1];
    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++) {
        block->simd_waves[i] = (uint8_t)(counts >> 8 * i);
        cu->simds[i] += block->need.wave * block->simd_waves[i];
        cu->held[i] += block->need.wave * block->simd_waves[i];
    }
}

uint32_t amd_cu_start(const struct amd_chip *chip, struct amd_cu *cu, const struct amd_block *block,
                      const uint64_t *work_ps)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(~cu->slots);
    uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX];

    assert(slot < AMD_CU_WAVES_MAX && block->need.waves > 0);
    cu->slots |= UINT64_C(1) << slot;
    cu->block_count++;
    cu->blocks[slot] = *block;
    cu->lds_bytes += block->need.lds_bytes;
    amd_pick_simds(chip, cu, &cu->blocks[slot], simds);
    amd_waves_make_room(cu);
    amd_waves_add(cu, slot, block->need.waves, work_ps, simds);
    return slot;
}

/* The first waves, so many, end: they give back what they have but their places.  Returns the bits
 * of the slots of blocks that end, too. */
static uint64_t amd_waves_end(struct amd_cu *cu, uint32_t count)
{
    uint64_t *const ends = &cu->ends[cu->first_wave];
    uint16_t *const tags = &cu->tags[cu->first_wave];
    uint64_t ended = 0;

    while (cu->first_last < count) {
        ended |= UINT64_C(1) << amd_tag_block(tags[cu->first_last]);
        amd_waves_find_last(cu, cu->first_last + 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        const size_t tag = tags[i];
        struct amd_block *block = &cu->blocks[amd_tag_block(tag)];

        cu->simds[amd_tag_simd(tag)] -= block->need.wave;
        block->waves--;
        ends[i] = 0;
        tags[i] = 0;
    }
    cu->ended_waves += count;
    cu->wave_count -= count;
    cu->first_last -= count;
    cu->first_wave = cu->wave_count > 0 ? cu->first_wave + count : 0;
    return ended;
}

uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps)
{
    const uint64_t *end = &cu->ends[cu->first_wave];
    uint64_t work = now_ps - cu->since_ps + cu->carry, done = cu->work_per_wave;
    uint64_t left = cu->wave_count, sharers = amd_sharers(limits, left);

    while (left > 0 && (*end - done) * sharers <= work) {
        work -= (*end - done) * sharers;
        done = *end++;
        sharers -= left-- > limits->full_rate_waves;
    }
    cu->since_ps = now_ps;
    cu->work_per_wave = done;
    cu->carry = 0; /* without waves nobody was there to do it */
    if (left > 0) {
        cu->work_per_wave += work / sharers;
        cu->carry = work % sharers;
    }
    return left < cu->wave_count ? amd_waves_end(cu, cu->wave_count - (uint32_t)left) : 0;
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
        cu->held[i] -= block->need.wave * block->simd_waves[i];
    *block = (struct amd_block){0};
}

uint32_t amd_cu_stop(struct amd_cu *cu, uint32_t slot, uint64_t work_ps[AMD_BLOCK_WAVES_MAX])
{
    struct amd_block *block = &cu->blocks[slot];
    const uint32_t end = cu->first_wave + cu->wave_count;
    uint32_t stopped = 0, kept = cu->first_wave;

    for (uint32_t n = cu->first_wave; n < end; n++) {
        const uint64_t end_work = cu->ends[n];
        const uint16_t tag = cu->tags[n];

        cu->ends[n] = 0;
        cu->tags[n] = 0;
        if (amd_tag_block(tag) != slot) {
            cu->ends[kept] = end_work;
            cu->tags[kept++] = tag;
            continue;
        }
        work_ps[stopped++] = end_work - cu->work_per_wave;
        block->simd_stopped[amd_tag_simd(tag)]++;
    }
    assert(stopped == block->waves);
    cu->wave_count -= stopped;
    cu->stopped_waves += stopped;
    amd_waves_find_last(cu, 0);
    if (cu->wave_count == 0)
        cu->carry = cu->first_wave = 0; /* nobody is there to do it */
    return stopped;
}

void amd_cu_release(struct amd_cu *cu, uint32_t slot)
{
    struct amd_block *block = &cu->blocks[slot];

    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        cu->simds[i] -= block->need.wave * block->simd_stopped[i];
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
    const uint64_t *const ends = &cu->ends[cu->first_wave];
    const uint32_t count = cu->wave_count, n = amd_least(waves - 1, cu->first_last);
    const uint32_t busy = count > limits->full_rate_waves ? count - limits->full_rate_waves : 0;
    const uint32_t summed = amd_least(n, busy);
    uint64_t work = 0;

    if (count == 0)
        return GFE_PS_NEVER;
    for (uint32_t i = 0; i < summed; i++)
        work += ends[i];
    work += ends[n] * amd_sharers(limits, count - n) -
            cu->work_per_wave * amd_sharers(limits, count);
    return cu->since_ps + (work > cu->carry ? work - cu->carry : 0);
}
