/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_stats.h"

#include <stddef.h>

static const struct campaign_level levels[] = {
    {900000, 164, 1644854, 2128045}, {950000, 196, 1959964, 2393980},
    {980000, 233, 2326348, 2713052}, {990000, 258, 2575829, 2935199},
    {995000, 281, 2807034, 3143980}, {998000, 309, 3090232, 3402933},
    {999000, 329, 3290527, 3587915},
};

const struct campaign_level *campaign_level(uint32_t confidence_ppm)
{
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (levels[i].confidence_ppm == confidence_ppm)
            return &levels[i];
    return NULL;
}

/* p (1 - p) is 1/4; everything times (200 * CAMPAIGN_PPM)^2 / 4 to stay whole; rounded up. */
uint64_t campaign_sample_size(uint64_t space, uint32_t margin_ppm, uint32_t t_hundredths)
{
    const unsigned __int128 t = (unsigned __int128)t_hundredths * (CAMPAIGN_PPM / 100);
    const unsigned __int128 above = t * t, below = 4 * (unsigned __int128)margin_ppm * margin_ppm;

    if (space == 0)
        return (uint64_t)((above + below - 1) / below);
    /* space t^2 / (t^2 + 4 e^2 (space - 1)), with the space kept small enough for 128 bits. */
    if (space > UINT64_C(1) << 44)
        return campaign_sample_size(0, margin_ppm, t_hundredths);
    return (uint64_t)((space * above + above + below * (space - 1) - 1) /
                      (above + below * (space - 1)));
}

static uint64_t root(unsigned __int128 square)
{
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 63;

    while (high - low > 1) {
        const unsigned __int128 middle = low + (high - low) / 2;

        if (middle * middle <= square)
            low = middle;
        else
            high = middle;
    }
    return (uint64_t)low;
}

/* With k of n and z: (2k + z^2 -+ z sqrt(z^2 + 4k(n - k)/n)) / (2 (n + z^2)), all in units of 1000
 * where z is, so z^2 in millionths. */
void campaign_interval(uint64_t count, uint64_t total, uint32_t z_ppm, uint32_t *low_ppm,
                       uint32_t *high_ppm)
{
    const uint64_t z = (z_ppm + 500) / 1000; /* thousandths */
    const unsigned __int128 z2 = (unsigned __int128)z * z;
    const unsigned __int128 middle = 2 * (unsigned __int128)CAMPAIGN_PPM * count + z2;
    const unsigned __int128 below = 2 * ((unsigned __int128)CAMPAIGN_PPM * total + z2);
    unsigned __int128 spread;

    *low_ppm = 0;
    *high_ppm = CAMPAIGN_PPM;
    if (total == 0)
        return;
    /* sqrt in thousandths; z in thousandths: the product is in millionths, as the middle is. */
    spread = z * ((unsigned __int128)root(z2 + 4 * (unsigned __int128)CAMPAIGN_PPM * count *
                                                   (total - count) / total) +
                  1);
    if (count > 0 && middle > spread)
        *low_ppm = (uint32_t)((middle - spread) * CAMPAIGN_PPM / below);
    if (count < total && middle + spread < below)
        *high_ppm = (uint32_t)(((middle + spread) * CAMPAIGN_PPM + below - 1) / below);
}

uint64_t campaign_look(uint64_t samples, uint32_t look)
{
    return look == 0 ? (samples + 3) / 4 : look == 1 ? (samples + 1) / 2 : samples;
}

bool campaign_is_precise(const uint64_t *counts, uint32_t count, uint64_t total, uint32_t z_ppm,
                         uint32_t margin_ppm)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t low, high;

        campaign_interval(counts[i], total, z_ppm, &low, &high);
        if (high - low > 2 * margin_ppm)
            return false;
    }
    return total > 0;
}
