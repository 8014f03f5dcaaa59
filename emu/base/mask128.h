/* SPDX-License-Identifier: MIT */
/* A mask of 128 bits: of TPCs, as descriptors of large chips have it. */
#ifndef GFE_EMU_BASE_MASK128_H
#define GFE_EMU_BASE_MASK128_H

#include <stdbool.h>
#include <stdint.h>

enum { MASK128_BITS = 128 };

struct mask128 {
    uint64_t word[2]; /* bits 63:0, then 127:64 */
};

static inline bool mask128_any(const struct mask128 *mask)
{
    return (mask->word[0] | mask->word[1]) != 0;
}

static inline bool mask128_equal(const struct mask128 *a, const struct mask128 *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* Returns a bit; 0 for one beyond the mask. */
static inline bool mask128_bit(const struct mask128 *mask, uint32_t bit)
{
    return bit < MASK128_BITS && (mask->word[bit / 64] >> bit % 64 & 1);
}

static inline struct mask128 mask128_or(struct mask128 a, struct mask128 b)
{
    return (struct mask128){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}

static inline struct mask128 mask128_not(struct mask128 mask)
{
    return (struct mask128){{~mask.word[0], ~mask.word[1]}};
}

/* Returns one more than the highest bit that is set; 0 if none is. */
static inline uint32_t mask128_width(const struct mask128 *mask)
{
    if (mask->word[1])
        return 128 - (uint32_t)__builtin_clzll(mask->word[1]);
    return mask->word[0] ? 64 - (uint32_t)__builtin_clzll(mask->word[0]) : 0;
}

#endif
