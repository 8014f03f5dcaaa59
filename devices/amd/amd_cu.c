/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_cu.h"

#include <assert.h>
#include <string.h>

#include "devices/amd/amd_wave_rank.h"
#include "emu/base/often.h"

static uint32_t amd_round_up(uint32_t amount, uint32_t unit)
{
    return (amount + unit - 1) / unit * unit;
}

static uint32_t amd_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- room ------------------------------------------------------------------------------------ */

/* What a SIMD has: amd_simd_pack(). */
static uint64_t amd_simd_all(const struct amd_chip *chip)
{
    return amd_simd_pack(chip->waves_per_simd, chip->vgprs_per_simd, chip->sgprs_per_simd);
}

/* Further waves that a SIMD can take, of all that it has.  Mostly they are as many as it has slots
 * for: then nothing goes below 0 when all of them are taken, and no part borrows from the bit above
 * it. */
static uint32_t amd_simd_room(uint64_t all, uint64_t simd, const struct amd_need *need)
{
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

static inline bool amd_room(const struct amd_chip *chip, const uint64_t *simds,
                            const struct amd_need *need)
{
    const uint64_t all = amd_simd_all(chip);
    uint32_t room = 0;

    for (uint32_t i = 0; i < chip->simds_per_cu && room < need->waves; i++)
        room += amd_simd_room(all, simds[i], need);
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

/* ---- waves ----------------------------------------------------------------------------------- */

/* Returns a size_t, as wide as addresses, so that indexing by a block's slot needs no shift. */
static size_t amd_tag_block(size_t tag)
{
    return (tag & (AMD_TAG_LAST - 1)) >> AMD_TAG_BLOCK_SHIFT;
}

static size_t amd_tag_simd(size_t tag)
{
    return tag & (AMD_SIMDS_MAX - 1);
}

/* Waves that a picosecond of work is shared among. */
static uint64_t amd_sharers(const struct amd_cu_limits *limits, uint64_t waves)
{
    return waves > limits->full_rate_waves ? waves : limits->full_rate_waves;
}

/* Places for the waves of any block behind the others.  Mostly there are. */
static void amd_waves_make_room(struct amd_cu *cu)
{
    const uint32_t first = cu->first_wave, old = cu->wave_count;

    if (!RARELY(first + old + AMD_BLOCK_WAVES_MAX > AMD_WAVE_PLACES))
        return;
    assert(old <= first);
    memcpy(cu->ends, &cu->ends[first], old * sizeof *cu->ends);
    memcpy(cu->tags, &cu->tags[first], old * sizeof *cu->tags);
    memset(&cu->ends[first], 0, old * sizeof *cu->ends);
    memset(&cu->tags[first], 0, old * sizeof *cu->tags);
    cu->first_wave = 0;
}

/* Merges the last `count` waves, which are sorted as the others before them are, with these: each
 * behind those that end no later.  Without a branch on which is later, which cannot be foretold.
 * Returns how many waves have kept their places. */
static uint32_t amd_waves_merge(struct amd_cu *cu, uint32_t count)
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
    return (uint32_t)(end - first);
}

/* Which waves are the last of their blocks has to be found anew, from that one on. */
static void amd_waves_find_lasts(struct amd_cu *cu, uint32_t from)
{
    cu->lasts &= (UINT64_C(1) << from) - 1;
    for (uint32_t i = from; i < cu->wave_count; i++)
        cu->lasts |= (uint64_t)(cu->tags[cu->first_wave + i] / AMD_TAG_LAST) << i;
}

/* Updates the known ends of a CU after waves have joined it; the last of them ends at `last_end`.
 * As long as the CU is not busy, the new waves slow no other wave. */
static void amd_cu_joined(const struct amd_cu_limits *limits, struct amd_cu *cu, uint64_t last_end)
{
    if (cu->wave_count > limits->full_rate_waves)
        cu->end = cu->wave = (struct amd_cu_mark){0};
    else if (last_end < cu->end.work_per_wave) /* no other block ends before theirs */
        cu->end = (struct amd_cu_mark){0};
}

/* Adds the waves of a block, which the CU has places for.  A new block's mostly end later than
 * those that have worked for a while. */
static void amd_waves_add(const struct amd_cu_limits *limits, struct amd_cu *cu, uint32_t slot,
                          uint32_t count, const uint64_t *work_ps, const uint8_t *simds)
{
    const uint32_t old = cu->wave_count, tag = slot << AMD_TAG_BLOCK_SHIFT;
    const uint64_t done = cu->work_per_wave;
    uint64_t *const ends = &cu->ends[cu->first_wave + old];
    uint16_t *const tags = &cu->tags[cu->first_wave + old];
    uint32_t places[AMD_BLOCK_WAVES_MAX];

    amd_wave_rank(count, work_ps, places);
    for (uint32_t i = 0; i < count; i++) {
        ends[places[i]] = done + work_ps[i];
        tags[places[i]] = (uint16_t)(tag | simds[i]);
    }
    tags[count - 1] |= AMD_TAG_LAST;
    cu->wave_count = old + count;
    amd_cu_joined(limits, cu, ends[count - 1]);
    if (old == 0 || ends[-1] <= ends[0])
        cu->lasts |= UINT64_C(1) << (old + count - 1);
    else
        amd_waves_find_lasts(cu, amd_waves_merge(cu, count));
}

/* The SIMDs of a mask in their order, and how many they are. */
static const struct amd_simds_of {
    uint8_t simds[AMD_SIMDS_MAX];
    uint32_t count;
} amd_simds_of[1 << AMD_SIMDS_MAX] = {
    {{0}, 0},    {{0}, 1},       {{1}, 1},       {{0, 1}, 2},       {{2}, 1},    {{0, 2}, 2},
    {{1, 2}, 2}, {{0, 1, 2}, 3}, {{3}, 1},       {{0, 3}, 2},       {{1, 3}, 2}, {{0, 1, 3}, 3},
    {{2, 3}, 2}, {{0, 2, 3}, 3}, {{1, 2, 3}, 3}, {{0, 1, 2, 3}, 4},
};

/* The block has so many waves on a SIMD. */
static void amd_simd_take(struct amd_cu *cu, struct amd_block *block, uint32_t simd, uint32_t waves)
{
    block->simd_waves[simd] = (uint8_t)waves;
    cu->simds[simd] += block->need.wave * waves;
    cu->held[simd] += block->need.wave * waves;
}

/* The SIMD that can take most further waves; among equals the lowest. */
static __attribute__((noinline)) uint32_t
amd_roomiest_simd(const struct amd_chip *chip, const struct amd_cu *cu, const struct amd_need *need)
{
    const uint64_t all = amd_simd_all(chip);
    uint32_t best = 0, most = amd_simd_room(all, cu->simds[0], need);

    for (uint32_t i = 1; i < chip->simds_per_cu; i++) {
        const uint32_t room = amd_simd_room(all, cu->simds[i], need);

        best = room > most ? i : best;
        most = room > most ? room : most;
    }
    return best;
}

/* amd_pick_simds() for a block of one wave.  None can take more waves than it has slots free: so if
 * the one with most of them can take as many waves, none can take more. */
static uint8_t amd_pick_simd(const struct amd_chip *chip, struct amd_cu *cu,
                             struct amd_block *block)
{
    uint32_t best = 0, fewest = amd_simd_part(cu->simds[0], AMD_SIMD_WAVES);

    for (uint32_t i = 1; i < chip->simds_per_cu; i++) {
        const uint32_t waves = amd_simd_part(cu->simds[i], AMD_SIMD_WAVES);

        best = waves < fewest ? i : best;
        fewest = waves < fewest ? waves : fewest;
    }
    if (amd_simd_room(amd_simd_all(chip), cu->simds[best], &block->need) !=
        chip->waves_per_simd - fewest)
        best = amd_roomiest_simd(chip, cu, &block->need);
    amd_simd_take(cu, block, best, 1);
    return (uint8_t)best;
}

/* Further waves that each SIMD can take, a byte each; *most: the most of them. */
static uint32_t amd_simds_room(const struct amd_chip *chip, const struct amd_cu *cu,
                               const struct amd_need *need, uint32_t *most)
{
    const uint64_t all = amd_simd_all(chip);
    uint32_t rooms = 0;

    *most = 0;
    for (uint32_t i = 0; i < chip->simds_per_cu; i++) {
        const uint32_t room = amd_simd_room(all, cu->simds[i], need);

        rooms |= room << 8 * i;
        *most = room > *most ? room : *most;
    }
    return rooms;
}

/* Which SIMD each wave of the block goes to: the one that can take most further waves; among equals
 * the lowest.  So first go those that can take the most, in turn, until they can take as many as
 * the next ones.  Bytes have a bit above what a SIMD can take, so all are compared at once. */
static void amd_pick_simds(const struct amd_chip *chip, struct amd_cu *cu, struct amd_block *block,
                           uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX])
{
    const uint32_t each = 0x01010101, top = 0x80 * each;
    uint32_t level, waves = 0, counts = 0;
    uint32_t compared = amd_simds_room(chip, cu, &block->need, &level) | top;

    for (compared -= level * each; waves < block->need.waves; compared += each, level--) {
        const uint32_t takes = (compared & top) >> 7; /* a byte that is 1 for each */
        const struct amd_simds_of *of = &amd_simds_of[takes * 0x01020408 >> 24];

        assert(level > 0);
        memcpy(&simds[waves], of->simds, AMD_SIMDS_MAX);
        waves += of->count;
        counts += takes;
    }
    for (; waves > block->need.waves; waves--)
        counts -= 1u << 8 * simds[waves - 1];
    for (uint32_t i = 0; i < AMD_SIMDS_MAX; i++)
        amd_simd_take(cu, block, i, counts >> 8 * i & 0xff);
}

OFTEN uint32_t amd_cu_start(const struct amd_chip *chip, const struct amd_cu_limits *limits,
                            struct amd_cu *cu, const struct amd_need *need, uint64_t block_index,
                            uint32_t grid, const uint64_t *work_ps)
{
    const uint32_t slot = (uint32_t)__builtin_ctzll(~cu->slots);
    struct amd_block *block = &cu->blocks[slot];
    uint8_t simds[AMD_BLOCK_WAVES_MAX + AMD_SIMDS_MAX];

    assert(slot < AMD_CU_WAVES_MAX && need->waves > 0);
    cu->slots |= UINT64_C(1) << slot;
    cu->block_count++;
    cu->lds_bytes += need->lds_bytes;
    /* A free one is all 0. */
    block->block_index = block_index;
    block->need = *need;
    block->waves = need->waves;
    block->grid = grid;
    if (need->waves == 1)
        simds[0] = amd_pick_simd(chip, cu, block);
    else
        amd_pick_simds(chip, cu, block, simds);
    amd_waves_make_room(cu);
    amd_waves_add(limits, cu, slot, need->waves, work_ps, simds);
    return slot;
}

/* The first waves, so many, end: they give back what they have but their places.  Returns the bits
 * of the slots of blocks that end, too. */
static OFTEN __attribute__((noinline)) uint64_t amd_waves_end(struct amd_cu *cu, uint32_t count)
{
    uint64_t *const ends = &cu->ends[cu->first_wave];
    uint16_t *const tags = &cu->tags[cu->first_wave];
    uint64_t ended = 0;

    for (uint64_t left = cu->lasts & ((UINT64_C(1) << count) - 1); left != 0; left &= left - 1)
        ended |= UINT64_C(1) << amd_tag_block(tags[__builtin_ctzll(left)]);
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
    cu->lasts >>= count;
    if (ended != 0)
        cu->end = (struct amd_cu_mark){0};
    cu->first_wave = cu->wave_count > 0 ? cu->first_wave + count : 0;
    return ended;
}

/* Waves that end before the CU has done so much work. */
static uint32_t amd_waves_run(const struct amd_cu_limits *limits, struct amd_cu *cu, uint64_t work)
{
    const uint64_t *const ends = &cu->ends[cu->first_wave];
    uint64_t left = cu->wave_count, sharers = amd_sharers(limits, left), done = cu->work_per_wave;
    uint32_t ended = 0;

    while (left > 0) {
        const uint64_t needed = (ends[ended] - done) * sharers;

        if (needed > work)
            break;
        work -= needed;
        done = ends[ended++];
        sharers -= left-- > limits->full_rate_waves;
    }
    cu->work_per_wave = done;
    cu->carry = 0; /* without waves no work is left to carry */
    if (left > 0) {
        cu->work_per_wave += work / sharers;
        cu->carry = work % sharers;
    }
    return ended;
}

/* The same up to a time of which it is known what will have been done. */
static uint32_t amd_waves_run_to(struct amd_cu *cu, uint64_t work_per_wave)
{
    const uint64_t *const first = &cu->ends[cu->first_wave], *end = first;

    while (end < &first[cu->wave_count] && *end <= work_per_wave)
        end++;
    cu->work_per_wave = work_per_wave;
    cu->carry = 0;
    return (uint32_t)(end - first);
}

uint64_t amd_cu_advance(const struct amd_cu_limits *limits, struct amd_cu *cu, gfe_ps now_ps)
{
    const uint64_t work = now_ps - cu->since_ps + cu->carry;
    uint32_t ended;

    if (now_ps == cu->end.at_ps)
        ended = amd_waves_run_to(cu, cu->end.work_per_wave);
    else if (now_ps == cu->wave.at_ps)
        ended = amd_waves_run_to(cu, cu->wave.work_per_wave);
    else
        ended = amd_waves_run(limits, cu, work);
    cu->since_ps = now_ps;
    if (cu->wave.at_ps - 1 < now_ps) /* it is known, and not later */
        cu->wave = (struct amd_cu_mark){0};
    return ended != 0 ? amd_waves_end(cu, ended) : 0;
}

OFTEN void amd_cu_remove(struct amd_cu *cu, uint32_t slot)
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
    cu->end = cu->wave = (struct amd_cu_mark){0}; /* fewer share the CU from now on */
    amd_waves_find_lasts(cu, 0);
    if (cu->wave_count == 0)
        cu->carry = cu->first_wave = 0; /* no work is left to carry */
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
static gfe_ps amd_wave_ps(const struct amd_cu_limits *limits, const struct amd_cu *cu, uint32_t n,
                          struct amd_cu_mark *mark)
{
    const uint64_t *const ends = &cu->ends[cu->first_wave];
    const uint32_t count = cu->wave_count;
    const uint32_t busy = count > limits->full_rate_waves ? count - limits->full_rate_waves : 0;
    const uint32_t summed = amd_least(n, busy);
    uint64_t work =
        ends[n] * amd_sharers(limits, count - n) - cu->work_per_wave * amd_sharers(limits, count);

    for (uint32_t i = 0; i < summed; i++)
        work += ends[i];
    if (RARELY(work < cu->carry)) /* a block without work: what it did not need is left to carry */
        return cu->since_ps;
    *mark = (struct amd_cu_mark){cu->since_ps + work - cu->carry, ends[n]};
    return mark->at_ps;
}

gfe_ps amd_cu_end_ps(const struct amd_cu_limits *limits, struct amd_cu *cu)
{
    if (cu->wave_count == 0)
        return GFE_PS_NEVER;
    if (cu->end.at_ps != 0)
        return cu->end.at_ps;
    return amd_wave_ps(limits, cu, (uint32_t)__builtin_ctzll(cu->lasts), &cu->end);
}

gfe_ps amd_cu_waves_ps(const struct amd_cu_limits *limits, struct amd_cu *cu, uint32_t waves)
{
    return waves <= cu->wave_count ? amd_wave_ps(limits, cu, waves - 1, &cu->wave) : GFE_PS_NEVER;
}
