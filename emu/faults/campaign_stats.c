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

uint64_t campaign_look(uint64_t samples, uint32_t look)
{
    return look == 0 ? (samples + 3) / 4 : look == 1 ? (samples + 1) / 2 : samples;
}
